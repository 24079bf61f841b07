set local check_function_bodies = off;

DROP FUNCTION "private"."list_payout_files"(integer, integer);

DROP FUNCTION "private"."list_plans_for_review"(text, timestamp with time zone, text, integer, uuid);

DROP FUNCTION "private"."list_staff_log"(bigint, integer, uuid);

DROP FUNCTION "private"."list_transfers"(uuid, text, text, timestamp with time zone, timestamp with time zone, timestamp with time zone, bigint, integer);

DROP FUNCTION "private"."list_users"(text, integer, timestamp with time zone, uuid, text);

DROP FUNCTION "private"."list_withdrawals"(integer, integer, text, uuid);

DROP FUNCTION "private"."market_plan_ids"(text, text, text, text, numeric, text, text, boolean, boolean, boolean, boolean, numeric, timestamp with time zone, text, integer);

DROP FUNCTION "private"."market_plans"(text, text, text, text, numeric, text, text, boolean, boolean, boolean, boolean, numeric, timestamp with time zone, text, integer);

DROP FUNCTION "public"."list_payout_files"(integer, integer);

DROP FUNCTION "public"."list_plans_for_review"(text, timestamp with time zone, text, integer, uuid);

DROP FUNCTION "public"."list_staff_log"(bigint, integer, uuid);

DROP FUNCTION "public"."list_transfers"(uuid, text, text, timestamp with time zone, timestamp with time zone, timestamp with time zone, bigint, integer);

DROP FUNCTION "public"."list_users"(text, integer, timestamp with time zone, uuid, text);

DROP FUNCTION "public"."list_withdrawals"(integer, integer, text, uuid);

DROP FUNCTION "public"."market_plans"(text, text, text, text, numeric, text, text, boolean, boolean, boolean, boolean, numeric, timestamp with time zone, text, integer);

CREATE OR REPLACE FUNCTION private.account_end_refusal(p_user_id uuid, p_give_up_coins boolean)
 RETURNS text
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare v_coins numeric := private.available_coins(p_user_id);
begin
  return case
    when v_coins = 0 or private.has_bank_account(p_user_id) then null
    when v_coins >= private.least_withdrawal()
      then format('You still have %s coins. Add a bank account so we can pay them out.', v_coins)
    when not p_give_up_coins
      then format('You still have %s coins. Add a bank account so we can pay them out, or give them up.', v_coins)
  end;
end $function$;

CREATE OR REPLACE FUNCTION private.add_push_device(p_endpoint text, p_p256dh text, p_auth text)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_user uuid := private.require_user();
  v_session uuid := (auth.jwt() ->> 'session_id')::uuid;
begin
  perform private.spend_attempt('push device');
  if v_session is null then
    raise exception 'Your session has ended. Please sign in again.' using errcode = 'PT401';
  elsif not private.is_push_endpoint(p_endpoint) then
    raise exception 'We don’t support this browser’s notifications' using errcode = '23514';
  end if;
  delete from private.push_devices where session_id = v_session;
  if (select count(*) from private.living_push_devices(v_user) where endpoint <> p_endpoint) >= private.most_push_devices() then
    raise exception 'You can get notifications on up to % devices. Remove one first.', private.most_push_devices() using errcode = '23514';
  end if;
  insert into private.push_devices (session_id, user_id, endpoint, p256dh, auth)
  values (v_session, v_user, p_endpoint, p_p256dh, p_auth)
  on conflict (endpoint) do update set session_id = excluded.session_id, user_id = excluded.user_id, p256dh = excluded.p256dh,
    auth = excluded.auth, created_at = excluded.created_at, last_tried_at = null, last_success_at = null,
    last_error = null;
end $function$;

CREATE OR REPLACE FUNCTION private.adjust_wallet(p_user_id uuid, p_amount numeric, p_reason text)
 RETURNS public.coin_transactions
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_reason text := regexp_replace(coalesce(p_reason, ''), '^\s+|\s+$', '', 'g');
  v_ceiling numeric := (select adjustment_ceiling from public.app_settings);
  v_wallet public.user_wallets;
  v_site bigint;
  v_account bigint;
  v_transaction public.coin_transactions;
begin
  if private.require_treasurer() = p_user_id then
    raise exception 'Someone else adjusts your own wallet' using errcode = '42501';
  elsif p_amount is null or p_amount = 0 or p_amount <> round(p_amount, 2) or abs(p_amount) > private.most_coins() then
    raise exception 'Please enter a valid adjustment amount' using errcode = '23514';
  elsif v_reason = '' then
    raise exception 'Please give a reason' using errcode = '23514';
  elsif char_length(v_reason) > private.longest_adjustment_reason() then
    raise exception 'The reason can be at most % characters', private.longest_adjustment_reason() using errcode = '23514';
  end if;
  v_wallet := private.lock_wallet(p_user_id);
  if greatest(v_wallet.coin_balance, v_wallet.total_earned) + p_amount > private.most_coins() then
    raise exception 'Please enter a valid adjustment amount' using errcode = '23514';
  elsif abs(p_amount) > v_ceiling then
    raise exception 'One adjustment can move at most % coins', v_ceiling using errcode = '23514';
  end if;
  v_site := private.ledger_account('adjustments');
  v_account := private.ledger_account('wallet', p_user_id);
  perform private.transfer('adjustment:' || gen_random_uuid(),
    case when p_amount > 0 then v_site else v_account end, case when p_amount > 0 then v_account else v_site end,
    abs(p_amount), 'adjustment', p_description => 'Admin adjustment: ' || v_reason);
  select * into v_transaction from public.coin_transactions where user_id = p_user_id order by created_at desc limit 1;
  perform private.notify(p_user_id, 'info', 'Wallet Adjusted', format('%s coins were %s your wallet: %s',
    v_transaction.amount, case when p_amount > 0 then 'added to' else 'taken from' end, v_reason), null,
    'wallet-adjusted', jsonb_build_object('amount', p_amount, 'reason', v_reason));
  return v_transaction;
end $function$;

CREATE OR REPLACE FUNCTION private.announce_renewal(p_seat private.seats, p_period public.member_payments)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_amount numeric := (select share + fee from private.period_price(p_seat.settlement, p_seat.billing_cycle, p_seat.share, p_seat.fee_rate,
    p_period.number + 1));
  v_day date := private.day_in(p_period.ends_at, private.zone_of(p_seat.member_id));
begin
  perform private.tell_seat(p_seat, p_seat.member_id, 'info', 'renewal-coming', 'Your Place Renews Soon',
    format('We’ll charge %s for %s on %s. You can leave before then.', private.euros(v_amount), p_period.plan_name, to_char(v_day, 'FMDD FMMonth YYYY')),
    jsonb_build_object('amount', v_amount, 'day', v_day));
end $function$;

CREATE OR REPLACE FUNCTION private.announce_to_members(p_subscription_id text, p_text text)
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_user uuid := private.require_user();
  v_member uuid;
  v_conversation uuid;
  v_count integer := 0;
begin
  if not private.is_plan_owner(p_subscription_id) then
    raise exception 'Only the plan''s owner can message all members' using errcode = '42501';
  end if;
  perform private.named_profile(v_user);
  perform private.require_message(p_text);
  perform private.spend_attempt('announcement');
  for v_member in
    select m.user_id from public.subscription_members as m
    where m.subscription_id = p_subscription_id and not m.is_owner and not exists (
      select from public.blocked_people as b where (b.user_id, b.blocked_id) in ((v_user, m.user_id), (m.user_id, v_user))
    ) order by m.joined_at, m.user_id
  loop
    v_conversation := private.find_or_create_conversation(p_subscription_id, v_user, v_member);
    insert into public.messages (conversation_id, sender_id, content, message_type)
    -- Waits for members who are leaving; those who have left get nothing.
    select id, v_user, p_text, 'announcement' from public.conversations where id = v_conversation and not archived for share;
    if found then
      v_count := v_count + 1;
    end if;
  end loop;
  if v_count = 0 then
    raise exception 'This plan has no members yet' using errcode = '23514';
  end if;
  return v_count;
end $function$;

CREATE OR REPLACE FUNCTION private.answer_fix(p_problem_id uuid, p_works boolean, p_note text DEFAULT NULL::text)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare v_problem public.seat_problems := private.lock_problem(p_problem_id, 'member', '{member}');
begin
  if p_works is null then
    raise exception 'Please say whether it works' using errcode = '23514';
  elsif p_works then
    perform private.close_problem(v_problem.id, 'fixed', v_problem.fixed_at, 'works', private.problem_note(p_note));
    return;
  end if;
  perform private.state(v_problem.id, 'not-fixed', private.problem_note(p_note));
  update public.seat_problems set status = 'owner', refusals = refusals + 1, due_at = private.now() + private.problem_answer_time()
  where id = v_problem.id returning * into v_problem;
  if v_problem.refusals >= private.problem_refusals() then
    perform private.bring_to_staff(v_problem.id);
    return;
  end if;
  perform private.wake_seat(v_problem.seat_id);
  perform private.tell_problem(v_problem, 'owner', 'warning', 'problem-not-fixed', 'Still Not Fixed',
    '%2$s still has a problem with %3$s. Answer by %4$s UTC. Otherwise the place ends, and %5$s.');
end $function$;

CREATE OR REPLACE FUNCTION private.answer_review(p_review_id uuid, p_text text)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_user uuid := private.require_user();
  v_review private.seat_reviews := private.lock_review(p_review_id);
begin
  if v_review.subject_id <> v_user then
    raise exception 'You can only answer reviews about you' using errcode = '42501';
  elsif v_review.answer is not null then
    raise exception 'You’ve already answered this review' using errcode = '23505';
  end if;
  update private.seat_reviews set answer = private.review_text(p_text, true), answered_at = private.now() where id = v_review.id;
end $function$;

CREATE OR REPLACE FUNCTION private.answer_support_request(p_request_id uuid, p_answer text)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_user uuid := private.require_support();
  v_request private.support_requests;
begin
  select * into v_request from private.support_requests where id = p_request_id and answered_at is null for update;
  if not found then
    raise exception 'We can’t find this question' using errcode = 'PT404';
  elsif v_user is not distinct from v_request.writer_id then
    raise exception 'Someone else answers your own questions' using errcode = '42501';
  end if;
  update private.support_requests
  set answer = private.support_text(p_answer), answered_at = private.now(), answered_by = v_user
  where id = v_request.id returning * into v_request;
  if v_request.writer_id is not null then
    perform private.mail_notification(
      private.notify(v_request.writer_id, 'info', 'New Answer', v_request.answer, null, 'support-answered', '{}'),
      '{}', 'See the answer', '/help');
  end if;
end $function$;

CREATE OR REPLACE FUNCTION private.answer_terms(p_proposal_id uuid, p_accept boolean)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_user uuid := private.require_user();
  v_proposal public.term_proposals;
  v_seat private.seats;
begin
  select s.* into v_seat from private.seats as s join public.term_proposals as p on p.seat_id = s.id
  where p.id = p_proposal_id and p.member_id = v_user and s.ended_at is null for update of s;
  select * into v_proposal from public.term_proposals where id = p_proposal_id and answered_at is null;
  if v_seat.id is null or v_proposal.id is null then
    raise exception 'This proposal is not open' using errcode = 'PT404';
  elsif p_accept is null then
    raise exception 'Please accept or decline' using errcode = '23514';
  end if;
  update public.term_proposals set answered_at = private.now(), accepted = p_accept where id = v_proposal.id;
  if p_accept then
    update private.seats set settlement = v_proposal.settlement, share = v_proposal.share where id = v_seat.id returning * into v_seat;
    perform private.open_accounts(v_seat);
    perform private.wake_seat(v_seat.id);
  end if;
  perform private.tell_seat(v_seat, v_seat.owner_id, 'info', case when p_accept then 'terms-accepted' else 'terms-refused' end,
    case when p_accept then 'New Terms Accepted' else 'Old Terms Kept' end,
    format(case when p_accept then '%s accepted the new terms of %s %s, from the next period.'
      else '%s is keeping the old terms of %s %s.' end,
      (select display_name from public.user_profiles where user_id = v_user), v_seat.provider, v_seat.plan_name));
end $function$;

CREATE OR REPLACE FUNCTION private.ask_for_new_password(p_seat private.seats)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if p_seat.admitted_at is null or private.password_change_due_since(p_seat.subscription_id) is distinct from private.now() then return; end if;
  perform private.tell_seat(p_seat, p_seat.owner_id, 'warning', 'password-due', 'Change the Password',
    format('%s is no longer in %s %s but still knows the password. Change it at the provider, then save the new one here.',
      (select display_name from public.user_profiles where user_id = p_seat.member_id), p_seat.provider, p_seat.plan_name));
end $function$;

CREATE OR REPLACE FUNCTION private.ask_question(p_subscription_id text, p_text text)
 RETURNS uuid
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_user uuid := private.require_user();
  v_name text;
  v_plan public.shared_subscriptions;
  v_until timestamptz;
  v_conversation uuid;
  v_is_new boolean;
begin
  -- Waits for anybody hiding the plan, blocking or letting somebody in.
  select * into v_plan from public.shared_subscriptions as p where p.id = p_subscription_id and private.may_find(p) for share;
  if not found then
    raise exception 'Subscription not found' using errcode = 'PT404';
  elsif v_plan.owner_id = v_user then
    raise exception 'Owners cannot ask about their own plan' using errcode = '23514';
  elsif private.is_plan_member(p_subscription_id) then
    raise exception 'Already a Member' using errcode = '23505';
  end if;
  perform private.require_reachable(v_plan.owner_id, 'This plan takes no new members right now');
  perform private.require_message(p_text);
  perform private.spend_attempt('question');
  v_name := (private.named_profile(v_user)).display_name;
  perform private.close_questions();
  -- A waiting request has a deadline of its own.
  if not exists (
    select from public.subscription_requests as r
    where r.subscription_id = v_plan.id and r.user_id = v_user and private.is_open_request(r)
  ) then
    v_until := now() + private.question_lifetime();
  end if;
  insert into public.conversations as c (subscription_id, owner_id, member_id, is_question, question_until)
  values (v_plan.id, v_plan.owner_id, v_user, true, v_until)
  on conflict (subscription_id, owner_id, member_id) do update set archived = false, question_until = v_until where c.archived
  returning c.id into v_conversation;
  v_is_new := found;
  if not v_is_new then
    select id into v_conversation from public.conversations
    where subscription_id = v_plan.id and owner_id = v_plan.owner_id and member_id = v_user;
  end if;
  insert into public.chat_participants (conversation_id, user_id) values (v_conversation, v_plan.owner_id), (v_conversation, v_user)
  on conflict do nothing;
  insert into public.messages (conversation_id, content) values (v_conversation, p_text);
  if v_is_new then
    -- Replaces the alert for the message.
    perform private.call_back_chat(id) from public.chat_participants
    where conversation_id = v_conversation and user_id = v_plan.owner_id;
    perform private.mail_notification(private.notify(v_plan.owner_id, 'info', 'New Question',
      format('%s has a question about %s %s.', v_name, v_plan.provider, v_plan.name), v_plan.id, 'question-asked',
      jsonb_build_object('person', v_name, 'plan', v_plan.provider || ' ' || v_plan.name)),
      array[v_conversation::text, v_plan.id], 'Answer the question', '/manage-shared/' || v_plan.id);
  end if;
  return v_conversation;
end $function$;

CREATE OR REPLACE FUNCTION private.begin_payment(p_payment_id uuid, p_card_id uuid)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_user uuid := private.require_user();
  v_period public.member_payments;
  v_provider text := (select provider from private.payment_provider);
begin
  perform private.spend_attempt('payment');
  if not exists (select from public.member_payments where id = p_payment_id and member_id = v_user and settlement = 'potluck') then
    raise exception 'Payment not found' using errcode = 'PT404';
  elsif p_card_id is not null and not exists (select from public.payment_methods where id = p_card_id and user_id = v_user) then
    raise exception 'This card is not saved' using errcode = 'PT404';
  end if;
  perform private.lock_seat_of(p_payment_id);
  select * into v_period from public.member_payments where id = p_payment_id;
  if v_period.status not in ('due', 'charging', 'needs-action', 'failed') then
    raise exception 'There’s nothing to pay here' using errcode = '23514';
  elsif private.has_open_problem(v_period.seat_id) then
    raise exception 'We don’t charge you while a problem is open' using errcode = '23514';
  end if;
  insert into private.charges (payment_id, provider, card_id, on_session) values (p_payment_id, v_provider, p_card_id, true)
  on conflict (payment_id) do update set card_id = excluded.card_id, on_session = true;
  insert into private.payment_jobs as j (kind, about, provider) values ('charge', p_payment_id::text, v_provider)
  on conflict (kind, about) do update set next_attempt_at = clock_timestamp()
  -- Not during an attempt.
  where j.last_error is not null;
end $function$;

CREATE OR REPLACE FUNCTION private.bring_to_staff(p_problem_id uuid)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare v_problem public.seat_problems;
begin
  update public.seat_problems set status = 'staff', due_at = private.now() + private.problem_decision_time()
  where id = p_problem_id returning * into v_problem;
  perform private.wake_seat(v_problem.seat_id);
  perform private.tell_problem(v_problem, 'both', 'info', 'problem-with-staff', 'Our Team Decides',
    format('Our team decides on the problem with %%3$s within %s hours.', private.hours(private.problem_decision_aim()))
      || case when private.is_paid_directly(v_problem.payment_id) then '' else ' The money stays held until then.' end);
  perform private.notify(staff.id, 'warning', 'Problem to Decide', format('Owner and member of %s disagree.', v_problem.plan_name),
    null, 'problem-to-decide', jsonb_build_object('problem', p_problem_id, 'plan', v_problem.plan_name))
  from private.people_who_may('users.edit') as staff (id);
end $function$;

CREATE OR REPLACE FUNCTION private.calendar_of(p_token text)
 RETURNS TABLE(uid text, day date, summary text, path text)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare v_user uuid := (
  select u.id from private.calendars as c join auth.users as u on u.id = c.user_id
  where c.token_hash = encode(sha256(convert_to(coalesce(p_token, ''), 'UTF8')), 'hex')
    and u.deleted_at is null and coalesce(u.banned_until <= now(), true)
);
begin
  if v_user is null then
    raise exception 'We don’t know this calendar' using errcode = 'PT404';
  end if;
  return query select * from private.calendar_days(v_user);
end $function$;

CREATE OR REPLACE FUNCTION private.choose_card(p_card_id uuid)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  update public.payment_methods set chosen_at = clock_timestamp(), refused = false where id = p_card_id and user_id = private.require_user();
  if not found then raise exception 'This card is not saved' using errcode = 'PT404'; end if;
end $function$;

CREATE OR REPLACE FUNCTION private.choose_notifications(p_topic text, p_channel text, p_wanted boolean)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare v_user uuid := private.require_user();
begin
  if (p_topic = any (private.notification_topics()) and p_channel in ('mail', 'push') and p_wanted is not null) is not true then
    raise exception 'This choice doesn’t exist' using errcode = '23514';
  end if;
  perform private.change_notifications(v_user, array[p_topic], p_channel, p_wanted);
end $function$;

CREATE OR REPLACE FUNCTION private.close_person_report(p_report_id uuid, p_finding text)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_user uuid := private.require_report_judge();
  v_report private.person_reports;
begin
  select * into v_report from private.person_reports where id = p_report_id and decided_at is null for update;
  if not found then
    raise exception 'Report not found' using errcode = 'PT404';
  elsif v_user in (v_report.person_id, v_report.reporter_id) then
    raise exception 'Someone else handles reports by you or about you' using errcode = '42501';
  end if;
  update private.person_reports set decided_at = private.now(), finding = private.review_text(p_finding, true) where id = v_report.id;
  if v_report.reporter_id is not null then
    perform private.notify(v_report.reporter_id, 'info', 'Your Report Was Reviewed',
      format('Our team has looked at your report about %s.',
        (select display_name from public.user_profiles where user_id = v_report.person_id)), null, 'report-read', '{}');
  end if;
end $function$;

CREATE OR REPLACE FUNCTION private.close_problem(p_problem_id uuid, p_outcome text, p_lost_until timestamp with time zone, p_kind text, p_note text)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_problem public.seat_problems;
  v_seat private.seats;
begin
  perform private.state(p_problem_id, p_kind, p_note);
  update public.seat_problems set status = 'closed', due_at = null, outcome = p_outcome, lost_until = p_lost_until, closed_at = private.now()
  where id = p_problem_id returning * into v_problem;
  select * into v_seat from private.seats where id = v_problem.seat_id;
  if v_seat.ended_at is not null then
    perform private.close_period(id) from (select id from public.member_payments
      where seat_id = v_seat.id and status in ('claimed', 'paid') order by number) as held;
    perform private.wake_seat(v_seat.id);
    perform private.tell_precedence(v_seat);
  elsif p_lost_until = 'infinity' then
    perform private.end_seat(v_seat.id, 'problem', null);
  else
    perform private.resume_seat(v_seat, p_outcome = 'fixed');
  end if;
  perform private.tell_problem(v_problem, 'both', case p_outcome when 'fixed' then 'success' else 'info' end, 'problem-closed',
    'Problem Closed', case p_outcome
      when 'fixed' then 'The problem with %3$s is fixed. The time without access is refunded.'
      when 'withdrawn' then '%2$s withdrew the report about %3$s.'
      when 'for-owner' then 'Our team decided for %1$s about %3$s. See why.'
      when 'for-member' then 'Our team decided for %2$s about %3$s. See why.'
      when 'owner-silent' then '%1$s didn’t answer about %3$s in time, so %5$s.'
      else 'Our team didn’t decide about %3$s in time. The place ends, and %5$s.' end);
end $function$;

CREATE OR REPLACE FUNCTION private.compare_movements(p_day date)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_outside bigint := private.ledger_account('outside');
  v_span tstzrange;
  v_since timestamptz;
  v_until timestamptz;
  v_differences integer;
begin
  -- Two workers may have listed the same.
  perform pg_advisory_xact_lock(hashtext('reconciliation'));
  v_span := private.unreconciled(p_day);
  if v_span is null then return; end if;
  v_since := lower(v_span) - private.booking_time();
  v_until := upper(v_span) - private.booking_time();
  with moved as (
    select c.payment_id from private.provider_movements as p join private.charges as c on c.intent = p.intent
    where p.moved_at >= v_since and p.moved_at < v_until
    union
    select t.period_id from private.ledger_transfers as t
    where t.created_at >= v_since and t.created_at < v_until and v_outside in (t.from_account, t.to_account)
  ), difference as (
    select format('books:%s:%s:%s', c.intent, there.amount, here.amount) as id, c.intent as about,
      left(format('%s at the provider, %s in the books: %s', private.euros(there.amount), private.euros(here.amount), m.plan_name), 200) as type
    from moved join private.charges as c on c.payment_id = moved.payment_id and c.provider <> 'simulated'
    join public.member_payments as m on m.id = c.payment_id
    cross join lateral (
      select coalesce(sum(amount), 0) as amount, max(moved_at) as latest from private.provider_movements where intent = c.intent
    ) as there
    cross join lateral (
      -- A refund has left the provider's balance while it is under way.
      select coalesce(sum(case t.from_account when v_outside then t.amount else -t.amount end), 0.00)
        - (select coalesce(sum(amount), 0) from private.refunds where payment_id = m.id and status = 'pending') as amount,
        max(t.created_at) as latest
      from private.ledger_transfers as t
      where t.person_id = m.member_id and t.period_id = m.id and v_outside in (t.from_account, t.to_account)
    ) as here
    where there.amount <> here.amount and greatest(there.latest, here.latest) < v_until
    union all
    select 'books:' || about, about, left(format('Not in the books: %s of %s', kinds, private.euros(abs(amount))), 200) from (
      select coalesce(p.intent, p.id) as about, string_agg(distinct replace(p.kind, '_', ' '), ', ') as kinds, sum(p.amount) as amount
      from private.provider_movements as p
      where p.moved_at >= lower(v_span) and p.moved_at < upper(v_span) and not exists (select from private.charges as c where c.intent = p.intent)
      group by 1
    ) as foreign_one
    where not exists (select from public.unknown_payment_events as e where e.about = foreign_one.about)
  ), found as (
    insert into public.unknown_payment_events (id, type, about) select id, type, about from difference on conflict do nothing returning id
  ) select count(*) into v_differences from found;
  insert into private.reconciliations (day, differences) values (p_day, v_differences);
  if v_differences > 0 then
    perform private.tell_treasurers('warning', 'The Books Differ From the Provider',
      format('The nightly check found %s. See the unknown events.',
        case v_differences when 1 then 'a difference' else v_differences || ' differences' end),
      'payment-books-differ', jsonb_build_object('day', p_day, 'differences', v_differences));
  end if;
end $function$;

CREATE OR REPLACE FUNCTION private.confirm_access(p_seat_id uuid)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare v_seat private.seats := private.lock_living_seat(p_seat_id, false);
begin
  if v_seat.admitted_at is null then
    raise exception 'You get access with the first payment' using errcode = '23514';
  elsif v_seat.access_confirmed_at is not null then
    return;
  end if;
  update private.seats set access_confirmed_at = private.now(), access_given_at = coalesce(access_given_at, private.now())
  where id = v_seat.id;
  perform private.begin_periods(v_seat.id);
  perform private.tell_seat(v_seat, v_seat.owner_id, 'success', 'access-confirmed', 'Access Works',
    format('%s says %s %s works.', (select display_name from public.user_profiles where user_id = v_seat.member_id),
      v_seat.provider, v_seat.plan_name));
end $function$;

CREATE OR REPLACE FUNCTION private.create_payout_file(p_withdrawals uuid[])
 RETURNS bigint
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_user uuid := private.require_treasurer();
  v_withdrawal public.withdrawal_requests;
  v_amount numeric := 0;
  v_file bigint;
begin
  if coalesce(cardinality(p_withdrawals), 0) not between 1 and 1000 then
    raise exception 'A payment file takes 1 to 1000 withdrawals' using errcode = '23514';
  end if;
  insert into private.payout_files (payments, amount, created_by) values (cardinality(p_withdrawals), 0, v_user)
  returning id into v_file;
  for v_withdrawal in
    select * from public.withdrawal_requests where id = any (p_withdrawals) order by id for update
  loop
    perform private.require_impartial(v_withdrawal.user_id);
    if v_withdrawal.status <> 'processing' then
      raise exception 'A % withdrawal cannot be paid by a file', v_withdrawal.status using errcode = '23514';
    elsif v_withdrawal.bank_account_id is null then
      raise exception 'A withdrawal without a bank account cannot be paid by a file' using errcode = '23514';
    elsif private.payout_file_of(v_withdrawal.id) is not null then
      raise exception 'This withdrawal is in another payment file' using errcode = '23505';
    end if;
    insert into private.payout_file_entries (file_id, withdrawal_id) values (v_file, v_withdrawal.id);
    v_amount := v_amount + v_withdrawal.amount;
  end loop;
  update private.payout_files set amount = v_amount where id = v_file and payments =
    (select count(*) from private.payout_file_entries where file_id = v_file);
  if not found then
    raise exception 'Withdrawal not found' using errcode = 'PT404';
  end if;
  perform private.log_staff('payment file made', v_file::text,
    jsonb_build_object('payments', cardinality(p_withdrawals), 'amount', v_amount));
  return v_file;
end $function$;

CREATE OR REPLACE FUNCTION private.decide_problem(p_problem_id uuid, p_for_member boolean, p_reason text)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_problem public.seat_problems;
  v_reason text := btrim(coalesce(p_reason, ''));
begin
  if not private.proven(private.may('users.edit')) then
    raise exception 'Only admins can do this' using errcode = '42501';
  end if;
  v_problem := private.lock_problem(p_problem_id, null, '{staff}');
  if auth.uid() = v_problem.owner_id or exists (
    select from private.seats where subscription_id = v_problem.subscription_id and member_id = auth.uid()
  ) then
    raise exception 'You have or had a place in this plan, so another admin decides' using errcode = '42501';
  elsif p_for_member is null or private.visible_length(v_reason) = 0 or char_length(v_reason) > private.longest_note() then
    raise exception 'Please give both a reason, in up to % characters', private.longest_note() using errcode = '23514';
  end if;
  update public.seat_problems set decided_by = auth.uid(), decision = v_reason where id = v_problem.id;
  if p_for_member then
    perform private.close_problem(v_problem.id, 'for-member', 'infinity', 'for-member', v_reason);
  else
    perform private.close_problem(v_problem.id, 'for-owner', v_problem.reported_at, 'for-owner', v_reason);
  end if;
end $function$;

CREATE OR REPLACE FUNCTION private.decide_review(p_review_id uuid, p_hidden_reason text DEFAULT NULL::text)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_user uuid := private.require_review_judge();
  v_review private.seat_reviews := private.lock_review(p_review_id);
begin
  if v_review.reported_at is null or v_review.decided_at is not null then
    raise exception 'Nobody has reported this review' using errcode = '23514';
  elsif v_user in (v_review.author_id, v_review.subject_id) then
    raise exception 'Someone else decides on reviews about you' using errcode = '42501';
  end if;
  update private.seat_reviews set decided_at = private.now(),
    hidden_reason = case when p_hidden_reason is not null then private.review_text(p_hidden_reason, true) end
  where id = v_review.id returning * into v_review;
  if v_review.hidden_reason is not null then
    perform private.notify(v_review.author_id, 'warning', 'Review Hidden',
      format('Your review of %s is no longer shown: %s', (select display_name from public.user_profiles
        where user_id = v_review.subject_id), v_review.hidden_reason), null, 'review-hidden',
      jsonb_build_object('reason', v_review.hidden_reason));
  end if;
end $function$;

CREATE OR REPLACE FUNCTION private.deny_payment(p_payment_id uuid, p_note text)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_payment public.member_payments := private.lock_direct_payment(p_payment_id, true);
  v_note text := btrim(coalesce(p_note, ''));
begin
  if v_payment.status <> 'claimed' then
    raise exception 'No one has said they paid this' using errcode = '23514';
  elsif private.visible_length(v_note) = 0 or char_length(v_note) > private.longest_denial() then
    raise exception 'Please say what is missing, in up to % characters', private.longest_denial() using errcode = '23514';
  end if;
  update public.member_payments set claimed_at = null, note = v_note, owed_back = 0, repaid_at = null,
    status = case when exists (select from private.seats where id = seat_id and ended_at is null) then 'due' else 'cancelled' end
  where id = v_payment.id;
  perform private.follow_direct_payments(v_payment.seat_id);
  perform private.tell_payment(v_payment, false, 'warning', 'payment-not-received', 'Payment Not Received',
    '%3$s hasn’t received your %1$s for %2$s: %4$s', v_note);
end $function$;

CREATE OR REPLACE FUNCTION private.end_late_seat(p_seat_id uuid)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare v_seat private.seats := private.lock_living_seat(p_seat_id, true);
begin
  if not exists (
    select from public.member_payments where seat_id = v_seat.id and settlement = 'direct' and status = 'due'
      and due_at <= private.now() - private.direct_patience() and private.says_how_to_pay(owner_id)
  ) then
    raise exception 'No payment is % days late', extract(day from private.direct_patience()) using errcode = '23514';
  end if;
  perform private.end_seat(v_seat.id, 'unpaid', v_seat.owner_id);
end $function$;

CREATE OR REPLACE FUNCTION private.end_seat(p_seat_id uuid, p_reason text, p_by uuid)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_seat private.seats;
  v_plan text;
  v_member text;
begin
  v_seat := private.lock_place(p_seat_id);
  v_plan := format('%s %s', v_seat.provider, v_seat.plan_name);
  v_member := (select display_name from public.user_profiles where user_id = v_seat.member_id);
  if v_seat.ended_at is not null then return; end if;
  perform private.settle_seat(v_seat.id, p_reason, p_by);
  delete from public.subscription_members where subscription_id = v_seat.subscription_id and user_id = v_seat.member_id and not is_owner;
  select * into v_seat from private.seats where id = v_seat.id;
  perform private.tell_seat(v_seat, v_seat.member_id, 'warning', 'seat-ended', 'Membership Ended',
    format(case p_reason when 'unpaid' then 'Your place in %s ended because it wasn’t paid.'
      when 'no-access' then 'Your place in %s ended because the owner didn’t give you access in time. ' || case v_seat.settlement
        when 'direct' then 'They owe you a full refund.' else 'You get a full refund.' end
      when 'problem' then 'Your place in %s ended because it didn’t work. ' || case v_seat.settlement
        when 'direct' then 'The owner owes you what you paid for the time since you reported it.'
        else 'You get back what you paid for the time since you reported it.' end
      else 'Your place in %s has ended.' end, v_plan), jsonb_build_object('reason', p_reason));
  perform private.tell_seat(v_seat, v_seat.owner_id, 'info', 'member-seat-ended', 'Place Free Again',
    format(case p_reason when 'unpaid' then '%s didn’t pay for %s, so the place is free again.'
      when 'no-access' then '%s didn’t get access to %s in time, so ' || case v_seat.settlement
        when 'direct' then 'you owe them a full refund' else 'they get a full refund' end || ' and the place is free again.'
      when 'problem' then 'The problem %s reported with %s wasn’t fixed, so the place is free again.'
      else 'The place of %s in %s is free again.' end, v_member, v_plan), jsonb_build_object('reason', p_reason));
end $function$;

CREATE OR REPLACE FUNCTION private.end_seat_with_period(p_seat_id uuid)
 RETURNS timestamp with time zone
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_seat private.seats := private.lock_living_seat(p_seat_id, true);
  v_ends_at timestamptz := private.end_with_period(v_seat);
begin
  if v_ends_at is null then
    raise exception 'This member has no paid period, so you can remove them now' using errcode = '23514';
  end if;
  perform private.tell_seat(v_seat, v_seat.member_id, 'warning', 'seat-will-end', 'Your Place Ends',
    format('Your place in %s %s ends on %s.', v_seat.provider, v_seat.plan_name,
      to_char(private.day_in(v_ends_at, private.zone_of(v_seat.member_id)), 'FMDD FMMonth YYYY')), jsonb_build_object('until', v_ends_at));
  return v_ends_at;
end $function$;

CREATE OR REPLACE FUNCTION private.expire_join_requests()
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare v_over record;
begin
  for v_over in
    select r.id, r.user_id, p.id as plan_id, p.provider, p.name
    from public.subscription_requests as r join public.shared_subscriptions as p on p.id = r.subscription_id
    where r.status = 'pending' and not r.expired and r.requested_at <= now() - private.request_lifetime() - private.unnoticed_gap()
    for no key update of r skip locked
  loop
    continue when (private.keep_plan(v_over.plan_id)).id is null;
    update public.subscription_requests set expired = true where id = v_over.id;
    perform private.notify(v_over.user_id, 'warning', 'Request Expired',
      format('The owner of %s %s didn’t answer within %s hours. You can ask again.',
        v_over.provider, v_over.name, private.hours(private.request_lifetime())),
      v_over.plan_id);
  end loop;
end $function$;

CREATE OR REPLACE FUNCTION private.find_invitation(p_token text)
 RETURNS public.subscription_invitations
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare v_invitation public.subscription_invitations;
begin
  select * into v_invitation from public.subscription_invitations
  where token_hash = encode(sha256(convert_to(p_token, 'UTF8')), 'hex');
  if not found then
    select * into v_invitation from public.subscription_invitations where email = private.my_email() and id::text = p_token;
  end if;
  if not found then
    raise exception 'Invitation not found' using errcode = 'PT404';
  elsif (select auth.uid()) is not null and v_invitation.email is distinct from private.my_email() then
    raise exception 'This invitation was sent to another email address' using errcode = '42501';
  end if;
  return v_invitation;
end $function$;

CREATE OR REPLACE FUNCTION private.get_pending_requests_with_expiry(p_subscription_id text)
 RETURNS TABLE(id uuid, user_id uuid, name text, email text, avatar_url text, requested_at timestamp with time zone, message text, expires_in_hours integer)
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform private.require_user();
  if not private.is_plan_owner(p_subscription_id) then
    raise exception 'Only the plan''s owner can see its requests' using errcode = '42501';
  end if;
  perform private.spend_attempt('view requests');
  perform private.expire_join_requests();
  return query
    select r.id, r.user_id, coalesce(p.display_name, r.name), r.email, p.avatar_url, r.requested_at, r.message,
      private.hours_left(least(r.requested_at + private.unnoticed_gap(), now()))
    from public.subscription_requests as r join public.user_profiles as p on p.user_id = r.user_id
    where r.subscription_id = p_subscription_id and private.is_open_request(r)
    order by r.requested_at, r.id;
end $function$;

CREATE OR REPLACE FUNCTION private.give_access(p_seat_id uuid, p_address text)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_seat private.seats := private.lock_living_seat(p_seat_id, true);
  v_address text := btrim(coalesce(p_address, ''));
begin
  if private.visible_length(v_address) = 0 or char_length(v_address) > private.longest_invited_address() then
    raise exception 'Please say where the invitation went, in up to % characters', private.longest_invited_address() using errcode = '23514';
  elsif v_seat.access_confirmed_at is not null then
    raise exception 'This member already said it works' using errcode = '23514';
  end if;
  perform private.spend_attempt('owner action');
  update private.seats set invited_address = v_address where id = v_seat.id and access_given_at is not null;
  perform private.note_access(v_seat.id, v_address);
end $function$;

CREATE OR REPLACE FUNCTION private.give_back(p_period uuid, p_share numeric, p_fee numeric, p_reason text)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_seat private.seats := private.lock_seat_of(p_period);
  v_period public.member_payments;
begin
  if p_share + p_fee = 0 then return; end if;
  select * into v_period from public.member_payments where id = p_period;
  perform private.move_back(v_period, p_share, p_fee, 'refund');
  update public.member_payments set returned_share = returned_share + p_share, returned_fee = returned_fee + p_fee,
    status = case when returned_share + returned_fee + p_share + p_fee = least(amount, coins + card) then 'given-back' else status end,
    closed_at = case when returned_share + returned_fee + p_share + p_fee = least(amount, coins + card) then private.now() end
  where id = p_period;
  perform private.tell_seat(v_seat, v_seat.member_id, 'info', 'money-given-back', 'Refund on Its Way',
    format('We’re refunding %s of your payment for %s, the way you paid it.', private.euros(p_share + p_fee), v_period.plan_name),
    jsonb_build_object('amount', p_share + p_fee, 'reason', p_reason));
end $function$;

CREATE OR REPLACE FUNCTION private.invite_member(p_subscription_id text, p_email text)
 RETURNS uuid
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_user uuid := private.require_user();
  v_plan public.shared_subscriptions := private.lock_plan_of_invitation(p_subscription_id);
  v_email text := lower(btrim(coalesce(p_email, '')));
  v_token text := replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', '');
  v_replaced uuid;
  v_id uuid;
begin
  if v_plan.owner_id <> v_user then
    raise exception 'Only the plan''s owner can invite people' using errcode = '42501';
  -- Accounts have ASCII addresses only; most other letters just imitate somebody's.
  elsif octet_length(v_email) > char_length(v_email) or v_email !~ '^[^\s@,;:<>()"\\[:cntrl:]]+@[^\s@,;:<>()"\\[:cntrl:]]+\.[^\s@,;:<>()"\\[:cntrl:]]+$' or char_length(v_email) > 254 then
    raise exception 'Valid email is required' using errcode = '23514';
  elsif v_email = lower(private.email_of(v_user)) then
    raise exception 'You cannot invite yourself' using errcode = '23514';
  elsif exists (
    select 1 from public.subscription_members as m join auth.users as u on u.id = m.user_id
    where m.subscription_id = p_subscription_id and lower(u.email) = v_email
  ) then
    raise exception 'Already a Member' using errcode = '23505';
  end if;
  perform private.require_reachable(id, 'You can’t invite this address') from auth.users where lower(email) = v_email;
  perform private.require_offered(v_plan.provider);
  perform private.require_open_slot(v_plan, v_email);
  perform private.spend_attempt('invitation');

  select i.id into v_replaced from public.subscription_invitations as i
  where i.subscription_id = p_subscription_id and i.email = v_email and private.invitation_status(i) in ('open', 'expired');
  perform private.call_back_mail(v_replaced::text);
  update public.subscription_invitations set withdrawn_at = clock_timestamp() where id = v_replaced;
  insert into public.subscription_invitations (subscription_id, email, invited_by, token_hash)
  values (p_subscription_id, v_email, v_user, encode(sha256(convert_to(v_token, 'UTF8')), 'hex'))
  returning id into v_id;
  perform private.mail_invitation(v_id, v_email, v_token, v_plan,
    (private.named_profile(v_user)).display_name);
  return v_id;
end $function$;

CREATE OR REPLACE FUNCTION private.join_waiting_list(p_subscription_id text)
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_user uuid := private.require_user();
  v_plan public.shared_subscriptions;
begin
  -- One person's attempts take turns here, so that nobody exceeds the limit.
  perform private.spend_attempt('waiting list');
  perform private.expire_join_requests();
  select * into v_plan from public.shared_subscriptions as p
  where p.id = p_subscription_id and private.may_find(p) for no key update;
  if not found then
    raise exception 'Subscription not found' using errcode = 'PT404';
  end if;
  perform private.require_unblocked(v_plan.owner_id, 'This plan takes no new members right now');
  perform private.require_offered(v_plan.provider);
  if private.is_plan_member(v_plan.id) then
    raise exception 'Already a Member' using errcode = '23505';
  elsif exists (
    select from public.subscription_requests as r
    where r.subscription_id = v_plan.id and r.user_id = v_user and private.is_open_request(r)
  ) then
    raise exception 'Request Already Sent' using errcode = '23505';
  elsif exists (select from public.waiting_list where subscription_id = v_plan.id and user_id = v_user) then
    raise exception 'Already on the Waiting List' using errcode = '23505';
  elsif (select count(*) from public.waiting_list where user_id = v_user) >= private.most_waiting_lists() then
    raise exception 'You can be on up to % waiting lists. Leave one first.', private.most_waiting_lists() using errcode = '23514';
  elsif private.open_slots(v_plan, private.email_of(v_user)) > 0 then
    raise exception 'This plan has a free place. Ask for it instead.' using errcode = '23514';
  end if;
  insert into public.waiting_list (subscription_id, user_id) values (v_plan.id, v_user);
  return (select line."position" from private.line_of(v_plan.id) as line where line.user_id = v_user);
end $function$;

CREATE OR REPLACE FUNCTION private.keep_closed_account(p_user_id uuid, p_email text)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare v_open record;
begin
  insert into private.closed_accounts (user_id, email) values (p_user_id, p_email);
  delete from private.bank_accounts as a where a.user_id = p_user_id and not exists (
    select from public.withdrawal_requests where bank_account_id = a.id and status in ('pending', 'processing'));
  for v_open in
    select string_agg(distinct bank_account_last4, ', ') as last4, sum(amount) as amount from public.withdrawal_requests
    where user_id = p_user_id and status in ('pending', 'processing') having count(*) > 0
  loop
    perform private.mail_closed_account(p_email, 'Your account is closed', array[
      format('%s are on their way to your bank account', private.euros(v_open.amount)) || coalesce(' ending in ' || v_open.last4, '') || '.',
      'We’ll let you know when they’re paid, or if something goes wrong.'
    ], 'account-closed');
  end loop;
end $function$;

CREATE OR REPLACE FUNCTION private.keep_vault_key(p_key jsonb, p_subscription_id text DEFAULT NULL::text)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_user uuid := private.require_user();
  v_name text;
begin
  -- The lock makes a key rotation wait until this key is stored, so that it is re-sealed too.
  select name into v_name from private.vault_site_key for share;
  if v_name is distinct from p_key ->> 'siteKey' then
    raise exception 'The vault is being updated. Please try again.' using errcode = 'PT409';
  end if;
  insert into private.vault_keys (person_id, subscription_id, wrapped, site_key)
  values (case when p_subscription_id is null then v_user end, p_subscription_id, p_key ->> 'wrapped', v_name)
  on conflict do nothing;
  if not found then
    raise exception 'Something else changed at the same moment. Please try again.' using errcode = 'PT409';
  end if;
end $function$;

CREATE OR REPLACE FUNCTION private.leave_seat(p_seat_id uuid, p_now boolean DEFAULT false)
 RETURNS timestamp with time zone
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
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
  perform private.tell_seat(v_seat, v_seat.owner_id, 'info', 'member-will-leave', 'Member Will Leave',
    format('%s leaves %s %s on %s.', (select display_name from public.user_profiles where user_id = v_seat.member_id),
      v_seat.provider, v_seat.plan_name, to_char(private.day_in(v_ends_at, private.zone_of(v_seat.owner_id)), 'FMDD FMMonth YYYY')),
    jsonb_build_object('until', v_ends_at));
  return v_ends_at;
end $function$;

CREATE OR REPLACE FUNCTION private.leave_waiting_list(p_subscription_id text)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare v_user uuid := private.require_user();
begin
  perform from public.shared_subscriptions where id = p_subscription_id for no key update;
  if (private.step_out_of_line(p_subscription_id, v_user)).id is null then
    raise exception 'You’re not on this waiting list' using errcode = 'PT404';
  end if;
end $function$;

CREATE OR REPLACE FUNCTION private.list_payout_files(p_limit integer DEFAULT 20, p_sort text DEFAULT NULL::text, p_after jsonb DEFAULT NULL::jsonb)
 RETURNS TABLE(id bigint, payments integer, completed integer, amount numeric, created_at timestamp with time zone, created_by_name text, voided_at timestamp with time zone, voided_by_name text, void_reason text)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform private.require_treasurer();
  return query execute private.page_of($query$
    select f.id, f.payments, (select count(*)::integer from private.payout_file_entries as e
        join public.withdrawal_requests as w on w.id = e.withdrawal_id where e.file_id = f.id and not e.voided and w.status = 'completed'),
      f.amount, f.created_at, author.display_name, f.voided_at, voider.display_name as voided_by_name, f.void_reason
    from private.payout_files as f
    left join public.user_profiles as author on author.user_id = f.created_by
    left join public.user_profiles as voider on voider.user_id = f.voided_by
  $query$, null, coalesce(p_sort, '-id'), 'id', p_after, p_limit);
end $function$;

CREATE OR REPLACE FUNCTION private.list_plans_for_review(p_status text DEFAULT 'all'::text, p_before timestamp with time zone DEFAULT 'infinity'::timestamp with time zone, p_before_id text DEFAULT ''::text, p_limit integer DEFAULT 20, p_owner uuid DEFAULT NULL::uuid, p_sort text DEFAULT NULL::text, p_after jsonb DEFAULT NULL::jsonb)
 RETURNS TABLE(id text, name text, provider text, category text, status text, price numeric, billing_cycle text, owner_id uuid, created_by text, created_at timestamp with time zone, members_count integer)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform private.require_plan_reviewer();
  return query execute private.page_of(format($query$
    select plan.id, plan.name, plan.provider, plan.category, plan.status, plan.total_price as price, plan.billing_cycle,
      plan.owner_id, profile.display_name as created_by, plan.created_at, plan.current_members as members_count
    -- Each status is a separate index range, so that a page reads only the rows it shows.
    from unnest(case $1 when 'all' then array['active', 'pending', 'rejected'] else array[$1] end) as wanted (status)
    cross join lateral (
      select * from public.shared_subscriptions as one
      where one.status = wanted.status and ($2 is null or one.owner_id = $2) and (one.created_at, one.id) < ($3, $4) %s
    ) as plan
    join public.user_profiles as profile on profile.user_id = plan.owner_id
  $query$, case when p_sort is null then 'order by one.created_at desc, one.id desc limit $5' end),
    'plan.created_at desc, plan.id desc', p_sort, 'id', p_after, p_limit)
  using p_status, p_owner, p_before, p_before_id, least(greatest(p_limit, 1), 100);
end $function$;

CREATE OR REPLACE FUNCTION private.list_staff_log(p_before bigint DEFAULT NULL::bigint, p_limit integer DEFAULT 50, p_person uuid DEFAULT NULL::uuid, p_sort text DEFAULT NULL::text, p_after jsonb DEFAULT NULL::jsonb)
 RETURNS TABLE(line bigint, at timestamp with time zone, actor uuid, actor_name text, action text, subject text, subject_name text, details jsonb, hash text)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if not private.proven(private.may('roles.manage')) then
    raise exception 'Only a super-admin reads the log of staff' using errcode = '42501';
  end if;
  -- Built with or without the person, because one statement for both would fit no index.
  return query execute private.page_of(format($query$
    select page.line, page.at, page.actor, actor.display_name as actor_name, page.action, page.subject,
      coalesce(person.display_name, plan.provider || ' ' || plan.name), page.details, page.hash
    from (select l.* from %s as l where l.line < $1 %s) as page left join public.user_profiles as actor on actor.user_id = page.actor
    left join public.user_profiles as person
      on person.user_id = case when page.subject ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then page.subject::uuid end
    left join public.shared_subscriptions as plan on plan.id = page.subject
  $query$, case when p_person is null then 'private.staff_log' else 'private.log_about($3)' end,
    case when p_sort is null then 'order by l.line desc limit $2' end),
    'page.line desc', p_sort, 'line', p_after, p_limit)
  using coalesce(p_before, 9223372036854775807), least(greatest(p_limit, 1), 100), p_person;
end $function$;

CREATE OR REPLACE FUNCTION private.list_transfers(p_person uuid DEFAULT NULL::uuid, p_subscription_id text DEFAULT NULL::text, p_kind text DEFAULT NULL::text, p_from timestamp with time zone DEFAULT NULL::timestamp with time zone, p_until timestamp with time zone DEFAULT NULL::timestamp with time zone, p_before timestamp with time zone DEFAULT NULL::timestamp with time zone, p_before_id bigint DEFAULT NULL::bigint, p_limit integer DEFAULT 50, p_sort text DEFAULT NULL::text, p_after jsonb DEFAULT NULL::jsonb)
 RETURNS TABLE(id bigint, created_at timestamp with time zone, kind text, amount numeric, from_kind text, to_kind text, person_id uuid, person_name text, subscription_id text, plan_name text, description text, moved_by text)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  -- A single bound, so that the index scan starts at the page.
  v_goes_on boolean := coalesce(p_before < p_until, p_before is not null);
  v_before timestamptz := case when v_goes_on then p_before else coalesce(p_until, 'infinity') end;
  v_before_id bigint := case when v_goes_on then p_before_id else 0 end;
begin
  perform private.require_treasurer();
  -- Built from the filters in use, because one statement for all of them would fit no index.
  return query execute private.page_of(format($query$
    select page.id, page.created_at, page.kind, page.amount, source.kind as from_kind, target.kind as to_kind, page.person_id,
      person.display_name as person_name, page.subscription_id, plan.provider || ' ' || plan.name as plan_name,
      page.description, staff.display_name
    from (
      select t.* from private.ledger_transfers as t
      where (t.created_at, t.id) < ($5, $6) and t.created_at >= $4 %s %s %s %s
    ) as page join private.ledger_accounts as source on source.id = page.from_account
    join private.ledger_accounts as target on target.id = page.to_account
    left join public.user_profiles as person on person.user_id = page.person_id
    left join public.user_profiles as staff on staff.user_id = page.created_by
    left join public.shared_subscriptions as plan on plan.id = page.subscription_id
  $query$,
    case when p_person is not null then 'and t.person_id = $1' end,
    case when p_subscription_id is not null then 'and t.subscription_id = $2' end,
    case when p_kind is not null then 'and t.kind = $3' end,
    case when p_sort is null then 'order by t.created_at desc, t.id desc limit $7' end),
    'page.created_at desc, page.id desc', p_sort, 'id', p_after, p_limit, 1000)
  using p_person, p_subscription_id, p_kind, coalesce(p_from, '-infinity'), v_before,
    coalesce(v_before_id, 0), least(greatest(p_limit, 1), 1000);
end $function$;

CREATE OR REPLACE FUNCTION private.list_users(p_search text DEFAULT ''::text, p_limit integer DEFAULT 25, p_before timestamp with time zone DEFAULT 'infinity'::timestamp with time zone, p_before_id uuid DEFAULT 'ffffffff-ffff-ffff-ffff-ffffffffffff'::uuid, p_role text DEFAULT NULL::text, p_sort text DEFAULT NULL::text, p_after jsonb DEFAULT NULL::jsonb)
 RETURNS TABLE(id uuid, email text, display_name text, avatar_url text, role text, created_at timestamp with time zone)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if not private.may('users.view') then
    raise exception 'Only staff sees who has an account' using errcode = '42501';
  end if;
  return query execute private.page_of($query$
  select account.id, case when $5 then account.email::text end as email, account.shown_name as display_name, account.avatar_url,
    held.role, account.opened_at as created_at
  from (
    select u.id, u.email, profile.avatar_url, coalesce(u.created_at, 'epoch') as opened_at, coalesce(
      profile.display_name, nullif(split_part(u.email, '@', 1), ''), 'Unknown'
    ) as shown_name
    from auth.users as u left join public.user_profiles as profile on profile.user_id = u.id
    where u.deleted_at is null
  ) as account
  left join public.user_roles as held on held.user_id = account.id
  where position(lower(btrim(coalesce($1, ''))) in lower(account.shown_name)) > 0
    and ($2 is null or coalesce(held.role, 'none') = $2)
    and (account.opened_at, account.id) < ($3, $4)
  $query$, 'account.opened_at desc, account.id desc', p_sort, 'id', p_after, p_limit)
  using p_search, p_role, p_before, p_before_id, private.may('users.edit');
end $function$;

CREATE OR REPLACE FUNCTION private.list_withdrawals(p_limit integer DEFAULT 50, p_status text DEFAULT NULL::text, p_person uuid DEFAULT NULL::uuid, p_sort text DEFAULT NULL::text, p_after jsonb DEFAULT NULL::jsonb)
 RETURNS TABLE(id uuid, user_id uuid, display_name text, full_name text, avatar_url text, amount numeric, status text, requested_at timestamp with time zone, processed_at timestamp with time zone, completed_at timestamp with time zone, rejection_reason text, stripe_transfer_id text, bank_account_last4 text, processed_by uuid, processed_by_name text, completed_by uuid, completed_by_name text, has_account boolean, payout_file_id bigint, returned_at timestamp with time zone, return_reason text)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform private.require_treasurer();
  return query execute private.page_of($query$
  select w.id, w.user_id, p.display_name, p.full_name, p.avatar_url, w.amount, w.status, w.requested_at, w.processed_at,
    w.completed_at, w.rejection_reason, w.stripe_transfer_id, w.bank_account_last4, w.processed_by, processed.display_name as processed_by_name,
    w.completed_by, completed.display_name as completed_by_name, w.bank_account_id is not null, private.payout_file_of(w.id), w.returned_at,
    w.return_reason
  from public.withdrawal_requests as w join public.user_profiles as p on p.user_id = w.user_id
  left join public.user_profiles as processed on processed.user_id = w.processed_by
  left join public.user_profiles as completed on completed.user_id = w.completed_by
  where ($1 is null or w.status = $1) and ($2 is null or w.user_id = $2)
  $query$, null, coalesce(p_sort, '-requested_at'), 'id', p_after, p_limit) using p_status, p_person;
end $function$;

CREATE OR REPLACE FUNCTION private.lock_own_plan(p_subscription_id text)
 RETURNS public.shared_subscriptions
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_user uuid := private.require_user();
  v_plan public.shared_subscriptions;
begin
  select * into v_plan from public.shared_subscriptions where id = p_subscription_id for no key update;
  if not found then
    raise exception 'Subscription not found' using errcode = 'PT404';
  elsif v_plan.owner_id <> v_user then
    raise exception 'Only the plan''s owner can answer requests' using errcode = '42501';
  end if;
  return v_plan;
end $function$;

CREATE OR REPLACE FUNCTION private.lock_own_plan_vault(p_subscription_id text)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform from public.shared_subscriptions
  where id = p_subscription_id and owner_id = private.require_user() for no key update;
  if not found then
    raise exception 'Only the plan''s owner can change access' using errcode = '42501';
  end if;
end $function$;

CREATE OR REPLACE FUNCTION private.lock_plan_of_invitation(p_subscription_id text)
 RETURNS public.shared_subscriptions
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare v_plan public.shared_subscriptions;
begin
  select * into v_plan from public.shared_subscriptions where id = p_subscription_id for no key update;
  if not found then
    raise exception 'Subscription not found' using errcode = 'PT404';
  elsif v_plan.status <> 'active' then
    raise exception 'This plan takes no new members right now' using errcode = '23514';
  end if;
  return v_plan;
end $function$;

CREATE OR REPLACE FUNCTION private.lock_problem(p_problem_id uuid, p_as text, p_turns text[])
 RETURNS public.seat_problems
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
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
    raise exception 'Problem not found' using errcode = 'PT404';
  elsif v_problem.status = 'closed' then
    raise exception 'This problem is closed' using errcode = '23514';
  elsif v_problem.status <> all (p_turns) then
    raise exception 'It’s not your turn to answer' using errcode = '23514';
  end if;
  return v_problem;
end $function$;

CREATE OR REPLACE FUNCTION private.look_for_plan(p_search text DEFAULT NULL::text, p_category text DEFAULT NULL::text, p_provider text DEFAULT NULL::text, p_most numeric DEFAULT NULL::numeric, p_settlement text DEFAULT NULL::text, p_level text DEFAULT NULL::text, p_instant boolean DEFAULT false)
 RETURNS uuid
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_user uuid := private.require_user();
  v_id uuid;
begin
  -- One person's attempts take turns here, so that nobody exceeds the limit.
  perform private.spend_attempt('plan alert');
  delete from public.plan_alerts where user_id = v_user and expires_at <= now();
  insert into public.plan_alerts (user_id, search, category, provider, most, settlement, level, instant)
  values (v_user, nullif(lower(btrim(p_search)), ''), p_category, nullif(p_provider, ''), p_most, p_settlement, p_level,
    coalesce(p_instant, false))
  on conflict on constraint one_alert_for_the_same do update set expires_at = excluded.expires_at
  returning id into v_id;
  if (select count(*) from public.plan_alerts where user_id = v_user) > private.most_alerts() then
    raise exception 'You can have up to % alerts. Stop one of them first.', private.most_alerts() using errcode = '23514';
  end if;
  return v_id;
end $function$;

CREATE OR REPLACE FUNCTION private.mail_account_change(p_change private.account_changes, p_token text)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_title text := case p_change.kind
    when 'email' then 'The email address of your account was changed'
    when 'password' then 'The password of your account was changed'
    when 'factor-added' then 'An authenticator app was added to your account'
    when 'factor-removed' then 'An authenticator app was removed from your account'
    when 'passkey-added' then 'A passkey was added to your account'
    when 'passkey-removed' then 'A passkey was removed from your account'
    when 'recovery-codes' then 'The recovery codes of your account were changed'
    when 'bank-account' then 'The bank account for your payouts was changed'
  end;
  v_at text := to_char(p_change.happened_at at time zone 'utc', 'FMDD FMMonth YYYY, HH24:MI "UTC"');
begin
  perform private.send_mail(p_change.told, v_title, private.mail_page(
    v_title,
    array[
      format('It was changed on %s.', v_at) || case when p_change.kind = 'email' then
        format(' The account now uses %s.', private.masked_address(
          (select email from auth.users where id = p_change.user_id))) else '' end,
      'If it wasn’t you, undo it: ' || case
        when p_change.kind = 'email' then 'the account gets this address back'
        when p_change.kind = 'password' then 'the new password stops working'
        when p_change.kind in ('factor-added', 'passkey-added') then 'it is removed again'
        when p_change.kind = 'recovery-codes' then 'these codes stop working'
        when p_change.kind = 'bank-account' then 'nothing more is paid to it'
        -- Nobody else knows what it was.
        else 'we can’t restore what was removed, but whoever did it is locked out'
      end || '. We also undo later changes and sign out every device, and you choose a new password.'
    ],
    'This wasn’t me', '/undo-change#token=' || p_token,
    format('The link works once, for %s hours.', private.hours(private.undo_lifetime())),
    'Was it you? Then there’s nothing to do.'
  ), array[p_change.id::text], p_event => 'account-' || p_change.kind, p_params => jsonb_build_object('at', p_change.happened_at));
end $function$;

CREATE OR REPLACE FUNCTION private.mail_closed_account(p_email text, p_title text, p_sentences text[], p_event text)
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select private.send_mail(p_email, p_title, private.mail_page(p_title, p_sentences, 'Open Potluck', '/sign-up',
    format('We keep this address and your bank account only until %s days after we’ve paid you.',
      extract(day from private.payout_return_time())),
    'There’s nothing to unsubscribe from.'), p_event => p_event)
  where private.is_mailable(p_email)
$function$;

CREATE OR REPLACE FUNCTION private.mail_invitation(p_id uuid, p_email text, p_token text, p_plan public.shared_subscriptions, p_inviter text)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_plan text := format('%s %s', p_plan.provider, p_plan.name);
  v_share text := to_char(case p_plan.settlement when 'potluck' then private.with_fee(p_plan.member_price, p_plan.fee_rate) else p_plan.member_price end,
    'FM999990.00');
begin
  perform private.send_mail(p_email, format('%s invites you to share %s', p_inviter, v_plan), private.mail_page(
    'You’re invited',
    array[
      format('%s is keeping a place for you in %s on Potluck, where people share subscriptions and split the cost.', p_inviter, v_plan),
      format('Your share is €%s a %s, %s. You pay nothing until you accept.', v_share,
        case p_plan.billing_cycle when 'yearly' then 'year' else 'month' end,
        case p_plan.settlement when 'potluck' then 'convenience fee included' else format('paid to %s directly, no fee', p_inviter) end)
    ],
    'See the invitation', '/invitation/' || p_token,
    format('We keep the place for %s days.', extract(day from private.invitation_lifetime())),
    'Not expecting this? You can ignore this email.'
  ), array[p_id::text, p_plan.id], p_id => p_id);
end $function$;

CREATE OR REPLACE FUNCTION private.mail_layout(p_heading text, p_paragraphs text[], p_action text, p_link text, p_small_print text, p_closing text, p_unsubscribe_link text DEFAULT NULL::text)
 RETURNS text
 LANGUAGE plpgsql
 IMMUTABLE
 SET search_path TO ''
AS $function$
begin
  return (
    select format($html$<!doctype html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <meta name="color-scheme" content="light">
  <title>%1$s</title>
</head>
<body style="margin:0;padding:0;background-color:#FFFBF4;">
<table role="presentation" width="100%%" cellpadding="0" cellspacing="0" border="0" style="background-color:#FFFBF4;">
<tr><td align="center" style="padding:40px 16px;">
  <table role="presentation" width="100%%" cellpadding="0" cellspacing="0" border="0" style="max-width:520px;font-family:Inter,'Segoe UI',Helvetica,Arial,sans-serif;">
  <tr><td style="padding:0 8px 20px;font-size:24px;line-height:32px;font-weight:700;letter-spacing:-0.02em;color:#B4451F;">Potluck</td></tr>
  <tr><td style="padding:32px 28px;background-color:#FFFFFF;border:1px solid #EFE4D6;border-top:4px solid #B4451F;border-radius:14px;">
    <h1 style="margin:0 0 16px;font-size:26px;line-height:34px;font-weight:700;letter-spacing:-0.02em;color:#2A1F18;overflow-wrap:anywhere;">%1$s</h1>
%2$s
    <p style="margin:0 0 24px;"><a href="%4$s" style="display:inline-block;padding:14px 28px;font-size:16px;line-height:20px;font-weight:600;color:#FFFFFF;text-decoration:none;background-color:#B4451F;border-radius:10px;">%3$s</a></p>
    <p style="margin:0 0 8px;font-size:14px;line-height:22px;color:#6A6059;">%5$s If the button does nothing, paste this address into your browser:</p>
    <p style="margin:0;font-size:13px;line-height:20px;word-break:break-all;"><a href="%4$s" style="color:#B4451F;">%4$s</a></p>
  </td></tr>
  <tr><td style="padding:20px 8px 0;font-size:13px;line-height:20px;color:#6A6059;">
    <p style="margin:0 0 4px;">%6$s</p>%7$s
    <p style="margin:0;">Potluck. Share the plan. Split the cost.</p>
  </td></tr>
  </table>
</td></tr>
</table>
</body>
</html>
$html$,
    p_heading,
    (select string_agg(format(
        '    <p style="margin:0 0 24px;font-size:16px;line-height:26px;color:#2A1F18;overflow-wrap:anywhere;">%s</p>', paragraph
      ), e'\n' order by place) from unnest(p_paragraphs) with ordinality as given (paragraph, place)),
    p_action, p_link, p_small_print, p_closing,
    case when p_unsubscribe_link is not null then format(
      e'\n    <p style="margin:0 0 4px;"><a href="%s" style="color:#6A6059;">Stop these emails</a></p>', p_unsubscribe_link
    ) end
  )
  );
end $function$;

CREATE OR REPLACE FUNCTION private.mail_notification(p_notification_id uuid, p_about text[], p_action text, p_path text)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_told public.user_notifications;
  v_address text;
  v_always boolean;
  v_unsubscribe text;
begin
  select * into v_told from public.user_notifications where id = p_notification_id;
  v_address := private.email_of(v_told.user_id);
  v_always := private.is_always_mailed(v_told.event);
  if not private.is_mailable(v_address) or not (v_always or private.wants(v_told.user_id, private.topic_of(v_told.event), 'mail')) then
    return;
  end if;
  if not v_always then
    v_unsubscribe := private.unsubscribe_path(v_told.user_id);
  end if;
  perform private.send_mail(v_address, v_told.message, private.mail_page(
    v_told.title, array[v_told.message], p_action, p_path, 'You can also find this in your Potluck notifications.',
    case when v_always then 'You always get this email before a charge.'
      else 'You get this email because you hadn’t read it on Potluck yet.' end, v_unsubscribe
  ), case when v_always then p_about else p_notification_id::text || p_about end, v_unsubscribe,
    case when v_always then interval '0' else interval '10 minutes' end,
    p_event => v_told.event, p_params => v_told.params);
end $function$;

CREATE OR REPLACE FUNCTION private.market_plan_ids(p_search text, p_category text, p_provider text, p_like uuid, p_most numeric, p_settlement text, p_level text, p_instant boolean, p_cheapest boolean, p_full boolean, p_after_room boolean, p_above numeric, p_before timestamp with time zone, p_before_id text, p_limit integer)
 RETURNS text[]
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
 SET plan_cache_mode TO 'force_custom_plan'
 SET enable_sort TO 'off'
 SET jit TO 'off'
AS $function$
declare
  v_apart uuid[] := private.people_apart();
  v_owners uuid[] := case when p_level <> 'new' then private.owners_from_level(p_level) end;
  v_limit integer := least(greatest(p_limit, 1), 100);
  v_search text := nullif(btrim(lower(p_search)), '');
  v_like text;
  v_but uuid;
  v_found text[] := '{}';
  v_room boolean;
begin
  if p_like is not null then
    select lost.catalogue_plan_id, lost.owner_id into v_like, v_but
    from private.precedence_of((select auth.uid())) as lost where lost.seat_id = p_like;
    if not found then return v_found; end if;
  end if;
  foreach v_room in array case when not p_after_room then '{f}' when p_full then '{t,f}' else '{t}' end::boolean[] loop
    v_found := v_found || array(
      select plan.id from private.plan_counts() as offer cross join lateral (
        select one.id, one.monthly_cost, one.created_at from public.shared_subscriptions as one
        where one.status = 'active' and not one.is_private and one.has_room = v_room
          and one.category = offer.category and one.provider = offer.provider and one.name = offer.name
          and (p_most is null or one.monthly_cost <= p_most) and (p_settlement is null or one.settlement = p_settlement)
          and (v_owners is null or one.owner_id = any (v_owners)) and (not p_instant or one.instant_from is not null)
          and one.owner_id <> all (v_apart) and (v_like is null or one.catalogue_plan_id = v_like and one.owner_id <> v_but)
          and (p_above is null or one.monthly_cost >= p_above)
          and (one.monthly_cost > p_above or (one.created_at, one.id) < (p_before, p_before_id))
        order by case when p_cheapest then one.monthly_cost end, one.created_at desc, one.id desc limit v_limit
      ) as plan
      where (v_search is null or strpos(lower(offer.provider || ' ' || offer.name), v_search) > 0)
        and (p_category is null or offer.category = p_category) and (p_provider is null or offer.provider = p_provider)
        and (v_like is null or (
          select true from public.shared_subscriptions as one
          where one.status = 'active' and not one.is_private and one.has_room = v_room
            and one.category = offer.category and one.provider = offer.provider and one.name = offer.name
            and one.catalogue_plan_id = v_like limit 1))
        and (p_most is null or (
          select true from public.shared_subscriptions as one
          where one.status = 'active' and not one.is_private and one.has_room = v_room
            and one.category = offer.category and one.provider = offer.provider and one.name = offer.name
            and one.monthly_cost <= p_most limit 1))
        and (p_settlement is null or (
          select true from public.shared_subscriptions as one
          where one.status = 'active' and not one.is_private and one.has_room = v_room
            and one.category = offer.category and one.provider = offer.provider and one.name = offer.name
            and one.settlement = p_settlement limit 1))
      order by case when p_cheapest then plan.monthly_cost end, plan.created_at desc, plan.id desc
      limit v_limit - cardinality(v_found)
    );
    exit when cardinality(v_found) = v_limit;
    -- The others begin with their first.
    p_above := null;
    p_before := 'infinity';
    p_before_id := '';
  end loop;
  return v_found;
end $function$;

CREATE OR REPLACE FUNCTION private.market_plans(p_search text DEFAULT NULL::text, p_category text DEFAULT NULL::text, p_provider text DEFAULT NULL::text, p_like uuid DEFAULT NULL::uuid, p_most numeric DEFAULT NULL::numeric, p_settlement text DEFAULT NULL::text, p_level text DEFAULT NULL::text, p_instant boolean DEFAULT false, p_cheapest boolean DEFAULT false, p_full boolean DEFAULT false, p_after_room boolean DEFAULT true, p_above numeric DEFAULT NULL::numeric, p_before timestamp with time zone DEFAULT 'infinity'::timestamp with time zone, p_before_id text DEFAULT ''::text, p_limit integer DEFAULT 24)
 RETURNS jsonb
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select private.market_cards(private.market_plan_ids(p_search, p_category, p_provider, p_like, p_most, p_settlement, p_level,
    p_instant, p_cheapest, p_full, p_after_room, p_above, p_before, p_before_id, p_limit))
$function$;

CREATE OR REPLACE FUNCTION private.my_next_payments()
 RETURNS TABLE(subscription_id text, settlement text, amount numeric, due_at timestamp with time zone)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare v_user uuid := private.require_user();
begin
  return query
    select s.subscription_id, s.settlement, next.amount, next.due_at
    from private.seats as s cross join lateral private.next_payments(s) as next
    where s.member_id = v_user and s.ended_at is null;
end $function$;

CREATE OR REPLACE FUNCTION private.my_payment_days()
 RETURNS TABLE(receives boolean, subscription_id text, plan text, person text, amount numeric, due_at timestamp with time zone)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare v_user uuid := private.require_user();
begin
  return query
    select s.owner_id = v_user, s.subscription_id, s.provider || ' ' || s.plan_name, other.display_name,
      case s.owner_id when v_user then due.share else due.amount end, due.due_at
    from private.seats as s
    join public.user_profiles as other on other.user_id = case s.owner_id when v_user then s.member_id else s.owner_id end
    cross join lateral (
      select m.settlement, m.share, m.amount, m.due_at from public.member_payments as m
      where m.seat_id = s.id and m.amount > 0
        and (m.status in ('needs-action', 'failed') or m.status in ('due', 'charging') and m.due_at <= private.now())
      union all
      select s.settlement, next.share, next.amount, next.due_at from private.next_payments(s) as next
    ) as due
    where v_user in (s.owner_id, s.member_id) and s.ended_at is null
      and (due.settlement = 'potluck' or private.says_how_to_pay(s.owner_id))
    order by due.due_at, s.id;
end $function$;

CREATE OR REPLACE FUNCTION private.name_refusal(p_name text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE
RETURN CASE WHEN ((p_name IS NULL) OR (char_length(p_name) > private.longest_full_name())) THEN NULL::text WHEN ((private.visible_length(regexp_replace(p_name, '[\u0300-\u036f\u0483-\u0489\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\u17b4\u17b5\u180b-\u180f\U000e0000-\U000e0fff]'::text, ''::text, 'g'::text)) = 0) OR (p_name ~ '[\u0001-\u001f\u007f-\u009f\u00ad\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]'::text)) THEN 'Please enter a name people can read'::text WHEN (regexp_replace(translate(lower(NORMALIZE(p_name, NFKD)), '0οΟоОօρΡрРτΤтТӏӀυսсСϲκΚкК'::text, 'ooooooppppttttlluuccckkkk'::text), '[^a-z1|]'::text, ''::text, 'g'::text) ~ '^(the|team|official)?pot[il1|]uck(app|team|support|service|help|admin|staff|security|billing|official|moderator)?$'::text) THEN 'This name is reserved. Please choose another one.'::text ELSE NULL::text END;

CREATE OR REPLACE FUNCTION private.named_profile(p_user_id uuid)
 RETURNS public.user_profiles
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare v_profile public.user_profiles := private.ensure_profile(p_user_id);
begin
  if p_user_id = auth.uid() and v_profile.display_name = private.no_name() then
    raise exception 'Please add your name first.' using errcode = 'PT428';
  end if;
  return v_profile;
end $function$;

CREATE OR REPLACE FUNCTION private.next_payments(p_seat private.seats)
 RETURNS TABLE(share numeric, amount numeric, due_at timestamp with time zone)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  return query
    select next.share, next.amount, next.due_at
    from (select * from public.member_payments as m where m.seat_id = p_seat.id order by m.number desc limit 1) as last
    cross join lateral private.period_price(p_seat.settlement, p_seat.billing_cycle, p_seat.share, p_seat.fee_rate, last.number + 1) as price
    cross join lateral (
      select last.share, last.amount, last.due_at where last.status in ('due', 'charging')
      union all
      select price.share, price.share + price.fee, last.ends_at where last.status in ('due', 'claimed', 'paid') and p_seat.ends_at is null
    ) as next (share, amount, due_at)
    where p_seat.ended_at is null and next.due_at > private.now() and next.amount > 0 and not private.has_open_problem(p_seat.id);
end $function$;

CREATE OR REPLACE FUNCTION private.note_access(p_seat_id uuid, p_address text)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare v_seat private.seats;
begin
  update private.seats set access_given_at = private.now(), invited_address = p_address
  where id = p_seat_id and access_given_at is null;
  if not found then return; end if;
  v_seat := private.begin_periods(p_seat_id);
  if v_seat.admitted_at is null then return; end if;
  perform private.tell_seat(v_seat, v_seat.member_id, 'success', 'access-given', 'You Have Access',
    format(case when p_address is null then '%s gave you access to %s %s. Does it work?'
      else '%s sent your invitation to %s %s to %s. Does it work?' end,
      (select display_name from public.user_profiles where user_id = v_seat.owner_id), v_seat.provider, v_seat.plan_name, p_address),
    jsonb_strip_nulls(jsonb_build_object('address', p_address)));
end $function$;

CREATE OR REPLACE FUNCTION private.note_owed(p_seat private.seats, p_period public.member_payments, p_owed numeric)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if p_period.status not in ('claimed', 'paid') or p_owed <= p_period.owed_back then return; end if;
  update public.member_payments set owed_back = p_owed, repaid_at = null where id = p_period.id;
  perform private.tell_seat(p_seat, p_seat.member_id, 'info', 'owner-owes-you', 'Money Owed to You',
    format('%s owes you %s for the time without access to %s.', (select display_name from public.user_profiles
      where user_id = p_seat.owner_id), private.euros(p_owed), p_period.plan_name), jsonb_build_object('amount', p_owed));
  perform private.tell_seat(p_seat, p_seat.owner_id, 'warning', 'you-owe-member', 'Refund a Member',
    format('You owe %s %s for the time without access to %s.', (select display_name from public.user_profiles
      where user_id = p_seat.member_id), private.euros(p_owed), p_period.plan_name), jsonb_build_object('amount', p_owed));
end $function$;

CREATE OR REPLACE FUNCTION private.nudge_payment(p_payment_id uuid)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare v_payment public.member_payments := private.lock_direct_payment(p_payment_id, true);
begin
  if v_payment.status <> 'due' or v_payment.due_at > private.now() then
    raise exception 'This payment is not open' using errcode = '23514';
  elsif not private.says_how_to_pay(v_payment.owner_id) then
    raise exception 'Add payment details in Account Settings first' using errcode = '23514';
  elsif v_payment.nudged_at > private.now() - private.nudge_pause() then
    raise exception 'You can send one reminder a day' using errcode = '23514';
  end if;
  update public.member_payments set nudged_at = private.now() where id = v_payment.id;
  perform private.tell_payment(v_payment, false, 'warning', 'payment-nudge', 'A Payment Is Missing',
    '%3$s asks you to pay %1$s for %2$s.');
end $function$;

CREATE OR REPLACE FUNCTION private.offer_places(p_subscription_id text)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_plan public.shared_subscriptions;
  v_next record;
begin
  select * into v_plan from public.shared_subscriptions where id = p_subscription_id for no key update;
  if not found or v_plan.status <> 'active'
    or (select beat_at from private.clock) < now() - private.longest_gap() then return; end if;
  for v_next in
    delete from public.waiting_list where subscription_id = v_plan.id and offered_until <= now() returning user_id
  loop
    perform private.notify(v_next.user_id, 'info', 'Offer Lapsed',
      format('You didn’t take the place in %s %s within %s hours, so it’s no longer kept for you.',
        v_plan.provider, v_plan.name, private.hours(private.offer_lifetime())),
      v_plan.id, 'offer-lapsed', jsonb_build_object('plan', v_plan.provider || ' ' || v_plan.name));
  end loop;
  for v_next in
    select line.id, line.user_id from private.line_of(v_plan.id) as line where line.offered_until is null
    order by line."position"
    limit greatest(0, v_plan.owner_max_members - v_plan.current_members - private.reserved_places(v_plan.id))
  loop
    update public.waiting_list set offered_until = now() + private.offer_lifetime() where id = v_next.id;
    perform private.mail_notification(private.notify(v_next.user_id, 'success', 'Place Offered',
      format('A place in %s %s is free. We’re keeping it for you for %s hours.',
        v_plan.provider, v_plan.name, private.hours(private.offer_lifetime())),
      v_plan.id, 'place-offered', jsonb_build_object('plan', v_plan.provider || ' ' || v_plan.name)),
      array[v_next.id::text, v_plan.id], 'See the place', '/subscription/' || v_plan.id);
  end loop;
end $function$;

CREATE OR REPLACE FUNCTION private.open_plan_link(p_token text)
 RETURNS text
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_user uuid := private.require_user();
  v_plan_id text;
begin
  -- The lock keeps a link that is being replaced from working.
  select l.subscription_id into v_plan_id from private.plan_links as l
  join public.shared_subscriptions as p on p.id = l.subscription_id and p.owner_id <> all (private.people_apart())
  where l.token = private.plain_code(p_token) for key share of l;
  if not found then
    raise exception 'This link doesn’t work' using errcode = 'PT404';
  end if;
  insert into private.link_visits (subscription_id, user_id) values (v_plan_id, v_user) on conflict do nothing;
  return v_plan_id;
end $function$;

CREATE OR REPLACE FUNCTION private.open_vault_entry(p_subscription_id text, p_version integer DEFAULT NULL::integer)
 RETURNS jsonb
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_user uuid := private.require_user();
  v_entry private.vault_entries := private.current_vault_entry(p_subscription_id);
begin
  if private.is_plan_owner(p_subscription_id) then
    select * into v_entry from private.vault_entries
    where subscription_id = p_subscription_id and version = coalesce(p_version, v_entry.version);
  elsif not private.may_get_in(p_subscription_id) or p_version <> v_entry.version then
    v_entry := null;
  end if;
  if v_entry.version is null then
    raise exception 'There’s nothing for you to open' using errcode = 'PT404';
  end if;
  perform private.require_recent_proof();
  perform private.spend_attempt('vault opening');
  insert into private.vault_openings (kind, subscription_id, version, owner_id, opened_by, purpose, opened_at)
  select 'plan', id, v_entry.version, owner_id, v_user, 'to get in', private.now()
  from public.shared_subscriptions where id = p_subscription_id;
  return jsonb_build_object('version', v_entry.version, 'part', v_entry.part, 'sealed', v_entry.sealed,
    'key', private.vault_key_of(null, p_subscription_id));
end $function$;

CREATE OR REPLACE FUNCTION private.page_head(p_path text)
 RETURNS jsonb
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_id text := coalesce(substring(p_path from '^/plans/(sub-[0-9a-z-]+)/?$'),
    private.plan_of_code(substring(p_path from '^/p/([0-9A-Za-z]{8})/?$')));
  v_card jsonb;
  v_free integer;
begin
  if p_path ~ '^/plans/?$' then
    return jsonb_build_object('title', 'Plans to join · Potluck',
      'description', 'Streaming, music, gaming and software plans to share. The price you see is all you pay.');
  elsif p_path ~ '^/people/' then
    -- For people, not for search engines.
    v_card := private.get_person(substring(p_path from '^/people/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})/?$')::uuid);
    return jsonb_build_object('title', coalesce(v_card ->> 'name', 'No one here') || ' · Potluck', 'status', 200,
      'description', 'See what this person shares, how reliable they are and their reviews.');
  -- The longer secret of a private plan says nothing of it, not even whether it is one.
  elsif p_path !~ '^/plans/' and p_path !~ '^/p/[0-9A-Za-z]{8}/?$' then
    return null;
  end if;
  v_card := private.market_plan(v_id);
  if v_card is null then
    return jsonb_build_object('title', 'We can’t find this plan · Potluck', 'heading', 'We can’t find this plan', 'status', 404,
      'description', 'The owner may have cancelled it or made it private. Other plans have a place for you.');
  end if;
  v_free := greatest((v_card ->> 'ownerMaxMembers')::integer - (v_card ->> 'currentMembers')::integer - (v_card ->> 'kept')::integer, 0);
  return jsonb_build_object(
    'title', format('%s %s for €%s a month · Potluck', v_card ->> 'provider', v_card ->> 'name', v_card ->> 'monthlyCost'),
    'heading', format('%s %s', v_card ->> 'provider', v_card ->> 'name'),
    'description', format('Shared by %s. %s of %s places open, €%s a month all in.', v_card ->> 'ownerName', v_free,
      v_card ->> 'ownerMaxMembers', v_card ->> 'monthlyCost'),
    'image', (
      select jsonb_build_object('path', format('/share/%s.png', provider ->> 'id'),
        'alt', format('The mark of %s and a clay pot: Share %1$s. Split the cost.', provider ->> 'name'))
      from jsonb_array_elements(private.catalogue()) as provider where provider ->> 'name' = v_card ->> 'provider' limit 1
    ));
end $function$;

CREATE OR REPLACE FUNCTION private.page_of(p_query text, p_usual text, p_sort text, p_key text, p_after jsonb, p_limit integer, p_most integer DEFAULT 100)
 RETURNS text
 LANGUAGE plpgsql
 IMMUTABLE
 SET search_path TO ''
AS $function$
declare
  v_by text := ltrim(p_sort, '-');
  v_way text := case when p_sort like '-%' then 'desc' else 'asc' end;
  v_than text := case v_way when 'desc' then '<' else '>' end;
  v_limit integer := least(greatest(p_limit, 1), p_most);
begin
  if p_sort is null then
    return format('%s order by %s limit %s', p_query, p_usual, v_limit);
  end if;
  return format('select * from (%s) as list where %s order by list.%I %s nulls last, list.%5$I %4$s limit %6$s', p_query,
    format(case when p_after is null then 'true'
      when p_after ->> 0 is null then 'list.%1$I is null and list.%2$I %3$s %5$L'
      else '(list.%1$I %3$s %4$L or list.%1$I is null or list.%1$I = %4$L and list.%2$I %3$s %5$L)' end,
      v_by, p_key, v_than, p_after ->> 0, p_after ->> 1),
    v_by, v_way, p_key, v_limit);
end $function$;

CREATE OR REPLACE FUNCTION private.pays_directly(p_owner_id uuid)
 RETURNS boolean
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  return exists (
    select from private.seats
    where owner_id = p_owner_id and member_id = (select auth.uid()) and ended_at is null and (settlement = 'direct'
      or exists (select from public.member_payments as m where m.seat_id = seats.id and m.settlement = 'direct' and m.status in ('due', 'claimed')))
  );
end $function$;

CREATE OR REPLACE FUNCTION private.period_failed(p_period uuid, p_code text)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_seat private.seats := private.lock_seat_of(p_period);
  v_period public.member_payments;
  v_next timestamptz;
  v_until timestamptz;
begin
  select * into v_period from public.member_payments where id = p_period;
  if v_period.status not in ('due', 'charging', 'needs-action', 'failed') then return; end if;
  perform private.let_go(p_period);
  if v_period.number > 1 then
    select min(v_period.due_at + wait) into v_next from unnest(private.renewal_retries()) as wait
    where v_period.due_at + wait > private.now();
  elsif v_period.attempts > 0 then
    v_next := greatest(v_period.next_attempt_at, private.now());
    -- It has been undecided all the time.
    if p_code = 'undecided' and v_next = private.now() then v_next := null; end if;
  elsif not exists (
    select from private.seats where subscription_id = v_seat.subscription_id and member_id = v_seat.member_id
      and end_reason = 'unpaid' and ended_at > private.now() - private.mending_pause()
  ) then
    v_next := private.now() + private.mending_time();
  end if;
  update public.member_payments set status = case p_code when 'needs-action' then 'needs-action' else 'failed' end,
    attempts = attempts + 1, next_attempt_at = v_next where id = p_period;
  if v_period.number > 1 then
    update private.seats set late_since = coalesce(late_since, private.now()) where id = v_seat.id;
  end if;
  perform private.wake_seat(v_seat.id);
  -- Due work ends the seat, because it locks membership and plan first.
  if v_next is null then return; end if;
  v_until := v_next;
  if v_period.number > 1 and (p_code = 'undecided' or private.is_refused_for_good(p_code)) then
    v_until := private.last_renewal_retry(v_period.due_at);
  end if;
  perform private.tell_seat(v_seat, v_seat.member_id, 'warning',
    case p_code when 'needs-action' then 'payment-needs-action' else 'payment-failed' end,
    case p_code when 'needs-action' then 'Payment Needs Your Confirmation' when 'undecided' then 'Payment Not Made Yet' else 'Payment Failed' end,
    format(case
      when p_code = 'undecided' then 'We couldn’t take your payment for %s yet. It’s not your card’s fault, and we’ll try again. Your place is kept until %s UTC'
        || case v_period.number when 1 then '.' else '. Your access is closed until then.' end
      when private.is_refused_for_good(p_code) then 'Your payment for %s failed because your bank refuses this card. Pay with another card by %s UTC'
        || case v_period.number when 1 then ' to keep your place.' else '. Your access is closed until then.' end
      when v_period.number = 1 then 'Your payment for %s failed. Confirm it or pay with another card by %s UTC to keep your place.'
      else 'Your payment for %s failed, so your access is closed. We’ll try again on %s UTC, or pay with another card now.' end,
      v_period.plan_name, to_char(v_until at time zone 'utc', 'FMDD FMMonth, HH24:MI')),
    jsonb_build_object('amount', v_period.amount, 'until', v_until, 'code', p_code, 'number', v_period.number));
end $function$;

CREATE OR REPLACE FUNCTION private.period_paid(p_period uuid)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_seat private.seats := private.lock_seat_of(p_period);
  v_period public.member_payments;
begin
  select * into v_period from public.member_payments where id = p_period;
  if v_period.status in ('paid', 'closed', 'given-back') then return; end if;
  if v_seat.ended_at is not null or v_period.status = 'cancelled' then
    perform private.give_back(p_period, least(v_period.share, v_period.coins + v_period.card),
      greatest(0, v_period.coins + v_period.card - v_period.share), 'too-late');
    return;
  elsif v_period.coins + v_period.card < v_period.amount then
    -- The coins of this attempt were returned and spent, so the amount is too small; it cannot be charged again.
    update public.member_payments set status = 'failed', next_attempt_at = null where id = p_period;
    perform private.wake_seat(v_seat.id);
    return;
  end if;
  update public.member_payments set status = 'paid', paid_at = private.now(), next_attempt_at = null, note = null
  where id = p_period returning * into v_period;
  update private.seats set late_since = null, admitted_at = coalesce(admitted_at, private.now()) where id = v_seat.id;
  v_seat := private.begin_periods(v_seat.id);
  perform private.tell_seat(v_seat, v_seat.member_id, 'success', 'payment-made', 'Payment Received',
    format('We received your %s for %s.', private.euros(v_period.amount), v_period.plan_name),
    jsonb_build_object('amount', v_period.amount));
  if v_period.number = 1 then
    perform private.tell_seat(v_seat, v_seat.owner_id, 'success', 'member-paid', 'Member Has Paid',
      format(case when v_seat.access_given_at is null then '%s has paid for %s. Give them access within %s hours.'
        else '%s has paid for %s.' end, (select display_name from public.user_profiles where user_id = v_seat.member_id),
        v_period.plan_name, private.hours(private.access_time())), jsonb_build_object('amount', v_period.amount));
  end if;
end $function$;

CREATE OR REPLACE FUNCTION private.problem_note(p_note text)
 RETURNS text
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
begin
  if char_length(btrim(p_note)) > private.longest_note() then
    raise exception 'Please use up to % characters', private.longest_note() using errcode = '23514';
  end if;
  return nullif(btrim(p_note), '');
end $function$;

CREATE OR REPLACE FUNCTION private.propose_terms(p_subscription_id text, p_settlement text)
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_plan public.shared_subscriptions := private.lock_own_plan(p_subscription_id);
  v_sold private.catalogue_plan := private.find_catalogue_plan(v_plan.catalogue_plan_id, v_plan.provider, v_plan.name);
  v_price numeric := round(coalesce(v_sold.price, v_plan.total_price), 2);
  v_share numeric := round(coalesce(v_sold.price, v_plan.total_price) / v_plan.max_members, 2);
  v_seat private.seats;
  v_asked integer := 0;
begin
  if p_settlement is null or p_settlement not in ('direct', 'potluck') then
    raise exception 'Choose whether members pay you directly or through the site' using errcode = '23514';
  elsif (v_plan.settlement, v_plan.member_price) = (p_settlement, v_share) then
    raise exception 'These are the current terms' using errcode = '23514';
  end if;
  perform private.require_settlement(p_settlement, v_plan.billing_cycle, v_share, v_plan.fee_rate);
  -- This update counts as an owner action. Instant plans need payment through the site.
  update public.shared_subscriptions set settlement = p_settlement, total_price = v_price, member_price = v_share,
    instant_from = case p_settlement when 'potluck' then instant_from end
  where id = v_plan.id;
  for v_seat in
    select * from private.seats where subscription_id = v_plan.id and ended_at is null order by id for update
  loop
    delete from public.term_proposals where seat_id = v_seat.id and answered_at is null;
    continue when (v_seat.settlement, v_seat.share) = (p_settlement, v_share);
    insert into public.term_proposals (seat_id, subscription_id, owner_id, member_id, settlement, share)
    values (v_seat.id, v_plan.id, v_seat.owner_id, v_seat.member_id, p_settlement, v_share);
    v_asked := v_asked + 1;
    perform private.tell_seat(v_seat, v_seat.member_id, 'info', 'terms-proposed', 'New Terms Proposed',
      format('The owner of %s %s proposes new terms: %s a %s, paid %s. Nothing changes unless you accept.', v_seat.provider,
        v_seat.plan_name, private.euros(v_share), case v_seat.billing_cycle when 'yearly' then 'year' else 'month' end,
        case p_settlement when 'direct' then 'directly' else 'through the site' end),
      jsonb_build_object('settlement', p_settlement, 'share', v_share));
  end loop;
  return v_asked;
end $function$;

CREATE OR REPLACE FUNCTION private.proven(p_holds_role boolean)
 RETURNS boolean
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
begin
  if p_holds_role and not private.may_act_as_staff() or private.role_is_shut() then
    raise exception 'To do this, set up two-step sign-in or a passkey in Account Settings.'
      using errcode = '42501';
  end if;
  return p_holds_role;
end $function$;

CREATE OR REPLACE FUNCTION private.push_text(p_about uuid, p_session_id uuid, p_user_id uuid)
 RETURNS TABLE(title text, message text, path text)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  -- A device shows no more of the message.
  select n.title, left(n.message, 300), '/notifications/' || n.id
  from public.user_notifications as n where n.id = p_about and n.user_id = p_user_id and not n.read
  union all
  select 'New Message', c.said, '/messages/' || c.conversation_id
  from private.unread_chat(p_about) as c where c.user_id = p_user_id and private.wants(p_user_id, 'messages', 'push')
  union all
  select 'This Is a Test', 'Notifications work on this device.', '/account-settings/notifications' where p_about = p_session_id
$function$;

CREATE OR REPLACE FUNCTION private.record_dispute(p_reference text, p_intent text, p_amount numeric, p_status text, p_reason text, p_due_by timestamp with time zone, p_costs jsonb DEFAULT '{}'::jsonb)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_payment uuid := (select payment_id from private.charges where intent = p_intent);
  v_seat private.seats;
  v_dispute public.payment_disputes;
  v_period public.member_payments;
  v_is_closed boolean := p_status in ('won', 'lost', 'warning_closed', 'prevented');
begin
  if v_payment is null then return false; end if;
  v_seat := private.lock_place((select seat_id from public.member_payments where id = v_payment));
  perform private.lock_held_money(array[v_seat.id], array['outside', 'refunds_due', 'fees', 'guarantee', 'costs']);
  select * into v_period from public.member_payments where id = v_payment;
  insert into public.payment_disputes
    (id, payment_id, plan_name, member_id, owner_id, amount, charged, given_back, reason, status, due_by)
  select p_reference, v_payment, v_period.plan_name, v_period.member_id, v_period.owner_id, p_amount,
    received, private.given_back_to_card(v_payment), p_reason, p_status, p_due_by from private.charges where payment_id = v_payment
  on conflict (id) do nothing;
  if found then
    perform private.notify(staff.id, 'warning', 'A Payment Is Disputed',
      format('A member of %s disputed %s with their bank. Answer the provider in time.', v_period.plan_name, private.euros(p_amount)),
      null, 'payment-disputed', jsonb_build_object('plan', v_period.plan_name, 'amount', p_amount, 'until', p_due_by))
    from private.people_who_may('users.edit') as staff (id);
  end if;
  perform private.book_dispute_costs(p_reference, p_costs, v_period);
  select * into v_dispute from public.payment_disputes where id = p_reference;
  if v_dispute.closed_at is not null and not (v_dispute.status = 'lost' and p_status = 'won') then return true; end if;
  update public.payment_disputes set status = p_status, due_by = p_due_by,
    closed_at = case when v_is_closed then private.now() end where id = p_reference;
  if private.dispute_takes(p_status) and private.taken_by(v_dispute) = 0 then
    perform private.take_disputed(v_dispute, v_period);
    perform private.end_seat(v_period.seat_id, 'disputed', v_period.member_id);
  elsif p_status = 'won' then
    perform private.put_back_disputed(v_dispute, v_period);
  end if;
  return true;
end $function$;

CREATE OR REPLACE FUNCTION private.record_refund(p_refund text, p_reference text, p_status text, p_reason text, p_intent text DEFAULT NULL::text, p_amount numeric DEFAULT NULL::numeric)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_refund private.refunds;
  v_period public.member_payments;
  v_seat private.seats;
  v_account bigint;
  v_payment uuid;
begin
  select * into v_refund from private.refunds where id::text = p_refund or reference = p_reference;
  if not found then
    select payment_id into v_payment from private.charges where intent = p_intent;
    if v_payment is null then return false; end if;
    if p_reference is null or p_status = 'failed' then return true; end if;
    perform private.adopt_refund(v_payment, p_reference, p_amount);
    select * into v_refund from private.refunds where reference = p_reference;
  end if;
  v_seat := private.lock_seat_of(v_refund.payment_id);
  select * into v_refund from private.refunds where id = v_refund.id for update;
  select * into v_period from public.member_payments where id = v_refund.payment_id;
  if p_status = 'failed' and v_refund.status <> 'failed' and v_refund.created_at > clock_timestamp() - private.refund_patience()
    and (private.refusal_may_pass(p_reason) or (p_reference is null and p_amount <> v_refund.amount)) then
    -- It stays in the queue; one that was made in vain is made anew.
    update private.refunds set reason = p_reason, reference = coalesce(reference, p_reference),
      status = case when p_reference is null then status else 'failed' end where id = v_refund.id;
    if p_reference is not null then
      -- It has left the provider's account and come back, whatever was heard of that.
      perform private.transfer('refund:' || v_refund.id, private.ledger_account('refunds_due'), private.ledger_account('outside'),
        v_refund.amount, 'refund-sent', v_period.seat_id, v_period.id, v_period.plan_name);
      perform private.transfer('refund-failed:' || v_refund.id, private.ledger_account('outside'), private.ledger_account('refunds_due'),
        v_refund.amount, 'refund-failed', v_period.seat_id, v_period.id, v_period.plan_name);
      perform private.queue_refund(v_period.id, v_refund.amount, v_refund.created_at);
    end if;
    return true;
  elsif p_status <> 'failed' and v_refund.status in ('queued', 'pending') and p_amount > v_refund.amount then
    -- A part of it was taken for another that was made by hand.
    perform private.take_returned(v_period.id, p_reference, p_amount - v_refund.amount);
    update private.refunds set amount = p_amount where id = v_refund.id returning * into v_refund;
  end if;
  update private.refunds set reference = coalesce(reference, p_reference), reason = p_reason,
    status = case when status = 'failed' or (status = 'succeeded' and p_status <> 'failed') then status else p_status end
  where id = v_refund.id;
  if p_status = 'succeeded' and v_refund.status in ('queued', 'pending') then
    perform private.transfer('refund:' || v_refund.id, private.ledger_account('refunds_due'), private.ledger_account('outside'),
      v_refund.amount, 'refund-sent', v_period.seat_id, v_period.id, v_period.plan_name);
  elsif p_status = 'failed' and v_refund.status <> 'failed' then
    v_account := private.ledger_account(case v_refund.status when 'succeeded' then 'outside' else 'refunds_due' end);
    v_refund.amount := v_refund.amount - private.leave_to_dispute(v_refund, v_account, v_period);
    if v_refund.amount > 0 and p_reason = 'charge_already_refunded' then
      perform private.transfer('refund-failed:' || v_refund.id, v_account, private.ledger_account('guarantee'),
        v_refund.amount, 'refund-failed', v_period.seat_id, v_period.id, v_period.plan_name);
    elsif v_refund.amount > 0 then
      perform private.transfer('refund-failed:' || v_refund.id, v_account, private.ledger_account('wallet', v_period.member_id),
        v_refund.amount, 'refund-failed', v_period.seat_id, v_period.id, v_period.plan_name);
      perform private.tell_seat(v_seat, v_period.member_id, 'warning', 'refund-to-wallet', 'Refund In Your Wallet',
        format('We couldn’t refund %s for %s to your card, so it’s in your wallet.', private.euros(v_refund.amount), v_period.plan_name),
        jsonb_build_object('amount', v_refund.amount));
    end if;
  end if;
  return true;
end $function$;

CREATE OR REPLACE FUNCTION private.remind_of_access(p_seat private.seats)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  update private.seats set access_reminded = true where id = p_seat.id;
  perform private.tell_seat(p_seat, p_seat.owner_id, 'warning', 'access-reminder', 'Give Access Now',
    format('%s has paid for %s %s and is waiting for access. Without it by %s UTC, '
      || case p_seat.settlement when 'direct' then 'you owe a full refund' else 'they get a full refund' end || ' and the place is free again.',
      (select display_name from public.user_profiles where user_id = p_seat.member_id), p_seat.provider, p_seat.plan_name,
      to_char(p_seat.access_due_at at time zone 'utc', 'FMDD FMMonth, HH24:MI')), jsonb_build_object('until', p_seat.access_due_at));
end $function$;

CREATE OR REPLACE FUNCTION private.remind_of_payment(p_seat private.seats, p_payment public.member_payments)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  update public.member_payments set reminders = reminders + 1 where id = p_payment.id;
  if p_payment.reminders > 0 then
    perform private.follow_direct_payments(p_seat.id);
  end if;
  perform private.tell_payment(p_payment, false, case p_payment.reminders when 0 then 'info' else 'warning' end, 'payment-due',
    case p_payment.reminders when 0 then 'A Payment Is Due' else 'A Payment Is Missing' end,
    case p_payment.reminders when 0 then '%1$s for %2$s is due to %3$s today.' else '%3$s hasn’t received your %1$s for %2$s yet.' end);
end $function$;

CREATE OR REPLACE FUNCTION private.remove_card(p_card_id uuid)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  delete from public.payment_methods where id = p_card_id and user_id = private.require_user();
  if not found then raise exception 'This card is not saved' using errcode = 'PT404'; end if;
end $function$;

CREATE OR REPLACE FUNCTION private.report_person(p_person_id uuid, p_reason text)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare v_user uuid := private.require_user();
begin
  if p_person_id = v_user then
    raise exception 'You cannot report yourself' using errcode = '23514';
  elsif not exists (select from public.user_profiles where user_id = p_person_id and deleted_at is null) then
    raise exception 'Person not found' using errcode = 'PT404';
  end if;
  perform private.spend_attempt('person report');
  perform private.ensure_profile(v_user);
  insert into private.person_reports (person_id, reporter_id, reason)
  values (p_person_id, v_user, private.review_text(p_reason, true))
  on conflict (person_id, reporter_id) where decided_at is null do nothing;
  if not found then
    raise exception 'You’ve already reported this person. Our team will look at it.' using errcode = '23505';
  end if;
end $function$;

CREATE OR REPLACE FUNCTION private.report_problem(p_seat_id uuid, p_reason text, p_note text DEFAULT NULL::text)
 RETURNS uuid
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_seat private.seats := private.lock_living_seat(p_seat_id, false);
  v_problem public.seat_problems;
begin
  if v_seat.admitted_at is null then
    raise exception 'You get access with the first payment' using errcode = '23514';
  elsif v_seat.anchor is null then
    raise exception 'The owner still has time to give you access. Otherwise you get a full refund.' using errcode = '23514';
  elsif v_seat.settlement = 'potluck' and v_seat.late_since is not null then
    raise exception 'Your access is closed until your payment goes through' using errcode = '23514';
  elsif private.has_open_problem(v_seat.id) then
    raise exception 'You’ve already reported a problem' using errcode = '23514';
  elsif (p_reason in ('sign-in', 'password', 'invitation', 'in-use', 'removed', 'other')) is not true then
    raise exception 'Please choose what is wrong' using errcode = '23514';
  end if;
  insert into public.seat_problems (seat_id, payment_id, subscription_id, plan_name, owner_id, member_id, reason, note, status, due_at)
  select v_seat.id, id, v_seat.subscription_id, plan_name, v_seat.owner_id, v_seat.member_id, p_reason, private.problem_note(p_note),
    'owner', private.now() + private.problem_answer_time()
  from public.member_payments where seat_id = v_seat.id and starts_at <= private.now() order by number desc limit 1
  returning * into v_problem;
  perform private.state(v_problem.id, 'reported', v_problem.note);
  if (select count(*) from public.seat_problems where payment_id = v_problem.payment_id) >= private.problems_for_staff() then
    perform private.state(v_problem.id, 'to-staff');
    perform private.bring_to_staff(v_problem.id);
  else
    perform private.wake_seat(v_seat.id);
    perform private.tell_problem(v_problem, 'owner', 'warning', 'problem-reported', 'Problem Reported',
      '%2$s has a problem with %3$s. Answer by %4$s UTC. Otherwise the place ends, and %5$s.');
  end if;
  return v_problem.id;
end $function$;

CREATE OR REPLACE FUNCTION private.report_review(p_review_id uuid, p_reason text)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_user uuid := private.require_user();
  v_review private.seat_reviews := private.lock_review(p_review_id);
begin
  if v_review.author_id = v_user then
    raise exception 'You wrote this review yourself' using errcode = '23514';
  elsif v_review.reported_at is not null then
    raise exception 'This review was already reported' using errcode = '23505';
  end if;
  perform private.ensure_profile(v_user);
  update private.seat_reviews set reported_by = v_user, report_reason = private.review_text(p_reason, true), reported_at = private.now()
  where id = v_review.id;
end $function$;

CREATE OR REPLACE FUNCTION private.require_impartial(p_user_id uuid)
 RETURNS void
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if p_user_id = auth.uid() then
    raise exception 'Someone else decides on your own withdrawal' using errcode = '42501';
  elsif exists (
    select from private.ledger_transfers
    where person_id = p_user_id and kind = 'adjustment' and created_by = auth.uid()
  ) then
    raise exception 'You adjusted this wallet, so another admin processes its withdrawals' using errcode = '42501';
  elsif exists (
    select from public.seat_problems where decided_by = auth.uid()
      and p_user_id = case outcome when 'for-owner' then owner_id when 'for-member' then member_id end
  ) then
    raise exception 'You decided a problem for this person, so another admin processes their withdrawals' using errcode = '42501';
  end if;
end $function$;

CREATE OR REPLACE FUNCTION private.require_offered(p_provider text)
 RETURNS void
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if exists (select from public.closed_providers where provider = p_provider) then
    raise exception '% is not available right now', p_provider using errcode = '23514';
  end if;
end $function$;

CREATE OR REPLACE FUNCTION private.require_offered_plans(p_plans jsonb)
 RETURNS void
 LANGUAGE plpgsql
 IMMUTABLE
 SET search_path TO ''
AS $function$
declare v_plan jsonb;
begin
  if p_plans is null or jsonb_typeof(p_plans) <> 'array' or jsonb_array_length(p_plans) = 0 then
    raise exception 'At least one plan is required' using errcode = '23514';
  elsif jsonb_array_length(p_plans) > private.most_requested_plans() or octet_length(p_plans::text) > 100000 then
    raise exception 'That’s too many plans' using errcode = '23514';
  end if;
  for v_plan in select value from jsonb_array_elements(p_plans) loop
    if jsonb_typeof(v_plan) <> 'object' or coalesce(jsonb_typeof(v_plan -> 'plan_name'), '') <> 'string'
      or private.visible_length(v_plan ->> 'plan_name') = 0 then
      raise exception 'Plan name is required' using errcode = '23514';
    elsif char_length(v_plan ->> 'plan_name') > private.longest_plan_name() then
      raise exception 'Plan name can be at most % characters', private.longest_plan_name() using errcode = '23514';
    elsif jsonb_typeof(v_plan -> 'price') is distinct from 'number' or (v_plan ->> 'price')::numeric < 0 then
      raise exception 'Price must be positive' using errcode = '23514';
    elsif (v_plan ->> 'price')::numeric > 100000 then
      raise exception 'Price can be at most 100,000' using errcode = '23514';
    elsif jsonb_typeof(v_plan -> 'max_members') is distinct from 'number' or (v_plan ->> 'max_members')::numeric < 1 then
      raise exception 'Max members must be at least 1' using errcode = '23514';
    elsif (v_plan ->> 'max_members')::numeric > private.most_plan_members() or (v_plan ->> 'max_members')::numeric % 1 <> 0 then
      raise exception 'Max members must be a whole number up to %', to_char(private.most_plan_members(), 'FM999,999') using errcode = '23514';
    elsif coalesce(v_plan ->> 'billing_cycle', '') not in ('monthly', 'yearly') then
      raise exception 'The billing cycle is monthly or yearly' using errcode = '23514';
    elsif not private.are_features(v_plan -> 'features') then
      raise exception 'Features are up to % texts of at most % characters', private.most_features(), private.longest_feature() using errcode = '23514';
    end if;
  end loop;
end $function$;

CREATE OR REPLACE FUNCTION private.require_open_slot(p_plan public.shared_subscriptions, p_email text)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if p_plan.current_members >= p_plan.owner_max_members then
    raise exception 'Subscription Full' using errcode = '23514';
  elsif private.open_slots(p_plan, p_email) = 0 then
    raise exception 'The last places are reserved' using errcode = '23514';
  end if;
end $function$;

CREATE OR REPLACE FUNCTION private.require_plan_reviewer()
 RETURNS uuid
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
declare v_user uuid := private.require_user();
begin
  if not private.may('subscriptions.approve') then
    raise exception 'Only staff can review plans' using errcode = '42501';
  end if;
  return v_user;
end $function$;

CREATE OR REPLACE FUNCTION private.require_recent_proof()
 RETURNS void
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_methods text[] := private.proof_methods();
  v_accepted text[] := '{passkey,totp,mfa/totp,mfa/phone,mfa/webauthn,mfa/recovery_code}';
begin
  if not v_methods && '{passkey,totp}' and not private.lost_a_factor(auth.uid()) then
    v_accepted := v_accepted || '{password}'::text[];
  end if;
  if v_methods = '{email}' then
    v_accepted := v_accepted || '{otp,magiclink,recovery,invite,email/signup,email_change}'::text[];
  end if;
  if not exists (
    select from jsonb_path_query(auth.jwt(), '$.amr[*] ? (@.method.type() == "string" && @.timestamp.type() == "number")') as shown
    where shown ->> 'method' = any (v_accepted) and (shown ->> 'timestamp')::numeric
      between extract(epoch from now() - private.proof_lifetime()) and extract(epoch from now())
  ) then
    raise exception 'Confirm it’s you.' using errcode = 'PT403';
  end if;
end $function$;

CREATE OR REPLACE FUNCTION private.require_report_judge()
 RETURNS uuid
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
declare v_user uuid := private.require_user();
begin
  if not private.may('subscriptions.approve') then
    raise exception 'Only staff can see reports' using errcode = '42501';
  end if;
  return v_user;
end $function$;

CREATE OR REPLACE FUNCTION private.require_review_judge()
 RETURNS uuid
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
declare v_user uuid := private.require_user();
begin
  if not private.may('subscriptions.approve') then
    raise exception 'Only staff can decide on reviews' using errcode = '42501';
  end if;
  return v_user;
end $function$;

CREATE OR REPLACE FUNCTION private.require_settlement(p_settlement text, p_billing_cycle text, p_share numeric, p_fee_rate numeric)
 RETURNS void
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
begin
  if p_settlement is distinct from 'potluck' then return; end if;
  if auth.uid() is not null and private.payment_provider() is null then
    raise exception 'This site doesn’t take cards, so members pay you directly' using errcode = '23514';
  end if;
  -- No instalment is smaller than a twelfth, rounded down.
  if trunc(private.with_fee(p_share, p_fee_rate) / (case p_billing_cycle when 'yearly' then 12 else 1 end), 2) < private.least_sum() then
    raise exception 'Cards need at least €% a month, so members pay you directly', private.least_sum()
      using errcode = '23514';
  end if;
end $function$;

CREATE OR REPLACE FUNCTION private.require_support()
 RETURNS uuid
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
declare v_user uuid := private.require_user();
begin
  if not private.may('subscriptions.approve') then
    raise exception 'Only staff can answer' using errcode = '42501';
  end if;
  return v_user;
end $function$;

CREATE OR REPLACE FUNCTION private.require_treasurer()
 RETURNS uuid
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare v_user uuid := private.require_user();
begin
  if not private.proven(private.may('users.edit')) then
    raise exception 'Only admins can do this' using errcode = '42501';
  end if;
  return v_user;
end $function$;

CREATE OR REPLACE FUNCTION private.require_unblocked(p_other uuid, p_refusal text)
 RETURNS void
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if exists (select from public.blocked_people where user_id = auth.uid() and blocked_id = p_other) then
    raise exception 'You’ve blocked this person. Unblock them in Account Settings first.' using errcode = '23514';
  elsif exists (select from public.blocked_people where user_id = p_other and blocked_id = auth.uid()) then
    raise exception '%', p_refusal using errcode = '23514';
  end if;
end $function$;

CREATE OR REPLACE FUNCTION private.return_withdrawal(p_withdrawal_id uuid, p_reason text)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_user uuid := private.require_treasurer();
  v_reason text := btrim(coalesce(p_reason, ''));
  v_withdrawal public.withdrawal_requests;
begin
  select * into v_withdrawal from public.withdrawal_requests where id = p_withdrawal_id for update;
  if not found then
    raise exception 'Withdrawal not found' using errcode = 'PT404';
  end if;
  perform private.require_impartial(v_withdrawal.user_id);
  if v_withdrawal.status <> 'completed' or v_withdrawal.returned_at is not null then
    raise exception 'Only a completed withdrawal can be returned, and only once' using errcode = '23514';
  elsif v_withdrawal.completed_by = v_user then
    raise exception 'You completed this, so another admin records its return' using errcode = '42501';
  elsif v_reason = '' then
    raise exception 'Please enter the bank’s reason' using errcode = '23514';
  end if;
  update public.withdrawal_requests set returned_at = clock_timestamp(), returned_by = v_user, return_reason = v_reason
  where id = p_withdrawal_id returning * into v_withdrawal;
  perform private.transfer('withdrawal-returned:' || p_withdrawal_id, private.ledger_account('outside'),
    private.ledger_account('wallet', v_withdrawal.user_id), v_withdrawal.amount, 'withdrawal-returned',
    p_description => left('Withdrawal returned by the bank: ' || v_reason, 500));
  perform private.log_staff('withdrawal returned', p_withdrawal_id::text, jsonb_build_object('reason', v_reason));
  if private.is_closed(v_withdrawal.user_id) then
    perform private.tell_closed_account(v_withdrawal, v_reason);
    return;
  end if;
  perform private.notify(v_withdrawal.user_id, 'warning', 'Withdrawal Returned',
    format('Your bank returned your withdrawal of %s coins: %s. The coins are back in your wallet. Please check your bank account.',
      round(v_withdrawal.amount, 2), v_reason), null, 'withdrawal-returned',
    jsonb_build_object('amount', v_withdrawal.amount, 'reason', v_reason));
end $function$;

CREATE OR REPLACE FUNCTION private.review_payment_event(p_id text, p_finding text)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_user uuid := private.require_treasurer();
  v_finding text := nullif(btrim(coalesce(p_finding, '')), '');
  v_event public.unknown_payment_events;
begin
  select * into v_event from public.unknown_payment_events where id = p_id for update;
  if not found then
    raise exception 'Payment event not found' using errcode = 'PT404';
  elsif v_event.reviewed_at is not null then
    raise exception 'Someone already looked at this event' using errcode = 'PT409';
  elsif v_finding is null then
    raise exception 'Please say what you found' using errcode = '23514';
  end if;
  update public.unknown_payment_events set reviewed_at = clock_timestamp(), reviewed_by = v_user, finding = v_finding where id = p_id;
  perform private.log_staff('payment event looked at', p_id,
    jsonb_build_object('type', v_event.type, 'about', v_event.about, 'finding', v_finding));
end $function$;

CREATE OR REPLACE FUNCTION private.review_plan(p_subscription_id text, p_decision text)
 RETURNS text
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_user uuid := private.require_plan_reviewer();
  v_plan public.shared_subscriptions;
  v_from text;
  v_to text;
begin
  select * into v_plan from public.shared_subscriptions where id = p_subscription_id for no key update;
  if not found then
    raise exception 'Subscription not found' using errcode = 'PT404';
  elsif v_plan.owner_id = v_user then
    raise exception 'Someone else reviews your own plan' using errcode = '42501';
  end if;
  select step.was, step.becomes into v_from, v_to
  from (values ('approve', 'pending', 'active'), ('reject', 'pending', 'rejected'), ('restore', 'rejected', 'active'))
    as step (decision, was, becomes)
  where step.decision = p_decision;
  if not found then
    raise exception 'A review approves, rejects or restores' using errcode = '23514';
  elsif v_plan.status <> v_from then
    raise exception 'This plan is already %', v_plan.status using errcode = '23514';
  end if;

  update public.shared_subscriptions set status = v_to where id = v_plan.id;
  if v_to = 'active' then
    perform private.notify(v_plan.owner_id, 'success', 'Plan Approved',
      format('Everyone can now see %s %s.', v_plan.provider, v_plan.name), v_plan.id,
      'plan-approved', jsonb_build_object('plan', v_plan.provider || ' ' || v_plan.name));
  else
    perform private.notify(v_plan.owner_id, 'warning', 'Plan Rejected',
      format('%s %s was not approved, so no one can find or join it.', v_plan.provider, v_plan.name), v_plan.id,
      'plan-rejected', jsonb_build_object('plan', v_plan.provider || ' ' || v_plan.name));
  end if;
  return v_to;
end $function$;

CREATE OR REPLACE FUNCTION private.review_seat(p_seat_id uuid, p_rating integer, p_text text DEFAULT ''::text)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_user uuid := private.require_user();
  v_seat private.seats;
  v_other uuid;
  v_is_first boolean;
begin
  -- The lock makes two reviews written at once wait for each other.
  select * into v_seat from private.seats where id = p_seat_id and v_user in (owner_id, member_id) for update;
  if not found then
    raise exception 'Place not found' using errcode = 'PT404';
  elsif not private.is_reviewable(v_seat) then
    raise exception 'You can review each other after % days of access', extract(day from private.review_after()) using errcode = '23514';
  elsif (p_rating between 1 and 5) is not true then
    raise exception 'Please choose 1 to 5 stars' using errcode = '23514';
  elsif exists (select from private.seat_reviews where seat_id = p_seat_id and author_id = v_user) then
    raise exception 'You’ve already written a review' using errcode = '23505';
  end if;
  perform private.named_profile(v_user);
  v_other := case v_user when v_seat.owner_id then v_seat.member_id else v_seat.owner_id end;
  v_is_first := not exists (select from private.seat_reviews where seat_id = p_seat_id);
  insert into private.seat_reviews (seat_id, author_id, subject_id, rating, body, shown_from)
  values (p_seat_id, v_user, v_other, p_rating, private.review_text(p_text, false),
    private.now() + case when v_is_first then private.review_wait() else '0' end);
  update private.seat_reviews set shown_from = least(shown_from, private.now())
  where seat_id = p_seat_id and author_id = v_other;
  perform private.tell_seat(v_seat, v_other, 'info', case when v_is_first then 'review-waits' else 'reviews-shown' end,
    case when v_is_first then 'You Have a New Review' else 'Both Reviews Are In' end,
    format(case when v_is_first
      then '%s reviewed you for %s %s. Write yours to read it, or wait %s days.'
      else '%s also reviewed you for %s %s. You can both read them now.' end,
      (select display_name from public.user_profiles where user_id = v_user), v_seat.provider, v_seat.plan_name,
      extract(day from private.review_wait())));
end $function$;

CREATE OR REPLACE FUNCTION private.review_text(p_text text, p_needed boolean)
 RETURNS text
 LANGUAGE plpgsql
 IMMUTABLE
 SET search_path TO ''
AS $function$
declare v_text text := btrim(coalesce(p_text, ''));
begin
  if char_length(v_text) > private.longest_review() then
    raise exception 'Please use up to % characters', private.longest_review() using errcode = '23514';
  elsif p_needed and private.visible_length(v_text) = 0 then
    raise exception 'Please write a sentence' using errcode = '23514';
  end if;
  return v_text;
end $function$;

CREATE OR REPLACE FUNCTION private.save_bank_account(p_user_id uuid, p_id uuid, p_version integer, p_last4 text, p_sealed text, p_key jsonb)
 RETURNS jsonb
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform private.act_for(p_user_id);
  perform private.spend_attempt('bank account');
  perform private.ensure_profile(p_user_id);
  if p_key is not null then
    perform private.keep_vault_key(p_key);
  end if;
  insert into private.bank_accounts (id, user_id, version, last4, sealed)
  values (p_id, p_user_id, p_version, p_last4, p_sealed) on conflict do nothing;
  if not found then
    raise exception 'Something else changed at the same moment. Please try again.' using errcode = 'PT409';
  end if;
  return private.get_bank_account();
end $function$;

CREATE OR REPLACE FUNCTION private.save_vault_entry(p_author_id uuid, p_subscription_id text, p_version integer, p_sealed text, p_key jsonb, p_part text DEFAULT 'access'::text)
 RETURNS jsonb
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare v_entry private.vault_entries;
begin
  perform private.act_for(p_author_id);
  perform private.lock_own_plan_vault(p_subscription_id);
  if p_version is distinct from private.next_vault_version(p_subscription_id) then
    raise exception 'Something else changed at the same moment. Please try again.' using errcode = 'PT409';
  end if;
  if p_key is not null then
    perform private.keep_vault_key(p_key, p_subscription_id);
  end if;
  perform private.spend_attempt('vault version');
  insert into private.vault_entries (subscription_id, version, sealed, author_id, part)
  values (p_subscription_id, p_version, p_sealed, auth.uid(), p_part) returning * into v_entry;
  if p_part = 'login' then
    delete from private.clear_logins where subscription_id = p_subscription_id;
  else
    perform private.note_stored_access(p_subscription_id);
  end if;
  perform private.tell_vault_version(v_entry);
  return private.get_vault_entry(p_subscription_id);
end $function$;

CREATE OR REPLACE FUNCTION private.say_fixed(p_problem_id uuid, p_note text DEFAULT NULL::text)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare v_problem public.seat_problems := private.lock_problem(p_problem_id, 'owner', '{owner}');
begin
  perform private.state(v_problem.id, 'fixed', private.problem_note(p_note));
  update public.seat_problems set status = 'member', fixed_at = private.now(), due_at = private.now() + private.problem_check_time()
  where id = v_problem.id returning * into v_problem;
  perform private.wake_seat(v_problem.seat_id);
  perform private.tell_problem(v_problem, 'member', 'info', 'problem-fixed', 'Is It Fixed?',
    '%1$s says %3$s is fixed. Is it? If you don’t answer by %4$s UTC, it counts as fixed.');
end $function$;

CREATE OR REPLACE FUNCTION private.say_paid(p_payment_id uuid)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare v_payment public.member_payments := private.lock_direct_payment(p_payment_id, false);
begin
  if v_payment.status <> 'due' then
    raise exception 'This payment is not open' using errcode = '23514';
  end if;
  update public.member_payments set status = 'claimed', claimed_at = private.now(), note = null,
    due_at = private.owed_since(v_payment) where id = v_payment.id;
  perform private.follow_direct_payments(v_payment.seat_id);
  perform private.tell_payment(v_payment, true, 'info', 'member-says-paid', 'Payment On Its Way',
    '%3$s says they’ve paid %1$s for %2$s. Has it arrived?');
end $function$;

CREATE OR REPLACE FUNCTION private.seal_clear_login(p_subscription_id text, p_version integer, p_sealed text, p_key jsonb)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare v_since timestamptz;
begin
  perform private.act_for((select owner_id from public.shared_subscriptions where id = p_subscription_id));
  perform private.lock_own_plan_vault(p_subscription_id);
  delete from private.clear_logins where subscription_id = p_subscription_id returning updated_at into v_since;
  if v_since is null or p_version is distinct from private.next_vault_version(p_subscription_id) then
    raise exception 'Something else changed at the same moment. Please try again.' using errcode = 'PT409';
  end if;
  if p_key is not null then
    perform private.keep_vault_key(p_key, p_subscription_id);
  end if;
  insert into private.vault_entries (subscription_id, version, sealed, author_id, created_at, part)
  values (p_subscription_id, p_version, p_sealed, auth.uid(), v_since, 'login');
end $function$;

CREATE OR REPLACE FUNCTION private.set_mail_preference_by_link(p_token text, p_notifications boolean)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare v_user uuid := (select user_id from private.unsubscribe_links where token = p_token);
begin
  if v_user is null then
    raise exception 'This link doesn’t work' using errcode = 'PT404';
  end if;
  perform private.change_notifications(v_user, private.notification_topics(), 'mail', p_notifications);
end $function$;

CREATE OR REPLACE FUNCTION private.set_time_zone(p_zone text)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare v_user uuid := private.require_user();
begin
  if (p_zone ~ '^[A-Z][A-Za-z0-9_+-]*(/[A-Za-z0-9_+-]+){0,2}$' and exists (select from pg_timezone_names where name = p_zone)) is not true then
    raise exception 'We don’t know this time zone' using errcode = '23514';
  end if;
  perform private.ensure_profile(v_user);
  insert into private.time_zones (user_id, zone) values (v_user, p_zone)
  on conflict (user_id) do update set zone = excluded.zone where time_zones.zone <> excluded.zone;
end $function$;

CREATE OR REPLACE FUNCTION private.settle_owed(p_seat_id uuid)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_seat private.seats;
  v_owed numeric;
begin
  select * into v_seat from private.seats where id = p_seat_id and member_id = private.require_user() for update;
  if not found then
    raise exception 'Place not found' using errcode = 'PT404';
  end if;
  v_owed := private.owed_back(v_seat.id);
  if v_owed = 0 then
    raise exception 'Nothing is owed to you here' using errcode = '23514';
  end if;
  update public.member_payments set repaid_at = private.now() where seat_id = v_seat.id and owed_back > 0 and repaid_at is null;
  perform private.tell_seat(v_seat, v_seat.owner_id, 'success', 'owed-settled', 'Settled',
    format('%s says you’ve paid back the %s for %s %s.', (select display_name from public.user_profiles
      where user_id = v_seat.member_id), private.euros(v_owed), v_seat.provider, v_seat.plan_name), jsonb_build_object('amount', v_owed));
end $function$;

CREATE OR REPLACE FUNCTION private.staff_person_money(p_person_id uuid)
 RETURNS jsonb
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select jsonb_build_object(
    'balance', coalesce((select w.coin_balance from public.user_wallets as w where w.user_id = p_person_id), 0.00),
    'moved', (
      select coalesce(jsonb_agg(to_jsonb(m) order by m.last desc), '[]') from (
        select t.kind, count(*) as transfers, sum(t.amount) as amount, max(t.created_at) as last
        from private.ledger_transfers as t where t.person_id = p_person_id group by t.kind
      ) as m),
    'withdrawals', (
      select jsonb_build_object('all', count(*), 'waiting', count(*) filter (where w.status in ('pending', 'processing')))
      from public.withdrawal_requests as w where w.user_id = p_person_id),
    'disputes', (
      select jsonb_build_object('all', count(*), 'open', count(*) filter (where d.closed_at is null))
      from public.payment_disputes as d where p_person_id in (d.member_id, d.owner_id)),
    'places', (
      select coalesce(jsonb_agg(jsonb_build_object('seatId', place.seat_id, 'planName', place.plan_name,
        'ownerId', place.owner_id, 'ownerName', owner.display_name, 'settlement', place.settlement, 'amount', place.amount,
        'number', place.number, 'status', place.status, 'payable',
        place.settlement = 'potluck' or private.says_how_to_pay(place.owner_id), 'dueAt', place.due_at, 'returned', place.returned_share + place.returned_fee)
        order by place.due_at desc, place.seat_id), '[]')
      from (
        select distinct on (m.seat_id) m.* from public.member_payments as m
        where m.member_id = p_person_id order by m.seat_id, m.number desc
      ) as place join public.user_profiles as owner on owner.user_id = place.owner_id))
  where private.may('users.edit') and private.may_act_as_staff()
$function$;

CREATE OR REPLACE FUNCTION private.stay(p_seat_id uuid)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare v_seat private.seats := private.lock_living_seat(p_seat_id, false);
begin
  if v_seat.ends_at is null or v_seat.ended_by is distinct from v_seat.member_id then
    raise exception 'You haven’t asked to leave' using errcode = '23514';
  end if;
  update private.seats set ends_at = null, ended_by = null where id = v_seat.id;
  perform private.wake_seat(v_seat.id);
  perform private.tell_seat(v_seat, v_seat.owner_id, 'success', 'member-stays', 'Member Stays',
    format('%s stays in %s %s.', (select display_name from public.user_profiles where user_id = v_seat.member_id),
      v_seat.provider, v_seat.plan_name));
end $function$;

CREATE OR REPLACE FUNCTION private.support_text(p_text text)
 RETURNS text
 LANGUAGE plpgsql
 IMMUTABLE
 SET search_path TO ''
AS $function$
declare v_text text := btrim(coalesce(p_text, ''));
begin
  if char_length(v_text) > private.longest_support_text() then
    raise exception 'Please use up to % characters', private.longest_support_text() using errcode = '23514';
  elsif private.visible_length(v_text) = 0 then
    raise exception 'Please write a sentence' using errcode = '23514';
  end if;
  return v_text;
end $function$;

CREATE OR REPLACE FUNCTION private.take_back_bank_account(p_id uuid)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare v_claims text := coalesce(current_setting('request.jwt.claims', true), '');
begin
  perform set_config('request.jwt.claims', '', true);
  update private.bank_accounts set taken_back_at = private.now() where id = p_id;
  update public.withdrawal_requests set status = 'rejected', rejection_reason = 'You undid adding this bank account.'
  where bank_account_id = p_id and status in ('pending', 'processing') and private.payout_file_of(id) is null;
  perform set_config('request.jwt.claims', v_claims, true);
end $function$;

CREATE OR REPLACE FUNCTION private.take_returned(p_period_id uuid, p_reference text, p_amount numeric)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_period public.member_payments;
  v_held numeric;
  v_share numeric;
  v_fee numeric;
  v_part record;
begin
  select * into v_period from public.member_payments where id = p_period_id;
  v_held := case when v_period.status = 'paid'
    then greatest(0, least(p_amount, v_period.card - v_period.returned_share - v_period.returned_fee)) else 0 end;
  v_share := least(v_held, v_period.share - v_period.earned_share - v_period.returned_share);
  v_fee := least(v_held - v_share, v_period.fee - v_period.earned_fee - v_period.returned_fee);
  for v_part in select * from (values ('held_share', v_period.seat_id, v_share), ('held_fee', v_period.seat_id, v_fee),
    ('guarantee', null, p_amount - v_share - v_fee)) as part (kind, owner, amount) where part.amount > 0
  loop
    perform private.transfer(format('by-hand:%s:%s', p_reference, v_part.kind), private.ledger_account(v_part.kind, v_part.owner),
      private.ledger_account('refunds_due'), v_part.amount, 'refund', v_period.seat_id, v_period.id, v_period.plan_name);
  end loop;
  update public.member_payments set returned_share = returned_share + v_share, returned_fee = returned_fee + v_fee where id = v_period.id;
  if v_period.status = 'paid' and v_period.returned_share + v_period.returned_fee + v_share + v_fee = v_period.amount then
    update public.member_payments set status = 'given-back', closed_at = private.now() where id = v_period.id;
    perform private.end_seat(v_period.seat_id, 'removed', null);
  end if;
  if p_amount > v_share + v_fee then
    perform private.tell_treasurers('warning', 'Refund Exceeds Held Money',
      format('%s of a payment for %s was refunded at the provider. The guarantee account covers %s, as no more was held.',
        private.euros(p_amount), v_period.plan_name, private.euros(p_amount - v_share - v_fee)),
      'payment-returned-by-hand', jsonb_build_object('plan', v_period.plan_name, 'amount', p_amount, 'reference', p_reference));
  end if;
end $function$;

CREATE OR REPLACE FUNCTION private.tell_closed_account(p_withdrawal public.withdrawal_requests, p_reason text)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_email text := (select email from private.closed_accounts where user_id = p_withdrawal.user_id);
  v_amount text := private.euros(p_withdrawal.amount);
begin
  if p_withdrawal.status = 'rejected' or p_withdrawal.returned_at is not null then
    perform private.mail_closed_account(v_email, 'Your last payout did not arrive', array[
      case when p_withdrawal.status = 'rejected' then format('%s could not be paid to your bank account: %s', v_amount, p_reason)
        else format('Your bank returned %s: %s', v_amount, p_reason) end,
      'It’s still yours. Sign up with this address, and you’ll find it in your wallet within minutes. Then add your bank account.'
    ], 'payout-failed');
  elsif p_withdrawal.status = 'completed' then
    perform private.mail_closed_account(v_email, 'Your last payout is made', array[
      format('%s were paid to your bank account ending in %s.', v_amount, p_withdrawal.bank_account_last4)
    ], 'payout-made');
  end if;
end $function$;

CREATE OR REPLACE FUNCTION private.tell_expiring_requests()
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare v_late record;
begin
  for v_late in
    select r.id, r.name as asks, p.id as plan_id, p.owner_id, p.provider, p.name
    from public.subscription_requests as r join public.shared_subscriptions as p on p.id = r.subscription_id
    where r.status = 'pending' and not r.expired
      and r.requested_at <= now() - private.request_lifetime() + private.reminder_lead()
      and r.requested_at > now() - private.request_lifetime()
      and not exists (select from private.expiry_reminders as told where told.request_id = r.id)
    for no key update of r skip locked
  loop
    continue when (private.keep_plan(v_late.plan_id)).id is null;
    insert into private.expiry_reminders (request_id) values (v_late.id) on conflict do nothing;
    if not found then continue; end if;
    perform private.mail_notification(private.notify(v_late.owner_id, 'warning', 'Request Expiring Soon',
      format('%s is waiting for your answer about %s %s. The request expires within %s hours.',
        v_late.asks, v_late.provider, v_late.name, private.hours(private.reminder_lead())), v_late.plan_id),
      array[v_late.id::text, v_late.plan_id], 'Answer the request', '/manage-shared/' || v_late.plan_id);
  end loop;
end $function$;

CREATE OR REPLACE FUNCTION private.tell_first_month(p_seat private.seats, p_period public.member_payments)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if p_period.paid_at is null or private.has_open_problem(p_seat.id) then return; end if;
  perform private.tell_seat(p_seat, p_seat.member_id, 'success', 'first-month', 'First Month Complete',
    format('Your first month in %s is complete.', p_period.plan_name), p_mails => false);
  perform private.tell_seat(p_seat, p_seat.owner_id, 'success', 'member-first-month', 'First Month Complete',
    format('%s has been in %s for a whole month.', (select display_name from public.user_profiles
      where user_id = p_seat.member_id), p_period.plan_name), p_mails => false);
end $function$;

CREATE OR REPLACE FUNCTION private.tell_of_failing_jobs()
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare v_trouble record;
begin
  update private.payment_jobs set last_error = 'the function "payments" does not come for them',
    failing_since = coalesce(failing_since, next_attempt_at)
  where next_attempt_at <= clock_timestamp() - private.job_patience() and not told;
  for v_trouble in
    with late as (
      update private.payment_jobs set told = true
      where failing_since <= clock_timestamp() - private.job_patience() and not told and last_error is not null
      returning last_error
    )
    select last_error, count(*) as jobs from late
    where not exists (select from private.payment_jobs as j where j.told and j.last_error = late.last_error) group by last_error
  loop
    perform private.tell_treasurers('error', 'Payments Fail',
      format('Charges or refunds have been failing for %s. We keep trying: %s', private.hours(private.job_patience()), v_trouble.last_error),
      'payment-jobs-fail', jsonb_build_object('jobs', v_trouble.jobs, 'error', v_trouble.last_error));
  end loop;
end $function$;

CREATE OR REPLACE FUNCTION private.tell_precedence(p_seat private.seats)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_plan text := p_seat.provider || ' ' || p_seat.plan_name;
  v_until timestamptz := (select p.until from private.precedence_of(p_seat.member_id) as p where p.seat_id = p_seat.id);
begin
  if v_until is null then return; end if;
  perform private.mail_notification(
    private.notify(p_seat.member_id, 'info', 'You Come First',
      format('You lost your place in %s through no fault of your own. Until %s you’re first in line for plans like it.',
        v_plan, to_char(private.day_in(v_until, private.zone_of(p_seat.member_id)), 'FMDD FMMonth YYYY')),
      null, 'comes-first', jsonb_build_object('seat', p_seat.id, 'plan', v_plan, 'until', v_until)),
    '{}', 'See similar plans', '/plans-like/' || p_seat.id);
end $function$;

CREATE OR REPLACE FUNCTION private.tell_problem(p_problem public.seat_problems, p_side text, p_type text, p_event text, p_title text, p_sentence text)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_seat private.seats;
  v_person uuid;
  v_owner text := (select display_name from public.user_profiles where user_id = p_problem.owner_id);
  v_member text := (select display_name from public.user_profiles where user_id = p_problem.member_id);
begin
  select * into v_seat from private.seats where id = p_problem.seat_id;
  foreach v_person in array case p_side when 'owner' then array[v_seat.owner_id] when 'member' then array[v_seat.member_id]
    else array[v_seat.owner_id, v_seat.member_id] end loop
    perform private.tell_seat(v_seat, v_person, p_type, p_event, p_title,
      format(p_sentence, v_owner, v_member, p_problem.plan_name, to_char(p_problem.due_at at time zone 'utc', 'FMDD FMMonth, HH24:MI'),
        format(case when private.is_paid_directly(p_problem.payment_id)
          then case v_person when v_seat.owner_id then 'you owe %2$s' when v_seat.member_id then '%1$s owes you' end
            || ' what was paid for the time since the report'
          else case v_person when v_seat.member_id then 'you get back' else '%2$s gets back' end
            || ' what was paid for the time since the report' end, v_owner, v_member)),
      jsonb_strip_nulls(jsonb_build_object('problem', p_problem.id, 'reason', p_problem.reason, 'until', p_problem.due_at,
        'outcome', p_problem.outcome)));
  end loop;
end $function$;

CREATE OR REPLACE FUNCTION private.tell_treasurers(p_type text, p_title text, p_message text, p_event text, p_params jsonb)
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select private.mail_notification(private.notify(staff.id, p_type, p_title, p_message, null, p_event, p_params),
    '{}', 'See disputes and events', '/admin/disputes')
  from private.people_who_may('users.edit') as staff (id)
$function$;

CREATE OR REPLACE FUNCTION private.tell_vault_version(p_entry private.vault_entries)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_seat private.seats;
  v_is_first boolean := not exists (select from private.vault_entries
    where subscription_id = p_entry.subscription_id and part = p_entry.part and version < p_entry.version);
begin
  for v_seat in
    select * from private.seats where subscription_id = p_entry.subscription_id and ended_at is null and (access_given_at, admitted_at is null)
      is distinct from (p_entry.created_at, false) order by id
  loop
    perform private.tell_seat(v_seat, v_seat.member_id, 'info', 'access-changed',
      case p_entry.part when 'login' then 'Account Login' else 'Access' end || case when v_is_first then ' Stored' else ' Changed' end,
      format(case p_entry.part when 'login' then 'The account login for %s %s' else 'Your access to %s %s' end
        || case when v_is_first then ' is on the plan''s page.' else ' has changed. See the plan''s page.' end,
        v_seat.provider, v_seat.plan_name), jsonb_build_object('version', p_entry.version));
  end loop;
end $function$;

CREATE OR REPLACE FUNCTION private.test_push()
 RETURNS timestamp with time zone
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_user uuid := private.require_user();
  v_now timestamptz := clock_timestamp();
begin
  perform private.spend_attempt('push test');
  insert into private.outgoing_pushes (about, session_id)
  select d.session_id, d.session_id from private.living_push_devices(v_user) as d order by d.session_id
  on conflict (about, session_id) do update set attempts = 0, next_attempt_at = v_now;
  if not found then
    raise exception 'Turn on notifications on a device first' using errcode = '23514';
  end if;
  perform private.call_function('push');
  return v_now;
end $function$;

CREATE OR REPLACE FUNCTION private.tg_admin_role_requests__decide()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if new.status is not distinct from old.status then
    -- The database sets the time of the review, once.
    if auth.uid() is not null then new.reviewed_at := old.reviewed_at; end if;
    return new;
  end if;
  if new.user_id = auth.uid() then
    raise exception 'Someone else decides on your own request' using errcode = '42501';
  elsif old.status <> 'pending' then
    raise exception 'This request has already been %', old.status using errcode = '23514';
  end if;
  new.reviewed_at := clock_timestamp();
  -- A person with a higher role keeps it.
  if new.status = 'approved' and not exists (
    select 1 from public.user_roles where user_id = new.user_id and role = 'super-admin'
  ) then
    begin
      perform private.assign_user_role(new.user_id, 'admin');
    exception when others then
      raise exception 'Failed to assign admin role' using errcode = '23514', detail = sqlerrm;
    end;
  end if;
  perform private.notify(new.user_id, case new.status when 'approved' then 'success' else 'info' end,
    case new.status when 'approved' then 'Admin Access Approved' else 'Admin Access Rejected' end,
    format('Your request for admin access has been %s.', new.status), null, 'admin-access-' || new.status);
  return new;
end $function$;

CREATE OR REPLACE FUNCTION private.tg_app_settings__guard()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare v_user uuid := auth.uid();
begin
  if v_user is not null and new.adjustment_ceiling <> old.adjustment_ceiling and not private.may('roles.manage') then
    raise exception 'Only super-admins can change this maximum' using errcode = '42501';
  end if;
  if v_user is not null and new.require_second_factor <> old.require_second_factor then
    if not private.may('roles.manage') then
      raise exception 'Only super-admins can change this setting' using errcode = '42501';
    elsif not private.shows_second_factor() then
      raise exception 'First set up two-step sign-in or a passkey for yourself, and sign in with it.' using errcode = '42501';
    end if;
  end if;
  if (new.fee_rate between 0 and private.most_fee_rate() and new.fee_rate % private.fee_rate_step() = 0) is not true then
    raise exception 'The fee is from 0 to % percent, in steps of %', trim_scale(private.most_fee_rate() * 100),
      trim_scale(private.fee_rate_step() * 100) using errcode = '23514';
  end if;
  new.updated_at := now();
  new.updated_by := v_user;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION private.tg_auth__require_proof()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare v_is_proven boolean := true;
begin
  if auth.uid() = new.user_id then
    perform private.require_recent_proof();
  elsif to_regclass('auth.mfa_amr_claims') is not null then
    select exists (
      select from auth.mfa_amr_claims as shown join auth.sessions as s on s.id = shown.session_id
      where s.user_id = new.user_id and shown.updated_at > now() - private.proof_lifetime()
    ) into v_is_proven;
  end if;
  if not v_is_proven then
    raise exception 'Confirm it’s you.' using errcode = 'PT403';
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION private.tg_chat_participants__alert()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_chat record;
  v_address text;
  v_unsubscribe text;
begin
  perform private.call_back_chat(old.id);
  if tg_op = 'DELETE' or not new.has_unread then return null; end if;
  perform private.push_chat(new.id, new.user_id, '5 seconds');
  select * into v_chat from private.unread_chat(new.id);
  v_address := private.email_of(new.user_id);
  if v_chat.conversation_id is null or not private.is_mailable(v_address) or not private.wants(new.user_id, 'messages', 'mail') then
    return null;
  end if;
  v_unsubscribe := private.unsubscribe_path(new.user_id);
  perform private.send_mail(v_address, v_chat.said, private.mail_page(
    'New Message', array[v_chat.said], 'Read the message', '/messages/' || v_chat.conversation_id,
    'We won’t email you about this chat again until you’ve read it.',
    'You get this email because you hadn’t read it on Potluck yet.', v_unsubscribe
  ), array[new.id::text, v_chat.conversation_id::text], v_unsubscribe, interval '10 minutes',
    p_event => 'chat-message', p_params => jsonb_build_object('person', v_chat.person, 'plan', v_chat.plan));
  return null;
end $function$;

CREATE OR REPLACE FUNCTION private.tg_messages__fill()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_user uuid := auth.uid();
  v_conversation public.conversations;
begin
  if v_user is null then return new; end if;
  -- Writers share this lock, but wait for anybody archiving the chat.
  select * into v_conversation from public.conversations where id = new.conversation_id for share;
  if not found or v_user not in (v_conversation.owner_id, v_conversation.member_id)
    or coalesce(new.sender_id, v_user::text) <> v_user::text or coalesce(new.message_type, 'user') <> 'user' then
    raise exception 'Unauthorized: Cannot send message to this conversation' using errcode = '42501';
  elsif v_conversation.archived and not v_conversation.is_question then
    raise exception 'This conversation has been archived because the member has left the subscription.' using errcode = '23514';
  elsif v_conversation.archived or v_conversation.question_until <= now() - private.unnoticed_gap() then
    raise exception 'This conversation has ended.' using errcode = '23514';
  end if;
  perform private.require_reachable(case v_user when v_conversation.owner_id then v_conversation.member_id
    else v_conversation.owner_id end, 'This conversation is closed');
  perform private.named_profile(v_user);
  new.content := coalesce(new.content, '');
  perform private.require_message(new.content);
  perform private.spend_attempt('chat message');
  new.id := coalesce(new.id, gen_random_uuid());
  new.sender_id := v_user::text;
  new.message_type := 'user';
  new.created_at := clock_timestamp();
  new.metadata := jsonb_build_object('status', 'delivered', 'retry_count',
    case when jsonb_typeof(new.metadata -> 'retry_count') = 'number'
      then least(3, greatest(0, trunc((new.metadata ->> 'retry_count')::numeric))) else 0 end);
  return new;
end $function$;

CREATE OR REPLACE FUNCTION private.tg_payment_wishes__fill()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform private.ensure_profile(new.user_id);
  new.iban := case new.kind when 'iban' then upper(regexp_replace(new.iban, '\s', '', 'g')) end;
  new.holder := case new.kind when 'iban' then btrim(new.holder) end;
  new.link := case new.kind when 'link' then btrim(new.link) end;
  new.note := nullif(btrim(new.note), '');
  new.updated_at := now();
  if new.kind = 'iban' and not private.is_iban(coalesce(new.iban, '')) then
    raise exception 'This IBAN is not valid. Please check it.' using errcode = '23514';
  elsif new.kind = 'iban' and private.visible_length(new.holder) = 0 then
    raise exception 'Please enter the account holder’s name. Please enter a name' using errcode = '23514';
  elsif new.kind = 'link' and private.is_plain_link(new.link) is not true then
    raise exception 'Please enter a link that starts with https://' using errcode = '23514';
  elsif new.kind = 'text' and private.visible_length(new.note) = 0 then
    raise exception 'Please tell members how to pay you' using errcode = '23514';
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION private.tg_provider_requests__decide()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if new.status is not distinct from old.status then return new; end if;
  if new.user_id = auth.uid() then
    raise exception 'Someone else decides on your own request' using errcode = '42501';
  elsif old.status <> 'pending' then
    raise exception 'This request has already been %', old.status using errcode = '23514';
  end if;
  perform private.notify(new.user_id, case new.status when 'approved' then 'success' else 'info' end,
    case new.status when 'approved' then 'Provider Request Approved' else 'Provider Request Rejected' end,
    format('Your request to add %s has been %s.', new.provider_name, new.status), null,
    'provider-request-' || new.status, jsonb_build_object('provider', new.provider_name));
  return new;
end $function$;

CREATE OR REPLACE FUNCTION private.tg_provider_requests__fill()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare v_user uuid := auth.uid();
begin
  if v_user is not null then
    if new.user_id is not null and new.user_id <> v_user then
      raise exception 'You can only ask for yourself' using errcode = '42501';
    end if;
    if new.status <> 'pending' then
      raise exception 'Only admins can answer provider requests' using errcode = '42501';
    end if;
    perform private.spend_attempt('provider request');
    new.user_id := v_user;
    new.created_at := clock_timestamp();
  end if;
  perform private.ensure_profile(new.user_id);
  new.provider_name := btrim(coalesce(new.provider_name, ''));
  new.description := btrim(coalesce(new.description, ''));
  -- Cheap length checks first, because scanning a very long text is slow.
  if char_length(new.provider_name) > private.longest_provider_name() then
    raise exception 'Provider name can be at most % characters', private.longest_provider_name() using errcode = '23514';
  elsif private.visible_length(new.provider_name) < 2 then
    raise exception 'Provider name must be at least 2 characters' using errcode = '23514';
  elsif coalesce(new.category, '') not in ('Streaming', 'Music', 'Gaming', 'Productivity', 'Security', 'Cloud Storage',
      'Design', 'Education', 'Fitness', 'News') then
    raise exception 'Please select a category' using errcode = '23514';
  elsif char_length(coalesce(new.website_url, '')) > private.longest_website()
    or private.is_plain_link(regexp_replace(new.website_url, '^http:', 'https:', 'i')) is not true then
    raise exception 'Please enter a valid URL' using errcode = '23514';
  elsif char_length(new.description) > private.longest_provider_description() then
    raise exception 'Description can be at most % characters', private.longest_provider_description() using errcode = '23514';
  elsif private.visible_length(new.description) < 10 then
    raise exception 'Description must be at least 10 characters' using errcode = '23514';
  end if;
  perform private.require_offered_plans(new.plans_data);
  -- Keeps only known fields, with prices to the cent.
  new.plans_data := (
    select jsonb_agg(jsonb_build_object(
      'plan_name', btrim(plan ->> 'plan_name'), 'price', round((plan ->> 'price')::numeric, 2),
      'billing_cycle', plan -> 'billing_cycle', 'max_members', (plan ->> 'max_members')::numeric::integer,
      'features', coalesce(plan -> 'features', '[]')
    ) order by place) from jsonb_array_elements(new.plans_data) with ordinality as sent (plan, place)
  );
  return new;
end $function$;

CREATE OR REPLACE FUNCTION private.tg_shared_subscriptions__fill()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_user uuid := auth.uid();
  v_plan private.catalogue_plan;
  v_status text := case when (select review_new_plans from public.app_settings) then 'pending' else 'active' end;
begin
  -- Data loaded by the server itself (nobody signed in) keeps its times and owner.
  if v_user is not null then
    if new.owner_id is distinct from v_user and new.owner_id is not null then
      raise exception 'You can only share a plan in your own name' using errcode = '42501';
    end if;
    perform private.spend_attempt('plan creation');
    new.owner_id := v_user;
    new.id := private.new_plan_id();
    new.code := private.new_code(1);
    new.created_at := clock_timestamp();
    if new.status <> v_status then
      raise exception 'Only staff can review plans' using errcode = '42501';
    end if;
    new.status := v_status;
    if new.fee_rate <> private.fee_rate() then
      raise exception 'The fee is now % percent. Please check what members pay.', trim_scale(private.fee_rate() * 100)
        using errcode = '23514';
    end if;
    perform private.require_renewal_date(new.next_payment);
  end if;
  if new.current_members <> 1 or new.kept_places <> 0 or new.waiting <> 0 then
    raise exception 'A new plan has one member, its owner' using errcode = '23514';
  end if;
  new.status := coalesce(new.status, 'active');
  perform private.named_profile(new.owner_id);
  new.id := coalesce(new.id, private.new_plan_id());
  new.current_members := 1;
  new.owner := coalesce(nullif(split_part(private.email_of(new.owner_id), '@', 1), ''), 'Unknown');

  v_plan := private.find_catalogue_plan(new.catalogue_plan_id, new.provider, new.name);
  if v_plan.id is null then
    raise exception 'This plan is not in the catalogue' using errcode = '23514';
  end if;
  if v_user is not null then
    perform private.require_offered(v_plan.provider);
  end if;
  if v_plan.max_members < 2 then
    raise exception 'This plan cannot be shared' using errcode = '23514';
  end if;
  if new.total_price <> round(v_plan.price, 2) or new.provider <> v_plan.provider or new.name <> v_plan.name
    or new.billing_cycle <> v_plan.billing_cycle or new.max_members <> v_plan.max_members
    or new.member_price <> round(v_plan.price / v_plan.max_members, 2) then
    raise exception 'A plan’s price and terms are set by its provider' using errcode = '23514';
  end if;
  if new.owner_max_members is null or new.owner_max_members < 2 or new.owner_max_members > v_plan.max_members then
    raise exception 'Open slots must be between 1 and %.', v_plan.max_members - 1 using errcode = '23514';
  end if;
  if exists (select 1 from public.shared_subscriptions where owner_id = new.owner_id and provider = v_plan.provider) then
    raise exception 'Each user can only share one plan per service provider.' using errcode = '23505';
  end if;

  new.catalogue_plan_id := v_plan.id;
  new.provider := v_plan.provider;
  new.name := v_plan.name;
  new.category := v_plan.category;
  new.description := v_plan.description;
  new.logo := v_plan.logo;
  new.total_price := round(v_plan.price, 2);
  new.member_price := round(v_plan.price / v_plan.max_members, 2);
  new.currency := 'EUR';
  new.billing_cycle := v_plan.billing_cycle;
  new.max_members := v_plan.max_members;
  new.provider_max_members := v_plan.max_members;
  new.fee_rate := coalesce(new.fee_rate, private.fee_rate());
  perform private.require_settlement(new.settlement, new.billing_cycle, new.member_price, new.fee_rate);
  return new;
end $function$;

CREATE OR REPLACE FUNCTION private.tg_shared_subscriptions__tell()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform private.call_back_mail(old.id);
  perform private.notify(user_id, 'warning', 'Subscription Cancelled',
    format('The owner cancelled %s %s.', old.provider, old.name), null)
  from public.subscription_members
  where subscription_id = old.id and not is_owner;
  return old;
end $function$;

CREATE OR REPLACE FUNCTION private.tg_shared_subscriptions__tell_requesters()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform private.notify(r.user_id, 'warning', 'Subscription Cancelled',
    format('The owner cancelled %s %s, and your request with it.', old.provider, old.name), null)
  from public.subscription_requests as r
  where r.subscription_id = old.id and private.is_open_request(r);
  return old;
end $function$;

CREATE OR REPLACE FUNCTION private.tg_shared_subscriptions__tell_waiting()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform private.notify(user_id, 'warning', 'Subscription Cancelled',
    format('The owner cancelled %s %s, and its waiting list with it.', old.provider, old.name), null)
  from public.waiting_list where subscription_id = old.id;
  return old;
end $function$;

CREATE OR REPLACE FUNCTION private.tg_subscription_requests__admit()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare v_plan public.shared_subscriptions;
begin
  if auth.uid() is null then return null; end if;
  select * into v_plan from public.shared_subscriptions where id = new.subscription_id;
  perform private.let_in(v_plan, new.user_id, 'You Are In',
    'You have a place in %s %s.', 'let-in');
  return null;
end $function$;

CREATE OR REPLACE FUNCTION private.tg_subscription_requests__fill()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_user uuid := auth.uid();
  v_plan public.shared_subscriptions;
  v_profile public.user_profiles;
  v_is_locked boolean;
begin
  if v_user is not null then
    if new.user_id is not null and new.user_id <> v_user then
      raise exception 'You can only ask for yourself' using errcode = '42501';
    end if;
    if new.subscription_id is null then
      raise exception 'Subscription ID is required' using errcode = '23514';
    end if;
    if new.status <> 'pending' then
      raise exception 'Only the plan''s owner can answer requests' using errcode = '42501';
    end if;
    perform private.spend_attempt('join request');
    new.user_id := v_user;
    new.requested_at := clock_timestamp();
    new.decided_at := null;
    new.expired := false;
  end if;
  new.id := coalesce(new.id, gen_random_uuid());
  new.message := btrim(coalesce(new.message, ''));
  if char_length(new.message) > private.longest_join_message() then
    raise exception 'The message can be at most % characters long', private.longest_join_message() using errcode = '23514';
  end if;
  v_profile := private.named_profile(new.user_id);
  new.name := v_profile.display_name;
  new.email := private.email_of(new.user_id);

  -- Letting people in takes a place, so lock the plan, and do it before the requests below.
  perform from public.shared_subscriptions
  where id = new.subscription_id and instant_from is not null and v_user is not null for no key update;
  v_is_locked := found;
  select * into v_plan from public.shared_subscriptions as p
  where p.id = new.subscription_id and (v_user is null or private.may_find(p));
  if not found then
    raise exception 'Subscription not found' using errcode = 'PT404';
  end if;
  new.owner_id := v_plan.owner_id;
  if v_plan.owner_id = new.user_id then
    raise exception 'Owners cannot request their own plan' using errcode = '23514';
  end if;
  if v_user is null then return new; end if;
  perform private.require_unblocked(v_plan.owner_id, 'This plan takes no new members right now');
  perform private.require_offered(v_plan.provider);
  perform private.expire_join_requests();
  if private.is_plan_member(new.subscription_id) then
    raise exception 'Already a Member' using errcode = '23505';
  end if;
  if exists (
    select 1 from public.subscription_requests as r
    where r.subscription_id = new.subscription_id and r.user_id = v_user and private.is_open_request(r)
  ) then
    raise exception 'Request Already Sent' using errcode = '23505';
  end if;
  new.keeps_place := private.take_offer(v_plan, v_user, new.email);
  if v_is_locked and private.instant_refusal(v_plan, v_user, new.coins_first) is null then
    new.instant := true;
    new.status := 'approved';
    new.decided_at := new.requested_at;
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION private.tg_subscription_requests__guard()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  if new.status is not distinct from old.status then return new; end if;
  if old.status <> 'pending' then
    raise exception 'This request has already been %', old.status using errcode = '23514';
  end if;
  if current_user in ('anon', 'authenticated') and new.status is distinct from 'cancelled' then
    raise exception 'Only the plan''s owner can answer requests' using errcode = '42501';
  elsif current_user in ('anon', 'authenticated') and not private.may_cancel(old) then
    raise exception 'This request has expired' using errcode = '23514';
  end if;
  new.decided_at := clock_timestamp();
  return new;
end $function$;

CREATE OR REPLACE FUNCTION private.tg_subscription_requests__tell()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare v_plan public.shared_subscriptions;
begin
  if auth.uid() is null or (private.is_wavering(new) and not new.instant) then return null; end if;
  select * into v_plan from public.shared_subscriptions where id = new.subscription_id;
  if new.instant then
    perform private.notify(v_plan.owner_id, 'success', 'New Member',
      format('%s has joined %s %s instantly.', new.name, v_plan.provider, v_plan.name), v_plan.id,
      'member-let-in', jsonb_build_object('plan', v_plan.provider || ' ' || v_plan.name, 'member', new.name));
    return null;
  end if;
  perform private.mail_notification(private.notify(v_plan.owner_id, 'info', 'New Join Request',
    format('%s would like to join %s %s.', new.name, v_plan.provider, v_plan.name), v_plan.id),
    array[new.id::text, v_plan.id], 'Answer the request', '/manage-shared/' || v_plan.id);
  return null;
end $function$;

CREATE OR REPLACE FUNCTION private.tg_subscription_requests__tell_cancelled()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
-- A plan that is being cancelled waits for this request, so waiting for the plan would deadlock.
declare v_plan public.shared_subscriptions := private.keep_plan(new.subscription_id);
begin
  if v_plan.id is null or private.is_wavering(new) then return null; end if;
  perform private.notify(v_plan.owner_id, 'info', 'Request Cancelled',
    format('%s no longer wants to join %s %s.', new.name, v_plan.provider, v_plan.name), v_plan.id);
  return null;
end $function$;

CREATE OR REPLACE FUNCTION private.tg_system_roles__guard()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare v_unknown text;
begin
  new.name := regexp_replace(new.name, '^\s+|\s+$', '', 'g');
  new.description := coalesce(new.description, '');
  if private.visible_length(new.name) = 0 then
    raise exception 'Role name is required' using errcode = '23514';
  end if;
  select wanted into v_unknown from unnest(new.permissions) as wanted
  where not exists (select from public.system_permissions where name = wanted) limit 1;
  if found then
    raise exception 'There is no permission "%"', v_unknown using errcode = '23514';
  end if;
  -- Without duplicates, in the order of the permissions table.
  new.permissions := array(select name from public.system_permissions where name = any (new.permissions) order by id);
  if auth.uid() is not null and not (new.permissions <@ private.my_permissions()
    and (tg_op = 'INSERT' or old.permissions <@ private.my_permissions())) then
    raise exception 'You can’t define a role with more permissions than your own' using errcode = '42501';
  end if;
  if tg_op = 'UPDATE' and old.name in ('moderator', 'admin', 'super-admin')
    and (new.name, new.permissions) is distinct from (old.name, old.permissions) then
    raise exception 'The name and the permissions of a built-in role are fixed' using errcode = '23514';
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION private.tg_user_profiles__stamp()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if auth.uid() is not null and new.deleted_at is null and new.avatar_url is distinct from old.avatar_url
    and exists (select from auth.users where id = new.user_id and raw_app_meta_data ->> 'provider' <> 'email') then
    raise exception 'Your picture comes from your sign-in service.' using errcode = '42501';
  end if;
  new.updated_at := now();
  return new;
end $function$;

CREATE OR REPLACE FUNCTION private.tg_user_roles__guard()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if tg_op = 'INSERT' or tg_op = 'UPDATE' and new.granted_by is distinct from old.granted_by then
    if new.granted_by <> auth.uid() then
      raise exception 'You grant roles in your own name' using errcode = '42501';
    end if;
  end if;
  if auth.uid() is not null and (tg_op <> 'UPDATE' or new.role <> old.role) and exists (
    select from public.system_roles as role
    where role.name in (case when tg_op <> 'DELETE' then new.role end, case when tg_op <> 'INSERT' then old.role end)
      and not role.permissions <@ private.my_permissions()
  ) then
    raise exception 'You can’t give or remove a role with more permissions than your own' using errcode = '42501';
  end if;
  -- Changes caused by deleting an account are not grants.
  if tg_op = 'INSERT' or tg_op = 'UPDATE' and (new.role <> old.role or pg_trigger_depth() = 1) then
    new.granted_by := coalesce(auth.uid(), new.granted_by);
    new.granted_at := now();
  end if;
  if tg_op <> 'INSERT' and old.role = 'super-admin' and (tg_op = 'DELETE' or new.role <> 'super-admin') then
    -- Two super-admins who demote each other at once must not both succeed.
    perform pg_advisory_xact_lock(hashtext('last super-admin'));
    if not exists (
      select 1 from public.user_roles as r join auth.users as u on u.id = r.user_id
      where r.role = 'super-admin' and r.user_id <> old.user_id and u.deleted_at is null
    ) then
      raise exception 'The last super-admin cannot be removed' using errcode = '23514';
    end if;
  end if;
  return case when tg_op = 'DELETE' then old else new end;
end $function$;

CREATE OR REPLACE FUNCTION private.tg_users__keep_records()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if private.has_records(old.id)
    and (tg_op = 'DELETE' or exists (select from public.user_profiles where user_id = old.id and deleted_at is null)) then
    raise exception 'This account has records that must stay. Its owner can delete it in Account Settings, and you can ban it.'
      using errcode = 'PT409';
  elsif tg_op = 'DELETE' then
    -- Nothing has ever moved in it.
    delete from public.user_wallets where user_id = old.id;
    delete from private.ledger_accounts where kind = 'wallet' and owner = old.id;
  end if;
  return coalesce(new, old);
end $function$;

CREATE OR REPLACE FUNCTION private.tg_withdrawal_requests__decide()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare v_user uuid := auth.uid();
begin
  if new.user_id = v_user then
    raise exception 'Someone else decides on your own withdrawal' using errcode = '42501';
  elsif (old.status, new.status) not in (('pending', 'processing'), ('pending', 'rejected'),
    ('processing', 'completed'), ('processing', 'rejected')) then
    raise exception 'A % withdrawal cannot become %', old.status, new.status using errcode = '23514';
  elsif new.status = 'completed' and old.processed_by = v_user then
    raise exception 'You approved this, so another admin completes it' using errcode = '42501';
  end if;
  if char_length(new.bank_account_last4) > 4 then
    raise exception 'Enter the last 4 digits, such as 3000' using errcode = '23514';
  end if;
  new.stripe_transfer_id := coalesce(nullif(btrim(new.stripe_transfer_id), ''), old.stripe_transfer_id);
  new.bank_account_last4 := coalesce(nullif(btrim(new.bank_account_last4), ''), old.bank_account_last4);
  if new.status <> 'completed' then
    new.processed_at := clock_timestamp();
    new.processed_by := v_user;
    new.completed_at := null;
    new.completed_by := null;
  else
    new.processed_at := old.processed_at;
    new.processed_by := old.processed_by;
    new.completed_at := clock_timestamp();
    new.completed_by := v_user;
  end if;
  if new.status <> 'rejected' then
    if btrim(new.rejection_reason) <> '' then
      raise exception 'Only a rejection has a reason' using errcode = '23514';
    end if;
    new.rejection_reason := null;
  end if;
  if new.status = 'completed' then
    perform private.transfer('withdrawal:' || new.id, private.ledger_account('wallet', new.user_id),
      private.ledger_account('outside'), new.amount, 'withdrawal', p_description => 'Withdrawal to bank account');
  elsif new.status = 'rejected' and coalesce(btrim(new.rejection_reason), '') = '' then
    raise exception 'Please give a reason' using errcode = '23514';
  end if;
  if private.is_closed(new.user_id) then
    perform private.tell_closed_account(new, new.rejection_reason);
  else
    perform private.notify(new.user_id, case new.status when 'rejected' then 'warning' else 'info' end,
      'Withdrawal ' || initcap(new.status), format('Your withdrawal of %s coins is now %s.', round(new.amount, 2), new.status),
      null, 'withdrawal-' || new.status, jsonb_build_object('amount', round(new.amount, 2)));
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION private.tg_withdrawal_requests__guard_payout()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare v_account private.bank_accounts;
begin
  perform private.require_impartial(new.user_id);
  if new.status = 'rejected' and private.payout_file_of(new.id) is not null then
    raise exception 'This withdrawal is in a payment file. Void the file first.' using errcode = '23514';
  end if;
  select * into v_account from private.bank_accounts where id = new.bank_account_id;
  if not found then return new; end if;
  if new.bank_account_last4 <> v_account.last4 then
    raise exception 'This withdrawal goes to the account ending in %', v_account.last4 using errcode = '23514';
  elsif new.status = 'processing' and private.payable_from(v_account) > private.now() then
    raise exception 'This bank account is new. You can pay to it in % hours.',
      private.hours(private.payable_from(v_account) - private.now()) using errcode = '23514';
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION private.tg_withdrawal_requests__hold()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare v_until timestamptz := private.withdrawals_wait_until(new.user_id);
begin
  if v_until = 'infinity' then
    raise exception 'A payment to this person is disputed, so this withdrawal has to wait' using errcode = '23514';
  elsif v_until > private.now() then
    raise exception 'This withdrawal has to wait until %, % days after their first card payment',
      to_char(v_until, 'FMDD FMMonth YYYY'), extract(day from private.card_earnings_wait()) using errcode = '23514';
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION private.undo_account_change(p_token text)
 RETURNS jsonb
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_hash text := encode(sha256(convert_to(coalesce(p_token, ''), 'UTF8')), 'hex');
  v_user uuid;
  v_change private.account_changes;
  v_email text;
  v_undone private.account_changes;
begin
  -- One undo at a time, and not during a change by the auth service.
  select account.id into v_user from auth.users as account
  where account.id = (select user_id from private.account_changes where token_hash = v_hash)
    and (account.deleted_at is null or private.is_closed(account.id)) for no key update;
  select * into v_change from private.account_changes where token_hash = v_hash and user_id = v_user;
  if not found then
    raise exception 'This link doesn’t work' using errcode = 'PT404';
  elsif v_change.undone_at is not null then
    raise exception 'This change was already undone' using errcode = 'PT409';
  elsif v_change.happened_at <= now() - private.undo_lifetime() then
    raise exception 'This link has expired' using errcode = 'PT410';
  end if;
  if private.is_closed(v_user) then
    return private.undo_on_closed_account(v_change);
  end if;
  perform set_config('private.undoing', 'on', true);

  -- The first of several address changes has the original address.
  select told into v_email from private.account_changes
  where user_id = v_user and kind = 'email' and undone_at is null and happened_at >= v_change.happened_at
  order by happened_at limit 1;
  if v_email is not null then
    -- Somebody may have signed up with it since; an unproven account gives way.
    delete from auth.users where lower(email) = lower(v_email) and id <> v_user and email_confirmed_at is null;
    if exists (select from auth.users where lower(email) = lower(v_email) and id <> v_user) then
      raise exception 'Another account now has this address' using errcode = '23505';
    end if;
    update auth.users set email = v_email, email_confirmed_at = now(),
      raw_user_meta_data = coalesce(raw_user_meta_data, '{}') || jsonb_build_object('email', v_email) where id = v_user;
    update auth.identities set identity_data = identity_data || jsonb_build_object('email', v_email), updated_at = now()
    where user_id = v_user and provider = 'email';
  end if;

  for v_undone in
    update private.account_changes set undone_at = clock_timestamp()
    where user_id = v_user and undone_at is null and happened_at >= v_change.happened_at returning *
  loop
    perform private.call_back_mail(v_undone.id::text);
    delete from auth.mfa_factors where id = v_undone.subject_id;
    if v_undone.kind = 'passkey-added' then
      delete from auth.webauthn_credentials where id = v_undone.subject_id;
    elsif v_undone.kind = 'bank-account' then
      perform private.take_back_bank_account(v_undone.subject_id);
    end if;
  end loop;
  delete from auth.mfa_factors where user_id = v_user and status = 'unverified';
  -- A sign-in provider linked since the change would still let the intruder in.
  delete from auth.identities where user_id = v_user and provider <> 'email' and created_at >= v_change.happened_at;
  delete from auth.one_time_tokens where user_id = v_user;
  delete from auth.flow_state where user_id = v_user;
  delete from auth.sessions where user_id = v_user;
  -- Supabase's own auth service cannot read an account whose email_change is null.
  update auth.users set encrypted_password = null, email_change = '', updated_at = now() where id = v_user
  returning email into v_email;
  perform set_config('private.undoing', '', true);
  return jsonb_build_object('kind', v_change.kind, 'happened_at', v_change.happened_at, 'email', v_email,
    'next', format('To choose a new password, use “Forgot your password?” on the sign-in page. We’ll email a link to %s.', v_email));
end $function$;

CREATE OR REPLACE FUNCTION private.void_payout_file(p_file_id bigint, p_reason text)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform private.require_payout_file(p_file_id);
  if coalesce(btrim(p_reason), '') = '' then
    raise exception 'Please say why the file is void' using errcode = '23514';
  end if;
  perform from public.withdrawal_requests as w join private.payout_file_entries as e on e.withdrawal_id = w.id
  where e.file_id = p_file_id order by w.id for update of w;
  if exists (select from public.withdrawal_requests as w join private.payout_file_entries as e on e.withdrawal_id = w.id
    where e.file_id = p_file_id and not e.voided and w.status = 'completed') then
    raise exception 'A payment in this file is completed, so the bank has received it' using errcode = '23514';
  end if;
  update private.payout_file_entries set voided = true where file_id = p_file_id;
  update private.payout_files set voided_at = clock_timestamp(), voided_by = auth.uid(), void_reason = btrim(p_reason)
  where id = p_file_id;
  perform private.log_staff('payment file voided', p_file_id::text, jsonb_build_object('reason', btrim(p_reason)));
end $function$;

CREATE OR REPLACE FUNCTION private.wallet_statement(p_from timestamp with time zone, p_until timestamp with time zone)
 RETURNS json
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
 SET enable_seqscan TO 'off'
 SET enable_hashjoin TO 'off'
 SET jit TO 'off'
AS $function$
declare
  v_account bigint := (select id from private.ledger_accounts where kind = 'wallet' and owner = private.require_user());
  v_opening numeric;
  v_closing numeric;
  v_movements json;
begin
  if p_from is null or p_until is null or p_from >= p_until or p_until > p_from + interval '32 days' then
    raise exception 'A statement covers up to a month' using errcode = '23514';
  end if;
  v_opening := coalesce((
    select balance_after from private.ledger_entries where account_id = v_account and created_at < p_from
    order by created_at desc, version desc limit 1
  ), 0.00);
  v_closing := coalesce((
    select balance_after from private.ledger_entries where account_id = v_account and created_at < p_until
    order by created_at desc, version desc limit 1
  ), 0.00);
  v_movements := coalesce((
    select json_agg(movement) from (
      select e.created_at as at, t.kind, e.amount, e.balance_after as balance, t.description,
        case when t.kind = 'adjustment' then (select display_name from public.user_profiles where user_id = t.created_by) end as by
      from private.ledger_entries as e join private.ledger_transfers as t on t.id = e.transfer_id
      where e.account_id = v_account and e.created_at >= p_from and e.created_at < p_until
      order by e.version
    ) as movement
  ), '[]');
  return json_build_object('opening', v_opening, 'closing', v_closing,
    'firstAt', (select min(created_at) from private.ledger_entries where account_id = v_account), 'movements', v_movements);
end $function$;

CREATE OR REPLACE FUNCTION private.withdrawal_refusal(p_user_id uuid, p_amount numeric, p_closes_account boolean DEFAULT false)
 RETURNS text
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare v_available numeric := private.available_coins(p_user_id);
begin
  return case
    when p_amount is null or p_amount = 'NaN' or p_amount <= 0 or p_amount <> round(p_amount, 2) then 'Please enter a valid amount'
    when p_amount < private.least_withdrawal() and not p_closes_account then format('Minimum withdrawal amount is %s coins', private.least_withdrawal())
    when p_amount > v_available then format('Maximum withdrawal amount is %s coins', v_available)
    when auth.uid() is not null and not private.has_bank_account(p_user_id)
      then 'Add the bank account to pay your coins to'
  end;
end $function$;

CREATE OR REPLACE FUNCTION private.write_coins(p_user_id uuid, p_kind text, p_is_in boolean, p_amount numeric, p_description text, p_at timestamp with time zone)
 RETURNS timestamp with time zone
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_type text := private.coin_type(p_kind, p_is_in);
  v_at timestamptz;
begin
  if not p_is_in then
    if (select coin_balance from public.user_wallets where user_id = p_user_id) < p_amount then
      raise exception 'The balance cannot go below zero' using errcode = '23514';
    elsif v_type = 'spent' and private.available_coins(p_user_id) < p_amount then
      raise exception 'Only % coins are available. The rest is waiting to be paid out.',
        private.available_coins(p_user_id) using errcode = '23514';
    end if;
  end if;
  update public.user_wallets set
    coin_balance = coin_balance + case when p_is_in then p_amount else -p_amount end,
    total_earned = total_earned + case when v_type = 'earned' then p_amount else 0 end,
    total_withdrawn = total_withdrawn + case p_kind when 'withdrawal' then p_amount when 'withdrawal-returned' then -p_amount else 0 end,
    updated_at = now()
  where user_id = p_user_id;
  -- Strictly later than the one before, even with a coarse clock, so that sorting by time gives the real order.
  insert into public.coin_transactions (user_id, transaction_type, amount, description, created_at)
  values (p_user_id, v_type, p_amount, p_description, greatest(p_at,
    (select max(t.created_at) from public.coin_transactions as t where t.user_id = p_user_id) + interval '1 microsecond'))
  returning created_at into v_at;
  return v_at;
end $function$;

CREATE OR REPLACE FUNCTION private.write_to_support(p_request text)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_user uuid := private.require_user();
  v_text text := private.support_text(p_request);
begin
  perform private.spend_attempt('support request');
  perform private.ensure_profile(v_user);
  insert into private.support_requests (writer_id, request) values (v_user, v_text);
  perform private.notify(staff.id, 'info', 'New Help Request',
    format('%s: %s', (select display_name from public.user_profiles where user_id = v_user), left(v_text, 200)),
    null, 'support-asked', '{}')
  from private.people_who_may('subscriptions.approve') as staff (id) where staff.id <> v_user;
end $function$;

CREATE OR REPLACE FUNCTION public.list_payout_files(p_limit integer DEFAULT 20, p_sort text DEFAULT NULL::text, p_after jsonb DEFAULT NULL::jsonb)
 RETURNS TABLE(id bigint, payments integer, completed integer, amount numeric, created_at timestamp with time zone, created_by_name text, voided_at timestamp with time zone, voided_by_name text, void_reason text)
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$ select * from private.list_payout_files(p_limit, p_sort, p_after) $function$;

CREATE OR REPLACE FUNCTION public.list_plans_for_review(p_status text DEFAULT 'all'::text, p_before timestamp with time zone DEFAULT 'infinity'::timestamp with time zone, p_before_id text DEFAULT ''::text, p_limit integer DEFAULT 20, p_owner uuid DEFAULT NULL::uuid, p_sort text DEFAULT NULL::text, p_after jsonb DEFAULT NULL::jsonb)
 RETURNS TABLE(id text, name text, provider text, category text, status text, price numeric, billing_cycle text, owner_id uuid, created_by text, created_at timestamp with time zone, members_count integer)
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$ select * from private.list_plans_for_review(p_status, p_before, p_before_id, p_limit, p_owner, p_sort, p_after) $function$;

CREATE OR REPLACE FUNCTION public.list_staff_log(p_before bigint DEFAULT NULL::bigint, p_limit integer DEFAULT 50, p_person uuid DEFAULT NULL::uuid, p_sort text DEFAULT NULL::text, p_after jsonb DEFAULT NULL::jsonb)
 RETURNS TABLE(line bigint, at timestamp with time zone, actor uuid, actor_name text, action text, subject text, subject_name text, details jsonb, hash text)
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$ select * from private.list_staff_log(p_before, p_limit, p_person, p_sort, p_after) $function$;

CREATE OR REPLACE FUNCTION public.list_transfers(p_person uuid DEFAULT NULL::uuid, p_subscription_id text DEFAULT NULL::text, p_kind text DEFAULT NULL::text, p_from timestamp with time zone DEFAULT NULL::timestamp with time zone, p_until timestamp with time zone DEFAULT NULL::timestamp with time zone, p_before timestamp with time zone DEFAULT NULL::timestamp with time zone, p_before_id bigint DEFAULT NULL::bigint, p_limit integer DEFAULT 50, p_sort text DEFAULT NULL::text, p_after jsonb DEFAULT NULL::jsonb)
 RETURNS TABLE(id bigint, created_at timestamp with time zone, kind text, amount numeric, from_kind text, to_kind text, person_id uuid, person_name text, subscription_id text, plan_name text, description text, moved_by text)
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$ select * from private.list_transfers(p_person, p_subscription_id, p_kind, p_from, p_until, p_before, p_before_id, p_limit, p_sort, p_after) $function$;

CREATE OR REPLACE FUNCTION public.list_users(p_search text DEFAULT ''::text, p_limit integer DEFAULT 25, p_before timestamp with time zone DEFAULT 'infinity'::timestamp with time zone, p_before_id uuid DEFAULT 'ffffffff-ffff-ffff-ffff-ffffffffffff'::uuid, p_role text DEFAULT NULL::text, p_sort text DEFAULT NULL::text, p_after jsonb DEFAULT NULL::jsonb)
 RETURNS TABLE(id uuid, email text, display_name text, avatar_url text, role text, created_at timestamp with time zone)
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$ select * from private.list_users(p_search, p_limit, p_before, p_before_id, p_role, p_sort, p_after) $function$;

CREATE OR REPLACE FUNCTION public.list_withdrawals(p_limit integer DEFAULT 50, p_status text DEFAULT NULL::text, p_person uuid DEFAULT NULL::uuid, p_sort text DEFAULT NULL::text, p_after jsonb DEFAULT NULL::jsonb)
 RETURNS TABLE(id uuid, user_id uuid, display_name text, full_name text, avatar_url text, amount numeric, status text, requested_at timestamp with time zone, processed_at timestamp with time zone, completed_at timestamp with time zone, rejection_reason text, stripe_transfer_id text, bank_account_last4 text, processed_by uuid, processed_by_name text, completed_by uuid, completed_by_name text, has_account boolean, payout_file_id bigint, returned_at timestamp with time zone, return_reason text)
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$ select * from private.list_withdrawals(p_limit, p_status, p_person, p_sort, p_after) $function$;

CREATE OR REPLACE FUNCTION public.market_plans(p_search text DEFAULT NULL::text, p_category text DEFAULT NULL::text, p_provider text DEFAULT NULL::text, p_like uuid DEFAULT NULL::uuid, p_most numeric DEFAULT NULL::numeric, p_settlement text DEFAULT NULL::text, p_level text DEFAULT NULL::text, p_instant boolean DEFAULT false, p_cheapest boolean DEFAULT false, p_full boolean DEFAULT false, p_after_room boolean DEFAULT true, p_above numeric DEFAULT NULL::numeric, p_before timestamp with time zone DEFAULT 'infinity'::timestamp with time zone, p_before_id text DEFAULT ''::text, p_limit integer DEFAULT 24)
 RETURNS jsonb
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$ select private.market_plans(p_search, p_category, p_provider, p_like, p_most, p_settlement, p_level, p_instant, p_cheapest, p_full, p_after_room, p_above, p_before, p_before_id, p_limit) $function$;

CREATE OR REPLACE FUNCTION public.my_payment_days()
 RETURNS TABLE(receives boolean, subscription_id text, plan text, person text, amount numeric, due_at timestamp with time zone)
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$ select * from private.my_payment_days() $function$;

CREATE INDEX shared_subscriptions_catalogue_idx ON public.shared_subscriptions USING btree (catalogue_plan_id, category, provider, name, has_room) WHERE ((status = 'active'::text) AND (NOT is_private));

REVOKE ALL ON FUNCTION "private"."list_payout_files"(integer, text, jsonb) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."list_payout_files"(integer, text, jsonb) TO "authenticated";

REVOKE ALL ON FUNCTION "private"."list_plans_for_review"(text, timestamp with time zone, text, integer, uuid, text, jsonb) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."list_plans_for_review"(text, timestamp with time zone, text, integer, uuid, text, jsonb) TO "authenticated";

REVOKE ALL ON FUNCTION "private"."list_staff_log"(bigint, integer, uuid, text, jsonb) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."list_staff_log"(bigint, integer, uuid, text, jsonb) TO "authenticated";

REVOKE ALL ON FUNCTION "private"."list_transfers"(uuid, text, text, timestamp with time zone, timestamp with time zone, timestamp with time zone, bigint, integer, text, jsonb) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."list_transfers"(uuid, text, text, timestamp with time zone, timestamp with time zone, timestamp with time zone, bigint, integer, text, jsonb) TO "authenticated";

REVOKE ALL ON FUNCTION "private"."list_users"(text, integer, timestamp with time zone, uuid, text, text, jsonb) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."list_users"(text, integer, timestamp with time zone, uuid, text, text, jsonb) TO "authenticated";

REVOKE ALL ON FUNCTION "private"."list_withdrawals"(integer, text, uuid, text, jsonb) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."list_withdrawals"(integer, text, uuid, text, jsonb) TO "authenticated";

REVOKE ALL ON FUNCTION "private"."market_plan_ids"(text, text, text, uuid, numeric, text, text, boolean, boolean, boolean, boolean, numeric, timestamp with time zone, text, integer) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."market_plans"(text, text, text, uuid, numeric, text, text, boolean, boolean, boolean, boolean, numeric, timestamp with time zone, text, integer) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."market_plans"(text, text, text, uuid, numeric, text, text, boolean, boolean, boolean, boolean, numeric, timestamp with time zone, text, integer) TO "anon", "authenticated";

REVOKE ALL ON FUNCTION "private"."my_payment_days"() FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."my_payment_days"() TO "authenticated";

REVOKE ALL ON FUNCTION "private"."next_payments"(private.seats) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."page_of"(text, text, text, text, jsonb, integer, integer) FROM PUBLIC;

REVOKE ALL ON FUNCTION "public"."list_payout_files"(integer, text, jsonb) FROM PUBLIC, anon, authenticated, service_role;

GRANT EXECUTE ON FUNCTION "public"."list_payout_files"(integer, text, jsonb) TO "authenticated";

REVOKE ALL ON FUNCTION "public"."list_plans_for_review"(text, timestamp with time zone, text, integer, uuid, text, jsonb) FROM PUBLIC, anon, authenticated, service_role;

GRANT EXECUTE ON FUNCTION "public"."list_plans_for_review"(text, timestamp with time zone, text, integer, uuid, text, jsonb) TO "authenticated";

REVOKE ALL ON FUNCTION "public"."list_staff_log"(bigint, integer, uuid, text, jsonb) FROM PUBLIC, anon, authenticated, service_role;

GRANT EXECUTE ON FUNCTION "public"."list_staff_log"(bigint, integer, uuid, text, jsonb) TO "authenticated";

REVOKE ALL ON FUNCTION "public"."list_transfers"(uuid, text, text, timestamp with time zone, timestamp with time zone, timestamp with time zone, bigint, integer, text, jsonb) FROM PUBLIC, anon, authenticated, service_role;

GRANT EXECUTE ON FUNCTION "public"."list_transfers"(uuid, text, text, timestamp with time zone, timestamp with time zone, timestamp with time zone, bigint, integer, text, jsonb) TO "authenticated";

REVOKE ALL ON FUNCTION "public"."list_users"(text, integer, timestamp with time zone, uuid, text, text, jsonb) FROM PUBLIC, anon, authenticated, service_role;

GRANT EXECUTE ON FUNCTION "public"."list_users"(text, integer, timestamp with time zone, uuid, text, text, jsonb) TO "authenticated";

REVOKE ALL ON FUNCTION "public"."list_withdrawals"(integer, text, uuid, text, jsonb) FROM PUBLIC, anon, authenticated, service_role;

GRANT EXECUTE ON FUNCTION "public"."list_withdrawals"(integer, text, uuid, text, jsonb) TO "authenticated";

REVOKE ALL ON FUNCTION "public"."market_plans"(text, text, text, uuid, numeric, text, text, boolean, boolean, boolean, boolean, numeric, timestamp with time zone, text, integer) FROM PUBLIC, anon, authenticated, service_role;

GRANT EXECUTE ON FUNCTION "public"."market_plans"(text, text, text, uuid, numeric, text, text, boolean, boolean, boolean, boolean, numeric, timestamp with time zone, text, integer) TO "anon", "authenticated";

REVOKE ALL ON FUNCTION "public"."my_payment_days"() FROM PUBLIC, anon, authenticated, service_role;

GRANT EXECUTE ON FUNCTION "public"."my_payment_days"() TO "authenticated";


-- Everything, as the schema says: since Postgres 17 that is more than the seven privileges granted when the table was made.
GRANT ALL ON TABLE "public"."plan_alerts" TO "service_role";
