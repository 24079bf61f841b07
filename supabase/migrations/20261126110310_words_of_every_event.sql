set local check_function_bodies = off;

DROP FUNCTION "private"."let_in"(public.shared_subscriptions, uuid, text, text, text);

DROP FUNCTION "private"."push_text"(uuid, uuid, uuid);

DROP FUNCTION "private"."take_due_pushes"(integer);

DROP FUNCTION "private"."tell_payment"(public.member_payments, boolean, text, text, text, text, text);

DROP FUNCTION "public"."take_due_pushes"(integer);

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
    'wallet-adjusted', jsonb_build_object('coins', v_transaction.amount, 'way', case when p_amount > 0 then 'added' else 'taken' end, 'reason', v_reason));
  return v_transaction;
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
        (select display_name from public.user_profiles where user_id = v_report.person_id)), null, 'report-read',
      jsonb_build_object('person', (select display_name from public.user_profiles where user_id = v_report.person_id)));
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
      jsonb_build_object('reason', v_review.hidden_reason,
        'person', (select display_name from public.user_profiles where user_id = v_review.subject_id)));
  end if;
end $function$;

CREATE OR REPLACE FUNCTION private.decline(p_invitation_id uuid)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_invitation public.subscription_invitations;
  v_plan public.shared_subscriptions;
begin
  select * into v_invitation from public.subscription_invitations where id = p_invitation_id;
  select * into v_plan from public.shared_subscriptions where id = v_invitation.subscription_id for no key update;
  perform private.require_open_invitation(v_invitation.id);
  update public.subscription_invitations set declined_at = clock_timestamp() where id = v_invitation.id;
  perform private.notify(v_plan.owner_id, 'info', 'Invitation Declined',
    format('%s has declined your invitation to %s %s.', v_invitation.email, v_plan.provider, v_plan.name), v_plan.id,
    'invitation-declined', jsonb_build_object('plan', v_plan.provider || ' ' || v_plan.name, 'email', v_invitation.email));
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
      else 'Your place in %s has ended.' end, v_plan), jsonb_build_object('reason', p_reason, 'settlement', v_seat.settlement));
  perform private.tell_seat(v_seat, v_seat.owner_id, 'info', 'member-seat-ended', 'Place Free Again',
    format(case p_reason when 'unpaid' then '%s didn’t pay for %s, so the place is free again.'
      when 'no-access' then '%s didn’t get access to %s in time, so ' || case v_seat.settlement
        when 'direct' then 'you owe them a full refund' else 'they get a full refund' end || ' and the place is free again.'
      when 'problem' then 'The problem %s reported with %s wasn’t fixed, so the place is free again.'
      else 'The place of %s in %s is free again.' end, v_member, v_plan), jsonb_build_object('reason', p_reason, 'settlement', v_seat.settlement));
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
      to_char(private.day_in(v_ends_at, private.zone_of(v_seat.member_id)), 'FMDD FMMonth YYYY')), jsonb_build_object('until', v_ends_at,
        'day', private.day_in(v_ends_at, private.zone_of(v_seat.member_id))));
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
      v_over.plan_id, 'request-expired', jsonb_build_object('plan', v_over.provider || ' ' || v_over.name,
        'hours', private.hours(private.request_lifetime())));
  end loop;
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
    jsonb_build_object('until', v_ends_at, 'day', private.day_in(v_ends_at, private.zone_of(v_seat.owner_id))));
  return v_ends_at;
end $function$;

CREATE OR REPLACE FUNCTION private.let_in(p_plan public.shared_subscriptions, p_user_id uuid, p_title text, p_message text, p_event text)
 RETURNS public.subscription_members
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare v_member public.subscription_members := private.add_member(p_plan.id, p_user_id, false);
begin
  perform private.mail_notification(private.notify(p_user_id, 'success', p_title,
    format(p_message, p_plan.provider, p_plan.name), p_plan.id, p_event,
    jsonb_build_object('plan', p_plan.provider || ' ' || p_plan.name)),
    array[p_plan.id], 'Open the plan', '/manage-subscribed/' || p_plan.id);
  return v_member;
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
    jsonb_strip_nulls(jsonb_build_object('address', p_address, 'invited', p_address is not null)));
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
      v_plan.id, 'offer-lapsed', jsonb_build_object('plan', v_plan.provider || ' ' || v_plan.name,
        'hours', private.hours(private.offer_lifetime())));
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
      v_plan.id, 'place-offered', jsonb_build_object('plan', v_plan.provider || ' ' || v_plan.name,
        'hours', private.hours(private.offer_lifetime()))),
      array[v_next.id::text, v_plan.id], 'See the place', '/subscription/' || v_plan.id);
  end loop;
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
    jsonb_build_object('amount', v_period.amount, 'until', v_until, 'code', p_code, 'number', v_period.number,
      'why', case when p_code = 'undecided' then 'undecided' when private.is_refused_for_good(p_code) then 'refused' else 'declined' end
        || case v_period.number when 1 then '-first' else '' end));
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
        v_period.plan_name, private.hours(private.access_time())), jsonb_build_object('amount', v_period.amount, 'hours', private.hours(private.access_time()),
        'given', v_seat.access_given_at is not null));
  end if;
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
      jsonb_build_object('settlement', p_settlement, 'share', v_share, 'cycle', v_seat.billing_cycle));
  end loop;
  return v_asked;
end $function$;

CREATE OR REPLACE FUNCTION private.push_text(p_about uuid, p_session_id uuid, p_user_id uuid)
 RETURNS TABLE(title text, message text, path text, event text, params jsonb)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  -- A device shows no more of the message.
  select n.title, left(n.message, 300), '/notifications/' || n.id, n.event, n.params
  from public.user_notifications as n where n.id = p_about and n.user_id = p_user_id and not n.read
  union all
  select 'New Message', c.said, '/messages/' || c.conversation_id, 'chat-message',
    jsonb_build_object('person', c.person, 'plan', c.plan)
  from private.unread_chat(p_about) as c where c.user_id = p_user_id and private.wants(p_user_id, 'messages', 'push')
  union all
  select 'This Is a Test', 'Notifications work on this device.', '/account-settings/notifications', 'push-test', '{}' where p_about = p_session_id
$function$;

CREATE OR REPLACE FUNCTION private.reject_subscription_request(p_request_id uuid, p_subscription_id text)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_plan public.shared_subscriptions := private.lock_own_plan(p_subscription_id);
  v_request public.subscription_requests := private.lock_open_request(p_request_id, p_subscription_id);
begin
  perform private.spend_attempt('rejection');
  update public.subscription_requests set status = 'rejected' where id = p_request_id;
  perform private.mail_notification(private.notify(v_request.user_id, 'info', 'Request Rejected',
    format('Your request to join %s %s has been rejected.', v_plan.provider, v_plan.name), v_plan.id,
    'request-rejected', jsonb_build_object('plan', v_plan.provider || ' ' || v_plan.name)),
    '{}', 'Look at other plans', '/available-subscriptions');
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
      to_char(p_seat.access_due_at at time zone 'utc', 'FMDD FMMonth, HH24:MI')), jsonb_build_object('until', p_seat.access_due_at,
        'settlement', p_seat.settlement));
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
    case p_payment.reminders when 0 then '%1$s for %2$s is due to %3$s today.' else '%3$s hasn’t received your %1$s for %2$s yet.' end,
    p_params => jsonb_build_object('late', p_payment.reminders > 0));
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
    jsonb_build_object('coins', round(v_withdrawal.amount, 2), 'reason', v_reason));
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
      extract(day from private.review_wait())),
    jsonb_build_object('person', (select display_name from public.user_profiles where user_id = v_user),
      'days', extract(day from private.review_wait())));
end $function$;

CREATE OR REPLACE FUNCTION private.settle_closed_accounts()
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_closed private.closed_accounts;
  v_heir uuid;
  v_coins numeric;
  v_waits timestamptz;
begin
  for v_closed in select * from private.closed_accounts order by user_id for update skip locked loop
    select id into v_heir from auth.users
    where lower(email) = v_closed.email and email_confirmed_at is not null and deleted_at is null;
    v_waits := private.withdrawals_wait_until(v_closed.user_id);
    if v_heir is not null and coalesce(v_waits <= private.now(), true) then
      perform private.lock_ledger(array[private.ledger_account('wallet', v_closed.user_id), private.ledger_account('wallet', v_heir)]);
      v_coins := private.available_coins(v_closed.user_id);
      if v_coins > 0 then
        perform private.transfer(format('handed-over:%s:%s', v_closed.user_id,
            (select version from private.ledger_accounts where kind = 'wallet' and owner = v_closed.user_id)),
          private.ledger_account('wallet', v_closed.user_id), private.ledger_account('wallet', v_heir), v_coins, 'handed-over',
          p_description => 'Left in the account you closed');
        perform private.notify(v_heir, 'success', 'Coins From Your Closed Account',
          format('%s coins that were left in the account you closed are in your wallet.', v_coins), null, 'coins-handed-over',
          jsonb_build_object('coins', v_coins));
      end if;
    end if;
    if not private.is_owed(v_closed.user_id) then
      delete from private.bank_accounts where user_id = v_closed.user_id;
      delete from private.vault_keys where person_id = v_closed.user_id;
      delete from private.account_changes where user_id = v_closed.user_id;
      delete from private.closed_accounts where user_id = v_closed.user_id;
    end if;
  end loop;
end $function$;

CREATE OR REPLACE FUNCTION private.take_due_pushes(p_limit integer)
 RETURNS TABLE(about uuid, session_id uuid, attempt integer, endpoint text, p256dh text, auth text, title text, message text, path text, event text, params jsonb, language text, time_zone text)
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare v_now timestamptz := clock_timestamp();
begin
  delete from private.outgoing_pushes as p where (p.about, p.session_id) in (
    select o.about, o.session_id from private.outgoing_pushes as o
    where o.next_attempt_at <= v_now and (o.attempts >= private.push_attempts() or not exists (
      select from private.push_devices as d
      join private.living_push_devices(d.user_id) as living on living.session_id = d.session_id
      cross join private.push_text(o.about, d.session_id, d.user_id)
      where d.session_id = o.session_id
    ))
    for update of o skip locked
  );
  return query
    with due as materialized (
      select o.about, o.session_id from private.outgoing_pushes as o
      where o.next_attempt_at <= v_now order by o.next_attempt_at limit p_limit for update skip locked
    ), taken as (
      update private.outgoing_pushes as p set attempts = p.attempts + 1, next_attempt_at = v_now + interval '5 minutes'
      from due where p.about = due.about and p.session_id = due.session_id
      returning p.*
    )
    select t.about, t.session_id, t.attempts, d.endpoint, d.p256dh, d.auth, said.title, said.message, said.path, said.event, said.params,
      (select p.language from public.user_profiles as p where p.user_id = d.user_id), private.zone_of(d.user_id)
    from taken as t join private.push_devices as d on d.session_id = t.session_id
    cross join private.push_text(t.about, d.session_id, d.user_id) as said;
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
      'payment-returned-by-hand', jsonb_build_object('plan', v_period.plan_name, 'amount', p_amount, 'rest', p_amount - v_share - v_fee, 'reference', p_reference));
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
        v_late.asks, v_late.provider, v_late.name, private.hours(private.reminder_lead())), v_late.plan_id,
      'request-expiring', jsonb_build_object('plan', v_late.provider || ' ' || v_late.name, 'member', v_late.asks,
        'hours', private.hours(private.reminder_lead()))),
      array[v_late.id::text, v_late.plan_id], 'Answer the request', '/manage-shared/' || v_late.plan_id);
  end loop;
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
      format('Charges or refunds have been failing for %s. We keep trying: %s',
        case private.hours(private.job_patience()) when 1 then '1 hour' else private.hours(private.job_patience()) || ' hours' end, v_trouble.last_error),
      'payment-jobs-fail', jsonb_build_object('jobs', v_trouble.jobs, 'hours', private.hours(private.job_patience()), 'error', v_trouble.last_error));
  end loop;
end $function$;

CREATE OR REPLACE FUNCTION private.tell_payment(p_payment public.member_payments, p_to_owner boolean, p_type text, p_event text, p_title text, p_sentence text, p_note text DEFAULT NULL::text, p_params jsonb DEFAULT '{}'::jsonb)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare v_seat private.seats;
begin
  select * into v_seat from private.seats where id = p_payment.seat_id;
  perform private.tell_seat(v_seat, case when p_to_owner then p_payment.owner_id else p_payment.member_id end, p_type, p_event, p_title,
    format(p_sentence, private.euros(p_payment.amount), p_payment.plan_name, (select display_name from public.user_profiles
      where user_id = case when p_to_owner then p_payment.member_id else p_payment.owner_id end), p_note),
    jsonb_strip_nulls(jsonb_build_object('amount', p_payment.amount, 'reference', p_payment.reference, 'note', p_note)) || p_params);
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
      null, 'comes-first', jsonb_build_object('seat', p_seat.id, 'plan', v_plan, 'until', v_until,
        'day', private.day_in(v_until, private.zone_of(p_seat.member_id)))),
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
        'outcome', p_problem.outcome, 'hours', private.hours(private.problem_decision_aim()),
        'held', not private.is_paid_directly(p_problem.payment_id), 'money', case when private.is_paid_directly(p_problem.payment_id)
          then case v_person when v_seat.owner_id then 'you-owe' else 'owes-you' end
          else case v_person when v_seat.member_id then 'you-get' else 'they-get' end end)));
  end loop;
end $function$;

CREATE OR REPLACE FUNCTION private.tell_seekers()
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_id text;
  v_plan public.shared_subscriptions;
  v_seeker uuid;
begin
  for v_id in
    select subscription_id from private.plans_to_tell order by subscription_id limit 100 for update skip locked
  loop
    select * into v_plan from public.shared_subscriptions where id = v_id for key share skip locked;
    -- Locked, so it waits for the next time.
    continue when not found and exists (select from public.shared_subscriptions where id = v_id);
    delete from private.plans_to_tell where subscription_id = v_id;
    continue when v_plan.id is null or v_plan.status <> 'active' or v_plan.is_private or private.open_slots(v_plan, null) = 0
      or exists (select from public.closed_providers as c where c.provider = v_plan.provider);
    for v_seeker in select private.seekers_of(v_plan) loop
      insert into private.told_plans (user_id, subscription_id) values (v_seeker, v_plan.id) on conflict do nothing;
      continue when not found;
      perform private.mail_notification(private.notify(v_seeker, 'info', 'Plan Found',
        format('%s %s has a place for €%s a month, shared by %s.', v_plan.provider, v_plan.name, v_plan.monthly_cost,
          private.first_name((select display_name from public.user_profiles where user_id = v_plan.owner_id))),
        v_plan.id, 'plan-found', jsonb_build_object('plan', v_plan.provider || ' ' || v_plan.name, 'cost', v_plan.monthly_cost,
          'person', private.first_name((select display_name from public.user_profiles where user_id = v_plan.owner_id)))),
        array[v_plan.id], 'See the plan', '/plans/' || v_plan.id);
    end loop;
  end loop;
end $function$;

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
        v_seat.provider, v_seat.plan_name), jsonb_build_object('version', p_entry.version, 'part', p_entry.part, 'first', v_is_first));
  end loop;
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
    format('Your request for admin access has been %s.', new.status), null, 'admin-access-' || new.status, '{}');
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
    format('The owner cancelled %s %s.', old.provider, old.name), null,
    'plan-cancelled', jsonb_build_object('plan', old.provider || ' ' || old.name))
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
    format('The owner cancelled %s %s, and your request with it.', old.provider, old.name), null,
    'cancelled-while-asking', jsonb_build_object('plan', old.provider || ' ' || old.name))
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
    format('The owner cancelled %s %s, and its waiting list with it.', old.provider, old.name), null,
    'cancelled-while-waiting', jsonb_build_object('plan', old.provider || ' ' || old.name))
  from public.waiting_list where subscription_id = old.id;
  return old;
end $function$;

CREATE OR REPLACE FUNCTION private.tg_subscription_members__tell()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare v_plan public.shared_subscriptions;
begin
  select * into v_plan from public.shared_subscriptions where id = old.subscription_id;
  if not found or old.is_owner then return null; end if;
  -- Seats ended by time or an unpaid period have been reported with the reason.
  if exists (
    select from private.seats where subscription_id = old.subscription_id and member_id = old.user_id
      and ended_at = private.now() and end_reason not in ('left', 'removed')
  ) then return null; end if;
  if old.user_id = auth.uid() then
    perform private.notify(v_plan.owner_id, 'info', 'Member Left',
      format('%s has left %s %s.', old.name, v_plan.provider, v_plan.name), v_plan.id, 'member-left',
      jsonb_build_object('plan', v_plan.provider || ' ' || v_plan.name, 'member', old.name));
  elsif exists (select 1 from public.user_profiles where user_id = old.user_id) then
    perform private.notify(old.user_id, 'warning', 'Membership Ended',
      format('You are no longer a member of %s %s.', v_plan.provider, v_plan.name), v_plan.id,
      'membership-ended', jsonb_build_object('plan', v_plan.provider || ' ' || v_plan.name));
  end if;
  return null;
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
    format('%s would like to join %s %s.', new.name, v_plan.provider, v_plan.name), v_plan.id,
    'request-made', jsonb_build_object('plan', v_plan.provider || ' ' || v_plan.name, 'member', new.name)),
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
    format('%s no longer wants to join %s %s.', new.name, v_plan.provider, v_plan.name), v_plan.id,
    'request-cancelled', jsonb_build_object('plan', v_plan.provider || ' ' || v_plan.name, 'member', new.name));
  return null;
end $function$;

CREATE OR REPLACE FUNCTION private.tg_user_wallets__tell_first_coins()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform private.notify(new.user_id, 'success', 'First Coins', format('Your first %s coins are in your wallet.', new.total_earned),
    null, 'first-coins', jsonb_build_object('coins', new.total_earned));
  return null;
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
      null, 'withdrawal-' || new.status, jsonb_build_object('coins', round(new.amount, 2)));
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION public.take_due_pushes(p_limit integer)
 RETURNS TABLE(about uuid, session_id uuid, attempt integer, endpoint text, p256dh text, auth text, title text, message text, path text, event text, params jsonb, language text, time_zone text)
 LANGUAGE sql
 SET search_path TO ''
AS $function$ select * from private.take_due_pushes(p_limit) $function$;

REVOKE ALL ON FUNCTION "private"."let_in"(public.shared_subscriptions, uuid, text, text, text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."push_text"(uuid, uuid, uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."take_due_pushes"(integer) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."take_due_pushes"(integer) TO "service_role";

REVOKE ALL ON FUNCTION "private"."tell_payment"(public.member_payments, boolean, text, text, text, text, text, jsonb) FROM PUBLIC;

REVOKE ALL ON FUNCTION "public"."take_due_pushes"(integer) FROM PUBLIC, anon, authenticated, service_role;

GRANT EXECUTE ON FUNCTION "public"."take_due_pushes"(integer) TO "service_role";
