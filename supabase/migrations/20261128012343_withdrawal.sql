set local check_function_bodies = off;

DROP FUNCTION "private"."answer_terms"(uuid, boolean);

DROP FUNCTION "private"."card_has_back"(public.member_payments);

DROP FUNCTION "private"."give_back"(uuid, numeric, numeric, text, numeric);

DROP FUNCTION "private"."is_contract_with_site"(uuid);

DROP FUNCTION "private"."keys_on_top"(uuid);

DROP FUNCTION "private"."may_withdraw"(private.seats);

DROP FUNCTION "private"."rest_of"(public.member_payments, numeric);

DROP FUNCTION "private"."return_from_guarantee"(public.member_payments, numeric);

DROP FUNCTION "private"."withdrawable_until"(private.seats);

DROP FUNCTION "public"."answer_terms"(uuid, boolean);

ALTER TABLE "private"."seats" ADD COLUMN "withdrawable_until" timestamp with time zone;

ALTER TABLE "public"."subscription_invitations" ADD COLUMN "begins_at_once_at" timestamp with time zone;

CREATE OR REPLACE FUNCTION private.accept_invitation(p_token text, p_begin_at_once boolean DEFAULT false)
 RETURNS text
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_user uuid := private.require_user();
  v_invitation public.subscription_invitations := private.find_invitation(p_token);
  v_plan public.shared_subscriptions := private.lock_plan_of_invitation(v_invitation.subscription_id);
  v_member public.subscription_members;
begin
  perform private.require_open_invitation(v_invitation.id);
  perform private.require_unblocked(v_plan.owner_id, 'This invitation has already been withdrawn');
  perform private.require_open_slot(v_plan, v_invitation.email);
  update public.subscription_invitations set accepted_at = clock_timestamp(),
    begins_at_once_at = case when p_begin_at_once and v_plan.settlement = 'potluck' then private.now() end where id = v_invitation.id;
  update public.subscription_requests as r set status = 'approved'
  where r.subscription_id = v_plan.id and r.user_id = v_user and private.is_open_request(r);
  v_member := private.add_member(v_plan.id, v_user, false);
  perform private.notify(v_plan.owner_id, 'success', 'Invitation Accepted',
    format('%s has joined %s %s.', v_member.name, v_plan.provider, v_plan.name), v_plan.id, 'invitation-accepted',
    jsonb_build_object('plan', v_plan.provider || ' ' || v_plan.name, 'member', v_member.name));
  perform private.notify(v_user, 'success', 'You Are In', format('You have joined %s %s.', v_plan.provider, v_plan.name), v_plan.id,
    'joined', jsonb_build_object('plan', v_plan.provider || ' ' || v_plan.name));
  return v_plan.id;
end $function$;

CREATE OR REPLACE FUNCTION private.answer_terms(p_proposal_id uuid, p_accept boolean, p_begin_at_once boolean DEFAULT false)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_user uuid := private.require_user();
  v_proposal public.term_proposals;
  v_seat private.seats;
  v_is_contract boolean;
  v_terms jsonb;
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
    v_is_contract := (v_seat.settlement, v_proposal.settlement) = ('direct', 'potluck');
    if v_is_contract then
      perform private.require_wish_to_begin(v_proposal.settlement, case when p_begin_at_once then private.now() end);
      v_seat.begins_at_once_at := private.now();
      v_seat.withdrawable_until := private.last_withdrawal(v_user);
    end if;
    update private.seats set settlement = v_proposal.settlement, share = v_proposal.share, begins_at_once_at = v_seat.begins_at_once_at,
      withdrawable_until = v_seat.withdrawable_until where id = v_seat.id returning * into v_seat;
    perform private.open_accounts(v_seat);
    perform private.wake_seat(v_seat.id);
    if v_is_contract then
      v_terms := jsonb_build_object('at', v_seat.begins_at_once_at, 'until', v_seat.withdrawable_until);
      perform private.tell_seat(v_seat, v_user, 'success', 'contract-changed', 'New Contract', concat_ws(' ',
        format('From your next month you pay for %s %s through the site.', v_seat.provider, v_seat.plan_name), private.terms_in_words(v_terms)), v_terms);
    end if;
  end if;
  perform private.tell_seat(v_seat, v_seat.owner_id, 'info', case when p_accept then 'terms-accepted' else 'terms-refused' end,
    case when p_accept then 'New Terms Accepted' else 'Old Terms Kept' end,
    format(case when p_accept then '%s accepted the new terms of %s %s, from the next period.'
      else '%s is keeping the old terms of %s %s.' end,
      (select display_name from public.user_profiles where user_id = v_user), v_seat.provider, v_seat.plan_name));
end $function$;

CREATE OR REPLACE FUNCTION private.back_on_withdrawal(p_seat private.seats)
 RETURNS numeric
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if private.has_open_problem(p_seat.id) then return null; end if;
  return (
    select coalesce(sum(unused.share + unused.fee), 0.00)
    from public.member_payments as m cross join lateral private.unused_of(m, private.now()) as unused
    where m.seat_id = p_seat.id and m.settlement = 'potluck' and m.status = 'paid');
end $function$;

CREATE OR REPLACE FUNCTION private.check_invoices()
 RETURNS TABLE(fault text, subject text, expected numeric, found numeric)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  with made as (
    select payment_id, sum(gross) filter (where corrects is null) as charged, coalesce(sum(gross) filter (where corrects is not null), 0) as returned,
      sum(case when corrects is null then gross else -gross end) as gross, sum(case when corrects is null then vat else -vat end) as vat,
      min(vat_rate) as rate, count(distinct (vat_rate, category, buyer_country)) as ways
    from public.fee_invoices group by payment_id
  ), due as (
    select m as payment, m.id, made.* from public.member_payments as m left join made on made.payment_id = m.id
    where (made.payment_id is not null or m.settlement = 'potluck' and private.vat_mode_at(m.paid_at) is not null)
      and not exists (
        select from private.ledger_accounts as a join private.ledger_entries as e on e.account_id = a.id
        left join private.ledger_seals as s on s.transfer_id = e.transfer_id
        where a.kind = 'held_fee' and a.owner = m.seat_id and (s.line <= (select line from private.invoices_through)) is not true)
      and not exists (
        select from private.ledger_transfers as t left join private.ledger_seals as s on s.transfer_id = t.id
        where t.key = private.guarantee_refund_key(m.id) and (s.line <= (select line from private.invoices_through)) is not true)
  )
  select 'Invoices do not agree with the ledger: ' || part.what, 'period ' || due.id, part.ledger, coalesce(part.found, 0)
  from due cross join lateral private.fee_in_ledger(due.payment) as fee
  cross join lateral (values ('charged', fee.charged, due.charged), ('gone back', fee.returned, due.returned),
    ('the VAT of what remains', private.vat_in(due.gross, due.rate), due.vat), ('one way to tax it', 1, coalesce(due.ways, 1))) as part (what, ledger, found)
  where part.ledger <> coalesce(part.found, 0)
  union all
  select 'Numbers of invoices are missing', coalesce(s.name, n.name), s.last, n.invoices from private.invoice_series as s
  full join (
    select regexp_replace(number, '[0-9]+$', '') as name, count(*) as invoices from public.fee_invoices group by 1
  ) as n on n.name = s.name
  where s.last is distinct from n.invoices
$function$;

CREATE OR REPLACE FUNCTION private.close_period(p_period uuid, p_lost_from timestamp with time zone DEFAULT NULL::timestamp with time zone)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_seat private.seats := private.lock_seat_of(p_period);
  v_period public.member_payments;
  v_unused record;
begin
  select * into v_period from public.member_payments where id = p_period;
  if v_period.settlement = 'direct' then
    v_unused := private.unused_of(v_period, p_lost_from);
    perform private.note_owed(v_seat, v_period, v_unused.share);
  elsif v_period.status = 'paid' then
    v_unused := private.unused_of(v_period, case v_seat.end_reason when 'withdrawn' then v_seat.ended_at else p_lost_from end);
    perform private.give_back(p_period, v_unused.share, v_unused.fee,
      case when v_seat.end_reason = 'withdrawn' and v_seat.ended_at = private.now() then 'withdrawn'
        when v_period.starts_at is null then 'no-access' when v_seat.ended_at is not null then 'ended' else 'problem' end);
    perform private.move_earnings(array[id], true) from public.member_payments where id = p_period and status = 'paid';
  end if;
end $function$;

CREATE OR REPLACE FUNCTION private.contract_terms(p_seat private.seats, p_period public.member_payments)
 RETURNS jsonb
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if p_period.number > 1 or not private.may_withdraw(p_seat) then return null; end if;
  return jsonb_build_object('at', p_seat.begins_at_once_at, 'until', p_seat.withdrawable_until);
end $function$;

CREATE OR REPLACE FUNCTION private.debit_begun(p_charge private.charges, p_day date)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_seat private.seats := private.lock_seat_of(p_charge.payment_id);
  v_period public.member_payments;
  v_method public.payment_methods;
  v_is_new boolean := v_seat.admitted_at is null;
  v_day date := coalesce(p_day, private.day_in(private.now(), private.zone_of(v_seat.member_id)));
  v_creditor text := (select coalesce(creditor, '') from private.payment_provider);
  v_amount numeric;
  v_is_in boolean;
  v_terms jsonb;
begin
  update public.member_payments set status = 'processing', claimed_at = coalesce(claimed_at, private.now()),
    next_attempt_at = private.now() + private.debit_time()
  where id = p_charge.payment_id and status in ('due', 'charging', 'needs-action', 'failed') returning * into v_period;
  if not found then return; end if;
  update private.seats set admitted_at = coalesce(admitted_at, private.now())
  where id = v_seat.id and (select admit_on_debit from public.app_settings);
  v_seat := private.begin_periods(v_seat.id);
  select * into v_method from public.payment_methods where id = p_charge.tried_id;
  v_amount := v_period.amount - v_period.coins;
  v_is_in := v_seat.admitted_at is not null and v_seat.late_since is null;
  v_terms := case when v_is_new and v_is_in then private.contract_terms(v_seat, v_period) end;
  perform private.tell_seat(v_seat, v_seat.member_id, 'info', 'payment-under-way', 'Payment Under Way',
    concat_ws(' ', format('Your bank debits %s for %s on %s or soon after, from your account ending in %s (mandate %s, creditor %s). '
      || case when v_is_in then 'You have your place meanwhile.' else 'Your place is kept until then.' end,
      private.euros(v_amount), v_period.plan_name, to_char(v_day, 'FMDD FMMonth YYYY'), v_method.last4, coalesce(v_method.mandate, ''), v_creditor), private.terms_in_words(v_terms)),
    jsonb_build_object('at', v_terms -> 'at', 'until', v_terms -> 'until', 'amount', v_amount, 'day', v_day, 'account', coalesce(v_method.last4, ''), 'mandate', coalesce(v_method.mandate, ''),
      'creditor', v_creditor, 'admitted', case when v_terms is not null then to_jsonb('asked'::text) else to_jsonb(v_is_in) end));
  if v_is_new and v_seat.admitted_at is not null then
    perform private.tell_seat(v_seat, v_seat.owner_id, 'success', 'member-debited', 'New Member',
      format(case when v_seat.access_given_at is null then '%s’s bank is being debited for %s. Give them access within %s hours.'
        else '%s’s bank is being debited for %s.' end, (select display_name from public.user_profiles where user_id = v_seat.member_id),
        v_period.plan_name, private.hours(private.access_time())),
      jsonb_build_object('hours', private.hours(private.access_time()), 'given', v_seat.access_given_at is not null));
  end if;
end $function$;

CREATE OR REPLACE FUNCTION private.decide_fraud_warning(p_id text, p_refunds boolean)
 RETURNS numeric
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_user uuid := private.require_treasurer();
  v_warning public.fraud_warnings;
  v_seat private.seats;
  v_period public.member_payments;
  v_all numeric := 0;
  v_held numeric;
  v_share numeric;
  v_fee numeric;
  v_account numeric;
begin
  select * into v_warning from public.fraud_warnings where id = p_id;
  if not found then
    raise exception 'Warning not found' using errcode = 'PT404';
  elsif v_user in (v_warning.member_id, v_warning.owner_id) then
    raise exception 'Someone else decides about a warning of yours' using errcode = '42501';
  end if;
  v_seat := private.lock_place((select seat_id from public.member_payments where id = v_warning.payment_id));
  perform private.lock_held_money(array[v_seat.id], '{refunds_due,fees,guarantee}');
  select * into v_warning from public.fraud_warnings where id = p_id for update;
  if v_warning.decided_at is not null then
    raise exception 'Someone already decided about this warning' using errcode = 'PT409';
  end if;
  if p_refunds then
    select * into v_period from public.member_payments where id = v_warning.payment_id;
    v_all := private.left_on_card(v_period);
    if v_all = 0 or exists (select from public.payment_disputes where payment_id = v_period.id) then
      raise exception 'This payment has been given back or is disputed, so there’s nothing to refund' using errcode = '23514';
    end if;
    v_held := case v_period.status when 'paid' then least(v_all, v_period.card - v_period.returned_share - v_period.returned_fee) else 0 end;
    v_share := least(v_held, v_period.share - v_period.earned_share - v_period.returned_share);
    v_fee := least(v_held - v_share, v_period.fee - v_period.earned_fee - v_period.returned_fee);
    perform private.give_back(v_period.id, v_share, v_fee, 'warned');
    v_account := private.take_from_account(v_period, v_all - v_share - v_fee, null, p_id);
    if v_account > 0 then
      perform private.queue_refund(v_period.id, v_account);
    end if;
    if v_all > v_share + v_fee + v_account then
      perform private.transfer(private.guarantee_refund_key(v_period.id), private.ledger_account('guarantee'), private.ledger_account('refunds_due'),
        v_all - v_share - v_fee - v_account, 'refund', v_seat.id, v_period.id, v_period.plan_name);
      perform private.queue_refund(v_period.id, v_all - v_share - v_fee - v_account);
    end if;
    update public.member_payments set from_guarantee = from_guarantee + v_all - v_share - v_fee where id = v_period.id;
    perform private.end_seat(v_seat.id, 'disputed', null);
    select * into v_seat from private.seats where id = v_seat.id;
    perform private.tell_seat(v_seat, v_period.member_id, 'info', 'money-given-back', 'Refund on Its Way',
      format('We’re refunding %s of your payment for %s, the way you paid it.', private.euros(v_all), v_period.plan_name),
      jsonb_build_object('amount', v_all, 'reason', 'warned'));
  end if;
  update public.fraud_warnings set decided_at = private.now(), decided_by = v_user, refunded = nullif(v_all, 0) where id = p_id;
  perform private.log_staff(case when p_refunds then 'warned payment refunded' else 'fraud warning left' end, p_id,
    jsonb_build_object('member', v_warning.member_id, 'owner', v_warning.owner_id, 'payment', v_warning.payment_id, 'amount', nullif(v_all, 0)));
  return v_all;
end $function$;

CREATE OR REPLACE FUNCTION private.delete_own_account(p_give_up_coins boolean DEFAULT false)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_user uuid := private.require_user();
  v_email text := lower(private.email_of(v_user));
  v_seats uuid[];
  v_coins numeric;
  v_refusal text;
  v_is_owed boolean;
begin
  perform private.require_recent_proof();
  -- Waits for anybody approving a member or moving coins right now.
  perform from public.shared_subscriptions
  where owner_id = v_user or id in (select subscription_id from public.waiting_list where user_id = v_user)
  order by id for update;
  perform from public.subscription_members where user_id = v_user order by id for update;
  perform private.lock_plan_to_leave(subscription_id) from (
    select subscription_id from private.seats where member_id = v_user and ended_at is null order by subscription_id
  ) as left_now;
  -- Seats that have ended may still hold the money of a problem.
  v_seats := array(select id from private.seats
    where v_user in (member_id, owner_id) and (ended_at is null or next_at is not null) order by id for update);
  perform private.lock_held_money(v_seats);
  perform private.lock_ledger(array(select id from private.ledger_accounts where kind in ('wallet', 'connected') and owner = v_user));
  perform private.forfeit_problems(v_user);
  delete from public.shared_subscriptions where owner_id = v_user;
  -- Before the coins, because a withdrawal from a contract may return some.
  delete from public.subscription_members where user_id = v_user;
  v_coins := private.available_coins(v_user);
  v_refusal := private.account_end_refusal(v_user, coalesce(p_give_up_coins, false));
  if v_refusal is not null then
    raise exception '%', v_refusal using errcode = '23514';
  elsif v_coins > 0 and private.has_own_account(v_user) and private.moving_refusal(v_user) is null then
    perform private.send_coins(v_user, v_coins);
  elsif v_coins > 0 and p_give_up_coins and v_coins < private.least_withdrawal() then
    perform private.transfer('given-up:' || v_user, private.ledger_account('wallet', v_user),
      private.ledger_account('adjustments'), v_coins, 'given-up', p_description => 'Given up with the account');
  elsif v_coins > 0 then
    insert into public.withdrawal_requests (user_id, amount, closes_account) values (v_user, v_coins, true);
  end if;

  update public.subscription_requests set status = 'cancelled' where user_id = v_user and status = 'pending';
  delete from public.waiting_list where user_id = v_user;
  delete from public.plan_alerts where user_id = v_user;
  delete from private.told_plans where user_id = v_user;
  delete from private.link_visits where user_id = v_user;
  v_is_owed := private.is_owed(v_user);
  -- Mail before invitation, the lock order of a mail that was sent. Mail about a change that an intruder may have made, to
  -- be paid in this person's place, still goes out, and so does the confirmation of a withdrawal from a contract.
  delete from private.outgoing_mail where lower(recipient) = v_email and event is distinct from 'contract-withdrawn'
    and not (v_is_owed and event like 'account-%');
  delete from public.subscription_invitations where email = v_email;
  -- Openings of one's own secrets concern nobody else.
  delete from private.vault_openings where owner_id = v_user and opened_by = v_user;
  -- Skips locked rows: whoever is reading them deletes them.
  delete from private.fact_changes
  where id in (select id from private.fact_changes where user_id = v_user for update skip locked);

  if not private.has_records(v_user) then
    delete from auth.users where id = v_user;
    return;
  end if;

  delete from public.conversations where v_user in (owner_id, member_id);
  delete from public.subscription_requests where user_id = v_user;
  delete from public.user_notifications where user_id = v_user;
  delete from private.unwanted_notifications where user_id = v_user;
  delete from private.unsubscribe_links where user_id = v_user;
  delete from private.push_devices where user_id = v_user;
  delete from private.calendars where user_id = v_user;
  delete from private.api_tokens where user_id = v_user;
  delete from public.message_drafts where user_id = v_user;
  delete from private.webhooks where user_id = v_user;
  delete from private.used_bank_entries where owner_id = v_user;
  delete from public.payment_wishes where user_id = v_user;
  delete from private.seat_reviews where subject_id = v_user;
  delete from private.person_reports where person_id = v_user;
  update private.person_reports set reporter_id = null where reporter_id = v_user;
  update private.support_requests set writer_id = null where writer_id = v_user;
  update private.seat_reviews set reported_by = null where reported_by = v_user;
  delete from public.blocked_people where v_user in (user_id, blocked_id);
  delete from private.time_zones where user_id = v_user;
  perform private.keep_buyer(v_user);
  delete from private.home_countries where user_id = v_user;
  if v_is_owed then
    perform private.keep_closed_account(v_user, v_email);
  else
    delete from private.bank_accounts where user_id = v_user;
    delete from private.vault_keys where person_id = v_user and not private.needs_vault_key(v_user);
    delete from private.account_changes where user_id = v_user;
  end if;
  delete from public.provider_requests where user_id = v_user;
  delete from public.payment_methods where user_id = v_user;
  delete from public.admin_role_requests where user_id = v_user;
  delete from public.user_roles where user_id = v_user;
  update public.user_profiles set display_name = 'Deleted account', full_name = null, phone_number = null,
    avatar_url = null, language = case when v_is_owed then language end, deleted_at = now() where user_id = v_user;
  delete from auth.identities where user_id = v_user;
  delete from auth.sessions where user_id = v_user;
  delete from auth.one_time_tokens where user_id = v_user;
  delete from auth.flow_state where user_id = v_user;
  -- Supabase's own auth service cannot read an account whose email_change is null.
  update auth.users set email = null, email_change = '', encrypted_password = null,
    raw_user_meta_data = '{}', raw_app_meta_data = '{}', deleted_at = now(), updated_at = now()
  where id = v_user;
  -- Last, because nobody is told about what is removed from a closed account.
  delete from auth.mfa_factors where user_id = v_user;
  if private.has_passkey(v_user) then
    delete from auth.webauthn_credentials where user_id = v_user;
  end if;
end $function$;

CREATE OR REPLACE FUNCTION private.evidence_of(p_dispute_id text)
 RETURNS jsonb
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_dispute public.payment_disputes;
  v_period public.member_payments;
  v_seat private.seats;
  v_paid text;
  v_others text;
  v_evidence jsonb;
begin
  select * into v_dispute from public.payment_disputes where id = p_dispute_id;
  if not found then return null; end if;
  select * into v_period from public.member_payments where id = v_dispute.payment_id;
  select * into v_seat from private.seats where id = v_period.seat_id;
  v_paid := private.in_utc(coalesce(v_period.paid_at, v_dispute.opened_at));
  select string_agg(format('%s: %s for %s, period %s, by %s', private.in_utc(m.paid_at), private.euros(m.card), m.plan_name, m.number, c.card),
    chr(10) order by m.paid_at) into v_others
  from (
    select * from public.member_payments where member_id = v_dispute.member_id and id <> v_period.id and card > 0 and paid_at is not null
      and not exists (select from public.payment_disputes as d where d.payment_id = member_payments.id)
    order by paid_at desc limit 100
  ) as m join private.charges as c on c.payment_id = m.id and c.status = 'succeeded';
  select jsonb_object_agg(field, left(said, 20000)) into v_evidence from (values
    ('product_description', format('A place in the subscription "%s", shared online by its owner. %sThe customer pays %s for each month: %s is the '
      || 'share of the owner, %s our fee. The payment is for period %s of the place.', v_period.plan_name,
      (select format('The site is run by %s. ', name) from private.seller), private.euros(v_period.amount), private.euros(v_period.share),
      private.euros(v_period.fee), v_period.number)),
    ('customer_name', (select coalesce(full_name, display_name) from public.user_profiles where user_id = v_dispute.member_id)),
    ('customer_email_address', private.email_of(v_dispute.member_id)),
    ('service_date', coalesce(private.in_utc(v_period.starts_at, 'YYYY-MM-DD') || ' to ' || private.in_utc(v_period.ends_at, 'YYYY-MM-DD'),
      'The payment was taken back before the service began.')),
    ('access_activity_log', private.dispute_log(v_seat)),
    -- Versions of the terms are not kept, so it says of when this is.
    ('refund_policy_disclosure', format('The terms are linked where the account was created%s; they have no version number. As of %s they say that '
      || 'the customer may withdraw from the contract within %s days of joining, without a reason, by a button on the site. Who asked for the service to begin at '
      || 'once, as this customer did, then pays for the days with access. Time for which access did not work is given back without asking.',
      (select private.in_utc(created_at, '", on "YYYY-MM-DD') from auth.users where id = v_dispute.member_id),
      private.in_utc(private.now(), 'YYYY-MM-DD'), extract(day from private.withdrawal_period()))),
    ('cancellation_policy_disclosure', 'Before asking for a place, customers are shown what it costs each month, when the card is charged, and that they '
      || 'can leave at any time. Each renewal is announced by email before it is charged.'),
    ('cancellation_rebuttal', format('The customer had not left the place when this payment was made, on %s.%s', v_paid,
      case when v_seat.end_reason in ('left', 'withdrawn') then format(' They ended it on %s.', private.in_utc(v_seat.ended_at)) else '' end)),
    ('refund_refusal_explanation', case when v_dispute.given_back > 0
        then format('%s of the %s charged had been refunded before the dispute. ', private.euros(v_dispute.given_back), private.euros(v_dispute.charged))
        else '' end
      || case when exists (select from public.seat_problems where seat_id = v_seat.id)
        then 'The problems that the customer reported with access, and what became of them, are in the activity log.'
        else 'The customer never reported that access did not work.' end),
    ('uncategorized_text', 'Earlier payments of the customer that were not disputed, the last 100:' || chr(10) || v_others)
  ) as part (field, said) where said is not null;
  return jsonb_build_object('evidence', v_evidence, 'mark', md5(v_evidence::text));
end $function$;

CREATE OR REPLACE FUNCTION private.fee_in_ledger(p_payment public.member_payments, OUT charged numeric, OUT returned numeric)
 RETURNS record
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select coalesce(sum(amount) filter (where kind = 'chargeback-won' or id <= paid_through), 0),
    least(coalesce(-sum(amount) filter (where kind <> 'chargeback-won' and id > paid_through), 0)
        + (select coalesce(sum(amount), 0) from private.ledger_transfers where key = private.guarantee_refund_key(p_payment.id)),
      coalesce(sum(amount) filter (where kind = 'chargeback-won' or id <= paid_through), 0))
  from (
    select t.id, t.kind, e.amount, max(t.id) filter (where t.kind = 'payment') over () as paid_through
    from private.ledger_accounts as a join private.ledger_entries as e on e.account_id = a.id
    join private.ledger_transfers as t on t.id = e.transfer_id
    where a.kind = 'held_fee' and a.owner = p_payment.seat_id and t.period_id = p_payment.id and t.kind <> 'fee'
  ) as movement
$function$;

CREATE OR REPLACE FUNCTION private.give_back(p_period uuid, p_share numeric, p_fee numeric, p_reason text)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_seat private.seats := private.lock_seat_of(p_period);
  v_period public.member_payments;
  v_amount numeric := p_share + p_fee;
begin
  if v_amount = 0 then return; end if;
  select * into v_period from public.member_payments where id = p_period;
  perform private.move_back(v_period, p_share, p_fee, 'refund');
  update public.member_payments set returned_share = returned_share + p_share, returned_fee = returned_fee + p_fee,
    status = case when returned_share + returned_fee + p_share + p_fee = least(amount, coins + card) then 'given-back' else status end,
    closed_at = case when returned_share + returned_fee + p_share + p_fee = least(amount, coins + card) then private.now() end
  where id = p_period;
  if p_reason in ('withdrawn', 'warned') then return; end if;
  perform private.tell_seat(v_seat, v_seat.member_id, 'info', 'money-given-back', 'Refund on Its Way',
    format('We’re refunding %s of your payment for %s, the way you paid it.', private.euros(v_amount), v_period.plan_name),
    jsonb_build_object('amount', v_amount, 'reason', p_reason), p_invoiced => case when p_fee > 0 then v_period.id end);
end $function$;

CREATE OR REPLACE FUNCTION private.guarantee_refund_key(p_period uuid)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE
RETURN (('warned:'::text || (p_period)::text) || ':guarantee'::text);

CREATE OR REPLACE FUNCTION private.is_always_mailed(p_event text)
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE
RETURN COALESCE((p_event = ANY (ARRAY['renewal-coming'::text, 'payment-debit-coming'::text, 'payment-under-way'::text, 'contract-made'::text, 'contract-changed'::text, 'contract-withdrawn'::text])), false);

CREATE OR REPLACE FUNCTION private.key_begins(p_kind text, p_period uuid, p_person uuid, p_intent text)
 RETURNS text[]
 LANGUAGE sql
 IMMUTABLE
RETURN CASE p_kind WHEN 'payment'::text THEN ARRAY[('charge:'::text || p_intent), (('coins:'::text || p_intent) || ':'::text), (('coins:'::text || p_period) || ':'::text)] WHEN 'earning'::text THEN ARRAY[(('earn:'::text || p_period) || ':'::text)] WHEN 'fee'::text THEN ARRAY[(('fee:'::text || p_period) || ':'::text)] WHEN 'payment-returned'::text THEN ARRAY[(('back:'::text || p_period) || ':'::text)] WHEN 'refund'::text THEN ARRAY[(('back:'::text || p_period) || ':'::text), 'by-hand:'::text, (('warned:'::text || p_period) || ':'::text)] WHEN 'cost'::text THEN ARRAY[('cost:'::text || p_intent), 'dispute-cost:'::text] WHEN 'given-up'::text THEN ARRAY[('given-up:'::text || p_person)] WHEN 'chargeback'::text THEN ARRAY['dispute:'::text] WHEN 'chargeback-won'::text THEN ARRAY['dispute-won:'::text] ELSE ARRAY[(p_kind || ':'::text), 'refund:'::text] END;

CREATE OR REPLACE FUNCTION private.last_withdrawal(p_member_id uuid)
 RETURNS timestamp with time zone
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare v_zone text := private.zone_of(p_member_id);
begin
  return (private.day_in(private.now(), v_zone) + 1 + private.withdrawal_period()) at time zone v_zone;
end $function$;

CREATE OR REPLACE FUNCTION private.left_on_card(p_period public.member_payments)
 RETURNS numeric
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  return greatest(0, least(p_period.card - private.given_back_to_card(p_period.id),
    p_period.amount - p_period.returned_share - p_period.returned_fee - p_period.from_guarantee));
end $function$;

CREATE OR REPLACE FUNCTION private.mail_notifications(p_mailings private.mailing[])
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
 SET enable_seqscan TO 'off'
 SET jit TO 'off'
AS $function$
begin
  insert into private.unsubscribe_links (user_id)
  select distinct n.user_id from unnest(p_mailings) as m
  cross join lateral (select * from public.user_notifications where id = m.id offset 0) as n
  where not private.is_always_mailed(n.event) and not exists (select from private.unsubscribe_links as l where l.user_id = n.user_id)
  on conflict (user_id) do nothing;
  insert into private.outgoing_mail (recipient, subject, about, unsubscribe_path, next_attempt_at, event, params, reader_id, parts)
  select u.email, private.mail_subject(n.message), case when always then m.about else m.id::text || m.about end,
    case when not always then '/unsubscribe/' || l.token end,
    clock_timestamp() + case when always then interval '0' else interval '10 minutes' end, n.event, n.params, n.user_id, jsonb_build_object(
      'heading', n.title,
      'sentences', jsonb_build_array(n.message),
      'action', m.action,
      'path', m.path,
      'small_print', 'You can also find this in your Potluck notifications.',
      'closing', case when n.event = 'contract-withdrawn' then 'You always get this email after a withdrawal.'
        when n.event = 'contract-made' then 'You always get this email after the first payment for a place.'
        when n.event = 'contract-changed' then 'You always get this email about a new contract.'
        when always then 'You always get this email before a charge.'
        else 'You get this email because you hadn’t read it on Potluck yet.' end)
  from unnest(p_mailings) with ordinality as m (id, about, action, path, place)
  cross join lateral (select * from public.user_notifications where id = m.id offset 0) as n
  cross join lateral (select email from auth.users where id = n.user_id offset 0) as u
  left join lateral (select token from private.unsubscribe_links where user_id = n.user_id offset 0) as l on true
  cross join lateral private.is_always_mailed(n.event) as always
  where private.is_mailable(u.email) and (always or private.wants(n.user_id, private.topic_of(n.event), 'mail'))
  order by m.place;
end $function$;

CREATE OR REPLACE FUNCTION private.may_withdraw(p_seat private.seats)
 RETURNS boolean
 LANGUAGE sql
 STABLE
AS $function$ select p_seat.ended_at is null and coalesce(private.now() < p_seat.withdrawable_until, false) $function$;

CREATE OR REPLACE FUNCTION private.my_seats()
 RETURNS TABLE(id uuid, subscription_id text, provider text, plan_name text, owner_id uuid, owner_name text, settlement text, billing_cycle text, share numeric, coins_first boolean, status text, opened_at timestamp with time zone, paid_until timestamp with time zone, ends_at timestamp with time zone, ended_at timestamp with time zone, end_reason text, may_stay boolean, admitted_at timestamp with time zone, access_given_at timestamp with time zone, access_due_at timestamp with time zone, invited_address text, access_works boolean, problem_id uuid, owed_back numeric, withdraw_until timestamp with time zone, begins_at_once_at timestamp with time zone, back_now numeric)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare v_user uuid := private.require_user();
begin
  return query
    select s.id, s.subscription_id, s.provider, s.plan_name, s.owner_id, p.display_name, s.settlement, s.billing_cycle, s.share,
      s.coins_first, s.status, s.opened_at,
      (select max(m.ends_at) from public.member_payments as m where m.seat_id = s.id and m.status in ('paid', 'closed')),
      s.ends_at, s.ended_at, s.end_reason, s.ended_at is null and s.ends_at is not null and s.ended_by = v_user,
      s.admitted_at, s.access_given_at, s.access_due_at, s.invited_address, private.access_works(s),
      private.open_problem(s.id), private.owed_back(s.id),
      contract.until, s.begins_at_once_at, case when contract.until is not null then private.back_on_withdrawal(s) end
    from private.seats as s join public.user_profiles as p on p.user_id = s.owner_id
    cross join lateral (select case when private.may_withdraw(s) then s.withdrawable_until end) as contract (until)
    where s.member_id = v_user order by s.opened_at desc, s.id;
end $function$;

CREATE OR REPLACE FUNCTION private.quote_account_end()
 RETURNS jsonb
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare v_user uuid := private.require_user();
begin
  return jsonb_build_object(
    'plans', (
      select coalesce(jsonb_agg(to_jsonb(plan) order by plan.name, plan.id), '[]') from (
        select p.id, p.provider || ' ' || p.name as name, count(*) as members,
          coalesce(sum(private.unused_by(s)) filter (where s.settlement = 'potluck'), 0) as back,
          coalesce(sum(private.unused_by(s)) filter (where s.settlement = 'direct'), 0) as owed
        from public.shared_subscriptions as p join private.seats as s on s.subscription_id = p.id and s.ended_at is null
        where p.owner_id = v_user group by p.id
      ) as plan
    ),
    'coins', private.available_coins(v_user) + (
      select coalesce(sum(m.share - m.earned_share - m.returned_share - unused.share), 0)
      from private.seats as s join public.member_payments as m on m.seat_id = s.id
      cross join lateral private.unused_of(m, case when s.ended_at is null then private.now()
        when s.end_reason = 'withdrawn' then s.ended_at end) as unused
      where s.owner_id = v_user and m.settlement = 'potluck' and m.status = 'paid'
    ));
end $function$;

CREATE OR REPLACE FUNCTION private.require_wish_to_begin(p_settlement text, p_begins_at_once_at timestamp with time zone)
 RETURNS void
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
begin
  if p_settlement = 'potluck' and p_begins_at_once_at is null then
    raise exception 'A place that is paid through the site begins only if you ask us to begin at once' using errcode = '23514';
  end if;
end $function$;

CREATE OR REPLACE FUNCTION private.settle_withdrawal(p_seat private.seats)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_back numeric;
  v_what text;
  v_name text := (select coalesce(full_name, display_name) from public.user_profiles where user_id = p_seat.member_id);
begin
  perform private.lock_held_money(array[p_seat.id]);
  v_back := private.back_on_withdrawal(p_seat);
  v_what := case when v_back is null then 'held' when v_back > 0 then 'back' when exists (select from public.member_payments
    where seat_id = p_seat.id and status = 'processing') then 'under-way' else 'nothing' end;
  perform private.settle_seat(p_seat.id, 'withdrawn', p_seat.member_id);
  select * into p_seat from private.seats where id = p_seat.id;
  perform private.tell_seat(p_seat, p_seat.member_id, 'success', 'contract-withdrawn', 'You Have Withdrawn',
    format('%s, on %s UTC you withdrew from the contract for %s %s. %s', v_name, to_char(p_seat.ended_at at time zone 'utc', 'FMDD FMMonth YYYY, HH24:MI'),
      p_seat.provider, p_seat.plan_name, case v_what when 'nothing' then 'You pay us nothing.'
      when 'under-way' then 'What your bank is debiting comes back once it has arrived.'
      when 'held' then 'What comes back is held until your problem is closed.'
      else format('%s comes back the way you paid it, within %s days.', private.euros(v_back), extract(day from private.withdrawal_refund_time())) end),
    jsonb_build_object('name', v_name, 'at', p_seat.ended_at, 'what', v_what, 'amount', coalesce(v_back, 0),
      'days', extract(day from private.withdrawal_refund_time())));
  perform private.tell_seat(p_seat, p_seat.owner_id, 'info', 'member-withdrew', 'Member Withdrew',
    format('%s withdrew from the contract for %s %s. What you’ve earned stays yours, and the place is free again.',
      (select display_name from public.user_profiles where user_id = p_seat.member_id), p_seat.provider, p_seat.plan_name));
end $function$;

CREATE OR REPLACE FUNCTION private.tell_paid(p_periods uuid[])
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform private.tell_seats(array(
    select private.seat_news(s, m.member_id, 'success', case when terms is null then 'payment-made' else 'contract-made' end,
      'Payment Received', concat_ws(' ', format('We received your %s for %s.', private.euros(m.amount), m.plan_name),
        private.terms_in_words(terms)),
      jsonb_build_object('payment', m.id, 'amount', m.amount, 'at', terms -> 'at', 'until', terms -> 'until'),
      p_invoiced => case when m.fee > 0 then m.id end)
    from public.member_payments as m join private.seats as s on s.id = m.seat_id
    cross join lateral private.contract_terms(s, m) as terms where m.id = any (p_periods)));
end $function$;

CREATE OR REPLACE FUNCTION private.tg_subscription_members__open_seat()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_plan public.shared_subscriptions;
  v_coins_first boolean;
  v_begins_at_once_at timestamptz;
  v_seat private.seats;
begin
  select * into v_plan from public.shared_subscriptions where id = new.subscription_id;
  -- With the request or the invitation that led here, not with one for an earlier seat.
  select said.coins_first, said.begins_at_once_at into v_coins_first, v_begins_at_once_at from (
    select r.coins_first, r.begins_at_once_at, r.decided_at as at from public.subscription_requests as r
    where r.subscription_id = v_plan.id and r.user_id = new.user_id and r.status = 'approved'
    union all
    select false, i.begins_at_once_at, i.accepted_at from public.subscription_invitations as i
    where i.subscription_id = v_plan.id and i.email = lower(private.email_of(new.user_id)) and i.accepted_at is not null
  ) as said order by said.at desc nulls last limit 1;
  perform private.require_wish_to_begin(v_plan.settlement, v_begins_at_once_at);
  insert into private.seats (subscription_id, catalogue_plan_id, provider, plan_name, owner_id, member_id, settlement,
    billing_cycle, share, fee_rate, coins_first, begins_at_once_at, withdrawable_until, admitted_at, access_given_at)
  select v_plan.id, v_plan.catalogue_plan_id, v_plan.provider, v_plan.name, v_plan.owner_id, new.user_id, v_plan.settlement,
    v_plan.billing_cycle, v_plan.member_price, v_plan.fee_rate, coalesce(v_coins_first, false), contract.begins_at_once_at, contract.until,
    case v_plan.settlement when 'direct' then private.now() end, case when private.has_vault_entry(v_plan.id) then private.now() end
  from (select case v_plan.settlement when 'potluck' then v_begins_at_once_at end,
    case v_plan.settlement when 'potluck' then private.last_withdrawal(new.user_id) end) as contract (begins_at_once_at, until)
  returning * into v_seat;
  perform private.open_accounts(v_seat);
  perform private.open_periods(array[v_seat.id], array[1], array[null::timestamptz]);
  perform private.begin_periods(v_seat.id);
  return null;
end $function$;

CREATE OR REPLACE FUNCTION private.tg_subscription_members__settle()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare v_seat private.seats;
begin
  perform private.lock_plan_to_leave(old.subscription_id);
  for v_seat in
    select * from private.seats
    where subscription_id = old.subscription_id and member_id = old.user_id and ended_at is null
  loop
    if old.user_id = auth.uid() and private.may_withdraw(v_seat) then
      perform private.settle_withdrawal(v_seat);
    else
      perform private.settle_seat(v_seat.id, case when old.user_id = auth.uid() then 'left' else 'removed' end, auth.uid());
    end if;
  end loop;
  return old;
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

  -- Letting people in takes a place, so lock the plan, and do it before the requests below. Programs must not meet new terms halfway.
  perform from public.shared_subscriptions
  where id = new.subscription_id and (instant_from is not null or auth.jwt() ? 'token_id') and v_user is not null for no key update;
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
  -- Whoever is let in, at once or by the owner later, is charged for it.
  if v_plan.settlement = 'potluck' then
    perform private.refuse_tokens();
    perform private.require_wish_to_begin(v_plan.settlement, new.begins_at_once_at);
  end if;
  new.begins_at_once_at := case v_plan.settlement when 'potluck' then private.now() end;
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

CREATE OR REPLACE FUNCTION private.topic_of(p_event text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE
RETURN CASE WHEN (p_event = ANY (ARRAY['chat-message'::text, 'question-asked'::text])) THEN 'messages'::text WHEN (p_event = 'plan-found'::text) THEN 'alerts'::text WHEN (p_event ~ '^(problem|access|password|webhook)-'::text) THEN 'access'::text WHEN ((p_event ~ '^(payment|payout|tax|refund|withdrawal|wallet|coins|money)-'::text) OR (p_event = ANY (ARRAY['member-says-paid'::text, 'member-paid'::text, 'member-debited'::text, 'owner-owes-you'::text, 'you-owe-member'::text, 'owed-settled'::text, 'renewal-coming'::text, 'contract-made'::text, 'contract-changed'::text, 'contract-withdrawn'::text]))) THEN 'money'::text WHEN ((p_event ~ '^(plan|provider-request|admin-access)-(approved|rejected)$'::text) OR (p_event = ANY (ARRAY['review-waits'::text, 'reviews-shown'::text, 'review-hidden'::text, 'report-read'::text, 'support-asked'::text, 'support-answered'::text]))) THEN 'team'::text ELSE 'places'::text END;

CREATE OR REPLACE FUNCTION private.withdraw_from_contract(p_seat_id uuid)
 RETURNS numeric
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_user uuid := private.require_user();
  v_seat private.seats;
  v_back numeric;
begin
  if exists (select from private.seats where id = p_seat_id and member_id = v_user) then
    v_seat := private.lock_place(p_seat_id);
  end if;
  if v_seat.end_reason = 'withdrawn' then
    raise exception 'You’ve already withdrawn from this contract' using errcode = '23514';
  elsif v_seat.id is null or v_seat.ended_at is not null then
    raise exception 'Place not found' using errcode = 'PT404';
  elsif v_seat.withdrawable_until is null then
    raise exception 'You pay the owner directly, so there’s no contract with us to withdraw from' using errcode = '23514';
  elsif not private.may_withdraw(v_seat) then
    raise exception 'You could withdraw for % days after the contract. You can still leave.', extract(day from private.withdrawal_period())
      using errcode = '23514';
  end if;
  v_back := private.back_on_withdrawal(v_seat);
  delete from public.subscription_members where subscription_id = v_seat.subscription_id and user_id = v_seat.member_id;
  return v_back;
end $function$;

CREATE OR REPLACE FUNCTION public.answer_terms(p_proposal_id uuid, p_accept boolean, p_begin_at_once boolean DEFAULT false)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$begin perform private.answer_terms(p_proposal_id, p_accept, p_begin_at_once); end$function$;

ALTER TABLE "private"."seats" ADD CONSTRAINT "paid_through_the_site_begins_at_once" CHECK (((settlement = 'direct'::text) OR (num_nulls(begins_at_once_at, withdrawable_until) = 0)));

REVOKE ALL ON FUNCTION "private"."answer_terms"(uuid, boolean, boolean) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."answer_terms"(uuid, boolean, boolean) TO "authenticated";

REVOKE ALL ON FUNCTION "private"."give_back"(uuid, numeric, numeric, text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."guarantee_refund_key"(uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."last_withdrawal"(uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."may_withdraw"(private.seats) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."require_wish_to_begin"(text, timestamp with time zone) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."settle_withdrawal"(private.seats) FROM PUBLIC;

REVOKE ALL ON FUNCTION "public"."answer_terms"(uuid, boolean, boolean) FROM PUBLIC, anon, authenticated, service_role;

GRANT EXECUTE ON FUNCTION "public"."answer_terms"(uuid, boolean, boolean) TO "authenticated";

