set local check_function_bodies = off;

DROP TRIGGER "note_facts" ON "public"."member_payments";

DROP TRIGGER "push" ON "public"."user_notifications";

DROP INDEX "public"."member_payments_open_idx";

ALTER TABLE "private"."vault_openings" DROP CONSTRAINT "vault_openings_kind_check";

DROP FUNCTION "private"."lock_seat_of"(uuid);

DROP FUNCTION "private"."mail_page"(jsonb, text);

DROP FUNCTION "private"."makes_invoices"();

DROP FUNCTION "private"."record_charge"(text, text, text, numeric, numeric, boolean, date);

DROP FUNCTION "private"."take_from_account"(public.payment_disputes, public.member_payments, numeric);

DROP FUNCTION "private"."take_returned"(uuid, text, numeric);

DROP FUNCTION "private"."tell_paid"(private.seats, public.member_payments);

DROP FUNCTION "public"."record_charge"(text, text, text, numeric, numeric, boolean, date);

ALTER TABLE "private"."charges" SET (fillfactor=60);

CREATE TABLE "private"."closed_buyers" ("payment_id" uuid NOT NULL, "name" text NOT NULL, "evidence" jsonb NOT NULL, CONSTRAINT "closed_buyers_pkey" PRIMARY KEY (payment_id));

ALTER TABLE "private"."closed_buyers" ENABLE ROW LEVEL SECURITY;

CREATE TABLE "private"."invoice_spans" ("since" timestamp with time zone NOT NULL, "until" timestamp with time zone NOT NULL, "mode" text NOT NULL, CONSTRAINT "invoice_spans_pkey" PRIMARY KEY (since));

ALTER TABLE "private"."invoice_spans" ENABLE ROW LEVEL SECURITY;

ALTER TABLE "private"."ledger_accounts" SET (fillfactor=70);

CREATE TABLE "private"."tax_details" ("id" uuid NOT NULL, "user_id" uuid NOT NULL, "version" integer NOT NULL, "country" text NOT NULL, "sealed" text NOT NULL, CONSTRAINT "tax_details_country_check" CHECK ((country ~ '^[A-Z]{2}$'::text)), CONSTRAINT "tax_details_pkey" PRIMARY KEY (id), CONSTRAINT "tax_details_sealed_check" CHECK (((char_length(sealed) >= 1) AND (char_length(sealed) <= 8000))), CONSTRAINT "tax_details_user_id_version_key" UNIQUE (user_id, version), CONSTRAINT "tax_details_version_check" CHECK ((version > 0)), "created_at" timestamp with time zone NOT NULL DEFAULT private.now());

ALTER TABLE "private"."tax_details" ENABLE ROW LEVEL SECURITY;

CREATE TABLE "private"."tax_questions" ("user_id" uuid NOT NULL, "times" integer NOT NULL DEFAULT 1, CONSTRAINT "tax_questions_pkey" PRIMARY KEY (user_id), "first_at" timestamp with time zone NOT NULL DEFAULT private.now(), "last_at" timestamp with time zone NOT NULL DEFAULT private.now());

ALTER TABLE "private"."tax_questions" ENABLE ROW LEVEL SECURITY;

CREATE TABLE "private"."tax_report_entries" ("report_id" bigint NOT NULL, "user_id" uuid NOT NULL, "document" text NOT NULL, "corrects" text, "is_deletion" boolean NOT NULL DEFAULT false, "figures" jsonb NOT NULL, "details_id" uuid, "bank_account_id" uuid, CONSTRAINT "tax_report_entries_document_key" UNIQUE (document), CONSTRAINT "tax_report_entries_pkey" PRIMARY KEY (report_id, user_id));

ALTER TABLE "private"."tax_report_entries" ENABLE ROW LEVEL SECURITY;

CREATE TABLE "private"."tax_reports" ("id" bigint GENERATED ALWAYS AS IDENTITY NOT NULL, "year" integer NOT NULL, "kind" text NOT NULL, "reference" text NOT NULL, "operator" jsonb NOT NULL, "operator_document" text NOT NULL, "operator_way" text NOT NULL, "operator_corrects" text, "created_by" uuid NOT NULL, "voided_at" timestamp with time zone, "voided_by" uuid, "void_reason" text, CONSTRAINT "tax_reports_kind_check" CHECK ((kind = ANY (ARRAY['new'::text, 'correction'::text, 'nothing'::text]))), CONSTRAINT "tax_reports_operator_way_check" CHECK ((operator_way = ANY (ARRAY['new'::text, 'repeated'::text, 'corrected'::text]))), CONSTRAINT "tax_reports_pkey" PRIMARY KEY (id), CONSTRAINT "tax_reports_reference_key" UNIQUE (reference), CONSTRAINT "tax_reports_void_reason_check" CHECK ((char_length(void_reason) <= 500)), "made_at" timestamp with time zone NOT NULL DEFAULT private.now());

ALTER TABLE "private"."tax_reports" ENABLE ROW LEVEL SECURITY;

ALTER TABLE "public"."member_payments" SET (fillfactor=70);

CREATE TABLE "public"."tax_settings" ("id" boolean NOT NULL DEFAULT true, "is_on" boolean NOT NULL DEFAULT false, "first_year" integer NOT NULL DEFAULT EXTRACT(year FROM now()), "activity" text, "country" text, "nexus" text, "tax_number" text, "platform" text, "reports_fee" boolean NOT NULL DEFAULT true, CONSTRAINT "tax_settings_activity_check" CHECK ((activity = ANY (ARRAY['personal-services'::text, 'sale-of-goods'::text]))), CONSTRAINT "tax_settings_country_check" CHECK ((country ~ '^[A-Z]{2}$'::text)), CONSTRAINT "tax_settings_first_year_check" CHECK (((first_year >= 2023) AND (first_year <= 2200))), CONSTRAINT "tax_settings_id_check" CHECK (id), CONSTRAINT "tax_settings_nexus_check" CHECK ((nexus = ANY (ARRAY['RPONEX1'::text, 'RPONEX2'::text, 'RPONEX3'::text, 'RPONEX4'::text, 'RPONEX5'::text]))), CONSTRAINT "tax_settings_pkey" PRIMARY KEY (id), CONSTRAINT "tax_settings_platform_check" CHECK (((char_length(platform) >= 1) AND (char_length(platform) <= 200))), CONSTRAINT "tax_settings_tax_number_check" CHECK (((char_length(tax_number) >= 1) AND (char_length(tax_number) <= 50))));

REVOKE ALL ON TABLE "public"."tax_settings" FROM PUBLIC, anon, authenticated, service_role;

ALTER TABLE "public"."tax_settings" ENABLE ROW LEVEL SECURITY;

ALTER TABLE "private"."account_reversals" ADD COLUMN "warning_id" text;

ALTER TABLE "private"."account_reversals" ADD COLUMN "refund_id" uuid;

ALTER TABLE "private"."account_reversals" ALTER COLUMN "dispute_id" DROP NOT NULL;

CREATE TYPE "private"."mailing" AS ("id" uuid, "about" text[], "action" text, "path" text);

CREATE TYPE "private"."news" AS ("seat" private.seats, "user_id" uuid, "type" text, "event" text, "title" text, "message" text, "params" jsonb, "mails" boolean, "invoiced" uuid);

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
    when private.has_own_account(p_user_id) then private.moving_refusal(p_user_id)
    when v_coins >= private.least_withdrawal()
      then format('You still have %s coins. Add a bank account so we can pay them out.', v_coins)
    when not p_give_up_coins
      then format('You still have %s coins. Add a bank account so we can pay them out, or give them up.', v_coins)
  end;
end $function$;

CREATE OR REPLACE FUNCTION private.adopt_refund(p_payment_id uuid, p_reference text, p_amount numeric)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_seat uuid := (select seat_id from public.member_payments where id = p_payment_id);
  v_rest numeric := p_amount;
  v_refund private.refunds;
  v_id uuid;
begin
  perform private.lock_place(v_seat);
  perform private.lock_held_money(array[v_seat], array['outside', 'refunds_due', 'fees', 'guarantee']);
  -- Told twice at once.
  if exists (select from private.refunds where reference = p_reference) then return; end if;
  for v_refund in select * from private.refunds where payment_id = p_payment_id and status = 'queued' order by created_at loop
    if v_refund.amount <= v_rest then
      delete from private.payment_jobs where kind = 'refund' and about = v_refund.id::text;
      delete from private.refunds where id = v_refund.id;
    else
      update private.refunds set amount = amount - v_rest where id = v_refund.id and v_rest > 0;
    end if;
    v_rest := greatest(0, v_rest - v_refund.amount);
  end loop;
  insert into private.refunds (payment_id, amount, status, reference) values (p_payment_id, p_amount, 'pending', p_reference)
  returning id into v_id;
  if v_rest > 0 then
    perform private.take_returned(p_payment_id, v_id, p_reference, v_rest);
  end if;
end $function$;

CREATE OR REPLACE FUNCTION private.ask_for_tax_details()
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare v_user uuid;
begin
  if (select is_on from public.tax_settings) then
    for v_user in
      insert into private.tax_questions as q (user_id)
      select distinct s.user_id from generate_series((select first_year from public.tax_settings),
        extract(year from private.now() at time zone 'utc')::integer) as y (year)
      cross join lateral private.tax_sellers(y.year) as s
      join public.user_profiles as p on p.user_id = s.user_id and p.deleted_at is null
      where s.state = 'missing'
      on conflict (user_id) do update set times = q.times + 1, last_at = private.now()
      where q.times < 3 and q.last_at <= private.now() - private.tax_reminder_after()
      returning q.user_id
    loop
      perform private.mail_notification(private.notify(v_user, 'warning', 'Tax Details Needed',
        'The law has us report to the tax office what you earn here. Please tell us who you are and your tax number.', null,
        'tax-details-wanted', '{}'), '{}', 'Give your tax details', '/account-settings/money');
    end loop;
  end if;
  delete from private.tax_details as d where make_timestamptz(extract(year from (
      select max(e.created_at) from private.ledger_accounts as a join private.ledger_entries as e on e.account_id = a.id
      join private.ledger_transfers as t on t.id = e.transfer_id and t.kind = 'earning'
      where a.owner = d.user_id and a.kind in ('wallet', 'connected')) at time zone 'utc')::integer + 1, 1, 1, 0, 0, 0, 'UTC')
    + private.tax_details_time() < private.now();
  delete from private.vault_keys as k using public.user_profiles as p where p.user_id = k.person_id and p.deleted_at is not null
    and not private.needs_vault_key(k.person_id);
end $function$;

CREATE OR REPLACE FUNCTION private.asks_tax_details(p_user_id uuid)
 RETURNS boolean
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  return (select is_on from public.tax_settings) and exists (select from private.tax_questions where user_id = p_user_id);
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
  from public.user_profiles as u left join private.closed_buyers as kept on kept.payment_id = p_payment.id
  where u.user_id = p_payment.member_id
$function$;

CREATE OR REPLACE FUNCTION private.call_back_mail(p_about text)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
 SET enable_seqscan TO 'off'
 SET jit TO 'off'
AS $function$
begin
  -- A locked mail is being dropped or handed out elsewhere; waiting for it could deadlock.
  delete from private.outgoing_mail where id in (
    select id from private.outgoing_mail
    where about @> array[p_about] and sent_at is null and given_up_at is null
    for update skip locked
  );
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
        where t.key = any (private.keys_on_top(m.id)) and (s.line <= (select line from private.invoices_through)) is not true)
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

CREATE OR REPLACE FUNCTION private.contract_terms(p_seat private.seats, p_period public.member_payments)
 RETURNS jsonb
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if p_period.number > 1 or not private.may_withdraw(p_seat) then return null; end if;
  return jsonb_build_object('asked', p_seat.begins_at_once_at is not null, 'at', p_seat.begins_at_once_at, 'until', private.withdrawable_until(p_seat));
end $function$;

CREATE OR REPLACE FUNCTION private.countries()
 RETURNS text[]
 LANGUAGE sql
 IMMUTABLE
 SET search_path TO ''
AS $function$ select string_to_array('AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT BV BW BY BZ CA CC CD '
    || 'CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE EG EH ER ES ET FI FJ FK FM FO FR GA GB GD GE GF '
    || 'GG GH GI GL GM GN GP GQ GR GS GT GU GW GY HK HM HN HR HT HU ID IE IL IM IN IO IQ IR IS IT JE JM JO JP KE KG KH KI KM KN '
    || 'KP KR KW KY KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME MF MG MH MK ML MM MN MO MP MQ MR MS MT MU MV MW MX MY MZ NA '
    || 'NC NE NF NG NI NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM PN PR PS PT PW PY QA RE RO RS RU RW SA SB SC SD SE SG SH SI '
    || 'SJ SK SL SM SN SO SR SS ST SV SX SY SZ TC TD TF TG TH TJ TK TL TM TN TO TR TT TV TW TZ UA UG UM US UY UZ VA VC VE VG VI '
    || 'VN VU WF WS YE YT ZA ZM ZW', ' ') $function$;

CREATE OR REPLACE FUNCTION private.current_tax_details(p_user_id uuid)
 RETURNS private.tax_details
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  return (select d from private.tax_details as d where user_id = p_user_id order by version desc limit 1);
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
      'creditor', v_creditor, 'admitted', coalesce(to_jsonb(case v_terms ->> 'asked' when 'true' then 'asked' when 'false' then 'unasked' end), to_jsonb(v_is_in))));
  if v_is_new and v_seat.admitted_at is not null then
    perform private.tell_seat(v_seat, v_seat.owner_id, 'success', 'member-debited', 'New Member',
      format(case when v_seat.access_given_at is null then '%s’s bank is being debited for %s. Give them access within %s hours.'
        else '%s’s bank is being debited for %s.' end, (select display_name from public.user_profiles where user_id = v_seat.member_id),
        v_period.plan_name, private.hours(private.access_time())),
      jsonb_build_object('hours', private.hours(private.access_time()), 'given', v_seat.access_given_at is not null));
  end if;
end $function$;

CREATE OR REPLACE FUNCTION private.debit_earnings_wait()
 RETURNS interval
 LANGUAGE sql
 IMMUTABLE
RETURN '56 days'::interval;

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
    perform private.return_from_guarantee(v_period, v_all - v_share - v_fee - v_account);
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

CREATE OR REPLACE FUNCTION private.dispute_log(p_seat private.seats)
 RETURNS text
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  with line (at, said) as (
    select u.created_at, 'The customer created an account, agreeing to the terms and the privacy notice linked there, as they were that day.'
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

CREATE OR REPLACE FUNCTION private.end_mandate(p_method text)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare v_method public.payment_methods;
begin
  delete from public.payment_methods where reference = p_method and provider = (select provider from private.payment_provider)
  returning * into v_method;
  if not found then return; end if;
  perform private.mail_notification(private.notify(v_method.user_id, 'warning', 'Add Another Way to Pay',
    format('Your bank account ending in %s can’t be debited any more, because its mandate has ended. Add a card or account to keep your places.',
      v_method.last4), null, 'payment-mandate-ended', jsonb_build_object('account', coalesce(v_method.last4, ''))),
    '{}', 'Add a way to pay', '/cards');
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
      || 'the customer may withdraw from the contract within %s days of joining, without a reason, by a button on the site. %sTime for which access '
      || 'did not work is given back without asking.',
      (select private.in_utc(created_at, '", on "YYYY-MM-DD') from auth.users where id = v_dispute.member_id),
      private.in_utc(private.now(), 'YYYY-MM-DD'), extract(day from private.withdrawal_period()), case when v_seat.begins_at_once_at is null then ''
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
    least(coalesce(-sum(amount) filter (where kind <> 'chargeback-won' and id > paid_through), 0)
        + (select coalesce(sum(amount), 0) from private.ledger_transfers where key = any (private.keys_on_top(p_payment.id))),
      coalesce(sum(amount) filter (where kind = 'chargeback-won' or id <= paid_through), 0))
  from (
    select t.id, t.kind, e.amount, max(t.id) filter (where t.kind = 'payment') over () as paid_through
    from private.ledger_accounts as a join private.ledger_entries as e on e.account_id = a.id
    join private.ledger_transfers as t on t.id = e.transfer_id
    where a.kind = 'held_fee' and a.owner = p_payment.seat_id and t.period_id = p_payment.id and t.kind <> 'fee'
  ) as movement
$function$;

CREATE OR REPLACE FUNCTION private.has_records(p_user_id uuid)
 RETURNS boolean
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  return exists (select from public.coin_transactions where p_user_id in (user_id, created_by))
    or exists (select from public.withdrawal_requests where p_user_id in (user_id, processed_by, completed_by, returned_by))
    or exists (select from private.payout_files where p_user_id in (created_by, voided_by))
    or exists (select from private.tax_reports where p_user_id in (created_by, voided_by))
    or exists (select from private.tax_report_entries where user_id = p_user_id)
    or exists (select from private.vault_openings where opened_by = p_user_id)
    or exists (select from public.problem_statements where person_id = p_user_id)
    or exists (select from private.connected_accounts where user_id = p_user_id)
    or exists (select from private.seats where p_user_id in (member_id, owner_id, ended_by));
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
  p_settings.mode := private.vat_mode_at(p_payment.paid_at);
  if v_made.charged = 0 and p_settings.mode is null then return; end if;
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
RETURN COALESCE((p_event = ANY (ARRAY['renewal-coming'::text, 'payment-debit-coming'::text, 'payment-under-way'::text, 'contract-made'::text, 'contract-withdrawn'::text])), false);

CREATE OR REPLACE FUNCTION private.is_member_state(p_country text)
 RETURNS boolean
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  return exists (select from private.vat_rates where country = p_country);
end $function$;

CREATE OR REPLACE FUNCTION private.is_movement(p_kind text, p_from text, p_to text)
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE
RETURN CASE p_kind WHEN 'payment'::text THEN (((p_from = ANY (ARRAY['outside'::text, 'wallet'::text])) AND (p_to = ANY (ARRAY['held_share'::text, 'held_fee'::text]))) OR ((p_from = 'outside'::text) AND (p_to = 'refunds_due'::text))) WHEN 'payment-returned'::text THEN ((p_from = ANY (ARRAY['held_share'::text, 'held_fee'::text])) AND (p_to = 'wallet'::text)) WHEN 'earning'::text THEN ((p_from = 'held_share'::text) AND (p_to = ANY (ARRAY['wallet'::text, 'connected'::text]))) WHEN 'fee'::text THEN ((p_from = 'held_fee'::text) AND (p_to = 'fees'::text)) WHEN 'refund'::text THEN (((p_from = ANY (ARRAY['held_share'::text, 'held_fee'::text])) AND (p_to = ANY (ARRAY['refunds_due'::text, 'wallet'::text]))) OR ((p_from = 'guarantee'::text) AND (p_to = ANY (ARRAY['refunds_due'::text, 'wallet'::text]))) OR ((p_from = 'connected'::text) AND (p_to = 'refunds_due'::text))) WHEN 'refund-sent'::text THEN ((p_from = 'refunds_due'::text) AND (p_to = 'outside'::text)) WHEN 'refund-failed'::text THEN (((p_from = ANY (ARRAY['refunds_due'::text, 'outside'::text])) AND (p_to = ANY (ARRAY['wallet'::text, 'guarantee'::text]))) OR ((p_from = 'outside'::text) AND (p_to = 'refunds_due'::text))) WHEN 'withdrawal'::text THEN ((p_from = 'wallet'::text) AND (p_to = 'outside'::text)) WHEN 'withdrawal-returned'::text THEN ((p_from = 'outside'::text) AND (p_to = 'wallet'::text)) WHEN 'adjustment'::text THEN (((p_from = 'adjustments'::text) AND (p_to = 'wallet'::text)) OR ((p_from = 'wallet'::text) AND (p_to = 'adjustments'::text))) WHEN 'chargeback'::text THEN ((p_from = ANY (ARRAY['held_share'::text, 'held_fee'::text, 'wallet'::text, 'connected'::text, 'guarantee'::text, 'refunds_due'::text])) AND (p_to = 'outside'::text)) WHEN 'chargeback-won'::text THEN ((p_from = 'outside'::text) AND (p_to = ANY (ARRAY['held_share'::text, 'held_fee'::text, 'wallet'::text, 'connected'::text, 'guarantee'::text]))) WHEN 'given-up'::text THEN ((p_from = 'wallet'::text) AND (p_to = 'adjustments'::text)) WHEN 'handed-over'::text THEN ((p_from = 'wallet'::text) AND (p_to = 'wallet'::text)) WHEN 'cost'::text THEN (((p_from = 'costs'::text) AND (p_to = 'outside'::text)) OR ((p_from = 'outside'::text) AND (p_to = 'costs'::text))) WHEN 'account'::text THEN ((p_from = 'wallet'::text) AND (p_to = 'connected'::text)) WHEN 'account-failed'::text THEN ((p_from = 'connected'::text) AND (p_to = 'wallet'::text)) WHEN 'payout'::text THEN (((p_from = 'connected'::text) AND (p_to = 'outside'::text)) OR ((p_from = 'outside'::text) AND (p_to = 'connected'::text))) WHEN 'payout-failed'::text THEN (((p_from = 'outside'::text) AND (p_to = 'connected'::text)) OR ((p_from = 'connected'::text) AND (p_to = 'outside'::text))) ELSE false END;

CREATE OR REPLACE FUNCTION private.keep_buyer(p_user_id uuid)
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
  insert into private.closed_buyers (payment_id, name, evidence)
  select m.id, buyer.name, buyer.evidence from public.member_payments as m cross join lateral private.buyer_of(m) as buyer
  where m.member_id = p_user_id and m.fee > 0 and private.vat_mode_at(m.paid_at) is not null
    and not exists (select from public.fee_invoices where payment_id = m.id)
$function$;

CREATE OR REPLACE FUNCTION private.keep_plans(p_subscription_ids text[])
 RETURNS text[]
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
 SET lock_timeout TO '50ms'
AS $function$
begin
  return array(select id from public.shared_subscriptions where id = any (p_subscription_ids) for key share skip locked);
exception when lock_not_available then
  return array(select id from unnest(p_subscription_ids) as id where (private.keep_plan(id)).id is not null);
end $function$;

CREATE OR REPLACE FUNCTION private.key_begins(p_kind text, p_period uuid, p_person uuid, p_intent text)
 RETURNS text[]
 LANGUAGE sql
 IMMUTABLE
RETURN CASE p_kind WHEN 'payment'::text THEN ARRAY[('charge:'::text || p_intent), (('coins:'::text || p_intent) || ':'::text), (('coins:'::text || p_period) || ':'::text)] WHEN 'earning'::text THEN ARRAY[(('earn:'::text || p_period) || ':'::text)] WHEN 'fee'::text THEN ARRAY[(('fee:'::text || p_period) || ':'::text)] WHEN 'payment-returned'::text THEN ARRAY[(('back:'::text || p_period) || ':'::text)] WHEN 'refund'::text THEN ARRAY[(('back:'::text || p_period) || ':'::text), (('withdrawn:'::text || p_period) || ':'::text), 'by-hand:'::text, (('warned:'::text || p_period) || ':'::text)] WHEN 'cost'::text THEN ARRAY[('cost:'::text || p_intent), 'dispute-cost:'::text] WHEN 'given-up'::text THEN ARRAY[('given-up:'::text || p_person)] WHEN 'chargeback'::text THEN ARRAY['dispute:'::text] WHEN 'chargeback-won'::text THEN ARRAY['dispute-won:'::text] ELSE ARRAY[(p_kind || ':'::text), 'refund:'::text] END;

CREATE OR REPLACE FUNCTION private.keys_on_top(p_period uuid)
 RETURNS text[]
 LANGUAGE sql
 IMMUTABLE
RETURN ARRAY[(('withdrawn:'::text || (p_period)::text) || ':refunds_due'::text), (('withdrawn:'::text || (p_period)::text) || ':wallet'::text)];

CREATE OR REPLACE FUNCTION private.last_tax_report(p_year integer)
 RETURNS bigint
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select max(id) from private.tax_reports where year = p_year and voided_at is null
$function$;

CREATE OR REPLACE FUNCTION private.least_reported_sales()
 RETURNS integer
 LANGUAGE sql
 IMMUTABLE
RETURN 30;

CREATE OR REPLACE FUNCTION private.list_tax_reports()
 RETURNS TABLE(id bigint, year integer, kind text, reference text, sellers bigint, made_at timestamp with time zone, created_by_name text, voided_at timestamp with time zone, void_reason text, may_void boolean)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform private.require_treasurer();
  return query
    select r.id, r.year, r.kind, r.reference, (select count(*) from private.tax_report_entries as e where e.report_id = r.id), r.made_at,
      p.display_name, r.voided_at, r.void_reason, r.id = private.last_tax_report(r.year)
    from private.tax_reports as r left join public.user_profiles as p on p.user_id = r.created_by order by r.id desc;
end $function$;

CREATE OR REPLACE FUNCTION private.list_tax_sellers(p_year integer)
 RETURNS TABLE(user_id uuid, name text, is_closed boolean, figures jsonb, consideration numeric, activities bigint, state text, asked_at timestamp with time zone, asked_times integer, change text)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform private.require_treasurer();
  return query
    select s.user_id, coalesce(p.full_name, p.display_name), p.deleted_at is not null, s.figures, s.consideration, s.activities, s.state,
      q.first_at, q.times, c.way
    from private.tax_sellers(p_year) as s join public.user_profiles as p on p.user_id = s.user_id
    left join private.tax_questions as q on q.user_id = s.user_id
    left join private.tax_changes(p_year) as c on c.user_id = s.user_id
    order by s.consideration desc, s.user_id;
end $function$;

CREATE OR REPLACE FUNCTION private.lock_seat_of(p_period_id uuid, p_site text[] DEFAULT '{fees,refunds_due}'::text[])
 RETURNS private.seats
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare v_seat private.seats;
begin
  v_seat := private.lock_seat((select seat_id from public.member_payments where id = p_period_id));
  perform private.lock_held_money(array[v_seat.id], p_site);
  return v_seat;
end $function$;

CREATE OR REPLACE FUNCTION private.mail_notification(p_notification_id uuid, p_about text[], p_action text, p_path text)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform private.mail_notifications(array[(p_notification_id, p_about, p_action, p_path)::private.mailing]);
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

CREATE OR REPLACE FUNCTION private.mail_subject(p_text text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE
RETURN "left"(regexp_replace(p_text, '[[:cntrl:]]+'::text, ' '::text, 'g'::text), 200);

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
  if v_settings.mode = 'off' then
    -- There may still be something to make of the last time that it was on.
    v_settings.mode := (select mode from private.invoice_spans order by since desc limit 1);
  end if;
  if v_through <= v_from or (v_settings.mode is not null and not private.can_invoice(v_settings)) then
    return 0;
  elsif v_settings.mode is null and not exists (select from public.fee_invoices) then
    -- There is nothing to look for.
    update private.invoices_through set line = v_end;
    return 0;
  end if;
  for v_payment in
    select * from public.member_payments where paid_at is not null and id in (
      select t.period_id from private.ledger_seals as s join private.ledger_transfers as t on t.id = s.transfer_id
      join private.ledger_accounts as a on a.id in (t.from_account, t.to_account) and a.kind in ('held_fee', 'guarantee')
      where s.line > v_from and s.line <= v_through and t.kind <> 'fee'
    ) order by paid_at, id
  loop
    perform private.invoice_payment(v_payment, v_settings);
  end loop;
  delete from private.closed_buyers where payment_id in (select payment_id from public.fee_invoices);
  update private.invoices_through set line = v_through;
  return v_through - v_from;
end $function$;

CREATE OR REPLACE FUNCTION private.make_tax_report(p_year integer, p_kind text)
 RETURNS bigint
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_user uuid := private.require_treasurer();
  v_state jsonb := private.tax_report_state();
  v_before private.tax_reports;
  v_new private.tax_reports;
  v_begins text;
begin
  -- One after the other: each names what the one before has said.
  perform pg_advisory_xact_lock(hashtext('tax report'));
  select * into v_before from private.tax_reports where id = private.last_tax_report(p_year);
  v_new.operator := private.tax_operator();
  v_begins := (v_new.operator ->> 'country') || p_year;
  if not (v_state ->> 'is_on')::boolean or not (v_state ->> 'complete')::boolean then
    raise exception 'First say in the settings who reports, what and where' using errcode = '23514';
  elsif (p_year >= (v_state ->> 'first_year')::integer and p_year < (v_state ->> 'this_year')::integer) is not true then
    raise exception 'A year is reported once it is over, from % on', v_state ->> 'first_year' using errcode = '23514';
  elsif p_kind = 'nothing' and (v_before.id is not null
    or exists (select from private.tax_sellers(p_year) where state in ('ready', 'missing'))) then
    raise exception 'There is something to report' using errcode = '23514';
  end if;
  v_new.operator_way := case when v_before.id is null then 'new' when p_kind = 'correction' and v_before.operator <> v_new.operator
    then 'corrected' else 'repeated' end;
  -- New owners cannot come with a correction of the operator: it is sent with the next correction.
  v_new.operator := case v_new.operator_way when 'repeated' then v_before.operator else v_new.operator end;
  v_new.operator_document := case v_new.operator_way when 'repeated' then v_before.operator_document else v_begins || '-' || gen_random_uuid() end;
  v_new.operator_corrects := case v_new.operator_way when 'corrected' then v_before.operator_document end;
  insert into private.tax_reports (year, kind, reference, operator, operator_document, operator_way, operator_corrects, created_by)
  values (p_year, p_kind, v_begins || (private.tax_operator() ->> 'country') || '-' || gen_random_uuid(), v_new.operator,
    v_new.operator_document, v_new.operator_way, v_new.operator_corrects, v_user) returning * into v_new;
  insert into private.tax_report_entries (report_id, user_id, document, corrects, is_deletion, figures, details_id, bank_account_id)
  select v_new.id, c.user_id, v_begins || '-' || gen_random_uuid(), c.corrects, c.way = 'deleted', c.figures, c.details_id, c.bank_account_id
  from private.tax_changes(p_year) as c where (c.way = 'new') = (p_kind = 'new') and p_kind <> 'nothing';
  if not found and p_kind <> 'nothing' and v_new.operator_way <> 'corrected' then
    raise exception 'There is nothing of this kind to report' using errcode = '23514';
  end if;
  perform private.log_staff('tax report made', v_new.reference, jsonb_build_object('year', p_year, 'type', p_kind));
  return v_new.id;
end $function$;

CREATE OR REPLACE FUNCTION private.most_unreported_euros()
 RETURNS numeric
 LANGUAGE sql
 IMMUTABLE
RETURN 2000;

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
  v_coins := private.available_coins(v_user);
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

CREATE OR REPLACE FUNCTION private.moving_refusal(p_user_id uuid)
 RETURNS text
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare v_until timestamptz := private.withdrawals_wait_until(p_user_id);
begin
  return case when v_until = 'infinity' then 'A payment to you is disputed, so your coins wait until that’s settled'
    when v_until > private.now() then format('Your coins wait until %s, as a bank may take back the first payments to you',
      to_char(v_until, 'FMDD FMMonth YYYY')) end;
end $function$;

CREATE OR REPLACE FUNCTION private.my_country()
 RETURNS jsonb
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare v_user uuid := private.require_user();
begin
  return jsonb_build_object('country', (select country from private.home_countries where user_id = v_user),
    'asked', (select mode in ('home', 'oss') from public.vat_settings),
    'pays', exists (select from private.seats where member_id = v_user and settlement = 'potluck' and ended_at is null));
end $function$;

CREATE OR REPLACE FUNCTION private.my_payouts()
 RETURNS jsonb
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_user uuid := private.require_user();
  v_balance numeric := coalesce((select balance from private.ledger_accounts where kind = 'connected' and owner = v_user), 0);
  v_coming numeric := coalesce((select sum(amount) from private.account_transfers where user_id = v_user and status = 'queued'), 0);
begin
  return jsonb_build_object(
    'uses', private.uses_accounts(),
    'account', (select jsonb_build_object('canReceive', can_receive, 'canPayOut', can_pay_out, 'asked', to_jsonb(asked), 'askedBy', asked_by)
      from private.connected_accounts where user_id = v_user),
    'coinsWaitUntil', (select until from private.withdrawals_wait_until(v_user) as until where until > private.now()),
    'coming', v_coming, 'there', greatest(0, v_balance - v_coming), 'owed', greatest(0, v_coming - v_balance),
    'transfers', coalesce((select jsonb_agg(to_jsonb(last)) from (
      select t.id, t.created_at as at, t.amount, t.status, m.plan_name as plan, t.dispute_id is not null as is_back,
        (select sum(r.amount) from private.account_reversals as r where r.transfer_id = t.id and r.status <> 'void') as taken
      from private.account_transfers as t left join public.member_payments as m on m.id = t.payment_id
      where t.user_id = v_user order by t.created_at desc, t.id limit 20) as last), '[]'),
    'payouts', coalesce((select jsonb_agg(to_jsonb(last)) from (
      select p.id, p.created_at as at, p.amount, p.status, p.arrives_on from private.account_payouts as p
      where p.user_id = v_user order by p.created_at desc, p.id limit 20) as last), '[]'));
end $function$;

CREATE OR REPLACE FUNCTION private.my_tax_details()
 RETURNS jsonb
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare v_user uuid := private.require_user();
begin
  return jsonb_build_object('asked', private.asks_tax_details(v_user), 'given_at', (private.current_tax_details(v_user)).created_at);
end $function$;

CREATE OR REPLACE FUNCTION private.needs_vault_key(p_user_id uuid)
 RETURNS boolean
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  return private.is_closed(p_user_id) or exists (select from private.tax_details where user_id = p_user_id);
end $function$;

CREATE OR REPLACE FUNCTION private.next_invoice_number(p_prefix text, p_is_credit_note boolean)
 RETURNS text
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  -- A letter before the year could be one of another prefix.
  v_series text := p_prefix || to_char(private.now() at time zone 'utc', 'YYYY') || case when p_is_credit_note then 'C-' else '-' end;
  v_last text;
begin
  insert into private.invoice_series as s (name, last) values (v_series, 1)
  on conflict (name) do update set last = s.last + 1 returning last into v_last;
  return v_series || lpad(v_last, greatest(6, char_length(v_last)), '0');
end $function$;

CREATE OR REPLACE FUNCTION private.next_step(p_seat_id uuid, OUT at timestamp with time zone, OUT step text, OUT period_id uuid)
 RETURNS record
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  select next.at, next.step, next.period_id into at, step, period_id from private.next_steps(array[p_seat_id]) as next;
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
  select given.id, coalesce(problem.due_at, next.at), case when problem.id is null then next.step else 'problem' end,
    coalesce(problem.id, next.id)
  from unnest(p_seat_ids) as given (id)
  left join lateral (
    select p.id, p.due_at from public.seat_problems as p where p.seat_id = given.id and p.status <> 'closed' limit 1
  ) as problem on true
  left join lateral (
    with newest as (select * from public.member_payments where seat_id = given.id order by number desc limit 1),
    open as (
      select * from public.member_payments
      where seat_id = given.id and status in ('due', 'claimed', 'charging', 'processing', 'needs-action', 'failed', 'paid')
    )
    select todo.at, todo.step, todo.id from (
      -- The period is over: the seat ends with it, or the next one begins.
      select n.ends_at, 'turn', n.id from newest as n
      where n.ends_at is not null and (n.settlement = 'direct' or n.status in ('paid', 'closed', 'given-back', 'cancelled'))
      union all
      select coalesce(o.earned_until, o.starts_at) + private.earning_step(), 'earn', o.id from open as o
      where o.settlement = 'potluck' and o.status = 'paid' and coalesce(o.earned_until, o.starts_at) + private.earning_step() < o.ends_at
      union all
      select n.ends_at - private.renewal_notice(), 'announce', n.id from newest as n, private.seats as s
      where s.id = given.id and s.settlement = 'potluck' and s.ends_at is null and n.status = 'paid' and n.announced_at is null
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
      where s.id = given.id and s.access_given_at is null
      union all
      select o.due_at + (private.direct_reminders())[o.reminders + 1], 'remind', o.id from open as o
      where o.settlement = 'direct' and o.status = 'due' and o.reminders < cardinality(private.direct_reminders())
        and private.says_how_to_pay(o.owner_id)
    ) as todo (at, step, id)
    where todo.at is not null and exists (select from private.seats where id = given.id and ended_at is null)
    order by todo.at, todo.step = 'turn' limit 1
  ) as next on problem.id is null;
end $function$;

CREATE OR REPLACE FUNCTION private.notice(p_user_id uuid, p_type text, p_title text, p_message text, p_subscription_id text, p_event text DEFAULT NULL::text, p_params jsonb DEFAULT '{}'::jsonb)
 RETURNS public.user_notifications
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare v_notice public.user_notifications;
begin
  v_notice.id := gen_random_uuid();
  v_notice.user_id := p_user_id;
  v_notice.type := p_type;
  v_notice.title := p_title;
  v_notice.message := p_message;
  v_notice.read := false;
  v_notice.subscription_id := p_subscription_id;
  v_notice.created_at := clock_timestamp();
  v_notice.event := p_event;
  v_notice.params := p_params;
  return v_notice;
end $function$;

CREATE OR REPLACE FUNCTION private.notify(p_user_id uuid, p_type text, p_title text, p_message text, p_subscription_id text, p_event text DEFAULT NULL::text, p_params jsonb DEFAULT '{}'::jsonb)
 RETURNS uuid
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare v_id uuid;
begin
  insert into public.user_notifications
  select * from private.notice(p_user_id, p_type, p_title, p_message, p_subscription_id, p_event, p_params) returning id into v_id;
  return v_id;
end $function$;

CREATE OR REPLACE FUNCTION private.open_tax_report(p_id bigint)
 RETURNS jsonb
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare v_report private.tax_reports := private.require_tax_report(p_id);
begin
  perform private.require_recent_proof();
  insert into private.vault_openings (kind, secret_id, owner_id, opened_by, purpose)
  select secret.kind, secret.id, e.user_id, auth.uid(), format('tax report %s', p_id)
  from private.tax_report_entries as e
  cross join lateral (values ('tax-details', e.details_id), ('bank-account', e.bank_account_id)) as secret (kind, id)
  where e.report_id = p_id and secret.id is not null;
  perform private.log_staff('tax report opened', v_report.reference);
  return to_jsonb(v_report) || jsonb_build_object('entries', (
    select coalesce(jsonb_agg(to_jsonb(e) || jsonb_build_object('name', (select display_name from public.user_profiles where user_id = e.user_id),
      'key', private.vault_key_of(e.user_id),
      'details', (select jsonb_build_object('id', d.id, 'version', d.version, 'sealed', d.sealed) from private.tax_details as d where d.id = e.details_id),
      'account', (select jsonb_build_object('id', a.id, 'version', a.version, 'sealed', a.sealed) from private.bank_accounts as a
        where a.id = e.bank_account_id)) order by e.document), '[]')
    from private.tax_report_entries as e where e.report_id = p_id));
end $function$;

CREATE OR REPLACE FUNCTION private.own_payout_account(p_opens boolean)
 RETURNS jsonb
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare v_user uuid := private.require_user();
begin
  if not private.uses_accounts() then
    raise exception 'This site pays owners by bank transfer' using errcode = '23514';
  end if;
  if p_opens is not false then
    perform private.require_recent_proof();
    perform private.named_profile(v_user);
  end if;
  return jsonb_build_object('userId', v_user, 'email', private.email_of(v_user),
    'country', (select country from private.home_countries where user_id = v_user), 'account', (select reference from private.connected_accounts where user_id = v_user));
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
    -- Its member can pay, so the next month begins like any other.
    update private.seats set late_since = null where id = v_seat.id and ended_at is null;
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
  perform private.tell_paid(array[v_period.id]);
  if v_period.number = 1 then
    perform private.tell_seat(v_seat, v_seat.owner_id, 'success', 'member-paid', 'Member Has Paid',
      format(case when v_seat.access_given_at is null then '%s has paid for %s. Give them access within %s hours.'
        else '%s has paid for %s.' end, (select display_name from public.user_profiles where user_id = v_seat.member_id),
        v_period.plan_name, private.hours(private.access_time())), jsonb_build_object('amount', v_period.amount, 'hours', private.hours(private.access_time()),
        'given', v_seat.access_given_at is not null));
  end if;
end $function$;

CREATE OR REPLACE FUNCTION private.prepare_tax_details()
 RETURNS jsonb
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_user uuid := private.require_tax_question();
  v_details private.tax_details := private.current_tax_details(v_user);
begin
  return jsonb_build_object('owner', jsonb_build_object('kind', 'person', 'id', v_user), 'key', private.vault_key_of(v_user),
    'version', coalesce(v_details.version, 0) + 1,
    'current', case when v_details.id is not null
      then jsonb_build_object('id', v_details.id, 'version', v_details.version, 'sealed', v_details.sealed) end);
end $function$;

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
  if not found then return false; end if;
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
  from jsonb_to_recordset(p_outcomes) as given (intent text, status text, amount numeric, cost numeric, method text)
  join private.charges as c on c.intent = given.intent join public.member_payments as m on m.id = c.payment_id
  join private.seats as s on s.id = m.seat_id
  join private.ledger_accounts as share on share.kind = 'held_share' and share.owner = s.id
  join private.ledger_accounts as fee on fee.kind = 'held_fee' and fee.owner = s.id
  cross join lateral (values
    ('charge:%s:share', v_outside, share.id, m.share, 'payment'), ('charge:%s:fee', v_outside, fee.id, m.fee, 'payment'),
    ('cost:%s', v_costs, v_outside, given.cost, 'cost')
  ) as part (key, gives, takes, amount, kind)
  where s.id = any (v_seats) and m.seat_id = any (v_seats) and given.status = 'succeeded' and c.status = 'charging' and given.amount = m.amount and part.amount > 0
    and not exists (select from public.payment_methods as other
      where other.provider = c.provider and other.reference = given.method and other.id <> c.tried_id)
    and m.number > 1 and m.status = 'charging' and m.coins + m.card = 0 and m.starts_at is not null and m.ends_at > v_now
    and s.ended_at is null and s.admitted_at is not null;
  if v_periods is not null then
    update private.charges set status = 'succeeded', code = null, received = m.amount from public.member_payments as m
    where m.id = any (v_periods) and payment_id = any (v_periods) and payment_id = m.id;
    update public.member_payments set card = amount, paid_with = c.kind, status = 'paid', paid_at = v_now, next_attempt_at = null, note = null
    from private.charges as c where id = any (v_periods) and c.payment_id = any (v_periods) and c.payment_id = id;
    delete from private.payment_jobs where kind = 'charge' and about = any (v_periods::text[]);
    update private.seats as s set late_since = null, failures = 0, last_error = null, next_at = next.at
    from private.next_steps(array(select seat_id from public.member_payments where id = any (v_periods))) as next where s.id = next.seat_id;
    perform private.tell_paid(v_periods);
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
  v_is_news boolean;
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
  v_is_news := found;
  select * into v_dispute from public.payment_disputes where id = p_reference for update;
  -- An inquiry that becomes a chargeback has a deadline of its own, and takes another answer.
  if p_status = 'needs_response' and v_dispute.status like 'warning%' and v_dispute.closed_at is null then
    update public.payment_disputes set answer = null, answered_at = null, answer_refusal = null where id = p_reference;
    delete from private.dispute_evidence where dispute_id = p_reference;
    v_is_news := true;
  end if;
  if v_is_news then
    -- A debit that goes back is lost from the start.
    perform private.tell_treasurers('warning', case p_status when 'lost' then 'A Payment Was Returned' else 'A Payment Is Disputed' end,
      format(case p_status when 'lost' then 'The bank of a member of %s took back %s. There’s nothing to answer.'
        else 'A member of %s disputed %s with their bank. Answer the provider in time.' end, v_period.plan_name, private.euros(p_amount)),
      case p_status when 'lost' then 'payment-returned' else 'payment-disputed' end,
      jsonb_build_object('plan', v_period.plan_name, 'amount', p_amount, 'until', p_due_by));
  end if;
  perform private.book_dispute_costs(p_reference, p_costs, v_period);
  select * into v_dispute from public.payment_disputes where id = p_reference;
  if v_dispute.closed_at is not null and not (v_dispute.status = 'lost' and (p_status = 'won' or p_status like 'appeal%'))
    or p_status like 'warning%' and v_dispute.status not like 'warning%' then return true; end if;
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
    perform private.take_returned(v_period.id, v_refund.id, p_reference, p_amount - v_refund.amount);
    update private.refunds set amount = p_amount where id = v_refund.id returning * into v_refund;
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

CREATE OR REPLACE FUNCTION private.reported_of(p_user_id uuid, p_year integer)
 RETURNS jsonb
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if not exists (select from public.tax_settings where is_on and first_year <= p_year) then return null; end if;
  return (select figures || jsonb_build_object('state', state) from private.tax_sellers(p_year, p_user_id) where state <> 'excluded');
end $function$;

CREATE OR REPLACE FUNCTION private.require_tax_question()
 RETURNS uuid
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare v_user uuid := private.require_user();
begin
  if not private.asks_tax_details(v_user) and private.current_tax_details(v_user) is null then
    raise exception 'Nobody asks you for tax details' using errcode = '23514';
  end if;
  perform private.require_recent_proof();
  return v_user;
end $function$;

CREATE OR REPLACE FUNCTION private.require_tax_report(p_id bigint)
 RETURNS private.tax_reports
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare v_report private.tax_reports;
begin
  perform private.require_treasurer();
  select * into v_report from private.tax_reports where id = p_id for update;
  if not found then
    raise exception 'Tax report not found' using errcode = 'PT404';
  end if;
  return v_report;
end $function$;

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

CREATE OR REPLACE FUNCTION private.save_tax_details(p_user_id uuid, p_id uuid, p_version integer, p_country text, p_sealed text, p_key jsonb)
 RETURNS jsonb
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform private.act_for(p_user_id);
  perform private.spend_attempt('tax details');
  if p_key is not null then
    perform private.keep_vault_key(p_key);
  end if;
  insert into private.tax_details (id, user_id, version, country, sealed)
  values (p_id, p_user_id, p_version, p_country, p_sealed) on conflict do nothing;
  if not found then
    raise exception 'Something else changed at the same moment. Please try again.' using errcode = 'PT409';
  end if;
  delete from private.tax_details as d where user_id = p_user_id and version < p_version
    and not exists (select from private.tax_report_entries where details_id = d.id);
  return private.my_tax_details();
end $function$;

CREATE OR REPLACE FUNCTION private.seat_news(p_seat private.seats, p_user_id uuid, p_type text, p_event text, p_title text, p_message text, p_params jsonb DEFAULT '{}'::jsonb, p_mails boolean DEFAULT true, p_invoiced uuid DEFAULT NULL::uuid)
 RETURNS private.news
 LANGUAGE sql
 IMMUTABLE
RETURN ROW(p_seat, p_user_id, p_type, p_event, p_title, p_message, p_params, p_mails, p_invoiced)::private.news;

CREATE OR REPLACE FUNCTION private.send_mail(p_recipient text, p_subject text, p_html text, p_about text[] DEFAULT '{}'::text[], p_unsubscribe_path text DEFAULT NULL::text, p_wait interval DEFAULT '00:00:00'::interval, p_id uuid DEFAULT gen_random_uuid(), p_event text DEFAULT NULL::text, p_params jsonb DEFAULT '{}'::jsonb, p_reader_id uuid DEFAULT NULL::uuid, p_parts jsonb DEFAULT NULL::jsonb)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  insert into private.outgoing_mail (id, recipient, subject, html, about, unsubscribe_path, next_attempt_at, event, params, reader_id, parts)
  values (p_id, p_recipient, private.mail_subject(p_subject), p_html, p_about,
    p_unsubscribe_path, clock_timestamp() + p_wait, p_event, p_params, p_reader_id, p_parts);
end $function$;

CREATE OR REPLACE FUNCTION private.set_country(p_country text)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare v_user uuid := private.require_user();
begin
  if (p_country = any (private.countries())) is not true then
    raise exception 'Please choose a country' using errcode = '23514';
  end if;
  insert into private.home_countries (user_id, country) values (v_user, p_country)
  on conflict (user_id) do update set country = excluded.country, said_at = excluded.said_at;
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
      delete from private.account_changes where user_id = v_closed.user_id;
      update public.user_profiles set language = null where user_id = v_closed.user_id;
      delete from private.closed_accounts where user_id = v_closed.user_id;
      delete from private.vault_keys where person_id = v_closed.user_id and not private.needs_vault_key(v_closed.user_id);
    end if;
  end loop;
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
  ), period as (
    update public.member_payments as m set status = 'charging' from plain
    where m.id = plain.id returning m as begun, plain.*
  ), charge as (
    update private.charges as c set attempts = c.attempts + 1, status = 'charging', card = period.name, tried_id = period.card_id, kind = period.kind
    from period where c.payment_id = period.id returning c as tried, period.begun, period.reference
  )
  select private.charge_order(tried, begun, (begun).amount, reference) from charge;
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
      -- What somebody is paid is one kind, and what they pay another, so that sums do not set one off against the other.
      select 'direct', m.paid_at, case m.member_id when p_user_id then 'payment' else 'earning' end, null, null, m.plan_name, case m.member_id when p_user_id then -m.share else m.share end
      from public.member_payments as m
      where p_user_id in (m.member_id, m.owner_id) and m.settlement = 'direct' and m.paid_at >= v_from and m.paid_at < v_until and m.share > 0
      union all
      select 'direct', m.repaid_at, case m.member_id when p_user_id then 'refund' else 'refund-sent' end, null, null, m.plan_name, case m.member_id when p_user_id then m.owed_back else -m.owed_back end
      from public.member_payments as m
      where p_user_id in (m.member_id, m.owner_id) and m.repaid_at >= v_from and m.repaid_at < v_until and m.owed_back > 0
    )
    select jsonb_build_object('year', p_year, 'zone', v_zone,
      'until', least(make_date(p_year, 12, 31), private.day_in(private.now(), v_zone)),
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
      'reported', private.reported_of(p_user_id, p_year),
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
end $function$;

CREATE OR REPLACE FUNCTION private.take_due_mails(p_limit integer)
 RETURNS TABLE(id uuid, attempt integer, recipient text, subject text, html text, unsubscribe_path text, event text, params jsonb, parts jsonb, frame text, language text, time_zone text)
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare v_now timestamptz := clock_timestamp();
begin
  -- The last attempt never reported back.
  update private.outgoing_mail as m set given_up_at = v_now, html = null, parts = null
  where m.attempts >= private.mail_attempts() and m.next_attempt_at <= v_now and m.sent_at is null and m.given_up_at is null;
  return query
    with due as materialized (
      select m.id from private.outgoing_mail as m
      where m.next_attempt_at <= v_now and m.sent_at is null and m.given_up_at is null
      order by m.next_attempt_at limit p_limit for update skip locked
    )
    update private.outgoing_mail as m set attempts = m.attempts + 1, next_attempt_at = v_now + interval '5 minutes'
    -- Looked up by their keys: this must not grow with the queue.
    where m.id = any (array(select due.id from due))
    returning m.id, m.attempts, m.recipient, m.subject, m.html, m.unsubscribe_path, m.event, m.params,
      m.parts || private.mail_standing_words(),
      case when m.parts is not null then private.mail_frame(m.parts, m.unsubscribe_path) end,
      (select p.language from public.user_profiles as p where p.user_id = m.reader_id), private.zone_of(m.reader_id);
end $function$;

CREATE OR REPLACE FUNCTION private.take_from_account(p_period public.member_payments, p_amount numeric, p_dispute_id text, p_warning_id text DEFAULT NULL::text, p_refund_id uuid DEFAULT NULL::uuid)
 RETURNS numeric
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_why text := case when p_dispute_id is not null then 'disputed' when p_warning_id is not null then 'warned' else 'refunded' end;
  v_transfer record;
  v_rest numeric := p_amount;
  v_part numeric;
  v_reversal uuid;
begin
  for v_transfer in
    select t.id, t.status, t.amount - coalesce((select sum(r.amount) from private.account_reversals as r where r.transfer_id = t.id), 0) as amount
    from private.account_transfers as t where t.payment_id = p_period.id and t.status <> 'failed' order by t.created_at, t.id
  loop
    v_part := least(v_rest, v_transfer.amount);
    continue when v_part <= 0;
    insert into private.account_reversals (transfer_id, dispute_id, warning_id, refund_id, amount)
    values (v_transfer.id, p_dispute_id, p_warning_id, p_refund_id, v_part)
    returning id into v_reversal;
    if v_transfer.status = 'sent' then
      perform private.queue_account_job('reversal', v_reversal);
    end if;
    v_rest := v_rest - v_part;
  end loop;
  if v_rest = p_amount then return 0; end if;
  perform private.transfer(case v_why when 'disputed' then format('dispute:%s:connected', p_dispute_id)
    when 'warned' then format('warned:%s:%s', p_period.id, p_warning_id) else format('by-hand:%s:connected', p_refund_id) end,
    private.ledger_account('connected', p_period.owner_id),
    private.ledger_account(case v_why when 'disputed' then 'outside' else 'refunds_due' end), p_amount - v_rest,
    case v_why when 'disputed' then 'chargeback' else 'refund' end, p_period.seat_id, p_period.id,
    p_period.plan_name || ': payment taken back');
  perform private.mail_notification(private.notify(p_period.owner_id, 'warning', 'A Payment Was Taken Back',
    format(case v_why
      when 'disputed' then 'The bank of a member of %s took a payment back, so %s are taken back from your payout account. If we win, you get it back.'
      when 'warned' then 'A bank calls a payment for %s fraud, so we refunded it, and %s are taken back from your payout account.'
      else 'We refunded a payment for %s, so %s are taken back from your payout account.' end,
      p_period.plan_name, private.euros(p_amount - v_rest)), null, 'payout-taken-back',
    jsonb_build_object('plan', p_period.plan_name, 'amount', p_amount - v_rest, 'why', v_why)),
    '{}', 'Open your payouts', '/account-settings/money');
  return p_amount - v_rest;
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
    perform private.end_seat(v_period.seat_id, 'removed', null);
  end if;
  if v_rest > 0 then
    perform private.tell_treasurers('warning', 'Refund Exceeds Held Money',
      format('%s of a payment for %s was refunded at the provider. The guarantee account covers %s, as no more was held.',
        private.euros(p_amount), v_period.plan_name, private.euros(v_rest)),
      'payment-returned-by-hand', jsonb_build_object('plan', v_period.plan_name, 'amount', p_amount, 'rest', v_rest, 'reference', p_reference));
  end if;
end $function$;

CREATE OR REPLACE FUNCTION private.tax_changes(p_year integer)
 RETURNS TABLE(user_id uuid, way text, figures jsonb, details_id uuid, bank_account_id uuid, corrects text)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select coalesce(s.user_id, t.user_id),
    case when s.state = 'ready' then case when t.document is null or t.is_deletion then 'new' else 'corrected' end else 'deleted' end,
    case when s.state = 'ready' then s.figures else t.figures end, case when s.state = 'ready' then s.details_id else t.details_id end,
    case when s.state = 'ready' then s.bank_account_id else t.bank_account_id end, case when not t.is_deletion then t.document end
  from private.tax_sellers(p_year) as s full join private.told_to_tax_office(p_year) as t on t.user_id = s.user_id
  where case when s.state = 'ready' then t.document is null or t.is_deletion or t.figures <> s.figures or t.details_id <> s.details_id
      or t.bank_account_id is distinct from coalesce(s.bank_account_id, t.bank_account_id)
    else t.is_deletion is false and t.details_id is not null end
$function$;

CREATE OR REPLACE FUNCTION private.tax_details_time()
 RETURNS interval
 LANGUAGE sql
 IMMUTABLE
RETURN '10 years'::interval;

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
        and (t.kind = 'earning' or a.kind = 'connected' and t.kind in ('chargeback', 'chargeback-won'))
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

CREATE OR REPLACE FUNCTION private.tax_operator()
 RETURNS jsonb
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select jsonb_build_object('country', t.country, 'nexus', t.nexus, 'tax_number', t.tax_number, 'platform', t.platform, 'activity', t.activity,
    'name', v.name, 'street', v.street, 'postcode', v.postcode, 'town', v.town, 'address_country', v.country)
  from public.tax_settings as t, public.vat_settings as v
$function$;

CREATE OR REPLACE FUNCTION private.tax_patience()
 RETURNS interval
 LANGUAGE sql
 IMMUTABLE
RETURN '60 days'::interval;

CREATE OR REPLACE FUNCTION private.tax_reminder_after()
 RETURNS interval
 LANGUAGE sql
 IMMUTABLE
RETURN '20 days'::interval;

CREATE OR REPLACE FUNCTION private.tax_report_state()
 RETURNS jsonb
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform private.require_treasurer();
  return (select jsonb_build_object('is_on', is_on, 'first_year', first_year, 'activity', activity,
      'this_year', extract(year from private.now() at time zone 'utc'), 'complete', private.tax_operator() = jsonb_strip_nulls(private.tax_operator()))
    from public.tax_settings);
end $function$;

CREATE OR REPLACE FUNCTION private.tax_sellers(p_year integer, p_user_id uuid DEFAULT NULL::uuid)
 RETURNS TABLE(user_id uuid, figures jsonb, consideration numeric, activities bigint, details_id uuid, bank_account_id uuid, state text)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare v_settings public.tax_settings;
begin
  select * into v_settings from public.tax_settings;
  return query
    with figure as materialized (select * from private.tax_figures(p_year, p_user_id)), seller as (
      select y.user_id, y.consideration, y.activities, jsonb_build_object(
          'consideration', jsonb_agg(coalesce(f.consideration, 0) order by q.number),
          'fees', jsonb_agg(case when v_settings.reports_fee then coalesce(f.fee, 0) else 0 end order by q.number),
          'activities', jsonb_agg(coalesce(f.activities, 0) order by q.number)) as figures
      from figure as y cross join generate_series(1, 4) as q (number)
      left join figure as f on f.user_id = y.user_id and f.quarter = q.number
      where y.quarter is null group by 1, 2, 3
    )
    select s.user_id, s.figures, s.consideration, s.activities, d.id, (private.current_bank_account(s.user_id)).id,
      case when v_settings.activity = 'sale-of-goods' and s.activities < private.least_reported_sales()
          and s.consideration <= private.most_unreported_euros() then 'excluded'
        when d.id is null then 'missing'
        when private.is_member_state(d.country) then 'ready' else 'abroad' end
    from seller as s left join lateral private.current_tax_details(s.user_id) as d on true;
end $function$;

CREATE OR REPLACE FUNCTION private.tell_first_months(p_periods uuid[])
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  insert into public.user_notifications
  select told.* from public.member_payments as m join public.shared_subscriptions as p on p.id = m.subscription_id
  join public.user_profiles as member on member.user_id = m.member_id join public.user_profiles as owner on owner.user_id = m.owner_id
  cross join lateral (
    select * from private.notice(m.member_id, 'success', 'First Month Complete', format('Your first month in %s is complete.', m.plan_name),
      p.id, 'first-month', jsonb_build_object('plan', m.plan_name, 'member', member.display_name, 'owner', owner.display_name))
    union all
    select * from private.notice(m.owner_id, 'success', 'First Month Complete', format('%s has been in %s for a whole month.', member.display_name, m.plan_name),
      p.id, 'member-first-month', jsonb_build_object('plan', m.plan_name, 'member', member.display_name, 'owner', owner.display_name))
  ) as told
  where m.id = any (p_periods) and m.number = 1 and m.paid_at is not null and not private.has_open_problem(m.seat_id);
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
      jsonb_build_object('amount', m.amount, 'asked', terms -> 'asked', 'at', terms -> 'at', 'until', terms -> 'until'),
      p_invoiced => case when m.fee > 0 then m.id end)
    from public.member_payments as m join private.seats as s on s.id = m.seat_id
    cross join lateral private.contract_terms(s, m) as terms where m.id = any (p_periods)));
end $function$;

CREATE OR REPLACE FUNCTION private.tell_seat(p_seat private.seats, p_user_id uuid, p_type text, p_event text, p_title text, p_message text, p_params jsonb DEFAULT '{}'::jsonb, p_mails boolean DEFAULT true, p_invoiced uuid DEFAULT NULL::uuid)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform private.tell_seats(array[private.seat_news(p_seat, p_user_id, p_type, p_event, p_title, p_message, p_params, p_mails, p_invoiced)]);
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
        'owner', owner.display_name)) as told
  ), told as (
    insert into public.user_notifications select (notice).* from given
  )
  select array_agg((given.id, array_remove(array[(seat).id::text, plan], null),
    case when invoice is not null then 'See the invoice' when plan is null then 'See your payments' else 'Open the plan' end,
    case when invoice is not null then '/payments/' || invoice when plan is null then '/payments'
      when user_id = (seat).owner_id then '/manage-shared/' || plan else '/manage-subscribed/' || plan end)::private.mailing)
  into v_mailings from given
  cross join lateral (select (notice).subscription_id) as opens (plan)
  left join lateral (
    select m.id from public.member_payments as m where m.id = given.invoiced and (private.vat_mode_at(m.paid_at) is not null
      or exists (select from public.fee_invoices where payment_id = m.id))
  ) as invoiced (invoice) on true where given.mails;
  perform private.mail_notifications(v_mailings);
end $function$;

CREATE OR REPLACE FUNCTION private.terms_in_words(p_terms jsonb)
 RETURNS text
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  return nullif(concat_ws(' ',
    'On ' || private.in_utc((p_terms ->> 'at')::timestamptz, 'FMDD FMMonth YYYY, HH24:MI') || ' UTC you asked us to begin at once.',
    'You can withdraw from this contract until ' || private.in_utc((p_terms ->> 'until')::timestamptz, 'FMDD FMMonth, HH24:MI') || ' UTC.'), '');
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
  where (n.status, n.share, n.starts_at, n.ends_at, n.due_at, n.claimed_at, n.paid_at)
    is distinct from (b.status, b.share, b.starts_at, b.ends_at, b.due_at, b.claimed_at, b.paid_at);
  return null;
end $function$;

CREATE OR REPLACE FUNCTION private.tg_member_payments__note_new_facts()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  insert into private.fact_changes (user_id) select distinct unnest(array[owner_id, member_id]) from changed;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION private.tg_user_notifications__push()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  insert into private.outgoing_pushes (about, session_id)
  -- Few people have a device.
  select n.id, d.session_id from (
    select * from told as t where exists (select from private.push_devices as p where p.user_id = t.user_id) offset 0
  ) as n cross join lateral private.living_push_devices(n.user_id) as d
  where private.wants(n.user_id, private.topic_of(n.event), 'push');
  if found and current_setting('potluck.called_push', true) is distinct from 'yes' then
    perform set_config('potluck.called_push', 'yes', true);
    perform private.call_function('push');
  end if;
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
  if new.since is null and old.since < private.now() then
    insert into private.invoice_spans values (old.since, private.now(), old.mode);
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
    raise exception 'This withdrawal has to wait until %, as a bank may take back their first payments',
      to_char(v_until, 'FMDD FMMonth YYYY') using errcode = '23514';
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION private.told_to_tax_office(p_year integer)
 RETURNS SETOF private.tax_report_entries
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select distinct on (e.user_id) e.* from private.tax_reports as r join private.tax_report_entries as e on e.report_id = r.id
  where r.year = p_year and r.voided_at is null order by e.user_id, e.report_id desc
$function$;

CREATE OR REPLACE FUNCTION private.topic_of(p_event text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE
RETURN CASE WHEN (p_event = ANY (ARRAY['chat-message'::text, 'question-asked'::text])) THEN 'messages'::text WHEN (p_event = 'plan-found'::text) THEN 'alerts'::text WHEN (p_event ~ '^(problem|access|password)-'::text) THEN 'access'::text WHEN ((p_event ~ '^(payment|payout|tax|refund|withdrawal|wallet|coins|money)-'::text) OR (p_event = ANY (ARRAY['member-says-paid'::text, 'member-paid'::text, 'member-debited'::text, 'owner-owes-you'::text, 'you-owe-member'::text, 'owed-settled'::text, 'renewal-coming'::text, 'contract-made'::text, 'contract-withdrawn'::text]))) THEN 'money'::text WHEN ((p_event ~ '^(plan|provider-request|admin-access)-(approved|rejected)$'::text) OR (p_event = ANY (ARRAY['review-waits'::text, 'reviews-shown'::text, 'review-hidden'::text, 'report-read'::text, 'support-asked'::text, 'support-answered'::text]))) THEN 'team'::text ELSE 'places'::text END;

CREATE OR REPLACE FUNCTION private.unless_past(p_period public.member_payments)
 RETURNS public.member_payments
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if p_period.ends_at <= private.now() and (p_period.status in ('due', 'charging', 'needs-action', 'failed') or (p_period.status = 'processing'
    and exists (select from private.seats where id = p_period.seat_id and late_since is not null))) then
    perform private.let_go(p_period.id);
    update public.member_payments set status = 'cancelled', next_attempt_at = null, closed_at = private.now() where id = p_period.id
    returning * into p_period;
    perform private.wake_seat(p_period.seat_id);
  end if;
  return p_period;
end $function$;

CREATE OR REPLACE FUNCTION private.unsubscribe_path(p_user_id uuid)
 RETURNS text
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  insert into private.unsubscribe_links (user_id) values (p_user_id) on conflict (user_id) do nothing;
  return (select '/unsubscribe/' || token from private.unsubscribe_links where user_id = p_user_id);
end $function$;

CREATE OR REPLACE FUNCTION private.vat_mode_at(p_paid_at timestamp with time zone)
 RETURNS text
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  return coalesce((select mode from public.vat_settings where p_paid_at >= since),
    (select mode from private.invoice_spans where p_paid_at >= since and p_paid_at < until limit 1));
end $function$;

CREATE OR REPLACE FUNCTION private.void_tax_report(p_id bigint, p_reason text)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare v_report private.tax_reports := private.require_tax_report(p_id);
begin
  perform pg_advisory_xact_lock(hashtext('tax report'));
  if coalesce(btrim(p_reason), '') = '' then
    raise exception 'Please say why the report is void' using errcode = '23514';
  elsif v_report.id is distinct from private.last_tax_report(v_report.year) then
    raise exception 'Only the last report of a year can be void' using errcode = '23514';
  end if;
  update private.tax_reports set voided_at = private.now(), voided_by = auth.uid(), void_reason = btrim(p_reason) where id = p_id;
  perform private.log_staff('tax report voided', v_report.reference, jsonb_build_object('reason', btrim(p_reason)));
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
  v_name text := (select coalesce(full_name, display_name) from public.user_profiles where user_id = v_user);
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
    format('%s, on %s UTC you withdrew from the contract for %s %s. %s', v_name, to_char(v_seat.ended_at at time zone 'utc', 'FMDD FMMonth YYYY, HH24:MI'),
      v_seat.provider, v_seat.plan_name, case v_what when 'nothing' then 'You pay nothing.'
      when 'under-way' then 'What your bank is debiting comes back once it has arrived.'
      when 'held' then 'What comes back is held until your problem is closed.'
      else format('%s comes back the way you paid it, within %s days.', private.euros(v_back), extract(day from private.withdrawal_refund_time())) end),
    jsonb_build_object('name', v_name, 'at', v_seat.ended_at, 'what', v_what, 'amount', coalesce(v_back, 0),
      'days', extract(day from private.withdrawal_refund_time())));
  perform private.tell_seat(v_seat, v_seat.owner_id, 'info', 'member-withdrew', 'Member Withdrew',
    format('%s withdrew from the contract for %s %s. What you’ve earned stays yours, and the place is free again.',
      (select display_name from public.user_profiles where user_id = v_user), v_seat.provider, v_seat.plan_name));
  return v_back;
end $function$;

CREATE OR REPLACE FUNCTION private.withdrawals_wait_until(p_user_id uuid)
 RETURNS timestamp with time zone
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  return case when exists (select from public.payment_disputes where owner_id = p_user_id and closed_at is null) then 'infinity'
    else (
      select greatest(card + private.card_earnings_wait(),
        case when debit < card + private.debit_earnings_wait() then debit + private.debit_earnings_wait() end)
      from (
        select min(t.created_at) as card, min(t.created_at) filter (where m.paid_with = 'sepa_debit') as debit
        from private.ledger_transfers as t join public.member_payments as m on m.id = t.period_id
        where t.person_id = p_user_id and t.kind = 'earning' and m.card > 0
      ) as first
    ) end;
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
    v_new.buyer_country := coalesce(v_new.evidence ->> 'declared', v_new.evidence ->> 'card', p_settings.country);
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

CREATE OR REPLACE FUNCTION private.write_mail(p_recipient text, p_reader_id uuid, p_subject text, p_parts jsonb, p_event text, p_params jsonb, p_about text[] DEFAULT '{}'::text[], p_unsubscribe_path text DEFAULT NULL::text, p_wait interval DEFAULT '00:00:00'::interval, p_id uuid DEFAULT gen_random_uuid())
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform private.send_mail(p_recipient, p_subject, null, p_about, p_unsubscribe_path, p_wait,
    p_id, p_event, p_params, p_reader_id, p_parts);
end $function$;

CREATE OR REPLACE FUNCTION public.end_mandate(p_method text)
 RETURNS void
 LANGUAGE sql
 SET search_path TO ''
AS $function$ select private.end_mandate(p_method) $function$;

CREATE OR REPLACE FUNCTION public.list_tax_reports()
 RETURNS TABLE(id bigint, year integer, kind text, reference text, sellers bigint, made_at timestamp with time zone, created_by_name text, voided_at timestamp with time zone, void_reason text, may_void boolean)
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$ select * from private.list_tax_reports() $function$;

CREATE OR REPLACE FUNCTION public.list_tax_sellers(p_year integer)
 RETURNS TABLE(user_id uuid, name text, is_closed boolean, figures jsonb, consideration numeric, activities bigint, state text, asked_at timestamp with time zone, asked_times integer, change text)
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$ select * from private.list_tax_sellers(p_year) $function$;

CREATE OR REPLACE FUNCTION public.make_tax_report(p_year integer, p_kind text)
 RETURNS bigint
 LANGUAGE sql
 SET search_path TO ''
AS $function$ select private.make_tax_report(p_year, p_kind) $function$;

CREATE OR REPLACE FUNCTION public.my_tax_details()
 RETURNS jsonb
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$ select private.my_tax_details() $function$;

CREATE OR REPLACE FUNCTION public.open_tax_report(p_id bigint)
 RETURNS jsonb
 LANGUAGE sql
 SET search_path TO ''
AS $function$ select private.open_tax_report(p_id) $function$;

CREATE OR REPLACE FUNCTION public.prepare_tax_details()
 RETURNS jsonb
 LANGUAGE sql
 SET search_path TO ''
AS $function$ select private.prepare_tax_details() $function$;

CREATE OR REPLACE FUNCTION public.record_charge(p_intent text, p_status text, p_code text, p_amount numeric, p_cost numeric, p_is_heard boolean, p_day date DEFAULT NULL::date, p_method text DEFAULT NULL::text)
 RETURNS boolean
 LANGUAGE sql
 SET search_path TO ''
AS $function$ select private.record_charge(p_intent, p_status, p_code, p_amount, p_cost, p_is_heard, p_day, p_method) $function$;

CREATE OR REPLACE FUNCTION public.save_tax_details(p_user_id uuid, p_id uuid, p_version integer, p_country text, p_sealed text, p_key jsonb)
 RETURNS jsonb
 LANGUAGE sql
 SET search_path TO ''
AS $function$ select private.save_tax_details(p_user_id, p_id, p_version, p_country, p_sealed, p_key) $function$;

CREATE OR REPLACE FUNCTION public.tax_report_state()
 RETURNS jsonb
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$ select private.tax_report_state() $function$;

CREATE OR REPLACE FUNCTION public.void_tax_report(p_id bigint, p_reason text)
 RETURNS void
 LANGUAGE sql
 SET search_path TO ''
AS $function$ select private.void_tax_report(p_id, p_reason) $function$;

ALTER TABLE "private"."account_reversals" ADD CONSTRAINT "account_reversals_refund_id_fkey" FOREIGN KEY (refund_id) REFERENCES private.refunds(id) ON DELETE RESTRICT;

ALTER TABLE "private"."account_reversals" ADD CONSTRAINT "account_reversals_warning_id_fkey" FOREIGN KEY (warning_id) REFERENCES public.fraud_warnings(id) ON DELETE RESTRICT;

ALTER TABLE "private"."account_reversals" ADD CONSTRAINT "has_one_reason" CHECK ((num_nonnulls(dispute_id, warning_id, refund_id) = 1));

ALTER TABLE "private"."closed_buyers" ADD CONSTRAINT "closed_buyers_payment_id_fkey" FOREIGN KEY (payment_id) REFERENCES public.member_payments(id);

ALTER TABLE "private"."tax_details" ADD CONSTRAINT "tax_details_user_id_fkey" FOREIGN KEY (user_id) REFERENCES public.user_profiles(user_id) ON DELETE CASCADE;

ALTER TABLE "private"."tax_questions" ADD CONSTRAINT "tax_questions_user_id_fkey" FOREIGN KEY (user_id) REFERENCES public.user_profiles(user_id) ON DELETE CASCADE;

ALTER TABLE "private"."tax_report_entries" ADD CONSTRAINT "tax_report_entries_bank_account_id_fkey" FOREIGN KEY (bank_account_id) REFERENCES private.bank_accounts(id) ON DELETE SET NULL;

ALTER TABLE "private"."tax_report_entries" ADD CONSTRAINT "tax_report_entries_details_id_fkey" FOREIGN KEY (details_id) REFERENCES private.tax_details(id) ON DELETE SET NULL;

ALTER TABLE "private"."tax_report_entries" ADD CONSTRAINT "tax_report_entries_user_id_fkey" FOREIGN KEY (user_id) REFERENCES public.user_profiles(user_id) ON DELETE RESTRICT;

ALTER TABLE "private"."tax_reports" ADD CONSTRAINT "tax_reports_created_by_fkey" FOREIGN KEY (created_by) REFERENCES auth.users(id) ON DELETE RESTRICT;

ALTER TABLE "private"."tax_report_entries" ADD CONSTRAINT "tax_report_entries_report_id_fkey" FOREIGN KEY (report_id) REFERENCES private.tax_reports(id) ON DELETE RESTRICT;

ALTER TABLE "private"."tax_reports" ADD CONSTRAINT "tax_reports_voided_by_fkey" FOREIGN KEY (voided_by) REFERENCES auth.users(id) ON DELETE RESTRICT;

ALTER TABLE "private"."vault_openings" ADD CONSTRAINT "vault_openings_kind_check" CHECK ((kind = ANY (ARRAY['bank-account'::text, 'plan'::text, 'tax-details'::text])));

CREATE INDEX account_reversals_refund_idx ON private.account_reversals USING btree (refund_id);

CREATE INDEX account_reversals_warning_idx ON private.account_reversals USING btree (warning_id);

CREATE INDEX tax_report_entries_bank_account_idx ON private.tax_report_entries USING btree (bank_account_id);

CREATE INDEX tax_report_entries_details_idx ON private.tax_report_entries USING btree (details_id);

CREATE INDEX tax_report_entries_user_idx ON private.tax_report_entries USING btree (user_id);

CREATE INDEX tax_reports_created_by_idx ON private.tax_reports USING btree (created_by);

CREATE INDEX tax_reports_voided_by_idx ON private.tax_reports USING btree (voided_by);

CREATE TRIGGER note_facts AFTER UPDATE ON public.member_payments REFERENCING OLD TABLE AS before NEW TABLE AS now_so FOR EACH STATEMENT EXECUTE FUNCTION private.tg_member_payments__note_facts();

CREATE TRIGGER note_lost_facts AFTER DELETE ON public.member_payments REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION private.tg_member_payments__note_new_facts();

CREATE TRIGGER note_new_facts AFTER INSERT ON public.member_payments REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION private.tg_member_payments__note_new_facts();

CREATE TRIGGER log_staff AFTER UPDATE ON public.tax_settings FOR EACH ROW EXECUTE FUNCTION private.tg_app_settings__log_staff();

CREATE TRIGGER push AFTER INSERT ON public.user_notifications REFERENCING NEW TABLE AS told FOR EACH STATEMENT EXECUTE FUNCTION private.tg_user_notifications__push();

CREATE POLICY "Whoever edits settings reads those of tax reports" ON "public"."tax_settings" FOR SELECT TO "authenticated" USING (( SELECT private.may('settings.edit'::text) AS may));

CREATE POLICY "Whoever has the permission edits the settings of tax reports" ON "public"."tax_settings" FOR UPDATE TO "authenticated" USING (( SELECT private.proven(private.may('settings.edit'::text)) AS proven)) WITH CHECK (( SELECT private.proven(private.may('settings.edit'::text)) AS proven));

REVOKE ALL ON FUNCTION "private"."ask_for_tax_details"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."asks_tax_details"(uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."book_returned_twice"(private.refunds, public.member_payments) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."buyer_of"(public.member_payments) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."contract_terms"(private.seats, public.member_payments) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."countries"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."current_tax_details"(uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."debit_earnings_wait"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."end_mandate"(text) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."end_mandate"(text) TO "service_role";

REVOKE ALL ON FUNCTION "private"."is_member_state"(text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."keep_buyer"(uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."keep_plans"(text[]) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."keys_on_top"(uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."last_tax_report"(integer) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."least_reported_sales"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."list_tax_reports"() FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."list_tax_reports"() TO "authenticated";

REVOKE ALL ON FUNCTION "private"."list_tax_sellers"(integer) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."list_tax_sellers"(integer) TO "authenticated";

REVOKE ALL ON FUNCTION "private"."lock_seat_of"(uuid, text[]) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."mail_notifications"(private.mailing[]) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."mail_subject"(text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."make_tax_report"(integer, text) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."make_tax_report"(integer, text) TO "authenticated";

REVOKE ALL ON FUNCTION "private"."most_unreported_euros"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."moving_refusal"(uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."my_tax_details"() FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."my_tax_details"() TO "authenticated";

REVOKE ALL ON FUNCTION "private"."needs_vault_key"(uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."next_steps"(uuid[]) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."notice"(uuid, text, text, text, text, text, jsonb) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."open_tax_report"(bigint) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."open_tax_report"(bigint) TO "authenticated";

REVOKE ALL ON FUNCTION "private"."prepare_tax_details"() FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."prepare_tax_details"() TO "authenticated";

REVOKE ALL ON FUNCTION "private"."record_charge"(text, text, text, numeric, numeric, boolean, date, text) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."record_charge"(text, text, text, numeric, numeric, boolean, date, text) TO "service_role";

REVOKE ALL ON FUNCTION "private"."reported_of"(uuid, integer) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."require_tax_question"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."require_tax_report"(bigint) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."save_tax_details"(uuid, uuid, integer, text, text, jsonb) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."save_tax_details"(uuid, uuid, integer, text, text, jsonb) TO "service_role";

REVOKE ALL ON FUNCTION "private"."seat_news"(private.seats, uuid, text, text, text, text, jsonb, boolean, uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."take_from_account"(public.member_payments, numeric, text, text, uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."take_returned"(uuid, uuid, text, numeric) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."tax_changes"(integer) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."tax_details_time"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."tax_figures"(integer, uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."tax_operator"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."tax_patience"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."tax_reminder_after"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."tax_report_state"() FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."tax_report_state"() TO "authenticated";

REVOKE ALL ON FUNCTION "private"."tax_sellers"(integer, uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."tell_paid"(uuid[]) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."tell_seats"(private.news[]) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."terms_in_words"(jsonb) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."tg_member_payments__note_new_facts"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."told_to_tax_office"(integer) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."vat_mode_at"(timestamp with time zone) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."void_tax_report"(bigint, text) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."void_tax_report"(bigint, text) TO "authenticated";

REVOKE ALL ON FUNCTION "public"."end_mandate"(text) FROM PUBLIC, anon, authenticated, service_role;

GRANT EXECUTE ON FUNCTION "public"."end_mandate"(text) TO "service_role";

REVOKE ALL ON FUNCTION "public"."list_tax_reports"() FROM PUBLIC, anon, authenticated, service_role;

GRANT EXECUTE ON FUNCTION "public"."list_tax_reports"() TO "authenticated";

REVOKE ALL ON FUNCTION "public"."list_tax_sellers"(integer) FROM PUBLIC, anon, authenticated, service_role;

GRANT EXECUTE ON FUNCTION "public"."list_tax_sellers"(integer) TO "authenticated";

REVOKE ALL ON FUNCTION "public"."make_tax_report"(integer, text) FROM PUBLIC, anon, authenticated, service_role;

GRANT EXECUTE ON FUNCTION "public"."make_tax_report"(integer, text) TO "authenticated";

REVOKE ALL ON FUNCTION "public"."my_tax_details"() FROM PUBLIC, anon, authenticated, service_role;

GRANT EXECUTE ON FUNCTION "public"."my_tax_details"() TO "authenticated";

REVOKE ALL ON FUNCTION "public"."open_tax_report"(bigint) FROM PUBLIC, anon, authenticated, service_role;

GRANT EXECUTE ON FUNCTION "public"."open_tax_report"(bigint) TO "authenticated";

REVOKE ALL ON FUNCTION "public"."prepare_tax_details"() FROM PUBLIC, anon, authenticated, service_role;

GRANT EXECUTE ON FUNCTION "public"."prepare_tax_details"() TO "authenticated";

REVOKE ALL ON FUNCTION "public"."record_charge"(text, text, text, numeric, numeric, boolean, date, text) FROM PUBLIC, anon, authenticated, service_role;

GRANT EXECUTE ON FUNCTION "public"."record_charge"(text, text, text, numeric, numeric, boolean, date, text) TO "service_role";

REVOKE ALL ON FUNCTION "public"."save_tax_details"(uuid, uuid, integer, text, text, jsonb) FROM PUBLIC, anon, authenticated, service_role;

GRANT EXECUTE ON FUNCTION "public"."save_tax_details"(uuid, uuid, integer, text, text, jsonb) TO "service_role";

REVOKE ALL ON FUNCTION "public"."tax_report_state"() FROM PUBLIC, anon, authenticated, service_role;

GRANT EXECUTE ON FUNCTION "public"."tax_report_state"() TO "authenticated";

REVOKE ALL ON FUNCTION "public"."void_tax_report"(bigint, text) FROM PUBLIC, anon, authenticated, service_role;

GRANT EXECUTE ON FUNCTION "public"."void_tax_report"(bigint, text) TO "authenticated";

GRANT UPDATE ("activity") ON TABLE "public"."tax_settings" TO "authenticated";

GRANT UPDATE ("country") ON TABLE "public"."tax_settings" TO "authenticated";

GRANT UPDATE ("first_year") ON TABLE "public"."tax_settings" TO "authenticated";

GRANT UPDATE ("is_on") ON TABLE "public"."tax_settings" TO "authenticated";

GRANT UPDATE ("nexus") ON TABLE "public"."tax_settings" TO "authenticated";

GRANT UPDATE ("platform") ON TABLE "public"."tax_settings" TO "authenticated";

GRANT UPDATE ("reports_fee") ON TABLE "public"."tax_settings" TO "authenticated";

GRANT UPDATE ("tax_number") ON TABLE "public"."tax_settings" TO "authenticated";

GRANT SELECT ON TABLE "public"."tax_settings" TO "authenticated";

GRANT ALL ON TABLE "public"."tax_settings" TO "service_role";

REVOKE ALL ON TABLE "private"."closed_buyers" FROM PUBLIC, anon, authenticated, service_role;
REVOKE ALL ON TABLE "private"."invoice_spans" FROM PUBLIC, anon, authenticated, service_role;
REVOKE ALL ON TABLE "private"."tax_details" FROM PUBLIC, anon, authenticated, service_role;
REVOKE ALL ON TABLE "private"."tax_questions" FROM PUBLIC, anon, authenticated, service_role;
REVOKE ALL ON TABLE "private"."tax_report_entries" FROM PUBLIC, anon, authenticated, service_role;
REVOKE ALL ON TABLE "private"."tax_reports" FROM PUBLIC, anon, authenticated, service_role;
INSERT INTO "public"."tax_settings" DEFAULT VALUES;
INSERT INTO "private"."rate_limits" ("action", "attempts", "window_seconds", "requests") VALUES ('tax details', 10, 3600, '{}');
SELECT cron.schedule('tax-details', '53 4 * * *', 'select private.ask_for_tax_details()');
