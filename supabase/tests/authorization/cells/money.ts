// Coins, seats and payments.
import { REASONS } from '../../cases.ts'

const GIVEN = `'${REASONS}'`

export const money = `
table user_wallets
  rows own | user_id = :me
  select | signed in: own; admins: all

table coin_transactions
  rows own | user_id = :me
  select | signed in: own; admins: all

table withdrawal_requests
  rows own | user_id = :me
  rows of others | user_id <> :me
  select | signed in: own; admins: all
  insert of user_id, amount
  insert (amount) values (20) | from their own wallet | signed in: yes
  insert (user_id, amount) values (:lea, 20) | from the wallet of another | nobody
  update of status, processed_at, completed_at, stripe_transfer_id, bank_account_last4, rejection_reason
  update status = 'processing' | to processing | signed in: none; admins: of others, 42501
  update completed_at = now(), bank_account_last4 = '1234' | what comes with a decision, without one | signed in: none; admins: 23514, 42501
  update status = 'rejected', rejection_reason = 'Unknown account' | to rejected | signed in: none; admins: of others, 42501
  update status = 'completed' | straight to completed | signed in: none; admins: 23514, 42501

table member_payments
  rows own | member_id = :me or owner_id = :me
  select | signed in: none; member, former member, owner: own; admins: all

table payment_claims
  rows own | member_id = :me or owner_id = :me
  select | signed in: none; member, owner: own; admins: all
  hidden token_hashes, access_from, decided_by

table term_proposals
  rows own | member_id = :me or owner_id = :me
  select | signed in: none; member, owner: own

table seat_problems
  rows own | member_id = :me or owner_id = :me
  select | signed in: none; member, owner: own; admins: all

table problem_statements
  rows own | problem_id in (select id from seat_problems where member_id = :me or owner_id = :me)
  select | signed in: none; member, owner: own; admins: all

table payment_wishes
  rows own | user_id = :me
  rows of the owner they pay | user_id = :olivia
  select | signed in: none; member: of the owner they pay; owner: own
  insert of user_id, kind, iban, holder, link, note
  insert (kind, link) values ('link', 'https://pay.example/me') | their own | signed in: yes; owner: 23505
  insert (user_id, kind, note) values (:lea, 'text', 'Cash') | of another | nobody
  update of kind, iban, holder, link, note
  update note = 'Cash' | a note | signed in: none; owner: own
  delete | signed in: none; owner: own

table payment_methods
  rows own | user_id = :me
  select | signed in: own
  hidden provider, reference, country

table fee_invoices
  rows own | buyer_id = :me
  select | signed in: none; member: own; admins: all

table payment_disputes
  select | signed in: none; admins: all

table debts
  rows own | member_id = :me
  select | signed in: none; member: own; admins: all
  hidden intent, status, code, card_id, attempts

table fraud_warnings
  select | signed in: none; admins: all

table unknown_payment_events
  select | signed in: none; admins: all

open_own_wallet() as a where a.user_id = :me | their own | signed in: yes
validate_withdrawal_request(:me, 20) | for themselves | signed in: yes
validate_withdrawal_request(:lea, 20) | for another | nobody
wallet_statement(now() - interval '1 month', now() + interval '1 day') | their own | signed in: yes
public_books() | of everybody's last day | everybody: yes
list_transfers() | everybody's | admins: yes
list_staff_log() | everybody's | super-admin: yes
list_withdrawals() | everybody's | admins: yes
withdrawal_statistics() | everybody's | admins: yes
wallet_overview() | everybody's | admins: yes
coins_by_day() | everybody's | admins: yes
transaction_statistics() | everybody's | admins: yes
adjust_wallet(:lea, 5, 'A gift') | of another | admins: yes
adjust_wallet(:lea, 100.01, 'A gift') | of another, over the ceiling | admins: 23514
adjust_wallet(:lea, -80.01, 'A mistake') | of another, what is to be paid out | admins: 23514
adjust_wallet(:me, 5, 'A gift') | their own | nobody
decide_country(:lea, 'DE') | of another, who was not asked | admins: 23514
decide_country(:me, 'DE') | their own | nobody
list_returned_payments() | everybody's | admins: nothing
decide_returned_payment(gen_random_uuid(), true) | that is not there | admins: PT404
hold_payouts(:lea, now() + interval '1 day', ${GIVEN}) | of another | admins: yes
hold_payouts(:me, now() + interval '1 day', ${GIVEN}) | their own | nobody
release_payouts(:lea) | of another, not held | admins: 23514
release_payouts(:me) | their own | nobody
get_bank_account() | their own | signed in: yes
prepare_bank_account() | their own | signed in: yes
save_bank_account(:me, gen_random_uuid(), 2, '3000', 'v1.a.b', null) | their own | nobody
begin_vault('a key') | of the site | nobody
missing_vault_keys('{}') | of everybody | nobody
rotate_vault_keys('a key') | of everybody | nobody
rewrap_vault_keys('a key', '[]') | of everybody | nobody
create_payout_file(array[:lea]::uuid[]) | of what waits | admins: PT404
open_payout_file(0) | that is not there | admins: PT404
note_payout_file(:me, 0, '{}') | that is not there | nobody
void_payout_file(0, 'Closed') | that is not there | admins: PT404
list_payout_files() | everybody's | admins: nothing
return_withdrawal(:lea, 'Closed') | that is not there | admins: PT404
move_clock('1 hour') | by an hour | nobody
invoice(:lea) | that is not there | signed in: PT404
my_tax_details() | their own | signed in: yes
prepare_tax_details() | their own, where nobody asks | signed in: 23514
save_tax_details(:me, gen_random_uuid(), 1, 'DE', 'v1.a.b', null) | their own | nobody
list_tax_sellers(2026) | everybody's | admins: nothing
list_tax_reports() | everybody's | admins: nothing
tax_report_state() | of the site | admins: yes
make_tax_report(2026, 'new') | that is switched off | admins: 23514
open_tax_report(0) | that is not there | admins: PT404
void_tax_report(0, 'Refused') | that is not there | admins: PT404
my_country() | their own | signed in: yes
supply_figures() | of the site | super-admin: yes
my_seller() | their own | signed in: yes
asks_age() | of their own | signed in: false
confirm_age() | their own | signed in: yes
declare_seller(false) | that they are a private person | signed in: yes
declare_seller(true, 'Ann', null, 'ann@potluck.example') | that they are a trader without an address | signed in: 23514
set_country('FR') | their own | signed in: yes
set_country('France') | one that is no code | signed in: 23514
my_time_zone() | their own, before any is known | signed in: nothing
set_time_zone('Europe/Berlin') | their own | signed in: yes
set_time_zone('Atlantis') | one that nobody knows | signed in: 23514
quote_plan(:plan) | a plan that is active | signed in: yes
quote_plan(:pending_plan) | a plan in review | signed in: PT404; staff: yes
quote_terms(:proposal) | to the member | signed in: PT404; member: yes
my_seats() | their own | signed in: nothing; member, former member: yes
plan_seats(:plan) | of the plan | signed in: nothing; owner: yes
owner_part(:plan) | of the plan | signed in: PT404; owner: yes
leave_seat(:seat, true) | of the member, now | signed in: PT404; member: yes
leave_seat(:seat) | of the member, at the end | signed in: PT404; member: yes
withdraw_from_contract(:seat) | of the member, who pays the owner directly | signed in: PT404; member: 23514
cancel_departure(:seat) | of the member, who has not left | signed in: PT404; member: 23514
use_coins_first(:seat, true) | of the member | signed in: PT404; member: yes
settle_owed(:seat) | where nothing is owed | signed in: PT404; member: 23514
give_access(:seat, 'home') | to the member | signed in: PT404; owner: yes
confirm_access(:seat) | of the member | signed in: PT404; member: yes
report_problem(:seat, 'password') | a second one | signed in: PT404; member: 23514
say_fixed(:problem) | of the member | signed in: PT404; owner: yes
contest_problem(:problem) | of the member | signed in: PT404; owner: yes
answer_fix(:problem, true) | before the owner has spoken | signed in: PT404; member: 23514
drop_problem(:problem) | of the member | signed in: PT404; member: yes
decide_problem(:problem, true, 'Tried it') | that waits for the owner | admins: 23514
problem_timeline(:problem) | of the member | signed in: PT404; member, owner, admins: yes
propose_terms(:plan, 'direct') | the terms there are | owner: 23514
propose_shares(:plan, 10) | of a plan of the catalogue | owner: 23514
answer_terms(:proposal, false) | to the member | signed in: PT404; member: yes
end_seat_with_period(:seat) | of the member | signed in: PT404; owner: yes
get_vault_entry(:plan) | of the plan | signed in: nothing; member, owner: yes
# Whoever has left did so before there was anything to know.
passwords_due() | their own | signed in: nothing
list_vault_versions(:plan) | of the plan | signed in: nothing; member, owner: yes
list_vault_openings(:plan) | of the plan, which the member has opened | signed in: nothing; member, owner: yes
prepare_vault_entry(:plan) | of the plan | owner: yes
save_vault_entry(:me, :plan, 3, 'v1.sealed', null) | the next version | nobody
open_vault_login(:plan) | of the plan | signed in: nothing; member, owner: yes
open_vault_entry(:plan) | of the plan | signed in: PT404; member, owner: yes
payment_totals() | their own | signed in: yes
my_payment_days() | their own | signed in: nothing; owner, member: yes
say_paid(:payment) | of the member | signed in: PT404; member: yes
propose_direct_payments('[]') | of nothing | signed in: nothing
confirm_direct_payments('[]') | of nothing | signed in: nothing
confirm_payment(:payment) | of the member | signed in: PT404; owner: yes
deny_payment(:payment, 'Nothing here') | that nobody says is paid | signed in: PT404; owner: 23514
unconfirm_payment(:payment) | that nobody has confirmed | signed in: PT404; owner: 23514
waive_payment(:payment) | of a living place | signed in: PT404; owner: 23514
say_repaid(:payment) | where nothing is owed | signed in: PT404; owner: 23514
deny_repayment(:payment, 'Nothing here') | that nobody says is paid back | signed in: PT404; member: 23514
close_debt(:payment, 'Settled') | where nothing is owed | admins: 23514
list_payment_disputes() | of everybody | admins: nothing
decide_payment_claim(:claim, true, 'Seen') | that is over | admins: PT404
get_payment_claim(:claim_token) | with the link of a mail | everybody: yes
get_payment_claim('guessed') | with a link that leads nowhere | everybody: PT404
answer_payment_claim(:claim_token, true) | with the link of a mail, that is over | everybody: 23514
nudge_payment(:payment) | of the member | signed in: PT404; owner: yes
end_late_seat(:seat) | of the member, who is in time | signed in: PT404; owner: 23514
payment_provider() | of the site | signed in: nothing
payment_person(false) | their own | signed in: yes
choose_card(md5(:me::text)::uuid) | their own | signed in: yes
choose_card(md5(:lea::text)::uuid) | of another | signed in: PT404
remove_card(md5(:me::text)::uuid) | their own | signed in: yes
remove_card(md5(:lea::text)::uuid) | of another | signed in: PT404
begin_payment(:lea, null) | of another | signed in: PT404
own_charge(:lea) | of another | signed in: nothing
record_intents(jsonb_build_object(:lea, 'pi_mine')) | of another | nobody
record_charges('[{"intent": "pi", "status": "succeeded", "amount": 5, "cost": 0}]') | of another | nobody
knows_charge('pi') | of another | nobody
refuse_charge(:lea, 'resource_missing') | of another | nobody
record_refund('re', null, 'succeeded', null) | of another | nobody
record_dispute('dp', 'pi', 5, 'won', 'general', null) | of another | nobody
record_dispute_answer('dp', null) | of another | nobody
yearly_statement(2026) | their own | signed in: yes
dispute_evidence('dp') | that is not there | admins: nothing
answer_dispute('dp', 'x') | that is not there | admins: PT404
record_fraud_warning('issfr', 'pi', 'misc', true) | of another | nobody
decide_fraud_warning('issfr', true) | that is not there | admins: PT404
pay_debt_with_coins(:lea) | of another | signed in: PT404
list_contract_withdrawals() | where there are none | admins: nothing
lift_contract_withdrawals(:lea) | of a person who has not withdrawn | admins: 23514
record_movements('2026-11-24', '[]', true) | of the provider | nobody
my_payouts() | their own | signed in: yes
move_coins_to_account() | their own, without an account | signed in: 23514
own_payout_account(true) | their own, where the site has none | signed in: 23514
register_account(:lea, 'acct_mine') | of another | nobody
knows_account('acct') | of another | nobody
record_account('acct', true, true, '{}', null) | of another | nobody
record_account_transfer(:lea, 'tr', null) | of another | nobody
record_account_reversal(:lea, 'trr') | of another | nobody
record_account_payout('acct', 'po', 5, 'paid', null, null) | of another | nobody
report_payment_provider('stripe', 'live', 'pk_live_mine') | of the site | nobody
lease_payment_jobs('stripe', 10) | everybody's | nobody
settle_payment_job(:lea, 1, null) | of another | nobody
record_customer(:lea, 'cus_mine') | of another | nobody
record_card('cus_lea', 'pm', 'visa', '4242', 1, 2030, true) | of another | nobody
forget_card('pm') | of another | nobody
end_mandate('pm') | of another | nobody
record_unknown_event('evt', 'x', 'y') | of the provider | nobody
compare_after_restore('[]') | of the provider | nobody
review_payment_event('evt_1', 'Of our other site') | of the provider | admins: yes
recall_simulated('sim') | of another | nobody
remember_simulated('sim', '{}') | of another | nobody
`
