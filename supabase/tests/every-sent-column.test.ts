// Columns that a client may send and a trigger writes: either a contradicting value is refused, or the column is known
// to be decided by the database.

import { beforeAll, describe, expect, test } from 'vitest'
import { addBankAccount } from './bank-accounts.ts'
import { moveCoins } from './coins.ts'
import { addPerson, addStaff, ownDatabase, refusalOf } from './people.ts'
import { openChat, setTheTable } from './plans.ts'

const { db, sql } = await ownDatabase()

const columns = (text: string) =>
  text
    .trim()
    .split('\n')
    .flatMap((line) => {
      const [operation, table, ...names] = line.trim().split(/\W+/)
      return names.map((name) => `${operation} ${table}.${name}`)
    })

const KEPT = [
  // The database decides times and ids, whatever the client sends.
  `insert messages: id
   insert shared_subscriptions: code created_at id
   insert subscription_requests: begins_at_once_at
   update admin_role_requests: reviewed_at
   update withdrawal_requests: completed_at processed_at`,
  // The catalogue decides a plan's columns, and the account decides the person's.
  `insert shared_subscriptions: anchor category currency description logo provider_max_members owner
   insert admin_role_requests: email
   insert subscription_requests: email name`,
  // The text is stored trimmed or normalized, or as null if it belongs to another kind of row.
  `insert admin_role_requests: name reason
   insert shared_subscriptions: note website
   insert messages: content metadata
   insert provider_requests: description plans_data provider_name
   insert subscription_requests: message
   insert system_roles: description name permissions
   update system_roles: description name permissions
   insert user_profiles: display_name
   update user_profiles: display_name
   update withdrawal_requests: bank_account_last4 stripe_transfer_id
   insert payment_wishes: holder iban link note
   update payment_wishes: holder iban link note`,
].flatMap(columns)

type They = Awaited<ReturnType<typeof setUp>>
let they: They
beforeAll(async () => {
  they = await setUp()
})
async function setUp() {
  const { olivia, marc, zoe, plan } = await setTheTable(db)
  const sofia = await addStaff(db, 'Sofia', 'super-admin')
  await sql`insert into user_roles (user_id, role) values (${marc.id}, 'moderator')`
  await moveCoins(db, olivia, 'earned', 50, 'Test')
  await addBankAccount(db, olivia)
  const withdrawal = await olivia.insert('withdrawal_requests', { user_id: olivia.id, amount: '20' })
  const chat = await openChat(db, plan, marc)
  return { olivia, marc, zoe, sofia, plan: plan.id, chat, withdrawal: withdrawal.id }
}

type Attempt = (they: They) => Promise<unknown>
const NOBODY = '00000000-0000-4000-8000-000000000000'
const PLAN = { catalogue_plan_id: 'netflix-premium', owner_max_members: '3', next_payment: '2027-01-01' }
/** Rows that Zoe may insert, and a wrong value for each column. */
const TABLES: [table: string, row: (they: They) => Record<string, string>, wrong: Record<string, string>][] =
  [
    [
      'shared_subscriptions',
      () => PLAN,
      {
        ...{ billing_cycle: 'yearly', catalogue_plan_id: 'none', current_members: '3', fee_rate: '0.05' },
        ...{ kept_places: '1', max_members: '9', member_price: '1', name: 'Another', owner_id: NOBODY },
        ...{ provider: 'Another', status: 'pending', total_price: '1' },
      },
    ],
    [
      'subscription_requests',
      ({ plan }) => ({ subscription_id: plan }),
      { status: 'approved', user_id: NOBODY },
    ],
    [
      'provider_requests',
      () => ({
        ...{ provider_name: 'Mubi', category: 'Streaming', website_url: 'https://mubi.com' },
        description: 'Films that people chose',
        plans_data: '[{"plan_name":"One","price":1,"billing_cycle":"monthly","max_members":2}]',
      }),
      { status: 'approved', user_id: NOBODY },
    ],
    [
      'admin_role_requests',
      () => ({ name: 'Zoe', email: 'zoe@potluck.example', reason: 'I would like to help' }),
      { user_id: NOBODY },
    ],
    ['withdrawal_requests', () => ({ amount: '20' }), { user_id: NOBODY }],
    [
      'messages',
      ({ chat }) => ({ conversation_id: chat, content: 'Hi' }),
      { sender_id: NOBODY, message_type: 'system' },
    ],
  ]
const REFUSED: [column: string, attempt: Attempt][] = [
  ...TABLES.flatMap(([table, row, wrong]) =>
    Object.entries(wrong).map(([column, value]): [string, Attempt] => [
      `insert ${table}.${column}`,
      (all) => all.zoe.insert(table, { ...row(all), [column]: value }),
    ]),
  ),
  [
    'insert user_roles.granted_by',
    ({ sofia, zoe, olivia }) =>
      sofia.insert('user_roles', { user_id: zoe.id, role: 'moderator', granted_by: olivia.id }),
  ],
  [
    'update user_roles.granted_by',
    ({ sofia, marc, olivia }) =>
      sofia.sql`update user_roles set granted_by = ${olivia.id} where user_id = ${marc.id}`,
  ],
  [
    'update withdrawal_requests.rejection_reason',
    ({ sofia, withdrawal }) =>
      sofia.sql`update withdrawal_requests set status = 'processing', rejection_reason = 'No' where id = ${withdrawal}`,
  ],
]

test('every column that a client may send and a trigger writes is one of those below', async () => {
  const found = await sql<{ found: string }>`
    select distinct lower(op) || ' ' || c.relname || '.' || a.attname as found
    from pg_class as c join pg_attribute as a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    join pg_trigger as g on g.tgrelid = c.oid and g.tgtype & 3 = 3
    join pg_proc as f on f.oid = g.tgfoid and f.prosrc ~ ('\\mnew\\.' || a.attname || '\\s*:=')
    cross join (values ('INSERT', 4), ('UPDATE', 16)) as ops (op, bit)
    where c.relnamespace in ('public'::regnamespace, 'private'::regnamespace) and g.tgtype & bit > 0
      and has_column_privilege('authenticated', c.oid, a.attnum, op)`
  const written = found.map((column) => column.found)
  const refused = new Set(REFUSED.map(([column]) => column))
  expect(written.filter((column) => !refused.has(column)).sort()).toEqual(KEPT.toSorted())
})

describe('what contradicts the database is refused, not changed', () => {
  test.each(REFUSED)('%s', async (_column, attempt) => {
    expect(['23514', '23505', '42501']).toContain((await refusalOf(attempt(they))).code)
  })

  test('and goes through without it', async () => {
    const { zoe } = they
    for (const [table, row] of TABLES.slice(0, 4)) await zoe.insert(table, row(they))
  })
})

test('a role that somebody gave outlives their account, in nobody’s name', async () => {
  const [tom, lea] = [await addStaff(db, 'Tom', 'super-admin'), await addPerson(db, 'Lea')]
  await tom.sql`select assign_user_role(${lea.id}, 'moderator')`
  const granted = () => sql`select role, granted_by from user_roles where user_id = ${lea.id}`
  expect(await granted()).toEqual([{ role: 'moderator', granted_by: tom.id }])
  await tom.sql`select delete_own_account()`
  expect(await granted()).toEqual([{ role: 'moderator', granted_by: null }])
})
