set local check_function_bodies = off;

DROP FUNCTION "private"."check_seals"(text);

DROP FUNCTION "private"."check_staff_log"(text);

DROP FUNCTION "private"."seal_hash"(text, bigint, private.ledger_transfers, jsonb);

DROP FUNCTION "private"."staff_log_hash"(private.staff_log);

CREATE TABLE "private"."sealed_records" ("id" bigint GENERATED ALWAYS AS IDENTITY NOT NULL, "kind" text NOT NULL, "subject" text NOT NULL, "digest" text, "salt" uuid, "created_at" timestamp with time zone NOT NULL DEFAULT clock_timestamp(), CONSTRAINT "sealed_records_pkey" PRIMARY KEY (id));

ALTER TABLE "private"."sealed_records" ENABLE ROW LEVEL SECURITY;

ALTER TABLE "private"."ledger_seal_end" ADD COLUMN "records_through" bigint NOT NULL DEFAULT 0;

ALTER TABLE "private"."ledger_seal_end" ADD COLUMN "next_records_through" bigint NOT NULL DEFAULT 0;

ALTER TABLE "private"."ledger_seals" ADD COLUMN "record_id" bigint;

ALTER TABLE "private"."ledger_seals" ALTER COLUMN "transfer_id" DROP NOT NULL;

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
      seats_fee_rate_check seats_invited_address_check seats_member_id_fkey seats_owner_id_fkey seats_pkey seats_settlement_check
      seats_share_check'),
    ('public.member_payments', 'issue_receipt no_more_than_was_paid note_facts note_lost_facts note_new_facts record_receipt
      record_step member_payments_card_check member_payments_coins_check member_payments_earned_fee_check
      member_payments_earned_share_check member_payments_fee_check member_payments_from_guarantee_check member_payments_member_id_fkey
      member_payments_note_check member_payments_number_check member_payments_owed_back_check member_payments_owner_id_fkey
      member_payments_paid_with_check member_payments_pkey member_payments_receipt_number_key member_payments_returned_fee_check
      member_payments_returned_share_check member_payments_seat_id_fkey member_payments_seat_id_number_key
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
    select substr(number, 1, char_length(number) - char_length(digits)) as name, count(*) as invoices, min(digits::numeric) as first, max(digits::numeric) as last
    from public.fee_invoices cross join lateral substring(number from '[0-9]+$') as digits group by 1
  ) as n on n.name = s.name
  where (s.last, s.last, 1) is distinct from (n.invoices, n.last, n.first)
  union all
  -- What an invoice is made of was sealed before, so they have come at least that far.
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
  where buyer_country is distinct from coalesce(evidence ->> 'declared', evidence ->> 'card', seller ->> 'country')
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

CREATE OR REPLACE FUNCTION private.record_content(p_record private.sealed_records)
 RETURNS jsonb
 LANGUAGE sql
 STABLE
AS $function$
  select jsonb_build_array('record', p_record.id, p_record.kind, p_record.subject, p_record.digest, extract(epoch from p_record.created_at))
$function$;

CREATE OR REPLACE FUNCTION private.record_digest(p_salt uuid, p_content jsonb)
 RETURNS text
 LANGUAGE sql
 STABLE
RETURN encode(sha256(convert_to((jsonb_build_array(p_salt, p_content))::text, 'UTF8'::name)), 'hex'::text);

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
RETURN string_to_array(CASE p_kind WHEN 'invoice'::text THEN ('number corrects payment_id buyer_id issued_at paid_at plan_name period gross net vat category vat_rate buyer_name '::text || 'buyer_country evidence seller'::text) WHEN 'receipt'::text THEN ('receipt_number seat_id subscription_id owner_id member_id plan_name number share fee paid_at owner_name member_name '::text || 'seller_name seller_address seller_tax_number'::text) WHEN 'direct payment'::text THEN (('seat_id subscription_id owner_id member_id plan_name number share fee starts_at ends_at due_at status '::text || 'claimed_at paid_at closed_at owed_back repaid_at note receipt_number owner_name member_name seller_name seller_address '::text) || 'seller_tax_number'::text) WHEN 'tax report'::text THEN 'year kind reference operator operator_document operator_way operator_corrects made_at created_by'::text WHEN 'void tax report'::text THEN 'voided_at voided_by void_reason'::text WHEN 'tax report entry'::text THEN 'document corrects is_deletion figures'::text WHEN 'day of the books'::text THEN ('held owed going_back fees corrections outside given_back seats wallets problems fixed paid_back unfounded '::text || 'hours_to_money checked_at faults seal seal_hash'::text) WHEN 'withdrawal'::text THEN ('user_id amount closes_account status requested_at processed_at completed_at rejection_reason stripe_transfer_id '::text || 'bank_account_last4 bank_account_id processed_by completed_by returned_at returned_by return_reason'::text) WHEN 'paid withdrawal'::text THEN ('user_id amount requested_at processed_at completed_at stripe_transfer_id bank_account_last4 processed_by '::text || 'completed_by'::text) WHEN 'bank account'::text THEN 'user_id version last4 sealed created_at'::text WHEN 'state of a bank account'::text THEN 'taken_back_at'::text WHEN 'payout account'::text THEN 'reference created_at'::text WHEN 'transfer to an account'::text THEN 'user_id payment_id dispute_id amount created_at'::text WHEN 'state of a transfer'::text THEN 'status reference reason sent_at'::text WHEN 'reversal'::text THEN 'transfer_id dispute_id warning_id refund_id amount created_at'::text WHEN 'state of a reversal'::text THEN 'status reference done_at'::text WHEN 'payout'::text THEN 'user_id amount status arrives_on reason created_at changed_at'::text WHEN 'customer'::text THEN 'reference'::text WHEN 'payment method'::text THEN 'user_id provider reference kind created_at'::text WHEN 'state of a payment method'::text THEN 'last4 mandate country'::text WHEN 'VAT rate'::text THEN 'rate'::text WHEN 'VAT settings'::text THEN 'mode name street postcode town country vat_number sentence prefix since'::text WHEN 'time with invoices'::text THEN 'until mode'::text ELSE NULL::text END, ' '::text);

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

CREATE OR REPLACE FUNCTION private.staff_log_content(p_line private.staff_log)
 RETURNS jsonb
 LANGUAGE sql
 IMMUTABLE
 SET search_path TO ''
AS $function$
  select jsonb_build_array(to_char(p_line.at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.US'), p_line.actor, p_line.action, p_line.subject,
    p_line.details)
$function$;

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

CREATE OR REPLACE FUNCTION private.write_record(p_kind text, p_subject text, p_content jsonb)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  -- What says nothing about a person needs none.
  v_salt uuid := case when p_content is not null and p_kind not in ('day of the books', 'VAT rate', 'VAT settings', 'time with invoices')
    then gen_random_uuid() end;
begin
  insert into private.sealed_records (kind, subject, digest, salt)
  values (p_kind, p_subject, case when p_content is not null then private.record_digest(v_salt, p_content) end, v_salt);
  if p_content is null then
    update private.sealed_records set salt = null where kind = p_kind and subject = p_subject and salt is not null;
  end if;
end $function$;

ALTER TABLE "private"."ledger_seals" ADD CONSTRAINT "ledger_seals_record_id_key" UNIQUE (record_id);

ALTER TABLE "private"."ledger_seals" ADD CONSTRAINT "seals_one_thing" CHECK ((num_nonnulls(transfer_id, record_id) = 1));

ALTER TABLE "private"."ledger_seals" ADD CONSTRAINT "ledger_seals_record_id_fkey" FOREIGN KEY (record_id) REFERENCES private.sealed_records(id);

CREATE INDEX sealed_records_subject_idx ON private.sealed_records USING btree (kind, subject, id DESC);

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

CREATE TRIGGER record AFTER INSERT ON public.fee_invoices FOR EACH ROW EXECUTE FUNCTION private.tg_private__record('invoice', '{id}');

CREATE TRIGGER record_receipt AFTER UPDATE ON public.member_payments FOR EACH ROW WHEN (((new.settlement = 'potluck'::text) AND (old.receipt_number IS NULL) AND (new.receipt_number IS NOT NULL))) EXECUTE FUNCTION private.tg_private__record('receipt', '{id}');

CREATE TRIGGER record_step AFTER INSERT OR UPDATE ON public.member_payments FOR EACH ROW WHEN ((new.settlement = 'direct'::text)) EXECUTE FUNCTION private.tg_private__record('direct payment', '{id}');

CREATE TRIGGER record_state AFTER INSERT OR DELETE OR UPDATE ON public.payment_methods FOR EACH ROW EXECUTE FUNCTION private.tg_private__record('state of a payment method', '{id}');

CREATE TRIGGER record AFTER INSERT OR DELETE ON public.payment_methods FOR EACH ROW EXECUTE FUNCTION private.tg_private__record('payment method', '{id}');

CREATE TRIGGER record AFTER INSERT OR UPDATE ON public.vat_settings FOR EACH ROW EXECUTE FUNCTION private.tg_private__record('VAT settings', '{id}');

CREATE TRIGGER record_paid AFTER INSERT OR UPDATE ON public.withdrawal_requests FOR EACH ROW WHEN ((new.status = 'completed'::text)) EXECUTE FUNCTION private.tg_private__record('paid withdrawal', '{id}');

CREATE TRIGGER record AFTER INSERT OR UPDATE ON public.withdrawal_requests FOR EACH ROW EXECUTE FUNCTION private.tg_private__record('withdrawal', '{id}');

REVOKE ALL ON FUNCTION "private"."chain_days"(text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."chain_end"(text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."chain_hash"(text, bigint, jsonb) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."chain_lines"(text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."check_chain"(text, text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."check_records"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."check_seals"(text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."check_staff_log"(text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."check_taxation"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."past_vat_settings"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."record_content"(private.sealed_records) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."record_digest"(uuid, jsonb) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."record_rows"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."seal_subject"(private.ledger_seals, private.ledger_transfers, private.sealed_records) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."sealed_columns"(text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."sealed_content"(text, jsonb) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."sealed_content_of"(private.ledger_seals, private.ledger_transfers, private.sealed_records, jsonb) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."sealed_kinds"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."sealed_subject"(text[], jsonb) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."staff_log_content"(private.staff_log) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."tg_private__record"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."tg_sealed_records__keep"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."transfer_content"(private.ledger_transfers, jsonb) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."write_record"(text, text, jsonb) FROM PUBLIC;

-- By hand: rows of earlier versions get their records.
revoke all on private.sealed_records from public, anon, authenticated, service_role;
select private.record_rows();
