-- Every night, what the payment provider says it moved is compared with what left and reached `outside` for each charge. What
-- differs is kept for staff beside the unknown events, and nothing is booked for it.

-- What the provider moved into our balance there, or out of it if below zero, after its fee.
create table private.provider_movements (
  -- The provider's id.
  id text primary key check (char_length(id) <= 200),
  kind text not null check (char_length(kind) <= 100),
  -- The charge or the transfer to an account it is about, if any.
  intent text check (char_length(intent) <= 200),
  amount numeric(12, 2) not null,
  moved_at timestamptz not null
);
create index provider_movements_intent_idx on private.provider_movements (intent);
create index provider_movements_newest_idx on private.provider_movements (moved_at);
alter table private.provider_movements enable row level security;

-- The days, in UTC, up to whose end everything has been compared.
create table private.reconciliations (
  day date primary key,
  differences integer not null
);
alter table private.reconciliations enable row level security;

-- How long after a movement at the provider it may still be on its way into the books.
create function private.booking_time() returns interval
language sql immutable return interval '1 hour';

-- What is to be compared up to the end of this day: all since the last comparison, or since the first charge; null if nothing.
create function private.unreconciled(p_day date) returns tstzrange
language sql stable security definer set search_path = '' as $$
  select case when since < until then tstzrange(since, until) end from (
    select coalesce((select max(day) + 1 from private.reconciliations)::timestamp at time zone 'utc',
        (select min(created_at) from private.charges where provider = 'stripe') - private.booking_time()) as since,
      (p_day + 1)::timestamp at time zone 'utc' as until
  ) as span
$$;

-- Queues the comparison of everything until today. One that has not ended goes on by itself, and the simulation moves no money.
create function private.queue_reconciliation() returns void
language sql volatile security definer set search_path = '' as $$
  select private.queue_payment_job('reconcile', ((private.now() at time zone 'utc')::date - 1)::text, provider) from private.payment_provider
  where provider <> 'simulated' and not exists (select from private.payment_jobs where kind = 'reconcile')
$$;

-- What the provider is to list. It lists the newest first, so an interrupted list goes on from the oldest movement that has come.
create function private.reconciliation_order(p_day date) returns jsonb
language sql stable security definer set search_path = '' as $$
  select jsonb_build_object('day', p_day, 'since', floor(extract(epoch from lower(span))), 'until', extract(epoch from coalesce(
    (select min(moved_at) + interval '1 second' from private.provider_movements where moved_at >= lower(span) and moved_at < upper(span)),
    upper(span)))::bigint)
  from private.unreconciled(p_day) as span where span is not null
$$;

-- Compares each charge that moved, on either side, in the night after its last movement: all of it as of now. Charges that moved
-- in the last hour of the day, or later, wait for the next night.
create function private.compare_movements(p_day date) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_outside bigint := private.ledger_account('outside');
  v_span tstzrange;
  v_since timestamptz;
  v_until timestamptz;
  v_differences integer;
begin
  -- Two workers may have listed the same.
  perform pg_advisory_xact_lock(hashtext('reconciliation'));
  v_span := private.unreconciled(p_day);
  if v_span is null then return; end if;
  v_since := lower(v_span) - private.booking_time();
  v_until := upper(v_span) - private.booking_time();
  with moved as (
    select c.payment_id from private.provider_movements as p join private.charges as c on c.intent = p.intent
    where p.moved_at >= v_since and p.moved_at < v_until
    union
    select t.period_id from private.ledger_transfers as t
    where t.created_at >= v_since and t.created_at < v_until and v_outside in (t.from_account, t.to_account)
  ), difference as (
    select format('books:%s:%s:%s', c.intent, there.amount, here.amount) as id, c.intent as about,
      left(format('%s at the provider, %s in the books: %s', private.euros(there.amount), private.euros(here.amount), m.plan_name), 200) as type
    from moved join private.charges as c on c.payment_id = moved.payment_id and c.provider <> 'simulated'
    join public.member_payments as m on m.id = c.payment_id
    cross join lateral (
      select coalesce(sum(amount), 0) as amount, max(moved_at) as latest from private.provider_movements where intent = c.intent
    ) as there
    cross join lateral (
      -- A refund has left the provider's balance while it is under way.
      select coalesce(sum(case t.from_account when v_outside then t.amount else -t.amount end), 0.00)
        - (select coalesce(sum(amount), 0) from private.refunds where payment_id = m.id and status = 'pending') as amount,
        max(t.created_at) as latest
      from private.ledger_transfers as t
      where t.person_id = m.member_id and t.period_id = m.id and v_outside in (t.from_account, t.to_account)
    ) as here
    where there.amount <> here.amount and greatest(there.latest, here.latest) < v_until
    union all
    -- What was sent to an account, less what was taken back of it.
    select format('books:%s:%s', t.reference, there.amount), t.reference,
      left(format('%s at the provider, %s in the books: transfer to an account', private.euros(there.amount), private.euros(here.amount)), 200)
    from private.account_transfers as t
    cross join lateral (
      select sum(amount) as amount, max(moved_at) as latest from private.provider_movements where intent = t.reference
    ) as there
    cross join lateral (
      select coalesce(sum(r.amount) filter (where r.status = 'done'), 0) - t.amount as amount
      from private.account_reversals as r where r.transfer_id = t.id
    ) as here
    where there.latest >= v_since and there.latest < v_until and there.amount <> here.amount
    union all
    select 'books:' || about, about, left(format('Not in the books: %s of %s', kinds, private.euros(abs(amount))), 200) from (
      select coalesce(p.intent, p.id) as about, string_agg(distinct replace(p.kind, '_', ' '), ', ') as kinds, sum(p.amount) as amount
      from private.provider_movements as p
      where p.moved_at >= lower(v_span) and p.moved_at < upper(v_span) and not exists (select from private.charges as c where c.intent = p.intent)
        and not exists (select from private.account_transfers as t where t.reference = p.intent)
      group by 1
    ) as foreign_one
    where not exists (select from public.unknown_payment_events as e where e.about = foreign_one.about)
  ), found as (
    insert into public.unknown_payment_events (id, type, about) select id, type, about from difference on conflict do nothing returning id
  ) select count(*) into v_differences from found;
  insert into private.reconciliations (day, differences) values (p_day, v_differences);
  if v_differences > 0 then
    perform private.tell_treasurers('warning', 'The Books Differ From the Provider',
      format('The nightly check found %s. See the unknown events.',
        case v_differences when 1 then 'a difference' else v_differences || ' differences' end),
      'payment-books-differ', jsonb_build_object('day', p_day, 'differences', v_differences));
  end if;
end $$;

-- Keeps a page of what the provider lists: [{id, kind, intent, cents, at}], and compares after the last one.
create function private.record_movements(p_day date, p_movements jsonb, p_goes_on boolean) returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  insert into private.provider_movements (id, kind, intent, amount, moved_at)
  select id, kind, intent, cents / 100.0, to_timestamp(at)
  from jsonb_to_recordset(p_movements) as page (id text, kind text, intent text, cents bigint, at bigint)
  on conflict do nothing;
  if not p_goes_on then
    perform private.compare_movements(p_day);
  end if;
end $$;

-- For the function only.
select private.publish('record_movements', 'service_role');
revoke all on private.provider_movements, private.reconciliations from public, anon, authenticated, service_role;
