-- Chargebacks: payments that a cardholder's bank takes back. The amount comes from the part of that card payment that is still
-- held, then from the part sent to the owner's own account, then from the member's coins, and last from the site. The seat ends,
-- and staff see the deadline for an answer.
create table public.payment_disputes (
  -- The provider's id.
  id text primary key check (char_length(id) <= 200),
  payment_id uuid not null references private.charges (payment_id) on delete restrict,
  plan_name text not null,
  member_id uuid not null references private.user_profiles (user_id) on delete restrict,
  owner_id uuid not null references private.user_profiles (user_id) on delete restrict,
  amount numeric(12, 2) not null check (amount >= 0),
  -- The amount charged to the card, and the part of it already refunded when the dispute was opened.
  charged numeric(12, 2) not null,
  given_back numeric(12, 2) not null,
  reason text not null check (char_length(reason) <= 200),
  -- The provider's status: needs_response, under_review, won, lost …
  status text not null check (char_length(status) <= 100),
  -- The deadline for an answer, and the last deadline that staff were reminded of.
  due_by timestamptz,
  reminded_of timestamptz,
  -- The state of our answer (dispute_answers.sql), when staff gave it, and why the provider refused it.
  answer text check (answer in ('queued', 'sent', 'refused')),
  answered_at timestamptz,
  answer_refusal text,
  opened_at timestamptz not null default private.now(),
  closed_at timestamptz,
  -- The amounts that the dispute took, by source; winning puts them back.
  from_share numeric(12, 2) not null default 0,
  from_fee numeric(12, 2) not null default 0,
  from_coins numeric(12, 2) not null default 0,
  -- Taken from transfers to the owner's own account.
  from_account numeric(12, 2) not null default 0,
  from_guarantee numeric(12, 2) not null default 0,
  -- Taken from refunds under way, which fail because the bank takes that money.
  from_refunds numeric(12, 2) not null default 0,
  -- The provider's fee for the dispute, less its returned part; the site bears it.
  cost numeric(12, 2) not null default 0
);
create index payment_disputes_payment_idx on public.payment_disputes (payment_id);
create index payment_disputes_member_idx on public.payment_disputes (member_id);
create index payment_disputes_owner_idx on public.payment_disputes (owner_id);
create index payment_disputes_newest_idx on public.payment_disputes (opened_at desc);
create index payment_disputes_due_idx on public.payment_disputes (due_by) where closed_at is null;
alter table public.payment_disputes enable row level security;
create policy "Admins see disputes" on public.payment_disputes
  for select to authenticated using ((select private.may('users.edit') and private.may_act_as_staff()));

-- Returns whether this person has an open dispute. While they have one, none of their cards is charged.
create function private.has_open_dispute(p_user_id uuid) returns boolean
language sql stable security definer set search_path = '' as $$
  select exists (select from public.payment_disputes where member_id = p_user_id and closed_at is null)
$$;

-- Returns the amount that was refunded to the card of a charge, or is on its way there.
create function private.given_back_to_card(p_payment_id uuid) returns numeric
language sql stable security definer set search_path = '' as $$
  select coalesce(sum(amount), 0) from private.refunds where payment_id = p_payment_id and status <> 'failed'
$$;

-- Returns whether this status means that the bank has taken the money.
create function private.dispute_takes(p_status text) returns boolean
language plpgsql immutable set search_path = '' as $$
begin
  return p_status not in ('won', 'prevented') and p_status not like 'warning%';
end $$;

create function private.debited_by(p_dispute public.payment_disputes) returns numeric
language sql immutable as $$
  select p_dispute.from_share + p_dispute.from_fee + p_dispute.from_coins + p_dispute.from_account + p_dispute.from_guarantee
    + p_dispute.from_refunds
$$;

-- Books the amount that the bank has taken, but never more than was charged less refunds and the amounts of other disputes. A bank
-- debit is taken back in full even if part of it was refunded: only refunds still under way reduce the amount, because they fail.
create function private.debit_disputed(p_dispute public.payment_disputes, p_payment public.member_payments) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_outside bigint := private.ledger_account('outside');
  v_given_back numeric := private.given_back_to_card(p_payment.id);
  -- The amount received is read again here, because the event of the dispute may have arrived before that of the charge.
  v_charged numeric := (select received from private.charges where payment_id = p_payment.id);
  v_others numeric := (select coalesce(sum(private.debited_by(d)), 0) from public.payment_disputes as d
    where d.payment_id = p_payment.id and d.id <> p_dispute.id and d.status <> 'won');
  v_kept numeric := case when (select kind from private.charges where payment_id = p_payment.id) <> 'sepa_debit' then v_given_back
    else (select coalesce(sum(amount), 0) from private.refunds where payment_id = p_payment.id and private.is_open_refund(status)) end;
  v_rest numeric := greatest(0, least(p_dispute.amount - p_dispute.from_refunds, v_charged - v_kept - v_others));
  v_held numeric;
  v_part record;
begin
  -- The part of this payment that the card paid and that is still held.
  v_held := case when p_payment.status = 'paid' then greatest(0, least(v_rest,
    p_payment.card - p_payment.returned_share - p_payment.returned_fee)) else 0 end;
  p_dispute.from_share := least(v_held, p_payment.share - p_payment.earned_share - p_payment.returned_share);
  p_dispute.from_fee := least(v_held - p_dispute.from_share, p_payment.fee - p_payment.earned_fee - p_payment.returned_fee);
  v_rest := v_rest - p_dispute.from_share - p_dispute.from_fee;
  p_dispute.from_account := private.debit_connected_account(p_payment, v_rest, p_dispute.id);
  v_rest := v_rest - p_dispute.from_account;
  p_dispute.from_coins := least(v_rest, private.available_coins(p_dispute.member_id));
  p_dispute.from_guarantee := v_rest - p_dispute.from_coins;
  for v_part in select * from (values
    ('held_share', p_payment.seat_id, p_dispute.from_share), ('held_fee', p_payment.seat_id, p_dispute.from_fee),
    ('wallet', p_dispute.member_id, p_dispute.from_coins), ('guarantee', null, p_dispute.from_guarantee)
  ) as part (kind, owner, amount) where part.amount > 0 loop
    perform private.transfer(format('dispute:%s:%s', p_dispute.id, v_part.kind), private.ledger_account(v_part.kind, v_part.owner),
      v_outside, v_part.amount, 'chargeback', p_payment.seat_id, p_payment.id, p_payment.plan_name || ': payment taken back');
  end loop;
  update public.member_payments set returned_share = returned_share + p_dispute.from_share,
    returned_fee = returned_fee + p_dispute.from_fee where id = p_payment.id;
  update public.payment_disputes set charged = v_charged, given_back = v_given_back, from_share = p_dispute.from_share, from_fee = p_dispute.from_fee,
    from_coins = p_dispute.from_coins, from_account = p_dispute.from_account, from_guarantee = p_dispute.from_guarantee
  where id = p_dispute.id;
  if p_payment.returned_share + p_payment.returned_fee > 0 and exists (select from private.charges where payment_id = p_payment.id and kind = 'sepa_debit') then
    perform private.note_debt(p_dispute.id);
  end if;
end $$;

-- Assigns a failed refund to the disputes that took its money; returns the amount that they took.
create function private.leave_to_dispute(p_refund private.refunds, p_account bigint, p_payment public.member_payments) returns numeric
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_dispute public.payment_disputes;
  v_rest numeric := p_refund.amount;
  v_part numeric;
begin
  for v_dispute in
    select * from public.payment_disputes where payment_id = p_refund.payment_id and private.dispute_takes(status)
    order by opened_at desc, id for update
  loop
    v_part := least(v_rest, v_dispute.amount - private.debited_by(v_dispute));
    continue when v_part <= 0;
    if p_account <> private.ledger_account('outside') then
      perform private.transfer(format('dispute:%s:%s', v_dispute.id, p_refund.id), p_account, private.ledger_account('outside'),
        v_part, 'chargeback', p_payment.seat_id, p_payment.id, p_payment.plan_name || ': payment taken back');
    end if;
    update public.payment_disputes set from_refunds = from_refunds + v_part, given_back = given_back - v_part
    where id = v_dispute.id;
    v_rest := v_rest - v_part;
  end loop;
  return p_refund.amount - v_rest;
end $$;

-- Books a refund that arrived although the bank has returned the same money: the dispute had not taken this amount, because the
-- refund was under way, so the site has paid it twice. The amount is taken from the member's coins and, if they are not enough,
-- from the site, and staff are told.
create function private.book_returned_twice(p_refund private.refunds, p_payment public.member_payments) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_dispute public.payment_disputes;
  v_missing numeric;
  v_coins numeric;
  v_part record;
begin
  -- Only bank debits can be returned twice: the dispute of a card payment never takes more than the card paid, less refunds.
  if (select kind from private.charges where payment_id = p_payment.id) <> 'sepa_debit' then return; end if;
  for v_dispute in
    select * from public.payment_disputes where payment_id = p_payment.id and private.dispute_takes(status) order by opened_at, id for update
  loop
    v_missing := least(p_refund.amount, v_dispute.amount - private.debited_by(v_dispute));
    continue when v_missing <= 0;
    p_refund.amount := p_refund.amount - v_missing;
    v_coins := least(v_missing, private.available_coins(p_payment.member_id));
    for v_part in select * from (values ('wallet', p_payment.member_id, v_coins), ('guarantee', null, v_missing - v_coins))
      as part (kind, owner, amount) where part.amount > 0
    loop
      perform private.transfer(format('dispute:%s:%s:%s', v_dispute.id, p_refund.id, v_part.kind), private.ledger_account(v_part.kind, v_part.owner),
        private.ledger_account('outside'), v_part.amount, 'chargeback', p_payment.seat_id, p_payment.id, p_payment.plan_name || ': payment taken back');
    end loop;
    update public.payment_disputes set from_coins = from_coins + v_coins, from_guarantee = from_guarantee + v_missing - v_coins
    where id = v_dispute.id;
    perform private.tell_treasurers('warning', 'payment-returned-twice',
      jsonb_build_object('plan', p_payment.plan_name, 'amount', v_missing, 'rest', v_missing - v_coins));
    perform private.note_debt(v_dispute.id);
  end loop;
end $$;

-- Returns the money of a won dispute to its sources. The part that was held goes to the owner, because the member's dispute ended the
-- seat; if the owner had given no access yet, it goes back to the card.
create function private.return_disputed(p_dispute public.payment_disputes, p_payment public.member_payments) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_outside bigint := private.ledger_account('outside');
  v_part record;
begin
  for v_part in select * from (values
    ('held_share', p_payment.seat_id, p_dispute.from_share), ('held_fee', p_payment.seat_id, p_dispute.from_fee),
    ('wallet', p_dispute.member_id, p_dispute.from_coins + p_dispute.from_refunds), ('guarantee', null, p_dispute.from_guarantee),
    ('connected', p_payment.owner_id, p_dispute.from_account)
  ) as part (kind, owner, amount) where part.amount > 0 loop
    perform private.transfer(format('dispute-won:%s:%s', p_dispute.id, v_part.kind), v_outside,
      private.ledger_account(v_part.kind, v_part.owner), v_part.amount, 'chargeback-won', p_payment.seat_id, p_payment.id,
      p_payment.plan_name || ': payment back');
  end loop;
  perform private.end_debt(p_dispute.id);
  if p_dispute.from_account > 0 then
    perform private.queue_account_transfer(p_payment.owner_id, p_dispute.from_account, p_payment.id, p_dispute.id);
  end if;
  update public.member_payments set returned_share = returned_share - p_dispute.from_share,
    returned_fee = returned_fee - p_dispute.from_fee where id = p_payment.id;
  if p_payment.starts_at is null then
    perform private.give_back(p_payment.id, p_dispute.from_share, p_dispute.from_fee, 'no-access');
  elsif p_dispute.from_share + p_dispute.from_fee > 0 then
    perform private.move_earnings(array[p_payment.id], true);
  end if;
end $$;

-- Books the provider's fees for a dispute: {id of its transaction: fee}, negative for a returned fee. Each is booked once.
create function private.book_dispute_costs(p_dispute text, p_costs jsonb, p_payment public.member_payments) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_costs bigint := private.ledger_account('costs');
  v_outside bigint := private.ledger_account('outside');
  v_cost record;
begin
  for v_cost in
    select 'dispute-cost:' || id as key, amount::numeric as amount from jsonb_each_text(p_costs) as cost (id, amount) where amount::numeric <> 0
  loop
    continue when exists (select from private.ledger_transfers where key = v_cost.key);
    perform private.transfer(v_cost.key, case when v_cost.amount > 0 then v_costs else v_outside end,
      case when v_cost.amount > 0 then v_outside else v_costs end, abs(v_cost.amount), 'cost', p_payment.seat_id, p_payment.id,
      p_payment.plan_name || ': dispute');
    update public.payment_disputes set cost = cost + v_cost.amount where id = p_dispute;
  end loop;
end $$;

-- Records a provider's event about a dispute; events may arrive out of order. A closed dispute stays closed, unless it was lost and
-- is appealed, or is won after all; and a chargeback never becomes an inquiry again. Returns false if the charge is not ours.
create function private.record_dispute(
  p_reference text, p_intent text, p_amount numeric, p_status text, p_reason text, p_due_by timestamptz, p_costs jsonb default '{}'
) returns boolean
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_payment_id uuid := (select payment_id from private.charges where intent = p_intent);
  v_seat private.seats;
  v_dispute public.payment_disputes;
  v_payment public.member_payments;
  v_is_closed boolean := p_status in ('won', 'lost', 'warning_closed', 'prevented');
  v_is_news boolean;
begin
  if v_payment_id is null then return false; end if;
  v_seat := private.lock_place((select seat_id from public.member_payments where id = v_payment_id));
  perform private.lock_held_money(array[v_seat.id], array['outside', 'refunds_due', 'fees', 'guarantee', 'costs']);
  select * into v_payment from public.member_payments where id = v_payment_id;
  insert into public.payment_disputes
    (id, payment_id, plan_name, member_id, owner_id, amount, charged, given_back, reason, status, due_by)
  select p_reference, v_payment_id, v_payment.plan_name, v_payment.member_id, v_payment.owner_id, p_amount,
    received, private.given_back_to_card(v_payment_id), p_reason, p_status, p_due_by from private.charges where payment_id = v_payment_id
  on conflict (id) do nothing;
  v_is_news := found;
  select * into v_dispute from public.payment_disputes where id = p_reference for update;
  -- An inquiry that becomes a chargeback gets a new deadline, and needs a new answer.
  if p_status = 'needs_response' and v_dispute.status like 'warning%' and v_dispute.closed_at is null then
    update public.payment_disputes set answer = null, answered_at = null, answer_refusal = null where id = p_reference;
    delete from private.dispute_evidence where dispute_id = p_reference;
    v_is_news := true;
  end if;
  if v_is_news then
    -- A bank debit that is returned is lost from the start: nobody can contest it.
    perform private.tell_treasurers('warning', case p_status when 'lost' then 'payment-returned' else 'payment-disputed' end,
      jsonb_build_object('plan', v_payment.plan_name, 'amount', p_amount, 'until', p_due_by));
  end if;
  perform private.book_dispute_costs(p_reference, p_costs, v_payment);
  select * into v_dispute from public.payment_disputes where id = p_reference;
  if v_dispute.closed_at is not null and not (v_dispute.status = 'lost' and (p_status = 'won' or p_status like 'appeal%'))
    or p_status like 'warning%' and v_dispute.status not like 'warning%' then return true; end if;
  update public.payment_disputes set status = p_status, due_by = p_due_by,
    closed_at = case when v_is_closed then private.now() end where id = p_reference;
  if private.dispute_takes(p_status) and private.debited_by(v_dispute) = 0 then
    perform private.debit_disputed(v_dispute, v_payment);
    perform private.end_seat(v_payment.seat_id, 'disputed', v_payment.member_id);
  elsif p_status = 'won' then
    perform private.return_disputed(v_dispute, v_payment);
  end if;
  return true;
end $$;
select private.publish('record_dispute', 'service_role');

-- Returns the time until which a person's withdrawals wait, because payments to them may be taken back; 'infinity' during a
-- dispute. Bank debits extend the wait only for new owners, whose first debit came within private.debit_earnings_wait() of their
-- first payment.
create function private.withdrawals_wait_until(p_user_id uuid) returns timestamptz
language plpgsql stable security definer set search_path = '' as $$
begin
  return case when exists (select from public.payment_disputes where owner_id = p_user_id and closed_at is null) then 'infinity'
    else (
      select greatest((private.current_hold(p_user_id)).until, card + private.card_earnings_wait(),
        case when debit < card + private.debit_earnings_wait() then debit + private.debit_earnings_wait() end)
      from (
        select min(t.created_at) as card, min(t.created_at) filter (where m.paid_with = 'sepa_debit') as debit
        from private.ledger_transfers as t join public.member_payments as m on m.id = t.payment_id
        where t.person_id = p_user_id and t.kind = 'earning' and m.card > 0
      ) as first
    ) end;
end $$;
create function private.tg_withdrawal_requests__hold() returns trigger
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_until timestamptz := private.withdrawals_wait_until(new.user_id);
  v_hold private.payout_holds := private.current_hold(new.user_id);
begin
  if v_hold.id is not null then
    perform private.refuse('payouts_held', private.day_for(auth.uid(), v_hold.until));
  elsif v_until = 'infinity' then
    perform private.refuse('payment_to_person_disputed');
  elsif private.owed_to_site(new.user_id) > private.available_coins(new.user_id) then
    perform private.refuse('person_owes_site', private.money(private.owed_to_site(new.user_id)));
  elsif v_until > private.now() then
    perform private.refuse('first_payments_too_fresh', private.day_for(auth.uid(), v_until));
  end if;
  return new;
end $$;
create trigger hold before update of status on public.withdrawal_requests
  for each row when (new.status in ('processing', 'completed') and new.status <> old.status)
  execute function private.tg_withdrawal_requests__hold();

revoke all on public.payment_disputes from public, anon, authenticated, service_role;
grant select on public.payment_disputes to authenticated;
