set local check_function_bodies = off;

DROP INDEX "private"."provider_movements_newest_idx";

DROP INDEX "public"."member_payments_open_idx";

ALTER TABLE "private"."account_payouts" DROP CONSTRAINT "account_payouts_amount_check";

ALTER TABLE "private"."payment_jobs" DROP CONSTRAINT "payment_jobs_kind_check";

ALTER TABLE "public"."member_payments" DROP CONSTRAINT "member_payments_status_check";

ALTER TABLE "public"."payment_methods" DROP CONSTRAINT "payment_methods_last4_check";

DROP FUNCTION "private"."compare_movements"(date);

DROP FUNCTION "private"."move_earnings"(uuid, boolean);

DROP FUNCTION "private"."open_period"(private.seats, integer, timestamp with time zone);

DROP FUNCTION "private"."queue_charge"(uuid);

DROP FUNCTION "private"."queue_reconciliation"();

DROP FUNCTION "private"."reconciliation_order"(date);

DROP FUNCTION "private"."record_card"(text, text, text, text, integer, integer, boolean);

DROP FUNCTION "private"."record_charge"(text, text, text, numeric, numeric, boolean);

DROP FUNCTION "private"."record_movements"(date, jsonb, boolean);

DROP FUNCTION "private"."report_payment_provider"(text, text, text, boolean);

DROP FUNCTION "private"."tell_first_month"(private.seats, public.member_payments);

DROP FUNCTION "private"."tell_seat"(private.seats, uuid, text, text, text, text, jsonb, boolean);

DROP FUNCTION "private"."unreconciled"(date);

DROP FUNCTION "public"."record_card"(text, text, text, text, integer, integer, boolean);

DROP FUNCTION "public"."record_charge"(text, text, text, numeric, numeric, boolean);

DROP FUNCTION "public"."record_movements"(date, jsonb, boolean);

DROP FUNCTION "public"."report_payment_provider"(text, text, text, boolean);

CREATE TABLE "private"."dispute_evidence" ("dispute_id" text NOT NULL, "fields" jsonb NOT NULL, CONSTRAINT "dispute_evidence_pkey" PRIMARY KEY (dispute_id));

ALTER TABLE "private"."dispute_evidence" ENABLE ROW LEVEL SECURITY;

CREATE TABLE "private"."home_countries" ("user_id" uuid NOT NULL, "country" text NOT NULL, CONSTRAINT "home_countries_country_check" CHECK ((country ~ '^[A-Z]{2}$'::text)), CONSTRAINT "home_countries_pkey" PRIMARY KEY (user_id), "said_at" timestamp with time zone NOT NULL DEFAULT private.now());

ALTER TABLE "private"."home_countries" ENABLE ROW LEVEL SECURITY;

CREATE TABLE "private"."invoice_series" ("name" text NOT NULL, "last" integer NOT NULL, CONSTRAINT "invoice_series_pkey" PRIMARY KEY (name));

ALTER TABLE "private"."invoice_series" ENABLE ROW LEVEL SECURITY;

CREATE TABLE "private"."invoices_through" ("id" boolean NOT NULL DEFAULT true, "line" bigint NOT NULL DEFAULT 0, CONSTRAINT "invoices_through_id_check" CHECK (id), CONSTRAINT "invoices_through_pkey" PRIMARY KEY (id));

ALTER TABLE "private"."invoices_through" ENABLE ROW LEVEL SECURITY;

CREATE TABLE "private"."vat_rates" ("country" text NOT NULL, "valid_from" date NOT NULL, "rate" numeric NOT NULL, CONSTRAINT "vat_rates_country_check" CHECK ((country ~ '^[A-Z]{2}$'::text)), CONSTRAINT "vat_rates_pkey" PRIMARY KEY (country, valid_from), CONSTRAINT "vat_rates_rate_check" CHECK (((rate > (0)::numeric) AND (rate < (1)::numeric))));

ALTER TABLE "private"."vat_rates" ENABLE ROW LEVEL SECURITY;

CREATE TABLE "public"."fee_invoices" ("id" uuid NOT NULL DEFAULT gen_random_uuid(), "number" text NOT NULL, "corrects" uuid, "payment_id" uuid NOT NULL, "buyer_id" uuid NOT NULL, "paid_at" timestamp with time zone NOT NULL, "plan_name" text NOT NULL, "period" integer NOT NULL, "gross" numeric(12,2) NOT NULL, "net" numeric(12,2) NOT NULL, "vat" numeric(12,2) NOT NULL, "category" text NOT NULL, "vat_rate" numeric NOT NULL, "buyer_name" text NOT NULL, "buyer_country" text NOT NULL, "evidence" jsonb NOT NULL, "seller" jsonb NOT NULL, CONSTRAINT "fee_invoices_category_check" CHECK ((category = ANY (ARRAY['S'::text, 'E'::text, 'O'::text]))), CONSTRAINT "fee_invoices_gross_check" CHECK ((gross > (0)::numeric)), CONSTRAINT "fee_invoices_net_check" CHECK ((net >= (0)::numeric)), CONSTRAINT "fee_invoices_number_key" UNIQUE (number), CONSTRAINT "fee_invoices_pkey" PRIMARY KEY (id), CONSTRAINT "fee_invoices_vat_check" CHECK ((vat >= (0)::numeric)), CONSTRAINT "net_and_vat_are_all" CHECK (((net + vat) = gross)), CONSTRAINT "only_the_standard_rate_is_above_zero" CHECK ((((vat_rate > (0)::numeric) = (category = 'S'::text)) AND ((vat_rate > (0)::numeric) OR (vat = (0)::numeric)))), "issued_at" timestamp with time zone NOT NULL DEFAULT private.now());

REVOKE ALL ON TABLE "public"."fee_invoices" FROM PUBLIC, anon, authenticated, service_role;

ALTER TABLE "public"."fee_invoices" ENABLE ROW LEVEL SECURITY;

CREATE TABLE "public"."fraud_warnings" ("id" text NOT NULL, "payment_id" uuid NOT NULL, "plan_name" text NOT NULL, "member_id" uuid NOT NULL, "owner_id" uuid NOT NULL, "charged" numeric(12,2) NOT NULL, "fraud_type" text NOT NULL, "actionable" boolean NOT NULL, "decided_at" timestamp with time zone, "decided_by" uuid, "refunded" numeric(12,2), CONSTRAINT "fraud_warnings_check" CHECK (((refunded IS NULL) OR (decided_at IS NOT NULL))), CONSTRAINT "fraud_warnings_fraud_type_check" CHECK ((char_length(fraud_type) <= 200)), CONSTRAINT "fraud_warnings_id_check" CHECK ((char_length(id) <= 200)), CONSTRAINT "fraud_warnings_pkey" PRIMARY KEY (id), CONSTRAINT "fraud_warnings_refunded_check" CHECK ((refunded > (0)::numeric)), "warned_at" timestamp with time zone NOT NULL DEFAULT private.now());

REVOKE ALL ON TABLE "public"."fraud_warnings" FROM PUBLIC, anon, authenticated, service_role;

ALTER TABLE "public"."fraud_warnings" ENABLE ROW LEVEL SECURITY;

CREATE TABLE "public"."vat_settings" ("id" boolean NOT NULL DEFAULT true, "mode" text NOT NULL DEFAULT 'off'::text, "name" text, "street" text, "postcode" text, "town" text, "country" text, "vat_number" text, "sentence" text, "prefix" text NOT NULL DEFAULT 'INV-'::text, "since" timestamp with time zone, CONSTRAINT "vat_settings_country_check" CHECK ((country ~ '^[A-Z]{2}$'::text)), CONSTRAINT "vat_settings_id_check" CHECK (id), CONSTRAINT "vat_settings_mode_check" CHECK ((mode = ANY (ARRAY['off'::text, 'small'::text, 'home'::text, 'oss'::text]))), CONSTRAINT "vat_settings_name_check" CHECK (((char_length(name) >= 1) AND (char_length(name) <= 200))), CONSTRAINT "vat_settings_pkey" PRIMARY KEY (id), CONSTRAINT "vat_settings_postcode_check" CHECK (((char_length(postcode) >= 1) AND (char_length(postcode) <= 20))), CONSTRAINT "vat_settings_prefix_check" CHECK ((prefix ~ '^[A-Za-z0-9/-]{0,10}$'::text)), CONSTRAINT "vat_settings_sentence_check" CHECK (((char_length(sentence) >= 1) AND (char_length(sentence) <= 300))), CONSTRAINT "vat_settings_street_check" CHECK (((char_length(street) >= 1) AND (char_length(street) <= 200))), CONSTRAINT "vat_settings_town_check" CHECK (((char_length(town) >= 1) AND (char_length(town) <= 100))), CONSTRAINT "vat_settings_vat_number_check" CHECK (((char_length(vat_number) >= 1) AND (char_length(vat_number) <= 30))));

REVOKE ALL ON TABLE "public"."vat_settings" FROM PUBLIC, anon, authenticated, service_role;

ALTER TABLE "public"."vat_settings" ENABLE ROW LEVEL SECURITY;

ALTER TABLE "private"."account_payouts" ADD COLUMN "changed_at" timestamp with time zone NOT NULL DEFAULT clock_timestamp();

ALTER TABLE "private"."account_reversals" ADD COLUMN "done_at" timestamp with time zone;

ALTER TABLE "private"."charges" ADD COLUMN "kind" text NOT NULL DEFAULT 'card'::text;

ALTER TABLE "private"."connected_accounts" ADD COLUMN "compared" date;

ALTER TABLE "private"."payment_provider" ADD COLUMN "methods" text[] NOT NULL DEFAULT '{card}'::text[];

ALTER TABLE "private"."payment_provider" ADD COLUMN "creditor" text;

ALTER TABLE "private"."provider_movements" ADD COLUMN "account" text;

ALTER TABLE "public"."app_settings" ADD COLUMN "admit_on_debit" boolean NOT NULL DEFAULT false;

ALTER TABLE "public"."member_payments" ADD COLUMN "paid_with" text;

ALTER TABLE "public"."payment_disputes" ADD COLUMN "reminded_of" timestamp with time zone;

ALTER TABLE "public"."payment_disputes" ADD COLUMN "answer" text;

ALTER TABLE "public"."payment_disputes" ADD COLUMN "answered_at" timestamp with time zone;

ALTER TABLE "public"."payment_disputes" ADD COLUMN "answer_refusal" text;

ALTER TABLE "public"."payment_methods" ADD COLUMN "kind" text NOT NULL DEFAULT 'card'::text;

ALTER TABLE "public"."payment_methods" ADD COLUMN "mandate" text;

ALTER TABLE "public"."payment_methods" ADD COLUMN "country" text;

ALTER TABLE "public"."payment_methods" ALTER COLUMN "brand" DROP NOT NULL;

ALTER TABLE "public"."payment_methods" ALTER COLUMN "exp_month" DROP NOT NULL;

ALTER TABLE "public"."payment_methods" ALTER COLUMN "exp_year" DROP NOT NULL;

ALTER TABLE "public"."payment_methods" ALTER COLUMN "last4" DROP NOT NULL;

CREATE OR REPLACE FUNCTION private.account_differences(p_account text, p_booked tstzrange)
 RETURNS TABLE(id text, type text, about text)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  with booked as (
    select 'transfer' as what, t.reference as about, t.amount, t.sent_at as at
    from private.account_transfers as t join private.connected_accounts as a using (user_id)
    where a.reference = p_account and t.status = 'sent'
    union all
    select 'reversal', r.reference, -r.amount, coalesce(r.done_at, r.created_at) from private.account_reversals as r
    join private.account_transfers as t on t.id = r.transfer_id join private.connected_accounts as a using (user_id)
    where a.reference = p_account and r.status = 'done'
    union all
    -- A payout has left the account while it is under way. A week after the day on which it was to arrive, it is to be booked.
    select 'payout', p.id, case when p.status = 'paid'
      or p.status not in ('failed', 'canceled') and p.arrives_on + 7 > upper(p_booked) at time zone 'utc' then -p.amount else 0 end, p.changed_at
    from private.account_payouts as p join private.connected_accounts as a using (user_id) where a.reference = p_account
  ), moved as (
    select coalesce(m.intent, m.id) as about, string_agg(distinct replace(m.kind, '_', ' '), ', ') as kinds, sum(m.amount) as amount,
      max(m.moved_at) as at
    from private.provider_movements as m where m.account = p_account group by 1
  )
  select format('account:%s:%s:%s:%s', p_account, about, coalesce(moved.amount, 0), coalesce(booked.amount, 0)),
    left(case when booked.about is null then format('Not in the books: %s of %s, account %s', kinds, private.euros(abs(moved.amount)), p_account)
      else format('%s at the provider, %s in the books: %s, account %s', private.euros(coalesce(moved.amount, 0)), private.euros(booked.amount), what,
        p_account) end, 200),
    about
  from booked full join moved using (about)
  where coalesce(moved.amount, 0) <> coalesce(booked.amount, 0) and greatest(moved.at, booked.at) < upper(p_booked)
$function$;

CREATE OR REPLACE FUNCTION private.accounts_per_night()
 RETURNS integer
 LANGUAGE sql
 IMMUTABLE
RETURN 500;

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
  v_method public.payment_methods := private.method_of(p_seat.member_id, (select provider from private.payment_provider));
  v_creditor text := (select coalesce(creditor, '') from private.payment_provider);
begin
  if v_method.kind = 'sepa_debit' then
    perform private.tell_seat(p_seat, p_seat.member_id, 'info', 'payment-debit-coming', 'Your Place Renews Soon',
      format('We’ll debit %s for %s on %s or soon after, from your account ending in %s (mandate %s, creditor %s). You can leave before then.',
        private.euros(v_amount), p_period.plan_name, to_char(v_day, 'FMDD FMMonth YYYY'), v_method.last4, coalesce(v_method.mandate, ''), v_creditor),
      jsonb_build_object('amount', v_amount, 'day', v_day, 'account', v_method.last4, 'mandate', coalesce(v_method.mandate, ''), 'creditor', v_creditor));
    return;
  end if;
  perform private.tell_seat(p_seat, p_seat.member_id, 'info', 'renewal-coming', 'Your Place Renews Soon',
    format('We’ll charge %s for %s on %s. You can leave before then.', private.euros(v_amount), p_period.plan_name, to_char(v_day, 'FMDD FMMonth YYYY')),
    jsonb_build_object('amount', v_amount, 'day', v_day));
end $function$;

CREATE OR REPLACE FUNCTION private.answer_dispute(p_dispute_id text, p_mark text)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_user uuid := private.require_treasurer();
  v_dispute public.payment_disputes;
  v_said jsonb;
begin
  select * into v_dispute from public.payment_disputes where id = p_dispute_id for update;
  if not found then
    raise exception 'Dispute not found' using errcode = 'PT404';
  elsif v_user in (v_dispute.member_id, v_dispute.owner_id) then
    raise exception 'Someone else answers a dispute about you' using errcode = '42501';
  elsif v_dispute.answer in ('queued', 'sent') then
    raise exception 'This dispute has already been answered' using errcode = 'PT409';
  elsif v_dispute.status not in ('needs_response', 'warning_needs_response') or v_dispute.due_by <= now() then
    raise exception 'The bank takes no answer to this dispute any more' using errcode = '23514';
  end if;
  v_said := private.evidence_of(p_dispute_id);
  if v_said ->> 'mark' is distinct from p_mark then
    raise exception 'Something has happened since you read the evidence. Please read it again.' using errcode = 'PT409';
  end if;
  insert into private.dispute_evidence (dispute_id, fields) values (p_dispute_id, v_said -> 'evidence')
  on conflict (dispute_id) do update set fields = excluded.fields;
  update public.payment_disputes set answer = 'queued', answered_at = private.now(), answer_refusal = null where id = p_dispute_id;
  perform private.queue_payment_job('evidence', p_dispute_id, (select provider from private.charges where payment_id = v_dispute.payment_id));
  perform private.log_staff('dispute answered', p_dispute_id,
    jsonb_build_object('member', v_dispute.member_id, 'owner', v_dispute.owner_id, 'mark', p_mark));
end $function$;

CREATE OR REPLACE FUNCTION private.balance_at(p_account bigint, p_at timestamp with time zone)
 RETURNS numeric
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select coalesce((
    select balance_after from private.ledger_entries where account_id = p_account and created_at < p_at
    order by created_at desc, version desc limit 1
  ), 0.00) where p_account is not null
$function$;

CREATE OR REPLACE FUNCTION private.begin_periods(p_seat_id uuid)
 RETURNS private.seats
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare v_seat private.seats;
begin
  update private.seats set access_due_at = private.now() + private.access_time()
  where id = p_seat_id and admitted_at is not null and access_given_at is null and access_due_at is null
    and exists (select from public.member_payments where seat_id = p_seat_id and status in ('paid', 'processing'));
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
    ('public.member_payments', 'issue_receipt note_facts member_payments_card_check member_payments_coins_check member_payments_earned_fee_check
      member_payments_earned_share_check member_payments_fee_check member_payments_from_guarantee_check member_payments_member_id_fkey member_payments_note_check
      member_payments_number_check member_payments_owed_back_check member_payments_owner_id_fkey member_payments_paid_with_check member_payments_pkey
      member_payments_receipt_number_key member_payments_returned_fee_check member_payments_returned_share_check
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

CREATE OR REPLACE FUNCTION private.can_invoice(p_settings public.vat_settings)
 RETURNS boolean
 LANGUAGE plpgsql
 IMMUTABLE
 SET search_path TO ''
AS $function$
begin
  return p_settings.mode <> 'off' and num_nulls(p_settings.name, p_settings.street, p_settings.postcode, p_settings.town, p_settings.country,
    p_settings.vat_number) = 0 and (p_settings.mode <> 'small' or p_settings.sentence is not null);
end $function$;

CREATE OR REPLACE FUNCTION private.can_pay_first(p_plan public.shared_subscriptions, p_user_id uuid, p_coins_first boolean)
 RETURNS boolean
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  return private.payment_provider() is not null and (
    coalesce((
      select c.kind <> 'card' or make_date(c.exp_year, c.exp_month, 1) + interval '1 month' > private.now()
      from public.payment_methods as c join private.payment_provider as p using (provider)
      where c.user_id = p_user_id order by c.chosen_at desc limit 1
    ), false)
    or (p_coins_first and private.available_coins(p_user_id) >= (
      select price.share + price.fee
      from private.period_price(p_plan.settlement, p_plan.billing_cycle, p_plan.member_price, p_plan.fee_rate, 1) as price
    ))
  );
end $function$;

CREATE OR REPLACE FUNCTION private.catch_up_all(p_seat_ids uuid[])
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_before public.member_payments[] := array(
    select m from public.member_payments as m where seat_id = any (p_seat_ids) and settlement = 'potluck' and status = 'paid'
  );
  v_turned uuid[];
begin
  perform private.lock_held_money(p_seat_ids, '{}');
  perform set_config('potluck.holds_money', 'yes', true), set_config('potluck.earn_together', p_seat_ids::text, true);
  v_turned := private.turn_all(p_seat_ids);
  perform private.catch_up(id) from unnest(p_seat_ids) as due (id) where id <> all (v_turned);
  perform private.post_earnings(v_before);
  perform set_config('potluck.holds_money', '', true), set_config('potluck.earn_together', '', true);
end $function$;

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
    'attempt', p_charge.attempts, 'since', floor(extract(epoch from p_charge.created_at))::integer, 'onSession', p_charge.on_session);
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
      sum(case when kind = 'refund' and gives = 'guarantee' and (takes = 'wallet' or not key ^@ 'by-hand:') then amount else 0 end) as from_guarantee,
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
    ('taken back of transfers to it', d.account,
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
  union all
  select 'The hash mailed for this day is no longer that of its seal', d.day::text, null, null from private.daily_books as d
  where d.seal > 0 and not exists (select from private.ledger_seals as s where (s.line, s.hash) = (d.seal, d.seal_hash))
  union all select * from private.check_agreement()
  union all select * from private.check_invoices()
  union all select * from private.check_guards();
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
    where (made.payment_id is not null or m.paid_at >= (select since from public.vat_settings) and m.settlement = 'potluck')
      and not exists (
        select from private.ledger_accounts as a join private.ledger_entries as e on e.account_id = a.id
        left join private.ledger_seals as s on s.transfer_id = e.transfer_id
        where a.kind = 'held_fee' and a.owner = m.seat_id and (s.line <= (select line from private.invoices_through)) is not true)
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
        when v_period.starts_at is null then 'no-access' when v_seat.ended_at is not null then 'ended' else 'problem' end,
      case when v_seat.end_reason = 'withdrawn' and v_seat.begins_at_once_at is null
        then private.rest_of(v_period, v_unused.share + v_unused.fee) else 0 end);
    perform private.move_earnings(array[id], true) from public.member_payments where id = p_period and status = 'paid';
  end if;
end $function$;

CREATE OR REPLACE FUNCTION private.compare_movements(p_day date, p_account text DEFAULT NULL::text)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_span tstzrange;
  v_booked tstzrange;
  v_differences integer;
  v_told boolean;
begin
  -- Two workers may have listed the same.
  perform pg_advisory_xact_lock(hashtext('reconciliation' || coalesce(p_account, '')));
  v_span := private.unreconciled(p_day, p_account);
  if v_span is null then return; end if;
  v_booked := tstzrange(lower(v_span) - private.booking_time(), upper(v_span) - private.booking_time());
  -- One trouble may meet many accounts in a night.
  v_told := p_account is not null and exists (
    select from public.unknown_payment_events where received_at > clock_timestamp() - interval '12 hours' and id like 'account:%');
  with found as (
    insert into public.unknown_payment_events (id, type, about)
    select d.id, d.type, d.about from private.site_differences(v_span, v_booked) as d where p_account is null
    union all
    select d.id, d.type, d.about from private.account_differences(p_account, v_booked) as d where p_account is not null
    on conflict do nothing returning id
  ) select count(*) into v_differences from found;
  if p_account is null then
    insert into private.reconciliations (day, differences) values (p_day, v_differences);
  else
    update private.connected_accounts set compared = p_day where reference = p_account;
  end if;
  if v_differences > 0 and not v_told then
    perform private.tell_treasurers('warning', 'The Books Differ From the Provider',
      format('The nightly check found %s. See the unknown events.',
        case v_differences when 1 then 'a difference' else v_differences || ' differences' end),
      'payment-books-differ', jsonb_build_object('day', p_day, 'differences', v_differences));
  end if;
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
  perform private.tell_seat(v_seat, v_seat.member_id, 'info', 'payment-under-way', 'Payment Under Way',
    format('Your bank debits %s for %s on %s or soon after, from your account ending in %s (mandate %s, creditor %s). '
      || case when v_is_in then 'You have your place meanwhile.' else 'Your place is kept until then.' end,
      private.euros(v_amount), v_period.plan_name, to_char(v_day, 'FMDD FMMonth YYYY'), v_method.last4, coalesce(v_method.mandate, ''), v_creditor),
    jsonb_build_object('amount', v_amount, 'day', v_day, 'account', coalesce(v_method.last4, ''), 'mandate', coalesce(v_method.mandate, ''),
      'creditor', v_creditor, 'admitted', v_is_in));
  if v_is_new and v_seat.admitted_at is not null then
    perform private.tell_seat(v_seat, v_seat.owner_id, 'success', 'member-debited', 'New Member',
      format(case when v_seat.access_given_at is null then '%s’s bank is being debited for %s. Give them access within %s hours.'
        else '%s’s bank is being debited for %s.' end, (select display_name from public.user_profiles where user_id = v_seat.member_id),
        v_period.plan_name, private.hours(private.access_time())),
      jsonb_build_object('hours', private.hours(private.access_time()), 'given', v_seat.access_given_at is not null));
  end if;
end $function$;

CREATE OR REPLACE FUNCTION private.debit_time()
 RETURNS interval
 LANGUAGE sql
 IMMUTABLE
RETURN '24 days'::interval;

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
    perform private.return_from_guarantee(v_period, v_all - v_share - v_fee);
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
  v_coins := private.available_coins(v_user);
  v_refusal := private.account_end_refusal(v_user, coalesce(p_give_up_coins, false));
  if v_refusal is not null then
    raise exception '%', v_refusal using errcode = '23514';
  elsif v_coins > 0 and private.has_own_account(v_user) then
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
  delete from public.subscription_members where user_id = v_user;
  v_is_owed := private.is_owed(v_user);
  -- Mail before invitation, the lock order of a mail that was sent. Mail about a change that an intruder may have made, to
  -- be paid in this person's place, still goes out.
  delete from private.outgoing_mail where lower(recipient) = v_email and not (v_is_owed and event like 'account-%');
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
  delete from public.payment_wishes where user_id = v_user;
  delete from private.seat_reviews where subject_id = v_user;
  delete from private.person_reports where person_id = v_user;
  update private.person_reports set reporter_id = null where reporter_id = v_user;
  update private.support_requests set writer_id = null where writer_id = v_user;
  update private.seat_reviews set reported_by = null where reported_by = v_user;
  delete from public.blocked_people where v_user in (user_id, blocked_id);
  delete from private.time_zones where user_id = v_user;
  delete from private.home_countries where user_id = v_user;
  if v_is_owed then
    perform private.keep_closed_account(v_user, v_email);
  else
    delete from private.bank_accounts where user_id = v_user;
    delete from private.vault_keys where person_id = v_user;
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

CREATE OR REPLACE FUNCTION private.dispute_answer_order(p_dispute_id text)
 RETURNS jsonb
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select jsonb_build_object('id', d.id, 'evidence', e.fields)
  from public.payment_disputes as d join private.dispute_evidence as e on e.dispute_id = d.id
  where d.id = p_dispute_id and d.answer = 'queued'
$function$;

CREATE OR REPLACE FUNCTION private.dispute_evidence(p_dispute_id text)
 RETURNS jsonb
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform private.require_treasurer();
  return private.evidence_of(p_dispute_id);
end $function$;

CREATE OR REPLACE FUNCTION private.dispute_log(p_seat private.seats)
 RETURNS text
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  with line (at, said) as (
    select u.created_at, 'The customer created an account, agreeing to the terms and the privacy notice linked there.'
    from auth.users as u where u.id = p_seat.member_id
    union all select p_seat.begins_at_once_at, 'The customer asked for the place, and expressly for the service to begin at once.'
    union all select p_seat.opened_at, 'The customer got the place.'
    union all
    select m.paid_at, format('The customer paid %s for period %s%s.', private.euros(m.amount), m.number, ' by ' || c.card)
    from public.member_payments as m left join private.charges as c on c.payment_id = m.id and c.status = 'succeeded'
    where m.seat_id = p_seat.id and m.paid_at is not null
    union all
    select p_seat.access_given_at, 'Access was given' || coalesce(', by an invitation of the service to ' || p_seat.invited_address, '') || '.'
    union all select p_seat.access_confirmed_at, 'The customer confirmed that access works.'
    union all
    select min(o.opened_at), format('The customer opened the login of the service, after proving who they are (%s times, until %s).',
      count(*), private.in_utc(max(o.opened_at), 'HH24:MI'))
    from private.vault_openings as o
    where o.subscription_id = p_seat.subscription_id and o.opened_by = p_seat.member_id
      and o.opened_at between p_seat.opened_at and coalesce(p_seat.ended_at, 'infinity')
    group by (o.opened_at at time zone 'utc')::date
    union all
    select min(w.created_at), format('%s wrote to %s about the place (%s messages, until %s).', w.writer, w.reader, count(*),
      private.in_utc(max(w.created_at), 'HH24:MI'))
    from (
      select m.created_at, case m.sender_id when p_seat.member_id::text then 'The customer' else 'The owner' end as writer,
        case m.sender_id when p_seat.member_id::text then 'the owner' else 'the customer' end as reader
      from public.conversations as c join public.messages as m on m.conversation_id = c.id and m.message_type = 'user'
      where c.subscription_id = p_seat.subscription_id and c.member_id = p_seat.member_id and c.owner_id = p_seat.owner_id
    ) as w group by w.writer, w.reader, (w.created_at at time zone 'utc')::date
    union all
    select t.at, case t.kind when 'reported' then format('The customer reported a problem with access (%s).', p.reason)
      when 'fixed' then 'The owner said that the problem is fixed.' when 'contested' then 'The owner said that access works.'
      when 'not-fixed' then 'The customer said that the problem is not fixed.' when 'works' then 'The customer said that access works again.'
      when 'withdrawn' then 'The customer withdrew the report.' when 'to-staff' then 'Our staff was asked to decide.'
      when 'for-owner' then 'Our staff decided that access had worked.' when 'for-member' then 'Our staff decided that access had not worked.'
      else format('The problem was closed (%s).', replace(t.kind, '-', ' ')) end
    from public.seat_problems as p join public.problem_statements as t on t.problem_id = p.id where p.seat_id = p_seat.id
    union all
    select r.written_at, format('The customer reviewed the place, with %s of 5 stars.', r.rating)
    from private.seat_reviews as r where r.seat_id = p_seat.id and r.author_id = p_seat.member_id
    union all
    select r.created_at, format('We refunded %s to the card.', private.euros(r.amount))
    from private.refunds as r join public.member_payments as m on m.id = r.payment_id
    where m.seat_id = p_seat.id and r.status in ('pending', 'succeeded')
    union all select p_seat.ended_at, format('The place ended (%s).', replace(p_seat.end_reason, '-', ' '))
  ), numbered as (
    select at, said, row_number() over (order by at, said) as line, count(*) over () as lines from line where at is not null
  )
  select string_agg(case when line > 61 and line = lines - 99 then format('(%s lines left out)', lines - 160) || chr(10) else '' end
    || private.in_utc(at) || ': ' || said, chr(10) order by line)
  from numbered where line <= 60 or line > lines - 100
$function$;

CREATE OR REPLACE FUNCTION private.dispute_reminder()
 RETURNS interval
 LANGUAGE sql
 IMMUTABLE
RETURN '3 days'::interval;

CREATE OR REPLACE FUNCTION private.earn(p_period uuid)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform private.lock_seat_of(p_period);
  perform private.move_earnings(array[id], false) from public.member_payments
  where id = p_period and status = 'paid' and settlement = 'potluck' and starts_at <= private.now();
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
    ('refund_policy_disclosure', format('The terms, linked where the account was created, say that the customer may withdraw from the contract '
      || 'within %s days of joining, without a reason, by a button on the site. %sTime for which access did not work is given back without asking.',
      extract(day from private.withdrawal_period()), case when v_seat.begins_at_once_at is null then ''
        else 'Who asked for the service to begin at once, as this customer did, then pays for the days with access. ' end)),
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
      from private.account_changes as t where t.user_id = v_user),
    'sessions', (select jsonb_agg(to_jsonb(t) - 'is_current') from private.my_sessions() as t),
    'notification_choices', (select jsonb_agg(to_jsonb(t)) from private.get_notification_choices() as t),
    'push_devices', (select jsonb_agg(to_jsonb(t) - 'is_current') from private.my_push_devices() as t),
    'calendar_address_since', private.get_calendar(),
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

CREATE OR REPLACE FUNCTION private.fee_in_ledger(p_payment public.member_payments, OUT charged numeric, OUT returned numeric)
 RETURNS record
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select coalesce(sum(amount) filter (where kind = 'chargeback-won' or id <= paid_through), 0),
    coalesce(-sum(amount) filter (where kind <> 'chargeback-won' and id > paid_through), 0)
  from (
    select t.id, t.kind, e.amount, max(t.id) filter (where t.kind = 'payment') over () as paid_through
    from private.ledger_accounts as a join private.ledger_entries as e on e.account_id = a.id
    join private.ledger_transfers as t on t.id = e.transfer_id
    where a.kind = 'held_fee' and a.owner = p_payment.seat_id and t.period_id = p_payment.id and t.kind <> 'fee'
  ) as movement
$function$;

CREATE OR REPLACE FUNCTION private.give_back(p_period uuid, p_share numeric, p_fee numeric, p_reason text, p_from_guarantee numeric DEFAULT 0)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_seat private.seats := private.lock_seat_of(p_period);
  v_period public.member_payments;
  v_amount numeric := p_share + p_fee + p_from_guarantee;
begin
  if v_amount = 0 then return; end if;
  select * into v_period from public.member_payments where id = p_period;
  perform private.move_back(v_period, p_share, p_fee, 'refund');
  perform private.return_from_guarantee(v_period, p_from_guarantee);
  update public.member_payments set returned_share = returned_share + p_share, returned_fee = returned_fee + p_fee,
    from_guarantee = from_guarantee + p_from_guarantee,
    status = case when returned_share + returned_fee + p_share + p_fee = least(amount, coins + card) then 'given-back' else status end,
    closed_at = case when returned_share + returned_fee + p_share + p_fee = least(amount, coins + card) then private.now() end
  where id = p_period;
  if p_reason in ('withdrawn', 'warned') then return; end if;
  perform private.tell_seat(v_seat, v_seat.member_id, 'info', 'money-given-back', 'Refund on Its Way',
    format('We’re refunding %s of your payment for %s, the way you paid it.', private.euros(v_amount), v_period.plan_name),
    jsonb_build_object('amount', v_amount, 'reason', p_reason), p_invoiced => case when p_fee > 0 then v_period.id end);
end $function$;

CREATE OR REPLACE FUNCTION private.in_utc(p_at timestamp with time zone, p_format text DEFAULT 'YYYY-MM-DD HH24:MI "UTC"'::text)
 RETURNS text
 LANGUAGE plpgsql
 IMMUTABLE
 SET search_path TO ''
AS $function$
begin
  return to_char(p_at at time zone 'utc', p_format);
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
    -- A banned owner cannot give access.
    when exists (select from auth.users where id = p_plan.owner_id and banned_until > now()) then 'approval'
    when array_position(v_levels, private.standing_level(p_user_id)) < array_position(v_levels, p_plan.instant_from) then 'level'
    when exists (select from public.member_payments where member_id = p_user_id and settlement = 'potluck'
      and status in ('due', 'charging', 'processing', 'needs-action', 'failed')) then 'open-payment'
    when private.has_open_dispute(p_user_id) or exists (select from private.seats where member_id = p_user_id
      and end_reason in ('unpaid', 'disputed') and ended_at > private.now() - private.mending_pause()) then 'unpaid'
    when not private.can_pay_first(p_plan, p_user_id, p_coins_first) then 'card'
  end;
end $function$;

CREATE OR REPLACE FUNCTION private.invoice(p_id uuid)
 RETURNS jsonb
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_user uuid := private.require_user();
  v_invoice jsonb := (
    select to_jsonb(i) || jsonb_build_object('language', u.language, 'corrects', (select to_jsonb(o) from public.fee_invoices as o where o.id = i.corrects))
    from public.fee_invoices as i join public.user_profiles as u on u.user_id = v_user
    where i.id = p_id and (i.buyer_id = v_user or (private.may('users.edit') and private.may_act_as_staff())));
begin
  if v_invoice is null then
    raise exception 'Invoice not found' using errcode = 'PT404';
  end if;
  return v_invoice;
end $function$;

CREATE OR REPLACE FUNCTION private.invoice_payment(p_payment public.member_payments, p_settings public.vat_settings)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_fee record;
  v_made record;
  v_first public.fee_invoices;
begin
  select * into v_fee from private.fee_in_ledger(p_payment);
  select coalesce(sum(gross) filter (where corrects is null), 0) as charged, coalesce(sum(gross) filter (where corrects is not null), 0) as returned
  into v_made from public.fee_invoices where payment_id = p_payment.id;
  if v_made.charged = 0 and (p_payment.paid_at >= p_settings.since) is not true then return; end if;
  select * into v_first from public.fee_invoices where payment_id = p_payment.id and corrects is null order by issued_at, number limit 1;
  if v_fee.charged > v_made.charged then
    perform private.write_invoice(p_payment, p_settings, v_first, v_fee.charged - v_made.charged, false);
    select * into v_first from public.fee_invoices where payment_id = p_payment.id and corrects is null order by issued_at, number limit 1;
  end if;
  if v_fee.returned > v_made.returned then
    perform private.write_invoice(p_payment, p_settings, v_first, v_fee.returned - v_made.returned, true);
  end if;
end $function$;

CREATE OR REPLACE FUNCTION private.is_always_mailed(p_event text)
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE
RETURN COALESCE((p_event = ANY (ARRAY['renewal-coming'::text, 'payment-debit-coming'::text, 'payment-under-way'::text, 'contract-withdrawn'::text])), false);

CREATE OR REPLACE FUNCTION private.is_movement(p_kind text, p_from text, p_to text)
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE
RETURN CASE p_kind WHEN 'payment'::text THEN (((p_from = ANY (ARRAY['outside'::text, 'wallet'::text])) AND (p_to = ANY (ARRAY['held_share'::text, 'held_fee'::text]))) OR ((p_from = 'outside'::text) AND (p_to = 'refunds_due'::text))) WHEN 'payment-returned'::text THEN ((p_from = ANY (ARRAY['held_share'::text, 'held_fee'::text])) AND (p_to = 'wallet'::text)) WHEN 'earning'::text THEN ((p_from = 'held_share'::text) AND (p_to = ANY (ARRAY['wallet'::text, 'connected'::text]))) WHEN 'fee'::text THEN ((p_from = 'held_fee'::text) AND (p_to = 'fees'::text)) WHEN 'refund'::text THEN (((p_from = ANY (ARRAY['held_share'::text, 'held_fee'::text])) AND (p_to = ANY (ARRAY['refunds_due'::text, 'wallet'::text]))) OR ((p_from = 'guarantee'::text) AND (p_to = ANY (ARRAY['refunds_due'::text, 'wallet'::text])))) WHEN 'refund-sent'::text THEN ((p_from = 'refunds_due'::text) AND (p_to = 'outside'::text)) WHEN 'refund-failed'::text THEN (((p_from = ANY (ARRAY['refunds_due'::text, 'outside'::text])) AND (p_to = ANY (ARRAY['wallet'::text, 'guarantee'::text]))) OR ((p_from = 'outside'::text) AND (p_to = 'refunds_due'::text))) WHEN 'withdrawal'::text THEN ((p_from = 'wallet'::text) AND (p_to = 'outside'::text)) WHEN 'withdrawal-returned'::text THEN ((p_from = 'outside'::text) AND (p_to = 'wallet'::text)) WHEN 'adjustment'::text THEN (((p_from = 'adjustments'::text) AND (p_to = 'wallet'::text)) OR ((p_from = 'wallet'::text) AND (p_to = 'adjustments'::text))) WHEN 'chargeback'::text THEN ((p_from = ANY (ARRAY['held_share'::text, 'held_fee'::text, 'wallet'::text, 'connected'::text, 'guarantee'::text, 'refunds_due'::text])) AND (p_to = 'outside'::text)) WHEN 'chargeback-won'::text THEN ((p_from = 'outside'::text) AND (p_to = ANY (ARRAY['held_share'::text, 'held_fee'::text, 'wallet'::text, 'connected'::text, 'guarantee'::text]))) WHEN 'given-up'::text THEN ((p_from = 'wallet'::text) AND (p_to = 'adjustments'::text)) WHEN 'handed-over'::text THEN ((p_from = 'wallet'::text) AND (p_to = 'wallet'::text)) WHEN 'cost'::text THEN (((p_from = 'costs'::text) AND (p_to = 'outside'::text)) OR ((p_from = 'outside'::text) AND (p_to = 'costs'::text))) WHEN 'account'::text THEN ((p_from = 'wallet'::text) AND (p_to = 'connected'::text)) WHEN 'account-failed'::text THEN ((p_from = 'connected'::text) AND (p_to = 'wallet'::text)) WHEN 'payout'::text THEN (((p_from = 'connected'::text) AND (p_to = 'outside'::text)) OR ((p_from = 'outside'::text) AND (p_to = 'connected'::text))) WHEN 'payout-failed'::text THEN (((p_from = 'outside'::text) AND (p_to = 'connected'::text)) OR ((p_from = 'connected'::text) AND (p_to = 'outside'::text))) ELSE false END;

CREATE OR REPLACE FUNCTION private.is_owed(p_user_id uuid)
 RETURNS boolean
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select exists (select from public.user_wallets where user_id = p_user_id and coin_balance > 0)
    or exists (select from public.withdrawal_requests where user_id = p_user_id and returned_at is null
      and status = 'completed' and completed_at > private.now() - private.payout_return_time())
    -- Refunds that the provider refuses go to the wallet.
    or exists (select from private.refunds as r join public.member_payments as m on m.id = r.payment_id
      where m.member_id = p_user_id and r.status in ('queued', 'pending'))
    -- What a bank is still asked for goes back once it has arrived.
    or exists (select from private.payment_jobs as j join public.member_payments as m on m.id::text = j.about
      where m.member_id = p_user_id and j.kind = 'charge')
    -- Money held during an open problem may come back.
    or exists (select from public.seat_problems where p_user_id in (member_id, owner_id) and status <> 'closed')
$function$;

CREATE OR REPLACE FUNCTION private.is_refused_for_good(p_code text)
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE
RETURN COALESCE((p_code = ANY (ARRAY['account_closed'::text, 'bank_account_restricted'::text, 'bank_account_unusable'::text, 'debit_not_authorized'::text, 'no_account'::text, 'recipient_deceased'::text, 'do_not_try_again'::text, 'fraudulent'::text, 'highest_risk_level'::text, 'incorrect_number'::text, 'invalid_account'::text, 'lost_card'::text, 'merchant_blacklist'::text, 'pickup_card'::text, 'restricted_card'::text, 'revocation_of_all_authorizations'::text, 'revocation_of_authorization'::text, 'security_violation'::text, 'service_not_allowed'::text, 'stolen_card'::text, 'stop_payment_order'::text, 'transaction_not_allowed'::text])), false);

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
  update public.seat_problems set due_at = due_at + v_gap where status <> 'closed';
  update private.seats set access_due_at = access_due_at + v_gap where access_due_at is not null and ended_at is null;
  update private.seats set next_at = private.now()
  where access_due_at is not null and ended_at is null
    or id in (select seat_id from public.member_payments where status in ('due', 'charging', 'processing', 'needs-action', 'failed'))
    or id in (select seat_id from public.seat_problems where status <> 'closed');
end $function$;

CREATE OR REPLACE FUNCTION private.left_on_card(p_period public.member_payments)
 RETURNS numeric
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  return greatest(0, least(p_period.card - private.card_has_back(p_period),
    p_period.amount - p_period.returned_share - p_period.returned_fee - p_period.from_guarantee));
end $function$;

CREATE OR REPLACE FUNCTION private.make_invoices(p_limit integer DEFAULT 5000)
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_settings public.vat_settings;
  v_payment public.member_payments;
  v_from bigint;
  v_end bigint := (select line from private.ledger_seal_end);
  v_through bigint;
begin
  select line into v_from from private.invoices_through for update;
  select * into v_settings from public.vat_settings;
  v_through := least(v_end, v_from + p_limit);
  if v_through <= v_from or (v_settings.mode <> 'off' and not private.can_invoice(v_settings)) then
    return 0;
  elsif v_settings.mode = 'off' and not exists (select from public.fee_invoices) then
    -- There is nothing to look for.
    update private.invoices_through set line = v_end;
    return 0;
  end if;
  for v_payment in
    select * from public.member_payments where paid_at is not null and id in (
      select t.period_id from private.ledger_seals as s join private.ledger_transfers as t on t.id = s.transfer_id
      join private.ledger_accounts as a on a.id in (t.from_account, t.to_account) and a.kind = 'held_fee'
      where s.line > v_from and s.line <= v_through and t.kind <> 'fee'
    ) order by paid_at, id
  loop
    perform private.invoice_payment(v_payment, v_settings);
  end loop;
  update private.invoices_through set line = v_through;
  return v_through - v_from;
end $function$;

CREATE OR REPLACE FUNCTION private.make_invoices_in(p_time interval)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  while private.make_invoices() > 0 and clock_timestamp() < statement_timestamp() + p_time loop
  end loop;
end $function$;

CREATE OR REPLACE FUNCTION private.makes_invoices()
 RETURNS boolean
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  return (select mode <> 'off' from public.vat_settings);
end $function$;

CREATE OR REPLACE FUNCTION private.method_of(p_user_id uuid, p_provider text, p_named uuid DEFAULT NULL::uuid)
 RETURNS public.payment_methods
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select m from public.payment_methods as m where m.user_id = p_user_id and m.provider = p_provider
  order by m.id = p_named desc nulls last, m.chosen_at desc limit 1
$function$;

CREATE OR REPLACE FUNCTION private.move_earnings(p_periods uuid[], p_all boolean)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_now timestamptz := private.now();
  v_before public.member_payments[] := array(select m from public.member_payments as m where id = any (p_periods));
begin
  update public.member_payments as m set
    earned_share = least(m.share - m.returned_share, trunc(m.share * given.seconds / given.among, 2)),
    earned_fee = least(m.fee - m.returned_fee, trunc(m.fee * given.seconds / given.among, 2)),
    earned_until = v_now, status = case when p_all then 'closed' else m.status end, closed_at = case when p_all then v_now end
  from unnest(v_before) as was cross join lateral (
    select case when p_all then 1 else extract(epoch from least(v_now, was.ends_at) - was.starts_at
        - private.time_without_access(was, least(v_now, was.ends_at), null)) end,
      case when p_all then 1 else extract(epoch from was.ends_at - was.starts_at) end
  ) as given (seconds, among)
  where m.id = any (p_periods) and m.id = was.id;
  -- Callers that work through many seats move all earnings at the end.
  perform private.post_earnings(array(select was from unnest(v_before) as was
    where strpos(coalesce(current_setting('potluck.earn_together', true), ''), was.seat_id::text) = 0));
end $function$;

CREATE OR REPLACE FUNCTION private.my_country()
 RETURNS jsonb
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare v_user uuid := private.require_user();
begin
  return jsonb_build_object('country', (select country from private.home_countries where user_id = v_user), 'asked', private.makes_invoices(),
    'pays', exists (select from private.seats where member_id = v_user and settlement = 'potluck' and ended_at is null));
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
        when m.status = 'needs-action' then 'confirm-card' when m.status = 'failed' then 'mend-payment'
        when m.note is not null then 'pay-again' else 'pay' end,
      m.id, m.subscription_id, s.provider, m.plan_name, case m.owner_id when v_user then m.member_id else m.owner_id end, m.amount,
      case when m.status = 'due' then m.due_at
        -- A renewal is tried again before its place ends, a first payment is not.
        when m.status <> 'claimed' then case when m.number > 1 then greatest(private.last_renewal_retry(m.due_at), m.next_attempt_at) else m.next_attempt_at end end,
      coalesce(m.claimed_at, m.due_at)
    from public.member_payments as m join private.seats as s on s.id = m.seat_id
    where v_user in (m.owner_id, m.member_id) and m.settlement = 'direct' and m.status = 'claimed'
      or m.member_id = v_user and (m.status in ('needs-action', 'failed')
        or m.settlement = 'direct' and m.status = 'due' and m.due_at <= private.now() and private.says_how_to_pay(m.owner_id))
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

CREATE OR REPLACE FUNCTION private.next_invoice_number(p_prefix text, p_is_credit_note boolean)
 RETURNS text
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_series text := p_prefix || case when p_is_credit_note then 'C' else '' end || to_char(private.now() at time zone 'utc', 'YYYY') || '-';
  v_last text;
begin
  insert into private.invoice_series as s (name, last) values (v_series, 1)
  on conflict (name) do update set last = s.last + 1 returning last into v_last;
  return v_series || lpad(v_last, greatest(6, char_length(v_last)), '0');
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
      select price.share, price.share + price.fee, last.ends_at where last.status in ('due', 'claimed', 'processing', 'paid') and p_seat.ends_at is null
    ) as next (share, amount, due_at)
    where p_seat.ended_at is null and next.due_at > private.now() and next.amount > 0 and not private.has_open_problem(p_seat.id);
end $function$;

CREATE OR REPLACE FUNCTION private.next_step(p_seat_id uuid, OUT at timestamp with time zone, OUT step text, OUT period_id uuid)
 RETURNS record
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  select due_at, 'problem', id into at, step, period_id from public.seat_problems where seat_id = p_seat_id and status <> 'closed';
  if found then return; end if;
  with newest as (select * from public.member_payments where seat_id = p_seat_id order by number desc limit 1),
  open as (
    select * from public.member_payments
    where seat_id = p_seat_id and status in ('due', 'claimed', 'charging', 'processing', 'needs-action', 'failed', 'paid')
  )
  select * into at, step, period_id from (
    -- The period is over: the seat ends with it, or the next one begins.
    select n.ends_at, 'turn', n.id from newest as n
    where n.ends_at is not null and (n.settlement = 'direct' or n.status in ('paid', 'closed', 'given-back', 'cancelled'))
    union all
    select coalesce(o.earned_until, o.starts_at) + private.earning_step(), 'earn', o.id from open as o
    where o.settlement = 'potluck' and o.status = 'paid' and coalesce(o.earned_until, o.starts_at) + private.earning_step() < o.ends_at
    union all
    select n.ends_at - private.renewal_notice(), 'announce', n.id from newest as n, private.seats as s
    where s.id = p_seat_id and s.settlement = 'potluck' and s.ends_at is null and n.status = 'paid' and n.announced_at is null
    union all
    -- A first payment keeps its place for a while; a renewal is retried; without another attempt the seat ends.
    select coalesce(o.next_attempt_at, o.created_at), case when o.status in ('charging', 'processing') or (o.status = 'due' and o.number > 1) then 'undecided'
      when o.number = 1 or o.next_attempt_at is null then 'release' else 'retry' end, o.id from open as o
    where o.settlement = 'potluck' and o.status in ('due', 'charging', 'processing', 'needs-action', 'failed')
    union all
    -- Paid, but no access yet.
    select case when s.access_reminded then s.access_due_at else s.access_due_at - private.access_reminder() end,
      case when s.access_reminded then 'no-access' else 'remind-access' end, o.id
    from private.seats as s join open as o on o.seat_id = s.id
    where s.id = p_seat_id and s.access_given_at is null
    union all
    select o.due_at + (private.direct_reminders())[o.reminders + 1], 'remind', o.id from open as o
    where o.settlement = 'direct' and o.status = 'due' and o.reminders < cardinality(private.direct_reminders())
      and private.says_how_to_pay(o.owner_id)
  ) as todo (at, step, id)
  where todo.at is not null and exists (select from private.seats where id = p_seat_id and ended_at is null)
  order by todo.at, todo.step = 'turn' limit 1;
end $function$;

CREATE OR REPLACE FUNCTION private.open_periods(p_seat_ids uuid[], p_numbers integer[], p_starts_at timestamp with time zone[])
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_now timestamptz := private.now();
  v_ids uuid[];
begin
  with opened as (
    insert into public.member_payments (seat_id, subscription_id, plan_name, owner_id, member_id, number, settlement, share, fee,
      starts_at, ends_at, due_at, status, paid_at, next_attempt_at)
    select s.id, s.subscription_id, s.provider || ' ' || s.plan_name, s.owner_id, s.member_id,
      next.number, s.settlement, price.share, price.fee, next.starts_at,
      case when next.starts_at is not null
        then private.period_end(s.anchor, next.number - s.anchor_after, private.zone_of(s.member_id)) end,
      -- A period that is opened late is due late.
      case when next.starts_at > v_now - private.longest_gap() then next.starts_at else v_now end,
      case when price.share > 0 then 'due' else 'paid' end, case when price.share = 0 then v_now end,
      case when next.starts_at is null then v_now + private.mending_time()
        when s.settlement = 'potluck' then v_now + private.charging_time() end
    from unnest(p_seat_ids, p_numbers, p_starts_at) as next (seat_id, number, starts_at) join private.seats as s on s.id = next.seat_id
    cross join lateral private.period_price(s.settlement, s.billing_cycle, s.share, s.fee_rate, next.number) as price
    returning id, settlement
  )
  select array_agg(id) into v_ids from opened where settlement = 'potluck';
  perform private.queue_charges(v_ids);
end $function$;

CREATE OR REPLACE FUNCTION private.payment_provider()
 RETURNS jsonb
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  return (
    select jsonb_build_object('provider', provider, 'publishableKey', publishable_key, 'methods', methods,
      'paysMe', not connect or private.has_own_account(auth.uid()))
    from private.payment_provider where provider <> 'simulated' or private.is_sheltered()
  );
end $function$;

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
    coalesce(sum(p.amount) filter (where p.status in ('claimed', 'processing')), 0),
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
  -- Due work ends the seat, because it locks membership and plan first.
  if v_next is null then return; end if;
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
  perform private.tell_paid(v_seat, v_period);
  if v_period.number = 1 then
    perform private.tell_seat(v_seat, v_seat.owner_id, 'success', 'member-paid', 'Member Has Paid',
      format(case when v_seat.access_given_at is null then '%s has paid for %s. Give them access within %s hours.'
        else '%s has paid for %s.' end, (select display_name from public.user_profiles where user_id = v_seat.member_id),
        v_period.plan_name, private.hours(private.access_time())), jsonb_build_object('amount', v_period.amount, 'hours', private.hours(private.access_time()),
        'given', v_seat.access_given_at is not null));
  end if;
end $function$;

CREATE OR REPLACE FUNCTION private.post_earnings(p_before public.member_payments[])
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_accounts boolean := private.uses_accounts();
  v_fees bigint := private.ledger_account('fees');
  v_moves private.move[] := array(
    select (format('%s:%s:%s', part.key, m.id, part.before), giver.id,
      case part.goes when 'fees' then v_fees else coalesce(taker.id, private.ledger_account(part.goes, part.person)) end,
      part.earned - part.before, part.kind, m.seat_id, m.id, part.description)::private.move
    from unnest(p_before) as was join public.member_payments as m on m.id = was.id
    cross join lateral (values
      ('earn', 'earning', 'held_share', was.earned_share, m.earned_share,
        case when v_accounts and private.has_own_account(m.owner_id) then 'connected' else 'wallet' end, m.owner_id, m.plan_name || ': share'),
      ('fee', 'fee', 'held_fee', was.earned_fee, m.earned_fee, 'fees', null, m.plan_name)
    ) as part (key, kind, held, before, earned, goes, person, description)
    left join private.ledger_accounts as giver on giver.kind = part.held and giver.owner = m.seat_id
    left join private.ledger_accounts as taker on taker.kind = part.goes and taker.owner = part.person
    where part.earned > part.before);
begin
  perform private.transfer_all(v_moves);
  perform private.queue_account_transfer(a.owner, m.amount, m.period_id)
  from unnest(v_moves) as m join private.ledger_accounts as a on a.id = m.to_account and a.kind = 'connected';
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

CREATE OR REPLACE FUNCTION private.queue_charges(p_periods uuid[])
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare v_provider text := coalesce((select provider from private.payment_provider), 'stripe');
begin
  update public.member_payments set next_attempt_at = private.now() + private.charging_time()
  where id = any (p_periods) and next_attempt_at is null;
  insert into private.charges as c (payment_id, provider) select period, v_provider from unnest(p_periods) as period
  on conflict (payment_id) do update set on_session = false where c.status not in ('charging', 'processing', 'succeeded');
  perform private.queue_payment_jobs('charge', p_periods::text[], v_provider);
end $function$;

CREATE OR REPLACE FUNCTION private.queue_payment_job(p_kind text, p_about text, p_provider text)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform private.queue_payment_jobs(p_kind, array[p_about], p_provider);
end $function$;

CREATE OR REPLACE FUNCTION private.queue_payment_jobs(p_kind text, p_about text[], p_provider text)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if coalesce(cardinality(p_about), 0) = 0 then return; end if;
  insert into private.payment_jobs as j (kind, about, provider) select p_kind, thing, p_provider from unnest(p_about) as thing
  on conflict (kind, about) do update set next_attempt_at = clock_timestamp()
  -- Not during an attempt.
  where j.last_error is not null;
  if current_setting('potluck.calls_payments', true) is distinct from 'yes' then
    perform private.call_function('payments/tick'), set_config('potluck.calls_payments', 'yes', true);
  end if;
end $function$;

CREATE OR REPLACE FUNCTION private.queue_reconciliation()
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare v_day text := ((private.now() at time zone 'utc')::date - 1)::text;
begin
  perform private.queue_payment_job('reconcile', v_day, provider) from private.payment_provider
  where provider <> 'simulated' and not exists (select from private.payment_jobs where kind = 'reconcile' and about not like '% %');
  perform private.queue_payment_job('reconcile', v_day || ' ' || moved.reference, p.provider) from private.payment_provider as p
  cross join lateral (
    select a.reference from private.connected_accounts as a
    join private.ledger_accounts as l on l.kind = 'connected' and l.owner = a.user_id
    where (l.balance <> 0 or exists (select from private.ledger_entries as e where e.account_id = l.id
        and e.created_at >= coalesce((a.compared + 1)::timestamp at time zone 'utc', a.created_at) - private.booking_time()))
      and not exists (select from private.payment_jobs as j where j.kind = 'reconcile' and j.about like '% ' || a.reference)
    order by a.compared nulls first, a.reference limit private.accounts_per_night()
  ) as moved
  where p.connect;
end $function$;

CREATE OR REPLACE FUNCTION private.recall_simulated(p_id text)
 RETURNS jsonb
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select body || jsonb_build_object('age', extract(epoch from private.now() - (body ->> 'at')::timestamptz))
  from private.simulated_payments where id = p_id and private.is_sheltered()
$function$;

CREATE OR REPLACE FUNCTION private.receive(p_charge private.charges, p_amount numeric, p_cost numeric)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_period public.member_payments;
  v_outside bigint := private.ledger_account('outside');
  v_rest numeric;
begin
  select * into v_period from public.member_payments where id = p_charge.payment_id;
  perform private.lock_held_money(array[v_period.seat_id], array['outside', 'refunds_due', 'fees', 'costs']);
  v_period := private.unless_past(v_period);
  update private.charges set status = 'succeeded', code = null, received = p_amount where payment_id = v_period.id;
  if v_period.status in ('due', 'charging', 'processing', 'needs-action', 'failed') and v_period.coins + v_period.card + p_amount <> v_period.amount then
    perform private.let_go(v_period.id);
    v_rest := v_period.amount - p_amount;
    if v_rest > 0 and private.available_coins(v_period.member_id) >= v_rest then
      perform private.pay_into(v_period.id, private.ledger_account('wallet', v_period.member_id), v_rest, 'payment',
        'coins:' || p_charge.intent);
    end if;
    select * into v_period from public.member_payments where id = v_period.id;
  end if;
  if v_period.coins + v_period.card + p_amount <= v_period.amount then
    perform private.pay_into(v_period.id, v_outside, p_amount, 'payment', 'charge:' || p_charge.intent);
    update public.member_payments set paid_with = p_charge.kind where id = v_period.id;
    perform private.period_paid(v_period.id);
  else
    perform private.transfer('charge:' || p_charge.intent, v_outside, private.ledger_account('refunds_due'), p_amount, 'payment',
      v_period.seat_id, v_period.id, v_period.plan_name);
    perform private.queue_refund(v_period.id, p_amount);
  end if;
  if p_cost > 0 then
    perform private.transfer('cost:' || p_charge.intent, private.ledger_account('costs'), v_outside, p_cost, 'cost',
      v_period.seat_id, v_period.id, v_period.plan_name);
  end if;
end $function$;

CREATE OR REPLACE FUNCTION private.reconciliation_order(p_day date, p_account text DEFAULT NULL::text)
 RETURNS jsonb
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select jsonb_build_object('day', p_day, 'account', p_account, 'since', floor(extract(epoch from lower(span))),
    'until', extract(epoch from coalesce(
      (select min(moved_at) + interval '1 second' from private.provider_movements
        where account is not distinct from p_account and moved_at >= lower(span) and moved_at < upper(span)),
      upper(span)))::bigint)
  from private.unreconciled(p_day, p_account) as span where span is not null
$function$;

CREATE OR REPLACE FUNCTION private.record_account_payout(p_account text, p_payout text, p_amount numeric, p_status text, p_arrives_on date, p_reason text)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_user uuid := (select user_id from private.connected_accounts where reference = p_account);
  v_from bigint;
  v_to bigint := private.ledger_account('outside');
  v_before text;
begin
  if v_user is null then return false; end if;
  v_from := private.ledger_account('connected', v_user);
  perform private.lock_ledger(array[v_from, v_to]);
  if p_amount < 0 then
    select v_to, v_from into v_from, v_to;
  end if;
  v_before := (select status from private.account_payouts where id = p_payout);
  if v_before in ('failed', 'canceled') or (v_before = 'paid' and p_status not in ('failed', 'canceled')) then return true; end if;
  insert into private.account_payouts (id, user_id, amount, status, arrives_on, reason)
  values (p_payout, v_user, p_amount, p_status, p_arrives_on, p_reason)
  on conflict (id) do update set status = excluded.status, arrives_on = excluded.arrives_on, reason = excluded.reason,
    changed_at = clock_timestamp();
  if p_status = 'paid' then
    perform private.transfer('payout:' || p_payout, v_from, v_to, abs(p_amount), 'payout',
      p_description => case when p_amount > 0 then 'Paid out by the provider' else 'Paid to the provider by the bank' end);
  elsif v_before = 'paid' then
    perform private.transfer('payout-failed:' || p_payout, v_to, v_from, abs(p_amount), 'payout-failed', p_description => 'Returned by the bank');
  end if;
  if p_status = 'failed' and p_amount > 0 then
    perform private.mail_notification(private.notify(v_user, 'warning', 'Payout Returned',
      format('Your bank returned a payout of %s. Please check the bank account of your payout account.', private.euros(p_amount)),
      null, 'payout-returned', jsonb_build_object('amount', p_amount)), '{}', 'Open your payouts', '/account-settings/money');
  end if;
  return true;
end $function$;

CREATE OR REPLACE FUNCTION private.record_account_reversal(p_id uuid, p_reference text)
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
  update private.account_reversals set status = 'done', reference = p_reference, done_at = clock_timestamp() where id = p_id and status = 'queued'
$function$;

CREATE OR REPLACE FUNCTION private.record_card(p_customer text, p_method text, p_brand text, p_last4 text, p_exp_month integer, p_exp_year integer, p_is_new boolean, p_kind text DEFAULT 'card'::text, p_mandate text DEFAULT NULL::text, p_country text DEFAULT NULL::text)
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
  return true;
end $function$;

CREATE OR REPLACE FUNCTION private.record_charge(p_intent text, p_status text, p_code text, p_amount numeric, p_cost numeric, p_is_heard boolean, p_day date DEFAULT NULL::date)
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
  if not found then return false; end if;
  v_job := v_charge.payment_id::text;
  v_seat := private.lock_seat_of(v_charge.payment_id);
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

CREATE OR REPLACE FUNCTION private.record_charges(p_outcomes jsonb)
 RETURNS jsonb
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_now timestamptz := private.now();
  v_outside bigint := private.ledger_account('outside');
  v_costs bigint := private.ledger_account('costs');
  v_seats uuid[];
  v_periods uuid[];
  v_moves private.move[];
begin
  v_seats := array(
    select id from private.seats where id in (
      select m.seat_id from jsonb_to_recordset(p_outcomes) as given (intent text, status text)
      join private.charges as c on c.intent = given.intent join public.member_payments as m on m.id = c.payment_id
      where given.status = 'succeeded' and m.number > 1
    ) order by id for update);
  select array_agg(distinct m.id), array_agg((format(part.key, c.intent), part.gives, part.takes, part.amount, part.kind, m.seat_id, m.id,
    m.plan_name)::private.move) into v_periods, v_moves
  from jsonb_to_recordset(p_outcomes) as given (intent text, status text, amount numeric, cost numeric)
  join private.charges as c on c.intent = given.intent join public.member_payments as m on m.id = c.payment_id
  join private.seats as s on s.id = m.seat_id
  join private.ledger_accounts as share on share.kind = 'held_share' and share.owner = s.id
  join private.ledger_accounts as fee on fee.kind = 'held_fee' and fee.owner = s.id
  cross join lateral (values
    ('charge:%s:share', v_outside, share.id, m.share, 'payment'), ('charge:%s:fee', v_outside, fee.id, m.fee, 'payment'),
    ('cost:%s', v_costs, v_outside, given.cost, 'cost')
  ) as part (key, gives, takes, amount, kind)
  where s.id = any (v_seats) and m.seat_id = any (v_seats) and given.status = 'succeeded' and c.status = 'charging' and given.amount = m.amount and part.amount > 0
    and m.number > 1 and m.status = 'charging' and m.coins + m.card = 0 and m.starts_at is not null and m.ends_at > v_now
    and s.ended_at is null and s.admitted_at is not null;
  if v_periods is not null then
    update private.charges set status = 'succeeded', code = null, received = m.amount from public.member_payments as m
    where m.id = any (v_periods) and payment_id = any (v_periods) and payment_id = m.id;
    update public.member_payments set card = amount, paid_with = c.kind, status = 'paid', paid_at = v_now, next_attempt_at = null, note = null
    from private.charges as c where id = any (v_periods) and c.payment_id = any (v_periods) and c.payment_id = id;
    delete from private.payment_jobs where kind = 'charge' and about = any (v_periods::text[]);
    update private.seats set late_since = null, failures = 0, last_error = null, next_at = (private.next_step(id)).at
    where id in (select seat_id from public.member_payments where id = any (v_periods));
    perform private.tell_paid(s, m) from public.member_payments as m join private.seats as s on s.id = m.seat_id where m.id = any (v_periods);
    perform private.transfer_all(v_moves);
  end if;
  return (select coalesce(jsonb_agg(given.intent), '[]') from jsonb_to_recordset(p_outcomes) as given (intent text)
    where not exists (select from private.charges as c where c.intent = given.intent and c.payment_id = any (v_periods)));
exception when others then
  -- One failed: each by itself.
  raise warning 'Charges: %', sqlerrm;
  return (select jsonb_agg(given.intent) from jsonb_to_recordset(p_outcomes) as given (intent text));
end $function$;

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
    -- A debit that goes back is lost from the start.
    perform private.tell_treasurers('warning', case p_status when 'lost' then 'A Payment Was Returned' else 'A Payment Is Disputed' end,
      format(case p_status when 'lost' then 'The bank of a member of %s took back %s. There’s nothing to answer.'
        else 'A member of %s disputed %s with their bank. Answer the provider in time.' end, v_period.plan_name, private.euros(p_amount)),
      case p_status when 'lost' then 'payment-returned' else 'payment-disputed' end,
      jsonb_build_object('plan', v_period.plan_name, 'amount', p_amount, 'until', p_due_by));
  end if;
  perform private.book_dispute_costs(p_reference, p_costs, v_period);
  select * into v_dispute from public.payment_disputes where id = p_reference;
  if v_dispute.closed_at is not null and not (v_dispute.status = 'lost' and (p_status = 'won' or p_status like 'appeal%')) then return true; end if;
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

CREATE OR REPLACE FUNCTION private.record_dispute_answer(p_dispute_id text, p_refusal text)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare v_dispute public.payment_disputes;
begin
  update public.payment_disputes set answer = case when p_refusal is null then 'sent' else 'refused' end, answer_refusal = left(p_refusal, 200)
  where id = p_dispute_id and answer = 'queued' returning * into v_dispute;
  if not found then return; end if;
  delete from private.dispute_evidence where dispute_id = p_dispute_id;
  if p_refusal is not null then
    perform private.tell_treasurers('warning', 'An Answer Was Refused',
      format('The provider did not take our answer to a dispute about %s (%s). Answer it there.', v_dispute.plan_name, p_refusal),
      'payment-answer-refused', jsonb_build_object('plan', v_dispute.plan_name, 'reason', p_refusal));
  end if;
end $function$;

CREATE OR REPLACE FUNCTION private.record_fraud_warning(p_reference text, p_intent text, p_type text, p_actionable boolean)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare v_period public.member_payments;
begin
  select m.* into v_period from private.charges as c join public.member_payments as m on m.id = c.payment_id where c.intent = p_intent;
  if not found then return false; end if;
  insert into public.fraud_warnings (id, payment_id, plan_name, member_id, owner_id, charged, fraud_type, actionable)
  values (p_reference, v_period.id, v_period.plan_name, v_period.member_id, v_period.owner_id, v_period.card, p_type, p_actionable)
  on conflict (id) do nothing;
  if not found then
    update public.fraud_warnings set actionable = false where id = p_reference and not p_actionable;
  elsif p_actionable then
    perform private.tell_treasurers('warning', 'Early Fraud Warning',
      format('A bank calls a payment of %s for %s fraud. Refunded in time, it does not become a dispute.', private.euros(v_period.card), v_period.plan_name),
      'payment-fraud-warned', jsonb_build_object('plan', v_period.plan_name, 'amount', v_period.card));
  end if;
  return true;
end $function$;

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
  return (select jsonb_object_agg(payment_id, intent) from private.charges where payment_id = any (v_periods));
end $function$;

CREATE OR REPLACE FUNCTION private.record_movements(p_day date, p_movements jsonb, p_goes_on boolean, p_account text DEFAULT NULL::text)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  insert into private.provider_movements (id, kind, intent, amount, moved_at, account)
  select id, kind, intent, cents / 100.0, to_timestamp(at), p_account
  from jsonb_to_recordset(p_movements) as page (id text, kind text, intent text, cents bigint, at bigint)
  on conflict do nothing;
  if not p_goes_on then
    perform private.compare_movements(p_day, p_account);
  end if;
end $function$;

CREATE OR REPLACE FUNCTION private.remember_simulated(p_id text, p_body jsonb)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if not private.is_sheltered() then
    raise exception 'Payments are simulated only where nobody else can reach the site' using errcode = '42501';
  end if;
  insert into private.simulated_payments (id, body) values (p_id, p_body || jsonb_build_object('at', private.now()))
  on conflict (id) do update set body = excluded.body;
end $function$;

CREATE OR REPLACE FUNCTION private.remind_of_disputes()
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare v_dispute public.payment_disputes;
begin
  for v_dispute in
    update public.payment_disputes set reminded_of = due_by
    where closed_at is null and due_by > now() and due_by <= now() + private.dispute_reminder()
      and reminded_of is distinct from due_by and status like '%needs_response'
      and (answer is null or answer = 'refused' or status like 'appeal%')
    returning *
  loop
    perform private.tell_treasurers('warning', 'A Dispute Must Be Answered',
      format('Answer the dispute about %s by %s UTC, or the bank keeps %s.', v_dispute.plan_name,
        private.in_utc(v_dispute.due_by, 'FMDD FMMonth, HH24:MI'), private.euros(v_dispute.amount)),
      'payment-dispute-due', jsonb_build_object('plan', v_dispute.plan_name, 'amount', v_dispute.amount, 'until', v_dispute.due_by));
  end loop;
end $function$;

CREATE OR REPLACE FUNCTION private.renew(p_seat private.seats, p_last public.member_payments, p_from timestamp with time zone DEFAULT NULL::timestamp with time zone)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_zone text := private.zone_of(p_seat.member_id);
  v_number integer := p_last.number + 1;
  v_starts_at timestamptz := coalesce(p_from, p_last.ends_at);
begin
  if p_from is not null then
    update private.seats set anchor = private.day_in(p_from, v_zone), anchor_after = p_last.number where id = p_seat.id
    returning * into p_seat;
  end if;
  while p_seat.settlement = 'potluck' and private.period_end(p_seat.anchor, v_number - p_seat.anchor_after, v_zone) <= private.now() loop
    v_starts_at := private.period_end(p_seat.anchor, v_number - p_seat.anchor_after, v_zone);
    v_number := v_number + 1;
  end loop;
  perform private.open_periods(array[p_seat.id], array[v_number], array[v_starts_at]);
end $function$;

CREATE OR REPLACE FUNCTION private.report_payment_provider(p_provider text, p_mode text, p_publishable_key text, p_connect boolean DEFAULT false, p_methods text[] DEFAULT '{card}'::text[], p_creditor text DEFAULT NULL::text)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if p_provider = 'simulated' and not private.is_sheltered() then
    raise exception 'Payments are simulated only where nobody else can reach the site' using errcode = '42501';
  elsif p_provider <> 'simulated' and exists (select from private.payment_customers where provider = 'simulated') then
    raise exception 'This database holds simulated payments: real ones begin in a new one' using errcode = '42501';
  elsif p_provider is null then
    delete from private.payment_provider;
    return;
  end if;
  insert into private.payment_provider as known (provider, mode, publishable_key, connect, methods, creditor)
  values (p_provider, p_mode, p_publishable_key, p_connect, p_methods, p_creditor)
  on conflict (id) do update set provider = excluded.provider, mode = excluded.mode, publishable_key = excluded.publishable_key,
    connect = excluded.connect, methods = excluded.methods, creditor = excluded.creditor, reported_at = excluded.reported_at
  where (known.provider, known.mode, known.publishable_key, known.connect, known.methods, known.creditor)
    is distinct from (excluded.provider, excluded.mode, excluded.publishable_key, excluded.connect, excluded.methods, excluded.creditor);
end $function$;

CREATE OR REPLACE FUNCTION private.resume_seat(p_seat private.seats, p_from_today boolean)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare v_last public.member_payments;
begin
  update public.member_payments set status = 'due', next_attempt_at = null
  where seat_id = p_seat.id and settlement = 'potluck' and status in ('due', 'failed', 'needs-action');
  perform private.queue_charges(array[id]) from public.member_payments
  where seat_id = p_seat.id and settlement = 'potluck' and status = 'due';
  select * into v_last from public.member_payments where seat_id = p_seat.id order by number desc limit 1;
  if p_from_today and v_last.settlement = 'direct' then
    perform private.close_period(v_last.id);
  end if;
  if p_from_today and v_last.ends_at <= private.now() and p_seat.ends_at is null
    and (v_last.settlement = 'direct' or v_last.status in ('paid', 'closed', 'given-back', 'cancelled')) then
    perform private.close_period(v_last.id);
    perform private.renew(p_seat, v_last, private.now());
  end if;
  perform private.wake_seat(p_seat.id);
end $function$;

CREATE OR REPLACE FUNCTION private.run_due_work(p_limit integer DEFAULT 100)
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_ids uuid[];
  v_id uuid;
begin
  perform private.keep_beat();
  perform private.expire_join_requests();
  perform private.tell_expiring_requests();
  perform private.close_questions();
  perform private.free_kept_places();
  perform private.tell_seekers();
  perform private.tell_of_failing_jobs();
  perform private.remind_of_disputes();
  -- With membership and plan, which are locked first to end a seat.
  v_ids := array(
    select s.id from private.seats as s
    join public.subscription_members as m on m.subscription_id = s.subscription_id and m.user_id = s.member_id
    join public.shared_subscriptions as p on p.id = s.subscription_id
    where s.next_at <= private.now() order by s.next_at limit p_limit
    for update of s, m skip locked for no key update of p skip locked
  ) || array(
    -- Ended seats have neither, only a problem that outlived them.
    select id from private.seats where next_at <= private.now() and ended_at is not null order by next_at limit p_limit
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

CREATE OR REPLACE FUNCTION private.set_country(p_country text)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare v_user uuid := private.require_user();
begin
  if (p_country ~ '^[A-Z]{2}$') is not true then
    raise exception 'Please choose a country' using errcode = '23514';
  end if;
  insert into private.home_countries (user_id, country) values (v_user, p_country)
  on conflict (user_id) do update set country = excluded.country, said_at = excluded.said_at;
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
begin
  if v_seat.ended_at is not null then return; end if;
  perform private.lock_held_money(array[v_seat.id]);
  -- First, so that nothing triggered below finds a living seat.
  update private.seats set ended_at = private.now(), ended_by = p_by, end_reason = p_reason, next_at = null where id = v_seat.id;
  if p_reason in ('removed', 'cancelled') then
    perform private.forfeit_problem(v_seat.id);
    v_lost_from := private.now();
  end if;
  for v_period in
    select * from public.member_payments where seat_id = v_seat.id
      and status in ('due', 'claimed', 'charging', 'processing', 'needs-action', 'failed', 'paid') order by number
  loop
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
  perform private.tell_precedence(v_seat);
  if p_reason <> 'cancelled' then
    perform private.ask_for_new_password(v_seat);
  end if;
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
      - (select coalesce(sum(amount), 0) from private.refunds where payment_id = m.id and status = 'pending') as amount,
      max(t.created_at) as latest
    from private.ledger_transfers as t
    where t.person_id = m.member_id and t.period_id = m.id and v_outside in (t.from_account, t.to_account)
  ) as here
  -- A debit moves the balance there before it is certain.
  where there.amount <> here.amount and c.status <> 'processing' and greatest(there.latest, here.latest) < upper(p_booked)
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
      and not exists (select from private.account_transfers as t where t.reference = p.intent)
    group by 1
  ) as foreign_one
  where not exists (select from public.unknown_payment_events as e where e.about = foreign_one.about);
end $function$;

CREATE OR REPLACE FUNCTION private.staff_person_money(p_person_id uuid)
 RETURNS jsonb
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select jsonb_build_object(
    'balance', coalesce((select w.coin_balance from public.user_wallets as w where w.user_id = p_person_id), 0.00),
    'payouts', private.staff_person_payouts(p_person_id),
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

CREATE OR REPLACE FUNCTION private.staff_person_payouts(p_person_id uuid)
 RETURNS jsonb
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select jsonb_build_object('reference', a.reference, 'canReceive', a.can_receive, 'canPayOut', a.can_pay_out, 'asked', to_jsonb(a.asked),
    'askedBy', a.asked_by, 'since', a.created_at, 'checkedAt', a.checked_at, 'coming', sums.coming,
    'there', greatest(0, sums.balance - sums.coming), 'owed', greatest(0, sums.coming - sums.balance), 'payout', (
      select jsonb_build_object('amount', p.amount, 'status', p.status, 'arrivesOn', p.arrives_on, 'at', p.created_at, 'reason', p.reason)
      from private.account_payouts as p where p.user_id = a.user_id order by p.created_at desc limit 1))
  from private.connected_accounts as a cross join lateral (select
    coalesce((select l.balance from private.ledger_accounts as l where l.kind = 'connected' and l.owner = a.user_id), 0) as balance,
    coalesce((select sum(t.amount) from private.account_transfers as t where t.user_id = a.user_id and t.status = 'queued'), 0) as coming) as sums
  where a.user_id = p_person_id
$function$;

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
  v_period := private.unless_past(v_period);
  if v_period.status not in ('due', 'charging', 'processing', 'needs-action', 'failed') then
    update private.charges set status = 'charging' where payment_id = p_period and v_closing is not null;
    return v_closing;
  elsif v_before = 'processing' and v_charge.kind = 'sepa_debit' then
    -- Under way at the bank for days: it is only asked about.
    return jsonb_build_object('period', p_period, 'intent', v_charge.intent, 'isUnderWay', true);
  elsif v_before not in ('charging', 'processing') and private.has_open_problem(v_period.seat_id) then
    -- No new charge until the problem is closed.
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
    kind = v_card.kind where payment_id = p_period;
  return private.charge_order(v_charge, v_period, v_rest, v_card.reference);
end $function$;

CREATE OR REPLACE FUNCTION private.start_charges(p_periods uuid[])
 RETURNS SETOF jsonb
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  return query
  with plain as (
    select m.id, card.id as card_id, concat_ws(' ', coalesce(card.brand, card.kind), card.last4) as name, card.kind, card.reference
    from public.member_payments as m join private.charges as c on c.payment_id = m.id join private.seats as s on s.id = m.seat_id
    cross join lateral (
      select * from public.payment_methods where user_id = m.member_id and provider = c.provider
      order by id = c.card_id desc nulls last, chosen_at desc limit 1
    ) as card
    where m.id = any (p_periods) and c.payment_id = any (p_periods) and c.status = 'queued' and c.intent is null and m.status = 'due' and m.ends_at > private.now()
      and m.next_attempt_at is not null and m.coins + m.card = 0 and not s.coins_first and (c.on_session or not card.refused)
      and not private.has_open_problem(s.id) and not private.has_open_dispute(m.member_id)
  ), period as (
    update public.member_payments as m set status = 'charging' from plain
    where m.id = any (p_periods) and m.id = plain.id returning m.*
  ), charge as (
    update private.charges as c set attempts = c.attempts + 1, status = 'charging', card = plain.name, tried_id = plain.card_id, kind = plain.kind
    from plain where c.payment_id = any (p_periods) and c.payment_id = plain.id returning c.*
  )
  select private.charge_order(charge, period, period.amount, plain.reference)
  from plain join period on period.id = plain.id join charge on charge.payment_id = plain.id;
end $function$;

CREATE OR REPLACE FUNCTION private.statement_of(p_user_id uuid, p_year integer)
 RETURNS jsonb
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
 SET enable_seqscan TO 'off'
 SET enable_hashjoin TO 'off'
 SET jit TO 'off'
AS $function$
declare
  v_zone text := private.zone_of(p_user_id);
  v_from timestamptz;
  v_until timestamptz;
  v_outside bigint := (select id from private.ledger_accounts where kind = 'outside');
begin
  if (p_year between 2000 and 2200) is not true then
    raise exception 'There is no statement for this year' using errcode = '23514';
  end if;
  v_from := make_date(p_year, 1, 1)::timestamp at time zone v_zone;
  v_until := make_date(p_year + 1, 1, 1)::timestamp at time zone v_zone;
  return (
    with own as (
      select id, kind from private.ledger_accounts where kind in ('wallet', 'connected') and owner = p_user_id
    ), moved as (
      select own.kind as account, e.created_at as at, t.kind, t.id as line, t.from_account, t.to_account, e.amount, t.period_id, t.description
      from own join private.ledger_entries as e on e.account_id = own.id and e.created_at >= v_from and e.created_at < v_until
      join private.ledger_transfers as t on t.id = e.transfer_id
      union all
      -- What a bank takes from an owner's account is named after the owner, and is back on the member's card.
      select 'card', t.created_at, t.kind, t.id, t.from_account, t.to_account,
        case when t.to_account = v_outside then t.amount else -t.amount end, t.period_id, t.description
      from (select p_user_id union select owner_id from public.payment_disputes where member_id = p_user_id) as whose (person)
      join private.ledger_transfers as t on t.person_id = whose.person and t.created_at >= v_from and t.created_at < v_until
      join public.member_payments as m on m.id = t.period_id and m.member_id = p_user_id
      where v_outside in (t.from_account, t.to_account) and t.kind <> 'cost'
    ), movement as (
      select moved.account, moved.at, moved.kind, moved.line,
        case when 'held_fee' in (source.kind, target.kind) then 'fee' end as part, coalesce(m.plan_name, moved.description) as about, moved.amount
      from moved join private.ledger_accounts as source on source.id = moved.from_account
      join private.ledger_accounts as target on target.id = moved.to_account
      left join public.member_payments as m on m.id = moved.period_id
      union all
      select 'direct', m.paid_at, 'payment', null, null, m.plan_name, case m.member_id when p_user_id then -m.share else m.share end
      from public.member_payments as m
      where p_user_id in (m.member_id, m.owner_id) and m.settlement = 'direct' and m.paid_at >= v_from and m.paid_at < v_until and m.share > 0
      union all
      select 'direct', m.repaid_at, 'refund', null, null, m.plan_name, case m.member_id when p_user_id then m.owed_back else -m.owed_back end
      from public.member_payments as m
      where p_user_id in (m.member_id, m.owner_id) and m.repaid_at >= v_from and m.repaid_at < v_until and m.owed_back > 0
    )
    select jsonb_build_object('year', p_year, 'zone', v_zone,
      'since', (select extract(year from created_at at time zone v_zone) from auth.users where id = p_user_id),
      'operator', (select name from private.seller),
      'name', (select coalesce(full_name, display_name) from public.user_profiles where user_id = p_user_id),
      'language', (select language from public.user_profiles where user_id = p_user_id),
      'accounts', (
        select coalesce(jsonb_agg(jsonb_build_object('account', part.kind, 'opening', part.opening, 'closing', part.closing,
          'moved', coalesce((select sum(amount) from movement where account = part.kind), 0)) order by part.place), '[]')
        from (
          select known.place, known.kind, private.balance_at(own.id, v_from) as opening, private.balance_at(own.id, v_until) as closing
          from unnest(array['card', 'wallet', 'connected', 'direct']) with ordinality as known (kind, place)
          left join own on own.kind = known.kind
        ) as part where part.opening <> 0 or part.closing <> 0 or exists (select from movement where account = part.kind)),
      'sums', (
        select coalesce(jsonb_agg(to_jsonb(s) order by s.account, s.kind, s.part nulls first), '[]') from (
          select account, kind, part, sum(amount) as amount from movement group by account, kind, part) as s),
      'rows', (select coalesce(jsonb_agg(to_jsonb(m) - 'line' order by m.at, m.line), '[]') from movement as m)));
end $function$;

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
  p_dispute.from_account := private.take_from_account(p_dispute, p_period, v_rest);
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
    select id from private.payment_jobs where kind <> 'charge' and provider = p_provider and next_attempt_at <= v_now and p_payment_id is null
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
    v_taken := v_taken || jsonb_build_object('job', v_job.id, 'kind', v_job.kind, 'attempt', v_job.attempts + 1,
      'order', jsonb_build_object('attempt', v_job.attempts + 1) || v_order);
  end loop;
  return v_taken;
end $function$;

CREATE OR REPLACE FUNCTION private.tell_first_months(p_periods uuid[])
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform private.notify(m.member_id, 'success', 'First Month Complete', format('Your first month in %s is complete.', m.plan_name),
      p.id, 'first-month', jsonb_build_object('plan', m.plan_name, 'member', member.display_name, 'owner', owner.display_name)),
    private.notify(m.owner_id, 'success', 'First Month Complete', format('%s has been in %s for a whole month.', member.display_name, m.plan_name),
      p.id, 'member-first-month', jsonb_build_object('plan', m.plan_name, 'member', member.display_name, 'owner', owner.display_name))
  from public.member_payments as m join public.shared_subscriptions as p on p.id = m.subscription_id
  join public.user_profiles as member on member.user_id = m.member_id join public.user_profiles as owner on owner.user_id = m.owner_id
  where m.id = any (p_periods) and m.number = 1 and m.paid_at is not null and not private.has_open_problem(m.seat_id);
end $function$;

CREATE OR REPLACE FUNCTION private.tell_paid(p_seat private.seats, p_period public.member_payments)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform private.tell_seat(p_seat, p_seat.member_id, 'success', 'payment-made', 'Payment Received',
    format('We received your %s for %s.', private.euros(p_period.amount), p_period.plan_name),
    jsonb_build_object('amount', p_period.amount), p_invoiced => case when p_period.fee > 0 then p_period.id end);
end $function$;

CREATE OR REPLACE FUNCTION private.tell_seat(p_seat private.seats, p_user_id uuid, p_type text, p_event text, p_title text, p_message text, p_params jsonb DEFAULT '{}'::jsonb, p_mails boolean DEFAULT true, p_invoiced uuid DEFAULT NULL::uuid)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
-- A plan that is being cancelled waits for the seat, so waiting for the plan would deadlock.
declare
  v_plan text := case when p_seat.ended_at is null or p_user_id = p_seat.owner_id
    then (private.keep_plan(p_seat.subscription_id)).id end;
  v_invoiced boolean := exists (select from public.member_payments as m where m.id = p_invoiced and (m.paid_at >= (select since from public.vat_settings)
    or exists (select from public.fee_invoices where payment_id = m.id)));
  v_told uuid := private.notify(p_user_id, p_type, p_title, p_message, v_plan, p_event, p_params || jsonb_build_object(
    'plan', p_seat.provider || ' ' || p_seat.plan_name,
    'member', (select display_name from public.user_profiles where user_id = p_seat.member_id),
    'owner', (select display_name from public.user_profiles where user_id = p_seat.owner_id)));
begin
  if not p_mails then return; end if;
  perform private.mail_notification(v_told,
    array_remove(array[p_seat.id::text, v_plan], null),
    case when v_invoiced then 'See the invoice' when v_plan is null then 'See your payments' else 'Open the plan' end,
    case when v_invoiced then '/payments/' || p_invoiced when v_plan is null then '/payments'
      when p_user_id = p_seat.owner_id then '/manage-shared/' || v_plan else '/manage-subscribed/' || v_plan end);
end $function$;

CREATE OR REPLACE FUNCTION private.tg_subscription_members__open_seat()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare v_seat private.seats;
begin
  insert into private.seats (subscription_id, catalogue_plan_id, provider, plan_name, owner_id, member_id, settlement,
    billing_cycle, share, fee_rate, coins_first, begins_at_once_at, admitted_at, access_given_at)
  select p.id, p.catalogue_plan_id, p.provider, p.name, p.owner_id, new.user_id, p.settlement, p.billing_cycle, p.member_price, p.fee_rate,
    coalesce(asked.coins_first, false), asked.begins_at_once_at,
    case p.settlement when 'direct' then private.now() end,
    case when private.has_vault_entry(p.id) then private.now() end
  from public.shared_subscriptions as p left join lateral (
    select r.coins_first, r.begins_at_once_at from public.subscription_requests as r
    where r.subscription_id = p.id and r.user_id = new.user_id and r.status = 'approved' order by r.decided_at desc limit 1
  ) as asked on true where p.id = new.subscription_id
  returning * into v_seat;
  perform private.open_accounts(v_seat);
  perform private.open_periods(array[v_seat.id], array[1], array[null::timestamptz]);
  perform private.begin_periods(v_seat.id);
  return null;
end $function$;

CREATE OR REPLACE FUNCTION private.tg_vat_settings__guard()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if new.country is not null and private.vat_rate(new.country, private.now()::date) is null then
    raise exception 'Invoices need a seller in the EU' using errcode = '23514';
  end if;
  new.since := case when new.mode = 'off' then null when old.mode = 'off' then private.now() else old.since end;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION private.topic_of(p_event text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE
RETURN CASE WHEN (p_event = ANY (ARRAY['chat-message'::text, 'question-asked'::text])) THEN 'messages'::text WHEN (p_event = 'plan-found'::text) THEN 'alerts'::text WHEN (p_event ~ '^(problem|access|password)-'::text) THEN 'access'::text WHEN ((p_event ~ '^(payment|payout|refund|withdrawal|wallet|coins|money)-'::text) OR (p_event = ANY (ARRAY['member-says-paid'::text, 'member-paid'::text, 'member-debited'::text, 'owner-owes-you'::text, 'you-owe-member'::text, 'owed-settled'::text, 'renewal-coming'::text, 'contract-withdrawn'::text]))) THEN 'money'::text WHEN ((p_event ~ '^(plan|provider-request|admin-access)-(approved|rejected)$'::text) OR (p_event = ANY (ARRAY['review-waits'::text, 'reviews-shown'::text, 'review-hidden'::text, 'report-read'::text, 'support-asked'::text, 'support-answered'::text]))) THEN 'team'::text ELSE 'places'::text END;

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
  where s.id = any (p_seat_ids) and s.settlement = 'potluck' and s.ended_at is null and s.ends_at is null
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

CREATE OR REPLACE FUNCTION private.unreconciled(p_day date, p_account text DEFAULT NULL::text)
 RETURNS tstzrange
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select case when since < until then tstzrange(since, until) end from (
    select coalesce((compared + 1)::timestamp at time zone 'utc', begun - private.booking_time()) as since,
      (p_day + 1)::timestamp at time zone 'utc' as until
    from (
      select (select max(day) from private.reconciliations) as compared,
        (select min(created_at) from private.charges where provider = 'stripe') as begun
      where p_account is null
      union all
      select compared, created_at from private.connected_accounts where reference = p_account
    ) as last
  ) as span
$function$;

CREATE OR REPLACE FUNCTION private.vat_in(p_gross numeric, p_rate numeric)
 RETURNS numeric
 LANGUAGE sql
 IMMUTABLE
RETURN (p_gross - round((p_gross / ((1)::numeric + p_rate)), 2));

CREATE OR REPLACE FUNCTION private.vat_rate(p_country text, p_day date)
 RETURNS numeric
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  return (select rate from private.vat_rates where country = case p_country when 'MC' then 'FR' else p_country end and valid_from <= p_day
    order by valid_from desc limit 1);
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
  v_opening := coalesce(private.balance_at(v_account, p_from), 0);
  v_closing := coalesce(private.balance_at(v_account, p_until), 0);
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
  v_what text;
begin
  if exists (select from private.seats where id = p_seat_id and member_id = v_user) then
    v_seat := private.lock_place(p_seat_id);
  end if;
  if v_seat.end_reason = 'withdrawn' then
    raise exception 'You’ve already withdrawn from this contract' using errcode = '23514';
  elsif v_seat.id is null or v_seat.ended_at is not null then
    raise exception 'Place not found' using errcode = 'PT404';
  elsif not private.is_contract_with_site(v_seat.id) then
    raise exception 'You pay the owner directly, so there’s no contract with us to withdraw from' using errcode = '23514';
  elsif not private.may_withdraw(v_seat) then
    raise exception 'You could withdraw for % days after joining. You can still leave.', extract(day from private.withdrawal_period())
      using errcode = '23514';
  end if;
  perform private.lock_held_money(array[v_seat.id], '{refunds_due,fees,guarantee}');
  v_back := private.back_on_withdrawal(v_seat);
  v_what := case when v_back is null then 'held' when v_back > 0 then 'back' when exists (select from public.member_payments
    where seat_id = v_seat.id and status = 'processing') then 'under-way' else 'nothing' end;
  perform private.settle_seat(v_seat.id, 'withdrawn', v_user);
  delete from public.subscription_members where subscription_id = v_seat.subscription_id and user_id = v_user;
  select * into v_seat from private.seats where id = v_seat.id;
  perform private.tell_seat(v_seat, v_user, 'success', 'contract-withdrawn', 'You Have Withdrawn',
    format('On %s UTC you withdrew from the contract for %s %s. %s', to_char(v_seat.ended_at at time zone 'utc', 'FMDD FMMonth YYYY, HH24:MI'),
      v_seat.provider, v_seat.plan_name, case v_what when 'nothing' then 'You pay nothing.'
      when 'under-way' then 'What your bank is debiting comes back once it has arrived.'
      when 'held' then 'What comes back is held until your problem is closed.'
      else format('%s comes back the way you paid it, within %s days.', private.euros(v_back), extract(day from private.withdrawal_refund_time())) end),
    jsonb_build_object('at', v_seat.ended_at, 'what', v_what, 'amount', coalesce(v_back, 0),
      'days', extract(day from private.withdrawal_refund_time())));
  perform private.tell_seat(v_seat, v_seat.owner_id, 'info', 'member-withdrew', 'Member Withdrew',
    format('%s withdrew from the contract for %s %s. What you’ve earned stays yours, and the place is free again.',
      (select display_name from public.user_profiles where user_id = v_user), v_seat.provider, v_seat.plan_name));
  return v_back;
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
    when 'remind' then perform private.remind_of_payment(p_seat, v_period);
    when 'remind-access' then perform private.remind_of_access(p_seat);
    when 'no-access' then perform private.end_seat(p_seat.id, 'no-access', null);
    when 'problem' then perform private.lapse_problem(p_period_id);
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
  v_declared text := (select country from private.home_countries where user_id = p_payment.member_id);
  v_card text := (select pm.country from private.charges as c join public.payment_methods as pm on pm.id = c.tried_id
    where c.payment_id = p_payment.id and c.status = 'succeeded');
  v_rate numeric;
  v_before numeric := 0;
begin
  if v_new.id is null then
    v_new.payment_id := p_payment.id;
    v_new.buyer_id := p_payment.member_id;
    v_new.paid_at := p_payment.paid_at;
    v_new.plan_name := p_payment.plan_name;
    v_new.period := p_payment.number;
    v_new.buyer_name := (select coalesce(full_name, display_name) from public.user_profiles where user_id = p_payment.member_id);
    v_new.evidence := jsonb_build_object('declared', v_declared, 'card', v_card);
    v_new.buyer_country := coalesce(v_declared, v_card, p_settings.country);
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

CREATE OR REPLACE FUNCTION private.yearly_statement(p_year integer)
 RETURNS jsonb
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$ select private.statement_of(private.require_user(), p_year) $function$;

CREATE OR REPLACE FUNCTION public.answer_dispute(p_dispute_id text, p_mark text)
 RETURNS void
 LANGUAGE sql
 SET search_path TO ''
AS $function$ select private.answer_dispute(p_dispute_id, p_mark) $function$;

CREATE OR REPLACE FUNCTION public.decide_fraud_warning(p_id text, p_refunds boolean)
 RETURNS numeric
 LANGUAGE sql
 SET search_path TO ''
AS $function$ select private.decide_fraud_warning(p_id, p_refunds) $function$;

CREATE OR REPLACE FUNCTION public.dispute_evidence(p_dispute_id text)
 RETURNS jsonb
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$ select private.dispute_evidence(p_dispute_id) $function$;

CREATE OR REPLACE FUNCTION public.invoice(p_id uuid)
 RETURNS jsonb
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$ select private.invoice(p_id) $function$;

CREATE OR REPLACE FUNCTION public.my_country()
 RETURNS jsonb
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$ select private.my_country() $function$;

CREATE OR REPLACE FUNCTION public.record_card(p_customer text, p_method text, p_brand text, p_last4 text, p_exp_month integer, p_exp_year integer, p_is_new boolean, p_kind text DEFAULT 'card'::text, p_mandate text DEFAULT NULL::text, p_country text DEFAULT NULL::text)
 RETURNS boolean
 LANGUAGE sql
 SET search_path TO ''
AS $function$ select private.record_card(p_customer, p_method, p_brand, p_last4, p_exp_month, p_exp_year, p_is_new, p_kind, p_mandate, p_country) $function$;

CREATE OR REPLACE FUNCTION public.record_charge(p_intent text, p_status text, p_code text, p_amount numeric, p_cost numeric, p_is_heard boolean, p_day date DEFAULT NULL::date)
 RETURNS boolean
 LANGUAGE sql
 SET search_path TO ''
AS $function$ select private.record_charge(p_intent, p_status, p_code, p_amount, p_cost, p_is_heard, p_day) $function$;

CREATE OR REPLACE FUNCTION public.record_charges(p_outcomes jsonb)
 RETURNS jsonb
 LANGUAGE sql
 SET search_path TO ''
AS $function$ select private.record_charges(p_outcomes) $function$;

CREATE OR REPLACE FUNCTION public.record_dispute_answer(p_dispute_id text, p_refusal text)
 RETURNS void
 LANGUAGE sql
 SET search_path TO ''
AS $function$ select private.record_dispute_answer(p_dispute_id, p_refusal) $function$;

CREATE OR REPLACE FUNCTION public.record_fraud_warning(p_reference text, p_intent text, p_type text, p_actionable boolean)
 RETURNS boolean
 LANGUAGE sql
 SET search_path TO ''
AS $function$ select private.record_fraud_warning(p_reference, p_intent, p_type, p_actionable) $function$;

CREATE OR REPLACE FUNCTION public.record_intents(p_intents jsonb)
 RETURNS jsonb
 LANGUAGE sql
 SET search_path TO ''
AS $function$ select private.record_intents(p_intents) $function$;

CREATE OR REPLACE FUNCTION public.record_movements(p_day date, p_movements jsonb, p_goes_on boolean, p_account text DEFAULT NULL::text)
 RETURNS void
 LANGUAGE sql
 SET search_path TO ''
AS $function$ select private.record_movements(p_day, p_movements, p_goes_on, p_account) $function$;

CREATE OR REPLACE FUNCTION public.report_payment_provider(p_provider text, p_mode text, p_publishable_key text, p_connect boolean DEFAULT false, p_methods text[] DEFAULT '{card}'::text[], p_creditor text DEFAULT NULL::text)
 RETURNS void
 LANGUAGE sql
 SET search_path TO ''
AS $function$ select private.report_payment_provider(p_provider, p_mode, p_publishable_key, p_connect, p_methods, p_creditor) $function$;

CREATE OR REPLACE FUNCTION public.set_country(p_country text)
 RETURNS void
 LANGUAGE sql
 SET search_path TO ''
AS $function$ select private.set_country(p_country) $function$;

CREATE OR REPLACE FUNCTION public.yearly_statement(p_year integer)
 RETURNS jsonb
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$ select private.yearly_statement(p_year) $function$;

ALTER TABLE "private"."account_payouts" ADD CONSTRAINT "account_payouts_amount_check" CHECK ((amount <> (0)::numeric));

ALTER TABLE "private"."charges" ADD CONSTRAINT "charges_kind_check" CHECK ((kind = ANY (ARRAY['card'::text, 'link'::text, 'sepa_debit'::text])));

ALTER TABLE "private"."dispute_evidence" ADD CONSTRAINT "dispute_evidence_dispute_id_fkey" FOREIGN KEY (dispute_id) REFERENCES public.payment_disputes(id) ON DELETE CASCADE;

ALTER TABLE "private"."home_countries" ADD CONSTRAINT "home_countries_user_id_fkey" FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE CASCADE;

ALTER TABLE "private"."payment_jobs" ADD CONSTRAINT "payment_jobs_kind_check" CHECK ((kind = ANY (ARRAY['charge'::text, 'refund'::text, 'remove-card'::text, 'reconcile'::text, 'transfer'::text, 'reversal'::text, 'evidence'::text])));

ALTER TABLE "private"."payment_provider" ADD CONSTRAINT "payment_provider_creditor_check" CHECK ((char_length(creditor) <= 35));

ALTER TABLE "private"."provider_movements" ADD CONSTRAINT "provider_movements_account_fkey" FOREIGN KEY (account) REFERENCES private.connected_accounts(reference) ON DELETE RESTRICT;

ALTER TABLE "public"."fee_invoices" ADD CONSTRAINT "fee_invoices_buyer_id_fkey" FOREIGN KEY (buyer_id) REFERENCES public.user_profiles(user_id) ON DELETE RESTRICT;

ALTER TABLE "public"."fee_invoices" ADD CONSTRAINT "fee_invoices_payment_id_fkey" FOREIGN KEY (payment_id) REFERENCES public.member_payments(id) ON DELETE RESTRICT;

ALTER TABLE "public"."fee_invoices" ADD CONSTRAINT "fee_invoices_corrects_fkey" FOREIGN KEY (corrects) REFERENCES public.fee_invoices(id);

ALTER TABLE "public"."fraud_warnings" ADD CONSTRAINT "fraud_warnings_decided_by_fkey" FOREIGN KEY (decided_by) REFERENCES public.user_profiles(user_id) ON DELETE SET NULL;

ALTER TABLE "public"."fraud_warnings" ADD CONSTRAINT "fraud_warnings_member_id_fkey" FOREIGN KEY (member_id) REFERENCES public.user_profiles(user_id) ON DELETE RESTRICT;

ALTER TABLE "public"."fraud_warnings" ADD CONSTRAINT "fraud_warnings_owner_id_fkey" FOREIGN KEY (owner_id) REFERENCES public.user_profiles(user_id) ON DELETE RESTRICT;

ALTER TABLE "public"."fraud_warnings" ADD CONSTRAINT "fraud_warnings_payment_id_fkey" FOREIGN KEY (payment_id) REFERENCES private.charges(payment_id) ON DELETE RESTRICT;

ALTER TABLE "public"."member_payments" ADD CONSTRAINT "member_payments_paid_with_check" CHECK ((paid_with = ANY (ARRAY['card'::text, 'link'::text, 'sepa_debit'::text])));

ALTER TABLE "public"."member_payments" ADD CONSTRAINT "member_payments_status_check" CHECK ((status = ANY (ARRAY['due'::text, 'claimed'::text, 'charging'::text, 'processing'::text, 'needs-action'::text, 'failed'::text, 'paid'::text, 'closed'::text, 'given-back'::text, 'cancelled'::text])));

ALTER TABLE "public"."payment_disputes" ADD CONSTRAINT "payment_disputes_answer_check" CHECK ((answer = ANY (ARRAY['queued'::text, 'sent'::text, 'refused'::text])));

ALTER TABLE "public"."payment_methods" ADD CONSTRAINT "has_what_its_kind_has" CHECK (
CASE kind
    WHEN 'card'::text THEN (num_nulls(brand, last4, exp_month, exp_year) = 0)
    WHEN 'sepa_debit'::text THEN (last4 IS NOT NULL)
    ELSE true
END);

ALTER TABLE "public"."payment_methods" ADD CONSTRAINT "payment_methods_country_check" CHECK ((country ~ '^[A-Z]{2}$'::text));

ALTER TABLE "public"."payment_methods" ADD CONSTRAINT "payment_methods_kind_check" CHECK ((kind = ANY (ARRAY['card'::text, 'link'::text, 'sepa_debit'::text])));

ALTER TABLE "public"."payment_methods" ADD CONSTRAINT "payment_methods_last4_check" CHECK ((last4 ~ '^[0-9A-Z]{4}$'::text));

ALTER TABLE "public"."payment_methods" ADD CONSTRAINT "payment_methods_mandate_check" CHECK ((char_length(mandate) <= 100));

CREATE INDEX payment_jobs_failing_idx ON private.payment_jobs USING btree (failing_since) WHERE (failing_since IS NOT NULL);

CREATE INDEX payment_jobs_other_idx ON private.payment_jobs USING btree (next_attempt_at) WHERE (kind <> 'charge'::text);

CREATE INDEX provider_movements_newest_idx ON private.provider_movements USING btree (account, moved_at);

CREATE INDEX fee_invoices_corrects_idx ON public.fee_invoices USING btree (corrects);

CREATE INDEX fee_invoices_payment_idx ON public.fee_invoices USING btree (payment_id);

CREATE INDEX fraud_warnings_decided_by_idx ON public.fraud_warnings USING btree (decided_by);

CREATE INDEX fraud_warnings_member_idx ON public.fraud_warnings USING btree (member_id);

CREATE INDEX fraud_warnings_owner_idx ON public.fraud_warnings USING btree (owner_id);

CREATE INDEX fraud_warnings_payment_idx ON public.fraud_warnings USING btree (payment_id);

CREATE INDEX member_payments_open_idx ON public.member_payments USING btree (seat_id) WHERE (status = ANY (ARRAY['due'::text, 'claimed'::text, 'charging'::text, 'processing'::text, 'needs-action'::text, 'failed'::text, 'paid'::text]));

CREATE INDEX payment_disputes_due_idx ON public.payment_disputes USING btree (due_by) WHERE (closed_at IS NULL);

CREATE TRIGGER keep BEFORE DELETE OR UPDATE OR TRUNCATE ON public.fee_invoices FOR EACH STATEMENT EXECUTE FUNCTION private.tg_ledger_transfers__keep();

CREATE TRIGGER guard BEFORE UPDATE ON public.vat_settings FOR EACH ROW EXECUTE FUNCTION private.tg_vat_settings__guard();

CREATE TRIGGER log_staff AFTER UPDATE ON public.vat_settings FOR EACH ROW EXECUTE FUNCTION private.tg_app_settings__log_staff();

CREATE POLICY "People see their invoices, and admins all" ON "public"."fee_invoices" FOR SELECT TO "authenticated" USING (((buyer_id = ( SELECT auth.uid() AS uid)) OR ( SELECT (private.may('users.edit'::text) AND private.may_act_as_staff()))));

CREATE POLICY "Admins see fraud warnings" ON "public"."fraud_warnings" FOR SELECT TO "authenticated" USING (( SELECT (private.may('users.edit'::text) AND private.may_act_as_staff())));

CREATE POLICY "Whoever edits settings reads those of invoices" ON "public"."vat_settings" FOR SELECT TO "authenticated" USING (( SELECT private.may('settings.edit'::text) AS may));

CREATE POLICY "Whoever has the permission edits the settings of invoices" ON "public"."vat_settings" FOR UPDATE TO "authenticated" USING (( SELECT private.proven(private.may('settings.edit'::text)) AS proven)) WITH CHECK (( SELECT private.proven(private.may('settings.edit'::text)) AS proven));

ALTER PUBLICATION "supabase_realtime" ADD TABLE "public"."fee_invoices";

REVOKE ALL ON FUNCTION "private"."account_differences"(text, tstzrange) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."accounts_per_night"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."answer_dispute"(text, text) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."answer_dispute"(text, text) TO "authenticated";

REVOKE ALL ON FUNCTION "private"."balance_at"(bigint, timestamp with time zone) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."can_invoice"(public.vat_settings) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."charge_order"(private.charges, public.member_payments, numeric, text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."check_invoices"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."compare_movements"(date, text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."debit_begun"(private.charges, date) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."debit_time"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."decide_fraud_warning"(text, boolean) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."decide_fraud_warning"(text, boolean) TO "authenticated";

REVOKE ALL ON FUNCTION "private"."dispute_answer_order"(text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."dispute_evidence"(text) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."dispute_evidence"(text) TO "authenticated";

REVOKE ALL ON FUNCTION "private"."dispute_log"(private.seats) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."dispute_reminder"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."evidence_of"(text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."fee_in_ledger"(public.member_payments) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."in_utc"(timestamp with time zone, text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."invoice"(uuid) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."invoice"(uuid) TO "authenticated";

REVOKE ALL ON FUNCTION "private"."invoice_payment"(public.member_payments, public.vat_settings) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."left_on_card"(public.member_payments) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."make_invoices"(integer) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."make_invoices_in"(interval) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."makes_invoices"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."method_of"(uuid, text, uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."move_earnings"(uuid[], boolean) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."my_country"() FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."my_country"() TO "authenticated";

REVOKE ALL ON FUNCTION "private"."next_invoice_number"(text, boolean) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."open_periods"(uuid[], integer[], timestamp with time zone[]) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."queue_charges"(uuid[]) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."queue_payment_jobs"(text, text[], text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."queue_reconciliation"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."reconciliation_order"(date, text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."record_card"(text, text, text, text, integer, integer, boolean, text, text, text) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."record_card"(text, text, text, text, integer, integer, boolean, text, text, text) TO "service_role";

REVOKE ALL ON FUNCTION "private"."record_charge"(text, text, text, numeric, numeric, boolean, date) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."record_charge"(text, text, text, numeric, numeric, boolean, date) TO "service_role";

REVOKE ALL ON FUNCTION "private"."record_charges"(jsonb) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."record_charges"(jsonb) TO "service_role";

REVOKE ALL ON FUNCTION "private"."record_dispute_answer"(text, text) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."record_dispute_answer"(text, text) TO "service_role";

REVOKE ALL ON FUNCTION "private"."record_fraud_warning"(text, text, text, boolean) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."record_fraud_warning"(text, text, text, boolean) TO "service_role";

REVOKE ALL ON FUNCTION "private"."record_intents"(jsonb) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."record_intents"(jsonb) TO "service_role";

REVOKE ALL ON FUNCTION "private"."record_movements"(date, jsonb, boolean, text) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."record_movements"(date, jsonb, boolean, text) TO "service_role";

REVOKE ALL ON FUNCTION "private"."remind_of_disputes"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."report_payment_provider"(text, text, text, boolean, text[], text) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."report_payment_provider"(text, text, text, boolean, text[], text) TO "service_role";

REVOKE ALL ON FUNCTION "private"."set_country"(text) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."set_country"(text) TO "authenticated";

REVOKE ALL ON FUNCTION "private"."site_differences"(tstzrange, tstzrange) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."staff_person_payouts"(uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."start_charges"(uuid[]) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."statement_of"(uuid, integer) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."tell_first_months"(uuid[]) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."tell_paid"(private.seats, public.member_payments) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."tell_seat"(private.seats, uuid, text, text, text, text, jsonb, boolean, uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."tg_vat_settings__guard"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."turn_all"(uuid[]) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."unreconciled"(date, text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."vat_in"(numeric, numeric) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."vat_rate"(text, date) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."write_invoice"(public.member_payments, public.vat_settings, public.fee_invoices, numeric, boolean) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."yearly_statement"(integer) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."yearly_statement"(integer) TO "authenticated";

REVOKE ALL ON FUNCTION "public"."answer_dispute"(text, text) FROM PUBLIC, anon, authenticated, service_role;

GRANT EXECUTE ON FUNCTION "public"."answer_dispute"(text, text) TO "authenticated";

REVOKE ALL ON FUNCTION "public"."decide_fraud_warning"(text, boolean) FROM PUBLIC, anon, authenticated, service_role;

GRANT EXECUTE ON FUNCTION "public"."decide_fraud_warning"(text, boolean) TO "authenticated";

REVOKE ALL ON FUNCTION "public"."dispute_evidence"(text) FROM PUBLIC, anon, authenticated, service_role;

GRANT EXECUTE ON FUNCTION "public"."dispute_evidence"(text) TO "authenticated";

REVOKE ALL ON FUNCTION "public"."invoice"(uuid) FROM PUBLIC, anon, authenticated, service_role;

GRANT EXECUTE ON FUNCTION "public"."invoice"(uuid) TO "authenticated";

REVOKE ALL ON FUNCTION "public"."my_country"() FROM PUBLIC, anon, authenticated, service_role;

GRANT EXECUTE ON FUNCTION "public"."my_country"() TO "authenticated";

REVOKE ALL ON FUNCTION "public"."record_card"(text, text, text, text, integer, integer, boolean, text, text, text) FROM PUBLIC, anon, authenticated, service_role;

GRANT EXECUTE ON FUNCTION "public"."record_card"(text, text, text, text, integer, integer, boolean, text, text, text) TO "service_role";

REVOKE ALL ON FUNCTION "public"."record_charge"(text, text, text, numeric, numeric, boolean, date) FROM PUBLIC, anon, authenticated, service_role;

GRANT EXECUTE ON FUNCTION "public"."record_charge"(text, text, text, numeric, numeric, boolean, date) TO "service_role";

REVOKE ALL ON FUNCTION "public"."record_charges"(jsonb) FROM PUBLIC, anon, authenticated, service_role;

GRANT EXECUTE ON FUNCTION "public"."record_charges"(jsonb) TO "service_role";

REVOKE ALL ON FUNCTION "public"."record_dispute_answer"(text, text) FROM PUBLIC, anon, authenticated, service_role;

GRANT EXECUTE ON FUNCTION "public"."record_dispute_answer"(text, text) TO "service_role";

REVOKE ALL ON FUNCTION "public"."record_fraud_warning"(text, text, text, boolean) FROM PUBLIC, anon, authenticated, service_role;

GRANT EXECUTE ON FUNCTION "public"."record_fraud_warning"(text, text, text, boolean) TO "service_role";

REVOKE ALL ON FUNCTION "public"."record_intents"(jsonb) FROM PUBLIC, anon, authenticated, service_role;

GRANT EXECUTE ON FUNCTION "public"."record_intents"(jsonb) TO "service_role";

REVOKE ALL ON FUNCTION "public"."record_movements"(date, jsonb, boolean, text) FROM PUBLIC, anon, authenticated, service_role;

GRANT EXECUTE ON FUNCTION "public"."record_movements"(date, jsonb, boolean, text) TO "service_role";

REVOKE ALL ON FUNCTION "public"."report_payment_provider"(text, text, text, boolean, text[], text) FROM PUBLIC, anon, authenticated, service_role;

GRANT EXECUTE ON FUNCTION "public"."report_payment_provider"(text, text, text, boolean, text[], text) TO "service_role";

REVOKE ALL ON FUNCTION "public"."set_country"(text) FROM PUBLIC, anon, authenticated, service_role;

GRANT EXECUTE ON FUNCTION "public"."set_country"(text) TO "authenticated";

REVOKE ALL ON FUNCTION "public"."yearly_statement"(integer) FROM PUBLIC, anon, authenticated, service_role;

GRANT EXECUTE ON FUNCTION "public"."yearly_statement"(integer) TO "authenticated";

REVOKE ALL ("admit_on_debit") ON TABLE "public"."app_settings" FROM "authenticated";

GRANT UPDATE ("admit_on_debit") ON TABLE "public"."app_settings" TO "authenticated";

GRANT SELECT ON TABLE "public"."fee_invoices" TO "authenticated";

GRANT SELECT ON TABLE "public"."fraud_warnings" TO "authenticated";

REVOKE ALL ("kind") ON TABLE "public"."payment_methods" FROM "authenticated";

GRANT SELECT ("kind") ON TABLE "public"."payment_methods" TO "authenticated";

GRANT UPDATE ("country") ON TABLE "public"."vat_settings" TO "authenticated";

GRANT UPDATE ("mode") ON TABLE "public"."vat_settings" TO "authenticated";

GRANT UPDATE ("name") ON TABLE "public"."vat_settings" TO "authenticated";

GRANT UPDATE ("postcode") ON TABLE "public"."vat_settings" TO "authenticated";

GRANT UPDATE ("prefix") ON TABLE "public"."vat_settings" TO "authenticated";

GRANT UPDATE ("sentence") ON TABLE "public"."vat_settings" TO "authenticated";

GRANT UPDATE ("street") ON TABLE "public"."vat_settings" TO "authenticated";

GRANT UPDATE ("town") ON TABLE "public"."vat_settings" TO "authenticated";

GRANT UPDATE ("vat_number") ON TABLE "public"."vat_settings" TO "authenticated";

GRANT SELECT ON TABLE "public"."vat_settings" TO "authenticated";

GRANT ALL ON TABLE "public"."vat_settings" TO "service_role";

CREATE INDEX fee_invoices_buyer_idx ON public.fee_invoices USING btree (buyer_id, issued_at DESC);

CREATE INDEX fee_invoices_newest_idx ON public.fee_invoices USING btree (issued_at DESC, id);

CREATE INDEX fraud_warnings_newest_idx ON public.fraud_warnings USING btree (warned_at DESC, id);
-- To be written by hand: + job invoices
-- To be written by hand: ~ relation private.dispute_evidence
-- To be written by hand: ~ relation private.home_countries
-- To be written by hand: ~ relation private.invoice_series
-- To be written by hand: ~ relation private.invoices_through
-- To be written by hand: ~ relation private.vat_rates
-- To be written by hand: + rows of private.invoices_through
-- To be written by hand: + rows of private.vat_rates
-- To be written by hand: + rows of vat_settings
-- To be written by hand: ~ relation private.dispute_evidence

REVOKE ALL ON TABLE "private"."dispute_evidence" FROM PUBLIC, anon, authenticated, service_role;
-- To be written by hand: + job invoices
-- To be written by hand: ~ relation private.home_countries
-- To be written by hand: ~ relation private.invoice_series
-- To be written by hand: ~ relation private.invoices_through
-- To be written by hand: ~ relation private.vat_rates
-- To be written by hand: + rows of private.invoices_through
-- To be written by hand: + rows of private.vat_rates
-- To be written by hand: + rows of vat_settings

REVOKE ALL ON TABLE "public"."fee_invoices" FROM PUBLIC, anon, authenticated, service_role;
GRANT SELECT ON TABLE "public"."fee_invoices" TO authenticated;
REVOKE ALL ON TABLE "private"."home_countries" FROM PUBLIC, anon, authenticated, service_role;
REVOKE ALL ON TABLE "private"."invoice_series" FROM PUBLIC, anon, authenticated, service_role;
REVOKE ALL ON TABLE "private"."invoices_through" FROM PUBLIC, anon, authenticated, service_role;
REVOKE ALL ON TABLE "private"."vat_rates" FROM PUBLIC, anon, authenticated, service_role;
INSERT INTO "private"."invoices_through" DEFAULT VALUES;
INSERT INTO "public"."vat_settings" DEFAULT VALUES;
INSERT INTO "private"."vat_rates" ("country", "valid_from", "rate")
SELECT country, '2026-01-01', percent / 100 FROM (VALUES
  ('AT', 20), ('BE', 21), ('BG', 20), ('CY', 19), ('CZ', 21), ('DE', 19), ('DK', 25), ('EE', 24), ('ES', 21),
  ('FI', 25.5), ('FR', 20), ('GR', 24), ('HR', 25), ('HU', 27), ('IE', 23), ('IT', 22), ('LT', 21), ('LU', 17),
  ('LV', 21), ('MT', 18), ('NL', 21), ('PL', 23), ('PT', 23), ('RO', 21), ('SE', 25), ('SI', 22), ('SK', 23)
) AS standard (country, percent);
SELECT cron.schedule('invoices', '10 seconds', 'select private.make_invoices_in(''1 second'')');
