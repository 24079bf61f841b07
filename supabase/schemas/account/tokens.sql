-- The maximum number of days that a token can last.
create function private.longest_token() returns integer
language sql immutable return 365;

create function private.most_tokens() returns integer
language sql immutable return 20;

create function private.longest_token_name() returns integer
language sql immutable return 60;

-- The scopes that a token can have. private.api_calls lists the calls of each scope.
create function private.token_scopes() returns text[]
language sql immutable return '{read plans,write plans,read money,chat,drafts}'::text[];

-- Tokens with which people's own programs call the API, each with a name, an expiry date and scopes. A token is shown once and only
-- its hash is stored. It acts with the person's current rights but without any proof of identity, so calls that require a proof
-- refuse it, and it moves no money (private.refuse_tokens).
create table private.api_tokens (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references auth.users (id) on delete cascade,
  name text not null check (private.visible_length(name) >= 1 and char_length(name) <= private.longest_token_name()),
  scopes text[] not null check (scopes <> '{}' and scopes <@ private.token_scopes()),
  token_hash text not null unique,
  made_at timestamptz not null default clock_timestamp(),
  expires_at timestamptz not null,
  -- Accurate to the minute.
  last_used_at timestamptz
);
create index api_tokens_user_id_idx on private.api_tokens (user_id);
alter table private.api_tokens enable row level security;

-- The calls that tokens may make, as the Data API names them; a token needs one of the scopes of a call. A call that reads is
-- either a function that does not return rows of a table, or a table, for which the function `api` asks for no related rows.
create table private.api_calls (
  request text,
  scope text check (scope = any (private.token_scopes())),
  primary key (request, scope)
);
alter table private.api_calls enable row level security;
insert into private.api_calls (scope, request)
select scope, unnest(requests) from (values
  ('read plans', '{GET /rpc/market_plans,GET /rpc/market_plan,GET /rpc/plan_seats,GET /rpc/my_seats,GET /rpc/my_home,
    GET /rpc/my_waiting_lists,POST /rpc/get_pending_requests_with_expiry,GET /shared_subscriptions,GET /subscription_members,
    GET /subscription_requests,GET /service_provider_data,GET /user_notifications}'::text[]),
  ('write plans', '{POST /shared_subscriptions,PATCH /shared_subscriptions,POST /subscription_requests,
    PATCH /subscription_requests,POST /rpc/approve_subscription_request,POST /rpc/reject_subscription_request,
    POST /rpc/join_waiting_list,POST /rpc/leave_waiting_list,POST /rpc/mark_notifications_as_read}'::text[]),
  ('read money', '{GET /member_payments,GET /rpc/payment_totals,GET /rpc/my_payment_days,GET /user_wallets,
    GET /coin_transactions,GET /rpc/yearly_statement,GET /fee_invoices,GET /payment_wishes}'::text[]),
  ('chat', '{GET /rpc/my_conversations,GET /conversations,GET /messages,POST /messages,POST /rpc/draft_message,
    POST /rpc/find_or_create_conversation,
    POST /rpc/mark_conversation_read,POST /rpc/announce_to_members}'::text[]),
  -- The scope for assistants, which read messages of others: none of its calls sends anything.
  ('drafts', '{GET /rpc/my_conversations,GET /conversations,GET /messages,POST /rpc/draft_message,
    POST /rpc/find_or_create_conversation}'::text[])
) as promised (scope, requests);

-- Admitted requests of tokens, by the hash of the ticket that the function `api` adds. The ticket expires within seconds and only
-- that function knows it, which keeps clients from asking for related rows that their token may not read.
create table private.api_tickets (
  ticket_hash text primary key,
  token_id uuid not null references private.api_tokens (id) on delete cascade,
  request text not null,
  made_at timestamptz not null default clock_timestamp()
);
create index api_tickets_token_id_idx on private.api_tickets (token_id);
alter table private.api_tickets enable row level security;

create function private.hash_of(p_secret text) returns text
language sql immutable return encode(sha256(convert_to(coalesce(p_secret, ''), 'UTF8')), 'hex');

-- The acting user's tokens, newest first.
create function private.my_api_tokens()
returns table (id uuid, name text, scopes text[], made_at timestamptz, expires_at timestamptz, last_used_at timestamptz)
language sql stable security definer set search_path = '' as $$
  select t.id, t.name, t.scopes, t.made_at, t.expires_at, t.last_used_at
  from private.api_tokens as t where t.user_id = private.require_user() order by t.made_at desc, t.id
$$;
select private.publish('my_api_tokens', 'authenticated');

-- Makes a token that is valid for p_days days and returns it; the token cannot be read again.
create function private.make_api_token(p_name text, p_scopes text[], p_days integer) returns text
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_user uuid := private.require_user();
  v_token text := 'pot_' || replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', '');
  v_id uuid;
begin
  perform private.require_recent_proof();
  if (p_days between 1 and private.longest_token()) is not true then
    perform private.refuse('token_lifetime_out_of_range', private.longest_token()::text);
  end if;
  -- The person gets a mail about each new token. Simultaneous attempts of one person wait for each other here, so the maximum is
  -- never exceeded.
  perform private.spend_attempt('new token');
  if (select count(*) from private.api_tokens where user_id = v_user) >= private.most_tokens() then
    perform private.refuse('too_many_tokens', private.most_tokens()::text);
  end if;
  insert into private.api_tokens (user_id, name, scopes, token_hash, expires_at)
  values (v_user, btrim(p_name), array(select distinct unnest(p_scopes) order by 1), private.hash_of(v_token), clock_timestamp() + make_interval(days => p_days))
  returning id into v_id;
  perform private.note_account_change(v_user, 'token-added', (select email from auth.users where id = v_user), v_id);
  return v_token;
end $$;
select private.publish('make_api_token', 'authenticated');

-- Removes a token, which stops working immediately.
create function private.end_api_token(p_id uuid) returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  delete from private.api_tokens where id = p_id and user_id = private.require_user();
  if not found then
    perform private.refuse('token_not_found');
  end if;
end $$;
select private.publish('end_api_token', 'authenticated');

-- Ends all access of programs for the acting user: tokens, webhooks and the URL of the calendar feed.
create function private.disconnect_programs() returns void
language plpgsql volatile security definer set search_path = '' as $$
declare v_user uuid := private.require_user();
begin
  delete from private.api_tokens where user_id = v_user;
  perform private.end_webhook(w.id) from private.webhooks as w where w.user_id = v_user;
  perform private.end_calendar();
end $$;
select private.publish('disconnect_programs', 'authenticated');

-- Returns the token with this hash; functions hash the secret first, so that no statement contains it. Raises PT401 if the token is
-- unknown or expired, or its account banned or deleted.
create function private.living_token(p_token_hash text) returns private.api_tokens
language plpgsql stable security definer set search_path = '' as $$
declare v_token private.api_tokens;
begin
  select t.* into v_token from private.api_tokens as t join auth.users as u on u.id = t.user_id
  where t.token_hash = p_token_hash and t.expires_at > clock_timestamp()
    and private.is_open_account(u.deleted_at, u.banned_until);
  if not found then
    perform private.refuse('token_unknown');
  end if;
  return v_token;
end $$;

-- Returns the person, scopes and expiry of a token to the function `mcp`, which has to answer its client before the first call.
create function private.api_token(p_token_hash text)
returns table (user_id uuid, scopes text[], expires_at timestamptz)
language sql stable security definer set search_path = '' as $$
  select t.user_id, t.scopes, t.expires_at from private.living_token(p_token_hash) as t
$$;
select private.publish('api_token', 'service_role');

-- Admits a token's request, such as `GET /messages`, and returns the ticket for it. The ticket begins with the person's id, so that
-- all programs of a person share one place in the server's queue. Raises PT401 for an unknown or expired token, PT404 for a call that
-- tokens cannot make, 42501 for a call outside the token's scopes, PT429 for too many calls.
create function private.admit_api_token(p_token_hash text, p_request text) returns text
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_token private.api_tokens := private.living_token(p_token_hash);
  v_ticket text := v_token.user_id || ':' || replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', '');
  v_scopes text[] := array(select scope from private.api_calls where request = p_request order by scope);
begin
  if v_scopes = '{}' then
    perform private.refuse('not_for_tokens');
  elsif not v_scopes && v_token.scopes then
    perform private.refuse('scope_missing', array_to_string(v_scopes, ', '));
  end if;
  perform private.act_for(v_token.user_id);
  perform private.spend_attempt('token call');
  update private.api_tokens set last_used_at = date_trunc('minute', clock_timestamp())
  where id = v_token.id and last_used_at is distinct from date_trunc('minute', clock_timestamp());
  delete from private.api_tickets where token_id = v_token.id and made_at < clock_timestamp() - private.ticket_lifetime();
  insert into private.api_tickets (ticket_hash, token_id, request) values (private.hash_of(v_ticket), v_token.id, p_request);
  return v_ticket;
end $$;
select private.publish('admit_api_token', 'service_role');

create function private.ticket_lifetime() returns interval
language sql immutable return interval '30 seconds';

-- Returns the JWT claims of the person for whom a request with this ticket acts. Raises PT401 if the ticket is for another request,
-- or too old.
create function private.claims_of_ticket(p_ticket text) returns text
language plpgsql stable security definer set search_path = '' as $$
declare v_claims text := (
  select jsonb_build_object('sub', t.user_id, 'role', 'authenticated', 'aal', 'aal1', 'token_id', t.id)
  from private.api_tickets as k join private.api_tokens as t on t.id = k.token_id
  where k.ticket_hash = private.hash_of(p_ticket) and k.made_at > clock_timestamp() - private.ticket_lifetime()
    and k.request = current_setting('request.method', true) || ' ' || current_setting('request.path', true)
);
begin
  if v_claims is null then
    perform private.refuse('ticket_unknown');
  end if;
  return v_claims;
end $$;
grant execute on function private.claims_of_ticket(text) to anon;

-- Refuses requests made with a token that would move money, or begin a payment.
create function private.refuse_tokens() returns void
language plpgsql stable set search_path = '' as $$
begin
  if auth.jwt() ? 'token_id' then
    perform private.refuse('tokens_move_no_money');
  end if;
end $$;

revoke all on private.api_tokens, private.api_calls, private.api_tickets from public, anon, authenticated, service_role;
