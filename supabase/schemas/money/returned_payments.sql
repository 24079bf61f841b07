-- Payments that were refunded in full at the provider, not by this site, so that the place is unpaid. The place is not renewed until
-- staff have decided whether it ends or goes on as goodwill; without a decision it ends.

-- How long staff have to decide.
create function private.returned_payment_time() returns interval
language sql immutable return interval '72 hours';

create table private.returned_payments (
  payment_id uuid primary key references public.member_payments (id) on delete restrict,
  seat_id uuid not null references private.seats (id) on delete restrict,
  returned_at timestamptz not null default private.now(),
  due_at timestamptz not null default private.now() + private.returned_payment_time(),
  -- When staff decided or the time was over, and the decision; null while it is open.
  decided_at timestamptz,
  is_goodwill boolean,
  check ((decided_at is null) = (is_goodwill is null))
);
create index returned_payments_seat_idx on private.returned_payments (seat_id);
create index returned_payments_open_idx on private.returned_payments (returned_at) where decided_at is null;
alter table private.returned_payments enable row level security;

-- Returns whether staff still have to decide whether a seat goes on.
create function private.awaits_refund_decision(p_seat_id uuid) returns boolean
language plpgsql stable security definer set search_path = '' as $$
begin
  return exists (select from private.returned_payments where seat_id = p_seat_id and decided_at is null);
end $$;

-- Asks staff about a fully refunded current payment of an active seat, and tells both sides. The caller has locked the seat.
create function private.ask_about_refund(p_payment_id uuid) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_payment public.member_payments;
  v_seat private.seats;
  v_returned private.returned_payments;
  v_member text;
begin
  select * into v_payment from public.member_payments where id = p_payment_id;
  select * into v_seat from private.seats where id = v_payment.seat_id;
  if v_seat.ended_at is not null or v_payment.ends_at <= private.now() or v_payment.status not in ('paid', 'given-back')
    or private.left_on_card(v_payment) > 0 then return; end if;
  insert into private.returned_payments (payment_id, seat_id) values (p_payment_id, v_seat.id) on conflict do nothing
  returning * into v_returned;
  if v_returned.payment_id is null then return; end if;
  perform private.schedule_seat(v_seat.id);
  v_member := (select display_name from private.user_profiles where user_id = v_seat.member_id);
  perform private.tell_seat(v_seat, v_seat.member_id, 'info', 'payment-went-back', jsonb_build_object('until', v_returned.due_at));
  perform private.tell_seat(v_seat, v_seat.owner_id, 'warning', 'payment-of-member-went-back', jsonb_build_object('until', v_returned.due_at));
  perform private.tell_treasurers('warning', 'payment-refund-to-decide',
    jsonb_build_object('member', v_member, 'plan', v_payment.plan_name, 'until', v_returned.due_at));
end $$;

-- Returns the amount, in EUR, that a refund at the provider took from the owner; the site pays it to the owner if the place goes on.
create function private.debited_by_refund(p_payment_id uuid) returns numeric
language plpgsql stable security definer set search_path = '' as $$
begin
  return (select coalesce(sum(t.amount), 0.00) from private.ledger_transfers as t join private.ledger_accounts as a on a.id = t.from_account
    where t.payment_id = p_payment_id and t.kind = 'refund' and t.key ^@ 'by-hand:' and a.kind in ('held_share', 'connected'));
end $$;

-- Closes a refunded payment by the decision of staff or, once their time is over, with p_goodwill = false: ends the seat, or tells
-- both sides that it goes on. The caller has locked the seat.
create function private.close_returned_payment(p_payment_id uuid, p_goodwill boolean) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare v_seat private.seats;
begin
  update private.returned_payments set decided_at = private.now(), is_goodwill = p_goodwill where payment_id = p_payment_id;
  select s.* into v_seat from private.returned_payments as r join private.seats as s on s.id = r.seat_id where r.payment_id = p_payment_id;
  if not p_goodwill then
    perform private.end_seat(v_seat.id, 'removed', null);
    return;
  end if;
  perform private.schedule_seat(v_seat.id);
  perform private.tell_seat(v_seat, v_seat.member_id, 'success', 'place-kept');
  perform private.tell_seat(v_seat, v_seat.owner_id, 'success', 'member-back');
end $$;

-- Records staff's decision: the seat ends, or it goes on and the owner gets the part that the refund took from them, in coins.
create function private.decide_returned_payment(p_payment_id uuid, p_goodwill boolean) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_user uuid := private.require_treasurer();
  v_payment public.member_payments;
  v_coins numeric;
begin
  select m.* into v_payment from private.returned_payments as r join public.member_payments as m on m.id = r.payment_id
  where r.payment_id = p_payment_id;
  if not found then
    perform private.refuse('payment_not_found');
  elsif v_user in (v_payment.owner_id, v_payment.member_id) then
    perform private.refuse('own_payment_decided');
  elsif p_goodwill is null then
    perform private.refuse('place_end_answer_missing');
  end if;
  perform private.lock_place(v_payment.seat_id);
  perform from private.returned_payments where payment_id = p_payment_id and decided_at is null for update;
  if not found then
    perform private.refuse('refund_already_decided');
  end if;
  perform private.log_staff(case when p_goodwill then 'refund left as goodwill' else 'place ended after a refund' end, p_payment_id::text,
    jsonb_build_object('owner', v_payment.owner_id, 'member', v_payment.member_id));
  perform private.close_returned_payment(p_payment_id, p_goodwill);
  v_coins := private.debited_by_refund(p_payment_id);
  if p_goodwill and v_coins > 0 then
    perform private.adjust_wallet(v_payment.owner_id, v_coins, 'Goodwill: ' || v_payment.plan_name);
  end if;
end $$;
select private.publish('decide_returned_payment', 'authenticated');

-- Refunds that wait for a decision, the most urgent first. Staff only.
create function private.list_returned_payments()
returns table (payment_id uuid, plan_name text, amount numeric, owner_id uuid, owner_name text, member_id uuid, member_name text, due_at timestamptz)
language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_treasurer();
  return query
    select m.id, m.plan_name, m.card, m.owner_id, owner.display_name, m.member_id, member.display_name, r.due_at
    from private.returned_payments as r join public.member_payments as m on m.id = r.payment_id
    join private.seats as s on s.id = r.seat_id and s.ended_at is null
    join private.user_profiles as owner on owner.user_id = m.owner_id join private.user_profiles as member on member.user_id = m.member_id
    where r.decided_at is null order by r.due_at, m.id;
end $$;
select private.publish('list_returned_payments', 'authenticated');

revoke all on private.returned_payments from public, anon, authenticated, service_role;
