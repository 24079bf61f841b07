// Reviews and reports of people, and actions that only staff can take.
const REQUEST = `'Mubi', 'Streaming', 'https://mubi.com', 'Hand-picked films, a new one a day.',
    '[{"plan_name":"Solo","price":9,"billing_cycle":"monthly","max_members":2}]'`

export const staff = `
table user_roles
  rows of others | user_id <> :me
  select | signed in: none; staff: all
  insert of user_id, role, granted_by
  insert (user_id, role) values (:me, 'super-admin') on conflict (user_id) do update set role = excluded.role | to themselves | super-admin: yes
  insert (user_id, role) values (:lea, 'moderator') | to another | super-admin: yes
  update of user_id, role, granted_by
  update role = 'admin' | to admin | signed in: none; super-admin: of others, 23514
  delete | signed in: none; super-admin: of others, 23514

table system_roles
  rows their role | name = 'moderator'
  select | signed in: none; moderator: their role; admins: all
  insert of name, description, permissions
  insert (name, description, permissions) values ('editor', 'Writes', '{users.view}') | of another name | super-admin: yes
  insert (name) values ('Super-Admin') | of the name of a built-in one | super-admin: 23505
  update of name, description, permissions
  update description = 'Another' | of what a role is for | signed in: none; super-admin: all
  update name = name || ' too' | of a built-in name | signed in: none; super-admin: 23514
  update permissions = '{}' | of built-in permissions | signed in: none; super-admin: 23514

table system_permissions
  select | signed in: none; admins: all

table app_settings
  select | signed in: none; admins: all
  update of review_new_plans, sign_ups, takes_reports, ask_age, rule_anyone, rule_people_you_know, rule_household, rule_unknown, adjustment_ceiling, require_second_factor, fee_rate, admit_on_debit, payment_supply
  update admit_on_debit = true | of whether a bank debit admits at once | signed in: none; super-admin: all
  update payment_supply = 'whole' | of whose supply a payment is | signed in: none; super-admin: all
  update ask_age = false | of whether people confirm their age | signed in: none; super-admin: all
  update review_new_plans = true | of whether plans are reviewed | signed in: none; super-admin: all
  update takes_reports = false | of whether people can report | signed in: none; super-admin: all
  update fee_rate = 0.05 | of the fee of new plans | signed in: none; super-admin: all
  update adjustment_ceiling = 500 | of what one adjustment can move | signed in: none; super-admin: all
  update require_second_factor = true | of whether staff needs a second factor | signed in: none; super-admin: all

table vat_settings
  select | signed in: none; super-admin: all
  update of mode, sentence, prefix
  update mode = 'small' | of how the fee is taxed | signed in: none; super-admin: all

table operator
  select | everybody: all
  update of name, street, postcode, town, country, email, phone, register, vat_number
  update name = 'Mine' | of who runs the site | signed in: none; super-admin: all

table tax_settings
  select | signed in: none; super-admin: all
  update of is_on, first_year, activity, country, nexus, tax_number, platform, reports_fee
  update is_on = true | of whether the site reports what owners earn | signed in: none; super-admin: all

table admin_role_requests
  rows own | user_id = :me
  rows pending | status = 'pending'
  select | signed in: own; admins: all
  insert of user_id, name, email, reason
  insert (name, email, reason) values ('Somebody', 'some@body.example', 'I would like to help.') | in their own name | signed in: yes
  insert (user_id, name, email, reason) values (:lea, 'Lea', 'some@body.example', 'I would like to help.') | in the name of another | nobody
  update of status, reviewed_at
  update status = 'approved' | to approved | signed in: none; super-admin: pending, 23514, 42501

table service_provider_data
  rows current | is_current
  select | everybody: current

table provider_rules
  select | signed in: all
  insert of provider, rule, reason, ground, clause
  insert (provider, rule, reason, ground, clause) values ('Spotify', 'off', 'Its terms', 'provider', '4.2') | of the catalogue | admins: yes
  update of provider, rule, reason, ground, clause
  update rule = 'private' | to another | signed in: none; admins: all
  delete | signed in: none; admins: all

table provider_requests
  rows own | user_id = :me
  rows of others | user_id <> :me
  select | signed in: own; admins: all
  insert of user_id, provider_name, category, website_url, description, plans_data, status
  insert (provider_name, category, website_url, description, plans_data) values (${REQUEST}) | in their own name | signed in: yes
  insert (user_id, provider_name, category, website_url, description, plans_data) values (:lea, ${REQUEST}) | in the name of another | nobody
  update of status
  update status = 'approved' | to approved | signed in: none; admins: of others, 42501

standing_of(array[:olivia::uuid]) | of the owner | signed in: yes
standing_of(array[:bea::uuid]) | of somebody who has blocked them | signed in: nothing; member, staff: yes
standing_of(array[gen_random_uuid()]) | of an unknown person | signed in: nothing
get_standing_levels() | what levels take | signed in: yes
review_seat(:seat, 5) | the seat of the member, too early | signed in: PT404; member, owner: 23514
review_seat(:former_seat, 5) | the seat of the former member | signed in: PT404; former member: 23505; owner: yes
reviews_to_write() | their own | signed in: nothing; owner: yes
reviews_of(:olivia) | the owner | everybody: yes
reviews_of(:bea) | somebody who has blocked them | everybody: nothing
# The former member has reviewed the owner, which is shown and reported.
answer_review(:review, 'Thank you') | of the owner | owner: yes
list_staff_queues() as a where a.kind = 'cases' | with cases | signed in: nothing; staff: yes
list_staff_queues() as a where a.kind = 'withdrawals' | with money | signed in: nothing; admins: yes
list_staff_queues() as a where a.kind = 'role-requests' | with role requests | signed in: nothing; super-admin: yes
list_mails() | that were given up and nobody has seen | admins: nothing
list_mails('olivia') | to the owner | admins: yes
try_mail_now(:lea) | that does not exist | admins: PT404
send_test_mail() | to themselves | admins: yes
mark_failed_mails_seen(now()) | all of them | admins: yes
system_state() | of the site | admins: yes
end_payment_hold('Stripe') | that is not on | admins: PT404
book_missing_charge('pi_1') | without a hold | admins: PT404
get_admin_dashboard() | of the site | staff: yes
get_admin_dashboard() as a where a.revenue is not null | with money | moderator: nothing; admins: yes
site_series('month') | by the month | staff: yes
site_series('week') as a where a.paid is not null or a.fees is not null | with money | moderator: nothing; admins: yes
assign_user_role(:lea, 'moderator') | to another | super-admin: true
assign_user_role(:me, 'super-admin') | to themselves | super-admin: true
assign_user_role(:sofia, '') | from the last super-admin | super-admin: 23514
get_staff_person(:olivia) | about the owner | staff: yes
get_staff_person(:ada) as a where a ->> 'role' is not null | with roles and whether they are suspended | staff: yes
get_staff_person(:olivia) as a where a -> 'email' <> 'null' | with address | moderator: nothing; admins: yes
get_staff_person(:olivia) as a where a -> 'money' <> 'null' | with money | moderator: nothing; admins: yes
get_staff_person(:olivia) as a where a -> 'problems' <> 'null' | with problems | moderator: nothing; admins: yes
get_staff_person(:olivia) as a where a -> 'plans' <> 'null' and a -> 'cases' <> 'null' and a -> 'decisions' <> 'null' | with plans, cases and decisions | staff: yes
get_staff_person(:olivia) as a where a -> 'log' <> 'null' | with what staff did | moderator, admin: nothing; super-admin: yes
set_two_admins(true) | as they do already | super-admin: yes
set_two_admins(false) | from tomorrow on, shown just now | super-admin: yes
takes_two_admins() | of every withdrawal | signed in: true
role_is_shut() | their own | signed in: false
list_system_roles() | all of them | admins: yes
list_users() | all of them | staff: yes
get_pending_provider_requests_count() | of everybody | admins: yes
open_first_admin_address() | of the site | nobody
metrics() | of the site | nobody
require_first_admin_address('guessed') | that was never given | everybody: PT410
make_first_admin('guessed', :me) | of themselves | nobody
`
