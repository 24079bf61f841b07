-- Web push for notifications and chats. The function `push` encrypts and sends it.

-- Pushes still to be sent to a device: a notification, an unread chat or, if `about` is the device's own id, a test. A row is
-- deleted once the push is sent or given up. The text is read at the moment of sending.
create table private.outgoing_pushes (
  -- No foreign keys: a new notification must not wait for a row that is being deleted. Stale rows are deleted when they are due.
  about uuid not null,
  session_id uuid not null,
  attempts integer not null default 0,
  next_attempt_at timestamptz not null default clock_timestamp(),
  primary key (about, session_id)
);
create index outgoing_pushes_due_idx on private.outgoing_pushes (next_attempt_at);
alter table private.outgoing_pushes enable row level security;

-- How often a push is tried before it is given up.
create function private.push_attempts() returns integer
language sql immutable set search_path = '' as $$ select 5 $$;

-- Queues notifications for their readers' devices, unless the reader has turned that topic off.
create function private.tg_user_notifications__push() returns trigger
language plpgsql volatile security definer set search_path = '' as $$
begin
  insert into private.outgoing_pushes (about, session_id)
  -- The join with devices comes first, because few people have a device.
  select n.id, d.session_id from (
    select * from told as t where exists (select from private.push_devices as p where p.user_id = t.user_id) offset 0
  ) as n cross join lateral private.living_push_devices(n.user_id) as d
  where private.is_topic_on(n.user_id, private.topic_of(n.event), 'push');
  if found then
    perform private.call_function('push');
  end if;
  return null;
end $$;
create trigger push after insert on public.user_notifications referencing new table as told
  for each statement execute function private.tg_user_notifications__push();

-- Returns an unread chat as a notification to its reader. No row if the chat has been read or is over, or if one of the two people
-- has blocked the other.
create function private.unread_chat(p_participant_id uuid)
returns table (user_id uuid, conversation_id uuid, notice public.user_notifications)
language plpgsql stable security definer set search_path = '' as $$
begin
  return query
    select reader.user_id, c.id, private.notice(reader.user_id, 'info', null, 'chat-message', jsonb_build_object(
      'person', private.first_name(writer.display_name), 'plan', p.provider || ' ' || p.name))
    from public.chat_participants as reader
    join public.conversations as c on c.id = reader.conversation_id
    join public.shared_subscriptions as p on p.id = c.subscription_id
    join private.user_profiles as writer
      on writer.user_id = case reader.user_id when c.owner_id then c.member_id else c.owner_id end
    where reader.id = p_participant_id and reader.has_unread and not c.archived and not exists (
      select from public.blocked_people as b
      where (b.user_id, b.blocked_id) in ((reader.user_id, writer.user_id), (writer.user_id, reader.user_id))
    );
end $$;

-- Returns the text to show on a device of p_user_id, and the path it opens; no row once the subject is read or over. The words of a
-- chat message are never shown, because other people may see the screen.
create function private.push_text(p_about uuid, p_session_id uuid, p_user_id uuid)
returns table (title text, message text, path text, event text, params jsonb)
language sql stable security definer set search_path = '' as $$
  -- Devices show no more than 300 characters of a message.
  select (notice).title, left((notice).message, 300), path, (notice).event, (notice).params from (
    select n, '/notifications/' || n.id from public.user_notifications as n where n.id = p_about and n.user_id = p_user_id and not n.read
    union all
    select c.notice, '/messages/' || c.conversation_id from private.unread_chat(p_about) as c
    where c.user_id = p_user_id and private.is_topic_on(p_user_id, 'messages', 'push')
    union all
    select private.notice(p_user_id, 'info', null, 'push-test'), '/account-settings/notifications' where p_about = p_session_id
  ) as said (notice, path)
$$;

-- Leases up to p_limit due pushes, with all that is needed to write them in the language and time zone of their reader. Each is leased to
-- one caller, who has 5 minutes to settle it. Read notifications are not pushed, and signed-out devices get no pushes.
create function private.lease_due_pushes(p_limit integer) returns table (
  about uuid, session_id uuid, attempt integer, endpoint text, p256dh text, auth text, title text, message text, path text,
  event text, params jsonb, language text, time_zone text
)
language plpgsql volatile security definer set search_path = '' as $$
declare v_now timestamptz := clock_timestamp();
begin
  delete from private.outgoing_pushes as p where (p.about, p.session_id) in (
    select o.about, o.session_id from private.outgoing_pushes as o
    where o.next_attempt_at <= v_now and (o.attempts >= private.push_attempts() or not exists (
      select from private.push_devices as d
      join private.living_push_devices(d.user_id) as living on living.session_id = d.session_id
      cross join private.push_text(o.about, d.session_id, d.user_id)
      where d.session_id = o.session_id
    ))
    for update of o skip locked
  );
  return query
    with due as materialized (
      select o.about, o.session_id from private.outgoing_pushes as o
      where o.next_attempt_at <= v_now order by o.next_attempt_at limit p_limit for update skip locked
    ), taken as (
      update private.outgoing_pushes as p set attempts = p.attempts + 1, next_attempt_at = v_now + interval '5 minutes'
      from due where p.about = due.about and p.session_id = due.session_id
      returning p.*
    )
    select t.about, t.session_id, t.attempts, d.endpoint, d.p256dh, d.auth, said.title, said.message, said.path, said.event, said.params,
      (select p.language from private.user_details as p where p.user_id = d.user_id), private.zone_of(d.user_id)
    from taken as t join private.push_devices as d on d.session_id = t.session_id
    cross join private.push_text(t.about, d.session_id, d.user_id) as said;
end $$;

-- Records the outcome of attempt p_attempt. The push was sent if p_error is null; otherwise it is retried after private.retry_wait(),
-- unless p_outcome is 'final' or this was the last attempt. 'gone' means that the push service no longer knows the device.
create function private.settle_push(p_about uuid, p_session_id uuid, p_attempt integer, p_error text, p_outcome text)
returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  update private.push_devices set last_tried_at = clock_timestamp(), last_error = left(p_error, 500),
    last_success_at = case when p_error is null then clock_timestamp() else last_success_at end
  where session_id = p_session_id;
  if p_outcome = 'gone' then
    delete from private.push_devices where session_id = p_session_id;
  end if;
  if p_error is null or p_outcome in ('gone', 'final') or p_attempt >= private.push_attempts() then
    delete from private.outgoing_pushes where about = p_about and session_id = p_session_id;
  else
    update private.outgoing_pushes set next_attempt_at = clock_timestamp() + private.retry_wait(p_attempt)
    where about = p_about and session_id = p_session_id and attempts = p_attempt;
  end if;
end $$;

-- Calls the function `push` for pushes that are due later, retried, or whose call was lost.
create function private.call_push() returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  if exists (select from private.outgoing_pushes where next_attempt_at <= clock_timestamp() - interval '5 seconds') then
    perform private.call_function('push');
  end if;
end $$;

-- Only the function `push` may call these.
select private.publish('lease_due_pushes', 'service_role');
select private.publish('settle_push', 'service_role');

insert into private.rate_limits (action, attempts, window_seconds, requests)
values ('push test', 5, 600, '{POST /rpc/test_push}');

-- Sends a test to the acting user's devices, even if push is turned off, and returns its time: any device tried since then has
-- received it, or failed. Raises 23514 if there is no device.
create function private.test_push() returns timestamptz
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_user uuid := private.require_user();
  v_now timestamptz := clock_timestamp();
begin
  perform private.spend_attempt('push test');
  insert into private.outgoing_pushes (about, session_id)
  select d.session_id, d.session_id from private.living_push_devices(v_user) as d order by d.session_id
  on conflict (about, session_id) do update set attempts = 0, next_attempt_at = v_now;
  if not found then
    perform private.refuse('no_device');
  end if;
  perform private.call_function('push');
  return v_now;
end $$;
select private.publish('test_push', 'authenticated');

revoke all on private.outgoing_pushes from public, anon, authenticated, service_role;
