set local check_function_bodies = off;

create or replace function private.publish(p_name text, variadic p_roles text[]) returns void
language plpgsql volatile set search_path = '' as $$
declare
  v_roles text := array_to_string(p_roles, ', ');
  v_function pg_catalog.pg_proc;
begin
  select * into v_function from pg_catalog.pg_proc where pronamespace = 'private'::regnamespace and proname = p_name;
  if found then
    execute format('create function public.%I(%s) returns %s language plpgsql %s set search_path = '''' as %L',
      p_name, pg_get_function_arguments(v_function.oid), pg_get_function_result(v_function.oid),
      case v_function.provolatile when 's' then 'stable' else 'volatile' end,
      format(case when v_function.proretset then 'begin return query select * from private.%I(%s); end'
        when v_function.prorettype = 'void'::regtype then 'begin perform private.%I(%s); end'
        else 'begin return private.%I(%s); end' end,
        p_name, array_to_string(v_function.proargnames[:v_function.pronargs], ', ')));
    execute format('grant execute on function %s to %s', v_function.oid::regprocedure, v_roles);
  end if;
  select * into strict v_function from pg_catalog.pg_proc where pronamespace = 'public'::regnamespace and proname = p_name;
  -- Hosted projects differ in their default grants.
  execute format('revoke all on function %s from public, anon, authenticated, service_role', v_function.oid::regprocedure);
  execute format('grant execute on function %s to %s', v_function.oid::regprocedure, v_roles);
end $$;

create or replace function private.count_attempt(p_user_id uuid, p_action text, p_attempts integer, p_window_seconds integer) returns void
language plpgsql volatile set search_path = '' as $$
declare
  v_window interval := make_interval(secs => p_window_seconds);
  v_used timestamptz[];
begin
  insert into private.rate_limit_usage as known (user_id, action, used_at)
  values (p_user_id, p_action, array[clock_timestamp()])
  on conflict (user_id, action) do update set used_at =
    array(select t from unnest(known.used_at) as t
      -- Attempts in the future were recorded before the clock was set back, and must block nobody. The time is read once the
      -- row is locked, so attempts recorded while waiting are in the past.
      where t between clock_timestamp() - v_window and clock_timestamp() order by t)
    || clock_timestamp()
  returning used_at into v_used;
  if cardinality(v_used) > p_attempts then
    raise exception 'Rate limit exceeded. Please wait % seconds.',
      greatest(1, ceil(extract(epoch from v_used[1] + v_window - v_used[cardinality(v_used)])))
      using errcode = 'PT429';
  end if;
end $$;

create or replace function private.spend_attempt(p_action text) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_user uuid := auth.uid();
  v_limit private.rate_limits;
begin
  if v_user is null then return; end if;
  -- private.check_request() has counted the first attempt of this request.
  if current_setting('request.counted', true) = p_action then
    perform set_config('request.counted', '', true);
    return;
  end if;
  select * into strict v_limit from private.rate_limits where action = p_action;
  perform private.count_attempt(v_user, p_action, v_limit.attempts, v_limit.window_seconds);
end $$;

create or replace function private.check_session() returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_user uuid := auth.uid();
  v_claims jsonb := auth.jwt();
  v_has_factor boolean;
  v_action text;
  v_attempts integer;
  v_window integer;
begin
  -- Of a person's program: private.claims_of_ticket() has looked at its token.
  if v_user is null or v_claims ? 'token_id' then return; end if;
  -- One statement, as every request waits for it.
  select exists (select from auth.mfa_factors where user_id = u.id and status = 'verified'), l.action, l.attempts, l.window_seconds
  into v_has_factor, v_action, v_attempts, v_window
  from auth.sessions as s join auth.users as u on u.id = s.user_id
  left join private.rate_limits as l
    on (select current_setting('request.method', true) || ' ' || current_setting('request.path', true)) = any (l.requests)
  where s.id = (v_claims ->> 'session_id')::uuid and s.user_id = v_user
    and coalesce(s.not_after > now(), true)
    and u.deleted_at is null and coalesce(u.banned_until <= now(), true);
  if not found then
    raise exception 'Your session has ended. Please sign in again.' using errcode = 'PT401';
  end if;
  if v_has_factor and not private.shows_second_factor() then
    raise exception 'Your account asks for the code of your authenticator app as well.' using errcode = '42501';
  end if;
  if v_action is not null then
    perform private.count_attempt(v_user, v_action, v_attempts, v_window);
    perform set_config('request.counted', v_action, true);
  end if;
end $$;

create or replace function private.characters(p_text text) returns integer
language plpgsql immutable set search_path = '' as $$
begin
  if octet_length(p_text) = char_length(p_text) then return char_length(p_text); end if;
  return greatest(
    ceil(char_length(p_text) / 10.0)::integer,
    char_length(regexp_replace(
      regexp_replace(p_text,
        '\u200d[\u2190-\u2bff\U0001f000-\U0001faff]?'
        '|[\u0300-\u036f\u0483-\u0489\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u064b-\u065f\u0670'
        '\u06d6-\u06dc\u06df-\u06e4\u06e7\u06e8\u06ea-\u06ed\u0900-\u0903\u093a-\u093c\u093e-\u094f\u0951-\u0957\u0e31'
        '\u0e34-\u0e3a\u0e47-\u0e4e\u1ab0-\u1aff\u1dc0-\u1dff\u200b\u200c\u200e\u200f\u202a-\u202e\u2060-\u2069'
        '\u20d0-\u20ff\ufe00-\ufe0f\ufe20-\ufe2f\ufeff\U0001f3fb-\U0001f3ff\U000e0020-\U000e007f]', '', 'g'),
      '[\U0001f1e6-\U0001f1ff]{2}', 'x', 'g'))
  );
end $$;

create or replace function private.tg_messages__push() returns trigger
language plpgsql volatile security definer set search_path = '' as $$
begin
  -- Only for who has a device: asking that costs less than queueing nothing.
  perform private.push_chat(p.id, p.user_id, '10 minutes') from public.chat_participants as p
  where p.conversation_id = new.conversation_id and p.user_id::text <> new.sender_id and p.has_unread
    and exists (select from private.push_devices as d where d.user_id = p.user_id);
  return null;
end $$;

create or replace function private.tg_messages__queue_webhooks() returns trigger
language plpgsql volatile security definer set search_path = '' as $$
begin
  -- Few people have one, and asking that costs less than queueing nothing.
  if not exists (
    select from public.conversations as c join private.webhooks as w on w.user_id in (c.owner_id, c.member_id)
    where c.id = new.conversation_id
  ) then return null; end if;
  insert into private.webhook_deliveries (webhook_id, type, payload)
  select hears.id, 'message', private.webhook_payload('message', new.created_at, jsonb_build_object(
    'event', 'chat-message', 'message_id', new.id, 'conversation_id', c.id, 'plan_id', p.id, 'plan', p.provider || ' ' || p.name,
    'person', private.first_name((select display_name from public.user_profiles where user_id::text = new.sender_id))))
  from public.conversations as c
  cross join lateral private.webhooks_for(case when c.owner_id::text = new.sender_id then c.member_id else c.owner_id end, 'message') as hears (id)
  join public.shared_subscriptions as p on p.id = c.subscription_id
  where c.id = new.conversation_id;
  return null;
end $$;

alter table private.rate_limit_usage set unlogged;

-- The thin functions that are there, as private.publish() now creates them; they keep their grants.
do $$
declare v_function record;
begin
  for v_function in
    select body.*, thin.provolatile as volatility from pg_catalog.pg_proc as thin
    join pg_catalog.pg_proc as body on body.proname = thin.proname and body.pronamespace = 'private'::regnamespace
    where thin.pronamespace = 'public'::regnamespace and thin.prosrc like format('%% private.%s(%%', thin.proname)
  loop
    execute format('create or replace function public.%I(%s) returns %s language plpgsql %s set search_path = '''' as %L',
      v_function.proname, pg_get_function_arguments(v_function.oid), pg_get_function_result(v_function.oid),
      case v_function.volatility when 's' then 'stable' else 'volatile' end,
      format(case when v_function.proretset then 'begin return query select * from private.%I(%s); end'
        when v_function.prorettype = 'void'::regtype then 'begin perform private.%I(%s); end'
        else 'begin return private.%I(%s); end' end,
        v_function.proname, array_to_string(v_function.proargnames[:v_function.pronargs], ', ')));
  end loop;
end $$;
