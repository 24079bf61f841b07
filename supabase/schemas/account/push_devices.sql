-- Devices that get notifications while Potluck is closed: web push (docs/decisions/023-web-push.md).

-- The maximum number of devices per person.
create function private.most_push_devices() returns integer
language sql immutable return 10;

-- Returns whether a URL belongs to a known push service. The site sends to no other URL, even if a browser names one.
create function private.is_push_endpoint(p_endpoint text) returns boolean
language sql immutable set search_path = '' as $$
  select coalesce(char_length(p_endpoint) <= 1024 and p_endpoint ~
    '^https://(fcm\.googleapis\.com|([a-z0-9-]+\.)+(push\.services\.mozilla\.com|notify\.windows\.com|push\.apple\.com))/[!-~]+$', false)
$$;

-- A device whose browser may show notifications: its URL at the push service, and its encryption keys. The row lasts as long as the
-- session that registered the device.
create table private.push_devices (
  session_id uuid primary key,
  user_id uuid not null references auth.users (id) on delete cascade,
  endpoint text not null unique check (private.is_push_endpoint(endpoint)),
  p256dh text not null check (p256dh ~ '^B[A-Za-z0-9_-]{86}$'),
  auth text not null check (auth ~ '^[A-Za-z0-9_-]{22}$'),
  created_at timestamptz not null default clock_timestamp(),
  last_tried_at timestamptz,
  last_success_at timestamptz,
  -- The error of the last attempt; null if the push service accepted it.
  last_error text
);
create index push_devices_user_idx on private.push_devices (user_id);
alter table private.push_devices enable row level security;

insert into private.rate_limits (action, attempts, window_seconds, requests)
values ('push device', 10, 3600, '{POST /rpc/add_push_device}');

-- Returns a person's devices on which they are still signed in.
create function private.living_push_devices(p_user_id uuid) returns setof private.push_devices
language plpgsql stable security definer set search_path = '' as $$
begin
  return query
    select d.* from private.push_devices as d
    join auth.sessions as s on s.id = d.session_id and s.user_id = d.user_id
    join auth.users as u on u.id = d.user_id
    where d.user_id = p_user_id and private.is_live_session(s.not_after)
      and private.is_open_account(u.deleted_at, u.banned_until);
end $$;

-- Deletes devices whose session has ended.
create function private.forget_push_devices() returns void
language sql volatile security definer set search_path = '' as $$
  delete from private.push_devices as d where not exists (
    select from auth.sessions as s where s.id = d.session_id and s.user_id = d.user_id and private.is_live_session(s.not_after)
  )
$$;

-- Registers the device of this session for the acting user, replacing earlier registrations of this session and of other accounts in
-- the same browser. Raises 23514 for an unknown push service, invalid keys or too many devices.
create function private.add_push_device(p_endpoint text, p_p256dh text, p_auth text) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_user uuid := private.require_user();
  v_session uuid := (auth.jwt() ->> 'session_id')::uuid;
begin
  perform private.spend_attempt('push device');
  if v_session is null then
    perform private.refuse('session_ended');
  elsif not private.is_push_endpoint(p_endpoint) then
    perform private.refuse('push_service_unknown');
  end if;
  delete from private.push_devices where session_id = v_session;
  if (select count(*) from private.living_push_devices(v_user) where endpoint <> p_endpoint) >= private.most_push_devices() then
    perform private.refuse('too_many_devices', private.most_push_devices()::text);
  end if;
  insert into private.push_devices (session_id, user_id, endpoint, p256dh, auth)
  values (v_session, v_user, p_endpoint, p_p256dh, p_auth)
  on conflict (endpoint) do update set session_id = excluded.session_id, user_id = excluded.user_id, p256dh = excluded.p256dh,
    auth = excluded.auth, created_at = excluded.created_at, last_tried_at = null, last_success_at = null,
    last_error = null;
end $$;
select private.publish('add_push_device', 'authenticated');

-- The acting user's devices, the one in use first.
create function private.my_push_devices() returns table (
  id uuid, user_agent text, created_at timestamptz, last_tried_at timestamptz, last_success_at timestamptz, has_failed boolean,
  is_current boolean
)
language plpgsql stable security definer set search_path = '' as $$
declare v_user uuid := private.require_user();
begin
  return query
  select d.session_id, (select s.user_agent::text from auth.sessions as s where s.id = d.session_id), d.created_at,
    d.last_tried_at, d.last_success_at, d.last_error is not null, d.session_id::text = coalesce(auth.jwt() ->> 'session_id', '')
  from private.living_push_devices(v_user) as d order by 7 desc, d.created_at desc;
end $$;
select private.publish('my_push_devices', 'authenticated');

create function private.remove_push_device(p_id uuid) returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  delete from private.push_devices where session_id = p_id and user_id = private.require_user();
  if not found then
    perform private.refuse('device_not_found');
  end if;
end $$;
select private.publish('remove_push_device', 'authenticated');

revoke all on private.push_devices from public, anon, authenticated, service_role;
