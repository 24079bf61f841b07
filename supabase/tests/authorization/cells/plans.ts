// Plans, their members, waiting lists and invitations. The plan's invitation was sent to an email address that none of
// the nine people has, so none of them may accept or decline it.
import { REASONS } from '../../cases.ts'

const GIVEN = `'${REASONS}'`

export const plans = `
# A row is there only while it is being removed.
table plan_departures
  select | signed in: all

# Whom an owner has blocked finds their plan only as its member, or as staff.
table shared_subscriptions
  rows active | status = 'active'
  rows found | status = 'active' and id <> :blocking_plan
  rows own | owner_id = :me
  select | signed in: found; member: active; staff: all
  insert of settlement, id, code, catalogue_plan_id, name, provider, description, category, logo, total_price
  insert of member_price, currency, billing_cycle, max_members, owner_max_members, current_members, kept_places, waiting, fee_rate
  insert of provider_max_members, owner_id, owner, status, next_payment, is_private, instant_from, created_at
  insert of cycle_months, anchor, share_rule, website, note
  insert (catalogue_plan_id, owner_max_members, next_payment) values ('disney-plus-premium', 3, current_date + 30) | in their own name | signed in: yes
  insert (catalogue_plan_id, owner_max_members, next_payment, owner_id) values ('disney-plus-premium', 3, current_date + 30, :lea) | in the name of another | nobody
  update of owner_max_members, next_payment, is_private, instant_from
  update owner_max_members = 4, next_payment = current_date + 40 | places and renewal | signed in: none; owner: own
  delete | signed in: none; owner: own

table subscription_members
  rows own and the owner’s | user_id = :me or (is_owner and subscription_id in (:plan, :blocking_plan))
  rows of the plan | subscription_id = :plan
  rows own | user_id = :me
  rows of the plan but the owner’s | subscription_id = :plan and not is_owner
  select | signed in: none; member: own and the owner’s; owner: of the plan
  delete | signed in: none; member: own; owner: of the plan but the owner’s

table subscription_requests
  rows own | user_id = :me
  rows of the plan | subscription_id = :plan
  select | signed in: none; requester, member, former member: own; owner: of the plan
  insert of subscription_id, user_id, name, email, message, coins_first, begins_at_once_at, status
  insert (subscription_id) values (:plan) | for the plan | signed in: yes; requester, member: 23505; owner: 23514
  insert (subscription_id) values (:blocking_plan) | for a plan whose owner has blocked them | signed in: PT404; member: 23514
  insert (subscription_id, user_id) values (:plan, :paul) | in the name of another | nobody
  update of status
  update status = 'cancelled' | to cancelled | signed in: none; requester: own; member, former member: 23514
  update status = case status when 'pending' then 'approved' else 'rejected' end | to approved, or else | signed in: none; requester: 42501; member, former member: 23514

# The stranger waits for the second plan. The first has a place.
table waiting_list
  select | signed in: none; stranger: all

table plan_alerts
  rows own | user_id = :me
  select | signed in: own
  delete | signed in: own

table subscription_invitations
  rows of the plan | subscription_id = :plan
  select | signed in: none; owner: of the plan
  hidden token_hash

count_available_plans() | the active plans | everybody: yes
market_plans() | the active plans | everybody: yes
fee_rate() | of a plan shared now | everybody: yes
sign_ups() | of the site | everybody: yes
market_plan(:plan) | that everybody may find | everybody: yes
market_plan(:blocking_plan) | of an owner who has blocked all but visitors | signed in: nothing; visitor, member: yes
page_head('/plans/' || :plan) | of a plan | everybody: yes
plan_of_code('notacode') | that leads nowhere | everybody: nothing
site_paths() | for search engines | everybody: yes
site_config('potluck.example') | of the site | everybody: yes
restricted_providers() | of the site | everybody: yes
check_instant(:plan) | of the plan | signed in: yes
check_instant(:blocking_plan) | of an owner who has blocked them | signed in: PT404; member: yes
check_instant(:pending_plan) | of one in review | signed in: PT404
plan_changes(:plan) | of the plan | signed in: PT404; owner, staff: nothing
plan_notices(:plan) | of the plan | signed in: PT404; member, owner, staff: nothing
make_plan_notice(:plan, 'pause', current_date + 14) | of the plan | owner: yes
end_plan_notice(gen_random_uuid()) | one that is not there | signed in: PT404
get_plan_link(:plan) | of the plan | signed in: PT404; owner: yes
replace_plan_link(:plan) | of the plan | signed in: PT404; owner: 23514
open_plan_link('guessed') | that leads nowhere | signed in: PT404
list_plans_for_review() | every plan | staff: yes
list_plans_for_review('pending') | those in review | staff: yes
review_plan(:pending_plan, 'approve') | approving one in review | staff: yes
review_plan(:pending_plan, 'reject', ${GIVEN}) | rejecting one in review | staff: yes
review_plan(:pending_plan, 'reject') | rejecting one without reasons | staff: 23514
review_plan(:plan, 'hide', ${GIVEN}) | hiding an active one | staff: yes
review_plan(:plan, 'approve') | approving an active one | staff: 23514
is_subscription_owner(:plan) | of the plan | signed in: false; owner: true
check_existing_subscription_membership(:plan, :me) | for themselves | signed in: false; member, owner: true
check_existing_subscription_membership(:plan, :lea) | for another | nobody
check_existing_subscription_request(:plan, :me) | for themselves | signed in: false; requester: true
check_existing_subscription_request(:plan, :lea) | for another | nobody
approve_subscription_request(:request, :plan) | on a request for the plan | owner: yes
approve_subscription_request(:other_request, :plan) | on a request for another plan | owner: PT404
approve_subscription_request(:other_request, :other_plan) | on another’s plan | nobody
reject_subscription_request(:request, :plan) | on a request for the plan | owner: yes
reject_subscription_request(:other_request, :plan) | on a request for another plan | owner: PT404
reject_subscription_request(:other_request, :other_plan) | on another’s plan | nobody
get_pending_requests_with_expiry(:plan) | of the plan | owner: yes
fetch_archived_requests(:plan) | of the plan | signed in: nothing; owner: yes
fetch_user_archived_requests(:me) | their own | signed in: nothing; member, former member: yes
fetch_user_archived_requests(:lea) | of another | nobody
join_waiting_list(:plan) | of the plan | signed in: 23514; requester, member, owner: 23505
leave_waiting_list(:other_plan) | of the other plan | signed in: PT404; stranger: yes
create_plan_alert(p_provider => 'Netflix') | for themselves | signed in: yes
my_waiting_lists() | their own | signed in: nothing; stranger: yes
# Nobody here has lost a plan they paid for long enough; precedence.test.ts has who did.
my_precedence() | their own | signed in: nothing
preview_import('[]') | of nothing | signed in: nothing
import_plans('[]') | of nothing | signed in: nothing
begin_import() | their own | signed in: yes
invite_member(:plan, 'new@potluck.example') | to the plan | owner: yes
invite_member(:plan, :bea_email) | to the plan, for somebody who has blocked them | owner: 23514
revoke_invitation(:invitation) | to the plan | signed in: PT404; owner: yes
# A visitor may be the invited person, who has still to sign in.
get_invitation(:token) | with the link of another | visitor: yes
get_invitation('guessed') | with a link that leads nowhere | everybody: PT404
accept_invitation(:token) | with the link of another | nobody
decline_invitation(:token) | with the link of another | nobody
# Guests have no session. Whoever has a link is that person (joining/guests.test.ts); nobody here has one.
add_guest(:plan, 'Mum') | to a plan that everybody finds | owner: 23514
renew_place_link(:lea) | of somebody who is no guest | signed in: PT404
remind_guest(:payment) | of the member, who is no guest | signed in: PT404; owner: 23514
plan_guests(:plan) | of the plan, which has none | signed in: nothing
remind_all(:plan) | of the plan, where nothing is due | signed in: nothing; owner: yes
my_place('guessed') | with a link that leads nowhere | everybody: PT404
place_said_paid('guessed', :payment) | with a link that leads nowhere | everybody: PT404
place_answered_terms('guessed', :proposal, true) | with a link that leads nowhere | everybody: PT404
place_leaves('guessed') | with a link that leads nowhere | everybody: PT404
place_forgets('guessed') | with a link that leads nowhere | everybody: PT404
place_note('guessed', 'Hello') | with a link that leads nowhere | everybody: PT404
place_calendar('guessed', true) | with a link that leads nowhere | everybody: PT404
place_export('guessed') | with a link that leads nowhere | everybody: PT404
place_reports('guessed', 'I do not know this person') | with a link that leads nowhere | everybody: PT404
open_place_access('guessed', '000000') | with a link that leads nowhere | everybody: PT404
set_guest_address(:lea, 'mum@home.example') | of somebody who is no guest | signed in: PT404
set_guest_access(:lea, true) | of somebody who is no guest | signed in: PT404
note_to_guest(:lea, 'Hello') | of somebody who is no guest | signed in: PT404
claim_place('guessed') | with a link that leads nowhere | signed in: PT404
answer_place_claim(:seat, true) | of the member, who was no guest | signed in: PT404; owner: 23514
# A plan is handed over in joining/handing-over.test.ts; nobody has offered this one.
offer_plan(:plan, :lea) | a plan that everybody finds | owner: 23514
get_plan_offer(:plan) | of the plan | signed in: nothing
withdraw_plan_offer(:plan) | of the plan | signed in: PT404
accept_plan(:plan) | of the plan | signed in: PT404
decline_plan(:plan) | of the plan | signed in: PT404
`
