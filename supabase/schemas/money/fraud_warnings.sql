-- Early fraud warnings: a bank tells the provider that a cardholder has reported a payment as fraud, days before the bank may take
-- the payment back. Staff decide; nothing happens automatically. A refund in time avoids the dispute and its fee.
create table public.fraud_warnings (
  -- The provider's id.
  id text primary key check (char_length(id) <= 200),
  payment_id uuid not null references private.charges (payment_id) on delete restrict,
  plan_name text not null,
  member_id uuid not null references private.user_profiles (user_id) on delete restrict,
  owner_id uuid not null references private.user_profiles (user_id) on delete restrict,
  -- The amount the card paid, in EUR.
  charged numeric(12, 2) not null,
  -- The kind of fraud according to the bank, in the provider's words.
  fraud_type text not null check (char_length(fraud_type) <= 200),
  -- False once the payment is disputed or wholly refunded.
  actionable boolean not null,
  warned_at timestamptz not null default private.now(),
  -- Staff's decision: when, by whom, and the amount refunded to the card (null if none).
  decided_at timestamptz,
  decided_by uuid references private.user_profiles (user_id) on delete set null,
  refunded numeric(12, 2) check (refunded > 0),
  check (refunded is null or decided_at is not null)
);
create index fraud_warnings_payment_idx on public.fraud_warnings (payment_id);
create index fraud_warnings_member_idx on public.fraud_warnings (member_id);
create index fraud_warnings_owner_idx on public.fraud_warnings (owner_id);
create index fraud_warnings_decided_by_idx on public.fraud_warnings (decided_by);
create index fraud_warnings_newest_idx on public.fraud_warnings (warned_at desc, id);
create index fraud_warnings_open_idx on public.fraud_warnings (warned_at) where actionable and decided_at is null;
alter table public.fraud_warnings enable row level security;
create policy "Admins see fraud warnings" on public.fraud_warnings
  for select to authenticated using ((select private.may('users.edit') and private.may_act_as_staff()));

-- Returns the part of an undisputed payment that can still be refunded to the card, in EUR.
create function private.left_on_card(p_payment public.member_payments) returns numeric
language plpgsql stable security definer set search_path = '' as $$
begin
  return greatest(0, least(p_payment.card - private.given_back_to_card(p_payment.id),
    p_payment.amount - p_payment.returned_share - p_payment.returned_fee - p_payment.from_guarantee));
end $$;

-- Returns the ledger key of a refund that the guarantee account pays after a warning.
create function private.guarantee_refund_key(p_payment uuid) returns text
language sql immutable return 'warned:' || p_payment::text || ':guarantee';

-- Records a warning, whose events may arrive in any order, and tells staff if it is new. Returns false if the charge is not ours.
create function private.record_fraud_warning(p_reference text, p_intent text, p_type text, p_actionable boolean) returns boolean
language plpgsql volatile security definer set search_path = '' as $$
declare v_payment public.member_payments;
begin
  select m.* into v_payment from private.charges as c join public.member_payments as m on m.id = c.payment_id where c.intent = p_intent;
  if not found then return false; end if;
  insert into public.fraud_warnings (id, payment_id, plan_name, member_id, owner_id, charged, fraud_type, actionable)
  values (p_reference, v_payment.id, v_payment.plan_name, v_payment.member_id, v_payment.owner_id, v_payment.card, p_type, p_actionable)
  on conflict (id) do nothing;
  if not found then
    update public.fraud_warnings set actionable = false where id = p_reference and not p_actionable;
  elsif p_actionable then
    perform private.tell_treasurers('warning', 'payment-fraud-warned', jsonb_build_object('plan', v_payment.plan_name, 'amount', v_payment.card));
  end if;
  return true;
end $$;
select private.publish('record_fraud_warning', 'service_role');

-- Decides about a warning, once: refunds what the card paid and ends the seat, or changes nothing. The refund is taken from held money
-- first, then from transfers to the owner's own account, as in a dispute. Coins that the owner has earned stay theirs, and the
-- guarantee account pays the rest. Returns the refund in EUR.
create function private.decide_fraud_warning(p_id text, p_refunds boolean) returns numeric
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_user uuid := private.require_treasurer();
  v_warning public.fraud_warnings;
  v_seat private.seats;
  v_payment public.member_payments;
  v_all numeric := 0;
  v_held numeric;
  v_share numeric;
  v_fee numeric;
  v_account numeric;
begin
  select * into v_warning from public.fraud_warnings where id = p_id;
  if not found then
    perform private.refuse('warning_not_found');
  elsif v_user in (v_warning.member_id, v_warning.owner_id) then
    perform private.refuse('own_warning');
  end if;
  v_seat := private.lock_place((select seat_id from public.member_payments where id = v_warning.payment_id));
  perform private.lock_held_money(array[v_seat.id], '{refunds_due,fees,guarantee}');
  select * into v_warning from public.fraud_warnings where id = p_id for update;
  if v_warning.decided_at is not null then
    perform private.refuse('warning_already_decided');
  end if;
  if p_refunds then
    select * into v_payment from public.member_payments where id = v_warning.payment_id;
    v_all := private.left_on_card(v_payment);
    if v_all = 0 or exists (select from public.payment_disputes where payment_id = v_payment.id) then
      perform private.refuse('payment_not_refundable');
    end if;
    v_held := case v_payment.status when 'paid' then least(v_all, v_payment.card - v_payment.returned_share - v_payment.returned_fee) else 0 end;
    v_share := least(v_held, v_payment.share - v_payment.earned_share - v_payment.returned_share);
    v_fee := least(v_held - v_share, v_payment.fee - v_payment.earned_fee - v_payment.returned_fee);
    perform private.give_back(v_payment.id, v_share, v_fee, 'warned');
    v_account := private.debit_connected_account(v_payment, v_all - v_share - v_fee, null, p_id);
    if v_account > 0 then
      perform private.queue_refund(v_payment.id, v_account);
    end if;
    if v_all > v_share + v_fee + v_account then
      perform private.transfer(private.guarantee_refund_key(v_payment.id), private.ledger_account('guarantee'), private.ledger_account('refunds_due'),
        v_all - v_share - v_fee - v_account, 'refund', v_seat.id, v_payment.id, v_payment.plan_name);
      perform private.queue_refund(v_payment.id, v_all - v_share - v_fee - v_account);
    end if;
    update public.member_payments set from_guarantee = from_guarantee + v_all - v_share - v_fee where id = v_payment.id;
    perform private.end_seat(v_seat.id, 'disputed', null);
    select * into v_seat from private.seats where id = v_seat.id;
    perform private.tell_seat(v_seat, v_payment.member_id, 'info', 'money-given-back', jsonb_build_object('amount', v_all, 'reason', 'warned'));
  end if;
  update public.fraud_warnings set decided_at = private.now(), decided_by = v_user, refunded = nullif(v_all, 0) where id = p_id;
  perform private.log_staff(case when p_refunds then 'warned payment refunded' else 'fraud warning left' end, p_id,
    jsonb_build_object('member', v_warning.member_id, 'owner', v_warning.owner_id, 'payment', v_warning.payment_id, 'amount', nullif(v_all, 0)));
  return v_all;
end $$;
select private.publish('decide_fraud_warning', 'authenticated');

revoke all on public.fraud_warnings from public, anon, authenticated, service_role;
grant select on public.fraud_warnings to authenticated;
