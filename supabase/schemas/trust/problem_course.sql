-- The course of a problem: it is reported, answered, checked and decided, and moves on by itself when a deadline passes. Each call locks
-- membership, plan, seat and problem in this order, as do the calls for leaving a plan.

-- Locks an open problem, after its seat, and returns it. Refuses the call if the side that must act next is not one of p_turns. The caller
-- must be the owner or the member, as p_as says; if p_as is null, the caller is staff.
create function private.lock_problem(p_problem_id uuid, p_as text, p_turns text[]) returns public.seat_problems
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_user uuid := private.require_user();
  v_problem public.seat_problems;
begin
  select * into v_problem from public.seat_problems
  where id = p_problem_id and (p_as is null or v_user = case p_as when 'owner' then owner_id else member_id end);
  if found then
    perform private.lock_place(v_problem.seat_id);
  end if;
  select * into v_problem from public.seat_problems where id = v_problem.id for update;
  if not found then
    perform private.refuse('problem_not_found');
  elsif v_problem.status = 'closed' then
    perform private.refuse('problem_closed');
  elsif v_problem.status <> all (p_turns) then
    perform private.refuse('other_sides_turn');
  end if;
  return v_problem;
end $$;

-- Trims an optional note that a person has written; returns null if it is empty. Raises 23514 if it is too long.
create function private.problem_note(p_note text) returns text
language plpgsql stable set search_path = '' as $$
begin
  if char_length(btrim(p_note)) > private.longest_note() then
    perform private.refuse('text_too_long', private.longest_note()::text);
  end if;
  return nullif(btrim(p_note), '');
end $$;

-- Records a statement of the acting user. If there is no acting user, the statement says that a deadline has passed without an answer.
create function private.record_statement(p_problem_id uuid, p_kind text, p_note text default null) returns void
language sql volatile security definer set search_path = '' as $$
  insert into public.problem_statements (problem_id, line, person_id, kind, note)
  select p_problem_id, count(*) + 1, auth.uid(), p_kind, p_note from public.problem_statements where problem_id = p_problem_id
$$;

-- Returns whether this payment was made to the owner directly. If so, the owner owes the amount that the site would otherwise refund.
create function private.is_paid_directly(p_payment_id uuid) returns boolean
language sql stable security definer set search_path = '' as $$
  select settlement = 'direct' from public.member_payments where id = p_payment_id
$$;

-- Notifies one side of a problem, or both.
create function private.tell_problem(p_problem public.seat_problems, p_side text, p_type text, p_event text) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_seat private.seats;
  v_person uuid;
begin
  select * into v_seat from private.seats where id = p_problem.seat_id;
  foreach v_person in array case p_side when 'owner' then array[v_seat.owner_id] when 'member' then array[v_seat.member_id]
    else array[v_seat.owner_id, v_seat.member_id] end loop
    perform private.tell_seat(v_seat, v_person, p_type, p_event,
      jsonb_strip_nulls(jsonb_build_object('problem', p_problem.id, 'reason', p_problem.reason, 'until', p_problem.due_at,
        'outcome', p_problem.outcome, 'hours', private.hours_of(private.problem_decision_aim()),
        'held', not private.is_paid_directly(p_problem.payment_id), 'money', case when private.is_paid_directly(p_problem.payment_id)
            -- After a handover, the earlier owner may be the one who owes; they are told of their debt.
            and v_seat.owner_id = (select owner_id from public.member_payments where id = p_problem.payment_id)
          then case v_person when v_seat.owner_id then 'you-owe' else 'owes-you' end
          else case v_person when v_seat.member_id then 'you-get' else 'they-get' end end)));
  end loop;
end $$;

-- Passes a problem to staff, and notifies both sides and staff.
create function private.bring_to_staff(p_problem_id uuid) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare v_problem public.seat_problems;
begin
  update public.seat_problems set status = 'staff', due_at = private.now() + private.problem_decision_time()
  where id = p_problem_id returning * into v_problem;
  perform private.schedule_seat(v_problem.seat_id);
  perform private.tell_problem(v_problem, 'both', 'info', 'problem-with-staff');
  perform private.notify(staff.id, 'warning', null, 'problem-to-decide', jsonb_build_object('problem', p_problem_id, 'plan', v_problem.plan_name))
  from private.people_who_may('users.edit') as staff (id);
end $$;

-- Reports a problem ("Something is wrong") and returns the problem's id. From now on, nothing is earned or charged for the seat. Only the
-- member of an active seat with access may call this, and a seat can have only one open problem.
create function private.report_problem(p_seat_id uuid, p_reason text, p_note text default null) returns uuid
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_seat private.seats := private.lock_living_seat(p_seat_id, false);
  v_problem public.seat_problems;
begin
  if v_seat.admitted_at is null then
    perform private.refuse('access_after_payment');
  elsif v_seat.anchor is null then
    perform private.refuse('access_time_left');
  elsif v_seat.settlement = 'potluck' and v_seat.late_since is not null then
    perform private.refuse('access_closed');
  elsif private.has_open_problem(v_seat.id) then
    perform private.refuse('problem_already_reported');
  elsif (p_reason in ('sign-in', 'password', 'invitation', 'in-use', 'removed', 'code', 'household', 'other')) is not true then
    perform private.refuse('problem_reason_missing');
  end if;
  insert into public.seat_problems (seat_id, payment_id, subscription_id, plan_name, owner_id, member_id, reason, note, status, due_at)
  select v_seat.id, id, v_seat.subscription_id, plan_name, v_seat.owner_id, v_seat.member_id, p_reason, private.problem_note(p_note),
    'owner', private.now() + private.problem_answer_time()
  from public.member_payments where seat_id = v_seat.id and starts_at <= private.now() order by number desc limit 1
  returning * into v_problem;
  perform private.record_statement(v_problem.id, 'reported', v_problem.note);
  if (select count(*) from public.seat_problems where payment_id = v_problem.payment_id) >= private.problems_for_staff() then
    perform private.record_statement(v_problem.id, 'to-staff');
    perform private.bring_to_staff(v_problem.id);
  else
    perform private.schedule_seat(v_seat.id);
    perform private.tell_problem(v_problem, 'owner', 'warning', 'problem-reported');
  end if;
  return v_problem.id;
end $$;
select private.publish('report_problem', 'authenticated');

-- Records that the owner says that the problem is fixed ("Fixed"). The member then has to check this.
create function private.say_fixed(p_problem_id uuid, p_note text default null) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare v_problem public.seat_problems := private.lock_problem(p_problem_id, 'owner', '{owner}');
begin
  perform private.record_statement(v_problem.id, 'fixed', private.problem_note(p_note));
  update public.seat_problems set status = 'member', fixed_at = private.now(), due_at = private.now() + private.problem_check_time()
  where id = v_problem.id returning * into v_problem;
  perform private.schedule_seat(v_problem.seat_id);
  perform private.tell_problem(v_problem, 'member', 'info', 'problem-fixed');
end $$;
select private.publish('say_fixed', 'authenticated');

-- Records that the owner says that there is no problem ("It works"). Staff then have to decide.
create function private.contest_problem(p_problem_id uuid, p_note text default null) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare v_problem public.seat_problems := private.lock_problem(p_problem_id, 'owner', '{owner}');
begin
  perform private.record_statement(v_problem.id, 'contested', private.problem_note(p_note));
  perform private.bring_to_staff(v_problem.id);
end $$;
select private.publish('contest_problem', 'authenticated');

-- Records whether the member finds the problem fixed. If not, the owner has to answer again or, if this happens repeatedly, staff decide.
create function private.answer_fix(p_problem_id uuid, p_works boolean, p_note text default null) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare v_problem public.seat_problems := private.lock_problem(p_problem_id, 'member', '{member}');
begin
  if p_works is null then
    perform private.refuse('works_answer_missing');
  elsif p_works then
    perform private.close_problem(v_problem.id, 'fixed', v_problem.fixed_at, 'works', private.problem_note(p_note));
    return;
  end if;
  perform private.record_statement(v_problem.id, 'not-fixed', private.problem_note(p_note));
  update public.seat_problems set status = 'owner', refusals = refusals + 1, due_at = private.now() + private.problem_answer_time()
  where id = v_problem.id returning * into v_problem;
  if v_problem.refusals >= private.problem_refusals() then
    perform private.bring_to_staff(v_problem.id);
    return;
  end if;
  perform private.schedule_seat(v_problem.seat_id);
  perform private.tell_problem(v_problem, 'owner', 'warning', 'problem-not-fixed');
end $$;
select private.publish('answer_fix', 'authenticated');

-- Withdraws a problem that the acting user reported, as if it had never been reported.
create function private.drop_problem(p_problem_id uuid) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare v_problem public.seat_problems := private.lock_problem(p_problem_id, 'member', '{owner,member,staff}');
begin
  perform private.close_problem(v_problem.id, 'withdrawn', v_problem.reported_at, 'withdrawn', null);
end $$;
select private.publish('drop_problem', 'authenticated');

-- Records the decision of staff, with a reason that both sides can read. Staff cannot decide about a plan in which they have or had a
-- place.
create function private.decide_problem(p_problem_id uuid, p_for_member boolean, p_reason text) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_problem public.seat_problems;
  v_reason text := btrim(coalesce(p_reason, ''));
begin
  if not private.proven(private.may('users.edit')) then
    perform private.refuse('only_admins');
  end if;
  v_problem := private.lock_problem(p_problem_id, null, '{staff}');
  if auth.uid() = v_problem.owner_id or exists (
    select from private.seats where subscription_id = v_problem.subscription_id and member_id = auth.uid()
  ) then
    perform private.refuse('place_in_this_plan');
  elsif p_for_member is null or private.visible_length(v_reason) = 0 or char_length(v_reason) > private.longest_note() then
    perform private.refuse('reasons_for_both_missing', private.longest_note()::text);
  end if;
  update public.seat_problems set decided_by = auth.uid(), decision = v_reason where id = v_problem.id;
  if p_for_member then
    perform private.close_problem(v_problem.id, 'for-member', 'infinity', 'for-member', v_reason);
  else
    perform private.close_problem(v_problem.id, 'for-owner', v_problem.reported_at, 'for-owner', v_reason);
  end if;
end $$;
select private.publish('decide_problem', 'authenticated');

-- Closes a problem whose deadline has passed without an answer.
create function private.lapse_problem(p_problem_id uuid) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare v_problem public.seat_problems;
begin
  select * into v_problem from public.seat_problems where id = p_problem_id for update;
  case v_problem.status
    when 'owner' then perform private.close_problem(v_problem.id, 'owner-silent', 'infinity', 'owner-silent', null);
    when 'member' then perform private.close_problem(v_problem.id, 'fixed', v_problem.fixed_at, 'member-silent', null);
    when 'staff' then perform private.close_problem(v_problem.id, 'staff-silent', 'infinity', 'staff-silent', null);
  end case;
end $$;

-- Closes a problem. The seat then continues, or ends if access never came back. If the seat has already ended, the money held for it is
-- moved now.
create function private.close_problem(p_problem_id uuid, p_outcome text, p_lost_until timestamptz, p_kind text, p_note text) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_problem public.seat_problems;
  v_seat private.seats;
begin
  perform private.record_statement(p_problem_id, p_kind, p_note);
  update public.seat_problems set status = 'closed', due_at = null, outcome = p_outcome, lost_until = p_lost_until, closed_at = private.now()
  where id = p_problem_id returning * into v_problem;
  select * into v_seat from private.seats where id = v_problem.seat_id;
  if v_seat.ended_at is not null then
    perform private.close_payment(id) from (select id from public.member_payments
      where seat_id = v_seat.id and private.is_claimed_or_paid(status) order by number) as held;
    perform private.schedule_seat(v_seat.id);
    perform private.tell_precedence(v_seat);
  elsif p_lost_until = 'infinity' then
    perform private.end_seat(v_seat.id, 'problem', null);
  else
    perform private.resume_seat(v_seat, p_outcome = 'fixed');
  end if;
  perform private.tell_problem(v_problem, 'both', case p_outcome when 'fixed' then 'success' else 'info' end, 'problem-closed');
end $$;

-- Resumes a seat whose problem is closed. If its period ended meanwhile and p_from_today is true, the next period begins today, so that
-- nobody pays for the time between. If p_from_today is false, it begins where the last one ended, as if nothing had happened.
create function private.resume_seat(p_seat private.seats, p_from_today boolean) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare v_last public.member_payments;
begin
  update public.member_payments set status = 'due', next_attempt_at = null
  where seat_id = p_seat.id and settlement = 'potluck' and private.awaits_member(status);
  perform private.queue_charges(array[id]) from public.member_payments
  where seat_id = p_seat.id and settlement = 'potluck' and status = 'due';
  select * into v_last from public.member_payments where seat_id = p_seat.id order by number desc limit 1;
  if p_from_today and v_last.settlement = 'direct' then
    perform private.close_payment(v_last.id);
  end if;
  if p_from_today and v_last.ends_at <= private.now() and p_seat.ends_at is null
    and (v_last.settlement = 'direct' or v_last.status in ('paid', 'closed', 'given-back', 'cancelled')) then
    perform private.close_payment(v_last.id);
    perform private.renew(p_seat, v_last, private.now());
  end if;
  perform private.schedule_seat(p_seat.id);
end $$;

-- Decides the open problem of a seat against the owner, because the owner has ended the seat or closes their account.
create function private.forfeit_problem(p_seat_id uuid) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare v_problem public.seat_problems;
begin
  update public.seat_problems set status = 'closed', due_at = null, outcome = 'owner-ended', lost_until = 'infinity', closed_at = private.now()
  where seat_id = p_seat_id and status <> 'closed' returning * into v_problem;
  if not found then return; end if;
  perform private.record_statement(v_problem.id, 'owner-ended');
  perform private.tell_problem(v_problem, 'both', 'info', 'problem-closed');
end $$;

-- Does the same as forfeit_problem() for seats that have already ended: the seats of a plan that the owner cancels, or of all plans of an
-- owner who closes their account.
create function private.forfeit_problems(p_owner_id uuid, p_subscription_id text default null) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare v_seat private.seats;
begin
  for v_seat in
    select * from private.seats as s where owner_id = p_owner_id and ended_at is not null and private.has_open_problem(s.id)
      and subscription_id = coalesce(p_subscription_id, subscription_id) order by id for update
  loop
    perform private.forfeit_problem(v_seat.id);
    perform private.close_payment(id) from (select id from public.member_payments
      where seat_id = v_seat.id and private.is_claimed_or_paid(status) order by number) as held;
    perform private.schedule_seat(v_seat.id);
    perform private.tell_precedence(v_seat);
  end loop;
end $$;
