-- How often a person may do something, and the Data API requests that count as attempts.
create table private.rate_limits (
  action text primary key,
  attempts integer not null check (attempts > 0),
  window_seconds integer not null check (window_seconds > 0),
  requests text[] not null
);
alter table private.rate_limits enable row level security;
insert into private.rate_limits (action, attempts, window_seconds, requests) values
  ('plan creation', 3, 60, '{POST /shared_subscriptions}'),
  ('chat message', 30, 60, '{POST /messages}'),
  ('announcement', 5, 3600, '{POST /rpc/announce_to_members,POST /rpc/make_plan_notice,POST /rpc/end_plan_notice}'),
  ('question', 10, 3600, '{POST /rpc/ask_question}'),
  ('join request', 10, 60, '{POST /subscription_requests}'),
  ('approval', 20, 60, '{POST /rpc/approve_subscription_request}'),
  ('rejection', 20, 60, '{POST /rpc/reject_subscription_request}'),
  ('owner action', 50, 60, '{PATCH /shared_subscriptions,DELETE /shared_subscriptions,DELETE /subscription_members,
    POST /rpc/revoke_invitation}'),
  ('view requests', 30, 60, '{POST /rpc/get_pending_requests_with_expiry}'),
  ('provider request', 5, 3600, '{POST /provider_requests}'),
  ('test mail', 10, 3600, '{POST /rpc/send_test_mail}'),
  -- Counted when data is opened or stored, because a request that is only asked for proof of identity is not an attempt.
  ('bank account', 5, 3600, '{}'),
  ('tax details', 10, 3600, '{}'),
  ('vault opening', 10, 3600, '{}'),
  ('vault version', 20, 3600, '{}'),
  ('person report', 10, 3600, '{}'),
  ('new token', 30, 3600, '{}'),
  ('new guest', 60, 3600, '{}'),
  -- Counted when admit_api_token() admits a call.
  ('token call', 120, 60, '{}');

-- The times of a person's recent attempts. One row per person and action; its lock makes simultaneous attempts wait for each other.
-- The table is unlogged: a crash of the database resets all counts; in return, a request that only counts does not wait for the
-- disk.
create unlogged table private.rate_limit_usage (
  user_id uuid not null references auth.users (id) on delete cascade,
  action text not null references private.rate_limits (action) on delete cascade,
  used_at timestamptz[] not null,
  primary key (user_id, action)
);
create index rate_limit_usage_action_idx on private.rate_limit_usage (action);
alter table private.rate_limit_usage enable row level security;

-- Counts an attempt of this person; if there are too many, raises PT429 with the number of seconds to wait.
create function private.count_attempt(p_user_id uuid, p_action text, p_attempts integer, p_window_seconds integer) returns void
language plpgsql volatile set search_path = '' as $$
declare
  v_window interval := make_interval(secs => p_window_seconds);
  v_used timestamptz[];
begin
  insert into private.rate_limit_usage as known (user_id, action, used_at)
  values (p_user_id, p_action, array[clock_timestamp()])
  on conflict (user_id, action) do update set used_at =
    array(select t from unnest(known.used_at) as t
      -- Attempts in the future date from before the clock was set back; they must not block anybody. The time is read once the row
      -- is locked, so attempts recorded while waiting are in the past.
      where t between clock_timestamp() - v_window and clock_timestamp() order by t)
    || clock_timestamp()
  returning used_at into v_used;
  if cardinality(v_used) > p_attempts then
    perform private.refuse('rate_limited', (greatest(1, ceil(extract(epoch from v_used[1] + v_window - v_used[cardinality(v_used)]))))::text);
  end if;
end $$;

-- Counts one attempt of the acting user. Work of the server itself, without a signed-in user, is not counted.
create function private.spend_attempt(p_action text) returns void
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
