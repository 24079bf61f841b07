set local check_function_bodies = off;

ALTER TABLE "private"."ledger_transfers" DROP CONSTRAINT "ledger_transfers_kind_check";

ALTER TABLE "private"."payment_jobs" DROP CONSTRAINT "payment_jobs_kind_check";

ALTER TABLE "private"."seats" DROP CONSTRAINT "seats_end_reason_check";

ALTER TABLE "public"."member_payments" DROP CONSTRAINT "member_payments_status_check";

DROP FUNCTION "private"."answer_terms"(uuid, boolean);

DROP FUNCTION "private"."available_coins"(uuid);

DROP FUNCTION "private"."card_has_back"(public.member_payments);

DROP FUNCTION "private"."check_seals"(text);

DROP FUNCTION "private"."check_staff_log"(text);

DROP FUNCTION "private"."give_back"(uuid, numeric, numeric, text, numeric);

DROP FUNCTION "private"."is_contract_with_site"(uuid);

DROP FUNCTION "private"."is_enough"(integer, integer, integer, integer, integer, integer, integer, integer, integer, integer, integer, integer);

DROP FUNCTION "private"."keys_on_top"(uuid);

DROP FUNCTION "private"."knows_charge"(text);

DROP FUNCTION "private"."level_of"(integer, integer, integer, integer, integer, integer);

DROP FUNCTION "private"."may_withdraw"(private.seats);

DROP FUNCTION "private"."my_seats"();

DROP FUNCTION "private"."note_owed"(private.seats, public.member_payments, numeric);

DROP FUNCTION "private"."plan_seats"(text);

DROP FUNCTION "private"."record_card"(text, text, text, text, integer, integer, boolean, text, text, text);

DROP FUNCTION "private"."rest_of"(public.member_payments, numeric);

DROP FUNCTION "private"."return_from_guarantee"(public.member_payments, numeric);

DROP FUNCTION "private"."say_paid"(uuid);

DROP FUNCTION "private"."seal_hash"(text, bigint, private.ledger_transfers, jsonb);

DROP FUNCTION "private"."seat_news"(private.seats, uuid, text, text, text, text, jsonb, boolean, uuid);

DROP FUNCTION "private"."staff_log_hash"(private.staff_log);

DROP FUNCTION "private"."standing_facts"(uuid[]);

DROP FUNCTION "private"."standing_levels"();

DROP FUNCTION "private"."standing_of"(uuid[]);

DROP FUNCTION "private"."tell_payment"(public.member_payments, boolean, text, text, text, text, text, jsonb);

DROP FUNCTION "private"."tell_seat"(private.seats, uuid, text, text, text, text, jsonb, boolean, uuid);

DROP FUNCTION "private"."withdrawable_until"(private.seats);

DROP FUNCTION "public"."answer_terms"(uuid, boolean);

DROP FUNCTION "public"."my_seats"();

DROP FUNCTION "public"."plan_seats"(text);

DROP FUNCTION "public"."record_card"(text, text, text, text, integer, integer, boolean, text, text, text);

DROP FUNCTION "public"."say_paid"(uuid);

DROP FUNCTION "public"."standing_of"(uuid[]);

CREATE TABLE "private"."country_questions" ("user_id" uuid NOT NULL, "declared" text NOT NULL, "card" text NOT NULL, "decided" text, CONSTRAINT "country_questions_card_check" CHECK ((card ~ '^[A-Z]{2}$'::text)), CONSTRAINT "country_questions_check1" CHECK ((declared <> card)), CONSTRAINT "country_questions_check" CHECK (((decided = declared) OR (decided = card))), CONSTRAINT "country_questions_declared_check" CHECK ((declared ~ '^[A-Z]{2}$'::text)), CONSTRAINT "country_questions_pkey" PRIMARY KEY (user_id), "asked_at" timestamp with time zone NOT NULL DEFAULT private.now());

REVOKE ALL ON TABLE "private"."country_questions" FROM PUBLIC, anon, authenticated, service_role;

ALTER TABLE "private"."country_questions" ENABLE ROW LEVEL SECURITY;

CREATE TABLE "private"."payment_fingerprints" ("fingerprint" text NOT NULL, "user_id" uuid NOT NULL, CONSTRAINT "payment_fingerprints_fingerprint_check" CHECK (((char_length(fingerprint) >= 1) AND (char_length(fingerprint) <= 200))), CONSTRAINT "payment_fingerprints_pkey" PRIMARY KEY (fingerprint, user_id), "seen_at" timestamp with time zone NOT NULL DEFAULT private.now());

REVOKE ALL ON TABLE "private"."payment_fingerprints" FROM PUBLIC, anon, authenticated, service_role;

ALTER TABLE "private"."payment_fingerprints" ENABLE ROW LEVEL SECURITY;

CREATE TABLE "private"."payout_holds" ("id" uuid NOT NULL DEFAULT gen_random_uuid(), "user_id" uuid NOT NULL, "ground" text NOT NULL, "until" timestamp with time zone NOT NULL, "released_at" timestamp with time zone, CONSTRAINT "payout_holds_pkey" PRIMARY KEY (id), "since" timestamp with time zone NOT NULL DEFAULT private.now(), CONSTRAINT "payout_holds_check" CHECK ((until > since)));

REVOKE ALL ON TABLE "private"."payout_holds" FROM PUBLIC, anon, authenticated, service_role;

ALTER TABLE "private"."payout_holds" ENABLE ROW LEVEL SECURITY;

CREATE TABLE "private"."returned_payments" ("payment_id" uuid NOT NULL, "seat_id" uuid NOT NULL, "decided_at" timestamp with time zone, "is_goodwill" boolean, CONSTRAINT "returned_payments_check" CHECK (((decided_at IS NULL) = (is_goodwill IS NULL))), CONSTRAINT "returned_payments_pkey" PRIMARY KEY (payment_id), "returned_at" timestamp with time zone NOT NULL DEFAULT private.now());

REVOKE ALL ON TABLE "private"."returned_payments" FROM PUBLIC, anon, authenticated, service_role;

ALTER TABLE "private"."returned_payments" ENABLE ROW LEVEL SECURITY;

CREATE TABLE "private"."sealed_records" ("id" bigint GENERATED ALWAYS AS IDENTITY NOT NULL, "kind" text NOT NULL, "subject" text NOT NULL, "digest" text, "salt" uuid, "created_at" timestamp with time zone NOT NULL DEFAULT clock_timestamp(), CONSTRAINT "sealed_records_pkey" PRIMARY KEY (id));

REVOKE ALL ON TABLE "private"."sealed_records" FROM PUBLIC, anon, authenticated, service_role;

ALTER TABLE "private"."sealed_records" ENABLE ROW LEVEL SECURITY;

CREATE TABLE "private"."suspensions" ("id" uuid NOT NULL DEFAULT gen_random_uuid(), "user_id" uuid NOT NULL, "until" timestamp with time zone NOT NULL, "told_at" timestamp with time zone, "lifted_at" timestamp with time zone, "resumed_at" timestamp with time zone, "ended_places_at" timestamp with time zone, CONSTRAINT "suspensions_pkey" PRIMARY KEY (id), "since" timestamp with time zone NOT NULL DEFAULT private.now());

REVOKE ALL ON TABLE "private"."suspensions" FROM PUBLIC, anon, authenticated, service_role;

ALTER TABLE "private"."suspensions" ENABLE ROW LEVEL SECURITY;

CREATE TABLE "private"."void_receipts" ("number" text NOT NULL, "payment_id" uuid NOT NULL, CONSTRAINT "void_receipts_pkey" PRIMARY KEY (number), "voided_at" timestamp with time zone NOT NULL DEFAULT private.now());

REVOKE ALL ON TABLE "private"."void_receipts" FROM PUBLIC, anon, authenticated, service_role;

ALTER TABLE "private"."void_receipts" ENABLE ROW LEVEL SECURITY;

CREATE TABLE "private"."withdrawal_lifts" ("user_id" uuid NOT NULL, CONSTRAINT "withdrawal_lifts_pkey" PRIMARY KEY (user_id), "lifted_at" timestamp with time zone NOT NULL DEFAULT private.now());

REVOKE ALL ON TABLE "private"."withdrawal_lifts" FROM PUBLIC, anon, authenticated, service_role;

ALTER TABLE "private"."withdrawal_lifts" ENABLE ROW LEVEL SECURITY;

CREATE TABLE "public"."debts" ("id" uuid NOT NULL DEFAULT gen_random_uuid(), "dispute_id" text NOT NULL, "payment_id" uuid NOT NULL, "member_id" uuid NOT NULL, "plan_name" text NOT NULL, "amount" numeric(12,2) NOT NULL, "coins" numeric(12,2) NOT NULL DEFAULT 0, "card" numeric(12,2) NOT NULL DEFAULT 0, "intent" text, "status" text, "code" text, "card_id" uuid, "attempts" integer NOT NULL DEFAULT 0, CONSTRAINT "debts_amount_check" CHECK ((amount > (0)::numeric)), CONSTRAINT "debts_card_check" CHECK ((card >= (0)::numeric)), CONSTRAINT "debts_code_check" CHECK ((char_length(code) <= 200)), CONSTRAINT "debts_coins_check" CHECK ((coins >= (0)::numeric)), CONSTRAINT "debts_dispute_id_key" UNIQUE (dispute_id), CONSTRAINT "debts_intent_check" CHECK ((char_length(intent) <= 200)), CONSTRAINT "debts_intent_key" UNIQUE (intent), CONSTRAINT "debts_pkey" PRIMARY KEY (id), CONSTRAINT "debts_status_check" CHECK ((status = ANY (ARRAY['queued'::text, 'charging'::text, 'needs-action'::text, 'failed'::text, 'succeeded'::text]))), "opened_at" timestamp with time zone NOT NULL DEFAULT private.now());

REVOKE ALL ON TABLE "public"."debts" FROM PUBLIC, anon, authenticated, service_role;

ALTER TABLE "public"."debts" ENABLE ROW LEVEL SECURITY;

CREATE TABLE "public"."payment_claims" ("id" uuid NOT NULL DEFAULT gen_random_uuid(), "payment_id" uuid NOT NULL, "seat_id" uuid NOT NULL, "owner_id" uuid NOT NULL, "member_id" uuid NOT NULL, "kind" text NOT NULL, "amount" numeric(12,2) NOT NULL, "note" text, "after_end" boolean NOT NULL, "status" text NOT NULL, "answer_by" timestamp with time zone, "access_from" timestamp with time zone, "reminders" integer NOT NULL DEFAULT 0, "denial" text, "disputed_at" timestamp with time zone, "closed_at" timestamp with time zone, "decided_by" uuid, "decision" text, "token_hashes" text[] NOT NULL DEFAULT '{}'::text[], CONSTRAINT "payment_claims_amount_check" CHECK ((amount > (0)::numeric)), CONSTRAINT "payment_claims_check1" CHECK (((status = ANY (ARRAY['open'::text, 'disputed'::text])) = (closed_at IS NULL))), CONSTRAINT "payment_claims_check" CHECK (((status = ANY (ARRAY['open'::text, 'disputed'::text])) = (answer_by IS NOT NULL))), CONSTRAINT "payment_claims_kind_check" CHECK ((kind = ANY (ARRAY['payment'::text, 'repayment'::text]))), CONSTRAINT "payment_claims_pkey" PRIMARY KEY (id), CONSTRAINT "payment_claims_status_check" CHECK ((status = ANY (ARRAY['open'::text, 'received'::text, 'unanswered'::text, 'denied'::text, 'disputed'::text, 'undecided'::text, 'void'::text]))), "made_at" timestamp with time zone NOT NULL DEFAULT private.now());

REVOKE ALL ON TABLE "public"."payment_claims" FROM PUBLIC, anon, authenticated, service_role;

ALTER TABLE "public"."payment_claims" ENABLE ROW LEVEL SECURITY;

ALTER TABLE "private"."known_facts" ADD COLUMN "unkept_debts" integer NOT NULL;

ALTER TABLE "private"."ledger_seal_end" ADD COLUMN "records_through" bigint NOT NULL DEFAULT 0;

ALTER TABLE "private"."ledger_seal_end" ADD COLUMN "next_records_through" bigint NOT NULL DEFAULT 0;

ALTER TABLE "private"."ledger_seals" ADD COLUMN "record_id" bigint;

ALTER TABLE "private"."seats" ADD COLUMN "withdrawable_until" timestamp with time zone;

ALTER TABLE "private"."used_bank_entries" ADD COLUMN "payment_id" uuid NOT NULL;

ALTER TABLE "public"."debts" ADD COLUMN "open" numeric(12,2) GENERATED ALWAYS AS (((amount - coins) - card)) STORED NOT NULL;

ALTER TABLE "public"."member_payments" ADD COLUMN "owed_since" timestamp with time zone;

ALTER TABLE "public"."member_payments" ADD COLUMN "debt_steps_done" integer NOT NULL DEFAULT 0;

ALTER TABLE "public"."member_payments" ADD COLUMN "unkept_at" timestamp with time zone;

ALTER TABLE "public"."member_payments" ADD COLUMN "debt_closed_at" timestamp with time zone;

ALTER TABLE "public"."member_payments" ADD COLUMN "received_by" text;

ALTER TABLE "public"."member_payments" ADD COLUMN "first_due_at" timestamp with time zone;

ALTER TABLE "public"."member_payments" ADD COLUMN "unconfirmed_at" timestamp with time zone;

ALTER TABLE "public"."member_payments" ADD COLUMN "left_unpaid_at" timestamp with time zone;

ALTER TABLE "public"."member_payments" ADD COLUMN "waived_at" timestamp with time zone;

ALTER TABLE "public"."subscription_invitations" ADD COLUMN "begins_at_once_at" timestamp with time zone;

ALTER TABLE "private"."ledger_seals" ALTER COLUMN "transfer_id" DROP NOT NULL;

ALTER TYPE "private"."news" ADD ATTRIBUTE "answer_path" text CASCADE;

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
  perform private.require_reachable(v_plan.owner_id, 'This invitation has already been withdrawn');
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

CREATE OR REPLACE FUNCTION private.account_end_refusal(p_user_id uuid, p_give_up_coins boolean)
 RETURNS text
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare v_coins numeric := private.payable_coins(p_user_id);
begin
  return case
    when v_coins = 0 or private.has_bank_account(p_user_id) then null
    when private.has_own_account(p_user_id) then private.moving_refusal(p_user_id)
    when v_coins >= private.least_withdrawal()
      then format('You still have %s coins. Add a bank account so we can pay them out.', v_coins)
    when not p_give_up_coins
      then format('You still have %s coins. Add a bank account so we can pay them out, or give them up.', v_coins)
  end;
end $function$;

CREATE OR REPLACE FUNCTION private.account_transfer_order(p_id uuid)
 RETURNS jsonb
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select jsonb_build_object('id', t.id, 'account', a.reference, 'amountCents', round(t.amount * 100)::integer, 'currency', 'eur',
    'group', t.payment_id, 'intent', case when m.coins = 0 then c.intent end,
    'since', floor(extract(epoch from t.created_at))::integer)
  from private.account_transfers as t join private.connected_accounts as a using (user_id)
  left join public.member_payments as m on m.id = t.payment_id left join private.charges as c on c.payment_id = m.id
  where t.id = p_id and t.status = 'queued' and not private.transfers_wait(t.user_id)
$function$;

CREATE OR REPLACE FUNCTION private.add_member(p_subscription_id text, p_user_id uuid, p_is_owner boolean)
 RETURNS public.subscription_members
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_profile public.user_profiles := private.named_profile(p_user_id);
  v_member public.subscription_members;
begin
  if not p_is_owner then
    perform private.require_settled((select owner_id from public.shared_subscriptions where id = p_subscription_id), p_user_id);
  end if;
  insert into public.subscription_members (subscription_id, user_id, name, email, is_owner)
  values (p_subscription_id, p_user_id, v_profile.display_name, private.email_of(p_user_id), p_is_owner)
  returning * into v_member;
  return v_member;
end $function$;

CREATE OR REPLACE FUNCTION private.answer_payment_claim(p_token text, p_received boolean, p_note text DEFAULT NULL::text)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_claim public.payment_claims := private.lock_claim((private.find_claim(p_token)).id);
  v_payment public.member_payments;
begin
  if p_received is null then
    raise exception 'Please say whether it arrived' using errcode = '23514';
  elsif not private.is_answerable(v_claim) or p_received and v_claim.status <> 'open' then
    raise exception 'This has been answered' using errcode = '23514';
  elsif not p_received then
    perform private.deny_claim(v_claim, p_note);
    return;
  end if;
  select * into v_payment from public.member_payments where id = v_claim.payment_id;
  if v_claim.kind = 'payment' then
    perform private.receive_payment(v_payment, 'owner');
  else
    perform private.receive_repayment(v_payment);
  end if;
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
      perform private.require_wish_to_begin(case when p_begin_at_once then private.now() end), private.require_may_contract(v_user);
      v_seat.begins_at_once_at := private.now();
      v_seat.withdrawable_until := private.last_withdrawal(v_user);
    end if;
    update private.seats set settlement = v_proposal.settlement, share = v_proposal.share, begins_at_once_at = v_seat.begins_at_once_at,
      withdrawable_until = v_seat.withdrawable_until where id = v_seat.id returning * into v_seat;
    perform private.open_accounts(v_seat);
    perform private.wake_seat(v_seat.id);
    if v_is_contract then
      perform private.tell_seat(v_seat, v_user, 'success', 'contract-changed', 'New Contract', concat_ws(' ',
        format('From your next month you pay for %s %s through the site.', v_seat.provider, v_seat.plan_name), private.terms_in_words(
          jsonb_build_object('at', v_seat.begins_at_once_at, 'until', v_seat.withdrawable_until))),
        jsonb_build_object('at', v_seat.begins_at_once_at, 'until', v_seat.withdrawable_until));
    end if;
  end if;
  perform private.tell_seat(v_seat, v_seat.owner_id, 'info', case when p_accept then 'terms-accepted' else 'terms-refused' end,
    case when p_accept then 'New Terms Accepted' else 'Old Terms Kept' end,
    format(case when p_accept then '%s accepted the new terms of %s %s, from the next period.'
      else '%s is keeping the old terms of %s %s.' end,
      (select display_name from public.user_profiles where user_id = v_user), v_seat.provider, v_seat.plan_name));
end $function$;

CREATE OR REPLACE FUNCTION private.answer_time(p_claim public.payment_claims)
 RETURNS interval
 LANGUAGE sql
 IMMUTABLE
AS $function$
  select case when p_claim.after_end or p_claim.kind = 'repayment' then private.late_claim_time() else private.claim_time() end
$function$;

CREATE OR REPLACE FUNCTION private.answerable_claim(p_payment_id uuid, p_kind text)
 RETURNS public.payment_claims
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare v_claim public.payment_claims;
begin
  select * into v_claim from public.payment_claims where payment_id = p_payment_id and kind = p_kind order by made_at desc, id limit 1;
  if v_claim.id is null or not private.is_answerable(v_claim) then
    raise exception 'No one has said they paid this' using errcode = '23514';
  end if;
  return v_claim;
end $function$;

CREATE OR REPLACE FUNCTION private.approve_subscription_request(p_request_id uuid, p_subscription_id text)
 RETURNS jsonb
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_plan public.shared_subscriptions := private.lock_own_plan(p_subscription_id);
  v_request public.subscription_requests := private.lock_open_request(p_request_id, p_subscription_id);
begin
  perform private.require_reachable(v_request.user_id, 'This request has already been cancelled');
  perform private.spend_attempt('approval');
  perform private.require_open_slot(v_plan, private.email_of(v_request.user_id));
  update public.subscription_requests set status = 'approved' where id = p_request_id;
  return private.member_json(private.let_in(v_plan, v_request.user_id, 'Request Approved',
    'Your request to join %s %s has been approved.', 'request-approved'));
end $function$;

CREATE OR REPLACE FUNCTION private.ask_about_claim(p_claim_id uuid)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_claim public.payment_claims;
  v_payment public.member_payments;
  v_token text := replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', '');
  v_day date;
begin
  update public.payment_claims set token_hashes = token_hashes || private.hash_of(v_token) where id = p_claim_id returning * into v_claim;
  if v_claim.status = 'disputed' then
    perform private.bring_claim_to_staff(v_claim);
    return;
  end if;
  select * into v_payment from public.member_payments where id = v_claim.payment_id;
  v_payment.amount := v_claim.amount;
  v_day := private.day_in(v_claim.answer_by, private.zone_of(private.receiver_of(v_claim)));
  if v_claim.kind = 'payment' then
    perform private.tell_payment(v_payment, true, 'info', 'member-says-paid', 'Payment On Its Way',
      '%3$s says they’ve paid %1$s for %2$s. Has it arrived? Without an answer by ' || to_char(v_day, 'FMDD FMMonth YYYY') || ' it counts as received.',
      p_params => jsonb_build_object('day', v_day), p_answer_path => '/answer/' || v_token);
  else
    perform private.tell_payment(v_payment, false, 'info', 'payment-back-claimed', 'Has the Refund Arrived?',
      '%3$s says they’ve paid back %1$s for %2$s. Has it arrived? Without an answer by ' || to_char(v_day, 'FMDD FMMonth YYYY') || ' it counts as received.',
      p_params => jsonb_build_object('day', v_day), p_answer_path => '/answer/' || v_token);
  end if;
end $function$;

CREATE OR REPLACE FUNCTION private.ask_about_country(p_user_id uuid, p_evidence jsonb)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_name text := (select display_name from public.user_profiles where user_id = p_user_id);
begin
  if (p_evidence ->> 'declared' <> p_evidence ->> 'card') is not true or p_evidence ->> 'decided' is not null then return; end if;
  insert into private.country_questions as q (user_id, declared, card) values (p_user_id, p_evidence ->> 'declared', p_evidence ->> 'card')
  on conflict (user_id) do update set declared = excluded.declared, card = excluded.card, decided = null, asked_at = excluded.asked_at
  where (q.declared, q.card) <> (excluded.declared, excluded.card);
  if not found then return; end if;
  perform private.tell_treasurers('warning', 'Countries That Contradict Each Other',
    format('%s says they live in %s, but pays from %s. Say on their page which one decides the VAT.', v_name, p_evidence ->> 'declared',
      p_evidence ->> 'card'),
    'tax-country-differs', jsonb_build_object('person', v_name, 'declared', p_evidence ->> 'declared', 'card', p_evidence ->> 'card'));
end $function$;

CREATE OR REPLACE FUNCTION private.ask_about_refund(p_period_id uuid)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_period public.member_payments;
  v_seat private.seats;
  v_returned private.returned_payments;
  v_member text;
  v_until text;
begin
  select * into v_period from public.member_payments where id = p_period_id;
  select * into v_seat from private.seats where id = v_period.seat_id;
  if v_seat.ended_at is not null or v_period.ends_at <= private.now() or v_period.status not in ('paid', 'given-back')
    or private.left_on_card(v_period) > 0 then return; end if;
  insert into private.returned_payments (payment_id, seat_id) values (p_period_id, v_seat.id) on conflict do nothing
  returning * into v_returned;
  if v_returned.payment_id is null then return; end if;
  perform private.wake_seat(v_seat.id);
  v_member := (select display_name from public.user_profiles where user_id = v_seat.member_id);
  v_until := to_char(v_returned.due_at at time zone 'utc', 'FMDD FMMonth, HH24:MI') || ' UTC';
  perform private.tell_seat(v_seat, v_seat.member_id, 'info', 'payment-went-back', 'Payment Refunded',
    format('Your payment for %s was refunded. Our team says whether your place goes on. Otherwise it ends on %s.', v_period.plan_name, v_until),
    jsonb_build_object('until', v_returned.due_at));
  perform private.tell_seat(v_seat, v_seat.owner_id, 'warning', 'payment-of-member-went-back', 'Payment Refunded',
    format('The payment of %s for %s was refunded. Our team says whether the place goes on. Otherwise it ends on %s.', v_member,
      v_period.plan_name, v_until), jsonb_build_object('until', v_returned.due_at));
  perform private.tell_treasurers('warning', 'A Refund to Decide About',
    format('A payment of %s for %s was refunded at the provider. Say by %s whether the place ends or goes on.', v_member, v_period.plan_name, v_until),
    'payment-refund-to-decide', jsonb_build_object('member', v_member, 'plan', v_period.plan_name, 'until', v_returned.due_at));
end $function$;

CREATE OR REPLACE FUNCTION private.available_coins(p_user_id uuid)
 RETURNS numeric
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  return greatest(0.00,
    coalesce((select coin_balance from public.user_wallets where user_id = p_user_id), 0)
    - coalesce((select round(sum(amount), 2) from public.withdrawal_requests
        where user_id = p_user_id and status in ('pending', 'processing')), 0));
end $function$;

CREATE OR REPLACE FUNCTION private.awaits_refund_decision(p_seat_id uuid)
 RETURNS boolean
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  return exists (select from private.returned_payments where seat_id = p_seat_id and decided_at is null);
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

CREATE OR REPLACE FUNCTION private.begin_debt_payment(p_debt_id uuid, p_card_id uuid)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_debt public.debts;
  v_provider text := (select provider from private.payment_provider);
begin
  select * into v_debt from public.debts where id = p_debt_id for update;
  if v_debt.open = 0 then
    raise exception 'There’s nothing to pay here' using errcode = '23514';
  elsif (private.method_of(v_debt.member_id, v_provider, p_card_id)).kind = 'sepa_debit' then
    raise exception 'Pay this by card or with coins' using errcode = '23514';
  end if;
  update public.debts set card_id = p_card_id, status = case when status in ('charging', 'needs-action') then status else 'queued' end
  where id = p_debt_id;
  insert into private.payment_jobs as j (kind, about, provider) values ('debt', p_debt_id::text, v_provider)
  on conflict (kind, about) do update set next_attempt_at = clock_timestamp() where j.last_error is not null;
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
  if p_card_id is not null and not exists (select from public.payment_methods where id = p_card_id and user_id = v_user) then
    raise exception 'This card is not saved' using errcode = 'PT404';
  elsif exists (select from public.debts where id = p_payment_id and member_id = v_user) then
    perform private.begin_debt_payment(p_payment_id, p_card_id);
    return;
  elsif not exists (select from public.member_payments where id = p_payment_id and member_id = v_user and settlement = 'potluck') then
    raise exception 'Payment not found' using errcode = 'PT404';
  end if;
  perform private.lock_seat_of(p_payment_id);
  select * into v_period from public.member_payments where id = p_payment_id;
  if v_period.status not in ('due', 'charging', 'needs-action', 'failed') then
    raise exception 'There’s nothing to pay here' using errcode = '23514';
  elsif private.has_open_problem(v_period.seat_id) then
    raise exception 'We don’t charge you while a problem is open' using errcode = '23514';
  elsif (select private.is_paused(s) from private.seats as s where s.id = v_period.seat_id) then
    raise exception 'We don’t charge you while this place is paused' using errcode = '23514';
  elsif v_period.number = 1 then
    -- The card may be one that somebody else has withdrawn with.
    perform private.require_may_contract(v_user);
  end if;
  insert into private.charges (payment_id, provider, card_id, on_session) values (p_payment_id, v_provider, p_card_id, true)
  on conflict (payment_id) do update set card_id = excluded.card_id, on_session = true;
  insert into private.payment_jobs as j (kind, about, provider) values ('charge', p_payment_id::text, v_provider)
  on conflict (kind, about) do update set next_attempt_at = clock_timestamp()
  -- Not during an attempt.
  where j.last_error is not null;
end $function$;

CREATE OR REPLACE FUNCTION private.begin_periods(p_seat_id uuid)
 RETURNS private.seats
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare v_seat private.seats;
begin
  update private.seats set access_due_at = begun.at + private.access_time()
  from (
    select private.now() as at from public.member_payments where seat_id = p_seat_id and status in ('paid', 'processing')
    union all
    select access_from from public.payment_claims
    where seat_id = p_seat_id and status in ('open', 'disputed') and access_from <= private.now()
    order by at limit 1
  ) as begun
  where id = p_seat_id and admitted_at is not null and access_given_at is null and access_due_at is null;
  update private.seats set anchor = private.day_in(private.now(), private.zone_of(member_id)), access_due_at = null
  where id = p_seat_id and admitted_at is not null and access_given_at is not null and anchor is null;
  select * into v_seat from private.seats where id = p_seat_id;
  update public.member_payments set starts_at = private.now(),
    ends_at = private.period_end(v_seat.anchor, number - v_seat.anchor_after, private.zone_of(member_id))
  where seat_id = p_seat_id and starts_at is null and v_seat.anchor is not null;
  perform private.wake_seat(p_seat_id);
  return v_seat;
end $function$;

CREATE OR REPLACE FUNCTION private.begin_suspension(p_suspension private.suspensions, p_seats private.seats[])
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare v_user uuid := p_suspension.user_id;
begin
  perform private.wake_seat(s.id) from unnest(p_seats) as s;
  insert into private.fact_changes (user_id) select distinct unnest(array[s.owner_id, s.member_id]) from unnest(p_seats) as s;
  perform private.turn_down(p, r) from public.shared_subscriptions as p join public.subscription_requests as r on r.subscription_id = p.id
  where p.owner_id = v_user and private.is_open_request(r);
  update public.subscription_requests as r set status = 'cancelled' where r.user_id = v_user and private.is_open_request(r);
  perform private.call_back_mail(w.id::text) from public.waiting_list as w join public.shared_subscriptions as p on p.id = w.subscription_id
  where v_user in (p.owner_id, w.user_id) and w.offered_until is not null;
  update public.waiting_list as w set offered_until = null from public.shared_subscriptions as p
  where p.id = w.subscription_id and v_user in (p.owner_id, w.user_id) and w.offered_until is not null;
  update public.conversations set archived = true, question_until = null
  where question_until is not null and v_user in (owner_id, member_id);
  insert into public.plan_departures (subscription_id)
  select id from public.shared_subscriptions where owner_id = v_user and status = 'active' and not is_private on conflict do nothing;
  delete from public.plan_departures as d using public.shared_subscriptions as p where p.id = d.subscription_id and p.owner_id = v_user;
  perform private.tell_suspension(p_suspension, p_seats);
  update private.suspensions set told_at = private.now() where id = p_suspension.id;
end $function$;

CREATE OR REPLACE FUNCTION private.book_debt(p_debt public.debts, p_from bigint, p_amount numeric, p_key text)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare v_open numeric;
begin
  perform private.transfer(p_key, p_from, private.ledger_account('guarantee'), p_amount, 'debt',
    (select seat_id from public.member_payments where id = p_debt.payment_id), p_debt.payment_id, p_debt.plan_name || ': debt paid');
  update public.debts set
    coins = coins + case when p_from <> private.ledger_account('outside') then p_amount else 0 end,
    card = card + case when p_from = private.ledger_account('outside') then p_amount else 0 end
  where id = p_debt.id returning open into v_open;
  if v_open > 0 then return; end if;
  perform private.call_back_mail(p_debt.id::text);
  perform private.notify(p_debt.member_id, 'success', 'Debt Paid', format('You’ve paid what you owed for %s. Thank you.', p_debt.plan_name),
    null, 'payment-debt-paid', jsonb_build_object('plan', p_debt.plan_name));
end $function$;

CREATE OR REPLACE FUNCTION private.book_guards()
 RETURNS TABLE(relation text, guard text)
 LANGUAGE sql
 IMMUTABLE
 SET search_path TO ''
AS $function$
  select named.relation, regexp_split_to_table(named.guards, '\s+') from (values
    ('private.ledger_accounts', 'only_some_accounts_fall_below_zero seats_and_people_own_the_rest_is_of_the_site
      ledger_accounts_kind_check ledger_accounts_kind_owner_key ledger_accounts_pkey'),
    ('private.ledger_transfers', 'keep log_staff ledger_transfers_amount_check ledger_transfers_check
      ledger_transfers_description_check ledger_transfers_key_check ledger_transfers_key_key ledger_transfers_kind_check
      ledger_transfers_pkey'),
    ('private.ledger_entries', 'keep ledger_entries_account_id_fkey ledger_entries_amount_check ledger_entries_check
      ledger_entries_pkey ledger_entries_transfer_id_fkey'),
    ('private.ledger_seals', 'keep seals_one_thing ledger_seals_pkey ledger_seals_record_id_fkey ledger_seals_record_id_key
      ledger_seals_transfer_id_fkey ledger_seals_transfer_id_key'),
    ('private.ledger_seal_end', 'ledger_seal_end_id_check ledger_seal_end_pkey'),
    ('private.sealed_records', 'keep keep_all sealed_records_pkey'),
    ('public.user_wallets', 'tell_first_coins user_wallets_coin_balance_check user_wallets_pkey user_wallets_total_earned_check
      user_wallets_total_withdrawn_check user_wallets_user_id_fkey'),
    ('public.coin_transactions', 'coin_transactions_amount_check coin_transactions_created_by_fkey
      coin_transactions_description_check coin_transactions_pkey coin_transactions_transaction_type_check
      coin_transactions_user_id_fkey'),
    ('private.seats', 'note_facts seats_billing_cycle_check seats_check seats_check1 seats_end_reason_check seats_ended_by_fkey
      paid_through_the_site_begins_at_once seats_fee_rate_check seats_invited_address_check seats_member_id_fkey seats_owner_id_fkey seats_pkey seats_settlement_check
      seats_share_check'),
    ('public.member_payments', 'issue_receipt no_more_than_was_paid note_facts note_lost_facts note_new_facts record_receipt
      record_step member_payments_card_check member_payments_coins_check member_payments_earned_fee_check
      member_payments_earned_share_check member_payments_fee_check member_payments_from_guarantee_check member_payments_member_id_fkey
      member_payments_note_check member_payments_number_check member_payments_owed_back_check member_payments_owner_id_fkey
      member_payments_paid_with_check member_payments_pkey member_payments_receipt_number_key member_payments_received_by_check
      member_payments_returned_fee_check member_payments_returned_share_check member_payments_seat_id_fkey member_payments_seat_id_number_key
      member_payments_settlement_check member_payments_share_check member_payments_status_check'),
    ('private.charges', 'charges_code_check charges_intent_check charges_intent_key charges_kind_check charges_payment_id_fkey
      charges_pkey charges_received_check charges_status_check'),
    ('private.payment_customers', 'record payment_customers_pkey payment_customers_provider_reference_key
      payment_customers_reference_check payment_customers_user_id_fkey'),
    ('public.payment_methods', 'has_what_its_kind_has record record_state remove payment_methods_brand_check payment_methods_country_check
      payment_methods_exp_month_check payment_methods_exp_year_check payment_methods_kind_check payment_methods_last4_check
      payment_methods_mandate_check payment_methods_pkey payment_methods_provider_reference_key payment_methods_user_id_fkey'),
    ('private.refunds', 'refunds_amount_check refunds_payment_id_fkey refunds_pkey refunds_reference_key refunds_status_check'),
    ('public.payment_disputes', 'payment_disputes_amount_check payment_disputes_answer_check payment_disputes_id_check
      payment_disputes_member_id_fkey payment_disputes_owner_id_fkey payment_disputes_payment_id_fkey payment_disputes_pkey
      payment_disputes_reason_check payment_disputes_status_check'),
    ('public.payment_claims', 'log_staff note_facts record payment_claims_amount_check payment_claims_check payment_claims_check1
      payment_claims_decided_by_fkey payment_claims_kind_check payment_claims_member_id_fkey payment_claims_owner_id_fkey
      payment_claims_payment_id_fkey payment_claims_pkey payment_claims_seat_id_fkey payment_claims_status_check'),
    ('private.void_receipts', 'record void_receipts_payment_id_fkey void_receipts_pkey'),
    ('public.debts', 'record debts_amount_check debts_card_check debts_code_check debts_coins_check debts_dispute_id_fkey debts_dispute_id_key
      debts_intent_check debts_intent_key debts_member_id_fkey debts_open_check debts_payment_id_fkey debts_pkey debts_status_check'),
    ('public.withdrawal_requests', 'a_return_has_a_reason decide fill guard_payout hold log_staff name_account record record_paid
      withdrawal_requests_bank_account_id_fkey withdrawal_requests_bank_account_last4_check withdrawal_requests_check
      withdrawal_requests_completed_by_fkey withdrawal_requests_pkey withdrawal_requests_processed_by_fkey
      withdrawal_requests_rejection_reason_check withdrawal_requests_return_reason_check withdrawal_requests_returned_by_fkey
      withdrawal_requests_status_check withdrawal_requests_stripe_transfer_id_check withdrawal_requests_user_id_fkey'),
    ('private.payout_files', 'payout_files_created_by_fkey payout_files_pkey payout_files_void_reason_check
      payout_files_voided_by_fkey'),
    ('private.payout_file_entries', 'payout_file_entries_file_id_fkey payout_file_entries_pkey
      payout_file_entries_withdrawal_id_fkey'),
    ('private.bank_accounts', 'record record_state tell_change bank_accounts_last4_check bank_accounts_pkey bank_accounts_sealed_check
      bank_accounts_user_id_fkey bank_accounts_user_id_version_key bank_accounts_version_check'),
    ('private.connected_accounts', 'record connected_accounts_pkey connected_accounts_reference_check
      connected_accounts_reference_key connected_accounts_user_id_fkey'),
    ('private.account_transfers', 'record record_state account_transfers_amount_check account_transfers_dispute_id_fkey
      account_transfers_payment_id_fkey account_transfers_pkey account_transfers_reason_check account_transfers_reference_key
      account_transfers_status_check account_transfers_user_id_fkey'),
    ('private.account_reversals', 'has_one_reason record record_state account_reversals_amount_check account_reversals_dispute_id_fkey
      account_reversals_pkey account_reversals_reference_key account_reversals_refund_id_fkey account_reversals_status_check
      account_reversals_transfer_id_fkey account_reversals_warning_id_fkey'),
    ('private.account_payouts', 'record account_payouts_amount_check account_payouts_id_check account_payouts_pkey
      account_payouts_reason_check account_payouts_status_check account_payouts_user_id_fkey'),
    ('public.fee_invoices', 'keep net_and_vat_are_all only_the_standard_rate_is_above_zero record fee_invoices_buyer_id_fkey
      fee_invoices_category_check fee_invoices_corrects_fkey fee_invoices_gross_check fee_invoices_net_check fee_invoices_number_key
      fee_invoices_payment_id_fkey fee_invoices_pkey fee_invoices_vat_check'),
    ('private.invoice_series', 'invoice_series_pkey'),
    ('private.invoices_through', 'invoices_through_id_check invoices_through_pkey'),
    ('private.invoice_spans', 'record invoice_spans_pkey'),
    ('public.vat_settings', 'guard log_staff record vat_settings_country_check vat_settings_id_check vat_settings_mode_check
      vat_settings_name_check vat_settings_pkey vat_settings_postcode_check vat_settings_prefix_check vat_settings_sentence_check
      vat_settings_street_check vat_settings_town_check vat_settings_vat_number_check'),
    ('private.vat_rates', 'record vat_rates_country_check vat_rates_pkey vat_rates_rate_check'),
    ('private.tax_reports', 'record record_void tax_reports_created_by_fkey tax_reports_kind_check tax_reports_operator_way_check
      tax_reports_pkey tax_reports_reference_key tax_reports_void_reason_check tax_reports_voided_by_fkey'),
    ('private.tax_report_entries', 'record tax_report_entries_bank_account_id_fkey tax_report_entries_details_id_fkey
      tax_report_entries_document_key tax_report_entries_pkey tax_report_entries_report_id_fkey tax_report_entries_user_id_fkey'),
    ('private.daily_books', 'record daily_books_pkey'),
    ('private.staff_log', 'keep staff_log_pkey'),
    ('private.staff_log_end', 'staff_log_end_id_check staff_log_end_pkey'),
    ('private.staff_log_days', 'staff_log_days_pkey')
  ) as named (relation, guards)
$function$;

CREATE OR REPLACE FUNCTION private.book_returned_twice(p_refund private.refunds, p_period public.member_payments)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_dispute public.payment_disputes;
  v_missing numeric;
  v_coins numeric;
  v_part record;
begin
  -- Of a card no more is taken than it paid.
  if (select kind from private.charges where payment_id = p_period.id) <> 'sepa_debit' then return; end if;
  for v_dispute in
    select * from public.payment_disputes where payment_id = p_period.id and private.dispute_takes(status) order by opened_at, id for update
  loop
    v_missing := least(p_refund.amount, v_dispute.amount - private.taken_by(v_dispute));
    continue when v_missing <= 0;
    p_refund.amount := p_refund.amount - v_missing;
    v_coins := least(v_missing, private.available_coins(p_period.member_id));
    for v_part in select * from (values ('wallet', p_period.member_id, v_coins), ('guarantee', null, v_missing - v_coins))
      as part (kind, owner, amount) where part.amount > 0
    loop
      perform private.transfer(format('dispute:%s:%s:%s', v_dispute.id, p_refund.id, v_part.kind), private.ledger_account(v_part.kind, v_part.owner),
        private.ledger_account('outside'), v_part.amount, 'chargeback', p_period.seat_id, p_period.id, p_period.plan_name || ': payment taken back');
    end loop;
    update public.payment_disputes set from_coins = from_coins + v_coins, from_guarantee = from_guarantee + v_missing - v_coins
    where id = v_dispute.id;
    perform private.tell_treasurers('warning', 'A Payment Went Back Twice',
      format('%s of a payment for %s were refunded, and its bank had taken them back too. The guarantee account covers %s.',
        private.euros(v_missing), p_period.plan_name, private.euros(v_missing - v_coins)),
      'payment-returned-twice', jsonb_build_object('plan', p_period.plan_name, 'amount', v_missing, 'rest', v_missing - v_coins));
    perform private.note_debt(v_dispute.id);
  end loop;
end $function$;

CREATE OR REPLACE FUNCTION private.bring_claim_to_staff(p_claim public.payment_claims)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_payment public.member_payments;
  v_judges uuid[] := array(select id from private.people_who_may('users.edit') as staff (id) where not private.is_party_to(id, p_claim));
  v_person uuid;
begin
  select * into v_payment from public.member_payments where id = p_claim.payment_id;
  if v_judges = '{}' then
    perform private.settle_claim(p_claim, 'undecided');
    return;
  end if;
  v_payment.amount := p_claim.amount;
  perform private.tell_payment(v_payment, is_owner, 'info', 'payment-disagreement', 'Our Team Decides',
    format('You and %%3$s disagree about %%1$s for %%2$s. Our team decides within %s days.', extract(day from private.payment_dispute_time())),
    p_params => jsonb_build_object('days', extract(day from private.payment_dispute_time()), 'person', private.other_name(p_claim, is_owner))) from unnest('{true,false}'::boolean[]) as side (is_owner);
  perform private.notify(id, 'warning', 'Payment to Decide', format('Owner and member of %s disagree about a payment.', v_payment.plan_name),
    null, 'payment-to-decide', jsonb_build_object('claim', p_claim.id, 'plan', v_payment.plan_name)) from unnest(v_judges) as judge (id);
  foreach v_person in array array[p_claim.owner_id, p_claim.member_id] loop
    continue when (select count(*) from public.payment_claims where v_person in (owner_id, member_id) and disputed_at is not null)
      < private.disputes_to_tell();
    perform private.notify(id, 'warning', 'Many Payment Disputes',
      format('%s is in a payment dispute for the third time or more.', (select display_name from public.user_profiles where user_id = v_person)),
      null, 'payment-disputes-often', jsonb_build_object('person', (select display_name from public.user_profiles where user_id = v_person),
        'id', v_person)) from unnest(v_judges) as judge (id);
  end loop;
end $function$;

CREATE OR REPLACE FUNCTION private.buyer_of(p_payment public.member_payments, OUT name text, OUT evidence jsonb)
 RETURNS record
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select coalesce(kept.name, u.full_name, u.display_name), coalesce(kept.evidence, jsonb_build_object(
    'declared', (select country from private.home_countries where user_id = u.user_id),
    'card', (select pm.country from private.charges as c join public.payment_methods as pm on pm.id = c.tried_id
      where c.payment_id = p_payment.id and c.status = 'succeeded')))
    || coalesce((select jsonb_build_object('decided', q.decided) from private.country_questions as q
      where q.user_id = u.user_id and q.decided is not null and q.declared = (select country from private.home_countries where user_id = u.user_id)
        and q.card = (select pm.country from private.charges as c join public.payment_methods as pm on pm.id = c.tried_id
          where c.payment_id = p_payment.id and c.status = 'succeeded')), '{}')
  from public.user_profiles as u left join private.closed_buyers as kept on kept.payment_id = p_payment.id
  where u.user_id = p_payment.member_id
$function$;

CREATE OR REPLACE FUNCTION private.calendar_days(p_user_id uuid)
 RETURNS TABLE(uid text, day date, summary text, path text)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  with seat as (
    select s.*, s.provider || ' ' || s.plan_name as plan, paid.number, paid.until
    from private.seats as s
    left join lateral (
      select max(m.number) as number, max(m.ends_at) as until from public.member_payments as m
      where m.seat_id = s.id and m.status in ('paid', 'closed')
    ) as paid on true
    where s.member_id = p_user_id and s.ended_at is null and not private.is_paused(s)
  )
  select what.uid, (what.at at time zone private.zone_of(p_user_id))::date, what.summary, what.path
  from (
    select format('renewal-%s-%s', seat.id, seat.number + 1), seat.until,
      format('%s renews: %s', seat.plan, private.euros(price.share + price.fee)), '/manage-subscribed/' || seat.subscription_id
    from seat cross join lateral private.period_price(seat.settlement, seat.billing_cycle, seat.share, seat.fee_rate, seat.number + 1) as price
    where seat.ends_at is null and seat.until > private.now()
    union all
    select format('end-%s', seat.id), seat.ends_at, format('Your place in %s ends', seat.plan), '/manage-subscribed/' || seat.subscription_id
    from seat where seat.ends_at > private.now()
    union all
    select format('due-%s', m.id), m.due_at, format('%s is due for %s', private.euros(m.amount), m.plan_name), '/payments/' || m.id
    from public.member_payments as m where m.member_id = p_user_id and m.status in ('due', 'needs-action', 'failed')
  ) as what (uid, at, summary, path)
  union all
  select format('plan-%s-%s', id, next_payment), next_payment, format('Your payment to %s: %s', provider, private.euros(total_price)),
    '/manage-shared/' || id
  from public.shared_subscriptions where owner_id = p_user_id and status = 'active' and next_payment >= current_date
  order by 2, 1
$function$;

CREATE OR REPLACE FUNCTION private.calendar_of(p_token text)
 RETURNS TABLE(uid text, day date, summary text, path text)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare v_user uuid := (
  select u.id from private.calendars as c join auth.users as u on u.id = c.user_id
  where c.token_hash = encode(sha256(convert_to(coalesce(p_token, ''), 'UTF8')), 'hex')
    and private.is_open_account(u.deleted_at, u.banned_until)
);
begin
  if v_user is null then
    raise exception 'We don’t know this calendar' using errcode = 'PT404';
  end if;
  return query select * from private.calendar_days(v_user);
end $function$;

CREATE OR REPLACE FUNCTION private.chain_days(p_chain text)
 RETURNS TABLE(day date, line bigint, hash text)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select d.day, d.seal, d.seal_hash from private.daily_books as d where p_chain = 'books' and d.seal > 0
  union all select d.day, d.line, d.hash from private.staff_log_days as d where p_chain = 'staff'
$function$;

CREATE OR REPLACE FUNCTION private.chain_end(p_chain text)
 RETURNS TABLE(line bigint, hash text)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select e.line, e.hash from private.ledger_seal_end as e where p_chain = 'books'
  union all select e.line, e.hash from private.staff_log_end as e where p_chain = 'staff'
$function$;

CREATE OR REPLACE FUNCTION private.chain_hash(p_before text, p_line bigint, p_content jsonb)
 RETURNS text
 LANGUAGE sql
 STABLE
RETURN encode(sha256(convert_to(((jsonb_build_array(p_before, p_line) || p_content))::text, 'UTF8'::name)), 'hex'::text);

CREATE OR REPLACE FUNCTION private.chain_lines(p_chain text)
 RETURNS TABLE(line bigint, before text, hash text, content jsonb, subject text)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select s.line, null, s.hash, private.sealed_content_of(s, t, r, e.entries), private.seal_subject(s, t, r)
  from private.ledger_seals as s left join private.ledger_transfers as t on t.id = s.transfer_id
  left join private.sealed_records as r on r.id = s.record_id
  left join (
    select transfer_id, jsonb_agg(private.entry_text(x) order by x.account_id) as entries from private.ledger_entries as x group by transfer_id
  ) as e on e.transfer_id = s.transfer_id
  where p_chain = 'books'
  union all
  select l.line, l.previous_hash, l.hash, private.staff_log_content(l), 'line ' || l.line from private.staff_log as l where p_chain = 'staff'
$function$;

CREATE OR REPLACE FUNCTION private.charge_order(p_charge private.charges, p_period public.member_payments, p_rest numeric, p_card text)
 RETURNS jsonb
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  return jsonb_build_object(
    'period', p_period.id, 'intent', p_charge.intent, 'amountCents', round(p_rest * 100)::integer, 'currency', 'eur',
    'customer', (select reference from private.payment_customers where user_id = p_period.member_id and provider = p_charge.provider),
    'method', p_card, 'description', format('%s, period %s', p_period.plan_name, p_period.number),
    'debitOn', private.debit_day(p_charge, p_period), 'attempt', p_charge.attempts, 'since', floor(extract(epoch from p_charge.created_at))::integer, 'onSession', p_charge.on_session);
end $function$;

CREATE OR REPLACE FUNCTION private.check_agreement()
 RETURNS TABLE(fault text, subject text, expected numeric, found numeric)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  with moved as materialized (
    select t.*, giver.kind as gives, giver.owner as giver, taker.kind as takes, taker.owner as taker
    from private.ledger_transfers as t
    left join private.ledger_accounts as giver on giver.id = t.from_account
    left join private.ledger_accounts as taker on taker.id = t.to_account
  ), sums as materialized (
    select period_id,
      sum(case when kind = 'payment' and gives = 'wallet' then amount when kind = 'payment-returned' then -amount else 0 end) as coins,
      sum(case when kind = 'payment' and gives = 'outside' then amount else 0 end) as received,
      sum(case when kind = 'payment' and gives = 'outside' and takes <> 'refunds_due' then amount else 0 end) as card,
      sum(case when kind = 'earning' then amount else 0 end) as earned_share,
      sum(case when kind = 'fee' then amount else 0 end) as earned_fee,
      sum(case when takes = 'held_share' then amount when gives = 'held_share' then -amount else 0 end) as held_share,
      sum(case when takes = 'held_fee' then amount when gives = 'held_fee' then -amount else 0 end) as held_fee,
      sum(case when gives like 'held%' and kind in ('refund', 'chargeback') then amount
        when takes like 'held%' and kind = 'chargeback-won' then -amount else 0 end) as returned,
      sum(case when kind = 'refund' and gives in ('guarantee', 'connected') and (takes = 'wallet' or not key ^@ 'by-hand:') then amount else 0 end)
        as from_guarantee,
      sum(case when kind = 'refund' and gives = 'connected' then amount else 0 end) as refunded_account,
      sum(case when takes = 'refunds_due' then amount else 0 end) as to_refund,
      sum(case when takes = 'refunds_due' then amount when gives = 'refunds_due' then -amount else 0 end) as refunds_due,
      sum(case when kind = 'refund-failed' then amount else 0 end) as refund_failed,
      sum(case when kind = 'chargeback' and gives <> 'refunds_due' then amount else 0 end) as disputed,
      sum(case when kind = 'chargeback' and gives = 'wallet' then amount else 0 end) as disputed_coins,
      sum(case when kind = 'chargeback' and gives = 'connected' then amount else 0 end) as disputed_account,
      sum(case when kind = 'chargeback' and gives = 'guarantee' then amount else 0 end) as disputed_guarantee,
      sum(case when takes = 'connected' then amount else 0 end) as to_account,
      sum(case when kind = 'chargeback-won' then amount else 0 end) as won,
      sum(case when key ^@ 'dispute-cost:' then case gives when 'costs' then amount else -amount end else 0 end) as dispute_cost
    from moved where period_id is not null group by period_id
  ), refunds as (
    select payment_id, sum(amount) as amount, sum(amount) filter (where status in ('queued', 'pending')) as open,
      sum(amount) filter (where status = 'failed') as failed
    from private.refunds group by payment_id
  ), disputes as (
    select payment_id, sum(from_share + from_fee + from_coins + from_account + from_guarantee) as taken, sum(from_coins) as coins,
      sum(from_account) as account, sum(from_guarantee) as guarantee, sum(from_refunds) as refunds, sum(cost) as cost,
      sum(from_share + from_fee + from_coins + from_account + from_guarantee + from_refunds) filter (where status = 'won') as won
    from public.payment_disputes group by payment_id
  )
  -- Each transfer: between the accounts, for the place, the person and the reason that its kind, its key and its payment say.
  select 'A transfer is not what its kind, its key and its payment say', t.kind || ' ' || t.key, null::numeric, null::numeric
  from moved as t left join public.member_payments as m on m.id = t.period_id
  left join private.seats as s on s.id = t.seat_id left join private.charges as c on c.payment_id = t.period_id
  where (private.is_movement(t.kind, t.gives, t.takes)
    and (t.period_id is null) = (t.kind in ('adjustment', 'withdrawal', 'withdrawal-returned', 'given-up', 'handed-over', 'account',
      'account-failed', 'payout', 'payout-failed'))
    and t.seat_id is not distinct from m.seat_id
    and t.subscription_id is not distinct from s.subscription_id
    and t.person_id is not distinct from
      case when t.takes in ('wallet', 'connected') then t.taker when t.gives in ('wallet', 'connected') then t.giver else s.member_id end
    and (t.period_id is null
      or case when t.gives like 'held%' then t.giver = t.seat_id when t.gives = 'wallet' then t.giver = m.member_id
        when t.gives = 'connected' then t.giver = m.owner_id else t.giver is null end
      and case when t.takes like 'held%' then t.taker = t.seat_id
        when t.takes = 'wallet' then t.taker = case t.kind when 'earning' then m.owner_id else m.member_id end
        when t.takes = 'connected' then t.taker = m.owner_id else t.taker is null end)
    and t.key ^@ any (private.key_begins(t.kind, t.period_id, t.person_id, c.intent))
  ) is not true
  union all
  select 'An entry has another time than its transfer', t.kind || ' ' || t.key, null, null
  from private.ledger_transfers as t join private.ledger_entries as e on e.transfer_id = t.id where e.created_at <> t.created_at
  union all
  select 'Money moved for a payment that is missing', 'period ' || l.period_id, null, null
  from sums as l left join public.member_payments as m on m.id = l.period_id where m.id is null
  union all
  -- Each payment. A card payment that was let go, because the rest did not come, is no longer in a payment that was cancelled.
  select 'A payment does not agree with the ledger: ' || part.what, format('%s, period %s (%s)', m.plan_name, m.number, m.id),
    coalesce(part.ledger, 0), coalesce(part.found, 0)
  from public.member_payments as m left join sums as l on l.period_id = m.id
  left join private.charges as c on c.payment_id = m.id left join refunds as r on r.payment_id = m.id
  left join disputes as d on d.payment_id = m.id
  cross join lateral (values
    ('paid in coins', l.coins, m.coins),
    ('paid by card', case m.status when 'cancelled' then 0 else l.card end, m.card),
    ('earned by the owner', l.earned_share, m.earned_share),
    ('earned by the site', l.earned_fee, m.earned_fee),
    ('returned', l.returned - case m.status when 'cancelled' then l.card else 0 end, m.returned_share + m.returned_fee),
    ('returned by the site', l.from_guarantee, m.from_guarantee),
    ('held of the share', l.held_share, least(m.share, m.coins + m.card) - m.earned_share - m.returned_share),
    ('held of the fee', l.held_fee, greatest(0, m.coins + m.card - m.share) - m.earned_fee - m.returned_fee),
    ('received by its charge', l.received, c.received),
    ('its refunds', l.to_refund, r.amount),
    ('its refunds on their way', l.refunds_due, r.open),
    ('its failed refunds', l.refund_failed, r.failed - coalesce(d.refunds, 0)),
    ('taken by disputes', l.disputed, d.taken),
    ('taken by disputes in coins', l.disputed_coins, d.coins),
    ('taken by disputes from the owner''s account', l.disputed_account, d.account),
    ('taken back of transfers to it', coalesce(d.account, 0) + coalesce(l.refunded_account, 0),
      (select sum(r.amount) from private.account_reversals as r join private.account_transfers as t on t.id = r.transfer_id where t.payment_id = m.id)),
    ('sent to the owner''s account', l.to_account, (select sum(t.amount) from private.account_transfers as t where t.payment_id = m.id)),
    ('taken by disputes from the site', l.disputed_guarantee, d.guarantee),
    ('put back after disputes', l.won, d.won),
    ('the provider''s fees for disputes', l.dispute_cost, d.cost)
  ) as part (what, ledger, found)
  where coalesce(part.ledger, 0) <> coalesce(part.found, 0)
  union all
  select 'A payment does not agree with its status, ' || m.status, format('%s, period %s (%s)', m.plan_name, m.number, m.id),
    m.amount, m.coins + m.card
  from public.member_payments as m, lateral (
    select m.coins + m.card as paid, m.earned_share + m.earned_fee as earned, m.returned_share + m.returned_fee as returned
  ) as sum
  where case
    when m.settlement = 'direct' then m.fee + sum.paid + sum.earned + sum.returned > 0
    when m.status in ('paid', 'closed') then sum.paid <> m.amount or (m.status = 'closed' and sum.earned + sum.returned <> m.amount)
    when m.status = 'given-back' then sum.earned > 0 or sum.paid <> sum.returned
    when m.status = 'cancelled' then sum.paid > 0
    else sum.earned + sum.returned > 0
  end
  union all
  select 'A payment is not of its place', format('%s, period %s (%s)', m.plan_name, m.number, m.id), null, null
  from public.member_payments as m left join private.seats as s on s.id = m.seat_id
  where (m.owner_id, m.member_id, m.subscription_id) is distinct from (s.owner_id, s.member_id, s.subscription_id)
  union all
  select 'A debt does not agree with the ledger', coalesce('debt ' || d.id, l.period_id::text), coalesce(l.amount, 0), coalesce(d.coins + d.card, 0)
  from public.debts as d full join (
    select period_id, split_part(key, ':', 2) as debt, sum(case takes when 'guarantee' then amount else -amount end) as amount
    from moved where kind = 'debt' group by 1, 2 having sum(case takes when 'guarantee' then amount else -amount end) <> 0
  ) as l on l.debt = d.id::text and l.period_id = d.payment_id
  where coalesce(l.amount, 0) <> coalesce(d.coins + d.card, 0)
  union all
  select 'A charge does not agree with its status, ' || c.status, 'period ' || c.payment_id, null, c.received
  from private.charges as c where (c.status = 'succeeded') <> (c.received > 0)
  union all
  select 'A refund does not agree with its status, ' || r.status, 'refund ' || r.id, r.amount, coalesce(t.amount, 0)
  from private.refunds as r left join moved as t on t.key = 'refund:' || r.id and t.period_id = r.payment_id
  where case r.status when 'succeeded' then t.amount is distinct from r.amount when 'failed' then t.amount <> r.amount
    else t.amount is not null end
  union all
  select 'A withdrawal does not agree with the ledger', coalesce(w.id::text, t.key), coalesce(t.amount, 0), coalesce(w.amount, 0)
  from (select id, user_id, amount from public.withdrawal_requests where status = 'completed') as w
  full join (select * from moved where kind = 'withdrawal') as t on t.key = 'withdrawal:' || w.id
  where (w.amount, w.user_id) is distinct from (t.amount, t.person_id)
  union all
  select 'A returned withdrawal does not agree with the ledger', coalesce(w.id::text, t.key), coalesce(t.amount, 0), coalesce(w.amount, 0)
  from (select id, user_id, amount from public.withdrawal_requests where returned_at is not null) as w
  full join (select * from moved where kind = 'withdrawal-returned') as t on t.key = 'withdrawal-returned:' || w.id
  where (w.amount, w.user_id) is distinct from (t.amount, t.person_id)
  union all
  select 'A withdrawal names another account than the one it goes to', w.id::text, null, null
  from public.withdrawal_requests as w join private.bank_accounts as a on a.id = w.bank_account_id
  where (w.bank_account_last4, w.user_id) is distinct from (a.last4, a.user_id)
  union all
  -- Coins moved to accounts, what did not arrive there, and what the provider paid out of them.
  select 'An account does not agree with the ledger: ' || part.what, coalesce(part.key, l.key), l.amount, part.amount
  from (
    select 'coins moved there' as what, 'account:' || id as key, user_id, amount from private.account_transfers where payment_id is null
    union all
    select 'not accepted', 'account-failed:' || t.id, t.user_id, t.amount - coalesce(sum(r.amount), 0) from private.account_transfers as t
    left join private.account_reversals as r on r.transfer_id = t.id where t.status = 'failed' group by t.id having t.amount > coalesce(sum(r.amount), 0)
    union all
    select 'paid out', 'payout:' || id, user_id, amount from private.account_payouts as p
    where status = 'paid' or exists (select from private.ledger_transfers where key = 'payout-failed:' || p.id)
    union all
    select 'returned by the bank', 'payout-failed:' || id, user_id, amount from private.account_payouts as p
    where status in ('failed', 'canceled') and exists (select from private.ledger_transfers where key = 'payout:' || p.id)
  ) as part full join (
    select key, person_id, case when (kind, gives) in (('payout', 'outside'), ('payout-failed', 'connected')) then -amount else amount end as amount
    from moved where kind in ('account', 'account-failed', 'payout', 'payout-failed')
  ) as l on l.key = part.key
  where (l.amount, l.person_id) is distinct from (part.amount, part.user_id)
  union all
  -- Who adjusted a wallet and why stands in the log of staff too, which has a chain of its own.
  select 'An adjustment does not agree with the log of staff', coalesce(t.key, 'transfer ' || l.transfer), l.amount, t.coins
  from (
    select (details ->> 'transfer')::bigint as transfer, (details ->> 'amount')::numeric as amount, subject, details ->> 'reason' as reason, actor
    from private.staff_log where action = 'wallet adjusted'
  ) as l full join (
    select *, case takes when 'wallet' then amount else -amount end as coins from moved where kind = 'adjustment'
  ) as t on t.id = l.transfer
  where (l.amount, l.subject, l.reason, l.actor) is distinct from (t.coins, t.person_id::text, t.description, t.created_by)
  union all
  -- Each movement of coins says what its transfer says: the nth of a wallet is of the nth entry of its account.
  select 'A movement of coins does not agree with its transfer', coalesce(c.user_id, l.owner) || ' ' || coalesce(c.place, l.place), l.amount, c.amount
  from (select t.*, row_number() over (partition by user_id order by created_at, id) as place from public.coin_transactions as t) as c
  full join (
    select a.owner, row_number() over (partition by a.id order by e.version) as place, abs(e.amount) as amount, t.description, t.created_at, t.created_by,
      case when private.is_movement(t.kind, t.gives, t.takes) then private.coin_type(t.kind, e.amount > 0) end as type
    from private.ledger_accounts as a join private.ledger_entries as e on e.account_id = a.id join moved as t on t.id = e.transfer_id
    where a.kind = 'wallet'
  ) as l on (l.owner, l.place) = (c.user_id, c.place)
  where (c.transaction_type, c.amount, c.description, c.created_at, c.created_by)
    is distinct from (l.type, l.amount, l.description, l.created_at, l.created_by)
  union all
  -- Wallets: balance, totals and movements of each type.
  select 'A wallet does not agree with the ledger: ' || part.what, coalesce(w.user_id, l.owner, c.user_id)::text,
    coalesce(part.ledger, 0), coalesce(part.found, 0)
  from public.user_wallets as w
  full join (
    select owner, sum(amount) filter (where type = 'earned') as earned, sum(amount) filter (where type = 'spent') as spent,
      sum(amount) filter (where type = 'withdrawn') as withdrawn, sum(amount) filter (where type = 'refunded') as refunded,
      sum(amount) filter (where kind = 'withdrawal-returned') as returned
    from (
      select taker as owner, amount, kind, private.coin_type(kind, true) as type from moved where takes = 'wallet'
        and private.is_movement(kind, gives, takes)
      union all
      select giver, amount, kind, private.coin_type(kind, false) from moved where gives = 'wallet' and private.is_movement(kind, gives, takes)
    ) as coins group by owner
  ) as l on l.owner = w.user_id
  full join (
    select user_id, sum(amount) filter (where transaction_type = 'earned') as earned, sum(amount) filter (where transaction_type = 'spent') as spent,
      sum(amount) filter (where transaction_type = 'withdrawn') as withdrawn, sum(amount) filter (where transaction_type = 'refunded') as refunded
    from public.coin_transactions group by user_id
  ) as c on c.user_id = coalesce(w.user_id, l.owner)
  cross join lateral (values
    ('earned in all', l.earned, w.total_earned), ('withdrawn in all', coalesce(l.withdrawn, 0) - coalesce(l.returned, 0), w.total_withdrawn),
    ('movements earned', l.earned, c.earned), ('movements spent', l.spent, c.spent),
    ('movements withdrawn', l.withdrawn, c.withdrawn), ('movements refunded', l.refunded, c.refunded)
  ) as part (what, ledger, found)
  where coalesce(part.ledger, 0) <> coalesce(part.found, 0)
$function$;

CREATE OR REPLACE FUNCTION private.check_books(p_hash text DEFAULT NULL::text)
 RETURNS TABLE(fault text, subject text, expected numeric, found numeric)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  return query
  select * from private.check_ledger()
  union all select * from private.check_seals(p_hash)
  union all select * from private.check_records()
  union all select * from private.check_agreement()
  union all select * from private.check_invoices()
  union all select * from private.check_taxation()
  union all select * from private.check_guards();
end $function$;

CREATE OR REPLACE FUNCTION private.check_chain(p_chain text, p_hash text DEFAULT NULL::text)
 RETURNS TABLE(line bigint, fault text, subject text)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  with lines as materialized (
    select l.*, lag(l.line, 1, 0::bigint) over numbered + 1 as next, lag(l.hash, 1, '') over numbered as hash_before
    from private.chain_lines(p_chain) as l window numbered as (order by l.line)
  )
  select l.line, case when l.content is null then 'What this line is about was removed' else 'A line is not what it was when it was sealed' end,
    l.subject
  from lines as l where l.hash is distinct from private.chain_hash(coalesce(l.before, l.hash_before), l.line, l.content)
  union all
  select l.line, 'A line before this one is missing or another one', l.subject from lines as l
  where l.line <> l.next or l.before <> l.hash_before
  union all
  select e.line, 'The chain does not reach its end, or goes on after it', 'line ' || e.line from private.chain_end(p_chain) as e
  left join (select l.line, l.hash from lines as l order by l.line desc limit 1) as last on true
  where (e.line, e.hash) is distinct from (coalesce(last.line, 0), coalesce(last.hash, ''))
  union all
  select null, 'The chain has no end', p_chain where not exists (select from private.chain_end(p_chain))
  union all
  select d.line, 'The hash mailed for this day is no longer that of its line', d.day::text from private.chain_days(p_chain) as d
  where not exists (select from lines as l where (l.line, l.hash) = (d.line, d.hash))
  union all
  select null, 'The hash from the mail is that of no line', p_hash
  where p_hash is not null and not exists (select from lines as l where l.hash = lower(btrim(p_hash)))
$function$;

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
    select substr(number, 1, char_length(number) - char_length(digits)) as name, count(*) as invoices, min(digits::numeric) as first, max(digits::numeric) as last
    from public.fee_invoices cross join lateral substring(number from '[0-9]+$') as digits group by 1
  ) as n on n.name = s.name
  where (s.last, s.last, 1) is distinct from (n.invoices, n.last, n.first)
  union all
  -- The transfers of an invoice were sealed before it, so the seals have come at least that far.
  select 'Invoices were made of more than they are said to be', 'invoices_through', max(made.line), t.line
  from private.invoices_through as t, (
    select min(s.line) as line from public.fee_invoices as i join private.ledger_transfers as t on t.period_id = i.payment_id
    join private.ledger_accounts as a on a.id = t.to_account and a.kind = 'held_fee'
    join private.ledger_seals as s on s.transfer_id = t.id group by i.payment_id
  ) as made group by t.line having max(made.line) > t.line
  union all
  select 'It is not said how far invoices have come', 'invoices_through', 1, 0 where not exists (select from private.invoices_through)
$function$;

CREATE OR REPLACE FUNCTION private.check_records()
 RETURNS TABLE(fault text, subject text, expected numeric, found numeric)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
 SET "TimeZone" TO 'UTC'
AS $function$
declare v_kind record;
begin
  for v_kind in select * from private.sealed_kinds() loop
    return query execute format($query$
      with kept as (
        select private.sealed_subject(%3$L, rows.content) as subject, private.sealed_content(%1$L, rows.content) as content
        from (select to_jsonb(t) as content from %2$s as t where %4$s) as rows
      ), last as (
        select distinct on (r.subject) r.subject, r.digest, r.salt, count(*) over (partition by r.subject) as records
        from private.sealed_records as r where r.kind = %1$L order by r.subject, r.id desc
      )
      select case when last.subject is null then 'A row has no record: '
          when kept.subject is null then 'A row that was sealed is missing: '
          when last.digest is distinct from private.record_digest(last.salt, kept.content) then 'A row is not what was sealed: '
          else 'A row that never changes was sealed again: ' end || %1$L,
        coalesce(kept.subject, last.subject), null::numeric, null::numeric
      from kept full join last on last.subject = kept.subject
      where last.subject is null or kept.subject is null and (last.digest is not null or not %6$L::boolean)
        or kept.subject is not null and (last.digest is distinct from private.record_digest(last.salt, kept.content)
          or %5$L::boolean and last.records > 1)
    $query$, v_kind.kind, v_kind.relation, v_kind.key, v_kind.condition, v_kind.is_fixed, v_kind.is_deletable);
  end loop;
  return query select 'A record is of no kind there is', r.kind || ' ' || r.subject, null::numeric, null::numeric
    from private.sealed_records as r where r.kind not in (select k.kind from private.sealed_kinds() as k);
end $function$;

CREATE OR REPLACE FUNCTION private.check_seals(p_hash text DEFAULT NULL::text)
 RETURNS TABLE(fault text, subject text, expected numeric, found numeric)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  return query
  select c.fault, c.subject, null::numeric, null::numeric from private.check_chain('books', p_hash) as c
  union all
  select 'A transfer was passed over by the seals', t.kind || ' ' || t.key, null, null from private.ledger_transfers as t
  where t.id <= (select through from private.ledger_seal_end)
    and not exists (select from private.ledger_seals as s where s.transfer_id = t.id)
  union all
  select 'A record was passed over by the seals', r.kind || ' ' || r.subject, null, null from private.sealed_records as r
  where r.id <= (select records_through from private.ledger_seal_end)
    and not exists (select from private.ledger_seals as s where s.record_id = r.id);
end $function$;

CREATE OR REPLACE FUNCTION private.check_session()
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_user uuid := auth.uid();
  v_claims jsonb := auth.jwt();
  v_has_factor boolean;
  v_action text;
  v_attempts integer;
  v_window integer;
begin
  -- Of a person's program: private.claims_of_ticket() has looked at its token.
  if v_user is null or v_claims ? 'token_id' then return; end if;
  -- One statement, as every request waits for it.
  select exists (select from auth.mfa_factors where user_id = u.id and status = 'verified'), l.action, l.attempts, l.window_seconds
  into v_has_factor, v_action, v_attempts, v_window
  from auth.sessions as s join auth.users as u on u.id = s.user_id
  left join private.rate_limits as l
    on (select current_setting('request.method', true) || ' ' || current_setting('request.path', true)) = any (l.requests)
  where s.id = (v_claims ->> 'session_id')::uuid and s.user_id = v_user
    and coalesce(s.not_after > now(), true)
    and private.is_open_account(u.deleted_at, u.banned_until);
  if not found then
    raise exception 'Your session has ended. Please sign in again.' using errcode = 'PT401';
  end if;
  if v_has_factor and not private.shows_second_factor() then
    raise exception 'Your account asks for the code of your authenticator app as well.' using errcode = '42501';
  end if;
  if v_action is not null then
    perform private.count_attempt(v_user, v_action, v_attempts, v_window);
    perform set_config('request.counted', v_action, true);
  end if;
end $function$;

CREATE OR REPLACE FUNCTION private.check_staff_log(p_hash text DEFAULT NULL::text)
 RETURNS TABLE(line bigint, fault text)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  return query select c.line, c.fault from private.check_chain('staff', p_hash) as c;
end $function$;

CREATE OR REPLACE FUNCTION private.check_taxation()
 RETURNS TABLE(fault text, subject text, expected numeric, found numeric)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  with document as (
    select i.*, i.seller ->> 'mode' as mode, private.vat_rate(i.buyer_country, day) as buyer_rate, private.vat_rate(i.seller ->> 'country', day) as seller_rate
    from public.fee_invoices as i cross join lateral (select (i.paid_at at time zone 'utc')::date as day) as of_payment
  ), due as (
    select d.*, case when mode = 'small' then 'E' when buyer_rate is null then 'O' else 'S' end as due_category,
      case when mode = 'small' or buyer_rate is null then 0 when mode = 'oss' then buyer_rate else seller_rate end as due_rate
    from document as d
  )
  select 'A document has another rate than its day, its country and the settings demand', number, due_rate, vat_rate from due
  where vat_rate is distinct from due_rate
  union all
  select 'A document has another category of VAT than its country and the settings demand', number || ' ' || category, null, null from due
  where category is distinct from due_category
  union all
  select 'A document has another country than the evidence says', number, null, null from due
  where buyer_country is distinct from coalesce(private.country_of(evidence, (paid_at at time zone 'utc')::date), seller ->> 'country')
  union all
  select 'A document has a seller that the settings never named', number, null, null from due
  where jsonb_strip_nulls(seller - 'mode') not in (select p.seller from private.past_vat_settings() as p)
    or mode not in (select p.mode from private.past_vat_settings() as p)
  union all
  select 'A document has another buyer, day or plan than its payment', d.number, null, null
  from due as d left join public.member_payments as m on m.id = d.payment_id
  where (d.buyer_id, d.paid_at, d.plan_name, d.period) is distinct from (m.member_id, m.paid_at, m.plan_name, m.number)
  union all
  select 'A credit note says something else than its invoice', d.number, null, null
  from due as d left join public.fee_invoices as i on i.id = d.corrects
  where d.corrects is not null and (d.payment_id, d.buyer_name, d.buyer_country, d.evidence, d.seller, d.category, d.vat_rate)
    is distinct from (i.payment_id, i.buyer_name, i.buyer_country, i.evidence, i.seller, i.category, i.vat_rate)
$function$;

CREATE OR REPLACE FUNCTION private.claim_access_wait()
 RETURNS interval
 LANGUAGE sql
 IMMUTABLE
RETURN '3 days'::interval;

CREATE OR REPLACE FUNCTION private.claim_reminder_at(p_claim public.payment_claims)
 RETURNS timestamp with time zone
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
begin
  return p_claim.answer_by - private.answer_time(p_claim) + (private.claim_reminders())[p_claim.reminders + 1];
end $function$;

CREATE OR REPLACE FUNCTION private.claim_reminders()
 RETURNS interval[]
 LANGUAGE sql
 IMMUTABLE
RETURN '{"1 day","3 days","6 days"}'::interval[];

CREATE OR REPLACE FUNCTION private.claim_time()
 RETURNS interval
 LANGUAGE sql
 IMMUTABLE
RETURN '7 days'::interval;

CREATE OR REPLACE FUNCTION private.close_claim(p_payment_id uuid, p_status text, p_kind text DEFAULT 'payment'::text)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  update public.payment_claims set status = p_status, answer_by = null, closed_at = private.now()
  where payment_id = p_payment_id and kind = p_kind and status in ('open', 'disputed');
end $function$;

CREATE OR REPLACE FUNCTION private.close_day()
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_midnight timestamptz := date_trunc('day', private.now() at time zone 'utc') at time zone 'utc';
  v_day date := (v_midnight at time zone 'utc')::date - 1;
  v_books private.daily_books;
  v_last private.staff_log;
  v_transfers bigint;
begin
  -- Two clocks running at once must close the day once.
  perform pg_advisory_xact_lock(hashtext('close day'));
  if exists (select from private.daily_books where day = v_day) then return; end if;
  perform private.seal_transfers();
  v_books := private.books_at(v_midnight);
  insert into private.daily_books select v_books.*;
  v_transfers := (select count(*) from private.ledger_seals where transfer_id is not null);
  select * into v_last from private.staff_log as l where l.at < v_midnight order by l.line desc limit 1;
  if not found then return; end if;
  insert into private.staff_log_days (day, line, hash) values (v_day, v_last.line, v_last.hash);
  perform private.write_mail(account.email, account.id, format('The log of staff up to %s', to_char(v_day, 'FMDD FMMonth YYYY')),
    jsonb_build_object('heading', 'The log of staff', 'sentences', jsonb_build_array(
      format('Line %s is the last one of %s. Its hash is', v_last.line, to_char(v_day, 'FMDD FMMonth YYYY')),
      v_last.hash,
      'Keep this mail: "npm run admin -- check-log <hash>" finds out whether any line up to it was changed or taken out.',
      format('The ledger has %s sealed transfers. The hash of the last one is', v_transfers),
      case v_books.seal when 0 then 'none yet.' else v_books.seal_hash end,
      '"npm run admin -- check-books <hash>" finds out whether any of them was changed or taken out.',
      case when v_books.faults = 0 then 'The books balance.' else format('The books have %s faults: "npm run admin -- check-books" names them.', v_books.faults) end
    ), 'action', 'Read the log', 'path', '/admin/log', 'small_print', 'Super-admins get this mail every day.',
      'closing', 'It cannot be ended while you are one.'),
    'staff-log-day', jsonb_build_object('day', v_day, 'line', v_last.line, 'hash', v_last.hash, 'faults', v_books.faults,
      'transfers', v_transfers, 'seal', v_books.seal_hash))
  from public.user_roles as held join auth.users as account on account.id = held.user_id
  where held.role = 'super-admin' and account.deleted_at is null and private.is_mailable(account.email);
end $function$;

CREATE OR REPLACE FUNCTION private.close_debt(p_payment_id uuid, p_reason text)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_payment public.member_payments;
  v_reason text := btrim(coalesce(p_reason, ''));
begin
  if not private.proven(private.may('users.edit')) then
    raise exception 'Only admins can do this' using errcode = '42501';
  end if;
  perform private.lock_seat((select seat_id from public.member_payments where id = p_payment_id));
  select * into v_payment from public.member_payments where id = p_payment_id;
  if not private.is_owed_back(v_payment) then
    raise exception 'Nothing is owed here' using errcode = '23514';
  elsif auth.uid() = v_payment.owner_id or exists (
    select from private.seats where subscription_id = v_payment.subscription_id and member_id = auth.uid()) then
    raise exception 'You have or had a place in this plan, so another admin decides' using errcode = '42501';
  elsif private.visible_length(v_reason) = 0 or char_length(v_reason) > private.longest_note() then
    raise exception 'Please give both a reason, in up to % characters', private.longest_note() using errcode = '23514';
  end if;
  perform private.close_claim(v_payment.id, 'void', 'repayment');
  update public.member_payments set debt_closed_at = private.now() where id = v_payment.id;
  perform private.log_staff('debt closed', v_payment.id::text, jsonb_build_object('owner', v_payment.owner_id, 'reason', v_reason));
  perform private.wake_seat(v_payment.seat_id);
  v_payment.amount := v_payment.owed_back;
  perform private.tell_payment(v_payment, is_owner, 'info', 'payment-debt-closed', 'Refund Closed',
    'Our team closed the refund of %1$s for %2$s: %4$s', v_reason) from unnest('{true,false}'::boolean[]) as side (is_owner);
end $function$;

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
  v_lost_from timestamptz := least(case v_seat.end_reason when 'withdrawn' then v_seat.ended_at else p_lost_from end,
    private.suspended_since(v_seat));
begin
  select * into v_period from public.member_payments where id = p_period;
  if v_period.settlement = 'direct' then
    v_unused := private.unused_of(v_period, v_lost_from);
    perform private.record_debt(v_seat, v_period, v_unused.share);
  elsif v_period.status = 'paid' then
    v_unused := private.unused_of(v_period, v_lost_from);
    perform private.give_back(p_period, v_unused.share, v_unused.fee,
      case when v_seat.end_reason = 'withdrawn' and v_seat.ended_at = private.now() then 'withdrawn'
        when v_period.starts_at is null then 'no-access' when v_seat.ended_at is not null then 'ended' else 'problem' end);
    perform private.move_earnings(array[id], true) from public.member_payments where id = p_period and status = 'paid';
  end if;
end $function$;

CREATE OR REPLACE FUNCTION private.close_returned_payment(p_payment_id uuid, p_goodwill boolean)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare v_seat private.seats;
begin
  update private.returned_payments set decided_at = private.now(), is_goodwill = p_goodwill where payment_id = p_payment_id;
  select s.* into v_seat from private.returned_payments as r join private.seats as s on s.id = r.seat_id where r.payment_id = p_payment_id;
  if not p_goodwill then
    perform private.end_seat(v_seat.id, 'removed', null);
    return;
  end if;
  perform private.wake_seat(v_seat.id);
  perform private.tell_seat(v_seat, v_seat.member_id, 'success', 'place-kept', 'Your Place Goes On',
    format('Your place in %s %s goes on.', v_seat.provider, v_seat.plan_name));
  perform private.tell_seat(v_seat, v_seat.owner_id, 'success', 'member-back', 'Place Goes On',
    format('%s’s place in %s %s goes on as before.', (select display_name from public.user_profiles where user_id = v_seat.member_id),
      v_seat.provider, v_seat.plan_name));
end $function$;

CREATE OR REPLACE FUNCTION private.close_suspended(p_suspension private.suspensions)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform private.notify(w.user_id, 'info', 'Waiting List Closed', format('%s %s takes no new members, so you’re no longer waiting for it.',
      p.provider, p.name), null, 'waiting-list-closed', jsonb_build_object('plan', p.provider || ' ' || p.name))
  from public.waiting_list as w join public.shared_subscriptions as p on p.id = w.subscription_id where p.owner_id = p_suspension.user_id;
  delete from public.waiting_list as w using public.shared_subscriptions as p
  where p.id = w.subscription_id and p_suspension.user_id in (p.owner_id, w.user_id);
  update private.suspensions set ended_places_at = private.now() where id = p_suspension.id;
  perform private.requeue_account_transfers(p_suspension.user_id);
end $function$;

CREATE OR REPLACE FUNCTION private.coin_type(p_kind text, p_is_in boolean)
 RETURNS text
 LANGUAGE plpgsql
 IMMUTABLE
 SET search_path TO ''
AS $function$
declare v_type text := case
  when p_is_in and p_kind in ('earning', 'adjustment') then 'earned'
  when p_is_in and p_kind in ('payment-returned', 'refund', 'refund-failed', 'withdrawal-returned', 'chargeback-won', 'debt', 'handed-over',
    'account-failed') then 'refunded'
  when not p_is_in and p_kind in ('withdrawal', 'account') then 'withdrawn'
  when not p_is_in and p_kind in ('payment', 'adjustment', 'chargeback', 'debt', 'given-up', 'handed-over') then 'spent'
end;
begin
  if v_type is null then
    raise exception 'A % does not move coins %', p_kind, case when p_is_in then 'in' else 'out' end using errcode = '23514';
  end if;
  return v_type;
end $function$;

CREATE OR REPLACE FUNCTION private.confirm_direct_payments(p_entries jsonb)
 RETURNS TABLE(key text, fate text, params jsonb)
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_user uuid := private.require_user();
  v_entry record;
  v_payment public.member_payments;
begin
  for v_entry in
    select f.*, c.chosen from private.entry_fates(p_entries) as f
    join (select e ->> 'key' as entry, (e ->> 'payment')::uuid as chosen from jsonb_array_elements(p_entries) as e) as c on c.entry = f.key
    left join public.member_payments as m on m.id = f.payment
    -- Places are locked in one order.
    order by m.seat_id, m.number
  loop
    key := v_entry.key;
    fate := v_entry.fate;
    params := v_entry.params;
    if v_entry.fate = 'pays' and v_entry.payment = v_entry.chosen then
      v_payment := private.lock_direct_payment(v_entry.payment, true);
      if v_payment.status in ('due', 'claimed', 'disputed') then
        insert into private.used_bank_entries (owner_id, entry_hash, payment_id) values (v_user, v_entry.entry_hash, v_payment.id) on conflict do nothing;
        fate := case when found then 'done' else 'confirmed' end;
      else
        fate := 'confirmed';
      end if;
      if fate = 'done' then
        perform private.receive_payment(v_payment, 'statement');
      end if;
    end if;
    return next;
  end loop;
end $function$;

CREATE OR REPLACE FUNCTION private.confirm_payment(p_payment_id uuid)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform private.receive_payment(private.lock_direct_payment(p_payment_id, true), 'owner');
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

CREATE OR REPLACE FUNCTION private.country_of(p_evidence jsonb, p_day date)
 RETURNS text
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_declared text := p_evidence ->> 'declared';
  v_card text := p_evidence ->> 'card';
begin
  return coalesce(p_evidence ->> 'decided',
    case when private.vat_rate(v_declared, p_day) is null and private.vat_rate(v_card, p_day) is not null then v_card end, v_declared, v_card);
end $function$;

CREATE OR REPLACE FUNCTION private.create_claim(p_payment public.member_payments, p_kind text, p_note text)
 RETURNS public.payment_claims
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_note text := private.problem_note(p_note);
  v_is_disputed boolean := exists (
    select from public.payment_claims where payment_id = p_payment.id and kind = p_kind and status = 'denied');
  v_seat private.seats;
  v_claim public.payment_claims;
begin
  if v_is_disputed and private.visible_length(coalesce(v_note, '')) = 0 then
    raise exception 'Please say how and when you paid, in up to % characters', private.longest_note() using errcode = '23514';
  end if;
  select * into v_seat from private.seats where id = p_payment.seat_id;
  v_claim.after_end := v_seat.ended_at is not null;
  v_claim.kind := p_kind;
  insert into public.payment_claims (payment_id, seat_id, owner_id, member_id, kind, amount, note, after_end, status, answer_by, access_from,
    disputed_at)
  values (p_payment.id, v_seat.id, p_payment.owner_id, p_payment.member_id, p_kind,
    case p_kind when 'payment' then p_payment.amount else p_payment.owed_back end, v_note, v_claim.after_end,
    case when v_is_disputed then 'disputed' else 'open' end,
    private.now() + case when v_is_disputed then private.payment_dispute_time() else private.answer_time(v_claim) end,
    case when p_kind = 'payment' and v_seat.ended_at is null then private.now() + private.claim_access_wait() end,
    case when v_is_disputed then private.now() end)
  returning * into v_claim;
  return v_claim;
end $function$;

CREATE OR REPLACE FUNCTION private.create_hold(p_user_id uuid, p_ground text, p_until timestamp with time zone, p_reason text, p_message text)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare v_day date := private.day_in(p_until, private.zone_of(p_user_id));
begin
  insert into private.payout_holds (user_id, ground, until) values (p_user_id, p_ground, p_until)
  on conflict (user_id) where released_at is null do update set ground = excluded.ground, until = excluded.until;
  perform private.tell_hold(p_user_id, 'warning', 'Payouts Held', format(p_message, to_char(p_until, 'FMDD FMMonth YYYY'), p_ground),
    'payout-held', jsonb_build_object('day', v_day, 'reason', p_reason));
end $function$;

CREATE OR REPLACE FUNCTION private.current_hold(p_user_id uuid)
 RETURNS private.payout_holds
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  return (select h from private.payout_holds as h where user_id = p_user_id and released_at is null and until > private.now());
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
  v_day date := p_day;
  v_creditor text := (select coalesce(creditor, '') from private.payment_provider);
  v_amount numeric;
  v_is_in boolean;
  v_terms jsonb;
begin
  update public.member_payments set status = 'processing', claimed_at = coalesce(claimed_at, private.now()),
    next_attempt_at = private.now() + private.debit_time()
  where id = p_charge.payment_id and status in ('due', 'charging', 'needs-action', 'failed') returning * into v_period;
  if not found then return; end if;
  v_day := coalesce(v_day, private.debit_day(p_charge, v_period), private.day_in(private.now(), private.zone_of(v_seat.member_id)));
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

CREATE OR REPLACE FUNCTION private.debit_day(p_charge private.charges, p_period public.member_payments)
 RETURNS date
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if p_charge.kind <> 'sepa_debit' or p_charge.attempts <= 1 and exists (
    select from public.member_payments as before join public.payment_methods as m on m.id = p_charge.tried_id
    where before.seat_id = p_period.seat_id and before.number = p_period.number - 1
      and before.announced_at <= private.now() - private.debit_notice() and m.chosen_at <= before.announced_at
  ) then
    return null;
  end if;
  return ((private.now() + private.soonest_debit()) at time zone 'utc')::date;
end $function$;

CREATE OR REPLACE FUNCTION private.debit_notice()
 RETURNS interval
 LANGUAGE sql
 IMMUTABLE
RETURN '2 days'::interval;

CREATE OR REPLACE FUNCTION private.debt_order(p_debt_id uuid)
 RETURNS jsonb
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_debt public.debts;
  v_card public.payment_methods;
  v_provider text := (select provider from private.payment_jobs where kind = 'debt' and about = p_debt_id::text);
begin
  select * into v_debt from public.debts where id = p_debt_id for update;
  if v_debt.id is null or v_debt.open = 0 then return null; end if;
  v_card := private.method_of(v_debt.member_id, v_provider, v_debt.card_id);
  if v_card.id is null or v_card.kind = 'sepa_debit' then
    update public.debts set status = 'failed', code = 'no_card' where id = p_debt_id;
    return null;
  end if;
  update public.debts set status = 'charging', attempts = attempts + 1 where id = p_debt_id;
  return jsonb_build_object('period', v_debt.id, 'intent', v_debt.intent, 'amountCents', round(v_debt.open * 100)::integer, 'currency', 'eur',
    'customer', (select reference from private.payment_customers where user_id = v_debt.member_id and provider = v_provider),
    'method', v_card.reference, 'description', v_debt.plan_name || ', returned debit', 'attempt', v_debt.attempts + 1,
    'since', floor(extract(epoch from v_debt.opened_at))::integer, 'onSession', true);
end $function$;

CREATE OR REPLACE FUNCTION private.debt_steps()
 RETURNS interval[]
 LANGUAGE sql
 IMMUTABLE
RETURN '{"3 days","14 days","30 days"}'::interval[];

CREATE OR REPLACE FUNCTION private.decide_country(p_person_id uuid, p_country text)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if private.require_treasurer() = p_person_id then
    raise exception 'Someone else decides about your own country' using errcode = '42501';
  end if;
  update private.country_questions set decided = p_country where user_id = p_person_id and p_country in (declared, card);
  if not found then
    raise exception 'Please choose one of the two countries' using errcode = '23514';
  end if;
  perform private.log_staff('country decided', p_person_id::text, jsonb_build_object('country', p_country));
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

CREATE OR REPLACE FUNCTION private.decide_payment_claim(p_claim_id uuid, p_received boolean, p_reason text)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_claim public.payment_claims;
  v_reason text := btrim(coalesce(p_reason, ''));
begin
  if not private.proven(private.may('users.edit')) then
    raise exception 'Only admins can do this' using errcode = '42501';
  end if;
  v_claim := private.lock_claim(p_claim_id);
  if v_claim.status is distinct from 'disputed' then
    raise exception 'This dispute is not open' using errcode = 'PT404';
  elsif private.is_party_to(auth.uid(), v_claim) then
    raise exception 'You have or had a place in this plan, so another admin decides' using errcode = '42501';
  elsif p_received is null or private.visible_length(v_reason) = 0 or char_length(v_reason) > private.longest_note() then
    raise exception 'Please give both a reason, in up to % characters', private.longest_note() using errcode = '23514';
  end if;
  perform private.settle_claim(v_claim, case when p_received then 'received' else 'denied' end, v_reason);
end $function$;

CREATE OR REPLACE FUNCTION private.decide_returned_payment(p_payment_id uuid, p_goodwill boolean)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_user uuid := private.require_treasurer();
  v_period public.member_payments;
  v_coins numeric;
begin
  select m.* into v_period from private.returned_payments as r join public.member_payments as m on m.id = r.payment_id
  where r.payment_id = p_payment_id;
  if not found then
    raise exception 'Payment not found' using errcode = 'PT404';
  elsif v_user in (v_period.owner_id, v_period.member_id) then
    raise exception 'Someone else decides about a payment of yours' using errcode = '42501';
  elsif p_goodwill is null then
    raise exception 'Please say whether the place ends or goes on' using errcode = '23514';
  end if;
  perform private.lock_place(v_period.seat_id);
  perform from private.returned_payments where payment_id = p_payment_id and decided_at is null for update;
  if not found then
    raise exception 'Someone already decided about this refund' using errcode = 'PT409';
  end if;
  perform private.log_staff(case when p_goodwill then 'refund left as goodwill' else 'place ended after a refund' end, p_payment_id::text,
    jsonb_build_object('owner', v_period.owner_id, 'member', v_period.member_id));
  perform private.close_returned_payment(p_payment_id, p_goodwill);
  v_coins := private.taken_by_refund(p_payment_id);
  if p_goodwill and v_coins > 0 then
    perform private.adjust_wallet(v_period.owner_id, v_coins, 'Goodwill: ' || v_period.plan_name);
  end if;
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
  -- A debt to the site stays.
  perform private.pay_debt_with_coins(id) from public.debts
  where member_id = v_user and open <= private.available_coins(v_user) and status is distinct from 'charging' and open > 0;
  v_coins := private.payable_coins(v_user);
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
  delete from private.suspensions where user_id = v_user;
  delete from private.payout_holds where user_id = v_user;
  delete from private.seat_reviews where subject_id = v_user;
  delete from private.person_reports where person_id = v_user;
  update private.person_reports set reporter_id = null where reporter_id = v_user;
  update private.support_requests set writer_id = null where writer_id = v_user;
  update private.seat_reviews set reported_by = null where reported_by = v_user;
  delete from public.blocked_people where v_user in (user_id, blocked_id);
  delete from private.time_zones where user_id = v_user;
  perform private.keep_buyer(v_user);
  delete from private.home_countries where user_id = v_user;
  delete from private.country_questions where user_id = v_user;
  if v_is_owed then
    perform private.keep_closed_account(v_user, v_email);
  else
    delete from private.bank_accounts where user_id = v_user;
    delete from private.vault_keys where person_id = v_user and not private.needs_vault_key(v_user);
    delete from private.account_changes where user_id = v_user;
  end if;
  delete from public.provider_requests where user_id = v_user;
  delete from public.payment_methods where user_id = v_user;
  delete from private.payment_fingerprints where user_id = v_user and private.recent_withdrawals(v_user) = 0;
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

CREATE OR REPLACE FUNCTION private.denied_payment_time()
 RETURNS interval
 LANGUAGE sql
 IMMUTABLE
RETURN '7 days'::interval;

CREATE OR REPLACE FUNCTION private.deny_claim(p_claim public.payment_claims, p_note text)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_payment public.member_payments;
  v_note text := btrim(coalesce(p_note, ''));
begin
  if private.visible_length(v_note) = 0 or char_length(v_note) > private.longest_denial() then
    raise exception 'Please say what is missing, in up to % characters', private.longest_denial() using errcode = '23514';
  end if;
  select * into v_payment from public.member_payments where id = p_claim.payment_id;
  if p_claim.status = 'unanswered' then
    update public.payment_claims set status = 'disputed', disputed_at = private.now(), closed_at = null, denial = v_note,
      answer_by = private.now() + private.payment_dispute_time() where id = p_claim.id returning * into p_claim;
    update public.member_payments set status = case p_claim.kind when 'payment' then 'disputed' else status end,
      repaid_at = case p_claim.kind when 'payment' then repaid_at end where id = v_payment.id;
    perform private.wake_seat(p_claim.seat_id);
    perform private.bring_claim_to_staff(p_claim);
    return;
  end if;
  update public.payment_claims set status = 'denied', denial = v_note, answer_by = null, closed_at = private.now() where id = p_claim.id;
  if p_claim.kind = 'payment' then
    perform private.return_denied(v_payment, v_note);
    perform private.tell_payment(v_payment, false, 'warning', 'payment-not-received', 'Payment Not Received',
      '%3$s hasn’t received your %1$s for %2$s: %4$s', v_note);
  else
    v_payment.amount := p_claim.amount;
    perform private.wake_seat(p_claim.seat_id);
    perform private.tell_payment(v_payment, true, 'warning', 'payment-back-denied', 'Refund Not Received',
      '%3$s hasn’t received your refund of %1$s for %2$s: %4$s', v_note);
  end if;
end $function$;

CREATE OR REPLACE FUNCTION private.deny_payment(p_payment_id uuid, p_note text)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare v_payment public.member_payments := private.lock_direct_payment(p_payment_id, true);
begin
  perform private.deny_claim(private.answerable_claim(v_payment.id, 'payment'), p_note);
end $function$;

CREATE OR REPLACE FUNCTION private.deny_repayment(p_payment_id uuid, p_note text)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare v_payment public.member_payments := private.lock_direct_payment(p_payment_id, false);
begin
  perform private.deny_claim(private.answerable_claim(v_payment.id, 'repayment'), p_note);
end $function$;

CREATE OR REPLACE FUNCTION private.disputes_to_tell()
 RETURNS integer
 LANGUAGE sql
 IMMUTABLE
RETURN 3;

CREATE OR REPLACE FUNCTION private.end_debt(p_dispute_id text)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare v_debt public.debts;
begin
  select * into v_debt from public.debts where dispute_id = p_dispute_id for update;
  if not found then return; end if;
  if v_debt.coins + v_debt.card > 0 then
    perform private.transfer('debt:' || v_debt.id || ':returned', private.ledger_account('guarantee'),
      private.ledger_account('wallet', v_debt.member_id), v_debt.coins + v_debt.card, 'debt',
      (select seat_id from public.member_payments where id = v_debt.payment_id), v_debt.payment_id, v_debt.plan_name || ': payment back');
  end if;
  delete from private.payment_jobs where kind = 'debt' and about = v_debt.id::text;
  delete from public.debts where id = v_debt.id;
end $function$;

CREATE OR REPLACE FUNCTION private.end_hold(p_hold private.payout_holds)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  update private.payout_holds set released_at = private.now() where id = p_hold.id;
  perform private.requeue_account_transfers(p_hold.user_id);
  perform private.tell_hold(p_hold.user_id, 'success', 'Payouts Free Again', 'Your payouts are no longer held.', 'payout-released', '{}');
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
      and due_at <= private.now() and coalesce(first_due_at, due_at) <= private.now() - private.direct_patience()
      and private.says_how_to_pay(owner_id)
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
  -- Whose suspension it was, for the notification.
  v_why text := p_reason;
begin
  v_seat := private.lock_place(p_seat_id);
  v_plan := format('%s %s', v_seat.provider, v_seat.plan_name);
  if p_reason = 'suspended' then
    v_why := case when private.is_suspended(v_seat.owner_id) then 'owner-suspended' else 'member-suspended' end;
  end if;
  v_member := (select display_name from public.user_profiles where user_id = v_seat.member_id);
  if v_seat.ended_at is not null then return; end if;
  perform private.settle_seat(v_seat.id, p_reason, p_by);
  delete from public.subscription_members where subscription_id = v_seat.subscription_id and user_id = v_seat.member_id and not is_owner;
  select * into v_seat from private.seats where id = v_seat.id;
  perform private.tell_seat(v_seat, v_seat.member_id, 'warning', 'seat-ended', 'Membership Ended',
    format(case v_why when 'unpaid' then 'Your place in %s ended because it wasn’t paid.'
      when 'no-access' then 'Your place in %s ended because the owner didn’t give you access in time. ' || case v_seat.settlement
        when 'direct' then 'They owe you a full refund.' else 'You get a full refund.' end
      when 'problem' then 'Your place in %s ended because it didn’t work. ' || case v_seat.settlement
        when 'direct' then 'The owner owes you what you paid for the time since you reported it.'
        else 'You get back what you paid for the time since you reported it.' end
      when 'owner-suspended' then 'Your place in %s ended because its owner stayed suspended. ' || case v_seat.settlement
        when 'direct' then 'The owner owes you what you paid for the time since.'
        else 'You get back what you paid for the time since.' end
      when 'member-suspended' then 'Your place in %s ended because your account stayed suspended.' || case v_seat.settlement
        when 'direct' then '' else ' You get back what you paid for the time since.' end
      else 'Your place in %s has ended.' end, v_plan), jsonb_build_object('reason', v_why, 'settlement', v_seat.settlement));
  perform private.tell_seat(v_seat, v_seat.owner_id, 'info', 'member-seat-ended', 'Place Free Again',
    format(case v_why when 'unpaid' then '%s didn’t pay for %s, so the place is free again.'
      when 'no-access' then '%s didn’t get access to %s in time, so ' || case v_seat.settlement
        when 'direct' then 'you owe them a full refund' else 'they get a full refund' end || ' and the place is free again.'
      when 'problem' then 'The problem %s reported with %s wasn’t fixed, so the place is free again.'
      when 'owner-suspended' then 'The place of %s in %s ended because your account stayed suspended, so ' || case v_seat.settlement
        when 'direct' then 'you owe them what they paid for the time since.' else 'they get back what they paid for the time since.' end
      else 'The place of %s in %s is free again.' end, v_member, v_plan), jsonb_build_object('reason', v_why, 'settlement', v_seat.settlement));
end $function$;

CREATE OR REPLACE FUNCTION private.end_suspension(p_suspension private.suspensions, p_seats private.seats[])
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_user uuid := p_suspension.user_id;
  v_seat private.seats;
  v_is_owner boolean;
begin
  update private.suspensions set resumed_at = private.now() where id = p_suspension.id;
  insert into private.fact_changes (user_id) select distinct unnest(array[s.owner_id, s.member_id]) from unnest(p_seats) as s;
  foreach v_seat in array p_seats loop
    continue when private.is_paused(v_seat);
    -- Since the first of them, if both sides were suspended.
    perform private.move_deadlines(private.now() - min(since), array[v_seat.id]) from private.suspensions
    where user_id in (v_seat.owner_id, v_seat.member_id) and resumed_at >= p_suspension.since;
    if v_seat.settlement = 'direct' then
      perform private.follow_direct_payments(v_seat.id);
    end if;
    if private.has_open_problem(v_seat.id) then
      perform private.wake_seat(v_seat.id);
    else
      perform private.resume_seat(v_seat, false);
    end if;
    continue when p_suspension.told_at is null;
    v_is_owner := v_seat.owner_id = v_user;
    perform private.tell_seat(v_seat, case when v_is_owner then v_seat.member_id else v_seat.owner_id end, 'success',
      case when v_is_owner then 'owner-back' else 'member-back' end, case when v_is_owner then 'Owner Is Back' else 'Place Goes On' end,
      format(case when v_is_owner then 'The owner of %1$s is no longer suspended. Your place goes on as before.'
        else '%2$s’s place in %1$s goes on as before.' end, v_seat.provider || ' ' || v_seat.plan_name,
        (select display_name from public.user_profiles where user_id = v_user)));
  end loop;
  insert into private.plans_to_tell (subscription_id)
  select id from public.shared_subscriptions where owner_id = v_user and status = 'active' and not is_private and has_room
  on conflict do nothing;
  perform private.requeue_account_transfers(v_user);
  if p_suspension.told_at is not null then
    perform private.mail_notification(private.notify(v_user, 'success', 'Account Open Again',
      case when p_suspension.ended_places_at is null then 'Your account is no longer suspended. Your plans and places go on as before.'
        else 'Your account is no longer suspended, and your plans can be found again. The places have ended.' end,
      null, 'you-are-back', jsonb_build_object('ended', p_suspension.ended_places_at is not null)), '{}', 'Open Potluck', '/');
  end if;
end $function$;

CREATE OR REPLACE FUNCTION private.entry_fates(p_entries jsonb)
 RETURNS TABLE(key text, fate text, params jsonb, payment uuid, entry_hash text)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_user uuid := private.require_user();
  v_entry record;
  v_named public.member_payments;
  v_fit jsonb;
  v_by_name jsonb;
  v_taken uuid[] := '{}';
begin
  perform private.require_few_rows(p_entries);
  for v_entry in
    with entries as (
      select e.*, named.known is true as names_known, named.anew is true as names_payment,
        private.hash_of(concat_ws('|', v_user, coalesce(e.ref, e.name || e.text), e.amount, e.booked)) as hash
      from rows from (jsonb_to_recordset(p_entries) as (key text, amount numeric, currency text, kind text, booked date, name text, text text,
        ref text, payment uuid)) with ordinality as e (key, amount, currency, kind, booked, name, text, ref, payment, at)
      cross join lateral (
        -- A standing order has the first month's reference for ever: what comes days after that was confirmed is for another.
        select bool_or(true) as known, bool_or((m.status in ('paid', 'closed') and e.booked > m.paid_at::date + 3) is not true) as anew
        from private.payments_named_in(e.text) as m
      ) as named
    )
    -- Banks may give two transfers of a day the same reference.
    select e.*, hash || '-' || row_number() over (partition by hash order by at) as own_hash from entries as e
    -- What is certain chooses first, so that what is not takes nothing from it.
    order by e.payment is null, not names_payment, booked, at
  loop
    key := v_entry.key;
    params := '{}';
    payment := null;
    entry_hash := v_entry.own_hash;
    fate := case
      when v_entry.kind is not null then v_entry.kind
      when exists (select from private.used_bank_entries as u where u.owner_id = v_user and u.entry_hash = v_entry.own_hash) then 'confirmed'
      when v_entry.currency is distinct from 'EUR' then 'currency'
    end;
    if fate is null and v_entry.names_payment then
      -- One that it pays before one that it might.
      select m.* into v_named from private.payments_named_in(v_entry.text) as m
      order by m.amount = v_entry.amount and m.status in ('due', 'claimed', 'disputed') and m.id <> all (v_taken) desc, m.number limit 1;
      fate := case
        when v_named.id = any (v_taken) then 'twice'
        when v_named.status = 'cancelled' then 'cancelled'
        when v_named.status not in ('due', 'claimed', 'disputed') then 'confirmed'
        when v_named.amount is distinct from v_entry.amount then 'amount'
        else 'pays'
      end;
      params := private.entry_payment(v_named) || jsonb_build_object('by', 'reference');
    elsif fate is null then
      with fitting as (
        select m.id, m.seat_id, m.due_at, m.number, private.entry_payment(m) as about,
          exists (select from unnest(string_to_array(btrim(private.plain_words(v_entry.name)), ' ')) as word
            -- What stands beside many names tells nobody from others.
            where length(word) > 2 and word <> all ('{and,del,della,den,der,des,dos,frau,gmbh,herr,ltd,mrs,ten,ter,the,und,van,vom,von,zum,zur}')
              and private.plain_words(p.display_name) like '% ' || word || ' %') as is_theirs
        from public.member_payments as m join public.user_profiles as p on p.user_id = m.member_id
        where m.owner_id = v_user and m.settlement = 'direct' and m.status in ('due', 'claimed', 'disputed') and m.amount = v_entry.amount
          and m.id <> all (v_taken) and m.due_at - interval '10 days' < v_entry.booked + 1
      )
      -- Of several months of one place, the oldest is paid first.
      select jsonb_agg(about order by due_at, number, id),
        case count(distinct seat_id) filter (where is_theirs) when 1 then (array_agg(about order by due_at, number) filter (where is_theirs))[1] end
      into v_fit, v_by_name from fitting;
      fate := case when v_fit is null then case when v_entry.names_known then 'confirmed' else 'nothing' end when v_by_name is null then 'choose' else 'pays' end;
      params := case fate when 'pays' then v_by_name || jsonb_build_object('by', 'name') when 'choose' then jsonb_build_object('of', v_fit) else '{}' end;
      if v_fit @> jsonb_build_array(jsonb_build_object('payment', v_entry.payment)) then
        fate := 'pays';
        params := (select one from jsonb_array_elements(v_fit) as one where one ->> 'payment' = v_entry.payment::text)
          || jsonb_build_object('by', 'choice');
      end if;
    end if;
    if fate = 'pays' then
      payment := (params ->> 'payment')::uuid;
      v_taken := v_taken || payment;
    end if;
    return next;
  end loop;
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

CREATE OR REPLACE FUNCTION private.export_own_data()
 RETURNS jsonb
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_user uuid := private.require_user();
  v_email text := lower(private.email_of(v_user));
begin
  return jsonb_build_object(
    'exported_at', now(),
    'account', (select jsonb_build_object('id', id, 'email', email, 'created_at', created_at, 'last_sign_in_at',
      last_sign_in_at, 'user_metadata', raw_user_meta_data, 'app_metadata', raw_app_meta_data)
      from auth.users where id = v_user),
    'profile', (select to_jsonb(t) || coalesce(to_jsonb(d), '{}') from public.user_profiles as t
      left join public.user_details as d on d.user_id = t.user_id where t.user_id = v_user),
    'role', (select to_jsonb(t) from public.user_roles as t where t.user_id = v_user),
    'wallet', (select to_jsonb(t) from public.user_wallets as t where t.user_id = v_user),
    'shared_plans', (select jsonb_agg(to_jsonb(t) order by t.created_at)
      from public.shared_subscriptions as t where t.owner_id = v_user),
    'memberships', (select jsonb_agg(to_jsonb(t) order by t.joined_at)
      from public.subscription_members as t where t.user_id = v_user),
    'join_requests', (select jsonb_agg(to_jsonb(t) order by t.requested_at)
      from public.subscription_requests as t where t.user_id = v_user),
    'plan_links', (select jsonb_agg(t.subscription_id order by 1) from private.link_visits as t where t.user_id = v_user),
    'waiting_lists', (select jsonb_agg(to_jsonb(t) order by t.joined_at)
      from public.waiting_list as t where t.user_id = v_user),
    'plan_alerts', (select jsonb_agg(to_jsonb(t) || jsonb_build_object('told_of', (
        select jsonb_agg(d.subscription_id) from private.told_plans as d where d.user_id = v_user)) order by t.expires_at)
      from public.plan_alerts as t where t.user_id = v_user),
    'invitations', (select jsonb_agg(to_jsonb(t) - 'token_hash' order by t.created_at)
      from public.subscription_invitations as t where t.invited_by = v_user or t.email = v_email),
    'conversations', (select jsonb_agg(to_jsonb(t) || jsonb_build_object('messages', (
        select jsonb_agg(to_jsonb(m) order by m.created_at, m.id) from public.messages as m where m.conversation_id = t.id
      )) order by t.created_at)
      from public.conversations as t where v_user in (t.owner_id, t.member_id)),
    'notifications', (select jsonb_agg(to_jsonb(t) order by t.created_at)
      from public.user_notifications as t where t.user_id = v_user),
    'mails', (select jsonb_agg(jsonb_build_object('subject', t.subject, 'created_at', t.created_at, 'sent_at', t.sent_at)
      order by t.created_at) from private.outgoing_mail as t where lower(t.recipient) = v_email),
    'account_changes', (select jsonb_agg(to_jsonb(t) - 'token_hash' order by t.happened_at)
      from private.account_changes as t where t.user_id = v_user)
  ) || jsonb_build_object(
    'sessions', (select jsonb_agg(to_jsonb(t) - 'is_current') from private.my_sessions() as t),
    'notification_choices', (select jsonb_agg(to_jsonb(t)) from private.get_notification_choices() as t),
    'push_devices', (select jsonb_agg(to_jsonb(t) - 'is_current') from private.my_push_devices() as t),
    'calendar_address_since', private.get_calendar(),
    'tokens', (select jsonb_agg(to_jsonb(t)) from private.my_api_tokens() as t),
    'message_drafts', (select jsonb_agg(to_jsonb(t) order by t.made_at) from public.message_drafts as t where t.user_id = v_user),
    'webhooks', (select jsonb_agg(to_jsonb(t) || jsonb_build_object('deliveries', (
        select jsonb_agg(to_jsonb(d) - '{webhook_id,taken_at,attempts_before}'::text[] order by d.made_at)
        from private.webhook_deliveries as d where d.webhook_id = t.id)))
      from private.my_webhooks() as t),
    'bank_entries_used', (select jsonb_agg(to_jsonb(t) - 'owner_id' order by t.used_at)
      from private.used_bank_entries as t where t.owner_id = v_user),
    'coin_transactions', (select jsonb_agg(to_jsonb(t) order by t.created_at)
      from public.coin_transactions as t where t.user_id = v_user),
    'withdrawals', (select jsonb_agg(to_jsonb(t) order by t.requested_at)
      from public.withdrawal_requests as t where t.user_id = v_user),
    'seats', (select jsonb_agg(to_jsonb(t) - '{next_at,failures,last_error}'::text[] order by t.opened_at)
      from private.seats as t where v_user in (t.member_id, t.owner_id)),
    'reports', (select jsonb_agg(jsonb_build_object('person_id', t.person_id, 'reason', t.reason, 'reported_at', t.reported_at)
      order by t.reported_at) from private.person_reports as t where t.reporter_id = v_user),
    'support_requests', (select jsonb_agg(to_jsonb(t) order by t.written_at) from private.my_support_requests() as t),
    'time_zone', private.zone_of(v_user),
    'country', (select to_jsonb(t) - 'user_id' from private.home_countries as t where t.user_id = v_user),
    'country_question', (select to_jsonb(t) - 'user_id' from private.country_questions as t where t.user_id = v_user),
    'invoices', (select jsonb_agg(to_jsonb(t) order by t.issued_at, t.number) from public.fee_invoices as t where t.buyer_id = v_user),
    'problems', (select jsonb_agg(to_jsonb(t) - 'decided_by' || jsonb_build_object('statements', (
        select jsonb_agg(to_jsonb(s) - 'problem_id' order by s.line) from public.problem_statements as s where s.problem_id = t.id
      )) order by t.reported_at)
      from public.seat_problems as t where v_user in (t.member_id, t.owner_id)),
    'term_proposals', (select jsonb_agg(to_jsonb(t) order by t.proposed_at)
      from public.term_proposals as t where v_user in (t.member_id, t.owner_id)),
    'payment_wishes', (select to_jsonb(t) from public.payment_wishes as t where t.user_id = v_user),
    'suspensions', (select jsonb_agg(to_jsonb(t) order by t.since) from private.suspensions as t where t.user_id = v_user),
    'payout_holds', (select jsonb_agg(to_jsonb(t) order by t.since) from private.payout_holds as t where t.user_id = v_user),
    'bank_accounts', (select jsonb_agg(to_jsonb(t) - 'sealed' || jsonb_build_object('opened', (
        select jsonb_agg(jsonb_build_object('at', o.opened_at, 'for', o.purpose) order by o.id)
        from private.vault_openings as o where o.secret_id = t.id)) order by t.version)
      from private.bank_accounts as t where t.user_id = v_user),
    'tax_details_asked', (select to_jsonb(t) - 'user_id' from private.tax_questions as t where t.user_id = v_user),
    'tax_details', (select jsonb_agg(to_jsonb(t) - 'sealed' || jsonb_build_object('opened', (
        select jsonb_agg(jsonb_build_object('at', o.opened_at, 'for', o.purpose) order by o.id)
        from private.vault_openings as o where o.secret_id = t.id)) order by t.version)
      from private.tax_details as t where t.user_id = v_user),
    'tax_reports', (select jsonb_agg(to_jsonb(t) || jsonb_build_object('year', r.year, 'made_at', r.made_at, 'void', r.voided_at is not null)
      order by t.report_id) from private.tax_report_entries as t join private.tax_reports as r on r.id = t.report_id where t.user_id = v_user),
    'vault_versions', (select jsonb_agg(to_jsonb(t) - 'sealed' order by t.created_at)
      from private.vault_entries as t where t.author_id = v_user),
    'vault_openings', (select jsonb_agg(to_jsonb(t) order by t.id)
      from private.vault_openings as t where t.kind = 'plan' and v_user in (t.owner_id, t.opened_by)),
    'payout_account', (select to_jsonb(t) || jsonb_build_object(
        'transfers', (select jsonb_agg(to_jsonb(s) - 'user_id' order by s.created_at) from private.account_transfers as s where s.user_id = v_user),
        'payouts', (select jsonb_agg(to_jsonb(p) - 'user_id' order by p.created_at) from private.account_payouts as p where p.user_id = v_user))
      from private.connected_accounts as t where t.user_id = v_user),
    'payments', (select jsonb_agg(to_jsonb(t) order by t.created_at)
      from public.member_payments as t where v_user in (t.member_id, t.owner_id)),
    'payment_claims', (select jsonb_agg(to_jsonb(t) - '{token_hashes,decided_by}'::text[] order by t.made_at)
      from public.payment_claims as t where v_user in (t.member_id, t.owner_id)),
    'cards', (select jsonb_agg(jsonb_build_object('kind', t.kind, 'brand', t.brand, 'last4', t.last4, 'exp_month', t.exp_month,
      'exp_year', t.exp_year, 'mandate', t.mandate, 'country', t.country, 'created_at', t.created_at) order by t.created_at)
      from public.payment_methods as t where t.user_id = v_user),
    'disputes', (select jsonb_agg(jsonb_build_object('plan_name', t.plan_name, 'amount', t.amount, 'status', t.status,
      'opened_at', t.opened_at, 'closed_at', t.closed_at, 'answered_at', t.answered_at, 'evidence',
      (select fields from private.dispute_evidence as e where e.dispute_id = t.id)) order by t.opened_at)
      from public.payment_disputes as t where t.member_id = v_user),
    'debts_to_the_site', (select jsonb_agg(jsonb_build_object('plan_name', t.plan_name, 'amount', t.amount, 'open', t.open,
      'opened_at', t.opened_at) order by t.opened_at) from public.debts as t where t.member_id = v_user),
    'withdrawals_lifted', (select to_jsonb(t) - 'user_id' from private.withdrawal_lifts as t where t.user_id = v_user),
    'card_fingerprints', (select jsonb_agg(to_jsonb(t) - 'user_id' order by t.seen_at) from private.payment_fingerprints as t where t.user_id = v_user),
    'fraud_warnings', (select jsonb_agg(jsonb_build_object('plan_name', t.plan_name, 'kind', t.fraud_type, 'at', t.warned_at,
      'refunded', t.refunded) order by t.warned_at) from public.fraud_warnings as t where t.member_id = v_user),
    'reviews', (select jsonb_agg(to_jsonb(t) - '{reported_by,author_id,shown_from}'::text[]
        || jsonb_build_object('written_by_you', t.author_id = v_user) order by t.written_at)
      from private.seat_reviews as t where t.author_id = v_user or (t.subject_id = v_user and t.shown_from <= private.now())),
    'blocked_people', (select jsonb_agg(to_jsonb(t) - 'user_id' order by t.blocked_at)
      from public.blocked_people as t where t.user_id = v_user),
    'provider_requests', (select jsonb_agg(to_jsonb(t) order by t.created_at)
      from public.provider_requests as t where t.user_id = v_user),
    'access_requests', (select jsonb_agg(to_jsonb(t) order by t.requested_at)
      from public.admin_role_requests as t where t.user_id = v_user),
    'payment_events_looked_at', (select jsonb_agg(jsonb_build_object('id', t.id, 'reviewed_at', t.reviewed_at, 'finding', t.finding)
      order by t.reviewed_at) from public.unknown_payment_events as t where t.reviewed_by = v_user),
    'site_settings', (select jsonb_build_object('updated_at', t.updated_at)
      from public.app_settings as t where t.updated_by = v_user)
  );
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

CREATE OR REPLACE FUNCTION private.find_claim(p_token text)
 RETURNS public.payment_claims
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare v_claim public.payment_claims;
begin
  select * into v_claim from public.payment_claims where token_hashes @> array[private.hash_of(p_token)];
  if not found then
    raise exception 'This link doesn’t work' using errcode = 'PT404';
  end if;
  return v_claim;
end $function$;

CREATE OR REPLACE FUNCTION private.follow_suspensions()
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_now timestamptz := private.now();
  v_due private.suspensions[] := array(
    select s from private.suspensions as s where resumed_at is null and (told_at is null or lifted_at is not null or until <= v_now
      or ended_places_at is null and ends_places_at <= v_now and not exists (
        select from private.seats as t where s.user_id in (t.owner_id, t.member_id) and t.ended_at is null))
    order by since limit 20 for update skip locked);
  v_people uuid[] := array(select user_id from unnest(v_due));
  v_one private.suspensions;
  v_seats private.seats[];
begin
  if cardinality(v_due) = 0 then return; end if;
  perform from public.shared_subscriptions where owner_id = any (v_people)
    or id in (select subscription_id from private.seats where member_id = any (v_people) and ended_at is null)
    or id in (select subscription_id from public.subscription_requests where user_id = any (v_people) and status = 'pending' and not expired)
    or id in (select subscription_id from public.waiting_list where user_id = any (v_people))
  order by id for no key update;
  perform from private.seats where (owner_id = any (v_people) or member_id = any (v_people)) and ended_at is null order by id for update;
  foreach v_one in array v_due loop
    begin
      v_seats := array(select s from private.seats as s where v_one.user_id in (owner_id, member_id) and ended_at is null order by id);
      if v_one.lifted_at is null and v_one.until <= v_now then
        update private.suspensions set lifted_at = until where id = v_one.id returning * into v_one;
      end if;
      if v_one.lifted_at is not null then
        perform private.end_suspension(v_one, v_seats);
      elsif v_one.told_at is null then
        perform private.begin_suspension(v_one, v_seats);
      else
        perform private.close_suspended(v_one);
      end if;
    exception when others then
      raise warning 'Suspension %: %', v_one.id, sqlerrm;
    end;
  end loop;
end $function$;

CREATE OR REPLACE FUNCTION private.forfeit_problems(p_owner_id uuid, p_subscription_id text DEFAULT NULL::text)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare v_seat private.seats;
begin
  for v_seat in
    select * from private.seats as s where owner_id = p_owner_id and ended_at is not null and private.has_open_problem(s.id)
      and subscription_id = coalesce(p_subscription_id, subscription_id) order by id for update
  loop
    perform private.forfeit_problem(v_seat.id);
    perform private.close_period(id) from (select id from public.member_payments
      where seat_id = v_seat.id and status in ('claimed', 'paid') order by number) as held;
    perform private.wake_seat(v_seat.id);
    perform private.tell_precedence(v_seat);
  end loop;
end $function$;

CREATE OR REPLACE FUNCTION private.free_kept_places()
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
  update public.shared_subscriptions as plan set kept_places = private.reserved_places(plan.id)
  from (
    select id from public.shared_subscriptions as p
    where (kept_places > 0 or waiting > 0) and (kept_places <> private.reserved_places(id) or (
      current_members + kept_places < owner_max_members
      and not private.is_suspended(owner_id) and exists (select from public.waiting_list
        where subscription_id = p.id and offered_until is null and not private.is_suspended(user_id))))
    for no key update skip locked
  ) as over
  where over.id = plan.id
$function$;

CREATE OR REPLACE FUNCTION private.get_payment_claim(p_token text)
 RETURNS TABLE(kind text, plan_name text, amount numeric, payer_name text, note text, made_at timestamp with time zone, status text, answer_by timestamp with time zone, may_deny boolean)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare v_claim public.payment_claims := private.find_claim(p_token);
begin
  return query
    select v_claim.kind, m.plan_name, v_claim.amount, p.display_name, v_claim.note, v_claim.made_at, v_claim.status, v_claim.answer_by,
      private.is_answerable(v_claim)
    from public.member_payments as m join public.user_profiles as p
      on p.user_id = case v_claim.kind when 'payment' then m.member_id else m.owner_id end
    where m.id = v_claim.payment_id;
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

CREATE OR REPLACE FUNCTION private.hangs_on_answer(p_event text)
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE
RETURN (p_event = ANY (ARRAY['member-says-paid'::text, 'payment-back-claimed'::text, 'payment-not-received'::text, 'payment-back-denied'::text, 'you-owe-member'::text, 'payment-debt-unkept'::text, 'access-reminder'::text]));

CREATE OR REPLACE FUNCTION private.hold_payouts(p_person_id uuid, p_ground text, p_until timestamp with time zone)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_user uuid := private.require_treasurer();
  v_ground text := btrim(coalesce(p_ground, ''));
begin
  if p_person_id = v_user then
    raise exception 'Someone else decides on your own withdrawal' using errcode = '42501';
  elsif not exists (select from public.user_profiles where user_id = p_person_id) then
    raise exception 'Person not found' using errcode = 'PT404';
  elsif private.visible_length(v_ground) = 0 or char_length(v_ground) > private.longest_ground() then
    raise exception 'Please give a reason, in up to % characters', private.longest_ground() using errcode = '23514';
  elsif (p_until > private.now() and p_until <= private.now() + private.longest_hold()) is not true then
    raise exception 'Payouts can be held for up to % days', extract(day from private.longest_hold()) using errcode = '23514';
  end if;
  perform private.log_staff('payouts held', p_person_id::text, jsonb_build_object('reason', v_ground, 'until', p_until));
  perform private.create_hold(p_person_id, v_ground, p_until, v_ground, 'We’re holding your payouts until %s: %s');
end $function$;

CREATE OR REPLACE FUNCTION private.hold_refusal(p_user_id uuid)
 RETURNS text
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare v_hold private.payout_holds := private.current_hold(p_user_id);
begin
  return case when v_hold.id is not null then format('Payouts are held until %s: %s', to_char(v_hold.until, 'FMDD FMMonth YYYY'), v_hold.ground) end;
end $function$;

CREATE OR REPLACE FUNCTION private.instant_refusal(p_plan public.shared_subscriptions, p_user_id uuid, p_coins_first boolean)
 RETURNS text
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare v_levels constant text[] := '{new,proven,trusted}';
begin
  return case
    when p_plan.instant_from is null then 'approval'
    when array_position(v_levels, private.standing_level(p_user_id)) < array_position(v_levels, p_plan.instant_from) then 'level'
    when exists (select from public.member_payments where member_id = p_user_id and settlement = 'potluck'
      and status in ('due', 'charging', 'processing', 'needs-action', 'failed')) then 'open-payment'
    when private.has_open_dispute(p_user_id) or exists (select from private.seats where member_id = p_user_id
      and end_reason in ('unpaid', 'disputed') and ended_at > private.now() - private.mending_pause()) then 'unpaid'
    when not private.can_pay_first(p_plan, p_user_id, p_coins_first) then 'card'
  end;
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
  perform private.require_settled(v_user, (select id from auth.users where lower(email) = v_email));
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

CREATE OR REPLACE FUNCTION private.is_always_mailed(p_event text)
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE
RETURN COALESCE(((p_event = ANY (ARRAY['renewal-coming'::text, 'payment-debit-coming'::text, 'payment-under-way'::text, 'contract-made'::text, 'contract-changed'::text, 'contract-withdrawn'::text, 'you-are-suspended'::text, 'you-are-back'::text, 'payout-held'::text, 'payout-released'::text])) OR private.hangs_on_answer(p_event)), false);

CREATE OR REPLACE FUNCTION private.is_answerable(p_claim public.payment_claims)
 RETURNS boolean
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  return p_claim.status = 'open' or p_claim.status = 'unanswered' and private.answer_time(p_claim) = private.late_claim_time()
    and p_claim.closed_at > private.now() - private.unpaid_memory();
end $function$;

CREATE OR REPLACE FUNCTION private.is_claimed_back(p_payment_id uuid)
 RETURNS boolean
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  return exists (select from public.payment_claims where payment_id = p_payment_id and kind = 'repayment' and status in ('open', 'disputed'));
end $function$;

CREATE OR REPLACE FUNCTION private.is_enough(p_days_here integer, p_hours_given integer, p_paid_on_time integer, p_paid_late integer, p_problems integer, p_unkept_debts integer, p_answer_minutes integer, p_days integer, p_hours integer, p_on_time integer, p_most_late integer, p_most_problems integer, p_most_unkept_debts integer, p_most_answer_hours integer)
 RETURNS boolean
 LANGUAGE plpgsql
 IMMUTABLE
 SET search_path TO ''
AS $function$
begin
  return p_days_here >= p_days and (p_hours_given >= p_hours or p_paid_on_time >= p_on_time)
    and p_paid_late <= p_most_late and p_problems <= p_most_problems and p_unkept_debts <= p_most_unkept_debts
    and coalesce(p_answer_minutes <= p_most_answer_hours * 60, true);
end $function$;

CREATE OR REPLACE FUNCTION private.is_movement(p_kind text, p_from text, p_to text)
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE
RETURN CASE p_kind WHEN 'payment'::text THEN (((p_from = ANY (ARRAY['outside'::text, 'wallet'::text])) AND (p_to = ANY (ARRAY['held_share'::text, 'held_fee'::text]))) OR ((p_from = 'outside'::text) AND (p_to = 'refunds_due'::text))) WHEN 'payment-returned'::text THEN ((p_from = ANY (ARRAY['held_share'::text, 'held_fee'::text])) AND (p_to = 'wallet'::text)) WHEN 'earning'::text THEN ((p_from = 'held_share'::text) AND (p_to = ANY (ARRAY['wallet'::text, 'connected'::text]))) WHEN 'fee'::text THEN ((p_from = 'held_fee'::text) AND (p_to = 'fees'::text)) WHEN 'refund'::text THEN (((p_from = ANY (ARRAY['held_share'::text, 'held_fee'::text])) AND (p_to = ANY (ARRAY['refunds_due'::text, 'wallet'::text]))) OR ((p_from = 'guarantee'::text) AND (p_to = ANY (ARRAY['refunds_due'::text, 'wallet'::text]))) OR ((p_from = 'connected'::text) AND (p_to = 'refunds_due'::text))) WHEN 'refund-sent'::text THEN ((p_from = 'refunds_due'::text) AND (p_to = 'outside'::text)) WHEN 'refund-failed'::text THEN (((p_from = ANY (ARRAY['refunds_due'::text, 'outside'::text])) AND (p_to = ANY (ARRAY['wallet'::text, 'guarantee'::text]))) OR ((p_from = 'outside'::text) AND (p_to = 'refunds_due'::text))) WHEN 'withdrawal'::text THEN ((p_from = 'wallet'::text) AND (p_to = 'outside'::text)) WHEN 'withdrawal-returned'::text THEN ((p_from = 'outside'::text) AND (p_to = 'wallet'::text)) WHEN 'adjustment'::text THEN (((p_from = 'adjustments'::text) AND (p_to = 'wallet'::text)) OR ((p_from = 'wallet'::text) AND (p_to = 'adjustments'::text))) WHEN 'chargeback'::text THEN ((p_from = ANY (ARRAY['held_share'::text, 'held_fee'::text, 'wallet'::text, 'connected'::text, 'guarantee'::text, 'refunds_due'::text])) AND (p_to = 'outside'::text)) WHEN 'chargeback-won'::text THEN ((p_from = 'outside'::text) AND (p_to = ANY (ARRAY['held_share'::text, 'held_fee'::text, 'wallet'::text, 'connected'::text, 'guarantee'::text]))) WHEN 'debt'::text THEN (((p_from = ANY (ARRAY['wallet'::text, 'outside'::text])) AND (p_to = 'guarantee'::text)) OR ((p_from = 'guarantee'::text) AND (p_to = 'wallet'::text))) WHEN 'given-up'::text THEN ((p_from = 'wallet'::text) AND (p_to = 'adjustments'::text)) WHEN 'handed-over'::text THEN ((p_from = 'wallet'::text) AND (p_to = 'wallet'::text)) WHEN 'cost'::text THEN (((p_from = 'costs'::text) AND (p_to = 'outside'::text)) OR ((p_from = 'outside'::text) AND (p_to = 'costs'::text))) WHEN 'account'::text THEN ((p_from = 'wallet'::text) AND (p_to = 'connected'::text)) WHEN 'account-failed'::text THEN ((p_from = 'connected'::text) AND (p_to = 'wallet'::text)) WHEN 'payout'::text THEN (((p_from = 'connected'::text) AND (p_to = 'outside'::text)) OR ((p_from = 'outside'::text) AND (p_to = 'connected'::text))) WHEN 'payout-failed'::text THEN (((p_from = 'outside'::text) AND (p_to = 'connected'::text)) OR ((p_from = 'connected'::text) AND (p_to = 'outside'::text))) ELSE false END;

CREATE OR REPLACE FUNCTION private.is_open_account(p_deleted_at timestamp with time zone, p_banned_until timestamp with time zone)
 RETURNS boolean
 LANGUAGE sql
 STABLE
RETURN ((p_deleted_at IS NULL) AND COALESCE((p_banned_until <= now()), true));

CREATE OR REPLACE FUNCTION private.is_owed_back(p_payment public.member_payments)
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE
AS $function$
  select p_payment.owed_back > 0 and p_payment.status <> 'disputed' and p_payment.repaid_at is null and p_payment.debt_closed_at is null
$function$;

CREATE OR REPLACE FUNCTION private.is_paid_withdrawal(p_seat private.seats)
 RETURNS boolean
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  return p_seat.end_reason = 'withdrawn' and exists (
    select from public.member_payments as m left join private.charges as c on c.payment_id = m.id
    where m.seat_id = p_seat.id and m.settlement = 'potluck' and (m.coins + m.card > 0 or c.status in ('processing', 'succeeded')));
end $function$;

CREATE OR REPLACE FUNCTION private.is_party_to(p_user_id uuid, p_claim public.payment_claims)
 RETURNS boolean
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  return p_user_id in (p_claim.owner_id, p_claim.member_id) or exists (
    select from private.seats as s join private.seats as mine using (subscription_id) where s.id = p_claim.seat_id and mine.member_id = p_user_id);
end $function$;

CREATE OR REPLACE FUNCTION private.is_paused(p_seat private.seats)
 RETURNS boolean
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  return exists (select from private.suspensions where user_id in (p_seat.owner_id, p_seat.member_id) and resumed_at is null);
end $function$;

CREATE OR REPLACE FUNCTION private.is_payable(p_payment public.member_payments)
 RETURNS boolean
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  return p_payment.status = 'due' or p_payment.status = 'cancelled' and p_payment.waived_at is null
    and p_payment.closed_at > private.now() - private.unpaid_memory()
    and not exists (select from public.payment_claims where payment_id = p_payment.id and status = 'undecided')
    and exists (select from private.seats where id = p_payment.seat_id and ended_at is not null);
end $function$;

CREATE OR REPLACE FUNCTION private.is_sure_payment(p_payment public.member_payments)
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE
AS $function$
  select p_payment.share > 0 and p_payment.paid_at is not null
    and (p_payment.settlement = 'potluck' or p_payment.claimed_at is not null and p_payment.received_by is distinct from 'silence')
$function$;

CREATE OR REPLACE FUNCTION private.is_suspended(p_user_id uuid)
 RETURNS boolean
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  return exists (select from private.suspensions where user_id = p_user_id and lifted_at is null and until > private.now());
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
  perform private.require_reachable(v_plan.owner_id, 'This plan takes no new members right now');
  perform private.require_offered(v_plan.provider);
  perform private.require_settled(v_plan.owner_id, v_user);
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

CREATE OR REPLACE FUNCTION private.keep_beat()
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare v_gap interval := coalesce(now() - (select beat_at from private.clock), '1 minute');
begin
  -- A beat in the future was recorded before the clock was set back.
  if v_gap between '0' and '10 seconds' then return; end if;
  if v_gap <= private.longest_gap() then
    perform from private.clock for update skip locked;
    if found then
      update private.clock set beat_at = now();
    end if;
    return;
  end if;
  select now() - beat_at into v_gap from private.clock for update;
  if v_gap <= private.longest_gap() then return; end if;
  update private.clock set beat_at = now();
  -- Plans first, because whoever holds one may wait for any of these rows or for its seats.
  perform from public.shared_subscriptions where id in (
    select subscription_id from public.subscription_requests where status = 'pending' and not expired
    union all select subscription_id from public.subscription_invitations where expires_at > now() - v_gap
    union all select subscription_id from public.waiting_list where offered_until > now() - v_gap
  ) order by id for no key update;
  -- A request made during the gap gets no more than its full time.
  update public.subscription_requests set requested_at = least(requested_at + v_gap, now()) where status = 'pending' and not expired;
  update public.subscription_invitations set expires_at = expires_at + v_gap
  where accepted_at is null and declined_at is null and withdrawn_at is null and expires_at > now() - v_gap;
  update public.waiting_list set offered_until = offered_until + v_gap where offered_until > now() - v_gap;
  update public.conversations set question_until = question_until + v_gap where question_until > now() - v_gap;
  perform from private.seats where next_at is not null or ended_at is null order by id for update;
  update private.returned_payments set due_at = due_at + v_gap where decided_at is null;
  update private.suspensions set ends_places_at = ends_places_at + v_gap where lifted_at is null and ended_places_at is null;
  perform private.move_deadlines(v_gap);
  update private.seats set next_at = private.now()
  where access_due_at is not null and ended_at is null
    or id in (select seat_id from public.member_payments as m where status in ('due', 'charging', 'processing', 'needs-action', 'failed')
      or private.is_owed_back(m))
    or id in (select seat_id from public.payment_claims where status in ('open', 'disputed'))
    or id in (select seat_id from public.seat_problems where status <> 'closed');
end $function$;

CREATE OR REPLACE FUNCTION private.key_begins(p_kind text, p_period uuid, p_person uuid, p_intent text)
 RETURNS text[]
 LANGUAGE sql
 IMMUTABLE
RETURN CASE p_kind WHEN 'payment'::text THEN ARRAY[('charge:'::text || p_intent), (('coins:'::text || p_intent) || ':'::text), (('coins:'::text || p_period) || ':'::text)] WHEN 'earning'::text THEN ARRAY[(('earn:'::text || p_period) || ':'::text)] WHEN 'fee'::text THEN ARRAY[(('fee:'::text || p_period) || ':'::text)] WHEN 'payment-returned'::text THEN ARRAY[(('back:'::text || p_period) || ':'::text)] WHEN 'refund'::text THEN ARRAY[(('back:'::text || p_period) || ':'::text), 'by-hand:'::text, (('warned:'::text || p_period) || ':'::text)] WHEN 'cost'::text THEN ARRAY[('cost:'::text || p_intent), 'dispute-cost:'::text, 'debt-cost:'::text] WHEN 'given-up'::text THEN ARRAY[('given-up:'::text || p_person)] WHEN 'chargeback'::text THEN ARRAY['dispute:'::text] WHEN 'chargeback-won'::text THEN ARRAY['dispute-won:'::text] ELSE ARRAY[(p_kind || ':'::text), 'refund:'::text] END;

CREATE OR REPLACE FUNCTION private.knows_charge(p_intent text)
 RETURNS boolean
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  return exists (select from private.charges where intent = p_intent) or exists (select from public.debts where intent = p_intent);
end $function$;

CREATE OR REPLACE FUNCTION private.lapse_claim(p_claim_id uuid)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_claim public.payment_claims;
  v_payment public.member_payments;
begin
  select * into v_claim from public.payment_claims where id = p_claim_id for update;
  if v_claim.status = 'disputed' then
    perform private.settle_claim(v_claim, 'undecided');
    return;
  end if;
  select * into v_payment from public.member_payments where id = v_claim.payment_id;
  perform private.close_claim(v_claim.payment_id, 'unanswered', v_claim.kind);
  if v_claim.kind = 'payment' then
    perform private.record_received(v_payment, 'silence');
  else
    perform private.record_repaid(v_payment);
  end if;
  v_payment.amount := v_claim.amount;
  perform private.tell_payment(v_payment, is_owner, 'info', 'payment-unanswered', 'Counts as Received',
    '%1$s for %2$s counts as received, because there was no answer.') from unnest('{true,false}'::boolean[]) as side (is_owner);
end $function$;

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

CREATE OR REPLACE FUNCTION private.late_claim_time()
 RETURNS interval
 LANGUAGE sql
 IMMUTABLE
RETURN '30 days'::interval;

CREATE OR REPLACE FUNCTION private.least_use()
 RETURNS interval
 LANGUAGE sql
 IMMUTABLE
RETURN '24:00:00'::interval;

CREATE OR REPLACE FUNCTION private.leave_unpaid(p_seat private.seats, p_payment public.member_payments)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  -- Access is closed during a suspension.
  v_until timestamptz := least(p_seat.ended_at, p_payment.ends_at,
    (select min(since) from private.suspensions where user_id in (p_seat.owner_id, p_seat.member_id) and resumed_at is null));
  v_used interval := v_until - p_payment.starts_at - private.time_without_access(p_payment, v_until, null);
begin
  if p_payment.settlement <> 'direct' or p_payment.share = 0 or coalesce(v_used < private.least_use(), true)
    or p_seat.end_reason in ('problem', 'no-access') or private.has_open_problem(p_seat.id) or not private.says_how_to_pay(p_payment.owner_id)
  then
    return false;
  end if;
  update public.member_payments set left_unpaid_at = private.now(), share = case
    when p_seat.end_reason in ('removed', 'cancelled', 'unpaid', 'suspended')
      then least(share, greatest(0.01, round(share * extract(epoch from v_used) / extract(epoch from ends_at - starts_at), 2)))
    else share end
  where id = p_payment.id;
  return true;
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

CREATE OR REPLACE FUNCTION private.left_unpaid(p_owner_id uuid, p_member_id uuid)
 RETURNS boolean
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  return exists (
    select from public.member_payments where owner_id = p_owner_id and member_id = p_member_id
      and left_unpaid_at > private.now() - private.unpaid_memory() and status in ('due', 'claimed')
  );
end $function$;

CREATE OR REPLACE FUNCTION private.level_of(p_days_here integer, p_hours_given integer, p_paid_on_time integer, p_paid_late integer, p_problems integer, p_unkept_debts integer, p_answer_minutes integer)
 RETURNS text
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
begin
  return coalesce((
    select l.level from private.standing_levels() as l
    where private.is_enough(p_days_here, p_hours_given, p_paid_on_time, p_paid_late, p_problems, p_unkept_debts, p_answer_minutes,
      l.days_here, l.hours_given, l.paid_on_time, l.most_paid_late, l.most_problems, l.most_unkept_debts, l.most_answer_hours)
    order by l.days_here desc limit 1
  ), 'new');
end $function$;

CREATE OR REPLACE FUNCTION private.lift_withdrawals(p_user_id uuid)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare v_user uuid := private.require_treasurer();
begin
  if p_user_id = v_user then
    raise exception 'Someone else decides about your own withdrawals' using errcode = '42501';
  elsif private.recent_withdrawals(p_user_id) < private.most_withdrawals() then
    raise exception 'This person may take places through the site' using errcode = '23514';
  end if;
  insert into private.withdrawal_lifts (user_id) values (p_user_id)
  on conflict (user_id) do update set lifted_at = excluded.lifted_at;
  perform private.log_staff('withdrawals lifted', p_user_id::text);
end $function$;

CREATE OR REPLACE FUNCTION private.list_contract_withdrawals(p_limit integer DEFAULT 50, p_by text DEFAULT 'member'::text, p_sort text DEFAULT NULL::text, p_after jsonb DEFAULT NULL::jsonb)
 RETURNS TABLE(user_id uuid, display_name text, withdrawals integer, latest timestamp with time zone, paid numeric, returned numeric, cost numeric, refused boolean, lifted_at timestamp with time zone)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform private.require_treasurer();
  return query execute private.page_of($query$
  select side.id as user_id, p.display_name, count(distinct s.id)::integer as withdrawals, max(s.ended_at) as latest, sum(sums.paid) as paid,
    sum(sums.returned) as returned, sum(sums.cost) as cost,
    $1 = 'member' and private.recent_withdrawals(side.id) >= private.most_withdrawals() as refused,
    (select l.lifted_at from private.withdrawal_lifts as l where l.user_id = side.id) as lifted_at
  from private.seats as s
  cross join lateral (select case $1 when 'owner' then s.owner_id else s.member_id end) as side (id)
  join public.user_profiles as p on p.user_id = side.id
  cross join lateral (
    select coalesce(sum(m.coins + m.card), 0) as paid, coalesce(sum(m.returned_share + m.returned_fee), 0) as returned,
      coalesce(sum((select sum(case t.from_account when private.ledger_account('costs') then t.amount else -t.amount end)
        from private.ledger_transfers as t where t.person_id = m.member_id and t.period_id = m.id and t.kind = 'cost')), 0)
      + coalesce(sum((select sum(d.from_guarantee) from public.payment_disputes as d where d.payment_id = m.id and d.status <> 'won')), 0)
      - coalesce(sum((select sum(o.coins + o.card) from public.debts as o where o.payment_id = m.id)), 0) as cost
    from public.member_payments as m where m.seat_id = s.id and m.settlement = 'potluck'
  ) as sums
  where s.ended_at > private.now() - private.withdrawals_memory() and private.is_paid_withdrawal(s)
  group by side.id, p.display_name
  $query$, null, coalesce(p_sort, '-withdrawals'), 'user_id', p_after, p_limit) using coalesce(p_by, 'member');
end $function$;

CREATE OR REPLACE FUNCTION private.list_payment_disputes(p_closed boolean DEFAULT false)
 RETURNS TABLE(id uuid, kind text, plan_name text, amount numeric, owner_id uuid, owner_name text, member_id uuid, member_name text, note text, denial text, disputed_at timestamp with time zone, decide_by timestamp with time zone, status text, closed_at timestamp with time zone, decision text)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare v_user uuid := private.require_user();
begin
  if not (private.may('users.edit') and private.may_act_as_staff()) then
    raise exception 'Only admins can do this' using errcode = '42501';
  end if;
  return query
    select c.id, c.kind, m.plan_name, c.amount, c.owner_id, owner.display_name, c.member_id, member.display_name, c.note,
      coalesce(c.denial, (select d.denial from public.payment_claims as d where d.payment_id = c.payment_id and d.kind = c.kind
        and d.status = 'denied' order by d.made_at limit 1)),
      c.disputed_at, c.answer_by, c.status, c.closed_at, c.decision
    from public.payment_claims as c join public.member_payments as m on m.id = c.payment_id
    join public.user_profiles as owner on owner.user_id = c.owner_id join public.user_profiles as member on member.user_id = c.member_id
    where c.disputed_at is not null and (c.closed_at is not null) = p_closed and not private.is_party_to(v_user, c)
    order by c.closed_at desc, c.answer_by, c.id limit 100;
end $function$;

CREATE OR REPLACE FUNCTION private.list_returned_payments()
 RETURNS TABLE(payment_id uuid, plan_name text, amount numeric, owner_id uuid, owner_name text, member_id uuid, member_name text, due_at timestamp with time zone)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform private.require_treasurer();
  return query
    select m.id, m.plan_name, m.card, m.owner_id, owner.display_name, m.member_id, member.display_name, r.due_at
    from private.returned_payments as r join public.member_payments as m on m.id = r.payment_id
    join private.seats as s on s.id = r.seat_id and s.ended_at is null
    join public.user_profiles as owner on owner.user_id = m.owner_id join public.user_profiles as member on member.user_id = m.member_id
    where r.decided_at is null order by r.due_at, m.id;
end $function$;

CREATE OR REPLACE FUNCTION private.living_push_devices(p_user_id uuid)
 RETURNS SETOF private.push_devices
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  return query
    select d.* from private.push_devices as d
    join auth.sessions as s on s.id = d.session_id and s.user_id = d.user_id
    join auth.users as u on u.id = d.user_id
    where d.user_id = p_user_id and coalesce(s.not_after > now(), true)
      and private.is_open_account(u.deleted_at, u.banned_until);
end $function$;

CREATE OR REPLACE FUNCTION private.living_token(p_token_hash text)
 RETURNS private.api_tokens
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare v_token private.api_tokens;
begin
  select t.* into v_token from private.api_tokens as t join auth.users as u on u.id = t.user_id
  where t.token_hash = p_token_hash and t.expires_at > clock_timestamp()
    and private.is_open_account(u.deleted_at, u.banned_until);
  if not found then
    raise exception 'This token is unknown or has expired' using errcode = 'PT401';
  end if;
  return v_token;
end $function$;

CREATE OR REPLACE FUNCTION private.lock_claim(p_claim_id uuid)
 RETURNS public.payment_claims
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare v_claim public.payment_claims;
begin
  perform from private.seats where id = (select seat_id from public.payment_claims where id = p_claim_id) for update;
  select * into v_claim from public.payment_claims where id = p_claim_id for update;
  return v_claim;
end $function$;

CREATE OR REPLACE FUNCTION private.log_staff(p_action text, p_subject text, p_details jsonb DEFAULT '{}'::jsonb)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_end private.staff_log_end;
  v_line private.staff_log;
begin
  select * into v_end from private.staff_log_end for update;
  v_line := row(v_end.line + 1, clock_timestamp(), auth.uid(), p_action, p_subject, jsonb_strip_nulls(p_details), v_end.hash, '');
  v_line.hash := private.chain_hash(v_line.previous_hash, v_line.line, private.staff_log_content(v_line));
  insert into private.staff_log select v_line.*;
  update private.staff_log_end set line = v_line.line, hash = v_line.hash;
end $function$;

CREATE OR REPLACE FUNCTION private.longest_ground()
 RETURNS integer
 LANGUAGE sql
 IMMUTABLE
RETURN 300;

CREATE OR REPLACE FUNCTION private.longest_hold()
 RETURNS interval
 LANGUAGE sql
 IMMUTABLE
RETURN '180 days'::interval;

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
        when private.hangs_on_answer(n.event) then 'You always get this email because money or a place hangs on your answer.'
        when n.event in ('you-are-suspended', 'you-are-back') then 'You always get this email when your account is suspended.'
        when n.event in ('payout-held', 'payout-released') then 'You always get this email when payouts are held.'
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

CREATE OR REPLACE FUNCTION private.market_cards(p_ids text[])
 RETURNS jsonb
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  with wanted as (
    select plan as p, nth from unnest(p_ids) with ordinality as list (id, nth)
    join public.shared_subscriptions as plan on plan.id = list.id
  ), owners as materialized (
    select f.user_id, private.level_of(f.days_here, f.hours_given, f.paid_on_time, f.paid_late, f.problems, f.unkept_debts,
      f.answer_minutes) as level
    from private.standing_facts(array(select distinct (p).owner_id from wanted)) as f
  )
  select coalesce(jsonb_agg(jsonb_build_object(
    'id', (p).id, 'provider', (p).provider, 'name', (p).name, 'category', (p).category, 'currency', (p).currency,
    'totalPrice', (p).total_price, 'memberPrice', (p).member_price, 'cycle', (p).billing_cycle, 'settlement', (p).settlement,
    'feeRate', (p).fee_rate, 'monthlyCost', (p).monthly_cost, 'currentMembers', (p).current_members, 'ownerMaxMembers', (p).owner_max_members,
    'hasRoom', (p).has_room, 'kept', coalesce(places.kept, (p).kept_places), 'keptForYou', coalesce(places.mine, false), 'instantFrom', (p).instant_from, 'nextPayment', (p).next_payment, 'createdAt', (p).created_at,
    'ownerId', person.user_id, 'ownerName', private.first_name(person.display_name), 'ownerAvatarUrl', person.avatar_url,
    'ownerSince', person.created_at, 'ownerLevel', owners.level, 'ownerRating', rated.rating, 'ownerReviewers', rated.reviewers
  ) order by nth), '[]')
  from wanted join owners on owners.user_id = (p).owner_id
  join public.user_profiles as person on person.user_id = (p).owner_id
  cross join lateral private.rating_of(person.user_id) as rated
  left join lateral (
    select private.places_for_others(p, me.email) as kept,
      private.reserved_places((p).id, lower(me.email)) < private.reserved_places((p).id) as mine
    from (select private.email_of((select auth.uid())) as email) as me
    where me.email is not null and (p).kept_places + (p).waiting > 0
  ) as places on true
$function$;

CREATE OR REPLACE FUNCTION private.may_withdraw(p_seat private.seats)
 RETURNS boolean
 LANGUAGE sql
 STABLE
AS $function$ select p_seat.ended_at is null and coalesce(private.now() < p_seat.withdrawable_until, false) $function$;

CREATE OR REPLACE FUNCTION private.most_withdrawals()
 RETURNS integer
 LANGUAGE sql
 IMMUTABLE
RETURN 3;

CREATE OR REPLACE FUNCTION private.move_coins_to_account()
 RETURNS numeric
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_user uuid := private.require_user();
  v_coins numeric;
  v_refusal text;
begin
  if not private.has_own_account(v_user) then
    raise exception 'Set up your payouts first' using errcode = '23514';
  end if;
  perform private.lock_ledger(array(
    select id from private.ledger_accounts where kind in ('wallet', 'connected') and owner = v_user));
  v_coins := private.payable_coins(v_user);
  if v_coins = 0 then
    raise exception 'There are no coins to move' using errcode = '23514';
  end if;
  v_refusal := private.moving_refusal(v_user);
  if v_refusal is not null then
    raise exception '%', v_refusal using errcode = '23514';
  end if;
  perform private.send_coins(v_user, v_coins);
  return v_coins;
end $function$;

CREATE OR REPLACE FUNCTION private.move_deadlines(p_by interval, p_seat_ids uuid[] DEFAULT NULL::uuid[])
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  update public.member_payments set due_at = due_at + p_by, next_attempt_at = next_attempt_at + p_by
  where status in ('due', 'charging', 'processing', 'needs-action', 'failed') and (p_seat_ids is null or seat_id = any (p_seat_ids));
  update public.member_payments as m set owed_since = owed_since + p_by
  where private.is_owed_back(m) and (p_seat_ids is null or seat_id = any (p_seat_ids));
  update public.payment_claims set answer_by = answer_by + p_by, access_from = access_from + p_by
  where status in ('open', 'disputed') and (p_seat_ids is null or seat_id = any (p_seat_ids));
  update public.seat_problems set due_at = due_at + p_by where status <> 'closed' and (p_seat_ids is null or seat_id = any (p_seat_ids));
  update private.seats set access_due_at = access_due_at + p_by
  where access_due_at is not null and ended_at is null and (p_seat_ids is null or id = any (p_seat_ids));
end $function$;

CREATE OR REPLACE FUNCTION private.moving_refusal(p_user_id uuid)
 RETURNS text
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare v_until timestamptz := private.withdrawals_wait_until(p_user_id);
begin
  return case when private.hold_refusal(p_user_id) is not null then private.hold_refusal(p_user_id)
    when v_until = 'infinity' then 'A payment to you is disputed, so your coins wait until that’s settled'
    when v_until > private.now() then format('Your coins wait until %s, as a bank may take back the first payments to you',
      to_char(v_until, 'FMDD FMMonth YYYY')) end;
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
    where v_user in (s.owner_id, s.member_id)
      and (due.settlement = 'potluck' or private.says_how_to_pay(s.owner_id))
    order by due.due_at, s.id;
end $function$;

CREATE OR REPLACE FUNCTION private.my_seats()
 RETURNS TABLE(id uuid, subscription_id text, provider text, plan_name text, owner_id uuid, owner_name text, settlement text, billing_cycle text, share numeric, coins_first boolean, status text, opened_at timestamp with time zone, paid_until timestamp with time zone, ends_at timestamp with time zone, ended_at timestamp with time zone, end_reason text, may_stay boolean, admitted_at timestamp with time zone, access_given_at timestamp with time zone, access_due_at timestamp with time zone, invited_address text, access_works boolean, problem_id uuid, owed_back numeric, withdraw_until timestamp with time zone, begins_at_once_at timestamp with time zone, back_now numeric, paused_until timestamp with time zone, pause_ends_place boolean)
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
      contract.until, s.begins_at_once_at, case when contract.until is not null then private.back_on_withdrawal(s) end,
      pause.until, pause.ends_place
    from private.seats as s cross join lateral private.pause_of(s) as pause join public.user_profiles as p on p.user_id = s.owner_id
    cross join lateral (select case when private.may_withdraw(s) then s.withdrawable_until end) as contract (until)
    where s.member_id = v_user order by s.opened_at desc, s.id;
end $function$;

CREATE OR REPLACE FUNCTION private.my_tasks()
 RETURNS TABLE(kind text, id uuid, subscription_id text, provider text, plan text, person_id uuid, amount numeric, due_at timestamp with time zone, lost_at timestamp with time zone, since timestamp with time zone)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare v_user uuid := private.require_user();
begin
  return query
  with task as (
    select 'answer-request' as kind, r.id, p.id as subscription_id, p.provider, p.provider || ' ' || p.name as plan,
      r.user_id as person_id, null::numeric as amount,
      r.requested_at + private.request_lifetime() + private.unnoticed_gap() as due_at, r.requested_at as since
    from public.shared_subscriptions as p join public.subscription_requests as r on r.subscription_id = p.id
    where p.owner_id = v_user and private.is_open_request(r)
    union all
    select 'await-answer', r.id, p.id, p.provider, p.provider || ' ' || p.name, p.owner_id, null,
      r.requested_at + private.request_lifetime() + private.unnoticed_gap(), r.requested_at
    from public.subscription_requests as r join public.shared_subscriptions as p on p.id = r.subscription_id
    where r.user_id = v_user and private.is_open_request(r)
    union all
    select case when s.owner_id = v_user then 'give-access' when s.access_due_at is not null then 'await-access' else 'check-access' end,
      s.id, s.subscription_id, s.provider, s.provider || ' ' || s.plan_name,
      case s.owner_id when v_user then s.member_id else s.owner_id end,
      case when s.access_due_at is not null then (
        select sum(case m.owner_id when v_user then m.share else m.amount end) from public.member_payments as m
        where m.seat_id = s.id and m.status = 'paid') end,
      coalesce(s.access_due_at, greatest(s.access_given_at, s.admitted_at) + private.access_silence()),
      coalesce(s.access_given_at, s.admitted_at)
    from private.seats as s
    where v_user in (s.owner_id, s.member_id) and s.ended_at is null and s.admitted_at is not null and not private.is_paused(s)
      and (s.access_due_at is not null or s.member_id = v_user
        and s.access_given_at is not null and not private.access_works(s) and not private.has_open_problem(s.id))
    union all
    select case when m.status = 'claimed' then case when m.owner_id = v_user then 'confirm-payment' else 'await-confirmation' end
        when m.status = 'disputed' then 'await-decision'
        when m.status = 'needs-action' then 'confirm-card' when m.status = 'failed' then 'mend-payment'
        when m.note is not null then 'pay-again' else 'pay' end,
      m.id, m.subscription_id, s.provider, m.plan_name, case m.owner_id when v_user then m.member_id else m.owner_id end, m.amount,
      case when m.status = 'due' then m.due_at
        when m.status in ('claimed', 'disputed') then (select c.answer_by from public.payment_claims as c where c.payment_id = m.id and c.answer_by is not null)
        -- A renewal is tried again before its place ends, a first payment is not.
        else case when m.number > 1 then greatest(private.last_renewal_retry(m.due_at), m.next_attempt_at) else m.next_attempt_at end end,
      coalesce(m.claimed_at, m.due_at)
    from public.member_payments as m join private.seats as s on s.id = m.seat_id
    where v_user in (m.owner_id, m.member_id) and m.settlement = 'direct' and m.status in ('claimed', 'disputed')
      or m.member_id = v_user and (m.status in ('needs-action', 'failed') and not private.is_paused(s)
        or m.settlement = 'direct' and m.status = 'due' and (m.due_at <= private.now() or m.note is not null)
          and private.says_how_to_pay(m.owner_id))
    union all
    -- Debts of owners to members: the owner pays once the member has said where, and the member confirms that it has arrived.
    select case when claim.id is not null then case when m.owner_id = v_user then 'await-confirmation' else 'confirm-repayment' end
        when m.owner_id = v_user then 'pay-back' else 'say-where-to-pay-back' end,
      m.id, m.subscription_id, s.provider, m.plan_name, case m.owner_id when v_user then m.member_id else m.owner_id end, m.owed_back,
      coalesce(claim.answer_by, m.owed_since + (private.debt_steps())[cardinality(private.debt_steps())]), m.owed_since
    from public.member_payments as m join private.seats as s on s.id = m.seat_id
    left join public.payment_claims as claim on claim.payment_id = m.id and claim.kind = 'repayment' and claim.status = 'open'
    where v_user in (m.owner_id, m.member_id) and private.is_owed_back(m)
      and (claim.id is not null or not private.is_claimed_back(m.id) and (m.owner_id = v_user or not private.says_how_to_pay(v_user)))
    union all
    select case b.status when 'owner' then 'answer-problem' else 'check-fix' end, b.id, b.subscription_id, s.provider, b.plan_name,
      case b.owner_id when v_user then b.member_id else b.owner_id end, null, b.due_at, b.reported_at
    from public.seat_problems as b join private.seats as s on s.id = b.seat_id
    where b.owner_id = v_user and b.status = 'owner' or b.member_id = v_user and b.status = 'member'
    union all
    select 'change-password', null, p.id, p.provider, p.provider || ' ' || p.name, null, null, null, due.since
    from private.passwords_due() as due join public.shared_subscriptions as p on p.id = due.subscription_id
    union all
    select 'answer-terms', t.id, t.subscription_id, s.provider, s.provider || ' ' || s.plan_name, t.owner_id, t.share, null, t.proposed_at
    from public.term_proposals as t join private.seats as s on s.id = t.seat_id
    where t.member_id = v_user and t.answered_at is null and s.ended_at is null
    union all
    select 'say-how-to-pay', null, null, null, null, null, null, null, min(s.opened_at) from private.seats as s
    where s.owner_id = v_user and s.ended_at is null and s.settlement = 'direct'
      and not exists (select from public.payment_wishes as w where w.user_id = v_user)
    having count(*) > 0
    union all
    select 'take-place', null, p.id, p.provider, p.provider || ' ' || p.name, p.owner_id, null, w.offered_until, w.joined_at
    from public.waiting_list as w join public.shared_subscriptions as p on p.id = w.subscription_id
    where w.user_id = v_user and w.offered_until > now()
    union all
    select 'answer-invitation', i.id, p.id, p.provider, p.provider || ' ' || p.name, p.owner_id, null,
      i.expires_at + private.unnoticed_gap(), i.created_at
    from public.subscription_invitations as i join public.shared_subscriptions as p on p.id = i.subscription_id
    where i.email = private.my_email() and private.invitation_status(i) = 'open' and p.status = 'active'
      and not private.is_plan_member(p.id) and not private.is_suspended(p.owner_id)
  )
  select t.kind, t.id, t.subscription_id, t.provider, t.plan, t.person_id, t.amount, t.due_at,
    case when t.kind in ('pay', 'pay-again') then t.due_at + private.direct_patience() else t.due_at end, t.since
  from task as t;
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
      select price.share, price.share + price.fee, last.ends_at where last.status in ('due', 'claimed', 'disputed', 'processing', 'paid') and p_seat.ends_at is null
    ) as next (share, amount, due_at)
    where p_seat.ended_at is null and next.due_at > private.now() and next.amount > 0 and not private.has_open_problem(p_seat.id)
      and not private.is_paused(p_seat) and not private.awaits_refund_decision(p_seat.id);
end $function$;

CREATE OR REPLACE FUNCTION private.next_steps(p_seat_ids uuid[])
 RETURNS TABLE(seat_id uuid, at timestamp with time zone, step text, period_id uuid)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER ROWS 100
 SET search_path TO ''
AS $function$
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
    from private.seats as s where s.id = given.id
  ) as place
  cross join lateral (select place.lives and place.keeps as goes_on) as seat
  left join lateral (
    with newest as (select * from public.member_payments where seat_id = given.id order by number desc limit 1),
    open as (
      select * from public.member_payments
      where seat_id = given.id and status in ('due', 'claimed', 'charging', 'processing', 'needs-action', 'failed', 'paid')
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
      -- A first payment keeps its place for a while; a renewal is retried; without another attempt the seat ends.
      select coalesce(o.next_attempt_at, o.created_at), case when o.status in ('charging', 'processing') or (o.status = 'due' and o.number > 1) then 'undecided'
        when o.number = 1 or o.next_attempt_at is null then 'release' else 'retry' end, o.id, seat.goes_on from open as o
      where o.settlement = 'potluck' and o.status in ('due', 'charging', 'processing', 'needs-action', 'failed')
      union all
      -- It never began, and nobody could decide whether it was paid.
      select n.closed_at, 'end', n.id, seat.goes_on from newest as n
      where n.settlement = 'direct' and n.status = 'cancelled' and n.starts_at is null
      union all
      -- Paid, but no access yet.
      select case when s.access_reminded then s.access_due_at else s.access_due_at - private.access_reminder() end,
        case when s.access_reminded then 'no-access' else 'remind-access' end, s.id, seat.goes_on
      from private.seats as s where s.id = given.id and s.access_given_at is null
      union all
      select r.due_at, 'returned', r.payment_id, place.lives from private.returned_payments as r where r.seat_id = given.id and r.decided_at is null
      union all
      select p.due_at, 'problem', p.id, true from public.seat_problems as p where p.seat_id = given.id and p.status <> 'closed'
      union all
      select o.due_at + (private.direct_reminders())[o.reminders + 1], 'remind', o.id, seat.goes_on or o.left_unpaid_at is not null from open as o
      where o.settlement = 'direct' and o.status = 'due' and o.reminders < cardinality(private.direct_reminders())
        and private.says_how_to_pay(o.owner_id)
      union all
      select step.at, step.name, c.id, step.runs from public.payment_claims as c cross join lateral (values
        (case c.status when 'open' then private.claim_reminder_at(c) end, 'remind-claim', true),
        (c.answer_by, 'lapse-claim', true),
        (case when exists (select from private.seats as s where s.id = given.id and s.access_given_at is null and s.access_due_at is null)
          then c.access_from end, 'await-access', seat.goes_on)
      ) as step (at, name, runs) where c.seat_id = given.id and c.status in ('open', 'disputed')
      union all
      select o.owed_since + (private.debt_steps())[o.debt_steps_done + 1], 'debt', o.id, true from open as o
      where private.is_owed_back(o) and not private.is_claimed_back(o.id)
    ) as todo (at, step, id, runs)
    where todo.at is not null and todo.runs
    order by todo.at, todo.step = 'turn' limit 1
  ) as next on true;
end $function$;

CREATE OR REPLACE FUNCTION private.note_debt(p_dispute_id text)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_dispute public.payment_disputes;
  v_debt public.debts;
begin
  select * into v_dispute from public.payment_disputes where id = p_dispute_id;
  if v_dispute.from_guarantee < private.least_card_charge() then return; end if;
  insert into public.debts as d (dispute_id, payment_id, member_id, plan_name, amount)
  values (p_dispute_id, v_dispute.payment_id, v_dispute.member_id, v_dispute.plan_name, v_dispute.from_guarantee)
  on conflict (dispute_id) do update set amount = excluded.amount where d.amount < excluded.amount returning * into v_debt;
  if not found then return; end if;
  perform private.mail_notification(private.notify(v_debt.member_id, 'warning', 'You Owe a Returned Debit',
    format('Your bank took back a debit for %s that we had refunded. Please pay us %s. Until then you can’t withdraw coins or take a new place through the site.',
      v_debt.plan_name, private.euros(v_debt.open)), null, 'payment-debt', jsonb_build_object('plan', v_debt.plan_name, 'amount', v_debt.open)),
    array[v_debt.id::text], 'See your payments', '/payments');
  perform private.tell_treasurers('warning', 'A Member Owes the Site',
    format('The bank of a member of %s took back a debit after a refund. The member owes %s, which the guarantee account covers for now.',
      v_debt.plan_name, private.euros(v_debt.open)), 'payment-debt-opened', jsonb_build_object('plan', v_debt.plan_name, 'amount', v_debt.open));
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
  if not found or v_plan.status <> 'active' or private.is_suspended(v_plan.owner_id)
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
    select line.id, line.user_id from private.line_of(v_plan.id) as line
    where line.offered_until is null and not private.is_suspended(line.user_id)
      and not private.left_unpaid(v_plan.owner_id, line.user_id) and private.unkept_debts(v_plan.owner_id) = 0
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

CREATE OR REPLACE FUNCTION private.other_name(p_claim public.payment_claims, p_to_owner boolean)
 RETURNS text
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select display_name from public.user_profiles where user_id = case when p_to_owner then p_claim.member_id else p_claim.owner_id end
$function$;

CREATE OR REPLACE FUNCTION private.owed_back(p_seat_id uuid)
 RETURNS numeric
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  return (select coalesce(sum(owed_back), 0.00) from public.member_payments as m where seat_id = p_seat_id and private.is_owed_back(m));
end $function$;

CREATE OR REPLACE FUNCTION private.owed_to_site(p_user_id uuid)
 RETURNS numeric
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  return (select coalesce(sum(open), 0.00) from public.debts where member_id = p_user_id);
end $function$;

CREATE OR REPLACE FUNCTION private.own_charge(p_payment_id uuid)
 RETURNS jsonb
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select jsonb_build_object('intent', c.intent, 'status', c.status, 'code', c.code, 'card', c.card)
  from private.charges as c join public.member_payments as m on m.id = c.payment_id
  where m.id = p_payment_id and m.member_id = private.require_user()
  union all
  select jsonb_build_object('intent', intent, 'status', status, 'code', code, 'card', null)
  from public.debts where id = p_payment_id and member_id = private.require_user() and attempts > 0
$function$;

CREATE OR REPLACE FUNCTION private.owners_from_level(p_level text)
 RETURNS uuid[]
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select array(
    select f.user_id from private.standing_levels() as l cross join private.standing_facts(array(
      select u.user_id from (
        select k.user_id from private.known_facts as k union select c.user_id from private.fact_changes as c
      ) as u where exists (
        select from public.shared_subscriptions as p
        where p.owner_id = u.user_id and p.status = 'active' and not p.is_private)
    )) as f
    where l.level = p_level and private.is_enough(f.days_here, f.hours_given, f.paid_on_time, f.paid_late, f.problems, f.unkept_debts,
      f.answer_minutes, l.days_here, l.hours_given, l.paid_on_time, l.most_paid_late, l.most_problems, l.most_unkept_debts, l.most_answer_hours)
  )
$function$;

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
  elsif p_path ~ '^/p/[^/]' and p_path !~ '^/p/[0-9A-Za-z]{8}/?$' then
    -- The longer secret of a private plan says nothing of it, not even whether there is one.
    return jsonb_build_object('title', 'A private plan · Potluck', 'heading', 'A private plan', 'status', 200,
      'description', 'Sign in or sign up to see it.');
  elsif p_path !~ '^/(plans|p)/' then
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

CREATE OR REPLACE FUNCTION private.past_vat_settings()
 RETURNS TABLE(seller jsonb, mode text)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select version - '{id,since,prefix,mode}'::text[], version ->> 'mode' from (
    select details -> 'before' as version from private.staff_log where action = 'settings changed'
    union select details -> 'after' from private.staff_log where action = 'settings changed'
    union select jsonb_strip_nulls(to_jsonb(s)) from public.vat_settings as s
  ) as versions where version ? 'mode' and version ? 'prefix'
$function$;

CREATE OR REPLACE FUNCTION private.pause_of(p_seat private.seats, OUT until timestamp with time zone, OUT ends_place boolean)
 RETURNS record
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  select min(least(x.until, x.ends_places_at)), bool_or(x.until > x.ends_places_at) into until, ends_place from private.suspensions as x
  where x.user_id in (p_seat.owner_id, p_seat.member_id) and x.lifted_at is null and x.until > private.now() and p_seat.ended_at is null;
end $function$;

CREATE OR REPLACE FUNCTION private.pay_debt_with_coins(p_debt_id uuid)
 RETURNS numeric
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_user uuid := private.require_user();
  v_debt public.debts;
  v_wallet bigint := private.ledger_account('wallet', v_user);
  v_coins numeric;
begin
  perform private.lock_ledger(array[v_wallet, private.ledger_account('guarantee')]);
  select * into v_debt from public.debts where id = p_debt_id and member_id = v_user and open > 0 for update;
  if not found then
    raise exception 'Payment not found' using errcode = 'PT404';
  elsif v_debt.status in ('queued', 'charging', 'needs-action') then
    raise exception 'Your card is being charged for this' using errcode = '23514';
  end if;
  v_coins := least(v_debt.open, private.available_coins(v_user));
  if v_coins < v_debt.open then
    v_coins := least(v_coins, v_debt.open - private.least_card_charge());
  end if;
  if v_coins <= 0 then
    raise exception 'You don’t have enough coins for this' using errcode = '23514';
  end if;
  perform private.book_debt(v_debt, v_wallet, v_coins, format('debt:%s:coins:%s', v_debt.id, v_debt.coins));
  return v_debt.open - v_coins;
end $function$;

CREATE OR REPLACE FUNCTION private.pay_out_suspended()
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_user uuid;
  v_account private.bank_accounts;
  v_coins numeric;
begin
  perform private.end_hold(h) from private.payout_holds as h
  where h.id in (select id from private.payout_holds where released_at is null and until <= private.now() order by id for update skip locked);
  for v_user in
    select s.user_id from private.suspensions as s
    where s.lifted_at is null and s.until > private.now() and s.ended_places_at is not null
      and private.available_coins(s.user_id) > 0 and coalesce(private.withdrawals_wait_until(s.user_id) <= private.now(), true)
      and not exists (select from public.withdrawal_requests as w
        where w.user_id = s.user_id and w.status = 'rejected' and w.requested_at > s.since - (private.now() - now()))
    order by s.user_id limit 20 for update skip locked
  loop
    perform private.lock_ledger(array(select id from private.ledger_accounts where kind in ('wallet', 'connected') and owner = v_user));
    v_coins := private.available_coins(v_user);
    v_account := private.current_bank_account(v_user);
    if v_coins > 0 and private.has_own_account(v_user) then
      perform private.send_coins(v_user, v_coins);
    elsif v_coins > 0 and v_account.id is not null then
      insert into public.withdrawal_requests (user_id, amount, closes_account, bank_account_id, bank_account_last4)
      values (v_user, v_coins, v_coins < private.least_withdrawal(), v_account.id, v_account.last4);
    elsif v_coins > 0 then
      perform private.create_hold(v_user, 'No bank account', private.now() + private.longest_hold(), 'no_account',
        'We’re holding your payouts until %s, because you haven’t added a bank account. Write to us, and we’ll let you add one.');
      perform private.notify(id, 'warning', 'No Bank Account to Pay Out To', format('%s is suspended and has %s coins, but no bank account.',
          (select display_name from public.user_profiles where user_id = v_user), v_coins), null, 'payout-account-missing',
        jsonb_build_object('person', (select display_name from public.user_profiles where user_id = v_user), 'id', v_user, 'coins', v_coins))
      from private.people_who_may('users.edit') as staff (id);
    end if;
  end loop;
end $function$;

CREATE OR REPLACE FUNCTION private.payable_coins(p_user_id uuid)
 RETURNS numeric
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  return greatest(0.00, private.available_coins(p_user_id) - private.owed_to_site(p_user_id));
end $function$;

CREATE OR REPLACE FUNCTION private.payment_dispute_time()
 RETURNS interval
 LANGUAGE sql
 IMMUTABLE
RETURN '14 days'::interval;

CREATE OR REPLACE FUNCTION private.payment_totals(p_as_owner boolean DEFAULT false, p_subscription_id text DEFAULT NULL::text)
 RETURNS TABLE(due numeric, claimed numeric, paid numeric)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare v_user uuid := private.require_user();
begin
  return query
  select coalesce(sum(p.amount) filter (where p.is_open and p.due_at <= private.now()), 0),
    coalesce(sum(p.amount) filter (where p.status in ('claimed', 'disputed', 'processing')), 0),
    coalesce(sum(p.settled) filter (where p.paid_at is not null), 0)
  from (
    select m.status, m.due_at, m.paid_at, m.status in ('needs-action', 'failed')
        or m.status = 'due' and (m.settlement = 'potluck' or private.says_how_to_pay(m.owner_id)) as is_open,
      case when p_as_owner then m.share else m.amount end as amount,
      case when p_as_owner and m.settlement = 'potluck' then m.earned_share
        else case when p_as_owner then m.share - m.returned_share else m.amount - m.returned_share - m.returned_fee - m.from_guarantee end
          - case when m.repaid_at is null then 0 else m.owed_back end
      end as settled
    from public.member_payments as m
    where (not p_as_owner and m.member_id = v_user or p_as_owner and m.owner_id = v_user)
      and (p_subscription_id is null or m.subscription_id = p_subscription_id)
  ) as p;
end $function$;

CREATE OR REPLACE FUNCTION private.pays_directly(p_owner_id uuid)
 RETURNS boolean
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  return not private.is_suspended(p_owner_id) and exists (
    select from private.seats
    where owner_id = p_owner_id and member_id = (select auth.uid()) and (ended_at is null and settlement = 'direct'
      or exists (select from public.member_payments as m where m.seat_id = seats.id and m.settlement = 'direct' and m.status in ('due', 'claimed', 'disputed')))
  ) or exists (
    select from public.member_payments as m where m.owner_id = (select auth.uid()) and m.member_id = p_owner_id and private.is_owed_back(m)
  );
end $function$;

CREATE OR REPLACE FUNCTION private.people_apart()
 RETURNS uuid[]
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare v_user uuid := auth.uid();
begin
  return array(
    select case user_id when v_user then blocked_id else user_id end from public.blocked_people where v_user in (user_id, blocked_id)
    union all
    select suspended from unnest(private.suspended_people()) as suspended where suspended is distinct from v_user
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
  if v_period.status not in ('due', 'charging', 'processing', 'needs-action', 'failed') then return; end if;
  perform private.let_go(p_period);
  if v_period.number > 1 then
    select coalesce(min(v_period.due_at + wait),
      case when v_period.status = 'processing' and v_period.attempts = 0 then private.now() + private.mending_time() end)
    into v_next from unnest(private.renewal_retries()) as wait where v_period.due_at + wait > private.now();
  elsif v_period.status = 'processing' and v_period.attempts > 0 then
    v_next := null;
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
    attempts = attempts + 1, next_attempt_at = v_next, claimed_at = null where id = p_period;
  if v_seat.admitted_at is not null then
    update private.seats set late_since = coalesce(late_since, private.now()) where id = v_seat.id;
  end if;
  perform private.wake_seat(v_seat.id);
  -- Due work ends the seat, because it locks membership and plan first. A paused seat has no deadline.
  if v_next is null or private.is_paused(v_seat) then return; end if;
  v_until := v_next;
  if v_period.number > 1 and (p_code = 'undecided' or private.is_refused_for_good(p_code)) then
    v_until := greatest(v_next, private.last_renewal_retry(v_period.due_at));
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
    jsonb_build_object('payment', p_period, 'amount', v_period.amount, 'until', v_until, 'code', p_code, 'number', v_period.number,
      'why', case when p_code = 'undecided' then 'undecided' when private.is_refused_for_good(p_code) then 'refused' else 'declined' end
        || case v_period.number when 1 then '-first' else '' end));
end $function$;

CREATE OR REPLACE FUNCTION private.places_for_others(p_plan public.shared_subscriptions, p_email text)
 RETURNS integer
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_others integer := private.reserved_places(p_plan.id, lower(p_email));
  v_first integer := 0;
begin
  if private.reserved_places(p_plan.id) = v_others then
    select count(*) into v_first from public.waiting_list as w
    where w.subscription_id = p_plan.id and coalesce(w.offered_until <= now(), true) and lower(private.email_of(w.user_id)) is distinct from lower(p_email)
      and not private.is_suspended(w.user_id);
  end if;
  return v_others + greatest(0, least(v_first, p_plan.owner_max_members - p_plan.current_members - v_others));
end $function$;

CREATE OR REPLACE FUNCTION private.plan_seats(p_subscription_id text)
 RETURNS TABLE(id uuid, member_id uuid, member_name text, avatar_url text, settlement text, billing_cycle text, share numeric, status text, opened_at timestamp with time zone, paid_until timestamp with time zone, unpaid_since timestamp with time zone, ends_at timestamp with time zone, ended_at timestamp with time zone, end_reason text, held numeric, earned numeric, next_release timestamp with time zone, admitted_at timestamp with time zone, access_given_at timestamp with time zone, access_due_at timestamp with time zone, invited_address text, access_works boolean, problem_id uuid, owed_back numeric, unused numeric, paused_until timestamp with time zone, pause_ends_place boolean)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare v_user uuid := private.require_user();
begin
  return query
    select s.id, s.member_id, p.display_name, p.avatar_url, s.settlement, s.billing_cycle, s.share, s.status, s.opened_at,
      sums.paid_until, sums.unpaid_since, s.ends_at, s.ended_at, s.end_reason, sums.held, sums.earned, sums.next_release,
      s.admitted_at, s.access_given_at, s.access_due_at, s.invited_address, private.access_works(s),
      private.open_problem(s.id), private.owed_back(s.id), private.unused_by(s), pause.until, pause.ends_place
    from private.seats as s cross join lateral private.pause_of(s) as pause join public.user_profiles as p on p.user_id = s.member_id
    cross join lateral (
      select max(m.ends_at) filter (where m.status in ('paid', 'closed')) as paid_until,
        min(m.due_at) filter (where m.status in ('due', 'needs-action', 'failed')
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
end $function$;

CREATE OR REPLACE FUNCTION private.precedence_of(p_user_id uuid)
 RETURNS TABLE(seat_id uuid, subscription_id text, catalogue_plan_id text, provider text, plan_name text, owner_id uuid, until timestamp with time zone)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select s.id, s.subscription_id, s.catalogue_plan_id, s.provider, s.plan_name, s.owner_id, lost.at + private.precedence_time()
  from private.seats as s
  cross join lateral (
    select max(greatest(s.ended_at, p.closed_at)) as at
    from (values (s.end_reason = 'cancelled' or s.end_reason = 'suspended' and private.was_suspended(s.owner_id, s.ended_at)))
      as plan (is_cancelled)
    left join public.seat_problems as p on p.seat_id = s.id and p.fault = 'owner'
    where plan.is_cancelled or p.id is not null
  ) as lost
  cross join lateral (
    select sum(last.at - m.starts_at - private.time_without_access(m, last.at, null)) as time
    from public.member_payments as m cross join lateral (select least(m.ends_at, s.ended_at)) as last (at)
    where m.seat_id = s.id and m.status in ('claimed', 'paid', 'closed') and m.share > 0 and m.starts_at < last.at
  ) as paid
  where s.member_id = p_user_id and s.ended_at is not null
    and lost.at + private.precedence_time() > private.now() and paid.time >= private.precedence_after()
$function$;

CREATE OR REPLACE FUNCTION private.pursue_debt(p_seat private.seats, p_payment public.member_payments)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare v_is_judgement boolean := p_payment.debt_steps_done + 1 = cardinality(private.debt_steps());
begin
  update public.member_payments set debt_steps_done = debt_steps_done + 1, unkept_at = case
    when v_is_judgement and private.says_how_to_pay(p_payment.member_id) then private.now() end where id = p_payment.id
  returning * into p_payment;
  perform private.wake_seat(p_seat.id);
  if p_payment.unkept_at is not null then
    perform private.tell_seat(p_seat, p_seat.owner_id, 'warning', 'payment-debt-unkept', 'Refund Not Paid',
      format('You haven’t paid back %s for %s. You can’t share plans or take new members until it’s settled.',
        private.euros(p_payment.owed_back), p_payment.plan_name), jsonb_build_object('amount', p_payment.owed_back));
  elsif not v_is_judgement then
    perform private.tell_debt(p_seat, p_payment, p_payment.owed_back);
  end if;
end $function$;

CREATE OR REPLACE FUNCTION private.put_back_disputed(p_dispute public.payment_disputes, p_period public.member_payments)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_outside bigint := private.ledger_account('outside');
  v_part record;
begin
  for v_part in select * from (values
    ('held_share', p_period.seat_id, p_dispute.from_share), ('held_fee', p_period.seat_id, p_dispute.from_fee),
    ('wallet', p_dispute.member_id, p_dispute.from_coins + p_dispute.from_refunds), ('guarantee', null, p_dispute.from_guarantee),
    ('connected', p_period.owner_id, p_dispute.from_account)
  ) as part (kind, owner, amount) where part.amount > 0 loop
    perform private.transfer(format('dispute-won:%s:%s', p_dispute.id, v_part.kind), v_outside,
      private.ledger_account(v_part.kind, v_part.owner), v_part.amount, 'chargeback-won', p_period.seat_id, p_period.id,
      p_period.plan_name || ': payment back');
  end loop;
  perform private.end_debt(p_dispute.id);
  if p_dispute.from_account > 0 then
    perform private.queue_account_transfer(p_period.owner_id, p_dispute.from_account, p_period.id, p_dispute.id);
  end if;
  update public.member_payments set returned_share = returned_share - p_dispute.from_share,
    returned_fee = returned_fee - p_dispute.from_fee where id = p_period.id;
  if p_period.starts_at is null then
    perform private.give_back(p_period.id, p_dispute.from_share, p_dispute.from_fee, 'no-access');
  elsif p_dispute.from_share + p_dispute.from_fee > 0 then
    perform private.move_earnings(array[p_period.id], true);
  end if;
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
    -- Debts for places that have ended stay.
    'debts', (
      select coalesce(jsonb_agg(jsonb_build_object('member', u.display_name, 'plan', m.plan_name, 'amount', m.owed_back)
        order by m.owed_since, m.id), '[]')
      from public.member_payments as m join public.user_profiles as u on u.user_id = m.member_id
      where m.owner_id = v_user and private.is_owed_back(m)
    ),
    'coins', greatest(0, private.available_coins(v_user) - private.owed_to_site(v_user) + (
      select coalesce(sum(m.share - m.earned_share - m.returned_share - unused.share), 0)
      from private.seats as s join public.member_payments as m on m.seat_id = s.id
      cross join lateral private.unused_of(m, case when s.ended_at is null then private.now()
        when s.end_reason = 'withdrawn' then s.ended_at end) as unused
      where s.owner_id = v_user and m.settlement = 'potluck' and m.status = 'paid'
    )));
end $function$;

CREATE OR REPLACE FUNCTION private.receipt_undo_time()
 RETURNS interval
 LANGUAGE sql
 IMMUTABLE
RETURN '24:00:00'::interval;

CREATE OR REPLACE FUNCTION private.receive_payment(p_payment public.member_payments, p_by text)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if not (p_payment.status in ('claimed', 'disputed') or private.is_payable(p_payment)) then
    raise exception 'This payment is not open' using errcode = '23514';
  end if;
  perform private.close_claim(p_payment.id, 'received');
  perform private.record_received(p_payment, p_by);
  perform private.tell_payment(p_payment, false, 'success', 'payment-received', 'Payment Received',
    '%3$s has received your %1$s for %2$s.');
end $function$;

CREATE OR REPLACE FUNCTION private.receive_repayment(p_payment public.member_payments)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform private.close_claim(p_payment.id, 'received', 'repayment');
  perform private.record_repaid(p_payment);
  p_payment.amount := p_payment.owed_back;
  perform private.tell_payment(p_payment, true, 'success', 'owed-settled', 'Settled', '%3$s says you’ve paid back the %1$s for %2$s.');
end $function$;

CREATE OR REPLACE FUNCTION private.receiver_of(p_claim public.payment_claims)
 RETURNS uuid
 LANGUAGE sql
 IMMUTABLE
AS $function$ select case p_claim.kind when 'payment' then p_claim.owner_id else p_claim.member_id end $function$;

CREATE OR REPLACE FUNCTION private.recent_withdrawals(p_user_id uuid)
 RETURNS integer
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  return (
    select count(*) from private.seats as s
    where s.member_id in (
        select p_user_id union
        select other.user_id from private.payment_fingerprints as own join private.payment_fingerprints as other using (fingerprint)
        where own.user_id = p_user_id)
      and s.ended_at > greatest(private.now() - private.withdrawals_memory(),
        (select lifted_at from private.withdrawal_lifts where user_id = p_user_id))
      and private.is_paid_withdrawal(s));
end $function$;

CREATE OR REPLACE FUNCTION private.record_card(p_customer text, p_method text, p_brand text, p_last4 text, p_exp_month integer, p_exp_year integer, p_is_new boolean, p_kind text DEFAULT 'card'::text, p_mandate text DEFAULT NULL::text, p_country text DEFAULT NULL::text, p_fingerprint text DEFAULT NULL::text)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare v_customer private.payment_customers;
begin
  select c.* into v_customer from private.payment_customers as c join private.payment_provider as p using (provider)
  where c.reference = p_customer;
  if not found then return false; end if;
  update public.payment_methods set brand = p_brand, last4 = p_last4, exp_month = p_exp_month, exp_year = p_exp_year,
    mandate = coalesce(p_mandate, mandate), country = coalesce(p_country, country),
    refused = refused and (last4, exp_month, exp_year) is not distinct from (p_last4, p_exp_month, p_exp_year)
  where provider = v_customer.provider and reference = p_method;
  if not found and p_is_new then
    perform private.ensure_profile(v_customer.user_id);
    insert into public.payment_methods (user_id, provider, reference, kind, brand, last4, exp_month, exp_year, mandate, country)
    values (v_customer.user_id, v_customer.provider, p_method, p_kind, p_brand, p_last4, p_exp_month, p_exp_year, p_mandate, p_country)
    on conflict (provider, reference) do nothing;
  end if;
  if p_fingerprint is not null and exists (select from public.payment_methods where provider = v_customer.provider and reference = p_method) then
    insert into private.payment_fingerprints (fingerprint, user_id) values (p_fingerprint, v_customer.user_id)
    on conflict (fingerprint, user_id) do nothing;
  end if;
  return true;
end $function$;

CREATE OR REPLACE FUNCTION private.record_charge(p_intent text, p_status text, p_code text, p_amount numeric, p_cost numeric, p_is_heard boolean, p_day date DEFAULT NULL::date, p_method text DEFAULT NULL::text)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_charge private.charges;
  v_seat private.seats;
  v_job text;
begin
  select * into v_charge from private.charges where intent = p_intent;
  if not found then return private.record_debt_charge(p_intent, p_status, p_code, p_amount, p_cost); end if;
  v_job := v_charge.payment_id::text;
  v_seat := private.lock_seat_of(v_charge.payment_id, '{outside,refunds_due,fees,costs}');
  update private.charges as c set card = concat_ws(' ', coalesce(m.brand, m.kind), m.last4), tried_id = m.id, kind = m.kind
  from public.payment_methods as m
  where c.payment_id = v_charge.payment_id and c.status <> 'succeeded' and m.provider = c.provider and m.reference = p_method;
  select * into v_charge from private.charges where payment_id = v_charge.payment_id for update;
  if v_charge.status = 'succeeded' then
    delete from private.payment_jobs where kind = 'charge' and about = v_job;
    return true;
  elsif p_status = 'succeeded' then
    perform private.receive(v_charge, p_amount, p_cost);
  elsif v_charge.status not in ('charging', 'processing', 'needs-action') or p_status = 'open'
    or (p_is_heard and v_charge.status <> 'processing' and exists (select from private.payment_jobs where kind = 'charge' and about = v_job)) then
    return true;
  elsif p_status = 'processing' then
    -- The provider will report it; if not, the next attempt asks.
    update private.charges set status = 'processing' where payment_id = v_charge.payment_id;
    insert into private.payment_jobs (kind, about, provider, next_attempt_at, last_error)
    values ('charge', v_job, v_charge.provider, clock_timestamp()
      + case v_charge.kind when 'sepa_debit' then interval '12 hours' else interval '10 minutes' end, 'processing')
    on conflict (kind, about) do update set next_attempt_at = excluded.next_attempt_at, last_error = excluded.last_error, failing_since = null;
    if v_charge.kind = 'sepa_debit' and v_charge.status <> 'processing' then
      perform private.debit_begun(v_charge, p_day);
    end if;
    return true;
  elsif p_status = 'needs-action' then
    update private.charges set status = 'needs-action', code = p_code where payment_id = v_charge.payment_id;
    if v_charge.on_session then
      -- Being confirmed at the bank; the coins of this attempt stay reserved.
      update public.member_payments set status = 'needs-action', next_attempt_at = coalesce(next_attempt_at, private.now() + interval '1 day')
      where id = v_charge.payment_id;
      perform private.wake_seat(v_seat.id);
    elsif v_charge.status <> 'needs-action' then
      perform private.period_failed(v_charge.payment_id, 'needs-action');
    end if;
  else
    update private.charges set status = 'failed', code = p_code, intent = case when p_status <> 'canceled' then intent end
    where payment_id = v_charge.payment_id;
    update public.payment_methods set refused = true where id = v_charge.tried_id and private.is_refused_for_good(p_code);
    perform private.period_failed(v_charge.payment_id, coalesce(p_code, 'refused'));
  end if;
  delete from private.payment_jobs where kind = 'charge' and about = v_job;
  return true;
end $function$;

CREATE OR REPLACE FUNCTION private.record_content(p_record private.sealed_records)
 RETURNS jsonb
 LANGUAGE sql
 STABLE
AS $function$
  select jsonb_build_array('record', p_record.id, p_record.kind, p_record.subject, p_record.digest, extract(epoch from p_record.created_at))
$function$;

CREATE OR REPLACE FUNCTION private.record_debt(p_seat private.seats, p_payment public.member_payments, p_owed numeric)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare v_pays_back text := case when private.says_how_to_pay(p_seat.member_id) then '' else ' Say where they can pay it.' end;
begin
  if p_payment.status <> 'paid' or p_owed <= p_payment.owed_back then return; end if;
  update public.member_payments set owed_back = p_owed, repaid_at = null, owed_since = private.now(), debt_steps_done = 0, unkept_at = null
  where id = p_payment.id;
  perform private.tell_seat(p_seat, p_seat.member_id, 'info', 'owner-owes-you', 'Money Owed to You',
    format('%s owes you %s for the time without access to %s.', (select display_name from public.user_profiles
      where user_id = p_seat.owner_id), private.euros(p_owed), p_payment.plan_name) || v_pays_back,
    jsonb_build_object('amount', p_owed, 'known', v_pays_back = ''));
  perform private.tell_debt(p_seat, p_payment, p_owed);
end $function$;

CREATE OR REPLACE FUNCTION private.record_debt_charge(p_intent text, p_status text, p_code text, p_amount numeric, p_cost numeric)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_outside bigint := private.ledger_account('outside');
  v_costs bigint := private.ledger_account('costs');
  v_debt public.debts;
begin
  if not exists (select from public.debts where intent = p_intent) then return false; end if;
  perform private.lock_ledger(array[v_outside, private.ledger_account('guarantee'), v_costs]);
  select * into v_debt from public.debts where intent = p_intent for update;
  if v_debt.status = 'succeeded' or p_status in ('open', 'processing') then return true; end if;
  if p_status = 'succeeded' then
    perform private.book_debt(v_debt, v_outside, p_amount, format('debt:%s:card', v_debt.id));
    if p_cost > 0 then
      perform private.transfer('debt-cost:' || p_intent, v_costs, v_outside, p_cost, 'cost',
        (select seat_id from public.member_payments where id = v_debt.payment_id), v_debt.payment_id, v_debt.plan_name || ': debt paid');
    end if;
    update public.debts set status = 'succeeded', code = null where id = v_debt.id;
  elsif p_status = 'needs-action' then
    update public.debts set status = p_status, code = p_code where id = v_debt.id;
  else
    update public.debts set status = 'failed', code = p_code, intent = case when p_status <> 'canceled' then intent end where id = v_debt.id;
  end if;
  delete from private.payment_jobs where kind = 'debt' and about = v_debt.id::text;
  return true;
end $function$;

CREATE OR REPLACE FUNCTION private.record_digest(p_salt uuid, p_content jsonb)
 RETURNS text
 LANGUAGE sql
 STABLE
RETURN encode(sha256(convert_to((jsonb_build_array(p_salt, p_content))::text, 'UTF8'::name)), 'hex'::text);

CREATE OR REPLACE FUNCTION private.record_intents(p_intents jsonb)
 RETURNS jsonb
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare v_periods uuid[] := array(select key::uuid from jsonb_object_keys(p_intents) as key);
begin
  perform from private.charges where payment_id = any (v_periods) order by payment_id for update;
  update private.charges set intent = p_intents ->> payment_id::text where payment_id = any (v_periods) and intent is null;
  update public.debts set intent = p_intents ->> id::text where id = any (v_periods) and intent is null;
  return (select jsonb_object_agg(id, intent) from (
    select payment_id, intent from private.charges where payment_id = any (v_periods)
    union all select d.id, d.intent from public.debts as d where d.id = any (v_periods)) as stored (id, intent));
end $function$;

CREATE OR REPLACE FUNCTION private.record_received(p_payment public.member_payments, p_by text)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare v_seat private.seats;
begin
  update public.member_payments set status = 'paid', paid_at = private.now(), note = null, closed_at = null, received_by = p_by,
    due_at = private.owed_since(p_payment) where id = p_payment.id;
  v_seat := private.begin_periods(p_payment.seat_id);
  -- A payment left unpaid when the owner ended the place was already reduced to the time used.
  if v_seat.ended_at is not null and not private.has_open_problem(v_seat.id)
    and (p_payment.left_unpaid_at is null or v_seat.end_reason in ('left', 'over')) then
    perform private.close_period(p_payment.id, case when v_seat.end_reason in ('removed', 'cancelled') then v_seat.ended_at end);
  end if;
  perform private.follow_direct_payments(v_seat.id);
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
  v_rest numeric;
begin
  select * into v_refund from private.refunds where id::text = p_refund or reference = p_reference;
  if not found then
    select payment_id into v_payment from private.charges where intent = p_intent;
    if v_payment is null then return false; end if;
    if p_reference is null or p_status = 'failed' then return true; end if;
    perform private.adopt_refund(v_payment, p_reference, p_amount);
    select * into v_refund from private.refunds where reference = p_reference;
  end if;
  v_seat := private.lock_place((select seat_id from public.member_payments where id = v_refund.payment_id));
  perform private.lock_held_money(array[v_seat.id], '{outside,refunds_due,fees,guarantee}');
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
    v_rest := p_amount - v_refund.amount;
    update private.refunds set amount = p_amount where id = v_refund.id returning * into v_refund;
    perform private.take_returned(v_period.id, v_refund.id, p_reference, v_rest);
  end if;
  update private.refunds set reference = coalesce(reference, p_reference), reason = p_reason,
    status = case when status = 'failed' or (status = 'succeeded' and p_status <> 'failed') then status else p_status end
  where id = v_refund.id;
  if p_status = 'succeeded' and v_refund.status in ('queued', 'pending') then
    perform private.transfer('refund:' || v_refund.id, private.ledger_account('refunds_due'), private.ledger_account('outside'),
      v_refund.amount, 'refund-sent', v_period.seat_id, v_period.id, v_period.plan_name);
    perform private.book_returned_twice(v_refund, v_period);
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

CREATE OR REPLACE FUNCTION private.record_repaid(p_payment public.member_payments)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  update public.member_payments set repaid_at = private.now() where id = p_payment.id;
  perform private.wake_seat(p_payment.seat_id);
end $function$;

CREATE OR REPLACE FUNCTION private.record_rows()
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
 SET "TimeZone" TO 'UTC'
AS $function$
declare v_kind record;
begin
  for v_kind in select * from private.sealed_kinds() loop
    execute format($query$
      select private.write_record(%1$L, rows.subject, private.sealed_content(%1$L, rows.content)) from (
        select private.sealed_subject(%3$L, to_jsonb(t)) as subject, to_jsonb(t) as content from %2$s as t where %4$s
      ) as rows
      where not exists (select from private.sealed_records as r where r.kind = %1$L and r.subject = rows.subject) order by rows.subject
    $query$, v_kind.kind, v_kind.relation, v_kind.key, v_kind.condition);
  end loop;
end $function$;

CREATE OR REPLACE FUNCTION private.refresh_facts(p_limit integer DEFAULT 1000)
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare v_ids uuid[];
begin
  if not pg_try_advisory_xact_lock(hashtext('known facts')) then return 0; end if;
  with seen as (
    delete from private.fact_changes where id in (select id from private.fact_changes order by id limit p_limit) returning user_id
  )
  select array(
    select user_id from seen union
    (select user_id from private.known_facts where holds_until <= private.now() order by holds_until limit p_limit)
  ) into v_ids;
  -- A statement of its own, so that its snapshot includes what those changes were about.
  insert into private.known_facts select * from private.work_out_facts(v_ids)
  on conflict (user_id) do update set known_at = excluded.known_at, holds_until = excluded.holds_until,
    access_given = excluded.access_given, pace = excluded.pace, paid_on_time = excluded.paid_on_time, paid_late = excluded.paid_late,
    problems = excluded.problems, unkept_debts = excluded.unkept_debts, answers = excluded.answers, answer_minutes = excluded.answer_minutes;
  return cardinality(v_ids);
end $function$;

CREATE OR REPLACE FUNCTION private.refuse_charge(p_payment_id uuid, p_code text)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  update public.debts set status = 'failed', code = p_code where id = p_payment_id and status = 'charging' and intent is null;
  if found then
    delete from private.payment_jobs where kind = 'debt' and about = p_payment_id::text;
    return;
  end if;
  perform private.lock_seat_of(p_payment_id);
  update private.charges set status = 'failed', code = p_code
  where payment_id = p_payment_id and status = 'charging' and intent is null;
  -- Otherwise somebody else has begun it meanwhile.
  if not found then return; end if;
  delete from private.payment_jobs where kind = 'charge' and about = p_payment_id::text;
  perform private.period_failed(p_payment_id, p_code);
end $function$;

CREATE OR REPLACE FUNCTION private.release_payouts(p_person_id uuid)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_user uuid := private.require_treasurer();
  v_hold private.payout_holds;
begin
  select * into v_hold from private.payout_holds where user_id = p_person_id and released_at is null for update;
  if p_person_id = v_user then
    raise exception 'Someone else decides on your own withdrawal' using errcode = '42501';
  elsif v_hold.id is null then
    raise exception 'Payouts to this person are not held' using errcode = '23514';
  end if;
  perform private.log_staff('payouts released', p_person_id::text, '{}');
  perform private.end_hold(v_hold);
end $function$;

CREATE OR REPLACE FUNCTION private.remind_of_claim(p_claim_id uuid)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  update public.payment_claims set reminders = reminders + 1 where id = p_claim_id;
  perform private.ask_about_claim(p_claim_id);
end $function$;

CREATE OR REPLACE FUNCTION private.reopen_claim(p_payment_id uuid)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare v_claim public.payment_claims;
begin
  update public.payment_claims as c set status = case when c.disputed_at is null then 'open' else 'disputed' end, closed_at = null,
    answer_by = greatest(c.made_at + case when c.disputed_at is null then private.answer_time(c) else private.payment_dispute_time() end,
      private.now() + private.receipt_undo_time())
  where id = (select id from public.payment_claims where payment_id = p_payment_id and kind = 'payment' and status = 'received'
    order by made_at desc limit 1)
  returning * into v_claim;
  if not found then return; end if;
  update public.member_payments set status = case v_claim.status when 'disputed' then 'disputed' else 'claimed' end where id = p_payment_id;
end $function$;

CREATE OR REPLACE FUNCTION private.requeue_account_transfers(p_user_id uuid)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform private.queue_account_job('transfer', id) from private.account_transfers where user_id = p_user_id and status = 'queued';
end $function$;

CREATE OR REPLACE FUNCTION private.require_may_contract(p_user_id uuid)
 RETURNS void
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_owed numeric := private.owed_to_site(p_user_id);
  v_is_over boolean := private.recent_withdrawals(p_user_id) >= private.most_withdrawals();
begin
  if v_owed = 0 and not v_is_over then return; end if;
  if p_user_id is distinct from auth.uid() then
    raise exception 'This person can’t take a place that is paid through the site right now' using errcode = '23514';
  elsif v_owed > 0 then
    raise exception 'You owe us % for a debit that your bank took back. Pay it under My Payments first.', private.euros(v_owed)
      using errcode = '23514';
  else
    raise exception 'You’ve withdrawn from % contracts within a year. Write to support to take a place through the site again.',
      private.most_withdrawals() using errcode = '23514';
  end if;
end $function$;

CREATE OR REPLACE FUNCTION private.require_reachable(p_other uuid, p_refusal text)
 RETURNS void
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform private.require_unblocked(p_other, p_refusal);
  if private.is_suspended(p_other) then
    raise exception '%', p_refusal using errcode = '23514';
  end if;
end $function$;

CREATE OR REPLACE FUNCTION private.require_settled(p_owner_id uuid, p_member_id uuid)
 RETURNS void
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if private.unkept_debts(p_owner_id) > 0 then
    if auth.uid() = p_owner_id then
      raise exception 'You owe a member a refund. Pay it back before you take new members.' using errcode = '23514';
    end if;
    raise exception 'This plan takes no new members right now' using errcode = '23514';
  elsif private.left_unpaid(p_owner_id, p_member_id) then
    if auth.uid() = p_owner_id then
      raise exception 'This person left one of your places unpaid. Let that go first, or wait until it’s paid.' using errcode = '23514';
    end if;
    raise exception 'You left a place with this owner unpaid. Pay it first, or ask them to let it go.' using errcode = '23514';
  end if;
end $function$;

CREATE OR REPLACE FUNCTION private.require_wish_to_begin(p_begins_at_once_at timestamp with time zone)
 RETURNS void
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
begin
  if p_begins_at_once_at is null then
    raise exception 'A place that is paid through the site begins only if you ask us to begin at once' using errcode = '23514';
  end if;
end $function$;

CREATE OR REPLACE FUNCTION private.return_denied(p_payment public.member_payments, p_note text)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare v_seat private.seats;
begin
  select * into v_seat from private.seats where id = p_payment.seat_id;
  perform private.void_receipt(p_payment);
  update public.member_payments set claimed_at = null, owed_back = 0, owed_since = null, unkept_at = null, debt_steps_done = 0, note = p_note,
    status = 'due', first_due_at = coalesce(first_due_at, due_at), due_at = private.now() + private.denied_payment_time(), reminders = 0
  where id = p_payment.id returning * into p_payment;
  update private.seats set access_due_at = null, access_reminded = false where id = v_seat.id and access_given_at is null;
  if v_seat.ended_at is not null and p_payment.left_unpaid_at is null and not private.leave_unpaid(v_seat, p_payment) then
    update public.member_payments set status = 'cancelled', closed_at = private.now() where id = p_payment.id;
  end if;
  perform private.follow_direct_payments(v_seat.id);
end $function$;

CREATE OR REPLACE FUNCTION private.returned_payment_time()
 RETURNS interval
 LANGUAGE sql
 IMMUTABLE
RETURN '72:00:00'::interval;

CREATE OR REPLACE FUNCTION private.run_due_work(p_limit integer DEFAULT 100)
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_now timestamptz := private.now();
  v_due uuid[];
  v_ids uuid[];
  v_id uuid;
begin
  perform private.keep_beat();
  perform private.follow_suspensions();
  perform private.expire_join_requests();
  perform private.tell_expiring_requests();
  perform private.close_questions();
  perform private.free_kept_places();
  perform private.tell_seekers();
  perform private.tell_of_failing_jobs();
  perform private.remind_of_disputes();
  -- Only as many as several workers take at once: every other way to write this grows with all that is due.
  v_due := array(select id from private.seats where next_at <= v_now order by next_at limit 4 * p_limit);
  -- With membership and plan, which are locked first to end a seat.
  v_ids := array(
    select s.id from unnest(v_due) with ordinality as due (id, place)
    join private.seats as s on s.id = due.id
    join public.subscription_members as m on m.subscription_id = s.subscription_id and m.user_id = s.member_id
    join public.shared_subscriptions as p on p.id = s.subscription_id
    where s.next_at <= v_now order by place limit p_limit
    for update of s, m skip locked for no key update of p skip locked
  ) || array(
    -- Ended seats have neither, only a problem that outlived them.
    select id from private.seats where id = any (v_due) and next_at <= v_now and ended_at is not null limit p_limit
    for update skip locked
  );
  begin
    perform private.catch_up_all(v_ids);
  exception when others then
    -- One failed: do each by itself, again locking all accounts before the first.
    perform private.lock_held_money(v_ids);
    foreach v_id in array v_ids loop
      begin
        perform private.catch_up_all(array[v_id]);
      exception when others then
        update private.seats set failures = failures + 1, last_error = left(sqlerrm, 500),
          next_at = private.now() + least(interval '6 hours', interval '1 minute' * power(4, least(failures, 10)))
        where id = v_id;
        raise warning 'Seat %: %', v_id, sqlerrm;
      end;
    end loop;
  end;
  return cardinality(v_ids);
end $function$;

CREATE OR REPLACE FUNCTION private.say_paid(p_payment_id uuid, p_note text DEFAULT NULL::text)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_payment public.member_payments := private.lock_direct_payment(p_payment_id, false);
  v_claim public.payment_claims;
begin
  if not private.is_payable(v_payment) then
    raise exception 'This payment is not open' using errcode = '23514';
  end if;
  v_claim := private.create_claim(v_payment, 'payment', p_note);
  update public.member_payments set status = case v_claim.status when 'disputed' then 'disputed' else 'claimed' end,
    claimed_at = private.now(), note = null, closed_at = null, due_at = private.owed_since(v_payment) where id = v_payment.id;
  perform private.follow_direct_payments(v_payment.seat_id);
  perform private.ask_about_claim(v_claim.id);
end $function$;

CREATE OR REPLACE FUNCTION private.say_repaid(p_payment_id uuid, p_note text DEFAULT NULL::text)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_payment public.member_payments := private.lock_direct_payment(p_payment_id, true);
  v_claim public.payment_claims;
begin
  if not private.is_owed_back(v_payment) or private.is_claimed_back(v_payment.id) then
    raise exception 'Nothing is owed here' using errcode = '23514';
  end if;
  v_claim := private.create_claim(v_payment, 'repayment', p_note);
  perform private.wake_seat(v_payment.seat_id);
  perform private.ask_about_claim(v_claim.id);
end $function$;

CREATE OR REPLACE FUNCTION private.says_how_to_pay(p_owner_id uuid)
 RETURNS boolean
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  return exists (select from public.payment_wishes where user_id = p_owner_id) and not private.is_suspended(p_owner_id);
end $function$;

CREATE OR REPLACE FUNCTION private.seal_subject(p_seal private.ledger_seals, p_transfer private.ledger_transfers, p_record private.sealed_records)
 RETURNS text
 LANGUAGE sql
 STABLE
AS $function$
  select coalesce(p_transfer.kind || ' ' || p_transfer.key, p_record.kind || ' ' || p_record.subject, 'transfer ' || p_seal.transfer_id,
    'record ' || p_seal.record_id)
$function$;

CREATE OR REPLACE FUNCTION private.seal_transfers()
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_end private.ledger_seal_end;
  v_snapshot pg_snapshot;
  v_newest bigint;
  v_newest_record bigint;
  v_row record;
begin
  select * into v_end from private.ledger_seal_end for update;
  -- Moving money and writing a record give the transaction a number before they take an id.
  select pg_current_snapshot(), coalesce((select max(id) from private.ledger_transfers), 0),
    coalesce((select max(id) from private.sealed_records), 0) into v_snapshot, v_newest, v_newest_record;
  for v_row in
    select t.id as transfer_id, private.transfer_content(t, jsonb_agg(private.entry_text(e) order by e.account_id)) as content
    from private.ledger_transfers as t left join private.ledger_entries as e on e.transfer_id = t.id
    where t.id > v_end.through and not exists (select from private.ledger_seals as s where s.transfer_id = t.id)
    group by t.id order by t.id
  loop
    v_end.line := v_end.line + 1;
    v_end.hash := private.chain_hash(v_end.hash, v_end.line, v_row.content);
    insert into private.ledger_seals (line, transfer_id, hash) values (v_end.line, v_row.transfer_id, v_end.hash);
  end loop;
  for v_row in
    select r.id as record_id, private.record_content(r) as content from private.sealed_records as r
    where r.id > v_end.records_through and not exists (select from private.ledger_seals as s where s.record_id = r.id) order by r.id
  loop
    v_end.line := v_end.line + 1;
    v_end.hash := private.chain_hash(v_end.hash, v_end.line, v_row.content);
    insert into private.ledger_seals (line, record_id, hash) values (v_end.line, v_row.record_id, v_end.hash);
  end loop;
  -- Transaction ids above the current one come from the database this was restored from.
  if v_end.next_transaction <= pg_snapshot_xmin(v_snapshot)::text::bigint
    or v_end.next_transaction > pg_snapshot_xmax(v_snapshot)::text::bigint then
    v_end.through := greatest(v_end.through, v_end.next_through);
    v_end.records_through := greatest(v_end.records_through, v_end.next_records_through);
    v_end.next_through := v_newest;
    v_end.next_records_through := v_newest_record;
    v_end.next_transaction := pg_snapshot_xmax(v_snapshot)::text::bigint;
  end if;
  update private.ledger_seal_end set line = v_end.line, hash = v_end.hash, through = v_end.through, next_through = v_end.next_through,
    records_through = v_end.records_through, next_records_through = v_end.next_records_through, next_transaction = v_end.next_transaction
  where (through, next_through, records_through, next_records_through, line)
    <> (v_end.through, v_end.next_through, v_end.records_through, v_end.next_records_through, v_end.line);
end $function$;

CREATE OR REPLACE FUNCTION private.sealed_columns(p_kind text)
 RETURNS text[]
 LANGUAGE sql
 IMMUTABLE
RETURN string_to_array(CASE p_kind WHEN 'invoice'::text THEN ('number corrects payment_id buyer_id issued_at paid_at plan_name period gross net vat category vat_rate buyer_name '::text || 'buyer_country evidence seller'::text) WHEN 'receipt'::text THEN ('receipt_number seat_id subscription_id owner_id member_id plan_name number share fee paid_at owner_name member_name '::text || 'seller_name seller_address seller_tax_number'::text) WHEN 'direct payment'::text THEN ((('seat_id subscription_id owner_id member_id plan_name number share fee starts_at ends_at due_at status '::text || 'claimed_at paid_at received_by first_due_at unconfirmed_at left_unpaid_at waived_at closed_at owed_back owed_since unkept_at repaid_at '::text) || 'debt_closed_at note receipt_number owner_name member_name seller_name seller_address '::text) || 'seller_tax_number'::text) WHEN 'claim of a direct payment'::text THEN ('payment_id kind amount note made_at after_end status answer_by denial disputed_at closed_at decided_by '::text || 'decision'::text) WHEN 'void receipt'::text THEN 'payment_id voided_at'::text WHEN 'debt to the site'::text THEN 'dispute_id payment_id member_id amount coins card opened_at'::text WHEN 'tax report'::text THEN 'year kind reference operator operator_document operator_way operator_corrects made_at created_by'::text WHEN 'void tax report'::text THEN 'voided_at voided_by void_reason'::text WHEN 'tax report entry'::text THEN 'document corrects is_deletion figures'::text WHEN 'day of the books'::text THEN ((('held owed going_back fees corrections outside given_back '::text || 'seats '::text) || 'wallets problems fixed paid_back unfounded '::text) || 'hours_to_money checked_at faults seal seal_hash'::text) WHEN 'withdrawal'::text THEN ('user_id amount closes_account status requested_at processed_at completed_at rejection_reason stripe_transfer_id '::text || 'bank_account_last4 bank_account_id processed_by completed_by returned_at returned_by return_reason'::text) WHEN 'paid withdrawal'::text THEN ('user_id amount requested_at processed_at completed_at stripe_transfer_id bank_account_last4 processed_by '::text || 'completed_by'::text) WHEN 'bank account'::text THEN 'user_id version last4 sealed created_at'::text WHEN 'state of a bank account'::text THEN 'taken_back_at'::text WHEN 'payout account'::text THEN 'reference created_at'::text WHEN 'transfer to an account'::text THEN 'user_id payment_id dispute_id amount created_at'::text WHEN 'state of a transfer'::text THEN 'status reference reason sent_at'::text WHEN 'reversal'::text THEN 'transfer_id dispute_id warning_id refund_id amount created_at'::text WHEN 'state of a reversal'::text THEN 'status reference done_at'::text WHEN 'payout'::text THEN 'user_id amount status arrives_on reason created_at changed_at'::text WHEN 'customer'::text THEN 'reference'::text WHEN 'payment method'::text THEN 'user_id provider reference kind created_at'::text WHEN 'state of a payment method'::text THEN 'last4 mandate country'::text WHEN 'VAT rate'::text THEN 'rate'::text WHEN 'VAT settings'::text THEN 'mode name street postcode town country vat_number sentence prefix since'::text WHEN 'time with invoices'::text THEN 'until mode'::text ELSE NULL::text END, ' '::text);

CREATE OR REPLACE FUNCTION private.sealed_content(p_kind text, p_row jsonb)
 RETURNS jsonb
 LANGUAGE plpgsql
 IMMUTABLE
 SET search_path TO ''
AS $function$
begin
  return (select jsonb_strip_nulls(jsonb_object_agg(name, p_row -> name)) from unnest(private.sealed_columns(p_kind)) as name);
end $function$;

CREATE OR REPLACE FUNCTION private.sealed_content_of(p_seal private.ledger_seals, p_transfer private.ledger_transfers, p_record private.sealed_records, p_entries jsonb)
 RETURNS jsonb
 LANGUAGE sql
 STABLE
AS $function$
  select case when p_transfer.id is not null then private.transfer_content(p_transfer, p_entries)
    when p_record.id is not null then private.record_content(p_record) end
$function$;

CREATE OR REPLACE FUNCTION private.sealed_kinds()
 RETURNS TABLE(kind text, relation text, key text[], condition text, is_fixed boolean, is_deletable boolean)
 LANGUAGE sql
 IMMUTABLE
 SET search_path TO ''
AS $function$
  values
    ('invoice', 'public.fee_invoices', '{id}'::text[], 'true', true, false),
    ('receipt', 'public.member_payments', '{id}', 'settlement = ''potluck'' and receipt_number is not null', true, false),
    ('direct payment', 'public.member_payments', '{id}', 'settlement = ''direct''', false, false),
    ('claim of a direct payment', 'public.payment_claims', '{id}', 'true', false, false),
    ('void receipt', 'private.void_receipts', '{number}', 'true', true, false),
    ('debt to the site', 'public.debts', '{id}', 'true', false, true),
    ('tax report', 'private.tax_reports', '{id}', 'true', true, false),
    ('void tax report', 'private.tax_reports', '{id}', 'voided_at is not null', true, false),
    ('tax report entry', 'private.tax_report_entries', '{report_id,user_id}', 'true', true, false),
    ('day of the books', 'private.daily_books', '{day}', 'true', true, false),
    ('withdrawal', 'public.withdrawal_requests', '{id}', 'true', false, false),
    ('paid withdrawal', 'public.withdrawal_requests', '{id}', 'status = ''completed''', true, false),
    ('bank account', 'private.bank_accounts', '{id}', 'true', true, true),
    ('state of a bank account', 'private.bank_accounts', '{id}', 'true', false, true),
    ('payout account', 'private.connected_accounts', '{user_id}', 'true', true, false),
    ('transfer to an account', 'private.account_transfers', '{id}', 'true', true, false),
    ('state of a transfer', 'private.account_transfers', '{id}', 'true', false, false),
    ('reversal', 'private.account_reversals', '{id}', 'true', true, false),
    ('state of a reversal', 'private.account_reversals', '{id}', 'true', false, false),
    ('payout', 'private.account_payouts', '{id}', 'true', false, false),
    ('customer', 'private.payment_customers', '{user_id,provider}', 'true', false, true),
    ('payment method', 'public.payment_methods', '{id}', 'true', true, true),
    ('state of a payment method', 'public.payment_methods', '{id}', 'true', false, true),
    ('VAT rate', 'private.vat_rates', '{country,valid_from}', 'true', true, false),
    ('VAT settings', 'public.vat_settings', '{id}', 'true', false, false),
    ('time with invoices', 'private.invoice_spans', '{since}', 'true', true, false)
$function$;

CREATE OR REPLACE FUNCTION private.sealed_subject(p_key text[], p_row jsonb)
 RETURNS text
 LANGUAGE plpgsql
 IMMUTABLE
 SET search_path TO ''
AS $function$
begin
  return (select string_agg(p_row ->> name, ' ' order by place) from unnest(p_key) with ordinality as key (name, place));
end $function$;

CREATE OR REPLACE FUNCTION private.seat_news(p_seat private.seats, p_user_id uuid, p_type text, p_event text, p_title text, p_message text, p_params jsonb DEFAULT '{}'::jsonb, p_mails boolean DEFAULT true, p_invoiced uuid DEFAULT NULL::uuid, p_answer_path text DEFAULT NULL::text)
 RETURNS private.news
 LANGUAGE sql
 IMMUTABLE
AS $function$
  select (p_seat, p_user_id, p_type, p_event, p_title, p_message, p_params, p_mails, p_invoiced, p_answer_path)::private.news
$function$;

CREATE OR REPLACE FUNCTION private.seekers_of(p_plan public.shared_subscriptions)
 RETURNS SETOF uuid
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select distinct a.user_id
  from public.plan_alerts as a
  cross join (
    select private.level_of(f.days_here, f.hours_given, f.paid_on_time, f.paid_late, f.problems, f.unkept_debts,
      f.answer_minutes) as level
    from private.standing_facts(array[p_plan.owner_id]) as f
  ) as owner
  where a.expires_at > now() and a.user_id <> p_plan.owner_id
    and (a.search is null or strpos(lower(p_plan.provider || ' ' || p_plan.name), a.search) > 0)
    and (a.category is null or a.category = p_plan.category) and (a.provider is null or a.provider = p_plan.provider)
    and (a.most is null or a.most >= p_plan.monthly_cost) and (a.settlement is null or a.settlement = p_plan.settlement)
    and (a.level is null or owner.level in (a.level, 'trusted')) and (not a.instant or p_plan.instant_from is not null)
    and not exists (select from private.told_plans as t where t.user_id = a.user_id and t.subscription_id = p_plan.id)
    and not exists (select from public.blocked_people as b
      where (b.user_id, b.blocked_id) in ((a.user_id, p_plan.owner_id), (p_plan.owner_id, a.user_id)))
    and not exists (select from public.subscription_members as m where m.subscription_id = p_plan.id and m.user_id = a.user_id)
    and not exists (select from public.waiting_list as w where w.subscription_id = p_plan.id and w.user_id = a.user_id)
    and not exists (select from public.subscription_requests as r
      where r.subscription_id = p_plan.id and r.user_id = a.user_id and private.is_open_request(r))
$function$;

CREATE OR REPLACE FUNCTION private.settle_claim(p_claim public.payment_claims, p_status text, p_reason text DEFAULT NULL::text)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare v_payment public.member_payments;
begin
  update public.payment_claims set status = p_status, answer_by = null, closed_at = private.now(), decision = p_reason,
    decided_by = case when p_reason is not null then auth.uid() end where id = p_claim.id;
  select * into v_payment from public.member_payments where id = p_claim.payment_id;
  if p_claim.kind = 'payment' then
    case p_status
      when 'received' then
        -- It was paid when the member first said so.
        update public.member_payments set claimed_at = (select min(made_at) from public.payment_claims where payment_id = v_payment.id
          and kind = 'payment') where id = v_payment.id returning * into v_payment;
        if v_payment.paid_at is null then
          perform private.record_received(v_payment, 'staff');
        else
          -- The time to pay back what is owed stood still during the dispute, and starts anew.
          update public.member_payments set status = 'paid', received_by = 'staff', owed_since = case when owed_back > 0 then private.now() end,
            debt_steps_done = 0 where id = v_payment.id;
        end if;
      when 'denied' then perform private.return_denied(v_payment, p_reason);
      else
        perform private.void_receipt(v_payment);
        update public.member_payments set status = 'cancelled', closed_at = private.now(), left_unpaid_at = null,
          debt_closed_at = case when owed_back > 0 then private.now() end where id = v_payment.id;
    end case;
  else
    case p_status
      when 'received' then perform private.record_repaid(v_payment);
      when 'denied' then null;
      else update public.member_payments set debt_closed_at = private.now() where id = v_payment.id;
    end case;
  end if;
  perform private.follow_direct_payments(p_claim.seat_id);
  v_payment.amount := p_claim.amount;
  perform private.tell_payment(v_payment, is_owner, 'info', 'payment-decided', 'Payment Dispute Closed', case p_status
      when 'received' then 'Our team decided that %1$s for %2$s was paid: %4$s'
      when 'denied' then 'Our team decided that %1$s for %2$s was not paid: %4$s'
      else 'Nobody could decide whether %1$s for %2$s was paid, so it counts for neither of you.' end, p_reason,
    jsonb_build_object('outcome', p_status, 'reason', coalesce(p_reason, ''))) from unnest('{true,false}'::boolean[]) as side (is_owner);
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
      v_coins := private.payable_coins(v_closed.user_id);
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
      delete from private.account_changes where user_id = v_closed.user_id;
      update public.user_profiles set language = null where user_id = v_closed.user_id;
      delete from private.closed_accounts where user_id = v_closed.user_id;
      delete from private.vault_keys where person_id = v_closed.user_id and not private.needs_vault_key(v_closed.user_id);
    end if;
  end loop;
end $function$;

CREATE OR REPLACE FUNCTION private.settle_owed(p_seat_id uuid)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_seat private.seats;
  v_payment public.member_payments;
begin
  select * into v_seat from private.seats where id = p_seat_id and member_id = private.require_user() for update;
  if not found then
    raise exception 'Place not found' using errcode = 'PT404';
  elsif private.owed_back(v_seat.id) = 0 then
    raise exception 'Nothing is owed to you here' using errcode = '23514';
  end if;
  for v_payment in select * from public.member_payments as m where seat_id = v_seat.id and private.is_owed_back(m) order by number loop
    perform private.receive_repayment(v_payment);
  end loop;
end $function$;

CREATE OR REPLACE FUNCTION private.settle_seat(p_seat_id uuid, p_reason text, p_by uuid)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_seat private.seats := private.lock_seat(p_seat_id);
  v_period public.member_payments;
  v_lost_from timestamptz;
  v_had_problem boolean := private.has_open_problem(p_seat_id);
begin
  if v_seat.ended_at is not null then return; end if;
  perform private.lock_held_money(array[v_seat.id]);
  -- First, so that nothing triggered below finds a living seat.
  update private.seats set ended_at = private.now(), ended_by = p_by, end_reason = p_reason, next_at = null where id = v_seat.id
  returning * into v_seat;
  if p_reason in ('removed', 'cancelled') or p_reason = 'suspended' and private.is_suspended(v_seat.owner_id) then
    perform private.forfeit_problem(v_seat.id);
  end if;
  if p_reason in ('removed', 'cancelled') then
    v_lost_from := private.now();
  end if;
  for v_period in
    select * from public.member_payments where seat_id = v_seat.id
      and status in ('due', 'claimed', 'charging', 'processing', 'needs-action', 'failed', 'paid') order by number
  loop
    continue when v_period.status = 'due' and not v_had_problem and private.leave_unpaid(v_seat, v_period);
    if v_period.status not in ('claimed', 'paid') then
      perform private.let_go(v_period.id);
      update public.member_payments set status = 'cancelled', next_attempt_at = null, closed_at = private.now() where id = v_period.id;
      -- An open charge is closed at the provider, or refunded.
      perform private.queue_payment_job('charge', payment_id::text, provider) from private.charges
      where payment_id = v_period.id and status in ('needs-action', 'processing');
    elsif not private.has_open_problem(v_seat.id) then
      perform private.close_period(v_period.id, v_lost_from);
    end if;
  end loop;
  perform private.wake_seat(v_seat.id);
  perform private.tell_left_unpaid(v_seat);
  perform private.tell_precedence(v_seat);
  if p_reason <> 'cancelled' and not private.is_suspended(v_seat.owner_id) then
    perform private.ask_for_new_password(v_seat);
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
  perform private.tell_of_withdrawals(p_seat);
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

CREATE OR REPLACE FUNCTION private.site_differences(p_span tstzrange, p_booked tstzrange)
 RETURNS TABLE(id text, type text, about text)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
#variable_conflict use_column
declare v_outside bigint := private.ledger_account('outside');
begin
  return query
  with moved as (
    select c.payment_id from private.provider_movements as p join private.charges as c on c.intent = p.intent
    where p.account is null and p.moved_at >= lower(p_booked) and p.moved_at < upper(p_booked)
    union
    select t.period_id from private.ledger_transfers as t
    where t.created_at >= lower(p_booked) and t.created_at < upper(p_booked) and v_outside in (t.from_account, t.to_account)
  )
  select format('books:%s:%s:%s', c.intent, there.amount, here.amount),
    left(format('%s at the provider, %s in the books: %s', private.euros(there.amount), private.euros(here.amount), m.plan_name), 200), c.intent
  from moved join private.charges as c on c.payment_id = moved.payment_id and c.provider <> 'simulated'
  join public.member_payments as m on m.id = c.payment_id
  cross join lateral (
    select coalesce(sum(amount), 0) as amount, max(moved_at) as latest from private.provider_movements where account is null and intent = c.intent
  ) as there
  cross join lateral (
    -- A refund has left the provider's balance while it is under way.
    select coalesce(sum(case t.from_account when v_outside then t.amount else -t.amount end), 0.00)
      - (select coalesce(sum(amount), 0) from private.refunds where payment_id = m.id and status = 'pending')
      -- What a bank takes from an owner's account is named after the owner.
      - (select coalesce(sum(from_account), 0) from public.payment_disputes where payment_id = m.id and status <> 'won') as amount,
      max(t.created_at) as latest
    from private.ledger_transfers as t
    where t.person_id = m.member_id and t.period_id = m.id and v_outside in (t.from_account, t.to_account)
      and not t.key ^@ 'debt'
  ) as here
  -- A debit moves the balance there before it is certain.
  where there.amount <> here.amount and c.status <> 'processing' and greatest(there.latest, here.latest) < upper(p_booked)
  union all
  select format('books:%s:%s:%s', d.intent, there.amount, here.amount),
    left(format('%s at the provider, %s in the books: debt for %s', private.euros(there.amount), private.euros(here.amount), d.plan_name), 200), d.intent
  from public.debts as d
  cross join lateral (
    select coalesce(sum(amount), 0) as amount, max(moved_at) as latest from private.provider_movements where account is null and intent = d.intent
  ) as there
  cross join lateral (
    select coalesce(sum(case t.from_account when v_outside then t.amount else -t.amount end), 0.00) as amount, max(t.created_at) as latest
    from private.ledger_transfers as t
    where t.person_id = d.member_id and t.period_id = d.payment_id and t.key in ('debt:' || d.id || ':card', 'debt-cost:' || d.intent)
  ) as here
  where there.amount <> here.amount and greatest(there.latest, here.latest) >= lower(p_booked) and greatest(there.latest, here.latest) < upper(p_booked)
  union all
  -- What was sent to an account, less what was taken back of it.
  select format('books:%s:%s', t.reference, there.amount),
    left(format('%s at the provider, %s in the books: transfer to an account', private.euros(there.amount), private.euros(here.amount)), 200),
    t.reference
  from private.account_transfers as t
  cross join lateral (
    select sum(amount) as amount, max(moved_at) as latest from private.provider_movements where account is null and intent = t.reference
  ) as there
  cross join lateral (
    select coalesce(sum(r.amount) filter (where r.status = 'done'), 0) - t.amount as amount
    from private.account_reversals as r where r.transfer_id = t.id
  ) as here
  where there.latest >= lower(p_booked) and there.latest < upper(p_booked) and there.amount <> here.amount
  union all
  select 'books:' || about, left(format('Not in the books: %s of %s', kinds, private.euros(abs(amount))), 200), about from (
    select coalesce(p.intent, p.id) as about, string_agg(distinct replace(p.kind, '_', ' '), ', ') as kinds, sum(p.amount) as amount
    from private.provider_movements as p
    where p.account is null and p.moved_at >= lower(p_span) and p.moved_at < upper(p_span)
      and not exists (select from private.charges as c where c.intent = p.intent)
      and not exists (select from public.debts as d where d.intent = p.intent)
      and not exists (select from private.account_transfers as t where t.reference = p.intent)
    group by 1
  ) as foreign_one
  where not exists (select from public.unknown_payment_events as e where e.about = foreign_one.about);
end $function$;

CREATE OR REPLACE FUNCTION private.soonest_debit()
 RETURNS interval
 LANGUAGE sql
 IMMUTABLE
RETURN '3 days'::interval;

CREATE OR REPLACE FUNCTION private.staff_log_content(p_line private.staff_log)
 RETURNS jsonb
 LANGUAGE sql
 IMMUTABLE
 SET search_path TO ''
AS $function$
  select jsonb_build_array(to_char(p_line.at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.US'), p_line.actor, p_line.action, p_line.subject,
    p_line.details)
$function$;

CREATE OR REPLACE FUNCTION private.staff_person_account(p_person_id uuid)
 RETURNS jsonb
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select jsonb_build_object(
    'id', u.id, 'avatarUrl', profile.avatar_url, 'since', coalesce(u.created_at, 'epoch'), 'endedAt', u.deleted_at,
    'name', coalesce(profile.display_name, case when private.may('users.view') then nullif(split_part(u.email, '@', 1), '') end, 'Unknown'),
    'email', case when private.may('users.edit') then u.email end,
    'role', case when private.may('users.view') then held.role end,
    'suspendedUntil', case when private.may('users.view') and u.banned_until > now() then u.banned_until end,
    -- When their places end unless that is lifted, or when they did.
    'suspension', case when private.may('users.view') then (
      select jsonb_build_object('since', s.since, 'endsPlacesAt', s.ends_places_at, 'endedPlacesAt', s.ended_places_at)
      from private.suspensions as s where s.user_id = u.id and s.lifted_at is null and s.until > private.now()) end)
  from auth.users as u left join public.user_profiles as profile on profile.user_id = u.id
  left join public.user_roles as held on held.user_id = u.id
  where u.id = p_person_id
$function$;

CREATE OR REPLACE FUNCTION private.staff_person_money(p_person_id uuid)
 RETURNS jsonb
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select jsonb_build_object(
    'balance', coalesce((select w.coin_balance from public.user_wallets as w where w.user_id = p_person_id), 0.00),
    'payouts', private.staff_person_payouts(p_person_id),
    -- Which country decides their VAT, while nobody has said so.
    'countries', (select jsonb_build_array(q.declared, q.card) from private.country_questions as q
      where q.user_id = p_person_id and q.decided is null),
    'hold', (select jsonb_build_object('ground', h.ground, 'until', h.until) from private.payout_holds as h
      where h.user_id = p_person_id and h.released_at is null and h.until > private.now()),
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
        place.settlement = 'potluck' or private.says_how_to_pay(place.owner_id), 'dueAt', place.due_at, 'returned',
        place.returned_share + place.returned_fee + place.from_guarantee)
        order by place.due_at desc, place.seat_id), '[]')
      from (
        select distinct on (m.seat_id) m.* from public.member_payments as m
        where m.member_id = p_person_id order by m.seat_id, m.number desc
      ) as place join public.user_profiles as owner on owner.user_id = place.owner_id))
  where private.may('users.edit') and private.may_act_as_staff()
$function$;

CREATE OR REPLACE FUNCTION private.standing_facts(p_user_ids uuid[])
 RETURNS TABLE(user_id uuid, days_here integer, hours_given integer, paid_on_time integer, paid_late integer, problems integer, unkept_debts integer, answers integer, answer_minutes integer)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  return query
  with terms as materialized (select private.now() as now),
  known as materialized (
    select k.* from terms cross join private.known_facts as k
    where k.user_id = any (p_user_ids) and k.known_at <= terms.now and k.holds_until > terms.now
      and not exists (select from private.fact_changes as c where c.user_id = k.user_id)
  ),
  facts as (
    select * from known union all
    select * from private.work_out_facts(array(select unnest(p_user_ids) except select k.user_id from known as k))
  )
  select f.user_id, extract(day from terms.now - u.created_at)::integer,
    floor(extract(epoch from f.access_given + (terms.now - f.known_at) * f.pace) / 3600)::integer,
    f.paid_on_time, f.paid_late, f.problems, f.unkept_debts, f.answers, f.answer_minutes
  from terms cross join facts as f join public.user_profiles as u on u.user_id = f.user_id
  where u.user_id = any (p_user_ids);
end $function$;

CREATE OR REPLACE FUNCTION private.standing_level(p_user_id uuid)
 RETURNS text
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select coalesce((
    select private.level_of(f.days_here, f.hours_given, f.paid_on_time, f.paid_late, f.problems, f.unkept_debts, f.answer_minutes)
    from private.standing_facts(array[p_user_id]) as f
  ), 'new')
$function$;

CREATE OR REPLACE FUNCTION private.standing_levels()
 RETURNS TABLE(level text, days_here integer, hours_given integer, paid_on_time integer, most_paid_late integer, most_problems integer, most_unkept_debts integer, most_answer_hours integer)
 LANGUAGE sql
 IMMUTABLE
 SET search_path TO ''
AS $function$
  values ('proven', 30, 120 * 24, 4, 1, 1, 0, 24), ('trusted', 180, 365 * 24, 12, 0, 0, 0, 12)
$function$;

CREATE OR REPLACE FUNCTION private.standing_of(p_user_ids uuid[])
 RETURNS TABLE(user_id uuid, level text, days_here integer, hours_given integer, paid_on_time integer, paid_late integer, problems integer, unkept_debts integer, answers integer, answer_minutes integer, rating numeric, reviewers integer)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_apart uuid[] := private.people_apart();
  v_is_staff boolean := private.is_staff();
begin
  perform private.require_user();
  return query
    select f.user_id, private.level_of(f.days_here, f.hours_given, f.paid_on_time, f.paid_late, f.problems, f.unkept_debts, f.answer_minutes),
      f.days_here, f.hours_given, f.paid_on_time, f.paid_late, f.problems, f.unkept_debts, f.answers, f.answer_minutes, r.rating, r.reviewers
    from private.standing_facts(array(
      select id from unnest(p_user_ids[1:100]) as id where id <> all (v_apart) or v_is_staff or private.shares_place_with(id)
    )) as f cross join lateral private.rating_of(f.user_id) as r;
end $function$;

CREATE OR REPLACE FUNCTION private.start_charge(p_period uuid)
 RETURNS jsonb
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_period public.member_payments;
  v_charge private.charges;
  v_card public.payment_methods;
  v_rest numeric;
  v_before text;
  v_closing jsonb;
begin
  select * into v_period from public.member_payments where id = p_period for update;
  select * into v_charge from private.charges where payment_id = p_period for update;
  v_before := v_charge.status;
  if v_before = 'succeeded' then return null; end if;
  if v_charge.intent is not null and v_before in ('charging', 'processing', 'needs-action') then
    v_closing := jsonb_build_object('period', p_period, 'intent', v_charge.intent, 'isOver', true);
  end if;
  -- What the bank is debiting is decided once it arrives.
  if v_period.status <> 'processing' then v_period := private.unless_past(v_period); end if;
  if v_period.status not in ('due', 'charging', 'processing', 'needs-action', 'failed') then
    update private.charges set status = 'charging' where payment_id = p_period and v_closing is not null;
    return v_closing;
  elsif v_before = 'processing' and v_charge.kind = 'sepa_debit' then
    -- Under way at the bank for days: it is only asked about.
    return jsonb_build_object('period', p_period, 'intent', v_charge.intent, 'isUnderWay', true);
  elsif v_before not in ('charging', 'processing') and (private.has_open_problem(v_period.seat_id)
    or (select private.is_paused(s) from private.seats as s where s.id = v_period.seat_id)) then
    -- No new charge until the problem is closed, or the suspension over.
    return null;
  end if;
  update private.charges set attempts = attempts + 1, status = 'charging' where payment_id = p_period returning * into v_charge;
  update public.member_payments set status = 'charging', next_attempt_at = coalesce(next_attempt_at, private.now() + private.charging_time())
  where id = p_period;
  perform private.wake_seat(v_period.seat_id);
  v_rest := v_period.amount - v_period.coins - v_period.card;
  -- While the last attempt is undecided, the card may have paid already.
  if v_before not in ('charging', 'processing') and v_period.coins = 0
    and (select coins_first from private.seats where id = v_period.seat_id) then
    v_rest := private.take_coins(v_period, format('coins:%s:%s', p_period, v_charge.attempts));
  end if;
  if v_rest <= 0 then
    update private.charges set status = 'queued' where payment_id = p_period and v_closing is null;
    perform private.period_paid(p_period);
    return v_closing;
  end if;
  -- What may be under way already is asked for with the same again, unless its member has just named another.
  v_card := private.method_of(v_period.member_id, v_charge.provider,
    case when v_before in ('charging', 'processing') and not v_charge.on_session then v_charge.tried_id else v_charge.card_id end);
  -- A card refused for good is charged again only for somebody who says so.
  if v_card.id is null or private.has_open_dispute(v_period.member_id) or (v_card.refused and not v_charge.on_session) then
    -- A charge that may still succeed is closed first, and fails after that.
    if v_closing is not null then return v_closing; end if;
    update private.charges set status = 'failed', code = case when v_card.id is null then 'no_card'
      when private.has_open_dispute(v_period.member_id) then 'disputed' else 'do_not_try_again' end
    where payment_id = p_period returning * into v_charge;
    perform private.period_failed(p_period, v_charge.code);
    return null;
  end if;
  update private.charges set card = concat_ws(' ', coalesce(v_card.brand, v_card.kind), v_card.last4), tried_id = v_card.id,
    kind = v_card.kind where payment_id = p_period returning * into v_charge;
  return private.charge_order(v_charge, v_period, v_rest, v_card.reference);
end $function$;

CREATE OR REPLACE FUNCTION private.start_charges(p_periods uuid[])
 RETURNS SETOF jsonb
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  -- Each is looked up by its key: whatever Postgres guesses of what is due, no part grows with the queue.
  return query
  with plain as (
    select m.id, card.id as card_id, concat_ws(' ', coalesce(card.brand, card.kind), card.last4) as name, card.kind, card.reference
    from unnest(p_periods) as given (id)
    cross join lateral (select * from private.charges where payment_id = given.id offset 0) as c
    cross join lateral (select * from public.member_payments where id = given.id offset 0) as m
    cross join lateral (select * from private.seats where id = m.seat_id offset 0) as s
    cross join lateral (
      select * from public.payment_methods where user_id = m.member_id and provider = c.provider
      order by id = c.card_id desc nulls last, chosen_at desc limit 1
    ) as card
    where c.status = 'queued' and c.intent is null and m.status = 'due' and m.ends_at > private.now()
      and m.next_attempt_at is not null and m.coins + m.card = 0 and not s.coins_first and (c.on_session or not card.refused)
      and not private.has_open_problem(s.id) and not private.has_open_dispute(m.member_id)
      and not exists (select from private.suspensions as x where x.user_id in (m.owner_id, m.member_id) and x.resumed_at is null)
  ), period as (
    update public.member_payments as m set status = 'charging' from plain
    where m.id = plain.id returning m as begun, plain.*
  ), charge as (
    update private.charges as c set attempts = c.attempts + 1, status = 'charging', card = period.name, tried_id = period.card_id, kind = period.kind
    from period where c.payment_id = period.id returning c as tried, period.begun, period.reference
  )
  select private.charge_order(tried, begun, (begun).amount, reference) from charge;
end $function$;

CREATE OR REPLACE FUNCTION private.suspended_people()
 RETURNS uuid[]
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  return array(select user_id from private.suspensions where lifted_at is null and until > private.now());
end $function$;

CREATE OR REPLACE FUNCTION private.suspended_since(p_seat private.seats)
 RETURNS timestamp with time zone
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  return (select min(since) from private.suspensions
    where (user_id = p_seat.owner_id or user_id = p_seat.member_id and p_seat.settlement = 'potluck')
      and since <= p_seat.ended_at and coalesce(lifted_at, 'infinity') > p_seat.ended_at);
end $function$;

CREATE OR REPLACE FUNCTION private.suspension_params(p_suspension private.suspensions, p_settlement text)
 RETURNS jsonb
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select jsonb_build_object('until', least(p_suspension.until, p_suspension.ends_places_at),
    'what', case when p_suspension.until <= p_suspension.ends_places_at then 'passing' else p_settlement end)
$function$;

CREATE OR REPLACE FUNCTION private.suspension_time()
 RETURNS interval
 LANGUAGE sql
 IMMUTABLE
RETURN '72:00:00'::interval;

CREATE OR REPLACE FUNCTION private.take_disputed(p_dispute public.payment_disputes, p_period public.member_payments)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_outside bigint := private.ledger_account('outside');
  v_given_back numeric := private.given_back_to_card(p_period.id);
  -- News of the dispute may arrive before that of the charge.
  v_charged numeric := (select received from private.charges where payment_id = p_period.id);
  v_others numeric := (select coalesce(sum(private.taken_by(d)), 0) from public.payment_disputes as d
    where d.payment_id = p_period.id and d.id <> p_dispute.id and d.status <> 'won');
  v_kept numeric := case when (select kind from private.charges where payment_id = p_period.id) <> 'sepa_debit' then v_given_back
    else (select coalesce(sum(amount), 0) from private.refunds where payment_id = p_period.id and status in ('queued', 'pending')) end;
  v_rest numeric := greatest(0, least(p_dispute.amount - p_dispute.from_refunds, v_charged - v_kept - v_others));
  v_held numeric;
  v_part record;
begin
  -- The part held for this period that the card paid.
  v_held := case when p_period.status = 'paid' then greatest(0, least(v_rest,
    p_period.card - p_period.returned_share - p_period.returned_fee)) else 0 end;
  p_dispute.from_share := least(v_held, p_period.share - p_period.earned_share - p_period.returned_share);
  p_dispute.from_fee := least(v_held - p_dispute.from_share, p_period.fee - p_period.earned_fee - p_period.returned_fee);
  v_rest := v_rest - p_dispute.from_share - p_dispute.from_fee;
  p_dispute.from_account := private.take_from_account(p_period, v_rest, p_dispute.id);
  v_rest := v_rest - p_dispute.from_account;
  p_dispute.from_coins := least(v_rest, private.available_coins(p_dispute.member_id));
  p_dispute.from_guarantee := v_rest - p_dispute.from_coins;
  for v_part in select * from (values
    ('held_share', p_period.seat_id, p_dispute.from_share), ('held_fee', p_period.seat_id, p_dispute.from_fee),
    ('wallet', p_dispute.member_id, p_dispute.from_coins), ('guarantee', null, p_dispute.from_guarantee)
  ) as part (kind, owner, amount) where part.amount > 0 loop
    perform private.transfer(format('dispute:%s:%s', p_dispute.id, v_part.kind), private.ledger_account(v_part.kind, v_part.owner),
      v_outside, v_part.amount, 'chargeback', p_period.seat_id, p_period.id, p_period.plan_name || ': payment taken back');
  end loop;
  update public.member_payments set returned_share = returned_share + p_dispute.from_share,
    returned_fee = returned_fee + p_dispute.from_fee where id = p_period.id;
  update public.payment_disputes set charged = v_charged, given_back = v_given_back, from_share = p_dispute.from_share, from_fee = p_dispute.from_fee,
    from_coins = p_dispute.from_coins, from_account = p_dispute.from_account, from_guarantee = p_dispute.from_guarantee
  where id = p_dispute.id;
  if p_period.returned_share + p_period.returned_fee > 0 and exists (select from private.charges where payment_id = p_period.id and kind = 'sepa_debit') then
    perform private.note_debt(p_dispute.id);
  end if;
end $function$;

CREATE OR REPLACE FUNCTION private.take_payment_jobs(p_provider text, p_limit integer, p_payment_id uuid DEFAULT NULL::uuid)
 RETURNS jsonb
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  -- An index finds what is due before a time that stands still.
  v_now timestamptz := clock_timestamp();
  v_others uuid[] := array(
    select id from private.payment_jobs where kind <> 'charge' and provider = p_provider and next_attempt_at <= v_now
      and (p_payment_id is null or (kind = 'debt' and about = p_payment_id::text))
    order by next_attempt_at limit p_limit);
  v_charges uuid[];
  v_seats uuid[];
  v_periods uuid[];
  v_job private.payment_jobs;
  v_order jsonb;
  v_taken jsonb := '[]';
begin
  select array_agg(job), array_agg(seat_id), array_agg(period) into v_charges, v_seats, v_periods from (
    select j.id as job, s.id as seat_id, m.id as period
    from (
      -- Enough for several callers at once.
      select id, about, next_attempt_at from private.payment_jobs where kind = 'charge' and provider = p_provider
        and next_attempt_at <= v_now and (p_payment_id is null or about = p_payment_id::text) order by next_attempt_at limit 4 * p_limit
    ) as j join public.member_payments as m on m.id = j.about::uuid join private.seats as s on s.id = m.seat_id
    order by j.next_attempt_at limit p_limit - least(cardinality(v_others), p_limit / 2) for update of s skip locked
  ) as free;
  -- What is simple, all at once.
  begin
    with orders as (
      select work from private.start_charges(v_periods) as work
    ), jobs as (
      update private.payment_jobs as j set attempts = j.attempts + 1, next_attempt_at = clock_timestamp() + interval '2 minutes', last_error = null
      from orders where j.id = any (v_charges) and j.about = work ->> 'period' and j.next_attempt_at <= v_now returning j.id, j.attempts, work
    )
    select coalesce(jsonb_agg(jsonb_build_object('job', id, 'kind', 'charge', 'attempt', attempts,
      'order', jsonb_build_object('attempt', attempts) || work)), '[]') into v_taken from jobs;
  exception when others then
    raise warning 'Charges: %', sqlerrm;
    v_taken := '[]';
  end;
  if jsonb_array_length(v_taken) = p_limit then return v_taken; end if;
  perform private.lock_held_money(v_seats, '{}');
  perform set_config('potluck.holds_money', 'yes', true);
  for v_job in
    select j.* from private.payment_jobs as j
    where j.id = any (v_charges || v_others[:p_limit - coalesce(cardinality(v_charges), 0)]) and j.next_attempt_at <= v_now
    order by j.next_attempt_at for update skip locked
  loop
    begin
      if v_job.kind = 'charge' then
        v_order := private.start_charge(v_job.about::uuid);
      elsif v_job.kind = 'debt' then
        v_order := private.debt_order(v_job.about::uuid);
      elsif v_job.kind = 'refund' then
        v_order := private.refund_order(v_job.about::uuid);
      elsif v_job.kind = 'reconcile' then
        v_order := private.reconciliation_order(split_part(v_job.about, ' ', 1)::date, nullif(split_part(v_job.about, ' ', 2), ''));
      elsif v_job.kind = 'transfer' then
        v_order := private.account_transfer_order(v_job.about::uuid);
      elsif v_job.kind = 'reversal' then
        v_order := private.account_reversal_order(v_job.about::uuid);
      elsif v_job.kind = 'evidence' then
        v_order := private.dispute_answer_order(v_job.about);
      else
        v_order := jsonb_build_object('method', v_job.about);
      end if;
    exception when others then
      -- A failure must not hold up the others.
      update private.payment_jobs set attempts = attempts + 1 where id = v_job.id;
      perform private.settle_payment_job(v_job.id, v_job.attempts + 1, sqlerrm);
      continue;
    end;
    if v_order is null then
      delete from private.payment_jobs where id = v_job.id;
      continue;
    end if;
    update private.payment_jobs set attempts = attempts + 1, next_attempt_at = clock_timestamp() + interval '2 minutes', last_error = null
    where id = v_job.id;
    v_taken := v_taken || jsonb_build_object('job', v_job.id, 'kind', case v_job.kind when 'debt' then 'charge' else v_job.kind end,
      'attempt', v_job.attempts + 1,
      'order', jsonb_build_object('attempt', v_job.attempts + 1) || v_order);
  end loop;
  return v_taken;
end $function$;

CREATE OR REPLACE FUNCTION private.take_returned(p_period_id uuid, p_refund_id uuid, p_reference text, p_amount numeric)
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
  v_rest numeric;
  v_part record;
begin
  select * into v_period from public.member_payments where id = p_period_id;
  v_held := case when v_period.status = 'paid'
    then greatest(0, least(p_amount, v_period.card - v_period.returned_share - v_period.returned_fee)) else 0 end;
  v_share := least(v_held, v_period.share - v_period.earned_share - v_period.returned_share);
  v_fee := least(v_held - v_share, v_period.fee - v_period.earned_fee - v_period.returned_fee);
  v_rest := p_amount - v_share - v_fee;
  v_rest := v_rest - private.take_from_account(v_period, v_rest, null, p_refund_id => p_refund_id);
  for v_part in select * from (values ('held_share', v_period.seat_id, v_share), ('held_fee', v_period.seat_id, v_fee),
    ('guarantee', null, v_rest)) as part (kind, owner, amount) where part.amount > 0
  loop
    perform private.transfer(format('by-hand:%s:%s', p_reference, v_part.kind), private.ledger_account(v_part.kind, v_part.owner),
      private.ledger_account('refunds_due'), v_part.amount, 'refund', v_period.seat_id, v_period.id, v_period.plan_name);
  end loop;
  update public.member_payments set returned_share = returned_share + v_share, returned_fee = returned_fee + v_fee where id = v_period.id;
  if v_period.status = 'paid' and v_period.returned_share + v_period.returned_fee + v_share + v_fee = v_period.amount then
    update public.member_payments set status = 'given-back', closed_at = private.now() where id = v_period.id;
  end if;
  perform private.ask_about_refund(v_period.id);
  if v_rest > 0 then
    perform private.tell_treasurers('warning', 'Refund Exceeds Held Money',
      format('%s of a payment for %s was refunded at the provider. The guarantee account covers %s, as no more was held.',
        private.euros(p_amount), v_period.plan_name, private.euros(v_rest)),
      'payment-returned-by-hand', jsonb_build_object('plan', v_period.plan_name, 'amount', p_amount, 'rest', v_rest, 'reference', p_reference));
  end if;
end $function$;

CREATE OR REPLACE FUNCTION private.taken_by_refund(p_period_id uuid)
 RETURNS numeric
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  return (select coalesce(sum(t.amount), 0.00) from private.ledger_transfers as t join private.ledger_accounts as a on a.id = t.from_account
    where t.period_id = p_period_id and t.kind = 'refund' and t.key ^@ 'by-hand:' and a.kind in ('held_share', 'connected'));
end $function$;

CREATE OR REPLACE FUNCTION private.tax_figures(p_year integer, p_user_id uuid DEFAULT NULL::uuid)
 RETURNS TABLE(user_id uuid, quarter integer, consideration numeric, fee numeric, activities bigint)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_from timestamptz := make_timestamptz(p_year, 1, 1, 0, 0, 0, 'UTC');
  v_until timestamptz := make_timestamptz(p_year + 1, 1, 1, 0, 0, 0, 'UTC');
begin
  return query
    with moved as (
      select a.owner as person, e.created_at as at, e.amount as earned, 0.00 as charged, case t.kind when 'earning' then t.period_id end as period
      from private.ledger_accounts as a
      join private.ledger_entries as e on e.account_id = a.id and e.created_at >= v_from and e.created_at < v_until
      join private.ledger_transfers as t on t.id = e.transfer_id
      where a.kind in ('wallet', 'connected') and (p_user_id is null or a.owner = p_user_id)
        and (t.kind = 'earning' or a.kind = 'connected' and t.kind in ('chargeback', 'chargeback-won', 'refund'))
      union all
      select s.owner_id, e.created_at, 0.00, -e.amount, null
      from private.seats as s join private.ledger_accounts as a on a.kind = 'held_fee' and a.owner = s.id
      join private.ledger_entries as e on e.account_id = a.id and e.created_at >= v_from and e.created_at < v_until
      join private.ledger_transfers as t on t.id = e.transfer_id and t.kind = 'fee'
      where p_user_id is null or s.owner_id = p_user_id
    ), dated as (
      select *, extract(quarter from at at time zone 'utc')::integer as part from moved
    )
    select d.person, d.part, sum(d.earned), sum(d.charged), count(distinct d.period)
    from dated as d group by grouping sets ((d.person, d.part), (d.person));
end $function$;

CREATE OR REPLACE FUNCTION private.tell_debt(p_seat private.seats, p_payment public.member_payments, p_owed numeric)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform private.tell_seat(p_seat, p_seat.owner_id, 'warning', 'you-owe-member', 'Refund a Member',
    format('You owe %s %s for the time without access to %s.', (select display_name from public.user_profiles
      where user_id = p_seat.member_id), private.euros(p_owed), p_payment.plan_name), jsonb_build_object('amount', p_owed));
end $function$;

CREATE OR REPLACE FUNCTION private.tell_hold(p_user_id uuid, p_type text, p_title text, p_message text, p_event text, p_params jsonb)
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select private.mail_notification(private.notify(p_user_id, p_type, p_title, p_message, null, p_event, p_params),
    '{}', 'Open your payouts', '/account-settings/money')
$function$;

CREATE OR REPLACE FUNCTION private.tell_left_unpaid(p_seat private.seats)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_amount numeric := (select sum(amount) from public.member_payments where seat_id = p_seat.id and left_unpaid_at is not null and status = 'due');
  v_plan text := p_seat.provider || ' ' || p_seat.plan_name;
begin
  if v_amount is null then return; end if;
  perform private.tell_seat(p_seat, p_seat.member_id, 'warning', 'payment-left-unpaid', 'Left Unpaid',
    format('You used %s and left %s unpaid. Your payments say how to pay. Until then you can’t join plans of %s.', v_plan,
      private.euros(v_amount), (select display_name from public.user_profiles where user_id = p_seat.owner_id)),
    jsonb_build_object('amount', v_amount));
  perform private.tell_seat(p_seat, p_seat.owner_id, 'info', 'payment-member-left-unpaid', 'Left Unpaid',
    format('%s left %s with %s unpaid. They see how to pay you. You can let it go.',
      (select display_name from public.user_profiles where user_id = p_seat.member_id), v_plan, private.euros(v_amount)),
    jsonb_build_object('amount', v_amount));
end $function$;

CREATE OR REPLACE FUNCTION private.tell_of_withdrawals(p_seat private.seats)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare v_name text := (select display_name from public.user_profiles where user_id = p_seat.member_id);
begin
  if not private.is_paid_withdrawal(p_seat) or private.recent_withdrawals(p_seat.member_id) <> private.most_withdrawals() then return; end if;
  perform private.tell_treasurers('warning', 'Many Withdrawals',
    format('%s has withdrawn from %s contracts within a year, and gets new places through the site only once you lift that.', v_name,
      private.most_withdrawals()), 'payment-withdrawals-many', jsonb_build_object('member', v_name, 'withdrawals', private.most_withdrawals()));
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

CREATE OR REPLACE FUNCTION private.tell_payment(p_payment public.member_payments, p_to_owner boolean, p_type text, p_event text, p_title text, p_sentence text, p_note text DEFAULT NULL::text, p_params jsonb DEFAULT '{}'::jsonb, p_answer_path text DEFAULT NULL::text)
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
    jsonb_strip_nulls(jsonb_build_object('payment', p_payment.id, 'amount', p_payment.amount, 'reference', p_payment.reference, 'note', p_note)) || p_params,
    p_answer_path => p_answer_path);
end $function$;

CREATE OR REPLACE FUNCTION private.tell_seat(p_seat private.seats, p_user_id uuid, p_type text, p_event text, p_title text, p_message text, p_params jsonb DEFAULT '{}'::jsonb, p_mails boolean DEFAULT true, p_invoiced uuid DEFAULT NULL::uuid, p_answer_path text DEFAULT NULL::text)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform private.tell_seats(array[private.seat_news(p_seat, p_user_id, p_type, p_event, p_title, p_message, p_params, p_mails, p_invoiced,
    p_answer_path)]);
end $function$;

CREATE OR REPLACE FUNCTION private.tell_seats(p_news private.news[])
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
 SET enable_seqscan TO 'off'
 SET jit TO 'off'
AS $function$
declare
  -- A plan that is being cancelled waits for the seat, so waiting for the plan would deadlock.
  v_plans text[] := private.keep_plans(array(
    select distinct (seat).subscription_id from unnest(p_news) where (seat).ended_at is null or user_id = (seat).owner_id));
  v_mailings private.mailing[];
begin
  with given as materialized (
    select n.*, told.id, told as notice from unnest(p_news) as n
    left join lateral (select display_name from public.user_profiles where user_id = (n.seat).member_id offset 0) as member on true
    left join lateral (select display_name from public.user_profiles where user_id = (n.seat).owner_id offset 0) as owner on true
    left join unnest(v_plans) as kept on kept = (n.seat).subscription_id
    cross join lateral private.notice(n.user_id, n.type, n.title, n.message,
      case when (n.seat).ended_at is null or n.user_id = (n.seat).owner_id then kept end,
      n.event, n.params || jsonb_build_object('plan', (n.seat).provider || ' ' || (n.seat).plan_name, 'member', member.display_name,
        'owner', owner.display_name, 'seat', (n.seat).id)) as told
  ), told as (
    insert into public.user_notifications select (notice).* from given
  )
  select array_agg((given.id, array_remove(array[(seat).id::text, plan], null),
    case when answer_path is not null then 'Answer' when invoice is not null then 'See the invoice' when plan is null then 'See your payments' else 'Open the plan' end,
    case when answer_path is not null then answer_path when invoice is not null then '/payments/' || invoice when plan is null then '/payments'
      when user_id = (seat).owner_id then '/manage-shared/' || plan else '/manage-subscribed/' || plan end)::private.mailing)
  into v_mailings from given
  cross join lateral (select (notice).subscription_id) as opens (plan)
  left join lateral (
    select m.id from public.member_payments as m where m.id = given.invoiced and (private.vat_mode_at(m.paid_at) is not null
      or exists (select from public.fee_invoices where payment_id = m.id))
  ) as invoiced (invoice) on true where given.mails;
  perform private.mail_notifications(v_mailings);
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
      or private.is_suspended(v_plan.owner_id) or exists (select from public.closed_providers as c where c.provider = v_plan.provider);
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

CREATE OR REPLACE FUNCTION private.tell_suspension(p_suspension private.suspensions, p_seats private.seats[])
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_user uuid := p_suspension.user_id;
  v_name text := (select display_name from public.user_profiles where user_id = p_suspension.user_id);
  v_is_passing boolean := p_suspension.until <= p_suspension.ends_places_at;
  v_at timestamptz := least(p_suspension.until, p_suspension.ends_places_at);
  v_until text := to_char(v_at at time zone 'utc', 'FMDD FMMonth, HH24:MI') || ' UTC';
begin
  if v_name is null then return; end if;
  perform private.tell_seats(array(
    select case s.owner_id when v_user then private.seat_news(s, s.member_id, 'warning', 'owner-suspended', 'Owner Suspended',
        format(case when v_is_passing then 'The owner of %1$s is suspended until %2$s. Nothing is charged until then.'
          else 'The owner of %1$s is suspended. Nothing is charged. If that isn’t lifted by %2$s, your place ends, and ' || case s.settlement
            when 'direct' then '%3$s owes you what you paid for the time since.' else 'you get back what you paid for the time since.' end end,
          s.provider || ' ' || s.plan_name, v_until, v_name), private.suspension_params(p_suspension, s.settlement))
      else private.seat_news(s, s.owner_id, 'warning', 'member-suspended', 'Place Paused',
        format(case when v_is_passing then '%3$s’s place in %1$s is paused until %2$s. Nothing is charged until then.'
          else '%3$s’s place in %1$s is paused. Nothing is charged. If that isn’t lifted by %2$s, the place ends' || case s.settlement
            when 'direct' then '.' else ', and they get back what they paid for the time since.' end end,
          s.provider || ' ' || s.plan_name, v_until, v_name), private.suspension_params(p_suspension, s.settlement)) end
    from unnest(p_seats) as s));
  perform private.mail_notification(private.notify(v_user, 'warning', 'Account Suspended',
    format(case when v_is_passing then 'Your account is suspended until %s. Your plans are hidden, and nothing is charged or paid out until then.'
      else 'Your account is suspended. Your plans are hidden, and nothing is charged or paid out. If that isn’t lifted by %s, your places and '
        || 'those in your plans end, and what was paid for the time since goes back.' end, v_until),
    null, 'you-are-suspended', jsonb_build_object('until', v_at, 'what', case when v_is_passing then 'passing' else 'ending' end)),
    '{}', 'Open Potluck', '/');
  if v_is_passing or cardinality(p_seats) = 0 then return; end if;
  perform private.notify(staff.id, 'warning', 'Places Will End',
    format('%s is suspended. If that isn’t lifted by %s, ' || case cardinality(p_seats) when 1 then '%s place ends.' else '%s places end.' end,
      v_name, v_until, cardinality(p_seats)),
    null, 'person-suspended', jsonb_build_object('until', v_at, 'person', v_name, 'places', cardinality(p_seats)))
  from private.people_who_may('users.edit') as staff (id);
end $function$;

CREATE OR REPLACE FUNCTION private.tg_member_payments__note_facts()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  insert into private.fact_changes (user_id)
  select distinct unnest(array[n.owner_id, n.member_id]) from now_so as n join before as b on b.id = n.id
  where (n.status, n.share, n.starts_at, n.ends_at, n.due_at, n.claimed_at, n.paid_at, n.left_unpaid_at, n.unkept_at, n.repaid_at, n.debt_closed_at)
    is distinct from (b.status, b.share, b.starts_at, b.ends_at, b.due_at, b.claimed_at, b.paid_at, b.left_unpaid_at, b.unkept_at, b.repaid_at,
      b.debt_closed_at);
  return null;
end $function$;

CREATE OR REPLACE FUNCTION private.tg_payment_claims__log_staff()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform private.log_staff('payment dispute decided ' || new.status, new.id::text,
    jsonb_build_object('owner', new.owner_id, 'member', new.member_id, 'reason', new.decision));
  return null;
end $function$;

CREATE OR REPLACE FUNCTION private.tg_payment_claims__note_facts()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  insert into private.fact_changes (user_id) values (new.owner_id), (new.member_id);
  return null;
end $function$;

CREATE OR REPLACE FUNCTION private.tg_payment_wishes__await()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_owner uuid := coalesce(new.user_id, old.user_id);
  v_seat uuid;
begin
  for v_seat in
    select id from private.seats as s where owner_id = v_owner and settlement = 'direct' and (ended_at is null
      or exists (select from public.member_payments as m where m.seat_id = s.id and m.left_unpaid_at is not null and m.status = 'due'))
    order by id for update
  loop
    update public.member_payments set due_at = case when tg_op = 'INSERT' then greatest(due_at, private.now()) else due_at end
    where seat_id = v_seat and settlement = 'direct' and status = 'due';
    perform private.follow_direct_payments(v_seat);
  end loop;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION private.tg_private__record()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
 SET "TimeZone" TO 'UTC'
AS $function$
declare
  v_kind text := tg_argv[0];
  v_row jsonb := case when tg_op = 'DELETE' then to_jsonb(old) else to_jsonb(new) end;
begin
  if tg_op = 'UPDATE' and private.sealed_content(v_kind, to_jsonb(old)) = private.sealed_content(v_kind, v_row) then return null; end if;
  perform private.write_record(v_kind, private.sealed_subject(tg_argv[1]::text[], v_row),
    case when tg_op <> 'DELETE' then private.sealed_content(v_kind, v_row) end);
  return null;
end $function$;

CREATE OR REPLACE FUNCTION private.tg_sealed_records__keep()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  if tg_op = 'UPDATE' then
    if new.salt is null and (new.id, new.kind, new.subject, new.digest, new.created_at)
      is not distinct from (old.id, old.kind, old.subject, old.digest, old.created_at) then return new; end if;
  end if;
  raise exception 'The ledger is never rewritten' using errcode = '42501';
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
    if private.unkept_debts(v_user) > 0 then
      raise exception 'You owe a member a refund. Pay it back before you share a plan.' using errcode = '23514';
    end if;
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
  -- From the request or invitation that led to this seat, not to an earlier one.
  select said.coins_first, said.begins_at_once_at into v_coins_first, v_begins_at_once_at from (
    select r.coins_first, r.begins_at_once_at, r.decided_at as at from public.subscription_requests as r
    where r.subscription_id = v_plan.id and r.user_id = new.user_id and r.status = 'approved'
    union all
    select false, i.begins_at_once_at, i.accepted_at from public.subscription_invitations as i
    where i.subscription_id = v_plan.id and i.email = lower(private.email_of(new.user_id)) and i.accepted_at is not null
  ) as said order by said.at desc nulls last limit 1;
  if v_plan.settlement = 'potluck' then
    perform private.require_wish_to_begin(v_begins_at_once_at), private.require_may_contract(new.user_id);
  end if;
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
    where subscription_id = old.subscription_id and member_id = old.user_id and ended_at is null for update
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
    perform private.require_wish_to_begin(new.begins_at_once_at), private.require_may_contract(v_user);
  end if;
  new.begins_at_once_at := case v_plan.settlement when 'potluck' then private.now() end;
  perform private.require_reachable(v_plan.owner_id, 'This plan takes no new members right now');
  perform private.require_offered(v_plan.provider);
  perform private.require_settled(v_plan.owner_id, v_user);
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

CREATE OR REPLACE FUNCTION private.tg_users__suspend()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare v_now timestamptz := private.now();
begin
  -- The clock has not noticed yet that the last one ended by itself.
  update private.suspensions set lifted_at = until where user_id = new.id and lifted_at is null and until <= v_now;
  if new.banned_until > now() then
    insert into private.suspensions (user_id, until) values (new.id, new.banned_until + (v_now - now()))
    on conflict (user_id) where lifted_at is null do update set until = excluded.until;
  else
    update private.suspensions set lifted_at = v_now where user_id = new.id and lifted_at is null;
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION private.tg_withdrawal_requests__hold()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_until timestamptz := private.withdrawals_wait_until(new.user_id);
  v_hold private.payout_holds := private.current_hold(new.user_id);
begin
  if v_hold.id is not null then
    raise exception 'Payouts are held until %: %', to_char(v_hold.until, 'FMDD FMMonth YYYY'), v_hold.ground using errcode = '23514';
  elsif v_until = 'infinity' then
    raise exception 'A payment to this person is disputed, so this withdrawal has to wait' using errcode = '23514';
  elsif private.owed_to_site(new.user_id) > private.available_coins(new.user_id) then
    raise exception 'This person owes the site % for a returned debit, so this withdrawal has to wait', private.euros(private.owed_to_site(new.user_id))
      using errcode = '23514';
  elsif v_until > private.now() then
    raise exception 'This withdrawal has to wait until %, as a bank may take back their first payments',
      to_char(v_until, 'FMDD FMMonth YYYY') using errcode = '23514';
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION private.topic_of(p_event text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE
RETURN CASE WHEN (p_event = ANY (ARRAY['chat-message'::text, 'question-asked'::text])) THEN 'messages'::text WHEN (p_event = 'plan-found'::text) THEN 'alerts'::text WHEN (p_event ~ '^(problem|access|password|webhook)-'::text) THEN 'access'::text WHEN ((p_event ~ '^(payment|payout|tax|refund|withdrawal|wallet|coins|money)-'::text) OR (p_event = ANY (ARRAY['member-says-paid'::text, 'member-paid'::text, 'member-debited'::text, 'owner-owes-you'::text, 'you-owe-member'::text, 'owed-settled'::text, 'renewal-coming'::text, 'contract-made'::text, 'contract-changed'::text, 'contract-withdrawn'::text]))) THEN 'money'::text WHEN ((p_event ~ '^(plan|provider-request|admin-access)-(approved|rejected)$'::text) OR (p_event = ANY (ARRAY['review-waits'::text, 'reviews-shown'::text, 'review-hidden'::text, 'report-read'::text, 'support-asked'::text, 'support-answered'::text]))) THEN 'team'::text ELSE 'places'::text END;

CREATE OR REPLACE FUNCTION private.transfer(p_key text, p_from bigint, p_to bigint, p_amount numeric, p_kind text, p_seat uuid DEFAULT NULL::uuid, p_period uuid DEFAULT NULL::uuid, p_description text DEFAULT NULL::text)
 RETURNS private.ledger_transfers
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_account private.ledger_accounts;
  v_from private.ledger_accounts;
  v_to private.ledger_accounts;
  v_transfer private.ledger_transfers;
  -- The time of the lock, not of the transaction, as others may have moved money since; by the site's clock.
  v_at timestamptz;
  v_plan text;
  v_member uuid;
begin
  perform private.refuse_tokens();
  if p_amount is null or p_amount <= 0 or p_amount > private.most_coins() or p_amount <> round(p_amount, 2) then
    raise exception 'Please enter a valid amount' using errcode = '23514';
  end if;
  for v_account in select * from private.ledger_accounts where id in (p_from, p_to) order by id for update loop
    if v_account.id = p_from then v_from := v_account; else v_to := v_account; end if;
  end loop;
  if v_from.id is null or v_to.id is null then
    raise exception 'Money moves between two accounts' using errcode = '23514';
  end if;
  select * into v_transfer from private.ledger_transfers where key = p_key;
  if found then
    if (v_transfer.from_account, v_transfer.to_account, v_transfer.amount) is distinct from (p_from, p_to, p_amount) then
      raise exception 'Another transfer has this key' using errcode = '23505';
    end if;
    return v_transfer;
  end if;

  v_transfer.description := coalesce(p_description, '');
  v_at := clock_timestamp() + (private.now() - now());
  if v_from.kind = 'wallet' and v_to.kind = 'wallet' then
    -- Both movements of coins have the transfer's time, so it is later than the last one of either wallet.
    v_at := greatest(v_at, (select max(c.created_at) + interval '1 microsecond' from public.coin_transactions as c where c.user_id = v_to.owner));
  end if;
  if v_from.kind = 'wallet' then
    v_at := private.write_coins(v_from.owner, p_kind, false, p_amount, v_transfer.description, v_at);
  end if;
  if v_to.kind = 'wallet' then
    v_at := private.write_coins(v_to.owner, p_kind, true, p_amount, v_transfer.description, v_at);
  end if;
  if v_from.balance < p_amount and v_from.kind not in ('outside', 'connected', 'guarantee', 'costs', 'adjustments') then
    raise exception 'The balance cannot go below zero' using errcode = '23514';
  end if;
  if p_seat is not null then
    select subscription_id, member_id into v_plan, v_member from private.seats where id = p_seat;
  end if;
  update private.ledger_accounts set balance = balance - p_amount, version = version + 1 where id = p_from;
  update private.ledger_accounts set balance = balance + p_amount, version = version + 1 where id = p_to;
  insert into private.ledger_transfers
    (key, from_account, to_account, amount, kind, seat_id, period_id, subscription_id, person_id, description, created_at)
  values (p_key, p_from, p_to, p_amount, p_kind, p_seat, p_period, v_plan,
    case when v_to.kind in ('wallet', 'connected') then v_to.owner when v_from.kind in ('wallet', 'connected') then v_from.owner
      else v_member end,
    v_transfer.description, v_at)
  returning * into v_transfer;
  insert into private.ledger_entries (account_id, version, transfer_id, amount, balance_before, balance_after, created_at)
  values
    (p_from, v_from.version + 1, v_transfer.id, -p_amount, v_from.balance, v_from.balance - p_amount, v_at),
    (p_to, v_to.version + 1, v_transfer.id, p_amount, v_to.balance, v_to.balance + p_amount, v_at);
  return v_transfer;
end $function$;

CREATE OR REPLACE FUNCTION private.transfer_content(p_transfer private.ledger_transfers, p_entries jsonb)
 RETURNS jsonb
 LANGUAGE sql
 STABLE
AS $function$
  select jsonb_build_array(p_transfer.id, p_transfer.key, p_transfer.from_account, p_transfer.to_account, p_transfer.amount,
    p_transfer.kind, p_transfer.seat_id, p_transfer.period_id, p_transfer.subscription_id, p_transfer.person_id,
    p_transfer.description, extract(epoch from p_transfer.created_at), p_transfer.created_by, p_entries)
$function$;

CREATE OR REPLACE FUNCTION private.transfers_wait(p_user_id uuid)
 RETURNS boolean
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  return (private.current_hold(p_user_id)).id is not null
    or exists (select from private.suspensions where user_id = p_user_id and lifted_at is null and ended_places_at is null and until > private.now());
end $function$;

CREATE OR REPLACE FUNCTION private.turn_all(p_seat_ids uuid[])
 RETURNS uuid[]
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_now timestamptz := private.now();
  v_periods uuid[];
  v_seats uuid[];
  v_numbers integer[];
  v_starts timestamptz[];
begin
  select array_agg(m.id), array_agg(s.id), array_agg(m.number + 1), array_agg(m.ends_at) into v_periods, v_seats, v_numbers, v_starts
  from private.seats as s join public.member_payments as m on m.seat_id = s.id and m.status = 'paid'
  where s.id = any (p_seat_ids) and s.settlement = 'potluck' and s.ended_at is null and s.ends_at is null and not private.is_paused(s)
    and not private.awaits_refund_decision(s.id)
    and m.starts_at is not null and m.ends_at <= v_now and m.announced_at is not null
    and private.period_end(s.anchor, m.number + 1 - s.anchor_after, private.zone_of(s.member_id)) > v_now
    and not exists (select from public.member_payments as o where o.seat_id = s.id and o.id <> m.id
      and (o.number > m.number or o.status in ('due', 'claimed', 'charging', 'needs-action', 'failed', 'paid')))
    and not exists (select from public.seat_problems as p where p.seat_id = s.id
      and (p.status <> 'closed' or coalesce(p.lost_until, 'infinity') > m.starts_at));
  if v_periods is null then return '{}'; end if;
  perform private.move_earnings(v_periods, true);
  perform private.open_periods(v_seats, v_numbers, v_starts);
  perform private.tell_first_months(v_periods);
  with turned as (
    update private.seats as s set next_at = m.next_attempt_at, failures = 0, last_error = null
    from unnest(v_seats, v_numbers) as next (seat_id, number)
    join public.member_payments as m on m.seat_id = next.seat_id and m.number = next.number and m.status = 'due'
    where s.id = any (v_seats) and s.id = next.seat_id returning s.id
  )
  select array_agg(id) into v_seats from turned;
  return coalesce(v_seats, '{}');
end $function$;

CREATE OR REPLACE FUNCTION private.unconfirm_payment(p_payment_id uuid)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare v_payment public.member_payments := private.lock_direct_payment(p_payment_id, true);
begin
  if v_payment.status <> 'paid' or v_payment.received_by not in ('owner', 'statement') or v_payment.unconfirmed_at is not null
    or v_payment.paid_at <= private.now() - private.receipt_undo_time() then
    raise exception 'You can take this back once, within % hours', private.hours(private.receipt_undo_time()) using errcode = '23514';
  elsif v_payment.owed_back > 0 or exists (select from private.seats where id = v_payment.seat_id and ended_at is not null) then
    raise exception 'This place has ended or you owe a refund for it, so the payment stays as it is' using errcode = '23514';
  end if;
  perform private.void_receipt(v_payment);
  delete from private.used_bank_entries where payment_id = v_payment.id;
  update public.member_payments set status = 'due', unconfirmed_at = private.now() where id = v_payment.id;
  perform private.reopen_claim(v_payment.id);
  -- The time to give access begins again with the payment.
  update private.seats set access_due_at = null, access_reminded = false where id = v_payment.seat_id and access_given_at is null;
  perform private.begin_periods(v_payment.seat_id);
  perform private.follow_direct_payments(v_payment.seat_id);
  perform private.tell_payment(v_payment, false, 'warning', 'payment-unconfirmed', 'Payment Not Confirmed After All',
    '%3$s took back that your %1$s for %2$s arrived.');
end $function$;

CREATE OR REPLACE FUNCTION private.unkept_debts(p_user_id uuid)
 RETURNS integer
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  return (
    select count(distinct seat_id)::integer from public.member_payments as m
    where owner_id = p_user_id and unkept_at is not null and private.is_owed_back(m) and not private.is_claimed_back(m.id)
  );
end $function$;

CREATE OR REPLACE FUNCTION private.unpaid_memory()
 RETURNS interval
 LANGUAGE sql
 IMMUTABLE
RETURN '1 year'::interval;

CREATE OR REPLACE FUNCTION private.void_receipt(p_payment public.member_payments)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  insert into private.void_receipts (number, payment_id) select p_payment.receipt_number, p_payment.id where p_payment.receipt_number is not null;
  update public.member_payments set paid_at = null, receipt_number = null, received_by = null, status = 'due' where id = p_payment.id;
end $function$;

CREATE OR REPLACE FUNCTION private.waive_payment(p_payment_id uuid)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare v_payment public.member_payments := private.lock_direct_payment(p_payment_id, true);
begin
  if v_payment.left_unpaid_at is null or v_payment.status not in ('due', 'claimed', 'disputed') then
    raise exception 'This payment is not open' using errcode = '23514';
  end if;
  perform private.close_claim(v_payment.id, 'void');
  update public.member_payments set status = 'cancelled', closed_at = private.now(), waived_at = private.now(), left_unpaid_at = null
  where id = v_payment.id;
  perform private.wake_seat(v_payment.seat_id);
  perform private.tell_payment(v_payment, false, 'success', 'payment-waived', 'Payment Let Go', '%3$s lets go of %1$s for %2$s.');
end $function$;

CREATE OR REPLACE FUNCTION private.was_suspended(p_user_id uuid, p_at timestamp with time zone)
 RETURNS boolean
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  return exists (select from private.suspensions where user_id = p_user_id and since <= p_at and coalesce(lifted_at, 'infinity') > p_at);
end $function$;

CREATE OR REPLACE FUNCTION private.webhook_type(p_event text, p_params jsonb)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE
RETURN CASE WHEN (p_event = 'request-made'::text) THEN 'request'::text WHEN (p_event = ANY (ARRAY['request-approved'::text, 'let-in'::text, 'member-let-in'::text])) THEN 'approval'::text WHEN ((p_event = ANY (ARRAY['renewal-coming'::text, 'payment-debit-coming'::text])) OR ((p_event = 'payment-due'::text) AND ((p_params ->> 'late'::text) = 'false'::text))) THEN 'payment.due'::text WHEN (p_event = ANY (ARRAY['member-says-paid'::text, 'payment-back-claimed'::text])) THEN 'payment.claimed'::text WHEN (p_event = ANY (ARRAY['payment-made'::text, 'contract-made'::text, 'payment-received'::text, 'member-paid'::text, 'payment-unanswered'::text, 'owed-settled'::text])) THEN 'payment.paid'::text WHEN (p_event = ANY (ARRAY['payment-due'::text, 'payment-nudge'::text, 'payment-not-received'::text, 'payment-unconfirmed'::text, 'payment-failed'::text, 'payment-needs-action'::text, 'payment-left-unpaid'::text, 'payment-member-left-unpaid'::text, 'payment-back-denied'::text, 'owner-owes-you'::text, 'you-owe-member'::text, 'payment-debt-unkept'::text])) THEN 'payment.late'::text WHEN (p_event = ANY (ARRAY['payment-disagreement'::text, 'payment-decided'::text])) THEN 'payment.disputed'::text WHEN ((p_event ~~ 'problem-%'::text) AND (p_event <> 'problem-to-decide'::text)) THEN 'problem'::text ELSE NULL::text END;

CREATE OR REPLACE FUNCTION private.webhook_types()
 RETURNS text[]
 LANGUAGE sql
 IMMUTABLE
RETURN '{request,approval,payment.due,payment.claimed,payment.paid,payment.late,payment.disputed,message,problem}'::text[];

CREATE OR REPLACE FUNCTION private.webhooks_for(p_user_id uuid, p_type text)
 RETURNS SETOF uuid
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  return query
    select w.id from private.webhooks as w join auth.users as u on u.id = w.user_id
    where w.user_id = p_user_id and p_type = any (w.events) and w.stopped_at is null
      and private.is_open_account(u.deleted_at, u.banned_until);
end $function$;

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

CREATE OR REPLACE FUNCTION private.withdrawal_refusal(p_user_id uuid, p_amount numeric, p_closes_account boolean DEFAULT false)
 RETURNS text
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_available numeric := private.payable_coins(p_user_id);
  v_owed numeric := private.owed_to_site(p_user_id);
begin
  return case
    when p_amount is null or p_amount = 'NaN' or p_amount <= 0 or p_amount <> round(p_amount, 2) then 'Please enter a valid amount'
    when p_amount < private.least_withdrawal() and not p_closes_account then format('Minimum withdrawal amount is %s coins', private.least_withdrawal())
    when p_amount > v_available and v_owed > 0
      then format('You owe us %s for a debit that your bank took back. Pay it under My Payments first.', private.euros(v_owed))
    when p_amount > v_available then format('Maximum withdrawal amount is %s coins', v_available)
    when auth.uid() is not null and not private.has_bank_account(p_user_id)
      then 'Add the bank account to pay your coins to'
    else private.hold_refusal(p_user_id)
  end;
end $function$;

CREATE OR REPLACE FUNCTION private.withdrawals_memory()
 RETURNS interval
 LANGUAGE sql
 IMMUTABLE
RETURN '1 year'::interval;

CREATE OR REPLACE FUNCTION private.withdrawals_wait_until(p_user_id uuid)
 RETURNS timestamp with time zone
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  return case when exists (select from public.payment_disputes where owner_id = p_user_id and closed_at is null) then 'infinity'
    else (
      select greatest((private.current_hold(p_user_id)).until, card + private.card_earnings_wait(),
        case when debit < card + private.debit_earnings_wait() then debit + private.debit_earnings_wait() end)
      from (
        select min(t.created_at) as card, min(t.created_at) filter (where m.paid_with = 'sepa_debit') as debit
        from private.ledger_transfers as t join public.member_payments as m on m.id = t.period_id
        where t.person_id = p_user_id and t.kind = 'earning' and m.card > 0
      ) as first
    ) end;
end $function$;

CREATE OR REPLACE FUNCTION private.work_out_facts(p_user_ids uuid[])
 RETURNS SETOF private.known_facts
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER ROWS 50
 SET search_path TO ''
AS $function$
begin
  return query
  -- Evaluated once, because these are not constants.
  with terms as materialized (select private.now() as now, private.now() - now() as ahead)
  select u.user_id, terms.now,
    least(given.until, paid.until, faults.until, answered.until + terms.ahead, asked.until + terms.ahead, 'infinity'),
    coalesce(given.time, '0'), coalesce(given.pace, 0)::integer, coalesce(paid.on_time, 0)::integer,
    coalesce(paid.late, 0)::integer, faults.problems::integer, answered.people::integer, answered.minutes::integer, private.unkept_debts(u.user_id)
  from terms cross join public.user_profiles as u
  -- Per member, the paid time with working access while the seat lived; for a running period, up to now. A place that ended by withdrawal
  -- counts for neither side, so that nobody gains by rounds of joining and withdrawing.
  cross join lateral (
    select sum(least(by_member.time, private.pair_limit())) as time,
      sum(by_member.pace) filter (where by_member.time < private.pair_limit()) as pace,
      least(min(by_member.until), min(terms.now + (private.pair_limit() - by_member.time) / nullif(by_member.pace, 0))
        filter (where by_member.time < private.pair_limit())) as until
    from (
      select coalesce(sum(least(ended.at, terms.now) - m.starts_at - case when problem.was
          then private.time_without_access(m, least(ended.at, terms.now), null) else '0' end) filter (where begun.yet), '0') as time,
        count(*) filter (where begun.yet and ended.at > terms.now and problem.lasts is not true) as pace,
        min(case when begun.yet then ended.at else m.starts_at end) filter (where ended.at > terms.now) as until
      from private.seats as s
      cross join lateral (
        select count(*) > 0 as was, bool_or(coalesce(lost_until, 'infinity') > terms.now) as lasts
        from public.seat_problems where seat_id = s.id
      ) as problem
      join public.member_payments as m on m.seat_id = s.id
      cross join lateral (select least(m.ends_at, s.ended_at)) as ended (at)
      cross join lateral (select m.starts_at < terms.now) as begun (yet)
      where s.owner_id = u.user_id and s.end_reason is distinct from 'withdrawn' and m.status in ('paid', 'closed') and private.is_sure_payment(m) and m.starts_at < ended.at
      group by s.member_id
    ) as by_member
  ) as given
  -- What they paid, per owner. A confirmed direct payment is dated by "I've paid". Each stands for a month, and only as many
  -- as fit the pair limit count; late payments always count.
  cross join lateral (
    select sum(least(by_owner.on_time, extract(day from private.pair_limit())::integer / 30)) as on_time, sum(by_owner.late) as late,
      min(by_owner.until) as until
    from (
      select count(*) filter (where is_paid and not is_behind and private.is_sure_payment(m)
          and not exists (select from private.seats where id = m.seat_id and end_reason = 'withdrawn')) as on_time,
        count(*) filter (where is_behind and first.due_at > terms.now - private.standing_memory() and (is_paid
          or m.status in ('due', 'needs-action', 'failed') or (m.status = 'cancelled' and m.settlement = 'potluck'
            and exists (select from private.seats where id = m.seat_id and end_reason = 'unpaid')))) as late,
        min(changes.at) filter (where changes.at > terms.now) as until
      from public.member_payments as m
      cross join lateral (select coalesce(m.first_due_at, m.due_at)) as first (due_at)
      -- A payment that nobody confirmed counts for nobody.
      cross join lateral (select m.status in ('paid', 'closed'),
        (coalesce(m.claimed_at, m.paid_at, terms.now) > first.due_at + private.payment_grace() or m.left_unpaid_at is not null and m.status = 'due')
          and m.received_by is distinct from 'silence'
          and (m.settlement = 'potluck' or m.status <> 'due' or private.says_how_to_pay(m.owner_id))) as judged (is_paid, is_behind)
      cross join lateral (select case when is_behind then first.due_at + private.standing_memory()
        when coalesce(m.claimed_at, m.paid_at) is null then first.due_at + private.payment_grace() end) as changes (at)
      where m.member_id = u.user_id and m.share > 0 and m.starts_at is not null
      group by m.owner_id
    ) as by_owner
  ) as paid
  -- Problems that were their fault, and paid places they gave no access to.
  cross join lateral (
    select count(*) as problems, min(fault.at) + private.standing_memory() as until from (
      select closed_at from public.seat_problems where owner_id = u.user_id and fault = 'owner'
      union all select closed_at from public.seat_problems where member_id = u.user_id and fault = 'member'
      union all select ended_at from private.seats where owner_id = u.user_id and end_reason = 'no-access'
    ) as fault (at) where fault.at > terms.now - private.standing_memory() and not private.was_suspended(u.user_id, fault.at)
  ) as faults
  -- The last answer to each requester; an expired request took the whole time.
  cross join lateral (
    select count(*) as people, percentile_cont(0.5) within group (order by last.minutes) as minutes,
      min(last.requested_at) + private.standing_memory() as until
    from (
      select distinct on (r.user_id) r.requested_at,
        extract(epoch from least(r.decided_at - r.requested_at, private.request_lifetime())) / 60 as minutes
      from public.shared_subscriptions as p join public.subscription_requests as r on r.subscription_id = p.id
      where p.owner_id = u.user_id and r.requested_at > now() - private.standing_memory()
        and not r.instant and (r.status in ('approved', 'rejected') or (r.status = 'pending' and not private.is_open_request(r)))
        and not private.was_suspended(u.user_id, coalesce(r.decided_at, r.requested_at + private.request_lifetime()) + terms.ahead)
      order by r.user_id, r.requested_at desc
    ) as last
  ) as answered
  -- Requests that still wait for their answer.
  cross join lateral (
    select min(r.requested_at) + private.request_lifetime() as until
    from public.shared_subscriptions as p join public.subscription_requests as r on r.subscription_id = p.id
    where p.owner_id = u.user_id and r.status = 'pending' and r.requested_at > now() - private.request_lifetime()
  ) as asked
  where u.user_id = any (p_user_ids);
end $function$;

CREATE OR REPLACE FUNCTION private.work_seat(p_seat private.seats, p_step text, p_period_id uuid)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare v_period public.member_payments;
begin
  select * into v_period from public.member_payments where id = p_period_id;
  case p_step
    when 'earn' then perform private.earn(v_period.id);
    when 'turn' then
      perform private.close_period(v_period.id);
      if p_seat.ends_at is not null then
        perform private.end_seat(p_seat.id, 'over', p_seat.ended_by);
      else
        perform private.renew(p_seat, v_period);
        perform private.tell_first_months(array[v_period.id]);
      end if;
    when 'retry' then
      update public.member_payments set status = 'due', next_attempt_at = null where id = v_period.id;
      perform private.queue_charges(array[v_period.id]);
    when 'undecided' then perform private.period_failed(v_period.id, 'undecided');
    when 'release' then perform private.end_seat(p_seat.id, 'unpaid', null);
    when 'announce' then
      update public.member_payments set announced_at = private.now() where id = v_period.id;
      perform private.announce_renewal(p_seat, v_period);
    when 'end' then perform private.end_seat(p_seat.id, 'over', null);
    when 'remind' then perform private.remind_of_payment(p_seat, v_period);
    when 'remind-access' then perform private.remind_of_access(p_seat);
    when 'no-access' then perform private.end_seat(p_seat.id, 'no-access', null);
    when 'problem' then perform private.lapse_problem(p_period_id);
    when 'await-access' then perform private.begin_periods(p_seat.id);
    when 'remind-claim' then perform private.remind_of_claim(p_period_id);
    when 'lapse-claim' then perform private.lapse_claim(p_period_id);
    when 'debt' then perform private.pursue_debt(p_seat, v_period);
    when 'returned' then perform private.close_returned_payment(p_period_id, false);
    when 'suspended' then
      -- The suspension took time from those who have to answer a claim.
      perform private.move_deadlines(private.now() - min(since), array[p_seat.id]) from private.suspensions
      where user_id in (p_seat.owner_id, p_seat.member_id) and resumed_at is null;
      perform private.end_seat(p_seat.id, 'suspended', null);
  end case;
end $function$;

CREATE OR REPLACE FUNCTION private.write_invoice(p_payment public.member_payments, p_settings public.vat_settings, p_first public.fee_invoices, p_gross numeric, p_is_credit_note boolean)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_new public.fee_invoices := p_first;
  v_rate numeric;
  v_before numeric := 0;
begin
  if v_new.id is null then
    v_new.payment_id := p_payment.id;
    v_new.buyer_id := p_payment.member_id;
    v_new.paid_at := p_payment.paid_at;
    v_new.plan_name := p_payment.plan_name;
    v_new.period := p_payment.number;
    select name, evidence into v_new.buyer_name, v_new.evidence from private.buyer_of(p_payment);
    v_new.buyer_country := coalesce(private.country_of(v_new.evidence, (p_payment.paid_at at time zone 'utc')::date), p_settings.country);
    if p_settings.mode <> 'small' then
      perform private.ask_about_country(p_payment.member_id, v_new.evidence);
    end if;
    v_new.seller := to_jsonb(p_settings) - '{id,since,prefix}'::text[];
    v_rate := private.vat_rate(v_new.buyer_country, (p_payment.paid_at at time zone 'utc')::date);
    v_new.category := case when p_settings.mode = 'small' then 'E' when v_rate is null then 'O' else 'S' end;
    v_new.vat_rate := case when v_new.category <> 'S' then 0 when p_settings.mode = 'oss' then v_rate
      else private.vat_rate(p_settings.country, (p_payment.paid_at at time zone 'utc')::date) end;
  else
    v_before := (select sum(case when corrects is null then gross else -gross end) from public.fee_invoices where payment_id = p_payment.id);
  end if;
  v_new.gross := p_gross;
  v_new.vat := abs(private.vat_in(v_before + case when p_is_credit_note then -p_gross else p_gross end, v_new.vat_rate)
    - private.vat_in(v_before, v_new.vat_rate));
  v_new.net := p_gross - v_new.vat;
  v_new.corrects := case when p_is_credit_note then p_first.id end;
  v_new.id := gen_random_uuid();
  v_new.issued_at := private.now();
  v_new.number := private.next_invoice_number(p_settings.prefix, p_is_credit_note);
  insert into public.fee_invoices select v_new.*;
end $function$;

CREATE OR REPLACE FUNCTION private.write_record(p_kind text, p_subject text, p_content jsonb)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  -- A row without personal data needs no salt.
  v_salt uuid := case when p_content is not null and p_kind not in ('day of the books', 'VAT rate', 'VAT settings', 'time with invoices')
    then gen_random_uuid() end;
begin
  insert into private.sealed_records (kind, subject, digest, salt)
  values (p_kind, p_subject, case when p_content is not null then private.record_digest(v_salt, p_content) end, v_salt);
  if p_content is null then
    update private.sealed_records set salt = null where kind = p_kind and subject = p_subject and salt is not null;
  end if;
end $function$;

CREATE OR REPLACE FUNCTION public.answer_payment_claim(p_token text, p_received boolean, p_note text DEFAULT NULL::text)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$begin perform private.answer_payment_claim(p_token, p_received, p_note); end$function$;

CREATE OR REPLACE FUNCTION public.answer_terms(p_proposal_id uuid, p_accept boolean, p_begin_at_once boolean DEFAULT false)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$begin perform private.answer_terms(p_proposal_id, p_accept, p_begin_at_once); end$function$;

CREATE OR REPLACE FUNCTION public.close_debt(p_payment_id uuid, p_reason text)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$begin perform private.close_debt(p_payment_id, p_reason); end$function$;

CREATE OR REPLACE FUNCTION public.decide_country(p_person_id uuid, p_country text)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$begin perform private.decide_country(p_person_id, p_country); end$function$;

CREATE OR REPLACE FUNCTION public.decide_payment_claim(p_claim_id uuid, p_received boolean, p_reason text)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$begin perform private.decide_payment_claim(p_claim_id, p_received, p_reason); end$function$;

CREATE OR REPLACE FUNCTION public.decide_returned_payment(p_payment_id uuid, p_goodwill boolean)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$begin perform private.decide_returned_payment(p_payment_id, p_goodwill); end$function$;

CREATE OR REPLACE FUNCTION public.deny_repayment(p_payment_id uuid, p_note text)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$begin perform private.deny_repayment(p_payment_id, p_note); end$function$;

CREATE OR REPLACE FUNCTION public.get_payment_claim(p_token text)
 RETURNS TABLE(kind text, plan_name text, amount numeric, payer_name text, note text, made_at timestamp with time zone, status text, answer_by timestamp with time zone, may_deny boolean)
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$begin return query select * from private.get_payment_claim(p_token); end$function$;

CREATE OR REPLACE FUNCTION public.hold_payouts(p_person_id uuid, p_ground text, p_until timestamp with time zone)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$begin perform private.hold_payouts(p_person_id, p_ground, p_until); end$function$;

CREATE OR REPLACE FUNCTION public.lift_withdrawals(p_user_id uuid)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$begin perform private.lift_withdrawals(p_user_id); end$function$;

CREATE OR REPLACE FUNCTION public.list_contract_withdrawals(p_limit integer DEFAULT 50, p_by text DEFAULT 'member'::text, p_sort text DEFAULT NULL::text, p_after jsonb DEFAULT NULL::jsonb)
 RETURNS TABLE(user_id uuid, display_name text, withdrawals integer, latest timestamp with time zone, paid numeric, returned numeric, cost numeric, refused boolean, lifted_at timestamp with time zone)
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$begin return query select * from private.list_contract_withdrawals(p_limit, p_by, p_sort, p_after); end$function$;

CREATE OR REPLACE FUNCTION public.list_payment_disputes(p_closed boolean DEFAULT false)
 RETURNS TABLE(id uuid, kind text, plan_name text, amount numeric, owner_id uuid, owner_name text, member_id uuid, member_name text, note text, denial text, disputed_at timestamp with time zone, decide_by timestamp with time zone, status text, closed_at timestamp with time zone, decision text)
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$begin return query select * from private.list_payment_disputes(p_closed); end$function$;

CREATE OR REPLACE FUNCTION public.list_returned_payments()
 RETURNS TABLE(payment_id uuid, plan_name text, amount numeric, owner_id uuid, owner_name text, member_id uuid, member_name text, due_at timestamp with time zone)
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$begin return query select * from private.list_returned_payments(); end$function$;

CREATE OR REPLACE FUNCTION public.my_seats()
 RETURNS TABLE(id uuid, subscription_id text, provider text, plan_name text, owner_id uuid, owner_name text, settlement text, billing_cycle text, share numeric, coins_first boolean, status text, opened_at timestamp with time zone, paid_until timestamp with time zone, ends_at timestamp with time zone, ended_at timestamp with time zone, end_reason text, may_stay boolean, admitted_at timestamp with time zone, access_given_at timestamp with time zone, access_due_at timestamp with time zone, invited_address text, access_works boolean, problem_id uuid, owed_back numeric, withdraw_until timestamp with time zone, begins_at_once_at timestamp with time zone, back_now numeric, paused_until timestamp with time zone, pause_ends_place boolean)
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$begin return query select * from private.my_seats(); end$function$;

CREATE OR REPLACE FUNCTION public.pay_debt_with_coins(p_debt_id uuid)
 RETURNS numeric
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$begin return private.pay_debt_with_coins(p_debt_id); end$function$;

CREATE OR REPLACE FUNCTION public.plan_seats(p_subscription_id text)
 RETURNS TABLE(id uuid, member_id uuid, member_name text, avatar_url text, settlement text, billing_cycle text, share numeric, status text, opened_at timestamp with time zone, paid_until timestamp with time zone, unpaid_since timestamp with time zone, ends_at timestamp with time zone, ended_at timestamp with time zone, end_reason text, held numeric, earned numeric, next_release timestamp with time zone, admitted_at timestamp with time zone, access_given_at timestamp with time zone, access_due_at timestamp with time zone, invited_address text, access_works boolean, problem_id uuid, owed_back numeric, unused numeric, paused_until timestamp with time zone, pause_ends_place boolean)
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$begin return query select * from private.plan_seats(p_subscription_id); end$function$;

CREATE OR REPLACE FUNCTION public.record_card(p_customer text, p_method text, p_brand text, p_last4 text, p_exp_month integer, p_exp_year integer, p_is_new boolean, p_kind text DEFAULT 'card'::text, p_mandate text DEFAULT NULL::text, p_country text DEFAULT NULL::text, p_fingerprint text DEFAULT NULL::text)
 RETURNS boolean
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$begin return private.record_card(p_customer, p_method, p_brand, p_last4, p_exp_month, p_exp_year, p_is_new, p_kind, p_mandate, p_country, p_fingerprint); end$function$;

CREATE OR REPLACE FUNCTION public.release_payouts(p_person_id uuid)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$begin perform private.release_payouts(p_person_id); end$function$;

CREATE OR REPLACE FUNCTION public.say_paid(p_payment_id uuid, p_note text DEFAULT NULL::text)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$begin perform private.say_paid(p_payment_id, p_note); end$function$;

CREATE OR REPLACE FUNCTION public.say_repaid(p_payment_id uuid, p_note text DEFAULT NULL::text)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$begin perform private.say_repaid(p_payment_id, p_note); end$function$;

CREATE OR REPLACE FUNCTION public.standing_of(p_user_ids uuid[])
 RETURNS TABLE(user_id uuid, level text, days_here integer, hours_given integer, paid_on_time integer, paid_late integer, problems integer, unkept_debts integer, answers integer, answer_minutes integer, rating numeric, reviewers integer)
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$begin return query select * from private.standing_of(p_user_ids); end$function$;

CREATE OR REPLACE FUNCTION public.unconfirm_payment(p_payment_id uuid)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$begin perform private.unconfirm_payment(p_payment_id); end$function$;

CREATE OR REPLACE FUNCTION public.waive_payment(p_payment_id uuid)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$begin perform private.waive_payment(p_payment_id); end$function$;

ALTER TABLE "private"."country_questions" ADD CONSTRAINT "country_questions_user_id_fkey" FOREIGN KEY (user_id) REFERENCES public.user_profiles(user_id) ON DELETE CASCADE;

ALTER TABLE "private"."ledger_seals" ADD CONSTRAINT "ledger_seals_record_id_key" UNIQUE (record_id);

ALTER TABLE "private"."ledger_seals" ADD CONSTRAINT "seals_one_thing" CHECK ((num_nonnulls(transfer_id, record_id) = 1));

ALTER TABLE "private"."ledger_transfers" ADD CONSTRAINT "ledger_transfers_kind_check" CHECK ((kind = ANY (ARRAY['payment'::text, 'payment-returned'::text, 'earning'::text, 'fee'::text, 'refund'::text, 'refund-sent'::text, 'refund-failed'::text, 'withdrawal'::text, 'withdrawal-returned'::text, 'adjustment'::text, 'chargeback'::text, 'chargeback-won'::text, 'debt'::text, 'given-up'::text, 'handed-over'::text, 'cost'::text, 'account'::text, 'account-failed'::text, 'payout'::text, 'payout-failed'::text])));

ALTER TABLE "private"."payment_fingerprints" ADD CONSTRAINT "payment_fingerprints_user_id_fkey" FOREIGN KEY (user_id) REFERENCES public.user_profiles(user_id) ON DELETE CASCADE;

ALTER TABLE "private"."payment_jobs" ADD CONSTRAINT "payment_jobs_kind_check" CHECK ((kind = ANY (ARRAY['charge'::text, 'debt'::text, 'refund'::text, 'remove-card'::text, 'reconcile'::text, 'transfer'::text, 'reversal'::text, 'evidence'::text])));

ALTER TABLE "private"."payout_holds" ADD CONSTRAINT "payout_holds_user_id_fkey" FOREIGN KEY (user_id) REFERENCES public.user_profiles(user_id) ON DELETE CASCADE;

ALTER TABLE "private"."returned_payments" ADD CONSTRAINT "returned_payments_payment_id_fkey" FOREIGN KEY (payment_id) REFERENCES public.member_payments(id) ON DELETE RESTRICT;

ALTER TABLE "private"."returned_payments" ADD CONSTRAINT "returned_payments_seat_id_fkey" FOREIGN KEY (seat_id) REFERENCES private.seats(id) ON DELETE RESTRICT;

ALTER TABLE "private"."ledger_seals" ADD CONSTRAINT "ledger_seals_record_id_fkey" FOREIGN KEY (record_id) REFERENCES private.sealed_records(id);

ALTER TABLE "private"."seats" ADD CONSTRAINT "paid_through_the_site_begins_at_once" CHECK (((settlement = 'direct'::text) OR (num_nulls(begins_at_once_at, withdrawable_until) = 0)));

ALTER TABLE "private"."seats" ADD CONSTRAINT "seats_end_reason_check" CHECK ((end_reason = ANY (ARRAY['left'::text, 'removed'::text, 'cancelled'::text, 'unpaid'::text, 'over'::text, 'unused'::text, 'disputed'::text, 'no-access'::text, 'problem'::text, 'withdrawn'::text, 'suspended'::text])));

ALTER TABLE "private"."suspensions" ADD CONSTRAINT "suspensions_user_id_fkey" FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE CASCADE;

ALTER TABLE "private"."used_bank_entries" ADD CONSTRAINT "used_bank_entries_payment_id_fkey" FOREIGN KEY (payment_id) REFERENCES public.member_payments(id) ON DELETE CASCADE;

ALTER TABLE "private"."void_receipts" ADD CONSTRAINT "void_receipts_payment_id_fkey" FOREIGN KEY (payment_id) REFERENCES public.member_payments(id) ON DELETE RESTRICT;

ALTER TABLE "private"."withdrawal_lifts" ADD CONSTRAINT "withdrawal_lifts_user_id_fkey" FOREIGN KEY (user_id) REFERENCES public.user_profiles(user_id) ON DELETE CASCADE;

ALTER TABLE "public"."debts" ADD CONSTRAINT "debts_dispute_id_fkey" FOREIGN KEY (dispute_id) REFERENCES public.payment_disputes(id) ON DELETE RESTRICT;

ALTER TABLE "public"."debts" ADD CONSTRAINT "debts_member_id_fkey" FOREIGN KEY (member_id) REFERENCES public.user_profiles(user_id) ON DELETE RESTRICT;

ALTER TABLE "public"."debts" ADD CONSTRAINT "debts_open_check" CHECK ((open >= (0)::numeric));

ALTER TABLE "public"."debts" ADD CONSTRAINT "debts_payment_id_fkey" FOREIGN KEY (payment_id) REFERENCES public.member_payments(id) ON DELETE RESTRICT;

ALTER TABLE "public"."member_payments" ADD CONSTRAINT "member_payments_received_by_check" CHECK ((received_by = ANY (ARRAY['owner'::text, 'statement'::text, 'silence'::text, 'staff'::text])));

ALTER TABLE "public"."member_payments" ADD CONSTRAINT "member_payments_status_check" CHECK ((status = ANY (ARRAY['due'::text, 'claimed'::text, 'disputed'::text, 'charging'::text, 'processing'::text, 'needs-action'::text, 'failed'::text, 'paid'::text, 'closed'::text, 'given-back'::text, 'cancelled'::text])));

ALTER TABLE "public"."payment_claims" ADD CONSTRAINT "payment_claims_decided_by_fkey" FOREIGN KEY (decided_by) REFERENCES public.user_profiles(user_id) ON DELETE RESTRICT;

ALTER TABLE "public"."payment_claims" ADD CONSTRAINT "payment_claims_member_id_fkey" FOREIGN KEY (member_id) REFERENCES public.user_profiles(user_id) ON DELETE RESTRICT;

ALTER TABLE "public"."payment_claims" ADD CONSTRAINT "payment_claims_owner_id_fkey" FOREIGN KEY (owner_id) REFERENCES public.user_profiles(user_id) ON DELETE RESTRICT;

ALTER TABLE "public"."payment_claims" ADD CONSTRAINT "payment_claims_payment_id_fkey" FOREIGN KEY (payment_id) REFERENCES public.member_payments(id) ON DELETE RESTRICT;

ALTER TABLE "public"."payment_claims" ADD CONSTRAINT "payment_claims_seat_id_fkey" FOREIGN KEY (seat_id) REFERENCES private.seats(id) ON DELETE RESTRICT;

CREATE INDEX payment_fingerprints_user_idx ON private.payment_fingerprints USING btree (user_id);

CREATE UNIQUE INDEX payout_holds_one_at_a_time_key ON private.payout_holds USING btree (user_id) WHERE (released_at IS NULL);

CREATE INDEX payout_holds_user_idx ON private.payout_holds USING btree (user_id);

CREATE INDEX returned_payments_seat_idx ON private.returned_payments USING btree (seat_id);

CREATE INDEX sealed_records_subject_idx ON private.sealed_records USING btree (kind, subject, id DESC);

CREATE UNIQUE INDEX suspensions_one_at_a_time_key ON private.suspensions USING btree (user_id) WHERE (lifted_at IS NULL);

CREATE INDEX suspensions_pausing_idx ON private.suspensions USING btree (user_id) WHERE (resumed_at IS NULL);

CREATE INDEX used_bank_entries_payment_idx ON private.used_bank_entries USING btree (payment_id);

CREATE INDEX void_receipts_payment_idx ON private.void_receipts USING btree (payment_id);

CREATE INDEX debts_payment_idx ON public.debts USING btree (payment_id);

CREATE INDEX member_payments_left_unpaid_idx ON public.member_payments USING btree (owner_id, member_id) WHERE (left_unpaid_at IS NOT NULL);

CREATE INDEX member_payments_unkept_idx ON public.member_payments USING btree (owner_id) WHERE (unkept_at IS NOT NULL);

CREATE INDEX payment_claims_decided_by_idx ON public.payment_claims USING btree (decided_by);

CREATE UNIQUE INDEX payment_claims_one_open_key ON public.payment_claims USING btree (payment_id) WHERE (status = ANY (ARRAY['open'::text, 'disputed'::text]));

CREATE INDEX payment_claims_seat_idx ON public.payment_claims USING btree (seat_id);

CREATE INDEX payment_claims_tokens_idx ON public.payment_claims USING gin (token_hashes);

CREATE TRIGGER suspend_new AFTER INSERT ON auth.users FOR EACH ROW WHEN ((new.banned_until IS NOT NULL)) EXECUTE FUNCTION private.tg_users__suspend();

CREATE TRIGGER suspend AFTER UPDATE OF banned_until ON auth.users FOR EACH ROW WHEN ((old.banned_until IS DISTINCT FROM new.banned_until)) EXECUTE FUNCTION private.tg_users__suspend();

CREATE TRIGGER record AFTER INSERT OR UPDATE ON private.account_payouts FOR EACH ROW EXECUTE FUNCTION private.tg_private__record('payout', '{id}');

CREATE TRIGGER record_state AFTER INSERT OR UPDATE ON private.account_reversals FOR EACH ROW EXECUTE FUNCTION private.tg_private__record('state of a reversal', '{id}');

CREATE TRIGGER record AFTER INSERT ON private.account_reversals FOR EACH ROW EXECUTE FUNCTION private.tg_private__record('reversal', '{id}');

CREATE TRIGGER record_state AFTER INSERT OR UPDATE ON private.account_transfers FOR EACH ROW EXECUTE FUNCTION private.tg_private__record('state of a transfer', '{id}');

CREATE TRIGGER record AFTER INSERT ON private.account_transfers FOR EACH ROW EXECUTE FUNCTION private.tg_private__record('transfer to an account', '{id}');

CREATE TRIGGER record_state AFTER INSERT OR DELETE OR UPDATE ON private.bank_accounts FOR EACH ROW EXECUTE FUNCTION private.tg_private__record('state of a bank account', '{id}');

CREATE TRIGGER record AFTER INSERT OR DELETE ON private.bank_accounts FOR EACH ROW EXECUTE FUNCTION private.tg_private__record('bank account', '{id}');

CREATE TRIGGER record AFTER INSERT ON private.connected_accounts FOR EACH ROW EXECUTE FUNCTION private.tg_private__record('payout account', '{user_id}');

CREATE TRIGGER record AFTER INSERT ON private.daily_books FOR EACH ROW EXECUTE FUNCTION private.tg_private__record('day of the books', '{day}');

CREATE TRIGGER record AFTER INSERT ON private.invoice_spans FOR EACH ROW EXECUTE FUNCTION private.tg_private__record('time with invoices', '{since}');

CREATE TRIGGER record AFTER INSERT OR DELETE OR UPDATE ON private.payment_customers FOR EACH ROW EXECUTE FUNCTION private.tg_private__record('customer', '{user_id,provider}');

CREATE TRIGGER keep_all BEFORE TRUNCATE ON private.sealed_records FOR EACH STATEMENT EXECUTE FUNCTION private.tg_ledger_transfers__keep();

CREATE TRIGGER keep BEFORE DELETE OR UPDATE ON private.sealed_records FOR EACH ROW EXECUTE FUNCTION private.tg_sealed_records__keep();

CREATE TRIGGER record AFTER INSERT ON private.tax_report_entries FOR EACH ROW EXECUTE FUNCTION private.tg_private__record('tax report entry', '{report_id,user_id}');

CREATE TRIGGER record_void AFTER UPDATE ON private.tax_reports FOR EACH ROW WHEN ((new.voided_at IS NOT NULL)) EXECUTE FUNCTION private.tg_private__record('void tax report', '{id}');

CREATE TRIGGER record AFTER INSERT ON private.tax_reports FOR EACH ROW EXECUTE FUNCTION private.tg_private__record('tax report', '{id}');

CREATE TRIGGER record AFTER INSERT ON private.vat_rates FOR EACH ROW EXECUTE FUNCTION private.tg_private__record('VAT rate', '{country,valid_from}');

CREATE TRIGGER record AFTER INSERT OR UPDATE ON private.void_receipts FOR EACH ROW EXECUTE FUNCTION private.tg_private__record('void receipt', '{number}');

CREATE TRIGGER record AFTER INSERT OR DELETE OR UPDATE ON public.debts FOR EACH ROW EXECUTE FUNCTION private.tg_private__record('debt to the site', '{id}');

CREATE TRIGGER record AFTER INSERT ON public.fee_invoices FOR EACH ROW EXECUTE FUNCTION private.tg_private__record('invoice', '{id}');

CREATE TRIGGER record_receipt AFTER UPDATE ON public.member_payments FOR EACH ROW WHEN (((new.settlement = 'potluck'::text) AND (old.receipt_number IS NULL) AND (new.receipt_number IS NOT NULL))) EXECUTE FUNCTION private.tg_private__record('receipt', '{id}');

CREATE TRIGGER record_step AFTER INSERT OR UPDATE ON public.member_payments FOR EACH ROW WHEN ((new.settlement = 'direct'::text)) EXECUTE FUNCTION private.tg_private__record('direct payment', '{id}');

CREATE TRIGGER log_staff AFTER UPDATE OF status ON public.payment_claims FOR EACH ROW WHEN (((new.decided_by IS NOT NULL) AND (old.decided_by IS NULL))) EXECUTE FUNCTION private.tg_payment_claims__log_staff();

CREATE TRIGGER note_facts AFTER INSERT OR UPDATE OF status ON public.payment_claims FOR EACH ROW EXECUTE FUNCTION private.tg_payment_claims__note_facts();

CREATE TRIGGER record AFTER INSERT OR UPDATE ON public.payment_claims FOR EACH ROW EXECUTE FUNCTION private.tg_private__record('claim of a direct payment', '{id}');

CREATE TRIGGER record_state AFTER INSERT OR DELETE OR UPDATE ON public.payment_methods FOR EACH ROW EXECUTE FUNCTION private.tg_private__record('state of a payment method', '{id}');

CREATE TRIGGER record AFTER INSERT OR DELETE ON public.payment_methods FOR EACH ROW EXECUTE FUNCTION private.tg_private__record('payment method', '{id}');

CREATE TRIGGER record AFTER INSERT OR UPDATE ON public.vat_settings FOR EACH ROW EXECUTE FUNCTION private.tg_private__record('VAT settings', '{id}');

CREATE TRIGGER record_paid AFTER INSERT OR UPDATE ON public.withdrawal_requests FOR EACH ROW WHEN ((new.status = 'completed'::text)) EXECUTE FUNCTION private.tg_private__record('paid withdrawal', '{id}');

CREATE TRIGGER record AFTER INSERT OR UPDATE ON public.withdrawal_requests FOR EACH ROW EXECUTE FUNCTION private.tg_private__record('withdrawal', '{id}');

CREATE POLICY "People see what they owe the site, admins all" ON "public"."debts" FOR SELECT TO "authenticated" USING (((member_id = ( SELECT auth.uid() AS uid)) OR ( SELECT (private.may('users.edit'::text) AND private.may_act_as_staff()))));

CREATE POLICY "Both sides of a claim see it, admins all" ON "public"."payment_claims" FOR SELECT TO "authenticated" USING (((member_id = ( SELECT auth.uid() AS uid)) OR (owner_id = ( SELECT auth.uid() AS uid)) OR ( SELECT (private.may('users.edit'::text) AND private.may_act_as_staff()))));

ALTER PUBLICATION "supabase_realtime" ADD TABLE "public"."payment_claims";

REVOKE ALL ON FUNCTION "private"."answer_payment_claim"(text, boolean, text) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."answer_payment_claim"(text, boolean, text) TO "anon", "authenticated";

REVOKE ALL ON FUNCTION "private"."answer_terms"(uuid, boolean, boolean) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."answer_terms"(uuid, boolean, boolean) TO "authenticated";

REVOKE ALL ON FUNCTION "private"."answer_time"(public.payment_claims) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."answerable_claim"(uuid, text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."ask_about_claim"(uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."ask_about_country"(uuid, jsonb) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."ask_about_refund"(uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."available_coins"(uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."awaits_refund_decision"(uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."begin_debt_payment"(uuid, uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."begin_suspension"(private.suspensions, private.seats[]) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."book_debt"(public.debts, bigint, numeric, text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."bring_claim_to_staff"(public.payment_claims) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."chain_days"(text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."chain_end"(text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."chain_hash"(text, bigint, jsonb) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."chain_lines"(text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."check_chain"(text, text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."check_records"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."check_seals"(text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."check_staff_log"(text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."check_taxation"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."claim_access_wait"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."claim_reminder_at"(public.payment_claims) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."claim_reminders"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."claim_time"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."close_claim"(uuid, text, text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."close_debt"(uuid, text) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."close_debt"(uuid, text) TO "authenticated";

REVOKE ALL ON FUNCTION "private"."close_returned_payment"(uuid, boolean) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."close_suspended"(private.suspensions) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."country_of"(jsonb, date) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."create_claim"(public.member_payments, text, text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."create_hold"(uuid, text, timestamp with time zone, text, text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."current_hold"(uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."debit_day"(private.charges, public.member_payments) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."debit_notice"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."debt_order"(uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."debt_steps"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."decide_country"(uuid, text) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."decide_country"(uuid, text) TO "authenticated";

REVOKE ALL ON FUNCTION "private"."decide_payment_claim"(uuid, boolean, text) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."decide_payment_claim"(uuid, boolean, text) TO "authenticated";

REVOKE ALL ON FUNCTION "private"."decide_returned_payment"(uuid, boolean) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."decide_returned_payment"(uuid, boolean) TO "authenticated";

REVOKE ALL ON FUNCTION "private"."denied_payment_time"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."deny_claim"(public.payment_claims, text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."deny_repayment"(uuid, text) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."deny_repayment"(uuid, text) TO "authenticated";

REVOKE ALL ON FUNCTION "private"."disputes_to_tell"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."end_debt"(text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."end_hold"(private.payout_holds) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."end_suspension"(private.suspensions, private.seats[]) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."find_claim"(text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."follow_suspensions"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."get_payment_claim"(text) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."get_payment_claim"(text) TO "anon", "authenticated";

REVOKE ALL ON FUNCTION "private"."give_back"(uuid, numeric, numeric, text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."guarantee_refund_key"(uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."hangs_on_answer"(text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."hold_payouts"(uuid, text, timestamp with time zone) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."hold_payouts"(uuid, text, timestamp with time zone) TO "authenticated";

REVOKE ALL ON FUNCTION "private"."hold_refusal"(uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."is_answerable"(public.payment_claims) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."is_claimed_back"(uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."is_enough"(integer, integer, integer, integer, integer, integer, integer, integer, integer, integer, integer, integer, integer, integer) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."is_open_account"(timestamp with time zone, timestamp with time zone) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."is_owed_back"(public.member_payments) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."is_paid_withdrawal"(private.seats) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."is_party_to"(uuid, public.payment_claims) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."is_paused"(private.seats) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."is_payable"(public.member_payments) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."is_suspended"(uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."knows_charge"(text) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."knows_charge"(text) TO "service_role";

REVOKE ALL ON FUNCTION "private"."lapse_claim"(uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."last_withdrawal"(uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."late_claim_time"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."least_use"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."leave_unpaid"(private.seats, public.member_payments) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."left_unpaid"(uuid, uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."level_of"(integer, integer, integer, integer, integer, integer, integer) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."lift_withdrawals"(uuid) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."lift_withdrawals"(uuid) TO "authenticated";

REVOKE ALL ON FUNCTION "private"."list_contract_withdrawals"(integer, text, text, jsonb) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."list_contract_withdrawals"(integer, text, text, jsonb) TO "authenticated";

REVOKE ALL ON FUNCTION "private"."list_payment_disputes"(boolean) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."list_payment_disputes"(boolean) TO "authenticated";

REVOKE ALL ON FUNCTION "private"."list_returned_payments"() FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."list_returned_payments"() TO "authenticated";

REVOKE ALL ON FUNCTION "private"."lock_claim"(uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."longest_ground"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."longest_hold"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."may_withdraw"(private.seats) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."most_withdrawals"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."move_deadlines"(interval, uuid[]) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."my_seats"() FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."my_seats"() TO "authenticated";

REVOKE ALL ON FUNCTION "private"."note_debt"(text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."other_name"(public.payment_claims, boolean) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."owed_to_site"(uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."past_vat_settings"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."pause_of"(private.seats) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."pay_debt_with_coins"(uuid) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."pay_debt_with_coins"(uuid) TO "authenticated";

REVOKE ALL ON FUNCTION "private"."pay_out_suspended"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."payable_coins"(uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."payment_dispute_time"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."plan_seats"(text) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."plan_seats"(text) TO "authenticated";

REVOKE ALL ON FUNCTION "private"."pursue_debt"(private.seats, public.member_payments) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."receipt_undo_time"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."receive_payment"(public.member_payments, text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."receive_repayment"(public.member_payments) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."receiver_of"(public.payment_claims) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."recent_withdrawals"(uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."record_card"(text, text, text, text, integer, integer, boolean, text, text, text, text) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."record_card"(text, text, text, text, integer, integer, boolean, text, text, text, text) TO "service_role";

REVOKE ALL ON FUNCTION "private"."record_content"(private.sealed_records) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."record_debt"(private.seats, public.member_payments, numeric) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."record_debt_charge"(text, text, text, numeric, numeric) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."record_digest"(uuid, jsonb) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."record_received"(public.member_payments, text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."record_repaid"(public.member_payments) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."record_rows"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."release_payouts"(uuid) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."release_payouts"(uuid) TO "authenticated";

REVOKE ALL ON FUNCTION "private"."remind_of_claim"(uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."reopen_claim"(uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."requeue_account_transfers"(uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."require_may_contract"(uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."require_settled"(uuid, uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."require_wish_to_begin"(timestamp with time zone) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."return_denied"(public.member_payments, text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."returned_payment_time"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."say_paid"(uuid, text) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."say_paid"(uuid, text) TO "authenticated";

REVOKE ALL ON FUNCTION "private"."say_repaid"(uuid, text) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."say_repaid"(uuid, text) TO "authenticated";

REVOKE ALL ON FUNCTION "private"."seal_subject"(private.ledger_seals, private.ledger_transfers, private.sealed_records) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."sealed_columns"(text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."sealed_content"(text, jsonb) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."sealed_content_of"(private.ledger_seals, private.ledger_transfers, private.sealed_records, jsonb) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."sealed_kinds"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."sealed_subject"(text[], jsonb) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."seat_news"(private.seats, uuid, text, text, text, text, jsonb, boolean, uuid, text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."settle_claim"(public.payment_claims, text, text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."settle_withdrawal"(private.seats) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."soonest_debit"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."staff_log_content"(private.staff_log) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."standing_facts"(uuid[]) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."standing_levels"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."standing_of"(uuid[]) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."standing_of"(uuid[]) TO "authenticated";

REVOKE ALL ON FUNCTION "private"."suspended_people"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."suspended_since"(private.seats) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."suspension_params"(private.suspensions, text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."suspension_time"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."taken_by_refund"(uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."tell_debt"(private.seats, public.member_payments, numeric) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."tell_hold"(uuid, text, text, text, text, jsonb) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."tell_left_unpaid"(private.seats) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."tell_of_withdrawals"(private.seats) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."tell_payment"(public.member_payments, boolean, text, text, text, text, text, jsonb, text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."tell_seat"(private.seats, uuid, text, text, text, text, jsonb, boolean, uuid, text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."tell_suspension"(private.suspensions, private.seats[]) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."tg_payment_claims__log_staff"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."tg_payment_claims__note_facts"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."tg_private__record"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."tg_sealed_records__keep"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."tg_users__suspend"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."transfer_content"(private.ledger_transfers, jsonb) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."transfers_wait"(uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."unconfirm_payment"(uuid) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."unconfirm_payment"(uuid) TO "authenticated";

REVOKE ALL ON FUNCTION "private"."unkept_debts"(uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."unpaid_memory"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."void_receipt"(public.member_payments) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."waive_payment"(uuid) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."waive_payment"(uuid) TO "authenticated";

REVOKE ALL ON FUNCTION "private"."was_suspended"(uuid, timestamp with time zone) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."withdrawals_memory"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."write_record"(text, text, jsonb) FROM PUBLIC;

REVOKE ALL ON FUNCTION "public"."answer_payment_claim"(text, boolean, text) FROM PUBLIC, anon, authenticated, service_role;

GRANT EXECUTE ON FUNCTION "public"."answer_payment_claim"(text, boolean, text) TO "anon", "authenticated";

REVOKE ALL ON FUNCTION "public"."answer_terms"(uuid, boolean, boolean) FROM PUBLIC, anon, authenticated, service_role;

GRANT EXECUTE ON FUNCTION "public"."answer_terms"(uuid, boolean, boolean) TO "authenticated";

REVOKE ALL ON FUNCTION "public"."close_debt"(uuid, text) FROM PUBLIC, anon, authenticated, service_role;

GRANT EXECUTE ON FUNCTION "public"."close_debt"(uuid, text) TO "authenticated";

REVOKE ALL ON FUNCTION "public"."decide_country"(uuid, text) FROM PUBLIC, anon, authenticated, service_role;

GRANT EXECUTE ON FUNCTION "public"."decide_country"(uuid, text) TO "authenticated";

REVOKE ALL ON FUNCTION "public"."decide_payment_claim"(uuid, boolean, text) FROM PUBLIC, anon, authenticated, service_role;

GRANT EXECUTE ON FUNCTION "public"."decide_payment_claim"(uuid, boolean, text) TO "authenticated";

REVOKE ALL ON FUNCTION "public"."decide_returned_payment"(uuid, boolean) FROM PUBLIC, anon, authenticated, service_role;

GRANT EXECUTE ON FUNCTION "public"."decide_returned_payment"(uuid, boolean) TO "authenticated";

REVOKE ALL ON FUNCTION "public"."deny_repayment"(uuid, text) FROM PUBLIC, anon, authenticated, service_role;

GRANT EXECUTE ON FUNCTION "public"."deny_repayment"(uuid, text) TO "authenticated";

REVOKE ALL ON FUNCTION "public"."get_payment_claim"(text) FROM PUBLIC, anon, authenticated, service_role;

GRANT EXECUTE ON FUNCTION "public"."get_payment_claim"(text) TO "anon", "authenticated";

REVOKE ALL ON FUNCTION "public"."hold_payouts"(uuid, text, timestamp with time zone) FROM PUBLIC, anon, authenticated, service_role;

GRANT EXECUTE ON FUNCTION "public"."hold_payouts"(uuid, text, timestamp with time zone) TO "authenticated";

REVOKE ALL ON FUNCTION "public"."lift_withdrawals"(uuid) FROM PUBLIC, anon, authenticated, service_role;

GRANT EXECUTE ON FUNCTION "public"."lift_withdrawals"(uuid) TO "authenticated";

REVOKE ALL ON FUNCTION "public"."list_contract_withdrawals"(integer, text, text, jsonb) FROM PUBLIC, anon, authenticated, service_role;

GRANT EXECUTE ON FUNCTION "public"."list_contract_withdrawals"(integer, text, text, jsonb) TO "authenticated";

REVOKE ALL ON FUNCTION "public"."list_payment_disputes"(boolean) FROM PUBLIC, anon, authenticated, service_role;

GRANT EXECUTE ON FUNCTION "public"."list_payment_disputes"(boolean) TO "authenticated";

REVOKE ALL ON FUNCTION "public"."list_returned_payments"() FROM PUBLIC, anon, authenticated, service_role;

GRANT EXECUTE ON FUNCTION "public"."list_returned_payments"() TO "authenticated";

REVOKE ALL ON FUNCTION "public"."my_seats"() FROM PUBLIC, anon, authenticated, service_role;

GRANT EXECUTE ON FUNCTION "public"."my_seats"() TO "authenticated";

REVOKE ALL ON FUNCTION "public"."pay_debt_with_coins"(uuid) FROM PUBLIC, anon, authenticated, service_role;

GRANT EXECUTE ON FUNCTION "public"."pay_debt_with_coins"(uuid) TO "authenticated";

REVOKE ALL ON FUNCTION "public"."plan_seats"(text) FROM PUBLIC, anon, authenticated, service_role;

GRANT EXECUTE ON FUNCTION "public"."plan_seats"(text) TO "authenticated";

REVOKE ALL ON FUNCTION "public"."record_card"(text, text, text, text, integer, integer, boolean, text, text, text, text) FROM PUBLIC, anon, authenticated, service_role;

GRANT EXECUTE ON FUNCTION "public"."record_card"(text, text, text, text, integer, integer, boolean, text, text, text, text) TO "service_role";

REVOKE ALL ON FUNCTION "public"."release_payouts"(uuid) FROM PUBLIC, anon, authenticated, service_role;

GRANT EXECUTE ON FUNCTION "public"."release_payouts"(uuid) TO "authenticated";

REVOKE ALL ON FUNCTION "public"."say_paid"(uuid, text) FROM PUBLIC, anon, authenticated, service_role;

GRANT EXECUTE ON FUNCTION "public"."say_paid"(uuid, text) TO "authenticated";

REVOKE ALL ON FUNCTION "public"."say_repaid"(uuid, text) FROM PUBLIC, anon, authenticated, service_role;

GRANT EXECUTE ON FUNCTION "public"."say_repaid"(uuid, text) TO "authenticated";

REVOKE ALL ON FUNCTION "public"."standing_of"(uuid[]) FROM PUBLIC, anon, authenticated, service_role;

GRANT EXECUTE ON FUNCTION "public"."standing_of"(uuid[]) TO "authenticated";

REVOKE ALL ON FUNCTION "public"."unconfirm_payment"(uuid) FROM PUBLIC, anon, authenticated, service_role;

GRANT EXECUTE ON FUNCTION "public"."unconfirm_payment"(uuid) TO "authenticated";

REVOKE ALL ON FUNCTION "public"."waive_payment"(uuid) FROM PUBLIC, anon, authenticated, service_role;

GRANT EXECUTE ON FUNCTION "public"."waive_payment"(uuid) TO "authenticated";

GRANT SELECT ("amount") ON TABLE "public"."debts" TO "authenticated";

GRANT SELECT ("card") ON TABLE "public"."debts" TO "authenticated";

GRANT SELECT ("coins") ON TABLE "public"."debts" TO "authenticated";

GRANT SELECT ("dispute_id") ON TABLE "public"."debts" TO "authenticated";

GRANT SELECT ("id") ON TABLE "public"."debts" TO "authenticated";

GRANT SELECT ("member_id") ON TABLE "public"."debts" TO "authenticated";

GRANT SELECT ("open") ON TABLE "public"."debts" TO "authenticated";

GRANT SELECT ("payment_id") ON TABLE "public"."debts" TO "authenticated";

GRANT SELECT ("plan_name") ON TABLE "public"."debts" TO "authenticated";

GRANT SELECT ("after_end") ON TABLE "public"."payment_claims" TO "authenticated";

GRANT SELECT ("amount") ON TABLE "public"."payment_claims" TO "authenticated";

GRANT SELECT ("answer_by") ON TABLE "public"."payment_claims" TO "authenticated";

GRANT SELECT ("closed_at") ON TABLE "public"."payment_claims" TO "authenticated";

GRANT SELECT ("decision") ON TABLE "public"."payment_claims" TO "authenticated";

GRANT SELECT ("denial") ON TABLE "public"."payment_claims" TO "authenticated";

GRANT SELECT ("disputed_at") ON TABLE "public"."payment_claims" TO "authenticated";

GRANT SELECT ("id") ON TABLE "public"."payment_claims" TO "authenticated";

GRANT SELECT ("kind") ON TABLE "public"."payment_claims" TO "authenticated";

GRANT SELECT ("member_id") ON TABLE "public"."payment_claims" TO "authenticated";

GRANT SELECT ("note") ON TABLE "public"."payment_claims" TO "authenticated";

GRANT SELECT ("owner_id") ON TABLE "public"."payment_claims" TO "authenticated";

GRANT SELECT ("payment_id") ON TABLE "public"."payment_claims" TO "authenticated";

GRANT SELECT ("reminders") ON TABLE "public"."payment_claims" TO "authenticated";

GRANT SELECT ("seat_id") ON TABLE "public"."payment_claims" TO "authenticated";

GRANT SELECT ("status") ON TABLE "public"."payment_claims" TO "authenticated";

GRANT SELECT ON TABLE "public"."payment_claims" TO "service_role";

ALTER TABLE "private"."returned_payments" ADD COLUMN "due_at" timestamp with time zone NOT NULL DEFAULT (private.now() + private.returned_payment_time());

CREATE INDEX suspensions_user_idx ON private.suspensions USING btree (user_id, since);

ALTER TABLE "private"."suspensions" ADD COLUMN "ends_places_at" timestamp with time zone NOT NULL DEFAULT (private.now() + private.suspension_time());

CREATE INDEX debts_member_idx ON public.debts USING btree (member_id, opened_at DESC);

GRANT SELECT ("opened_at") ON TABLE "public"."debts" TO "authenticated";

CREATE INDEX payment_claims_member_idx ON public.payment_claims USING btree (member_id, made_at);

CREATE INDEX payment_claims_owner_idx ON public.payment_claims USING btree (owner_id, made_at);

CREATE INDEX payment_claims_payment_idx ON public.payment_claims USING btree (payment_id, made_at);

GRANT SELECT ("made_at") ON TABLE "public"."payment_claims" TO "authenticated";

ALTER TABLE "private"."payout_holds" ADD CONSTRAINT "payout_holds_ground_check" CHECK (((char_length(btrim(ground)) >= 1) AND (char_length(btrim(ground)) <= private.longest_ground())));

SELECT cron.schedule('suspended-payouts', '* * * * *', 'select private.pay_out_suspended()');

-- Rows that were there before have records too.
select private.record_rows();
