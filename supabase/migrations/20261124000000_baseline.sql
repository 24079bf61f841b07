-- The schema of version 1.0.0, as supabase/schemas/ declared it then: file by file, in an order that works.

-- common/private.sql
-- Schema private holds what the API does not expose: function bodies that run with the owner's rights, helpers for policies,
-- and the rate limits.
create schema if not exists private;
revoke all on schema private from public, anon, authenticated;
-- Visitors too, because the Data API calls private.check_request() for them.
grant usage on schema private to anon, authenticated, service_role;

-- A function is callable only by roles it is granted to; by default Postgres lets everybody call it.
alter default privileges revoke execute on functions from public;

-- Publishes a function to the API for these roles: either a function of `private`, through a thin one of the same name and
-- parameters in `public` that runs as its caller, or one that is in `public` already. Used by the schemas only.
create function private.publish(p_name text, variadic p_roles text[]) returns void
language plpgsql volatile set search_path = '' as $$
declare
  v_roles text := array_to_string(p_roles, ', ');
  v_function pg_catalog.pg_proc;
begin
  select * into v_function from pg_catalog.pg_proc where pronamespace = 'private'::regnamespace and proname = p_name;
  if found then
    execute format('create function public.%I(%s) returns %s language sql %s set search_path = '''' as %L',
      p_name, pg_get_function_arguments(v_function.oid), pg_get_function_result(v_function.oid),
      case v_function.provolatile when 's' then 'stable' else 'volatile' end,
      format(case when v_function.proretset then ' select * from private.%I(%s) ' else ' select private.%I(%s) ' end,
        p_name, array_to_string(v_function.proargnames[:v_function.pronargs], ', ')));
    execute format('grant execute on function %s to %s', v_function.oid::regprocedure, v_roles);
  end if;
  select * into strict v_function from pg_catalog.pg_proc where pronamespace = 'public'::regnamespace and proname = p_name;
  -- Hosted projects differ in their default grants.
  execute format('revoke all on function %s from public, anon, authenticated, service_role', v_function.oid::regprocedure);
  execute format('grant execute on function %s to %s', v_function.oid::regprocedure, v_roles);
end $$;

-- Sends the changes of a table to browsers; row-level security decides who receives a row.
create function private.send_changes(p_table text) returns void
language plpgsql volatile set search_path = '' as $$
begin
  execute format('alter publication supabase_realtime add table public.%I', p_table);
exception when duplicate_object then null;
end $$;

-- The acting user. Raises 42501 when nobody is signed in.
create function private.require_user() returns uuid
language plpgsql stable set search_path = '' as $$
declare v_user uuid := auth.uid();
begin
  if v_user is null then
    raise exception 'Authentication required' using errcode = '42501';
  end if;
  return v_user;
end $$;

-- The acting user, who must be the one a parameter names.
create function private.require_self(p_user_id uuid) returns uuid
language plpgsql stable set search_path = '' as $$
declare v_user uuid := private.require_user();
begin
  if p_user_id is distinct from v_user then
    raise exception 'You can only do this for yourself' using errcode = '42501';
  end if;
  return v_user;
end $$;

-- The length of a text as people see it: without surrounding white space and invisible characters.
create function private.visible_length(p_text text) returns integer
language sql immutable
return char_length(regexp_replace(
    regexp_replace(coalesce(p_text, ''), '[\u00ad\u034f\u115f\u1160\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\u2800\u3164\ufe00-\ufe0f\ufeff\uffa0]', '', 'g'),
    '^[\s\u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+|[\s\u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+$', '', 'g'
  ));

-- Whether only the person at the machine can reach the site. The server sets this in each of its sessions (embedded database,
-- loopback, outside production); no request can. On hosted Supabase it is never set.
create function private.is_sheltered() returns boolean
language sql stable
return coalesce(current_setting('app.settings.sheltered', true) = 'on', false);

-- Whether the session was opened with something nobody can be talked out of: a second factor, or a passkey, which Supabase
-- counts as aal1.
create function private.shows_second_factor() returns boolean
language sql stable
return coalesce(auth.jwt() ->> 'aal' in ('aal2', 'aal3') or auth.jwt() @? '$.amr[*] ? (@.method == "passkey")', false);

-- Whole hours, rounded up, as a countdown shows them.
create function private.hours(p_time interval) returns integer
language sql immutable return ceil(extract(epoch from p_time) / 3600)::integer;

-- Called by the Data API before each request, with the request's role. It refuses a token that outlives its session or account
-- (signed out, banned or deleted), and counts attempts before anything can refuse them. Refused attempts count only where this
-- write survives a refused request: it does on our server, PostgREST rolls it back. Every request waits for this, so only
-- people who have a second factor are checked for one.
create function private.check_request() returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_user uuid := auth.uid();
  v_session uuid;
  v_action text;
begin
  if v_user is null then return; end if;
  v_session := auth.jwt() ->> 'session_id';
  if not exists (
    select from auth.sessions as s join auth.users as u on u.id = s.user_id
    where s.id = v_session and s.user_id = v_user
      and coalesce(s.not_after > now(), true)
      and u.deleted_at is null and coalesce(u.banned_until <= now(), true)
  ) then
    raise exception 'Your session has ended. Please sign in again.' using errcode = 'PT401';
  end if;
  if exists (select from auth.mfa_factors where user_id = v_user and status = 'verified') and not private.shows_second_factor() then
    raise exception 'Your account asks for the code of your authenticator app as well.' using errcode = '42501';
  end if;
  select action into v_action from private.rate_limits
  where current_setting('request.method', true) || ' ' || current_setting('request.path', true) = any (requests);
  if not found then return; end if;
  perform private.spend_attempt(v_action);
  perform set_config('request.counted', v_action, true);
end $$;

do $$
declare
  v_owner name := current_user;
  v_setting text := 'pgrst.db_pre_request=private.check_request';
begin
  -- Roles are shared by all databases of a cluster: another one may have set this already.
  if exists (
    select from pg_catalog.pg_db_role_setting where setrole = 'authenticator'::regrole and setdatabase = 0 and v_setting = any (setconfig)
  ) then return; end if;
  alter role authenticator set pgrst.db_pre_request = 'private.check_request';
exception when insufficient_privilege then
  -- On hosted Supabase the owner may alter that role; elsewhere it can become the role, and a role may alter itself.
  set local role authenticator;
  alter role authenticator set pgrst.db_pre_request = 'private.check_request';
  execute format('set local role %I', v_owner);
end $$;
notify pgrst, 'reload config';

grant execute on function private.require_user(), private.require_self(uuid), private.is_sheltered(),
  private.shows_second_factor() to authenticated;
grant execute on function private.check_request() to anon, authenticated, service_role;

-- common/rate_limits.sql
-- How often a person may do something, and which Data API requests count as attempts.
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
  ('announcement', 5, 3600, '{POST /rpc/announce_to_members}'),
  ('question', 10, 3600, '{POST /rpc/ask_question}'),
  ('join request', 10, 60, '{POST /subscription_requests}'),
  ('approval', 20, 60, '{POST /rpc/approve_subscription_request}'),
  ('rejection', 20, 60, '{POST /rpc/reject_subscription_request}'),
  ('owner action', 50, 60, '{PATCH /shared_subscriptions,DELETE /shared_subscriptions,DELETE /subscription_members,
    POST /subscription_logins,PATCH /subscription_logins,DELETE /subscription_logins,POST /rpc/withdraw_invitation}'),
  ('view requests', 30, 60, '{POST /rpc/get_pending_requests_with_expiry}'),
  ('provider request', 5, 3600, '{POST /provider_requests}'),
  -- Counted when something is opened or stored, because being asked for proof of identity is not an attempt.
  ('vault opening', 10, 3600, '{}'),
  ('vault version', 20, 3600, '{}'),
  ('person report', 10, 3600, '{}');

-- When a person last did it. One row per person and action, whose lock also makes attempts take turns.
create table private.rate_limit_usage (
  user_id uuid not null references auth.users (id) on delete cascade,
  action text not null references private.rate_limits (action) on delete cascade,
  used_at timestamptz[] not null,
  primary key (user_id, action)
);
create index rate_limit_usage_action_idx on private.rate_limit_usage (action);
alter table private.rate_limit_usage enable row level security;

-- Counts one attempt of the acting user; raises PT429 with the seconds to wait when there were too many. What the server does
-- itself, with nobody signed in, is not counted.
create function private.spend_attempt(p_action text) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_user uuid := auth.uid();
  v_limit private.rate_limits;
  v_now timestamptz;
  v_window interval;
  v_used timestamptz[];
begin
  if v_user is null then return; end if;
  -- private.check_request() has counted the first attempt of this request.
  if current_setting('request.counted', true) = p_action then
    perform set_config('request.counted', '', true);
    return;
  end if;
  select * into strict v_limit from private.rate_limits where action = p_action;
  v_window := make_interval(secs => v_limit.window_seconds);
  insert into private.rate_limit_usage as known (user_id, action, used_at)
  values (v_user, p_action, array[clock_timestamp()])
  on conflict (user_id, action) do update set used_at =
    array(select t from unnest(known.used_at) as t
      -- Attempts in the future were recorded before the clock was set back, and must block nobody. The time is read once the
      -- row is locked, so attempts recorded while waiting are in the past.
      where t between clock_timestamp() - v_window and clock_timestamp() order by t)
    || clock_timestamp()
  returning used_at into v_used;
  v_now := v_used[cardinality(v_used)];
  if cardinality(v_used) > v_limit.attempts then
    raise exception 'Rate limit exceeded. Please wait % seconds.',
      greatest(1, ceil(extract(epoch from v_used[1] + v_window - v_now)))
      using errcode = 'PT429';
  end if;
end $$;

-- money/fee.sql
-- The platform's fee and the smallest sums, in EUR.

-- The convenience fee on top of a member's share: the default until staff decide otherwise, the maximum, and the step size.
create function private.first_fee_rate() returns numeric
language sql immutable return 0.1;
create function private.most_fee_rate() returns numeric
language sql immutable return 0.2;
create function private.fee_rate_step() returns numeric
language sql immutable return 0.005;

-- What a member pays for a share: the fee included, to the cent.
create function private.with_fee(p_share numeric, p_fee_rate numeric) returns numeric
language sql immutable return round(p_share * (1 + p_fee_rate), 2);

-- The smallest charge to a card.
create function private.least_card_charge() returns numeric
language sql immutable return 0.50;

-- The least a month of a place may cost if paid through the site: a card cannot be charged for less than half of it.
create function private.least_sum() returns numeric
language sql immutable return 1.00;

-- money/ledger.sql
-- The ledger: who holds which money. Double entry, in EUR. Each movement is one transfer between two accounts and is never
-- changed: a correction is another transfer. Wallets and coins (wallets.sql) are what people see of it.

-- The most coins a wallet or a movement can hold: the limit of numeric(12, 2).
create function private.most_coins() returns numeric
language sql immutable return 9999999999.99;
grant execute on function private.most_coins() to authenticated, service_role;

-- `owner` is the id of a seat or a person. It has no foreign key, because the books outlive both.
create table private.ledger_accounts (
  id bigint generated by default as identity primary key,
  kind text not null check (kind in (
    'outside', 'held_share', 'held_fee', 'wallet', 'refunds_due', 'fees', 'guarantee', 'costs', 'adjustments'
  )),
  owner uuid,
  balance numeric(14, 2) not null default 0,
  version bigint not null default 0,
  unique nulls not distinct (kind, owner),
  constraint seats_and_people_own_the_rest_is_of_the_site check ((owner is not null) = (kind in ('held_share', 'held_fee', 'wallet'))),
  constraint only_some_accounts_fall_below_zero
    check (balance >= 0 or kind in ('outside', 'guarantee', 'costs', 'adjustments'))
);
-- Accounts are locked in the order of their ids. The site's accounts, which everybody needs, come last: by then no wallet or
-- seat is left to wait for, so they are held as briefly as possible.
insert into private.ledger_accounts (id, kind)
select 1000000000000 + place, kind
from unnest(array['outside', 'refunds_due', 'fees', 'guarantee', 'costs', 'adjustments']) with ordinality as site (kind, place);

create table private.ledger_transfers (
  id bigint generated always as identity primary key,
  -- Makes a payment, a withdrawal or a week's earnings happen once, however often it is retried.
  key text not null unique check (char_length(key) between 1 and 200),
  -- Foreign keys here would only repeat lookups and locks that the entries make anyway.
  from_account bigint not null,
  to_account bigint not null,
  amount numeric(14, 2) not null check (amount > 0),
  kind text not null check (kind in (
    'payment', 'payment-returned', 'earning', 'fee', 'refund', 'refund-sent', 'refund-failed', 'withdrawal',
    'withdrawal-returned', 'adjustment', 'chargeback', 'chargeback-won', 'given-up', 'handed-over', 'cost'
  )),
  -- What it was for. Seats outlive their plans and people, so these need no foreign key either.
  seat_id uuid,
  period_id uuid,
  subscription_id text,
  -- Whose money it is: the person whose wallet is one side, otherwise the seat's member.
  person_id uuid,
  description text not null default '' check (char_length(description) <= 500),
  created_at timestamptz not null,
  -- Who moved it; null for the server.
  created_by uuid default auth.uid(),
  check (from_account <> to_account)
);
-- For the staff pages: newest first, by each filter.
create index ledger_transfers_newest_idx on private.ledger_transfers (created_at, id);
create index ledger_transfers_person_idx on private.ledger_transfers (person_id, created_at, id);
create index ledger_transfers_plan_idx on private.ledger_transfers (subscription_id, created_at, id);
create index ledger_transfers_kind_idx on private.ledger_transfers (kind, created_at, id);

-- The two sides of each transfer, with the account's balance before and after.
create table private.ledger_entries (
  account_id bigint not null references private.ledger_accounts (id),
  version bigint not null,
  transfer_id bigint not null references private.ledger_transfers (id),
  amount numeric(14, 2) not null check (amount <> 0),
  balance_before numeric(14, 2) not null,
  balance_after numeric(14, 2) not null check (balance_after = balance_before + amount),
  created_at timestamptz not null,
  primary key (account_id, version)
);
create index ledger_entries_transfer_idx on private.ledger_entries (transfer_id);
create index ledger_entries_account_idx on private.ledger_entries (account_id, created_at, version);
alter table private.ledger_accounts enable row level security;
alter table private.ledger_transfers enable row level security;
alter table private.ledger_entries enable row level security;

create function private.tg_ledger_transfers__keep() returns trigger
language plpgsql volatile set search_path = '' as $$
begin
  raise exception 'The ledger is never rewritten' using errcode = '42501';
end $$;
create trigger keep before update or delete or truncate on private.ledger_transfers
  for each statement execute function private.tg_ledger_transfers__keep();
create trigger keep before update or delete or truncate on private.ledger_entries
  for each statement execute function private.tg_ledger_transfers__keep();

-- The account of a kind and owner, created on first use. A person's is created with the wallet that shows it.
create function private.ledger_account(p_kind text, p_owner uuid default null) returns bigint
language plpgsql volatile security definer set search_path = '' as $$
declare v_id bigint;
begin
  -- A separate query, because no index supports "is not distinct from".
  if p_owner is null then
    return (select id from private.ledger_accounts where kind = p_kind and owner is null);
  end if;
  v_id := (select id from private.ledger_accounts where kind = p_kind and owner = p_owner);
  if v_id is not null then return v_id; end if;
  if p_kind = 'wallet' then
    perform private.ensure_profile(p_owner);
    insert into public.user_wallets (user_id) values (p_owner) on conflict (user_id) do nothing;
  end if;
  insert into private.ledger_accounts (kind, owner) values (p_kind, p_owner) on conflict (kind, owner) do nothing;
  return (select id from private.ledger_accounts where kind = p_kind and owner = p_owner);
end $$;

-- Locks accounts until the transaction ends. Several transfers in one transaction must lock all their accounts here first,
-- because only a single call keeps to the order.
create function private.lock_ledger(p_accounts bigint[]) returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  perform from private.ledger_accounts where id = any (p_accounts) order by id for update;
end $$;

-- The type of coin transaction as which a person sees a movement.
create function private.coin_type(p_kind text, p_is_in boolean) returns text
language plpgsql immutable set search_path = '' as $$
declare v_type text := case
  when p_is_in and p_kind in ('earning', 'adjustment') then 'earned'
  when p_is_in and p_kind in ('payment-returned', 'refund', 'refund-failed', 'withdrawal-returned', 'chargeback-won', 'handed-over')
    then 'refunded'
  when not p_is_in and p_kind = 'withdrawal' then 'withdrawn'
  when not p_is_in and p_kind in ('payment', 'adjustment', 'chargeback', 'given-up', 'handed-over') then 'spent'
end;
begin
  if v_type is null then
    raise exception 'A % does not move coins %', p_kind, case when p_is_in then 'in' else 'out' end using errcode = '23514';
  end if;
  return v_type;
end $$;

-- The only way to move money. A known key moves nothing and returns the first transfer; it raises 23505 if that had another
-- amount or other accounts.
create function private.transfer(
  p_key text, p_from bigint, p_to bigint, p_amount numeric, p_kind text,
  p_seat uuid default null, p_period uuid default null, p_description text default null
) returns private.ledger_transfers
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_account private.ledger_accounts;
  v_from private.ledger_accounts;
  v_to private.ledger_accounts;
  v_transfer private.ledger_transfers;
  -- The time of the lock, not of the transaction, as others may have moved money since; by the site's clock.
  v_at timestamptz;
  v_plan text;
  v_member uuid;
begin
  if p_amount is null or p_amount <= 0 or p_amount > private.most_coins() or p_amount <> round(p_amount, 2) then
    raise exception 'Please enter a valid amount' using errcode = '23514';
  end if;
  for v_account in select * from private.ledger_accounts where id in (p_from, p_to) order by id for update loop
    if v_account.id = p_from then v_from := v_account; else v_to := v_account; end if;
  end loop;
  if v_from.id is null or v_to.id is null then
    raise exception 'Money moves between two accounts' using errcode = '23514';
  end if;
  select * into v_transfer from private.ledger_transfers where key = p_key;
  if found then
    if (v_transfer.from_account, v_transfer.to_account, v_transfer.amount) is distinct from (p_from, p_to, p_amount) then
      raise exception 'Another transfer has this key' using errcode = '23505';
    end if;
    return v_transfer;
  end if;

  v_transfer.description := coalesce(p_description, '');
  v_at := clock_timestamp() + (private.now() - now());
  if v_from.kind = 'wallet' then
    v_at := private.write_coins(v_from.owner, private.coin_type(p_kind, false), p_amount, v_transfer.description, v_at);
  end if;
  if v_to.kind = 'wallet' then
    v_at := private.write_coins(v_to.owner, private.coin_type(p_kind, true), p_amount, v_transfer.description, v_at);
  end if;
  if v_from.balance < p_amount and v_from.kind not in ('outside', 'guarantee', 'costs', 'adjustments') then
    raise exception 'The balance cannot go below zero' using errcode = '23514';
  end if;
  if p_seat is not null then
    select subscription_id, member_id into v_plan, v_member from private.seats where id = p_seat;
  end if;
  update private.ledger_accounts set balance = balance - p_amount, version = version + 1 where id = p_from;
  update private.ledger_accounts set balance = balance + p_amount, version = version + 1 where id = p_to;
  insert into private.ledger_transfers
    (key, from_account, to_account, amount, kind, seat_id, period_id, subscription_id, person_id, description, created_at)
  values (p_key, p_from, p_to, p_amount, p_kind, p_seat, p_period, v_plan,
    case when v_to.kind = 'wallet' then v_to.owner when v_from.kind = 'wallet' then v_from.owner else v_member end,
    v_transfer.description, v_at)
  returning * into v_transfer;
  insert into private.ledger_entries (account_id, version, transfer_id, amount, balance_before, balance_after, created_at)
  values
    (p_from, v_from.version + 1, v_transfer.id, -p_amount, v_from.balance, v_from.balance - p_amount, v_at),
    (p_to, v_to.version + 1, v_transfer.id, p_amount, v_to.balance, v_to.balance + p_amount, v_at);
  return v_transfer;
end $$;

-- One of many movements in a batch.
create type private.move as (
  key text, from_account bigint, to_account bigint, amount numeric, kind text, seat_id uuid, period_id uuid, description text
);

-- Moves many at once, out of accounts that are not wallets: each account is locked and written once, however many movements it
-- has. If any key is known, it raises 23505 and moves nothing.
create function private.transfer_all(p_moves private.move[]) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare v_at timestamptz;
begin
  if p_moves = '{}' then return; end if;
  perform private.lock_ledger(array(select unnest(array[from_account, to_account]) from unnest(p_moves) as m));
  v_at := clock_timestamp() + (private.now() - now());
  if exists (
    select from unnest(p_moves) as m
    left join private.ledger_accounts as giver on giver.id = m.from_account and giver.kind <> 'wallet'
    left join private.ledger_accounts as taker on taker.id = m.to_account
    where (m.amount > 0 and m.amount <= private.most_coins() and m.amount = round(m.amount, 2) and giver.id <> taker.id) is not true
  ) then
    raise exception 'Money moves between two accounts, in whole cents' using errcode = '23514';
  end if;
  with move as (
    select m.*, taker.kind = 'wallet' as is_coins, s.subscription_id,
      case taker.kind when 'wallet' then taker.owner else s.member_id end as person_id,
      -- Each coin movement is strictly later than the one before.
      case taker.kind when 'wallet' then greatest(v_at, interval '1 microsecond'
        + (select max(c.created_at) from public.coin_transactions as c where c.user_id = taker.owner))
        + interval '1 microsecond' * (row_number() over (partition by taker.id order by m.place) - 1) else v_at end as at
    from unnest(p_moves) with ordinality
      as m (key, from_account, to_account, amount, kind, seat_id, period_id, description, place)
    join private.ledger_accounts as taker on taker.id = m.to_account
    left join private.seats as s on s.id = m.seat_id
  ), coins as (
    insert into public.coin_transactions (user_id, transaction_type, amount, description, created_at)
    select person_id, private.coin_type(kind, true), amount, description, at from move where is_coins
  ), wallet as (
    update public.user_wallets as w set coin_balance = coin_balance + sums.coins, total_earned = total_earned + sums.earned, updated_at = now()
    from (
      select person_id, sum(amount) as coins,
        sum(case private.coin_type(kind, true) when 'earned' then amount else 0 end) as earned
      from move where is_coins group by person_id
    ) as sums where w.user_id = sums.person_id
  ), transfer as (
    insert into private.ledger_transfers
      (key, from_account, to_account, amount, kind, seat_id, period_id, subscription_id, person_id, description, created_at)
    select key, from_account, to_account, amount, kind, seat_id, period_id, subscription_id, person_id, description, at
    from move order by place
    returning *
  ), side as (
    select account, id, amount, created_at, count(*) over earlier as place, sum(amount) over earlier as total from (
      select from_account as account, id, -amount as amount, created_at from transfer
      union all
      select to_account, id, amount, created_at from transfer
    ) as half
    window earlier as (partition by account order by id)
  ), entry as (
    insert into private.ledger_entries (account_id, version, transfer_id, amount, balance_before, balance_after, created_at)
    select a.id, a.version + s.place, s.id, s.amount, a.balance + s.total - s.amount, a.balance + s.total, s.created_at
    from side as s join private.ledger_accounts as a on a.id = s.account
  )
  update private.ledger_accounts as a set balance = balance + sums.amount, version = version + sums.entries
  from (select account, sum(amount) as amount, count(*) as entries from side group by account) as sums where a.id = sums.account;
end $$;

revoke all on private.ledger_accounts, private.ledger_transfers, private.ledger_entries
  from public, anon, authenticated, service_role;

-- money/payments.sql
-- The queue of what the Edge Function `payments` must do at the provider. It loses nothing and does nothing twice.

-- A worker has two minutes for a job; then another may take it.
create table private.payment_jobs (
  id uuid primary key default gen_random_uuid(),
  kind text not null check (kind in ('charge', 'refund', 'remove-card')),
  provider text not null,
  -- The payment, the refund or the provider's id of the card.
  about text not null,
  created_at timestamptz not null default clock_timestamp(),
  attempts integer not null default 0,
  next_attempt_at timestamptz not null default clock_timestamp(),
  last_error text,
  unique (kind, about)
);
create index payment_jobs_due_idx on private.payment_jobs (next_attempt_at);
alter table private.payment_jobs enable row level security;

-- Queues a job, or makes a failed one due now, and calls the function after the commit. One call per transaction is enough,
-- because the function goes on until nothing is due.
create function private.queue_payment_job(p_kind text, p_about text, p_provider text) returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  insert into private.payment_jobs as j (kind, about, provider) values (p_kind, p_about, p_provider)
  on conflict (kind, about) do update set next_attempt_at = clock_timestamp()
  -- Not during an attempt.
  where j.last_error is not null;
  if current_setting('potluck.calls_payments', true) is distinct from 'yes' then
    perform private.call_function('payments/tick'), set_config('potluck.calls_payments', 'yes', true);
  end if;
end $$;

-- Records the outcome: done when p_error is null, otherwise retried after 30 s, 1, 2, 4 … at most 15 minutes, without limit. It
-- is ignored once a later attempt has taken over.
create function private.settle_payment_job(p_job uuid, p_attempt integer, p_error text) returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  if p_error is null then
    delete from private.payment_jobs where id = p_job and attempts = p_attempt;
  else
    update private.payment_jobs set
      next_attempt_at = clock_timestamp() + least(interval '15 minutes', interval '15 seconds' * power(2, least(p_attempt, 10))),
      last_error = left(p_error, 500)
    where id = p_job and attempts = p_attempt;
  end if;
end $$;

-- Hands out up to p_limit due jobs, or only the charge of p_payment_id, each to one caller. Jobs that turn out to need no
-- provider are finished here. A charge needs its seat's lock, and others lock the seat before they come here, so a locked seat
-- is left for the next call: waiting could deadlock.
create function private.take_payment_jobs(p_provider text, p_limit integer, p_payment_id uuid default null) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_seats uuid[];
  v_job private.payment_jobs;
  v_order jsonb;
  v_taken jsonb := '[]';
begin
  select array_agg(id) into v_seats from (
    select s.id from private.seats as s
    where s.id in (
      select m.seat_id from private.payment_jobs as j join public.member_payments as m on m.id = case j.kind when 'charge' then j.about::uuid end
      where j.provider = p_provider and j.next_attempt_at <= clock_timestamp()
        and (p_payment_id is null or m.id = p_payment_id)
      order by j.next_attempt_at limit p_limit
    ) order by s.id for update skip locked
  ) as free;
  perform private.lock_held_money(v_seats, '{}');
  perform set_config('potluck.holds_money', 'yes', true);
  for v_job in
    select j.* from private.payment_jobs as j
    left join public.member_payments as m on m.id = case j.kind when 'charge' then j.about::uuid end
    where j.provider = p_provider and j.next_attempt_at <= clock_timestamp()
      and case when p_payment_id is null then j.kind <> 'charge' or m.seat_id = any (v_seats)
        else m.id = p_payment_id and m.seat_id = any (v_seats) end
    order by j.next_attempt_at limit p_limit for update of j skip locked
  loop
    begin
      if v_job.kind = 'charge' then
        v_order := private.start_charge(v_job.about::uuid);
      elsif v_job.kind = 'refund' then
        v_order := private.refund_order(v_job.about::uuid);
      else
        v_order := jsonb_build_object('method', v_job.about);
      end if;
    exception when others then
      -- A failure must not hold up the others.
      update private.payment_jobs set attempts = attempts + 1 where id = v_job.id;
      perform private.settle_payment_job(v_job.id, v_job.attempts + 1, sqlerrm);
      continue;
    end;
    if v_order is null then
      delete from private.payment_jobs where id = v_job.id;
      continue;
    end if;
    update private.payment_jobs set attempts = attempts + 1, next_attempt_at = clock_timestamp() + interval '2 minutes', last_error = null
    where id = v_job.id;
    v_taken := v_taken || jsonb_build_object('job', v_job.id, 'kind', v_job.kind, 'attempt', v_job.attempts + 1,
      'order', jsonb_build_object('attempt', v_job.attempts + 1) || v_order);
  end loop;
  return v_taken;
end $$;

-- The memory of the simulated provider, where there is one.
create table private.simulated_payments (
  id text primary key check (char_length(id) <= 200),
  body jsonb not null
);
alter table private.simulated_payments enable row level security;
create function private.recall_simulated(p_id text) returns jsonb
language sql stable security definer set search_path = '' as $$
  select body from private.simulated_payments where id = p_id and private.is_sheltered()
$$;
create function private.remember_simulated(p_id text, p_body jsonb) returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  if not private.is_sheltered() then
    raise exception 'Payments are simulated only where nobody else can reach the site' using errcode = '42501';
  end if;
  insert into private.simulated_payments (id, body) values (p_id, p_body) on conflict (id) do update set body = excluded.body;
end $$;

-- For the function only.
select private.publish('take_payment_jobs', 'service_role');
select private.publish('settle_payment_job', 'service_role');
select private.publish('recall_simulated', 'service_role');
select private.publish('remember_simulated', 'service_role');

revoke all on private.payment_jobs, private.simulated_payments from public, anon, authenticated, service_role;

-- money/transfers.sql
-- All movements of money, for the staff responsible: what moved, between whom, why, and who did it.

-- Transfers that match every non-null filter, newest first; a page continues after the given transfer (p_before, p_before_id).
-- A person's are those of their wallet and of the seats they pay for. p_limit is at most 1,000.
create function private.list_transfers(
  p_person uuid default null, p_subscription_id text default null, p_kind text default null,
  p_from timestamptz default null, p_until timestamptz default null,
  p_before timestamptz default null, p_before_id bigint default null, p_limit integer default 50
) returns table (
  id bigint, created_at timestamptz, kind text, amount numeric, from_kind text, to_kind text,
  person_id uuid, person_name text, subscription_id text, plan_name text, description text, moved_by text
)
language plpgsql stable security definer set search_path = '' as $$
declare
  -- A single bound, so that the index scan starts at the page.
  v_goes_on boolean := coalesce(p_before < p_until, p_before is not null);
  v_before timestamptz := case when v_goes_on then p_before else coalesce(p_until, 'infinity') end;
  v_before_id bigint := case when v_goes_on then p_before_id else 0 end;
begin
  perform private.require_treasurer();
  -- Built from the filters in use, because one statement for all of them would fit no index.
  return query execute format($query$
    with page as (
      select t.* from private.ledger_transfers as t
      where (t.created_at, t.id) < ($5, $6) and t.created_at >= $4 %s %s %s
      order by t.created_at desc, t.id desc limit $7
    )
    select page.id, page.created_at, page.kind, page.amount, source.kind, target.kind, page.person_id, person.display_name,
      page.subscription_id, plan.provider || ' ' || plan.name, page.description, staff.display_name
    from page join private.ledger_accounts as source on source.id = page.from_account
    join private.ledger_accounts as target on target.id = page.to_account
    left join public.user_profiles as person on person.user_id = page.person_id
    left join public.user_profiles as staff on staff.user_id = page.created_by
    left join public.shared_subscriptions as plan on plan.id = page.subscription_id
    order by page.created_at desc, page.id desc
  $query$,
    case when p_person is not null then 'and t.person_id = $1' end,
    case when p_subscription_id is not null then 'and t.subscription_id = $2' end,
    case when p_kind is not null then 'and t.kind = $3' end)
  using p_person, p_subscription_id, p_kind, coalesce(p_from, '-infinity'), v_before,
    coalesce(v_before_id, 0), least(greatest(p_limit, 1), 1000);
end $$;
select private.publish('list_transfers', 'authenticated');

-- plans/catalogue.sql
-- Is it missing, or a whole number from p_least up? No count here comes near ten thousand.
create function private.is_count(p_value jsonb, p_least integer) returns boolean
language sql immutable set search_path = '' as $$
  select case
    when p_value is null then true
    when jsonb_typeof(p_value) = 'number' then (p_value #>> '{}')::numeric between p_least and 10000
      and (p_value #>> '{}')::numeric % 1 = 0
    else false
  end
$$;

-- Is it a text? p_required forbids a missing or empty one.
create function private.is_text(p_value jsonb, p_required boolean) returns boolean
language sql immutable set search_path = '' as $$
  select case
    when p_value is null then not p_required
    else jsonb_typeof(p_value) = 'string' and (p_value <> '""' or not p_required)
  end
$$;

-- A feature is a text, or a name with an included flag.
create function private.is_feature(p_value jsonb) returns boolean
language sql immutable set search_path = '' as $$
  select jsonb_typeof(p_value) = 'string' or (
    jsonb_typeof(p_value) = 'object' and private.is_text(p_value -> 'name', false) and p_value ? 'name'
    and coalesce(jsonb_typeof(p_value -> 'included'), '') = 'boolean'
  )
$$;

-- Is this a valid plan? It needs a name and a European price; the rest has defaults.
create function private.is_catalogue_plan(p_plan jsonb) returns boolean
language sql immutable set search_path = '' as $$
  select jsonb_typeof(p_plan) = 'object'
    and private.is_text(p_plan -> 'name', true)
    and private.is_text(p_plan -> 'id', p_plan ? 'id')
    and private.is_text(p_plan -> 'description', false)
    and private.is_text(p_plan -> 'category', false)
    and coalesce(p_plan ->> 'cycle', case when p_plan ? 'cycle' then '' else 'monthly' end) in ('monthly', 'yearly')
    and private.is_count(p_plan -> 'maxMembers', 1)
    and private.is_count(p_plan -> 'provider_max_members', 1)
    and private.is_count(p_plan -> 'planDurationYears', 2)
    and case jsonb_typeof(p_plan -> 'price')
      when 'number' then (p_plan ->> 'price')::numeric >= 0
      when 'object' then coalesce(jsonb_typeof(p_plan -> 'price' -> 'europe'), '') = 'number'
        and p_plan -> 'price' -> 'europe' >= '0'
      else false
    end
    and case coalesce(jsonb_typeof(p_plan -> 'features'), 'none')
      when 'none' then true
      when 'array' then (select coalesce(bool_and(private.is_feature(f)), true) from jsonb_array_elements(p_plan -> 'features') as f)
      else false
    end
$$;

-- Is this a valid catalogue, as a whole? The web app reads it by the same rules (catalogue.schema.ts).
create function private.is_catalogue(p_data jsonb) returns boolean
language sql immutable set search_path = '' as $$
  select case when coalesce(jsonb_typeof(p_data), '') = 'array' then (
    select coalesce(bool_and(
      jsonb_typeof(provider) = 'object'
      and private.is_text(provider -> 'id', true)
      and private.is_text(provider -> 'name', true)
      and private.is_text(provider -> 'website', false)
      and private.is_text(provider -> 'category', false)
      and case when jsonb_typeof(provider -> 'plans') = 'array' then (
        select coalesce(bool_and(private.is_catalogue_plan(plan)), true) from jsonb_array_elements(provider -> 'plans') as plan
      ) else false end
    ), false) from jsonb_array_elements(p_data) as provider
  ) else false end
$$;

-- What providers sell: one current row, an array of providers with their plans. An entry's two maxima are the same number, the
-- people its price covers; a plan with paid extra members is an entry of its own, with its own price.
create table public.service_provider_data (
  id uuid primary key default gen_random_uuid(),
  data jsonb not null check (jsonb_typeof(data) = 'array'),
  is_current boolean not null default false,
  created_at timestamptz not null default now(),
  -- Computed when stored, because everybody who shares a plan would wait for it.
  is_readable boolean generated always as (private.is_catalogue(data)) stored,
  constraint one_maximum_per_plan check (not data @? '$[*].plans[*] ? (@.maxMembers != @.provider_max_members)')
);
create unique index service_provider_data_current_key on public.service_provider_data (is_current) where is_current;
alter table public.service_provider_data enable row level security;
create policy "Everyone reads the current catalogue" on public.service_provider_data
  for select to anon, authenticated using (is_current);

create type private.catalogue_plan as (
  id text,
  provider text,
  name text,
  category text,
  description text,
  logo text,
  price numeric,
  billing_cycle text,
  max_members integer
);

-- The shipped catalogue, used when the current row is missing or unreadable; one row.
create table private.bundled_catalogue (
  id boolean primary key default true check (id),
  data jsonb not null,
  constraint one_maximum_per_plan check (not data @? '$[*].plans[*] ? (@.maxMembers != @.provider_max_members)')
);
alter table private.bundled_catalogue enable row level security;

-- What is sold: the current row if it is readable, otherwise the shipped catalogue.
create function private.catalogue() returns jsonb
language sql stable security definer set search_path = '' as $$
  select coalesce(
    (select data from public.service_provider_data where is_current and is_readable),
    (select data from private.bundled_catalogue)
  )
$$;

-- The newly shipped catalogue with staff's changes since the last one: providers they added, changed or removed stay that way.
create function private.merge_catalogues(p_before jsonb, p_current jsonb, p_now jsonb) returns jsonb
language sql immutable set search_path = '' as $$
  with before as (
    select provider ->> 'id' as id, provider from jsonb_array_elements(p_before) as provider
  ), current as (
    select provider ->> 'id' as id, provider from jsonb_array_elements(p_current) as provider
  ), now as (
    select provider ->> 'id' as id, provider, place from jsonb_array_elements(p_now) with ordinality as one (provider, place)
  ), own as (
    select id, current.provider from before full join current using (id)
    where before.provider is distinct from current.provider
  )
  select jsonb_agg(coalesce(own.provider, now.provider) order by now.place, id)
  from now full join own using (id) where own.id is null or own.provider is not null
$$;

-- Updates the catalogue to the shipped one; does nothing if it is current. Shared plans keep their terms, which are copies.
-- Called at every start, by repeatable/provider-catalogue.sql.
create function private.load_catalogue(p_data jsonb) returns void
language plpgsql volatile set search_path = '' as $$
declare
  v_before jsonb := (select data from private.bundled_catalogue);
  v_current jsonb := (select data from public.service_provider_data where is_current and private.is_catalogue(data));
begin
  if v_before = p_data then return; end if;
  if not private.is_catalogue(p_data) then
    raise exception 'This is no catalogue' using errcode = '23514';
  end if;
  insert into private.bundled_catalogue (data) values (p_data) on conflict (id) do update set data = excluded.data;
  update public.service_provider_data set is_current = false where is_current;
  insert into public.service_provider_data (data, is_current) values (
    coalesce(private.merge_catalogues(coalesce(v_before, '[]'), coalesce(v_current, v_before, '[]'), p_data), p_data), true
  );
end $$;

-- One catalogue plan, by its id or by provider and plan name; no row when it is not sold. Of prices per region the European one
-- counts; by default the maximum is five, the cycle monthly and an unknown category "other".
create function private.find_catalogue_plan(p_plan_id text, p_provider text, p_name text)
returns private.catalogue_plan
language plpgsql stable security definer set search_path = '' as $$
begin
  return (
    select row(
      sold.id,
      provider ->> 'name',
      plan ->> 'name',
      case when sold.category in ('streaming', 'music', 'gaming', 'productivity', 'security') then sold.category else 'other' end,
      coalesce(plan ->> 'description', ''),
      provider ->> 'logo',
      case jsonb_typeof(plan -> 'price') when 'object' then plan -> 'price' ->> 'europe' else plan ->> 'price' end,
      coalesce(plan ->> 'cycle', 'monthly'),
      coalesce((plan ->> 'maxMembers')::numeric::integer, (plan ->> 'provider_max_members')::numeric::integer, 5)
    )::private.catalogue_plan
    from jsonb_array_elements(private.catalogue()) as provider,
      jsonb_array_elements(provider -> 'plans') as plan,
      lateral (select
        coalesce(plan ->> 'id', (provider ->> 'id') || ':' || (plan ->> 'name')) as id,
        coalesce(plan ->> 'category', provider ->> 'category') as category
      ) as sold
    where case
      when p_plan_id is not null then sold.id = p_plan_id
      else provider ->> 'name' = p_provider and plan ->> 'name' = p_name
    end
    limit 1
  );
end $$;

revoke all on public.service_provider_data from public, anon, authenticated;
revoke all on private.bundled_catalogue from public, anon, authenticated, service_role;
grant select on public.service_provider_data to anon, authenticated;
grant all on public.service_provider_data to service_role;

-- staff/users.sql
-- All accounts with roles and profiles in one list, for staff, so that no browser needs a key that reads auth.users.

-- Accounts whose name contains p_search, with this role ('none' for no role), newest first; a page continues after the account
-- (p_before, p_before_id). The name is the profile's, or else the part of the address before the at-sign, or "Unknown".
-- Addresses are for admins only. p_limit is between 1 and 100.
create function private.list_users(
  p_search text default '', p_limit integer default 25,
  p_before timestamptz default 'infinity', p_before_id uuid default 'ffffffff-ffff-ffff-ffff-ffffffffffff',
  p_role text default null
)
returns table (id uuid, email text, display_name text, avatar_url text, role text, created_at timestamptz)
language plpgsql stable security definer set search_path = '' as $$
begin
  if not private.may('users.view') then
    raise exception 'Only staff sees who has an account' using errcode = '42501';
  end if;
  return query
  select account.id, case when private.may('users.edit') then account.email::text end, account.shown_name, account.avatar_url,
    held.role, account.opened_at
  from (
    select u.id, u.email, profile.avatar_url, coalesce(u.created_at, 'epoch') as opened_at, coalesce(
      profile.display_name, nullif(split_part(u.email, '@', 1), ''), 'Unknown'
    ) as shown_name
    from auth.users as u left join public.user_profiles as profile on profile.user_id = u.id
    where u.deleted_at is null
  ) as account
  left join public.user_roles as held on held.user_id = account.id
  where position(lower(btrim(coalesce(p_search, ''))) in lower(account.shown_name)) > 0
    and (p_role is null or coalesce(held.role, 'none') = p_role)
    and (account.opened_at, account.id) < (p_before, p_before_id)
  order by account.opened_at desc, account.id desc
  limit least(greatest(p_limit, 1), 100);
end $$;
select private.publish('list_users', 'authenticated');

-- account/account.sql
-- Leaving Potluck: the export of a person's data, and the end of an account.

-- Everything the database holds about the acting user, as JSON: amounts in EUR or coins, times in UTC. It includes what others
-- wrote to them in conversations, but nobody else's private data.
create function private.export_own_data() returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  v_user uuid := private.require_user();
  v_email text := lower(private.email_of(v_user));
begin
  return jsonb_build_object(
    'exported_at', now(),
    'account', (select jsonb_build_object('id', id, 'email', email, 'created_at', created_at, 'last_sign_in_at',
      last_sign_in_at, 'user_metadata', raw_user_meta_data, 'app_metadata', raw_app_meta_data)
      from auth.users where id = v_user),
    'profile', (select to_jsonb(t) || coalesce(to_jsonb(d), '{}') from public.user_profiles as t
      left join public.user_details as d on d.user_id = t.user_id where t.user_id = v_user),
    'role', (select to_jsonb(t) from public.user_roles as t where t.user_id = v_user),
    'wallet', (select to_jsonb(t) from public.user_wallets as t where t.user_id = v_user),
    'shared_plans', (select jsonb_agg(to_jsonb(t) || jsonb_build_object('login_name', l.login_name) order by t.created_at)
      from public.shared_subscriptions as t left join public.subscription_logins as l on l.subscription_id = t.id
      where t.owner_id = v_user),
    'memberships', (select jsonb_agg(to_jsonb(t) order by t.joined_at)
      from public.subscription_members as t where t.user_id = v_user),
    'join_requests', (select jsonb_agg(to_jsonb(t) order by t.requested_at)
      from public.subscription_requests as t where t.user_id = v_user),
    'plan_links', (select jsonb_agg(t.subscription_id order by 1) from private.link_visits as t where t.user_id = v_user),
    'waiting_lists', (select jsonb_agg(to_jsonb(t) order by t.joined_at)
      from public.waiting_list as t where t.user_id = v_user),
    'invitations', (select jsonb_agg(to_jsonb(t) - 'token_hash' order by t.created_at)
      from public.subscription_invitations as t where t.invited_by = v_user or t.email = v_email),
    'conversations', (select jsonb_agg(to_jsonb(t) || jsonb_build_object('messages', (
        select jsonb_agg(to_jsonb(m) order by m.created_at, m.id) from public.messages as m where m.conversation_id = t.id
      )) order by t.created_at)
      from public.conversations as t where v_user in (t.owner_id, t.member_id)),
    'notifications', (select jsonb_agg(to_jsonb(t) order by t.created_at)
      from public.user_notifications as t where t.user_id = v_user),
    'mails', (select jsonb_agg(jsonb_build_object('subject', t.subject, 'created_at', t.created_at, 'sent_at', t.sent_at)
      order by t.created_at) from private.outgoing_mail as t where lower(t.recipient) = v_email),
    'account_changes', (select jsonb_agg(to_jsonb(t) - 'token_hash' order by t.happened_at)
      from private.account_changes as t where t.user_id = v_user),
    'sessions', (select jsonb_agg(to_jsonb(t) - 'is_current') from private.my_sessions() as t),
    'notification_choices', (select jsonb_agg(to_jsonb(t)) from private.get_notification_choices() as t),
    'push_devices', (select jsonb_agg(to_jsonb(t) - 'is_current') from private.my_push_devices() as t),
    'calendar_address_since', private.get_calendar(),
    'coin_transactions', (select jsonb_agg(to_jsonb(t) order by t.created_at)
      from public.coin_transactions as t where t.user_id = v_user),
    'withdrawals', (select jsonb_agg(to_jsonb(t) order by t.requested_at)
      from public.withdrawal_requests as t where t.user_id = v_user),
    'seats', (select jsonb_agg(to_jsonb(t) - '{next_at,failures,last_error}'::text[] order by t.opened_at)
      from private.seats as t where v_user in (t.member_id, t.owner_id)),
    'reports', (select jsonb_agg(jsonb_build_object('person_id', t.person_id, 'reason', t.reason, 'reported_at', t.reported_at)
      order by t.reported_at) from private.person_reports as t where t.reporter_id = v_user),
    'time_zone', private.zone_of(v_user),
    'problems', (select jsonb_agg(to_jsonb(t) - 'decided_by' || jsonb_build_object('statements', (
        select jsonb_agg(to_jsonb(s) - 'problem_id' order by s.line) from public.problem_statements as s where s.problem_id = t.id
      )) order by t.reported_at)
      from public.seat_problems as t where v_user in (t.member_id, t.owner_id)),
    'term_proposals', (select jsonb_agg(to_jsonb(t) order by t.proposed_at)
      from public.term_proposals as t where v_user in (t.member_id, t.owner_id)),
    'payment_wishes', (select to_jsonb(t) from public.payment_wishes as t where t.user_id = v_user),
    'bank_accounts', (select jsonb_agg(to_jsonb(t) - 'sealed' || jsonb_build_object('opened', (
        select jsonb_agg(jsonb_build_object('at', o.opened_at, 'for', o.purpose) order by o.id)
        from private.vault_openings as o where o.secret_id = t.id)) order by t.version)
      from private.bank_accounts as t where t.user_id = v_user),
    'vault_versions', (select jsonb_agg(to_jsonb(t) - 'sealed' order by t.created_at)
      from private.vault_entries as t where t.author_id = v_user),
    'vault_openings', (select jsonb_agg(to_jsonb(t) order by t.id)
      from private.vault_openings as t where t.kind = 'plan' and v_user in (t.owner_id, t.opened_by)),
    'payments', (select jsonb_agg(to_jsonb(t) order by t.created_at)
      from public.member_payments as t where v_user in (t.member_id, t.owner_id)),
    'cards', (select jsonb_agg(jsonb_build_object('brand', t.brand, 'last4', t.last4, 'exp_month', t.exp_month,
      'exp_year', t.exp_year, 'created_at', t.created_at) order by t.created_at)
      from public.payment_methods as t where t.user_id = v_user),
    'disputes', (select jsonb_agg(jsonb_build_object('plan_name', t.plan_name, 'amount', t.amount, 'status', t.status,
      'opened_at', t.opened_at, 'closed_at', t.closed_at) order by t.opened_at)
      from public.payment_disputes as t where t.member_id = v_user),
    'reviews', (select jsonb_agg(to_jsonb(t) - '{reported_by,author_id,shown_from}'::text[]
        || jsonb_build_object('written_by_you', t.author_id = v_user) order by t.written_at)
      from private.seat_reviews as t where t.author_id = v_user or (t.subject_id = v_user and t.shown_from <= private.now())),
    'blocked_people', (select jsonb_agg(to_jsonb(t) - 'user_id' order by t.blocked_at)
      from public.blocked_people as t where t.user_id = v_user),
    'provider_requests', (select jsonb_agg(to_jsonb(t) order by t.created_at)
      from public.provider_requests as t where t.user_id = v_user),
    'access_requests', (select jsonb_agg(to_jsonb(t) order by t.requested_at)
      from public.admin_role_requests as t where t.user_id = v_user),
    'payment_events_looked_at', (select jsonb_agg(jsonb_build_object('id', t.id, 'reviewed_at', t.reviewed_at, 'finding', t.finding)
      order by t.reviewed_at) from public.unknown_payment_events as t where t.reviewed_by = v_user),
    'site_settings', (select jsonb_build_object('updated_at', t.updated_at)
      from public.app_settings as t where t.updated_by = v_user)
  );
end $$;
select private.publish('export_own_data', 'authenticated');

-- Why the acting user's account cannot end yet, or null. Members have paid for places in their plans, and coins are paid out
-- before an account ends; an amount too small to withdraw may be given up instead.
create function private.account_end_refusal(p_user_id uuid, p_give_up_coins boolean) returns text
language plpgsql stable security definer set search_path = '' as $$
declare v_coins numeric := private.available_coins(p_user_id);
begin
  return case
    when exists (select from public.subscription_members as m
        join public.shared_subscriptions as p on p.id = m.subscription_id
        where p.owner_id = p_user_id and not m.is_owner)
      then 'Other people still have a place in a plan you share. Cancel those plans first.'
    when v_coins = 0 or private.has_bank_account(p_user_id) then null
    when v_coins >= private.least_withdrawal()
      then format('You still have %s coins. Add the bank account that they are to be paid to.', v_coins)
    when not p_give_up_coins
      then format('You still have %s coins. Add the bank account that they are to be paid to, or give them up.', v_coins)
  end;
end $$;

-- Ends the acting user's account and pays out what is left in the wallet; raises 23514 with the reason while it cannot end.
-- Without a seat or any movement of money the account is deleted whole. Otherwise those rows stay, under an account nobody can
-- sign in to and without a name; closed_accounts.sql pays what it is still owed.
create function private.delete_own_account(p_give_up_coins boolean default false) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_user uuid := private.require_user();
  v_email text := lower(private.email_of(v_user));
  v_coins numeric;
  v_refusal text;
  v_is_owed boolean;
begin
  perform private.require_recent_proof();
  -- Waits for anybody approving a member or moving coins right now.
  perform from public.shared_subscriptions
  where owner_id = v_user or id in (select subscription_id from public.waiting_list where user_id = v_user)
  order by id for update;
  perform from public.subscription_members where user_id = v_user order by id for update;
  perform private.lock_plan_to_leave(subscription_id) from (
    select subscription_id from private.seats where member_id = v_user and ended_at is null order by subscription_id
  ) as left_now;
  perform from private.seats where v_user in (member_id, owner_id) and ended_at is null order by id for update;
  perform private.forfeit_problems(v_user);
  perform private.lock_ledger(array(select id from private.ledger_accounts where kind = 'wallet' and owner = v_user));
  v_coins := private.available_coins(v_user);
  v_refusal := private.account_end_refusal(v_user, coalesce(p_give_up_coins, false));
  if v_refusal is not null then
    raise exception '%', v_refusal using errcode = '23514';
  elsif v_coins > 0 and p_give_up_coins and v_coins < private.least_withdrawal() then
    perform private.transfer('given-up:' || v_user, private.ledger_account('wallet', v_user),
      private.ledger_account('adjustments'), v_coins, 'given-up', p_description => 'Given up with the account');
  elsif v_coins > 0 then
    insert into public.withdrawal_requests (user_id, amount, closes_account) values (v_user, v_coins, true);
  end if;

  update public.subscription_requests set status = 'cancelled' where user_id = v_user and status = 'pending';
  delete from public.waiting_list where user_id = v_user;
  delete from private.link_visits where user_id = v_user;
  delete from public.shared_subscriptions where owner_id = v_user;
  delete from public.subscription_members where user_id = v_user;
  v_is_owed := private.is_owed(v_user);
  -- Mail before invitation, the lock order of a mail that was sent. Mail about a change that an intruder may have made, to
  -- be paid in this person's place, still goes out.
  delete from private.outgoing_mail where lower(recipient) = v_email and not (v_is_owed and event like 'account-%');
  delete from public.subscription_invitations where email = v_email;
  -- Openings of one's own secrets concern nobody else.
  delete from private.vault_openings where owner_id = v_user and opened_by = v_user;
  -- Skips locked rows: whoever is reading them deletes them.
  delete from private.fact_changes
  where id in (select id from private.fact_changes where user_id = v_user for update skip locked);

  if not exists (select from public.coin_transactions where v_user in (user_id, created_by))
    and not exists (select from public.withdrawal_requests where v_user in (user_id, processed_by, completed_by, returned_by))
    and not exists (select from private.payout_files where v_user in (created_by, voided_by))
    and not exists (select from private.vault_openings where opened_by = v_user)
    and not exists (select from public.problem_statements where person_id = v_user)
    and not exists (select from private.seats where v_user in (member_id, owner_id, ended_by)) then
    delete from public.user_wallets where user_id = v_user;
    delete from private.ledger_accounts where kind = 'wallet' and owner = v_user;
    delete from auth.users where id = v_user;
    return;
  end if;

  delete from public.conversations where v_user in (owner_id, member_id);
  delete from public.subscription_requests where user_id = v_user;
  delete from public.user_notifications where user_id = v_user;
  delete from private.unwanted_notifications where user_id = v_user;
  delete from private.unsubscribe_links where user_id = v_user;
  delete from private.push_devices where user_id = v_user;
  delete from private.calendars where user_id = v_user;
  delete from public.payment_wishes where user_id = v_user;
  delete from private.seat_reviews where subject_id = v_user;
  delete from private.person_reports where person_id = v_user;
  update private.person_reports set reporter_id = null where reporter_id = v_user;
  update private.seat_reviews set reported_by = null where reported_by = v_user;
  delete from public.blocked_people where v_user in (user_id, blocked_id);
  delete from private.time_zones where user_id = v_user;
  if v_is_owed then
    perform private.keep_closed_account(v_user, v_email);
  else
    delete from private.bank_accounts where user_id = v_user;
    delete from private.vault_keys where person_id = v_user;
    delete from private.account_changes where user_id = v_user;
  end if;
  delete from public.provider_requests where user_id = v_user;
  delete from public.payment_methods where user_id = v_user;
  delete from public.admin_role_requests where user_id = v_user;
  delete from public.user_roles where user_id = v_user;
  update public.user_profiles set display_name = 'Deleted account', full_name = null, phone_number = null,
    avatar_url = null, deleted_at = now() where user_id = v_user;
  delete from auth.identities where user_id = v_user;
  delete from auth.sessions where user_id = v_user;
  delete from auth.one_time_tokens where user_id = v_user;
  delete from auth.flow_state where user_id = v_user;
  -- Supabase's own auth service cannot read an account whose email_change is null.
  update auth.users set email = null, email_change = '', encrypted_password = null,
    raw_user_meta_data = '{}', raw_app_meta_data = '{}', deleted_at = now(), updated_at = now()
  where id = v_user;
  -- Last, because nobody is told about what is removed from a closed account.
  delete from auth.mfa_factors where user_id = v_user;
  if private.has_passkey(v_user) then
    delete from auth.webauthn_credentials where user_id = v_user;
  end if;
end $$;
select private.publish('delete_own_account', 'authenticated');

-- account/account_changes.sql
-- How long the changes of an account are kept.
create function private.change_memory() returns interval
language sql immutable return interval '90 days';

-- How long the link in the mail about a change can undo it.
create function private.undo_lifetime() returns interval
language sql immutable return interval '48 hours';

-- Changes to how somebody gets into their account. Each is mailed at once to the previous address, with a link that undoes it
-- for private.undo_lifetime(): an intruder has the session and perhaps the new address, but not that mail.
create table private.account_changes (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references auth.users (id) on delete cascade,
  kind text not null check (kind in ('email', 'password', 'factor-added', 'factor-removed', 'passkey-added',
    'passkey-removed', 'recovery-codes', 'bank-account')),
  -- The factor, passkey or bank account that changed.
  subject_id uuid,
  -- The address that was told; null if the account had none, in which case the change cannot be undone.
  told text,
  -- Hash of the token in that mail, which is stored nowhere else.
  token_hash text unique,
  happened_at timestamptz not null default clock_timestamp(),
  undone_at timestamptz
);
create index account_changes_newest_idx on private.account_changes (user_id, happened_at desc);
alter table private.account_changes enable row level security;
revoke all on private.account_changes from public, anon, authenticated, service_role;

-- An address masked so that only its owner recognises it.
create function private.masked_address(p_address text) returns text
language sql immutable set search_path = '' as $$
  select left(p_address, 1) || '***' || substring(p_address from '@[^@]*$')
$$;

create function private.mail_account_change(p_change private.account_changes, p_token text) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_title text := case p_change.kind
    when 'email' then 'The e-mail address of your account was changed'
    when 'password' then 'The password of your account was changed'
    when 'factor-added' then 'An authenticator app was added to your account'
    when 'factor-removed' then 'An authenticator app was removed from your account'
    when 'passkey-added' then 'A passkey was added to your account'
    when 'passkey-removed' then 'A passkey was removed from your account'
    when 'recovery-codes' then 'The recovery codes of your account were changed'
    when 'bank-account' then 'The bank account for your payouts was changed'
  end;
  v_at text := to_char(p_change.happened_at at time zone 'utc', 'FMDD FMMonth YYYY, HH24:MI "UTC"');
begin
  perform private.send_mail(p_change.told, v_title, private.mail_page(
    v_title,
    array[
      format('It happened on %s.', v_at) || case when p_change.kind = 'email' then
        format(' The account goes by %s now.', private.masked_address(
          (select email from auth.users where id = p_change.user_id))) else '' end,
      'If this was not you, undo it: ' || case
        when p_change.kind = 'email' then 'the account gets this address back'
        when p_change.kind = 'password' then 'the new password stops working'
        when p_change.kind in ('factor-added', 'passkey-added') then 'it is removed again'
        when p_change.kind = 'recovery-codes' then 'these codes stop working'
        when p_change.kind = 'bank-account' then 'nothing more is paid to it'
        -- Nobody else knows what it was.
        else 'what was removed cannot come back, but whoever removed it is shut out'
      end || ', every device is signed out, the password is taken away, and whatever was changed after this is undone as '
        || 'well. Then you choose a new password.'
    ],
    'This was not me', '/undo-change#token=' || p_token,
    format('The link works for %s hours, once.', private.hours(private.undo_lifetime())),
    'It was you? Then there is nothing to do.'
  ), array[p_change.id::text], p_event => 'account-' || p_change.kind, p_params => jsonb_build_object('at', p_change.happened_at));
end $$;

-- Records a change of a proven account and tells its previous address. Triggers on the auth service's tables call this, and
-- their work must not fail because of it, so nothing here may raise.
create function private.note_account_change(p_user_id uuid, p_kind text, p_told text, p_subject_id uuid) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_token text := replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', '');
  v_change private.account_changes;
begin
  -- An undo is not a change itself; an account being deleted, or never proven, has nobody to tell.
  if current_setting('private.undoing', true) = 'on' or not exists (
    select from auth.users where id = p_user_id and deleted_at is null and email_confirmed_at is not null
  ) then
    return;
  end if;
  -- Strictly later than the one before, even with a coarse clock: a link undoes its own change and all later ones.
  insert into private.account_changes (user_id, kind, subject_id, told, token_hash, happened_at)
  select p_user_id, p_kind, p_subject_id, address, case when address is not null then encode(sha256(convert_to(v_token, 'UTF8')), 'hex') end,
    greatest(clock_timestamp(),
      (select max(c.happened_at) from private.account_changes as c where c.user_id = p_user_id) + interval '1 microsecond')
  from (select case when private.is_mailable(p_told) then p_told end as address) as whom
  returning * into v_change;
  if v_change.told is not null then
    perform private.mail_account_change(v_change, v_token);
  end if;
end $$;

create function private.tg_users__tell_change() returns trigger
language plpgsql volatile security definer set search_path = '' as $$
begin
  -- Until the first address is proven, every change is part of signing up.
  if old.email_confirmed_at is null then return null; end if;
  if lower(new.email) is distinct from lower(old.email) then
    perform private.note_account_change(new.id, 'email', old.email, null);
  end if;
  if nullif(new.encrypted_password, '') is distinct from nullif(old.encrypted_password, '') then
    perform private.note_account_change(new.id, 'password', old.email, null);
  end if;
  return null;
end $$;
create trigger tell_change after update on auth.users for each row
  when (old.email is distinct from new.email or old.encrypted_password is distinct from new.encrypted_password)
  execute function private.tg_users__tell_change();

-- A factor counts once it is verified. Our server re-dates the recovery code factor when new codes are made.
create function private.tg_mfa_factors__tell_change() returns trigger
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_factor auth.mfa_factors := coalesce(new, old);
  v_is_codes boolean := v_factor.factor_type::text = 'recovery_code';
begin
  if v_factor.status::text = 'verified' then
    perform private.note_account_change(v_factor.user_id, case
      when v_is_codes then 'recovery-codes' when tg_op = 'DELETE' then 'factor-removed' else 'factor-added'
    end, (select email from auth.users where id = v_factor.user_id), v_factor.id);
  end if;
  return null;
end $$;
create trigger tell_change after insert or delete on auth.mfa_factors
  for each row execute function private.tg_mfa_factors__tell_change();
create trigger tell_new_state after update on auth.mfa_factors for each row
  when (old.status is distinct from new.status or old.created_at is distinct from new.created_at)
  execute function private.tg_mfa_factors__tell_change();

create function private.tg_webauthn_credentials__tell_change() returns trigger
language plpgsql volatile security definer set search_path = '' as $$
declare v_passkey auth.webauthn_credentials := coalesce(new, old);
begin
  perform private.note_account_change(v_passkey.user_id,
    case tg_op when 'DELETE' then 'passkey-removed' else 'passkey-added' end,
    (select email from auth.users where id = v_passkey.user_id), v_passkey.id);
  return null;
end $$;
do $$ begin
  -- Older auth services lack this table.
  if to_regclass('auth.webauthn_credentials') is not null then
    create trigger tell_change after insert or delete on auth.webauthn_credentials
      for each row execute function private.tg_webauthn_credentials__tell_change();
  end if;
end $$;

-- Undoes the change behind this link and every later one, since the same person made them. Whatever the change was, nothing
-- that could be in other hands opens the account any more; its owner chooses a new password through the address returned.
create function private.undo_account_change(p_token text) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_hash text := encode(sha256(convert_to(coalesce(p_token, ''), 'UTF8')), 'hex');
  v_user uuid;
  v_change private.account_changes;
  v_email text;
  v_undone private.account_changes;
begin
  -- One undo at a time, and not during a change by the auth service.
  select account.id into v_user from auth.users as account
  where account.id = (select user_id from private.account_changes where token_hash = v_hash)
    and (account.deleted_at is null or private.is_closed(account.id)) for no key update;
  select * into v_change from private.account_changes where token_hash = v_hash and user_id = v_user;
  if not found then
    raise exception 'This link is not known' using errcode = 'PT404';
  elsif v_change.undone_at is not null then
    raise exception 'This change has been undone already' using errcode = 'PT409';
  elsif v_change.happened_at <= now() - private.undo_lifetime() then
    raise exception 'The time to undo this change is over' using errcode = 'PT410';
  end if;
  if private.is_closed(v_user) then
    return private.undo_on_closed_account(v_change);
  end if;
  perform set_config('private.undoing', 'on', true);

  -- The first of several address changes has the original address.
  select told into v_email from private.account_changes
  where user_id = v_user and kind = 'email' and undone_at is null and happened_at >= v_change.happened_at
  order by happened_at limit 1;
  if v_email is not null then
    -- Somebody may have signed up with it since; an unproven account gives way.
    delete from auth.users where lower(email) = lower(v_email) and id <> v_user and email_confirmed_at is null;
    if exists (select from auth.users where lower(email) = lower(v_email) and id <> v_user) then
      raise exception 'Another account has this address now' using errcode = '23505';
    end if;
    update auth.users set email = v_email, email_confirmed_at = now(),
      raw_user_meta_data = coalesce(raw_user_meta_data, '{}') || jsonb_build_object('email', v_email) where id = v_user;
    update auth.identities set identity_data = identity_data || jsonb_build_object('email', v_email), updated_at = now()
    where user_id = v_user and provider = 'email';
  end if;

  for v_undone in
    update private.account_changes set undone_at = clock_timestamp()
    where user_id = v_user and undone_at is null and happened_at >= v_change.happened_at returning *
  loop
    perform private.call_back_mail(v_undone.id::text);
    delete from auth.mfa_factors where id = v_undone.subject_id;
    if v_undone.kind = 'passkey-added' then
      delete from auth.webauthn_credentials where id = v_undone.subject_id;
    elsif v_undone.kind = 'bank-account' then
      perform private.take_back_bank_account(v_undone.subject_id);
    end if;
  end loop;
  delete from auth.mfa_factors where user_id = v_user and status = 'unverified';
  -- A sign-in provider linked since the change would still let the intruder in.
  delete from auth.identities where user_id = v_user and provider <> 'email' and created_at >= v_change.happened_at;
  delete from auth.one_time_tokens where user_id = v_user;
  delete from auth.flow_state where user_id = v_user;
  delete from auth.sessions where user_id = v_user;
  -- Supabase's own auth service cannot read an account whose email_change is null.
  update auth.users set encrypted_password = null, email_change = '', updated_at = now() where id = v_user
  returning email into v_email;
  perform set_config('private.undoing', '', true);
  return jsonb_build_object('kind', v_change.kind, 'happened_at', v_change.happened_at, 'email', v_email,
    'next', format('Choose a new password: “Forgot password” on the sign-in page mails a link to %s.', v_email));
end $$;
select private.publish('undo_account_change', 'anon', 'authenticated');

-- Recent changes to the acting user's account, newest first.
create function private.recent_account_changes()
returns table (kind text, happened_at timestamptz, undone_at timestamptz)
language plpgsql stable security definer set search_path = '' as $$
declare v_user uuid := private.require_user();
begin
  return query
  select c.kind, c.happened_at, c.undone_at from private.account_changes as c
  where c.user_id = v_user and c.happened_at > now() - private.change_memory() order by c.happened_at desc limit 50;
end $$;
select private.publish('recent_account_changes', 'authenticated');

-- account/profiles.sql
-- The maximum length of a display name, and of the name on a bank account.
create function private.longest_display_name() returns integer
language sql immutable return 80;
create function private.longest_full_name() returns integer
language sql immutable return 120;
grant execute on function private.longest_display_name(), private.longest_full_name() to authenticated, service_role;

-- How a person appears to others, and two fields only they can read: full name and phone number.
create table public.user_profiles (
  user_id uuid primary key references auth.users (id) on delete cascade,
  display_name text check (char_length(display_name) <= private.longest_display_name()),
  full_name text check (char_length(full_name) <= private.longest_full_name()),
  -- E.164: a plus sign, the country code and the number, digits only.
  phone_number text check (phone_number ~ '^\+[1-9][0-9]{6,14}$'),
  avatar_url text check (char_length(avatar_url) <= 500),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  -- When the account ended; the row stays because the ledger refers to it.
  deleted_at timestamptz
);
alter table public.user_profiles enable row level security;
create policy "Signed-in people see how others appear" on public.user_profiles
  for select to authenticated using (true);
create policy "People create their own profile" on public.user_profiles
  for insert to authenticated with check (user_id = (select auth.uid()));
create policy "People change their own profile" on public.user_profiles
  for update to authenticated using (user_id = (select auth.uid())) with check (user_id = (select auth.uid()));

-- Why this cannot be a person's name, or null. A name must have something to read, nothing that hides or reverses text, and
-- must not be the site's own, even disguised by spaces, marks, digits or lookalike letters.
create function private.name_refusal(p_name text) returns text
language sql immutable
return case
  -- A check refuses names that are too long; they are not worth examining.
  when p_name is null or char_length(p_name) > private.longest_full_name() then null
  when private.visible_length(regexp_replace(p_name, '[\u0300-\u036f\u0483-\u0489\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\u17b4\u17b5\u180b-\u180f\U000e0000-\U000e0fff]', '', 'g')) = 0
    or p_name ~ '[\u0001-\u001f\u007f-\u009f\u00ad\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]'
    then 'Please enter a name that people can read'
  when regexp_replace(
      translate(lower(normalize(p_name, NFKD)), E'0\u03bf\u039f\u043e\u041e\u0585\u03c1\u03a1\u0440\u0420\u03c4\u03a4\u0442\u0422\u04cf\u04c0\u03c5\u057d\u0441\u0421\u03f2\u03ba\u039a\u043a\u041a', 'ooooooppppttttlluuccckkkk'),
      '[^a-z1|]', '', 'g'
    ) ~ '^(the|team|official)?pot[il1|]uck(app|team|support|service|help|admin|staff|security|billing|official|moderator)?$'
    then 'This name is taken by the site itself'
end;

-- The display name: what the person chose, or what their sign-in provider says. Never their address.
create function private.default_display_name(p_metadata jsonb) returns text
language sql immutable
return coalesce((
  select name
  from unnest(array[left(btrim(p_metadata ->> 'name'), private.longest_display_name()), left(btrim(p_metadata ->> 'full_name'), private.longest_display_name())])
    with ordinality as given (name, place)
  where name is not null and private.name_refusal(name) is null order by place limit 1
), 'New member');

-- Refuses an invalid name; a person without one becomes a new member.
create function private.tg_user_profiles__guard() returns trigger
language plpgsql volatile security definer set search_path = '' as $$
declare v_refusal text;
begin
  new.display_name := coalesce(new.display_name, private.default_display_name(null));
  v_refusal := coalesce(private.name_refusal(new.display_name), private.name_refusal(new.full_name));
  if v_refusal is not null then
    raise exception '%', v_refusal using errcode = '23514';
  elsif new.phone_number !~ '^\+[1-9][0-9]{6,14}$' then
    raise exception 'Please enter a phone number with its country code, like +4930123456' using errcode = '23514';
  end if;
  return new;
end $$;
create trigger guard before insert or update of display_name, full_name, phone_number on public.user_profiles
  for each row execute function private.tg_user_profiles__guard();

-- Gives every new account a profile. It must never fail, or nobody could sign up.
create function private.tg_users__create_profile() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  insert into public.user_profiles (user_id, display_name, avatar_url)
  values (
    new.id,
    private.default_display_name(new.raw_user_meta_data),
    left(nullif(new.raw_user_meta_data ->> 'avatar_url', ''), 500)
  )
  on conflict (user_id) do nothing;
  return new;
exception when others then
  raise warning 'No profile for %: %', new.id, sqlerrm;
  return new;
end $$;
create trigger create_profile after insert on auth.users
  for each row execute function private.tg_users__create_profile();

-- Older accounts, and those whose profile could not be created, get one on first use.
create function private.ensure_profile(p_user_id uuid) returns public.user_profiles
language plpgsql volatile security definer set search_path = '' as $$
declare v_profile public.user_profiles;
begin
  select * into v_profile from public.user_profiles where user_id = p_user_id;
  if v_profile.deleted_at is not null then
    raise exception 'This account has been deleted' using errcode = '42501';
  end if;
  if found then return v_profile; end if;
  insert into public.user_profiles (user_id, display_name)
  select id, private.default_display_name(raw_user_meta_data) from auth.users where id = p_user_id
  on conflict (user_id) do update set user_id = excluded.user_id
  returning * into v_profile;
  return v_profile;
end $$;

-- The first word of a name, which is what strangers see.
create function private.first_name(p_name text) returns text
language sql immutable
return split_part(btrim(p_name), ' ', 1);

-- The account's address, for rows that show it to people who may see it.
create function private.email_of(p_user_id uuid) returns text
language plpgsql stable security definer set search_path = '' as $$
begin
  return (
    select coalesce(email, '') from auth.users where id = p_user_id
  );
end $$;

-- The database dates a change, and the row stays its owner's. Accounts from a sign-in provider keep its picture.
create function private.tg_user_profiles__stamp() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if auth.uid() is not null and new.deleted_at is null and new.avatar_url is distinct from old.avatar_url
    and exists (select from auth.users where id = new.user_id and raw_app_meta_data ->> 'provider' <> 'email') then
    raise exception 'Your picture comes from the service you sign in with.' using errcode = '42501';
  end if;
  new.updated_at := now();
  return new;
end $$;
create trigger stamp before update on public.user_profiles
  for each row execute function private.tg_user_profiles__stamp();

-- The private part of a profile. It is written through user_profiles, where nobody can read the two columns, because a column
-- cannot be readable in one row and not in the others.
create table public.user_details (
  user_id uuid primary key references public.user_profiles (user_id) on delete cascade,
  full_name text,
  phone_number text
);
alter table public.user_details enable row level security;

create function private.tg_user_profiles__keep_details() returns trigger
language plpgsql volatile security definer set search_path = '' as $$
begin
  if new.full_name is null and new.phone_number is null then
    delete from public.user_details where user_id = new.user_id;
  else
    insert into public.user_details (user_id, full_name, phone_number)
    values (new.user_id, new.full_name, new.phone_number)
    on conflict (user_id) do update set full_name = excluded.full_name, phone_number = excluded.phone_number;
  end if;
  return null;
end $$;
create trigger keep_details after insert or update of full_name, phone_number on public.user_profiles
  for each row execute function private.tg_user_profiles__keep_details();

insert into public.user_profiles (user_id, display_name)
select id, private.default_display_name(raw_user_meta_data) from auth.users
on conflict (user_id) do nothing;

revoke all on public.user_profiles, public.user_details from public, anon, authenticated;
grant select on public.user_details to authenticated;
grant select (user_id, display_name, avatar_url, created_at, updated_at) on public.user_profiles to authenticated;
grant insert (user_id, display_name, full_name, phone_number, avatar_url) on public.user_profiles to authenticated;
grant update (display_name, full_name, phone_number, avatar_url, updated_at) on public.user_profiles to authenticated;
grant all on public.user_profiles, public.user_details to service_role;

-- account/proof_of_identity.sql
-- Proving again who you are: an open session or a stolen token must not be enough for what cannot be undone. The proof and its
-- time are in the token; refreshing it does not renew them.

-- How long a proof of identity is good for.
create function private.proof_lifetime() returns interval
language sql immutable return interval '10 minutes';

create function private.has_second_factor(p_user_id uuid) returns boolean
language sql stable security definer set search_path = '' as $$
  select exists (select from auth.mfa_factors where user_id = p_user_id and status = 'verified')
$$;
create function private.has_passkey(p_user_id uuid) returns boolean
language plpgsql stable security definer set search_path = '' as $$
begin
  -- Hosted projects may run an older auth service.
  if to_regclass('auth.webauthn_credentials') is null then return false; end if;
  return exists (select from auth.webauthn_credentials where user_id = p_user_id);
end $$;

-- How the acting user can prove who they are, best first. People with a passkey or a second factor must use it, as a thief with
-- the password lacks it; a mailed code is for those who have nothing else because they sign in through a provider.
create function private.proof_methods() returns text[]
language plpgsql stable security definer set search_path = '' as $$
declare
  v_user uuid := private.require_user();
  v_methods text[] := array_remove(array[
    case when private.has_passkey(v_user) then 'passkey' end, case when private.has_second_factor(v_user) then 'totp' end
  ], null);
begin
  if v_methods <> '{}' then return v_methods; end if;
  return (select array[case when coalesce(encrypted_password, '') = '' then 'email' else 'password' end]
    from auth.users where id = v_user);
end $$;
select private.publish('proof_methods', 'authenticated');

-- Refuses people who have not used one of private.proof_methods() within private.proof_lifetime(). The method names are those
-- of the auth service's tokens.
create function private.require_recent_proof() returns void
language plpgsql stable security definer set search_path = '' as $$
declare
  v_methods text[] := private.proof_methods();
  v_accepted text[] := '{passkey,totp,mfa/totp,mfa/phone,mfa/webauthn,mfa/recovery_code}';
begin
  if not v_methods && '{passkey,totp}' then
    v_accepted := v_accepted || '{password}'::text[];
  end if;
  if v_methods = '{email}' then
    v_accepted := v_accepted || '{otp,magiclink,recovery,invite,email/signup,email_change}'::text[];
  end if;
  if not exists (
    select from jsonb_path_query(auth.jwt(), '$.amr[*] ? (@.method.type() == "string" && @.timestamp.type() == "number")') as shown
    where shown ->> 'method' = any (v_accepted) and (shown ->> 'timestamp')::numeric
      between extract(epoch from now() - private.proof_lifetime()) and extract(epoch from now())
  ) then
    raise exception 'Please confirm that it is you.' using errcode = 'PT403';
  end if;
end $$;

-- account/push_devices.sql
-- The devices that get notifications while Potluck is closed: web push (docs/decisions/023-web-push.md).

-- The maximum number of devices per person.
create function private.most_push_devices() returns integer
language sql immutable return 10;

-- Known push services. The site sends to no other address, whatever a browser names.
create function private.is_push_endpoint(p_endpoint text) returns boolean
language sql immutable set search_path = '' as $$
  select coalesce(char_length(p_endpoint) <= 1024 and p_endpoint ~
    '^https://(fcm\.googleapis\.com|([a-z0-9-]+\.)+(push\.services\.mozilla\.com|notify\.windows\.com|push\.apple\.com))/[!-~]+$', false)
$$;

-- A device whose browser may show notifications: where to send them, and its encryption keys. It lasts as long as the session
-- that registered it.
create table private.push_devices (
  session_id uuid primary key,
  user_id uuid not null references auth.users (id) on delete cascade,
  endpoint text not null unique check (private.is_push_endpoint(endpoint)),
  p256dh text not null check (p256dh ~ '^B[A-Za-z0-9_-]{86}$'),
  auth text not null check (auth ~ '^[A-Za-z0-9_-]{22}$'),
  created_at timestamptz not null default clock_timestamp(),
  last_tried_at timestamptz,
  last_success_at timestamptz,
  -- Of the last attempt; null if the push service accepted it.
  last_error text
);
create index push_devices_user_idx on private.push_devices (user_id);
alter table private.push_devices enable row level security;

insert into private.rate_limits (action, attempts, window_seconds, requests)
values ('push device', 10, 3600, '{POST /rpc/add_push_device}');

-- The devices on which their person is still signed in.
create function private.living_push_devices(p_user_id uuid) returns setof private.push_devices
language plpgsql stable security definer set search_path = '' as $$
begin
  return query
    select d.* from private.push_devices as d
    join auth.sessions as s on s.id = d.session_id and s.user_id = d.user_id
    join auth.users as u on u.id = d.user_id
    where d.user_id = p_user_id and coalesce(s.not_after > now(), true)
      and u.deleted_at is null and coalesce(u.banned_until <= now(), true);
end $$;

-- Deletes devices on which nobody is signed in any more.
create function private.forget_push_devices() returns void
language sql volatile security definer set search_path = '' as $$
  delete from private.push_devices as d where not exists (
    select from auth.sessions as s where s.id = d.session_id and s.user_id = d.user_id and coalesce(s.not_after > now(), true)
  )
$$;

-- Registers the device of this session for the acting user, replacing its earlier registration and that of any other account in
-- the same browser. Raises 23514 for an unknown push service, invalid keys or too many devices.
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
    auth = excluded.auth, created_at = excluded.created_at, last_tried_at = null, last_success_at = null,
    last_error = null;
end $$;
select private.publish('add_push_device', 'authenticated');

-- The acting user's devices, this one first.
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

-- Removes one of them.
create function private.remove_push_device(p_id uuid) returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  delete from private.push_devices where session_id = p_id and user_id = private.require_user();
  if not found then
    raise exception 'Device not found' using errcode = 'PT404';
  end if;
end $$;
select private.publish('remove_push_device', 'authenticated');

revoke all on private.push_devices from public, anon, authenticated, service_role;

-- account/sessions.sql
-- Where somebody is signed in.

-- The methods a session was opened and confirmed with, newest first. Our server keeps them on the session, Supabase in a table.
create function private.session_proof(p_session auth.sessions) returns text[]
language plpgsql stable security definer set search_path = '' as $$
begin
  if to_regclass('auth.mfa_amr_claims') is null then
    return array(select jsonb_path_query(to_jsonb(p_session), '$.amr[*].method') #>> '{}');
  end if;
  return array(select authentication_method from auth.mfa_amr_claims where session_id = p_session.id order by updated_at desc);
end $$;

-- The acting user's sessions, most recently used first. Refreshing a session counts as using it.
create function private.my_sessions() returns table (
  id uuid, user_agent text, ip text, created_at timestamptz, last_used_at timestamptz, proof text[], is_current boolean
)
language plpgsql stable security definer set search_path = '' set timezone = 'UTC' as $$
declare v_user uuid := private.require_user();
begin
  return query
  select s.id, s.user_agent::text, split_part(s.ip::text, '/', 1), s.created_at::timestamptz,
    greatest(s.created_at, s.refreshed_at::timestamptz), private.session_proof(s),
    s.id::text = coalesce(auth.jwt() ->> 'session_id', '')
  from auth.sessions as s where s.user_id = v_user and coalesce(s.not_after > now(), true)
  order by 5 desc, 1;
end $$;
select private.publish('my_sessions', 'authenticated');

-- Signs out one of them: its refresh tokens are deleted, and its access token stops working.
create function private.end_session(p_session_id uuid) returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  delete from auth.sessions where id = p_session_id and user_id = private.require_user();
  if not found then
    raise exception 'Session not found' using errcode = 'PT404';
  end if;
end $$;
select private.publish('end_session', 'authenticated');

-- common/outgoing_mail.sql
-- Can mail be sent to this address? Accounts imported from elsewhere may have none at all.
create function private.is_mailable(p_address text) returns boolean
language sql immutable
return coalesce(p_address ~ '^[^\s@]+@[^\s@]+$' and char_length(p_address) <= 320, false);

-- Outgoing mail. It is written in the transaction of the event it reports, so it goes out only if that commits. Whoever can
-- reach a mail server takes what is due and reports the outcome (docs/decisions/009-outgoing-mail.md).
create table private.outgoing_mail (
  id uuid primary key default gen_random_uuid(),
  recipient text not null check (private.is_mailable(recipient)),
  subject text not null,
  -- {{ .SiteURL }} stands for the site's address. Cleared once the mail is sent, because its links are secrets.
  html text,
  -- Where the person unsubscribes from mail of this kind; null where they cannot.
  unsubscribe_path text check (unsubscribe_path like '/%'),
  -- The ids of what the mail is about or links to. When one of them is over, an unsent mail is dropped.
  about text[] not null default '{}',
  -- The event it reports, in the words of user_notifications. No secrets: this stays after the mail is sent.
  event text check (event ~ '^[a-z]+(-[a-z]+)*$'),
  params jsonb not null default '{}' check (jsonb_typeof(params) = 'object'),
  created_at timestamptz not null default clock_timestamp(),
  attempts integer not null default 0,
  -- During an attempt: when others may take it over.
  next_attempt_at timestamptz not null default clock_timestamp(),
  sent_at timestamptz,
  given_up_at timestamptz,
  last_error text
);
create index outgoing_mail_due_idx on private.outgoing_mail (next_attempt_at) where sent_at is null and given_up_at is null;
create index outgoing_mail_about_idx on private.outgoing_mail using gin (about) where sent_at is null and given_up_at is null;
create index outgoing_mail_created_idx on private.outgoing_mail (created_at);
alter table private.outgoing_mail enable row level security;

-- Escapes text for HTML, so that no name can inject markup; a brace cannot start a template variable either.
create function private.escape_html(p_text text) returns text
language plpgsql immutable set search_path = '' as $$
begin
  return replace(replace(replace(replace(replace(replace(coalesce(p_text, ''),
    '&', '&amp;'), '<', '&lt;'), '>', '&gt;'), '"', '&quot;'), '''', '&#39;'), '{', '&#123;');
end $$;

-- The one layout: a heading, paragraphs, a button, small print below it and a closing line. It takes HTML. The auth service's
-- mails use it too: templates/*.html are generated from it (npm run types).
create function private.mail_layout(
  p_heading text, p_paragraphs text[], p_action text, p_link text, p_small_print text, p_closing text,
  p_unsubscribe_link text default null
) returns text
language plpgsql immutable set search_path = '' as $$
begin
  return (
    select format($html$<!doctype html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <meta name="color-scheme" content="light">
  <title>%1$s</title>
</head>
<body style="margin:0;padding:0;background-color:#FFFBF4;">
<table role="presentation" width="100%%" cellpadding="0" cellspacing="0" border="0" style="background-color:#FFFBF4;">
<tr><td align="center" style="padding:40px 16px;">
  <table role="presentation" width="100%%" cellpadding="0" cellspacing="0" border="0" style="max-width:520px;font-family:Inter,'Segoe UI',Helvetica,Arial,sans-serif;">
  <tr><td style="padding:0 8px 20px;font-size:24px;line-height:32px;font-weight:700;letter-spacing:-0.02em;color:#B4451F;">Potluck</td></tr>
  <tr><td style="padding:32px 28px;background-color:#FFFFFF;border:1px solid #EFE4D6;border-top:4px solid #B4451F;border-radius:14px;">
    <h1 style="margin:0 0 16px;font-size:26px;line-height:34px;font-weight:700;letter-spacing:-0.02em;color:#2A1F18;overflow-wrap:anywhere;">%1$s</h1>
%2$s
    <p style="margin:0 0 24px;"><a href="%4$s" style="display:inline-block;padding:14px 28px;font-size:16px;line-height:20px;font-weight:600;color:#FFFFFF;text-decoration:none;background-color:#B4451F;border-radius:10px;">%3$s</a></p>
    <p style="margin:0 0 8px;font-size:14px;line-height:22px;color:#6A6059;">%5$s If the button does nothing, paste this address into your browser:</p>
    <p style="margin:0;font-size:13px;line-height:20px;word-break:break-all;"><a href="%4$s" style="color:#B4451F;">%4$s</a></p>
  </td></tr>
  <tr><td style="padding:20px 8px 0;font-size:13px;line-height:20px;color:#6A6059;">
    <p style="margin:0 0 4px;">%6$s</p>%7$s
    <p style="margin:0;">Potluck. Share the plan. Split the cost.</p>
  </td></tr>
  </table>
</td></tr>
</table>
</body>
</html>
$html$,
    p_heading,
    (select string_agg(format(
        '    <p style="margin:0 0 24px;font-size:16px;line-height:26px;color:#2A1F18;overflow-wrap:anywhere;">%s</p>', paragraph
      ), e'\n' order by place) from unnest(p_paragraphs) with ordinality as given (paragraph, place)),
    p_action, p_link, p_small_print, p_closing,
    case when p_unsubscribe_link is not null then format(
      e'\n    <p style="margin:0 0 4px;"><a href="%s" style="color:#6A6059;">Stop these e-mails</a></p>', p_unsubscribe_link
    ) end
  )
  );
end $$;

-- The same from plain text, which is escaped here, and from paths on the site.
create function private.mail_page(
  p_heading text, p_sentences text[], p_action text, p_path text, p_small_print text, p_closing text,
  p_unsubscribe_path text default null
) returns text
language plpgsql immutable set search_path = '' as $$
begin
  return (
    select private.mail_layout(
    private.escape_html(p_heading),
    array(select private.escape_html(sentence) from unnest(p_sentences) with ordinality as written (sentence, place) order by place),
    private.escape_html(p_action),
    '{{ .SiteURL }}' || private.escape_html(p_path),
    private.escape_html(p_small_print),
    private.escape_html(p_closing),
    case when p_unsubscribe_path is not null then '{{ .SiteURL }}' || private.escape_html(p_unsubscribe_path) end
  )
  );
end $$;

-- Queues a mail, to be sent after p_wait at the earliest.
create function private.send_mail(
  p_recipient text, p_subject text, p_html text, p_about text[] default '{}', p_unsubscribe_path text default null,
  p_wait interval default '0', p_id uuid default gen_random_uuid(), p_event text default null, p_params jsonb default '{}'
) returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  insert into private.outgoing_mail (id, recipient, subject, html, about, unsubscribe_path, next_attempt_at, event, params)
  values (p_id, p_recipient, left(regexp_replace(p_subject, '[[:cntrl:]]+', ' ', 'g'), 200), p_html, p_about,
    p_unsubscribe_path, clock_timestamp() + p_wait, p_event, p_params);
end $$;

-- Drops unsent mail about this.
create function private.call_back_mail(p_about text) returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  -- A locked mail is being dropped or handed out elsewhere; waiting for it could deadlock.
  delete from private.outgoing_mail where id in (
    select id from private.outgoing_mail
    where about @> array[p_about] and sent_at is null and given_up_at is null
    for update skip locked
  );
end $$;

-- Wakes the sender; it hears the notification after the commit.
create function private.tg_outgoing_mail__wake() returns trigger
language plpgsql volatile set search_path = '' as $$
begin
  perform pg_notify('outgoing_mail', '');
  return null;
end $$;
create trigger wake after insert on private.outgoing_mail
  for each statement execute function private.tg_outgoing_mail__wake();

-- How often a mail is tried before it is given up.
create function private.mail_attempts() returns integer
language sql immutable set search_path = '' as $$ select 8 $$;

-- Hands out up to p_limit due mails. Each goes to one caller, who has 5 minutes to settle it.
create function private.take_due_mails(p_limit integer)
returns table (id uuid, attempt integer, recipient text, subject text, html text, unsubscribe_path text)
language plpgsql volatile security definer set search_path = '' as $$
declare v_now timestamptz := clock_timestamp();
begin
  -- The last attempt never reported back.
  update private.outgoing_mail as m set given_up_at = v_now, html = null
  where m.attempts >= private.mail_attempts() and m.next_attempt_at <= v_now and m.sent_at is null and m.given_up_at is null;
  return query
    with due as materialized (
      select m.id from private.outgoing_mail as m
      where m.next_attempt_at <= v_now and m.sent_at is null and m.given_up_at is null
      order by m.next_attempt_at limit p_limit for update skip locked
    )
    update private.outgoing_mail as m set attempts = m.attempts + 1, next_attempt_at = v_now + interval '5 minutes'
    from due where m.id = due.id
    returning m.id, m.attempts, m.recipient, m.subject, m.html, m.unsubscribe_path;
end $$;

-- Records how attempt p_attempt went: sent when p_error is null, otherwise retried after 1, 4, 16 … minutes, at most 6 hours,
-- unless p_is_final or it was the last. A failure is ignored once a later attempt has taken over.
create function private.settle_mail(p_id uuid, p_attempt integer, p_error text, p_is_final boolean) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_now timestamptz := clock_timestamp();
  v_over boolean := p_error is null or p_is_final or p_attempt >= private.mail_attempts();
begin
  update private.outgoing_mail set
    sent_at = case when p_error is null then v_now end,
    given_up_at = case when p_error is not null and v_over then v_now end,
    next_attempt_at = v_now + least(interval '6 hours', interval '1 minute' * power(4, p_attempt - 1)),
    last_error = left(p_error, 500),
    html = case when not v_over then html end
  where id = p_id and sent_at is null and given_up_at is null and (attempts = p_attempt or p_error is null);
end $$;

revoke all on private.outgoing_mail from public, anon, authenticated, service_role;

-- Both for a sender without a database connection: the Edge Function `mail`.
select private.publish('take_due_mails', 'service_role');
select private.publish('settle_mail', 'service_role');

-- common/time.sql
-- Time for periods: a clock that tests and the simulation can move, each person's time zone, and where months end.

-- If nobody looks for due work for this long, deadlines move by the length of the gap.
create function private.longest_gap() returns interval
language sql immutable return interval '1 hour';

-- How far the periods' clock is ahead of the database's; always zero where others can reach the site.
create table private.clock (
  id boolean primary key default true check (id),
  ahead interval not null default '0',
  -- When due work was last looked for, by the database's own clock, so that moving ours is no gap. Null before the first time.
  beat_at timestamptz
);
insert into private.clock default values;
alter table private.clock enable row level security;

-- The length of a gap in which nothing ran and which the clock has not noticed yet (clock.sql); otherwise zero.
create function private.unnoticed_gap() returns interval
language plpgsql stable security definer set search_path = '' as $$
begin
  return coalesce((select now() - beat_at from private.clock where beat_at < now() - private.longest_gap()), '0');
end $$;

-- The current time for everything about seats and periods.
create function private.now() returns timestamptz
language plpgsql stable security definer set search_path = '' as $$
begin
  return now() + coalesce((select ahead from private.clock), '0');
end $$;

-- Moves that clock, forward only, and returns the new time. For the server itself, where nobody else can reach it.
create function private.move_clock(p_by interval) returns timestamptz
language plpgsql volatile security definer set search_path = '' as $$
begin
  if not private.is_sheltered() then
    raise exception 'The clock stays as it is where others can reach the site' using errcode = '42501';
  elsif p_by is null or p_by < '0' or p_by > interval '10 years' then
    raise exception 'The clock moves forward, by ten years at most' using errcode = '23514';
  end if;
  update private.clock set ahead = ahead + p_by;
  return private.now();
end $$;
select private.publish('move_clock', 'service_role');

-- A person's time zone, as their browser reports it. Only they can read it; without a row it is UTC.
create table private.time_zones (
  user_id uuid primary key references public.user_profiles (user_id) on delete cascade,
  zone text not null
);
alter table private.time_zones enable row level security;

create function private.zone_of(p_user_id uuid) returns text
language plpgsql stable security definer set search_path = '' as $$
begin
  return coalesce((select zone from private.time_zones where user_id = p_user_id), 'UTC');
end $$;

create function private.my_time_zone() returns text
language sql stable security definer set search_path = '' as $$
  select zone from private.time_zones where user_id = private.require_user()
$$;
select private.publish('my_time_zone', 'authenticated');

-- Records the acting user's zone, for periods that begin from now on.
create function private.set_time_zone(p_zone text) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare v_user uuid := private.require_user();
begin
  if (p_zone ~ '^[A-Z][A-Za-z0-9_+-]*(/[A-Za-z0-9_+-]+){0,2}$' and exists (select from pg_timezone_names where name = p_zone)) is not true then
    raise exception 'This time zone is not known' using errcode = '23514';
  end if;
  perform private.ensure_profile(v_user);
  insert into private.time_zones (user_id, zone) values (v_user, p_zone)
  on conflict (user_id) do update set zone = excluded.zone where time_zones.zone <> excluded.zone;
end $$;
select private.publish('set_time_zone', 'authenticated');

-- The calendar day of a moment in a zone.
create function private.day_in(p_at timestamptz, p_zone text) returns date
language plpgsql stable set search_path = '' as $$
begin
  return (p_at at time zone p_zone)::date;
end $$;

-- When the p_number-th month after a day ends: at midnight in the zone, on the same day of the month or its last one.
create function private.period_end(p_day date, p_number integer, p_zone text) returns timestamptz
language plpgsql stable set search_path = '' as $$
begin
  return (p_day + make_interval(months => p_number)) at time zone p_zone;
end $$;

-- The p_number-th of twelve parts of a year's price, starting over every year; the parts add up to the cent.
create function private.instalment(p_year numeric, p_number integer) returns numeric
language plpgsql immutable set search_path = '' as $$
begin
  return (
    select round(p_year * k / 12, 2) - round(p_year * (k - 1) / 12, 2) from (values ((p_number - 1) % 12 + 1)) as part (k)
  );
end $$;

-- The price of a seat's p_number-th period. Direct payments carry no fee. For a yearly plan the share and the total are divided
-- and the fee is the difference; a fee below one cent a month is divided itself, as the total could round below the share.
create function private.period_price(
  p_settlement text, p_billing_cycle text, p_share numeric, p_fee_rate numeric, p_number integer, out share numeric, out fee numeric
)
language plpgsql immutable set search_path = '' as $$
declare v_whole numeric := private.with_fee(p_share, p_fee_rate);
begin
  share := p_share;
  fee := v_whole - p_share;
  if p_billing_cycle = 'yearly' then
    share := private.instalment(p_share, p_number);
    fee := case when fee < 0.12 then private.instalment(fee, p_number) else private.instalment(v_whole, p_number) - share end;
  end if;
  if p_settlement = 'direct' then
    fee := 0.00;
  end if;
end $$;

revoke all on private.clock, private.time_zones from public, anon, authenticated, service_role;

-- money/bank_accounts.sql
-- How long withdrawals to a new bank account wait.
create function private.payout_delay() returns interval
language sql immutable return interval '24 hours';

-- A person's bank account: IBAN and holder, sealed by the function `vault`. A change adds a row, so a withdrawal goes where it
-- was asked to go; the newest row that was not taken back is the current account.
create table private.bank_accounts (
  id uuid primary key,
  user_id uuid not null references public.user_profiles (user_id) on delete cascade,
  version integer not null check (version > 0),
  last4 text not null check (last4 ~ '^[0-9A-Z]{4}$'),
  sealed text not null check (char_length(sealed) between 1 and 1000),
  created_at timestamptz not null default private.now(),
  taken_back_at timestamptz,
  unique (user_id, version)
);
alter table private.bank_accounts enable row level security;

create function private.current_bank_account(p_user_id uuid) returns private.bank_accounts
language plpgsql stable security definer set search_path = '' as $$
begin
  return (
    select a from private.bank_accounts as a where user_id = p_user_id and taken_back_at is null order by version desc limit 1
  );
end $$;

create function private.has_bank_account(p_user_id uuid) returns boolean
language sql stable security definer set search_path = '' as $$
  select exists (select from private.bank_accounts where user_id = p_user_id and taken_back_at is null)
$$;

-- When withdrawals to it may be paid: until then a thief's change can still be undone.
create function private.payable_from(p_account private.bank_accounts) returns timestamptz
language sql stable
return p_account.created_at + private.payout_delay();

-- The acting user's bank account, as shown to them, or null.
create function private.get_bank_account() returns jsonb
language sql stable security definer set search_path = '' as $$
  select jsonb_build_object('last4', a.last4, 'added_at', a.created_at, 'payable_from', private.payable_from(a))
  from private.current_bank_account(private.require_user()) as a where a.id is not null
$$;
select private.publish('get_bank_account', 'authenticated');

-- What the function `vault` needs to seal the acting user's next bank account.
create function private.prepare_bank_account() returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare v_user uuid := private.require_user();
begin
  perform private.require_recent_proof();
  return jsonb_build_object('owner', jsonb_build_object('kind', 'person', 'id', v_user),
    'version', coalesce((select max(version) from private.bank_accounts where user_id = v_user), 0) + 1,
    'key', private.vault_key_of(v_user));
end $$;
select private.publish('prepare_bank_account', 'authenticated');

-- Stores the acting user's bank account as sealed by the function `vault`, and the first data key if it made one.
create function private.save_bank_account(p_id uuid, p_version integer, p_last4 text, p_sealed text, p_key jsonb)
returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare v_user uuid := private.require_user();
begin
  perform private.require_recent_proof();
  perform private.ensure_profile(v_user);
  if p_key is not null then
    perform private.keep_vault_key(p_key);
  end if;
  insert into private.bank_accounts (id, user_id, version, last4, sealed)
  values (p_id, v_user, p_version, p_last4, p_sealed) on conflict do nothing;
  if not found then
    raise exception 'Something else was stored at the same moment. Please try again.' using errcode = 'PT409';
  end if;
  return private.get_bank_account();
end $$;
select private.publish('save_bank_account', 'authenticated');

create function private.tg_bank_accounts__tell_change() returns trigger
language plpgsql volatile security definer set search_path = '' as $$
begin
  perform private.note_account_change(new.user_id, 'bank-account', private.email_of(new.user_id), new.id);
  return null;
end $$;
create trigger tell_change after insert on private.bank_accounts
  for each row execute function private.tg_bank_accounts__tell_change();

-- Undoes an account change: the previous account is current again, and withdrawals to this one that are in no payment file yet
-- are rejected. No person decides about these: the link in the mail does, whoever is signed in where it is opened.
create function private.take_back_bank_account(p_id uuid) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare v_claims text := coalesce(current_setting('request.jwt.claims', true), '');
begin
  perform set_config('request.jwt.claims', '', true);
  update private.bank_accounts set taken_back_at = private.now() where id = p_id;
  update public.withdrawal_requests set status = 'rejected', rejection_reason = 'The bank account was taken back.'
  where bank_account_id = p_id and status in ('pending', 'processing') and private.payout_file_of(id) is null;
  perform set_config('request.jwt.claims', v_claims, true);
end $$;

-- people/blocks.sql
-- Who has blocked whom. Between the two there are no requests, invitations or messages, in either direction; a place one
-- already has with the other goes on. The blocked person is not told, and cannot find the other or what they share, except for
-- such a place.
create table public.blocked_people (
  user_id uuid not null references public.user_profiles (user_id) on delete cascade,
  blocked_id uuid not null references public.user_profiles (user_id) on delete cascade,
  blocked_at timestamptz not null default now(),
  primary key (user_id, blocked_id),
  check (user_id <> blocked_id)
);
create index blocked_people_blocked_idx on public.blocked_people (blocked_id);
alter table public.blocked_people enable row level security;
create policy "People see whom they have blocked" on public.blocked_people
  for select to authenticated using (user_id = (select auth.uid()));

-- Who has blocked the acting user. Whatever shows or counts people and plans leaves these out.
create function private.blocked_by() returns uuid[]
language plpgsql stable security definer set search_path = '' as $$
begin
  return array(select user_id from public.blocked_people where blocked_id = auth.uid());
end $$;

-- Refuses dealings with people the acting user has blocked and, without revealing why, with people who have blocked them.
create function private.require_unblocked(p_other uuid, p_refusal text) returns void
language plpgsql stable security definer set search_path = '' as $$
begin
  if exists (select from public.blocked_people where user_id = auth.uid() and blocked_id = p_other) then
    raise exception 'You have blocked this person. Unblock them in your account settings first.' using errcode = '23514';
  elsif exists (select from public.blocked_people where user_id = p_other and blocked_id = auth.uid()) then
    raise exception '%', p_refusal using errcode = '23514';
  end if;
end $$;

-- The same for a banned account, in the same words, so that a ban and a block cannot be told apart.
create function private.require_reachable(p_other uuid, p_refusal text) returns void
language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_unblocked(p_other, p_refusal);
  if exists (select from auth.users where id = p_other and banned_until > now()) then
    raise exception '%', p_refusal using errcode = '23514';
  end if;
end $$;

-- Blocks somebody, and ends what is open between the two in the caller's name: requests are cancelled or rejected, questions
-- closed, waiting list entries given up, invitations declined or withdrawn. Alerts about their unread messages are dropped.
create function private.block_person(p_person_id uuid) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare v_user uuid := private.require_user();
begin
  if p_person_id = v_user then
    raise exception 'You cannot block yourself' using errcode = '23514';
  elsif not exists (select from public.user_profiles where user_id = p_person_id and deleted_at is null) then
    raise exception 'Person not found' using errcode = 'PT404';
  end if;
  perform private.ensure_profile(v_user);
  -- Waits for anybody deciding about these plans right now.
  perform from public.shared_subscriptions where owner_id in (v_user, p_person_id) order by id for no key update;
  insert into public.blocked_people (user_id, blocked_id) values (v_user, p_person_id) on conflict do nothing;
  update public.subscription_requests as r set status = 'cancelled'
  where r.owner_id = p_person_id and r.user_id = v_user and private.is_open_request(r);
  perform private.reject_subscription_request(r.id, r.subscription_id)
  from public.subscription_requests as r
  where r.owner_id = v_user and r.user_id = p_person_id and private.is_open_request(r);
  update public.conversations set archived = true, question_until = null
  where question_until is not null and (owner_id, member_id) in ((v_user, p_person_id), (p_person_id, v_user));
  perform private.call_back_chat(r.id)
  from public.chat_participants as r join public.conversations as c on c.id = r.conversation_id
  where (c.owner_id, c.member_id) in ((v_user, p_person_id), (p_person_id, v_user));
  perform private.step_out_of_line(w.subscription_id, w.user_id)
  from public.waiting_list as w join public.shared_subscriptions as p on p.id = w.subscription_id
  where (p.owner_id, w.user_id) in ((v_user, p_person_id), (p_person_id, v_user));
  perform private.decline(i.id)
  from public.subscription_invitations as i join public.shared_subscriptions as p on p.id = i.subscription_id
  where p.owner_id = p_person_id and i.email = private.my_email() and private.invitation_status(i) = 'open';
  perform private.withdraw_invitation(i.id)
  from public.subscription_invitations as i join public.shared_subscriptions as p on p.id = i.subscription_id
  where p.owner_id = v_user and i.email = lower(private.email_of(p_person_id)) and private.invitation_status(i) = 'open';
end $$;
select private.publish('block_person', 'authenticated');

create function private.unblock_person(p_person_id uuid) returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  delete from public.blocked_people where user_id = private.require_user() and blocked_id = p_person_id;
end $$;
select private.publish('unblock_person', 'authenticated');

revoke all on public.blocked_people from public, anon, authenticated;
grant select on public.blocked_people to authenticated;
grant all on public.blocked_people to service_role;
grant execute on function private.blocked_by() to authenticated;

-- people/person_reports.sql
-- Reports about people, for staff. The person reported is not told, and blocking the reporter does not prevent a report.
create table private.person_reports (
  id uuid primary key default gen_random_uuid(),
  person_id uuid not null references public.user_profiles (user_id) on delete cascade,
  -- Null once the reporter's account is deleted.
  reporter_id uuid references public.user_profiles (user_id) on delete set null,
  reason text not null,
  reported_at timestamptz not null default private.now(),
  decided_at timestamptz,
  -- What staff found, for the staff log.
  finding text,
  check ((decided_at is null) = (finding is null))
);
create unique index person_reports_one_open_key on private.person_reports (person_id, reporter_id) where decided_at is null;
create index person_reports_person_idx on private.person_reports (person_id);
create index person_reports_reporter_idx on private.person_reports (reporter_id);
create index person_reports_open_idx on private.person_reports (reported_at) where decided_at is null;
alter table private.person_reports enable row level security;

create function private.report_person(p_person_id uuid, p_reason text) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare v_user uuid := private.require_user();
begin
  if p_person_id = v_user then
    raise exception 'You cannot report yourself' using errcode = '23514';
  elsif not exists (select from public.user_profiles where user_id = p_person_id and deleted_at is null) then
    raise exception 'Person not found' using errcode = 'PT404';
  end if;
  perform private.spend_attempt('person report');
  perform private.ensure_profile(v_user);
  insert into private.person_reports (person_id, reporter_id, reason)
  values (p_person_id, v_user, private.review_text(p_reason, true))
  on conflict (person_id, reporter_id) where decided_at is null do nothing;
  if not found then
    raise exception 'You have reported this person already. Staff will look at it.' using errcode = '23505';
  end if;
end $$;
select private.publish('report_person', 'authenticated');

create function private.require_report_judge() returns uuid
language plpgsql stable set search_path = '' as $$
declare v_user uuid := private.require_user();
begin
  if not private.may('subscriptions.approve') then
    raise exception 'Only staff looks at reports' using errcode = '42501';
  end if;
  return v_user;
end $$;

-- Reports that await staff, oldest first, or closed ones, latest first; optionally only those about or by one person. Nobody
-- sees reports they wrote, or those about themselves.
create function private.list_person_reports(p_closed boolean default false, p_person uuid default null)
returns table (
  id uuid, person_id uuid, person_name text, avatar_url text, reporter_id uuid, reporter_name text, reason text,
  reported_at timestamptz, decided_at timestamptz, finding text
)
language plpgsql stable security definer set search_path = '' as $$
declare v_user uuid := private.require_report_judge();
begin
  return query
    select r.id, person.user_id, person.display_name, person.avatar_url, reporter.user_id, reporter.display_name, r.reason, r.reported_at,
      r.decided_at, r.finding
    from private.person_reports as r
    join public.user_profiles as person on person.user_id = r.person_id
    left join public.user_profiles as reporter on reporter.user_id = r.reporter_id
    where (r.decided_at is not null) = p_closed and r.person_id <> v_user and r.reporter_id is distinct from v_user
      and (p_person is null or p_person in (r.person_id, r.reporter_id))
    order by r.decided_at desc, r.reported_at, r.id limit 100;
end $$;
select private.publish('list_person_reports', 'authenticated');

-- Closes a report with what staff found, and tells the reporter that it has been looked at.
create function private.close_person_report(p_report_id uuid, p_finding text) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_user uuid := private.require_report_judge();
  v_report private.person_reports;
begin
  select * into v_report from private.person_reports where id = p_report_id and decided_at is null for update;
  if not found then
    raise exception 'Report not found' using errcode = 'PT404';
  elsif v_user in (v_report.person_id, v_report.reporter_id) then
    raise exception 'Someone else looks at reports that are yours or about you' using errcode = '42501';
  end if;
  update private.person_reports set decided_at = private.now(), finding = private.review_text(p_finding, true) where id = v_report.id;
  if v_report.reporter_id is not null then
    perform private.notify(v_report.reporter_id, 'info', 'Your Report Was Read',
      format('Staff has looked at what you reported about %s.',
        (select display_name from public.user_profiles where user_id = v_report.person_id)), null, 'report-read', '{}');
  end if;
end $$;
select private.publish('close_person_report', 'authenticated');

revoke all on private.person_reports from public, anon, authenticated, service_role;

-- plans/plans.sql
-- A plan its owner shares. The catalogue fixes what it is and costs; the owner chooses how many places to open and when it
-- renews. Every maximum and current_members count the owner.
create table public.shared_subscriptions (
  id text primary key check (id ~ '^sub-[0-9a-z-]{1,60}$'),
  catalogue_plan_id text not null,
  name text not null check (name <> ''),
  provider text not null check (provider <> ''),
  description text not null default '',
  category text not null check (category in ('streaming', 'music', 'gaming', 'productivity', 'security', 'other')),
  logo text,
  total_price numeric(12, 2) not null check (total_price >= 0),
  member_price numeric(12, 2) not null check (member_price >= 0),
  currency text not null default 'EUR' check (currency = 'EUR'),
  billing_cycle text not null check (billing_cycle in ('monthly', 'yearly')),
  max_members integer not null check (max_members >= 2),
  owner_max_members integer not null default 4 check (owner_max_members >= 1),
  provider_max_members integer not null,
  current_members integer not null check (current_members >= 1),
  is_full boolean not null generated always as (current_members >= owner_max_members) stored,
  -- Places kept for invitations, offers and requests for an offered place; stored, so that viewers see it change.
  kept_places integer not null default 0 check (kept_places >= 0),
  -- How many people are waiting, so that everybody who waits sees the line move.
  waiting integer not null default 0 check (waiting >= 0),
  owner_id uuid not null references public.user_profiles (user_id) on delete cascade,
  owner text not null,
  status text not null check (status in ('active', 'pending', 'rejected')),
  next_payment date,
  -- How members pay: the owner directly, or through the site, which holds the money until it is earned.
  settlement text not null default 'direct' check (settlement in ('direct', 'potluck')),
  -- Found only by its link.
  is_private boolean not null default false,
  -- The level of standing from which people are let in at once if they can pay; null if the owner answers every request.
  instant_from text check (instant_from in ('new', 'proven', 'trusted')),
  -- The convenience fee when the plan was shared, so that later changes move nobody's price.
  fee_rate numeric not null check (fee_rate between 0 and 1),
  -- The monthly cost of a place in EUR, with the fee; a yearly price is spread over its months.
  monthly_cost numeric(12, 2) not null generated always as (round(
    case settlement when 'potluck' then private.with_fee(member_price, fee_rate) else member_price end
      / case billing_cycle when 'yearly' then 12 else 1 end, 2)) stored,
  created_at timestamptz not null default now(),
  constraint one_maximum check (provider_max_members = max_members),
  constraint places_within_provider_maximum check (owner_max_members <= provider_max_members),
  constraint members_within_places check (current_members <= owner_max_members),
  constraint instant_is_paid_through_the_site check (instant_from is null or settlement = 'potluck'),
  constraint one_plan_per_provider_and_owner unique (owner_id, provider)
);
create index shared_subscriptions_newest_idx on public.shared_subscriptions (status, created_at desc, id desc);
-- For browsing: first the plans with a place, then the others.
create index shared_subscriptions_all_idx on public.shared_subscriptions (is_full, created_at desc, id desc) where status = 'active';
create index shared_subscriptions_provider_idx on public.shared_subscriptions (provider, is_full, created_at desc, id desc) where status = 'active';
create index shared_subscriptions_category_idx on public.shared_subscriptions (category, is_full, created_at desc, id desc) where status = 'active';
create index shared_subscriptions_instant_idx on public.shared_subscriptions (is_full, created_at desc, id desc)
  where status = 'active' and instant_from is not null;
create index shared_subscriptions_keeping_idx on public.shared_subscriptions (id) where kept_places > 0 or waiting > 0;
alter table public.shared_subscriptions enable row level security;
select private.send_changes('shared_subscriptions');

-- Is the acting user this plan's owner? Policies call this, so it bypasses them.
create function private.is_plan_owner(p_subscription_id text) returns boolean
language plpgsql stable security definer set search_path = '' as $$
begin
  return exists (select from public.shared_subscriptions where id = p_subscription_id and owner_id = auth.uid());
end $$;

-- A plan id that stays unique when two plans are created in the same millisecond.
create function private.new_plan_id() returns text
language sql volatile
return 'sub-' || (extract(epoch from clock_timestamp()) * 1000)::bigint || '-' || left(replace(gen_random_uuid()::text, '-', ''), 10);

-- The earliest day that is still today anywhere: clocks are at most twelve hours behind UTC. The database does not know where a
-- person is, so it refuses only days that are over everywhere; the screen uses the person's calendar.
create function private.earliest_today(p_now timestamptz) returns date
language sql immutable set search_path = '' as $$ select (p_now at time zone 'utc' - interval '12 hours')::date $$;

-- Refuses a renewal date that is missing, over, or too far ahead; today is fine, wherever the person is.
create function private.require_renewal_date(p_date date) returns void
language plpgsql stable set search_path = '' as $$
begin
  if p_date is null or p_date > current_date + 3660 then
    raise exception 'Please enter next renewal date.' using errcode = '23514';
  elsif p_date < private.earliest_today(now()) then
    raise exception 'Renewal date cannot be in the past.' using errcode = '23514';
  end if;
end $$;

-- Refuses payment through the site if it has no provider, or if the amount is too small for a card.
create function private.require_settlement(p_settlement text, p_billing_cycle text, p_share numeric, p_fee_rate numeric) returns void
language plpgsql stable set search_path = '' as $$
begin
  if p_settlement is distinct from 'potluck' then return; end if;
  if auth.uid() is not null and private.payment_provider() is null then
    raise exception 'This site takes no payments, so members pay you directly' using errcode = '23514';
  end if;
  -- No instalment is smaller than a twelfth, rounded down.
  if trunc(private.with_fee(p_share, p_fee_rate) / (case p_billing_cycle when 'yearly' then 12 else 1 end), 2) < private.least_sum() then
    raise exception 'Less than €% a month is too little for a card, so members pay you directly', private.least_sum()
      using errcode = '23514';
  end if;
end $$;

-- Turns what a client sends into a catalogue plan: fills in what the database decides, and refuses what contradicts it.
create function private.tg_shared_subscriptions__fill() returns trigger
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_user uuid := auth.uid();
  v_plan private.catalogue_plan;
  v_status text := case when (select review_new_plans from public.app_settings) then 'pending' else 'active' end;
begin
  -- Data loaded by the server itself (nobody signed in) keeps its times and owner.
  if v_user is not null then
    if new.owner_id is distinct from v_user and new.owner_id is not null then
      raise exception 'You can only share a plan in your own name' using errcode = '42501';
    end if;
    perform private.spend_attempt('plan creation');
    new.owner_id := v_user;
    new.id := private.new_plan_id();
    new.created_at := clock_timestamp();
    if new.status <> v_status then
      raise exception 'Only staff reviews plans' using errcode = '42501';
    end if;
    new.status := v_status;
    if new.fee_rate <> private.fee_rate() then
      raise exception 'The fee is % percent now. Please look at what members pay once more.', trim_scale(private.fee_rate() * 100)
        using errcode = '23514';
    end if;
    perform private.require_renewal_date(new.next_payment);
  end if;
  if new.current_members <> 1 or new.kept_places <> 0 or new.waiting <> 0 then
    raise exception 'A new plan has one member, its owner' using errcode = '23514';
  end if;
  new.status := coalesce(new.status, 'active');
  perform private.ensure_profile(new.owner_id);
  new.id := coalesce(new.id, private.new_plan_id());
  new.current_members := 1;
  new.owner := coalesce(nullif(split_part(private.email_of(new.owner_id), '@', 1), ''), 'Unknown');

  v_plan := private.find_catalogue_plan(new.catalogue_plan_id, new.provider, new.name);
  if v_plan.id is null then
    raise exception 'This plan is not in the catalogue' using errcode = '23514';
  end if;
  if v_user is not null then
    perform private.require_offered(v_plan.provider);
  end if;
  if v_plan.max_members < 2 then
    raise exception 'This plan cannot be shared' using errcode = '23514';
  end if;
  if new.total_price <> round(v_plan.price, 2) or new.provider <> v_plan.provider or new.name <> v_plan.name
    or new.billing_cycle <> v_plan.billing_cycle or new.max_members <> v_plan.max_members
    or new.member_price <> round(v_plan.price / v_plan.max_members, 2) then
    raise exception 'The price and terms of a plan are fixed by its provider' using errcode = '23514';
  end if;
  if new.owner_max_members is null or new.owner_max_members < 2 or new.owner_max_members > v_plan.max_members then
    raise exception 'Open slots must be between 1 and %.', v_plan.max_members - 1 using errcode = '23514';
  end if;
  if exists (select 1 from public.shared_subscriptions where owner_id = new.owner_id and provider = v_plan.provider) then
    raise exception 'Each user can only share one plan per service provider.' using errcode = '23505';
  end if;

  new.catalogue_plan_id := v_plan.id;
  new.provider := v_plan.provider;
  new.name := v_plan.name;
  new.category := v_plan.category;
  new.description := v_plan.description;
  new.logo := v_plan.logo;
  new.total_price := round(v_plan.price, 2);
  new.member_price := round(v_plan.price / v_plan.max_members, 2);
  new.currency := 'EUR';
  new.billing_cycle := v_plan.billing_cycle;
  new.max_members := v_plan.max_members;
  new.provider_max_members := v_plan.max_members;
  new.fee_rate := coalesce(new.fee_rate, private.fee_rate());
  perform private.require_settlement(new.settlement, new.billing_cycle, new.member_price, new.fee_rate);
  return new;
end $$;
create trigger fill before insert on public.shared_subscriptions
  for each row execute function private.tg_shared_subscriptions__fill();

-- Checks changes to places, renewal date, visibility and who is let in at once.
create function private.tg_shared_subscriptions__guard() returns trigger
language plpgsql volatile security definer set search_path = '' as $$
begin
  perform private.spend_attempt('owner action');
  if new.owner_max_members is distinct from old.owner_max_members then
    if new.owner_max_members is null or new.owner_max_members < old.current_members then
      raise exception 'Cannot set less than % members (already joined).', old.current_members using errcode = '23514';
    elsif new.owner_max_members > old.provider_max_members then
      raise exception 'Cannot exceed provider''s maximum limit of % members.', old.provider_max_members using errcode = '23514';
    end if;
  end if;
  if new.next_payment is distinct from old.next_payment then
    perform private.require_renewal_date(new.next_payment);
  end if;
  return new;
end $$;
create trigger guard before update of owner_max_members, next_payment, is_private, instant_from on public.shared_subscriptions
  for each row execute function private.tg_shared_subscriptions__guard();

-- Keeps the fee of a plan when the rest of it changes.
create function private.tg_shared_subscriptions__keep_fee() returns trigger
language plpgsql volatile set search_path = '' as $$
begin
  raise exception 'A plan keeps the fee it was shared with' using errcode = '42501';
end $$;
create trigger keep_fee before update of fee_rate on public.shared_subscriptions
  for each row when (new.fee_rate is distinct from old.fee_rate) execute function private.tg_shared_subscriptions__keep_fee();

create function private.tg_shared_subscriptions__limit() returns trigger
language plpgsql volatile security definer set search_path = '' as $$
begin
  perform private.spend_attempt('owner action');
  return old;
end $$;
create trigger limit_cancelling before delete on public.shared_subscriptions
  for each row when (pg_trigger_depth() = 0) execute function private.tg_shared_subscriptions__limit();

create function public.is_subscription_owner(subscription_id_param text) returns boolean
language sql stable set search_path = '' as $$ select private.is_plan_owner(subscription_id_param) $$;
select private.publish('is_subscription_owner', 'authenticated');

create policy "People share plans in their own name" on public.shared_subscriptions
  for insert to authenticated with check (owner_id = (select auth.uid()));
create policy "Owners change their plans" on public.shared_subscriptions
  for update to authenticated using (owner_id = (select auth.uid())) with check (owner_id = (select auth.uid()));
create policy "Owners cancel their plans" on public.shared_subscriptions
  for delete to authenticated using (owner_id = (select auth.uid()));

revoke all on public.shared_subscriptions from public, anon, authenticated;
grant select, delete on public.shared_subscriptions to authenticated;
grant insert on public.shared_subscriptions to authenticated;
grant update (owner_max_members, next_payment, is_private, instant_from) on public.shared_subscriptions to authenticated;
grant all on public.shared_subscriptions to service_role;
grant execute on function private.is_plan_owner(text) to authenticated;
-- The cost is computed with the writer's rights.
grant execute on function private.with_fee(numeric, numeric) to authenticated, service_role;

-- staff/dashboard.sql
-- The first page of the administration.

-- When the number of active plans went up or down by one. Deleted plans leave no row of their own, but past counts include
-- them. Append-only, so that nobody waits for a lock.
create table private.active_plan_changes (
  id uuid primary key default gen_random_uuid(),
  at timestamptz not null,
  change smallint not null check (change in (-1, 1))
);
create index active_plan_changes_at_idx on private.active_plan_changes (at);
alter table private.active_plan_changes enable row level security;

create function private.tg_shared_subscriptions__log() returns trigger
language plpgsql volatile security definer set search_path = '' as $$
begin
  if tg_op <> 'INSERT' and old.status = 'active' then
    insert into private.active_plan_changes (at, change) values (now(), -1);
  end if;
  if tg_op <> 'DELETE' and new.status = 'active' then
    insert into private.active_plan_changes (at, change)
    values (case tg_op when 'INSERT' then new.created_at else now() end, 1);
  end if;
  return null;
end $$;
create trigger log after insert or delete on public.shared_subscriptions
  for each row execute function private.tg_shared_subscriptions__log();
create trigger log_status after update on public.shared_subscriptions
  for each row when ((old.status = 'active') is distinct from (new.status = 'active'))
  execute function private.tg_shared_subscriptions__log();

-- Every figure of the dashboard, and as `_before` its value at the start of the month, in UTC. Fees, in euros, are for admins;
-- moderators see no money and get null. Staff only.
create function private.get_admin_dashboard()
returns table (
  active_plans integer, active_plans_before integer, revenue numeric, revenue_before numeric,
  users integer, users_before integer, active_users integer, admins integer
)
language plpgsql stable security definer set search_path = '' as $$
declare v_month timestamptz := date_trunc('month', now() at time zone 'utc') at time zone 'utc';
begin
  perform private.require_user();
  if not private.is_staff() then
    raise exception 'Only staff sees the figures of the site' using errcode = '42501';
  end if;
  select coalesce(sum(c.plans), 0) into active_plans from private.plan_counts as c;
  select active_plans - coalesce(sum(l.change), 0) into active_plans_before
  from private.active_plan_changes as l where l.at >= v_month;
  if private.may('users.edit') and private.may_act_as_staff() then
    select a.balance, coalesce((
        select e.balance_after from private.ledger_entries as e where e.account_id = a.id and e.created_at < v_month
        order by e.created_at desc, e.version desc limit 1), 0)
    into revenue, revenue_before from private.ledger_accounts as a where a.kind = 'fees';
  end if;
  select count(*), count(*) filter (where u.created_at < v_month),
    count(*) filter (where u.last_sign_in_at >= now() - interval '30 days')
  into users, users_before, active_users from auth.users as u where u.deleted_at is null;
  select count(*) into admins from public.user_roles as r join auth.users as u on u.id = r.user_id
  where r.role in ('admin', 'super-admin') and u.deleted_at is null;
  return next;
end $$;
select private.publish('get_admin_dashboard', 'authenticated');

-- The site's history by weeks or months of UTC, at most twelve and none before the first account: people who came and are still
-- here, plans and places at the end, what was paid through the site, and its fees less those returned. Money, in euros, is for
-- admins. The last period is still running.
create function private.site_series(p_step text)
returns table (starts_on date, people bigint, plans bigint, places bigint, paid numeric, fees numeric)
language plpgsql stable security definer set search_path = '' as $$
declare
  v_step interval := case p_step when 'week' then interval '1 week' when 'month' then interval '1 month' end;
  v_last timestamp := date_trunc(p_step, private.now() at time zone 'utc');
  v_first timestamp := (select date_trunc(p_step, min(u.created_at) at time zone 'utc') from auth.users as u);
  v_money boolean := private.may('users.edit') and private.may_act_as_staff();
begin
  perform private.require_user();
  if not private.is_staff() then
    raise exception 'Only staff sees the figures of the site' using errcode = '42501';
  elsif v_step is null then
    raise exception 'Figures go by the week or by the month' using errcode = '23514';
  end if;
  return query
  select s.start::date,
    (select count(*) from auth.users as u where u.deleted_at is null and u.created_at >= s.since and u.created_at < s.until),
    (select coalesce(sum(c.plans), 0)::bigint from private.plan_counts as c)
      - (select coalesce(sum(l.change), 0) from private.active_plan_changes as l where l.at >= s.until),
    (select count(*) from private.seats as seat
      where seat.admitted_at < s.until and coalesce(seat.ended_at >= s.until, true)),
    case when v_money then (select coalesce(sum(t.amount), 0) from private.ledger_transfers as t
      where t.kind = 'payment' and t.created_at >= s.since and t.created_at < s.until) end,
    case when v_money then (select coalesce(sum(e.amount), 0) from private.ledger_entries as e
      join private.ledger_accounts as a on a.id = e.account_id and a.kind = 'fees'
      where e.created_at >= s.since and e.created_at < s.until) end
  from generate_series(greatest(v_first, v_last - 11 * v_step), v_last, v_step) as step (start)
  cross join lateral (
    select step.start, step.start at time zone 'utc' as since, (step.start + v_step) at time zone 'utc' as until
  ) as s
  order by s.start;
end $$;
select private.publish('site_series', 'authenticated');

revoke all on private.active_plan_changes from public, anon, authenticated, service_role;

-- staff/plan_review.sql
-- What staff sees and decides about shared plans. It opens no plan to them: members, login and chats stay private.

create function private.require_plan_reviewer() returns uuid
language plpgsql stable set search_path = '' as $$
declare v_user uuid := private.require_user();
begin
  if not private.may('subscriptions.approve') then
    raise exception 'Only staff reviews plans' using errcode = '42501';
  end if;
  return v_user;
end $$;

-- Plans of one status, or with 'all' every plan, optionally of one owner; newest first, at most 100. A page continues after the
-- time and id of the last plan. Prices are in EUR for the whole plan and one billing cycle; members include the owner.
create function private.list_plans_for_review(
  p_status text default 'all',
  p_before timestamptz default 'infinity',
  p_before_id text default '',
  p_limit integer default 20,
  p_owner uuid default null
)
returns table (
  id text, name text, provider text, category text, status text, price numeric, billing_cycle text,
  owner_id uuid, created_by text, created_at timestamptz, members_count integer
)
language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_plan_reviewer();
  return query
    select plan.id, plan.name, plan.provider, plan.category, plan.status, plan.total_price, plan.billing_cycle,
      plan.owner_id, profile.display_name, plan.created_at, plan.current_members
    -- Each status is a separate index range, so that a page reads only the rows it shows.
    from unnest(case p_status when 'all' then array['active', 'pending', 'rejected'] else array[p_status] end) as wanted (status)
    cross join lateral (
      select * from public.shared_subscriptions as one
      where one.status = wanted.status and (p_owner is null or one.owner_id = p_owner) and (one.created_at, one.id) < (p_before, p_before_id)
      order by one.created_at desc, one.id desc
      limit least(greatest(p_limit, 1), 100)
    ) as plan
    join public.user_profiles as profile on profile.user_id = plan.owner_id
    order by plan.created_at desc, plan.id desc
    limit least(greatest(p_limit, 1), 100);
end $$;
select private.publish('list_plans_for_review', 'authenticated');

-- 'approve' and 'reject' decide on a waiting plan, 'restore' takes a rejection back; returns the new status. Nobody reviews
-- their own plan. Its owner is told.
create function private.review_plan(p_subscription_id text, p_decision text) returns text
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_user uuid := private.require_plan_reviewer();
  v_plan public.shared_subscriptions;
  v_from text;
  v_to text;
begin
  select * into v_plan from public.shared_subscriptions where id = p_subscription_id for no key update;
  if not found then
    raise exception 'Subscription not found' using errcode = 'PT404';
  elsif v_plan.owner_id = v_user then
    raise exception 'Someone else reviews your own plan' using errcode = '42501';
  end if;
  select step.was, step.becomes into v_from, v_to
  from (values ('approve', 'pending', 'active'), ('reject', 'pending', 'rejected'), ('restore', 'rejected', 'active'))
    as step (decision, was, becomes)
  where step.decision = p_decision;
  if not found then
    raise exception 'A review approves, rejects or restores' using errcode = '23514';
  elsif v_plan.status <> v_from then
    raise exception 'This plan is already %', v_plan.status using errcode = '23514';
  end if;

  update public.shared_subscriptions set status = v_to where id = v_plan.id;
  if v_to = 'active' then
    perform private.notify(v_plan.owner_id, 'success', 'Plan Approved',
      format('%s %s is now visible to everybody.', v_plan.provider, v_plan.name), v_plan.id,
      'plan-approved', jsonb_build_object('plan', v_plan.provider || ' ' || v_plan.name));
  else
    perform private.notify(v_plan.owner_id, 'warning', 'Plan Rejected',
      format('%s %s was not approved, so nobody can find or join it.', v_plan.provider, v_plan.name), v_plan.id,
      'plan-rejected', jsonb_build_object('plan', v_plan.provider || ' ' || v_plan.name));
  end if;
  return v_to;
end $$;
select private.publish('review_plan', 'authenticated');

-- staff/roles.sql
-- Staff roles and what each may do. Rights come from these tables only, never from what an account says about itself.
create table public.system_permissions (
  id text primary key,
  name text not null unique,
  description text not null default ''
);
create table public.system_roles (
  id text primary key default gen_random_uuid()::text,
  name text not null unique check (char_length(btrim(name)) between 1 and 60),
  description text not null default '' check (char_length(description) <= 500),
  permissions text[] not null default '{}',
  created_at timestamptz not null default now()
);
-- One role per person; no row means no role.
create table public.user_roles (
  user_id uuid primary key references public.user_profiles (user_id) on delete cascade,
  role text not null references public.system_roles (name) on update cascade,
  granted_by uuid references public.user_profiles (user_id) on delete set null,
  granted_at timestamptz not null default now()
);
create index user_roles_role_idx on public.user_roles (role);
create index user_roles_granted_by_idx on public.user_roles (granted_by);
alter table public.system_permissions enable row level security;
alter table public.system_roles enable row level security;
alter table public.user_roles enable row level security;

insert into public.system_permissions (id, name, description) values
  ('p1', 'users.view', 'See who has an account, and which role'),
  ('p2', 'users.edit', 'See addresses, wallets and payments; pay out, adjust wallets, decide on problems and disputes'),
  ('p3', 'users.delete', 'Opens nothing yet: people delete their own accounts'),
  ('p4', 'subscriptions.view', 'See every shared plan'),
  ('p5', 'subscriptions.approve', 'Approve and reject shared plans, and decide on reports of reviews and people'),
  ('p6', 'subscriptions.delete', 'Switch providers off, and decide on requested ones'),
  ('p7', 'roles.manage', 'Define roles and grant them, up to what one''s own allows; read the log of staff'),
  ('p8', 'settings.edit', 'Change the settings of the site');
insert into public.system_roles (id, name, description, permissions) values
  ('r1', 'super-admin', 'Everything, including who else is staff',
    '{users.view,users.edit,users.delete,subscriptions.view,subscriptions.approve,subscriptions.delete,roles.manage,settings.edit}'),
  ('r2', 'admin', 'Runs the site: people, plans and payouts',
    '{users.view,users.edit,subscriptions.view,subscriptions.approve,subscriptions.delete}'),
  ('r3', 'moderator', 'Reviews shared plans', '{users.view,subscriptions.view,subscriptions.approve}');

-- Whether the site asks all staff for a second factor or a passkey (site_settings.sql) and this session has neither. The acting
-- user's role then allows nothing.
create function private.role_is_shut() returns boolean
language plpgsql stable security definer set search_path = '' as $$
begin
  return not private.shows_second_factor() and (select require_second_factor from public.app_settings)
    and exists (select from public.user_roles where user_id = (select auth.uid()));
end $$;
select private.publish('role_is_shut', 'authenticated');

-- What the acting user's role allows; empty without a role, or while it is shut. All policies and functions ask here, for
-- built-in and custom roles alike.
create function private.my_permissions() returns text[]
language plpgsql stable security definer set search_path = '' as $$
begin
  return coalesce((
    select role.permissions from public.user_roles as held join public.system_roles as role on role.name = held.role
    where held.user_id = (select auth.uid()) and not private.role_is_shut()
  ), '{}');
end $$;
create function private.may(p_permission text) returns boolean
language sql stable
return p_permission = any (private.my_permissions());
-- People whose role allows this, to be told about pending work.
create function private.people_who_may(p_permission text) returns setof uuid
language sql stable security definer set search_path = '' as $$
  select held.user_id from public.user_roles as held join public.system_roles as role on role.name = held.role
  where p_permission = any (role.permissions)
$$;
-- A role with any permission opens the administration.
create function private.is_staff() returns boolean
language sql stable set search_path = '' as $$ select private.my_permissions() <> '{}' $$;

-- Money and roles need a second factor or a passkey, except in the sheltered demo. may_act_as_staff() just answers, for rows
-- staff sees beside their own. proven() is for what only staff does: it answers whether the role is held, and raises if the
-- factor is missing.
create function private.may_act_as_staff() returns boolean
language sql stable
return private.is_sheltered() or private.shows_second_factor();
create function private.proven(p_holds_role boolean) returns boolean
language plpgsql stable set search_path = '' as $$
begin
  if p_holds_role and not private.may_act_as_staff() or private.role_is_shut() then
    raise exception 'Your role needs a second factor or a passkey for this. Set one up in your account settings.'
      using errcode = '42501';
  end if;
  return p_holds_role;
end $$;

create policy "Whoever edits people or manages roles reads the permissions" on public.system_permissions
  for select to authenticated using ((select private.my_permissions()) && '{users.edit,roles.manage}');
create policy "People read their own role, whoever looks after people all" on public.system_roles
  for select to authenticated using ((select private.my_permissions()) && '{users.edit,roles.manage}'
    or name = (select role from public.user_roles where user_id = (select auth.uid())));
create policy "People see their own role, staff that sees people all" on public.user_roles
  for select to authenticated using (user_id = (select auth.uid()) or (select private.may('users.view')));
create policy "Whoever manages roles grants them" on public.user_roles
  for insert to authenticated with check ((select private.proven(private.may('roles.manage'))));
create policy "Whoever manages roles changes them" on public.user_roles
  for update to authenticated using ((select private.proven(private.may('roles.manage')))) with check ((select private.proven(private.may('roles.manage'))));
create policy "Whoever manages roles takes them away" on public.user_roles
  for delete to authenticated using ((select private.proven(private.may('roles.manage'))));

-- Records who granted a role, keeps the last super-admin, and stops people from giving or taking more than they have.
create function private.tg_user_roles__guard() returns trigger
language plpgsql volatile security definer set search_path = '' as $$
begin
  if tg_op = 'INSERT' or tg_op = 'UPDATE' and new.granted_by is distinct from old.granted_by then
    if new.granted_by <> auth.uid() then
      raise exception 'You grant roles in your own name' using errcode = '42501';
    end if;
  end if;
  if auth.uid() is not null and (tg_op <> 'UPDATE' or new.role <> old.role) and exists (
    select from public.system_roles as role
    where role.name in (case when tg_op <> 'DELETE' then new.role end, case when tg_op <> 'INSERT' then old.role end)
      and not role.permissions <@ private.my_permissions()
  ) then
    raise exception 'A role that allows more than your own is not yours to give or take' using errcode = '42501';
  end if;
  -- Changes caused by deleting an account are not grants.
  if tg_op = 'INSERT' or tg_op = 'UPDATE' and (new.role <> old.role or pg_trigger_depth() = 1) then
    new.granted_by := coalesce(auth.uid(), new.granted_by);
    new.granted_at := now();
  end if;
  if tg_op <> 'INSERT' and old.role = 'super-admin' and (tg_op = 'DELETE' or new.role <> 'super-admin') then
    -- Two super-admins who demote each other at once must not both succeed.
    perform pg_advisory_xact_lock(hashtext('last super-admin'));
    if not exists (
      select 1 from public.user_roles as r join auth.users as u on u.id = r.user_id
      where r.role = 'super-admin' and r.user_id <> old.user_id and u.deleted_at is null
    ) then
      raise exception 'The last super-admin cannot be removed' using errcode = '23514';
    end if;
  end if;
  return case when tg_op = 'DELETE' then old else new end;
end $$;
create trigger guard before insert or update or delete on public.user_roles
  for each row execute function private.tg_user_roles__guard();

-- Grants a role, or removes it if p_role is empty. Super-admins only; returns true.
create function private.assign_user_role(p_user_id uuid, p_role text) returns boolean
language plpgsql volatile security definer set search_path = '' as $$
declare v_user uuid := private.require_user();
begin
  if not private.proven(private.may('roles.manage')) then
    raise exception 'Only a super-admin can assign roles' using errcode = '42501';
  end if;
  if coalesce(btrim(p_role), '') = '' then
    delete from public.user_roles where user_id = p_user_id;
    return true;
  end if;
  if not exists (select 1 from public.system_roles where name = p_role) then
    raise exception 'There is no role "%"', p_role using errcode = '23514';
  end if;
  perform private.ensure_profile(p_user_id);
  insert into public.user_roles (user_id, role, granted_by) values (p_user_id, p_role, v_user)
  on conflict (user_id) do update set role = excluded.role, granted_by = excluded.granted_by;
  return true;
end $$;
select private.publish('assign_user_role', 'authenticated');

revoke all on public.system_permissions, public.system_roles, public.user_roles from public, anon, authenticated;
grant select on public.system_permissions, public.system_roles to authenticated;
grant select, delete, insert (user_id, role, granted_by), update (user_id, role, granted_by) on public.user_roles to authenticated;
grant all on public.system_permissions, public.system_roles, public.user_roles to service_role;
grant execute on function private.my_permissions(), private.may(text), private.is_staff(),
  private.may_act_as_staff(), private.proven(boolean) to authenticated;

-- staff/site_settings.sql
-- Settings of the site, chosen by staff; one row.
create table public.app_settings (
  id boolean primary key default true check (id),
  -- Whether a new plan waits for staff before others see it.
  review_new_plans boolean not null default false,
  -- The most coins one adjustment may add to a wallet or take from it.
  adjustment_ceiling numeric(12, 2) not null default 100.00
    check (adjustment_ceiling between 0.01 and private.most_coins()),
  -- Whether roles require a session with a second factor or a passkey.
  require_second_factor boolean not null default false,
  -- The convenience fee of plans shared from now on; existing plans keep theirs.
  fee_rate numeric not null default private.first_fee_rate(),
  updated_at timestamptz not null default now(),
  updated_by uuid references public.user_profiles (user_id) on delete set null
);
create index app_settings_updated_by_idx on public.app_settings (updated_by);
insert into public.app_settings default values;
alter table public.app_settings enable row level security;

create policy "Whoever edits them or people reads the settings" on public.app_settings
  for select to authenticated using ((select private.may('settings.edit')) or (select private.may('users.edit')));
create policy "Whoever has the permission edits the settings" on public.app_settings
  for update to authenticated
  using ((select private.proven(private.may('settings.edit')))) with check ((select private.proven(private.may('settings.edit'))));

-- The fee of a plan shared now, readable by everybody.
create function private.fee_rate() returns numeric
language plpgsql stable security definer set search_path = '' as $$
begin
  return (select fee_rate from public.app_settings);
end $$;
select private.publish('fee_rate', 'anon', 'authenticated');

-- Records who changed the settings, keeps the fee in range, and leaves what binds other staff to those who manage roles. Nobody
-- can lock themselves out.
create function private.tg_app_settings__guard() returns trigger
language plpgsql volatile security definer set search_path = '' as $$
declare v_user uuid := auth.uid();
begin
  if v_user is not null and new.adjustment_ceiling <> old.adjustment_ceiling and not private.may('roles.manage') then
    raise exception 'Only a super-admin decides how much one adjustment can move' using errcode = '42501';
  end if;
  if v_user is not null and new.require_second_factor <> old.require_second_factor then
    if not private.may('roles.manage') then
      raise exception 'Only a super-admin decides whether staff needs a second factor' using errcode = '42501';
    elsif not private.shows_second_factor() then
      raise exception 'Set up a second factor or a passkey for yourself first, and sign in with it.' using errcode = '42501';
    end if;
  end if;
  if (new.fee_rate between 0 and private.most_fee_rate() and new.fee_rate % private.fee_rate_step() = 0) is not true then
    raise exception 'The fee is from 0 to % percent, in steps of %', trim_scale(private.most_fee_rate() * 100),
      trim_scale(private.fee_rate_step() * 100) using errcode = '23514';
  end if;
  new.updated_at := now();
  new.updated_by := v_user;
  return new;
end $$;
create trigger guard before update on public.app_settings
  for each row execute function private.tg_app_settings__guard();

revoke all on public.app_settings from public, anon, authenticated;
grant select, update (review_new_plans, adjustment_ceiling, require_second_factor, fee_rate) on public.app_settings to authenticated;
grant all on public.app_settings to service_role;

-- staff/system_roles.sql
-- Custom roles beside the built-in ones. Each allows what its permissions say (private.may), whoever defined it; the three
-- built-in roles never change.
create unique index system_roles_lower_name_key on public.system_roles (lower(name));

create policy "Whoever manages roles defines them" on public.system_roles
  for insert to authenticated with check ((select private.proven(private.may('roles.manage'))));
create policy "Whoever manages roles edits them" on public.system_roles
  for update to authenticated using ((select private.proven(private.may('roles.manage')))) with check ((select private.proven(private.may('roles.manage'))));

create function private.tg_system_roles__guard() returns trigger
language plpgsql volatile security definer set search_path = '' as $$
declare v_unknown text;
begin
  new.name := regexp_replace(new.name, '^\s+|\s+$', '', 'g');
  new.description := coalesce(new.description, '');
  if private.visible_length(new.name) = 0 then
    raise exception 'Role name is required' using errcode = '23514';
  end if;
  select wanted into v_unknown from unnest(new.permissions) as wanted
  where not exists (select from public.system_permissions where name = wanted) limit 1;
  if found then
    raise exception 'There is no permission "%"', v_unknown using errcode = '23514';
  end if;
  -- Without duplicates, in the order of the permissions table.
  new.permissions := array(select name from public.system_permissions where name = any (new.permissions) order by id);
  if auth.uid() is not null and not (new.permissions <@ private.my_permissions()
    and (tg_op = 'INSERT' or old.permissions <@ private.my_permissions())) then
    raise exception 'A role that allows more than your own is not yours to define' using errcode = '42501';
  end if;
  if tg_op = 'UPDATE' and old.name in ('moderator', 'admin', 'super-admin')
    and (new.name, new.permissions) is distinct from (old.name, old.permissions) then
    raise exception 'The name and the permissions of a built-in role are fixed' using errcode = '23514';
  end if;
  return new;
end $$;
create trigger guard before insert or update on public.system_roles
  for each row execute function private.tg_system_roles__guard();

-- The roles and how many people have each, built-in ones first. For those who edit people or manage roles.
create function private.list_system_roles()
returns table (id text, name text, description text, users_count bigint, permissions text[])
language plpgsql stable security definer set search_path = '' as $$
begin
  if not private.my_permissions() && '{users.edit,roles.manage}' then
    raise exception 'Only admins see the roles' using errcode = '42501';
  end if;
  return query
  select role.id, role.name, role.description, (
    select count(*) from public.user_roles as held join auth.users as account on account.id = held.user_id
    where held.role = role.name and account.deleted_at is null
  ), role.permissions
  from public.system_roles as role order by role.created_at, role.id;
end $$;
select private.publish('list_system_roles', 'authenticated');

grant insert (name, description, permissions), update (name, description, permissions) on public.system_roles
  to authenticated;

-- trust/vault.sql
-- What the Edge Function `vault` stores. It seals and opens; the database decides who may, and holds no key or secret in the
-- clear. Each owner of secrets has a data key, sealed with the site's key; without that, everything it sealed is lost for good.

-- The name of the site's key that seals data keys now.
create table private.vault_site_key (
  id boolean primary key default true check (id),
  name text not null check (char_length(name) between 1 and 50),
  since timestamptz not null default now()
);
alter table private.vault_site_key enable row level security;

create table private.vault_keys (
  id uuid primary key default gen_random_uuid(),
  person_id uuid unique references public.user_profiles (user_id) on delete cascade,
  subscription_id text unique references public.shared_subscriptions (id) on delete cascade,
  wrapped text not null check (char_length(wrapped) between 1 and 200),
  site_key text not null,
  created_at timestamptz not null default now(),
  constraint one_owner check (num_nonnulls(person_id, subscription_id) = 1)
);
create index vault_keys_site_key_idx on private.vault_keys (site_key);
alter table private.vault_keys enable row level security;

-- Who opened what, when and why. It outlives what was opened, so it has no foreign keys.
create table private.vault_openings (
  id bigint generated always as identity primary key,
  kind text not null check (kind in ('bank-account', 'plan')),
  -- Which bank account, or which version of a plan's entry.
  secret_id uuid,
  subscription_id text,
  version integer,
  owner_id uuid not null references public.user_profiles (user_id) on delete cascade,
  opened_by uuid not null references auth.users (id) on delete restrict,
  purpose text not null check (char_length(purpose) <= 200),
  opened_at timestamptz not null default clock_timestamp(),
  constraint names_what_was_opened check (case kind when 'plan' then num_nonnulls(subscription_id, version) = 2 and secret_id is null
    else secret_id is not null and num_nonnulls(subscription_id, version) = 0 end)
);
create index vault_openings_plan_idx on private.vault_openings (subscription_id, opened_at desc);
create index vault_openings_owner_idx on private.vault_openings (owner_id, opened_at desc);
create index vault_openings_opened_by_idx on private.vault_openings (opened_by);
alter table private.vault_openings enable row level security;

-- The sealed data key of a person or a plan, or null if there is none yet.
create function private.vault_key_of(p_person_id uuid, p_subscription_id text default null) returns jsonb
language sql stable security definer set search_path = '' as $$
  select jsonb_build_object('wrapped', wrapped, 'siteKey', site_key) from private.vault_keys
  where person_id = p_person_id or subscription_id = p_subscription_id
$$;

-- Stores the first data key of a plan, or of the acting user. If another was stored meanwhile, or the site's key has changed,
-- the function must start again.
create function private.keep_vault_key(p_key jsonb, p_subscription_id text default null) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_user uuid := private.require_user();
  v_name text;
begin
  -- The lock makes a key rotation wait until this key is stored, so that it is re-sealed too.
  select name into v_name from private.vault_site_key for share;
  if v_name is distinct from p_key ->> 'siteKey' then
    raise exception 'The vault is getting a new key. Please try again.' using errcode = 'PT409';
  end if;
  insert into private.vault_keys (person_id, subscription_id, wrapped, site_key)
  values (case when p_subscription_id is null then v_user end, p_subscription_id, p_key ->> 'wrapped', v_name)
  on conflict do nothing;
  if not found then
    raise exception 'Something else was stored at the same moment. Please try again.' using errcode = 'PT409';
  end if;
end $$;

-- Returns the name of the site's key; if there is none, this one is stored.
create function private.begin_vault(p_site_key text) returns text
language sql volatile security definer set search_path = '' as $$
  insert into private.vault_site_key (name) values (p_site_key) on conflict (id) do nothing;
  select name from private.vault_site_key
$$;
select private.publish('begin_vault', 'service_role');

-- Makes this the site's key, and returns data keys still sealed with another.
create function private.take_vault_keys(p_site_key text, p_limit integer default 500) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
begin
  insert into private.vault_site_key (name) values (p_site_key)
  on conflict (id) do update set name = excluded.name, since = now() where vault_site_key.name <> excluded.name;
  return coalesce((
    select jsonb_agg(jsonb_build_object('id', id, 'wrapped', wrapped, 'siteKey', site_key, 'owner', jsonb_build_object(
      'kind', case when person_id is null then 'plan' else 'person' end, 'id', coalesce(person_id::text, subscription_id))))
    from (select * from private.vault_keys where site_key <> p_site_key order by id limit p_limit) as old), '[]');
end $$;
select private.publish('take_vault_keys', 'service_role');

-- Stores re-sealed data keys: `[{id, from, wrapped}]`. One that has changed since waits for the next round.
create function private.rewrap_vault_keys(p_site_key text, p_keys jsonb) returns void
language sql volatile security definer set search_path = '' as $$
  update private.vault_keys as k set wrapped = fresh.wrapped, site_key = p_site_key
  from jsonb_to_recordset(p_keys) as fresh (id uuid, "from" text, wrapped text)
  where k.id = fresh.id and k.wrapped = fresh."from"
$$;
select private.publish('rewrap_vault_keys', 'service_role');

-- account/notifications.sql
-- What the database tells a person. Only the database writes here.
create table public.user_notifications (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references public.user_profiles (user_id) on delete cascade,
  type text not null check (type in ('success', 'warning', 'error', 'info')),
  title text not null,
  message text not null,
  read boolean not null default false,
  subscription_id text references public.shared_subscriptions (id) on delete set null,
  created_at timestamptz not null default clock_timestamp(),
  -- What happened, with the names and numbers in the sentences above, so that a client can translate them.
  event text check (event ~ '^[a-z]+(-[a-z]+)*$'),
  params jsonb not null default '{}' check (jsonb_typeof(params) = 'object')
);
create index user_notifications_newest_idx on public.user_notifications (user_id, created_at desc);
create index user_notifications_subscription_idx on public.user_notifications (subscription_id);
alter table public.user_notifications enable row level security;
select private.send_changes('user_notifications');
create policy "People read their own notifications" on public.user_notifications
  for select to authenticated using (user_id = (select auth.uid()));

-- Tells one person something; returns the notification's id. The title and kind become the toast.
create function private.notify(
  p_user_id uuid, p_type text, p_title text, p_message text, p_subscription_id text,
  p_event text default null, p_params jsonb default '{}'
) returns uuid
language plpgsql volatile security definer set search_path = '' as $$
declare v_id uuid;
begin
  insert into public.user_notifications (user_id, type, title, message, subscription_id, event, params)
  values (p_user_id, p_type, p_title, p_message, p_subscription_id, p_event, p_params)
  returning id into v_id;
  return v_id;
end $$;

-- Marks the caller's notifications read: the named ones, or all when the list is null.
create function private.mark_notifications_as_read(p_user_id uuid, p_notification_ids uuid[] default null) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare v_user uuid := private.require_self(p_user_id);
begin
  update public.user_notifications set read = true
  where user_id = v_user and not read and (p_notification_ids is null or id = any (p_notification_ids));
end $$;
select private.publish('mark_notifications_as_read', 'authenticated');

revoke all on public.user_notifications from public, anon, authenticated;
grant select on public.user_notifications to authenticated;
grant all on public.user_notifications to service_role;

-- home/home.sql
-- The home page after signing in: open tasks, upcoming payments, what sharing has saved this year, and one suggestion. All of
-- it is derived; nothing is stored.

-- What needs the acting user's answer, and by when: in plans they share, in places they have, and what is kept for them. A
-- payment is overdue from `due_at` on.
create function private.my_tasks()
returns table (kind text, id uuid, subscription_id text, plan text, person text, amount numeric, due_at timestamptz, since timestamptz)
language plpgsql stable security definer set search_path = '' as $$
declare v_user uuid := private.require_user();
begin
  return query
    select 'answer-request', r.id, p.id, p.provider || ' ' || p.name, r.name, null::numeric,
      r.requested_at + private.request_lifetime() + private.unnoticed_gap(), r.requested_at
    from public.shared_subscriptions as p join public.subscription_requests as r on r.subscription_id = p.id
    where p.owner_id = v_user and private.is_open_request(r)
    union all
    select case when s.owner_id = v_user then 'give-access' else 'check-access' end, s.id, s.subscription_id,
      s.provider || ' ' || s.plan_name, other.display_name, null,
      case when s.owner_id = v_user then s.access_due_at
        else greatest(s.access_given_at, s.admitted_at) + private.access_silence() end,
      coalesce(s.access_given_at, s.admitted_at)
    from private.seats as s
    join public.user_profiles as other on other.user_id = case s.owner_id when v_user then s.member_id else s.owner_id end
    where v_user in (s.owner_id, s.member_id) and s.ended_at is null and s.admitted_at is not null
      and case when s.owner_id = v_user then s.access_given_at is null
        else s.access_given_at is not null and not private.access_works(s) and not private.has_open_problem(s.id) end
    union all
    select case when m.owner_id = v_user then 'confirm-payment' when m.status = 'needs-action' then 'confirm-card'
        when m.status = 'failed' then 'mend-payment' when m.note is not null then 'pay-again' else 'pay' end,
      m.id, m.subscription_id, m.plan_name, other.display_name, m.amount,
      case when m.owner_id <> v_user then case when m.settlement = 'direct' then m.due_at else m.next_attempt_at end end,
      coalesce(m.claimed_at, m.due_at)
    from public.member_payments as m
    join public.user_profiles as other on other.user_id = case m.owner_id when v_user then m.member_id else m.owner_id end
    where m.owner_id = v_user and m.settlement = 'direct' and m.status = 'claimed'
      or m.member_id = v_user and (m.status in ('needs-action', 'failed')
        or m.settlement = 'direct' and m.status = 'due' and m.due_at <= private.now())
    union all
    select case b.status when 'owner' then 'answer-problem' else 'check-fix' end, b.id, b.subscription_id, b.plan_name,
      other.display_name, null, b.due_at, b.reported_at
    from public.seat_problems as b
    join public.user_profiles as other on other.user_id = case b.owner_id when v_user then b.member_id else b.owner_id end
    where b.owner_id = v_user and b.status = 'owner' or b.member_id = v_user and b.status = 'member'
    union all
    select 'change-password', null, p.id, p.provider || ' ' || p.name, null, null, null, due.since
    from private.passwords_due() as due join public.shared_subscriptions as p on p.id = due.subscription_id
    union all
    select 'answer-terms', t.id, t.subscription_id, s.provider || ' ' || s.plan_name, other.display_name, t.share, null, t.proposed_at
    from public.term_proposals as t join private.seats as s on s.id = t.seat_id
    join public.user_profiles as other on other.user_id = t.owner_id
    where t.member_id = v_user and t.answered_at is null and s.ended_at is null
    union all
    select 'say-how-to-pay', null, null, null, null, null, null, min(s.opened_at) from private.seats as s
    where s.owner_id = v_user and s.ended_at is null and s.settlement = 'direct'
      and not exists (select from public.payment_wishes as w where w.user_id = v_user)
    having count(*) > 0
    union all
    select 'take-place', null, p.id, p.provider || ' ' || p.name, null, null, w.offered_until, w.joined_at
    from public.waiting_list as w join public.shared_subscriptions as p on p.id = w.subscription_id
    where w.user_id = v_user and w.offered_until > now()
    union all
    select 'answer-invitation', i.id, p.id, p.provider || ' ' || p.name, other.display_name, null,
      i.expires_at + private.unnoticed_gap(), i.created_at
    from public.subscription_invitations as i join public.shared_subscriptions as p on p.id = i.subscription_id
    join public.user_profiles as other on other.user_id = p.owner_id
    where i.email = private.my_email() and private.invitation_status(i) = 'open' and p.status = 'active'
      and not private.is_plan_member(p.id);
end $$;

-- What the acting user's places cost next, and when: the open period, or the one after the paid one. A place that ends with its
-- period, or has an open problem, costs nothing more.
create function private.my_next_payments()
returns table (subscription_id text, plan text, person text, settlement text, amount numeric, due_at timestamptz)
language plpgsql stable security definer set search_path = '' as $$
declare v_user uuid := private.require_user();
begin
  return query
    select s.subscription_id, s.provider || ' ' || s.plan_name, o.display_name, s.settlement, next.amount, next.due_at
    from private.seats as s join public.user_profiles as o on o.user_id = s.owner_id
    cross join lateral (
      select * from public.member_payments as m where m.seat_id = s.id order by m.number desc limit 1
    ) as last
    cross join lateral private.period_price(s.settlement, s.billing_cycle, s.share, s.fee_rate, last.number + 1) as price
    cross join lateral (
      select last.amount, last.due_at where last.status in ('due', 'charging')
      union all
      select price.share + price.fee, last.ends_at where last.status in ('due', 'claimed', 'paid') and s.ends_at is null
    ) as next
    where s.member_id = v_user and s.ended_at is null and not private.has_open_problem(s.id)
      and next.due_at > private.now() and next.amount > 0;
end $$;

-- What the acting user's payments have saved them this year, in their time zone: as a member, the cost of the same months alone
-- less what they paid; as an owner, what members paid and is theirs. Time without access counts on neither side. Where a plan
-- is gone and its price is unknown, nothing was saved.
create function private.saved_this_year(out joined numeric, out shared numeric)
language plpgsql stable security definer set search_path = '' as $$
declare
  v_user uuid := private.require_user();
  v_zone text := private.zone_of(v_user);
  v_from timestamptz := date_trunc('year', private.now() at time zone v_zone) at time zone v_zone;
begin
  select greatest(0, coalesce(sum(round(
    alone.price * (1 - coalesce((m.returned_share + m.owed_back) / nullif(m.share, 0), 0)), 2)
    - (m.amount - m.returned_share - m.returned_fee - case when m.repaid_at is not null then m.owed_back else 0 end)), 0))
  into joined
  from private.seats as s
  left join public.shared_subscriptions as p on p.id = s.subscription_id
  cross join lateral (
    select p.total_price as total, p.max_members as places where p.id is not null
    union all
    select round(sold.price, 2), sold.max_members from private.find_catalogue_plan(s.catalogue_plan_id, s.provider, s.plan_name) as sold
    where p.id is null and sold.id is not null
  ) as offer
  join public.member_payments as m on m.seat_id = s.id and m.status in ('paid', 'closed') and m.paid_at >= v_from
  -- On the plan's current terms the share is part of its price; on older terms, the price follows from the share.
  cross join lateral (
    select case when m.share = (private.period_price('direct', s.billing_cycle, round(offer.total / offer.places, 2), s.fee_rate, m.number)).share
      then (private.period_price('direct', s.billing_cycle, offer.total, s.fee_rate, m.number)).share else m.share * offer.places end
  ) as alone (price)
  where s.member_id = v_user;

  select coalesce(sum(case m.settlement when 'potluck' then m.earned_share else m.share - m.owed_back end), 0) into shared
  from public.member_payments as m where m.owner_id = v_user and m.status in ('paid', 'closed') and m.paid_at >= v_from;
end $$;

-- One suggestion: an owner with a free place should share its link; others see the cheapest plan with a place, in a category
-- they already have a plan in and from a provider they have none of. Null if there is neither.
create function private.my_suggestion() returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  v_user uuid := private.require_user();
  v_apart uuid[] := private.people_apart();
  v_found jsonb;
begin
  select jsonb_build_object('kind', 'free-places', 'planId', p.id, 'plan', p.provider || ' ' || p.name, 'isPrivate', p.is_private,
    'places', private.open_slots(p, null)) into v_found
  from public.shared_subscriptions as p
  where p.owner_id = v_user and p.status = 'active' and private.open_slots(p, null) > 0
  order by private.open_slots(p, null) desc, p.created_at, p.id limit 1;
  if found then return v_found; end if;
  with mine as materialized (
    select p.category, p.provider from public.subscription_members as m
    join public.shared_subscriptions as p on p.id = m.subscription_id where m.user_id = v_user
  )
  select jsonb_build_object('kind', 'cheapest', 'planId', p.id, 'plan', p.provider || ' ' || p.name, 'category', p.category,
    'cost', p.monthly_cost, 'alone', round(p.total_price / case p.billing_cycle when 'yearly' then 12 else 1 end, 2)) into v_found
  from private.plan_counts() as offer
  -- An index gives the cheapest of each name.
  cross join lateral (
    select * from public.shared_subscriptions as one
    where one.status = 'active' and not one.is_private and not one.is_full
      and one.category = offer.category and one.provider = offer.provider and one.name = offer.name
      and one.current_members + one.kept_places < one.owner_max_members
      and one.owner_id <> v_user and one.owner_id <> all (v_apart)
      and not exists (select from public.subscription_requests as r
        where r.subscription_id = one.id and r.user_id = v_user and private.is_open_request(r))
    order by one.monthly_cost, one.created_at desc, one.id desc limit 1
  ) as p
  where offer.category in (select category from mine) and offer.provider not in (select provider from mine)
  order by p.monthly_cost, p.created_at desc, p.id limit 1;
  return v_found;
end $$;

-- How far somebody who has never had a place or a member has come with either; null for everybody else.
create function private.my_first_steps() returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  v_user uuid := private.require_user();
  v_plan public.shared_subscriptions;
begin
  if exists (select from private.seats where member_id = v_user) or exists (select from private.seats where owner_id = v_user) then
    return null;
  end if;
  select * into v_plan from public.shared_subscriptions where owner_id = v_user order by created_at desc, id limit 1;
  return jsonb_build_object(
    'hasAsked', exists (select from public.subscription_requests where user_id = v_user)
      or exists (select from public.waiting_list where user_id = v_user),
    'hasCard', exists (select from public.payment_methods where user_id = v_user),
    'takesCards', private.payment_provider() is not null,
    'planId', v_plan.id, 'settlement', v_plan.settlement,
    'hasWish', exists (select from public.payment_wishes where user_id = v_user),
    'hasInvited', exists (select from public.subscription_invitations where subscription_id = v_plan.id)
      or exists (select from public.subscription_requests where subscription_id = v_plan.id));
end $$;

create function private.my_home() returns jsonb
language sql stable security definer set search_path = '' as $$
  select jsonb_build_object(
    'tasks', (select coalesce(jsonb_agg(jsonb_build_object('kind', t.kind, 'id', t.id, 'planId', t.subscription_id, 'plan', t.plan,
        'person', t.person, 'amount', t.amount, 'dueAt', t.due_at) order by t.due_at, t.since, t.id), '[]') from private.my_tasks() as t),
    'payments', (select coalesce(jsonb_agg(jsonb_build_object('planId', n.subscription_id, 'plan', n.plan, 'person', n.person,
        'settlement', n.settlement, 'amount', n.amount, 'dueAt', n.due_at) order by n.due_at, n.plan, n.subscription_id), '[]')
      from private.my_next_payments() as n),
    'saved', (select jsonb_build_object('joined', s.joined, 'shared', s.shared) from private.saved_this_year() as s),
    'suggestion', private.my_suggestion(),
    'steps', private.my_first_steps())
  where private.require_user() is not null
$$;
select private.publish('my_home', 'authenticated');

-- joining/memberships.sql
-- One person's place in a plan, the owner's included. Rows come from creating a plan and from approvals.
create table public.subscription_members (
  id uuid primary key default gen_random_uuid(),
  subscription_id text not null references public.shared_subscriptions (id) on delete cascade,
  user_id uuid not null references public.user_profiles (user_id) on delete cascade,
  name text not null,
  email text not null,
  is_owner boolean not null default false,
  joined_at timestamptz not null default clock_timestamp(),
  unique (subscription_id, user_id)
);
create unique index subscription_members_one_owner_key on public.subscription_members (subscription_id) where is_owner;
create index subscription_members_user_idx on public.subscription_members (user_id);
alter table public.subscription_members enable row level security;
select private.send_changes('subscription_members');

-- Does the acting user have a place in this plan? Policies call this, so it bypasses them.
create function private.is_plan_member(p_subscription_id text) returns boolean
language plpgsql stable security definer set search_path = '' as $$
begin
  return exists (select from public.subscription_members where subscription_id = p_subscription_id and user_id = auth.uid());
end $$;

create policy "Owners see all members, members the owner and themselves" on public.subscription_members
  for select to authenticated using (
    user_id = (select auth.uid())
    or private.is_plan_owner(subscription_id)
    or (is_owner and private.is_plan_member(subscription_id))
  );
-- The owner's own place goes only with the plan.
create policy "Members leave, owners remove members" on public.subscription_members
  for delete to authenticated using (
    not is_owner and (user_id = (select auth.uid()) or private.is_plan_owner(subscription_id))
  );

-- How a member is shown on screen.
create function private.member_json(p_member public.subscription_members) returns jsonb
language sql stable security definer set search_path = '' as $$
  select jsonb_build_object(
    'id', p_member.id,
    'user_id', p_member.user_id,
    'name', p_member.name,
    'email', p_member.email,
    'is_owner', p_member.is_owner,
    'is_admin', coalesce((select role in ('admin', 'super-admin') from public.user_roles where user_id = p_member.user_id), false),
    'displayName', coalesce(profile.display_name, p_member.name),
    'avatarUrl', profile.avatar_url
  )
  from public.user_profiles as profile
  where profile.user_id = p_member.user_id
$$;

-- Gives a person a place; the plan's own checks refuse one too many.
create function private.add_member(p_subscription_id text, p_user_id uuid, p_is_owner boolean)
returns public.subscription_members
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_profile public.user_profiles := private.ensure_profile(p_user_id);
  v_member public.subscription_members;
begin
  insert into public.subscription_members (subscription_id, user_id, name, email, is_owner)
  values (p_subscription_id, p_user_id, v_profile.display_name, private.email_of(p_user_id), p_is_owner)
  returning * into v_member;
  return v_member;
end $$;

-- Every plan has its owner as a member from the start.
create function private.tg_shared_subscriptions__add_owner() returns trigger
language plpgsql volatile security definer set search_path = '' as $$
begin
  perform private.add_member(new.id, new.owner_id, true);
  return new;
end $$;
create trigger add_owner after insert on public.shared_subscriptions
  for each row execute function private.tg_shared_subscriptions__add_owner();

-- Is a plan being cancelled at this moment? The check keeps no lock.
create function private.is_being_cancelled(p_subscription_id text) returns boolean
language plpgsql volatile security definer set search_path = '' as $$
declare v_is_free boolean;
begin
  begin
    perform from public.shared_subscriptions where id = p_subscription_id for key share skip locked;
    v_is_free := found;
    -- The exception releases the lock.
    raise exception '%', p_subscription_id using errcode = 'PT409';
  exception when sqlstate 'PT409' then
    return not v_is_free;
  end;
end $$;

-- Locks the plan somebody is leaving, after their membership. Whoever cancels the plan holds it and waits for that membership,
-- so waiting here would deadlock; and waiting with part of the locks held would block them too.
create function private.lock_plan_to_leave(p_subscription_id text) returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  for v_try in 1 .. 1000 loop
    perform from public.shared_subscriptions where id = p_subscription_id for no key update skip locked;
    if found or not exists (select from public.shared_subscriptions where id = p_subscription_id) then return; end if;
    exit when private.is_being_cancelled(p_subscription_id);
    perform pg_sleep(0.005);
  end loop;
  raise exception 'Subscription not found' using errcode = 'PT404';
end $$;

-- current_members follows the rows; the plan's row lock makes it impossible to hand out the last place twice. The owner's own
-- place comes and goes with the plan, which starts at 1.
create function private.tg_subscription_members__count() returns trigger
language plpgsql volatile security definer set search_path = '' as $$
begin
  if tg_op = 'INSERT' and not new.is_owner then
    update public.shared_subscriptions set current_members = current_members + 1 where id = new.subscription_id;
  elsif tg_op = 'DELETE' and not old.is_owner then
    perform private.lock_plan_to_leave(old.subscription_id);
    update public.shared_subscriptions set current_members = current_members - 1 where id = old.subscription_id;
  end if;
  return null;
end $$;
create trigger count after insert or delete on public.subscription_members
  for each row execute function private.tg_subscription_members__count();

-- Counts an owner's removal as an owner action; what goes with a plan or an account counts as nothing.
create function private.tg_subscription_members__limit() returns trigger
language plpgsql volatile security definer set search_path = '' as $$
begin
  if not old.is_owner and old.user_id is distinct from auth.uid() then
    -- The plan first, as for a cancellation, which counts too.
    perform private.lock_plan_to_leave(old.subscription_id);
    perform private.spend_attempt('owner action');
  end if;
  return old;
end $$;
create trigger limit_removals before delete on public.subscription_members
  for each row when (pg_trigger_depth() = 0) execute function private.tg_subscription_members__limit();

-- Tells the other side that a member left or was removed. When the whole plan goes, its own trigger does that.
create function private.tg_subscription_members__tell() returns trigger
language plpgsql volatile security definer set search_path = '' as $$
declare v_plan public.shared_subscriptions;
begin
  select * into v_plan from public.shared_subscriptions where id = old.subscription_id;
  if not found or old.is_owner then return null; end if;
  -- Seats ended by time or an unpaid period have been reported with the reason.
  if exists (
    select from private.seats where subscription_id = old.subscription_id and member_id = old.user_id
      and ended_at = private.now() and end_reason not in ('left', 'removed')
  ) then return null; end if;
  if old.user_id = auth.uid() then
    perform private.notify(v_plan.owner_id, 'info', 'Member Left',
      format('%s has left %s %s.', old.name, v_plan.provider, v_plan.name), v_plan.id);
  elsif exists (select 1 from public.user_profiles where user_id = old.user_id) then
    perform private.notify(old.user_id, 'warning', 'Membership Ended',
      format('You are no longer a member of %s %s.', v_plan.provider, v_plan.name), v_plan.id);
  end if;
  return null;
end $$;
create trigger tell after delete on public.subscription_members
  for each row execute function private.tg_subscription_members__tell();

-- Tells members that their plan is cancelled, before its rows go.
create function private.tg_shared_subscriptions__tell() returns trigger
language plpgsql volatile security definer set search_path = '' as $$
begin
  perform private.call_back_mail(old.id);
  perform private.notify(user_id, 'warning', 'Subscription Cancelled',
    format('%s %s has been cancelled by its owner.', old.provider, old.name), null)
  from public.subscription_members
  where subscription_id = old.id and not is_owner;
  return old;
end $$;
create trigger tell before delete on public.shared_subscriptions
  for each row execute function private.tg_shared_subscriptions__tell();

-- The maximum length of a login name at the provider.
create function private.longest_login_name() returns integer
language sql immutable return 200;
grant execute on function private.longest_login_name() to authenticated, service_role;

-- The login name of the shared account. Everything else that opens it is in the vault, sealed.
create table public.subscription_logins (
  subscription_id text primary key references public.shared_subscriptions (id) on delete cascade,
  login_name text not null check (char_length(btrim(login_name)) between 1 and private.longest_login_name()),
  updated_at timestamptz not null default now()
);
alter table public.subscription_logins enable row level security;
select private.send_changes('subscription_logins');
create policy "Owners set the login name" on public.subscription_logins
  for insert to authenticated with check (private.is_plan_owner(subscription_id));
create policy "Owners change the login name" on public.subscription_logins
  for update to authenticated using (private.is_plan_owner(subscription_id)) with check (private.is_plan_owner(subscription_id));
create policy "Owners remove the login name" on public.subscription_logins
  for delete to authenticated using (private.is_plan_owner(subscription_id));

create function private.tg_subscription_logins__limit() returns trigger
language plpgsql volatile security definer set search_path = '' as $$
begin
  perform private.spend_attempt('owner action');
  return coalesce(new, old);
end $$;
create trigger limit_changes before insert or update or delete on public.subscription_logins
  for each row when (pg_trigger_depth() = 0) execute function private.tg_subscription_logins__limit();

create function public.check_existing_subscription_membership(p_subscription_id text, p_user_id uuid) returns boolean
language plpgsql stable set search_path = '' as $$
begin
  perform private.require_self(p_user_id);
  return private.is_plan_member(p_subscription_id);
end $$;
select private.publish('check_existing_subscription_membership', 'authenticated');

revoke all on public.subscription_members, public.subscription_logins from public, anon, authenticated;
grant select, delete on public.subscription_members to authenticated;
grant select, delete, insert (subscription_id, login_name), update (subscription_id, login_name) on public.subscription_logins to authenticated;
grant all on public.subscription_members, public.subscription_logins to service_role;
grant execute on function private.is_plan_member(text) to authenticated;

-- money/cards.sql
-- The payment provider of this site, and the cards people have saved there. The Edge Function `payments` talks to it; card
-- numbers never come here.

-- The provider of this installation, as the function reports it. Without a row, people pay each other directly.
create table private.payment_provider (
  id boolean primary key default true check (id),
  provider text not null check (provider in ('simulated', 'stripe')),
  mode text not null check (mode in ('live', 'test')),
  publishable_key text check (char_length(publishable_key) <= 300),
  reported_at timestamptz not null default clock_timestamp()
);
alter table private.payment_provider enable row level security;

-- Simulated payments need a site nobody else can reach, and real ones a database that never held simulated money.
create function private.report_payment_provider(p_provider text, p_mode text, p_publishable_key text) returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  if p_provider = 'simulated' and not private.is_sheltered() then
    raise exception 'Payments are simulated only where nobody else can reach the site' using errcode = '42501';
  elsif p_provider <> 'simulated' and exists (select from private.payment_customers where provider = 'simulated') then
    raise exception 'This database holds simulated payments: real ones begin in a new one' using errcode = '42501';
  elsif p_provider is null then
    delete from private.payment_provider;
    return;
  end if;
  insert into private.payment_provider as known (provider, mode, publishable_key)
  values (p_provider, p_mode, p_publishable_key)
  on conflict (id) do update set
    provider = excluded.provider, mode = excluded.mode, publishable_key = excluded.publishable_key, reported_at = excluded.reported_at
  where (known.provider, known.mode, known.publishable_key) is distinct from (excluded.provider, excluded.mode, excluded.publishable_key);
end $$;

-- What the browser needs to know about it; null if there is none.
create function private.payment_provider() returns jsonb
language sql stable security definer set search_path = '' as $$
  select jsonb_build_object('provider', provider, 'publishableKey', publishable_key) from private.payment_provider
  where provider <> 'simulated' or private.is_sheltered()
$$;

-- The provider's id for a person, to which cards and charges belong.
create table private.payment_customers (
  user_id uuid not null references auth.users (id) on delete cascade,
  provider text not null,
  reference text not null check (char_length(reference) between 1 and 200),
  primary key (user_id, provider),
  unique (provider, reference)
);
alter table private.payment_customers enable row level security;

-- A saved card, as its owner knows it. The one chosen last is charged.
create table public.payment_methods (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references public.user_profiles (user_id) on delete cascade,
  provider text not null,
  -- The provider's id, useless to anybody else.
  reference text not null,
  brand text not null check (char_length(brand) between 1 and 50),
  last4 text not null check (last4 ~ '^[0-9]{4}$'),
  exp_month integer not null check (exp_month between 1 and 12),
  exp_year integer not null check (exp_year between 2000 and 2200),
  created_at timestamptz not null default clock_timestamp(),
  chosen_at timestamptz not null default clock_timestamp(),
  unique (provider, reference)
);
create index payment_methods_user_idx on public.payment_methods (user_id, chosen_at desc);
alter table public.payment_methods enable row level security;
create policy "People see their own cards" on public.payment_methods
  for select to authenticated using (user_id = (select auth.uid()));

-- Provider events about objects that are not ours, for staff to look into.
create table public.unknown_payment_events (
  id text primary key check (char_length(id) <= 200),
  type text not null check (char_length(type) <= 200),
  about text not null check (char_length(about) <= 200),
  received_at timestamptz not null default clock_timestamp(),
  -- Who looked into it, and what they found.
  reviewed_at timestamptz,
  reviewed_by uuid references public.user_profiles (user_id) on delete set null,
  finding text check (char_length(finding) between 1 and 500)
);
create index unknown_payment_events_newest_idx on public.unknown_payment_events (received_at desc, id);
create index unknown_payment_events_reviewed_by_idx on public.unknown_payment_events (reviewed_by);
alter table public.unknown_payment_events enable row level security;
create policy "Admins see what the provider said of others" on public.unknown_payment_events
  for select to authenticated using ((select private.may('users.edit') and private.may_act_as_staff()));

create function private.keep_unknown_event(p_id text, p_type text, p_about text) returns void
language sql volatile security definer set search_path = '' as $$
  insert into public.unknown_payment_events (id, type, about) values (p_id, p_type, p_about) on conflict do nothing
$$;

-- Records what staff found out about one of them.
create function private.review_payment_event(p_id text, p_finding text) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_user uuid := private.require_treasurer();
  v_finding text := nullif(btrim(coalesce(p_finding, '')), '');
  v_event public.unknown_payment_events;
begin
  select * into v_event from public.unknown_payment_events where id = p_id for update;
  if not found then
    raise exception 'Payment event not found' using errcode = 'PT404';
  elsif v_event.reviewed_at is not null then
    raise exception 'Somebody has looked at this event already' using errcode = 'PT409';
  elsif v_finding is null then
    raise exception 'Say what you found out about this event' using errcode = '23514';
  end if;
  update public.unknown_payment_events set reviewed_at = clock_timestamp(), reviewed_by = v_user, finding = v_finding where id = p_id;
  perform private.log_staff('payment event looked at', p_id,
    jsonb_build_object('type', v_event.type, 'about', v_event.about, 'finding', v_finding));
end $$;

-- The acting user at the provider. Adding cards is rate limited, because thieves test many stolen cards.
create function private.payment_person(p_adds_card boolean) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare v_user uuid := private.require_user();
begin
  if p_adds_card then perform private.spend_attempt('saved card'); end if;
  return jsonb_build_object('userId', v_user, 'customer', (
    select c.reference from private.payment_customers as c join private.payment_provider as p using (provider)
    where c.user_id = v_user));
end $$;
insert into private.rate_limits (action, attempts, window_seconds, requests) values ('saved card', 10, 3600, '{}');

-- Stores the first id the provider gave a person, and returns the one that is stored.
create function private.record_customer(p_user_id uuid, p_customer text) returns text
language plpgsql volatile security definer set search_path = '' as $$
declare v_provider text := (select provider from private.payment_provider);
begin
  insert into private.payment_customers (user_id, provider, reference) values (p_user_id, v_provider, p_customer)
  on conflict (user_id, provider) do nothing;
  return (select reference from private.payment_customers where user_id = p_user_id and provider = v_provider);
end $$;

-- Stores or updates a card. False if the customer is unknown here.
create function private.record_card(
  p_customer text, p_method text, p_brand text, p_last4 text, p_exp_month integer, p_exp_year integer, p_is_new boolean
) returns boolean
language plpgsql volatile security definer set search_path = '' as $$
declare v_customer private.payment_customers;
begin
  select c.* into v_customer from private.payment_customers as c join private.payment_provider as p using (provider)
  where c.reference = p_customer;
  if not found then return false; end if;
  update public.payment_methods set brand = p_brand, last4 = p_last4, exp_month = p_exp_month, exp_year = p_exp_year
  where provider = v_customer.provider and reference = p_method;
  if not found and p_is_new then
    perform private.ensure_profile(v_customer.user_id);
    insert into public.payment_methods (user_id, provider, reference, brand, last4, exp_month, exp_year)
    values (v_customer.user_id, v_customer.provider, p_method, p_brand, p_last4, p_exp_month, p_exp_year)
    on conflict (provider, reference) do nothing;
  end if;
  return true;
end $$;

-- The provider no longer has this card.
create function private.forget_card(p_method text) returns void
language sql volatile security definer set search_path = '' as $$
  delete from public.payment_methods where reference = p_method and provider = (select provider from private.payment_provider)
$$;

-- Makes this the card to charge from now on.
create function private.choose_card(p_card_id uuid) returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  update public.payment_methods set chosen_at = clock_timestamp() where id = p_card_id and user_id = private.require_user();
  if not found then raise exception 'This card is not saved here' using errcode = 'PT404'; end if;
end $$;

create function private.remove_card(p_card_id uuid) returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  delete from public.payment_methods where id = p_card_id and user_id = private.require_user();
  if not found then raise exception 'This card is not saved here' using errcode = 'PT404'; end if;
end $$;

-- When a card is deleted, even with its account, the provider deletes it too.
create function private.tg_payment_methods__remove() returns trigger
language plpgsql volatile security definer set search_path = '' as $$
begin
  perform private.queue_payment_job('remove-card', old.reference, old.provider);
  return null;
end $$;
create trigger remove after delete on public.payment_methods
  for each row execute function private.tg_payment_methods__remove();

select private.publish('payment_provider', 'authenticated');
select private.publish('payment_person', 'authenticated');
select private.publish('choose_card', 'authenticated');
select private.publish('remove_card', 'authenticated');
select private.publish('review_payment_event', 'authenticated');

-- For the function only.
select private.publish('report_payment_provider', 'service_role');
select private.publish('record_customer', 'service_role');
select private.publish('record_card', 'service_role');
select private.publish('forget_card', 'service_role');
select private.publish('keep_unknown_event', 'service_role');
revoke all on private.payment_provider, private.payment_customers,
  public.payment_methods, public.unknown_payment_events from public, anon, authenticated, service_role;
grant select (id, user_id, brand, last4, exp_month, exp_year, created_at, chosen_at) on public.payment_methods to authenticated;
grant select on public.unknown_payment_events to authenticated;

-- money/seats.sql
-- The maximum length of the address or name that a provider's invitation was sent to.
create function private.longest_invited_address() returns integer
language sql immutable return 200;

-- The maximum length of what an owner says about a payment that has not arrived.
create function private.longest_denial() returns integer
language sql immutable return 300;

-- A member's place in a plan, kept for good. Terms and names are copied, because plan and membership are deleted while payments
-- stay. The membership is the place itself; whatever creates or ends one opens or settles its seat.
create table private.seats (
  id uuid primary key default gen_random_uuid(),
  subscription_id text not null,
  catalogue_plan_id text not null,
  provider text not null,
  plan_name text not null,
  owner_id uuid not null references public.user_profiles (user_id) on delete restrict,
  member_id uuid not null references public.user_profiles (user_id) on delete restrict,
  settlement text not null check (settlement in ('direct', 'potluck')),
  billing_cycle text not null check (billing_cycle in ('monthly', 'yearly')),
  -- Per billing cycle, without the fee.
  share numeric(12, 2) not null check (share >= 0),
  -- The plan's, for payments through the site.
  fee_rate numeric not null check (fee_rate between 0 and 1),
  coins_first boolean not null default false,
  opened_at timestamptz not null default private.now(),
  -- When the member was admitted: on approval if the owner is paid directly, otherwise once it is paid.
  admitted_at timestamptz,
  -- When the owner gave access, by the vault or by the provider's invitation to this address, and their deadline for it; when
  -- the member said that it works. For direct payments the approval itself gives access.
  access_given_at timestamptz,
  access_due_at timestamptz,
  access_reminded boolean not null default false,
  invited_address text check (char_length(invited_address) between 1 and private.longest_invited_address()),
  access_confirmed_at timestamptz,
  -- The local day from which periods are counted, and how many came before it; null until the first has begun.
  anchor date,
  anchor_after integer not null default 0,
  -- Since when access is closed because a renewal failed or a direct payment is overdue.
  late_since timestamptz,
  -- When it will end, once somebody has decided that it ends with its period, and who decided.
  ends_at timestamptz,
  ended_at timestamptz,
  ended_by uuid references public.user_profiles (user_id) on delete restrict,
  end_reason text check (end_reason in ('left', 'removed', 'cancelled', 'unpaid', 'over', 'unused', 'disputed', 'no-access', 'problem')),
  status text not null generated always as (case
    when ended_at is not null then 'ended' when admitted_at is null then 'paying' when late_since is not null then 'late'
    when ends_at is not null then 'ending' else 'active' end) stored,
  -- For run_due_work(): when the seat next needs work, and how often the last attempt has failed.
  next_at timestamptz,
  failures integer not null default 0,
  last_error text,
  check ((ended_at is null) = (end_reason is null)),
  check (anchor is null or (admitted_at is not null and access_given_at is not null))
);
create unique index seats_one_living_key on private.seats (subscription_id, member_id) where ended_at is null;
create index seats_plan_idx on private.seats (subscription_id, opened_at);
create index seats_owner_idx on private.seats (owner_id, opened_at);
create index seats_member_idx on private.seats (member_id, opened_at);
create index seats_ended_by_idx on private.seats (ended_by);
create index seats_due_idx on private.seats (next_at) where next_at is not null;
alter table private.seats enable row level security;

-- One paid stretch of a seat: what is due, and what happened to the money. Both sides see it.
create table public.member_payments (
  id uuid primary key default gen_random_uuid(),
  seat_id uuid not null references private.seats (id) on delete restrict,
  subscription_id text not null,
  plan_name text not null,
  owner_id uuid not null references public.user_profiles (user_id) on delete restrict,
  member_id uuid not null references public.user_profiles (user_id) on delete restrict,
  -- 1, 2, 3 …: it ends number - anchor_after months after the seat's anchor.
  number integer not null check (number > 0),
  settlement text not null check (settlement in ('direct', 'potluck')),
  share numeric(12, 2) not null check (share >= 0),
  fee numeric(12, 2) not null check (fee >= 0),
  amount numeric(12, 2) not null generated always as (share + fee) stored,
  -- The first period begins once it is paid and access is given; for direct payments, at once.
  starts_at timestamptz,
  ends_at timestamptz,
  due_at timestamptz not null,
  status text not null check (status in
    ('due', 'claimed', 'charging', 'needs-action', 'failed', 'paid', 'closed', 'given-back', 'cancelled')),
  created_at timestamptz not null default private.now(),
  claimed_at timestamptz,
  paid_at timestamptz,
  closed_at timestamptz,
  -- How it was paid through the site.
  coins numeric(12, 2) not null default 0 check (coins >= 0),
  card numeric(12, 2) not null default 0 check (card >= 0),
  earned_share numeric(12, 2) not null default 0 check (earned_share >= 0),
  earned_fee numeric(12, 2) not null default 0 check (earned_fee >= 0),
  returned_share numeric(12, 2) not null default 0 check (returned_share >= 0),
  returned_fee numeric(12, 2) not null default 0 check (returned_fee >= 0),
  -- What an owner who was paid directly owes back for time without access, and when the two settled it.
  owed_back numeric(12, 2) not null default 0 check (owed_back >= 0),
  repaid_at timestamptz,
  earned_until timestamptz,
  receipt_number text unique,
  -- The reference a member puts on a direct transfer.
  reference text not null generated always as ('PL-' || upper(left(seat_id::text, 8)) || '-' || number) stored,
  -- Why the owner says that it did not arrive.
  note text check (char_length(note) <= private.longest_denial()),
  attempts integer not null default 0,
  next_attempt_at timestamptz,
  announced_at timestamptz,
  reminders integer not null default 0,
  nudged_at timestamptz,
  unique (seat_id, number),
  constraint no_more_than_was_paid check (
    owed_back <= share and (settlement = 'direct' or (earned_share + returned_share <= share and earned_fee + returned_fee <= fee))
  )
);
create index member_payments_member_idx on public.member_payments (member_id, created_at desc);
create index member_payments_owner_idx on public.member_payments (owner_id, created_at desc);
create index member_payments_plan_idx on public.member_payments (subscription_id, created_at desc);
create index member_payments_open_idx on public.member_payments (seat_id)
  where status in ('due', 'claimed', 'charging', 'needs-action', 'failed', 'paid');
alter table public.member_payments enable row level security;
create policy "Both sides of a payment see it, admins all" on public.member_payments
  for select to authenticated using (
    member_id = (select auth.uid()) or owner_id = (select auth.uid()) or (select private.may('users.edit') and private.may_act_as_staff())
  );

-- Does the acting user have a seat that opens the plan? If it is paid through the site, only once it is paid.
create function private.may_get_in(p_subscription_id text) returns boolean
language plpgsql stable security definer set search_path = '' as $$
begin
  return exists (
    select from private.seats
    where subscription_id = p_subscription_id and member_id = (select auth.uid()) and ended_at is null
      -- The clock may not have ended it yet.
      and coalesce(ends_at > private.now(), true)
      and admitted_at is not null and (settlement = 'direct' or late_since is null)
  );
end $$;

create policy "Owner and members read the login name" on public.subscription_logins
  for select to authenticated using (private.is_plan_owner(subscription_id) or private.may_get_in(subscription_id));

-- Tells one side of a seat something, at the bell and, while they are away, by mail with a button to the plan, if they can
-- still open it: a seat may have ended, or its plan be about to go.
create function private.tell_seat(
  p_seat private.seats, p_user_id uuid, p_type text, p_event text, p_title text, p_message text, p_params jsonb default '{}',
  p_mails boolean default true
) returns void
language plpgsql volatile security definer set search_path = '' as $$
-- A plan that is being cancelled waits for the seat, so waiting for the plan would deadlock.
declare
  v_plan text := (select id from public.shared_subscriptions
    where id = p_seat.subscription_id and (p_seat.ended_at is null or p_user_id = p_seat.owner_id) for key share skip locked);
  v_told uuid := private.notify(p_user_id, p_type, p_title, p_message, v_plan, p_event, p_params || jsonb_build_object(
    'plan', p_seat.provider || ' ' || p_seat.plan_name,
    'member', (select display_name from public.user_profiles where user_id = p_seat.member_id),
    'owner', (select display_name from public.user_profiles where user_id = p_seat.owner_id)));
begin
  if not p_mails then return; end if;
  perform private.mail_notification(v_told,
    array_remove(array[p_seat.id::text, v_plan], null),
    case when v_plan is null then 'See your payments' else 'Open the plan' end,
    case when v_plan is null then '/payments'
      when p_user_id = p_seat.owner_id then '/manage-shared/' || v_plan else '/manage-subscribed/' || v_plan end);
end $$;

create function private.euros(p_amount numeric) returns text
language plpgsql immutable set search_path = '' as $$
begin
  return '€' || round(p_amount, 2);
end $$;

-- Opens a seat in the transaction that creates a membership. Its first period is due at once.
create function private.tg_subscription_members__open_seat() returns trigger
language plpgsql volatile security definer set search_path = '' as $$
declare v_seat private.seats;
begin
  insert into private.seats (subscription_id, catalogue_plan_id, provider, plan_name, owner_id, member_id, settlement,
    billing_cycle, share, fee_rate, coins_first, admitted_at, access_given_at)
  select p.id, p.catalogue_plan_id, p.provider, p.name, p.owner_id, new.user_id, p.settlement, p.billing_cycle, p.member_price, p.fee_rate,
    coalesce((select r.coins_first from public.subscription_requests as r
      where r.subscription_id = p.id and r.user_id = new.user_id and r.status = 'approved' order by r.decided_at desc limit 1), false),
    case p.settlement when 'direct' then private.now() end,
    case when p.settlement = 'direct' or private.has_vault_entry(p.id) then private.now() end
  from public.shared_subscriptions as p where p.id = new.subscription_id
  returning * into v_seat;
  perform private.open_accounts(v_seat);
  perform private.open_period(v_seat, 1, null);
  perform private.begin_periods(v_seat.id);
  return null;
end $$;
create trigger open_seat after insert on public.subscription_members
  for each row when (not new.is_owner) execute function private.tg_subscription_members__open_seat();

-- Settles a seat before its membership is deleted. Only members who are removed get the unused part back.
create function private.tg_subscription_members__settle() returns trigger
language plpgsql volatile security definer set search_path = '' as $$
declare v_seat private.seats;
begin
  perform private.lock_plan_to_leave(old.subscription_id);
  for v_seat in
    select * from private.seats
    where subscription_id = old.subscription_id and member_id = old.user_id and ended_at is null
  loop
    perform private.settle_seat(v_seat.id, case when old.user_id = auth.uid() then 'left' else 'removed' end, auth.uid());
  end loop;
  return old;
end $$;
create trigger settle before delete on public.subscription_members
  for each row when (not old.is_owner) execute function private.tg_subscription_members__settle();

-- The same for all seats of a plan before it goes.
create function private.tg_shared_subscriptions__settle() returns trigger
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_seats uuid[];
  v_id uuid;
begin
  -- Lock all seats before the first account.
  v_seats := array(select id from private.seats where subscription_id = old.id and ended_at is null order by id for update);
  perform private.lock_held_money(v_seats);
  foreach v_id in array v_seats loop
    perform private.settle_seat(v_id, 'cancelled', auth.uid());
  end loop;
  perform private.forfeit_problems(old.owner_id, old.id);
  return old;
end $$;
create trigger settle before delete on public.shared_subscriptions
  for each row execute function private.tg_shared_subscriptions__settle();

select private.send_changes('member_payments');

revoke all on private.seats, public.member_payments from public, anon, authenticated, service_role;
grant select on public.member_payments to authenticated, service_role;
grant execute on function private.may_get_in(text) to authenticated;

-- money/term_proposals.sql
-- New terms of a plan apply to whoever joins from now on, and each current member is asked. Without an answer a seat keeps its
-- old terms, and the owner may end it with its period.
create table public.term_proposals (
  id uuid primary key default gen_random_uuid(),
  seat_id uuid not null references private.seats (id) on delete restrict,
  subscription_id text not null,
  owner_id uuid not null references public.user_profiles (user_id) on delete restrict,
  member_id uuid not null references public.user_profiles (user_id) on delete restrict,
  settlement text not null check (settlement in ('direct', 'potluck')),
  -- Per billing cycle, without the fee.
  share numeric(12, 2) not null check (share >= 0),
  proposed_at timestamptz not null default private.now(),
  answered_at timestamptz,
  accepted boolean,
  check ((answered_at is null) = (accepted is null))
);
create unique index term_proposals_one_open_key on public.term_proposals (seat_id) where answered_at is null;
create index term_proposals_seat_idx on public.term_proposals (seat_id);
create index term_proposals_owner_idx on public.term_proposals (owner_id);
create index term_proposals_member_idx on public.term_proposals (member_id);
alter table public.term_proposals enable row level security;
create policy "Both sides see what is proposed" on public.term_proposals
  for select to authenticated using (member_id = (select auth.uid()) or owner_id = (select auth.uid()));

-- Changes how a plan is paid and updates its price from the catalogue; returns how many members are asked. Owner only.
create function private.propose_terms(p_subscription_id text, p_settlement text) returns integer
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_plan public.shared_subscriptions := private.lock_own_plan(p_subscription_id);
  v_sold private.catalogue_plan := private.find_catalogue_plan(v_plan.catalogue_plan_id, v_plan.provider, v_plan.name);
  v_price numeric := round(coalesce(v_sold.price, v_plan.total_price), 2);
  v_share numeric := round(coalesce(v_sold.price, v_plan.total_price) / v_plan.max_members, 2);
  v_seat private.seats;
  v_asked integer := 0;
begin
  if p_settlement is null or p_settlement not in ('direct', 'potluck') then
    raise exception 'Members pay you directly, or through the site' using errcode = '23514';
  elsif (v_plan.settlement, v_plan.member_price) = (p_settlement, v_share) then
    raise exception 'These are the terms already' using errcode = '23514';
  end if;
  perform private.require_settlement(p_settlement, v_plan.billing_cycle, v_share, v_plan.fee_rate);
  -- This update counts as an owner action. Instant plans need payment through the site.
  update public.shared_subscriptions set settlement = p_settlement, total_price = v_price, member_price = v_share,
    instant_from = case p_settlement when 'potluck' then instant_from end
  where id = v_plan.id;
  for v_seat in
    select * from private.seats where subscription_id = v_plan.id and ended_at is null order by id for update
  loop
    delete from public.term_proposals where seat_id = v_seat.id and answered_at is null;
    continue when (v_seat.settlement, v_seat.share) = (p_settlement, v_share);
    insert into public.term_proposals (seat_id, subscription_id, owner_id, member_id, settlement, share)
    values (v_seat.id, v_plan.id, v_seat.owner_id, v_seat.member_id, p_settlement, v_share);
    v_asked := v_asked + 1;
    perform private.tell_seat(v_seat, v_seat.member_id, 'info', 'terms-proposed', 'New Terms Proposed',
      format('The owner of %s %s proposes new terms: %s a %s, paid %s. Nothing changes unless you agree.', v_seat.provider,
        v_seat.plan_name, private.euros(v_share), case v_seat.billing_cycle when 'yearly' then 'year' else 'month' end,
        case p_settlement when 'direct' then 'directly' else 'through the site' end),
      jsonb_build_object('settlement', p_settlement, 'share', v_share));
  end loop;
  return v_asked;
end $$;
select private.publish('propose_terms', 'authenticated');

-- Accepts the proposal from the next period on, or declines it. Only the member asked.
create function private.answer_terms(p_proposal_id uuid, p_accept boolean) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_user uuid := private.require_user();
  v_proposal public.term_proposals;
  v_seat private.seats;
begin
  select s.* into v_seat from private.seats as s join public.term_proposals as p on p.seat_id = s.id
  where p.id = p_proposal_id and p.member_id = v_user and s.ended_at is null for update of s;
  select * into v_proposal from public.term_proposals where id = p_proposal_id and answered_at is null;
  if v_seat.id is null or v_proposal.id is null then
    raise exception 'This proposal is not open' using errcode = 'PT404';
  elsif p_accept is null then
    raise exception 'Please agree, or do not' using errcode = '23514';
  end if;
  update public.term_proposals set answered_at = private.now(), accepted = p_accept where id = v_proposal.id;
  if p_accept then
    update private.seats set settlement = v_proposal.settlement, share = v_proposal.share where id = v_seat.id returning * into v_seat;
    perform private.open_accounts(v_seat);
    perform private.wake_seat(v_seat.id);
  end if;
  perform private.tell_seat(v_seat, v_seat.owner_id, 'info', case when p_accept then 'terms-accepted' else 'terms-refused' end,
    case when p_accept then 'New Terms Accepted' else 'Old Terms Kept' end,
    format(case when p_accept then '%s agrees to the new terms of %s %s from the next period on.'
      else '%s keeps the old terms of %s %s.' end,
      (select display_name from public.user_profiles where user_id = v_user), v_seat.provider, v_seat.plan_name));
end $$;
select private.publish('answer_terms', 'authenticated');

-- Makes a seat end with its current period and returns when. Owner only; the member keeps what they paid for.
create function private.end_seat_with_period(p_seat_id uuid) returns timestamptz
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_seat private.seats := private.lock_living_seat(p_seat_id, true);
  v_ends_at timestamptz := private.end_with_period(v_seat);
begin
  if v_ends_at is null then
    raise exception 'No period is running, so you can remove this member now' using errcode = '23514';
  end if;
  perform private.tell_seat(v_seat, v_seat.member_id, 'warning', 'seat-will-end', 'Your Place Ends',
    format('Your place in %s %s ends on %s.', v_seat.provider, v_seat.plan_name,
      private.day_in(v_ends_at, private.zone_of(v_seat.member_id))), jsonb_build_object('until', v_ends_at));
  return v_ends_at;
end $$;
select private.publish('end_seat_with_period', 'authenticated');

select private.send_changes('term_proposals');

revoke all on public.term_proposals from public, anon, authenticated, service_role;
grant select on public.term_proposals to authenticated, service_role;

-- money/withdrawals.sql
-- The fewest coins that can be withdrawn.
create function private.least_withdrawal() returns numeric
language sql immutable return 20::numeric;
grant execute on function private.least_withdrawal() to authenticated, service_role;

-- How long a new owner's withdrawals wait after the first earning by card, which a bank may take back.
create function private.card_earnings_wait() returns interval
language sql immutable return interval '30 days';

-- How long a bank may take to return a payout.
create function private.payout_return_time() returns interval
language sql immutable return interval '30 days';

-- Coins on their way to a bank account.
create table public.withdrawal_requests (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references public.user_profiles (user_id) on delete restrict,
  -- Without a scale, because numeric(12, 2) would round 20.001 before a check could refuse it.
  amount numeric not null check (
    amount between case when closes_account then 0.01 else private.least_withdrawal() end and private.most_coins() and amount = round(amount, 2)
  ),
  -- The whole balance of an account that ends, however small.
  closes_account boolean not null default false,
  status text not null default 'pending' check (status in ('pending', 'processing', 'completed', 'rejected')),
  requested_at timestamptz not null default clock_timestamp(),
  processed_at timestamptz,
  completed_at timestamptz,
  rejection_reason text check (char_length(rejection_reason) <= 500),
  stripe_transfer_id text check (char_length(stripe_transfer_id) <= 200),
  bank_account_last4 text check (char_length(bank_account_last4) <= 4),
  -- Who approved or rejected it, and who then completed or rejected it; null for the server.
  processed_by uuid references auth.users (id) on delete restrict,
  completed_by uuid references auth.users (id) on delete restrict,
  -- The person's bank account at the time; adding another does not change it.
  bank_account_id uuid references private.bank_accounts (id) on delete set null,
  -- When the bank returned the money after completion.
  returned_at timestamptz,
  returned_by uuid references auth.users (id) on delete restrict,
  return_reason text check (char_length(return_reason) <= 500),
  constraint a_return_has_a_reason check ((returned_at is null) = (return_reason is null))
);
create index withdrawal_requests_processed_by_idx on public.withdrawal_requests (processed_by);
create index withdrawal_requests_completed_by_idx on public.withdrawal_requests (completed_by);
create index withdrawal_requests_user_idx on public.withdrawal_requests (user_id, requested_at desc);
create index withdrawal_requests_newest_idx on public.withdrawal_requests (requested_at desc);
create index withdrawal_requests_bank_account_idx on public.withdrawal_requests (bank_account_id);
create index withdrawal_requests_returned_by_idx on public.withdrawal_requests (returned_by);
alter table public.withdrawal_requests enable row level security;
select private.send_changes('withdrawal_requests');
create policy "People see their own withdrawals, admins all" on public.withdrawal_requests
  for select to authenticated using (user_id = (select auth.uid()) or (select private.may('users.edit') and private.may_act_as_staff()));
create policy "People withdraw from their own wallet" on public.withdrawal_requests
  for insert to authenticated with check (user_id = (select auth.uid()) and status = 'pending');
create policy "Admins process withdrawals" on public.withdrawal_requests
  for update to authenticated using ((select private.proven(private.may('users.edit')))) with check ((select private.proven(private.may('users.edit'))));

-- Is the caller an admin who pays this person? A payout needs the name on the account.
create function private.pays(p_user_id uuid) returns boolean
language plpgsql stable security definer set search_path = '' as $$
begin
  return private.may('users.edit') and private.may_act_as_staff()
    and exists (select from public.withdrawal_requests where user_id = p_user_id);
end $$;
grant execute on function private.pays(uuid) to authenticated;
create policy "People read their own details, admins those of whom they pay" on public.user_details
  for select to authenticated using (user_id = (select auth.uid()) or private.pays(user_id));

-- Why this amount cannot be withdrawn, or null if it can.
create function private.withdrawal_refusal(p_user_id uuid, p_amount numeric, p_closes_account boolean default false) returns text
language plpgsql stable security definer set search_path = '' as $$
declare v_available numeric := private.available_coins(p_user_id);
begin
  return case
    when p_amount is null or p_amount = 'NaN' or p_amount <= 0 or p_amount <> round(p_amount, 2) then 'Please enter a valid amount'
    when p_amount < private.least_withdrawal() and not p_closes_account then format('Minimum withdrawal amount is %s coins', private.least_withdrawal())
    when p_amount > v_available then format('Maximum withdrawal amount is %s coins', v_available)
    when auth.uid() is not null and not private.has_bank_account(p_user_id)
      then 'Add the bank account that your coins are to be paid to'
  end;
end $$;

create function private.validate_withdrawal_request(p_user_id uuid, p_amount numeric) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare v_refusal text;
begin
  perform private.require_self(p_user_id);
  v_refusal := private.withdrawal_refusal(p_user_id, p_amount);
  return jsonb_build_object('valid', v_refusal is null, 'error', v_refusal);
end $$;
select private.publish('validate_withdrawal_request', 'authenticated');

-- Locks the wallet first, so that two withdrawals at once cannot reserve the same coins.
create function private.tg_withdrawal_requests__fill() returns trigger
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_user uuid := auth.uid();
  v_refusal text;
begin
  if v_user is not null then
    if new.user_id is not null and new.user_id <> v_user then
      raise exception 'You can only withdraw from your own wallet' using errcode = '42501';
    end if;
    new.user_id := v_user;
    new.status := 'pending';
    new.requested_at := clock_timestamp();
  end if;
  perform private.lock_wallet(new.user_id);
  v_refusal := private.withdrawal_refusal(new.user_id, new.amount, new.closes_account);
  if new.status in ('pending', 'processing') and v_refusal is not null then
    raise exception '%', v_refusal using errcode = '23514';
  end if;
  return new;
end $$;
create trigger fill before insert on public.withdrawal_requests
  for each row execute function private.tg_withdrawal_requests__fill();

-- Allows pending to processing or rejected, and processing to completed or rejected; completion moves the coins. Nobody pays
-- themselves, and no admin pays out alone: one approves, another completes.
create function private.tg_withdrawal_requests__decide() returns trigger
language plpgsql volatile security definer set search_path = '' as $$
declare v_user uuid := auth.uid();
begin
  if new.user_id = v_user then
    raise exception 'Someone else decides about your own withdrawal' using errcode = '42501';
  elsif (old.status, new.status) not in (('pending', 'processing'), ('pending', 'rejected'),
    ('processing', 'completed'), ('processing', 'rejected')) then
    raise exception 'A % withdrawal cannot become %', old.status, new.status using errcode = '23514';
  elsif new.status = 'completed' and old.processed_by = v_user then
    raise exception 'Another admin completes what you approved' using errcode = '42501';
  end if;
  if char_length(new.bank_account_last4) > 4 then
    raise exception 'Enter the last 4 digits, such as 3000' using errcode = '23514';
  end if;
  new.stripe_transfer_id := coalesce(nullif(btrim(new.stripe_transfer_id), ''), old.stripe_transfer_id);
  new.bank_account_last4 := coalesce(nullif(btrim(new.bank_account_last4), ''), old.bank_account_last4);
  if old.status = 'pending' then
    new.processed_at := clock_timestamp();
    new.processed_by := v_user;
    new.completed_at := null;
    new.completed_by := null;
  else
    new.processed_at := old.processed_at;
    new.processed_by := old.processed_by;
    new.completed_at := clock_timestamp();
    new.completed_by := v_user;
  end if;
  if new.status <> 'rejected' then
    if btrim(new.rejection_reason) <> '' then
      raise exception 'Only a rejection has a reason' using errcode = '23514';
    end if;
    new.rejection_reason := null;
  end if;
  if new.status = 'completed' then
    perform private.transfer('withdrawal:' || new.id, private.ledger_account('wallet', new.user_id),
      private.ledger_account('outside'), new.amount, 'withdrawal', p_description => 'Withdrawal to bank account');
  elsif new.status = 'rejected' and coalesce(btrim(new.rejection_reason), '') = '' then
    raise exception 'A rejection needs a reason' using errcode = '23514';
  end if;
  if private.is_closed(new.user_id) then
    perform private.tell_closed_account(new, new.rejection_reason);
  else
    perform private.notify(new.user_id, case new.status when 'rejected' then 'warning' else 'info' end,
      'Withdrawal ' || initcap(new.status), format('Your withdrawal of %s coins is now %s.', round(new.amount, 2), new.status),
      null, 'withdrawal-' || new.status, jsonb_build_object('amount', round(new.amount, 2)));
  end if;
  return new;
end $$;
-- Fields set by a decision cannot be changed without one.
create trigger decide
  before update of status, processed_at, completed_at, stripe_transfer_id, bank_account_last4, rejection_reason,
    processed_by, completed_by
  on public.withdrawal_requests
  for each row execute function private.tg_withdrawal_requests__decide();

create function private.tg_withdrawal_requests__name_account() returns trigger
language plpgsql volatile security definer set search_path = '' as $$
declare v_account private.bank_accounts := private.current_bank_account(new.user_id);
begin
  if auth.uid() is null or v_account.id is null then return new; end if;
  new.bank_account_id := v_account.id;
  new.bank_account_last4 := v_account.last4;
  return new;
end $$;
create trigger name_account before insert on public.withdrawal_requests
  for each row execute function private.tg_withdrawal_requests__name_account();

-- Refuses staff who pay themselves, somebody whose coins they adjusted, or somebody they decided a problem for.
create function private.require_impartial(p_user_id uuid) returns void
language plpgsql stable security definer set search_path = '' as $$
begin
  if p_user_id = auth.uid() then
    raise exception 'Someone else decides about your own withdrawal' using errcode = '42501';
  elsif exists (
    select from private.ledger_transfers
    where person_id = p_user_id and kind = 'adjustment' and created_by = auth.uid()
  ) then
    raise exception 'You have adjusted this wallet: another admin processes its withdrawals' using errcode = '42501';
  elsif exists (
    select from public.seat_problems where decided_by = auth.uid()
      and p_user_id = case outcome when 'for-owner' then owner_id when 'for-member' then member_id end
  ) then
    raise exception 'You have decided a problem for this person: another admin processes their withdrawals' using errcode = '42501';
  end if;
end $$;

-- Runs after `decide`: checks who decides, the payment file and the bank account.
create function private.tg_withdrawal_requests__guard_payout() returns trigger
language plpgsql volatile security definer set search_path = '' as $$
declare v_account private.bank_accounts;
begin
  perform private.require_impartial(new.user_id);
  if new.status = 'rejected' and private.payout_file_of(new.id) is not null then
    raise exception 'This withdrawal is in a payment file. Void the file first.' using errcode = '23514';
  end if;
  select * into v_account from private.bank_accounts where id = new.bank_account_id;
  if not found then return new; end if;
  if new.bank_account_last4 <> v_account.last4 then
    raise exception 'This withdrawal goes to the account ending in %', v_account.last4 using errcode = '23514';
  elsif new.status = 'processing' and private.payable_from(v_account) > private.now() then
    raise exception 'This bank account is new: it can be paid in % hours',
      private.hours(private.payable_from(v_account) - private.now()) using errcode = '23514';
  end if;
  return new;
end $$;
create trigger guard_payout before update of status on public.withdrawal_requests
  for each row execute function private.tg_withdrawal_requests__guard_payout();

-- Records that the bank returned a completed withdrawal, which gives the coins back. Like paying, it takes two admins.
create function private.return_withdrawal(p_withdrawal_id uuid, p_reason text) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_user uuid := private.require_treasurer();
  v_reason text := btrim(coalesce(p_reason, ''));
  v_withdrawal public.withdrawal_requests;
begin
  select * into v_withdrawal from public.withdrawal_requests where id = p_withdrawal_id for update;
  if not found then
    raise exception 'Withdrawal not found' using errcode = 'PT404';
  end if;
  perform private.require_impartial(v_withdrawal.user_id);
  if v_withdrawal.status <> 'completed' or v_withdrawal.returned_at is not null then
    raise exception 'Only a completed withdrawal can come back, and once' using errcode = '23514';
  elsif v_withdrawal.completed_by = v_user then
    raise exception 'Another admin notes the return of what you completed' using errcode = '42501';
  elsif v_reason = '' then
    raise exception 'A return needs the reason the bank gave' using errcode = '23514';
  end if;
  update public.withdrawal_requests set returned_at = clock_timestamp(), returned_by = v_user, return_reason = v_reason
  where id = p_withdrawal_id returning * into v_withdrawal;
  perform private.transfer('withdrawal-returned:' || p_withdrawal_id, private.ledger_account('outside'),
    private.ledger_account('wallet', v_withdrawal.user_id), v_withdrawal.amount, 'withdrawal-returned',
    p_description => left('Withdrawal returned by the bank: ' || v_reason, 500));
  perform private.log_staff('withdrawal returned', p_withdrawal_id::text, jsonb_build_object('reason', v_reason));
  if private.is_closed(v_withdrawal.user_id) then
    perform private.tell_closed_account(v_withdrawal, v_reason);
    return;
  end if;
  perform private.notify(v_withdrawal.user_id, 'warning', 'Withdrawal Returned',
    format('The bank sent your withdrawal of %s coins back: %s. The coins are in your wallet again; please check your bank account.',
      round(v_withdrawal.amount, 2), v_reason), null, 'withdrawal-returned',
    jsonb_build_object('amount', v_withdrawal.amount, 'reason', v_reason));
end $$;
select private.publish('return_withdrawal', 'authenticated');

revoke all on public.withdrawal_requests from public, anon, authenticated, service_role;
grant select, insert (user_id, amount), update (status, processed_at, completed_at, stripe_transfer_id, bank_account_last4, rejection_reason)
  on public.withdrawal_requests to authenticated;
grant select on public.withdrawal_requests to service_role;

-- people/chat.sql
-- The maximum length of a chat message.
create function private.longest_message() returns integer
language sql immutable return 1000;
grant execute on function private.longest_message() to authenticated, service_role;

-- The one conversation between a plan's owner and one member; archived while that member has no place. A question or a join
-- request starts it before there is one (questions.sql).
create table public.conversations (
  id uuid primary key default gen_random_uuid(),
  subscription_id text not null references public.shared_subscriptions (id) on delete cascade,
  owner_id uuid not null references public.user_profiles (user_id) on delete cascade,
  member_id uuid not null references public.user_profiles (user_id) on delete cascade,
  archived boolean not null default false,
  -- The member of this conversation has had no place yet.
  is_question boolean not null default false,
  -- When a question that leads to no request closes; null for everything else.
  question_until timestamptz,
  created_at timestamptz not null default clock_timestamp(),
  unique (subscription_id, owner_id, member_id),
  check (owner_id <> member_id)
);
create index conversations_owner_idx on public.conversations (owner_id);
create index conversations_member_idx on public.conversations (member_id);
create index conversations_question_idx on public.conversations (question_until) where question_until is not null;
alter table public.conversations enable row level security;
select private.send_changes('conversations');
create policy "Both sides see their conversation" on public.conversations
  for select to authenticated using (owner_id = (select auth.uid()) or member_id = (select auth.uid()));

-- How many characters a person sees: marks, skin tones, tags, invisible characters and joined pictures belong to the character
-- before, and two regional letters are one flag. No known character needs more than ten code points, so ten count as at least
-- one and no text is unlimited. The chat counts the same way (message-text.ts; a test compares the two).
create function private.characters(p_text text) returns integer
language sql immutable
return case when octet_length(p_text) = char_length(p_text) then char_length(p_text) else greatest(
    ceil(char_length(p_text) / 10.0)::integer,
    char_length(regexp_replace(
      regexp_replace(p_text,
        '\u200d[\u2190-\u2bff\U0001f000-\U0001faff]?'
        '|[\u0300-\u036f\u0483-\u0489\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u064b-\u065f\u0670'
        '\u06d6-\u06dc\u06df-\u06e4\u06e7\u06e8\u06ea-\u06ed\u0900-\u0903\u093a-\u093c\u093e-\u094f\u0951-\u0957\u0e31'
        '\u0e34-\u0e3a\u0e47-\u0e4e\u1ab0-\u1aff\u1dc0-\u1dff\u200b\u200c\u200e\u200f\u202a-\u202e\u2060-\u2069'
        '\u20d0-\u20ff\ufe00-\ufe0f\ufe20-\ufe2f\ufeff\U0001f3fb-\U0001f3ff\U000e0020-\U000e007f]', '', 'g'),
      '[\U0001f1e6-\U0001f1ff]{2}', 'x', 'g'))
  ) end;

-- A message to the other side or, from the owner, to all members at once. The sender of a server note is the word system.
create table public.messages (
  id uuid primary key default gen_random_uuid(),
  conversation_id uuid not null references public.conversations (id) on delete cascade,
  sender_id text not null,
  content text not null check (content <> '' and private.characters(content) <= private.longest_message()),
  message_type text not null default 'user' check (message_type in ('user', 'announcement', 'system')),
  metadata jsonb not null default '{"status": "delivered", "retry_count": 0}' check (
    pg_column_size(metadata) < 2000 and coalesce(metadata ->> 'status', '') in ('sent', 'delivered')
    and coalesce(jsonb_typeof(metadata -> 'retry_count'), '') = 'number'
  ),
  created_at timestamptz not null default clock_timestamp(),
  check ((message_type = 'system') = (sender_id = 'system'))
);
create index messages_conversation_idx on public.messages (conversation_id, created_at, id);
alter table public.messages enable row level security;
select private.send_changes('messages');
create policy "Both sides read the messages" on public.messages
  for select to authenticated using (
    exists (
      select 1 from public.conversations as c
      where c.id = conversation_id and (c.owner_id = (select auth.uid()) or c.member_id = (select auth.uid()))
    )
  );
create policy "Both sides write" on public.messages
  for insert to authenticated with check (
    message_type = 'user' and sender_id = (select auth.uid())::text
    and exists (
      select 1 from public.conversations as c
      where c.id = conversation_id and not c.archived
        and (c.owner_id = (select auth.uid()) or c.member_id = (select auth.uid()))
    )
  );

-- Whether a side has something to read. The key reveals nothing about who talks to whom, as keys of deleted rows reach everybody.
create table public.chat_participants (
  id uuid primary key default gen_random_uuid(),
  conversation_id uuid not null references public.conversations (id) on delete cascade,
  user_id uuid not null references public.user_profiles (user_id) on delete cascade,
  has_unread boolean not null default false,
  unique (conversation_id, user_id)
);
create index chat_participants_user_idx on public.chat_participants (user_id);
alter table public.chat_participants enable row level security;
select private.send_changes('chat_participants');
create policy "People see their own unread mark" on public.chat_participants
  for select to authenticated using (user_id = (select auth.uid()));

-- Finds or opens the conversation of a plan's owner with a member or with somebody who asks for a place. Either side may call
-- it; a former member still reaches the archived one.
create function private.find_or_create_conversation(p_subscription_id text, p_owner_id uuid, p_member_id uuid) returns uuid
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_user uuid := private.require_user();
  v_plan public.shared_subscriptions;
  v_conversation uuid;
  v_is_member boolean;
begin
  if p_subscription_id is null then
    raise exception 'Subscription information is required' using errcode = '23514';
  elsif p_owner_id is null or p_member_id is null or p_owner_id = p_member_id then
    raise exception 'Cannot start chat without a recipient' using errcode = '23514';
  end if;
  select * into v_plan from public.shared_subscriptions where id = p_subscription_id;
  if not found then
    raise exception 'Subscription not found' using errcode = 'PT404';
  elsif v_user not in (p_owner_id, p_member_id) or v_plan.owner_id <> p_owner_id then
    raise exception 'User does not have access to this subscription' using errcode = '42501';
  end if;
  select id into v_conversation from public.conversations
  where subscription_id = p_subscription_id and owner_id = p_owner_id and member_id = p_member_id;
  if found then return v_conversation; end if;
  v_is_member := exists (
    select from public.subscription_members where subscription_id = p_subscription_id and user_id = p_member_id);
  if not v_is_member then
    -- Waits for anybody ending the request.
    perform from public.subscription_requests as r
    where r.subscription_id = p_subscription_id and r.user_id = p_member_id and private.is_open_request(r) for share;
    if not found then
      raise exception 'User does not have access to this subscription' using errcode = '42501';
    end if;
  end if;
  insert into public.conversations (subscription_id, owner_id, member_id, is_question)
  values (p_subscription_id, p_owner_id, p_member_id, not v_is_member)
  on conflict (subscription_id, owner_id, member_id) do update set owner_id = excluded.owner_id
  returning id into v_conversation;
  insert into public.chat_participants (conversation_id, user_id)
  values (v_conversation, p_owner_id), (v_conversation, p_member_id)
  on conflict do nothing;
  return v_conversation;
end $$;
select private.publish('find_or_create_conversation', 'authenticated');

-- Refuses an invalid message.
create function private.require_message(p_text text) returns void
language plpgsql immutable set search_path = '' as $$
begin
  -- Length is cheap to check; counting the characters of a very long text is not.
  if char_length(p_text) > 10 * private.longest_message() or private.characters(p_text) > private.longest_message() then
    raise exception 'A message can be at most % characters long', private.longest_message() using errcode = '23514';
  elsif coalesce(private.visible_length(p_text), 0) = 0 then
    raise exception 'A message cannot be empty' using errcode = '23514';
  end if;
end $$;

-- Refuses messages in an archived chat, messages sent too fast and invalid ones; fills in the sender and the time.
create function private.tg_messages__fill() returns trigger
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_user uuid := auth.uid();
  v_conversation public.conversations;
begin
  if v_user is null then return new; end if;
  -- Writers share this lock, but wait for anybody archiving the chat.
  select * into v_conversation from public.conversations where id = new.conversation_id for share;
  if not found or v_user not in (v_conversation.owner_id, v_conversation.member_id)
    or coalesce(new.sender_id, v_user::text) <> v_user::text or coalesce(new.message_type, 'user') <> 'user' then
    raise exception 'Unauthorized: Cannot send message to this conversation' using errcode = '42501';
  elsif v_conversation.archived and not v_conversation.is_question then
    raise exception 'This conversation has been archived because the member has left the subscription.' using errcode = '23514';
  elsif v_conversation.archived or v_conversation.question_until <= now() - private.unnoticed_gap() then
    raise exception 'This conversation has ended, because no place came of it.' using errcode = '23514';
  end if;
  perform private.require_reachable(case v_user when v_conversation.owner_id then v_conversation.member_id
    else v_conversation.owner_id end, 'This conversation takes no messages');
  new.content := coalesce(new.content, '');
  perform private.require_message(new.content);
  perform private.spend_attempt('chat message');
  new.id := coalesce(new.id, gen_random_uuid());
  new.sender_id := v_user::text;
  new.message_type := 'user';
  new.created_at := clock_timestamp();
  new.metadata := jsonb_build_object('status', 'delivered', 'retry_count',
    case when jsonb_typeof(new.metadata -> 'retry_count') = 'number'
      then least(3, greatest(0, trunc((new.metadata ->> 'retry_count')::numeric))) else 0 end);
  return new;
end $$;
-- Announcements fill these in themselves; no policy lets a client write one here.
create trigger fill before insert on public.messages
  for each row when (new.message_type is distinct from 'announcement') execute function private.tg_messages__fill();

create function private.tg_messages__mark_unread() returns trigger
language plpgsql volatile security definer set search_path = '' as $$
begin
  update public.chat_participants set has_unread = true
  where conversation_id = new.conversation_id and user_id::text <> new.sender_id and not has_unread;
  return null;
end $$;
create trigger mark_unread after insert on public.messages
  for each row execute function private.tg_messages__mark_unread();

-- Archives a conversation when its member goes, and reopens it when they come back.
create function private.tg_subscription_members__archive() returns trigger
language plpgsql volatile security definer set search_path = '' as $$
begin
  if tg_op = 'INSERT' then
    update public.conversations set archived = false, is_question = false, question_until = null
    where subscription_id = new.subscription_id and member_id = new.user_id and (archived or is_question or question_until is not null);
  else
    update public.conversations set archived = true
    where subscription_id = old.subscription_id and member_id = old.user_id and not archived;
  end if;
  return null;
end $$;
create trigger archive after insert or delete on public.subscription_members
  for each row execute function private.tg_subscription_members__archive();

-- Refuses anybody but the two sides of a conversation.
create function private.require_party(p_conversation_id uuid, p_refusal text) returns void
language plpgsql stable security definer set search_path = '' as $$
begin
  if not exists (
    select 1 from public.conversations
    where id = p_conversation_id and (owner_id = (select auth.uid()) or member_id = (select auth.uid()))
  ) then
    raise exception '%', p_refusal using errcode = '42501';
  end if;
end $$;

create function private.mark_conversation_read(p_conversation_id uuid, p_user_id uuid) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare v_user uuid := private.require_self(p_user_id);
begin
  perform private.require_party(p_conversation_id, 'Unauthorized: Cannot mark conversation as read');
  update public.chat_participants set has_unread = false
  where conversation_id = p_conversation_id and user_id = v_user and has_unread;
end $$;
select private.publish('mark_conversation_read', 'authenticated');

create function private.get_conversation_unread_status(p_conversation_id uuid, p_user_id uuid) returns boolean
language plpgsql stable security definer set search_path = '' as $$
declare v_user uuid := private.require_self(p_user_id);
begin
  perform private.require_party(p_conversation_id, 'Unauthorized access to conversation');
  return coalesce(
    (select has_unread from public.chat_participants where conversation_id = p_conversation_id and user_id = v_user), false);
end $$;
select private.publish('get_conversation_unread_status', 'authenticated');

-- The caller's conversations with something to read; their number is the badge.
create function public.get_user_unread_conversations(p_user_id uuid)
returns table (conversation_id uuid, subscription_id text, owner_id uuid, member_id uuid)
language plpgsql stable set search_path = '' as $$
begin
  perform private.require_self(p_user_id);
  return query
    select c.id, c.subscription_id, c.owner_id, c.member_id
    from public.chat_participants as p join public.conversations as c on c.id = p.conversation_id
    where p.user_id = p_user_id and p.has_unread;
end $$;
select private.publish('get_user_unread_conversations', 'authenticated');

-- Writes one message to each member, marked as an announcement; returns how many there are. Owner only. Members who have
-- blocked the owner, or are blocked by them, do not get it.
create function private.announce_to_members(p_subscription_id text, p_text text) returns integer
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_user uuid := private.require_user();
  v_member uuid;
  v_conversation uuid;
  v_count integer := 0;
begin
  if not private.is_plan_owner(p_subscription_id) then
    raise exception 'Only the plan''s owner writes to all members' using errcode = '42501';
  end if;
  perform private.require_message(p_text);
  perform private.spend_attempt('announcement');
  for v_member in
    select m.user_id from public.subscription_members as m
    where m.subscription_id = p_subscription_id and not m.is_owner and not exists (
      select from public.blocked_people as b where (b.user_id, b.blocked_id) in ((v_user, m.user_id), (m.user_id, v_user))
    ) order by m.joined_at, m.user_id
  loop
    v_conversation := private.find_or_create_conversation(p_subscription_id, v_user, v_member);
    insert into public.messages (conversation_id, sender_id, content, message_type)
    -- Waits for members who are leaving; those who have left get nothing.
    select id, v_user, p_text, 'announcement' from public.conversations where id = v_conversation and not archived for share;
    if found then
      v_count := v_count + 1;
    end if;
  end loop;
  if v_count = 0 then
    raise exception 'There is nobody in this plan to write to yet' using errcode = '23514';
  end if;
  return v_count;
end $$;
select private.publish('announce_to_members', 'authenticated');

revoke all on public.conversations, public.messages, public.chat_participants from public, anon, authenticated;
grant select on public.conversations, public.messages, public.chat_participants to authenticated;
grant insert (id, conversation_id, sender_id, content, message_type, metadata) on public.messages to authenticated;
grant all on public.conversations, public.messages, public.chat_participants to service_role;
-- Checks on messages run with the writer's rights.
grant execute on function private.characters(text) to authenticated, service_role;

-- people/chat_alerts.sql
-- How people hear about chat messages they have not read: one mail until they read the chat, and a push now and then. On the
-- site the chat is marked unread (chat.sql); the bell stays silent.

-- Queues a push of an unread chat for its reader's devices after p_wait. Each device has at most one waiting.
create function private.push_chat(p_participant_id uuid, p_user_id uuid, p_wait interval) returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  insert into private.outgoing_pushes (about, session_id, next_attempt_at)
  select p_participant_id, d.session_id, clock_timestamp() + p_wait
  from private.living_push_devices(p_user_id) as d
  where private.wants(p_user_id, 'messages', 'push') order by d.session_id
  on conflict do nothing;
end $$;

-- A chat that has been read, or told another way, needs neither.
create function private.call_back_chat(p_participant_id uuid) returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  perform private.call_back_mail(p_participant_id::text);
  delete from private.outgoing_pushes where about = p_participant_id;
end $$;

-- Alerts the reader when a chat becomes unread, after a moment in which an open chat is read anyway.
create function private.tg_chat_participants__alert() returns trigger
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_chat record;
  v_address text;
  v_unsubscribe text;
begin
  perform private.call_back_chat(old.id);
  if tg_op = 'DELETE' or not new.has_unread then return null; end if;
  perform private.push_chat(new.id, new.user_id, '5 seconds');
  select * into v_chat from private.unread_chat(new.id);
  v_address := private.email_of(new.user_id);
  if v_chat.conversation_id is null or not private.is_mailable(v_address) or not private.wants(new.user_id, 'messages', 'mail') then
    return null;
  end if;
  v_unsubscribe := private.unsubscribe_path(new.user_id);
  perform private.send_mail(v_address, v_chat.said, private.mail_page(
    'New Message', array[v_chat.said], 'Read the message', '/messages/' || v_chat.conversation_id,
    'Whatever follows in this chat, we write again only after you have read it.',
    'You get this e-mail because you had not read it on Potluck yet.', v_unsubscribe
  ), array[new.id::text, v_chat.conversation_id::text], v_unsubscribe, interval '10 minutes',
    p_event => 'chat-message', p_params => jsonb_build_object('person', v_chat.person, 'plan', v_chat.plan));
  return null;
end $$;
create trigger alert after update of has_unread or delete on public.chat_participants
  for each row execute function private.tg_chat_participants__alert();

-- More messages in an unread chat are worth another push now and then.
create function private.tg_messages__push() returns trigger
language plpgsql volatile security definer set search_path = '' as $$
begin
  perform private.push_chat(id, user_id, '10 minutes') from public.chat_participants
  where conversation_id = new.conversation_id and user_id::text <> new.sender_id and has_unread;
  return null;
end $$;
create trigger push after insert on public.messages
  for each row execute function private.tg_messages__push();

-- plans/closed_providers.sql
-- Providers the operator has switched off: no new plans, invitations or join requests. Existing members keep their places.
create table public.closed_providers (
  provider text primary key check (char_length(provider) between 1 and 200),
  -- The reason, readable by everybody.
  reason text not null check (char_length(btrim(reason)) between 1 and 300),
  closed_at timestamptz not null default clock_timestamp()
);
alter table public.closed_providers enable row level security;
create policy "People see which providers are switched off" on public.closed_providers
  for select to authenticated using (true);
create policy "Whoever takes plans down switches a provider off" on public.closed_providers
  for insert to authenticated with check ((select private.proven(private.may('subscriptions.delete'))));
create policy "Whoever takes plans down switches it on again" on public.closed_providers
  for delete to authenticated using ((select private.proven(private.may('subscriptions.delete'))));

-- Refuses anything new with a provider that is switched off.
create function private.require_offered(p_provider text) returns void
language plpgsql stable security definer set search_path = '' as $$
begin
  if exists (select from public.closed_providers where provider = p_provider) then
    raise exception '% is not offered here at the moment', p_provider using errcode = '23514';
  end if;
end $$;

select private.send_changes('closed_providers');

revoke all on public.closed_providers from public, anon, authenticated;
grant select, insert (provider, reason), delete on public.closed_providers to authenticated;
grant all on public.closed_providers to service_role;

-- plans/plan_links.sql
-- The link that is the only way to find a private plan. Its owner can copy it any time, so it is stored in the clear; it shows
-- what everybody sees of a public plan.
create table private.plan_links (
  subscription_id text primary key references public.shared_subscriptions (id) on delete cascade,
  token text not null unique default replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', '')
);
alter table private.plan_links enable row level security;

-- Who has followed the current link.
create table private.link_visits (
  subscription_id text not null references private.plan_links (subscription_id) on delete cascade,
  user_id uuid not null references public.user_profiles (user_id) on delete cascade,
  primary key (subscription_id, user_id)
);
create index link_visits_user_idx on private.link_visits (user_id);
alter table private.link_visits enable row level security;

-- Gives a plan a link when it becomes private, and deletes it when the plan becomes public.
create function private.tg_shared_subscriptions__keep_link() returns trigger
language plpgsql volatile security definer set search_path = '' as $$
begin
  if new.is_private then
    insert into private.plan_links (subscription_id) values (new.id) on conflict do nothing;
  else
    delete from private.plan_links where subscription_id = new.id;
  end if;
  return null;
end $$;
create trigger keep_link after insert or update of is_private on public.shared_subscriptions
  for each row execute function private.tg_shared_subscriptions__keep_link();

-- Does the acting user know this private plan: have they followed its link, asked or waited for a place, or been invited?
create function private.knows_plan(p_subscription_id text) returns boolean
language plpgsql stable security definer set search_path = '' as $$
begin
  return exists (select from private.link_visits where subscription_id = p_subscription_id and user_id = (select auth.uid()))
    or exists (select from public.waiting_list where subscription_id = p_subscription_id and user_id = (select auth.uid()))
    or exists (select from public.subscription_requests as r
      where r.subscription_id = p_subscription_id and r.user_id = (select auth.uid()) and private.is_open_request(r))
    or exists (select from public.subscription_invitations as i
      where i.subscription_id = p_subscription_id and i.email = private.my_email() and private.invitation_status(i) = 'open');
end $$;

-- May the acting user find this plan, and so ask for a place? Nobody finds plans of an owner who has blocked them, except one
-- they have a place in.
create function private.may_find(p_plan public.shared_subscriptions) returns boolean
language plpgsql stable security definer set search_path = '' as $$
begin
  return p_plan.status = 'active' and (not p_plan.is_private or private.knows_plan(p_plan.id))
    and (p_plan.owner_id <> all (private.blocked_by()) or private.is_plan_member(p_plan.id));
end $$;

create policy "Active plans are for everyone signed in, private ones for who knows them" on public.shared_subscriptions
  for select to authenticated using (
    (status = 'active' and not is_private and owner_id <> all ((select private.blocked_by())::uuid[]))
    or owner_id = (select auth.uid())
    or private.is_plan_member(id)
    or (status = 'active' and owner_id <> all ((select private.blocked_by())::uuid[]) and private.knows_plan(id))
    or (select private.may('subscriptions.view'))
  );

-- Tells browsers to drop a plan that is no longer public. Row-level security hides the change itself from them, but every
-- listener receives a deletion, with nothing but its key: so a row is inserted and deleted at once.
create table public.plan_departures (
  subscription_id text primary key references public.shared_subscriptions (id) on delete cascade
);
alter table public.plan_departures enable row level security;
create policy "Owners see what goes out of everybody's sight" on public.plan_departures
  for select to authenticated using (private.is_plan_owner(subscription_id));

create function private.tg_shared_subscriptions__depart() returns trigger
language plpgsql volatile security definer set search_path = '' as $$
begin
  insert into public.plan_departures (subscription_id) values (new.id) on conflict do nothing;
  delete from public.plan_departures where subscription_id = new.id;
  return null;
end $$;
create trigger depart after update of status, is_private on public.shared_subscriptions
  for each row when (old.status = 'active' and not old.is_private and (new.status <> 'active' or new.is_private))
  execute function private.tg_shared_subscriptions__depart();

select private.send_changes('plan_departures');

-- The secret in a private plan's link; null for a public plan. Owner only.
create function private.get_plan_link(p_subscription_id text) returns text
language plpgsql stable security definer set search_path = '' as $$
begin
  if not private.is_plan_owner(p_subscription_id) then
    raise exception 'Subscription not found' using errcode = 'PT404';
  end if;
  return (select token from private.plan_links where subscription_id = p_subscription_id);
end $$;
select private.publish('get_plan_link', 'authenticated');

-- Replaces the link and returns the new one. The old one stops working at once, even for people who followed it but have not
-- asked for a place. Owner only.
create function private.replace_plan_link(p_subscription_id text) returns text
language plpgsql volatile security definer set search_path = '' as $$
declare v_token text;
begin
  if not private.is_plan_owner(p_subscription_id) then
    raise exception 'Subscription not found' using errcode = 'PT404';
  end if;
  perform private.spend_attempt('owner action');
  update private.plan_links set token = default where subscription_id = p_subscription_id returning token into v_token;
  if not found then
    raise exception 'This plan is not private' using errcode = '23514';
  end if;
  delete from private.link_visits where subscription_id = p_subscription_id;
  return v_token;
end $$;
select private.publish('replace_plan_link', 'authenticated');

-- Lets the acting user see the plan behind a link, and returns its id.
create function private.open_plan_link(p_token text) returns text
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_user uuid := private.require_user();
  v_plan_id text;
begin
  -- The lock keeps a link that is being replaced from working.
  select l.subscription_id into v_plan_id from private.plan_links as l
  join public.shared_subscriptions as p on p.id = l.subscription_id and p.owner_id <> all (private.blocked_by())
  where l.token = p_token for key share of l;
  if not found then
    raise exception 'This link is not known' using errcode = 'PT404';
  end if;
  insert into private.link_visits (subscription_id, user_id) values (v_plan_id, v_user) on conflict do nothing;
  return v_plan_id;
end $$;
select private.publish('open_plan_link', 'authenticated');

revoke all on private.plan_links, private.link_visits, public.plan_departures from public, anon, authenticated, service_role;
grant select on public.plan_departures to authenticated, service_role;
grant execute on function private.knows_plan(text) to authenticated;

-- plans/provider_requests.sql
-- Limits of a provider request: text lengths, plans, features of a plan, and people a plan covers.
create function private.longest_provider_name() returns integer
language sql immutable return 100;
create function private.longest_provider_description() returns integer
language sql immutable return 2000;
create function private.longest_website() returns integer
language sql immutable return 500;
create function private.most_requested_plans() returns integer
language sql immutable return 50;
create function private.longest_plan_name() returns integer
language sql immutable return 100;
create function private.most_features() returns integer
language sql immutable return 30;
create function private.longest_feature() returns integer
language sql immutable return 200;
create function private.most_plan_members() returns integer
language sql immutable return 10000;

-- A provider missing from the catalogue; staff decides once.
create table public.provider_requests (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references public.user_profiles (user_id) on delete cascade,
  provider_name text not null,
  category text not null,
  website_url text not null,
  description text not null,
  plans_data jsonb not null,
  status text not null default 'pending' check (status in ('pending', 'approved', 'rejected')),
  created_at timestamptz not null default clock_timestamp()
);
create index provider_requests_user_idx on public.provider_requests (user_id, created_at desc);
create index provider_requests_pending_idx on public.provider_requests (created_at) where status = 'pending';
alter table public.provider_requests enable row level security;
select private.send_changes('provider_requests');
create policy "People see their own provider requests, admins all" on public.provider_requests
  for select to authenticated using (user_id = (select auth.uid()) or (select private.may('subscriptions.delete')));
create policy "People ask in their own name" on public.provider_requests
  for insert to authenticated with check (user_id = (select auth.uid()) and status = 'pending');
create policy "Admins decide on provider requests" on public.provider_requests
  for update to authenticated using ((select private.may('subscriptions.delete'))) with check ((select private.may('subscriptions.delete')));

-- Are these valid features of a plan: short texts, or none?
create function private.are_features(p_features jsonb) returns boolean
language sql immutable set search_path = '' as $$
  select case coalesce(jsonb_typeof(p_features), 'none')
    when 'none' then true
    when 'array' then jsonb_array_length(p_features) <= private.most_features() and not exists (
      select from jsonb_array_elements(p_features) as feature
      where jsonb_typeof(feature) <> 'string' or char_length(feature #>> '{}') > private.longest_feature()
        or private.visible_length(feature #>> '{}') = 0
    )
    else false
  end
$$;

create function private.require_offered_plans(p_plans jsonb) returns void
language plpgsql immutable set search_path = '' as $$
declare v_plan jsonb;
begin
  if p_plans is null or jsonb_typeof(p_plans) <> 'array' or jsonb_array_length(p_plans) = 0 then
    raise exception 'At least one plan is required' using errcode = '23514';
  elsif jsonb_array_length(p_plans) > private.most_requested_plans() or octet_length(p_plans::text) > 100000 then
    raise exception 'These are too many plans' using errcode = '23514';
  end if;
  for v_plan in select value from jsonb_array_elements(p_plans) loop
    if jsonb_typeof(v_plan) <> 'object' or coalesce(jsonb_typeof(v_plan -> 'plan_name'), '') <> 'string'
      or private.visible_length(v_plan ->> 'plan_name') = 0 then
      raise exception 'Plan name is required' using errcode = '23514';
    elsif char_length(v_plan ->> 'plan_name') > private.longest_plan_name() then
      raise exception 'Plan name can be at most % characters', private.longest_plan_name() using errcode = '23514';
    elsif jsonb_typeof(v_plan -> 'price') is distinct from 'number' or (v_plan ->> 'price')::numeric < 0 then
      raise exception 'Price must be positive' using errcode = '23514';
    elsif (v_plan ->> 'price')::numeric > 100000 then
      raise exception 'Price can be at most 100,000' using errcode = '23514';
    elsif jsonb_typeof(v_plan -> 'max_members') is distinct from 'number' or (v_plan ->> 'max_members')::numeric < 1 then
      raise exception 'Max members must be at least 1' using errcode = '23514';
    elsif (v_plan ->> 'max_members')::numeric > private.most_plan_members() or (v_plan ->> 'max_members')::numeric % 1 <> 0 then
      raise exception 'Max members must be a whole number up to %', to_char(private.most_plan_members(), 'FM999,999') using errcode = '23514';
    elsif coalesce(v_plan ->> 'billing_cycle', '') not in ('monthly', 'yearly') then
      raise exception 'The billing cycle is monthly or yearly' using errcode = '23514';
    elsif not private.are_features(v_plan -> 'features') then
      raise exception 'Features are up to % texts of at most % characters', private.most_features(), private.longest_feature() using errcode = '23514';
    end if;
  end loop;
end $$;

create function private.tg_provider_requests__fill() returns trigger
language plpgsql volatile security definer set search_path = '' as $$
declare v_user uuid := auth.uid();
begin
  if v_user is not null then
    if new.user_id is not null and new.user_id <> v_user then
      raise exception 'You can only ask for yourself' using errcode = '42501';
    end if;
    if new.status <> 'pending' then
      raise exception 'Only admins decide on provider requests' using errcode = '42501';
    end if;
    perform private.spend_attempt('provider request');
    new.user_id := v_user;
    new.created_at := clock_timestamp();
  end if;
  perform private.ensure_profile(new.user_id);
  new.provider_name := btrim(coalesce(new.provider_name, ''));
  new.description := btrim(coalesce(new.description, ''));
  -- Cheap length checks first, because scanning a very long text is slow.
  if char_length(new.provider_name) > private.longest_provider_name() then
    raise exception 'Provider name can be at most % characters', private.longest_provider_name() using errcode = '23514';
  elsif private.visible_length(new.provider_name) < 2 then
    raise exception 'Provider name must be at least 2 characters' using errcode = '23514';
  elsif coalesce(new.category, '') not in ('Streaming', 'Music', 'Gaming', 'Productivity', 'Security', 'Cloud Storage',
      'Design', 'Education', 'Fitness', 'News') then
    raise exception 'Please select a category' using errcode = '23514';
  elsif char_length(coalesce(new.website_url, '')) > private.longest_website()
    or coalesce(new.website_url, '') !~* '^https?://[^\s/?#@\\]+\.[^\s/?#@\\]+([/?#]\S*)?$' then
    raise exception 'Please enter a valid URL' using errcode = '23514';
  elsif char_length(new.description) > private.longest_provider_description() then
    raise exception 'Description can be at most % characters', private.longest_provider_description() using errcode = '23514';
  elsif private.visible_length(new.description) < 10 then
    raise exception 'Description must be at least 10 characters' using errcode = '23514';
  end if;
  perform private.require_offered_plans(new.plans_data);
  -- Keeps only known fields, with prices to the cent.
  new.plans_data := (
    select jsonb_agg(jsonb_build_object(
      'plan_name', btrim(plan ->> 'plan_name'), 'price', round((plan ->> 'price')::numeric, 2),
      'billing_cycle', plan -> 'billing_cycle', 'max_members', (plan ->> 'max_members')::numeric::integer,
      'features', coalesce(plan -> 'features', '[]')
    ) order by place) from jsonb_array_elements(new.plans_data) with ordinality as sent (plan, place)
  );
  return new;
end $$;
create trigger fill before insert on public.provider_requests
  for each row execute function private.tg_provider_requests__fill();

-- A decision is final, must be somebody else's, and is told to the requester.
create function private.tg_provider_requests__decide() returns trigger
language plpgsql volatile security definer set search_path = '' as $$
begin
  if new.status is not distinct from old.status then return new; end if;
  if new.user_id = auth.uid() then
    raise exception 'Someone else decides about your own request' using errcode = '42501';
  elsif old.status <> 'pending' then
    raise exception 'This request has already been %', old.status using errcode = '23514';
  end if;
  perform private.notify(new.user_id, case new.status when 'approved' then 'success' else 'info' end,
    case new.status when 'approved' then 'Provider Request Approved' else 'Provider Request Rejected' end,
    format('Your request to add %s has been %s.', new.provider_name, new.status), null,
    'provider-request-' || new.status, jsonb_build_object('provider', new.provider_name));
  return new;
end $$;
create trigger decide before update of status on public.provider_requests
  for each row execute function private.tg_provider_requests__decide();

-- How many await a decision. Admins only.
create function public.get_pending_provider_requests_count() returns integer
language plpgsql stable set search_path = '' as $$
begin
  perform private.require_user();
  if not private.may('subscriptions.delete') then
    raise exception 'Only admins see the provider requests of others' using errcode = '42501';
  end if;
  return (select count(*) from public.provider_requests where status = 'pending');
end $$;
select private.publish('get_pending_provider_requests_count', 'authenticated');

revoke all on public.provider_requests from public, anon, authenticated;
grant select, update (status),
  insert (user_id, provider_name, category, website_url, description, plans_data, status)
  on public.provider_requests to authenticated;
grant all on public.provider_requests to service_role;

-- staff/access_requests.sql
-- The maximum length of the reason in an access request.
create function private.longest_access_reason() returns integer
language sql immutable return 2000;

-- A request to become an admin; a super-admin decides, and approval grants the role.
create table public.admin_role_requests (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references public.user_profiles (user_id) on delete cascade,
  name text not null,
  email text not null,
  reason text not null,
  status text not null default 'pending' check (status in ('pending', 'approved', 'rejected')),
  requested_at timestamptz not null default clock_timestamp(),
  reviewed_at timestamptz
);
create index admin_role_requests_newest_idx on public.admin_role_requests (requested_at desc);
create unique index admin_role_requests_one_pending_key on public.admin_role_requests (user_id) where status = 'pending';
create index admin_role_requests_user_idx on public.admin_role_requests (user_id);
alter table public.admin_role_requests enable row level security;
select private.send_changes('admin_role_requests');
create policy "People see their own access request, admins all" on public.admin_role_requests
  for select to authenticated using (user_id = (select auth.uid()) or (select private.may('users.edit')));
create policy "People ask in their own name" on public.admin_role_requests
  for insert to authenticated with check (user_id = (select auth.uid()) and status = 'pending');
create policy "Super-admins decide on access requests" on public.admin_role_requests
  for update to authenticated using ((select private.proven(private.may('roles.manage')))) with check ((select private.proven(private.may('roles.manage'))));

create function private.tg_admin_role_requests__fill() returns trigger
language plpgsql volatile security definer set search_path = '' as $$
declare v_user uuid := auth.uid();
begin
  if v_user is not null then
    if new.user_id is not null and new.user_id <> v_user then
      raise exception 'You can only ask for yourself' using errcode = '42501';
    end if;
    new.user_id := v_user;
    new.status := 'pending';
    new.requested_at := clock_timestamp();
    new.reviewed_at := null;
  end if;
  perform private.ensure_profile(new.user_id);
  new.name := btrim(coalesce(new.name, ''));
  new.email := btrim(coalesce(new.email, ''));
  new.reason := btrim(coalesce(new.reason, ''));
  if char_length(new.name) > private.longest_full_name() then
    raise exception 'Name can be at most % characters', private.longest_full_name() using errcode = '23514';
  elsif private.visible_length(new.name) < 2 then
    raise exception 'Name is required' using errcode = '23514';
  elsif private.name_refusal(new.name) is not null then
    raise exception '%', private.name_refusal(new.name) using errcode = '23514';
  elsif char_length(new.email) > 254 or octet_length(new.email) > char_length(new.email) or new.email !~ '^[^\s@]+@[^\s@]+\.[^\s@]+$' then
    raise exception 'Valid email is required' using errcode = '23514';
  elsif char_length(new.reason) > private.longest_access_reason() then
    raise exception 'The reason can be at most % characters', private.longest_access_reason() using errcode = '23514';
  elsif private.visible_length(new.reason) < 10 then
    raise exception 'Please provide a detailed reason for your request' using errcode = '23514';
  end if;
  -- The decision relies on the address, so it is the account's, not one somebody typed.
  if v_user is not null then
    new.email := private.email_of(v_user);
  end if;
  return new;
end $$;
create trigger fill before insert on public.admin_role_requests
  for each row execute function private.tg_admin_role_requests__fill();

create function private.tg_admin_role_requests__decide() returns trigger
language plpgsql volatile security definer set search_path = '' as $$
begin
  if new.status is not distinct from old.status then
    -- The database sets the time of the review, once.
    if auth.uid() is not null then new.reviewed_at := old.reviewed_at; end if;
    return new;
  end if;
  if new.user_id = auth.uid() then
    raise exception 'Someone else decides about your own request' using errcode = '42501';
  elsif old.status <> 'pending' then
    raise exception 'This request has already been %', old.status using errcode = '23514';
  end if;
  new.reviewed_at := clock_timestamp();
  -- A person with a higher role keeps it.
  if new.status = 'approved' and not exists (
    select 1 from public.user_roles where user_id = new.user_id and role = 'super-admin'
  ) then
    begin
      perform private.assign_user_role(new.user_id, 'admin');
    exception when others then
      raise exception 'Failed to assign admin role' using errcode = '23514', detail = sqlerrm;
    end;
  end if;
  perform private.notify(new.user_id, case new.status when 'approved' then 'success' else 'info' end,
    case new.status when 'approved' then 'Admin Access Approved' else 'Admin Access Rejected' end,
    format('Your request for admin access has been %s.', new.status), null, 'admin-access-' || new.status);
  return new;
end $$;
create trigger decide before update on public.admin_role_requests
  for each row execute function private.tg_admin_role_requests__decide();

revoke all on public.admin_role_requests from public, anon, authenticated;
grant select, insert (user_id, name, email, reason), update (status, reviewed_at) on public.admin_role_requests to authenticated;
grant all on public.admin_role_requests to service_role;

-- trust/access.sql
-- From payment to access: the owner gives it and the member confirms it; without access in time, the money goes back.

-- How long an owner has to give access after a payment through the site, when they are reminded, and how long a member may stay
-- silent before access counts as working.
create function private.access_time() returns interval
language sql immutable return interval '48 hours';
create function private.access_reminder() returns interval
language sql immutable return interval '24 hours';
create function private.access_silence() returns interval
language sql immutable return interval '48 hours';

-- Records that the member can get in from now on, and begins what waited for it. The caller has locked the seat.
create function private.note_access(p_seat_id uuid, p_address text) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare v_seat private.seats;
begin
  update private.seats set access_given_at = private.now(), invited_address = p_address
  where id = p_seat_id and access_given_at is null;
  if not found then return; end if;
  v_seat := private.begin_periods(p_seat_id);
  if v_seat.admitted_at is null then return; end if;
  perform private.tell_seat(v_seat, v_seat.member_id, 'success', 'access-given', 'You Have Access',
    format(case when p_address is null then '%s has put what gets you into %s %s on your page of the plan. Please say whether it works.'
      else '%s has sent you the invitation to %s %s, to %s. Please say whether it works.' end,
      (select display_name from public.user_profiles where user_id = v_seat.owner_id), v_seat.provider, v_seat.plan_name, p_address),
    jsonb_strip_nulls(jsonb_build_object('address', p_address)));
end $$;

-- The vault holds what opens the plan: every seat that waits for it now has access.
create function private.note_stored_access(p_subscription_id text) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare v_seat uuid;
begin
  for v_seat in
    select id from private.seats where subscription_id = p_subscription_id and ended_at is null and access_given_at is null
    order by id for update
  loop
    perform private.note_access(v_seat, null);
  end loop;
end $$;

-- "Invitation sent", to this address. Owner of the seat only; a later address replaces the first.
create function private.give_access(p_seat_id uuid, p_address text) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_seat private.seats := private.lock_living_seat(p_seat_id, true);
  v_address text := btrim(coalesce(p_address, ''));
begin
  if private.visible_length(v_address) = 0 or char_length(v_address) > private.longest_invited_address() then
    raise exception 'Please say in at most % characters where the invitation went', private.longest_invited_address() using errcode = '23514';
  elsif v_seat.access_confirmed_at is not null then
    raise exception 'This member has said that it works' using errcode = '23514';
  end if;
  perform private.spend_attempt('owner action');
  update private.seats set invited_address = v_address where id = v_seat.id and access_given_at is not null;
  perform private.note_access(v_seat.id, v_address);
end $$;
select private.publish('give_access', 'authenticated');

-- "It works": member only, even before the owner has said that they gave access.
create function private.confirm_access(p_seat_id uuid) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare v_seat private.seats := private.lock_living_seat(p_seat_id, false);
begin
  if v_seat.admitted_at is null then
    raise exception 'Access comes with the first payment' using errcode = '23514';
  elsif v_seat.access_confirmed_at is not null then
    return;
  end if;
  update private.seats set access_confirmed_at = private.now(), access_given_at = coalesce(access_given_at, private.now())
  where id = v_seat.id;
  perform private.begin_periods(v_seat.id);
  perform private.tell_seat(v_seat, v_seat.owner_id, 'success', 'access-confirmed', 'Access Works',
    format('%s says that %s %s works.', (select display_name from public.user_profiles where user_id = v_seat.member_id),
      v_seat.provider, v_seat.plan_name));
end $$;
select private.publish('confirm_access', 'authenticated');

-- Has the member confirmed access, or been silent for long enough since it was given?
create function private.access_works(p_seat private.seats) returns boolean
language plpgsql stable security definer set search_path = '' as $$
begin
  return p_seat.access_confirmed_at is not null
    or coalesce(greatest(p_seat.access_given_at, p_seat.admitted_at) + private.access_silence() <= private.now(), false);
end $$;

-- Sent halfway through the owner's time.
create function private.remind_of_access(p_seat private.seats) returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  update private.seats set access_reminded = true where id = p_seat.id;
  perform private.tell_seat(p_seat, p_seat.owner_id, 'warning', 'access-reminder', 'Give Access Now',
    format('%s has paid for %s %s and cannot get in yet. Without access by %s UTC all of it goes back and the place is free.',
      (select display_name from public.user_profiles where user_id = p_seat.member_id), p_seat.provider, p_seat.plan_name,
      to_char(p_seat.access_due_at at time zone 'utc', 'YYYY-MM-DD HH24:MI')), jsonb_build_object('until', p_seat.access_due_at));
end $$;

-- trust/problems.sql
-- How long the owner has to answer, the member to check, and staff to decide; the aim is the time people are told.
create function private.problem_answer_time() returns interval
language sql immutable return interval '24 hours';
create function private.problem_check_time() returns interval
language sql immutable return interval '48 hours';
create function private.problem_decision_aim() returns interval
language sql immutable return interval '72 hours';
create function private.problem_decision_time() returns interval
language sql immutable return interval '7 days';

-- The maximum length of what is said about a problem.
create function private.longest_note() returns integer
language sql immutable return 500;

-- How often a member may say that it is still not fixed, and which problem of a period goes straight to staff.
create function private.problem_refusals() returns integer
language sql immutable return 2;
create function private.problems_for_staff() returns integer
language sql immutable return 3;

-- A problem a member reports with their access: whose turn it is, the deadline, what was said, and how it ended. Both sides can
-- always see it.
create table public.seat_problems (
  id uuid primary key default gen_random_uuid(),
  seat_id uuid not null references private.seats (id) on delete restrict,
  -- The period it was reported in.
  payment_id uuid not null references public.member_payments (id) on delete restrict,
  subscription_id text not null,
  plan_name text not null,
  owner_id uuid not null references public.user_profiles (user_id) on delete restrict,
  member_id uuid not null references public.user_profiles (user_id) on delete restrict,
  reason text not null check (reason in ('sign-in', 'password', 'invitation', 'in-use', 'removed', 'other')),
  note text,
  reported_at timestamptz not null default private.now(),
  -- Whose turn it is, and the deadline.
  status text not null check (status in ('owner', 'member', 'staff', 'closed')),
  due_at timestamptz,
  -- When the owner last said that it is fixed, and how often the member has said that it is not.
  fixed_at timestamptz,
  refusals integer not null default 0,
  -- Once closed, when access came back: 'infinity' if it never did, and the time of the report if it counts as never reported.
  lost_until timestamptz,
  outcome text check (outcome in
    ('fixed', 'withdrawn', 'for-owner', 'for-member', 'owner-silent', 'owner-ended', 'staff-silent')),
  fault text generated always as (case when outcome in ('owner-silent', 'owner-ended', 'for-member') then 'owner'
    when outcome = 'for-owner' then 'member' end) stored,
  closed_at timestamptz,
  decided_by uuid references public.user_profiles (user_id) on delete restrict,
  -- What staff wrote to both.
  decision text,
  check ((status = 'closed') = (outcome is not null and lost_until is not null and closed_at is not null)),
  check ((status = 'closed') = (due_at is null))
);
create unique index seat_problems_one_open_key on public.seat_problems (seat_id) where status <> 'closed';
create index seat_problems_seat_idx on public.seat_problems (seat_id, reported_at);
create index seat_problems_payment_idx on public.seat_problems (payment_id);
create index seat_problems_owner_idx on public.seat_problems (owner_id, reported_at);
create index seat_problems_member_idx on public.seat_problems (member_id, reported_at);
create index seat_problems_decided_by_idx on public.seat_problems (decided_by);
create index seat_problems_staff_idx on public.seat_problems (due_at) where status = 'staff';
alter table public.seat_problems enable row level security;
create policy "Both sides of a problem see it, admins all" on public.seat_problems
  for select to authenticated using (
    member_id = (select auth.uid()) or owner_id = (select auth.uid()) or (select private.may('users.edit') and private.may_act_as_staff())
  );

-- What was said, line by line; without a person, the line is about a deadline that passed.
create table public.problem_statements (
  problem_id uuid not null references public.seat_problems (id) on delete cascade,
  line integer not null,
  at timestamptz not null default private.now(),
  person_id uuid references public.user_profiles (user_id) on delete restrict,
  kind text not null check (kind in ('reported', 'fixed', 'not-fixed', 'contested', 'to-staff', 'works', 'withdrawn', 'for-owner',
    'for-member', 'owner-silent', 'member-silent', 'staff-silent', 'owner-ended')),
  note text,
  primary key (problem_id, line)
);
create index problem_statements_person_idx on public.problem_statements (person_id);
alter table public.problem_statements enable row level security;
-- May the acting user read about this problem?
create function private.sees_problem(p_problem_id uuid) returns boolean
language plpgsql stable security definer set search_path = '' as $$
begin
  return private.may('users.edit') and private.may_act_as_staff() or exists (
    select from public.seat_problems where id = p_problem_id and (select auth.uid()) in (member_id, owner_id));
end $$;
create policy "Whoever sees a problem reads what was said" on public.problem_statements
  for select to authenticated using (private.sees_problem(problem_id));

-- Is a problem of this seat open?
create function private.has_open_problem(p_seat_id uuid) returns boolean
language plpgsql stable security definer set search_path = '' as $$
begin
  return exists (select from public.seat_problems where seat_id = p_seat_id and status <> 'closed');
end $$;

select private.send_changes('seat_problems');

revoke all on public.seat_problems, public.problem_statements from public, anon, authenticated, service_role;
grant select on public.seat_problems, public.problem_statements to authenticated, service_role;
grant execute on function private.sees_problem(uuid) to authenticated;

-- trust/reviews.sql
-- Reviews: how much access people need to write one, how long the first of two is held back, and their length.
create function private.review_after() returns interval
language sql immutable return interval '14 days';
create function private.review_wait() returns interval
language sql immutable return interval '7 days';
create function private.longest_review() returns integer
language sql immutable return 500;

-- What the two sides of a seat say about each other, once each. The first review is held back until the other side has written
-- too, or for private.review_wait(), so that nobody reviews in reply.
create table private.seat_reviews (
  id uuid primary key default gen_random_uuid(),
  seat_id uuid not null references private.seats (id) on delete restrict,
  author_id uuid not null references public.user_profiles (user_id) on delete restrict,
  subject_id uuid not null references public.user_profiles (user_id) on delete restrict,
  rating integer not null check (rating between 1 and 5),
  body text not null,
  written_at timestamptz not null default private.now(),
  shown_from timestamptz not null,
  answer text,
  answered_at timestamptz,
  -- The first report stands for all; staff decides once.
  reported_by uuid references public.user_profiles (user_id) on delete set null,
  report_reason text,
  reported_at timestamptz,
  decided_at timestamptz,
  hidden_reason text,
  unique (seat_id, author_id),
  check (hidden_reason is null or decided_at is not null)
);
create index seat_reviews_subject_idx on private.seat_reviews (subject_id, written_at desc);
create index seat_reviews_author_idx on private.seat_reviews (author_id);
create index seat_reviews_reporter_idx on private.seat_reviews (reported_by);
create index seat_reviews_reported_idx on private.seat_reviews (reported_at) where decided_at is null and reported_at is not null;
alter table private.seat_reviews enable row level security;

-- May the two sides of this seat review each other? A living seat needs private.review_after() of access; an ended one must
-- have begun or been paid.
create function private.is_reviewable(p_seat private.seats) returns boolean
language sql stable security definer set search_path = '' as $$
  select exists (
    select from public.member_payments as m where m.seat_id = p_seat.id and case
      when p_seat.ended_at is null then m.starts_at <= private.now() - private.review_after()
      else m.starts_at is not null or m.paid_at is not null end
  )
$$;

-- A trimmed text. Raises 23514 if it is too long, or empty although required.
create function private.review_text(p_text text, p_needed boolean) returns text
language plpgsql immutable set search_path = '' as $$
declare v_text text := btrim(coalesce(p_text, ''));
begin
  if char_length(v_text) > private.longest_review() then
    raise exception 'This can be at most % characters long', private.longest_review() using errcode = '23514';
  elsif p_needed and private.visible_length(v_text) = 0 then
    raise exception 'Please write a sentence' using errcode = '23514';
  end if;
  return v_text;
end $$;

-- Reviews the other side of a seat, once. The first of two is held back; the second publishes both.
create function private.review_seat(p_seat_id uuid, p_rating integer, p_text text default '') returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_user uuid := private.require_user();
  v_seat private.seats;
  v_other uuid;
  v_is_first boolean;
begin
  -- The lock makes two reviews written at once wait for each other.
  select * into v_seat from private.seats where id = p_seat_id and v_user in (owner_id, member_id) for update;
  if not found then
    raise exception 'Place not found' using errcode = 'PT404';
  elsif not private.is_reviewable(v_seat) then
    raise exception 'You can review each other after % days of access, or when the place has ended',
      extract(day from private.review_after()) using errcode = '23514';
  elsif (p_rating between 1 and 5) is not true then
    raise exception 'A review gives 1 to 5' using errcode = '23514';
  elsif exists (select from private.seat_reviews where seat_id = p_seat_id and author_id = v_user) then
    raise exception 'You have reviewed this already' using errcode = '23505';
  end if;
  v_other := case v_user when v_seat.owner_id then v_seat.member_id else v_seat.owner_id end;
  v_is_first := not exists (select from private.seat_reviews where seat_id = p_seat_id);
  insert into private.seat_reviews (seat_id, author_id, subject_id, rating, body, shown_from)
  values (p_seat_id, v_user, v_other, p_rating, private.review_text(p_text, false),
    private.now() + case when v_is_first then private.review_wait() else '0' end);
  update private.seat_reviews set shown_from = least(shown_from, private.now())
  where seat_id = p_seat_id and author_id = v_other;
  perform private.tell_seat(v_seat, v_other, 'info', case when v_is_first then 'review-waits' else 'reviews-shown' end,
    case when v_is_first then 'You Have Been Reviewed' else 'Both Reviews Are In' end,
    format(case when v_is_first
      then '%s has reviewed you for %s %s. You can read it in %s days, or as soon as you have written yours.'
      else '%s has reviewed you too for %s %s. Both reviews can be read now.' end,
      (select display_name from public.user_profiles where user_id = v_user), v_seat.provider, v_seat.plan_name,
      extract(day from private.review_wait())));
end $$;
select private.publish('review_seat', 'authenticated');

-- Seats whose other side the acting user may still review; they_wrote says that the other side has written theirs.
create function private.reviews_to_write()
returns table (seat_id uuid, subscription_id text, plan text, person_id uuid, person_name text, avatar_url text, they_wrote boolean)
language plpgsql stable security definer set search_path = '' as $$
declare v_user uuid := private.require_user();
begin
  return query
    select s.id, s.subscription_id, s.provider || ' ' || s.plan_name, p.user_id, p.display_name, p.avatar_url,
      exists (select from private.seat_reviews as r where r.seat_id = s.id)
    from private.seats as s
    join public.user_profiles as p on p.user_id = case v_user when s.owner_id then s.member_id else s.owner_id end
    where v_user in (s.owner_id, s.member_id) and p.deleted_at is null and private.is_reviewable(s)
      and not exists (select from private.seat_reviews as r where r.seat_id = s.id and r.author_id = v_user)
    order by coalesce(s.ended_at, s.opened_at) desc, s.id;
end $$;
select private.publish('reviews_to_write', 'authenticated');

-- Is a review readable? Both are written or the wait is over, and staff has not hidden it.
create function private.is_shown_review(p_review private.seat_reviews) returns boolean
language plpgsql stable security definer set search_path = '' as $$
begin
  return p_review.shown_from <= private.now() and p_review.hidden_reason is null;
end $$;

-- Readable reviews about a person the caller may meet, newest first, at most 50. To visitors, authors have only a first name,
-- and the plan, which may be private, has no name.
create function private.reviews_of(p_person_id uuid)
returns table (
  id uuid, author_id uuid, author_name text, avatar_url text, plan text, rating integer, body text, written_at timestamptz,
  answer text, may_answer boolean, may_report boolean
)
language plpgsql stable security definer set search_path = '' as $$
declare v_user uuid := auth.uid();
begin
  return query
    select r.id, case when v_user is not null then r.author_id end,
      case when v_user is null then private.first_name(p.display_name) else p.display_name end,
      case when v_user is not null then p.avatar_url end,
      case when v_user is not null then s.provider || ' ' || s.plan_name end, r.rating, r.body, r.written_at, r.answer,
      coalesce(r.subject_id = v_user and r.answer is null, false), coalesce(r.author_id <> v_user and r.reported_at is null, false)
    from private.seat_reviews as r join private.seats as s on s.id = r.seat_id
    join public.user_profiles as p on p.user_id = r.author_id
    where r.subject_id = p_person_id and private.may_meet(p_person_id) and private.is_shown_review(r)
      and r.author_id <> all (private.blocked_by())
    order by r.written_at desc, r.id limit 50;
end $$;
select private.publish('reviews_of', 'anon', 'authenticated');

-- The average over the reviews the acting user may read, taking each author's last one, and the number of authors.
create function private.rating_of(p_person_id uuid, out rating numeric, out reviewers integer)
language plpgsql stable security definer set search_path = '' as $$
begin
  select round(avg(last.rating), 1), count(*) into rating, reviewers from (
    select distinct on (r.author_id) r.rating from private.seat_reviews as r
    where r.subject_id = p_person_id and private.is_shown_review(r) and r.author_id <> all (private.blocked_by())
    order by r.author_id, r.written_at desc
  ) as last;
end $$;

-- A readable review, locked. Raises PT404.
create function private.lock_review(p_review_id uuid) returns private.seat_reviews
language plpgsql volatile security definer set search_path = '' as $$
declare v_review private.seat_reviews;
begin
  select * into v_review from private.seat_reviews where id = p_review_id for update;
  if not found or not private.is_shown_review(v_review) then
    raise exception 'Review not found' using errcode = 'PT404';
  end if;
  return v_review;
end $$;

-- Answers a review, once. Only for the person it is about.
create function private.answer_review(p_review_id uuid, p_text text) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_user uuid := private.require_user();
  v_review private.seat_reviews := private.lock_review(p_review_id);
begin
  if v_review.subject_id <> v_user then
    raise exception 'Only whom a review is about answers it' using errcode = '42501';
  elsif v_review.answer is not null then
    raise exception 'You have answered this review already' using errcode = '23505';
  end if;
  update private.seat_reviews set answer = private.review_text(p_text, true), answered_at = private.now() where id = v_review.id;
end $$;
select private.publish('answer_review', 'authenticated');

-- Reports a review with its answer to staff. One report is enough, and a decision is final.
create function private.report_review(p_review_id uuid, p_reason text) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_user uuid := private.require_user();
  v_review private.seat_reviews := private.lock_review(p_review_id);
begin
  if v_review.author_id = v_user then
    raise exception 'You wrote this review yourself' using errcode = '23514';
  elsif v_review.reported_at is not null then
    raise exception 'This review has been reported already' using errcode = '23505';
  end if;
  perform private.ensure_profile(v_user);
  update private.seat_reviews set reported_by = v_user, report_reason = private.review_text(p_reason, true), reported_at = private.now()
  where id = v_review.id;
end $$;
select private.publish('report_review', 'authenticated');

create function private.require_review_judge() returns uuid
language plpgsql stable set search_path = '' as $$
declare v_user uuid := private.require_user();
begin
  if not private.may('subscriptions.approve') then
    raise exception 'Only staff decides about reviews' using errcode = '42501';
  end if;
  return v_user;
end $$;

-- Reported reviews, oldest report first.
create function private.list_reported_reviews()
returns table (
  id uuid, author_id uuid, author_name text, subject_id uuid, subject_name text, plan text, rating integer, body text, answer text, reason text,
  reporter_id uuid, reporter_name text, reported_at timestamptz
)
language plpgsql stable security definer set search_path = '' as $$
declare v_user uuid := private.require_review_judge();
begin
  return query
    select r.id, r.author_id, author.display_name, r.subject_id, subject.display_name, s.provider || ' ' || s.plan_name, r.rating, r.body, r.answer,
      r.report_reason, r.reported_by, reporter.display_name, r.reported_at
    from private.seat_reviews as r join private.seats as s on s.id = r.seat_id
    join public.user_profiles as author on author.user_id = r.author_id
    join public.user_profiles as subject on subject.user_id = r.subject_id
    left join public.user_profiles as reporter on reporter.user_id = r.reported_by
    where r.reported_at is not null and r.decided_at is null and v_user not in (r.author_id, r.subject_id)
    order by r.reported_at, r.id limit 100;
end $$;
select private.publish('list_reported_reviews', 'authenticated');

-- Hides a reported review with a reason its author can read, or leaves it if there is no reason. Nobody decides about a review
-- they wrote or received.
create function private.decide_review(p_review_id uuid, p_hidden_reason text default null) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_user uuid := private.require_review_judge();
  v_review private.seat_reviews := private.lock_review(p_review_id);
begin
  if v_review.reported_at is null or v_review.decided_at is not null then
    raise exception 'Nobody has reported this review' using errcode = '23514';
  elsif v_user in (v_review.author_id, v_review.subject_id) then
    raise exception 'Someone else decides about your own reviews' using errcode = '42501';
  end if;
  update private.seat_reviews set decided_at = private.now(),
    hidden_reason = case when p_hidden_reason is not null then private.review_text(p_hidden_reason, true) end
  where id = v_review.id returning * into v_review;
  if v_review.hidden_reason is not null then
    perform private.notify(v_review.author_id, 'warning', 'Review Hidden',
      format('Your review of %s is no longer shown: %s', (select display_name from public.user_profiles
        where user_id = v_review.subject_id), v_review.hidden_reason), null, 'review-hidden',
      jsonb_build_object('reason', v_review.hidden_reason));
  end if;
end $$;
select private.publish('decide_review', 'authenticated');

revoke all on private.seat_reviews from public, anon, authenticated, service_role;

-- trust/vault_entries.sql
-- What opens a plan besides the login name: password, link and note, sealed by the function `vault`. Each change is a new
-- version, and the newest is current. It is deleted with the plan, as is its key.
create table private.vault_entries (
  subscription_id text not null references public.shared_subscriptions (id) on delete cascade,
  version integer not null check (version > 0),
  sealed text not null check (char_length(sealed) between 1 and 8000),
  author_id uuid not null references public.user_profiles (user_id) on delete cascade,
  created_at timestamptz not null default private.now(),
  primary key (subscription_id, version)
);
create index vault_entries_author_idx on private.vault_entries (author_id);
alter table private.vault_entries enable row level security;

create function private.current_vault_entry(p_subscription_id text) returns private.vault_entries
language sql stable security definer set search_path = '' as $$
  select * from private.vault_entries where subscription_id = p_subscription_id order by version desc limit 1
$$;

create function private.has_vault_entry(p_subscription_id text) returns boolean
language plpgsql stable security definer set search_path = '' as $$
begin
  return exists (select from private.vault_entries where subscription_id = p_subscription_id);
end $$;

-- Since when a former member still knows the plan's current entry, because a seat with access has ended and the entry is
-- unchanged. Null if nothing needs to change.
create function private.password_change_due_since(p_subscription_id text) returns timestamptz
language sql stable security definer set search_path = '' as $$
  select min(s.ended_at) from private.seats as s
  where s.subscription_id = p_subscription_id and s.admitted_at is not null
    and s.ended_at >= (private.current_vault_entry(p_subscription_id)).created_at
$$;

-- Asks the owner for a new password when a member who knows it loses their seat, once until it is changed.
create function private.ask_for_new_password(p_seat private.seats) returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  if p_seat.admitted_at is null or private.password_change_due_since(p_seat.subscription_id) is distinct from private.now() then return; end if;
  perform private.tell_seat(p_seat, p_seat.owner_id, 'warning', 'password-due', 'Change the Password',
    format('%s no longer has a place in %s %s, and still knows how to get in. Change the password at the provider, then store the new one.',
      (select display_name from public.user_profiles where user_id = p_seat.member_id), p_seat.provider, p_seat.plan_name));
end $$;

-- The acting user's plans whose password must be changed.
create function private.passwords_due() returns table (subscription_id text, since timestamptz)
language sql stable security definer set search_path = '' as $$
  select p.id, due.since from public.shared_subscriptions as p
  cross join lateral (select private.password_change_due_since(p.id)) as due (since)
  where p.owner_id = private.require_user() and due.since is not null
$$;
select private.publish('passwords_due', 'authenticated');

-- What the acting user may know about a plan's entry without opening it; null if there is none, or none for them.
create function private.get_vault_entry(p_subscription_id text) returns jsonb
language sql stable security definer set search_path = '' as $$
  select jsonb_build_object('version', e.version, 'changed_at', e.created_at,
    'opened', exists (select from private.vault_openings as o
      where o.subscription_id = e.subscription_id and o.version = e.version and o.opened_by = auth.uid()),
    'change_due_since', private.password_change_due_since(e.subscription_id))
  from private.current_vault_entry(p_subscription_id) as e
  where e.version is not null and (private.is_plan_owner(p_subscription_id) or private.may_get_in(p_subscription_id))
$$;
select private.publish('get_vault_entry', 'authenticated');

-- The versions of a plan's entry, newest first, for those who may open it.
create function private.list_vault_versions(p_subscription_id text)
returns table (version integer, created_at timestamptz, author_name text)
language sql stable security definer set search_path = '' as $$
  select e.version, e.created_at, p.display_name
  from private.vault_entries as e join public.user_profiles as p on p.user_id = e.author_id
  where e.subscription_id = p_subscription_id
    and (private.is_plan_owner(p_subscription_id) or private.may_get_in(p_subscription_id))
  order by e.version desc
$$;
select private.publish('list_vault_versions', 'authenticated');

-- Who opened a plan's entry, newest first: owners see everybody, others see themselves.
create function private.list_vault_openings(p_subscription_id text, p_limit integer default 20, p_offset integer default 0)
returns table (id bigint, version integer, opened_at timestamptz, opened_by uuid, opener_name text)
language sql stable security definer set search_path = '' as $$
  select o.id, o.version, o.opened_at, o.opened_by, p.display_name
  from private.vault_openings as o left join public.user_profiles as p on p.user_id = o.opened_by
  where o.subscription_id = p_subscription_id and (select private.require_user()) in (o.owner_id, o.opened_by)
  order by o.id desc limit least(greatest(p_limit, 1), 100) offset greatest(p_offset, 0)
$$;
select private.publish('list_vault_openings', 'authenticated');

-- Only for the plan's owner, right after a proof of identity. Locks the plan, so that versions are stored one by one.
create function private.lock_own_plan_vault(p_subscription_id text) returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  perform from public.shared_subscriptions
  where id = p_subscription_id and owner_id = private.require_user() for no key update;
  if not found then
    raise exception 'Only the plan''s owner says how to get in' using errcode = '42501';
  end if;
  perform private.require_recent_proof();
end $$;

-- What the function `vault` needs to seal a plan's next version, with the current one sealed: the function copies what the
-- owner does not change.
create function private.prepare_vault_entry(p_subscription_id text) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare v_entry private.vault_entries;
begin
  perform private.lock_own_plan_vault(p_subscription_id);
  v_entry := private.current_vault_entry(p_subscription_id);
  return jsonb_build_object('version', coalesce(v_entry.version, 0) + 1, 'key', private.vault_key_of(null, p_subscription_id),
    'current', case when v_entry.version is not null
      then jsonb_build_object('version', v_entry.version, 'sealed', v_entry.sealed) end);
end $$;
select private.publish('prepare_vault_entry', 'authenticated');

-- Tells everybody with a seat that the entry has changed, except those who have just been told that they have access.
create function private.tell_vault_version(p_entry private.vault_entries) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare v_seat private.seats;
begin
  for v_seat in
    select * from private.seats where subscription_id = p_entry.subscription_id and ended_at is null and (access_given_at, admitted_at is null)
      is distinct from (p_entry.created_at, false) order by id
  loop
    perform private.tell_seat(v_seat, v_seat.member_id, 'info', 'access-changed',
      case p_entry.version when 1 then 'Access Stored' else 'Access Changed' end,
      format(case p_entry.version when 1 then 'What you need to get into %s %s is stored on the plan''s page.'
        else 'What you need to get into %s %s has changed. You find it on the plan''s page.' end,
        v_seat.provider, v_seat.plan_name), jsonb_build_object('version', p_entry.version));
  end loop;
end $$;

-- Stores a plan's next version as sealed by the function `vault`, and the plan's data key if it made one.
create function private.save_vault_entry(p_subscription_id text, p_version integer, p_sealed text, p_key jsonb) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare v_entry private.vault_entries;
begin
  perform private.lock_own_plan_vault(p_subscription_id);
  if p_version is distinct from coalesce((private.current_vault_entry(p_subscription_id)).version, 0) + 1 then
    raise exception 'Something else was stored at the same moment. Please try again.' using errcode = 'PT409';
  end if;
  if p_key is not null then
    perform private.keep_vault_key(p_key, p_subscription_id);
  end if;
  perform private.spend_attempt('vault version');
  insert into private.vault_entries (subscription_id, version, sealed, author_id)
  values (p_subscription_id, p_version, p_sealed, auth.uid()) returning * into v_entry;
  perform private.note_stored_access(p_subscription_id);
  perform private.tell_vault_version(v_entry);
  return private.get_vault_entry(p_subscription_id);
end $$;
select private.publish('save_vault_entry', 'authenticated');

-- What the function `vault` needs to open a plan's entry: any version for its owner, the newest for members with access. This
-- is the only way a member gets it, and every call is recorded.
create function private.open_vault_entry(p_subscription_id text, p_version integer default null) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_user uuid := private.require_user();
  v_entry private.vault_entries := private.current_vault_entry(p_subscription_id);
begin
  if private.is_plan_owner(p_subscription_id) then
    select * into v_entry from private.vault_entries
    where subscription_id = p_subscription_id and version = coalesce(p_version, v_entry.version);
  elsif not private.may_get_in(p_subscription_id) or p_version <> v_entry.version then
    v_entry := null;
  end if;
  if v_entry.version is null then
    raise exception 'There is nothing for you to open' using errcode = 'PT404';
  end if;
  perform private.require_recent_proof();
  perform private.spend_attempt('vault opening');
  insert into private.vault_openings (kind, subscription_id, version, owner_id, opened_by, purpose, opened_at)
  select 'plan', id, v_entry.version, owner_id, v_user, 'to get in', private.now()
  from public.shared_subscriptions where id = p_subscription_id;
  return jsonb_build_object('version', v_entry.version, 'sealed', v_entry.sealed,
    'key', private.vault_key_of(null, p_subscription_id));
end $$;
select private.publish('open_vault_entry', 'authenticated');

-- account/notification_choices.sql
-- What reaches people outside the site. The bell and the unread chats always show everything, because some of it needs an
-- answer; nobody can turn those off.

-- What notifications are about, in the order of the settings page.
create function private.notification_topics() returns text[]
language sql immutable set search_path = '' as $$ select array['messages', 'places', 'money', 'access', 'team'] $$;

-- The topic of an event.
create function private.topic_of(p_event text) returns text
language sql immutable
return case
  when p_event in ('chat-message', 'question-asked') then 'messages'
  when p_event ~ '^(problem|access|password)-' then 'access'
  when p_event ~ '^(payment|refund|withdrawal|wallet|coins|money)-' or p_event in
    ('member-says-paid', 'member-paid', 'owner-owes-you', 'you-owe-member', 'owed-settled', 'renewal-coming') then 'money'
  when p_event ~ '^(plan|provider-request|admin-access)-(approved|rejected)$' or p_event in
    ('review-waits', 'reviews-shown', 'review-hidden', 'report-read') then 'team'
  else 'places'
end;

-- What a person has turned off, and on which channel; they get everything else.
create table private.unwanted_notifications (
  user_id uuid not null references auth.users (id) on delete cascade,
  topic text not null check (topic = any (private.notification_topics())),
  channel text not null check (channel in ('mail', 'push')),
  primary key (user_id, topic, channel)
);
alter table private.unwanted_notifications enable row level security;

create function private.wants(p_user_id uuid, p_topic text, p_channel text) returns boolean
language plpgsql stable security definer set search_path = '' as $$
begin
  return not exists (
    select from private.unwanted_notifications where user_id = p_user_id and topic = p_topic and channel = p_channel
  );
end $$;

-- The secret in the unsubscribe link, which works without signing in. It can do nothing else, so it is stored in the clear.
create table private.unsubscribe_links (
  user_id uuid primary key references auth.users (id) on delete cascade,
  token text not null unique default replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', '')
);
alter table private.unsubscribe_links enable row level security;

-- A person's unsubscribe token, created on first use.
create function private.unsubscribe_path(p_user_id uuid) returns text
language plpgsql volatile security definer set search_path = '' as $$
declare v_path text;
begin
  insert into private.unsubscribe_links (user_id) values (p_user_id)
  on conflict (user_id) do update set user_id = excluded.user_id
  returning '/unsubscribe/' || token into v_path;
  return v_path;
end $$;

-- Mail for people who are away: what a notification says, if they have not read it after ten minutes. It is for what needs an
-- answer, and for the answers; everything else waits at the bell.

-- Mails a notification with a button to p_path, unless it has been read by then or something in p_about is over.
create function private.mail_notification(p_notification_id uuid, p_about text[], p_action text, p_path text) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_told public.user_notifications;
  v_address text;
  v_unsubscribe text;
begin
  select * into v_told from public.user_notifications where id = p_notification_id;
  v_address := private.email_of(v_told.user_id);
  if not private.is_mailable(v_address) or not private.wants(v_told.user_id, private.topic_of(v_told.event), 'mail') then
    return;
  end if;
  v_unsubscribe := private.unsubscribe_path(v_told.user_id);
  perform private.send_mail(v_address, v_told.message, private.mail_page(
    v_told.title, array[v_told.message], p_action, p_path, 'You find this at the bell on Potluck too.',
    'You get this e-mail because you had not read it on Potluck yet.', v_unsubscribe
  ), p_notification_id::text || p_about, v_unsubscribe, interval '10 minutes',
    p_event => v_told.event, p_params => v_told.params);
end $$;

-- A notification that has been read, or is gone, needs no mail.
create function private.tg_user_notifications__call_back() returns trigger
language plpgsql volatile security definer set search_path = '' as $$
begin
  if tg_op = 'DELETE' or new.read then
    perform private.call_back_mail(old.id::text);
  end if;
  return null;
end $$;
create trigger call_back after update of read or delete on public.user_notifications
  for each row execute function private.tg_user_notifications__call_back();

-- Turns topics on or off for one person, and drops queued mail about them.
create function private.change_notifications(p_user_id uuid, p_topics text[], p_channel text, p_wanted boolean) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare v_link text := (select '/unsubscribe/' || token from private.unsubscribe_links where user_id = p_user_id);
begin
  if coalesce(p_wanted, true) then
    delete from private.unwanted_notifications where user_id = p_user_id and topic = any (p_topics) and channel = p_channel;
    return;
  end if;
  insert into private.unwanted_notifications (user_id, topic, channel)
  select p_user_id, topic, p_channel from unnest(p_topics) as topic on conflict do nothing;
  if p_channel = 'mail' then
    delete from private.outgoing_mail
    where unsubscribe_path = v_link and private.topic_of(event) = any (p_topics)
      and sent_at is null and given_up_at is null;
  end if;
end $$;

-- The acting user's choices, topic by topic.
create function private.get_notification_choices() returns table (topic text, mail boolean, push boolean)
language sql stable security definer set search_path = '' as $$
  select t.name, private.wants(private.require_user(), t.name, 'mail'), private.wants(private.require_user(), t.name, 'push')
  from unnest(private.notification_topics()) with ordinality as t (name, place) order by t.place
$$;
select private.publish('get_notification_choices', 'authenticated');

-- Changes the acting user's choices. Raises 23514 for an unknown topic or channel.
create function private.choose_notifications(p_topic text, p_channel text, p_wanted boolean) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare v_user uuid := private.require_user();
begin
  if (p_topic = any (private.notification_topics()) and p_channel in ('mail', 'push') and p_wanted is not null) is not true then
    raise exception 'There is nothing like this to choose' using errcode = '23514';
  end if;
  perform private.change_notifications(v_user, array[p_topic], p_channel, p_wanted);
end $$;
select private.publish('choose_notifications', 'authenticated');

-- Whether the acting user gets any of these mails.
create function private.get_mail_preference() returns boolean
language sql stable security definer set search_path = '' as $$
  select coalesce(bool_or(private.wants((select auth.uid()), topic, 'mail')), true) from unnest(private.notification_topics()) as topic
$$;
select private.publish('get_mail_preference', 'authenticated');

-- Turns all of them on or off for the acting user.
create function private.set_mail_preference(p_notifications boolean) returns void
language sql volatile security definer set search_path = '' as $$
  select private.change_notifications(private.require_user(), private.notification_topics(), 'mail', p_notifications)
$$;
select private.publish('set_mail_preference', 'authenticated');

-- The same for whoever holds the link in a mail, signed in or not. Raises PT404 for an unknown link.
create function private.set_mail_preference_by_link(p_token text, p_notifications boolean) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare v_user uuid := (select user_id from private.unsubscribe_links where token = p_token);
begin
  if v_user is null then
    raise exception 'This link is not known' using errcode = 'PT404';
  end if;
  perform private.change_notifications(v_user, private.notification_topics(), 'mail', p_notifications);
end $$;
select private.publish('set_mail_preference_by_link', 'anon', 'authenticated');

revoke all on private.unwanted_notifications, private.unsubscribe_links from public, anon, authenticated, service_role;
-- Visitors use the link of a mail.

-- account/push.sql
-- Web push for what the bell and the chats say. The function `push` encrypts and sends it.

-- What still has to be pushed to which device: a notification, an unread chat or, under the device's own id, a test. A row is
-- deleted once it is sent or given up. The text is read at the moment of sending.
create table private.outgoing_pushes (
  -- No foreign keys: notifying somebody must not wait for a row being deleted. Stale rows go when they are due.
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

-- Queues a notification for its reader's devices, unless they have turned that off. The function `push` is called once per
-- transaction, and hears of it after the commit.
create function private.tg_user_notifications__push() returns trigger
language plpgsql volatile security definer set search_path = '' as $$
begin
  insert into private.outgoing_pushes (about, session_id)
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

-- An unread chat: its reader, who wrote, and the plan. No row once it is read or over, or one of the two has blocked the other.
create function private.unread_chat(p_participant_id uuid)
returns table (user_id uuid, conversation_id uuid, person text, plan text, said text)
language plpgsql stable security definer set search_path = '' as $$
begin
  return query
    select reader.user_id, c.id, name.person, name.plan, format('%s wrote to you about %s.', name.person, name.plan)
    from public.chat_participants as reader
    join public.conversations as c on c.id = reader.conversation_id
    join public.shared_subscriptions as p on p.id = c.subscription_id
    join public.user_profiles as writer
      on writer.user_id = case reader.user_id when c.owner_id then c.member_id else c.owner_id end
    cross join lateral (select private.first_name(writer.display_name) as person, p.provider || ' ' || p.name as plan) as name
    where reader.id = p_participant_id and reader.has_unread and not c.archived and not exists (
      select from public.blocked_people as b
      where (b.user_id, b.blocked_id) in ((reader.user_id, writer.user_id), (writer.user_id, reader.user_id))
    );
end $$;

-- What to show on a device of p_user_id, and where it leads; no row when that is over. Never the message itself, because
-- anybody may be looking at the screen.
create function private.push_text(p_about uuid, p_session_id uuid, p_user_id uuid)
returns table (title text, message text, path text)
language sql stable security definer set search_path = '' as $$
  -- A device shows no more of the message.
  select n.title, left(n.message, 300), '/notifications/' || n.id
  from public.user_notifications as n where n.id = p_about and n.user_id = p_user_id and not n.read
  union all
  select 'New Message', c.said, '/messages/' || c.conversation_id
  from private.unread_chat(p_about) as c where c.user_id = p_user_id and private.wants(p_user_id, 'messages', 'push')
  union all
  select 'This Is a Test', 'What you chose reaches you on this device.', '/account-settings' where p_about = p_session_id
$$;

-- Hands out up to p_limit due pushes. Each goes to one caller, who has 5 minutes to settle it. What has been read meanwhile
-- needs no push, and a signed-out device gets none.
create function private.take_due_pushes(p_limit integer) returns table (
  about uuid, session_id uuid, attempt integer, endpoint text, p256dh text, auth text, title text, message text, path text
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
    select t.about, t.session_id, t.attempts, d.endpoint, d.p256dh, d.auth, said.title, said.message, said.path
    from taken as t join private.push_devices as d on d.session_id = t.session_id
    cross join private.push_text(t.about, d.session_id, d.user_id) as said;
end $$;

-- Records how attempt p_attempt went: sent when p_error is null, otherwise retried after 1, 4, 16 … minutes unless the outcome
-- is 'final' or it was the last. 'gone' means the push service no longer knows the device.
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
    update private.outgoing_pushes set next_attempt_at = clock_timestamp() + interval '1 minute' * power(4, p_attempt - 1)
    where about = p_about and session_id = p_session_id and attempts = p_attempt;
  end if;
end $$;

-- Calls the function for pushes that are due later, retried, or whose call was lost.
create function private.call_push() returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  if exists (select from private.outgoing_pushes where next_attempt_at <= clock_timestamp() - interval '5 seconds') then
    perform private.call_function('push');
  end if;
end $$;

-- Both for the function `push`.
select private.publish('take_due_pushes', 'service_role');
select private.publish('settle_push', 'service_role');

insert into private.rate_limits (action, attempts, window_seconds, requests)
values ('push test', 5, 600, '{POST /rpc/test_push}');

-- Sends a test to the acting user's devices, whatever they chose, and returns its time: any device tried since then has
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
    raise exception 'You are notified on no device yet' using errcode = '23514';
  end if;
  perform private.call_function('push');
  return v_now;
end $$;
select private.publish('test_push', 'authenticated');

revoke all on private.outgoing_pushes from public, anon, authenticated, service_role;

-- common/clock.sql
-- Work that falls due with time alone. Periods go by private.now(), everything older by the database's clock.

-- Records that due work is being looked for. After a gap in which nothing ran, open deadlines move by its length. Only the
-- clock calls this, as the caller must hold no locks; until it has, others add private.unnoticed_gap().
create function private.keep_beat() returns void
language plpgsql volatile security definer set search_path = '' as $$
declare v_gap interval := coalesce(now() - (select beat_at from private.clock), '1 minute');
begin
  -- A beat in the future was recorded before the clock was set back.
  if v_gap between '0' and '10 seconds' then return; end if;
  if v_gap <= private.longest_gap() then
    perform from private.clock for update skip locked;
    if found then
      update private.clock set beat_at = now();
    end if;
    return;
  end if;
  select now() - beat_at into v_gap from private.clock for update;
  if v_gap <= private.longest_gap() then return; end if;
  update private.clock set beat_at = now();
  -- Plans first, because whoever holds one may wait for any of these rows or for its seats.
  perform from public.shared_subscriptions where id in (
    select subscription_id from public.subscription_requests where status = 'pending' and not expired
    union all select subscription_id from public.subscription_invitations where expires_at > now() - v_gap
    union all select subscription_id from public.waiting_list where offered_until > now() - v_gap
  ) order by id for no key update;
  -- A request made during the gap gets no more than its full time.
  update public.subscription_requests set requested_at = least(requested_at + v_gap, now()) where status = 'pending' and not expired;
  update public.subscription_invitations set expires_at = expires_at + v_gap
  where accepted_at is null and declined_at is null and withdrawn_at is null and expires_at > now() - v_gap;
  update public.waiting_list set offered_until = offered_until + v_gap where offered_until > now() - v_gap;
  update public.conversations set question_until = question_until + v_gap where question_until > now() - v_gap;
  perform from private.seats where next_at is not null or ended_at is null order by id for update;
  update public.member_payments set due_at = due_at + v_gap, next_attempt_at = next_attempt_at + v_gap
  where status in ('due', 'charging', 'needs-action', 'failed');
  update public.seat_problems set due_at = due_at + v_gap where status <> 'closed';
  update private.seats set access_due_at = access_due_at + v_gap where access_due_at is not null and ended_at is null;
  update private.seats set next_at = private.now()
  where access_due_at is not null and ended_at is null
    or id in (select seat_id from public.member_payments where status in ('due', 'charging', 'needs-action', 'failed'))
    or id in (select seat_id from public.seat_problems where status <> 'closed');
end $$;

-- Does everything that is due for one seat, in order. The caller has locked the seat.
create function private.catch_up(p_seat_id uuid) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_seat private.seats;
  v_next record;
begin
  for v_step in 1 .. 1000 loop
    v_next := private.next_step(p_seat_id);
    exit when v_next.at is null or v_next.at > private.now();
    select * into v_seat from private.seats where id = p_seat_id;
    perform private.work_seat(v_seat, v_next.step, v_next.period_id);
  end loop;
  update private.seats set next_at = v_next.at, failures = 0, last_error = null where id = p_seat_id;
end $$;

-- The same for many seats. All accounts are locked before the first seat and earnings are moved after the last, because every
-- worker needs the site's fee account and it should be held only briefly.
create function private.catch_up_all(p_seat_ids uuid[]) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_before public.member_payments[] := array(
    select m from public.member_payments as m where seat_id = any (p_seat_ids) and settlement = 'potluck' and status = 'paid'
  );
begin
  perform private.lock_held_money(p_seat_ids, '{}');
  perform set_config('potluck.holds_money', 'yes', true), set_config('potluck.earn_together', p_seat_ids::text, true);
  perform private.catch_up(id) from unnest(p_seat_ids) as due (id);
  perform private.post_earnings(v_before);
  perform set_config('potluck.holds_money', '', true), set_config('potluck.earn_together', '', true);
end $$;

-- Does up to p_limit pieces of due work and returns how many; callers repeat until it returns 0. Callers may run in parallel:
-- each skips what others hold and waits only for accounts, which it locks in order. A failure is rolled back, recorded and
-- retried later, and blocks nobody else.
create function private.run_due_work(p_limit integer default 100) returns integer
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_ids uuid[];
  v_id uuid;
begin
  perform private.keep_beat();
  perform private.expire_join_requests();
  perform private.tell_expiring_requests();
  perform private.close_questions();
  perform private.free_kept_places();
  -- With membership and plan, which are locked first to end a seat.
  v_ids := array(
    select s.id from private.seats as s
    join public.subscription_members as m on m.subscription_id = s.subscription_id and m.user_id = s.member_id
    join public.shared_subscriptions as p on p.id = s.subscription_id
    where s.next_at <= private.now() order by s.next_at limit p_limit
    for update of s, m skip locked for no key update of p skip locked
  ) || array(
    -- Ended seats have neither, only a problem that outlived them.
    select id from private.seats where next_at <= private.now() and ended_at is not null order by next_at limit p_limit
    for update skip locked
  );
  begin
    perform private.catch_up_all(v_ids);
  exception when others then
    -- One failed: do each by itself, again locking all accounts before the first.
    perform private.lock_held_money(v_ids);
    foreach v_id in array v_ids loop
      begin
        perform private.catch_up_all(array[v_id]);
      exception when others then
        update private.seats set failures = failures + 1, last_error = left(sqlerrm, 500),
          next_at = private.now() + least(interval '6 hours', interval '1 minute' * power(4, least(failures, 10)))
        where id = v_id;
        raise warning 'Seat %: %', v_id, sqlerrm;
      end;
    end loop;
  end;
  return cardinality(v_ids);
end $$;

-- Repeats it until nothing is due, or until it has kept other jobs waiting for p_time.
create function private.run_due_work_in(p_time interval) returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  while private.run_due_work() > 0 and clock_timestamp() < statement_timestamp() + p_time loop
  end loop;
end $$;

-- Deletes what nobody looks at any more.
create function private.keep_house() returns void
language sql volatile security definer set search_path = '' as $$
  delete from private.outgoing_mail
  where created_at < now() - interval '30 days' and (sent_at is not null or given_up_at is not null);
  delete from private.account_changes where happened_at < now() - private.change_memory();
  select private.forget_push_devices();
  delete from private.rate_limit_usage where used_at[cardinality(used_at)] < now() - interval '1 day';
  delete from public.user_notifications
  where created_at < now() - case when read then interval '90 days' else interval '1 year' end;
$$;

-- Calls an Edge Function, if the project's address is known: our server sets it in each of its sessions; on hosted Supabase the
-- operator stores it in the vault as `project_url`.
create function private.call_function(p_name text) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare v_url text := nullif(current_setting('app.settings.project_url', true), '');
begin
  if v_url is null and to_regclass('vault.decrypted_secrets') is not null then
    select decrypted_secret into v_url from vault.decrypted_secrets where name = 'project_url';
  end if;
  if v_url is null then return; end if;
  perform net.http_post(v_url || '/functions/v1/' || p_name, timeout_milliseconds := 60000);
end $$;

-- Our server sends mail as soon as it is written, so here nothing is ever due; on hosted Supabase the function sends it.
create function private.call_mail() returns void
language sql volatile security definer set search_path = '' as $$
  select private.call_function('mail') where exists (
    select from private.outgoing_mail
    where sent_at is null and given_up_at is null and next_attempt_at <= clock_timestamp() - interval '5 seconds'
  )
$$;

do $$ begin
  -- On hosted Supabase the project must install them; our server provides these functions.
  if to_regprocedure('cron.schedule(text,text,text)') is null then
    create extension if not exists pg_cron with schema pg_catalog;
    create extension if not exists pg_net;
  end if;
  perform cron.schedule('due-work', '10 seconds', 'select private.run_due_work_in(''1 second'')');
  perform cron.schedule('mail', '* * * * *', 'select private.call_mail()');
  perform cron.schedule('push', '10 seconds', 'select private.call_push()');
  perform cron.schedule('payments', '* * * * *', 'select private.call_function(''payments/tick'')');
  perform cron.schedule('housekeeping', '23 3 * * *', 'select private.keep_house()');
  perform cron.schedule('closed-accounts', '* * * * *', 'select private.settle_closed_accounts()');
  perform cron.schedule('close-day', '*/5 * * * *', 'select private.close_day()');
  perform cron.schedule('standing', '* * * * *', 'select private.refresh_facts()');
end $$;

-- joining/join_requests.sql
-- How long a join request waits for its answer.
create function private.request_lifetime() returns interval
language sql immutable return interval '48 hours';
grant execute on function private.request_lifetime() to authenticated, service_role;

-- How long before the deadline its owner is reminded.
create function private.reminder_lead() returns interval
language sql immutable return interval '6 hours';

-- The maximum length of the message with a request.
create function private.longest_join_message() returns integer
language sql immutable return 500;
grant execute on function private.longest_join_message() to authenticated, service_role;

-- A request for a place. Pending for private.request_lifetime(); approved, rejected and cancelled are final.
create table public.subscription_requests (
  id uuid primary key default gen_random_uuid(),
  subscription_id text not null references public.shared_subscriptions (id) on delete cascade,
  -- Copied from the plan, whose owner never changes, so that owners can subscribe to their requests alone.
  owner_id uuid not null,
  user_id uuid not null references public.user_profiles (user_id) on delete cascade,
  name text not null,
  email text not null,
  message text not null default '' check (char_length(message) <= private.longest_join_message()),
  -- Pay from coins first, as far as they go.
  coins_first boolean not null default false,
  -- For a place offered from the waiting list, which is kept until the request is over.
  keeps_place boolean not null default false,
  -- Approved on creation by the plan's terms (instant.sql); nobody answered it.
  instant boolean not null default false,
  status text not null default 'pending' check (status in ('pending', 'approved', 'rejected', 'cancelled')),
  -- Moved, with the deadline, by a gap in which nothing ran (clock.sql).
  requested_at timestamptz not null default clock_timestamp(),
  decided_at timestamptz,
  -- An expired request keeps its status. This records that its requester has been told, which happens once.
  expired boolean not null default false
);
create unique index subscription_requests_one_pending_key on public.subscription_requests (subscription_id, user_id)
  where status = 'pending' and not expired;
create index subscription_requests_due_idx on public.subscription_requests (requested_at) where status = 'pending' and not expired;
create index subscription_requests_user_idx on public.subscription_requests (user_id, requested_at desc);
create index subscription_requests_owner_idx on public.subscription_requests (owner_id);
create index subscription_requests_plan_idx on public.subscription_requests (subscription_id, status, requested_at);
alter table public.subscription_requests enable row level security;
select private.send_changes('subscription_requests');
create policy "Requesters and plan owners see a request" on public.subscription_requests
  for select to authenticated using (user_id = (select auth.uid()) or owner_id = (select auth.uid()));
create policy "People ask in their own name" on public.subscription_requests
  for insert to authenticated with check (user_id = (select auth.uid()) and (status = 'pending' or instant));
create policy "Requesters cancel" on public.subscription_requests
  for update to authenticated using (user_id = (select auth.uid())) with check (user_id = (select auth.uid()));

-- Still open by the database's clock?
create function private.is_open_request(p_request public.subscription_requests) returns boolean
language sql stable
return p_request.status = 'pending' and not p_request.expired and p_request.requested_at > now() - private.request_lifetime() - private.unnoticed_gap();

-- Is it the acting user's, and still open?
create function private.may_cancel(p_request public.subscription_requests) returns boolean
language plpgsql stable security definer set search_path = '' as $$
begin
  return p_request.user_id = auth.uid() and private.is_open_request(p_request);
end $$;

-- Marks every expired request and tells its requester, once. Called by whatever reads requests, and by the clock. It skips
-- locked rows; the next call gets them.
create function private.expire_join_requests() returns void
language plpgsql volatile security definer set search_path = '' as $$
declare v_over record;
begin
  for v_over in
    select r.id, r.user_id, p.id as plan_id, p.provider, p.name
    from public.subscription_requests as r join public.shared_subscriptions as p on p.id = r.subscription_id
    where r.status = 'pending' and not r.expired and r.requested_at <= now() - private.request_lifetime() - private.unnoticed_gap()
    for no key update of r skip locked for key share of p skip locked
  loop
    update public.subscription_requests set expired = true where id = v_over.id;
    perform private.notify(v_over.user_id, 'warning', 'Request Expired',
      format('Your request to join %s %s was not answered within %s hours. You can ask again.',
        v_over.provider, v_over.name, private.hours(private.request_lifetime())),
      v_over.plan_id);
  end loop;
end $$;

-- Requests whose owner has been warned that they are about to expire.
create table private.expiry_reminders (
  request_id uuid primary key references public.subscription_requests (id) on delete cascade,
  told_at timestamptz not null default clock_timestamp()
);
alter table private.expiry_reminders enable row level security;
revoke all on private.expiry_reminders from public, anon, authenticated, service_role;

-- Tells owners, once per request, that little time is left to answer. It skips locked rows.
create function private.tell_expiring_requests() returns void
language plpgsql volatile security definer set search_path = '' as $$
declare v_late record;
begin
  for v_late in
    select r.id, r.name as asks, p.id as plan_id, p.owner_id, p.provider, p.name
    from public.subscription_requests as r join public.shared_subscriptions as p on p.id = r.subscription_id
    where r.status = 'pending' and not r.expired
      and r.requested_at <= now() - private.request_lifetime() + private.reminder_lead()
      and r.requested_at > now() - private.request_lifetime()
      and not exists (select from private.expiry_reminders as told where told.request_id = r.id)
    for no key update of r skip locked for key share of p skip locked
  loop
    insert into private.expiry_reminders (request_id) values (v_late.id) on conflict do nothing;
    if not found then continue; end if;
    perform private.mail_notification(private.notify(v_late.owner_id, 'warning', 'Request Expiring Soon',
      format('%s still waits for your answer about %s %s. The request expires within %s hours.',
        v_late.asks, v_late.provider, v_late.name, private.hours(private.reminder_lead())), v_late.plan_id),
      array[v_late.id::text, v_late.plan_id], 'Answer the request', '/manage-shared/' || v_late.plan_id);
  end loop;
end $$;

-- A request that is over, however it ended, needs no answer and no mail.
create function private.tg_subscription_requests__call_back() returns trigger
language plpgsql volatile security definer set search_path = '' as $$
begin
  perform private.call_back_mail(old.id::text);
  return null;
end $$;
create trigger call_back after update of status, expired or delete on public.subscription_requests
  for each row execute function private.tg_subscription_requests__call_back();

-- Whole hours until expiry, rounded up; 0 once expired.
create function private.hours_left(p_requested_at timestamptz) returns integer
language sql stable return greatest(0, private.hours(p_requested_at + private.request_lifetime() - now()));

-- Refuses members, repeated requests and full plans; fills in who asks, when, and whether they are let in at once.
create function private.tg_subscription_requests__fill() returns trigger
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_user uuid := auth.uid();
  v_plan public.shared_subscriptions;
  v_profile public.user_profiles;
  v_is_locked boolean;
begin
  if v_user is not null then
    if new.user_id is not null and new.user_id <> v_user then
      raise exception 'You can only ask for yourself' using errcode = '42501';
    end if;
    if new.subscription_id is null then
      raise exception 'Subscription ID is required' using errcode = '23514';
    end if;
    if new.status <> 'pending' then
      raise exception 'Only the plan''s owner decides on a request' using errcode = '42501';
    end if;
    perform private.spend_attempt('join request');
    new.user_id := v_user;
    new.requested_at := clock_timestamp();
    new.decided_at := null;
    new.expired := false;
  end if;
  new.id := coalesce(new.id, gen_random_uuid());
  new.message := btrim(coalesce(new.message, ''));
  if char_length(new.message) > private.longest_join_message() then
    raise exception 'The message can be at most % characters long', private.longest_join_message() using errcode = '23514';
  end if;
  v_profile := private.ensure_profile(new.user_id);
  new.name := v_profile.display_name;
  new.email := private.email_of(new.user_id);

  -- Letting people in takes a place, so lock the plan, and do it before the requests below.
  perform from public.shared_subscriptions
  where id = new.subscription_id and instant_from is not null and v_user is not null for no key update;
  v_is_locked := found;
  select * into v_plan from public.shared_subscriptions as p
  where p.id = new.subscription_id and (v_user is null or private.may_find(p));
  if not found then
    raise exception 'Subscription not found' using errcode = 'PT404';
  end if;
  new.owner_id := v_plan.owner_id;
  if v_plan.owner_id = new.user_id then
    raise exception 'Owners cannot request their own plan' using errcode = '23514';
  end if;
  if v_user is null then return new; end if;
  perform private.require_unblocked(v_plan.owner_id, 'This plan is not open to new members');
  perform private.require_offered(v_plan.provider);
  perform private.expire_join_requests();
  if private.is_plan_member(new.subscription_id) then
    raise exception 'Already a Member' using errcode = '23505';
  end if;
  if exists (
    select 1 from public.subscription_requests as r
    where r.subscription_id = new.subscription_id and r.user_id = v_user and private.is_open_request(r)
  ) then
    raise exception 'Request Already Sent' using errcode = '23505';
  end if;
  new.keeps_place := private.take_offer(v_plan, v_user, new.email);
  if v_is_locked and private.instant_refusal(v_plan, v_user, new.coins_first) is null then
    new.instant := true;
    new.status := 'approved';
    new.decided_at := new.requested_at;
  end if;
  return new;
end $$;
create trigger fill before insert on public.subscription_requests
  for each row execute function private.tg_subscription_requests__fill();

-- Has this person asked for this plan more than three times within the hour? Then its owner is not told each time; the list of
-- requests still shows what is open.
create function private.is_wavering(p_request public.subscription_requests) returns boolean
language plpgsql stable security definer set search_path = '' as $$
begin
  return (
    select count(*) > 3 from public.subscription_requests
    where subscription_id = p_request.subscription_id and user_id = p_request.user_id
      and requested_at > now() - interval '1 hour'
  );
end $$;

-- Tells the owner that somebody asks, or has been let in at once.
create function private.tg_subscription_requests__tell() returns trigger
language plpgsql volatile security definer set search_path = '' as $$
declare v_plan public.shared_subscriptions;
begin
  if auth.uid() is null or (private.is_wavering(new) and not new.instant) then return null; end if;
  select * into v_plan from public.shared_subscriptions where id = new.subscription_id;
  if new.instant then
    perform private.notify(v_plan.owner_id, 'success', 'New Member',
      format('%s has joined %s %s, which lets people in at once.', new.name, v_plan.provider, v_plan.name), v_plan.id,
      'member-let-in', jsonb_build_object('plan', v_plan.provider || ' ' || v_plan.name, 'member', new.name));
    return null;
  end if;
  perform private.mail_notification(private.notify(v_plan.owner_id, 'info', 'New Join Request',
    format('%s would like to join %s %s.', new.name, v_plan.provider, v_plan.name), v_plan.id),
    array[new.id::text, v_plan.id], 'Answer the request', '/manage-shared/' || v_plan.id);
  return null;
end $$;
create trigger tell after insert on public.subscription_requests
  for each row execute function private.tg_subscription_requests__tell();

-- Lets a client only cancel its own pending request; all three ends are final. It runs with the writer's rights on purpose:
-- that is how it tells a client from the functions below.
create function private.tg_subscription_requests__guard() returns trigger
language plpgsql volatile set search_path = '' as $$
begin
  if new.status is not distinct from old.status then return new; end if;
  if old.status <> 'pending' then
    raise exception 'This request has already been %', old.status using errcode = '23514';
  end if;
  if current_user in ('anon', 'authenticated') and new.status is distinct from 'cancelled' then
    raise exception 'Only the plan''s owner decides on a request' using errcode = '42501';
  elsif current_user in ('anon', 'authenticated') and not private.may_cancel(old) then
    raise exception 'This request has expired' using errcode = '23514';
  end if;
  new.decided_at := clock_timestamp();
  return new;
end $$;
create trigger guard before update of status on public.subscription_requests
  for each row execute function private.tg_subscription_requests__guard();

create function private.tg_subscription_requests__tell_cancelled() returns trigger
language plpgsql volatile security definer set search_path = '' as $$
declare v_plan public.shared_subscriptions;
begin
  -- A plan that is being cancelled waits for this request, so waiting for the plan would deadlock.
  select * into v_plan from public.shared_subscriptions where id = new.subscription_id for key share skip locked;
  if not found or private.is_wavering(new) then return null; end if;
  perform private.notify(v_plan.owner_id, 'info', 'Request Cancelled',
    format('%s no longer asks to join %s %s.', new.name, v_plan.provider, v_plan.name), v_plan.id);
  return null;
end $$;
create trigger tell_cancelled after update of status on public.subscription_requests
  for each row when (new.status = 'cancelled' and old.status = 'pending')
  execute function private.tg_subscription_requests__tell_cancelled();

-- Tells people waiting for an answer that the plan is gone, before their requests are deleted with it.
create function private.tg_shared_subscriptions__tell_requesters() returns trigger
language plpgsql volatile security definer set search_path = '' as $$
begin
  perform private.notify(r.user_id, 'warning', 'Subscription Cancelled',
    format('%s %s has been cancelled by its owner, and your request with it.', old.provider, old.name), null)
  from public.subscription_requests as r
  where r.subscription_id = old.id and private.is_open_request(r);
  return old;
end $$;
create trigger tell_requesters before delete on public.shared_subscriptions
  for each row execute function private.tg_shared_subscriptions__tell_requesters();

-- The plan, locked against other decisions, for its owner only. Raises PT404 or 42501.
create function private.lock_own_plan(p_subscription_id text) returns public.shared_subscriptions
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_user uuid := private.require_user();
  v_plan public.shared_subscriptions;
begin
  select * into v_plan from public.shared_subscriptions where id = p_subscription_id for no key update;
  if not found then
    raise exception 'Subscription not found' using errcode = 'PT404';
  elsif v_plan.owner_id <> v_user then
    raise exception 'Only the plan''s owner decides on a request' using errcode = '42501';
  end if;
  return v_plan;
end $$;

-- The open request, locked. Raises PT404 when the plan has no such request, 23514 when it is over.
create function private.lock_open_request(p_request_id uuid, p_subscription_id text) returns public.subscription_requests
language plpgsql volatile security definer set search_path = '' as $$
declare v_request public.subscription_requests;
begin
  select * into v_request from public.subscription_requests
  where id = p_request_id and subscription_id = p_subscription_id for update;
  if not found then
    raise exception 'Request not found' using errcode = 'PT404';
  elsif v_request.status <> 'pending' then
    raise exception 'This request has already been %', v_request.status using errcode = '23514';
  elsif not private.is_open_request(v_request) then
    raise exception 'This request has expired' using errcode = '23514';
  end if;
  return v_request;
end $$;

-- Gives a requester their place, and tells them.
create function private.let_in(p_plan public.shared_subscriptions, p_user_id uuid, p_title text, p_message text, p_event text default null)
returns public.subscription_members
language plpgsql volatile security definer set search_path = '' as $$
declare v_member public.subscription_members := private.add_member(p_plan.id, p_user_id, false);
begin
  perform private.mail_notification(private.notify(p_user_id, 'success', p_title,
    format(p_message, p_plan.provider, p_plan.name), p_plan.id, p_event,
    jsonb_build_object('plan', p_plan.provider || ' ' || p_plan.name)),
    array[p_plan.id], 'Open the plan', '/manage-subscribed/' || p_plan.id);
  return v_member;
end $$;

-- Turns a pending request into a membership. Owner only; refuses an expired request or a full plan.
create function private.approve_subscription_request(p_request_id uuid, p_subscription_id text) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_plan public.shared_subscriptions := private.lock_own_plan(p_subscription_id);
  v_request public.subscription_requests := private.lock_open_request(p_request_id, p_subscription_id);
begin
  perform private.require_unblocked(v_request.user_id, 'This request has already been cancelled');
  perform private.spend_attempt('approval');
  perform private.require_open_slot(v_plan, private.email_of(v_request.user_id));
  update public.subscription_requests set status = 'approved' where id = p_request_id;
  return private.member_json(private.let_in(v_plan, v_request.user_id, 'Request Approved',
    'Your request to join %s %s has been approved.', 'request-approved'));
end $$;
select private.publish('approve_subscription_request', 'authenticated');

-- Rejects a pending request. Owner only.
create function private.reject_subscription_request(p_request_id uuid, p_subscription_id text) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_plan public.shared_subscriptions := private.lock_own_plan(p_subscription_id);
  v_request public.subscription_requests := private.lock_open_request(p_request_id, p_subscription_id);
begin
  perform private.spend_attempt('rejection');
  update public.subscription_requests set status = 'rejected' where id = p_request_id;
  perform private.mail_notification(private.notify(v_request.user_id, 'info', 'Request Rejected',
    format('Your request to join %s %s has been rejected.', v_plan.provider, v_plan.name), v_plan.id),
    '{}', 'Look at other plans', '/available-subscriptions');
end $$;
select private.publish('reject_subscription_request', 'authenticated');

-- Open requests of a plan, oldest first, with whole hours left. Owner only, 30 times a minute.
create function private.get_pending_requests_with_expiry(p_subscription_id text)
returns table (id uuid, user_id uuid, name text, email text, avatar_url text, requested_at timestamptz, message text, expires_in_hours integer)
language plpgsql volatile security definer set search_path = '' as $$
begin
  perform private.require_user();
  if not private.is_plan_owner(p_subscription_id) then
    raise exception 'Only the plan''s owner sees its requests' using errcode = '42501';
  end if;
  perform private.spend_attempt('view requests');
  perform private.expire_join_requests();
  return query
    select r.id, r.user_id, coalesce(p.display_name, r.name), r.email, p.avatar_url, r.requested_at, r.message,
      private.hours_left(least(r.requested_at + private.unnoticed_gap(), now()))
    from public.subscription_requests as r join public.user_profiles as p on p.user_id = r.user_id
    where r.subscription_id = p_subscription_id and private.is_open_request(r)
    order by r.requested_at, r.id;
end $$;
select private.publish('get_pending_requests_with_expiry', 'authenticated');

-- Requests that are over, newest first: those of a plan, for its owner only; nobody else gets a row.
create function private.fetch_archived_requests(p_subscription_id text) returns setof public.subscription_requests
language plpgsql volatile security definer set search_path = '' as $$
begin
  perform private.expire_join_requests();
  return query
    select * from public.subscription_requests as r
    where r.subscription_id = p_subscription_id and private.is_plan_owner(p_subscription_id) and not private.is_open_request(r)
    order by r.requested_at desc, r.id;
end $$;
select private.publish('fetch_archived_requests', 'authenticated');

-- The caller's own requests that are over, newest first.
create function private.fetch_user_archived_requests(p_user_id uuid) returns setof public.subscription_requests
language plpgsql volatile security definer set search_path = '' as $$
declare v_user uuid := private.require_self(p_user_id);
begin
  perform private.expire_join_requests();
  return query
    select * from public.subscription_requests as r
    where r.user_id = v_user and not private.is_open_request(r)
    order by r.requested_at desc, r.id;
end $$;
select private.publish('fetch_user_archived_requests', 'authenticated');

create function public.check_existing_subscription_request(p_subscription_id text, p_user_id uuid) returns boolean
language plpgsql stable set search_path = '' as $$
begin
  perform private.require_self(p_user_id);
  return exists (
    select 1 from public.subscription_requests as r
    where r.subscription_id = p_subscription_id and r.user_id = p_user_id and private.may_cancel(r)
  );
end $$;
select private.publish('check_existing_subscription_request', 'authenticated');

revoke all on public.subscription_requests from public, anon, authenticated;
grant select, insert (subscription_id, user_id, name, email, message, coins_first, status), update (status) on public.subscription_requests to authenticated;
grant all on public.subscription_requests to service_role;
-- Called with the rights of the person who cancels.
grant execute on function private.may_cancel(public.subscription_requests) to authenticated;

-- joining/questions.sql
-- Questions before joining: anybody who can find a plan may ask its owner, and while a request waits both sides may write. They
-- use the conversation the two will have once there is a place (chat.sql); it is archived when its reason is over.

-- How long a question stays open if no request follows.
create function private.question_lifetime() returns interval
language sql immutable return interval '7 days';

-- Asks the owner of a plan the caller can find, and opens or reopens the conversation. The owner is told once.
create function private.ask_question(p_subscription_id text, p_text text) returns uuid
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_user uuid := private.require_user();
  v_name text;
  v_plan public.shared_subscriptions;
  v_until timestamptz;
  v_conversation uuid;
  v_is_new boolean;
begin
  -- Waits for anybody hiding the plan, blocking or letting somebody in.
  select * into v_plan from public.shared_subscriptions as p where p.id = p_subscription_id and private.may_find(p) for share;
  if not found then
    raise exception 'Subscription not found' using errcode = 'PT404';
  elsif v_plan.owner_id = v_user then
    raise exception 'Owners cannot ask about their own plan' using errcode = '23514';
  elsif private.is_plan_member(p_subscription_id) then
    raise exception 'Already a Member' using errcode = '23505';
  end if;
  perform private.require_reachable(v_plan.owner_id, 'This plan is not open to new members');
  perform private.require_message(p_text);
  perform private.spend_attempt('question');
  v_name := (private.ensure_profile(v_user)).display_name;
  perform private.close_questions();
  -- A waiting request has a deadline of its own.
  if not exists (
    select from public.subscription_requests as r
    where r.subscription_id = v_plan.id and r.user_id = v_user and private.is_open_request(r)
  ) then
    v_until := now() + private.question_lifetime();
  end if;
  insert into public.conversations as c (subscription_id, owner_id, member_id, is_question, question_until)
  values (v_plan.id, v_plan.owner_id, v_user, true, v_until)
  on conflict (subscription_id, owner_id, member_id) do update set archived = false, question_until = v_until where c.archived
  returning c.id into v_conversation;
  v_is_new := found;
  if not v_is_new then
    select id into v_conversation from public.conversations
    where subscription_id = v_plan.id and owner_id = v_plan.owner_id and member_id = v_user;
  end if;
  insert into public.chat_participants (conversation_id, user_id) values (v_conversation, v_plan.owner_id), (v_conversation, v_user)
  on conflict do nothing;
  insert into public.messages (conversation_id, content) values (v_conversation, p_text);
  if v_is_new then
    -- Replaces the alert for the message.
    perform private.call_back_chat(id) from public.chat_participants
    where conversation_id = v_conversation and user_id = v_plan.owner_id;
    perform private.mail_notification(private.notify(v_plan.owner_id, 'info', 'New Question',
      format('%s asks you about %s %s.', v_name, v_plan.provider, v_plan.name), v_plan.id, 'question-asked',
      jsonb_build_object('person', v_name, 'plan', v_plan.provider || ' ' || v_plan.name)),
      array[v_conversation::text, v_plan.id], 'Answer the question', '/manage-shared/' || v_plan.id);
  end if;
  return v_conversation;
end $$;
select private.publish('ask_question', 'authenticated');

-- Closes questions that led to no request. Called by the clock and by whoever asks; it skips locked rows.
create function private.close_questions() returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  update public.conversations set archived = true, question_until = null where id in (
    select id from public.conversations where question_until <= now() - private.unnoticed_gap() for update skip locked
  );
end $$;

-- A question that becomes a request stays open while that waits; an old conversation is reopened.
create function private.tg_subscription_requests__open_chat() returns trigger
language plpgsql volatile security definer set search_path = '' as $$
begin
  update public.conversations set archived = false, question_until = null
  where subscription_id = new.subscription_id and member_id = new.user_id and (archived or question_until is not null);
  return null;
end $$;
create trigger open_chat after insert on public.subscription_requests
  for each row when (new.status = 'pending' and not new.expired) execute function private.tg_subscription_requests__open_chat();

-- A request that ends without a place archives its conversation.
create function private.tg_subscription_requests__close_chat() returns trigger
language plpgsql volatile security definer set search_path = '' as $$
begin
  update public.conversations as c set archived = true, question_until = null
  where c.subscription_id = new.subscription_id and c.member_id = new.user_id and not c.archived and not exists (
    select from public.subscription_members as m where m.subscription_id = c.subscription_id and m.user_id = c.member_id);
  return null;
end $$;
create trigger close_chat after update of status, expired on public.subscription_requests
  for each row when (old.status = 'pending' and not old.expired and (new.status in ('rejected', 'cancelled') or new.expired))
  execute function private.tg_subscription_requests__close_chat();

-- A plan that can no longer be found takes no questions.
create function private.tg_shared_subscriptions__close_questions() returns trigger
language plpgsql volatile security definer set search_path = '' as $$
begin
  update public.conversations set archived = true, question_until = null
  where subscription_id = new.id and question_until is not null;
  return null;
end $$;
create trigger close_questions after update of status, is_private on public.shared_subscriptions
  for each row when (new.status <> 'active' or (new.is_private and not old.is_private))
  execute function private.tg_shared_subscriptions__close_questions();

-- An archived conversation needs no answer and no mail.
create function private.tg_conversations__call_back() returns trigger
language plpgsql volatile security definer set search_path = '' as $$
begin
  perform private.call_back_mail(new.id::text);
  return null;
end $$;
create trigger call_back after update of archived on public.conversations
  for each row when (new.archived and not old.archived) execute function private.tg_conversations__call_back();

-- joining/waiting_list.sql
-- How long a free place is offered to the next person on the waiting list, and how many lists one person may be on.
create function private.offer_lifetime() returns interval
language sql immutable return interval '24 hours';
create function private.most_waiting_lists() returns integer
language sql immutable return 5;

-- A person's place in line for a full plan. A place that becomes free is offered to the first in line; asking for it, like
-- asking for any other, takes it, and the request then keeps it. The plan's row is the lock for all of it.
create table public.waiting_list (
  id uuid primary key default gen_random_uuid(),
  subscription_id text not null references public.shared_subscriptions (id) on delete cascade,
  user_id uuid not null references public.user_profiles (user_id) on delete cascade,
  joined_at timestamptz not null default clock_timestamp(),
  -- Until when a free place is kept for this person; null while there is none.
  offered_until timestamptz,
  unique (subscription_id, user_id)
);
create index waiting_list_user_idx on public.waiting_list (user_id);
alter table public.waiting_list enable row level security;
create policy "People see where they wait" on public.waiting_list
  for select to authenticated using (user_id = (select auth.uid()));

insert into private.rate_limits (action, attempts, window_seconds, requests)
values ('waiting list', 20, 60, '{POST /rpc/join_waiting_list}');

-- The line for a plan, in the order places are offered: people with an offer first, then people who have lost a similar plan.
create function private.line_of(p_subscription_id text)
returns table (id uuid, user_id uuid, "position" integer, offered_until timestamptz)
language plpgsql stable security definer set search_path = '' as $$
begin
  return query
    select w.id, w.user_id, (row_number() over (
      order by w.offered_until, not private.comes_first(w.user_id, p.catalogue_plan_id), w.joined_at, w.id
    ))::integer, w.offered_until
    from public.waiting_list as w join public.shared_subscriptions as p on p.id = w.subscription_id
    where w.subscription_id = p_subscription_id;
end $$;

-- Updates the plan's counts of people waiting and places kept, so that everybody who sees the plan sees the change.
create function private.tg_waiting_list__count() returns trigger
language plpgsql volatile security definer set search_path = '' as $$
declare v_plan_id text := coalesce(new.subscription_id, old.subscription_id);
begin
  update public.shared_subscriptions as p
  set waiting = (select count(*) from public.waiting_list as w where w.subscription_id = p.id),
    kept_places = private.reserved_places(p.id)
  where p.id = v_plan_id;
  return null;
end $$;
create trigger count after insert or update of offered_until or delete on public.waiting_list
  for each row execute function private.tg_waiting_list__count();

-- An offer that is over, however it ended, needs no mail.
create function private.tg_waiting_list__call_back() returns trigger
language plpgsql volatile security definer set search_path = '' as $$
begin
  perform private.call_back_mail(old.id::text);
  return null;
end $$;
create trigger call_back after delete on public.waiting_list
  for each row execute function private.tg_waiting_list__call_back();

-- Offers each free place to the next person, and takes back offers that have run out. After a gap in which nothing ran the
-- clock does this, because it first extends open offers.
create function private.offer_places(p_subscription_id text) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_plan public.shared_subscriptions;
  v_next record;
begin
  select * into v_plan from public.shared_subscriptions where id = p_subscription_id for no key update;
  if not found or v_plan.status <> 'active'
    or (select beat_at from private.clock) < now() - private.longest_gap() then return; end if;
  for v_next in
    delete from public.waiting_list where subscription_id = v_plan.id and offered_until <= now() returning user_id
  loop
    perform private.notify(v_next.user_id, 'info', 'Offer Lapsed',
      format('You did not take the place in %s %s within %s hours, so it is no longer kept for you.',
        v_plan.provider, v_plan.name, private.hours(private.offer_lifetime())),
      v_plan.id, 'offer-lapsed', jsonb_build_object('plan', v_plan.provider || ' ' || v_plan.name));
  end loop;
  for v_next in
    select line.id, line.user_id from private.line_of(v_plan.id) as line where line.offered_until is null
    order by line."position"
    limit greatest(0, v_plan.owner_max_members - v_plan.current_members - private.reserved_places(v_plan.id))
  loop
    update public.waiting_list set offered_until = now() + private.offer_lifetime() where id = v_next.id;
    perform private.mail_notification(private.notify(v_next.user_id, 'success', 'Place Offered',
      format('A place in %s %s is free, and kept for you for %s hours. Ask for it before somebody else gets it.',
        v_plan.provider, v_plan.name, private.hours(private.offer_lifetime())),
      v_plan.id, 'place-offered', jsonb_build_object('plan', v_plan.provider || ' ' || v_plan.name)),
      array[v_next.id::text, v_plan.id], 'See the place', '/subscription/' || v_plan.id);
  end loop;
end $$;

-- Runs at the end of the transaction that changed a plan's places, because an approval frees a kept place only to fill it.
create function private.tg_shared_subscriptions__offer() returns trigger
language plpgsql volatile security definer set search_path = '' as $$
begin
  perform private.offer_places(new.id);
  return null;
end $$;
create constraint trigger offer after update of current_members, owner_max_members, kept_places on public.shared_subscriptions
  deferrable initially deferred for each row when (new.waiting > 0)
  execute function private.tg_shared_subscriptions__offer();

-- Removes a person's own entry and returns the row it was.
create function private.step_out_of_line(p_subscription_id text, p_user_id uuid) returns public.waiting_list
language plpgsql volatile security definer set search_path = '' as $$
declare v_left public.waiting_list;
begin
  delete from public.waiting_list where subscription_id = p_subscription_id and user_id = p_user_id returning * into v_left;
  return v_left;
end $$;

-- For somebody who asks for a place while waiting for one: was it offered to them, so that the request keeps it? Asking ends
-- the waiting, unless there is no place.
create function private.take_offer(p_plan public.shared_subscriptions, p_user_id uuid, p_email text) returns boolean
language plpgsql volatile security definer set search_path = '' as $$
declare v_plan public.shared_subscriptions;
begin
  if not exists (select from public.waiting_list where subscription_id = p_plan.id and user_id = p_user_id) then
    perform private.require_open_slot(p_plan, p_email);
    return false;
  end if;
  perform private.offer_places(p_plan.id);
  select * into v_plan from public.shared_subscriptions where id = p_plan.id;
  perform private.require_open_slot(v_plan, p_email);
  return coalesce((private.step_out_of_line(p_plan.id, p_user_id)).offered_until > now(), false);
end $$;

-- Counts the place a request keeps until it is over. It does not wait for the plan, whose holder may wait for this request; if
-- the plan is locked, the clock does it.
create function private.tg_subscription_requests__count() returns trigger
language plpgsql volatile security definer set search_path = '' as $$
declare v_plan_id text := coalesce(new.subscription_id, old.subscription_id);
begin
  perform from public.shared_subscriptions where id = v_plan_id for no key update skip locked;
  if found then
    update public.shared_subscriptions set kept_places = private.reserved_places(id) where id = v_plan_id;
  end if;
  return null;
end $$;
create trigger count after insert on public.subscription_requests
  for each row when (new.keeps_place) execute function private.tg_subscription_requests__count();
create trigger count_ended after update of status or delete on public.subscription_requests
  for each row when (old.keeps_place) execute function private.tg_subscription_requests__count();

-- A person who gets a place, however that happens, stops waiting.
create function private.tg_subscription_members__stop_waiting() returns trigger
language plpgsql volatile security definer set search_path = '' as $$
begin
  perform private.step_out_of_line(new.subscription_id, new.user_id);
  return null;
end $$;
create trigger stop_waiting after insert on public.subscription_members
  for each row when (not new.is_owner) execute function private.tg_subscription_members__stop_waiting();

-- Tells people in line that the plan is gone, before their entries are deleted with it.
create function private.tg_shared_subscriptions__tell_waiting() returns trigger
language plpgsql volatile security definer set search_path = '' as $$
begin
  perform private.notify(user_id, 'warning', 'Subscription Cancelled',
    format('%s %s has been cancelled by its owner, and its waiting list with it.', old.provider, old.name), null)
  from public.waiting_list where subscription_id = old.id;
  return old;
end $$;
create trigger tell_waiting before delete on public.shared_subscriptions
  for each row execute function private.tg_shared_subscriptions__tell_waiting();

-- Puts the acting user in line for a full plan; returns the position.
create function private.join_waiting_list(p_subscription_id text) returns integer
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_user uuid := private.require_user();
  v_plan public.shared_subscriptions;
begin
  -- One person's attempts take turns here, so that nobody exceeds the limit.
  perform private.spend_attempt('waiting list');
  perform private.expire_join_requests();
  select * into v_plan from public.shared_subscriptions as p
  where p.id = p_subscription_id and private.may_find(p) for no key update;
  if not found then
    raise exception 'Subscription not found' using errcode = 'PT404';
  end if;
  perform private.require_unblocked(v_plan.owner_id, 'This plan is not open to new members');
  perform private.require_offered(v_plan.provider);
  if private.is_plan_member(v_plan.id) then
    raise exception 'Already a Member' using errcode = '23505';
  elsif exists (
    select from public.subscription_requests as r
    where r.subscription_id = v_plan.id and r.user_id = v_user and private.is_open_request(r)
  ) then
    raise exception 'Request Already Sent' using errcode = '23505';
  elsif exists (select from public.waiting_list where subscription_id = v_plan.id and user_id = v_user) then
    raise exception 'Already on the Waiting List' using errcode = '23505';
  elsif (select count(*) from public.waiting_list where user_id = v_user) >= private.most_waiting_lists() then
    raise exception 'You can be on % waiting lists at a time', private.most_waiting_lists() using errcode = '23514';
  elsif private.open_slots(v_plan, private.email_of(v_user)) > 0 then
    raise exception 'This plan has a place. You can ask for it.' using errcode = '23514';
  end if;
  insert into public.waiting_list (subscription_id, user_id) values (v_plan.id, v_user);
  return (select line."position" from private.line_of(v_plan.id) as line where line.user_id = v_user);
end $$;
select private.publish('join_waiting_list', 'authenticated');

-- Gives up the acting user's entry, and any offer with it.
create function private.leave_waiting_list(p_subscription_id text) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare v_user uuid := private.require_user();
begin
  perform from public.shared_subscriptions where id = p_subscription_id for no key update;
  if (private.step_out_of_line(p_subscription_id, v_user)).id is null then
    raise exception 'You are not on this waiting list' using errcode = 'PT404';
  end if;
end $$;
select private.publish('leave_waiting_list', 'authenticated');

-- The acting user's waiting lists, longest wait first; `offered_until` says until when a free place is kept for them.
create function private.my_waiting_lists()
returns table (subscription_id text, provider text, name text, "position" integer, offered_until timestamptz, joined_at timestamptz)
language plpgsql stable security definer set search_path = '' as $$
declare v_user uuid := private.require_user();
begin
  return query
    select p.id, p.provider, p.name, line."position", case when line.offered_until > now() then line.offered_until end, w.joined_at
    from public.waiting_list as w
    join public.shared_subscriptions as p on p.id = w.subscription_id
    cross join lateral private.line_of(p.id) as line
    where w.user_id = v_user and line.id = w.id
    order by w.joined_at, w.id;
end $$;
select private.publish('my_waiting_lists', 'authenticated');

select private.send_changes('waiting_list');

revoke all on public.waiting_list from public, anon, authenticated;
grant select on public.waiting_list to authenticated;
grant all on public.waiting_list to service_role;

-- money/calendar.sql
-- A feed of a person's renewals and due dates for calendar programs, which cannot sign in: whoever has its address can read it.
-- The address is shown once, as only a hash of its secret is stored.
create table private.calendars (
  user_id uuid primary key references auth.users (id) on delete cascade,
  token_hash text not null unique,
  made_at timestamptz not null default clock_timestamp()
);
alter table private.calendars enable row level security;

-- When the acting user's calendar got its address; null without one.
create function private.get_calendar() returns timestamptz
language sql stable security definer set search_path = '' as $$
  select made_at from private.calendars where user_id = (select auth.uid())
$$;
select private.publish('get_calendar', 'authenticated');

-- Creates or replaces the address and returns its secret; the old address stops working at once.
create function private.make_calendar() returns text
language plpgsql volatile security definer set search_path = '' as $$
declare v_token text := replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', '');
begin
  insert into private.calendars (user_id, token_hash)
  values (private.require_user(), encode(sha256(convert_to(v_token, 'UTF8')), 'hex'))
  on conflict (user_id) do update set token_hash = excluded.token_hash, made_at = excluded.made_at;
  return v_token;
end $$;
select private.publish('make_calendar', 'authenticated');

-- Removes the address.
create function private.end_calendar() returns void
language sql volatile security definer set search_path = '' as $$
  delete from private.calendars where user_id = private.require_user()
$$;
select private.publish('end_calendar', 'authenticated');

-- The entries of a person's calendar, as days of their time zone: what their seats cost next, open payments, when a seat ends,
-- and when their own plans are due at the provider.
create function private.calendar_days(p_user_id uuid) returns table (uid text, day date, summary text, path text)
language sql stable security definer set search_path = '' as $$
  with seat as (
    select s.*, s.provider || ' ' || s.plan_name as plan, paid.number, paid.until
    from private.seats as s
    left join lateral (
      select max(m.number) as number, max(m.ends_at) as until from public.member_payments as m
      where m.seat_id = s.id and m.status in ('paid', 'closed')
    ) as paid on true
    where s.member_id = p_user_id and s.ended_at is null
  )
  select what.uid, (what.at at time zone private.zone_of(p_user_id))::date, what.summary, what.path
  from (
    select format('renewal-%s-%s', seat.id, seat.number + 1), seat.until,
      format('%s renews: %s', seat.plan, private.euros(price.share + price.fee)), '/manage-subscribed/' || seat.subscription_id
    from seat cross join lateral private.period_price(seat.settlement, seat.billing_cycle, seat.share, seat.fee_rate, seat.number + 1) as price
    where seat.ends_at is null and seat.until > private.now()
    union all
    select format('end-%s', seat.id), seat.ends_at, format('Your place in %s ends', seat.plan), '/manage-subscribed/' || seat.subscription_id
    from seat where seat.ends_at > private.now()
    union all
    select format('due-%s', m.id), m.due_at, format('%s is due for %s', private.euros(m.amount), m.plan_name), '/payments/' || m.id
    from public.member_payments as m where m.member_id = p_user_id and m.status in ('due', 'needs-action', 'failed')
  ) as what (uid, at, summary, path)
  union all
  select format('plan-%s-%s', id, next_payment), next_payment, format('Your payment to %s: %s', provider, private.euros(total_price)),
    '/manage-shared/' || id
  from public.shared_subscriptions where owner_id = p_user_id and status = 'active' and next_payment >= current_date
  order by 2, 1
$$;

-- The same for whoever has the address. Raises PT404, also if the account is banned or gone.
create function private.calendar_of(p_token text) returns table (uid text, day date, summary text, path text)
language plpgsql stable security definer set search_path = '' as $$
declare v_user uuid := (
  select u.id from private.calendars as c join auth.users as u on u.id = c.user_id
  where c.token_hash = encode(sha256(convert_to(coalesce(p_token, ''), 'UTF8')), 'hex')
    and u.deleted_at is null and coalesce(u.banned_until <= now(), true)
);
begin
  if v_user is null then
    raise exception 'This calendar is not known' using errcode = 'PT404';
  end if;
  return query select * from private.calendar_days(v_user);
end $$;
select private.publish('calendar_of', 'service_role');

revoke all on private.calendars from public, anon, authenticated, service_role;
-- For the Edge Function `calendar`.

-- money/charges.sql
-- Charges and refunds: what we ask of the payment provider for a period, and the outcome, recorded once however often and in
-- whatever order it is reported. Lock order, as for all of a seat's money: seat, accounts, then the rest.

-- One charge per period, however many attempts it takes: the provider's id in `intent` never changes and succeeds once.
create table private.charges (
  payment_id uuid primary key references public.member_payments (id) on delete restrict,
  provider text not null,
  intent text unique check (char_length(intent) <= 200),
  status text not null default 'queued'
    check (status in ('queued', 'charging', 'processing', 'needs-action', 'failed', 'succeeded')),
  -- The provider's reason for the last failure.
  code text check (char_length(code) <= 200),
  -- The card chosen for this payment; otherwise the member's usual card.
  card_id uuid,
  card text,
  -- The member is present and can be sent to their bank.
  on_session boolean not null default false,
  attempts integer not null default 0,
  received numeric(12, 2) not null default 0 check (received >= 0),
  created_at timestamptz not null default clock_timestamp()
);
alter table private.charges enable row level security;

-- Money on its way back to a card.
create table private.refunds (
  id uuid primary key default gen_random_uuid(),
  payment_id uuid not null references private.charges (payment_id) on delete restrict,
  amount numeric(12, 2) not null check (amount > 0),
  status text not null default 'queued' check (status in ('queued', 'pending', 'succeeded', 'failed')),
  reference text unique,
  reason text,
  created_at timestamptz not null default clock_timestamp()
);
create index refunds_payment_idx on private.refunds (payment_id);
alter table private.refunds enable row level security;

-- Queues a charge of this period, first or repeated.
create function private.queue_charge(p_period uuid) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare v_provider text := coalesce((select provider from private.payment_provider), 'stripe');
begin
  insert into private.charges as c (payment_id, provider) values (p_period, v_provider)
  on conflict (payment_id) do update set on_session = false where c.status not in ('charging', 'processing', 'succeeded');
  perform private.queue_payment_job('charge', p_period::text, v_provider);
end $$;

-- Queues a refund to the card; until then the money waits in refunds_due.
create function private.queue_refund(p_period uuid, p_amount numeric) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_refund uuid;
  v_provider text;
begin
  insert into private.refunds (payment_id, amount) values (p_period, p_amount) returning id into v_refund;
  select provider into v_provider from private.charges where payment_id = p_period;
  perform private.queue_payment_job('refund', v_refund::text, v_provider);
end $$;

-- Takes the coins that go towards a period, never leaving a remainder too small for a card.
create function private.take_coins(p_period public.member_payments, p_key text) returns numeric
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_open numeric := p_period.amount - p_period.coins - p_period.card;
  v_coins numeric := least(v_open, private.available_coins(p_period.member_id));
begin
  if v_open - v_coins > 0 and v_open - v_coins < private.least_card_charge() then
    v_coins := v_open - private.least_card_charge();
  end if;
  if v_coins > 0 then
    perform private.pay_into(p_period.id, private.ledger_account('wallet', p_period.member_id), v_coins, 'payment', p_key);
  end if;
  return v_open - greatest(v_coins, 0);
end $$;

-- Starts charging a period: coins first if the member prefers, and an order for the rest. Null when the provider has nothing to
-- do: coins paid it all, there is no card, or nothing is open. `isOver` asks the provider to close an open charge of a period
-- that must not be charged any more, unless it has succeeded. The caller has locked the seat.
create function private.start_charge(p_period uuid) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_period public.member_payments;
  v_charge private.charges;
  v_card public.payment_methods;
  v_rest numeric;
  v_before text;
  v_closing jsonb;
begin
  select * into v_period from public.member_payments where id = p_period for update;
  select * into v_charge from private.charges where payment_id = p_period for update;
  v_before := v_charge.status;
  if v_before = 'succeeded' then return null; end if;
  if v_charge.intent is not null and v_before in ('charging', 'processing', 'needs-action') then
    v_closing := jsonb_build_object('period', p_period, 'intent', v_charge.intent, 'isOver', true);
  end if;
  if v_period.status not in ('due', 'charging', 'needs-action', 'failed') then
    update private.charges set status = 'charging' where payment_id = p_period and v_closing is not null;
    return v_closing;
  elsif v_before not in ('charging', 'processing') and private.has_open_problem(v_period.seat_id) then
    -- No new charge until the problem is closed.
    return null;
  end if;
  update private.charges set attempts = attempts + 1, status = 'charging' where payment_id = p_period returning * into v_charge;
  update public.member_payments set status = 'charging' where id = p_period;
  v_rest := v_period.amount - v_period.coins - v_period.card;
  -- While the last attempt is undecided, the card may have paid already.
  if v_before not in ('charging', 'processing') and v_period.coins = 0
    and (select coins_first from private.seats where id = v_period.seat_id) then
    v_rest := private.take_coins(v_period, format('coins:%s:%s', p_period, v_charge.attempts));
  end if;
  if v_rest <= 0 then
    update private.charges set status = 'queued' where payment_id = p_period and v_closing is null;
    perform private.period_paid(p_period);
    return v_closing;
  end if;
  select * into v_card from public.payment_methods
  where user_id = v_period.member_id and provider = v_charge.provider order by id = v_charge.card_id desc nulls last, chosen_at desc limit 1;
  if not found or private.has_open_dispute(v_period.member_id) then
    -- A charge that may still succeed is closed first, and fails after that.
    if v_closing is not null then return v_closing; end if;
    update private.charges set status = 'failed', code = case when v_card.id is null then 'no_card' else 'disputed' end
    where payment_id = p_period returning * into v_charge;
    perform private.period_failed(p_period, v_charge.code);
    return null;
  end if;
  update private.charges set card = v_card.brand || ' ' || v_card.last4 where payment_id = p_period;
  return jsonb_build_object(
    'period', p_period, 'intent', v_charge.intent, 'amountCents', round(v_rest * 100)::integer, 'currency', 'eur',
    'customer', (select reference from private.payment_customers where user_id = v_period.member_id and provider = v_charge.provider),
    'method', v_card.reference, 'description', format('%s, period %s', v_period.plan_name, v_period.number),
    'attempt', v_charge.attempts, 'since', floor(extract(epoch from v_charge.created_at))::integer, 'onSession', v_charge.on_session);
end $$;

create function private.refund_order(p_refund uuid) returns jsonb
language sql stable security definer set search_path = '' as $$
  select jsonb_build_object('id', r.id, 'intent', c.intent, 'amountCents', round(r.amount * 100)::integer)
  from private.refunds as r join private.charges as c using (payment_id)
  where r.id = p_refund and r.status in ('queued', 'pending')
$$;

-- Stores the first provider id of a period's charge, and returns the one that is stored.
create function private.record_intent(p_payment_id uuid, p_intent text) returns text
language plpgsql volatile security definer set search_path = '' as $$
begin
  update private.charges set intent = p_intent where payment_id = p_payment_id and intent is null;
  return (select intent from private.charges where payment_id = p_payment_id);
end $$;

create function private.knows_charge(p_intent text) returns boolean
language sql stable security definer set search_path = '' as $$
  select exists (select from private.charges where intent = p_intent)
$$;

-- Books money that arrived: into the period, or straight back if it is no longer wanted. If the part paid by coins has changed
-- since the charge was ordered, coins make up the difference.
create function private.receive(p_charge private.charges, p_amount numeric, p_cost numeric) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_period public.member_payments;
  v_outside bigint := private.ledger_account('outside');
  v_rest numeric;
begin
  select * into v_period from public.member_payments where id = p_charge.payment_id;
  perform private.lock_held_money(array[v_period.seat_id], array['outside', 'refunds_due', 'fees', 'costs']);
  update private.charges set status = 'succeeded', code = null, received = p_amount where payment_id = v_period.id;
  if v_period.status in ('due', 'charging', 'needs-action', 'failed') and v_period.coins + v_period.card + p_amount <> v_period.amount then
    perform private.let_go(v_period.id);
    v_rest := v_period.amount - p_amount;
    if v_rest > 0 and private.available_coins(v_period.member_id) >= v_rest then
      perform private.pay_into(v_period.id, private.ledger_account('wallet', v_period.member_id), v_rest, 'payment',
        'coins:' || p_charge.intent);
    end if;
    select * into v_period from public.member_payments where id = v_period.id;
  end if;
  if v_period.coins + v_period.card + p_amount <= v_period.amount then
    perform private.pay_into(v_period.id, v_outside, p_amount, 'payment', 'charge:' || p_charge.intent);
    perform private.period_paid(v_period.id);
  else
    perform private.transfer('charge:' || p_charge.intent, v_outside, private.ledger_account('refunds_due'), p_amount, 'payment',
      v_period.seat_id, v_period.id, v_period.plan_name);
    perform private.queue_refund(v_period.id, p_amount);
  end if;
  if p_cost > 0 then
    perform private.transfer('cost:' || p_charge.intent, private.ledger_account('costs'), v_outside, p_cost, 'cost',
      v_period.seat_id, v_period.id, v_period.plan_name);
  end if;
end $$;

-- Records the outcome of a charge. False if the id is unknown. Success is final; a failure reported from outside is ignored
-- while a worker is on the charge, because the worker will learn of it too.
create function private.record_charge(
  p_intent text, p_status text, p_code text, p_amount numeric, p_cost numeric, p_is_heard boolean
) returns boolean
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_charge private.charges;
  v_seat private.seats;
  v_job text;
begin
  select * into v_charge from private.charges where intent = p_intent;
  if not found then return false; end if;
  v_job := v_charge.payment_id::text;
  v_seat := private.lock_seat_of(v_charge.payment_id);
  select * into v_charge from private.charges where payment_id = v_charge.payment_id for update;
  if v_charge.status = 'succeeded' then
    delete from private.payment_jobs where kind = 'charge' and about = v_job;
    return true;
  elsif p_status = 'succeeded' then
    perform private.receive(v_charge, p_amount, p_cost);
  elsif v_charge.status not in ('charging', 'processing', 'needs-action') or p_status = 'open'
    or (p_is_heard and exists (select from private.payment_jobs where kind = 'charge' and about = v_job)) then
    return true;
  elsif p_status = 'processing' then
    -- The provider will report it; if not, the next attempt asks.
    update private.charges set status = 'processing' where payment_id = v_charge.payment_id;
    update private.payment_jobs set next_attempt_at = clock_timestamp() + interval '10 minutes', last_error = 'processing'
    where kind = 'charge' and about = v_job;
    return true;
  elsif p_status = 'needs-action' then
    update private.charges set status = 'needs-action', code = p_code where payment_id = v_charge.payment_id;
    if v_charge.on_session then
      -- Being confirmed at the bank; the coins of this attempt stay reserved.
      update public.member_payments set status = 'needs-action', next_attempt_at = coalesce(next_attempt_at, private.now() + interval '1 day')
      where id = v_charge.payment_id;
      perform private.wake_seat(v_seat.id);
    elsif v_charge.status <> 'needs-action' then
      perform private.period_failed(v_charge.payment_id, 'needs-action');
    end if;
  else
    update private.charges set status = 'failed', code = p_code, intent = case when p_status <> 'canceled' then intent end
    where payment_id = v_charge.payment_id;
    perform private.period_failed(v_charge.payment_id, coalesce(p_code, 'refused'));
  end if;
  delete from private.payment_jobs where kind = 'charge' and about = v_job;
  return true;
end $$;

revoke all on private.charges, private.refunds from public, anon, authenticated, service_role;

-- money/direct_payments.sql
-- Direct payments: how an owner would like to be paid, "I've paid", "Received", and reminders. The site moves no money.

-- For members who pay the owner directly: when they are reminded, counted from the due date, how often the owner may remind
-- them, and when the owner may end the seat.
create function private.direct_reminders() returns interval[]
language sql immutable return '{0,3 days,7 days}'::interval[];
create function private.nudge_pause() returns interval
language sql immutable return interval '24 hours';
create function private.direct_patience() returns interval
language sql immutable return interval '14 days';

-- Is this an IBAN with a valid ISO 7064 checksum (mod 97)? It must be without spaces and in capitals.
create function private.is_iban(p_iban text) returns boolean
language plpgsql immutable set search_path = '' as $$
declare
  v_letter text;
  v_rest integer := 0;
begin
  if (p_iban ~ '^[A-Z]{2}[0-9]{2}[A-Z0-9]{11,30}$') is not true then return false; end if;
  foreach v_letter in array regexp_split_to_array(substr(p_iban, 5) || left(p_iban, 4), '') loop
    v_rest := case when v_letter ~ '[0-9]' then (v_rest * 10 + v_letter::integer) % 97
      else (v_rest * 100 + ascii(v_letter) - 55) % 97 end;
  end loop;
  return v_rest = 1;
end $$;

-- The maximum length of an account holder's name, of a payment link, and of a note on how to pay.
create function private.longest_holder() returns integer
language sql immutable return 70;
create function private.longest_payment_link() returns integer
language sql immutable return 500;
create function private.longest_payment_note() returns integer
language sql immutable return 500;
grant execute on function private.longest_holder(), private.longest_payment_link(), private.longest_payment_note() to authenticated, service_role;

-- How an owner would like to be paid. Only members who pay them directly see it.
create table public.payment_wishes (
  user_id uuid primary key default auth.uid() references public.user_profiles (user_id) on delete cascade,
  kind text not null check (kind in ('iban', 'link', 'text')),
  iban text,
  holder text check (char_length(holder) between 1 and private.longest_holder()),
  link text check (link ~ '^https://' and char_length(link) <= private.longest_payment_link()),
  note text check (char_length(note) between 1 and private.longest_payment_note()),
  updated_at timestamptz not null default now(),
  constraint what_its_kind_needs check (case kind when 'iban' then iban is not null and holder is not null
    when 'link' then link is not null else note is not null end)
);
alter table public.payment_wishes enable row level security;

-- Does the acting user have a living seat that is paid to this person directly?
create function private.pays_directly(p_owner_id uuid) returns boolean
language plpgsql stable security definer set search_path = '' as $$
begin
  return exists (
    select from private.seats
    where owner_id = p_owner_id and member_id = (select auth.uid()) and ended_at is null and settlement = 'direct'
  );
end $$;
create policy "Owners and those who pay them see how" on public.payment_wishes
  for select to authenticated using (user_id = (select auth.uid()) or private.pays_directly(user_id));
create policy "People say how they would like to be paid" on public.payment_wishes
  for insert to authenticated with check (user_id = (select auth.uid()));
create policy "People change how they would like to be paid" on public.payment_wishes
  for update to authenticated using (user_id = (select auth.uid())) with check (user_id = (select auth.uid()));
create policy "People take back how they would like to be paid" on public.payment_wishes
  for delete to authenticated using (user_id = (select auth.uid()));

-- Normalises the IBAN, and clears the fields of other kinds.
create function private.tg_payment_wishes__fill() returns trigger
language plpgsql volatile security definer set search_path = '' as $$
begin
  perform private.ensure_profile(new.user_id);
  new.iban := case new.kind when 'iban' then upper(regexp_replace(new.iban, '\s', '', 'g')) end;
  new.holder := case new.kind when 'iban' then btrim(new.holder) end;
  new.link := case new.kind when 'link' then btrim(new.link) end;
  new.note := nullif(btrim(new.note), '');
  new.updated_at := now();
  if new.kind = 'iban' and not private.is_iban(coalesce(new.iban, '')) then
    raise exception 'Please check the IBAN, as its digits do not add up' using errcode = '23514';
  elsif new.kind = 'iban' and private.visible_length(new.holder) = 0 then
    raise exception 'Whose account is it? Please enter a name' using errcode = '23514';
  elsif new.kind = 'link' and (new.link ~ '^https://[^\s/]+\.[^\s]+$') is not true then
    raise exception 'Please enter a link that begins with https://' using errcode = '23514';
  elsif new.kind = 'text' and private.visible_length(new.note) = 0 then
    raise exception 'Please say how you would like to be paid' using errcode = '23514';
  end if;
  return new;
end $$;
create trigger fill before insert or update on public.payment_wishes
  for each row execute function private.tg_payment_wishes__fill();

-- A direct payment of the acting user, locked after its seat: as its member or as the owner it goes to.
create function private.lock_direct_payment(p_payment_id uuid, p_as_owner boolean) returns public.member_payments
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_user uuid := private.require_user();
  v_payment public.member_payments;
begin
  perform from private.seats where id = (
    select seat_id from public.member_payments
    where id = p_payment_id and settlement = 'direct' and v_user = case when p_as_owner then owner_id else member_id end
  ) for update;
  if not found then
    raise exception 'Payment not found' using errcode = 'PT404';
  end if;
  select * into v_payment from public.member_payments where id = p_payment_id;
  return v_payment;
end $$;

-- Tells one side about a direct payment.
create function private.tell_payment(
  p_payment public.member_payments, p_to_owner boolean, p_type text, p_event text, p_title text, p_sentence text, p_note text default null
) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare v_seat private.seats;
begin
  select * into v_seat from private.seats where id = p_payment.seat_id;
  perform private.tell_seat(v_seat, case when p_to_owner then p_payment.owner_id else p_payment.member_id end, p_type, p_event, p_title,
    format(p_sentence, private.euros(p_payment.amount), p_payment.plan_name, (select display_name from public.user_profiles
      where user_id = case when p_to_owner then p_payment.member_id else p_payment.owner_id end), p_note),
    jsonb_strip_nulls(jsonb_build_object('amount', p_payment.amount, 'reference', p_payment.reference, 'note', p_note)));
end $$;

-- After each step: updates whether the seat is late, and when it is next due for work.
create function private.follow_direct_payments(p_seat_id uuid) returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  update private.seats set late_since = (
    select min(due_at) from public.member_payments
    where seat_id = p_seat_id and settlement = 'direct' and status = 'due' and reminders > 1
  ) where id = p_seat_id and ended_at is null;
  perform private.wake_seat(p_seat_id);
end $$;

-- "I've paid". Member only.
create function private.say_paid(p_payment_id uuid) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare v_payment public.member_payments := private.lock_direct_payment(p_payment_id, false);
begin
  if v_payment.status <> 'due' then
    raise exception 'This payment is not open' using errcode = '23514';
  end if;
  update public.member_payments set status = 'claimed', claimed_at = private.now(), note = null where id = v_payment.id;
  perform private.follow_direct_payments(v_payment.seat_id);
  perform private.tell_payment(v_payment, true, 'info', 'member-says-paid', 'Payment On Its Way',
    '%3$s says that %1$s for %2$s is on its way to you. Has it arrived?');
end $$;
select private.publish('say_paid', 'authenticated');

-- "Received", whether or not the member has said so. Owner only.
create function private.confirm_payment(p_payment_id uuid) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare v_payment public.member_payments := private.lock_direct_payment(p_payment_id, true);
begin
  if v_payment.status not in ('due', 'claimed') then
    raise exception 'This payment is not open' using errcode = '23514';
  end if;
  update public.member_payments set status = 'paid', paid_at = private.now(), note = null,
    receipt_number = private.new_receipt_number() where id = v_payment.id;
  perform private.follow_direct_payments(v_payment.seat_id);
  perform private.tell_payment(v_payment, false, 'success', 'payment-received', 'Payment Received',
    '%3$s has received your %1$s for %2$s.');
end $$;
select private.publish('confirm_payment', 'authenticated');

-- "Not received", with a sentence to the member. Owner only.
create function private.deny_payment(p_payment_id uuid, p_note text) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_payment public.member_payments := private.lock_direct_payment(p_payment_id, true);
  v_note text := btrim(coalesce(p_note, ''));
begin
  if v_payment.status <> 'claimed' then
    raise exception 'Nobody says that this has been paid' using errcode = '23514';
  elsif private.visible_length(v_note) = 0 or char_length(v_note) > private.longest_denial() then
    raise exception 'Please say in a sentence of at most % characters what is missing', private.longest_denial() using errcode = '23514';
  end if;
  update public.member_payments set claimed_at = null, note = v_note, owed_back = 0, repaid_at = null,
    status = case when exists (select from private.seats where id = seat_id and ended_at is null) then 'due' else 'cancelled' end
  where id = v_payment.id;
  perform private.follow_direct_payments(v_payment.seat_id);
  perform private.tell_payment(v_payment, false, 'warning', 'payment-not-received', 'Payment Not Received',
    'Your %1$s for %2$s has not reached %3$s: %4$s', v_note);
end $$;
select private.publish('deny_payment', 'authenticated');

-- Reminds a late member, once per private.nudge_pause(). Owner only.
create function private.nudge_payment(p_payment_id uuid) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare v_payment public.member_payments := private.lock_direct_payment(p_payment_id, true);
begin
  if v_payment.status <> 'due' or v_payment.due_at > private.now() then
    raise exception 'This payment is not open' using errcode = '23514';
  elsif v_payment.nudged_at > private.now() - private.nudge_pause() then
    raise exception 'You can remind somebody once a day' using errcode = '23514';
  end if;
  update public.member_payments set nudged_at = private.now() where id = v_payment.id;
  perform private.tell_payment(v_payment, false, 'warning', 'payment-nudge', 'A Payment Is Missing',
    '%3$s asks you to pay %1$s for %2$s.');
end $$;
select private.publish('nudge_payment', 'authenticated');

-- Ends a seat whose payment has been missing for private.direct_patience(). Owner only.
create function private.end_late_seat(p_seat_id uuid) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare v_seat private.seats := private.lock_living_seat(p_seat_id, true);
begin
  if not exists (
    select from public.member_payments where seat_id = v_seat.id and settlement = 'direct' and status = 'due'
      and due_at <= private.now() - private.direct_patience()
  ) then
    raise exception 'No payment has been missing for % days', extract(day from private.direct_patience()) using errcode = '23514';
  end if;
  perform private.end_seat(v_seat.id, 'unpaid', v_seat.owner_id);
end $$;
select private.publish('end_late_seat', 'authenticated');

-- The reminders sent on the due date and after it.
create function private.remind_of_payment(p_seat private.seats, p_payment public.member_payments) returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  update public.member_payments set reminders = reminders + 1 where id = p_payment.id;
  if p_payment.reminders > 0 then
    perform private.follow_direct_payments(p_seat.id);
  end if;
  perform private.tell_payment(p_payment, false, case p_payment.reminders when 0 then 'info' else 'warning' end, 'payment-due',
    case p_payment.reminders when 0 then 'A Payment Is Due' else 'A Payment Is Missing' end,
    case p_payment.reminders when 0 then '%1$s for %2$s is due to %3$s today.' else '%1$s for %2$s has not reached %3$s yet.' end);
end $$;

revoke all on public.payment_wishes from public, anon, authenticated;
grant select, delete, insert (user_id, kind, iban, holder, link, note), update (kind, iban, holder, link, note)
  on public.payment_wishes to authenticated;
grant all on public.payment_wishes to service_role;
grant execute on function private.pays_directly(uuid) to authenticated;

-- money/disputes.sql
-- Chargebacks: payments a cardholder's bank takes back. They are covered by what is still held of that card payment, then by
-- the person's coins, then by the site. The seat ends, and staff sees the deadline for an answer.
create table public.payment_disputes (
  -- The provider's id.
  id text primary key check (char_length(id) <= 200),
  payment_id uuid not null references private.charges (payment_id) on delete restrict,
  plan_name text not null,
  member_id uuid not null references public.user_profiles (user_id) on delete restrict,
  owner_id uuid not null references public.user_profiles (user_id) on delete restrict,
  amount numeric(12, 2) not null check (amount >= 0),
  -- What the card had been charged, and what had been returned to it by then.
  charged numeric(12, 2) not null,
  given_back numeric(12, 2) not null,
  reason text not null check (char_length(reason) <= 200),
  -- The provider's status: needs_response, under_review, won, lost …
  status text not null check (char_length(status) <= 100),
  -- The deadline for an answer.
  due_by timestamptz,
  opened_at timestamptz not null default private.now(),
  closed_at timestamptz,
  -- What it took, and from where; winning puts it back.
  from_share numeric(12, 2) not null default 0,
  from_fee numeric(12, 2) not null default 0,
  from_coins numeric(12, 2) not null default 0,
  from_guarantee numeric(12, 2) not null default 0,
  -- From refunds under way, which fail because the bank takes that money.
  from_refunds numeric(12, 2) not null default 0
);
create index payment_disputes_payment_idx on public.payment_disputes (payment_id);
create index payment_disputes_member_idx on public.payment_disputes (member_id);
create index payment_disputes_owner_idx on public.payment_disputes (owner_id);
create index payment_disputes_newest_idx on public.payment_disputes (opened_at desc);
alter table public.payment_disputes enable row level security;
create policy "Admins see disputes" on public.payment_disputes
  for select to authenticated using ((select private.may('users.edit') and private.may_act_as_staff()));

-- Does this person have an open dispute? Until it is settled, no card of theirs is charged.
create function private.has_open_dispute(p_user_id uuid) returns boolean
language sql stable security definer set search_path = '' as $$
  select exists (select from public.payment_disputes where member_id = p_user_id and closed_at is null)
$$;

-- What has been returned to the card of a charge, or is on its way.
create function private.given_back_to_card(p_payment_id uuid) returns numeric
language sql stable security definer set search_path = '' as $$
  select coalesce(sum(amount), 0) from private.refunds where payment_id = p_payment_id and status <> 'failed'
$$;

-- Does this status mean that the bank has taken the money?
create function private.dispute_takes(p_status text) returns boolean
language plpgsql immutable set search_path = '' as $$
begin
  return p_status not in ('won', 'prevented') and p_status not like 'warning%';
end $$;

-- Takes what the bank has taken, but never more than was charged less what has been returned.
create function private.take_disputed(p_dispute public.payment_disputes, p_period public.member_payments) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_outside bigint := private.ledger_account('outside');
  v_given_back numeric := private.given_back_to_card(p_period.id);
  -- News of the dispute may arrive before that of the charge.
  v_charged numeric := (select received from private.charges where payment_id = p_period.id);
  v_rest numeric := greatest(0, least(p_dispute.amount - p_dispute.from_refunds, v_charged - v_given_back));
  v_held numeric;
  v_part record;
begin
  -- The part held for this period that the card paid.
  v_held := case when p_period.status = 'paid' then greatest(0, least(v_rest,
    p_period.card - p_period.returned_share - p_period.returned_fee)) else 0 end;
  p_dispute.from_share := least(v_held, p_period.share - p_period.earned_share - p_period.returned_share);
  p_dispute.from_fee := least(v_held - p_dispute.from_share, p_period.fee - p_period.earned_fee - p_period.returned_fee);
  v_rest := v_rest - p_dispute.from_share - p_dispute.from_fee;
  p_dispute.from_coins := least(v_rest, private.available_coins(p_dispute.member_id));
  p_dispute.from_guarantee := v_rest - p_dispute.from_coins;
  for v_part in select * from (values
    ('held_share', p_period.seat_id, p_dispute.from_share), ('held_fee', p_period.seat_id, p_dispute.from_fee),
    ('wallet', p_dispute.member_id, p_dispute.from_coins), ('guarantee', null, p_dispute.from_guarantee)
  ) as part (kind, owner, amount) where part.amount > 0 loop
    perform private.transfer(format('dispute:%s:%s', p_dispute.id, v_part.kind), private.ledger_account(v_part.kind, v_part.owner),
      v_outside, v_part.amount, 'chargeback', p_period.seat_id, p_period.id, p_period.plan_name || ': payment taken back');
  end loop;
  update public.member_payments set returned_share = returned_share + p_dispute.from_share,
    returned_fee = returned_fee + p_dispute.from_fee where id = p_period.id;
  update public.payment_disputes set charged = v_charged, given_back = v_given_back, from_share = p_dispute.from_share, from_fee = p_dispute.from_fee,
    from_coins = p_dispute.from_coins, from_guarantee = p_dispute.from_guarantee where id = p_dispute.id;
end $$;

-- Charges a failed refund to its dispute as far as the bank has taken that money, and returns how much.
create function private.leave_to_dispute(p_refund private.refunds, p_account bigint, p_period public.member_payments) returns numeric
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_dispute public.payment_disputes;
  v_part numeric;
begin
  select * into v_dispute from public.payment_disputes where payment_id = p_refund.payment_id and private.dispute_takes(status)
  order by opened_at desc limit 1 for update;
  if not found then return 0; end if;
  v_part := least(p_refund.amount, v_dispute.amount - v_dispute.from_refunds
    - v_dispute.from_share - v_dispute.from_fee - v_dispute.from_coins - v_dispute.from_guarantee);
  if v_part > 0 and p_account <> private.ledger_account('outside') then
    perform private.transfer(format('dispute:%s:%s', v_dispute.id, p_refund.id), p_account, private.ledger_account('outside'),
      v_part, 'chargeback', p_period.seat_id, p_period.id, p_period.plan_name || ': payment taken back');
  end if;
  update public.payment_disputes set from_refunds = from_refunds + v_part, given_back = given_back - v_part
  where id = v_dispute.id;
  return v_part;
end $$;

-- Puts it back where it came from. What was held goes to the owner, because the member's dispute ended the seat; if the owner
-- had given no access yet, it goes back to the card.
create function private.put_back_disputed(p_dispute public.payment_disputes, p_period public.member_payments) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_outside bigint := private.ledger_account('outside');
  v_part record;
begin
  for v_part in select * from (values
    ('held_share', p_period.seat_id, p_dispute.from_share), ('held_fee', p_period.seat_id, p_dispute.from_fee),
    ('wallet', p_dispute.member_id, p_dispute.from_coins + p_dispute.from_refunds), ('guarantee', null, p_dispute.from_guarantee)
  ) as part (kind, owner, amount) where part.amount > 0 loop
    perform private.transfer(format('dispute-won:%s:%s', p_dispute.id, v_part.kind), v_outside,
      private.ledger_account(v_part.kind, v_part.owner), v_part.amount, 'chargeback-won', p_period.seat_id, p_period.id,
      p_period.plan_name || ': payment back');
  end loop;
  update public.member_payments set returned_share = returned_share - p_dispute.from_share,
    returned_fee = returned_fee - p_dispute.from_fee where id = p_period.id;
  if p_period.starts_at is null then
    perform private.give_back(p_period.id, p_dispute.from_share, p_dispute.from_fee, 'no-access');
  elsif p_dispute.from_share + p_dispute.from_fee > 0 then
    perform private.move_earnings(p_period.id, true);
  end if;
end $$;

-- Records the provider's news of a dispute, which may arrive out of order: a closed one stays closed, unless it was lost and is
-- won after all. False if the charge is not ours.
create function private.record_dispute(
  p_reference text, p_intent text, p_amount numeric, p_status text, p_reason text, p_due_by timestamptz
) returns boolean
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_payment uuid := (select payment_id from private.charges where intent = p_intent);
  v_dispute public.payment_disputes;
  v_period public.member_payments;
  v_is_closed boolean := p_status in ('won', 'lost', 'warning_closed', 'prevented');
begin
  if v_payment is null then return false; end if;
  perform private.lock_place((select seat_id from public.member_payments where id = v_payment));
  perform private.lock_seat_of(v_payment);
  select * into v_period from public.member_payments where id = v_payment;
  insert into public.payment_disputes
    (id, payment_id, plan_name, member_id, owner_id, amount, charged, given_back, reason, status, due_by)
  select p_reference, v_payment, v_period.plan_name, v_period.member_id, v_period.owner_id, p_amount,
    received, private.given_back_to_card(v_payment), p_reason, p_status, p_due_by from private.charges where payment_id = v_payment
  on conflict (id) do nothing;
  if found then
    perform private.notify(staff.id, 'warning', 'A Payment Is Disputed',
      format('The bank of a member of %s takes %s back. Answer the provider in time.', v_period.plan_name, private.euros(p_amount)),
      null, 'payment-disputed', jsonb_build_object('plan', v_period.plan_name, 'amount', p_amount, 'until', p_due_by))
    from private.people_who_may('users.edit') as staff (id);
  end if;
  select * into v_dispute from public.payment_disputes where id = p_reference;
  if v_dispute.closed_at is not null and not (v_dispute.status = 'lost' and p_status = 'won') then return true; end if;
  update public.payment_disputes set status = p_status, due_by = p_due_by,
    closed_at = case when v_is_closed then private.now() end where id = p_reference;
  if private.dispute_takes(p_status) and v_dispute.from_share + v_dispute.from_fee + v_dispute.from_coins
    + v_dispute.from_guarantee + v_dispute.from_refunds = 0 then
    perform private.take_disputed(v_dispute, v_period);
    perform private.end_seat(v_period.seat_id, 'disputed', v_period.member_id);
  elsif p_status = 'won' then
    perform private.put_back_disputed(v_dispute, v_period);
  end if;
  return true;
end $$;
select private.publish('record_dispute', 'service_role');

-- Until when a person's withdrawals wait, because card payments to them may be taken back: 'infinity' during a dispute.
create function private.withdrawals_wait_until(p_user_id uuid) returns timestamptz
language plpgsql stable security definer set search_path = '' as $$
begin
  return case when exists (select from public.payment_disputes where owner_id = p_user_id and closed_at is null) then 'infinity'
    else (select min(t.created_at) + private.card_earnings_wait() from private.ledger_transfers as t
      join public.member_payments as m on m.id = t.period_id
      where t.person_id = p_user_id and t.kind = 'earning' and m.card > 0) end;
end $$;
create function private.tg_withdrawal_requests__hold() returns trigger
language plpgsql volatile security definer set search_path = '' as $$
declare v_until timestamptz := private.withdrawals_wait_until(new.user_id);
begin
  if v_until = 'infinity' then
    raise exception 'This withdrawal waits while a payment to this person is disputed' using errcode = '23514';
  elsif v_until > private.now() then
    raise exception 'This withdrawal waits until %, % days after the first earning by card',
      v_until::date, extract(day from private.card_earnings_wait()) using errcode = '23514';
  end if;
  return new;
end $$;
create trigger hold before update of status on public.withdrawal_requests
  for each row when (new.status in ('processing', 'completed') and new.status <> old.status)
  execute function private.tg_withdrawal_requests__hold();

revoke all on public.payment_disputes from public, anon, authenticated, service_role;
grant select on public.payment_disputes to authenticated;

-- money/my_seats.sql
-- What both sides see of a seat, and what they can decide.

-- The monthly cost of a place: share, fee and total, and for a yearly plan the twelve totals.
create function private.quote_of(p_plan public.shared_subscriptions) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare v_price record;
begin
  select * into v_price from private.period_price(p_plan.settlement, p_plan.billing_cycle, p_plan.member_price, p_plan.fee_rate, 1);
  return jsonb_build_object(
    'settlement', p_plan.settlement, 'billingCycle', p_plan.billing_cycle,
    'share', v_price.share, 'fee', v_price.fee, 'sum', v_price.share + v_price.fee,
    'instalments', case p_plan.billing_cycle when 'yearly' then (
      select jsonb_agg(price.share + price.fee order by n) from generate_series(1, 12) as n
      cross join lateral private.period_price(p_plan.settlement, p_plan.billing_cycle, p_plan.member_price, p_plan.fee_rate, n) as price) end,
    'provider', private.payment_provider() ->> 'provider');
end $$;

-- The same before joining.
create function private.quote_plan(p_subscription_id text) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  v_user uuid := private.require_user();
  v_plan public.shared_subscriptions;
begin
  select * into v_plan from public.shared_subscriptions as p
  where p.id = p_subscription_id
    and (private.may_find(p) or p.owner_id = v_user or private.is_plan_member(p.id) or private.may('subscriptions.view'));
  if not found then
    raise exception 'Subscription not found' using errcode = 'PT404';
  end if;
  return private.quote_of(v_plan);
end $$;
select private.publish('quote_plan', 'authenticated');

-- A seat's open problem, and what is owed and not yet settled for a seat that is paid directly.
create function private.open_problem(p_seat_id uuid) returns uuid
language plpgsql stable security definer set search_path = '' as $$
begin
  return (select id from public.seat_problems where seat_id = p_seat_id and status <> 'closed');
end $$;
create function private.owed_back(p_seat_id uuid) returns numeric
language plpgsql stable security definer set search_path = '' as $$
begin
  return (select coalesce(sum(owed_back), 0.00) from public.member_payments where seat_id = p_seat_id and repaid_at is null);
end $$;

-- "Settled between us": the member has received what the owner owed for time without access.
create function private.settle_owed(p_seat_id uuid) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_seat private.seats;
  v_owed numeric;
begin
  select * into v_seat from private.seats where id = p_seat_id and member_id = private.require_user() for update;
  if not found then
    raise exception 'Place not found' using errcode = 'PT404';
  end if;
  v_owed := private.owed_back(v_seat.id);
  if v_owed = 0 then
    raise exception 'Nothing is owed to you here' using errcode = '23514';
  end if;
  update public.member_payments set repaid_at = private.now() where seat_id = v_seat.id and owed_back > 0 and repaid_at is null;
  perform private.tell_seat(v_seat, v_seat.owner_id, 'success', 'owed-settled', 'Settled',
    format('%s says that you have settled the %s for %s %s.', (select display_name from public.user_profiles
      where user_id = v_seat.member_id), private.euros(v_owed), v_seat.provider, v_seat.plan_name), jsonb_build_object('amount', v_owed));
end $$;
select private.publish('settle_owed', 'authenticated');

-- The acting user's seats, newest first, including those that have ended. `paid_until` is the end of the current period.
create function private.my_seats()
returns table (
  id uuid, subscription_id text, provider text, plan_name text, owner_id uuid, owner_name text, settlement text,
  billing_cycle text, share numeric, coins_first boolean, status text, opened_at timestamptz, paid_until timestamptz,
  ends_at timestamptz, ended_at timestamptz, end_reason text, may_stay boolean, admitted_at timestamptz, access_given_at timestamptz,
  access_due_at timestamptz, invited_address text, access_works boolean, problem_id uuid, owed_back numeric
)
language plpgsql stable security definer set search_path = '' as $$
declare v_user uuid := private.require_user();
begin
  return query
    select s.id, s.subscription_id, s.provider, s.plan_name, s.owner_id, p.display_name, s.settlement, s.billing_cycle, s.share,
      s.coins_first, s.status, s.opened_at,
      (select max(m.ends_at) from public.member_payments as m where m.seat_id = s.id and m.status in ('paid', 'closed')),
      s.ends_at, s.ended_at, s.end_reason, s.ended_at is null and s.ends_at is not null and s.ended_by = v_user,
      s.admitted_at, s.access_given_at, s.access_due_at, s.invited_address, private.access_works(s),
      private.open_problem(s.id), private.owed_back(s.id)
    from private.seats as s join public.user_profiles as p on p.user_id = s.owner_id
    where s.member_id = v_user order by s.opened_at desc, s.id;
end $$;
select private.publish('my_seats', 'authenticated');

-- The seats of a plan for its owner, living ones first: what is held of the current period, what is earned so far, and when the
-- next part is released. `unpaid_since` is the due date of the oldest missing payment.
create function private.plan_seats(p_subscription_id text)
returns table (
  id uuid, member_id uuid, member_name text, avatar_url text, settlement text, billing_cycle text, share numeric, status text,
  opened_at timestamptz, paid_until timestamptz, unpaid_since timestamptz, ends_at timestamptz, ended_at timestamptz,
  end_reason text, held numeric, earned numeric, next_release timestamptz, admitted_at timestamptz, access_given_at timestamptz,
  access_due_at timestamptz, invited_address text, access_works boolean, problem_id uuid, owed_back numeric
)
language plpgsql stable security definer set search_path = '' as $$
declare v_user uuid := private.require_user();
begin
  return query
    select s.id, s.member_id, p.display_name, p.avatar_url, s.settlement, s.billing_cycle, s.share, s.status, s.opened_at,
      sums.paid_until, sums.unpaid_since, s.ends_at, s.ended_at, s.end_reason, sums.held, sums.earned, sums.next_release,
      s.admitted_at, s.access_given_at, s.access_due_at, s.invited_address, private.access_works(s),
      private.open_problem(s.id), private.owed_back(s.id)
    from private.seats as s join public.user_profiles as p on p.user_id = s.member_id
    cross join lateral (
      select max(m.ends_at) filter (where m.status in ('paid', 'closed')) as paid_until,
        min(m.due_at) filter (where m.status in ('due', 'needs-action', 'failed')) as unpaid_since,
        coalesce(sum(m.share - m.earned_share - m.returned_share)
          filter (where m.settlement = 'potluck' and m.status = 'paid'), 0.00) as held,
        coalesce(sum(m.earned_share), 0.00) as earned,
        min(least(coalesce(m.earned_until, m.starts_at) + private.earning_step(), m.ends_at))
          filter (where m.settlement = 'potluck' and m.status = 'paid' and not private.has_open_problem(s.id)) as next_release
      from public.member_payments as m where m.seat_id = s.id
    ) as sums
    where s.subscription_id = p_subscription_id and s.owner_id = v_user
    order by s.ended_at is not null, s.opened_at, s.id;
end $$;
select private.publish('plan_seats', 'authenticated');

-- The acting user's living seat, locked: as its member or as its owner.
create function private.lock_living_seat(p_seat_id uuid, p_as_owner boolean) returns private.seats
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_user uuid := private.require_user();
  v_seat private.seats;
begin
  if exists (
    select from private.seats where id = p_seat_id and v_user = case when p_as_owner then owner_id else member_id end
  ) then
    v_seat := private.lock_place(p_seat_id);
  end if;
  if v_seat.id is null or v_seat.ended_at is not null then
    raise exception 'Place not found' using errcode = 'PT404';
  end if;
  return v_seat;
end $$;

-- Makes a seat end with its current period; null if none is running, so that it can only end now.
create function private.end_with_period(p_seat private.seats) returns timestamptz
language plpgsql volatile security definer set search_path = '' as $$
declare v_ends_at timestamptz;
begin
  select ends_at into v_ends_at from public.member_payments
  where seat_id = p_seat.id and (settlement = 'direct' or status = 'paid') and starts_at is not null and ends_at > private.now()
  order by number desc limit 1;
  if v_ends_at is not null then
    update private.seats set ends_at = v_ends_at, ended_by = auth.uid() where id = p_seat.id;
    perform private.wake_seat(p_seat.id);
  end if;
  return v_ends_at;
end $$;

-- Leaves a plan, now or at the end of the period, and returns when. Leaving now refunds nothing of a period that has begun; if
-- none has begun, both mean now.
create function private.leave_seat(p_seat_id uuid, p_now boolean default false) returns timestamptz
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_seat private.seats := private.lock_living_seat(p_seat_id, false);
  v_ends_at timestamptz;
begin
  if p_now is not true then
    v_ends_at := private.end_with_period(v_seat);
  end if;
  if v_ends_at is null then
    delete from public.subscription_members where subscription_id = v_seat.subscription_id and user_id = v_seat.member_id;
    return private.now();
  end if;
  perform private.tell_seat(v_seat, v_seat.owner_id, 'info', 'member-will-leave', 'Member Will Leave',
    format('%s leaves %s %s on %s.', (select display_name from public.user_profiles where user_id = v_seat.member_id),
      v_seat.provider, v_seat.plan_name, private.day_in(v_ends_at, private.zone_of(v_seat.owner_id))),
    jsonb_build_object('until', v_ends_at));
  return v_ends_at;
end $$;
select private.publish('leave_seat', 'authenticated');

-- Cancels leaving, as long as the seat has not ended.
create function private.stay(p_seat_id uuid) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare v_seat private.seats := private.lock_living_seat(p_seat_id, false);
begin
  if v_seat.ends_at is null or v_seat.ended_by is distinct from v_seat.member_id then
    raise exception 'You have not said that you leave' using errcode = '23514';
  end if;
  update private.seats set ends_at = null, ended_by = null where id = v_seat.id;
  perform private.wake_seat(v_seat.id);
  perform private.tell_seat(v_seat, v_seat.owner_id, 'success', 'member-stays', 'Member Stays',
    format('%s stays in %s %s.', (select display_name from public.user_profiles where user_id = v_seat.member_id),
      v_seat.provider, v_seat.plan_name));
end $$;
select private.publish('stay', 'authenticated');

-- Turns paying from coins first on or off, from the next period on.
create function private.use_coins_first(p_seat_id uuid, p_coins_first boolean) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare v_seat private.seats := private.lock_living_seat(p_seat_id, false);
begin
  update private.seats set coins_first = coalesce(p_coins_first, false) where id = v_seat.id;
end $$;
select private.publish('use_coins_first', 'authenticated');

-- money/paying.sql
-- A member's own payments: pay one now, choose the card and see its status; and the outcome of refunds to a card.

insert into private.rate_limits (action, attempts, window_seconds, requests) values ('payment', 20, 3600, '{}');

-- Charges an open payment of the acting user while they are present, with the card they name or their usual one. The caller is
-- the function `payments`, which then carries out the charge.
create function private.begin_payment(p_payment_id uuid, p_card_id uuid) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_user uuid := private.require_user();
  v_period public.member_payments;
  v_provider text := (select provider from private.payment_provider);
begin
  perform private.spend_attempt('payment');
  if not exists (select from public.member_payments where id = p_payment_id and member_id = v_user and settlement = 'potluck') then
    raise exception 'Payment not found' using errcode = 'PT404';
  elsif p_card_id is not null and not exists (select from public.payment_methods where id = p_card_id and user_id = v_user) then
    raise exception 'This card is not saved here' using errcode = 'PT404';
  end if;
  perform private.lock_seat_of(p_payment_id);
  select * into v_period from public.member_payments where id = p_payment_id;
  if v_period.status not in ('due', 'charging', 'needs-action', 'failed') then
    raise exception 'There is nothing to pay here' using errcode = '23514';
  elsif private.has_open_problem(v_period.seat_id) then
    raise exception 'Nothing is charged while a problem is open' using errcode = '23514';
  end if;
  insert into private.charges (payment_id, provider, card_id, on_session) values (p_payment_id, v_provider, p_card_id, true)
  on conflict (payment_id) do update set card_id = excluded.card_id, on_session = true;
  insert into private.payment_jobs as j (kind, about, provider) values ('charge', p_payment_id::text, v_provider)
  on conflict (kind, about) do update set next_attempt_at = clock_timestamp()
  -- Not during an attempt.
  where j.last_error is not null;
end $$;

-- The status of the charge of the acting user's own payment; null if none was attempted.
create function private.own_charge(p_payment_id uuid) returns jsonb
language sql stable security definer set search_path = '' as $$
  select jsonb_build_object('intent', c.intent, 'status', c.status, 'code', c.code, 'card', c.card)
  from private.charges as c join public.member_payments as m on m.id = c.payment_id
  where m.id = p_payment_id and m.member_id = private.require_user()
$$;

-- Records the outcome of a refund. What the provider refuses, even after accepting it, goes to the wallet. False if not ours.
create function private.record_refund(p_refund text, p_reference text, p_status text, p_reason text) returns boolean
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_refund private.refunds;
  v_period public.member_payments;
  v_seat private.seats;
  v_account bigint;
begin
  select * into v_refund from private.refunds where id::text = p_refund or reference = p_reference;
  if not found then return false; end if;
  v_seat := private.lock_seat_of(v_refund.payment_id);
  select * into v_refund from private.refunds where id = v_refund.id for update;
  select * into v_period from public.member_payments where id = v_refund.payment_id;
  update private.refunds set reference = coalesce(reference, p_reference), reason = p_reason,
    status = case when status = 'failed' or (status = 'succeeded' and p_status <> 'failed') then status else p_status end
  where id = v_refund.id;
  if p_status = 'succeeded' and v_refund.status in ('queued', 'pending') then
    perform private.transfer('refund:' || v_refund.id, private.ledger_account('refunds_due'), private.ledger_account('outside'),
      v_refund.amount, 'refund-sent', v_period.seat_id, v_period.id, v_period.plan_name);
  elsif p_status = 'failed' and v_refund.status <> 'failed' then
    v_account := private.ledger_account(case v_refund.status when 'succeeded' then 'outside' else 'refunds_due' end);
    v_refund.amount := v_refund.amount - private.leave_to_dispute(v_refund, v_account, v_period);
    if v_refund.amount > 0 then
      perform private.transfer('refund-failed:' || v_refund.id, v_account, private.ledger_account('wallet', v_period.member_id),
        v_refund.amount, 'refund-failed', v_period.seat_id, v_period.id, v_period.plan_name);
      perform private.tell_seat(v_seat, v_period.member_id, 'warning', 'refund-to-wallet', 'Refund In Your Wallet',
        format('%s for %s could not go back to your card, so it is in your wallet.', private.euros(v_refund.amount), v_period.plan_name),
        jsonb_build_object('amount', v_refund.amount));
    end if;
  end if;
  return true;
end $$;

select private.publish('begin_payment', 'authenticated');
select private.publish('own_charge', 'authenticated');

-- For the function only.
select private.publish('record_intent', 'service_role');
select private.publish('knows_charge', 'service_role');
select private.publish('record_charge', 'service_role');
select private.publish('record_refund', 'service_role');

-- money/payout_files.sql
-- One payment file (pain.001) for the bank, with withdrawals that are processing. Only their ids are kept here; the function
-- `vault` adds the account details on download and stores them nowhere.
create table private.payout_files (
  id bigint generated always as identity primary key,
  payments integer not null,
  amount numeric(14, 2) not null,
  created_at timestamptz not null default clock_timestamp(),
  created_by uuid not null references auth.users (id) on delete restrict,
  voided_at timestamptz,
  voided_by uuid references auth.users (id) on delete restrict,
  void_reason text check (char_length(void_reason) <= 500)
);
create index payout_files_created_by_idx on private.payout_files (created_by);
create index payout_files_voided_by_idx on private.payout_files (voided_by);
create table private.payout_file_entries (
  file_id bigint not null references private.payout_files (id) on delete restrict,
  withdrawal_id uuid not null references public.withdrawal_requests (id) on delete restrict,
  voided boolean not null default false,
  primary key (file_id, withdrawal_id)
);
create unique index no_withdrawal_in_two_files on private.payout_file_entries (withdrawal_id) where not voided;
create index payout_file_entries_withdrawal_idx on private.payout_file_entries (withdrawal_id);
alter table private.payout_files enable row level security;
alter table private.payout_file_entries enable row level security;

-- The file that pays this withdrawal, or null.
create function private.payout_file_of(p_withdrawal_id uuid) returns bigint
language plpgsql stable security definer set search_path = '' as $$
begin
  return (select file_id from private.payout_file_entries where withdrawal_id = p_withdrawal_id and not voided);
end $$;

-- Puts withdrawals that are processing into one payment file, all or none; returns its number.
create function private.create_payout_file(p_withdrawals uuid[]) returns bigint
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_user uuid := private.require_treasurer();
  v_withdrawal public.withdrawal_requests;
  v_amount numeric := 0;
  v_file bigint;
begin
  if coalesce(cardinality(p_withdrawals), 0) not between 1 and 1000 then
    raise exception 'A payment file holds 1 to 1000 withdrawals' using errcode = '23514';
  end if;
  insert into private.payout_files (payments, amount, created_by) values (cardinality(p_withdrawals), 0, v_user)
  returning id into v_file;
  for v_withdrawal in
    select * from public.withdrawal_requests where id = any (p_withdrawals) order by id for update
  loop
    perform private.require_impartial(v_withdrawal.user_id);
    if v_withdrawal.status <> 'processing' then
      raise exception 'A % withdrawal cannot be paid by a file', v_withdrawal.status using errcode = '23514';
    elsif v_withdrawal.bank_account_id is null then
      raise exception 'A withdrawal without a bank account cannot be paid by a file' using errcode = '23514';
    elsif private.payout_file_of(v_withdrawal.id) is not null then
      raise exception 'This withdrawal is in another payment file' using errcode = '23505';
    end if;
    insert into private.payout_file_entries (file_id, withdrawal_id) values (v_file, v_withdrawal.id);
    v_amount := v_amount + v_withdrawal.amount;
  end loop;
  update private.payout_files set amount = v_amount where id = v_file and payments =
    (select count(*) from private.payout_file_entries where file_id = v_file);
  if not found then
    raise exception 'Withdrawal not found' using errcode = 'PT404';
  end if;
  perform private.log_staff('payment file made', v_file::text,
    jsonb_build_object('payments', cardinality(p_withdrawals), 'amount', v_amount));
  return v_file;
end $$;
select private.publish('create_payout_file', 'authenticated');

create function private.require_payout_file(p_file_id bigint) returns private.payout_files
language plpgsql volatile security definer set search_path = '' as $$
declare v_file private.payout_files;
begin
  perform private.require_treasurer();
  select * into v_file from private.payout_files where id = p_file_id for update;
  if not found then
    raise exception 'Payment file not found' using errcode = 'PT404';
  elsif v_file.voided_at is not null then
    raise exception 'This payment file is void' using errcode = '23514';
  end if;
  return v_file;
end $$;

-- What the function `vault` needs to write the file, with the accounts sealed. Each account counts as opened.
create function private.open_payout_file(p_file_id bigint) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare v_file private.payout_files := private.require_payout_file(p_file_id);
begin
  perform private.require_recent_proof();
  perform private.require_impartial(w.user_id) from private.payout_file_entries as e
  join public.withdrawal_requests as w on w.id = e.withdrawal_id where e.file_id = p_file_id;
  insert into private.vault_openings (kind, secret_id, owner_id, opened_by, purpose)
  select 'bank-account', w.bank_account_id, w.user_id, auth.uid(), format('payment file %s', p_file_id)
  from private.payout_file_entries as e join public.withdrawal_requests as w on w.id = e.withdrawal_id
  where e.file_id = p_file_id and w.bank_account_id is not null;
  perform private.log_staff('payment file opened', p_file_id::text);
  return jsonb_build_object('id', v_file.id, 'created_at', v_file.created_at, 'payments', (
    select jsonb_agg(jsonb_build_object('withdrawal_id', w.id, 'amount', w.amount::text,
      'owner', jsonb_build_object('kind', 'person', 'id', w.user_id), 'key', private.vault_key_of(w.user_id),
      'account', (select jsonb_build_object('id', a.id, 'version', a.version, 'last4', a.last4, 'sealed', a.sealed)
        from private.bank_accounts as a where a.id = w.bank_account_id)) order by w.requested_at, w.id)
    from private.payout_file_entries as e join public.withdrawal_requests as w on w.id = e.withdrawal_id
    where e.file_id = p_file_id));
end $$;
select private.publish('open_payout_file', 'authenticated');

-- Voids a whole file: none of its payments was made, and all may go into another.
create function private.void_payout_file(p_file_id bigint, p_reason text) returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  perform private.require_payout_file(p_file_id);
  if coalesce(btrim(p_reason), '') = '' then
    raise exception 'Say why the file is void' using errcode = '23514';
  end if;
  perform from public.withdrawal_requests as w join private.payout_file_entries as e on e.withdrawal_id = w.id
  where e.file_id = p_file_id order by w.id for update of w;
  if exists (select from public.withdrawal_requests as w join private.payout_file_entries as e on e.withdrawal_id = w.id
    where e.file_id = p_file_id and w.status = 'completed') then
    raise exception 'A payment of this file is completed, so the bank has had it' using errcode = '23514';
  end if;
  update private.payout_file_entries set voided = true where file_id = p_file_id;
  update private.payout_files set voided_at = clock_timestamp(), voided_by = auth.uid(), void_reason = btrim(p_reason)
  where id = p_file_id;
  perform private.log_staff('payment file voided', p_file_id::text, jsonb_build_object('reason', btrim(p_reason)));
end $$;
select private.publish('void_payout_file', 'authenticated');

-- The files, newest first, with how many of their payments are completed.
create function private.list_payout_files(p_limit integer default 20, p_offset integer default 0)
returns table (
  id bigint, payments integer, completed integer, amount numeric, created_at timestamptz, created_by_name text,
  voided_at timestamptz, voided_by_name text, void_reason text
)
language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_treasurer();
  return query
  select f.id, f.payments, (select count(*)::integer from private.payout_file_entries as e
      join public.withdrawal_requests as w on w.id = e.withdrawal_id where e.file_id = f.id and not e.voided and w.status = 'completed'),
    f.amount, f.created_at, author.display_name, f.voided_at, voider.display_name, f.void_reason
  from private.payout_files as f
  left join public.user_profiles as author on author.user_id = f.created_by
  left join public.user_profiles as voider on voider.user_id = f.voided_by
  order by f.id desc limit least(greatest(p_limit, 1), 100) offset greatest(p_offset, 0);
end $$;
select private.publish('list_payout_files', 'authenticated');

-- money/periods.sql
-- The life of a period: it falls due, is paid and earned, or is refunded. Money moves by private.transfer() only. The seat's
-- row is the lock for all of it; accounts are locked after it, in their order.

-- How long a place is held after a failed first payment, and how long until the same person may be given that time again.
create function private.mending_time() returns interval
language sql immutable return interval '24 hours';
create function private.mending_pause() returns interval
language sql immutable return interval '30 days';

-- How long before a renewal it is announced, and when a failed one is retried.
create function private.renewal_notice() returns interval
language sql immutable return interval '3 days';
create function private.renewal_retries() returns interval[]
language sql immutable return '{1 day,3 days,5 days}'::interval[];

-- How often an owner's earnings are paid into their wallet.
create function private.earning_step() returns interval
language sql immutable return interval '7 days';

-- The seat, locked. Raises PT404.
create function private.lock_seat(p_seat_id uuid) returns private.seats
language plpgsql volatile security definer set search_path = '' as $$
declare v_seat private.seats;
begin
  select * into v_seat from private.seats where id = p_seat_id for update;
  if not found then
    raise exception 'Place not found' using errcode = 'PT404';
  end if;
  return v_seat;
end $$;

-- Locks the seat of a period and the accounts its money may move between.
create function private.lock_seat_of(p_period_id uuid) returns private.seats
language plpgsql volatile security definer set search_path = '' as $$
declare v_seat private.seats;
begin
  v_seat := private.lock_seat((select seat_id from public.member_payments where id = p_period_id));
  perform private.lock_held_money(array[v_seat.id]);
  return v_seat;
end $$;

-- Creates the accounts a seat needs before it has any money: an account created later would be locked out of order.
create function private.open_accounts(p_seat private.seats) returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  perform private.ledger_account(account.kind, account.owner)
  from (values ('held_share', p_seat.id), ('held_fee', p_seat.id), ('wallet', p_seat.owner_id), ('wallet', p_seat.member_id))
    as account (kind, owner)
  where p_seat.settlement = 'potluck';
end $$;

-- Locks the accounts of these seats, and the site's accounts of the kinds in p_site, all at once. Callers that work through
-- many seats lock them all first and set potluck.holds_money, so that later calls lock nothing.
create function private.lock_held_money(p_seat_ids uuid[], p_site text[] default '{fees,refunds_due}') returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  if current_setting('potluck.holds_money', true) = 'yes' and p_site = '{fees,refunds_due}'
    or not exists (select from public.member_payments where seat_id = any (p_seat_ids) and settlement = 'potluck') then return; end if;
  perform private.lock_ledger(array(
    select a.id from private.seats as s
    cross join lateral (values ('held_share', s.id), ('held_fee', s.id), ('wallet', s.owner_id), ('wallet', s.member_id)) as mine (kind, owner)
    join private.ledger_accounts as a on a.kind = mine.kind and a.owner = mine.owner
    where s.id = any (p_seat_ids)
    union all
    select id from private.ledger_accounts where kind = any (p_site) and owner is null
  ));
end $$;

-- Creates the next period of a seat. Without p_starts_at it begins once it is paid and access is given.
create function private.open_period(p_seat private.seats, p_number integer, p_starts_at timestamptz) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare v_id uuid;
begin
  insert into public.member_payments (seat_id, subscription_id, plan_name, owner_id, member_id, number, settlement, share, fee,
    starts_at, ends_at, due_at, status, paid_at, next_attempt_at)
  select p_seat.id, p_seat.subscription_id, p_seat.provider || ' ' || p_seat.plan_name, p_seat.owner_id, p_seat.member_id,
    p_number, p_seat.settlement, price.share, price.fee, p_starts_at,
    case when p_starts_at is not null
      then private.period_end(p_seat.anchor, p_number - p_seat.anchor_after, private.zone_of(p_seat.member_id)) end,
    -- A period that is opened late is due late.
    case when p_starts_at > private.now() - private.longest_gap() then p_starts_at else private.now() end,
    case when price.share > 0 then 'due' else 'paid' end, case when price.share = 0 then private.now() end,
    case when p_starts_at is null then private.now() + private.mending_time() end
  from private.period_price(p_seat.settlement, p_seat.billing_cycle, p_seat.share, p_seat.fee_rate, p_number) as price
  returning id into v_id;
  if p_seat.settlement = 'potluck' then
    perform private.queue_charge(v_id);
  end if;
end $$;

-- A receipt number. A rolled-back transaction leaves a gap.
create sequence private.receipt_numbers;
create function private.new_receipt_number() returns text
language plpgsql volatile security definer set search_path = '' as $$
begin
  return to_char(private.now() at time zone 'utc', 'YYYY') || '-' || lpad(nextval('private.receipt_numbers')::text, 6, '0');
end $$;

-- Moves money for a period from an account into the held accounts: the share first, then the fee. p_kind is the kind of
-- movement a wallet shows. A known key moves nothing.
create function private.pay_into(p_period uuid, p_from bigint, p_amount numeric, p_kind text, p_key text) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_seat private.seats := private.lock_seat_of(p_period);
  v_period public.member_payments;
  v_share numeric;
  v_coins boolean := p_from = private.ledger_account('wallet', v_seat.member_id);
begin
  if exists (select from private.ledger_transfers where key in (p_key || ':share', p_key || ':fee')) then return; end if;
  select * into v_period from public.member_payments where id = p_period;
  if (p_amount > 0 and v_period.coins + v_period.card + p_amount <= v_period.amount) is not true then
    raise exception 'This is more than the period costs' using errcode = '23514';
  end if;
  v_share := least(p_amount, greatest(0, v_period.share - v_period.coins - v_period.card));
  if v_share > 0 then
    perform private.transfer(p_key || ':share', p_from, private.ledger_account('held_share', v_seat.id), v_share, p_kind, v_seat.id,
      p_period, v_period.plan_name);
  end if;
  if p_amount > v_share then
    perform private.transfer(p_key || ':fee', p_from, private.ledger_account('held_fee', v_seat.id), p_amount - v_share, p_kind,
      v_seat.id, p_period, v_period.plan_name);
  end if;
  update public.member_payments set
    coins = coins + case when v_coins then p_amount else 0 end, card = card + case when v_coins then 0 else p_amount end
  where id = p_period;
end $$;

-- Moves held money of a period back the way it came: to the card first, then as coins.
create function private.move_back(p_period public.member_payments, p_share numeric, p_fee numeric, p_kind text) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_key text := format('back:%s:%s', p_period.id, gen_random_uuid());
  v_card numeric := least(p_share + p_fee, greatest(0, p_period.card - p_period.returned_share - p_period.returned_fee));
  v_part record;
begin
  for v_part in
    select * from (values
      ('held_share', 'refunds_due', null, least(p_share, v_card)), ('held_fee', 'refunds_due', null, v_card - least(p_share, v_card)),
      ('held_share', 'wallet', p_period.member_id, p_share - least(p_share, v_card)),
      ('held_fee', 'wallet', p_period.member_id, p_fee - v_card + least(p_share, v_card))
    ) as part (held, goes, person, amount) where amount > 0
  loop
    perform private.transfer(format('%s:%s:%s', v_key, v_part.held, v_part.goes), private.ledger_account(v_part.held, p_period.seat_id),
      private.ledger_account(v_part.goes, v_part.person), v_part.amount,
      case v_part.goes when 'wallet' then p_kind else 'refund' end, p_period.seat_id, p_period.id, p_period.plan_name);
  end loop;
  if v_card > 0 then
    perform private.queue_refund(p_period.id, v_card);
  end if;
end $$;

-- Refunds part of a paid period, and tells its member.
create function private.give_back(p_period uuid, p_share numeric, p_fee numeric, p_reason text) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_seat private.seats := private.lock_seat_of(p_period);
  v_period public.member_payments;
begin
  if p_share + p_fee = 0 then return; end if;
  select * into v_period from public.member_payments where id = p_period;
  perform private.move_back(v_period, p_share, p_fee, 'refund');
  update public.member_payments set returned_share = returned_share + p_share, returned_fee = returned_fee + p_fee,
    status = case when returned_share + returned_fee + p_share + p_fee = least(amount, coins + card) then 'given-back' else status end,
    closed_at = case when returned_share + returned_fee + p_share + p_fee = least(amount, coins + card) then private.now() end
  where id = p_period;
  perform private.tell_seat(v_seat, v_seat.member_id, 'info', 'money-given-back', 'Money Given Back',
    format('%s of your payment for %s goes back the way you paid it.', private.euros(p_share + p_fee), v_period.plan_name),
    jsonb_build_object('amount', p_share + p_fee, 'reason', p_reason));
end $$;

-- Releases what was taken for a payment that did not go through.
create function private.let_go(p_period uuid) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare v_period public.member_payments;
begin
  select * into v_period from public.member_payments where id = p_period;
  if v_period.coins + v_period.card = 0 then return; end if;
  perform private.move_back(v_period, least(v_period.share, v_period.coins + v_period.card),
    greatest(0, v_period.coins + v_period.card - v_period.share), 'payment-returned');
  update public.member_payments set coins = 0, card = 0 where id = p_period;
end $$;

-- How much time of a period until p_until had no access: from the report of each problem until it was fixed, and everything
-- from p_lost_from on.
create function private.time_without_access(p_period public.member_payments, p_until timestamptz, p_lost_from timestamptz)
returns interval
language plpgsql stable security definer set search_path = '' as $$
begin
  return greatest(interval '0', p_until - greatest(p_period.starts_at, p_lost_from)) * (p_lost_from is not null)::integer + coalesce((
    select sum(least(p_until, p_lost_from, coalesce(lost_until, 'infinity')) - greatest(p_period.starts_at, reported_at))
    from public.seat_problems
    where seat_id = p_period.seat_id and reported_at < least(p_until, p_lost_from)
      and coalesce(lost_until, 'infinity') > greatest(p_period.starts_at, reported_at)
  ), interval '0');
end $$;

-- Records what has been earned of a period so far, rounded down, or all that is left, and moves the money.
create function private.move_earnings(p_period uuid, p_all boolean) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_period public.member_payments;
  v_now timestamptz := private.now();
  v_until timestamptz;
  v_part numeric;
  v_share numeric;
  v_fee numeric;
begin
  select * into v_period from public.member_payments where id = p_period;
  v_until := least(v_now, v_period.ends_at);
  v_part := extract(epoch from v_until - v_period.starts_at - private.time_without_access(v_period, v_until, null))
    / extract(epoch from v_period.ends_at - v_period.starts_at);
  v_share := case when p_all then v_period.share - v_period.returned_share else trunc(v_period.share * v_part, 2) end - v_period.earned_share;
  v_fee := case when p_all then v_period.fee - v_period.returned_fee else trunc(v_period.fee * v_part, 2) end - v_period.earned_fee;
  update public.member_payments set earned_share = earned_share + v_share, earned_fee = earned_fee + v_fee, earned_until = v_now,
    status = case when p_all then 'closed' else status end, closed_at = case when p_all then v_now end
  where id = p_period;
  -- Callers that work through many seats move all earnings at the end.
  if strpos(coalesce(current_setting('potluck.earn_together', true), ''), v_period.seat_id::text) = 0 then
    perform private.post_earnings(array[v_period]);
  end if;
end $$;

-- Moves what periods have earned since the given copies of them: the share to the owner, the fee to the site.
create function private.post_earnings(p_before public.member_payments[]) returns void
language sql volatile security definer set search_path = '' as $$
  select private.transfer_all(array(
    select (format('%s:%s:%s', part.key, m.id, part.before), private.ledger_account(part.held, m.seat_id),
      private.ledger_account(part.goes, part.person), part.earned - part.before, part.kind, m.seat_id, m.id, part.description)::private.move
    from unnest(p_before) as was join public.member_payments as m on m.id = was.id
    cross join lateral (values
      ('earn', 'earning', 'held_share', was.earned_share, m.earned_share, 'wallet', m.owner_id, m.plan_name || ': share'),
      ('fee', 'fee', 'held_fee', was.earned_fee, m.earned_fee, 'fees', null, m.plan_name)
    ) as part (key, kind, held, before, earned, goes, person, description)
    where part.earned > part.before
  ))
$$;

-- The move due every private.earning_step().
create function private.earn(p_period uuid) returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  perform private.lock_seat_of(p_period);
  perform private.move_earnings(p_period, false) from public.member_payments
  where id = p_period and status = 'paid' and settlement = 'potluck' and starts_at <= private.now();
end $$;

-- Ends a paid period: the part without access is refunded to the cent (all of it if access was never given), the rest goes to
-- the owner and the platform. From p_lost_from on, if given, the owner gets nothing.
create function private.close_period(p_period uuid, p_lost_from timestamptz default null) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_seat private.seats := private.lock_seat_of(p_period);
  v_period public.member_payments;
  v_part numeric := 1;
begin
  select * into v_period from public.member_payments where id = p_period;
  if v_period.starts_at is not null then
    v_part := extract(epoch from private.time_without_access(v_period, v_period.ends_at, p_lost_from))
      / extract(epoch from v_period.ends_at - v_period.starts_at);
  end if;
  if v_period.settlement = 'direct' then
    perform private.note_owed(v_seat, v_period, round(v_period.share * v_part, 2));
  elsif v_period.status = 'paid' then
    perform private.give_back(p_period,
      greatest(0, least(round(v_period.share * v_part, 2) - v_period.returned_share, v_period.share - v_period.earned_share - v_period.returned_share)),
      greatest(0, least(round(v_period.fee * v_part, 2) - v_period.returned_fee, v_period.fee - v_period.earned_fee - v_period.returned_fee)),
      case when v_period.starts_at is null then 'no-access' when v_seat.ended_at is not null then 'ended' else 'problem' end);
    perform private.move_earnings(p_period, true) from public.member_payments where id = p_period and status = 'paid';
  end if;
end $$;

-- What an owner who is paid directly owes in total for time without access; the two settle it between them.
create function private.note_owed(p_seat private.seats, p_period public.member_payments, p_owed numeric) returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  if p_period.status not in ('claimed', 'paid') or p_owed <= p_period.owed_back then return; end if;
  update public.member_payments set owed_back = p_owed, repaid_at = null where id = p_period.id;
  perform private.tell_seat(p_seat, p_seat.member_id, 'info', 'owner-owes-you', 'Money Owed To You',
    format('%s owes you %s for the time without access to %s.', (select display_name from public.user_profiles
      where user_id = p_seat.owner_id), private.euros(p_owed), p_period.plan_name), jsonb_build_object('amount', p_owed));
  perform private.tell_seat(p_seat, p_seat.owner_id, 'warning', 'you-owe-member', 'You Owe Money Back',
    format('You owe %s %s for the time without access to %s.', (select display_name from public.user_profiles
      where user_id = p_seat.member_id), private.euros(p_owed), p_period.plan_name), jsonb_build_object('amount', p_owed));
end $$;

revoke all on sequence private.receipt_numbers from public, anon, authenticated, service_role;

-- money/seat_life.sql
-- The life of a seat: what payments and their failures do to it, how it ends, and what is due for it over time.

-- The next thing due for a seat, and when. While a problem is open, even on a seat that has ended, only the problem is due.
create function private.next_step(p_seat_id uuid, out at timestamptz, out step text, out period_id uuid)
language plpgsql stable security definer set search_path = '' as $$
begin
  select due_at, 'problem', id into at, step, period_id from public.seat_problems where seat_id = p_seat_id and status <> 'closed';
  if found then return; end if;
  with newest as (select * from public.member_payments where seat_id = p_seat_id order by number desc limit 1),
  open as (
    select * from public.member_payments
    where seat_id = p_seat_id and status in ('due', 'claimed', 'charging', 'needs-action', 'failed', 'paid')
  )
  select * into at, step, period_id from (
    -- The period is over: the seat ends with it, or the next one begins.
    select n.ends_at, 'turn', n.id from newest as n
    where n.ends_at is not null and (n.settlement = 'direct' or n.status in ('paid', 'closed', 'given-back', 'cancelled'))
    union all
    select coalesce(o.earned_until, o.starts_at) + private.earning_step(), 'earn', o.id from open as o
    where o.settlement = 'potluck' and o.status = 'paid' and coalesce(o.earned_until, o.starts_at) + private.earning_step() < o.ends_at
    union all
    select n.ends_at - private.renewal_notice(), 'announce', n.id from newest as n, private.seats as s
    where s.id = p_seat_id and s.settlement = 'potluck' and s.ends_at is null and n.status = 'paid' and n.announced_at is null
    union all
    -- A first payment keeps its place for a while; a renewal is retried; without another attempt the seat ends.
    select coalesce(o.next_attempt_at, o.created_at),
      case when o.number = 1 or o.next_attempt_at is null then 'release' else 'retry' end, o.id from open as o
    where o.settlement = 'potluck' and (o.status in ('needs-action', 'failed') or (o.status = 'due' and o.number = 1))
    union all
    -- Paid, but no access yet.
    select case when s.access_reminded then s.access_due_at else s.access_due_at - private.access_reminder() end,
      case when s.access_reminded then 'no-access' else 'remind-access' end, o.id
    from private.seats as s join open as o on o.seat_id = s.id
    where s.id = p_seat_id and s.access_given_at is null
    union all
    select o.due_at + (private.direct_reminders())[o.reminders + 1], 'remind', o.id from open as o
    where o.settlement = 'direct' and o.status = 'due' and o.reminders < cardinality(private.direct_reminders())
  ) as todo (at, step, id)
  where todo.at is not null and exists (select from private.seats where id = p_seat_id and ended_at is null)
  order by todo.at, todo.step = 'turn' limit 1;
end $$;

-- Records when the seat next needs work.
create function private.wake_seat(p_seat_id uuid) returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  update private.seats set failures = 0, last_error = null, next_at = (private.next_step(p_seat_id)).at where id = p_seat_id;
end $$;

-- Begins the first period once the member is admitted and has access; until then the owner has a deadline to give access.
create function private.begin_periods(p_seat_id uuid) returns private.seats
language plpgsql volatile security definer set search_path = '' as $$
declare v_seat private.seats;
begin
  update private.seats set access_due_at = private.now() + private.access_time()
  where id = p_seat_id and admitted_at is not null and access_given_at is null and access_due_at is null;
  update private.seats set anchor = private.day_in(private.now(), private.zone_of(member_id)), access_due_at = null
  where id = p_seat_id and admitted_at is not null and access_given_at is not null and anchor is null;
  select * into v_seat from private.seats where id = p_seat_id;
  update public.member_payments set starts_at = private.now(),
    ends_at = private.period_end(v_seat.anchor, number - v_seat.anchor_after, private.zone_of(member_id))
  where seat_id = p_seat_id and starts_at is null and v_seat.anchor is not null;
  perform private.wake_seat(p_seat_id);
  return v_seat;
end $$;

-- The period is paid in full; repeated calls change nothing. A first period begins, a renewal counts from its boundary, and
-- money that comes too late goes back.
create function private.period_paid(p_period uuid) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_seat private.seats := private.lock_seat_of(p_period);
  v_period public.member_payments;
begin
  select * into v_period from public.member_payments where id = p_period;
  if v_period.status in ('paid', 'closed', 'given-back') then return; end if;
  if v_seat.ended_at is not null or v_period.status = 'cancelled' then
    perform private.give_back(p_period, least(v_period.share, v_period.coins + v_period.card),
      greatest(0, v_period.coins + v_period.card - v_period.share), 'too-late');
    return;
  elsif v_period.coins + v_period.card < v_period.amount then
    -- The coins of this attempt were returned and spent, so the amount is too small; it cannot be charged again.
    update public.member_payments set status = 'failed', next_attempt_at = null where id = p_period;
    perform private.wake_seat(v_seat.id);
    return;
  end if;
  update public.member_payments set status = 'paid', paid_at = private.now(), next_attempt_at = null, note = null,
    receipt_number = private.new_receipt_number() where id = p_period returning * into v_period;
  update private.seats set late_since = null, admitted_at = coalesce(admitted_at, private.now()) where id = v_seat.id;
  v_seat := private.begin_periods(v_seat.id);
  perform private.tell_seat(v_seat, v_seat.member_id, 'success', 'payment-made', 'Payment Received',
    format('Your payment of %s for %s has arrived.', private.euros(v_period.amount), v_period.plan_name),
    jsonb_build_object('amount', v_period.amount));
  if v_period.number = 1 then
    perform private.tell_seat(v_seat, v_seat.owner_id, 'success', 'member-paid', 'Member Has Paid',
      format(case when v_seat.access_given_at is null then '%s has paid for %s. Give them access within %s hours.'
        else '%s has paid for %s.' end, (select display_name from public.user_profiles where user_id = v_seat.member_id),
        v_period.plan_name, private.hours(private.access_time())), jsonb_build_object('amount', v_period.amount));
  end if;
end $$;

-- A charge failed, or waits for the cardholder ('needs-action'). After a failed first payment the place is held for
-- private.mending_time(), once per private.mending_pause(); a renewal is retried on set days before the seat ends.
create function private.period_failed(p_period uuid, p_code text) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_seat private.seats := private.lock_seat_of(p_period);
  v_period public.member_payments;
  v_next timestamptz;
begin
  select * into v_period from public.member_payments where id = p_period;
  if v_period.status not in ('due', 'charging', 'needs-action', 'failed') then return; end if;
  perform private.let_go(p_period);
  if v_period.number > 1 then
    select min(v_period.due_at + wait) into v_next from unnest(private.renewal_retries()) as wait
    where v_period.due_at + wait > private.now();
  elsif v_period.attempts > 0 then
    v_next := greatest(v_period.next_attempt_at, private.now());
  elsif not exists (
    select from private.seats where subscription_id = v_seat.subscription_id and member_id = v_seat.member_id
      and end_reason = 'unpaid' and ended_at > private.now() - private.mending_pause()
  ) then
    v_next := private.now() + private.mending_time();
  end if;
  update public.member_payments set status = case p_code when 'needs-action' then 'needs-action' else 'failed' end,
    attempts = attempts + 1, next_attempt_at = v_next where id = p_period;
  if v_period.number > 1 then
    update private.seats set late_since = coalesce(late_since, private.now()) where id = v_seat.id;
  end if;
  perform private.wake_seat(v_seat.id);
  -- Due work ends the seat, because it locks membership and plan first.
  if v_next is null then return; end if;
  perform private.tell_seat(v_seat, v_seat.member_id, 'warning',
    case p_code when 'needs-action' then 'payment-needs-action' else 'payment-failed' end,
    case p_code when 'needs-action' then 'Payment Needs Your Confirmation' else 'Payment Failed' end,
    format(case when v_period.number = 1 then 'Your payment for %s did not go through. Your place is kept until %s UTC: confirm it, or pay with another card.'
      else 'Your payment for %s did not go through, and your access is closed meanwhile. It is tried again on %s UTC; you can also pay with another card.' end,
      v_period.plan_name, to_char(v_next at time zone 'utc', 'YYYY-MM-DD HH24:MI')),
    jsonb_build_object('amount', v_period.amount, 'until', v_next, 'code', p_code, 'number', v_period.number));
end $$;

-- Ends a seat and settles its money: open payments are cancelled, and the rest of a paid period goes to the owner. If the owner
-- removed the member or cancelled the plan, it goes back instead, and an open problem is decided against the owner; otherwise
-- an open problem outlives the seat, with its money held. The caller ends the membership.
create function private.settle_seat(p_seat_id uuid, p_reason text, p_by uuid) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_seat private.seats := private.lock_seat(p_seat_id);
  v_period public.member_payments;
  v_lost_from timestamptz;
begin
  if v_seat.ended_at is not null then return; end if;
  perform private.lock_held_money(array[v_seat.id]);
  -- First, so that nothing triggered below finds a living seat.
  update private.seats set ended_at = private.now(), ended_by = p_by, end_reason = p_reason, next_at = null where id = v_seat.id;
  if p_reason in ('removed', 'cancelled') then
    perform private.forfeit_problem(v_seat.id);
    v_lost_from := private.now();
  end if;
  for v_period in
    select * from public.member_payments where seat_id = v_seat.id
      and status in ('due', 'claimed', 'charging', 'needs-action', 'failed', 'paid') order by number
  loop
    if v_period.status not in ('claimed', 'paid') then
      perform private.let_go(v_period.id);
      update public.member_payments set status = 'cancelled', next_attempt_at = null, closed_at = private.now() where id = v_period.id;
      -- An open charge is closed at the provider, or refunded.
      perform private.queue_payment_job('charge', payment_id::text, provider) from private.charges
      where payment_id = v_period.id and status = 'needs-action';
    elsif not private.has_open_problem(v_seat.id) then
      perform private.close_period(v_period.id, v_lost_from);
    end if;
  end loop;
  perform private.wake_seat(v_seat.id);
  perform private.tell_precedence(v_seat);
  if p_reason <> 'cancelled' then
    perform private.ask_for_new_password(v_seat);
  end if;
end $$;

-- The seat, locked after its membership and plan, in the same order as for leaving. Raises PT404.
create function private.lock_place(p_seat_id uuid) returns private.seats
language plpgsql volatile security definer set search_path = '' as $$
begin
  perform from public.subscription_members as m join private.seats as s
    on s.id = p_seat_id and m.subscription_id = s.subscription_id and m.user_id = s.member_id for update of m;
  perform private.lock_plan_to_leave((select subscription_id from private.seats where id = p_seat_id));
  return private.lock_seat(p_seat_id);
end $$;

-- Ends a seat and its membership, and tells both sides why.
create function private.end_seat(p_seat_id uuid, p_reason text, p_by uuid) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_seat private.seats;
  v_plan text;
  v_member text;
begin
  v_seat := private.lock_place(p_seat_id);
  v_plan := format('%s %s', v_seat.provider, v_seat.plan_name);
  v_member := (select display_name from public.user_profiles where user_id = v_seat.member_id);
  if v_seat.ended_at is not null then return; end if;
  perform private.settle_seat(v_seat.id, p_reason, p_by);
  delete from public.subscription_members where subscription_id = v_seat.subscription_id and user_id = v_seat.member_id and not is_owner;
  select * into v_seat from private.seats where id = v_seat.id;
  perform private.tell_seat(v_seat, v_seat.member_id, 'warning', 'seat-ended', 'Membership Ended',
    format(case p_reason when 'unpaid' then 'Your place in %s has ended because it was not paid.'
      when 'no-access' then 'Your place in %s has ended because its owner gave you no access in time. All you paid goes back to you.'
      when 'problem' then 'Your place in %s has ended because it did not work. ' || case v_seat.settlement
        when 'direct' then 'Its owner owes you what you paid for the time since you said so.'
        else 'What you paid for the time since you said so goes back to you.' end
      else 'Your place in %s has ended.' end, v_plan), jsonb_build_object('reason', p_reason));
  perform private.tell_seat(v_seat, v_seat.owner_id, 'info', 'member-seat-ended', 'Place Free Again',
    format(case p_reason when 'unpaid' then '%s has not paid for %s, so the place is free again.'
      when 'no-access' then '%s had no access to %s in time, so the money goes back and the place is free again.'
      when 'problem' then 'What %s reported about %s was not put right, so the place is free again.'
      else 'The place of %s in %s is free again.' end, v_member, v_plan), jsonb_build_object('reason', p_reason));
end $$;

-- Begins the next period at the boundary, or at p_from. A period paid through the site that is entirely in the past is skipped
-- and never charged.
create function private.renew(p_seat private.seats, p_last public.member_payments, p_from timestamptz default null) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_zone text := private.zone_of(p_seat.member_id);
  v_number integer := p_last.number + 1;
  v_starts_at timestamptz := coalesce(p_from, p_last.ends_at);
begin
  if p_from is not null then
    update private.seats set anchor = private.day_in(p_from, v_zone), anchor_after = p_last.number where id = p_seat.id
    returning * into p_seat;
  end if;
  while p_seat.settlement = 'potluck' and private.period_end(p_seat.anchor, v_number - p_seat.anchor_after, v_zone) <= private.now() loop
    v_starts_at := private.period_end(p_seat.anchor, v_number - p_seat.anchor_after, v_zone);
    v_number := v_number + 1;
  end loop;
  perform private.open_period(p_seat, v_number, v_starts_at);
end $$;

-- Does the next thing due for a seat. The caller has locked it.
create function private.work_seat(p_seat private.seats, p_step text, p_period_id uuid) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare v_period public.member_payments;
begin
  select * into v_period from public.member_payments where id = p_period_id;
  case p_step
    when 'earn' then perform private.earn(v_period.id);
    when 'turn' then
      perform private.close_period(v_period.id);
      if p_seat.ends_at is not null then
        perform private.end_seat(p_seat.id, 'over', p_seat.ended_by);
      else
        perform private.renew(p_seat, v_period);
        if v_period.number = 1 then
          perform private.tell_first_month(p_seat, v_period);
        end if;
      end if;
    when 'retry' then
      update public.member_payments set status = 'due', next_attempt_at = null where id = v_period.id;
      perform private.queue_charge(v_period.id);
    when 'release' then perform private.end_seat(p_seat.id, 'unpaid', null);
    when 'announce' then
      update public.member_payments set announced_at = private.now() where id = v_period.id;
      perform private.announce_renewal(p_seat, v_period);
    when 'remind' then perform private.remind_of_payment(p_seat, v_period);
    when 'remind-access' then perform private.remind_of_access(p_seat);
    when 'no-access' then perform private.end_seat(p_seat.id, 'no-access', null);
    when 'problem' then perform private.lapse_problem(p_period_id);
  end case;
end $$;

-- Tells both sides, without mail, that a paid first month has gone well.
create function private.tell_first_month(p_seat private.seats, p_period public.member_payments) returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  if p_period.paid_at is null or private.has_open_problem(p_seat.id) then return; end if;
  perform private.tell_seat(p_seat, p_seat.member_id, 'success', 'first-month', 'First Month Done',
    format('Your first month in %s is complete.', p_period.plan_name), p_mails => false);
  perform private.tell_seat(p_seat, p_seat.owner_id, 'success', 'member-first-month', 'First Month Done',
    format('%s has been in %s for a whole month.', (select display_name from public.user_profiles
      where user_id = p_seat.member_id), p_period.plan_name), p_mails => false);
end $$;

-- Announces what the next period costs, and when it is charged.
create function private.announce_renewal(p_seat private.seats, p_period public.member_payments) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_amount numeric := (select share + fee from private.period_price(p_seat.settlement, p_seat.billing_cycle, p_seat.share, p_seat.fee_rate,
    p_period.number + 1));
  v_day date := private.day_in(p_period.ends_at, private.zone_of(p_seat.member_id));
begin
  perform private.tell_seat(p_seat, p_seat.member_id, 'info', 'renewal-coming', 'Your Place Renews Soon',
    format('%s for %s is charged on %s. You can leave until then.', private.euros(v_amount), p_period.plan_name, v_day),
    jsonb_build_object('amount', v_amount, 'day', v_day));
end $$;

-- money/wallets.sql
-- Coins an owner has earned: 1 coin is 1 euro. The balance always equals the sum of coin_transactions.
create table public.user_wallets (
  user_id uuid primary key references public.user_profiles (user_id) on delete restrict,
  coin_balance numeric(12, 2) not null default 0 check (coin_balance >= 0),
  total_earned numeric(12, 2) not null default 0 check (total_earned >= 0),
  total_withdrawn numeric(12, 2) not null default 0 check (total_withdrawn >= 0),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index user_wallets_balance_idx on public.user_wallets (coin_balance desc);
-- Every movement, in coins, always positive; the type gives the direction.
create table public.coin_transactions (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references public.user_profiles (user_id) on delete restrict,
  transaction_type text not null check (transaction_type in ('earned', 'spent', 'withdrawn', 'refunded')),
  amount numeric(12, 2) not null check (amount > 0),
  description text not null check (char_length(description) <= 500),
  created_at timestamptz not null default clock_timestamp(),
  -- Who moved them; null for the server. It references the account, so that a movement has only one profile: its owner's.
  created_by uuid default auth.uid() references auth.users (id) on delete restrict
);
create index coin_transactions_created_by_idx on public.coin_transactions (created_by);
create index coin_transactions_newest_idx on public.coin_transactions (user_id, created_at desc);
create index coin_transactions_all_idx on public.coin_transactions (created_at desc);
alter table public.user_wallets enable row level security;
select private.send_changes('user_wallets');
alter table public.coin_transactions enable row level security;
select private.send_changes('coin_transactions');

create policy "People see their own wallet, admins all" on public.user_wallets
  for select to authenticated using (user_id = (select auth.uid()) or (select private.may('users.edit') and private.may_act_as_staff()));
create policy "People see their own transactions, admins all" on public.coin_transactions
  for select to authenticated using (user_id = (select auth.uid()) or (select private.may('users.edit') and private.may_act_as_staff()));

-- The wallet and its ledger account, created with zeros if missing and locked until the transaction ends.
create function private.lock_wallet(p_user_id uuid) returns public.user_wallets
language plpgsql volatile security definer set search_path = '' as $$
declare v_wallet public.user_wallets;
begin
  perform private.ensure_profile(p_user_id);
  perform private.lock_ledger(array[private.ledger_account('wallet', p_user_id)]);
  select * into v_wallet from public.user_wallets where user_id = p_user_id;
  return v_wallet;
end $$;

-- The caller's wallet, created on first read.
create function private.open_own_wallet() returns public.user_wallets
language sql volatile security definer set search_path = '' as $$
  select private.lock_wallet(private.require_user())
$$;
select private.publish('open_own_wallet', 'authenticated');

-- Books a movement of coins into the wallet and returns its time. Only for private.transfer, which holds the lock of the
-- wallet's account. The balance never goes below zero, and coins reserved for a withdrawal cannot be spent.
create function private.write_coins(p_user_id uuid, p_type text, p_amount numeric, p_description text, p_at timestamptz)
returns timestamptz
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_in boolean := p_type in ('earned', 'refunded');
  v_at timestamptz;
begin
  if not v_in then
    if (select coin_balance from public.user_wallets where user_id = p_user_id) < p_amount then
      raise exception 'The balance cannot go below zero' using errcode = '23514';
    elsif p_type = 'spent' and private.available_coins(p_user_id) < p_amount then
      raise exception 'Only % coins are available, because the others wait to be paid out',
        private.available_coins(p_user_id) using errcode = '23514';
    end if;
  end if;
  update public.user_wallets set
    coin_balance = coin_balance + case when v_in then p_amount else -p_amount end,
    total_earned = total_earned + case when p_type = 'earned' then p_amount else 0 end,
    total_withdrawn = total_withdrawn + case when p_type = 'withdrawn' then p_amount else 0 end,
    updated_at = now()
  where user_id = p_user_id;
  -- Strictly later than the one before, even with a coarse clock, so that sorting by time gives the real order.
  insert into public.coin_transactions (user_id, transaction_type, amount, description, created_at)
  values (p_user_id, p_type, p_amount, p_description, greatest(p_at,
    (select max(t.created_at) from public.coin_transactions as t where t.user_id = p_user_id) + interval '1 microsecond'))
  returning created_at into v_at;
  return v_at;
end $$;

-- Tells somebody about the first coins they have ever earned.
create function private.tg_user_wallets__tell_first_coins() returns trigger
language plpgsql volatile security definer set search_path = '' as $$
begin
  perform private.notify(new.user_id, 'success', 'First Coins', format('Your first %s coins are in your wallet.', new.total_earned),
    null, 'first-coins', jsonb_build_object('amount', new.total_earned));
  return null;
end $$;
create trigger tell_first_coins after update of total_earned on public.user_wallets
  for each row when (old.total_earned = 0 and new.total_earned > 0)
  execute function private.tg_user_wallets__tell_first_coins();

-- Coins that are free to use: the balance less withdrawals that are pending or processing.
create function private.available_coins(p_user_id uuid) returns numeric
language sql stable security definer set search_path = '' as $$
  select greatest(0.00,
    coalesce((select coin_balance from public.user_wallets where user_id = p_user_id), 0)
    - coalesce((select round(sum(amount), 2) from public.withdrawal_requests
        where user_id = p_user_id and status in ('pending', 'processing')), 0))
$$;
revoke all on public.user_wallets, public.coin_transactions from public, anon, authenticated, service_role;
grant select on public.user_wallets, public.coin_transactions to authenticated;
grant select on public.user_wallets, public.coin_transactions to service_role;

-- trust/facts.sql
-- How long after its due date a payment still counts as on time.
create function private.payment_grace() returns interval
language sql immutable return interval '3 days';

-- The facts behind a person's standing, as last worked out. Between events they are linear: access given grows by the hour, the
-- rest is constant. A row says until when it holds, and is ignored once something happens; without a valid row the facts are
-- worked out on demand (decision 021).
create table private.known_facts (
  user_id uuid primary key references public.user_profiles (user_id) on delete cascade,
  known_at timestamptz not null,
  holds_until timestamptz not null,
  access_given interval not null,
  -- How many hours of access each hour adds.
  pace integer not null,
  paid_on_time integer not null,
  paid_late integer not null,
  problems integer not null,
  answers integer not null,
  answer_minutes integer
);
create index known_facts_due_idx on private.known_facts (holds_until);
alter table private.known_facts enable row level security;

-- People to whom something has happened since. Append-only, so that nobody waits for a lock.
create table private.fact_changes (
  id bigint generated always as identity primary key,
  user_id uuid not null
);
create index fact_changes_user_idx on private.fact_changes (user_id);
alter table private.fact_changes enable row level security;

-- The facts about these people, worked out now.
create function private.work_out_facts(p_user_ids uuid[]) returns setof private.known_facts
language plpgsql stable security definer rows 50 set search_path = '' as $$
begin
  return query
  -- Evaluated once, because these are not constants.
  with terms as materialized (select private.now() as now, private.now() - now() as ahead)
  select u.user_id, terms.now,
    least(given.until, paid.until, faults.until, answered.until + terms.ahead, asked.until + terms.ahead, 'infinity'),
    coalesce(given.time, '0'), coalesce(given.pace, 0)::integer, coalesce(paid.on_time, 0)::integer,
    coalesce(paid.late, 0)::integer, faults.problems::integer, answered.people::integer, answered.minutes::integer
  from terms cross join public.user_profiles as u
  -- Per member, the paid time with working access while the seat lived; for a running period, up to now.
  cross join lateral (
    select sum(least(by_member.time, private.pair_limit())) as time,
      sum(by_member.pace) filter (where by_member.time < private.pair_limit()) as pace,
      least(min(by_member.until), min(terms.now + (private.pair_limit() - by_member.time) / nullif(by_member.pace, 0))
        filter (where by_member.time < private.pair_limit())) as until
    from (
      select coalesce(sum(least(ended.at, terms.now) - m.starts_at - case when problem.was
          then private.time_without_access(m, least(ended.at, terms.now), null) else '0' end) filter (where begun.yet), '0') as time,
        count(*) filter (where begun.yet and ended.at > terms.now and problem.lasts is not true) as pace,
        min(case when begun.yet then ended.at else m.starts_at end) filter (where ended.at > terms.now) as until
      from private.seats as s
      cross join lateral (
        select count(*) > 0 as was, bool_or(coalesce(lost_until, 'infinity') > terms.now) as lasts
        from public.seat_problems where seat_id = s.id
      ) as problem
      join public.member_payments as m on m.seat_id = s.id
      cross join lateral (select least(m.ends_at, s.ended_at)) as ended (at)
      cross join lateral (select m.starts_at < terms.now) as begun (yet)
      where s.owner_id = u.user_id and m.status in ('paid', 'closed') and m.share > 0 and m.starts_at < ended.at
      group by s.member_id
    ) as by_member
  ) as given
  -- What they paid, per owner. A confirmed direct payment is dated by "I've paid". Each stands for a month, and only as many
  -- as fit the pair limit count; late payments always count.
  cross join lateral (
    select sum(least(by_owner.on_time, extract(day from private.pair_limit())::integer / 30)) as on_time, sum(by_owner.late) as late,
      min(by_owner.until) as until
    from (
      select count(*) filter (where is_paid and not is_behind) as on_time,
        count(*) filter (where is_behind and m.due_at > terms.now - private.standing_memory() and (is_paid
          or m.status in ('due', 'needs-action', 'failed') or (m.status = 'cancelled'
            and exists (select from private.seats where id = m.seat_id and end_reason = 'unpaid')))) as late,
        min(changes.at) filter (where changes.at > terms.now) as until
      from public.member_payments as m
      cross join lateral (select m.status in ('paid', 'closed'),
        coalesce(m.claimed_at, m.paid_at, terms.now) > m.due_at + private.payment_grace()) as judged (is_paid, is_behind)
      cross join lateral (select case when is_behind then m.due_at + private.standing_memory()
        when coalesce(m.claimed_at, m.paid_at) is null then m.due_at + private.payment_grace() end) as changes (at)
      where m.member_id = u.user_id and m.share > 0 and m.starts_at is not null
      group by m.owner_id
    ) as by_owner
  ) as paid
  -- Problems that were their fault, and paid places they gave no access to.
  cross join lateral (
    select count(*) as problems, min(fault.at) + private.standing_memory() as until from (
      select closed_at from public.seat_problems where owner_id = u.user_id and fault = 'owner'
      union all select closed_at from public.seat_problems where member_id = u.user_id and fault = 'member'
      union all select ended_at from private.seats where owner_id = u.user_id and end_reason = 'no-access'
    ) as fault (at) where fault.at > terms.now - private.standing_memory()
  ) as faults
  -- The last answer to each requester; an expired request took the whole time.
  cross join lateral (
    select count(*) as people, percentile_cont(0.5) within group (order by last.minutes) as minutes,
      min(last.requested_at) + private.standing_memory() as until
    from (
      select distinct on (r.user_id) r.requested_at,
        extract(epoch from least(r.decided_at - r.requested_at, private.request_lifetime())) / 60 as minutes
      from public.shared_subscriptions as p join public.subscription_requests as r on r.subscription_id = p.id
      where p.owner_id = u.user_id and r.requested_at > now() - private.standing_memory()
        and not r.instant and (r.status in ('approved', 'rejected') or (r.status = 'pending' and not private.is_open_request(r)))
      order by r.user_id, r.requested_at desc
    ) as last
  ) as answered
  -- Requests that still wait for their answer.
  cross join lateral (
    select min(r.requested_at) + private.request_lifetime() as until
    from public.shared_subscriptions as p join public.subscription_requests as r on r.subscription_id = p.id
    where p.owner_id = u.user_id and r.status = 'pending' and r.requested_at > now() - private.request_lifetime()
  ) as asked
  where u.user_id = any (p_user_ids);
end $$;

-- One row per person: stored facts where they hold, otherwise worked out now.
create function private.standing_facts(p_user_ids uuid[]) returns table (
  user_id uuid, days_here integer, hours_given integer, paid_on_time integer, paid_late integer,
  problems integer, answers integer, answer_minutes integer
)
language plpgsql stable security definer set search_path = '' as $$
begin
  return query
  with terms as materialized (select private.now() as now),
  known as materialized (
    select k.* from terms cross join private.known_facts as k
    where k.user_id = any (p_user_ids) and k.known_at <= terms.now and k.holds_until > terms.now
      and not exists (select from private.fact_changes as c where c.user_id = k.user_id)
  ),
  facts as (
    select * from known union all
    select * from private.work_out_facts(array(select unnest(p_user_ids) except select k.user_id from known as k))
  )
  select f.user_id, extract(day from terms.now - u.created_at)::integer,
    floor(extract(epoch from f.access_given + (terms.now - f.known_at) * f.pace) / 3600)::integer,
    f.paid_on_time, f.paid_late, f.problems, f.answers, f.answer_minutes
  from terms cross join facts as f join public.user_profiles as u on u.user_id = f.user_id
  where u.user_id = any (p_user_ids);
end $$;

-- Works out the facts of up to p_limit people to whom something has happened and about as many with outdated rows; returns how
-- many. Only one call runs at a time, so that none overwrites newer facts with older ones.
create function private.refresh_facts(p_limit integer default 1000) returns integer
language plpgsql volatile security definer set search_path = '' as $$
declare v_ids uuid[];
begin
  if not pg_try_advisory_xact_lock(hashtext('known facts')) then return 0; end if;
  with seen as (
    delete from private.fact_changes where id in (select id from private.fact_changes order by id limit p_limit) returning user_id
  )
  select array(
    select user_id from seen union
    (select user_id from private.known_facts where holds_until <= private.now() order by holds_until limit p_limit)
  ) into v_ids;
  -- A statement of its own, so that its snapshot includes what those changes were about.
  insert into private.known_facts select * from private.work_out_facts(v_ids)
  on conflict (user_id) do update set known_at = excluded.known_at, holds_until = excluded.holds_until,
    access_given = excluded.access_given, pace = excluded.pace, paid_on_time = excluded.paid_on_time, paid_late = excluded.paid_late,
    problems = excluded.problems, answers = excluded.answers, answer_minutes = excluded.answer_minutes;
  return cardinality(v_ids);
end $$;

create function private.tg_member_payments__note_facts() returns trigger
language plpgsql volatile security definer set search_path = '' as $$
begin
  insert into private.fact_changes (user_id)
  values (coalesce(new.owner_id, old.owner_id)), (coalesce(new.member_id, old.member_id));
  return null;
end $$;
create trigger note_facts after insert or delete or update of status, share, starts_at, ends_at, due_at, claimed_at, paid_at
  on public.member_payments for each row execute function private.tg_member_payments__note_facts();

create function private.tg_seats__note_facts() returns trigger
language plpgsql volatile security definer set search_path = '' as $$
begin
  insert into private.fact_changes (user_id) values (new.owner_id), (new.member_id);
  return null;
end $$;
create trigger note_facts after update of ended_at, end_reason on private.seats
  for each row execute function private.tg_seats__note_facts();

create function private.tg_seat_problems__note_facts() returns trigger
language plpgsql volatile security definer set search_path = '' as $$
begin
  insert into private.fact_changes (user_id) values (new.owner_id), (new.member_id);
  return null;
end $$;
create trigger note_facts after insert or update on public.seat_problems
  for each row execute function private.tg_seat_problems__note_facts();

create function private.tg_subscription_requests__note_facts() returns trigger
language plpgsql volatile security definer set search_path = '' as $$
begin
  insert into private.fact_changes (user_id)
  select owner_id from public.shared_subscriptions where id = coalesce(new.subscription_id, old.subscription_id);
  return null;
end $$;
create trigger note_facts after insert or update or delete on public.subscription_requests
  for each row execute function private.tg_subscription_requests__note_facts();

-- A plan's requests are deleted with it.
create function private.tg_shared_subscriptions__note_facts() returns trigger
language plpgsql volatile security definer set search_path = '' as $$
begin
  insert into private.fact_changes (user_id) values (old.owner_id);
  return null;
end $$;
create trigger note_facts after delete on public.shared_subscriptions
  for each row execute function private.tg_shared_subscriptions__note_facts();

revoke all on private.known_facts, private.fact_changes from public, anon, authenticated, service_role;

-- trust/problem_course.sql
-- The course of a problem: reported, answered, checked, decided, or lapsed because somebody was silent. Each call locks
-- membership, plan, seat, then problem, as leaving does.

-- An open problem at one of these turns, locked after its seat. The caller is its owner, its member, or staff (p_as null).
create function private.lock_problem(p_problem_id uuid, p_as text, p_turns text[]) returns public.seat_problems
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_user uuid := private.require_user();
  v_problem public.seat_problems;
begin
  select * into v_problem from public.seat_problems
  where id = p_problem_id and (p_as is null or v_user = case p_as when 'owner' then owner_id else member_id end);
  if found then
    perform private.lock_place(v_problem.seat_id);
  end if;
  select * into v_problem from public.seat_problems where id = v_problem.id for update;
  if not found then
    raise exception 'Problem not found' using errcode = 'PT404';
  elsif v_problem.status = 'closed' then
    raise exception 'This problem is closed' using errcode = '23514';
  elsif v_problem.status <> all (p_turns) then
    raise exception 'It is not your turn to say something about this problem' using errcode = '23514';
  end if;
  return v_problem;
end $$;

-- An optional sentence beside a choice, or null.
create function private.problem_note(p_note text) returns text
language plpgsql stable set search_path = '' as $$
begin
  if char_length(btrim(p_note)) > private.longest_note() then
    raise exception 'Please say it in at most % characters', private.longest_note() using errcode = '23514';
  end if;
  return nullif(btrim(p_note), '');
end $$;

-- Records a statement, or that nobody said anything in time.
create function private.state(p_problem_id uuid, p_kind text, p_note text default null) returns void
language sql volatile security definer set search_path = '' as $$
  insert into public.problem_statements (problem_id, line, person_id, kind, note)
  select p_problem_id, count(*) + 1, auth.uid(), p_kind, p_note from public.problem_statements where problem_id = p_problem_id
$$;

-- Was this period paid to the owner directly? Then the owner owes what the site would otherwise give back.
create function private.is_paid_directly(p_payment_id uuid) returns boolean
language sql stable security definer set search_path = '' as $$
  select settlement = 'direct' from public.member_payments where id = p_payment_id
$$;

-- Tells one side of a problem, or both. In the sentence %1$s is the owner, %2$s the member, %3$s the plan, %4$s the deadline,
-- and %5$s what happens to the money for the time without access.
create function private.tell_problem(p_problem public.seat_problems, p_side text, p_type text, p_event text, p_title text, p_sentence text)
returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_seat private.seats;
  v_person uuid;
  v_owner text := (select display_name from public.user_profiles where user_id = p_problem.owner_id);
  v_member text := (select display_name from public.user_profiles where user_id = p_problem.member_id);
begin
  select * into v_seat from private.seats where id = p_problem.seat_id;
  foreach v_person in array case p_side when 'owner' then array[v_seat.owner_id] when 'member' then array[v_seat.member_id]
    else array[v_seat.owner_id, v_seat.member_id] end loop
    perform private.tell_seat(v_seat, v_person, p_type, p_event, p_title,
      format(p_sentence, v_owner, v_member, p_problem.plan_name, to_char(p_problem.due_at at time zone 'utc', 'YYYY-MM-DD HH24:MI'),
        format(case when private.is_paid_directly(p_problem.payment_id)
          then case v_person when v_seat.owner_id then 'you owe %2$s' when v_seat.member_id then '%1$s owes you' end
            || ' what was paid for the time since the report'
          else 'what was paid for the time since the report goes back to %2$s' end, v_owner, v_member)),
      jsonb_strip_nulls(jsonb_build_object('problem', p_problem.id, 'reason', p_problem.reason, 'until', p_problem.due_at,
        'outcome', p_problem.outcome)));
  end loop;
end $$;

-- Passes a problem to staff, and tells both sides and staff.
create function private.bring_to_staff(p_problem_id uuid) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare v_problem public.seat_problems;
begin
  update public.seat_problems set status = 'staff', due_at = private.now() + private.problem_decision_time()
  where id = p_problem_id returning * into v_problem;
  perform private.wake_seat(v_problem.seat_id);
  perform private.tell_problem(v_problem, 'both', 'info', 'problem-with-staff', 'Our Team Decides',
    format('Our team looks at the problem with %%3$s and decides within %s hours.', private.hours(private.problem_decision_aim()))
      || case when private.is_paid_directly(v_problem.payment_id) then '' else ' The money stays held until then.' end);
  perform private.notify(staff.id, 'warning', 'A Problem To Decide', format('Owner and member of %s say different things.', v_problem.plan_name),
    null, 'problem-to-decide', jsonb_build_object('problem', p_problem_id, 'plan', v_problem.plan_name))
  from private.people_who_may('users.edit') as staff (id);
end $$;

-- "Something is wrong": from now on nothing is earned or charged. Returns the problem's id. Only the member of a living seat
-- with open access, one problem at a time.
create function private.report_problem(p_seat_id uuid, p_reason text, p_note text default null) returns uuid
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_seat private.seats := private.lock_living_seat(p_seat_id, false);
  v_problem public.seat_problems;
begin
  if v_seat.admitted_at is null then
    raise exception 'Access comes with the first payment' using errcode = '23514';
  elsif v_seat.anchor is null then
    raise exception 'The owner still has time to give you access. Without it your money goes back by itself.' using errcode = '23514';
  elsif v_seat.settlement = 'potluck' and v_seat.late_since is not null then
    raise exception 'Your access is closed until your payment has arrived' using errcode = '23514';
  elsif private.has_open_problem(v_seat.id) then
    raise exception 'You have reported a problem already' using errcode = '23514';
  elsif (p_reason in ('sign-in', 'password', 'invitation', 'in-use', 'removed', 'other')) is not true then
    raise exception 'Please choose what is wrong' using errcode = '23514';
  end if;
  insert into public.seat_problems (seat_id, payment_id, subscription_id, plan_name, owner_id, member_id, reason, note, status, due_at)
  select v_seat.id, id, v_seat.subscription_id, plan_name, v_seat.owner_id, v_seat.member_id, p_reason, private.problem_note(p_note),
    'owner', private.now() + private.problem_answer_time()
  from public.member_payments where seat_id = v_seat.id and starts_at <= private.now() order by number desc limit 1
  returning * into v_problem;
  perform private.state(v_problem.id, 'reported', v_problem.note);
  if (select count(*) from public.seat_problems where payment_id = v_problem.payment_id) >= private.problems_for_staff() then
    perform private.state(v_problem.id, 'to-staff');
    perform private.bring_to_staff(v_problem.id);
  else
    perform private.wake_seat(v_seat.id);
    perform private.tell_problem(v_problem, 'owner', 'warning', 'problem-reported', 'Something Is Wrong',
      '%2$s cannot use %3$s. Please answer by %4$s UTC; without an answer the place ends, and %5$s.');
  end if;
  return v_problem.id;
end $$;
select private.publish('report_problem', 'authenticated');

-- "Fixed": the owner's answer, for the member to check.
create function private.say_fixed(p_problem_id uuid, p_note text default null) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare v_problem public.seat_problems := private.lock_problem(p_problem_id, 'owner', '{owner}');
begin
  perform private.state(v_problem.id, 'fixed', private.problem_note(p_note));
  update public.seat_problems set status = 'member', fixed_at = private.now(), due_at = private.now() + private.problem_check_time()
  where id = v_problem.id returning * into v_problem;
  perform private.wake_seat(v_problem.seat_id);
  perform private.tell_problem(v_problem, 'member', 'info', 'problem-fixed', 'Is It Fixed?',
    '%1$s says that %3$s works again. Does it? Without a word from you by %4$s UTC it counts as fixed.');
end $$;
select private.publish('say_fixed', 'authenticated');

-- "It works": the owner says nothing is wrong, so staff decides.
create function private.contest_problem(p_problem_id uuid, p_note text default null) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare v_problem public.seat_problems := private.lock_problem(p_problem_id, 'owner', '{owner}');
begin
  perform private.state(v_problem.id, 'contested', private.problem_note(p_note));
  perform private.bring_to_staff(v_problem.id);
end $$;
select private.publish('contest_problem', 'authenticated');

-- The member says whether it is fixed. If not, it is the owner's turn again, or staff's.
create function private.answer_fix(p_problem_id uuid, p_works boolean, p_note text default null) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare v_problem public.seat_problems := private.lock_problem(p_problem_id, 'member', '{member}');
begin
  if p_works is null then
    raise exception 'Please say whether it works' using errcode = '23514';
  elsif p_works then
    perform private.close_problem(v_problem.id, 'fixed', v_problem.fixed_at, 'works', private.problem_note(p_note));
    return;
  end if;
  perform private.state(v_problem.id, 'not-fixed', private.problem_note(p_note));
  update public.seat_problems set status = 'owner', refusals = refusals + 1, due_at = private.now() + private.problem_answer_time()
  where id = v_problem.id returning * into v_problem;
  if v_problem.refusals >= private.problem_refusals() then
    perform private.bring_to_staff(v_problem.id);
    return;
  end if;
  perform private.wake_seat(v_problem.seat_id);
  perform private.tell_problem(v_problem, 'owner', 'warning', 'problem-not-fixed', 'Still Not Fixed',
    '%2$s still cannot use %3$s. Please answer by %4$s UTC; without an answer the place ends, and %5$s.');
end $$;
select private.publish('answer_fix', 'authenticated');

-- The member withdraws the problem: as if never reported.
create function private.withdraw_problem(p_problem_id uuid) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare v_problem public.seat_problems := private.lock_problem(p_problem_id, 'member', '{owner,member,staff}');
begin
  perform private.close_problem(v_problem.id, 'withdrawn', v_problem.reported_at, 'withdrawn', null);
end $$;
select private.publish('withdraw_problem', 'authenticated');

-- Staff's decision, with a reason that both sides read. Nobody decides about a plan they have or had a place in.
create function private.decide_problem(p_problem_id uuid, p_for_member boolean, p_reason text) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_problem public.seat_problems;
  v_reason text := btrim(coalesce(p_reason, ''));
begin
  if not private.proven(private.may('users.edit')) then
    raise exception 'Only an admin can do this' using errcode = '42501';
  end if;
  v_problem := private.lock_problem(p_problem_id, null, '{staff}');
  if auth.uid() = v_problem.owner_id or exists (
    select from private.seats where subscription_id = v_problem.subscription_id and member_id = auth.uid()
  ) then
    raise exception 'You have, or had, a place in this plan: another admin decides' using errcode = '42501';
  elsif p_for_member is null or private.visible_length(v_reason) = 0 or char_length(v_reason) > private.longest_note() then
    raise exception 'Please decide, and give both a reason of at most % characters', private.longest_note() using errcode = '23514';
  end if;
  update public.seat_problems set decided_by = auth.uid(), decision = v_reason where id = v_problem.id;
  if p_for_member then
    perform private.close_problem(v_problem.id, 'for-member', 'infinity', 'for-member', v_reason);
  else
    perform private.close_problem(v_problem.id, 'for-owner', v_problem.reported_at, 'for-owner', v_reason);
  end if;
end $$;
select private.publish('decide_problem', 'authenticated');

-- What happens to a problem when the time for an answer is over.
create function private.lapse_problem(p_problem_id uuid) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare v_problem public.seat_problems;
begin
  select * into v_problem from public.seat_problems where id = p_problem_id for update;
  case v_problem.status
    when 'owner' then perform private.close_problem(v_problem.id, 'owner-silent', 'infinity', 'owner-silent', null);
    when 'member' then perform private.close_problem(v_problem.id, 'fixed', v_problem.fixed_at, 'member-silent', null);
    when 'staff' then perform private.close_problem(v_problem.id, 'staff-silent', 'infinity', 'staff-silent', null);
  end case;
end $$;

-- Closes a problem. The seat goes on, or ends if access never came back; if it has already ended, its held money moves now.
create function private.close_problem(p_problem_id uuid, p_outcome text, p_lost_until timestamptz, p_kind text, p_note text) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_problem public.seat_problems;
  v_seat private.seats;
begin
  perform private.state(p_problem_id, p_kind, p_note);
  update public.seat_problems set status = 'closed', due_at = null, outcome = p_outcome, lost_until = p_lost_until, closed_at = private.now()
  where id = p_problem_id returning * into v_problem;
  select * into v_seat from private.seats where id = v_problem.seat_id;
  if v_seat.ended_at is not null then
    perform private.close_period(id) from (select id from public.member_payments
      where seat_id = v_seat.id and status in ('claimed', 'paid') order by number) as held;
    perform private.wake_seat(v_seat.id);
    perform private.tell_precedence(v_seat);
  elsif p_lost_until = 'infinity' then
    perform private.end_seat(v_seat.id, 'problem', null);
  else
    perform private.resume_seat(v_seat, p_outcome = 'fixed');
  end if;
  perform private.tell_problem(v_problem, 'both', case p_outcome when 'fixed' then 'success' else 'info' end, 'problem-closed',
    'Problem Closed', case p_outcome
      when 'fixed' then 'The problem with %3$s is fixed. The time without access is not paid for.'
      when 'withdrawn' then '%2$s has taken back the problem with %3$s. Nothing changes.'
      when 'for-owner' then 'Our team decided for %1$s about %3$s. You can read why on the page of the problem.'
      when 'for-member' then 'Our team decided for %2$s about %3$s. You can read why on the page of the problem.'
      when 'owner-silent' then '%1$s did not answer about %3$s in time, so %5$s.'
      else 'Our team did not decide about %3$s in time, which is nobody''s fault. The place ends, and %5$s.' end);
end $$;

-- Resumes a seat whose problem is closed. If its period ran out meanwhile, the next one begins today when p_from_today, so that
-- nobody pays for the time between; otherwise at the boundary, as if nothing had happened.
create function private.resume_seat(p_seat private.seats, p_from_today boolean) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare v_last public.member_payments;
begin
  update public.member_payments set status = 'due', next_attempt_at = null
  where seat_id = p_seat.id and settlement = 'potluck' and status in ('due', 'failed', 'needs-action');
  perform private.queue_charge(id) from public.member_payments
  where seat_id = p_seat.id and settlement = 'potluck' and status = 'due';
  select * into v_last from public.member_payments where seat_id = p_seat.id order by number desc limit 1;
  if p_from_today and v_last.settlement = 'direct' then
    perform private.close_period(v_last.id);
  end if;
  if p_from_today and v_last.ends_at <= private.now() and p_seat.ends_at is null
    and (v_last.settlement = 'direct' or v_last.status in ('paid', 'closed', 'given-back', 'cancelled')) then
    perform private.close_period(v_last.id);
    perform private.renew(p_seat, v_last, private.now());
  end if;
  perform private.wake_seat(p_seat.id);
end $$;

-- Decides an open problem against an owner who ends the seat or leaves.
create function private.forfeit_problem(p_seat_id uuid) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare v_problem public.seat_problems;
begin
  update public.seat_problems set status = 'closed', due_at = null, outcome = 'owner-ended', lost_until = 'infinity', closed_at = private.now()
  where seat_id = p_seat_id and status <> 'closed' returning * into v_problem;
  if not found then return; end if;
  perform private.state(v_problem.id, 'owner-ended');
  perform private.tell_problem(v_problem, 'both', 'info', 'problem-closed', 'Problem Closed',
    'The place in %3$s was ended while a problem was open, so %5$s.');
end $$;

-- The same for problems that outlived seats of a plan, or of all plans of an owner, when the owner ends it or leaves.
create function private.forfeit_problems(p_owner_id uuid, p_subscription_id text default null) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare v_seat private.seats;
begin
  for v_seat in
    select * from private.seats where owner_id = p_owner_id and ended_at is not null and next_at is not null
      and subscription_id = coalesce(p_subscription_id, subscription_id) order by id for update
  loop
    perform private.forfeit_problem(v_seat.id);
    perform private.close_period(id) from (select id from public.member_payments
      where seat_id = v_seat.id and status in ('claimed', 'paid') order by number) as held;
    perform private.wake_seat(v_seat.id);
    perform private.tell_precedence(v_seat);
  end loop;
end $$;

-- trust/problem_timeline.sql
-- The timeline of a problem, for both sides and staff: payments, access and vault changes, when the member opened it,
-- statements, and refunds. `person_name` is empty for what time or the site did; amounts are in EUR.
create function private.problem_timeline(p_problem_id uuid)
returns table (at timestamptz, kind text, person_id uuid, person_name text, note text, amount numeric)
language plpgsql stable security definer set search_path = '' as $$
declare v_problem public.seat_problems;
begin
  select * into v_problem from public.seat_problems where id = p_problem_id and private.sees_problem(id);
  if not found then
    raise exception 'Problem not found' using errcode = 'PT404';
  end if;
  return query
    select line.at, line.kind, line.person_id, p.display_name, line.note, line.amount from (
      select m.paid_at, 'paid', m.member_id, null, m.amount from public.member_payments as m
      where m.seat_id = v_problem.seat_id and m.paid_at is not null
      union all
      select s.access_given_at, case when s.invited_address is null then 'access-given' else 'invitation-sent' end, s.owner_id, s.invited_address,
        null from private.seats as s where s.id = v_problem.seat_id and s.access_given_at is not null
      union all
      select s.access_confirmed_at, 'access-confirmed', s.member_id, null, null
      from private.seats as s where s.id = v_problem.seat_id and s.access_confirmed_at is not null
      union all
      select e.created_at, 'vault-version', e.author_id, e.version::text, null from private.vault_entries as e
      where e.subscription_id = v_problem.subscription_id
      union all
      select o.opened_at, 'vault-opened', o.opened_by, o.version::text, null from private.vault_openings as o
      where o.subscription_id = v_problem.subscription_id and o.opened_by = v_problem.member_id
      union all
      select t.at, t.kind, t.person_id, t.note, null
      from public.problem_statements as t join public.seat_problems as q on q.id = t.problem_id
      where q.seat_id = v_problem.seat_id and q.reported_at <= v_problem.reported_at
      union all
      select min(t.created_at), 'given-back', null, null, sum(t.amount) from private.ledger_transfers as t
      where t.subscription_id = v_problem.subscription_id and t.seat_id = v_problem.seat_id and t.kind = 'refund' group by t.period_id
      union all
      select s.ended_at, 'seat-ended', s.ended_by, s.end_reason, null
      from private.seats as s where s.id = v_problem.seat_id and s.ended_at is not null
    ) as line (at, kind, person_id, note, amount)
    left join public.user_profiles as p on p.user_id = line.person_id
    order by line.at, line.kind;
end $$;
select private.publish('problem_timeline', 'authenticated');

-- trust/standing.sql
-- Standing: how far a person can be relied on, judged by events only, never by what people say. It changes with every payment
-- and every answer.

-- How much time with one other person counts at most, so that two accounts of one person cannot raise each other.
create function private.pair_limit() returns interval
language sql immutable return interval '90 days';

-- How long standing remembers faults, and how fast owners answered.
create function private.standing_memory() returns interval
language sql immutable return interval '180 days';

-- What each level above New requires. Access given and payments on time are alternatives; either takes several people.
create function private.standing_levels() returns table (
  level text, days_here integer, hours_given integer, paid_on_time integer, most_paid_late integer, most_problems integer, most_answer_hours integer
)
language sql immutable set search_path = '' as $$
  values ('proven', 30, 120 * 24, 4, 1, 1, 24), ('trusted', 180, 365 * 24, 12, 0, 0, 12)
$$;

-- Do these facts meet a level's requirements?
create function private.is_enough(
  p_days_here integer, p_hours_given integer, p_paid_on_time integer, p_paid_late integer, p_problems integer, p_answer_minutes integer,
  p_days integer, p_hours integer, p_on_time integer, p_most_late integer, p_most_problems integer, p_most_answer_hours integer
) returns boolean
language plpgsql immutable set search_path = '' as $$
begin
  return p_days_here >= p_days and (p_hours_given >= p_hours or p_paid_on_time >= p_on_time)
    and p_paid_late <= p_most_late and p_problems <= p_most_problems and coalesce(p_answer_minutes <= p_most_answer_hours * 60, true);
end $$;

-- The level these facts reach.
create function private.level_of(
  p_days_here integer, p_hours_given integer, p_paid_on_time integer, p_paid_late integer, p_problems integer, p_answer_minutes integer
) returns text
language plpgsql stable set search_path = '' as $$
begin
  return coalesce((
    select l.level from private.standing_levels() as l
    where private.is_enough(p_days_here, p_hours_given, p_paid_on_time, p_paid_late, p_problems, p_answer_minutes,
      l.days_here, l.hours_given, l.paid_on_time, l.most_paid_late, l.most_problems, l.most_answer_hours)
    order by l.days_here desc limit 1
  ), 'new');
end $$;

-- One person's level: new, proven or trusted.
create function private.standing_level(p_user_id uuid) returns text
language sql stable security definer set search_path = '' as $$
  select coalesce((
    select private.level_of(f.days_here, f.hours_given, f.paid_on_time, f.paid_late, f.problems, f.answer_minutes)
    from private.standing_facts(array[p_user_id]) as f
  ), 'new')
$$;

-- The standing of up to 100 people, for everybody signed in, blocked or not, because it is shown beside everybody people deal
-- with and is where they report them.
create function private.standing_of(p_user_ids uuid[]) returns table (
  user_id uuid, level text, days_here integer, hours_given integer, paid_on_time integer, paid_late integer,
  problems integer, answers integer, answer_minutes integer, rating numeric, reviewers integer
)
language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_user();
  return query
    select f.user_id, private.level_of(f.days_here, f.hours_given, f.paid_on_time, f.paid_late, f.problems, f.answer_minutes),
      f.days_here, f.hours_given, f.paid_on_time, f.paid_late, f.problems, f.answers, f.answer_minutes, r.rating, r.reviewers
    from private.standing_facts(p_user_ids[1:100]) as f cross join lateral private.rating_of(f.user_id) as r;
end $$;
select private.publish('standing_of', 'authenticated');

-- The requirements of each level, as shown to people.
create function private.get_standing_levels() returns jsonb
language sql stable security definer set search_path = '' as $$
  select jsonb_build_object(
    'levels', (select jsonb_agg(to_jsonb(l) order by l.days_here) from private.standing_levels() as l),
    'pairDays', extract(day from private.pair_limit()), 'memoryDays', extract(day from private.standing_memory()),
    'graceDays', extract(day from private.payment_grace()))
  where private.require_user() is not null
$$;
select private.publish('get_standing_levels', 'authenticated');

-- account/closed_accounts.sql
-- Accounts that ended while they were owed money. Each is paid to the bank account it named, which is kept until then with the
-- address to notify. What cannot be paid, or comes back, stays in the old wallet until somebody opens an account with that
-- address, and so proves that it is theirs: it then moves to their new wallet.
create table private.closed_accounts (
  user_id uuid primary key references public.user_profiles (user_id) on delete cascade,
  email text not null,
  closed_at timestamptz not null default private.now()
);
alter table private.closed_accounts enable row level security;

create function private.is_closed(p_user_id uuid) returns boolean
language plpgsql stable security definer set search_path = '' as $$
begin
  return exists (select from private.closed_accounts where user_id = p_user_id);
end $$;

-- Is money left or on its way to this person, or can the bank still send back what was paid?
create function private.is_owed(p_user_id uuid) returns boolean
language sql stable security definer set search_path = '' as $$
  select exists (select from public.user_wallets where user_id = p_user_id and coin_balance > 0)
    or exists (select from public.withdrawal_requests where user_id = p_user_id and returned_at is null
      and status = 'completed' and completed_at > private.now() - private.payout_return_time())
    -- Refunds that the provider refuses go to the wallet.
    or exists (select from private.refunds as r join public.member_payments as m on m.id = r.payment_id
      where m.member_id = p_user_id and r.status in ('queued', 'pending'))
    -- Money held during an open problem may come back.
    or exists (select from public.seat_problems where p_user_id in (member_id, owner_id) and status <> 'closed')
$$;

-- One mail to the former owner of the account.
create function private.mail_closed_account(p_email text, p_title text, p_sentences text[], p_event text) returns void
language sql volatile security definer set search_path = '' as $$
  select private.send_mail(p_email, p_title, private.mail_page(p_title, p_sentences, 'Open Potluck', '/sign-up',
    format('We keep this address, and the bank account, until %s days after the money was paid, and for nothing else.',
      extract(day from private.payout_return_time())),
    'There is nothing to unsubscribe from.'), p_event => p_event)
  where private.is_mailable(p_email)
$$;

-- For an account that ends while it is owed money: keeps what it takes to pay it, and tells the person.
create function private.keep_closed_account(p_user_id uuid, p_email text) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare v_open record;
begin
  insert into private.closed_accounts (user_id, email) values (p_user_id, p_email);
  delete from private.bank_accounts as a where a.user_id = p_user_id and not exists (
    select from public.withdrawal_requests where bank_account_id = a.id and status in ('pending', 'processing'));
  for v_open in
    select string_agg(distinct bank_account_last4, ', ') as last4, sum(amount) as amount from public.withdrawal_requests
    where user_id = p_user_id and status in ('pending', 'processing') having count(*) > 0
  loop
    perform private.mail_closed_account(p_email, 'Your account is closed', array[
      format('%s are on their way to your bank account', private.euros(v_open.amount)) || coalesce(' ending in ' || v_open.last4, '') || '.',
      'We write to you once they are paid, and if they cannot be.'
    ], 'account-closed');
  end loop;
end $$;

-- Tells the person what became of a withdrawal of a closed account.
create function private.tell_closed_account(p_withdrawal public.withdrawal_requests, p_reason text) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_email text := (select email from private.closed_accounts where user_id = p_withdrawal.user_id);
  v_amount text := private.euros(p_withdrawal.amount);
begin
  if p_withdrawal.status = 'rejected' or p_withdrawal.returned_at is not null then
    perform private.mail_closed_account(v_email, 'Your last payout did not arrive', array[
      case when p_withdrawal.status = 'rejected' then format('%s could not be paid to your bank account: %s', v_amount, p_reason)
        else format('The bank sent %s back: %s', v_amount, p_reason) end,
      'It is still yours. Open an account with this address, and it is in your wallet there within minutes; then add the '
        || 'bank account it is to be paid to.'
    ], 'payout-failed');
  elsif p_withdrawal.status = 'completed' then
    perform private.mail_closed_account(v_email, 'Your last payout is made', array[
      format('%s were paid to your bank account ending in %s.', v_amount, p_withdrawal.bank_account_last4)
    ], 'payout-made');
  end if;
end $$;

-- Undoes, on a closed account, a change its owner did not make and every later one: their new bank account is taken back, and
-- the previous address is told.
create function private.undo_on_closed_account(p_change private.account_changes) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_undone private.account_changes;
  v_email text;
begin
  select told into v_email from private.account_changes where user_id = p_change.user_id and kind = 'email'
    and undone_at is null and happened_at >= p_change.happened_at order by happened_at limit 1;
  update private.closed_accounts set email = coalesce(lower(v_email), email) where user_id = p_change.user_id returning email into v_email;
  for v_undone in
    update private.account_changes set undone_at = clock_timestamp()
    where user_id = p_change.user_id and undone_at is null and happened_at >= p_change.happened_at returning *
  loop
    perform private.call_back_mail(v_undone.id::text);
    if v_undone.kind = 'bank-account' then
      perform private.take_back_bank_account(v_undone.subject_id);
    end if;
  end loop;
  return jsonb_build_object('kind', p_change.kind, 'happened_at', p_change.happened_at, 'email', v_email,
    'next', format('The account is closed. What was left in it waits for an account that is opened with %s.', v_email));
end $$;

-- Moves what is left in wallets of closed accounts to whoever has since opened an account with the same address, and deletes
-- those that are owed nothing any more. The clock may take a minute to get here.
create function private.settle_closed_accounts() returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_closed private.closed_accounts;
  v_heir uuid;
  v_coins numeric;
  v_waits timestamptz;
begin
  for v_closed in select * from private.closed_accounts order by user_id for update skip locked loop
    select id into v_heir from auth.users
    where lower(email) = v_closed.email and email_confirmed_at is not null and deleted_at is null;
    v_waits := private.withdrawals_wait_until(v_closed.user_id);
    if v_heir is not null and coalesce(v_waits <= private.now(), true) then
      perform private.lock_ledger(array[private.ledger_account('wallet', v_closed.user_id), private.ledger_account('wallet', v_heir)]);
      v_coins := private.available_coins(v_closed.user_id);
      if v_coins > 0 then
        perform private.transfer(format('handed-over:%s:%s', v_closed.user_id,
            (select version from private.ledger_accounts where kind = 'wallet' and owner = v_closed.user_id)),
          private.ledger_account('wallet', v_closed.user_id), private.ledger_account('wallet', v_heir), v_coins, 'handed-over',
          p_description => 'Left in the account you closed');
        perform private.notify(v_heir, 'success', 'Coins From Your Closed Account',
          format('%s coins that were left in the account you closed are in your wallet.', v_coins), null, 'coins-handed-over',
          jsonb_build_object('amount', v_coins));
      end if;
    end if;
    if not private.is_owed(v_closed.user_id) then
      delete from private.bank_accounts where user_id = v_closed.user_id;
      delete from private.vault_keys where person_id = v_closed.user_id;
      delete from private.account_changes where user_id = v_closed.user_id;
      delete from private.closed_accounts where user_id = v_closed.user_id;
    end if;
  end loop;
end $$;

revoke all on private.closed_accounts from public, anon, authenticated, service_role;

-- joining/instant.sql
-- Instant plans let people in as soon as they ask, from a level of standing the owner chooses and with a working payment
-- method. Such a request is approved when it is made; all others wait for the owner.

-- Why somebody who asks is not let in at once, or null. A place is held while its first payment is being fixed, so a person can
-- have only one such payment, and none after a seat of theirs recently ended unpaid.
create function private.instant_refusal(p_plan public.shared_subscriptions, p_user_id uuid, p_coins_first boolean) returns text
language plpgsql stable security definer set search_path = '' as $$
declare v_levels constant text[] := '{new,proven,trusted}';
begin
  return case
    when p_plan.instant_from is null then 'approval'
    -- A banned owner cannot give access.
    when exists (select from auth.users where id = p_plan.owner_id and banned_until > now()) then 'approval'
    when array_position(v_levels, private.standing_level(p_user_id)) < array_position(v_levels, p_plan.instant_from) then 'level'
    when exists (select from public.member_payments where member_id = p_user_id and settlement = 'potluck'
      and status in ('due', 'charging', 'needs-action', 'failed')) then 'open-payment'
    when private.has_open_dispute(p_user_id) or exists (select from private.seats where member_id = p_user_id
      and end_reason = 'unpaid' and ended_at > private.now() - private.mending_pause()) then 'unpaid'
    when not private.can_pay_first(p_plan, p_user_id, p_coins_first) then 'card'
  end;
end $$;

-- Can the first period be paid: is there a card to charge that has not expired, or are there enough coins?
create function private.can_pay_first(p_plan public.shared_subscriptions, p_user_id uuid, p_coins_first boolean) returns boolean
language plpgsql stable security definer set search_path = '' as $$
begin
  return private.payment_provider() is not null and (
    coalesce((
      select make_date(c.exp_year, c.exp_month, 1) + interval '1 month' > private.now()
      from public.payment_methods as c join private.payment_provider as p using (provider)
      where c.user_id = p_user_id order by c.chosen_at desc limit 1
    ), false)
    or (p_coins_first and private.available_coins(p_user_id) >= (
      select price.share + price.fee
      from private.period_price(p_plan.settlement, p_plan.billing_cycle, p_plan.member_price, p_plan.fee_rate, 1) as price
    ))
  );
end $$;

-- Gives the place in the transaction that makes such a request.
create function private.tg_subscription_requests__admit() returns trigger
language plpgsql volatile security definer set search_path = '' as $$
declare v_plan public.shared_subscriptions;
begin
  if auth.uid() is null then return null; end if;
  select * into v_plan from public.shared_subscriptions where id = new.subscription_id;
  perform private.let_in(v_plan, new.user_id, 'You Are In',
    'You asked for a place in %s %s and have it: the plan lets people in at once.', 'let-in');
  return null;
end $$;
create trigger admit after insert on public.subscription_requests
  for each row when (new.instant) execute function private.tg_subscription_requests__admit();

-- What happens if the acting user asks now, and their level, which may be the reason.
create function private.check_instant(p_subscription_id text, p_coins_first boolean default false) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  v_user uuid := private.require_user();
  v_plan public.shared_subscriptions;
begin
  select * into v_plan from public.shared_subscriptions as p where p.id = p_subscription_id and private.may_find(p);
  if not found then
    raise exception 'Subscription not found' using errcode = 'PT404';
  end if;
  return jsonb_build_object('level', private.standing_level(v_user),
    'refusal', private.instant_refusal(v_plan, v_user, coalesce(p_coins_first, false)));
end $$;
select private.publish('check_instant', 'authenticated');

-- joining/invitations.sql
-- How long a place is kept for an invited person.
create function private.invitation_lifetime() returns interval
language sql immutable return interval '7 days';

-- A place an owner keeps for an e-mail address for private.invitation_lifetime(). The mail's link carries a token, of which
-- only the hash is stored; it works for the invited address alone. The plan's row is the lock for all of it.
create table public.subscription_invitations (
  id uuid primary key default gen_random_uuid(),
  subscription_id text not null references public.shared_subscriptions (id) on delete cascade,
  email text not null check (email = lower(btrim(email)) and email like '%_@_%' and char_length(email) <= 254),
  invited_by uuid not null references public.user_profiles (user_id) on delete cascade,
  token_hash text not null unique,
  -- The delivery of its mail: delayed means that an attempt failed and another follows.
  mail_status text not null default 'waiting' check (mail_status in ('waiting', 'delayed', 'sent', 'failed')),
  created_at timestamptz not null default now(),
  expires_at timestamptz not null default now() + private.invitation_lifetime(),
  accepted_at timestamptz,
  declined_at timestamptz,
  withdrawn_at timestamptz
);
create unique index subscription_invitations_open_key on public.subscription_invitations (subscription_id, email)
  where accepted_at is null and declined_at is null and withdrawn_at is null;
create index subscription_invitations_plan_idx on public.subscription_invitations (subscription_id);
create index subscription_invitations_inviter_idx on public.subscription_invitations (invited_by);
create index subscription_invitations_email_idx on public.subscription_invitations (email);
alter table public.subscription_invitations enable row level security;

insert into private.rate_limits (action, attempts, window_seconds, requests)
values ('invitation', 10, 3600, '{POST /rpc/invite_member}');

-- The acting user's address, once it is proven to be theirs.
create function private.my_email() returns text
language plpgsql stable security definer set search_path = '' as $$
begin
  return (select lower(email) from auth.users where id = (select auth.uid()) and email_confirmed_at is not null);
end $$;

create policy "Owners see whom they invited, people how they are invited" on public.subscription_invitations
  for select to authenticated using (
    private.is_plan_owner(subscription_id) or email = (select private.my_email())
  );

-- open, accepted, declined, withdrawn or, by the database's clock, expired.
create function private.invitation_status(p_invitation public.subscription_invitations) returns text
language sql stable
return case
  when p_invitation.accepted_at is not null then 'accepted'
  when p_invitation.declined_at is not null then 'declined'
  when p_invitation.withdrawn_at is not null then 'withdrawn'
  when p_invitation.expires_at <= now() - private.unnoticed_gap() then 'expired'
  else 'open'
end;

-- How many places of a plan are kept, ignoring one address: for people who are invited, have an offer from the waiting list, or
-- have asked for an offered place and wait for the answer.
create function private.reserved_places(p_subscription_id text, p_except text default null) returns integer
language plpgsql stable security definer set search_path = '' as $$
begin
  return (
    select count(*)::integer from (
      select i.email from public.subscription_invitations as i
      where i.subscription_id = p_subscription_id and private.invitation_status(i) = 'open'
      union
      select lower(private.email_of(w.user_id)) from public.waiting_list as w
      where w.subscription_id = p_subscription_id and w.offered_until > now()
      union
      select lower(private.email_of(r.user_id)) from public.subscription_requests as r
      where r.subscription_id = p_subscription_id and r.keeps_place and private.is_open_request(r)
    ) as kept where kept.email is distinct from p_except
  );
end $$;

-- How many places are not available to this address: those kept for others and, unless it has one kept itself, those that
-- expired unclaimed and that the clock has yet to offer to the waiting list.
create function private.places_for_others(p_plan public.shared_subscriptions, p_email text) returns integer
language plpgsql stable security definer set search_path = '' as $$
declare
  v_others integer := private.reserved_places(p_plan.id, lower(p_email));
  v_first integer := 0;
begin
  if private.reserved_places(p_plan.id) = v_others then
    select count(*) into v_first from public.waiting_list as w
    where w.subscription_id = p_plan.id and coalesce(w.offered_until <= now(), true) and lower(private.email_of(w.user_id)) is distinct from lower(p_email);
  end if;
  return v_others + greatest(0, least(v_first, p_plan.owner_max_members - p_plan.current_members - v_others));
end $$;

-- How many places are available to this address.
create function private.open_slots(p_plan public.shared_subscriptions, p_email text) returns integer
language sql stable security definer set search_path = '' as $$
  select greatest(0, p_plan.owner_max_members - p_plan.current_members - private.places_for_others(p_plan, p_email))
$$;

-- Updates the plan's count of kept places. The caller has locked the plan.
create function private.tg_subscription_invitations__count() returns trigger
language plpgsql volatile security definer set search_path = '' as $$
begin
  update public.shared_subscriptions set kept_places = private.reserved_places(id) where id = new.subscription_id;
  return null;
end $$;
create trigger count after insert or update of accepted_at, declined_at, withdrawn_at on public.subscription_invitations
  for each row execute function private.tg_subscription_invitations__count();

-- The same for places freed without a decision, because the time ran out or an account ended, and for what was left to the
-- clock. It skips locked rows; the next call gets them.
create function private.free_kept_places() returns void
language sql volatile security definer set search_path = '' as $$
  update public.shared_subscriptions as plan set kept_places = private.reserved_places(plan.id)
  from (
    select id from public.shared_subscriptions as p
    where (kept_places > 0 or waiting > 0) and (kept_places <> private.reserved_places(id) or (
      current_members + kept_places < owner_max_members
      and exists (select from public.waiting_list where subscription_id = p.id and offered_until is null)))
    for no key update skip locked
  ) as over
  where over.id = plan.id
$$;

-- Refuses another person when every place is taken or kept for others; a place kept for this address does not count. The answer
-- is final only while the plan's row is locked.
create function private.require_open_slot(p_plan public.shared_subscriptions, p_email text) returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  if p_plan.current_members >= p_plan.owner_max_members then
    raise exception 'Subscription Full' using errcode = '23514';
  elsif private.open_slots(p_plan, p_email) = 0 then
    raise exception 'Every open place is kept for somebody' using errcode = '23514';
  end if;
end $$;

-- The plan of an invitation, locked. Raises PT404 when it is gone, 23514 when nobody can join it.
create function private.lock_plan_of_invitation(p_subscription_id text) returns public.shared_subscriptions
language plpgsql volatile security definer set search_path = '' as $$
declare v_plan public.shared_subscriptions;
begin
  select * into v_plan from public.shared_subscriptions where id = p_subscription_id for no key update;
  if not found then
    raise exception 'Subscription not found' using errcode = 'PT404';
  elsif v_plan.status <> 'active' then
    raise exception 'This plan is not open to new members' using errcode = '23514';
  end if;
  return v_plan;
end $$;

-- Refuses an invitation that is over. Called after the plan is locked.
create function private.require_open_invitation(p_invitation_id uuid) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare v_status text;
begin
  select private.invitation_status(i) into v_status from public.subscription_invitations as i where i.id = p_invitation_id;
  if not found then
    raise exception 'Invitation not found' using errcode = 'PT404';
  elsif v_status = 'expired' then
    raise exception 'This invitation has expired' using errcode = '23514';
  elsif v_status <> 'open' then
    raise exception 'This invitation has already been %', v_status using errcode = '23514';
  end if;
end $$;

-- The mail with the link.
create function private.mail_invitation(
  p_id uuid, p_email text, p_token text, p_plan public.shared_subscriptions, p_inviter text
) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_plan text := format('%s %s', p_plan.provider, p_plan.name);
  v_share text := to_char(case p_plan.settlement when 'potluck' then private.with_fee(p_plan.member_price, p_plan.fee_rate) else p_plan.member_price end,
    'FM999990.00');
begin
  perform private.send_mail(p_email, format('%s invites you to share %s', p_inviter, v_plan), private.mail_page(
    'There is a place for you',
    array[
      format('%s keeps a place for you in %s on Potluck, where people split the cost of the services they all use.', p_inviter, v_plan),
      format('Your share is €%s a %s, %s. Nothing happens before you accept.', v_share,
        case p_plan.billing_cycle when 'yearly' then 'year' else 'month' end,
        case p_plan.settlement when 'potluck' then 'the convenience fee included' else format('paid to %s directly, without a fee', p_inviter) end)
    ],
    'See the invitation', '/invitation/' || p_token,
    format('The place is kept for %s days.', extract(day from private.invitation_lifetime())),
    'You do not know what this is about? Then ignore this e-mail; nobody joins anything without you.'
  ), array[p_id::text, p_plan.id], p_id => p_id);
end $$;

-- Keeps a place for an address and mails it the link; returns the invitation's id. Owner only. Inviting an address again
-- replaces the link and restarts the time.
create function private.invite_member(p_subscription_id text, p_email text) returns uuid
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_user uuid := private.require_user();
  v_plan public.shared_subscriptions := private.lock_plan_of_invitation(p_subscription_id);
  v_email text := lower(btrim(coalesce(p_email, '')));
  v_token text := replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', '');
  v_replaced uuid;
  v_id uuid;
begin
  if v_plan.owner_id <> v_user then
    raise exception 'Only the plan''s owner invites people' using errcode = '42501';
  -- Accounts have ASCII addresses only; most other letters just imitate somebody's.
  elsif octet_length(v_email) > char_length(v_email) or v_email !~ '^[^\s@,;:<>()"\\[:cntrl:]]+@[^\s@,;:<>()"\\[:cntrl:]]+\.[^\s@,;:<>()"\\[:cntrl:]]+$' or char_length(v_email) > 254 then
    raise exception 'Valid email is required' using errcode = '23514';
  elsif v_email = lower(private.email_of(v_user)) then
    raise exception 'You cannot invite yourself' using errcode = '23514';
  elsif exists (
    select 1 from public.subscription_members as m join auth.users as u on u.id = m.user_id
    where m.subscription_id = p_subscription_id and lower(u.email) = v_email
  ) then
    raise exception 'Already a Member' using errcode = '23505';
  end if;
  perform private.require_reachable(id, 'This address cannot be invited') from auth.users where lower(email) = v_email;
  perform private.require_offered(v_plan.provider);
  perform private.require_open_slot(v_plan, v_email);
  perform private.spend_attempt('invitation');

  select i.id into v_replaced from public.subscription_invitations as i
  where i.subscription_id = p_subscription_id and i.email = v_email and private.invitation_status(i) in ('open', 'expired');
  perform private.call_back_mail(v_replaced::text);
  update public.subscription_invitations set withdrawn_at = clock_timestamp() where id = v_replaced;
  insert into public.subscription_invitations (subscription_id, email, invited_by, token_hash)
  values (p_subscription_id, v_email, v_user, encode(sha256(convert_to(v_token, 'UTF8')), 'hex'))
  returning id into v_id;
  perform private.mail_invitation(v_id, v_email, v_token, v_plan,
    (select display_name from public.user_profiles where user_id = v_user));
  return v_id;
end $$;
select private.publish('invite_member', 'authenticated');

-- Withdraws an open invitation: its place is free again and its link stops working. Owner only.
create function private.withdraw_invitation(p_invitation_id uuid) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_user uuid := private.require_user();
  v_plan_id text;
begin
  select i.subscription_id into v_plan_id from public.subscription_invitations as i
  join public.shared_subscriptions as p on p.id = i.subscription_id and p.owner_id = v_user
  where i.id = p_invitation_id for no key update of p;
  if not found then
    raise exception 'Invitation not found' using errcode = 'PT404';
  end if;
  perform private.require_open_invitation(p_invitation_id);
  perform private.spend_attempt('owner action');
  perform private.call_back_mail(p_invitation_id::text);
  update public.subscription_invitations set withdrawn_at = clock_timestamp() where id = p_invitation_id;
end $$;
select private.publish('withdraw_invitation', 'authenticated');

-- The invitation behind a link, for the account of the invited address only. A visitor may be the invited person before signing
-- in. Somebody who has proven their address needs no secret: the invitation's id will do.
create function private.find_invitation(p_token text) returns public.subscription_invitations
language plpgsql stable security definer set search_path = '' as $$
declare v_invitation public.subscription_invitations;
begin
  select * into v_invitation from public.subscription_invitations
  where token_hash = encode(sha256(convert_to(p_token, 'UTF8')), 'hex');
  if not found then
    select * into v_invitation from public.subscription_invitations where email = private.my_email() and id::text = p_token;
  end if;
  if not found then
    raise exception 'Invitation not found' using errcode = 'PT404';
  elsif (select auth.uid()) is not null and v_invitation.email is distinct from private.my_email() then
    raise exception 'This invitation was sent to another e-mail address' using errcode = '42501';
  end if;
  return v_invitation;
end $$;

-- What the invited person decides on: one row with the plan, its price without the fee, and the invitation's status. To a
-- visitor the link shows what its mail says, but nothing once the invitation is over or the owner has blocked them.
create function private.get_invitation(p_token text)
returns table (
  status text, expires_at timestamptz, email text, subscription_id text, provider text, name text, description text,
  member_price numeric, currency text, billing_cycle text, settlement text, fee_rate numeric, next_payment date, owner_name text, owner_avatar_url text
)
language plpgsql stable security definer set search_path = '' as $$
declare
  v_invitation public.subscription_invitations := private.find_invitation(p_token);
  v_status text := private.invitation_status(v_invitation);
  v_is_blocked boolean := v_invitation.invited_by = any (private.blocked_by());
begin
  if v_is_blocked or (auth.uid() is null and v_status <> 'open') then
    return query select v_status, v_invitation.expires_at, null, null, null, null, null, null::numeric, null, null, null,
      null::numeric, null::date, null, null;
    return;
  end if;
  return query
    select v_status, v_invitation.expires_at, v_invitation.email, p.id, p.provider, p.name, p.description,
      p.member_price, p.currency, p.billing_cycle, p.settlement, p.fee_rate, p.next_payment, o.display_name, o.avatar_url
    from public.shared_subscriptions as p join public.user_profiles as o on o.user_id = p.owner_id
    where p.id = v_invitation.subscription_id;
end $$;
select private.publish('get_invitation', 'anon', 'authenticated');

-- Turns the kept place into a membership, as an approval does, and answers an open request with it. Returns the plan's id.
create function private.accept_invitation(p_token text) returns text
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_user uuid := private.require_user();
  v_invitation public.subscription_invitations := private.find_invitation(p_token);
  v_plan public.shared_subscriptions := private.lock_plan_of_invitation(v_invitation.subscription_id);
  v_member public.subscription_members;
begin
  perform private.require_open_invitation(v_invitation.id);
  perform private.require_unblocked(v_plan.owner_id, 'This invitation has already been withdrawn');
  perform private.require_open_slot(v_plan, v_invitation.email);
  update public.subscription_invitations set accepted_at = clock_timestamp() where id = v_invitation.id;
  update public.subscription_requests as r set status = 'approved'
  where r.subscription_id = v_plan.id and r.user_id = v_user and private.is_open_request(r);
  v_member := private.add_member(v_plan.id, v_user, false);
  perform private.notify(v_plan.owner_id, 'success', 'Invitation Accepted',
    format('%s has joined %s %s.', v_member.name, v_plan.provider, v_plan.name), v_plan.id, 'invitation-accepted',
    jsonb_build_object('plan', v_plan.provider || ' ' || v_plan.name, 'member', v_member.name));
  perform private.notify(v_user, 'success', 'You Are In', format('You have joined %s %s.', v_plan.provider, v_plan.name), v_plan.id,
    'joined', jsonb_build_object('plan', v_plan.provider || ' ' || v_plan.name));
  return v_plan.id;
end $$;
select private.publish('accept_invitation', 'authenticated');

-- Gives the kept place back, and tells the owner.
create function private.decline(p_invitation_id uuid) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_invitation public.subscription_invitations;
  v_plan public.shared_subscriptions;
begin
  select * into v_invitation from public.subscription_invitations where id = p_invitation_id;
  select * into v_plan from public.shared_subscriptions where id = v_invitation.subscription_id for no key update;
  perform private.require_open_invitation(v_invitation.id);
  update public.subscription_invitations set declined_at = clock_timestamp() where id = v_invitation.id;
  perform private.notify(v_plan.owner_id, 'info', 'Invitation Declined',
    format('%s has declined your invitation to %s %s.', v_invitation.email, v_plan.provider, v_plan.name), v_plan.id);
end $$;
create function private.decline_invitation(p_token text) returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  perform private.require_user();
  perform private.decline((private.find_invitation(p_token)).id);
end $$;
select private.publish('decline_invitation', 'authenticated');

-- A person who gets a place another way, by an approved request, has used the one kept for them.
create function private.tg_subscription_members__use_invitation() returns trigger
language plpgsql volatile security definer set search_path = '' as $$
declare v_used uuid;
begin
  select i.id into v_used from public.subscription_invitations as i
  where i.subscription_id = new.subscription_id and i.email = lower(private.email_of(new.user_id))
    and private.invitation_status(i) = 'open';
  if not found then return null; end if;
  perform private.call_back_mail(v_used::text);
  update public.subscription_invitations set accepted_at = clock_timestamp() where id = v_used;
  return null;
end $$;
create trigger use_invitation after insert on public.subscription_members
  for each row when (not new.is_owner) execute function private.tg_subscription_members__use_invitation();

-- An owner cannot close a place that is kept for somebody. The update has locked the plan's row before this runs.
create function private.tg_shared_subscriptions__keep_reserved() returns trigger
language plpgsql volatile security definer set search_path = '' as $$
declare v_least integer := old.current_members + private.reserved_places(old.id);
begin
  if new.owner_max_members < old.owner_max_members and new.owner_max_members < v_least then
    raise exception 'Cannot set less than % members (joined or invited).', v_least using errcode = '23514';
  end if;
  return new;
end $$;
create trigger keep_reserved before update of owner_max_members on public.shared_subscriptions
  for each row execute function private.tg_shared_subscriptions__keep_reserved();

-- Lets the owner see how the mail is doing; the mail has the invitation's id.
create function private.tg_outgoing_mail__tell_invitation() returns trigger
language plpgsql volatile security definer set search_path = '' as $$
begin
  update public.subscription_invitations set mail_status =
    case when new.sent_at is not null then 'sent' when new.given_up_at is not null then 'failed' else 'delayed' end
  where id = new.id;
  return null;
end $$;
create trigger tell_invitation after update of sent_at, given_up_at, last_error on private.outgoing_mail
  for each row execute function private.tg_outgoing_mail__tell_invitation();

select private.send_changes('subscription_invitations');

revoke all on public.subscription_invitations from public, anon, authenticated;
grant select (id, subscription_id, email, invited_by, mail_status, created_at, expires_at, accepted_at, declined_at, withdrawn_at)
  on public.subscription_invitations to authenticated;
grant all on public.subscription_invitations to service_role;
grant execute on function private.my_email() to authenticated;
-- Visitors see what they are invited to before they sign in.

-- joining/precedence.sql
-- Who comes first on waiting lists: people who had a similar plan, paid for it for some time, and lost it through no fault of
-- their own. It is worked out from seats and problems on every call.

-- How many paid days it takes to come first on the waiting lists of similar plans after losing one through no fault of one's
-- own, and for how long that lasts.
create function private.precedence_after() returns interval
language sql immutable return interval '14 days';
create function private.precedence_time() returns interval
language sql immutable return interval '30 days';

-- The ended seats that put a person first on the waiting lists of the same catalogue plan, and until when. Either the owner
-- cancelled the plan, or a problem was decided against the owner, even after the member had left. A removal alone does not
-- count, as the site does not know its cause; removing a member with an open problem decides it for the member. Without access
-- there are no paid days. Direct payments count unless the owner has denied them; time without access does not.
create function private.precedence_of(p_user_id uuid)
returns table (seat_id uuid, subscription_id text, catalogue_plan_id text, provider text, plan_name text, owner_id uuid, until timestamptz)
language sql stable security definer set search_path = '' as $$
  select s.id, s.subscription_id, s.catalogue_plan_id, s.provider, s.plan_name, s.owner_id, lost.at + private.precedence_time()
  from private.seats as s
  cross join lateral (
    select max(greatest(s.ended_at, p.closed_at)) as at
    from (values (s.end_reason = 'cancelled')) as plan (is_cancelled)
    left join public.seat_problems as p on p.seat_id = s.id and p.fault = 'owner'
    where plan.is_cancelled or p.id is not null
  ) as lost
  cross join lateral (
    select sum(last.at - m.starts_at - private.time_without_access(m, last.at, null)) as time
    from public.member_payments as m cross join lateral (select least(m.ends_at, s.ended_at)) as last (at)
    where m.seat_id = s.id and m.status in ('claimed', 'paid', 'closed') and m.share > 0 and m.starts_at < last.at
  ) as paid
  where s.member_id = p_user_id and s.ended_at is not null
    and lost.at + private.precedence_time() > private.now() and paid.time >= private.precedence_after()
$$;

-- Does this person come first on the waiting lists of this catalogue plan?
create function private.comes_first(p_user_id uuid, p_catalogue_plan_id text) returns boolean
language sql stable security definer set search_path = '' as $$
  select exists (select from private.precedence_of(p_user_id) as p where p.catalogue_plan_id = p_catalogue_plan_id)
$$;

-- Tells a person that the end of this seat puts them first, with a link to similar plans.
create function private.tell_precedence(p_seat private.seats) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_plan text := p_seat.provider || ' ' || p_seat.plan_name;
  v_until timestamptz := (select p.until from private.precedence_of(p_seat.member_id) as p where p.seat_id = p_seat.id);
begin
  if v_until is null then return; end if;
  perform private.mail_notification(
    private.notify(p_seat.member_id, 'info', 'You Come First',
      format('You lost your place in %s through no fault of your own. Until %s you come first in the waiting lists of plans like it.',
        v_plan, private.day_in(v_until, private.zone_of(p_seat.member_id))),
      null, 'comes-first', jsonb_build_object('seat', p_seat.id, 'plan', v_plan, 'until', v_until)),
    '{}', 'See plans like it', '/plans-like/' || p_seat.id);
end $$;

-- The acting user's, newest first.
create function private.my_precedence()
returns table (seat_id uuid, subscription_id text, catalogue_plan_id text, provider text, plan_name text, owner_id uuid, until timestamptz)
language plpgsql stable security definer set search_path = '' as $$
declare v_user uuid := private.require_user();
begin
  return query select p.* from private.precedence_of(v_user) as p order by p.until desc, p.seat_id;
end $$;
select private.publish('my_precedence', 'authenticated');

-- money/books.sql
-- The books: whether they are right, and what the site publishes about them.

-- Faults in the books; no row if there are none.
create function private.check_books() returns table (fault text, subject text, expected numeric, found numeric)
language sql stable security definer set search_path = '' as $$
  select 'The balances do not add up to zero', 'all accounts', 0::numeric, sum(balance)
  from private.ledger_accounts having sum(balance) <> 0
  union all
  select 'An account does not equal its entries', a.kind || ' ' || coalesce(a.owner::text, ''), coalesce(e.amount, 0), a.balance
  from private.ledger_accounts as a left join (
    select account_id, sum(amount) as amount, count(*) as entries, max(version) as version
    from private.ledger_entries group by account_id
  ) as e on e.account_id = a.id
  where a.balance <> coalesce(e.amount, 0) or (a.version, a.version) <> (coalesce(e.entries, 0), coalesce(e.version, 0))
  union all
  select 'An account is below zero', kind || ' ' || coalesce(owner::text, ''), 0, balance from private.ledger_accounts
  where balance < 0 and kind not in ('outside', 'guarantee', 'costs', 'adjustments')
  union all
  select 'A transfer does not equal its entries', t.key, t.amount, coalesce(sum(e.amount) filter (where e.amount > 0), 0)
  from private.ledger_transfers as t left join private.ledger_entries as e on e.transfer_id = t.id
  group by t.id
  having (count(*), sum(e.amount) filter (where e.account_id = t.from_account), sum(e.amount) filter (where e.account_id = t.to_account))
    is distinct from (2::bigint, -t.amount, t.amount)
  union all
  select 'An entry does not go on from the one before', account_id || ' ' || version, was, balance_before from (
    select account_id, version, balance_before, coalesce(lag(balance_after) over (partition by account_id order by version), 0) as was
    from private.ledger_entries
  ) as e where balance_before <> was
  union all
  select 'A wallet does not equal the ledger', w.user_id::text, coalesce(a.balance, 0), w.coin_balance
  from public.user_wallets as w full join (select * from private.ledger_accounts where kind = 'wallet') as a on a.owner = w.user_id
  where coalesce(a.balance, 0) is distinct from w.coin_balance
  union all
  select 'A wallet does not equal its coins', coalesce(w.user_id, c.user_id)::text, w.coin_balance, coalesce(c.coins, 0)
  from public.user_wallets as w full join (
    select user_id, sum(case when transaction_type in ('earned', 'refunded') then amount else -amount end) as coins
    from public.coin_transactions group by user_id
  ) as c on c.user_id = w.user_id
  where w.coin_balance is distinct from coalesce(c.coins, 0)
$$;

-- The acting user's own movements from p_from until before p_until, at most a month, with the balance before and after:
-- {opening, closing, firstAt, movements: [{at, kind, amount, balance, description, by}]}. The planner is kept from scanning
-- everything, because one wallet's rows are few among millions.
create function private.wallet_statement(p_from timestamptz, p_until timestamptz) returns json
language plpgsql stable security definer set search_path = '' set enable_seqscan = off set enable_hashjoin = off set jit = off as $$
declare
  v_account bigint := (select id from private.ledger_accounts where kind = 'wallet' and owner = private.require_user());
  v_opening numeric;
  v_closing numeric;
  v_movements json;
begin
  if p_from is null or p_until is null or p_from >= p_until or p_until > p_from + interval '32 days' then
    raise exception 'A statement covers at most a month' using errcode = '23514';
  end if;
  v_opening := coalesce((
    select balance_after from private.ledger_entries where account_id = v_account and created_at < p_from
    order by created_at desc, version desc limit 1
  ), 0.00);
  v_closing := coalesce((
    select balance_after from private.ledger_entries where account_id = v_account and created_at < p_until
    order by created_at desc, version desc limit 1
  ), 0.00);
  v_movements := coalesce((
    select json_agg(movement) from (
      select e.created_at as at, t.kind, e.amount, e.balance_after as balance, t.description,
        case when t.kind = 'adjustment' then (select display_name from public.user_profiles where user_id = t.created_by) end as by
      from private.ledger_entries as e join private.ledger_transfers as t on t.id = e.transfer_id
      where e.account_id = v_account and e.created_at >= p_from and e.created_at < p_until
      order by e.version
    ) as movement
  ), '[]');
  return json_build_object('opening', v_opening, 'closing', v_closing,
    'firstAt', (select min(created_at) from private.ledger_entries where account_id = v_account), 'movements', v_movements);
end $$;
select private.publish('wallet_statement', 'authenticated');

-- What the site held at the end of each day, in UTC; anybody may read it the next day. What the site owes is positive, what it
-- has at the bank and the provider negative, so that the sum is zero.
create table private.daily_books (
  day date primary key,
  held numeric(14, 2) not null,
  owed numeric(14, 2) not null,
  going_back numeric(14, 2) not null,
  fees numeric(14, 2) not null,
  -- Corrections by staff, provider costs, and losses from chargebacks.
  corrections numeric(14, 2) not null,
  outside numeric(14, 2) not null,
  -- Everything ever returned to members.
  given_back numeric(14, 2) not null,
  seats bigint not null,
  wallets bigint not null,
  -- Reported problems, how they ended, and the median hours until money came back.
  problems bigint not null,
  fixed bigint not null,
  paid_back bigint not null,
  unfounded bigint not null,
  hours_to_money numeric(10, 1),
  checked_at timestamptz not null,
  faults bigint not null
);
alter table private.daily_books enable row level security;

-- The books as of a time: what is held now, less what has moved since.
create function private.books_at(p_time timestamptz) returns private.daily_books
language sql stable security definer set search_path = '' as $$
  with then_held as (
    select a.kind, a.balance - coalesce(since.amount, 0) as balance from private.ledger_accounts as a
    left join (
      select e.account_id, sum(e.amount) as amount from private.ledger_transfers as t
      join private.ledger_entries as e on e.transfer_id = t.id where t.created_at >= p_time group by e.account_id
    ) as since on since.account_id = a.id
  )
  select row((p_time at time zone 'utc')::date - 1,
    coalesce(sum(balance) filter (where kind in ('held_share', 'held_fee')), 0),
    coalesce(sum(balance) filter (where kind = 'wallet'), 0),
    sum(balance) filter (where kind = 'refunds_due'),
    sum(balance) filter (where kind = 'fees'),
    sum(balance) filter (where kind in ('adjustments', 'costs', 'guarantee')),
    sum(balance) filter (where kind = 'outside'),
    (select coalesce(sum(amount), 0) from private.ledger_transfers where kind = 'refund' and created_at < p_time),
    count(*) filter (where kind = 'held_share' and balance > 0),
    count(*) filter (where kind = 'wallet' and balance > 0),
    min(reported), min(fixed), min(paid_back), min(unfounded), min(hours)::numeric(10, 1),
    clock_timestamp(),
    (select count(*) from private.check_books()))::private.daily_books
  from then_held, (
    select count(*) as reported,
      count(*) filter (where outcome = 'fixed') as fixed,
      count(*) filter (where lost_until = 'infinity') as paid_back,
      count(*) filter (where outcome in ('withdrawn', 'for-owner')) as unfounded,
      percentile_cont(0.5) within group (order by extract(epoch from closed_at - reported_at) / 3600)
        filter (where lost_until = 'infinity') as hours
    from (
      select reported_at, case when closed_at < p_time then outcome end as outcome, closed_at,
        case when closed_at < p_time then lost_until end as lost_until
      from public.seat_problems where reported_at < p_time
    ) as problem
  ) as problems
$$;

-- The last complete day, for everybody. A count below 5 is null, because it would reveal too much about those few.
create function private.public_books()
returns table (
  day date, held numeric, owed numeric, going_back numeric, fees numeric, corrections numeric, outside numeric,
  total numeric, given_back numeric, seats bigint, wallets bigint, problems bigint, fixed bigint, paid_back bigint,
  unfounded bigint, hours_to_money numeric, checked_at timestamptz, balanced boolean
)
language sql stable security definer set search_path = '' as $$
  select day, held, owed, going_back, fees, corrections, outside, held + owed + going_back + fees + corrections + outside,
    given_back, case when seats >= 5 then seats end, case when wallets >= 5 then wallets end,
    case when problems >= 5 then problems end, case when fixed >= 5 then fixed end, case when paid_back >= 5 then paid_back end,
    case when unfounded >= 5 then unfounded end, case when paid_back >= 5 then hours_to_money end, checked_at, faults = 0
  from private.daily_books order by day desc limit 1
$$;
select private.publish('public_books', 'anon', 'authenticated');

revoke all on private.daily_books from public, anon, authenticated, service_role;

-- money/treasury.sql
-- The treasury: what admins see of everybody's coins, and the one change they make to a wallet. 1 coin is 1 euro. Totals are
-- computed here, in numeric, so that no figure adds up rounded ones. Moderators see no money.
create function private.require_treasurer() returns uuid
language plpgsql stable security definer set search_path = '' as $$
declare v_user uuid := private.require_user();
begin
  if not private.proven(private.may('users.edit')) then
    raise exception 'Only an admin can do this' using errcode = '42501';
  end if;
  return v_user;
end $$;

-- Withdrawals with who asked and who decided, newest first, optionally by status or person; the bank needs the full name.
create function private.list_withdrawals(
  p_limit integer default 50, p_offset integer default 0, p_status text default null, p_person uuid default null
)
returns table (
  id uuid, user_id uuid, display_name text, full_name text, avatar_url text, amount numeric, status text,
  requested_at timestamptz, processed_at timestamptz, completed_at timestamptz, rejection_reason text,
  stripe_transfer_id text, bank_account_last4 text, processed_by uuid, processed_by_name text, completed_by uuid,
  completed_by_name text, has_account boolean, payout_file_id bigint, returned_at timestamptz, return_reason text
)
language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_treasurer();
  return query
  select w.id, w.user_id, p.display_name, p.full_name, p.avatar_url, w.amount, w.status, w.requested_at, w.processed_at,
    w.completed_at, w.rejection_reason, w.stripe_transfer_id, w.bank_account_last4, w.processed_by, processed.display_name,
    w.completed_by, completed.display_name, w.bank_account_id is not null, private.payout_file_of(w.id), w.returned_at,
    w.return_reason
  from public.withdrawal_requests as w join public.user_profiles as p on p.user_id = w.user_id
  left join public.user_profiles as processed on processed.user_id = w.processed_by
  left join public.user_profiles as completed on completed.user_id = w.completed_by
  where (p_status is null or w.status = p_status) and (p_person is null or w.user_id = p_person)
  order by w.requested_at desc, w.id desc
  limit least(greatest(p_limit, 1), 100) offset greatest(p_offset, 0);
end $$;
select private.publish('list_withdrawals', 'authenticated');

-- The number of withdrawals of each status, and their coins; a status without any is a row of zeros.
create function private.withdrawal_statistics() returns table (status text, requests bigint, amount numeric)
language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_treasurer();
  return query
  select s.status, count(w.id), round(coalesce(sum(w.amount), 0), 2)
  from unnest(array['pending', 'processing', 'completed', 'rejected']) with ordinality as s (status, place)
  left join public.withdrawal_requests as w on w.status = s.status
  group by s.status, s.place order by s.place;
end $$;
select private.publish('withdrawal_statistics', 'authenticated');

-- The maximum length of the reason for a wallet adjustment.
create function private.longest_adjustment_reason() returns integer
language sql immutable return 480;

-- Adds to a wallet or takes from it, recording why and by whom, and tells its owner. As with withdrawals, nobody does it for
-- themselves; one adjustment is limited to what super-admins allow.
create function private.adjust_wallet(p_user_id uuid, p_amount numeric, p_reason text) returns public.coin_transactions
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_reason text := regexp_replace(coalesce(p_reason, ''), '^\s+|\s+$', '', 'g');
  v_ceiling numeric := (select adjustment_ceiling from public.app_settings);
  v_wallet public.user_wallets;
  v_site bigint;
  v_account bigint;
  v_transaction public.coin_transactions;
begin
  if private.require_treasurer() = p_user_id then
    raise exception 'Someone else adjusts your own wallet' using errcode = '42501';
  elsif p_amount is null or p_amount = 0 or p_amount <> round(p_amount, 2) or abs(p_amount) > private.most_coins() then
    raise exception 'Please enter a valid adjustment amount' using errcode = '23514';
  elsif v_reason = '' then
    raise exception 'An adjustment needs a reason' using errcode = '23514';
  elsif char_length(v_reason) > private.longest_adjustment_reason() then
    raise exception 'The reason can be at most % characters', private.longest_adjustment_reason() using errcode = '23514';
  end if;
  v_wallet := private.lock_wallet(p_user_id);
  if greatest(v_wallet.coin_balance, v_wallet.total_earned) + p_amount > private.most_coins() then
    raise exception 'Please enter a valid adjustment amount' using errcode = '23514';
  elsif abs(p_amount) > v_ceiling then
    raise exception 'One adjustment can move at most % coins', v_ceiling using errcode = '23514';
  end if;
  v_site := private.ledger_account('adjustments');
  v_account := private.ledger_account('wallet', p_user_id);
  perform private.transfer('adjustment:' || gen_random_uuid(),
    case when p_amount > 0 then v_site else v_account end, case when p_amount > 0 then v_account else v_site end,
    abs(p_amount), 'adjustment', p_description => 'Admin adjustment: ' || v_reason);
  select * into v_transaction from public.coin_transactions where user_id = p_user_id order by created_at desc limit 1;
  perform private.notify(p_user_id, 'info', 'Wallet Adjusted', format('%s coins were %s your wallet: %s',
    v_transaction.amount, case when p_amount > 0 then 'added to' else 'taken from' end, v_reason), null,
    'wallet-adjusted', jsonb_build_object('amount', p_amount, 'reason', v_reason));
  return v_transaction;
end $$;
select private.publish('adjust_wallet', 'authenticated');

-- All wallets in one row: coins in circulation, ever earned and ever withdrawn, earnings less withdrawals, circulation as a
-- percentage of withdrawals (of at least 1), and the movements of the last 30 days.
create function private.wallet_overview()
returns table (
  wallets bigint, circulation numeric, earned numeric, withdrawn numeric, net_flow numeric, coins_vs_withdrawals numeric,
  average numeric, recent_transactions bigint, recent_earned numeric, recent_spent numeric, recent_withdrawn numeric,
  recent_refunded numeric
)
language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_treasurer();
  return query
  with held as (
    select count(*) as wallets, coalesce(sum(w.coin_balance), 0) as circulation,
      coalesce(sum(w.total_earned), 0) as earned, coalesce(sum(w.total_withdrawn), 0) as withdrawn
    from public.user_wallets as w
  ), recent as (
    select count(*) as transactions,
      coalesce(sum(t.amount) filter (where t.transaction_type = 'earned'), 0) as earned,
      coalesce(sum(t.amount) filter (where t.transaction_type = 'spent'), 0) as spent,
      coalesce(sum(t.amount) filter (where t.transaction_type = 'withdrawn'), 0) as withdrawn,
      coalesce(sum(t.amount) filter (where t.transaction_type = 'refunded'), 0) as refunded
    from public.coin_transactions as t where t.created_at >= now() - interval '30 days'
  )
  select h.wallets, h.circulation, h.earned, h.withdrawn, h.earned - h.withdrawn,
    round(100 * h.circulation / greatest(h.withdrawn, 1), 1), round(h.circulation / greatest(h.wallets, 1), 2),
    r.transactions, r.earned, r.spent, r.withdrawn, r.refunded
  from held as h cross join recent as r;
end $$;
select private.publish('wallet_overview', 'authenticated');

-- How many coins moved in each direction in a day, in a week and ever.
create function private.transaction_statistics()
returns table (period text, transactions bigint, earned numeric, spent numeric, withdrawn numeric, refunded numeric)
language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_treasurer();
  return query
  select s.period, count(t.id),
    coalesce(sum(t.amount) filter (where t.transaction_type = 'earned'), 0),
    coalesce(sum(t.amount) filter (where t.transaction_type = 'spent'), 0),
    coalesce(sum(t.amount) filter (where t.transaction_type = 'withdrawn'), 0),
    coalesce(sum(t.amount) filter (where t.transaction_type = 'refunded'), 0)
  from (values ('1d', now() - interval '1 day', 1), ('7d', now() - interval '1 week', 2), ('all', '-infinity', 3))
    as s (period, since, place)
  left join public.coin_transactions as t on t.created_at >= s.since
  group by s.period, s.place order by s.place;
end $$;
select private.publish('transaction_statistics', 'authenticated');

-- How many coins moved in each direction on each of the last 30 days in UTC, oldest first.
create function private.coins_by_day()
returns table (day date, earned numeric, spent numeric, withdrawn numeric, refunded numeric)
language plpgsql stable security definer set search_path = '' as $$
declare v_today date := (now() at time zone 'utc')::date;
begin
  perform private.require_treasurer();
  return query
  select v_today - ago,
    coalesce(sum(t.amount) filter (where t.transaction_type = 'earned'), 0),
    coalesce(sum(t.amount) filter (where t.transaction_type = 'spent'), 0),
    coalesce(sum(t.amount) filter (where t.transaction_type = 'withdrawn'), 0),
    coalesce(sum(t.amount) filter (where t.transaction_type = 'refunded'), 0)
  from generate_series(29, 0, -1) as ago
  left join public.coin_transactions as t
    on t.created_at >= (v_today - ago)::timestamp at time zone 'utc'
    and t.created_at < (v_today - ago + 1)::timestamp at time zone 'utc'
  group by ago order by ago desc;
end $$;
select private.publish('coins_by_day', 'authenticated');

-- plans/browse.sql
-- How many active public plans there are of each catalogue plan, and how many of those have a place. Triggers maintain it,
-- because counting a hundred thousand plans for everybody who browses is too slow.
create table private.plan_counts (
  category text not null,
  provider text not null,
  name text not null,
  plans integer not null,
  open integer not null,
  primary key (category, provider, name)
);
alter table private.plan_counts enable row level security;

-- Adds a plan to the counts, or takes it out with -1.
create function private.count_plan(p_plan public.shared_subscriptions, p_change integer) returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  insert into private.plan_counts as kept (category, provider, name, plans, open)
  select p_plan.category, p_plan.provider, p_plan.name, p_change,
    case when p_plan.current_members < p_plan.owner_max_members then p_change else 0 end
  where p_plan.status = 'active' and not p_plan.is_private
  on conflict (category, provider, name)
  do update set plans = kept.plans + excluded.plans, open = kept.open + excluded.open;
end $$;

create function private.tg_shared_subscriptions__tally() returns trigger
language plpgsql volatile security definer set search_path = '' as $$
begin
  if tg_op <> 'INSERT' then perform private.count_plan(old, -1); end if;
  if tg_op <> 'DELETE' then perform private.count_plan(new, 1); end if;
  return null;
end $$;
create trigger tally after insert or delete on public.shared_subscriptions
  for each row execute function private.tg_shared_subscriptions__tally();
-- Most changes leave the counts alone, and must not wait for others who share the same plan.
create trigger tally_changes after update on public.shared_subscriptions
  for each row when (
    (old.category, old.provider, old.name, old.status, old.is_private, old.current_members < old.owner_max_members)
    is distinct from (new.category, new.provider, new.name, new.status, new.is_private, new.current_members < new.owner_max_members)
  ) execute function private.tg_shared_subscriptions__tally();

-- The counts by category, provider and plan, without closed providers and without plans whose owner has blocked the caller.
-- Everybody may see them, like the marketplace.
create function private.plan_counts()
returns table (category text, provider text, name text, plans integer, open integer)
language sql stable security definer set search_path = '' as $$
  select c.category, c.provider, c.name, c.plans - coalesce(apart.plans, 0)::integer, c.open - coalesce(apart.open, 0)::integer
  from private.plan_counts as c
  left join (
    select p.category, p.provider, p.name, count(*) as plans, count(*) filter (where not p.is_full) as open
    from public.shared_subscriptions as p
    where p.owner_id = any ((select private.blocked_by())::uuid[]) and p.status = 'active' and not p.is_private group by 1, 2, 3
  ) as apart using (category, provider, name)
  where c.plans > coalesce(apart.plans, 0) and c.provider not in (select closed.provider from public.closed_providers as closed)
$$;

-- What the browse screen offers before a plan is chosen.
create function public.count_available_plans()
returns table (category text, provider text, plans bigint, open bigint)
language sql stable set search_path = '' as $$
  select category, provider, sum(plans), sum(open) from private.plan_counts() group by category, provider
$$;
select private.publish('count_available_plans', 'anon', 'authenticated');

-- How many places of these active plans are kept for others than the caller; plans without any are left out. A plan with no
-- other place is as good as full. Looked up per page rather than stored, because kept places expire by time alone.
create function private.count_kept_places(p_subscription_ids text[]) returns table (subscription_id text, kept integer)
language sql stable security definer set search_path = '' as $$
  select plan.id, others.places
  from public.shared_subscriptions as plan
  cross join lateral private.places_for_others(plan, private.email_of((select auth.uid()))) as others (places)
  where plan.id = any (p_subscription_ids) and private.may_find(plan) and others.places > 0
    and (select auth.uid()) is not null
$$;
select private.publish('count_kept_places', 'authenticated');

create index shared_subscriptions_offer_idx
  on public.shared_subscriptions (category, provider, name, is_full, created_at desc, id desc) where status = 'active';

-- Active plans whose provider and name together contain the text, ignoring case: those with a place, with p_full those without,
-- with p_instant only instant ones; newest first, at most 100. A page continues after the time and id of the last plan. The
-- text is matched against the few dozen names that are shared, then an index gives the newest plans of each: row-level security
-- keeps a text condition on plans from using an index.
create function public.search_plans(
  p_search text,
  p_category text default null,
  p_provider text default null,
  p_before timestamptz default 'infinity',
  p_before_id text default '',
  p_limit integer default 20,
  p_full boolean default false,
  p_instant boolean default false
) returns setof public.shared_subscriptions
language sql stable set search_path = '' as $$
  select plan.*
  from private.plan_counts() as offer cross join lateral (
    select * from public.shared_subscriptions as one
    where one.status = 'active' and not one.is_private
      and one.category = offer.category and one.provider = offer.provider and one.name = offer.name
      and one.is_full = p_full and (one.instant_from is not null or not p_instant) and (one.created_at, one.id) < (p_before, p_before_id)
    order by one.created_at desc, one.id desc
    limit least(greatest(p_limit, 1), 100)
  ) as plan
  where strpos(lower(offer.provider || ' ' || offer.name), lower(p_search)) > 0
    and (p_category is null or offer.category = p_category)
    and (p_provider is null or offer.provider = p_provider)
  order by plan.created_at desc, plan.id desc
  limit least(greatest(p_limit, 1), 100)
$$;
select private.publish('search_plans', 'authenticated');

grant execute on function private.plan_counts() to anon, authenticated;

-- plans/marketplace.sql
-- The marketplace: what everybody, signed in or not, may see of shared plans. Owners appear with their first name, members only
-- as taken places, and private plans not at all.

-- The cheapest plan with a place, by name.
create index shared_subscriptions_cheapest_idx
  on public.shared_subscriptions (category, provider, name, monthly_cost, created_at desc, id desc)
  where status = 'active' and not is_private and not is_full;
-- Whether any plan of a name is paid this way.
create index shared_subscriptions_settlement_idx on public.shared_subscriptions (category, provider, name, settlement)
  where status = 'active' and not is_private and not is_full;

-- People the acting user has blocked or been blocked by: neither finds the other's plans in lists. Empty for a visitor.
create function private.people_apart() returns uuid[]
language plpgsql stable security definer set search_path = '' as $$
declare v_user uuid := auth.uid();
begin
  return array(
    select case user_id when v_user then blocked_id else user_id end from public.blocked_people where v_user in (user_id, blocked_id)
  );
end $$;

-- The cards of these plans, in the order given. The caller has checked that they may be seen.
create function private.market_cards(p_ids text[]) returns jsonb
language sql stable security definer set search_path = '' as $$
  with wanted as (
    select plan as p, nth from unnest(p_ids) with ordinality as list (id, nth)
    join public.shared_subscriptions as plan on plan.id = list.id
  ), owners as materialized (
    select f.user_id, private.level_of(f.days_here, f.hours_given, f.paid_on_time, f.paid_late, f.problems, f.answer_minutes) as level
    from private.standing_facts(array(select distinct (p).owner_id from wanted)) as f
  )
  select coalesce(jsonb_agg(jsonb_build_object(
    'id', (p).id, 'provider', (p).provider, 'name', (p).name, 'category', (p).category, 'currency', (p).currency,
    'totalPrice', (p).total_price, 'memberPrice', (p).member_price, 'cycle', (p).billing_cycle, 'settlement', (p).settlement,
    'feeRate', (p).fee_rate, 'monthlyCost', (p).monthly_cost, 'currentMembers', (p).current_members, 'ownerMaxMembers', (p).owner_max_members,
    'kept', (p).kept_places, 'instantFrom', (p).instant_from, 'nextPayment', (p).next_payment, 'createdAt', (p).created_at,
    'ownerId', person.user_id, 'ownerName', private.first_name(person.display_name), 'ownerAvatarUrl', person.avatar_url,
    'ownerSince', person.created_at, 'ownerLevel', owners.level, 'ownerRating', rated.rating, 'ownerReviewers', rated.reviewers
  ) order by nth), '[]')
  from wanted join owners on owners.user_id = (p).owner_id
  join public.user_profiles as person on person.user_id = (p).owner_id
  cross join lateral private.rating_of(person.user_id) as rated
$$;

-- Owners of findable plans at this level of standing or a higher one. A person without any facts is New, so everybody above New
-- is in known_facts or fact_changes.
create function private.owners_from_level(p_level text) returns uuid[]
language sql stable security definer set search_path = '' as $$
  select array(
    select f.user_id from private.standing_levels() as l cross join private.standing_facts(array(
      select u.user_id from (
        select k.user_id from private.known_facts as k union select c.user_id from private.fact_changes as c
      ) as u where exists (
        select from public.shared_subscriptions as p
        where p.owner_id = u.user_id and p.status = 'active' and not p.is_private and not p.is_full)
    )) as f
    where l.level = p_level and private.is_enough(f.days_here, f.hours_given, f.paid_on_time, f.paid_late, f.problems,
      f.answer_minutes, l.days_here, l.hours_given, l.paid_on_time, l.most_paid_late, l.most_problems, l.most_answer_hours)
  )
$$;

-- Active plans with a place, at most 100: newest first, or with p_cheapest cheapest first. Null filters are ignored: text in
-- provider and name together, ignoring case; category; provider; monthly cost in EUR at most, with the fee; how it is paid; the
-- owner's level at least. With p_instant only instant plans. A page continues after the cost (null without p_cheapest), time
-- and id of the last plan. The filters first narrow the few dozen names that are shared; an index then gives the first plans of
-- each, and one index lookup rules out a name with no plan cheap enough or paid this way. It is planned on every call, because
-- the filters decide the index, and sorting within a name is off, because the planner underestimates the plans of a name and
-- would read and sort them all.
create function private.market_plan_ids(
  p_search text, p_category text, p_provider text, p_most numeric, p_settlement text, p_level text, p_instant boolean, p_cheapest boolean,
  p_above numeric, p_before timestamptz, p_before_id text, p_limit integer
) returns text[]
language plpgsql stable security definer set search_path = '' set plan_cache_mode = 'force_custom_plan' set enable_sort = off set jit = off as $$
declare
  v_apart uuid[] := private.people_apart();
  v_owners uuid[] := case when p_level <> 'new' then private.owners_from_level(p_level) end;
  v_limit integer := least(greatest(p_limit, 1), 100);
  v_search text := nullif(btrim(lower(p_search)), '');
begin
  return array(
    select plan.id from private.plan_counts() as offer cross join lateral (
      select one.id, one.monthly_cost, one.created_at from public.shared_subscriptions as one
      where one.status = 'active' and not one.is_private and not one.is_full
        and one.category = offer.category and one.provider = offer.provider and one.name = offer.name
        and one.current_members + one.kept_places < one.owner_max_members
        and (p_most is null or one.monthly_cost <= p_most) and (p_settlement is null or one.settlement = p_settlement)
        and (v_owners is null or one.owner_id = any (v_owners)) and (not p_instant or one.instant_from is not null)
        and one.owner_id <> all (v_apart)
        and (p_above is null or one.monthly_cost >= p_above)
        and (one.monthly_cost > p_above or (one.created_at, one.id) < (p_before, p_before_id))
      order by case when p_cheapest then one.monthly_cost end, one.created_at desc, one.id desc limit v_limit
    ) as plan
    where (v_search is null or strpos(lower(offer.provider || ' ' || offer.name), v_search) > 0)
      and (p_category is null or offer.category = p_category) and (p_provider is null or offer.provider = p_provider)
      and (p_most is null or (
        select true from public.shared_subscriptions as one
        where one.status = 'active' and not one.is_private and not one.is_full
          and one.category = offer.category and one.provider = offer.provider and one.name = offer.name
          and one.monthly_cost <= p_most limit 1))
      and (p_settlement is null or (
        select true from public.shared_subscriptions as one
        where one.status = 'active' and not one.is_private and not one.is_full
          and one.category = offer.category and one.provider = offer.provider and one.name = offer.name
          and one.settlement = p_settlement limit 1))
    order by case when p_cheapest then plan.monthly_cost end, plan.created_at desc, plan.id desc limit v_limit
  );
end $$;

create function private.market_plans(
  p_search text default null, p_category text default null, p_provider text default null, p_most numeric default null,
  p_settlement text default null, p_level text default null, p_instant boolean default false, p_cheapest boolean default false,
  p_above numeric default null, p_before timestamptz default 'infinity', p_before_id text default '', p_limit integer default 24
) returns jsonb
language sql stable security definer set search_path = '' as $$
  select private.market_cards(private.market_plan_ids(
    p_search, p_category, p_provider, p_most, p_settlement, p_level, p_instant, p_cheapest, p_above, p_before, p_before_id, p_limit))
$$;
select private.publish('market_plans', 'anon', 'authenticated');

-- One plan, full or not, with its monthly cost, if the acting user or a visitor may find it; otherwise null.
create function private.market_plan(p_id text) returns jsonb
language sql stable security definer set search_path = '' as $$
  select private.market_cards(array[p.id]) -> 0 || jsonb_build_object('quote', private.quote_of(p),
    'offered', p.provider not in (select c.provider from public.closed_providers as c))
  from public.shared_subscriptions as p
  where p.id = p_id and private.may_find(p)
$$;
select private.publish('market_plan', 'anon', 'authenticated');

-- Title, heading, description and picture of a public page, for first sight, search engines and link previews; null for any
-- other page. A plan that a visitor cannot find answers as if it did not exist. The web build draws pictures for shipped
-- providers; pages of providers added by staff keep the general one.
create function private.page_head(p_path text) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  v_id text := substring(p_path from '^/plans/(sub-[0-9a-z-]+)/?$');
  v_card jsonb;
  v_free integer;
begin
  if p_path ~ '^/plans/?$' then
    return jsonb_build_object('title', 'Plans to join · Potluck',
      'description', 'Streaming, music, gaming and software plans people share, with a place for you and the whole price beside it.');
  elsif p_path ~ '^/people/' then
    -- For people, not for search engines.
    v_card := private.get_person(substring(p_path from '^/people/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})/?$')::uuid);
    return jsonb_build_object('title', coalesce(v_card ->> 'name', 'There is nobody here') || ' · Potluck', 'status', 200,
      'description', 'Who shares a plan here, how far they can be relied on, and what others say of them.');
  elsif p_path !~ '^/plans/' then
    return null;
  end if;
  v_card := private.market_plan(v_id);
  if v_card is null then
    return jsonb_build_object('title', 'This plan is not here · Potluck', 'heading', 'This plan is not here', 'status', 404,
      'description', 'Its owner may have ended it or made it private. Others have a place for you.');
  end if;
  v_free := greatest((v_card ->> 'ownerMaxMembers')::integer - (v_card ->> 'currentMembers')::integer - (v_card ->> 'kept')::integer, 0);
  return jsonb_build_object(
    'title', format('%s %s for €%s a month · Potluck', v_card ->> 'provider', v_card ->> 'name', v_card ->> 'monthlyCost'),
    'heading', format('%s %s', v_card ->> 'provider', v_card ->> 'name'),
    'description', format('%s shares it: %s of %s places open, €%s a month all in.', v_card ->> 'ownerName', v_free,
      v_card ->> 'ownerMaxMembers', v_card ->> 'monthlyCost'),
    'image', (
      select jsonb_build_object('path', format('/share/%s.png', provider ->> 'id'),
        'alt', format('The mark of %s and a clay pot: Share %1$s. Split the cost.', provider ->> 'name'))
      from jsonb_array_elements(private.catalogue()) as provider where provider ->> 'name' = v_card ->> 'provider' limit 1
    ));
end $$;
select private.publish('page_head', 'anon', 'authenticated');

-- The addresses for search engines: the public pages, and the newest plans with a place, up to the limit of one sitemap.
create function private.site_paths() returns setof text
language sql stable security definer set search_path = '' as $$
  select unnest(array['/', '/plans', '/about', '/books', '/privacy', '/terms'])
  union all
  (select '/plans/' || id from public.shared_subscriptions
  where status = 'active' and not is_private and not is_full and provider not in (select c.provider from public.closed_providers as c)
    and owner_id <> all ((select private.blocked_by())::uuid[])
  order by created_at desc, id desc limit 49900)
$$;
select private.publish('site_paths', 'anon', 'authenticated');

-- staff/staff_log.sql
-- What staff did, line by line, for super-admins. Each line has a hash of itself and of the line before, so that changing or
-- removing one breaks the chain; each day's last hash is mailed to super-admins, so that rewriting the whole chain shows too.
-- People are named by their ids.
create table private.staff_log (
  line bigint primary key,
  at timestamptz not null,
  -- Who did it; null for the server, as when a role is granted on the command line.
  actor uuid,
  action text not null,
  -- The id of the person or thing it was done to.
  subject text not null,
  details jsonb not null,
  previous_hash text not null,
  hash text not null
);
-- The ids in a line: people, and a few other things.
create function private.ids_logged(p_subject text, p_details jsonb) returns text[]
language sql immutable set search_path = '' as $$
  select array(
    select named.id from (select p_subject as id union all select value from jsonb_each_text(p_details)) as named
    where length(named.id) = 36)
$$;
create index staff_log_ids_idx on private.staff_log using gin (private.ids_logged(subject, details));
-- The end of the log. Writers lock it, so that lines follow each other.
create table private.staff_log_end (
  id boolean primary key default true check (id),
  line bigint not null default 0,
  hash text not null default ''
);
insert into private.staff_log_end default values;
-- The hashes that were mailed, by day.
create table private.staff_log_days (
  day date primary key,
  line bigint not null,
  hash text not null
);
alter table private.staff_log enable row level security;
alter table private.staff_log_end enable row level security;
alter table private.staff_log_days enable row level security;

create function private.tg_staff_log__keep() returns trigger
language plpgsql volatile set search_path = '' as $$
begin
  raise exception 'The log of staff is never rewritten' using errcode = '42501';
end $$;
create trigger keep before update or delete or truncate on private.staff_log
  for each statement execute function private.tg_staff_log__keep();

create function private.staff_log_hash(p_line private.staff_log) returns text
language sql immutable set search_path = '' as $$
  select encode(sha256(convert_to(jsonb_build_array(p_line.previous_hash, p_line.line,
    to_char(p_line.at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.US'), p_line.actor, p_line.action, p_line.subject,
    p_line.details)::text, 'UTF8')), 'hex')
$$;

-- Records what the acting user has just done, in the same transaction.
create function private.log_staff(p_action text, p_subject text, p_details jsonb default '{}') returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_end private.staff_log_end;
  v_line private.staff_log;
begin
  select * into v_end from private.staff_log_end for update;
  v_line := row(v_end.line + 1, clock_timestamp(), auth.uid(), p_action, p_subject, jsonb_strip_nulls(p_details), v_end.hash, '');
  v_line.hash := private.staff_log_hash(v_line);
  insert into private.staff_log select v_line.*;
  update private.staff_log_end set line = v_line.line, hash = v_line.hash;
end $$;

create function private.tg_user_roles__log_staff() returns trigger
language plpgsql volatile security definer set search_path = '' as $$
begin
  perform private.log_staff(
    case tg_op when 'INSERT' then 'role given' when 'DELETE' then 'role taken' else 'role changed' end,
    coalesce(new.user_id, old.user_id)::text, jsonb_build_object('before', old.role, 'after', new.role));
  return null;
end $$;
create trigger log_staff after insert or delete on public.user_roles
  for each row execute function private.tg_user_roles__log_staff();
create trigger log_staff_change after update on public.user_roles
  for each row when (old.role <> new.role) execute function private.tg_user_roles__log_staff();

create function private.tg_system_roles__log_staff() returns trigger
language plpgsql volatile security definer set search_path = '' as $$
begin
  perform private.log_staff(case tg_op when 'INSERT' then 'role defined' else 'role edited' end, new.id,
    jsonb_build_object('before', to_jsonb(old) - 'id' - 'created_at', 'after', to_jsonb(new) - 'id' - 'created_at'));
  return null;
end $$;
create trigger log_staff after insert or update on public.system_roles
  for each row execute function private.tg_system_roles__log_staff();

create function private.tg_app_settings__log_staff() returns trigger
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_before jsonb := to_jsonb(old) - 'updated_at' - 'updated_by';
  v_after jsonb := to_jsonb(new) - 'updated_at' - 'updated_by';
begin
  if v_before <> v_after then
    perform private.log_staff('settings changed', 'settings', jsonb_build_object('before', v_before, 'after', v_after));
  end if;
  return null;
end $$;
create trigger log_staff after update on public.app_settings
  for each row execute function private.tg_app_settings__log_staff();

create function private.tg_closed_providers__log_staff() returns trigger
language plpgsql volatile security definer set search_path = '' as $$
begin
  perform private.log_staff(case tg_op when 'INSERT' then 'provider switched off' else 'provider switched on' end,
    coalesce(new.provider, old.provider), jsonb_build_object('reason', new.reason));
  return null;
end $$;
create trigger log_staff after insert or delete on public.closed_providers
  for each row execute function private.tg_closed_providers__log_staff();

-- People may cancel what they asked for; any other change of a plan's review is a decision.
create function private.tg_shared_subscriptions__log_staff() returns trigger
language plpgsql volatile security definer set search_path = '' as $$
begin
  perform private.log_staff('plan ' || case new.status when 'active' then 'approved' else new.status end, new.id,
    jsonb_build_object('before', old.status, 'owner', new.owner_id));
  return null;
end $$;
create trigger log_staff after update of status on public.shared_subscriptions
  for each row when (old.status in ('pending', 'rejected') and old.status <> new.status)
  execute function private.tg_shared_subscriptions__log_staff();

create function private.tg_seat_reviews__log_staff() returns trigger
language plpgsql volatile security definer set search_path = '' as $$
begin
  perform private.log_staff(case when new.hidden_reason is null then 'review left' else 'review hidden' end, new.id::text,
    jsonb_build_object('author', new.author_id, 'about', new.subject_id, 'reason', new.hidden_reason));
  return null;
end $$;
create trigger log_staff after update of decided_at on private.seat_reviews
  for each row when (old.decided_at is null and new.decided_at is not null)
  execute function private.tg_seat_reviews__log_staff();

create function private.tg_person_reports__log_staff() returns trigger
language plpgsql volatile security definer set search_path = '' as $$
begin
  perform private.log_staff('report closed', new.person_id::text,
    jsonb_build_object('reporter', new.reporter_id, 'reason', new.reason, 'finding', new.finding));
  return null;
end $$;
create trigger log_staff after update of decided_at on private.person_reports
  for each row when (old.decided_at is null and new.decided_at is not null)
  execute function private.tg_person_reports__log_staff();

create function private.tg_provider_requests__log_staff() returns trigger
language plpgsql volatile security definer set search_path = '' as $$
begin
  perform private.log_staff('provider request ' || new.status, new.id::text,
    jsonb_build_object('provider', new.provider_name, 'asked_by', new.user_id));
  return null;
end $$;
create trigger log_staff after update of status on public.provider_requests
  for each row when (old.status <> new.status) execute function private.tg_provider_requests__log_staff();

create function private.tg_admin_role_requests__log_staff() returns trigger
language plpgsql volatile security definer set search_path = '' as $$
begin
  perform private.log_staff('access request ' || new.status, new.user_id::text, '{}');
  return null;
end $$;
create trigger log_staff after update of status on public.admin_role_requests
  for each row when (old.status <> new.status) execute function private.tg_admin_role_requests__log_staff();

create function private.tg_withdrawal_requests__log_staff() returns trigger
language plpgsql volatile security definer set search_path = '' as $$
begin
  perform private.log_staff('withdrawal ' || new.status, new.user_id::text, jsonb_build_object(
    'withdrawal', new.id, 'before', old.status, 'amount', round(new.amount, 2), 'reason', new.rejection_reason));
  return null;
end $$;
create trigger log_staff after update of status on public.withdrawal_requests
  for each row when (old.status <> new.status) execute function private.tg_withdrawal_requests__log_staff();

create function private.tg_seat_problems__log_staff() returns trigger
language plpgsql volatile security definer set search_path = '' as $$
begin
  perform private.log_staff('problem decided ' || new.outcome, new.id::text,
    jsonb_build_object('owner', new.owner_id, 'member', new.member_id, 'reason', new.decision));
  return null;
end $$;
create trigger log_staff after update of status on public.seat_problems
  for each row when (new.status = 'closed' and old.status <> 'closed' and new.decided_by is not null)
  execute function private.tg_seat_problems__log_staff();

create function private.tg_ledger_transfers__log_staff() returns trigger
language plpgsql volatile security definer set search_path = '' as $$
begin
  perform private.log_staff('wallet adjusted', new.person_id::text, jsonb_build_object(
    'amount', case when new.to_account = private.ledger_account('adjustments') then -new.amount else new.amount end,
    'reason', new.description, 'transfer', new.id));
  return null;
end $$;
create trigger log_staff after insert on private.ledger_transfers
  for each row when (new.kind = 'adjustment') execute function private.tg_ledger_transfers__log_staff();

create function private.tg_users__log_staff() returns trigger
language plpgsql volatile security definer set search_path = '' as $$
begin
  perform private.log_staff(case when new.banned_until is null then 'account let in again' else 'account banned' end,
    new.id::text, jsonb_build_object('until', new.banned_until));
  return null;
end $$;
create trigger log_staff after update of banned_until on auth.users
  for each row when (old.banned_until is distinct from new.banned_until) execute function private.tg_users__log_staff();

-- Faults in the log; no row if there are none. p_hash, from a mail, must be the hash of some line.
create function private.check_staff_log(p_hash text default null) returns table (line bigint, fault text)
language sql stable security definer set search_path = '' as $$
  select l.line, 'This line has been changed' from private.staff_log as l
  where l.hash <> private.staff_log_hash(l)
  union all
  select chained.line, 'A line before this one is missing or another one' from (
    select l.line, l.previous_hash, lag(l.line, 1, 0::bigint) over lines as before, lag(l.hash, 1, '') over lines as hash_before
    from private.staff_log as l window lines as (order by l.line)
  ) as chained where chained.line <> chained.before + 1 or chained.previous_hash <> chained.hash_before
  union all
  select e.line, 'The log does not reach its last line, or goes on after it' from private.staff_log_end as e
  left join (select l.line, l.hash from private.staff_log as l order by l.line desc limit 1) as last on true
  where (e.line, e.hash) is distinct from (coalesce(last.line, 0), coalesce(last.hash, ''))
  union all
  select d.line, 'The hash mailed for ' || d.day || ' is no longer that of this line' from private.staff_log_days as d
  where not exists (select from private.staff_log as l where (l.line, l.hash) = (d.line, d.hash))
  union all
  select null, 'The hash from the mail is that of no line' where p_hash is not null
    and not exists (select from private.staff_log as l where l.hash = lower(btrim(p_hash)))
$$;

-- The lines that name a person, as subject or in the details: what was done to them or to something of theirs.
create function private.log_about(p_person_id uuid) returns setof private.staff_log
language sql stable set search_path = '' as $$
  select l.* from private.staff_log as l where private.ids_logged(l.subject, l.details) @> array[p_person_id::text]
$$;

-- Lines before p_before, newest first, optionally about one person; people and plans have names. Super-admins only.
create function private.list_staff_log(p_before bigint default null, p_limit integer default 50, p_person uuid default null)
returns table (
  line bigint, at timestamptz, actor uuid, actor_name text, action text, subject text, subject_name text, details jsonb,
  hash text
)
language plpgsql stable security definer set search_path = '' as $$
begin
  if not private.proven(private.may('roles.manage')) then
    raise exception 'Only a super-admin reads the log of staff' using errcode = '42501';
  end if;
  -- Built with or without the person, because one statement for both would fit no index.
  return query execute format($query$
    with page as (
      select l.* from %s as l where l.line < $1 order by l.line desc limit $2
    )
    select page.line, page.at, page.actor, actor.display_name, page.action, page.subject,
      coalesce(person.display_name, plan.provider || ' ' || plan.name), page.details, page.hash
    from page left join public.user_profiles as actor on actor.user_id = page.actor
    left join public.user_profiles as person
      on person.user_id = case when page.subject ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then page.subject::uuid end
    left join public.shared_subscriptions as plan on plan.id = page.subject
    order by page.line desc
  $query$, case when p_person is null then 'private.staff_log' else 'private.log_about($3)' end)
  using coalesce(p_before, 9223372036854775807), least(greatest(p_limit, 1), 100), p_person;
end $$;
select private.publish('list_staff_log', 'authenticated');

-- Closes yesterday, in UTC, once: publishes the day's books and mails the log's last hash to super-admins.
create function private.close_day() returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_midnight timestamptz := date_trunc('day', private.now() at time zone 'utc') at time zone 'utc';
  v_day date := (v_midnight at time zone 'utc')::date - 1;
  v_books private.daily_books;
  v_last private.staff_log;
begin
  -- Two clocks running at once must close the day once.
  perform pg_advisory_xact_lock(hashtext('close day'));
  if exists (select from private.daily_books where day = v_day) then return; end if;
  v_books := private.books_at(v_midnight);
  insert into private.daily_books select v_books.*;
  select * into v_last from private.staff_log as l where l.at < v_midnight order by l.line desc limit 1;
  if not found then return; end if;
  insert into private.staff_log_days (day, line, hash) values (v_day, v_last.line, v_last.hash);
  perform private.send_mail(account.email, format('The log of staff up to %s', to_char(v_day, 'FMDD FMMonth YYYY')),
    private.mail_page('The log of staff', array[
      format('Line %s is the last one of %s. Its hash is', v_last.line, to_char(v_day, 'FMDD FMMonth YYYY')),
      v_last.hash,
      'Keep this mail: "npm run admin -- check-log <hash>" finds out whether any line up to it was changed or taken out.',
      case when v_books.faults = 0 then 'The books balance.' else format('The books have %s faults: "npm run admin -- check-books" names them.', v_books.faults) end
    ], 'Read the log', '/admin/log', 'Super-admins get this mail every day.', 'It cannot be ended while you are one.'),
    p_event => 'staff-log-day', p_params => jsonb_build_object('day', v_day, 'line', v_last.line, 'hash', v_last.hash, 'faults', v_books.faults))
  from public.user_roles as held join auth.users as account on account.id = held.user_id
  where held.role = 'super-admin' and account.deleted_at is null and private.is_mailable(account.email);
end $$;

revoke all on private.staff_log, private.staff_log_end, private.staff_log_days from public, anon, authenticated, service_role;

-- staff/staff_person.sql
-- A person's page for staff: everything the reader's role shows elsewhere about one person. Each part needs the same permission
-- as its own list, and is null without it. It opens no plan and shows no bank account.

-- Names and pictures are for everybody signed in; roles and suspensions for staff who see accounts; addresses for admins.
create function private.staff_person_account(p_person_id uuid) returns jsonb
language sql stable security definer set search_path = '' as $$
  select jsonb_build_object(
    'id', u.id, 'avatarUrl', profile.avatar_url, 'since', coalesce(u.created_at, 'epoch'), 'endedAt', u.deleted_at,
    'name', coalesce(profile.display_name, case when private.may('users.view') then nullif(split_part(u.email, '@', 1), '') end, 'Unknown'),
    'email', case when private.may('users.edit') then u.email end,
    'role', case when private.may('users.view') then held.role end,
    'suspendedUntil', case when private.may('users.view') and u.banned_until > now() then u.banned_until end)
  from auth.users as u left join public.user_profiles as profile on profile.user_id = u.id
  left join public.user_roles as held on held.user_id = u.id
  where u.id = p_person_id
$$;

-- The plans they share, newest first.
create function private.staff_person_plans(p_person_id uuid) returns jsonb
language sql stable security definer set search_path = '' as $$
  select coalesce(jsonb_agg(jsonb_build_object(
    'id', p.id, 'name', p.provider || ' ' || p.name, 'status', p.status, 'isPrivate', p.is_private, 'settlement', p.settlement,
    'members', p.current_members, 'places', p.owner_max_members, 'monthlyCost', p.monthly_cost, 'createdAt', p.created_at
  ) order by p.created_at desc, p.id), '[]')
  from public.shared_subscriptions as p where p.owner_id = p_person_id having private.may('subscriptions.view')
$$;

-- The wallet, movements by kind, open withdrawals and disputes, and the last payment for each of their places.
create function private.staff_person_money(p_person_id uuid) returns jsonb
language sql stable security definer set search_path = '' as $$
  select jsonb_build_object(
    'balance', coalesce((select w.coin_balance from public.user_wallets as w where w.user_id = p_person_id), 0.00),
    'moved', (
      select coalesce(jsonb_agg(to_jsonb(m) order by m.last desc), '[]') from (
        select t.kind, count(*) as transfers, sum(t.amount) as amount, max(t.created_at) as last
        from private.ledger_transfers as t where t.person_id = p_person_id group by t.kind
      ) as m),
    'withdrawals', (
      select jsonb_build_object('all', count(*), 'waiting', count(*) filter (where w.status in ('pending', 'processing')))
      from public.withdrawal_requests as w where w.user_id = p_person_id),
    'disputes', (
      select jsonb_build_object('all', count(*), 'open', count(*) filter (where d.closed_at is null))
      from public.payment_disputes as d where p_person_id in (d.member_id, d.owner_id)),
    'places', (
      select coalesce(jsonb_agg(jsonb_build_object('seatId', place.seat_id, 'planName', place.plan_name,
        'ownerId', place.owner_id, 'ownerName', owner.display_name, 'settlement', place.settlement, 'amount', place.amount,
        'number', place.number, 'status', place.status, 'dueAt', place.due_at, 'returned', place.returned_share + place.returned_fee)
        order by place.due_at desc, place.seat_id), '[]')
      from (
        select distinct on (m.seat_id) m.* from public.member_payments as m
        where m.member_id = p_person_id order by m.seat_id, m.number desc
      ) as place join public.user_profiles as owner on owner.user_id = place.owner_id))
  where private.may('users.edit') and private.may_act_as_staff()
$$;

-- Problems with a place of theirs or one they give, latest first.
create function private.staff_person_problems(p_person_id uuid) returns jsonb
language sql stable security definer set search_path = '' as $$
  select coalesce(jsonb_agg(jsonb_build_object(
    'id', p.id, 'planName', p.plan_name, 'reason', p.reason, 'reportedAt', p.reported_at, 'turn', p.status,
    'isOwner', p.owner_id = p_person_id, 'fault', p.fault,
    'otherId', other.user_id, 'otherName', other.display_name
  ) order by p.reported_at desc, p.id), '[]')
  from (
    select * from public.seat_problems as one where p_person_id in (one.owner_id, one.member_id)
    order by one.reported_at desc, one.id limit 50
  ) as p
  join public.user_profiles as other on other.user_id = case p_person_id when p.owner_id then p.member_id else p.owner_id end
  having private.may('users.edit') and private.may_act_as_staff()
$$;

-- Reports about them and by them, decided or not; nobody reads reports they wrote or that are about them.
create function private.staff_person_reports(p_person_id uuid) returns jsonb
language sql stable security definer set search_path = '' as $$
  select coalesce(jsonb_agg(jsonb_build_object(
    'id', r.id, 'isAbout', r.person_id = p_person_id, 'otherId', other.user_id, 'otherName', other.display_name,
    'reason', r.reason, 'reportedAt', r.reported_at, 'decidedAt', r.decided_at, 'finding', r.finding
  ) order by r.reported_at desc, r.id), '[]')
  from (
    select * from private.person_reports as one
    where p_person_id in (one.person_id, one.reporter_id)
      and one.person_id <> (select auth.uid()) and one.reporter_id is distinct from (select auth.uid())
    order by one.reported_at desc, one.id limit 50
  ) as r
  left join public.user_profiles as other
    on other.user_id = case p_person_id when r.person_id then r.reporter_id else r.person_id end
  having private.may('subscriptions.approve')
$$;

-- What staff did to them or to something of theirs, latest first.
create function private.staff_person_log(p_person_id uuid) returns jsonb
language sql stable security definer set search_path = '' as $$
  select coalesce(jsonb_agg(jsonb_build_object(
    'line', l.line, 'at', l.at, 'actor', l.actor, 'actorName', actor.display_name, 'action', l.action,
    'reason', coalesce(l.details ->> 'finding', l.details ->> 'reason')
  ) order by l.line desc), '[]')
  from (
    select * from private.log_about(p_person_id) as one order by one.line desc limit 20
  ) as l left join public.user_profiles as actor on actor.user_id = l.actor
  having private.may('roles.manage') and private.may_act_as_staff()
$$;

-- Null if there is no such person. `needsProof` says that the role shows more after a stronger sign-in.
create function private.get_staff_person(p_person_id uuid) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_user();
  if not private.is_staff() then
    raise exception 'Only staff sees what there is about a person' using errcode = '42501';
  end if;
  return private.staff_person_account(p_person_id) || jsonb_build_object(
    'plans', private.staff_person_plans(p_person_id), 'money', private.staff_person_money(p_person_id),
    'problems', private.staff_person_problems(p_person_id), 'reports', private.staff_person_reports(p_person_id),
    'log', private.staff_person_log(p_person_id),
    'needsProof', private.my_permissions() && '{users.edit,roles.manage}' and not private.may_act_as_staff());
end $$;
select private.publish('get_staff_person', 'authenticated');

-- people/people.sql
-- The page of a person: what to know before deciding about them. Visitors can see only owners of public plans; somebody blocked
-- by a person sees as little of them as if they did not exist.
create function private.may_meet(p_person_id uuid) returns boolean
language sql stable security definer set search_path = '' as $$
  select exists (select from public.user_profiles where user_id = p_person_id and deleted_at is null)
    and p_person_id <> all (private.blocked_by())
    and ((select auth.uid()) is not null or exists (
      select from public.shared_subscriptions as p where p.owner_id = p_person_id and private.may_find(p)))
$$;

-- Null if the caller may not see this person. Lists the plans the caller may find, newest first.
create function private.get_person(p_person_id uuid) returns jsonb
language sql stable security definer set search_path = '' as $$
  select jsonb_build_object(
    'id', person.user_id, 'name', private.first_name(person.display_name), 'avatarUrl', person.avatar_url,
    'since', person.created_at, 'level', private.standing_level(person.user_id), 'rating', rated.rating, 'reviewers', rated.reviewers,
    'plans', private.market_cards(array(
      select p.id from public.shared_subscriptions as p
      where p.owner_id = person.user_id and private.may_find(p) and person.user_id <> all (private.people_apart())
      order by p.created_at desc, p.id limit 50)))
  from public.user_profiles as person cross join lateral private.rating_of(person.user_id) as rated
  where person.user_id = p_person_id and private.may_meet(p_person_id)
$$;
select private.publish('get_person', 'anon', 'authenticated');
