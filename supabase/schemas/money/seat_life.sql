-- The life of a seat: how payments and their failures change it, how it ends, and its due work.

-- Returns the next step of each of these seats, when it is due, and the id of the payment, problem or claim it is about; null if
-- there is none. A seat's own steps wait while a problem is open, and stop when the seat ends. Deadlines about a direct payment
-- continue in both cases. A seat that is paused by a suspension has no step but its end; while staff have to decide about a refund,
-- that deadline replaces the seat's own steps.
create function private.next_steps(p_seat_ids uuid[]) returns table (seat_id uuid, at timestamptz, step text, about uuid)
language plpgsql stable security definer rows 100 set search_path = '' as $$
#variable_conflict use_column
begin
  return query
  select given.id, case when paused.yet then paused.until else next.at end, case when paused.yet then 'suspended' else next.step end, next.id
  from unnest(p_seat_ids) as given (id)
  cross join lateral (
    select count(*) > 0, min(x.ends_places_at) filter (where x.lifted_at is null and x.until > private.now())
    from private.seats as s join private.suspensions as x on x.user_id in (s.owner_id, s.member_id) and x.resumed_at is null
    where s.id = given.id and s.ended_at is null
  ) as paused (yet, until)
  cross join lateral (
    select s.ended_at is null and not private.has_open_problem(s.id) as lives, not exists (
      select from private.returned_payments where seat_id = s.id and decided_at is null) as keeps
    -- "offset 0" evaluates this once for each seat, not once for each kind of step.
    from private.seats as s where s.id = given.id offset 0
  ) as place
  cross join lateral (select place.lives and place.keeps as goes_on) as seat
  left join lateral (
    with newest as (select * from public.member_payments where seat_id = given.id order by number desc limit 1),
    open as (
      select * from public.member_payments
      where seat_id = given.id and (private.awaits_money(status) or private.is_claimed_or_paid(status))
    )
    select todo.at, todo.step, todo.id from (
      -- The period is over: the seat ends with it, or the next one begins.
      select n.ends_at, 'turn', n.id, seat.goes_on from newest as n
      where n.ends_at is not null and (n.settlement = 'direct' or n.status in ('paid', 'closed', 'given-back', 'cancelled'))
      union all
      select coalesce(o.earned_until, o.starts_at) + private.earning_step(), 'earn', o.id, seat.goes_on from open as o
      where o.settlement = 'potluck' and o.status = 'paid' and coalesce(o.earned_until, o.starts_at) + private.earning_step() < o.ends_at
      union all
      select n.ends_at - private.renewal_notice(), 'announce', n.id, seat.goes_on from newest as n, private.seats as s
      where s.id = given.id and s.settlement = 'potluck' and s.ends_at is null and n.status = 'paid' and n.announced_at is null
      union all
      -- An unpaid first payment holds the seat for a while; a renewal is retried; if no attempt is left, the seat ends.
      select coalesce(o.next_attempt_at, o.created_at), case when o.status in ('charging', 'processing') or (o.status = 'due' and o.number > 1) then 'undecided'
        when o.number = 1 or o.next_attempt_at is null then 'release' else 'retry' end, o.id, seat.goes_on from open as o
      where o.settlement = 'potluck' and private.awaits_money(o.status)
      union all
      -- The seat never began, and its payment dispute ended undecided.
      select n.closed_at, 'end', n.id, seat.goes_on from newest as n
      where n.settlement = 'direct' and n.status = 'cancelled' and n.starts_at is null
      union all
      -- The first payment was made, but the owner has not given access yet.
      select case when s.access_reminded then s.access_due_at else s.access_due_at - private.access_reminder() end,
        case when s.access_reminded then 'no-access' else 'remind-access' end, s.id, seat.goes_on
      from private.seats as s where s.id = given.id and s.access_given_at is null
      union all
      select r.due_at, 'returned', r.payment_id, place.lives from private.returned_payments as r where r.seat_id = given.id and r.decided_at is null
      union all
      select p.due_at, 'problem', p.id, true from public.seat_problems as p where p.seat_id = given.id and p.status <> 'closed'
      union all
      select o.due_at + (private.direct_reminders())[o.reminders + 1], 'remind', o.id, seat.goes_on or num_nonnulls(o.left_unpaid_at, o.handed_over_at) > 0 from open as o
      where o.settlement = 'direct' and o.status = 'due' and o.reminders < cardinality(private.direct_reminders())
        and private.says_how_to_pay(o.owner_id)
      union all
      select step.at, step.name, c.id, step.runs from public.payment_claims as c cross join lateral (values
        (case c.status when 'open' then private.claim_reminder_at(c) end, 'remind-claim', true),
        (c.answer_by, 'lapse-claim', true),
        (case when exists (select from private.seats as s where s.id = given.id and s.access_given_at is null and s.access_due_at is null)
          then c.access_from end, 'await-access', seat.goes_on)
      ) as step (at, name, runs) where c.seat_id = given.id and private.is_open_claim(c.status)
      union all
      select o.owed_since + (private.debt_steps())[o.debt_steps_done + 1], 'debt', o.id, true from open as o
      where private.is_owed_back(o) and not private.is_claimed_back(o.id)
    ) as todo (at, step, id, runs)
    where todo.at is not null and todo.runs
    order by todo.at, todo.step = 'turn' limit 1
  ) as next on true;
end $$;

-- Returns the next_steps() of one seat.
create function private.next_step(p_seat_id uuid, out at timestamptz, out step text, out about uuid)
language plpgsql stable security definer set search_path = '' as $$
begin
  select next.at, next.step, next.about into at, step, about from private.next_steps(array[p_seat_id]) as next;
end $$;

-- Records when the seat next needs work.
create function private.schedule_seat(p_seat_id uuid) returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  update private.seats set failures = 0, last_error = null, next_at = (private.next_step(p_seat_id)).at where id = p_seat_id;
end $$;

-- Begins the first period once the member is admitted and has access. Until then the owner has a deadline for giving access:
-- counted from the first payment, even if the bank is still debiting it, or from some days after the member said that they paid
-- directly.
create function private.begin_periods(p_seat_id uuid) returns private.seats
language plpgsql volatile security definer set search_path = '' as $$
declare v_seat private.seats;
begin
  update private.seats set access_due_at = begun.at + private.access_time()
  from (
    select private.now() as at from public.member_payments where seat_id = p_seat_id and status in ('paid', 'processing')
    union all
    select access_from from public.payment_claims
    where seat_id = p_seat_id and private.is_open_claim(status) and access_from <= private.now()
    order by at limit 1
  ) as begun
  where id = p_seat_id and admitted_at is not null and access_given_at is null and access_due_at is null;
  update private.seats set anchor = private.day_in(private.now(), private.zone_of(member_id)), access_due_at = null
  where id = p_seat_id and admitted_at is not null and access_given_at is not null and anchor is null;
  select * into v_seat from private.seats where id = p_seat_id;
  update public.member_payments set starts_at = private.now(),
    ends_at = private.seat_period_end(v_seat, number)
  where seat_id = p_seat_id and starts_at is null and v_seat.anchor is not null;
  perform private.schedule_seat(p_seat_id);
  return v_seat;
end $$;

-- Records that a payment is paid in full; repeated calls change nothing. A first payment begins the first period, a renewal leaves
-- the dates of its period unchanged, and money that comes too late is refunded.
create function private.payment_paid(p_payment uuid) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_seat private.seats := private.lock_seat_of_payment(p_payment);
  v_payment public.member_payments;
begin
  select * into v_payment from public.member_payments where id = p_payment;
  if v_payment.status in ('paid', 'closed', 'given-back') then return; end if;
  if v_seat.ended_at is not null or v_payment.status = 'cancelled' then
    perform private.give_back(p_payment, least(v_payment.share, v_payment.coins + v_payment.card),
      greatest(0, v_payment.coins + v_payment.card - v_payment.share), 'too-late');
    -- The money came after its period and is refunded, but it shows that the member can pay: the next month is charged as usual.
    update private.seats set late_since = null where id = v_seat.id and ended_at is null;
    return;
  elsif v_payment.coins + v_payment.card < v_payment.amount then
    -- The coins of this attempt have been returned and spent since, so the amount is too small. The payment cannot be charged again.
    update public.member_payments set status = 'failed', next_attempt_at = null where id = p_payment;
    perform private.schedule_seat(v_seat.id);
    return;
  end if;
  update public.member_payments set status = 'paid', paid_at = private.now(), next_attempt_at = null, note = null
  where id = p_payment returning * into v_payment;
  update private.seats set late_since = null, admitted_at = coalesce(admitted_at, private.now()) where id = v_seat.id;
  v_seat := private.begin_periods(v_seat.id);
  perform private.tell_paid(array[v_payment.id]);
  if v_payment.number = 1 then
    perform private.tell_seat(v_seat, v_seat.owner_id, 'success', 'member-paid',
      jsonb_build_object('payment', p_payment, 'amount', v_payment.amount, 'hours', private.hours_of(private.access_time()),
        'given', v_seat.access_given_at is not null));
  end if;
end $$;

-- Records that the bank is debiting a payment, which takes days. Meanwhile nothing is booked, and the payment is not late and
-- cannot be made again. The member is admitted unless the site waits for the money. The mail to the member is the notice that the
-- mandate requires.
create function private.debit_begun(p_charge private.charges, p_day date) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_seat private.seats := private.lock_seat_of_payment(p_charge.payment_id);
  v_payment public.member_payments;
  v_method public.payment_methods;
  v_is_new boolean := v_seat.admitted_at is null;
  v_day date := p_day;
  v_creditor text := (select coalesce(creditor, '') from private.payment_provider);
  v_amount numeric;
begin
  update public.member_payments set status = 'processing', claimed_at = coalesce(claimed_at, private.now()),
    next_attempt_at = private.now() + private.debit_time()
  where id = p_charge.payment_id and private.is_chargeable(status) returning * into v_payment;
  if not found then return; end if;
  v_day := coalesce(v_day, private.debit_day(p_charge, v_payment), private.day_in(private.now(), private.zone_of(v_seat.member_id)));
  update private.seats set admitted_at = coalesce(admitted_at, private.now())
  where id = v_seat.id and (select admit_on_debit from public.app_settings);
  v_seat := private.begin_periods(v_seat.id);
  select * into v_method from public.payment_methods where id = p_charge.tried_id;
  v_amount := v_payment.amount - v_payment.coins;
  perform private.tell_seat(v_seat, v_seat.member_id, 'info', 'payment-under-way',
    jsonb_build_object('amount', v_amount, 'day', v_day, 'account', coalesce(v_method.last4, ''), 'mandate', coalesce(v_method.mandate, ''),
      'creditor', v_creditor, 'admitted', v_seat.admitted_at is not null and v_seat.late_since is null));
  if v_is_new and v_seat.admitted_at is not null then
    perform private.tell_seat(v_seat, v_seat.owner_id, 'success', 'member-debited',
      jsonb_build_object('hours', private.hours_of(private.access_time()), 'given', v_seat.access_given_at is not null));
  end if;
end $$;

-- Tells members that their payments were made.
create function private.tell_paid(p_payments uuid[]) returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  perform private.tell_seats(array(
    select private.seat_news(s, m.member_id, 'success', 'payment-made', jsonb_build_object('payment', m.id, 'amount', m.amount),
      p_invoiced => case when m.fee > 0 then m.id end)
    from public.member_payments as m join private.seats as s on s.id = m.seat_id where m.id = any (p_payments)));
end $$;

-- Handles a charge that failed, waits for the cardholder ('needs-action'), or has no known outcome in time ('undecided'). After a
-- failed first payment the seat is kept for private.mending_time(), once per private.mending_pause(); a renewal is retried on set
-- days before the seat ends. A debit may fail after those days; the member then gets private.mending_time() as well, once.
create function private.payment_failed(p_payment uuid, p_code text) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_seat private.seats := private.lock_seat_of_payment(p_payment);
  v_payment public.member_payments;
  v_next timestamptz;
  v_until timestamptz;
begin
  select * into v_payment from public.member_payments where id = p_payment;
  if not private.awaits_money(v_payment.status) then return; end if;
  perform private.release_payment(p_payment);
  if v_payment.number > 1 then
    select coalesce(min(v_payment.due_at + wait),
      case when v_payment.status = 'processing' and v_payment.attempts = 0 then private.now() + private.mending_time() end)
    into v_next from unnest(private.renewal_retries()) as wait where v_payment.due_at + wait > private.now();
  elsif v_payment.status = 'processing' and v_payment.attempts > 0 then
    v_next := null;
  elsif v_payment.attempts > 0 then
    v_next := greatest(v_payment.next_attempt_at, private.now());
    -- The outcome stayed unknown through all attempts, so no attempt is left.
    if p_code = 'undecided' and v_next = private.now() then v_next := null; end if;
  elsif not exists (
    select from private.seats where subscription_id = v_seat.subscription_id and member_id = v_seat.member_id
      and end_reason = 'unpaid' and ended_at > private.now() - private.mending_pause()
  ) then
    v_next := private.now() + private.mending_time();
  end if;
  update public.member_payments set status = case p_code when 'needs-action' then 'needs-action' else 'failed' end,
    attempts = attempts + 1, next_attempt_at = v_next, claimed_at = null where id = p_payment;
  if v_seat.admitted_at is not null then
    update private.seats set late_since = coalesce(late_since, private.now()) where id = v_seat.id;
  end if;
  perform private.schedule_seat(v_seat.id);
  -- If no attempt is left, run_due_work() ends the seat, because it locks membership and plan first. A paused seat has no deadline.
  if v_next is null or private.is_paused(v_seat) then return; end if;
  v_until := v_next;
  if v_payment.number > 1 and (p_code = 'undecided' or private.is_refused_for_good(p_code)) then
    v_until := greatest(v_next, private.last_renewal_retry(v_payment.due_at));
  end if;
  perform private.tell_seat(v_seat, v_seat.member_id, 'warning',
    case p_code when 'needs-action' then 'payment-needs-action' else 'payment-failed' end,
    jsonb_build_object('payment', p_payment, 'amount', v_payment.amount, 'until', v_until, 'code', p_code, 'number', v_payment.number,
      'why', case when p_code = 'undecided' then 'undecided' when private.is_refused_for_good(p_code) then 'refused' else 'declined' end
        || case v_payment.number when 1 then '-first' else '' end));
end $$;

-- Ends a seat and settles its money: open payments are cancelled, except direct ones for time used, and the rest of a paid payment
-- goes to the owner. If the owner removed the member, cancelled the plan or stayed suspended, that rest is refunded instead, and an
-- open problem is decided against the owner; otherwise an open problem outlives the seat, and its money stays held. After a
-- withdrawal, and during a suspension, close_payment() returns the rest. The caller ends the membership. What is owed to an earlier owner of
-- the plan stays due.
create function private.settle_seat(p_seat_id uuid, p_reason text, p_by uuid) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_seat private.seats := private.lock_seat(p_seat_id);
  v_payment public.member_payments;
  v_lost_from timestamptz;
  v_had_problem boolean := private.has_open_problem(p_seat_id);
begin
  if v_seat.ended_at is not null then return; end if;
  perform private.lock_held_money(array[v_seat.id]);
  -- The seat ends first, so that the triggers below do not find an active seat.
  update private.seats set ended_at = private.now(), ended_by = p_by, end_reason = p_reason, next_at = null where id = v_seat.id
  returning * into v_seat;
  if p_reason in ('removed', 'cancelled') or p_reason = 'suspended' and private.is_suspended(v_seat.owner_id) then
    perform private.forfeit_problem(v_seat.id);
  end if;
  if p_reason in ('removed', 'cancelled') then
    v_lost_from := private.now();
  end if;
  for v_payment in
    select * from public.member_payments where seat_id = v_seat.id
      and (private.awaits_money(status) or private.is_claimed_or_paid(status)) order by number
  loop
    continue when v_payment.status = 'due'
      and (private.stays_due(v_seat, v_payment) or not v_had_problem and private.leave_unpaid(v_seat, v_payment));
    if not private.is_claimed_or_paid(v_payment.status) then
      perform private.release_payment(v_payment.id);
      update public.member_payments set status = 'cancelled', next_attempt_at = null, closed_at = private.now() where id = v_payment.id;
      -- An open charge is closed at the provider, or refunded.
      perform private.queue_payment_jobs('charge', array[payment_id::text], provider) from private.charges
      where payment_id = v_payment.id and status in ('needs-action', 'processing');
    elsif not private.has_open_problem(v_seat.id) then
      perform private.close_payment(v_payment.id, v_lost_from);
    end if;
  end loop;
  perform private.schedule_seat(v_seat.id);
  perform private.tell_left_unpaid(v_seat);
  perform private.tell_precedence(v_seat);
  perform private.drop_carried(v_seat), private.end_place_links(v_seat);
  if exists (select from private.plan_offers where subscription_id = v_seat.subscription_id and person_id = v_seat.member_id)
    and p_reason <> 'cancelled' then
    perform private.drop_plan_offer(v_seat.subscription_id, 'left');
  end if;
  if p_reason <> 'cancelled' and not private.is_suspended(v_seat.owner_id) then
    perform private.ask_for_new_password(v_seat);
  end if;
end $$;

-- Locks a seat after its membership and plan, in the same order as for leaving, and returns it. Raises PT404 if there is none.
create function private.lock_place(p_seat_id uuid) returns private.seats
language plpgsql volatile security definer set search_path = '' as $$
begin
  perform from public.subscription_members as m join private.seats as s
    on s.id = p_seat_id and m.subscription_id = s.subscription_id and m.user_id = s.member_id for update of m;
  perform private.lock_plan_to_leave((select subscription_id from private.seats where id = p_seat_id));
  return private.lock_seat(p_seat_id);
end $$;

-- Ends a seat and its membership, and tells both sides why.
create function private.end_seat(p_seat_id uuid, p_reason text, p_by uuid) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_seat private.seats;
  -- The side that was suspended, for the notification.
  v_why text := p_reason;
begin
  v_seat := private.lock_place(p_seat_id);
  if p_reason = 'suspended' then
    v_why := case when private.is_suspended(v_seat.owner_id) then 'owner-suspended' else 'member-suspended' end;
  end if;
  if v_seat.ended_at is not null then return; end if;
  perform private.settle_seat(v_seat.id, p_reason, p_by);
  delete from public.subscription_members where subscription_id = v_seat.subscription_id and user_id = v_seat.member_id and not is_owner;
  select * into v_seat from private.seats where id = v_seat.id;
  perform private.tell_seat(v_seat, v_seat.member_id, 'warning', 'seat-ended', jsonb_build_object('reason', v_why, 'settlement', v_seat.settlement));
  perform private.tell_seat(v_seat, v_seat.owner_id, 'info', 'member-seat-ended',
    jsonb_build_object('reason', v_why, 'settlement', v_seat.settlement));
end $$;

-- Begins the next period where the last one ended, or at p_from, from which later periods are then counted, unless all members of an own
-- plan pay on the same day. A period that is paid through the site and wholly past is skipped and never charged.
create function private.renew(p_seat private.seats, p_last public.member_payments, p_from timestamptz default null) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_day date := private.day_in(p_from, private.zone_of(case when p_seat.cycle_months is null then p_seat.member_id else p_seat.owner_id end));
  v_number integer := p_last.number + 1;
  v_starts_at timestamptz := coalesce(p_from, p_last.ends_at);
begin
  if p_from is not null then
    update private.seats set anchor = case when cycle_months is null then v_day else anchor end,
      anchor_after = p_last.number - coalesce(private.cycle_at(anchor, cycle_months, v_day), 0)
    where id = p_seat.id returning * into p_seat;
  end if;
  while p_seat.settlement = 'potluck' and private.seat_period_end(p_seat, v_number) <= private.now() loop
    v_starts_at := private.seat_period_end(p_seat, v_number);
    v_number := v_number + 1;
  end loop;
  perform private.open_payments(array[p_seat.id], array[v_number], array[v_starts_at]);
end $$;

-- Ends the months of those of these seats that are simple, and begins the next ones, all together. A simple seat is paid through
-- the site and not ending, its renewal was announced, its month was paid and had access all the time, and the next month is not
-- over yet. Other seats need private.run_seat_step(). Returns the seats that need nothing more for now. The caller has locked them.
create function private.renew_seats(p_seat_ids uuid[]) returns uuid[]
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_now timestamptz := private.now();
  v_payments uuid[];
  v_seats uuid[];
  v_numbers integer[];
  v_starts timestamptz[];
begin
  select array_agg(m.id), array_agg(s.id), array_agg(m.number + 1), array_agg(m.ends_at) into v_payments, v_seats, v_numbers, v_starts
  from private.seats as s join public.member_payments as m on m.seat_id = s.id and m.status = 'paid'
  where s.id = any (p_seat_ids) and s.settlement = 'potluck' and s.ended_at is null and s.ends_at is null and not private.is_paused(s)
    and not private.awaits_refund_decision(s.id)
    and m.starts_at is not null and m.ends_at <= v_now and m.announced_at is not null
    and private.seat_period_end(s, m.number + 1) > v_now
    and not exists (select from public.member_payments as o where o.seat_id = s.id and o.id <> m.id
      and (o.number > m.number or private.is_chargeable(o.status) or private.is_claimed_or_paid(o.status)))
    and not exists (select from public.seat_problems as p where p.seat_id = s.id
      and (p.status <> 'closed' or coalesce(p.lost_until, 'infinity') > m.starts_at));
  if v_payments is null then return '{}'; end if;
  perform private.move_earnings(v_payments, true);
  perform private.open_payments(v_seats, v_numbers, v_starts);
  perform private.tell_first_months(v_payments);
  with turned as (
    update private.seats as s set next_at = m.next_attempt_at, failures = 0, last_error = null
    from unnest(v_seats, v_numbers) as next (seat_id, number)
    join public.member_payments as m on m.seat_id = next.seat_id and m.number = next.number and m.status = 'due'
    where s.id = any (v_seats) and s.id = next.seat_id returning s.id
  )
  select array_agg(id) into v_seats from turned;
  return coalesce(v_seats, '{}');
end $$;

-- Runs a step of a seat that is due; p_about is the payment, problem or claim it is about. The caller has locked the seat.
create function private.run_seat_step(p_seat private.seats, p_step text, p_about uuid) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare v_payment public.member_payments;
begin
  select * into v_payment from public.member_payments where id = p_about;
  case p_step
    when 'earn' then perform private.record_earnings(v_payment.id);
    when 'turn' then
      perform private.close_payment(v_payment.id);
      if p_seat.ends_at is not null then
        perform private.end_seat(p_seat.id, 'over', p_seat.ended_by);
      else
        perform private.renew(p_seat, v_payment);
        perform private.tell_first_months(array[v_payment.id]);
      end if;
    when 'retry' then
      update public.member_payments set status = 'due', next_attempt_at = null where id = v_payment.id;
      perform private.queue_charges(array[v_payment.id]);
    when 'undecided' then perform private.payment_failed(v_payment.id, 'undecided');
    when 'release' then perform private.end_seat(p_seat.id, 'unpaid', null);
    when 'announce' then
      update public.member_payments set announced_at = private.now() where id = v_payment.id;
      perform private.announce_renewal(p_seat, v_payment);
    when 'end' then perform private.end_seat(p_seat.id, 'over', null);
    when 'remind' then perform private.remind_of_payment(p_seat, v_payment);
    when 'remind-access' then perform private.remind_of_access(p_seat);
    when 'no-access' then perform private.end_seat(p_seat.id, 'no-access', null);
    when 'problem' then perform private.lapse_problem(p_about);
    when 'await-access' then perform private.begin_periods(p_seat.id);
    when 'remind-claim' then perform private.remind_of_claim(p_about);
    when 'lapse-claim' then perform private.lapse_claim(p_about);
    when 'debt' then perform private.pursue_debt(p_seat, v_payment);
    when 'returned' then perform private.close_returned_payment(p_about, false);
    when 'suspended' then
      -- Claims get back the time that the suspension took from people who must answer them.
      perform private.move_deadlines(private.now() - min(since), array[p_seat.id]) from private.suspensions
      where user_id in (p_seat.owner_id, p_seat.member_id) and resumed_at is null;
      perform private.end_seat(p_seat.id, 'suspended', null);
  end case;
end $$;

-- Tells both sides, without mail, that a paid first month went well; later months are not mentioned. The caller has locked the
-- plans.
create function private.tell_first_months(p_payments uuid[]) returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  insert into public.user_notifications
  select told.* from public.member_payments as m join public.shared_subscriptions as p on p.id = m.subscription_id
  join private.user_profiles as member on member.user_id = m.member_id join private.user_profiles as owner on owner.user_id = m.owner_id
  cross join lateral (
    select * from private.notice(m.member_id, 'success', p.id, 'first-month',
      jsonb_build_object('plan', m.plan_name, 'member', member.display_name, 'owner', owner.display_name))
    union all
    select * from private.notice(m.owner_id, 'success', p.id, 'member-first-month',
      jsonb_build_object('plan', m.plan_name, 'member', member.display_name, 'owner', owner.display_name))
  ) as told
  where m.id = any (p_payments) and m.number = 1 and m.paid_at is not null and not private.has_open_problem(m.seat_id)
    -- The first payment of an own plan covers anything from a day to years.
    and p.cycle_months is null;
end $$;

-- Tells the member the price of the next period, and when it is charged. For a bank debit this is the notice that the mandate requires,
-- at least two days ahead.
create function private.announce_renewal(p_seat private.seats, p_payment public.member_payments) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_amount numeric := (select share + fee from private.seat_price(p_seat, p_payment.number + 1));
  v_day date := private.day_in(p_payment.ends_at, private.zone_of(p_seat.member_id));
  v_method public.payment_methods := private.method_of(p_seat.member_id, (select provider from private.payment_provider));
  v_creditor text := (select coalesce(creditor, '') from private.payment_provider);
begin
  if v_method.kind = 'sepa_debit' then
    perform private.tell_seat(p_seat, p_seat.member_id, 'info', 'payment-debit-coming',
      jsonb_build_object('amount', v_amount, 'day', v_day, 'account', coalesce(v_method.last4, ''),
        'mandate', coalesce(v_method.mandate, ''), 'creditor', v_creditor));
    return;
  end if;
  perform private.tell_seat(p_seat, p_seat.member_id, 'info', 'renewal-coming', jsonb_build_object('amount', v_amount, 'day', v_day));
end $$;
