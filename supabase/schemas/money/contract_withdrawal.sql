-- Withdrawal from the contract about a place. People in the EU may withdraw for a while after a contract made at a distance with a trader
-- (docs/decisions/029-withdrawal.md). Payouts of coins are called withdrawals too, but are something different.

-- How long after the day of the contract the member may withdraw, and how long the refund may take.
create function private.contract_withdrawal_period() returns interval
language sql immutable return interval '14 days';
create function private.contract_refund_time() returns interval
language sql immutable return interval '14 days';

-- Returns whether a member has the right to withdraw from a contract about a place: a contract with the site, which takes a fee, or
-- with an owner who is a trader. Consumer law does not apply between two private people.
create function private.is_withdrawable(p_settlement text, p_owner_id uuid) returns boolean
language plpgsql stable security definer set search_path = '' as $$
begin
  return p_settlement = 'potluck' or exists (select from private.sellers where user_id = p_owner_id and is_trader);
end $$;

-- Returns the deadline for withdrawing from a contract that is made now: the end of the last day, in the member's time zone. The
-- day of the contract is not counted.
create function private.last_contract_withdrawal(p_member_id uuid) returns timestamptz
language plpgsql stable security definer set search_path = '' as $$
declare v_zone text := private.zone_of(p_member_id);
begin
  return (private.day_in(private.now(), v_zone) + 1 + private.contract_withdrawal_period()) at time zone v_zone;
end $$;

-- Refuses a contract with a right to withdraw unless the member has asked for access to begin immediately: without that request,
-- the law gives a member who withdraws everything back, including what the owner has earned by then.
create function private.require_wish_to_begin(p_begins_at_once_at timestamptz) returns void
language plpgsql stable set search_path = '' as $$
begin
  if p_begins_at_once_at is null then
    perform private.refuse('begin_at_once_missing');
  end if;
end $$;

create function private.may_withdraw_from_contract(p_seat private.seats) returns boolean
language sql stable as $$ select p_seat.ended_at is null and coalesce(private.now() < p_seat.withdrawable_until, false) $$;

-- Mails a member the contract about their place as soon as it is made: the terms, who sells what, how it ends, and the right to
-- withdraw with its model form, which people have to get on a durable medium (Directive 2011/83/EU, Art. 8(7)). A member who pays
-- the owner directly has a contract with the owner alone, and gets its terms, with the right and the form only if the owner is a
-- trader. p_made: `place`, or `terms` when they have accepted new terms, which are a new contract with the site only if the owner
-- was paid directly before. The terms apply from payment p_number on. People cannot turn this mail off, and no later event cancels
-- it.
create function private.mail_contract(p_seat private.seats, p_made text, p_is_new_contract boolean, p_number integer) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_cost jsonb := private.quote(p_seat.settlement, p_seat.billing_cycle, p_seat.share, p_seat.fee_rate, p_number);
  v_email text := private.email_of(p_seat.member_id);
  v_seller text := case p_seat.settlement
    when 'direct' then (select concat_ws(', ', name, address, email) from private.sellers where user_id = p_seat.owner_id and is_trader)
    else (select concat_ws(', ', name, private.operator_address(), email) from public.operator where name is not null) end;
begin
  if not private.is_mailable(v_email) then return; end if;
  perform private.write_mail(v_email, p_seat.member_id, case p_seat.settlement when 'direct' then 'contract-with-owner' else 'contract-made' end,
    jsonb_build_object('made', p_made, 'plan', p_seat.provider || ' ' || p_seat.plan_name,
      'owner', (select display_name from private.user_profiles where user_id = p_seat.owner_id), 'name', private.legal_name(p_seat.member_id),
      'cycle', p_seat.billing_cycle, 'months', coalesce(p_seat.cycle_months, 1), 'currency', p_seat.currency, 'amount', v_cost -> 'sum', 'cost', v_cost -> 'year', 'share', v_cost -> 'share',
      'fee', v_cost -> 'fee', 'vat', v_cost -> 'vat', 'day', private.day_in(private.now(), private.zone_of(p_seat.member_id)),
      'form', p_is_new_contract, 'begun', p_is_new_contract and p_seat.begins_at_once_at is not null, 'at', p_seat.begins_at_once_at,
      'until', p_seat.withdrawable_until, 'days', extract(day from private.contract_withdrawal_period()),
      'back', extract(day from private.contract_refund_time()), 'notice', extract(day from private.renewal_notice()),
      'hours', private.hours_of(private.access_time()),
      'seller', coalesce(v_seller, 'none'), 'trader', v_seller is not null),
    '/manage-subscribed/' || p_seat.subscription_id);
end $$;

-- Returns the time from which a withdrawal refunds a payment: the time of the withdrawal, or the start of the payment's period if
-- the member never asked for access to begin immediately. The latter happens only if the owner is paid directly and became a trader
-- after the request for the place.
create function private.lost_on_withdrawal(p_seat private.seats, p_payment public.member_payments) returns timestamptz
language sql stable as $$
  select case when p_seat.begins_at_once_at is null then p_payment.starts_at else coalesce(p_seat.ended_at, private.now()) end
$$;

-- Returns the amount in EUR that is refunded, or owed by an owner who is paid directly, if the member withdraws now; null while an
-- open problem holds the money.
create function private.back_on_contract_withdrawal(p_seat private.seats) returns numeric
language plpgsql stable security definer set search_path = '' as $$
begin
  if private.has_open_problem(p_seat.id) then return null; end if;
  return (
    select coalesce(sum(unused.share + unused.fee), 0.00)
    from public.member_payments as m cross join lateral private.unused_of(m, private.lost_on_withdrawal(p_seat, m)) as unused
    where m.seat_id = p_seat.id and m.status = 'paid');
end $$;

-- Ends a seat whose member leaves within private.contract_withdrawal_period(): the unused part is refunded, and both sides are
-- told. The caller has locked the seat and ends the membership.
create function private.settle_contract_withdrawal(p_seat private.seats) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_back numeric;
  v_what text;
  v_name text := private.legal_name(p_seat.member_id);
begin
  perform private.lock_held_money(array[p_seat.id]);
  v_back := private.back_on_contract_withdrawal(p_seat);
  v_what := case when v_back is null then 'held' when v_back > 0 then case when exists (
    select from public.member_payments where seat_id = p_seat.id and settlement = 'potluck' and status = 'paid') then 'back' else 'owed' end when exists (select from public.member_payments
    where seat_id = p_seat.id and status = 'processing') then 'under-way' else 'nothing' end;
  perform private.settle_seat(p_seat.id, 'withdrawn', p_seat.member_id);
  select * into p_seat from private.seats where id = p_seat.id;
  perform private.tell_of_contract_withdrawals(p_seat);
  perform private.tell_seat(p_seat, p_seat.member_id, 'success', 'contract-withdrawn',
    jsonb_build_object('name', v_name, 'at', p_seat.ended_at, 'what', v_what, 'amount', coalesce(v_back, 0),
      'days', extract(day from private.contract_refund_time())));
  perform private.tell_seat(p_seat, p_seat.owner_id, 'info', 'member-withdrew');
end $$;

-- Withdraws from the contract, and returns the refund in EUR, which the owner owes if they are paid directly; null if an open
-- problem holds the money. While a withdrawal is possible, every other way to leave immediately counts as a withdrawal too. If it
-- is not possible, the refusal says why.
create function private.withdraw_from_contract(p_seat_id uuid) returns numeric
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_user uuid := private.require_user();
  v_seat private.seats;
  v_back numeric;
begin
  if exists (select from private.seats where id = p_seat_id and member_id = v_user) then
    v_seat := private.lock_place(p_seat_id);
  end if;
  if v_seat.end_reason = 'withdrawn' then
    perform private.refuse('already_withdrawn_from_contract');
  elsif v_seat.id is null or v_seat.ended_at is not null then
    perform private.refuse('place_not_found');
  elsif v_seat.withdrawable_until is null then
    perform private.refuse('no_right_to_withdraw');
  elsif not private.may_withdraw_from_contract(v_seat) then
    perform private.refuse('contract_withdrawal_too_late', extract(day from private.contract_withdrawal_period())::text);
  end if;
  v_back := private.back_on_contract_withdrawal(v_seat);
  delete from public.subscription_members where subscription_id = v_seat.subscription_id and user_id = v_seat.member_id;
  return v_back;
end $$;
select private.publish('withdraw_from_contract', 'authenticated');
