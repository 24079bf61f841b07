-- Debts between people who pay each other directly: a member who left without paying, and an owner who owes money back.

-- How long a member must have had working access before an unpaid payment counts as left unpaid, and how long such a payment closes
-- the owner's plans to that member.
create function private.least_use() returns interval
language sql immutable return interval '24 hours';
create function private.unpaid_memory() returns interval
language sql immutable return interval '12 months';

-- When an owner is reminded of a debt and, as the last step, when it counts as not repaid in time; counted from when the money
-- became due.
create function private.debt_steps() returns interval[]
language sql immutable return '{3 days,14 days,30 days}'::interval[];

-- Keeps an unpaid direct payment of an ended seat open if the member had access for at least private.least_use(). The member then owes the
-- whole period or, if the seat was ended by the owner, a suspension or a withdrawal from the contract, the time used. Otherwise changes
-- nothing and returns false, also if the owner never said how to pay or the seat ended through the owner's fault.
create function private.leave_unpaid(p_seat private.seats, p_payment public.member_payments) returns boolean
language plpgsql volatile security definer set search_path = '' as $$
declare
  -- Access is closed during a suspension.
  v_until timestamptz := least(p_seat.ended_at, p_payment.ends_at,
    (select min(since) from private.suspensions where user_id in (p_seat.owner_id, p_seat.member_id) and resumed_at is null));
  v_used interval := v_until - p_payment.starts_at - private.time_without_access(p_payment, v_until, null);
begin
  if p_payment.settlement <> 'direct' or p_payment.share = 0 or coalesce(v_used < private.least_use(), true)
    or p_seat.end_reason in ('problem', 'no-access')
    or p_seat.end_reason = 'withdrawn' and p_seat.begins_at_once_at is null or private.has_open_problem(p_seat.id) or not private.says_how_to_pay(p_payment.owner_id)
  then
    return false;
  end if;
  update public.member_payments set left_unpaid_at = private.now(), share = case
    when p_seat.end_reason in ('removed', 'cancelled', 'unpaid', 'suspended', 'withdrawn')
      then least(share, greatest(power(10::numeric, -digits.of_currency),
        round(share * extract(epoch from v_used) / extract(epoch from ends_at - starts_at), digits.of_currency)))
    else share end
  from (select private.currency_digits(p_payment.currency)) as digits (of_currency)
  where id = p_payment.id;
  return true;
end $$;

-- Returns whether a payment of an ended seat stays due as it is, whatever ended the seat: its member has taken the plan over, or the payment
-- is for a period that was over and is owed to an earlier owner.
create function private.stays_due(p_seat private.seats, p_payment public.member_payments) returns boolean
language sql immutable as $$
  select p_payment.settlement = 'direct' and (p_seat.end_reason = 'handed-over'
    or p_payment.handed_over_at is not null and p_payment.ends_at <= p_seat.ended_at)
$$;

-- When a seat has just ended, tells both sides how much was left unpaid.
create function private.tell_left_unpaid(p_seat private.seats) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare v_left record;
begin
  for v_left in
    select owner_id, sum(amount) as amount from public.member_payments
    where seat_id = p_seat.id and left_unpaid_at is not null and status = 'due' group by owner_id order by owner_id
  loop
    p_seat.owner_id := v_left.owner_id;
    perform private.tell_seat(p_seat, p_seat.member_id, 'warning', 'payment-left-unpaid', jsonb_build_object('amount', v_left.amount));
    perform private.tell_seat(p_seat, p_seat.owner_id, 'info', 'payment-member-left-unpaid', jsonb_build_object('amount', v_left.amount));
  end loop;
end $$;

-- Waives what a member left unpaid, or owes to the owner of a plan that has been handed over. Owner only.
create function private.waive_payment(p_payment_id uuid) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare v_payment public.member_payments := private.lock_direct_payment(p_payment_id, true);
begin
  if num_nonnulls(v_payment.left_unpaid_at, v_payment.handed_over_at) = 0 or not private.is_open_directly(v_payment.status) then
    perform private.refuse('payment_not_open');
  end if;
  perform private.close_claim(v_payment.id, 'void');
  update public.member_payments set status = 'cancelled', closed_at = private.now(), waived_at = private.now(), left_unpaid_at = null
  where id = v_payment.id;
  perform private.schedule_seat(v_payment.seat_id);
  perform private.tell_payment(v_payment, false, 'success', 'payment-waived');
end $$;
select private.publish('waive_payment', 'authenticated');

create function private.left_unpaid(p_owner_id uuid, p_member_id uuid) returns boolean
language plpgsql stable security definer set search_path = '' as $$
begin
  return exists (
    select from public.member_payments where owner_id = p_owner_id and member_id = p_member_id
      and left_unpaid_at > private.now() - private.unpaid_memory() and status in ('due', 'claimed')
  );
end $$;

-- Returns whether the owner still has to repay part of this payment; false while the owner disputes having received it.
create function private.is_owed_back(p_payment public.member_payments) returns boolean
language sql immutable as $$
  select p_payment.owed_back > 0 and p_payment.status <> 'disputed' and p_payment.repaid_at is null and p_payment.debt_closed_at is null
$$;

-- Returns how many members this person has not repaid in time; repayments that are claimed or disputed do not count, nor do seats that do not.
create function private.unkept_debts(p_user_id uuid) returns integer
language plpgsql stable security definer set search_path = '' as $$
begin
  return (
    select count(distinct seat_id)::integer from public.member_payments as m
    where owner_id = p_user_id and unkept_at is not null and private.is_owed_back(m) and not private.is_claimed_back(m.id)
      and exists (select from private.seats where id = m.seat_id and counts)
  );
end $$;

-- Refuses a new member if they have left a payment to this owner unpaid, or if the owner has not repaid a member in time.
create function private.require_settled(p_owner_id uuid, p_member_id uuid) returns void
language plpgsql stable security definer set search_path = '' as $$
begin
  if private.unkept_debts(p_owner_id) > 0 then
    if auth.uid() = p_owner_id then
      perform private.refuse('refund_owed_before_members');
    end if;
    perform private.refuse('plan_closed');
  elsif private.left_unpaid(p_owner_id, p_member_id) then
    if auth.uid() = p_owner_id then
      perform private.refuse('left_unpaid_by_person');
    end if;
    perform private.refuse('left_unpaid_with_owner');
  end if;
end $$;

-- Records the total that a directly paid owner owes for time without access. Nothing is owed for a payment that the owner has not
-- received.
create function private.record_debt(p_seat private.seats, p_payment public.member_payments, p_owed numeric) returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  if p_payment.status <> 'paid' or p_owed <= p_payment.owed_back then return; end if;
  update public.member_payments set owed_back = p_owed, repaid_at = null, owed_since = private.now(), debt_steps_done = 0, unkept_at = null
  where id = p_payment.id;
  perform private.tell_seat(p_seat, p_seat.member_id, 'info', 'owner-owes-you',
    jsonb_build_object('amount', p_owed, 'known', private.says_how_to_pay(p_seat.member_id)));
  perform private.tell_seat(p_seat, p_seat.owner_id, 'warning', 'you-owe-member', jsonb_build_object('amount', p_owed));
end $$;

-- Takes the next step of private.debt_steps(): a reminder or, as the last step, the judgement that the debt was not repaid in time.
-- If the member has not said by then how to pay them, or has left the site, the debt stays on record but does not restrict the
-- owner.
create function private.pursue_debt(p_seat private.seats, p_payment public.member_payments) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare v_is_judgement boolean := p_payment.debt_steps_done + 1 = cardinality(private.debt_steps());
begin
  p_seat.owner_id := p_payment.owner_id;
  update public.member_payments set debt_steps_done = debt_steps_done + 1, unkept_at = case
    when v_is_judgement and private.says_how_to_pay(p_payment.member_id) then private.now() end where id = p_payment.id
  returning * into p_payment;
  perform private.schedule_seat(p_seat.id);
  if p_payment.unkept_at is not null then
    perform private.tell_seat(p_seat, p_seat.owner_id, 'warning', 'payment-debt-unkept', jsonb_build_object('amount', p_payment.owed_back));
  elsif not v_is_judgement then
    perform private.tell_seat(p_seat, p_seat.owner_id, 'warning', 'you-owe-member', jsonb_build_object('amount', p_payment.owed_back));
  end if;
end $$;

-- "I've paid it back": asks the member whether the money has arrived. Owner only.
create function private.say_repaid(p_payment_id uuid, p_note text default null) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_payment public.member_payments := private.lock_direct_payment(p_payment_id, true);
  v_claim public.payment_claims;
begin
  if not private.is_owed_back(v_payment) or private.is_claimed_back(v_payment.id) then
    perform private.refuse('nothing_owed');
  end if;
  v_claim := private.create_claim(v_payment, 'repayment', p_note);
  perform private.schedule_seat(v_payment.seat_id);
  perform private.ask_about_claim(v_claim.id);
end $$;
select private.publish('say_repaid', 'authenticated');

create function private.record_repaid(p_payment public.member_payments) returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  update public.member_payments set repaid_at = private.now() where id = p_payment.id;
  perform private.schedule_seat(p_payment.seat_id);
end $$;

-- Records that the member has received what the owner owed. The caller has locked the seat.
create function private.receive_repayment(p_payment public.member_payments) returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  perform private.close_claim(p_payment.id, 'received', 'repayment');
  perform private.record_repaid(p_payment);
  p_payment.amount := p_payment.owed_back;
  perform private.tell_payment(p_payment, true, 'success', 'owed-settled');
end $$;

-- "Mark as paid back": the member has received all that this owner or, without one, every owner of the plan owed for this seat. Member only.
create function private.settle_owed(p_seat_id uuid, p_owner_id uuid default null) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_seat private.seats;
  v_payment public.member_payments;
begin
  select * into v_seat from private.seats where id = p_seat_id and member_id = private.require_user() for update;
  if not found then
    perform private.refuse('place_not_found');
  elsif private.owed_back(v_seat.id, p_owner_id) = 0 then
    perform private.refuse('nothing_owed_to_you');
  end if;
  for v_payment in
    select * from public.member_payments as m
    where seat_id = v_seat.id and owner_id = coalesce(p_owner_id, owner_id) and private.is_owed_back(m) order by number
  loop
    perform private.receive_repayment(v_payment);
  end loop;
end $$;
select private.publish('settle_owed', 'authenticated');

-- "Not received": the member says that a repayment has not arrived, with a sentence to the owner. Member only.
create function private.deny_repayment(p_payment_id uuid, p_note text) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare v_payment public.member_payments := private.lock_direct_payment(p_payment_id, false);
begin
  perform private.deny_claim(private.answerable_claim(v_payment.id, 'repayment'), p_note);
end $$;
select private.publish('deny_repayment', 'authenticated');

-- Closes an owner's debt, for a reason that both sides read; the debt no longer restricts the owner. Staff only, and not for plans
-- in which they have or had a part themselves.
create function private.close_debt(p_payment_id uuid, p_reason text) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_payment public.member_payments;
  v_reason text := btrim(coalesce(p_reason, ''));
begin
  if not private.proven(private.may('users.edit')) then
    perform private.refuse('only_admins');
  end if;
  perform private.lock_seat((select seat_id from public.member_payments where id = p_payment_id));
  select * into v_payment from public.member_payments where id = p_payment_id;
  if not private.is_owed_back(v_payment) then
    perform private.refuse('nothing_owed');
  elsif auth.uid() = v_payment.owner_id or exists (
    select from private.seats where subscription_id = v_payment.subscription_id and member_id = auth.uid()) then
    perform private.refuse('place_in_this_plan');
  elsif private.visible_length(v_reason) = 0 or char_length(v_reason) > private.longest_note() then
    perform private.refuse('reasons_for_both_missing', private.longest_note()::text);
  end if;
  perform private.close_claim(v_payment.id, 'void', 'repayment');
  update public.member_payments set debt_closed_at = private.now() where id = v_payment.id;
  perform private.log_staff('debt closed', v_payment.id::text, jsonb_build_object('owner', v_payment.owner_id, 'reason', v_reason));
  perform private.schedule_seat(v_payment.seat_id);
  v_payment.amount := v_payment.owed_back;
  perform private.tell_payment(v_payment, is_owner, 'info', 'payment-debt-closed', jsonb_build_object('note', v_reason))
  from unnest('{true,false}'::boolean[]) as side (is_owner);
end $$;
select private.publish('close_debt', 'authenticated');
