-- Webhooks: events sent to URLs that people provide, according to the Standard Webhooks specification (standardwebhooks.com). The
-- function `vault` makes and seals their secrets, the function `webhooks` signs and sends.

-- How many webhooks a person can have.
create function private.most_webhooks() returns integer
language sql immutable return 10;

-- How long a replaced secret still signs deliveries, beside the new one.
create function private.old_secret_time() returns interval
language sql immutable return interval '24 hours';

-- How long every delivery to a webhook may keep failing before the webhook is stopped.
create function private.webhook_patience() returns interval
language sql immutable return interval '1 day';

-- How long deliveries and their outcomes are kept.
create function private.delivery_memory() returns interval
language sql immutable return interval '30 days';

create function private.longest_webhook_name() returns integer
language sql immutable return 60;

-- A person's webhooks. URL and secret are sealed together, because a URL is often secret too: anyone who knows it may post to it.
-- The host stays readable, to identify the webhook.
create table private.webhooks (
  id uuid primary key,
  user_id uuid not null references auth.users (id) on delete cascade,
  name text not null check (private.visible_length(name) >= 1 and char_length(name) <= private.longest_webhook_name()),
  host text not null check (char_length(host) between 1 and 260),
  events text[] not null check (events <> '{}' and events <@ private.webhook_types()),
  version integer not null check (version > 0),
  sealed text not null check (char_length(sealed) between 1 and 4000),
  -- The previous secret with its URL, which still signs until old_until.
  old_sealed text,
  old_until timestamptz,
  made_at timestamptz not null default clock_timestamp(),
  -- The time of the first failure since the last delivery that arrived.
  failing_since timestamptz,
  -- Nothing is sent from this time on: all deliveries failed, or the receiver answered that it is gone (410).
  stopped_at timestamptz,
  stopped_why text check (stopped_why in ('failing', 'gone')),
  check ((stopped_at is null) = (stopped_why is null)),
  check ((old_sealed is null) = (old_until is null))
);
create index webhooks_user_id_idx on private.webhooks (user_id);
alter table private.webhooks enable row level security;

-- Both the queue and the history of deliveries. A row is written in the event's transaction. The payload only names the event, so
-- that a program can look it up; it never contains people's messages, because other people's machines receive it.
create table private.webhook_deliveries (
  -- The receiver recognises repeated deliveries by this id.
  id uuid primary key default gen_random_uuid(),
  webhook_id uuid not null references private.webhooks (id) on delete cascade,
  type text not null,
  payload jsonb not null,
  made_at timestamptz not null default clock_timestamp(),
  attempts integer not null default 0,
  -- The number of attempts before the delivery was last resent by hand.
  attempts_before integer not null default 0,
  -- The time of the next attempt; during an attempt, when another worker may take the delivery over.
  next_attempt_at timestamptz not null default clock_timestamp(),
  -- When the current attempt began.
  taken_at timestamptz,
  last_attempt_at timestamptz,
  last_status integer,
  last_error text,
  -- The beginning of the receiver's answer.
  last_answer text,
  last_ms integer,
  delivered_at timestamptz,
  failed_at timestamptz,
  constraint at_most_one_end check (num_nonnulls(delivered_at, failed_at) <= 1)
);
create index webhook_deliveries_newest_idx on private.webhook_deliveries (webhook_id, made_at desc, id);
create index webhook_deliveries_open_idx on private.webhook_deliveries (webhook_id, next_attempt_at)
  where delivered_at is null and failed_at is null;
create index webhook_deliveries_due_idx on private.webhook_deliveries (next_attempt_at) where delivered_at is null and failed_at is null;
create index webhook_deliveries_taken_idx on private.webhook_deliveries (next_attempt_at) where taken_at is not null;
create index webhook_deliveries_made_idx on private.webhook_deliveries (made_at);
alter table private.webhook_deliveries enable row level security;

create function private.tg_webhook_deliveries__wake() returns trigger
language plpgsql volatile security definer set search_path = '' as $$
begin
  if exists (select from made) then
    perform private.call_function('webhooks');
  end if;
  return null;
end $$;
create trigger wake after insert on private.webhook_deliveries referencing new table as made
  for each statement execute function private.tg_webhook_deliveries__wake();

-- Returns the payload of a delivery: the type, the time, and the known ids of the event's subjects.
create function private.webhook_payload(p_type text, p_at timestamptz, p_data jsonb) returns jsonb
language plpgsql stable set search_path = '' as $$
begin
  return jsonb_build_object('type', p_type, 'timestamp', to_char(p_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
    'data', jsonb_strip_nulls(p_data));
end $$;

-- Returns a person's webhooks for this type, unless their account is banned.
create function private.webhooks_for(p_user_id uuid, p_type text) returns setof uuid
language plpgsql stable security definer set search_path = '' as $$
begin
  return query
    select w.id from private.webhooks as w join auth.users as u on u.id = w.user_id
    where w.user_id = p_user_id and p_type = any (w.events) and w.stopped_at is null
      and private.is_open_account(u.deleted_at, u.banned_until);
end $$;

-- Queues notifications for their readers' webhooks. The person in a payload is the other side, by first name.
create function private.tg_user_notifications__queue_webhooks() returns trigger
language plpgsql volatile security definer set search_path = '' as $$
begin
  insert into private.webhook_deliveries (webhook_id, type, payload)
  select hears.id, n.webhook_type, private.webhook_payload(n.webhook_type, n.created_at, jsonb_build_object(
    'event', n.event, 'notification_id', n.id, 'plan_id', coalesce(s.subscription_id, n.subscription_id), 'plan', n.params -> 'plan',
    'person', private.first_name(case when coalesce(s.member_id <> n.user_id, p.owner_id = n.user_id) then n.params ->> 'member'
      else coalesce(n.params ->> 'owner', (select display_name from private.user_profiles where user_id = p.owner_id)) end),
    'request_id', n.params -> 'request', 'seat_id', s.id, 'payment_id', n.params -> 'payment', 'problem_id', n.params -> 'problem',
    'amount', (n.params ->> 'amount')::numeric(14, 2)::text, 'currency', case when n.params ? 'amount' then coalesce(n.params ->> 'currency', 'EUR') end,
    'day', n.params -> 'day', 'until', n.params -> 'until'))
  -- The join with webhooks comes first, because few people have a webhook.
  from (
    select t.*, private.webhook_type(t.event, t.params) as webhook_type from told as t
    where exists (select from private.webhooks as w where w.user_id = t.user_id) offset 0
  ) as n
  cross join lateral private.webhooks_for(n.user_id, n.webhook_type) as hears (id)
  left join private.seats as s on s.id = (n.params ->> 'seat')::uuid
  left join public.shared_subscriptions as p on p.id = n.subscription_id;
  return null;
end $$;
create trigger queue_webhooks after insert on public.user_notifications referencing new table as told
  for each statement execute function private.tg_user_notifications__queue_webhooks();

-- Queues a chat message for its recipient's webhooks, without its text.
create function private.tg_messages__queue_webhooks() returns trigger
language plpgsql volatile security definer set search_path = '' as $$
begin
  -- Few people have a webhook, and this check costs less than an insert that queues nothing.
  if not exists (
    select from public.conversations as c join private.webhooks as w on w.user_id in (c.owner_id, c.member_id)
    where c.id = new.conversation_id
  ) then return null; end if;
  insert into private.webhook_deliveries (webhook_id, type, payload)
  select hears.id, 'message', private.webhook_payload('message', new.created_at, jsonb_build_object(
    'event', 'chat-message', 'message_id', new.id, 'conversation_id', c.id, 'plan_id', p.id, 'plan', p.provider || ' ' || p.name,
    'person', private.first_name((select display_name from private.user_profiles where user_id::text = new.sender_id))))
  from public.conversations as c
  cross join lateral private.webhooks_for(case when c.owner_id::text = new.sender_id then c.member_id else c.owner_id end, 'message') as hears (id)
  join public.shared_subscriptions as p on p.id = c.subscription_id
  where c.id = new.conversation_id;
  return null;
end $$;
create trigger queue_webhooks after insert on public.messages
  for each row when (new.message_type <> 'system') execute function private.tg_messages__queue_webhooks();

-- Locks a webhook of the acting user and returns it; raises PT404 if they have no such webhook.
create function private.require_webhook(p_id uuid) returns private.webhooks
language plpgsql volatile security definer set search_path = '' as $$
declare v_webhook private.webhooks;
begin
  select * into v_webhook from private.webhooks where id = p_id and user_id = private.require_user() for no key update;
  if not found then
    perform private.refuse('webhook_not_found');
  end if;
  return v_webhook;
end $$;

-- The acting user's webhooks, newest first, each with the outcome of its latest attempted delivery.
create function private.my_webhooks() returns table (
  id uuid, name text, host text, events text[], made_at timestamptz, old_until timestamptz, stopped_at timestamptz, stopped_why text,
  last_attempt_at timestamptz, has_failed boolean
)
language sql stable security definer set search_path = '' as $$
  select w.id, w.name, w.host, w.events, w.made_at, case when w.old_until > clock_timestamp() then w.old_until end, w.stopped_at, w.stopped_why,
    d.last_attempt_at, d.id is not null and d.delivered_at is null and d.taken_at is null
  from private.webhooks as w
  left join lateral (
    select * from private.webhook_deliveries where webhook_id = w.id and last_attempt_at is not null order by made_at desc, id limit 1
  ) as d on true
  where w.user_id = private.require_user() order by w.made_at desc, w.id
$$;
select private.publish('my_webhooks', 'authenticated');

-- Returns the data that the function `vault` needs to make the acting user's next webhook or, with p_id, to give that webhook
-- another secret.
create function private.prepare_webhook(p_id uuid default null) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_user uuid := private.require_user();
  v_webhook private.webhooks;
begin
  perform private.require_recent_proof();
  if p_id is not null then
    v_webhook := private.require_webhook(p_id);
  end if;
  return jsonb_build_object('owner', jsonb_build_object('kind', 'person', 'id', v_user), 'key', private.vault_key_of(v_user),
    'current', case when p_id is not null then jsonb_build_object('id', p_id, 'version', v_webhook.version, 'sealed', v_webhook.sealed) end);
end $$;
select private.publish('prepare_webhook', 'authenticated');

-- Stores a webhook as sealed by the function `vault`; only the function may call it, after private.prepare_webhook(). The previous
-- secret still signs for private.old_secret_time().
create function private.save_webhook(
  p_user_id uuid, p_id uuid, p_version integer, p_sealed text, p_key jsonb, p_name text default null, p_host text default null,
  p_events text[] default null
) returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  perform private.act_for(p_user_id);
  -- Simultaneous attempts of one person wait for each other here, so the maximum is never exceeded.
  perform private.spend_attempt('webhook');
  if p_key is not null then
    perform private.store_vault_key(p_key);
  end if;
  if p_version = 1 then
    if (select count(*) from private.webhooks where user_id = p_user_id) >= private.most_webhooks() then
      perform private.refuse('too_many_webhooks', private.most_webhooks()::text);
    end if;
    insert into private.webhooks (id, user_id, name, host, events, version, sealed)
    values (p_id, p_user_id, btrim(p_name), p_host, array(select distinct unnest(p_events) order by 1), 1, p_sealed);
  else
    update private.webhooks set old_sealed = sealed, old_until = clock_timestamp() + private.old_secret_time(), sealed = p_sealed, version = p_version
    where id = p_id and user_id = p_user_id and version = p_version - 1;
    if not found then
      perform private.refuse('changed_meanwhile');
    end if;
  end if;
  perform private.note_account_change(p_user_id, case p_version when 1 then 'webhook-added' else 'webhook-secret' end,
    private.email_of(p_user_id), p_id);
end $$;
select private.publish('save_webhook', 'service_role');

-- Removes a webhook, with its deliveries.
create function private.end_webhook(p_id uuid) returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  perform private.require_webhook(p_id);
  delete from private.webhooks where id = p_id;
  perform private.cancel_mail(p_id::text);
end $$;
select private.publish('end_webhook', 'authenticated');

insert into private.rate_limits (action, attempts, window_seconds, requests)
values ('webhook', 30, 600, '{POST /rpc/test_webhook,POST /rpc/resume_webhook,POST /rpc/resend_webhook_delivery}');

-- Refuses to send to a stopped webhook.
create function private.require_running(p_webhook private.webhooks) returns void
language plpgsql stable set search_path = '' as $$
begin
  if p_webhook.stopped_at is not null then
    perform private.refuse('webhook_stopped');
  end if;
end $$;

-- Queues a test delivery and returns its id.
create function private.test_webhook(p_id uuid) returns uuid
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_webhook private.webhooks := private.require_webhook(p_id);
  v_id uuid;
begin
  perform private.spend_attempt('webhook');
  perform private.require_running(v_webhook);
  insert into private.webhook_deliveries (webhook_id, type, payload)
  values (p_id, 'test', private.webhook_payload('test', clock_timestamp(), jsonb_build_object('event', 'webhook-test', 'webhook', v_webhook.name)))
  returning id into v_id;
  return v_id;
end $$;
select private.publish('test_webhook', 'authenticated');

-- Turns a stopped webhook on again, and sends a test.
create function private.resume_webhook(p_id uuid) returns uuid
language plpgsql volatile security definer set search_path = '' as $$
begin
  perform private.require_webhook(p_id);
  update private.webhooks set stopped_at = null, stopped_why = null, failing_since = null where id = p_id;
  perform private.cancel_mail(p_id::text);
  return private.test_webhook(p_id);
end $$;
select private.publish('resume_webhook', 'authenticated');

-- Deliveries of one of the acting user's webhooks, newest first, without the first p_after.
create function private.my_webhook_deliveries(p_webhook_id uuid, p_after integer default 0) returns table (
  id uuid, type text, payload jsonb, made_at timestamptz, attempts integer, next_attempt_at timestamptz, last_attempt_at timestamptz,
  last_status integer, last_error text, last_answer text, last_ms integer, delivered_at timestamptz, failed_at timestamptz
)
language plpgsql stable security definer set search_path = '' as $$
declare v_user uuid := private.require_user();
begin
  return query
    select d.id, d.type, d.payload, d.made_at, d.attempts, d.next_attempt_at, d.last_attempt_at, d.last_status, d.last_error,
      d.last_answer, d.last_ms, d.delivered_at, d.failed_at
    from private.webhook_deliveries as d join private.webhooks as w on w.id = d.webhook_id
    where d.webhook_id = p_webhook_id and w.user_id = v_user
    order by d.made_at desc, d.id offset greatest(p_after, 0) limit private.deliveries_page();
end $$;
select private.publish('my_webhook_deliveries', 'authenticated');

create function private.deliveries_page() returns integer
language sql immutable return 30;

-- Resends a delivery that has arrived or was given up, under the same id.
create function private.resend_webhook_delivery(p_id uuid) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare v_webhook private.webhooks := private.require_webhook((select webhook_id from private.webhook_deliveries where id = p_id));
begin
  perform private.spend_attempt('webhook');
  perform private.require_running(v_webhook);
  update private.webhook_deliveries set attempts_before = attempts, next_attempt_at = clock_timestamp(), delivered_at = null, failed_at = null
  where id = p_id and num_nonnulls(delivered_at, failed_at) = 1;
  if not found then
    perform private.refuse('delivery_under_way');
  end if;
  perform private.call_function('webhooks');
end $$;
select private.publish('resend_webhook_delivery', 'authenticated');

-- How many deliveries are sent at the same time: in all, for one person, and for one webhook. A slow receiver delays only its owner.
create function private.deliveries_at_once() returns integer
language sql immutable return 40;
create function private.deliveries_at_once_per_person() returns integer
language sql immutable return 6;
create function private.deliveries_at_once_per_webhook() returns integer
language sql immutable return 3;

-- Leases up to p_limit due deliveries, with the keys that open and sign them. Each is leased to one caller, who has a minute to
-- settle it. People get an equal share, however many deliveries they have waiting, and the cost grows with the number of webhooks,
-- not of deliveries.
create function private.lease_due_deliveries(p_limit integer) returns table (
  id uuid, attempt integer, payload jsonb, webhook_id uuid, owner_id uuid, version integer, sealed text, old_sealed text, key jsonb
)
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_now timestamptz := clock_timestamp();
  v_ids uuid[];
begin
  -- Only one call runs at a time: two simultaneous calls would count the same deliveries under way, and could exceed the limits
  -- together.
  perform pg_advisory_xact_lock(hashtextextended('potluck.lease_due_deliveries', 0));
  with recursive sending as materialized (
    select d.webhook_id, w.user_id from private.webhook_deliveries as d join private.webhooks as w on w.id = d.webhook_id
    where d.taken_at is not null and d.next_attempt_at > v_now
  ), queues (webhook_id) as (
    (select d.webhook_id from private.webhook_deliveries as d where d.delivered_at is null and d.failed_at is null order by 1 limit 1)
    union all
    select (
      select d.webhook_id from private.webhook_deliveries as d
      where d.delivered_at is null and d.failed_at is null and d.webhook_id > q.webhook_id order by 1 limit 1
    ) from queues as q where q.webhook_id is not null
  ), first as (
    select due.id, due.next_attempt_at,
      (select count(*) from sending as s where s.user_id = w.user_id)
        + row_number() over (partition by w.user_id order by due.place, due.next_attempt_at) as of_person
    from queues as q join private.webhooks as w on w.id = q.webhook_id and w.stopped_at is null
    cross join lateral (select count(*) as number from sending as s where s.webhook_id = w.id) as sent
    cross join lateral (
      select d.id, d.next_attempt_at, sent.number + row_number() over (order by d.next_attempt_at) as place from private.webhook_deliveries as d
      where d.webhook_id = w.id and d.next_attempt_at <= v_now and d.delivered_at is null and d.failed_at is null
      order by d.next_attempt_at limit greatest(0, private.deliveries_at_once_per_webhook() - sent.number)
    ) as due
  )
  select array(
    select f.id from first as f where f.of_person <= private.deliveries_at_once_per_person() order by f.of_person, f.next_attempt_at
    limit greatest(0, least(p_limit, private.deliveries_at_once() - (select count(*) from sending)))
  ) into v_ids;
  return query
    with taken as (
      update private.webhook_deliveries as d set attempts = d.attempts + 1, taken_at = v_now, last_attempt_at = v_now,
        next_attempt_at = v_now + interval '1 minute'
      where d.id = any (v_ids) and d.delivered_at is null and d.failed_at is null
      returning d.*
    )
    select t.id, t.attempts, t.payload, w.id, w.user_id, w.version, w.sealed,
      case when w.old_until > v_now then w.old_sealed end, private.vault_key_of(w.user_id)
    from taken as t join private.webhooks as w on w.id = t.webhook_id;
end $$;
select private.publish('lease_due_deliveries', 'service_role');

-- Stops a webhook, gives up its waiting deliveries, and tells the person who made it.
create function private.stop_webhook(p_id uuid, p_why text) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare v_webhook private.webhooks;
begin
  update private.webhooks set stopped_at = clock_timestamp(), stopped_why = p_why where id = p_id and stopped_at is null returning * into v_webhook;
  if not found then return; end if;
  update private.webhook_deliveries set failed_at = clock_timestamp(), taken_at = null
  where webhook_id = p_id and delivered_at is null and failed_at is null;
  perform private.mail_notification(private.notify(v_webhook.user_id, 'warning', null, 'webhook-stopped',
    jsonb_build_object('name', v_webhook.name, 'why', p_why, 'webhook', p_id)),
    array[p_id::text], '/account-settings/programs');
end $$;

-- Records the outcome of attempt p_attempt: the delivery has arrived if the receiver answered with 2xx, and the webhook is stopped
-- if it answered with 410; otherwise the delivery is retried for a day with growing waits, or, if that is later, when the receiver
-- asked for it (Retry-After in seconds, at most an hour). If a later attempt has begun by now, the answer only counts if it says
-- that this attempt arrived.
create function private.settle_delivery(
  p_id uuid, p_attempt integer, p_status integer, p_error text, p_answer text, p_ms integer, p_retry_after integer
) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_now timestamptz := clock_timestamp();
  v_arrived boolean := coalesce(p_status between 200 and 299, false) and p_error is null;
  v_delivery private.webhook_deliveries;
  v_webhook private.webhooks;
  v_waits constant interval[] := '{5 seconds,5 minutes,30 minutes,2 hours,5 hours,8 hours,9 hours}';
  v_wait interval;
begin
  select w.* into v_webhook from private.webhooks as w
  where w.id = (select webhook_id from private.webhook_deliveries where id = p_id) for no key update;
  select * into v_delivery from private.webhook_deliveries where id = p_id for no key update;
  if not found or num_nonnulls(v_delivery.delivered_at, v_delivery.failed_at) > 0
    or (v_delivery.attempts <> p_attempt and not v_arrived) then return; end if;
  v_wait := v_waits[p_attempt - v_delivery.attempts_before];
  if v_wait is not null and p_retry_after is not null then
    v_wait := greatest(v_wait, least(make_interval(secs => p_retry_after), v_wait + interval '1 hour'));
  end if;
  update private.webhook_deliveries set taken_at = null, last_status = p_status, last_error = left(p_error, 500),
    last_answer = left(nullif(p_answer, ''), 1024), last_ms = p_ms, next_attempt_at = v_now + coalesce(v_wait, '0'),
    delivered_at = case when v_arrived then v_now end, failed_at = case when not v_arrived and v_wait is null then v_now end
  where id = p_id;
  if v_arrived then
    update private.webhooks set failing_since = null where id = v_webhook.id and failing_since is not null;
  elsif p_status = 410 then
    perform private.stop_webhook(v_webhook.id, 'gone');
  elsif v_webhook.failing_since <= v_now - private.webhook_patience() then
    perform private.stop_webhook(v_webhook.id, 'failing');
  elsif v_webhook.failing_since is null then
    update private.webhooks set failing_since = v_now where id = v_webhook.id;
  end if;
end $$;
select private.publish('settle_delivery', 'service_role');

-- Calls the function `webhooks` for deliveries that are due later, retried, or whose call was lost. Gives up deliveries that were
-- queued while their webhook was being stopped.
create function private.call_webhooks() returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  update private.webhook_deliveries as d set failed_at = clock_timestamp() from private.webhooks as w
  where w.id = d.webhook_id and w.stopped_at is not null and d.delivered_at is null and d.failed_at is null;
  if exists (
    select from private.webhook_deliveries
    where next_attempt_at <= clock_timestamp() - interval '1 second' and delivered_at is null and failed_at is null
  ) then
    perform private.call_function('webhooks');
  end if;
end $$;

revoke all on private.webhooks, private.webhook_deliveries from public, anon, authenticated, service_role;
