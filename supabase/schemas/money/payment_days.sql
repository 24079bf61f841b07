-- Due dates: when a payment is late, the next payments of seats, and a person's calendar of payments.

-- How long after its due date a payment still counts as on time.
create function private.payment_grace() returns interval
language sql immutable return interval '3 days';

-- The next payment of a seat, and its time: the open payment, or the one after the paid one. No row if the seat ends with its
-- period, has an open problem, is paused by a suspension or has had its payment refunded.
create function private.next_payments(p_seat private.seats) returns table (share numeric, amount numeric, due_at timestamptz)
language plpgsql stable security definer set search_path = '' as $$
begin
  return query
    select next.share, next.amount, next.due_at
    from (select * from public.member_payments as m where m.seat_id = p_seat.id order by m.number desc limit 1) as last
    cross join lateral private.period_price(p_seat.settlement, p_seat.billing_cycle, p_seat.share, p_seat.fee_rate, last.number + 1) as price
    cross join lateral (
      select last.share, last.amount, last.due_at where last.status in ('due', 'charging')
      union all
      select price.share, price.share + price.fee, last.ends_at where last.status in ('due', 'claimed', 'disputed', 'processing', 'paid') and p_seat.ends_at is null
    ) as next (share, amount, due_at)
    where p_seat.ended_at is null and next.due_at > private.now() and next.amount > 0 and not private.has_open_problem(p_seat.id)
      and not private.is_paused(p_seat) and not private.awaits_refund_decision(p_seat.id);
end $$;

-- Payments that the acting user has to make or, where `receives`, is to get, in order: open ones, and the next one of each place. A
-- payment that waits for an owner to say how they are paid has no date. An owner gets the shares without the fee.
create function private.my_payment_days()
returns table (
  -- True if the acting user is the owner, who is paid.
  receives boolean,
  subscription_id text,
  -- Provider and plan.
  plan text,
  -- The name of the other side.
  person text,
  -- The amount; for an owner without the fee.
  amount numeric,
  -- The due date.
  due_at timestamptz
)
language plpgsql stable security definer set search_path = '' as $$
declare v_user uuid := private.require_user();
begin
  return query
    select s.owner_id = v_user, s.subscription_id, s.provider || ' ' || s.plan_name, other.display_name,
      case s.owner_id when v_user then due.share else due.amount end, due.due_at
    from private.seats as s
    join private.user_profiles as other on other.user_id = case s.owner_id when v_user then s.member_id else s.owner_id end
    cross join lateral (
      select m.settlement, m.share, m.amount, m.due_at from public.member_payments as m
      where m.seat_id = s.id and m.amount > 0
        and (private.has_failed(m.status) or m.status in ('due', 'charging') and m.due_at <= private.now())
      union all
      select s.settlement, next.share, next.amount, next.due_at from private.next_payments(s) as next
    ) as due
    where v_user in (s.owner_id, s.member_id)
      and (due.settlement = 'potluck' or private.says_how_to_pay(s.owner_id))
    order by due.due_at, s.id;
end $$;
select private.publish('my_payment_days', 'authenticated');
