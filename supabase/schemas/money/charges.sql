-- Charges: what the site asks of the payment provider for a payment, and the outcome, recorded once, even if the provider reports it
-- repeatedly or out of order. Locks are taken in the order used for all money of a seat: the seat, then ledger
-- accounts, then other rows.

-- One charge per payment, however many attempts it takes. `intent` is the provider's id of the charge, which can succeed only once.
create table private.charges (
  payment_id uuid primary key references public.member_payments (id) on delete restrict,
  provider text not null,
  intent text unique check (char_length(intent) <= 200),
  status text not null default 'queued'
    check (status in ('queued', 'charging', 'processing', 'needs-action', 'failed', 'succeeded')),
  -- The provider's reason for the last failure.
  code text check (char_length(code) <= 200),
  -- The card chosen for this payment; null to use the member's usual card.
  card_id uuid,
  -- The saved card of the last attempt, its label and its kind. A bank debit takes days and is `processing` meanwhile.
  tried_id uuid,
  card text,
  kind text not null default 'card' check (kind in ('card', 'link', 'sepa_debit')),
  -- Whether the member is present and can be sent to their bank to confirm the charge.
  on_session boolean not null default false,
  attempts integer not null default 0,
  received numeric(12, 2) not null default 0 check (received >= 0),
  created_at timestamptz not null default clock_timestamp()
-- Leaves room to update attempts and outcome within the page; no index covers these columns.
) with (fillfactor = 60);
alter table private.charges enable row level security;

-- Returns whether Stripe's failure code means that the same card or bank account must never be tried again, as card networks require.
create function private.is_refused_for_good(p_code text) returns boolean
language sql immutable
return coalesce(p_code in ('account_closed', 'bank_account_restricted', 'bank_account_unusable', 'debit_not_authorized', 'no_account',
  'recipient_deceased', 'do_not_try_again', 'fraudulent', 'highest_risk_level', 'incorrect_number', 'invalid_account', 'lost_card',
  'merchant_blacklist', 'pickup_card', 'restricted_card', 'revocation_of_all_authorizations', 'revocation_of_authorization',
  'security_violation', 'service_not_allowed', 'stolen_card', 'stop_payment_order', 'transaction_not_allowed'), false);

-- Queues a charge of each of these payments, whether it is the first attempt or a repeated one.
create function private.queue_charges(p_payments uuid[]) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare v_provider text := coalesce((select provider from private.payment_provider), 'stripe');
begin
  if coalesce(cardinality(p_payments), 0) = 0 then return; end if;
  perform private.refuse_tokens();
  update public.member_payments set next_attempt_at = private.now() + private.charging_time()
  where id = any (p_payments) and next_attempt_at is null;
  insert into private.charges as c (payment_id, provider) select period, v_provider from unnest(p_payments) as period
  on conflict (payment_id) do update set on_session = false where c.status not in ('charging', 'processing', 'succeeded');
  perform private.queue_payment_jobs('charge', p_payments::text[], v_provider);
end $$;

insert into private.rate_limits (action, attempts, window_seconds, requests) values ('payment', 20, 3600, '{}');

-- Charges an open payment of the acting user while they are present, with the card they name or their usual one. The caller is
-- the function `payments`, which then carries out the charge.
create function private.begin_payment(p_payment_id uuid, p_card_id uuid) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_user uuid := private.require_user();
  v_payment public.member_payments;
  v_provider text := (select provider from private.payment_provider);
begin
  perform private.spend_attempt('payment');
  if p_card_id is not null and not exists (select from public.payment_methods where id = p_card_id and user_id = v_user) then
    perform private.refuse('card_not_found');
  elsif exists (select from public.debts where id = p_payment_id and member_id = v_user) then
    perform private.begin_debt_payment(p_payment_id, p_card_id);
    return;
  elsif not exists (select from public.member_payments where id = p_payment_id and member_id = v_user and settlement = 'potluck') then
    perform private.refuse('payment_not_found');
  end if;
  perform private.lock_seat_of_payment(p_payment_id);
  select * into v_payment from public.member_payments where id = p_payment_id;
  if not private.is_chargeable(v_payment.status) then
    perform private.refuse('nothing_to_pay');
  elsif private.has_open_problem(v_payment.seat_id) then
    perform private.refuse('problem_open');
  elsif (select private.is_paused(s) from private.seats as s where s.id = v_payment.seat_id) then
    perform private.refuse('place_paused');
  elsif v_payment.number = 1 then
    -- A first payment is a new contract. People who have paid with the same card count as one, so a new card can bar the member.
    perform private.require_may_contract(v_user);
  end if;
  insert into private.charges (payment_id, provider, card_id, on_session) values (p_payment_id, v_provider, p_card_id, true)
  on conflict (payment_id) do update set card_id = excluded.card_id, on_session = true;
  perform private.add_payment_jobs('charge', array[p_payment_id::text], v_provider);
end $$;

-- The status of the charge of the acting user's own payment, and the id of the card it was tried with; null if no charge was attempted.
create function private.own_charge(p_payment_id uuid) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare v_user uuid := private.require_user();
begin
  return (
    select jsonb_build_object('intent', c.intent, 'status', c.status, 'code', c.code, 'card', c.card, 'tried', c.tried_id)
    from private.charges as c join public.member_payments as m on m.id = c.payment_id
    where m.id = p_payment_id and m.member_id = v_user
    union all
    select jsonb_build_object('intent', intent, 'status', status, 'code', code, 'card', null, 'tried', card_id)
    from public.debts where id = p_payment_id and member_id = v_user and attempts > 0
  );
end $$;
select private.publish('begin_payment', 'authenticated');
select private.publish('own_charge', 'authenticated');

-- Takes the coins that go towards a payment, but never so many that the rest is too small to charge to a card. Returns the rest.
create function private.debit_coins(p_payment public.member_payments, p_key text) returns numeric
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_open numeric := p_payment.amount - p_payment.coins - p_payment.card;
  v_coins numeric := least(v_open, private.available_coins(p_payment.member_id));
begin
  if v_open - v_coins > 0 and v_open - v_coins < private.least_card_charge() then
    v_coins := v_open - private.least_card_charge();
  end if;
  if v_coins > 0 then
    perform private.pay_into(p_payment.id, private.ledger_account('wallet', p_payment.member_id), v_coins, 'payment', p_key);
  end if;
  return v_open - greatest(v_coins, 0);
end $$;

-- Cancels an open payment whose period is wholly past, and returns the payment. Such a period need not be paid, unless its bank
-- debit is still under way and the member had access all the time. The caller has locked the seat.
create function private.cancel_if_past(p_payment public.member_payments) returns public.member_payments
language plpgsql volatile security definer set search_path = '' as $$
begin
  if p_payment.ends_at <= private.now() and (private.is_chargeable(p_payment.status) or (p_payment.status = 'processing'
    and exists (select from private.seats where id = p_payment.seat_id and late_since is not null))) then
    perform private.release_payment(p_payment.id);
    update public.member_payments set status = 'cancelled', next_attempt_at = null, closed_at = private.now() where id = p_payment.id
    returning * into p_payment;
    perform private.schedule_seat(p_payment.seat_id);
  end if;
  return p_payment;
end $$;

-- Starts charging a payment: takes coins first if the member prefers that, and returns an order for the rest. Returns null if the
-- provider has nothing to do: coins paid everything, there is no card, or nothing is open. An order with `isOver` asks the provider
-- to close an open charge of a payment that must no longer be charged, unless it has succeeded. The caller has locked the seat.
create function private.start_charge(p_payment uuid) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_payment public.member_payments;
  v_charge private.charges;
  v_card public.payment_methods;
  v_rest numeric;
  v_before text;
  v_closing jsonb;
begin
  select * into v_payment from public.member_payments where id = p_payment for update;
  select * into v_charge from private.charges where payment_id = p_payment for update;
  v_before := v_charge.status;
  if v_before = 'succeeded' then return null; end if;
  if v_charge.intent is not null and v_before in ('charging', 'processing', 'needs-action') then
    v_closing := jsonb_build_object('payment', p_payment, 'intent', v_charge.intent, 'isOver', true);
  end if;
  -- A payment whose period is over is cancelled, unless a bank debit for it is under way: such a payment is decided about when the
  -- money arrives.
  if v_payment.status <> 'processing' then v_payment := private.cancel_if_past(v_payment); end if;
  if not private.awaits_money(v_payment.status) then
    update private.charges set status = 'charging' where payment_id = p_payment and v_closing is not null;
    return v_closing;
  elsif v_before = 'processing' and v_charge.kind = 'sepa_debit' then
    -- The debit takes days at the bank; this order only asks the provider for its status.
    return jsonb_build_object('payment', p_payment, 'intent', v_charge.intent, 'isUnderWay', true);
  elsif v_before not in ('charging', 'processing') and (private.has_open_problem(v_payment.seat_id)
    or (select private.is_paused(s) from private.seats as s where s.id = v_payment.seat_id)) then
    -- No new charge until the problem is closed, or the suspension is over.
    return null;
  end if;
  update private.charges set attempts = attempts + 1, status = 'charging' where payment_id = p_payment returning * into v_charge;
  update public.member_payments set status = 'charging', next_attempt_at = coalesce(next_attempt_at, private.now() + private.charging_time())
  where id = p_payment;
  perform private.schedule_seat(v_payment.seat_id);
  v_rest := v_payment.amount - v_payment.coins - v_payment.card;
  -- If the outcome of the last attempt is unknown, it may have charged the card already, so no coins are taken.
  if v_before not in ('charging', 'processing') and v_payment.coins = 0
    and (select coins_first from private.seats where id = v_payment.seat_id) then
    v_rest := private.debit_coins(v_payment, format('coins:%s:%s', p_payment, v_charge.attempts));
  end if;
  if v_rest <= 0 then
    update private.charges set status = 'queued' where payment_id = p_payment and v_closing is null;
    perform private.payment_paid(p_payment);
    return v_closing;
  end if;
  -- A charge that may be under way is repeated with the same card, unless the member has just named another.
  v_card := private.method_of(v_payment.member_id, v_charge.provider,
    case when v_before in ('charging', 'processing') and not v_charge.on_session then v_charge.tried_id else v_charge.card_id end);
  -- A card refused for good is charged again only when the member asks for it.
  if v_card.id is null or private.has_open_dispute(v_payment.member_id) or (v_card.refused and not v_charge.on_session) then
    -- A charge that may still succeed is closed at the provider first; it is marked as failed on the next call.
    if v_closing is not null then return v_closing; end if;
    update private.charges set status = 'failed', tried_id = coalesce(v_card.id, tried_id), code = case when v_card.id is null then 'no_card'
      when private.has_open_dispute(v_payment.member_id) then 'disputed' else 'do_not_try_again' end
    where payment_id = p_payment returning * into v_charge;
    perform private.payment_failed(p_payment, v_charge.code);
    return null;
  end if;
  update private.charges set card = concat_ws(' ', coalesce(v_card.brand, v_card.kind), v_card.last4), tried_id = v_card.id,
    kind = v_card.kind where payment_id = p_payment returning * into v_charge;
  return private.charge_order(v_charge, v_payment, v_rest, v_card.reference);
end $$;

-- The mandate promises members a notice of debit_notice() before each debit. The provider accepts no debit day that is less than
-- soonest_debit() away.
create function private.debit_notice() returns interval
language sql immutable return interval '2 days';
create function private.soonest_debit() returns interval
language sql immutable return interval '3 days';

-- Returns the first day on which the bank may make this debit, in UTC; null if it needs no notice, because a debit of the same
-- account was announced before. The notice is sent when the debit begins (private.debit_begun).
create function private.debit_day(p_charge private.charges, p_payment public.member_payments) returns date
language plpgsql stable security definer set search_path = '' as $$
begin
  if p_charge.attempts <= 1 and exists (
    select from public.member_payments as before join public.payment_methods as m on m.id = p_charge.tried_id
    where before.seat_id = p_payment.seat_id and before.number = p_payment.number - 1
      and before.announced_at <= private.now() - private.debit_notice() and m.chosen_at <= before.announced_at
  ) then
    return null;
  end if;
  return ((private.now() + private.soonest_debit()) at time zone 'utc')::date;
end $$;

-- Returns the order for the provider to charge a card.
create function private.charge_order(p_charge private.charges, p_payment public.member_payments, p_rest numeric, p_card text) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
-- A charge made between a backup and its restore is not in the books, so the provider looks for it before it makes another.
declare v_backup timestamptz := private.backup_before(coalesce(p_payment.starts_at, p_payment.created_at));
begin
  return jsonb_build_object(
    'payment', p_payment.id, 'seat', p_payment.seat_id, 'period', p_payment.number, 'intent', p_charge.intent, 'amountCents', round(p_rest * 100)::integer, 'currency', 'eur',
    'customer', (select reference from private.payment_customers where user_id = p_payment.member_id and provider = p_charge.provider),
    'method', p_card, 'description', format('%s, period %s', p_payment.plan_name, p_payment.number),
    'debitOn', case p_charge.kind when 'sepa_debit' then private.debit_day(p_charge, p_payment) end, 'attempt', p_charge.attempts + (v_backup is not null)::integer,
    'since', floor(extract(epoch from least(p_charge.created_at, v_backup)))::integer, 'onSession', p_charge.on_session);
end $$;

-- Starts charging together those of these payments that are simple: a first attempt, for the whole amount, by a card that may be
-- charged. Returns their orders; the other payments need private.start_charge(). The caller has locked the seats.
create function private.start_charges(p_payments uuid[]) returns setof jsonb
language plpgsql volatile security definer set search_path = '' as $$
begin
  -- Each row is looked up by its key, so that a wrong estimate by Postgres cannot make the work grow with the length of the queue.
  return query
  with plain as (
    select m.id, card.id as card_id, concat_ws(' ', coalesce(card.brand, card.kind), card.last4) as name, card.kind, card.reference
    from unnest(p_payments) as given (id)
    cross join lateral (select * from private.charges where payment_id = given.id offset 0) as c
    cross join lateral (select * from public.member_payments where id = given.id offset 0) as m
    cross join lateral (select * from private.seats where id = m.seat_id offset 0) as s
    cross join lateral (
      select * from public.payment_methods where user_id = m.member_id and provider = c.provider
      order by id = c.card_id desc nulls last, chosen_at desc limit 1
    ) as card
    where c.status = 'queued' and c.intent is null and m.status = 'due' and m.ends_at > private.now()
      and m.next_attempt_at is not null and m.coins + m.card = 0 and not s.coins_first and (c.on_session or not card.refused)
      and not private.has_open_problem(s.id) and not private.has_open_dispute(m.member_id)
      and not exists (select from private.suspensions as x where x.user_id in (m.owner_id, m.member_id) and x.resumed_at is null)
  ), period as (
    update public.member_payments as m set status = 'charging' from plain
    where m.id = plain.id returning m as begun, plain.*
  ), charge as (
    update private.charges as c set attempts = c.attempts + 1, status = 'charging', card = period.name, tried_id = period.card_id, kind = period.kind
    from period where c.payment_id = period.id returning c as tried, period.begun, period.reference
  )
  select private.charge_order(tried, begun, (begun).amount, reference) from charge;
end $$;

-- Stores the provider's ids of the charges of payments and debts, unless they have one already, and returns the stored ids. p_intents maps
-- the id of each payment or debt to the provider's id.
create function private.record_intents(p_intents jsonb) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare v_payments uuid[] := array(select key::uuid from jsonb_object_keys(p_intents) as key);
begin
  perform from private.charges where payment_id = any (v_payments) order by payment_id for update;
  update private.charges set intent = p_intents ->> payment_id::text where payment_id = any (v_payments) and intent is null;
  update public.debts set intent = p_intents ->> id::text where id = any (v_payments) and intent is null;
  return (select jsonb_object_agg(id, intent) from (
    select payment_id, intent from private.charges where payment_id = any (v_payments)
    union all select d.id, d.intent from public.debts as d where d.id = any (v_payments)) as stored (id, intent));
end $$;

-- Records that the provider refuses to begin the charge, and would refuse it again.
create function private.refuse_charge(p_payment_id uuid, p_code text) returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  update public.debts set status = 'failed', code = p_code where id = p_payment_id and status = 'charging' and intent is null;
  if found then
    delete from private.payment_jobs where kind = 'debt' and about = p_payment_id::text;
    return;
  end if;
  perform private.lock_seat_of_payment(p_payment_id);
  update private.charges set status = 'failed', code = p_code
  where payment_id = p_payment_id and status = 'charging' and intent is null;
  -- Another process has begun the charge meanwhile.
  if not found then return; end if;
  delete from private.payment_jobs where kind = 'charge' and about = p_payment_id::text;
  perform private.payment_failed(p_payment_id, p_code);
end $$;

create function private.knows_charge(p_intent text) returns boolean
language plpgsql stable security definer set search_path = '' as $$
begin
  return exists (select from private.charges where intent = p_intent) or exists (select from public.debts where intent = p_intent);
end $$;

-- Books money that a charge has brought in: towards the payment, or as a refund if the payment no longer needs it. If the part paid
-- by coins has changed since the charge was ordered, coins make up the difference. The caller has locked the accounts.
create function private.book_charge(p_charge private.charges, p_amount numeric, p_cost numeric) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_payment public.member_payments;
  v_outside bigint := private.ledger_account('outside');
  v_rest numeric;
begin
  select * into v_payment from public.member_payments where id = p_charge.payment_id;
  v_payment := private.cancel_if_past(v_payment);
  update private.charges set status = 'succeeded', code = null, received = p_amount where payment_id = v_payment.id;
  if private.awaits_money(v_payment.status) and v_payment.coins + v_payment.card + p_amount <> v_payment.amount then
    perform private.release_payment(v_payment.id);
    v_rest := v_payment.amount - p_amount;
    if v_rest > 0 and private.available_coins(v_payment.member_id) >= v_rest then
      perform private.pay_into(v_payment.id, private.ledger_account('wallet', v_payment.member_id), v_rest, 'payment',
        'coins:' || p_charge.intent);
    end if;
    select * into v_payment from public.member_payments where id = v_payment.id;
  end if;
  if v_payment.coins + v_payment.card + p_amount <= v_payment.amount then
    perform private.pay_into(v_payment.id, v_outside, p_amount, 'payment', 'charge:' || p_charge.intent);
    update public.member_payments set paid_with = p_charge.kind where id = v_payment.id;
    perform private.payment_paid(v_payment.id);
  else
    perform private.transfer('charge:' || p_charge.intent, v_outside, private.ledger_account('refunds_due'), p_amount, 'payment',
      v_payment.seat_id, v_payment.id, v_payment.plan_name);
    perform private.queue_refund(v_payment.id, p_amount);
  end if;
  if p_cost > 0 then
    perform private.transfer('cost:' || p_charge.intent, private.ledger_account('costs'), v_outside, p_cost, 'cost',
      v_payment.seat_id, v_payment.id, v_payment.plan_name);
  end if;
end $$;

-- Records the outcome of a charge; returns false if its id is unknown. Success is final. While a worker handles the charge, a
-- failure reported by an event (p_is_heard) is ignored, because the worker learns of it too; while the bank handles it, the failure
-- counts. p_day: the day on which the bank debits the account. p_method: the provider's id of the method charged, which may differ
-- from that of the last order if an answer was lost.
create function private.record_charge(
  p_intent text, p_status text, p_code text, p_amount numeric, p_cost numeric, p_is_heard boolean, p_day date default null,
  p_method text default null
) returns boolean
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_charge private.charges;
  v_seat private.seats;
  v_job text;
begin
  select * into v_charge from private.charges where intent = p_intent;
  if not found then return private.record_debt_charge(p_intent, p_status, p_code, p_amount, p_cost); end if;
  v_job := v_charge.payment_id::text;
  v_seat := private.lock_seat_of_payment(v_charge.payment_id, '{outside,refunds_due,fees,costs}');
  update private.charges as c set card = concat_ws(' ', coalesce(m.brand, m.kind), m.last4), tried_id = m.id, kind = m.kind
  from public.payment_methods as m
  where c.payment_id = v_charge.payment_id and c.status <> 'succeeded' and m.provider = c.provider and m.reference = p_method;
  select * into v_charge from private.charges where payment_id = v_charge.payment_id for update;
  if v_charge.status = 'succeeded' then
    delete from private.payment_jobs where kind = 'charge' and about = v_job;
    return true;
  elsif p_status = 'succeeded' then
    perform private.book_charge(v_charge, p_amount, p_cost);
  elsif v_charge.status not in ('charging', 'processing', 'needs-action') or p_status = 'open'
    or (p_is_heard and v_charge.status <> 'processing' and exists (select from private.payment_jobs where kind = 'charge' and about = v_job)) then
    return true;
  elsif p_status = 'processing' then
    -- The provider will report the outcome by an event; if none comes, the next attempt asks.
    update private.charges set status = 'processing' where payment_id = v_charge.payment_id;
    insert into private.payment_jobs (kind, about, provider, next_attempt_at, last_error)
    values ('charge', v_job, v_charge.provider, clock_timestamp()
      + case v_charge.kind when 'sepa_debit' then interval '12 hours' else interval '10 minutes' end, 'processing')
    on conflict (kind, about) do update set next_attempt_at = excluded.next_attempt_at, last_error = excluded.last_error, failing_since = null;
    if v_charge.kind = 'sepa_debit' and v_charge.status <> 'processing' then
      perform private.debit_begun(v_charge, p_day);
    end if;
    return true;
  elsif p_status = 'needs-action' then
    update private.charges set status = 'needs-action', code = p_code where payment_id = v_charge.payment_id;
    if v_charge.on_session then
      -- The member is confirming the charge at the bank; the coins of this attempt stay reserved.
      update public.member_payments set status = 'needs-action', next_attempt_at = coalesce(next_attempt_at, private.now() + interval '1 day')
      where id = v_charge.payment_id;
      perform private.schedule_seat(v_seat.id);
    elsif v_charge.status <> 'needs-action' then
      perform private.payment_failed(v_charge.payment_id, 'needs-action');
    end if;
  else
    update private.charges set status = 'failed', code = p_code, intent = case when p_status <> 'canceled' then intent end
    where payment_id = v_charge.payment_id;
    update public.payment_methods set refused = true where id = v_charge.tried_id and private.is_refused_for_good(p_code);
    perform private.payment_failed(v_charge.payment_id, coalesce(p_code, 'refused'));
  end if;
  delete from private.payment_jobs where kind = 'charge' and about = v_job;
  return true;
end $$;

-- Records outcomes of charges: {intent, status, code, amount, cost, isHeard, day, method}, as private.record_charge() takes them. The successes
-- of renewals are booked together, with the site's accounts locked last, because all workers need them. Any other outcome is recorded only if
-- it comes alone, because these accounts must not be locked before another seat. Returns the intents that were not recorded; that of an
-- outcome that came alone is unknown.
create function private.record_charges(p_outcomes jsonb) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_now timestamptz := private.now();
  v_outside bigint := private.ledger_account('outside');
  v_costs bigint := private.ledger_account('costs');
  v_seats uuid[];
  v_payments uuid[];
  v_moves private.move[];
  v_left jsonb;
begin
  v_seats := array(
    select id from private.seats where id in (
      select m.seat_id from jsonb_to_recordset(p_outcomes) as given (intent text, status text)
      join private.charges as c on c.intent = given.intent join public.member_payments as m on m.id = c.payment_id
      where given.status = 'succeeded' and m.number > 1
    ) order by id for update);
  select array_agg(distinct m.id), array_agg((format(part.key, c.intent), part.gives, part.takes, part.amount, part.kind, m.seat_id, m.id,
    m.plan_name)::private.move) into v_payments, v_moves
  from jsonb_to_recordset(p_outcomes) as given (intent text, status text, amount numeric, cost numeric, method text)
  join private.charges as c on c.intent = given.intent join public.member_payments as m on m.id = c.payment_id
  join private.seats as s on s.id = m.seat_id
  join private.ledger_accounts as share on share.kind = 'held_share' and share.owner = s.id
  join private.ledger_accounts as fee on fee.kind = 'held_fee' and fee.owner = s.id
  cross join lateral (values
    ('charge:%s:share', v_outside, share.id, m.share, 'payment'), ('charge:%s:fee', v_outside, fee.id, m.fee, 'payment'),
    ('cost:%s', v_costs, v_outside, given.cost, 'cost')
  ) as part (key, gives, takes, amount, kind)
  where s.id = any (v_seats) and m.seat_id = any (v_seats) and given.status = 'succeeded' and c.status = 'charging' and given.amount = m.amount and part.amount > 0
    and not exists (select from public.payment_methods as other
      where other.provider = c.provider and other.reference = given.method and other.id <> c.tried_id)
    and m.number > 1 and m.status = 'charging' and m.coins + m.card = 0 and m.starts_at is not null and m.ends_at > v_now
    and s.ended_at is null and s.admitted_at is not null;
  if v_payments is not null then
    with booked as (
      update private.charges as c set status = 'succeeded', code = null, received = m.amount
      from unnest(v_payments) as paid (id) join public.member_payments as m on m.id = paid.id where c.payment_id = paid.id
      returning c.payment_id, c.kind
    )
    update public.member_payments set card = amount, paid_with = booked.kind, status = 'paid', paid_at = v_now, next_attempt_at = null, note = null
    from booked where id = booked.payment_id;
    delete from private.payment_jobs where kind = 'charge' and about = any (v_payments::text[]);
    update private.seats as s set late_since = null, failures = 0, last_error = null, next_at = next.at
    from private.next_steps(array(select seat_id from public.member_payments where id = any (v_payments))) as next where s.id = next.seat_id;
    perform private.tell_paid(v_payments);
    perform private.transfer_all(v_moves);
  end if;
  select coalesce(jsonb_agg(given.intent), '[]') into v_left from jsonb_to_recordset(p_outcomes) as given (intent text)
  where not exists (select from private.charges as c where c.intent = given.intent and c.payment_id = any (v_payments));
  if jsonb_array_length(p_outcomes) = 1 and v_left <> '[]' and (
    select private.record_charge(o.intent, o.status, o.code, o.amount, o.cost, o."isHeard", o.day, o.method)
    from jsonb_to_record(p_outcomes -> 0)
      as o (intent text, status text, code text, amount numeric, cost numeric, "isHeard" boolean, day date, method text)
  ) then return '[]'; end if;
  return v_left;
end $$;

-- Only the Edge Function `payments` may call these.
select private.publish('record_intents', 'service_role');
select private.publish('record_charges', 'service_role');
select private.publish('knows_charge', 'service_role');
select private.publish('refuse_charge', 'service_role');

revoke all on private.charges from public, anon, authenticated, service_role;
