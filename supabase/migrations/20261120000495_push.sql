-- What the bell says on people's devices too, while Potluck is closed: web push (docs/decisions/023-web-push.md).

-- Where a browser's push service listens. The site sends nowhere else, whatever address a browser names.
create function private.is_push_endpoint(p_endpoint text) returns boolean
language sql immutable set search_path = '' as $$
  select coalesce(char_length(p_endpoint) <= 1024 and p_endpoint ~
    '^https://(fcm\.googleapis\.com|([a-z0-9-]+\.)+(push\.services\.mozilla\.com|notify\.windows\.com|push\.apple\.com))/[!-~]+$', false)
$$;

-- A device whose browser may show notifications: where to send them, and what they are sealed with for it alone. It is
-- told for as long as the session that asked for it lasts.
create table private.push_devices (
  session_id uuid primary key,
  user_id uuid not null references auth.users (id) on delete cascade,
  endpoint text not null unique check (private.is_push_endpoint(endpoint)),
  p256dh text not null check (p256dh ~ '^B[A-Za-z0-9_-]{86}$'),
  auth text not null check (auth ~ '^[A-Za-z0-9_-]{22}$'),
  created_at timestamptz not null default clock_timestamp(),
  last_success_at timestamptz,
  last_error text
);
create index push_devices_user_idx on private.push_devices (user_id);
alter table private.push_devices enable row level security;

insert into private.rate_limits (action, attempts, window_seconds, requests)
values ('push device', 10, 3600, '{POST /rpc/add_push_device}');

-- The devices where their person is still signed in.
create function private.living_push_devices(p_user_id uuid) returns setof private.push_devices
language sql stable security definer set search_path = '' as $$
  select d.* from private.push_devices as d
  join auth.sessions as s on s.id = d.session_id and s.user_id = d.user_id
  join auth.users as u on u.id = d.user_id
  where d.user_id = p_user_id and coalesce(s.not_after > now(), true)
    and u.deleted_at is null and coalesce(u.banned_until <= now(), true)
$$;

-- Forgets those where nobody is signed in any more.
create function private.forget_push_devices() returns void
language sql volatile security definer set search_path = '' as $$
  delete from private.push_devices as d where not exists (
    select from auth.sessions as s where s.id = d.session_id and s.user_id = d.user_id and coalesce(s.not_after > now(), true)
  )
$$;

-- Which notification is still to go to which device. A row goes when it has been sent or given up.
create table private.outgoing_pushes (
  notification_id uuid not null references public.user_notifications (id) on delete cascade,
  -- No reference: who tells somebody something must not wait for a device that is being removed.
  session_id uuid not null,
  attempts integer not null default 0,
  next_attempt_at timestamptz not null default clock_timestamp(),
  primary key (notification_id, session_id)
);
create index outgoing_pushes_due_idx on private.outgoing_pushes (next_attempt_at);
alter table private.outgoing_pushes enable row level security;

-- How often each is tried before it is given up.
create function private.push_attempts() returns integer
language sql immutable set search_path = '' as $$ select 5 $$;

-- Sends a notification to the devices of whom it is for, unless they do not want that. The function `push` is called once
-- in a transaction, and hears of it after the commit.
create function private.tg_user_notifications__push() returns trigger
language plpgsql volatile security definer set search_path = '' as $$
begin
  insert into private.outgoing_pushes (notification_id, session_id)
  select new.id, d.session_id from private.living_push_devices(new.user_id) as d
  where private.wants(new.user_id, private.topic_of(new.event), 'push');
  if found and current_setting('potluck.called_push', true) is distinct from 'yes' then
    perform set_config('potluck.called_push', 'yes', true);
    perform private.call_function('push');
  end if;
  return null;
end $$;
create trigger push after insert on public.user_notifications
  for each row execute function private.tg_user_notifications__push();

-- Hands out up to p_limit that are due, each to one caller only, who has 5 minutes to settle it. What has been read
-- meanwhile needs no push, and a device where nobody is signed in gets none.
create function private.take_due_pushes(p_limit integer) returns table (
  notification_id uuid, session_id uuid, attempt integer, endpoint text, p256dh text, auth text, title text, message text
)
language plpgsql volatile security definer set search_path = '' as $$
declare v_now timestamptz := clock_timestamp();
begin
  delete from private.outgoing_pushes as p where (p.notification_id, p.session_id) in (
    select o.notification_id, o.session_id from private.outgoing_pushes as o
    join public.user_notifications as n on n.id = o.notification_id
    where o.next_attempt_at <= v_now and (n.read or o.attempts >= private.push_attempts()
      or not exists (select from private.living_push_devices(n.user_id) as d where d.session_id = o.session_id))
    for update of o skip locked
  );
  return query
    with due as materialized (
      select o.notification_id, o.session_id from private.outgoing_pushes as o
      where o.next_attempt_at <= v_now order by o.next_attempt_at limit p_limit for update skip locked
    ), taken as (
      update private.outgoing_pushes as p set attempts = p.attempts + 1, next_attempt_at = v_now + interval '5 minutes'
      from due where p.notification_id = due.notification_id and p.session_id = due.session_id
      returning p.*
    )
    -- As much of the message as a device shows.
    select t.notification_id, t.session_id, t.attempts, d.endpoint, d.p256dh, d.auth, n.title, left(n.message, 300)
    from taken as t join public.user_notifications as n on n.id = t.notification_id
    join private.push_devices as d on d.session_id = t.session_id;
end $$;

-- Says how attempt p_attempt went: sent when p_error is null; else to be tried again after 1, 4, 16 … minutes, unless the
-- outcome is 'final' or it was the last. Where it is 'gone', the push service does not know the device any more.
create function private.settle_push(p_notification_id uuid, p_session_id uuid, p_attempt integer, p_error text, p_outcome text)
returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  update private.push_devices set last_error = left(p_error, 500),
    last_success_at = case when p_error is null then clock_timestamp() else last_success_at end
  where session_id = p_session_id;
  if p_outcome = 'gone' then
    delete from private.push_devices where session_id = p_session_id;
  end if;
  if p_error is null or p_outcome in ('gone', 'final') or p_attempt >= private.push_attempts() then
    delete from private.outgoing_pushes where notification_id = p_notification_id and session_id = p_session_id;
  else
    update private.outgoing_pushes set next_attempt_at = clock_timestamp() + interval '1 minute' * power(4, p_attempt - 1)
    where notification_id = p_notification_id and session_id = p_session_id and attempts = p_attempt;
  end if;
end $$;

-- Has those sent that are tried again, or whose call was lost.
create function private.call_push() returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  if exists (select from private.outgoing_pushes where next_attempt_at <= clock_timestamp() - interval '5 seconds') then
    perform private.call_function('push');
  end if;
end $$;

-- The same two for the function `push`.
create function public.take_due_pushes(p_limit integer) returns table (
  notification_id uuid, session_id uuid, attempt integer, endpoint text, p256dh text, auth text, title text, message text
)
language sql volatile set search_path = '' as $$ select * from private.take_due_pushes(p_limit) $$;
create function public.settle_push(p_notification_id uuid, p_session_id uuid, p_attempt integer, p_error text, p_outcome text)
returns void
language sql volatile set search_path = '' as $$
  select private.settle_push(p_notification_id, p_session_id, p_attempt, p_error, p_outcome)
$$;

-- Has the acting user told on the device of this session; what it said before is replaced, and what another account of the
-- same browser said. Raises 23514 for a push service that is not known, keys that are none, and too many devices.
create function private.add_push_device(p_endpoint text, p_p256dh text, p_auth text) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_user uuid := private.require_user();
  v_session uuid := (auth.jwt() ->> 'session_id')::uuid;
begin
  perform private.spend_attempt('push device');
  if v_session is null then
    raise exception 'Your session has ended. Please sign in again.' using errcode = 'PT401';
  elsif not private.is_push_endpoint(p_endpoint) then
    raise exception 'Your browser uses a push service that is not known here' using errcode = '23514';
  end if;
  delete from private.push_devices where session_id = v_session;
  if (select count(*) from private.living_push_devices(v_user) where endpoint <> p_endpoint) >= private.most_push_devices() then
    raise exception 'You can be notified on at most % devices', private.most_push_devices() using errcode = '23514';
  end if;
  insert into private.push_devices (session_id, user_id, endpoint, p256dh, auth)
  values (v_session, v_user, p_endpoint, p_p256dh, p_auth)
  on conflict (endpoint) do update set session_id = excluded.session_id, user_id = excluded.user_id, p256dh = excluded.p256dh,
    auth = excluded.auth, created_at = excluded.created_at, last_success_at = null, last_error = null;
end $$;
create function public.add_push_device(p_endpoint text, p_p256dh text, p_auth text) returns void
language sql volatile set search_path = '' as $$ select private.add_push_device(p_endpoint, p_p256dh, p_auth) $$;

-- The acting user's devices, this one first.
create function private.my_push_devices() returns table (
  id uuid, user_agent text, created_at timestamptz, last_success_at timestamptz, is_current boolean
)
language plpgsql stable security definer set search_path = '' as $$
declare v_user uuid := private.require_user();
begin
  return query
  select d.session_id, (select s.user_agent::text from auth.sessions as s where s.id = d.session_id), d.created_at,
    d.last_success_at, d.session_id::text = coalesce(auth.jwt() ->> 'session_id', '')
  from private.living_push_devices(v_user) as d order by 5 desc, d.created_at desc;
end $$;
create function public.my_push_devices() returns table (
  id uuid, user_agent text, created_at timestamptz, last_success_at timestamptz, is_current boolean
)
language sql stable set search_path = '' as $$ select * from private.my_push_devices() $$;

-- No more on one of them.
create function private.remove_push_device(p_id uuid) returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  delete from private.push_devices where session_id = p_id and user_id = private.require_user();
  if not found then
    raise exception 'Device not found' using errcode = 'PT404';
  end if;
end $$;
create function public.remove_push_device(p_id uuid) returns void
language sql volatile set search_path = '' as $$ select private.remove_push_device(p_id) $$;

revoke all on private.push_devices, private.outgoing_pushes from public, anon, authenticated, service_role;
revoke execute on all functions in schema private from public;
revoke execute on function public.take_due_pushes(integer), public.settle_push(uuid, uuid, integer, text, text)
  from public, anon, authenticated;
revoke execute on function public.add_push_device(text, text, text), public.my_push_devices(), public.remove_push_device(uuid)
  from public, anon, service_role;
grant execute on function private.take_due_pushes(integer), public.take_due_pushes(integer),
  private.settle_push(uuid, uuid, integer, text, text), public.settle_push(uuid, uuid, integer, text, text) to service_role;
grant execute on function private.add_push_device(text, text, text), public.add_push_device(text, text, text),
  private.my_push_devices(), public.my_push_devices(), private.remove_push_device(uuid), public.remove_push_device(uuid)
  to authenticated;
