// Refusals that no test of their object provokes: who tries what, with what is so before it, and the sentence they read.
// The people and the names are those of authorization/scene.ts; each attempt is taken back. That every refusal listed in
// error-codes.md is provoked somewhere is for error-codes.test.ts to say.
import { beforeAll, expect, test } from 'vitest'
import { named } from './authorization/attempts.ts'
import type { Role } from './authorization/cells.ts'
import { type Scene, setTheScene } from './authorization/scene.ts'
import { ownDatabase, refusalOf } from './people.ts'

const { db } = await ownDatabase()
let scene: Scene
beforeAll(async () => {
  scene = await setTheScene(db)
})

const SERVER = 'the server'
/** The stranger looks at people and manages roles, and may do nothing else. */
const KEEPER = `with role as (insert into system_roles (name, permissions) values ('keeper', '{users.view,roles.manage}') returning name)
  insert into user_roles (user_id, role) select :zoe, name from role`
const claimed = `update member_payments set status = 'claimed', claimed_at = now() where id = :payment`
const asked = (turn: string) => `update seat_problems set status = '${turn}' where id = :problem`
const plan = (column: string, value: number) =>
  `insert into shared_subscriptions (catalogue_plan_id, owner_max_members, next_payment, ${column})
   values ('disney-plus-premium', 3, current_date + 30, ${value})`
const sentence = (length: number) => `repeat('x', ${length})`

test.each<[who: Role | typeof SERVER, attempt: string, refusal: string, before?: string]>([
  ...['current_members', 'kept_places', 'waiting'].map((column): [Role, string, string] => [
    'stranger',
    plan(column, 2),
    '23514 A new plan has one member, its owner',
  ]),
  [
    'stranger',
    `select invite_member(:plan, 'new@potluck.example')`,
    `42501 Only the plan's owner invites people`,
  ],
  [
    'member',
    `select get_pending_requests_with_expiry(:plan)`,
    `42501 Only the plan's owner sees its requests`,
  ],
  [
    'member',
    `select announce_to_members(:plan, 'Hello')`,
    `42501 Only the plan's owner writes to all members`,
  ],
  ['owner', `select propose_terms(:plan, 'cash')`, '23514 Members pay you directly, or through the site'],
  ['owner', 'select propose_terms(:plan, null)', '23514 Members pay you directly, or through the site'],
  ['member', 'select answer_terms(:proposal, null)', '23514 Please agree, or do not'],
  ['owner', 'select answer_terms(:proposal, true)', 'PT404 This proposal is not open'],
  [
    ...(['member', 'select answer_terms(:proposal, true)', 'PT404 This proposal is not open'] as const),
    'update term_proposals set answered_at = now(), accepted = false where id = :proposal',
  ],
  [
    ...(['owner', 'select end_seat_with_period(:seat)'] as const),
    '23514 No period is running, so you can remove this member now',
    'update member_payments set ends_at = null, starts_at = null where id = :payment',
  ],
  ...[`' '`, sentence(201)].map((address): [Role, string, string] => [
    'owner',
    `select give_access(:seat, ${address})`,
    '23514 Please say in at most 200 characters where the invitation went',
  ]),

  ['owner', `select deny_payment(:payment, 'Nothing')`, '23514 Nobody says that this has been paid'],
  ...[`' '`, sentence(301)].map((note): [Role, string, string, string] => [
    'owner',
    `select deny_payment(:payment, ${note})`,
    '23514 Please say in a sentence of at most 300 characters what is missing',
    claimed,
  ]),
  ...['0', '(select amount + 0.01 from member_payments where id = :payment)', 'null'].map(
    (amount): [typeof SERVER, string, string] => [
      SERVER,
      `select private.pay_into(:payment, private.ledger_account('wallet', :marc), ${amount}, 'spent', 'key')`,
      '23514 This is more than the period costs',
    ],
  ),

  ['stranger', 'select say_fixed(:problem)', 'PT404 Problem not found'],
  ['stranger', 'select problem_timeline(:problem)', 'PT404 Problem not found'],
  [
    ...(['member', 'select answer_fix(:problem, true)'] as const),
    '23514 It is not your turn to say something about this problem',
  ],
  ['member', 'select answer_fix(:problem, null)', '23514 Please say whether it works', asked('member')],
  ...[`true, ' '`, `null, 'Tried it'`, `true, ${sentence(501)}`].map(
    (decision): [Role, string, string, string] => [
      'admin',
      `select decide_problem(:problem, ${decision})`,
      '23514 Please decide, and give both a reason of at most 500 characters',
      asked('staff'),
    ],
  ),
  [
    ...(['member', `select report_problem(:seat, 'password')`] as const),
    '23514 Your access is closed until your payment has arrived',
    `update private.seats set settlement = 'potluck', late_since = now() where id = :seat`,
  ],

  [
    ...(['stranger', 'insert into withdrawal_requests (user_id, amount) values (:lea, 20)'] as const),
    '42501 You can only withdraw from your own wallet',
  ],
  [
    'admin',
    `update withdrawal_requests set status = 'processing', rejection_reason = 'No' where user_id = :lea`,
    '23514 Only a rejection has a reason',
  ],
  ['admin', 'select open_payout_file(0)', 'PT404 Payment file not found'],
  ['admin', `select void_payout_file(0, 'Closed')`, 'PT404 Payment file not found'],
  ['admin', `select review_payment_event('none', 'Ours')`, 'PT404 Payment event not found'],
  ['admin', `select review_payment_event('evt_1', ' ')`, '23514 Say what you found out about this event'],
  [
    ...(['admin', `select review_payment_event('evt_1', 'Ours')`] as const),
    'PT409 Somebody has looked at this event already',
    `update unknown_payment_events set reviewed_at = now(), reviewed_by = :ada, finding = 'Ours' where id = 'evt_1'`,
  ],
  ...[`report_payment_provider('simulated', 'test', 'key')`, `remember_simulated('sim', '{}')`].map(
    (call): [typeof SERVER, string, string] => [
      SERVER,
      `select ${call}`,
      '42501 Payments are simulated only where nobody else can reach the site',
    ],
  ),
  [
    ...([SERVER, `select report_payment_provider('stripe', 'live', 'key')`] as const),
    '42501 This database holds simulated payments: real ones begin in a new one',
    `insert into private.payment_customers values (:marc, 'simulated', 'sim')`,
  ],
  [SERVER, `select move_clock('1 hour')`, '42501 The clock stays as it is where others can reach the site'],

  ['moderator', `select assign_user_role(:lea, 'moderator')`, '42501 Only a super-admin can assign roles'],
  ['moderator', 'select list_system_roles()', '42501 Only admins see the roles'],
  ['member', 'select list_users()', '42501 Only staff sees who has an account'],
  [
    ...(['super-admin', `insert into user_roles values (:lea, 'moderator', :ada)`] as const),
    '42501 You grant roles in your own name',
  ],
  ...[
    `insert into user_roles (user_id, role) values (:lea, 'admin')`,
    `update user_roles set role = 'keeper' where user_id = :ada`,
    'delete from user_roles where user_id = :mona',
  ].map((attempt): [Role, string, string, string] => [
    ...(['stranger', attempt] as const),
    '42501 A role that allows more than your own is not yours to give or take',
    KEEPER,
  ]),
  ...[
    `insert into system_roles (name, permissions) values ('boss', '{users.edit}')`,
    `update system_roles set permissions = '{users.edit}' where name = 'keeper'`,
    `update system_roles set permissions = '{users.view}' where name = 'treasurer'`,
  ].map((attempt): [Role, string, string, string] => [
    ...(['stranger', attempt] as const),
    '42501 A role that allows more than your own is not yours to define',
    `with more as (insert into system_roles (name, permissions) values ('treasurer', '{users.edit}')) ${KEEPER.replace('with role', ', role')}`,
  ]),
  [
    'stranger',
    `insert into provider_requests (provider_name, category, website_url, description, plans_data, status)
     values ('Mubi', 'Streaming', 'https://mubi.com', 'Films that people chose',
       '[{"plan_name":"One","price":1,"billing_cycle":"monthly","max_members":2}]', 'approved')`,
    '42501 Only admins decide on provider requests',
  ],
  ['stranger', 'select test_push()', '23514 You are notified on no device yet'],
  [
    ...([
      'owner',
      `update user_profiles set avatar_url = '/avatars/avatar-1.png' where user_id = :me`,
    ] as const),
    '42501 Your picture comes from the service you sign in with.',
    `update auth.users set raw_app_meta_data = '{"provider": "google"}' where id = :olivia`,
  ],
  [SERVER, `select calendar_of('guessed')`, 'PT404 This calendar is not known'],
  [SERVER, `select private.load_catalogue('[{}]')`, '23514 This is no catalogue'],
])('%s: %s', async (who, attempt, refusal, before) => {
  const role = who === SERVER ? 'visitor' : who
  const work = db.transaction(async (tx) => {
    if (before) await tx.query(named(scene, role, before))
    if (who !== SERVER) {
      const { caller } = scene.people[who]
      const set = `select set_config('request.jwt.claims', $1, true), set_config('role', $2, true)`
      await tx.query(set, [caller.claims, caller.role])
    }
    await tx.query(named(scene, role, attempt))
    throw new Error('It was not refused')
  })
  const { code, message } = await refusalOf(work)
  expect(`${code} ${message}`).toBe(refusal)
})
