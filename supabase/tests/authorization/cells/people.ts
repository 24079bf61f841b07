// Chats, people and their notifications.
import { REASONS } from '../../cases.ts'

const GIVEN = `'${REASONS}'`

export const people = `
table conversations
  rows own | owner_id = :me or member_id = :me
  select | signed in: none; member, former member, owner: own

table messages
  rows own | conversation_id in (select id from conversations where owner_id = :me or member_id = :me)
  select | signed in: none; member, former member, owner: own
  insert of id, conversation_id, sender_id, content, message_type, metadata
  insert (conversation_id, content) values (:conversation, 'Hello') | in the member’s chat | member, owner: yes
  insert (conversation_id, content) values (:archived_conversation, 'Hello') | in the archived chat | former member, owner: 23514
  insert (conversation_id, content) values (:blocking_conversation, 'Hello') | to a plan’s owner who has blocked them | member: 23514
  insert (conversation_id, content, sender_id) values (:conversation, 'Hello', :lea) | in the name of another | nobody
  insert (conversation_id, content, sender_id, message_type) values (:conversation, 'Hello', :me, 'announcement') | as an announcement | nobody
  insert (conversation_id, content, sender_id, message_type) values (:conversation, 'Hello', 'system', 'system') | as the system | nobody

table chat_participants
  rows own | user_id = :me
  select | signed in: none; member, former member, owner: own

table message_drafts
  rows own | user_id = :me
  select | signed in: none; member: own
  delete | signed in: none; member: own

# The owner has blocked the former member of the other plan.
table blocked_people
  rows own | user_id = :me
  select | signed in: none; owner: own

# Bea has blocked everybody: only who has a place with her, and staff, see who she is. Everybody has details; all but Bea have asked
# for a payout.
table user_profiles
  rows own | user_id = :me
  rows met | user_id <> :bea
  rows paid | user_id in (select user_id from withdrawal_requests)
  select | signed in: met; member, staff: all
  shows full_name, phone_number, language, name_unconfirmed | signed in: own; admins: paid
  insert of user_id, display_name, full_name, phone_number, avatar_url, language, name_unconfirmed
  insert (user_id, display_name) values (:me, 'New') | their own again | signed in: 23505
  insert (user_id, display_name) values (:lea, 'New') | of another | nobody
  update of display_name, full_name, phone_number, avatar_url, language, name_unconfirmed, updated_at
  update display_name = 'New', full_name = 'New', phone_number = '+4930123456' | name and number | signed in: own

table user_notifications
  rows own | user_id = :me
  select | signed in: own

# Browsers of staff learn of a case; list_cases() says what it is.
table cases
  hidden kind, person_id, subject_id, content, writer_id, by_guest, writer_name, writer_email, language, claim, body, closed_by, outcome, answer
  select | signed in: none; staff: all

ask_question(:plan, 'Is it in 4K?') | about the plan | signed in: yes; member: 23505; owner: 23514
ask_question(:blocking_plan, 'Is it in 4K?') | of an owner who has blocked them | signed in: PT404; member: 23505
ask_question(:pending_plan, 'Is it in 4K?') | about a plan in review | signed in: PT404
announce_to_members(:plan, 'New password at noon') | of their plan | owner: yes
announce_to_members(:other_plan, 'Hello') | of another’s plan | nobody
find_or_create_conversation(:plan, :olivia, :marc) | of owner and member | member, owner: yes
find_or_create_conversation(:plan, :olivia, :felix) | of owner and former member | former member, owner: yes
find_or_create_conversation(:plan, :olivia, :me) | of owner and themselves | requester, member, former member: yes; owner: 23514
find_or_create_conversation(:plan, :olivia, :rita) | of owner and requester | requester, owner: yes
find_or_create_conversation(:other_plan, :me, :paul) | as the owner of another’s plan | nobody
get_conversation_unread_status(:conversation, :me) | for themselves | member, owner: true
get_conversation_unread_status(:conversation, :lea) | for another | nobody
get_user_unread_conversations(:me) | their own | signed in: nothing; member, former member, owner: yes
get_user_unread_conversations(:lea) | of another | nobody
mark_conversation_read(:conversation, :me) | for themselves | member, owner: yes
mark_conversation_read(:conversation, :lea) | for another | nobody
mark_notifications_as_read(:me, null) | their own | signed in: yes
mark_notifications_as_read(:lea, null) | of another | nobody
block_person(:nina) | somebody else | signed in: yes
block_person(gen_random_uuid()) | an unknown person | signed in: PT404
unblock_person(:nina) | somebody, blocked or not | signed in: yes
report('person', :olivia, 'abuse', 'Rude') | the owner | signed in: yes; owner, visitor: 23514
report('person', :bea, 'abuse', 'Rude') | somebody who has blocked them | signed in: yes; visitor: 23514
report('plan', :plan, 'fraud', 'Rude', 'Ivy', 'ivy@potluck.example', 'en', true) | the plan, in good faith | everybody: yes; owner: 23514
report('plan', :pending_plan, 'fraud', 'Rude', 'Ivy', 'ivy@potluck.example', 'en', true) | one in review | everybody: PT404
report('review', :review, 'abuse', 'Rude', 'Ivy', 'ivy@potluck.example', 'en', true) | of the owner, as the stranger has | everybody: yes; stranger: 23505; former member: 23514
report('message', gen_random_uuid()::text, 'abuse', 'Rude', 'Ivy', 'ivy@potluck.example', 'en', true) | that they cannot read | everybody: PT404
# Lea has reported the owner.
list_cases() | those about others | staff: yes
close_case(:report, 'warned', null, ${GIVEN}) | about the owner, with a warning | staff: yes
close_case(:report, 'warned') | about the owner, without reasons | staff: 23514
close_case(:report, 'suspended', null, ${GIVEN}, null, 3) | about the owner, with a suspension | admins: yes
decide_about(:olivia, 'warned', ${GIVEN}) | about the owner, with a warning | staff: yes
decide_about(:olivia, 'suspended', ${GIVEN}, null, 3) | about the owner, with a suspension | admins: yes
decide_about(:me, 'warned', ${GIVEN}) | about themselves | nobody
get_decision('guessed') | that there is not | everybody: PT404
appeal_decision('guessed', 'It was not me') | that there is not | everybody: PT404
lift_suspension(:lea) | of somebody who is not suspended | admins: 23514
confirm_address(:lea, 'They wrote from it') | of a confirmed one | admins: PT404
read_reported_chat(:report) | about the owner | staff: nothing
write_to_support('Where is my receipt?') | anything | signed in: yes
my_support_requests() | their own | signed in: nothing
# Lea has asked for help.
close_case(:help_request, 'answered', 'Here') | of another, with an answer | staff: yes
get_person(:olivia) | who shares a plan | everybody: yes
get_person(:marc) | who shares none | signed in: yes; visitor: nothing
get_person(:bea) | who has blocked all but visitors | signed in: nothing; visitor: yes
get_person(gen_random_uuid()) | an unknown person | everybody: nothing
my_home() | their own | signed in: yes
export_own_data() | their own | signed in: yes
proof_methods() | their own | signed in: yes
require_recent_proof() | their own, shown just now | signed in: yes
my_sessions() | their own | signed in: nothing
end_session(:lea) | of another | signed in: PT404
recent_account_changes() | their own | signed in: yes
undo_account_change('guessed') | with a link that leads nowhere | everybody: PT404
quote_account_end() | their own | signed in: yes
delete_own_account(true) | with coins and a withdrawal on its way | signed in: yes; super-admin: 23514
get_notification_choices() | their own | signed in: yes
choose_notifications('money', 'mail', false) | their own | signed in: yes
get_mail_preference() | their own | signed in: true
set_mail_preference(false) | their own | signed in: yes
set_mail_preference_by_link('guessed', false) | with a link that leads nowhere | everybody: PT404
get_calendar() | their own | signed in: nothing
make_calendar() | their own | signed in: yes
end_calendar() | their own | signed in: yes
calendar_of('guessed') | with an address nobody has | nobody
my_api_tokens() | their own | signed in: nothing
make_api_token('Script', '{chat}', 1) | their own | signed in: yes
end_api_token(:lea) | of another | signed in: PT404
disconnect_programs() | their own | signed in: yes
admit_api_token('guessed', 'GET /messages') | with a token nobody has | nobody
api_token('guessed') | that nobody has | nobody
draft_message(:conversation, 'Hello') | without a token | nobody
my_conversations() | their own | signed in: nothing; member, former member, owner: yes
my_webhooks() | their own | signed in: nothing
my_webhook_deliveries(:lea) | of another | signed in: nothing
prepare_webhook() | their own, having proven who they are | signed in: yes
end_webhook(:lea) | of another | signed in: PT404
test_webhook(:lea) | of another | signed in: PT404
resume_webhook(:lea) | of another | signed in: PT404
resend_webhook_delivery(:lea) | of another | signed in: PT404
save_webhook(:lea, :lea, 1, 'v1.x', null) | for another | nobody
lease_due_deliveries(1) | what is due | nobody
settle_delivery(:lea, 1, 200, null, null, 1, null) | of another | nobody
add_push_device('https://fcm.googleapis.com/x', 'key', 'secret') | without a session | signed in: PT401
my_push_devices() | their own | signed in: nothing
remove_push_device(:lea) | of another | signed in: PT404
test_push() | their own | signed in: 23514
lease_due_pushes(1) | of everybody | nobody
settle_push(:lea, :lea, 1, null, 'gone') | of another | nobody
lease_due_mails(1) | of everybody | nobody
settle_mail(:lea, 1, null, false) | of another | nobody
`
