-- The nightly comparison with the payment provider. The provider's movements of each charge are compared with our transfers from
-- and to `outside`, and the movements in owners' own accounts with our transfers, reversals and payouts. Differences are stored for
-- staff with the unknown events; nothing is booked because of them.

-- Movements at the provider into the site's balance or an owner's, in EUR after the provider's fee; negative if they are out of it.
create table private.provider_movements (
  -- The provider's id.
  id text primary key check (char_length(id) <= 200),
  kind text not null check (char_length(kind) <= 100),
  -- The provider's id of what caused the movement: the charge or the transfer to an account; in an owner's account the transfer,
  -- the reversal or the payout. Null if there is none.
  intent text check (char_length(intent) <= 200),
  amount numeric(12, 2) not null,
  moved_at timestamptz not null,
  -- The owner's account; null for the site's balance.
  account text references private.connected_accounts (reference) on delete restrict
);
create index provider_movements_intent_idx on private.provider_movements (intent);
create index provider_movements_newest_idx on private.provider_movements (account, moved_at);
alter table private.provider_movements enable row level security;

-- The days, in UTC, up to whose end the site's balance has been compared; for owners' accounts see connected_accounts.compared.
create table private.reconciliations (
  day date primary key,
  differences integer not null
);
alter table private.reconciliations enable row level security;

-- How long a movement at the provider may take to reach the books.
create function private.booking_time() returns interval
language sql immutable return interval '1 hour';

-- How many owners' accounts are compared in one night; those that have waited longest come first.
create function private.accounts_per_night() returns integer
language sql immutable return 500;

-- Returns the time span that is still to be compared, up to the end of p_day, for the site or an account. It begins at the last
-- comparison or, if there was none, at the first charge or the opening of the account. Returns null if the span is empty.
create function private.unreconciled(p_day date, p_account text default null) returns tstzrange
language sql stable security definer set search_path = '' as $$
  select case when since < until then tstzrange(since, until) end from (
    select coalesce((compared + 1)::timestamp at time zone 'utc', begun - private.booking_time()) as since,
      (p_day + 1)::timestamp at time zone 'utc' as until
    from (
      select (select max(day) from private.reconciliations) as compared,
        (select min(created_at) from private.charges where provider = 'stripe') as begun
      where p_account is null
      union all
      select compared, created_at from private.connected_accounts where reference = p_account
    ) as last
  ) as span
$$;

-- Queues the comparison of everything up to the end of yesterday, for the site and for each account that may have movements: its
-- balance is not zero, or our books have changed since its last comparison. A comparison that is still queued is not queued again.
-- The simulated provider moves no money, so there is nothing to compare.
create function private.queue_reconciliation() returns void
language plpgsql volatile security definer set search_path = '' as $$
declare v_day text := ((private.now() at time zone 'utc')::date - 1)::text;
begin
  perform private.queue_payment_jobs('reconcile', array[v_day], provider) from private.payment_provider
  where provider <> 'simulated' and not exists (select from private.payment_jobs where kind = 'reconcile' and about not like '% %');
  perform private.queue_payment_jobs('reconcile', array[v_day || ' ' || moved.reference], p.provider) from private.payment_provider as p
  cross join lateral (
    select a.reference from private.connected_accounts as a
    join private.ledger_accounts as l on l.kind = 'connected' and l.owner = a.user_id
    where (l.balance <> 0 or exists (select from private.ledger_entries as e where e.account_id = l.id
        and e.created_at >= coalesce((a.compared + 1)::timestamp at time zone 'utc', a.created_at) - private.booking_time()))
      and not exists (select from private.payment_jobs as j where j.kind = 'reconcile' and j.about like '% ' || a.reference)
    order by a.compared nulls first, a.reference limit private.accounts_per_night()
  ) as moved
  where p.connect;
end $$;

-- Returns which movements to fetch from the provider for a day. The provider sends the newest first, so an interrupted download
-- continues at the oldest movement received.
create function private.reconciliation_order(p_day date, p_account text default null) returns jsonb
language sql stable security definer set search_path = '' as $$
  select jsonb_build_object('day', p_day, 'account', p_account, 'since', floor(extract(epoch from lower(span))),
    'until', extract(epoch from coalesce(
      (select min(moved_at) + interval '1 second' from private.provider_movements
        where account is not distinct from p_account and moved_at >= lower(span) and moved_at < upper(span)),
      upper(span)))::bigint)
  from private.unreconciled(p_day, p_account) as span where span is not null
$$;

-- Lists the differences in the site's own balance. All movements of a charge up to now are compared, in the night after its last
-- movement on either side. A charge that moved in the last hour of the day, or later, waits for the next night: p_booked is p_span
-- moved back by that hour.
create function private.site_differences(p_span tstzrange, p_booked tstzrange) returns table (id text, type text, about text)
language plpgsql stable security definer set search_path = '' as $$
#variable_conflict use_column
declare v_outside bigint := private.ledger_account('outside');
begin
  return query
  with moved as (
    select c.payment_id from private.provider_movements as p join private.charges as c on c.intent = p.intent
    where p.account is null and p.moved_at >= lower(p_booked) and p.moved_at < upper(p_booked)
    union
    select t.payment_id from private.ledger_transfers as t
    where t.created_at >= lower(p_booked) and t.created_at < upper(p_booked) and v_outside in (t.from_account, t.to_account)
  )
  select format('books:%s:%s:%s', c.intent, there.amount, here.amount),
    left(format('%s at the provider, %s in the books: %s', private.money(there.amount), private.money(here.amount), m.plan_name), 200), c.intent
  from moved join private.charges as c on c.payment_id = moved.payment_id and c.provider <> 'simulated'
  join public.member_payments as m on m.id = c.payment_id
  cross join lateral (
    select coalesce(sum(amount), 0) as amount, max(moved_at) as latest from private.provider_movements where account is null and intent = c.intent
  ) as there
  cross join lateral (
    -- A refund that is under way has already left the provider's balance.
    select coalesce(sum(case t.from_account when v_outside then t.amount else -t.amount end), 0.00)
      - (select coalesce(sum(amount), 0) from private.refunds where payment_id = m.id and status = 'pending')
      -- Disputes take part of their money from an owner's account; the transfer of that part has the owner as its person, so it is
      -- not in the sum above.
      - (select coalesce(sum(from_account), 0) from public.payment_disputes where payment_id = m.id and status <> 'won') as amount,
      max(t.created_at) as latest
    from private.ledger_transfers as t
    where t.person_id = m.member_id and t.payment_id = m.id and v_outside in (t.from_account, t.to_account)
      and not t.key ^@ 'debt'
  ) as here
  -- A debit moves the provider's balance before its outcome is certain.
  where there.amount <> here.amount and c.status <> 'processing' and greatest(there.latest, here.latest) < upper(p_booked)
  union all
  select format('books:%s:%s:%s', d.intent, there.amount, here.amount),
    left(format('%s at the provider, %s in the books: debt for %s', private.money(there.amount), private.money(here.amount), d.plan_name), 200), d.intent
  from public.debts as d
  cross join lateral (
    select coalesce(sum(amount), 0) as amount, max(moved_at) as latest from private.provider_movements where account is null and intent = d.intent
  ) as there
  cross join lateral (
    select coalesce(sum(case t.from_account when v_outside then t.amount else -t.amount end), 0.00) as amount, max(t.created_at) as latest
    from private.ledger_transfers as t
    where t.person_id = d.member_id and t.payment_id = d.payment_id and t.key in ('debt:' || d.id || ':card', 'debt-cost:' || d.intent)
  ) as here
  where there.amount <> here.amount and greatest(there.latest, here.latest) >= lower(p_booked) and greatest(there.latest, here.latest) < upper(p_booked)
  union all
  -- Transfers to accounts: the amount sent, less what was taken back.
  select format('books:%s:%s', t.reference, there.amount),
    left(format('%s at the provider, %s in the books: transfer to an account', private.money(there.amount), private.money(here.amount)), 200),
    t.reference
  from private.account_transfers as t
  cross join lateral (
    select sum(amount) as amount, max(moved_at) as latest from private.provider_movements where account is null and intent = t.reference
  ) as there
  cross join lateral (
    select coalesce(sum(r.amount) filter (where r.status = 'done'), 0) - t.amount as amount
    from private.account_reversals as r where r.transfer_id = t.id
  ) as here
  where there.latest >= lower(p_booked) and there.latest < upper(p_booked) and there.amount <> here.amount
  union all
  select 'books:' || about, left(format('Not in the books: %s of %s', kinds, private.money(abs(amount))), 200), about from (
    select coalesce(p.intent, p.id) as about, string_agg(distinct replace(p.kind, '_', ' '), ', ') as kinds, sum(p.amount) as amount
    from private.provider_movements as p
    where p.account is null and p.moved_at >= lower(p_span) and p.moved_at < upper(p_span)
      and not exists (select from private.charges as c where c.intent = p.intent)
      and not exists (select from public.debts as d where d.intent = p.intent)
      and not exists (select from private.account_transfers as t where t.reference = p.intent)
    group by 1
  ) as foreign_one
  where not exists (select from public.unknown_payment_events as e where e.about = foreign_one.about);
end $$;

-- Lists the differences in an owner's account: each transfer, reversal and payout that only one side knows, or whose amounts
-- differ, and all other movements there, such as fees. Changes in the last hour of the day, or later, wait for the next night.
create function private.account_differences(p_account text, p_booked tstzrange) returns table (id text, type text, about text)
language sql stable security definer set search_path = '' as $$
  with booked as (
    select 'transfer' as what, t.reference as about, t.amount, t.sent_at as at
    from private.account_transfers as t join private.connected_accounts as a using (user_id)
    where a.reference = p_account and t.status = 'sent'
    union all
    select 'reversal', r.reference, -r.amount, coalesce(r.done_at, r.created_at) from private.account_reversals as r
    join private.account_transfers as t on t.id = r.transfer_id join private.connected_accounts as a using (user_id)
    where a.reference = p_account and r.status = 'done'
    union all
    -- A payout that is under way has already left the account. It must be booked within a week after the day on which it was to arrive.
    select 'payout', p.id, case when p.status = 'paid'
      or p.status not in ('failed', 'canceled') and p.arrives_on + 7 > upper(p_booked) at time zone 'utc' then -p.amount else 0 end, p.changed_at
    from private.account_payouts as p join private.connected_accounts as a using (user_id) where a.reference = p_account
  ), moved as (
    select coalesce(m.intent, m.id) as about, string_agg(distinct replace(m.kind, '_', ' '), ', ') as kinds, sum(m.amount) as amount,
      max(m.moved_at) as at
    from private.provider_movements as m where m.account = p_account group by 1
  )
  select format('account:%s:%s:%s:%s', p_account, about, coalesce(moved.amount, 0), coalesce(booked.amount, 0)),
    left(case when booked.about is null then format('Not in the books: %s of %s, account %s', kinds, private.money(abs(moved.amount)), p_account)
      else format('%s at the provider, %s in the books: %s, account %s', private.money(coalesce(moved.amount, 0)), private.money(booked.amount), what,
        p_account) end, 200),
    about
  from booked full join moved using (about)
  where coalesce(moved.amount, 0) <> coalesce(booked.amount, 0) and greatest(moved.at, booked.at) < upper(p_booked)
$$;

-- Compares the movements of the site, or of an account, up to the end of a day, once all of them have been fetched.
create function private.compare_movements(p_day date, p_account text default null) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_span tstzrange;
  v_booked tstzrange;
  v_differences integer;
  v_told boolean;
begin
  -- Two workers may have fetched the same movements; only the first one compares them.
  perform pg_advisory_xact_lock(hashtext('reconciliation' || coalesce(p_account, '')));
  v_span := private.unreconciled(p_day, p_account);
  if v_span is null then return; end if;
  v_booked := tstzrange(lower(v_span) - private.booking_time(), upper(v_span) - private.booking_time());
  -- The same error may occur in many accounts in one night, so staff are told only once.
  v_told := p_account is not null and exists (
    select from public.unknown_payment_events where received_at > clock_timestamp() - interval '12 hours' and id like 'account:%');
  with found as (
    insert into public.unknown_payment_events (id, type, about)
    select d.id, d.type, d.about from private.site_differences(v_span, v_booked) as d where p_account is null
    union all
    select d.id, d.type, d.about from private.account_differences(p_account, v_booked) as d where p_account is not null
    on conflict do nothing returning id
  ) select count(*) into v_differences from found;
  if p_account is null then
    insert into private.reconciliations (day, differences) values (p_day, v_differences);
  else
    update private.connected_accounts set compared = p_day where reference = p_account;
  end if;
  if v_differences > 0 and not v_told then
    perform private.tell_treasurers('warning', 'payment-books-differ', jsonb_build_object('day', p_day, 'differences', v_differences));
  end if;
end $$;

-- Stores one page of the provider's list of movements, given as [{id, kind, intent, cents, at}]. After the last page, the list is compared
-- with the books, because a partial list would show false differences.
create function private.record_movements(p_day date, p_movements jsonb, p_goes_on boolean, p_account text default null) returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  insert into private.provider_movements (id, kind, intent, amount, moved_at, account)
  select id, kind, intent, cents / 100.0, to_timestamp(at), p_account
  from jsonb_to_recordset(p_movements) as page (id text, kind text, intent text, cents bigint, at bigint)
  on conflict do nothing;
  if not p_goes_on then
    perform private.compare_movements(p_day, p_account);
  end if;
end $$;

-- Only the Edge Function `payments` may call this.
select private.publish('record_movements', 'service_role');
revoke all on private.provider_movements, private.reconciliations from public, anon, authenticated, service_role;
