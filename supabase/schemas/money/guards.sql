-- The triggers and constraints that protect the money, by table. A test keeps the list complete.
create function private.book_guards() returns table (relation text, guard text)
language sql immutable set search_path = '' as $$
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
    ('private.seats', 'note_facts only_seats_in_own_plans_have_a_cycle seats_billing_cycle_check seats_carried_by_fkey seats_check seats_check1 seats_end_reason_check seats_ended_by_fkey
      paid_through_the_site_begins_at_once seats_fee_rate_check seats_invited_address_check seats_member_id_fkey seats_owner_id_fkey seats_part_check seats_pkey seats_settlement_check
      seats_share_check'),
    ('public.member_payments', 'issue_receipt no_more_than_was_paid the_site_takes_euros note_facts note_lost_facts note_new_facts record_receipt
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
    ('public.withdrawal_requests', 'a_return_has_a_reason decide fill guard_payout hold log_staff name_account record record_paid refuse
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
    ('public.operator', 'guard log_staff record refuse operator_country_check operator_email_check operator_id_check operator_name_check
      operator_phone_check operator_pkey operator_postcode_check operator_register_check operator_street_check operator_town_check
      operator_vat_number_check'),
    ('public.vat_settings', 'guard log_staff record refuse vat_settings_id_check vat_settings_mode_check vat_settings_pkey
      vat_settings_prefix_check vat_settings_sentence_check'),
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
$$;

-- Lists guards that are missing, switched off or not validated; returns no rows if all are in place.
create function private.check_guards() returns table (fault text, subject text, expected numeric, found numeric)
language sql stable security definer set search_path = '' as $$
  select 'A trigger or constraint that protects the books is missing', g.relation || ': ' || g.guard, null::numeric, null::numeric
  from private.book_guards() as g
  where not exists (select from pg_catalog.pg_trigger as t where t.tgrelid = to_regclass(g.relation) and t.tgname = g.guard)
    and not exists (select from pg_catalog.pg_constraint as c where c.conrelid = to_regclass(g.relation) and c.conname = g.guard)
  union all
  -- Foreign keys are enforced by triggers that the list does not name.
  select 'A trigger or constraint that protects the books is switched off', off.relation || ': ' || off.guard, null, null
  from (
    select g.relation, coalesce(c.conname, t.tgname) as guard from (select distinct relation from private.book_guards()) as g
    join pg_catalog.pg_trigger as t on t.tgrelid = to_regclass(g.relation) and t.tgenabled not in ('O', 'A')
    left join pg_catalog.pg_constraint as c on c.oid = t.tgconstraint
    union
    select g.relation, c.conname from (select distinct relation from private.book_guards()) as g
    join pg_catalog.pg_constraint as c on c.conrelid = to_regclass(g.relation) and not c.convalidated
  ) as off
$$;
