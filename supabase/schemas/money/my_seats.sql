-- Seats as their members and owners see them, and what members and owners can do with them.

-- Returns the cost of a place on these terms, beginning with payment number p_number: the share, fee and total of that payment and, for a
-- yearly plan, the twelve payments of the year and their total. An own plan has `cycleMonths`, and `first`: what the days left of the current
-- cycle cost. The screens, the mail about the contract and the charges
-- (private.open_payments) all use private.period_price(), so that a person is charged the amount that the button showed.
create function private.quote(p_settlement text, p_billing_cycle text, p_share numeric, p_fee_rate numeric, p_number integer) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  v_price record;
  v_year numeric[];
begin
  select * into v_price from private.period_price(p_settlement, p_billing_cycle, p_share, p_fee_rate, p_number);
  if p_billing_cycle = 'yearly' then
    v_year := array(select price.share + price.fee from generate_series(p_number, p_number + 11) as n
      cross join lateral private.period_price(p_settlement, p_billing_cycle, p_share, p_fee_rate, n) as price order by n);
  end if;
  return jsonb_build_object(
    'settlement', p_settlement, 'billingCycle', p_billing_cycle, 'cycleMonths', null, 'first', null, 'currency', 'EUR',
    'share', v_price.share, 'fee', v_price.fee, 'sum', v_price.share + v_price.fee,
    'year', (select sum(month) from unnest(v_year) as month), 'instalments', to_jsonb(v_year),
    'vat', v_price.fee > 0 and private.fee_bears_vat());
end $$;

create function private.quote_of(p_plan public.shared_subscriptions) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
begin
  return private.quote(p_plan.settlement, p_plan.billing_cycle, p_plan.member_price, p_plan.fee_rate, 1)
    || case when p_plan.cycle_months is null then '{}' else jsonb_build_object('cycleMonths', p_plan.cycle_months, 'currency', p_plan.currency,
      'first', private.part_of_cycle(p_plan.member_price, p_plan.currency, p_plan.anchor, p_plan.cycle_months,
        private.cycle_at(p_plan.anchor, p_plan.cycle_months, today.day), today.day)) end
    || jsonb_build_object('provider', private.payment_provider() ->> 'provider', 'seller', private.seller_of(p_plan.owner_id))
  from (select private.day_in(private.now(), private.zone_of(p_plan.owner_id))) as today (day);
end $$;

-- The cost of a place in a plan that the acting user has not joined: share, fee and total of the first payment, and for a yearly
-- plan the total of the year and its twelve payments.
create function private.quote_plan(p_subscription_id text) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  v_user uuid := private.require_user();
  v_plan public.shared_subscriptions;
begin
  select * into v_plan from public.shared_subscriptions as p
  where p.id = p_subscription_id
    and (private.may_find(p) or p.owner_id = v_user or private.is_plan_member(p.id) or private.may('subscriptions.view'));
  if not found then
    perform private.refuse('plan_not_found');
  end if;
  return private.quote_of(v_plan);
end $$;
select private.publish('quote_plan', 'authenticated');

-- The cost of the acting user's place on new terms that they have been asked to accept, from their next payment on, with the first names of
-- the members for whom they would pay too.
create function private.quote_terms(p_proposal_id uuid) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  v_user uuid := private.require_user();
  v_quote jsonb;
begin
  select private.quote(p.settlement, s.billing_cycle, p.share, s.fee_rate, private.next_payment_number(s.id))
    || jsonb_build_object('seller', private.seller_of(s.owner_id), 'cycleMonths', s.cycle_months, 'currency', s.currency,
      'carries', private.carried_names(s.id))
  into v_quote from public.term_proposals as p join private.seats as s on s.id = p.seat_id
  where p.id = p_proposal_id and p.member_id = v_user and p.answered_at is null and s.ended_at is null;
  if v_quote is null then
    perform private.refuse('proposal_not_open');
  end if;
  return v_quote;
end $$;
select private.publish('quote_terms', 'authenticated');

-- open_problem() returns a seat's open problem; owed_back() what its member is still owed for direct payments, by this owner or, without one,
-- by all owners the plan has had.
create function private.open_problem(p_seat_id uuid) returns uuid
language plpgsql stable security definer set search_path = '' as $$
begin
  return (select id from public.seat_problems where seat_id = p_seat_id and status <> 'closed');
end $$;
create function private.owed_back(p_seat_id uuid, p_owner_id uuid default null) returns numeric
language plpgsql stable security definer set search_path = '' as $$
begin
  return (select coalesce(sum(owed_back), 0.00) from public.member_payments as m
    where seat_id = p_seat_id and owner_id = coalesce(p_owner_id, owner_id) and private.is_owed_back(m));
end $$;

-- The acting user's places, newest first, including those that have ended.
create function private.my_seats()
returns table (
  id uuid, subscription_id text, provider text, plan_name text, owner_id uuid, owner_name text, settlement text,
  billing_cycle text,
  -- The number of months of a period, for an own plan; null for others.
  cycle_months integer,
  -- The currency of all amounts.
  currency text,
  share numeric, coins_first boolean, status text, opened_at timestamptz,
  -- The end of the last paid period; null before the first payment.
  paid_until timestamptz,
  ends_at timestamptz, ended_at timestamptz, end_reason text,
  -- Whether the acting user has chosen to leave and can still cancel that.
  may_stay boolean,
  admitted_at timestamptz, access_given_at timestamptz, access_due_at timestamptz, invited_address text,
  -- Whether the acting user has confirmed that access works, or has not objected in time.
  access_works boolean,
  -- The id of the open problem; null if there is none.
  problem_id uuid,
  -- The amount that the owner owes the acting user for time without access that was paid directly.
  owed_back numeric,
  -- The time until which leaving immediately is a withdrawal from the contract; null if it is not.
  withdraw_until timestamptz,
  begins_at_once_at timestamptz,
  -- The amount that a withdrawal from the contract would refund now; null if none is possible or an open problem holds the money.
  back_now numeric,
  -- The time until which the place is paused because its owner is suspended, so that nothing is charged; null if it is not paused.
  paused_until timestamptz,
  -- True if the place ends at paused_until, with a refund for the time since the suspension began, false if it goes on; null if it
  -- is not paused.
  pause_ends_place boolean
)
language plpgsql stable security definer set search_path = '' as $$
declare v_user uuid := private.require_user();
begin
  return query
    select s.id, s.subscription_id, s.provider, s.plan_name, s.owner_id, p.display_name, s.settlement, s.billing_cycle, s.cycle_months, s.currency, s.share,
      s.coins_first, s.status, s.opened_at,
      (select max(m.ends_at) from public.member_payments as m where m.seat_id = s.id and private.is_paid(m.status)),
      s.ends_at, s.ended_at, s.end_reason, s.ended_at is null and s.ends_at is not null and s.ended_by = v_user,
      s.admitted_at, s.access_given_at, s.access_due_at, case when not private.is_claim_open(s) then s.invited_address end, private.access_works(s),
      private.open_problem(s.id), private.owed_back(s.id),
      contract.until, s.begins_at_once_at, case when contract.until is not null then private.back_on_contract_withdrawal(s) end,
      pause.until, pause.ends_place
    from private.seats as s cross join lateral private.pause_of(s) as pause join private.user_profiles as p on p.user_id = s.owner_id
    cross join lateral (select case when private.may_withdraw_from_contract(s) then s.withdrawable_until end) as contract (until)
    where s.member_id = v_user order by s.opened_at desc, s.id;
end $$;
select private.publish('my_seats', 'authenticated');

create function private.unused_by(p_seat private.seats) returns numeric
language plpgsql stable security definer set search_path = '' as $$
begin
  return (
    select coalesce(sum(unused.share + case m.settlement when 'direct' then 0 else unused.fee end), 0.00)
    from public.member_payments as m cross join lateral private.unused_of(m, private.now()) as unused
    where m.seat_id = p_seat.id and m.owner_id = p_seat.owner_id and p_seat.ended_at is null and private.is_claimed_or_paid(m.status));
end $$;

-- The places of a plan for its owner, active ones first.
create function private.plan_seats(p_subscription_id text)
returns table (
  id uuid, member_id uuid, member_name text, avatar_url text, settlement text, billing_cycle text,
  -- The currency of all amounts.
  currency text,
  share numeric,
  part numeric, carried_by uuid,
  -- Whether the member is a guest, who has no account.
  is_guest boolean,
  -- The name of the guest whose place the member has taken over, until the owner says that it is the same person; null otherwise.
  claimed_name text,
  status text, opened_at timestamptz,
  -- The end of the last paid period; null before the first payment.
  paid_until timestamptz,
  -- When the oldest missing payment was due; null if none is missing.
  unpaid_since timestamptz,
  -- The id of the unpaid payment over which the owner may end the place; null if there is none.
  may_end_over uuid,
  -- When the owner may end the place over that payment; null if there is none.
  may_end_from timestamptz,
  ends_at timestamptz, ended_at timestamptz, end_reason text,
  -- The part of the current payment that the site holds.
  held numeric,
  -- The owner's earnings so far.
  earned numeric,
  -- When the next part of the held money is released; null if there is none.
  next_release timestamptz,
  admitted_at timestamptz, access_given_at timestamptz, access_due_at timestamptz, invited_address text,
  -- Whether the member has confirmed that access works, or has not objected in time.
  access_works boolean,
  -- The id of the open problem; null if there is none.
  problem_id uuid,
  -- The amount that the owner owes the member for time without access that was paid directly.
  owed_back numeric,
  -- The unused amount that the member is refunded or owed if the owner ends the place now.
  unused numeric,
  -- The time until which the place is paused because its member is suspended, so that nothing is charged; null if it is not paused.
  paused_until timestamptz,
  -- True if the place ends at paused_until, false if it goes on; null if it is not paused.
  pause_ends_place boolean
)
language plpgsql stable security definer set search_path = '' as $$
declare v_user uuid := private.require_user();
begin
  return query
    select s.id, s.member_id, p.display_name, p.avatar_url, s.settlement, s.billing_cycle, s.currency, s.share, s.part, s.carried_by, p.guest_of is not null,
      case when s.claim_accepted_at is null then s.claimed_name end, s.status, s.opened_at,
      sums.paid_until, sums.unpaid_since, may_end.payment_id, may_end.at, s.ends_at, s.ended_at, s.end_reason, sums.held, sums.earned, sums.next_release,
      s.admitted_at, s.access_given_at, s.access_due_at, s.invited_address, private.access_works(s),
      private.open_problem(s.id), private.owed_back(s.id, v_user), private.unused_by(s), pause.until, pause.ends_place
    from private.seats as s cross join lateral private.pause_of(s) as pause join private.user_profiles as p on p.user_id = s.member_id
    cross join lateral private.may_end(s.id) as may_end
    cross join lateral (
      select max(m.ends_at) filter (where private.is_paid(m.status)) as paid_until,
        min(m.due_at) filter (where private.awaits_member(m.status) and m.owner_id = v_user
          and (m.settlement = 'potluck' or private.says_how_to_pay(m.owner_id))) as unpaid_since,
        coalesce(sum(m.share - m.earned_share - m.returned_share)
          filter (where m.settlement = 'potluck' and m.status = 'paid'), 0.00) as held,
        coalesce(sum(m.earned_share), 0.00) as earned,
        min(least(coalesce(m.earned_until, m.starts_at) + private.earning_step(), m.ends_at))
          filter (where m.settlement = 'potluck' and m.status = 'paid' and not private.has_open_problem(s.id)) as next_release
      from public.member_payments as m where m.seat_id = s.id
    ) as sums
    where s.subscription_id = p_subscription_id and s.owner_id = v_user
    order by s.ended_at is not null, s.opened_at, s.id;
end $$;
select private.publish('plan_seats', 'authenticated');

-- Returns what the owner of a plan bears of its price per billing cycle: all that the members do not pay, so free places and odd cents too. It
-- is below 0 if members of a plan of the catalogue still pay more than its new price. Owner only.
create function private.owner_part(p_subscription_id text) returns numeric
language plpgsql stable security definer set search_path = '' as $$
declare
  v_part numeric := (
    select p.total_price - coalesce((select sum(s.share) from private.seats as s where s.subscription_id = p.id and s.ended_at is null), 0)
    from public.shared_subscriptions as p where p.id = p_subscription_id and p.owner_id = private.require_user());
begin
  if v_part is null then
    perform private.refuse('plan_not_found');
  end if;
  return v_part;
end $$;
select private.publish('owner_part', 'authenticated');

-- Locks the acting user's active seat, as its member or as its owner, and returns it.
create function private.lock_living_seat(p_seat_id uuid, p_as_owner boolean) returns private.seats
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_user uuid := private.require_user();
  v_seat private.seats;
begin
  if exists (
    select from private.seats where id = p_seat_id and v_user = case when p_as_owner then owner_id else member_id end
  ) then
    v_seat := private.lock_place(p_seat_id);
  end if;
  if v_seat.id is null or v_seat.ended_at is not null then
    perform private.refuse('place_not_found');
  end if;
  return v_seat;
end $$;

-- Schedules the end of a seat for the end of its current period, and returns that time; null if no period is running, so that the
-- seat can only end now.
create function private.end_with_period(p_seat private.seats) returns timestamptz
language plpgsql volatile security definer set search_path = '' as $$
declare v_ends_at timestamptz;
begin
  select ends_at into v_ends_at from public.member_payments
  where seat_id = p_seat.id and (settlement = 'direct' or status = 'paid') and starts_at is not null and ends_at > private.now()
  order by number desc limit 1;
  if v_ends_at is not null then
    update private.seats set ends_at = v_ends_at, ended_by = auth.uid() where id = p_seat.id;
    perform private.schedule_seat(p_seat.id);
  end if;
  return v_ends_at;
end $$;

-- Leaves a plan, now or at the end of the period, and returns the time of leaving; if no period has begun, the member leaves now in
-- both cases. Leaving now is a withdrawal from the contract while that is possible (private.may_withdraw_from_contract). After
-- that, leaving refunds nothing of a period that has begun.
create function private.leave_seat(p_seat_id uuid, p_now boolean default false) returns timestamptz
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_seat private.seats := private.lock_living_seat(p_seat_id, false);
  v_ends_at timestamptz;
begin
  if p_now is not true then
    v_ends_at := private.end_with_period(v_seat);
  end if;
  if v_ends_at is null then
    delete from public.subscription_members where subscription_id = v_seat.subscription_id and user_id = v_seat.member_id;
    return private.now();
  end if;
  perform private.tell_seat(v_seat, v_seat.owner_id, 'info', 'member-will-leave',
    jsonb_build_object('until', v_ends_at, 'day', private.day_in(v_ends_at, private.zone_of(v_seat.owner_id))));
  return v_ends_at;
end $$;
select private.publish('leave_seat', 'authenticated');

-- Cancels leaving, as long as the seat has not ended.
create function private.cancel_departure(p_seat_id uuid) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare v_seat private.seats := private.lock_living_seat(p_seat_id, false);
begin
  if v_seat.ends_at is null or v_seat.ended_by is distinct from v_seat.member_id then
    perform private.refuse('not_leaving');
  end if;
  update private.seats set ends_at = null, ended_by = null where id = v_seat.id;
  perform private.schedule_seat(v_seat.id);
  perform private.tell_seat(v_seat, v_seat.owner_id, 'success', 'member-stays');
end $$;
select private.publish('cancel_departure', 'authenticated');

-- Turns paying with coins first on or off, from the next payment on.
create function private.use_coins_first(p_seat_id uuid, p_coins_first boolean) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare v_seat private.seats := private.lock_living_seat(p_seat_id, false);
begin
  update private.seats set coins_first = coalesce(p_coins_first, false) where id = v_seat.id;
end $$;
select private.publish('use_coins_first', 'authenticated');
