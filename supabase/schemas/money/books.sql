-- The books: checks for faults, and the figures that the site publishes.

-- Lists faults in the books; returns no rows if there are none. p_hash is a hash from the daily mail; if no seal has this hash, the
-- ledger was rewritten.
create function private.check_books(p_hash text default null) returns table (fault text, subject text, expected numeric, found numeric)
language plpgsql stable security definer set search_path = '' as $$
begin
  return query
  select * from private.check_ledger()
  union all select * from private.check_seals(p_hash)
  union all select * from private.check_records()
  union all select * from private.check_transfers()
  union all select * from private.check_payments()
  union all select * from private.check_charges()
  union all select * from private.check_withdrawals()
  union all select * from private.check_own_accounts()
  union all select * from private.check_adjustments()
  union all select * from private.check_coins()
  union all select * from private.check_invoices()
  union all select * from private.check_taxation()
  union all select * from private.check_guards();
end $$;

-- Lists faults within the ledger, and differences between the ledger and the coins that wallets show.
create function private.check_ledger() returns table (fault text, subject text, expected numeric, found numeric)
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
  where balance < 0 and kind not in ('outside', 'connected', 'guarantee', 'costs', 'adjustments')
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

-- Returns the movements in the acting user's wallet from p_from up to, but not including, p_until (at most a month), with the
-- balance before and after: {opening, closing, firstAt, movements: [{at, kind, amount, balance, description, by}]}. Sequential
-- scans and hash joins are off, because one wallet's rows are few among millions.
create function private.wallet_statement(p_from timestamptz, p_until timestamptz) returns json
language plpgsql stable security definer set search_path = '' set enable_seqscan = off set enable_hashjoin = off set jit = off as $$
declare
  v_account bigint := (select id from private.ledger_accounts where kind = 'wallet' and owner = private.require_user());
  v_opening numeric;
  v_closing numeric;
  v_movements json;
begin
  if p_from is null or p_until is null or p_from >= p_until or p_until > p_from + interval '32 days' then
    perform private.refuse('statement_too_long');
  end if;
  v_opening := coalesce(private.balance_at(v_account, p_from), 0);
  v_closing := coalesce(private.balance_at(v_account, p_until), 0);
  v_movements := coalesce((
    select json_agg(movement) from (
      select e.created_at as at, t.kind, e.amount, e.balance_after as balance, t.description,
        case when t.kind = 'adjustment' then (select display_name from private.user_profiles where user_id = t.created_by) end as by
      from private.ledger_entries as e join private.ledger_transfers as t on t.id = e.transfer_id
      where e.account_id = v_account and e.created_at >= p_from and e.created_at < p_until
      order by e.version
    ) as movement
  ), '[]');
  return json_build_object('opening', v_opening, 'closing', v_closing,
    'firstAt', (select min(created_at) from private.ledger_entries where account_id = v_account), 'movements', v_movements);
end $$;
select private.publish('wallet_statement', 'authenticated');

-- The site's money at the end of each day, in UTC; everybody may read it the next day. Money that the site owes is positive, and
-- money it has at the bank and the provider is negative, so the sum is zero.
create table private.daily_books (
  day date primary key,
  held numeric(14, 2) not null,
  owed numeric(14, 2) not null,
  going_back numeric(14, 2) not null,
  fees numeric(14, 2) not null,
  -- Corrections by staff, provider costs, and losses from chargebacks.
  corrections numeric(14, 2) not null,
  outside numeric(14, 2) not null,
  -- All refunds to members so far.
  given_back numeric(14, 2) not null,
  seats bigint not null,
  wallets bigint not null,
  -- Reported problems, how they ended, and the median hours until a refund.
  problems bigint not null,
  fixed bigint not null,
  paid_back bigint not null,
  unfounded bigint not null,
  hours_to_money numeric(10, 1),
  checked_at timestamptz not null,
  faults bigint not null,
  -- The last seal of the ledger when the day was closed.
  seal bigint,
  seal_hash text
);
alter table private.daily_books enable row level security;
create trigger record after insert on private.daily_books
  for each row execute function private.tg_private__record('day of the books', '{day}');

-- Returns the books as of p_time: the current balances minus all movements since then.
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
    -- Money in owners' own accounts belongs to them, so it counts as outside, like money that was paid out.
    sum(balance) filter (where kind in ('outside', 'connected')),
    (select coalesce(sum(amount), 0) from private.ledger_transfers where kind = 'refund' and created_at < p_time),
    count(*) filter (where kind = 'held_share' and balance > 0),
    count(*) filter (where kind = 'wallet' and balance > 0),
    min(reported), min(fixed), min(paid_back), min(unfounded), min(hours)::numeric(10, 1),
    clock_timestamp(),
    (select count(*) from private.check_books()),
    (select line from private.ledger_seal_end), (select hash from private.ledger_seal_end))::private.daily_books
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

-- The smallest count that is published: a smaller count would reveal too much about the few people in it.
create function private.least_published_count() returns integer
language sql immutable return 5;

-- Returns a count as it is published: null if it is below private.least_published_count().
create function private.published_count(p_count bigint) returns bigint
language sql immutable return case when p_count >= private.least_published_count() then p_count end;

-- The books of the last complete day, for everybody. Counts too small to publish are null.
create function private.public_books()
returns table (
  day date, held numeric, owed numeric, going_back numeric, fees numeric, corrections numeric, outside numeric,
  total numeric, given_back numeric, seats bigint, wallets bigint, problems bigint, fixed bigint, paid_back bigint,
  unfounded bigint, hours_to_money numeric, checked_at timestamptz, balanced boolean
)
language sql stable security definer set search_path = '' as $$
  select day, held, owed, going_back, fees, corrections, outside, held + owed + going_back + fees + corrections + outside,
    given_back, private.published_count(seats), private.published_count(wallets),
    private.published_count(problems), private.published_count(fixed), private.published_count(paid_back),
    private.published_count(unfounded), case when private.published_count(paid_back) is not null then hours_to_money end, checked_at, faults = 0
  from private.daily_books order by day desc limit 1
$$;
select private.publish('public_books', 'anon', 'authenticated');

revoke all on private.daily_books from public, anon, authenticated, service_role;
