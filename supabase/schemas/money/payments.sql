-- Payments: each falls due, is paid and earned, or is refunded. Money moves by private.transfer() only. Locking the seat's row protects all
-- of this; accounts are locked afterwards, in the order of their ids.

-- The maximum length of an owner's note about a payment that has not arrived.
create function private.longest_denial() returns integer
language sql immutable return 300;

-- A payment for one period of a place: when it is due, and where its money went. Both sides see it.
create table public.member_payments (
  id uuid primary key default gen_random_uuid(),
  seat_id uuid not null references private.seats (id) on delete restrict,
  subscription_id text not null,
  -- Provider and plan.
  plan_name text not null,
  -- Who owned the plan when the period began. The payment stays theirs, even if the plan is handed over.
  owner_id uuid not null references private.user_profiles (user_id) on delete restrict,
  member_id uuid not null references private.user_profiles (user_id) on delete restrict,
  -- The number of the period: 1, 2, 3 …
  number integer not null check (number > 0),
  settlement text not null check (settlement in ('direct', 'potluck')),
  -- The currency of all amounts.
  currency text not null default 'EUR',
  -- The owner's part.
  share numeric(12, 2) not null check (share >= 0),
  -- The site's fee.
  fee numeric(12, 2) not null check (fee >= 0),
  -- The price for the member: share and fee together.
  amount numeric(12, 2) not null generated always as (share + fee) stored,
  -- When the period begins. The first begins once access is given and, if paid through the site, the payment is made.
  starts_at timestamptz,
  -- When the period ends.
  ends_at timestamptz,
  -- When the payment is due.
  due_at timestamptz not null,
  -- `claimed`: the member says that they have paid. `needs-action`: the member has to confirm the payment at their bank. `closed`:
  -- the period is over and settled. `disputed`: member and owner disagree whether the member has paid directly, and staff have to
  -- decide.
  status text not null check (status in
    ('due', 'claimed', 'disputed', 'charging', 'processing', 'needs-action', 'failed', 'paid', 'closed', 'given-back', 'cancelled')),
  created_at timestamptz not null default private.now(),
  -- When the member said that they have paid, or their bank began the debit, which takes days.
  claimed_at timestamptz,
  -- When the payment was made or, if it is paid directly, when it was confirmed.
  paid_at timestamptz,
  -- When the payment was settled, refunded or cancelled.
  closed_at timestamptz,
  -- The amount paid with coins.
  coins numeric(12, 2) not null default 0 check (coins >= 0),
  -- The amount paid by card or bank account.
  card numeric(12, 2) not null default 0 check (card >= 0),
  -- The kind of payment method used.
  paid_with text check (paid_with in ('card', 'link', 'sepa_debit')),
  -- The part of the share that the owner has earned.
  earned_share numeric(12, 2) not null default 0 check (earned_share >= 0),
  -- The part of the fee that the site has earned.
  earned_fee numeric(12, 2) not null default 0 check (earned_fee >= 0),
  -- The refunded part of the share.
  returned_share numeric(12, 2) not null default 0 check (returned_share >= 0),
  -- The refunded part of the fee.
  returned_fee numeric(12, 2) not null default 0 check (returned_fee >= 0),
  -- The amount that the guarantee account refunded, because the money had been earned already (fraud_warnings.sql).
  from_guarantee numeric(12, 2) not null default 0 check (from_guarantee >= 0),
  -- The amount that a directly paid owner owes this member for time without access.
  owed_back numeric(12, 2) not null default 0 check (owed_back >= 0),
  -- When the debt arose.
  owed_since timestamptz,
  -- How many steps have been taken about the debt: two reminders, then the judgement that it is overdue.
  debt_steps_done integer not null default 0,
  -- When the debt was found overdue, which lowers the owner's standing.
  unkept_at timestamptz,
  -- When the debt was paid back.
  repaid_at timestamptz,
  -- When the debt was closed without repayment: by staff, or because staff did not decide in time; it counts against neither side.
  debt_closed_at timestamptz,
  -- Why a direct payment counts as received: the owner or a bank statement said so, the owner did not answer, or staff decided.
  received_by text check (received_by in ('owner', 'statement', 'silence', 'staff')),
  -- The first due date, if the owner has denied the payment since.
  first_due_at timestamptz,
  -- When the owner took "Received" back, which they can do once.
  unconfirmed_at timestamptz,
  -- When the member's place ended, if they had used it without making this payment.
  left_unpaid_at timestamptz,
  -- When the owner waived the payment.
  waived_at timestamptz,
  -- When the plan was handed over to another owner. The payment is still owed to the one it names.
  handed_over_at timestamptz,
  -- The time up to which earnings are recorded.
  earned_until timestamptz,
  -- The number of the receipt. The names of both sides and, where the site takes a fee, its seller are those of the day of issue;
  -- later changes do not alter them.
  receipt_number text unique,
  owner_name text,
  member_name text,
  -- The seller on the receipt, who runs the site.
  seller_name text,
  -- The seller's address.
  seller_address text,
  -- The seller's tax number.
  seller_tax_number text,
  -- The reference a member puts on a direct transfer.
  reference text not null generated always as ('PL-' || upper(left(seat_id::text, 8)) || '-' || number) stored,
  -- The owner's reason for saying that the payment did not arrive.
  note text check (char_length(note) <= private.longest_denial()),
  -- How often a charge was attempted.
  attempts integer not null default 0,
  -- When the payment is charged next.
  next_attempt_at timestamptz,
  -- When the member was told that the payment will be due.
  announced_at timestamptz,
  -- How often the member was reminded.
  reminders integer not null default 0,
  -- When the owner last reminded the member.
  nudged_at timestamptz,
  unique (seat_id, number),
  constraint the_site_takes_euros check (currency = 'EUR' or settlement = 'direct'),
  constraint no_more_than_was_paid check (
    owed_back <= share and returned_share + returned_fee + from_guarantee <= share + fee
    and (settlement = 'direct' or (earned_share + returned_share <= share and earned_fee + returned_fee <= fee))
  )
-- Leaves room beside each row for its updates: a payment is written about eight times, and of the columns that change only the receipt
-- number has an index.
) with (fillfactor = 70);
-- is_chargeable() returns whether a payment with this status can be charged now; awaits_money() whether it waits for money, which
-- includes a bank debit under way.
create function private.is_chargeable(p_status text) returns boolean
language sql immutable return p_status in ('due', 'charging', 'needs-action', 'failed');
create function private.awaits_money(p_status text) returns boolean
language sql immutable return private.is_chargeable(p_status) or p_status = 'processing';
-- has_failed() returns whether the charge of a payment has failed or needs the member's confirmation; awaits_member() whether the
-- member has to pay, for the first time or again.
create function private.has_failed(p_status text) returns boolean
language sql immutable return p_status in ('needs-action', 'failed');
create function private.awaits_member(p_status text) returns boolean
language sql immutable return p_status = 'due' or private.has_failed(p_status);
-- is_unconfirmed() returns whether the member claims to have made a direct payment that the owner has not confirmed;
-- is_open_directly() whether a direct payment is not settled yet.
create function private.is_unconfirmed(p_status text) returns boolean
language sql immutable return p_status in ('claimed', 'disputed');
create function private.is_open_directly(p_status text) returns boolean
language sql immutable return p_status = 'due' or private.is_unconfirmed(p_status);
-- is_paid() returns whether a payment is paid, even if its period is closed; is_claimed_or_paid() whether it is paid or claimed and
-- its period is not closed.
create function private.is_paid(p_status text) returns boolean
language sql immutable return p_status in ('paid', 'closed');
create function private.is_claimed_or_paid(p_status text) returns boolean
language sql immutable return p_status in ('claimed', 'paid');
create index member_payments_member_idx on public.member_payments (member_id, created_at desc);
create index member_payments_owner_idx on public.member_payments (owner_id, created_at desc);
create index member_payments_left_unpaid_idx on public.member_payments (owner_id, member_id) where left_unpaid_at is not null;
create index member_payments_unkept_idx on public.member_payments (owner_id) where unkept_at is not null;
create index member_payments_plan_idx on public.member_payments (subscription_id, created_at desc);
alter table public.member_payments enable row level security;
create policy "Both sides of a payment see it, admins all" on public.member_payments
  for select to authenticated using (
    member_id = (select auth.uid()) or owner_id = (select auth.uid()) or (select private.may('users.edit') and private.may_act_as_staff())
  );

-- How long a seat is kept after a failed first payment, and how long before the same person may get that time again.
create function private.mending_time() returns interval
language sql immutable return interval '24 hours';
create function private.mending_pause() returns interval
language sql immutable return interval '30 days';

-- How long before a renewal the member is told of it, and when a failed renewal is retried.
create function private.renewal_notice() returns interval
language sql immutable return interval '3 days';
create function private.renewal_retries() returns interval[]
language sql immutable return '{1 day,3 days,5 days}'::interval[];
-- Returns the time until which a renewal with this due date is retried and its seat is kept.
create function private.last_renewal_retry(p_due_at timestamptz) returns timestamptz
language sql stable set search_path = '' as $$ select max(p_due_at + wait) from unnest(private.renewal_retries()) as wait $$;

-- How long the outcome of a charge may stay unknown, because the provider cannot be reached or does not report it, before the
-- charge counts as failed.
create function private.charging_time() returns interval
language sql immutable return interval '24 hours';

-- The working days within which a provider reports whether a debit succeeded, and how long a debit may be under way before it
-- counts as failed: those days with the weekends and holidays between them.
create function private.debit_working_days() returns integer
language sql immutable return 14;
create function private.debit_time() returns interval
language sql immutable return interval '24 days';

-- How often an owner's earnings are paid into their wallet.
create function private.earning_step() returns interval
language sql immutable return interval '7 days';

-- Locks a seat and returns it. Raises PT404 if it does not exist.
create function private.lock_seat(p_seat_id uuid) returns private.seats
language plpgsql volatile security definer set search_path = '' as $$
declare v_seat private.seats;
begin
  select * into v_seat from private.seats where id = p_seat_id for update;
  if not found then
    perform private.refuse('place_not_found');
  end if;
  return v_seat;
end $$;

-- Locks the seat of a payment and all accounts its money may move between, including the site's accounts in p_site. All accounts
-- are locked together, because an account locked later would be out of order.
create function private.lock_seat_of_payment(p_payment_id uuid, p_site text[] default '{fees,refunds_due}') returns private.seats
language plpgsql volatile security definer set search_path = '' as $$
declare v_seat private.seats;
begin
  v_seat := private.lock_seat((select seat_id from public.member_payments where id = p_payment_id));
  perform private.lock_held_money(array[v_seat.id], p_site);
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

-- Locks the accounts of these seats, and the site's accounts of the kinds in p_site, all together. Callers that work through many
-- seats lock them all first and set potluck.holds_money, so that later calls lock nothing.
create function private.lock_held_money(p_seat_ids uuid[], p_site text[] default '{fees,refunds_due}') returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  if current_setting('potluck.holds_money', true) = 'yes' and p_site = '{fees,refunds_due}'
    or not exists (select from public.member_payments where seat_id = any (p_seat_ids) and settlement = 'potluck') then return; end if;
  perform private.lock_ledger(array(
    select a.id from private.seats as s
    cross join lateral (values ('held_share', s.id), ('held_fee', s.id), ('wallet', s.owner_id), ('wallet', s.member_id),
      ('connected', s.owner_id)) as mine (kind, owner)
    join private.ledger_accounts as a on a.kind = mine.kind and a.owner = mine.owner
    where s.id = any (p_seat_ids)
    union all
    select id from private.ledger_accounts where kind = any (p_site) and owner is null
  ));
end $$;

-- Returns when the p_number-th period of a seat ends. All periods of an own plan end on the same days, in its owner's time zone.
create function private.seat_period_end(p_seat private.seats, p_number integer) returns timestamptz
language plpgsql stable security definer set search_path = '' as $$
begin
  return private.period_end(p_seat.anchor, (p_number - p_seat.anchor_after) * coalesce(p_seat.cycle_months, 1),
    private.zone_of(case when p_seat.cycle_months is null then p_seat.member_id else p_seat.owner_id end));
end $$;

-- Returns the price of the p_number-th period of a seat. In an own plan, a period that starts within a cycle costs the part of the days
-- that are left.
create function private.seat_price(
  p_seat private.seats, p_number integer, p_starts_at timestamptz default null, out share numeric, out fee numeric
)
language plpgsql stable security definer set search_path = '' as $$
declare v_price record;
begin
  v_price := private.period_price(p_seat.settlement, p_seat.billing_cycle, p_seat.share, p_seat.fee_rate, p_number);
  share := v_price.share;
  fee := v_price.fee;
  if p_seat.cycle_months is not null and p_starts_at is not null then
    share := private.part_of_cycle(share, p_seat.currency, p_seat.anchor, p_seat.cycle_months, p_number - p_seat.anchor_after - 1,
      private.day_in(p_starts_at, private.zone_of(p_seat.owner_id)));
  end if;
end $$;

-- Creates the next payments of seats, each with its number and the start of its period. If the start is null, the period begins
-- once the payment is paid and access is given.
create function private.open_payments(p_seat_ids uuid[], p_numbers integer[], p_starts_at timestamptz[]) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_now timestamptz := private.now();
  v_ids uuid[];
begin
  with opened as (
    insert into public.member_payments (seat_id, subscription_id, plan_name, owner_id, member_id, number, settlement, currency, share, fee,
      starts_at, ends_at, due_at, status, paid_at, next_attempt_at)
    select s.id, s.subscription_id, s.provider || ' ' || s.plan_name, s.owner_id, s.member_id,
      next.number, s.settlement, s.currency, price.share, price.fee, next.starts_at,
      case when next.starts_at is not null
        then private.seat_period_end(s, next.number) end,
      -- A payment is due when its period starts or, if it is created after a gap, when it is created.
      case when next.starts_at > v_now - private.longest_gap() then next.starts_at else v_now end,
      case when price.share > 0 then 'due' else 'paid' end, case when price.share = 0 then v_now end,
      case when next.starts_at is null then v_now + private.mending_time()
        when s.settlement = 'potluck' then v_now + private.charging_time() end
    from unnest(p_seat_ids, p_numbers, p_starts_at) as next (seat_id, number, starts_at) join private.seats as s on s.id = next.seat_id
    cross join lateral private.seat_price(s, next.number, next.starts_at) as price
    returning id, settlement
  )
  select array_agg(id) into v_ids from opened where settlement = 'potluck';
  perform private.queue_charges(v_ids);
end $$;

-- The site's own receipts are numbered separately from those that it only writes for two people who pay each other directly. A
-- rolled-back transaction leaves a gap in the numbers.
create sequence private.receipt_numbers;
create sequence private.direct_receipt_numbers;

-- Gives each paid payment a receipt, with the names at that time.
create function private.tg_member_payments__issue_receipt() returns trigger
language plpgsql volatile security definer set search_path = '' as $$
declare v_number text := case new.settlement when 'direct' then nextval('private.direct_receipt_numbers')
  else nextval('private.receipt_numbers') end;
begin
  -- lpad() alone would cut off a longer number.
  new.receipt_number := case new.settlement when 'direct' then 'D' else '' end || to_char(private.now() at time zone 'utc', 'YYYY') || '-'
    || lpad(v_number, greatest(6, char_length(v_number)), '0');
  select owner.display_name, member.display_name into new.owner_name, new.member_name
  from private.user_profiles as owner, private.user_profiles as member
  where owner.user_id = new.owner_id and member.user_id = new.member_id;
  if new.settlement = 'potluck' then
    select name, private.operator_address(), vat_number into new.seller_name, new.seller_address, new.seller_tax_number
    from public.operator where name is not null;
  end if;
  return new;
end $$;
create trigger issue_receipt before update of paid_at on public.member_payments
  for each row when (old.paid_at is null and new.paid_at is not null) execute function private.tg_member_payments__issue_receipt();
-- Writes the records of new receipts (sealed_records.sql), all together.
create function private.tg_member_payments__record_receipt() returns trigger
-- Postgres expects few changed rows and would compare each with each.
language plpgsql volatile security definer set search_path = '' set timezone = 'UTC' set enable_nestloop = off as $$
begin
  perform private.write_record('receipt', n.id::text, private.sealed_content('receipt', to_jsonb(n)))
  from now_so as n join before as b on b.id = n.id
  where n.settlement = 'potluck' and b.receipt_number is null and n.receipt_number is not null;
  return null;
end $$;
create trigger record_receipt after update on public.member_payments referencing old table as before new table as now_so
  for each statement execute function private.tg_member_payments__record_receipt();
create trigger record_step after insert or update on public.member_payments
  for each row when (new.settlement = 'direct') execute function private.tg_private__record('direct payment', '{id}');

-- Moves money for a payment from an account into the held accounts: the share first, then the fee. p_kind is the kind of movement a
-- wallet shows. If the key is known, nothing moves.
create function private.pay_into(p_payment uuid, p_from bigint, p_amount numeric, p_kind text, p_key text) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_seat private.seats := private.lock_seat_of_payment(p_payment);
  v_payment public.member_payments;
  v_share numeric;
  v_coins boolean := p_from = private.ledger_account('wallet', v_seat.member_id);
begin
  if exists (select from private.ledger_transfers where key in (p_key || ':share', p_key || ':fee')) then return; end if;
  select * into v_payment from public.member_payments where id = p_payment;
  if (p_amount > 0 and v_payment.coins + v_payment.card + p_amount <= v_payment.amount) is not true then
    perform private.refuse('payment_exceeds_price');
  end if;
  v_share := least(p_amount, greatest(0, v_payment.share - v_payment.coins - v_payment.card));
  if v_share > 0 then
    perform private.transfer(p_key || ':share', p_from, private.ledger_account('held_share', v_seat.id), v_share, p_kind, v_seat.id,
      p_payment, v_payment.plan_name);
  end if;
  if p_amount > v_share then
    perform private.transfer(p_key || ':fee', p_from, private.ledger_account('held_fee', v_seat.id), p_amount - v_share, p_kind,
      v_seat.id, p_payment, v_payment.plan_name);
  end if;
  update public.member_payments set
    coins = coins + case when v_coins then p_amount else 0 end, card = card + case when v_coins then 0 else p_amount end
  where id = p_payment;
end $$;

-- Moves held money of a payment back to where it came from: to the card first, then as coins.
create function private.move_back(p_payment public.member_payments, p_share numeric, p_fee numeric, p_kind text) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_key text := format('back:%s:%s', p_payment.id, gen_random_uuid());
  v_card numeric := least(p_share + p_fee, greatest(0, p_payment.card - p_payment.returned_share - p_payment.returned_fee));
  v_part record;
begin
  for v_part in
    select * from (values
      ('held_share', 'refunds_due', null, least(p_share, v_card)), ('held_fee', 'refunds_due', null, v_card - least(p_share, v_card)),
      ('held_share', 'wallet', p_payment.member_id, p_share - least(p_share, v_card)),
      ('held_fee', 'wallet', p_payment.member_id, p_fee - v_card + least(p_share, v_card))
    ) as part (held, goes, person, amount) where amount > 0
  loop
    perform private.transfer(format('%s:%s:%s', v_key, v_part.held, v_part.goes), private.ledger_account(v_part.held, p_payment.seat_id),
      private.ledger_account(v_part.goes, v_part.person), v_part.amount,
      case v_part.goes when 'wallet' then p_kind else 'refund' end, p_payment.seat_id, p_payment.id, p_payment.plan_name);
  end loop;
  if v_card > 0 then
    perform private.queue_refund(p_payment.id, v_card);
  end if;
end $$;

-- Refunds part of a paid payment and tells the member, unless another notification does: the one about a contract withdrawal or a
-- fraud warning.
create function private.give_back(p_payment uuid, p_share numeric, p_fee numeric, p_reason text) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_seat private.seats := private.lock_seat_of_payment(p_payment);
  v_payment public.member_payments;
  v_amount numeric := p_share + p_fee;
begin
  if v_amount = 0 then return; end if;
  select * into v_payment from public.member_payments where id = p_payment;
  perform private.move_back(v_payment, p_share, p_fee, 'refund');
  update public.member_payments set returned_share = returned_share + p_share, returned_fee = returned_fee + p_fee,
    status = case when returned_share + returned_fee + p_share + p_fee = least(amount, coins + card) then 'given-back' else status end,
    closed_at = case when returned_share + returned_fee + p_share + p_fee = least(amount, coins + card) then private.now() end
  where id = p_payment;
  if p_reason in ('withdrawn', 'warned') then return; end if;
  perform private.tell_seat(v_seat, v_seat.member_id, 'info', 'money-given-back', jsonb_build_object('amount', v_amount, 'reason', p_reason),
    p_invoiced => case when p_fee > 0 then v_payment.id end);
end $$;

-- Returns the money taken for a payment that did not go through.
create function private.release_payment(p_payment uuid) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare v_payment public.member_payments;
begin
  select * into v_payment from public.member_payments where id = p_payment;
  if v_payment.coins + v_payment.card = 0 then return; end if;
  perform private.move_back(v_payment, least(v_payment.share, v_payment.coins + v_payment.card),
    greatest(0, v_payment.coins + v_payment.card - v_payment.share), 'payment-returned');
  update public.member_payments set coins = 0, card = 0 where id = p_payment;
end $$;

-- Returns for how much of a payment's period, up to p_until, there was no access: from the report of each problem until it was
-- fixed, and from p_lost_from on.
create function private.time_without_access(p_payment public.member_payments, p_until timestamptz, p_lost_from timestamptz)
returns interval
language plpgsql stable security definer set search_path = '' as $$
begin
  return greatest(interval '0', p_until - greatest(p_payment.starts_at, p_lost_from)) * (p_lost_from is not null)::integer + coalesce((
    select sum(least(p_until, p_lost_from, coalesce(lost_until, 'infinity')) - greatest(p_payment.starts_at, reported_at))
    from public.seat_problems
    where seat_id = p_payment.seat_id and reported_at < least(p_until, p_lost_from)
      and coalesce(lost_until, 'infinity') > greatest(p_payment.starts_at, reported_at)
  ), interval '0');
end $$;

-- Records the earnings of payments so far, rounded down (with p_all, everything that is left), and moves the money.
create function private.move_earnings(p_payments uuid[], p_all boolean) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_now timestamptz := private.now();
  v_before public.member_payments[] := array(select m from public.member_payments as m where id = any (p_payments));
  -- A job that works through many seats lists them here and moves all their earnings together at its end.
  v_later uuid[] := coalesce(nullif(current_setting('potluck.earn_together', true), ''), '{}');
begin
  update public.member_payments as m set
    earned_share = least(m.share - m.returned_share, trunc(m.share * given.seconds / given.among, 2)),
    earned_fee = least(m.fee - m.returned_fee, trunc(m.fee * given.seconds / given.among, 2)),
    earned_until = v_now, status = case when p_all then 'closed' else m.status end, closed_at = case when p_all then v_now end
  from unnest(v_before) as was cross join lateral (
    select case when p_all then 1 else extract(epoch from least(v_now, was.ends_at) - was.starts_at
        - private.time_without_access(was, least(v_now, was.ends_at), null)) end,
      case when p_all then 1 else extract(epoch from was.ends_at - was.starts_at) end
  ) as given (seconds, among)
  where m.id = any (p_payments) and m.id = was.id;
  perform private.post_earnings(array(select was from unnest(v_before) as was where was.seat_id <> all (v_later)));
end $$;

-- Moves the money of earnings that have just been recorded: the difference between p_before, the payments before that update, and
-- the current rows. The share goes to the owner (to their account at the provider, if they have one), the fee to the site.
create function private.post_earnings(p_before public.member_payments[]) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_accounts boolean := private.uses_accounts();
  v_fees bigint := private.ledger_account('fees');
  v_moves private.move[] := array(
    select (format('%s:%s:%s', part.key, m.id, part.before), giver.id,
      case part.goes when 'fees' then v_fees else coalesce(taker.id, private.ledger_account(part.goes, part.person)) end,
      part.earned - part.before, part.kind, m.seat_id, m.id, part.description)::private.move
    from unnest(p_before) as was join public.member_payments as m on m.id = was.id
    cross join lateral (values
      ('earn', 'earning', 'held_share', was.earned_share, m.earned_share,
        case when v_accounts and private.has_own_account(m.owner_id) then 'connected' else 'wallet' end, m.owner_id, m.plan_name || ': share'),
      ('fee', 'fee', 'held_fee', was.earned_fee, m.earned_fee, 'fees', null, m.plan_name)
    ) as part (key, kind, held, before, earned, goes, person, description)
    left join private.ledger_accounts as giver on giver.kind = part.held and giver.owner = m.seat_id
    left join private.ledger_accounts as taker on taker.kind = part.goes and taker.owner = part.person
    where part.earned > part.before);
begin
  perform private.transfer_all(v_moves);
  perform private.queue_account_transfer(a.owner, m.amount, m.payment_id)
  from unnest(v_moves) as m join private.ledger_accounts as a on a.id = m.to_account and a.kind = 'connected';
end $$;

-- Records the earnings that are due every private.earning_step().
create function private.record_earnings(p_payment uuid) returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  perform private.lock_seat_of_payment(p_payment);
  perform private.move_earnings(array[id], false) from public.member_payments
  where id = p_payment and status = 'paid' and settlement = 'potluck' and starts_at <= private.now();
end $$;

-- Returns the part of a payment, in its currency, for time without access, including all time from p_lost_from on, minus what the member has
-- already got back. This part is refunded, or owed by an owner who was paid directly.
create function private.unused_of(p_payment public.member_payments, p_lost_from timestamptz, out share numeric, out fee numeric)
language plpgsql stable security definer set search_path = '' as $$
declare v_part numeric := 1;
begin
  if p_payment.starts_at is not null then
    v_part := extract(epoch from private.time_without_access(p_payment, p_payment.ends_at, p_lost_from))
      / extract(epoch from p_payment.ends_at - p_payment.starts_at);
  end if;
  share := round(p_payment.share * v_part, private.currency_digits(p_payment.currency));
  fee := round(p_payment.fee * v_part, 2);
  if p_payment.settlement = 'potluck' then
    share := greatest(0, least(share - p_payment.returned_share, p_payment.share - p_payment.earned_share - p_payment.returned_share));
    fee := greatest(0, least(fee - p_payment.returned_fee, p_payment.fee - p_payment.earned_fee - p_payment.returned_fee));
  end if;
end $$;

-- Closes a paid payment: refunds the part for time without access to the cent (all of it if access was never given), and moves the
-- rest to the owner and the site. The owner gets nothing for the time from p_lost_from on, if given, after a contract withdrawal,
-- or after the beginning of a suspension during which the seat ended.
create function private.close_payment(p_payment uuid, p_lost_from timestamptz default null) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_seat private.seats := private.lock_seat_of_payment(p_payment);
  v_payment public.member_payments;
  v_unused record;
  v_lost_from timestamptz;
begin
  select * into v_payment from public.member_payments where id = p_payment;
  v_lost_from := private.suspended_since(v_seat);
  -- The plan may have another owner by now; the suspension of either ends the place.
  v_seat.owner_id := v_payment.owner_id;
  v_lost_from := least(case v_seat.end_reason when 'withdrawn' then private.lost_on_withdrawal(v_seat, v_payment) else p_lost_from end,
    v_lost_from, private.suspended_since(v_seat));
  if v_payment.settlement = 'direct' then
    v_unused := private.unused_of(v_payment, v_lost_from);
    perform private.record_debt(v_seat, v_payment, v_unused.share);
  elsif v_payment.status = 'paid' then
    v_unused := private.unused_of(v_payment, v_lost_from);
    perform private.give_back(p_payment, v_unused.share, v_unused.fee,
      case when v_seat.end_reason = 'withdrawn' and v_seat.ended_at = private.now() then 'withdrawn'
        when v_payment.starts_at is null then 'no-access' when v_seat.ended_at is not null then 'ended' else 'problem' end);
    perform private.move_earnings(array[id], true) from public.member_payments where id = p_payment and status = 'paid';
  end if;
end $$;

select private.send_changes('member_payments');
revoke all on public.member_payments from public, anon, authenticated, service_role;
grant select on public.member_payments to authenticated, service_role;
revoke all on sequence private.receipt_numbers, private.direct_receipt_numbers from public, anon, authenticated, service_role;
