set local check_function_bodies = off;

ALTER TABLE "public"."member_payments" DROP CONSTRAINT "member_payments_status_check";

DROP FUNCTION "private"."is_enough"(integer, integer, integer, integer, integer, integer, integer, integer, integer, integer, integer, integer);

DROP FUNCTION "private"."level_of"(integer, integer, integer, integer, integer, integer);

DROP FUNCTION "private"."note_owed"(private.seats, public.member_payments, numeric);

DROP FUNCTION "private"."say_paid"(uuid);

DROP FUNCTION "private"."seat_news"(private.seats, uuid, text, text, text, text, jsonb, boolean, uuid);

DROP FUNCTION "private"."standing_facts"(uuid[]);

DROP FUNCTION "private"."standing_levels"();

DROP FUNCTION "private"."standing_of"(uuid[]);

DROP FUNCTION "private"."tell_payment"(public.member_payments, boolean, text, text, text, text, text, jsonb);

DROP FUNCTION "private"."tell_seat"(private.seats, uuid, text, text, text, text, jsonb, boolean, uuid);

DROP FUNCTION "public"."say_paid"(uuid);

DROP FUNCTION "public"."standing_of"(uuid[]);

CREATE TABLE "private"."void_receipts" ("number" text NOT NULL, "payment_id" uuid NOT NULL, CONSTRAINT "void_receipts_pkey" PRIMARY KEY (number), "voided_at" timestamp with time zone NOT NULL DEFAULT private.now());

REVOKE ALL ON TABLE "private"."void_receipts" FROM PUBLIC, anon, authenticated, service_role;

ALTER TABLE "private"."void_receipts" ENABLE ROW LEVEL SECURITY;

CREATE TABLE "public"."payment_claims" ("id" uuid NOT NULL DEFAULT gen_random_uuid(), "payment_id" uuid NOT NULL, "seat_id" uuid NOT NULL, "owner_id" uuid NOT NULL, "member_id" uuid NOT NULL, "kind" text NOT NULL, "amount" numeric(12,2) NOT NULL, "note" text, "after_end" boolean NOT NULL, "status" text NOT NULL, "answer_by" timestamp with time zone, "access_from" timestamp with time zone, "reminders" integer NOT NULL DEFAULT 0, "denial" text, "disputed_at" timestamp with time zone, "closed_at" timestamp with time zone, "decided_by" uuid, "decision" text, "token_hashes" text[] NOT NULL DEFAULT '{}'::text[], CONSTRAINT "payment_claims_amount_check" CHECK ((amount > (0)::numeric)), CONSTRAINT "payment_claims_check1" CHECK (((status = ANY (ARRAY['open'::text, 'disputed'::text])) = (closed_at IS NULL))), CONSTRAINT "payment_claims_check" CHECK (((status = ANY (ARRAY['open'::text, 'disputed'::text])) = (answer_by IS NOT NULL))), CONSTRAINT "payment_claims_kind_check" CHECK ((kind = ANY (ARRAY['payment'::text, 'repayment'::text]))), CONSTRAINT "payment_claims_pkey" PRIMARY KEY (id), CONSTRAINT "payment_claims_status_check" CHECK ((status = ANY (ARRAY['open'::text, 'received'::text, 'unanswered'::text, 'denied'::text, 'disputed'::text, 'undecided'::text]))), "made_at" timestamp with time zone NOT NULL DEFAULT private.now());

REVOKE ALL ON TABLE "public"."payment_claims" FROM PUBLIC, anon, authenticated, service_role;

ALTER TABLE "public"."payment_claims" ENABLE ROW LEVEL SECURITY;

ALTER TABLE "private"."known_facts" ADD COLUMN "unkept_debts" integer NOT NULL;

ALTER TABLE "private"."used_bank_entries" ADD COLUMN "payment_id" uuid NOT NULL;

ALTER TABLE "public"."member_payments" ADD COLUMN "owed_since" timestamp with time zone;

ALTER TABLE "public"."member_payments" ADD COLUMN "debt_steps_done" integer NOT NULL DEFAULT 0;

ALTER TABLE "public"."member_payments" ADD COLUMN "unkept_at" timestamp with time zone;

ALTER TABLE "public"."member_payments" ADD COLUMN "debt_closed_at" timestamp with time zone;

ALTER TABLE "public"."member_payments" ADD COLUMN "received_by" text;

ALTER TABLE "public"."member_payments" ADD COLUMN "first_due_at" timestamp with time zone;

ALTER TABLE "public"."member_payments" ADD COLUMN "unconfirmed_at" timestamp with time zone;

ALTER TABLE "public"."member_payments" ADD COLUMN "left_unpaid_at" timestamp with time zone;

ALTER TABLE "public"."member_payments" ADD COLUMN "waived_at" timestamp with time zone;

ALTER TYPE "private"."news" ADD ATTRIBUTE "answer_path" text CASCADE;

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

CREATE OR REPLACE FUNCTION private.begin_periods(p_seat_id uuid)
 RETURNS private.seats
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare v_seat private.seats;
begin
  update private.seats set access_due_at = from_when.at + private.access_time()
  from (
    select private.now() as at from public.member_payments where seat_id = p_seat_id and status in ('paid', 'processing')
    union all
    select access_from from public.payment_claims
    where seat_id = p_seat_id and status in ('open', 'disputed') and access_from <= private.now()
  ) as from_when
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

CREATE OR REPLACE FUNCTION private.book_guards()
 RETURNS TABLE(relation text, guard text)
 LANGUAGE sql
 IMMUTABLE
 SET search_path TO ''
AS $function$
  select named.relation, regexp_split_to_table(named.guards, '\s+') from (values
    ('private.ledger_accounts', 'ledger_accounts_kind_check ledger_accounts_kind_owner_key ledger_accounts_pkey only_some_accounts_fall_below_zero
      seats_and_people_own_the_rest_is_of_the_site'),
    ('private.ledger_transfers', 'keep log_staff ledger_transfers_amount_check ledger_transfers_check ledger_transfers_description_check
      ledger_transfers_key_check ledger_transfers_key_key ledger_transfers_kind_check ledger_transfers_pkey'),
    ('private.ledger_entries', 'keep ledger_entries_account_id_fkey ledger_entries_amount_check ledger_entries_check ledger_entries_pkey
      ledger_entries_transfer_id_fkey'),
    ('private.ledger_seals', 'keep ledger_seals_pkey ledger_seals_transfer_id_fkey ledger_seals_transfer_id_key'),
    ('private.ledger_seal_end', 'ledger_seal_end_id_check ledger_seal_end_pkey'),
    ('public.user_wallets', 'tell_first_coins user_wallets_coin_balance_check user_wallets_pkey user_wallets_total_earned_check
      user_wallets_total_withdrawn_check user_wallets_user_id_fkey'),
    ('public.coin_transactions', 'coin_transactions_amount_check coin_transactions_created_by_fkey coin_transactions_description_check
      coin_transactions_pkey coin_transactions_transaction_type_check coin_transactions_user_id_fkey'),
    ('private.seats', 'note_facts seats_billing_cycle_check seats_check seats_check1 seats_end_reason_check seats_ended_by_fkey
      seats_fee_rate_check seats_invited_address_check seats_member_id_fkey seats_owner_id_fkey seats_pkey
      seats_settlement_check seats_share_check'),
    ('public.member_payments', 'issue_receipt note_facts note_lost_facts note_new_facts member_payments_card_check member_payments_coins_check member_payments_earned_fee_check
      member_payments_earned_share_check member_payments_fee_check member_payments_from_guarantee_check member_payments_member_id_fkey member_payments_note_check
      member_payments_number_check member_payments_owed_back_check member_payments_owner_id_fkey member_payments_paid_with_check member_payments_pkey
      member_payments_receipt_number_key member_payments_received_by_check member_payments_returned_fee_check member_payments_returned_share_check
      member_payments_seat_id_fkey member_payments_seat_id_number_key member_payments_settlement_check
      member_payments_share_check member_payments_status_check no_more_than_was_paid'),
    ('private.charges', 'charges_code_check charges_intent_check charges_intent_key charges_kind_check charges_payment_id_fkey charges_pkey charges_received_check
      charges_status_check'),
    ('private.refunds', 'refunds_amount_check refunds_payment_id_fkey refunds_pkey refunds_reference_key refunds_status_check'),
    ('public.payment_disputes', 'payment_disputes_amount_check payment_disputes_answer_check payment_disputes_id_check payment_disputes_member_id_fkey payment_disputes_owner_id_fkey
      payment_disputes_payment_id_fkey payment_disputes_pkey payment_disputes_reason_check payment_disputes_status_check'),
    ('public.withdrawal_requests', 'decide fill guard_payout hold log_staff name_account a_return_has_a_reason withdrawal_requests_bank_account_id_fkey
      withdrawal_requests_bank_account_last4_check withdrawal_requests_check withdrawal_requests_completed_by_fkey
      withdrawal_requests_pkey withdrawal_requests_processed_by_fkey withdrawal_requests_rejection_reason_check
      withdrawal_requests_return_reason_check withdrawal_requests_returned_by_fkey withdrawal_requests_status_check
      withdrawal_requests_stripe_transfer_id_check withdrawal_requests_user_id_fkey'),
    ('public.fee_invoices', 'keep fee_invoices_buyer_id_fkey fee_invoices_category_check fee_invoices_corrects_fkey fee_invoices_gross_check
      fee_invoices_net_check fee_invoices_number_key fee_invoices_payment_id_fkey fee_invoices_pkey fee_invoices_vat_check
      net_and_vat_are_all only_the_standard_rate_is_above_zero'),
    ('private.invoice_series', 'invoice_series_pkey'),
    ('private.daily_books', 'daily_books_pkey'),
    ('private.staff_log', 'keep staff_log_pkey'),
    ('private.staff_log_end', 'staff_log_end_id_check staff_log_end_pkey')
  ) as named (relation, guards)
$function$;

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
  perform private.close_claim(v_payment.id, 'undecided', 'repayment');
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
begin
  select * into v_period from public.member_payments where id = p_period;
  if v_period.settlement = 'direct' then
    v_unused := private.unused_of(v_period, p_lost_from);
    perform private.record_debt(v_seat, v_period, v_unused.share);
  elsif v_period.status = 'paid' then
    v_unused := private.unused_of(v_period, case v_seat.end_reason when 'withdrawn' then v_seat.ended_at else p_lost_from end);
    perform private.give_back(p_period, v_unused.share, v_unused.fee,
      case when v_seat.end_reason = 'withdrawn' and v_seat.ended_at = private.now() then 'withdrawn'
        when v_period.starts_at is null then 'no-access' when v_seat.ended_at is not null then 'ended' else 'problem' end,
      case when v_seat.end_reason = 'withdrawn' and v_seat.begins_at_once_at is null
        then private.rest_of(v_period, v_unused.share + v_unused.fee) else 0 end);
    perform private.move_earnings(array[id], true) from public.member_payments where id = p_period and status = 'paid';
  end if;
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

CREATE OR REPLACE FUNCTION private.debt_steps()
 RETURNS interval[]
 LANGUAGE sql
 IMMUTABLE
RETURN '{"3 days","14 days","30 days"}'::interval[];

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
    'invoices', (select jsonb_agg(to_jsonb(t) order by t.issued_at, t.number) from public.fee_invoices as t where t.buyer_id = v_user),
    'problems', (select jsonb_agg(to_jsonb(t) - 'decided_by' || jsonb_build_object('statements', (
        select jsonb_agg(to_jsonb(s) - 'problem_id' order by s.line) from public.problem_statements as s where s.problem_id = t.id
      )) order by t.reported_at)
      from public.seat_problems as t where v_user in (t.member_id, t.owner_id)),
    'term_proposals', (select jsonb_agg(to_jsonb(t) order by t.proposed_at)
      from public.term_proposals as t where v_user in (t.member_id, t.owner_id)),
    'payment_wishes', (select to_jsonb(t) from public.payment_wishes as t where t.user_id = v_user),
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

CREATE OR REPLACE FUNCTION private.hangs_on_answer(p_event text)
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE
RETURN (p_event = ANY (ARRAY['member-says-paid'::text, 'payment-back-claimed'::text, 'payment-not-received'::text, 'payment-back-denied'::text, 'you-owe-member'::text, 'payment-debt-unkept'::text, 'access-reminder'::text]));

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
RETURN COALESCE(((p_event = ANY (ARRAY['renewal-coming'::text, 'payment-debit-coming'::text, 'payment-under-way'::text, 'contract-made'::text, 'contract-withdrawn'::text])) OR private.hangs_on_answer(p_event)), false);

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

CREATE OR REPLACE FUNCTION private.is_owed_back(p_payment public.member_payments)
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE
AS $function$
  select p_payment.owed_back > 0 and p_payment.repaid_at is null and p_payment.debt_closed_at is null
$function$;

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
  update public.member_payments set due_at = due_at + v_gap, next_attempt_at = next_attempt_at + v_gap
  where status in ('due', 'charging', 'processing', 'needs-action', 'failed');
  update public.member_payments as m set owed_since = owed_since + v_gap where private.is_owed_back(m);
  update public.payment_claims set answer_by = answer_by + v_gap, access_from = access_from + v_gap where status in ('open', 'disputed');
  update public.seat_problems set due_at = due_at + v_gap where status <> 'closed';
  update private.seats set access_due_at = access_due_at + v_gap where access_due_at is not null and ended_at is null;
  update private.seats set next_at = private.now()
  where access_due_at is not null and ended_at is null
    or id in (select seat_id from public.member_payments as m where status in ('due', 'charging', 'processing', 'needs-action', 'failed')
      or private.is_owed_back(m))
    or id in (select seat_id from public.payment_claims where status in ('open', 'disputed'))
    or id in (select seat_id from public.seat_problems where status <> 'closed');
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
  v_until timestamptz := least(p_seat.ended_at, p_payment.ends_at);
  v_used interval := v_until - p_payment.starts_at - private.time_without_access(p_payment, v_until, null);
begin
  if p_payment.settlement <> 'direct' or p_payment.share = 0 or coalesce(v_used < private.least_use(), true)
    or p_seat.end_reason in ('problem', 'no-access') or private.has_open_problem(p_seat.id) or not private.says_how_to_pay(p_payment.owner_id)
  then
    return false;
  end if;
  update public.member_payments set left_unpaid_at = private.now(), share = case
    when p_seat.end_reason in ('removed', 'cancelled', 'unpaid')
      then least(share, greatest(0.01, round(share * extract(epoch from v_used) / extract(epoch from ends_at - starts_at), 2)))
    else share end
  where id = p_payment.id;
  return true;
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
        when private.hangs_on_answer(n.event) then 'You always get this email because money or a place hangs on your answer.'
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
    where v_user in (s.owner_id, s.member_id) and s.ended_at is null and s.admitted_at is not null
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
      or m.member_id = v_user and (m.status in ('needs-action', 'failed')
        or m.settlement = 'direct' and m.status = 'due' and (m.due_at <= private.now() or m.note is not null)
          and private.says_how_to_pay(m.owner_id))
    union all
    -- What an owner owes back: the owner pays it, once its member has said where, and the member says that it has arrived.
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
      and not private.is_plan_member(p.id)
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
    where p_seat.ended_at is null and next.due_at > private.now() and next.amount > 0 and not private.has_open_problem(p_seat.id);
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
  select given.id, next.at, next.step, next.id
  from unnest(p_seat_ids) as given (id)
  cross join lateral (
    select s.ended_at is null and not private.has_open_problem(s.id) as goes_on from private.seats as s where s.id = given.id
  ) as seat
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
  return exists (
    select from private.seats
    where owner_id = p_owner_id and member_id = (select auth.uid()) and (ended_at is null and settlement = 'direct'
      or exists (select from public.member_payments as m where m.seat_id = seats.id and m.settlement = 'direct' and m.status in ('due', 'claimed', 'disputed')))
  ) or exists (
    select from public.member_payments as m where m.owner_id = (select auth.uid()) and m.member_id = p_owner_id and private.is_owed_back(m)
  );
end $function$;

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
    -- What they owe for places that have ended, which stays owed.
    'debts', (
      select coalesce(jsonb_agg(jsonb_build_object('member', u.display_name, 'plan', m.plan_name, 'amount', m.owed_back)
        order by m.owed_since, m.id), '[]')
      from public.member_payments as m join public.user_profiles as u on u.user_id = m.member_id
      where m.owner_id = v_user and private.is_owed_back(m)
    ),
    'coins', private.available_coins(v_user) + (
      select coalesce(sum(m.share - m.earned_share - m.returned_share - unused.share), 0)
      from private.seats as s join public.member_payments as m on m.seat_id = s.id
      cross join lateral private.unused_of(m, case when s.ended_at is null then private.now() end) as unused
      where s.owner_id = v_user and m.settlement = 'potluck' and m.status = 'paid'
    ));
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
  -- What was left unpaid when the owner ended the place is for the time that was used.
  if v_seat.ended_at is not null and not private.has_open_problem(v_seat.id)
    and (p_payment.left_unpaid_at is null or v_seat.end_reason in ('left', 'over')) then
    perform private.close_period(p_payment.id, case when v_seat.end_reason in ('removed', 'cancelled') then v_seat.ended_at end);
  end if;
  perform private.follow_direct_payments(v_seat.id);
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

CREATE OR REPLACE FUNCTION private.return_denied(p_payment public.member_payments, p_note text)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare v_seat private.seats;
begin
  select * into v_seat from private.seats where id = p_payment.seat_id;
  insert into private.void_receipts (number, payment_id) select p_payment.receipt_number, p_payment.id where p_payment.receipt_number is not null;
  update public.member_payments set claimed_at = null, owed_back = 0, owed_since = null, unkept_at = null, debt_steps_done = 0, paid_at = null, receipt_number = null, received_by = null, note = p_note, status = 'due',
    first_due_at = coalesce(first_due_at, due_at), due_at = private.now() + private.denied_payment_time(), reminders = 0
  where id = p_payment.id returning * into p_payment;
  update private.seats set access_due_at = null, access_reminded = false where id = v_seat.id and access_given_at is null;
  if v_seat.ended_at is not null and p_payment.left_unpaid_at is null and not private.leave_unpaid(v_seat, p_payment) then
    update public.member_payments set status = 'cancelled', closed_at = private.now() where id = p_payment.id;
  end if;
  perform private.follow_direct_payments(v_seat.id);
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
          update public.member_payments set status = 'paid', received_by = 'staff' where id = v_payment.id;
        end if;
      when 'denied' then perform private.return_denied(v_payment, p_reason);
      else
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
  if p_reason in ('removed', 'cancelled') then
    perform private.forfeit_problem(v_seat.id);
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
  if p_reason <> 'cancelled' then
    perform private.ask_for_new_password(v_seat);
  end if;
end $function$;

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
    new.begins_at_once_at := case when new.begins_at_once_at is not null then private.now() end;
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
  end if;
  perform private.require_unblocked(v_plan.owner_id, 'This plan takes no new members right now');
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
  insert into private.void_receipts (number, payment_id) values (v_payment.receipt_number, v_payment.id);
  delete from private.used_bank_entries where payment_id = v_payment.id;
  update public.member_payments set status = 'due', paid_at = null, receipt_number = null, received_by = null,
    unconfirmed_at = private.now() where id = v_payment.id;
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
  perform private.close_claim(v_payment.id, 'received');
  update public.member_payments set status = 'cancelled', closed_at = private.now(), waived_at = private.now(), left_unpaid_at = null
  where id = v_payment.id;
  perform private.wake_seat(v_payment.seat_id);
  perform private.tell_payment(v_payment, false, 'success', 'payment-waived', 'Payment Let Go', '%3$s lets go of %1$s for %2$s.');
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
  -- Per member, the paid time with working access while the seat lived; for a running period, up to now.
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
      where s.owner_id = u.user_id and m.status in ('paid', 'closed') and private.is_sure_payment(m) and m.starts_at < ended.at
      group by s.member_id
    ) as by_member
  ) as given
  -- What they paid, per owner. A confirmed direct payment is dated by "I've paid". Each stands for a month, and only as many
  -- as fit the pair limit count; late payments always count.
  cross join lateral (
    select sum(least(by_owner.on_time, extract(day from private.pair_limit())::integer / 30)) as on_time, sum(by_owner.late) as late,
      min(by_owner.until) as until
    from (
      select count(*) filter (where is_paid and not is_behind and private.is_sure_payment(m)) as on_time,
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
    ) as fault (at) where fault.at > terms.now - private.standing_memory()
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
  end case;
end $function$;

CREATE OR REPLACE FUNCTION public.answer_payment_claim(p_token text, p_received boolean, p_note text DEFAULT NULL::text)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$begin perform private.answer_payment_claim(p_token, p_received, p_note); end$function$;

CREATE OR REPLACE FUNCTION public.close_debt(p_payment_id uuid, p_reason text)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$begin perform private.close_debt(p_payment_id, p_reason); end$function$;

CREATE OR REPLACE FUNCTION public.decide_payment_claim(p_claim_id uuid, p_received boolean, p_reason text)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$begin perform private.decide_payment_claim(p_claim_id, p_received, p_reason); end$function$;

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

CREATE OR REPLACE FUNCTION public.list_payment_disputes(p_closed boolean DEFAULT false)
 RETURNS TABLE(id uuid, kind text, plan_name text, amount numeric, owner_id uuid, owner_name text, member_id uuid, member_name text, note text, denial text, disputed_at timestamp with time zone, decide_by timestamp with time zone, status text, closed_at timestamp with time zone, decision text)
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$begin return query select * from private.list_payment_disputes(p_closed); end$function$;

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

ALTER TABLE "private"."used_bank_entries" ADD CONSTRAINT "used_bank_entries_payment_id_fkey" FOREIGN KEY (payment_id) REFERENCES public.member_payments(id) ON DELETE CASCADE;

ALTER TABLE "private"."void_receipts" ADD CONSTRAINT "void_receipts_payment_id_fkey" FOREIGN KEY (payment_id) REFERENCES public.member_payments(id) ON DELETE RESTRICT;

ALTER TABLE "public"."member_payments" ADD CONSTRAINT "member_payments_received_by_check" CHECK ((received_by = ANY (ARRAY['owner'::text, 'statement'::text, 'silence'::text, 'staff'::text])));

ALTER TABLE "public"."member_payments" ADD CONSTRAINT "member_payments_status_check" CHECK ((status = ANY (ARRAY['due'::text, 'claimed'::text, 'disputed'::text, 'charging'::text, 'processing'::text, 'needs-action'::text, 'failed'::text, 'paid'::text, 'closed'::text, 'given-back'::text, 'cancelled'::text])));

ALTER TABLE "public"."payment_claims" ADD CONSTRAINT "payment_claims_decided_by_fkey" FOREIGN KEY (decided_by) REFERENCES public.user_profiles(user_id) ON DELETE RESTRICT;

ALTER TABLE "public"."payment_claims" ADD CONSTRAINT "payment_claims_member_id_fkey" FOREIGN KEY (member_id) REFERENCES public.user_profiles(user_id) ON DELETE RESTRICT;

ALTER TABLE "public"."payment_claims" ADD CONSTRAINT "payment_claims_owner_id_fkey" FOREIGN KEY (owner_id) REFERENCES public.user_profiles(user_id) ON DELETE RESTRICT;

ALTER TABLE "public"."payment_claims" ADD CONSTRAINT "payment_claims_payment_id_fkey" FOREIGN KEY (payment_id) REFERENCES public.member_payments(id) ON DELETE RESTRICT;

ALTER TABLE "public"."payment_claims" ADD CONSTRAINT "payment_claims_seat_id_fkey" FOREIGN KEY (seat_id) REFERENCES private.seats(id) ON DELETE RESTRICT;

CREATE INDEX used_bank_entries_payment_idx ON private.used_bank_entries USING btree (payment_id);

CREATE INDEX void_receipts_payment_idx ON private.void_receipts USING btree (payment_id);

CREATE INDEX member_payments_left_unpaid_idx ON public.member_payments USING btree (owner_id, member_id) WHERE (left_unpaid_at IS NOT NULL);

CREATE INDEX member_payments_unkept_idx ON public.member_payments USING btree (owner_id) WHERE (unkept_at IS NOT NULL);

CREATE INDEX payment_claims_decided_by_idx ON public.payment_claims USING btree (decided_by);

CREATE UNIQUE INDEX payment_claims_one_open_key ON public.payment_claims USING btree (payment_id) WHERE (status = ANY (ARRAY['open'::text, 'disputed'::text]));

CREATE INDEX payment_claims_seat_idx ON public.payment_claims USING btree (seat_id);

CREATE INDEX payment_claims_tokens_idx ON public.payment_claims USING gin (token_hashes);

CREATE TRIGGER log_staff AFTER UPDATE OF status ON public.payment_claims FOR EACH ROW WHEN (((new.decided_by IS NOT NULL) AND (old.decided_by IS NULL))) EXECUTE FUNCTION private.tg_payment_claims__log_staff();

CREATE TRIGGER note_facts AFTER INSERT OR UPDATE OF status ON public.payment_claims FOR EACH ROW EXECUTE FUNCTION private.tg_payment_claims__note_facts();

CREATE POLICY "Both sides of a claim see it, admins all" ON "public"."payment_claims" FOR SELECT TO "authenticated" USING (((member_id = ( SELECT auth.uid() AS uid)) OR (owner_id = ( SELECT auth.uid() AS uid)) OR ( SELECT (private.may('users.edit'::text) AND private.may_act_as_staff()))));

ALTER PUBLICATION "supabase_realtime" ADD TABLE "public"."payment_claims";

REVOKE ALL ON FUNCTION "private"."answer_payment_claim"(text, boolean, text) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."answer_payment_claim"(text, boolean, text) TO "anon", "authenticated";

REVOKE ALL ON FUNCTION "private"."answer_time"(public.payment_claims) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."answerable_claim"(uuid, text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."ask_about_claim"(uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."bring_claim_to_staff"(public.payment_claims) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."claim_access_wait"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."claim_reminder_at"(public.payment_claims) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."claim_reminders"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."claim_time"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."close_claim"(uuid, text, text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."close_debt"(uuid, text) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."close_debt"(uuid, text) TO "authenticated";

REVOKE ALL ON FUNCTION "private"."create_claim"(public.member_payments, text, text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."debt_steps"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."decide_payment_claim"(uuid, boolean, text) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."decide_payment_claim"(uuid, boolean, text) TO "authenticated";

REVOKE ALL ON FUNCTION "private"."denied_payment_time"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."deny_claim"(public.payment_claims, text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."deny_repayment"(uuid, text) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."deny_repayment"(uuid, text) TO "authenticated";

REVOKE ALL ON FUNCTION "private"."disputes_to_tell"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."find_claim"(text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."get_payment_claim"(text) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."get_payment_claim"(text) TO "anon", "authenticated";

REVOKE ALL ON FUNCTION "private"."hangs_on_answer"(text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."is_answerable"(public.payment_claims) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."is_claimed_back"(uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."is_enough"(integer, integer, integer, integer, integer, integer, integer, integer, integer, integer, integer, integer, integer, integer) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."is_owed_back"(public.member_payments) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."is_party_to"(uuid, public.payment_claims) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."is_payable"(public.member_payments) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."lapse_claim"(uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."late_claim_time"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."least_use"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."leave_unpaid"(private.seats, public.member_payments) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."left_unpaid"(uuid, uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."level_of"(integer, integer, integer, integer, integer, integer, integer) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."list_payment_disputes"(boolean) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."list_payment_disputes"(boolean) TO "authenticated";

REVOKE ALL ON FUNCTION "private"."lock_claim"(uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."other_name"(public.payment_claims, boolean) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."payment_dispute_time"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."pursue_debt"(private.seats, public.member_payments) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."receipt_undo_time"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."receive_payment"(public.member_payments, text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."receive_repayment"(public.member_payments) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."receiver_of"(public.payment_claims) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."record_debt"(private.seats, public.member_payments, numeric) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."record_received"(public.member_payments, text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."record_repaid"(public.member_payments) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."remind_of_claim"(uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."reopen_claim"(uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."require_settled"(uuid, uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."return_denied"(public.member_payments, text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."say_paid"(uuid, text) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."say_paid"(uuid, text) TO "authenticated";

REVOKE ALL ON FUNCTION "private"."say_repaid"(uuid, text) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."say_repaid"(uuid, text) TO "authenticated";

REVOKE ALL ON FUNCTION "private"."seat_news"(private.seats, uuid, text, text, text, text, jsonb, boolean, uuid, text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."settle_claim"(public.payment_claims, text, text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."standing_facts"(uuid[]) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."standing_levels"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."standing_of"(uuid[]) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."standing_of"(uuid[]) TO "authenticated";

REVOKE ALL ON FUNCTION "private"."tell_debt"(private.seats, public.member_payments, numeric) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."tell_left_unpaid"(private.seats) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."tell_payment"(public.member_payments, boolean, text, text, text, text, text, jsonb, text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."tell_seat"(private.seats, uuid, text, text, text, text, jsonb, boolean, uuid, text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."tg_payment_claims__log_staff"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."tg_payment_claims__note_facts"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."unconfirm_payment"(uuid) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."unconfirm_payment"(uuid) TO "authenticated";

REVOKE ALL ON FUNCTION "private"."unkept_debts"(uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."unpaid_memory"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."waive_payment"(uuid) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."waive_payment"(uuid) TO "authenticated";

REVOKE ALL ON FUNCTION "public"."answer_payment_claim"(text, boolean, text) FROM PUBLIC, anon, authenticated, service_role;

GRANT EXECUTE ON FUNCTION "public"."answer_payment_claim"(text, boolean, text) TO "anon", "authenticated";

REVOKE ALL ON FUNCTION "public"."close_debt"(uuid, text) FROM PUBLIC, anon, authenticated, service_role;

GRANT EXECUTE ON FUNCTION "public"."close_debt"(uuid, text) TO "authenticated";

REVOKE ALL ON FUNCTION "public"."decide_payment_claim"(uuid, boolean, text) FROM PUBLIC, anon, authenticated, service_role;

GRANT EXECUTE ON FUNCTION "public"."decide_payment_claim"(uuid, boolean, text) TO "authenticated";

REVOKE ALL ON FUNCTION "public"."deny_repayment"(uuid, text) FROM PUBLIC, anon, authenticated, service_role;

GRANT EXECUTE ON FUNCTION "public"."deny_repayment"(uuid, text) TO "authenticated";

REVOKE ALL ON FUNCTION "public"."get_payment_claim"(text) FROM PUBLIC, anon, authenticated, service_role;

GRANT EXECUTE ON FUNCTION "public"."get_payment_claim"(text) TO "anon", "authenticated";

REVOKE ALL ON FUNCTION "public"."list_payment_disputes"(boolean) FROM PUBLIC, anon, authenticated, service_role;

GRANT EXECUTE ON FUNCTION "public"."list_payment_disputes"(boolean) TO "authenticated";

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

CREATE INDEX payment_claims_member_idx ON public.payment_claims USING btree (member_id, made_at);

CREATE INDEX payment_claims_owner_idx ON public.payment_claims USING btree (owner_id, made_at);

CREATE INDEX payment_claims_payment_idx ON public.payment_claims USING btree (payment_id, made_at);

GRANT SELECT ("made_at") ON TABLE "public"."payment_claims" TO "authenticated";
