-- Withdrawing from the contract about a place that is paid through the site, as people in the EU may for a while after making one
-- at a distance (docs/decisions/029-withdrawal.md). Payouts of coins are withdrawals too; they have nothing to do with it.

-- For how many days after that of the contract its member may withdraw, and within how many the money is back.
create function private.withdrawal_period() returns interval
language sql immutable return interval '14 days';
create function private.withdrawal_refund_time() returns interval
language sql immutable return interval '14 days';

-- When that time is over: as the law counts days, at the end of the last one. That of the contract is not counted.
create function private.withdrawable_until(p_seat private.seats) returns timestamptz
language plpgsql stable security definer set search_path = '' as $$
declare v_zone text := private.zone_of(p_seat.member_id);
begin
  return (private.day_in(p_seat.opened_at, v_zone) + 1 + private.withdrawal_period()) at time zone v_zone;
end $$;

-- Has anything of it been paid, or is to be paid, through the site? Otherwise the contract is with the owner alone.
create function private.is_contract_with_site(p_seat_id uuid) returns boolean
language plpgsql stable security definer set search_path = '' as $$
begin
  return exists (select from public.member_payments where seat_id = p_seat_id and settlement = 'potluck');
end $$;

create function private.may_withdraw(p_seat private.seats) returns boolean
language plpgsql stable security definer set search_path = '' as $$
begin
  return p_seat.ended_at is null and private.now() < private.withdrawable_until(p_seat) and private.is_contract_with_site(p_seat.id);
end $$;

-- What the mail about a first payment confirms of the contract: {asked, at, until}, whether and when its member asked us to begin at once,
-- and until when they can withdraw; null where they cannot.
create function private.contract_terms(p_seat private.seats, p_period public.member_payments) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
begin
  if p_period.number > 1 or not private.may_withdraw(p_seat) then return null; end if;
  return jsonb_build_object('asked', p_seat.begins_at_once_at is not null, 'at', p_seat.begins_at_once_at, 'until', private.withdrawable_until(p_seat));
end $$;

create function private.terms_in_words(p_terms jsonb) returns text
language plpgsql stable security definer set search_path = '' as $$
begin
  return nullif(concat_ws(' ',
    'On ' || private.in_utc((p_terms ->> 'at')::timestamptz, 'FMDD FMMonth YYYY, HH24:MI') || ' UTC you asked us to begin at once.',
    'You can withdraw from this contract until ' || private.in_utc((p_terms ->> 'until')::timestamptz, 'FMDD FMMonth, HH24:MI') || ' UTC.'), '');
end $$;

-- What a card has back of a payment, also without us.
create function private.card_has_back(p_period public.member_payments) returns numeric
language plpgsql stable security definer set search_path = '' as $$
begin
  return private.given_back_to_card(p_period.id) + (select coalesce(sum(from_share + from_fee + from_account + from_guarantee + from_refunds), 0)
    from public.payment_disputes where payment_id = p_period.id and status <> 'won');
end $$;

-- What a member who has paid would still lack of it, once p_back has come back.
create function private.rest_of(p_period public.member_payments, p_back numeric) returns numeric
language plpgsql stable security definer set search_path = '' as $$
declare v_returned numeric := p_period.returned_share + p_period.returned_fee;
begin
  return greatest(0, p_period.amount - v_returned - p_back
    - greatest(0, private.card_has_back(p_period) - least(p_period.card, v_returned)));
end $$;

-- What comes back if the member withdraws now; null while an open problem holds the money.
create function private.back_on_withdrawal(p_seat private.seats) returns numeric
language plpgsql stable security definer set search_path = '' as $$
begin
  if private.has_open_problem(p_seat.id) then return null; end if;
  return (
    select coalesce(sum(unused.share + unused.fee + case when p_seat.begins_at_once_at is null
      then private.rest_of(m, unused.share + unused.fee) else 0 end), 0.00)
    from public.member_payments as m cross join lateral private.unused_of(m, private.now()) as unused
    where m.seat_id = p_seat.id and m.settlement = 'potluck' and m.status = 'paid');
end $$;

-- The keys of the movements that the next function makes.
create function private.keys_on_top(p_period uuid) returns text[]
language sql immutable return array['withdrawn:' || p_period::text || ':refunds_due', 'withdrawn:' || p_period::text || ':wallet'];

-- Returns what has been earned already, out of the site's own pocket: to the card first, then as coins. Those who earned it keep it
-- (why: docs/decisions/029-withdrawal.md).
create function private.return_from_guarantee(p_period public.member_payments, p_amount numeric) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_card numeric := least(p_amount, greatest(0, p_period.card - private.card_has_back(p_period)));
  v_part record;
begin
  if p_amount = 0 then return; end if;
  -- In the order of their ids, whatever follows.
  perform private.lock_held_money(array[p_period.seat_id], '{refunds_due,fees,guarantee}');
  for v_part in
    select * from (values ('refunds_due', null, v_card), ('wallet', p_period.member_id, p_amount - v_card))
      as part (goes, person, amount) where amount > 0
  loop
    perform private.transfer(format('withdrawn:%s:%s', p_period.id, v_part.goes), private.ledger_account('guarantee'),
      private.ledger_account(v_part.goes, v_part.person), v_part.amount, 'refund', p_period.seat_id, p_period.id, p_period.plan_name);
  end loop;
  if v_card > 0 then
    perform private.queue_refund(p_period.id, v_card);
  end if;
end $$;

-- Withdraws from the contract: ends the seat, returns what was not used, or everything without the consent to begin at once, and
-- says how much that is; null if an open problem holds it. The member alone, within private.withdrawal_period().
create function private.withdraw_from_contract(p_seat_id uuid) returns numeric
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_user uuid := private.require_user();
  v_seat private.seats;
  v_back numeric;
  v_what text;
  v_name text := (select coalesce(full_name, display_name) from public.user_profiles where user_id = v_user);
begin
  if exists (select from private.seats where id = p_seat_id and member_id = v_user) then
    v_seat := private.lock_place(p_seat_id);
  end if;
  if v_seat.end_reason = 'withdrawn' then
    raise exception 'You’ve already withdrawn from this contract' using errcode = '23514';
  elsif v_seat.id is null or v_seat.ended_at is not null then
    raise exception 'Place not found' using errcode = 'PT404';
  elsif not private.is_contract_with_site(v_seat.id) then
    raise exception 'You pay the owner directly, so there’s no contract with us to withdraw from' using errcode = '23514';
  elsif not private.may_withdraw(v_seat) then
    raise exception 'You could withdraw for % days after joining. You can still leave.', extract(day from private.withdrawal_period())
      using errcode = '23514';
  end if;
  perform private.lock_held_money(array[v_seat.id], '{refunds_due,fees,guarantee}');
  v_back := private.back_on_withdrawal(v_seat);
  v_what := case when v_back is null then 'held' when v_back > 0 then 'back' when exists (select from public.member_payments
    where seat_id = v_seat.id and status = 'processing') then 'under-way' else 'nothing' end;
  perform private.settle_seat(v_seat.id, 'withdrawn', v_user);
  delete from public.subscription_members where subscription_id = v_seat.subscription_id and user_id = v_user;
  select * into v_seat from private.seats where id = v_seat.id;
  perform private.tell_seat(v_seat, v_user, 'success', 'contract-withdrawn', 'You Have Withdrawn',
    format('%s, on %s UTC you withdrew from the contract for %s %s. %s', v_name, to_char(v_seat.ended_at at time zone 'utc', 'FMDD FMMonth YYYY, HH24:MI'),
      v_seat.provider, v_seat.plan_name, case v_what when 'nothing' then 'You pay nothing.'
      when 'under-way' then 'What your bank is debiting comes back once it has arrived.'
      when 'held' then 'What comes back is held until your problem is closed.'
      else format('%s comes back the way you paid it, within %s days.', private.euros(v_back), extract(day from private.withdrawal_refund_time())) end),
    jsonb_build_object('name', v_name, 'at', v_seat.ended_at, 'what', v_what, 'amount', coalesce(v_back, 0),
      'days', extract(day from private.withdrawal_refund_time())));
  perform private.tell_seat(v_seat, v_seat.owner_id, 'info', 'member-withdrew', 'Member Withdrew',
    format('%s withdrew from the contract for %s %s. What you’ve earned stays yours, and the place is free again.',
      (select display_name from public.user_profiles where user_id = v_user), v_seat.provider, v_seat.plan_name));
  return v_back;
end $$;
select private.publish('withdraw_from_contract', 'authenticated');
