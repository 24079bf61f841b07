// The staff log: its lines, and that no line can be removed unnoticed.
// Proves BOOKS 04 05
import { asCaller } from '@potluck/server/db/as-caller.ts'
import { beforeAll, describe, expect, test } from 'vitest'
import { DENIED, denied, expectRefusal, refusalOf, single } from '../answers.ts'
import { addBankAccount } from '../bank-accounts.ts'
import { REASONS, report } from '../cases.ts'
import { moveCoins } from '../coins.ts'
import { leftInEnglish, waitingMails } from '../mail-words.ts'
import {
  type Asker,
  addPeople,
  addPerson,
  addStaff,
  ownDatabase,
  type Person,
  statements,
} from '../people.ts'
import { sharePlan } from '../plans.ts'
import { race } from '../race.ts'

const { db, sql } = await ownDatabase()
const sofia = await addStaff(db, 'Sofia', 'super-admin')
const ada = await addStaff(db, 'Ada', 'admin')
const anton = await addStaff(db, 'Anton', 'admin')
const olivia = await addPerson(db, 'Olivia')
await moveCoins(db, olivia, 'earned', 90)
await addBankAccount(db, olivia)

const lines = (limit = 100) =>
  sofia.sql`select actor_name, action, subject_name, details from list_staff_log(p_limit => ${limit})`
const faults = () => sql`select line, fault from private.check_staff_log()`

const PLANS = '[{"plan_name":"Solo","price":9,"billing_cycle":"monthly","max_members":2}]'
await sharePlan(db, olivia)
await sql`update shared_subscriptions set status = 'pending'`
await report(olivia, 'person', anton.id)
await olivia.sql`select write_to_support('Where is my receipt?')`
await olivia.sql`insert into withdrawal_requests (amount) values (25)`
await olivia.sql`insert into admin_role_requests (name, email, reason)
  values ('Olivia', ${olivia.email}, 'I would like to help out.')`
await olivia.sql`insert into provider_requests (provider_name, category, website_url, description, plans_data)
  values ('Mubi', 'Streaming', 'https://mubi.com', 'Hand-picked films.', ${PLANS})`

/** Actions in order: the actor, the action, the subject, and the details. */
const ACTIONS: [statement: string, line: string, details: object][] = [
  [`select assign_user_role(:olivia, 'moderator')`, 'Sofia: role given Olivia', { after: 'moderator' }],
  [
    `select assign_user_role(:olivia, 'admin')`,
    'Sofia: role changed Olivia',
    { before: 'moderator', after: 'admin' },
  ],
  [`select assign_user_role(:olivia, '')`, 'Sofia: role taken Olivia', { before: 'admin' }],
  [`insert into user_roles (user_id, role) values (:olivia, 'moderator')`, 'nobody: role given Olivia', {}],
  [`insert into system_roles (name) values ('helper')`, 'Sofia: role defined', { after: { name: 'helper' } }],
  [
    `update system_roles set description = 'Helps' where name = 'helper'`,
    'Sofia: role edited',
    { before: { description: '' }, after: { description: 'Helps' } },
  ],
  [
    'update app_settings set review_new_plans = true',
    'Sofia: settings changed',
    { before: { review_new_plans: false }, after: { review_new_plans: true } },
  ],
  [
    `insert into provider_rules (provider, rule, reason, ground, clause) values ('Mubi', 'off', 'Terms', 'provider', '4.2')`,
    'Ada: provider rule set',
    { reason: 'Terms' },
  ],
  ['delete from provider_rules', 'Ada: provider rule removed', { before: 'off' }],
  [
    `select review_plan(id, 'approve') from list_plans_for_review()`,
    'Ada: plan approved Netflix Premium',
    {},
  ],
  [
    `select close_case(id, 'none', 'Talked to both') from list_cases() where kind = 'person'`,
    'Ada: case closed Anton',
    { type: 'person', answer: 'Talked to both' },
  ],
  [
    `select close_case(id, 'answered', 'Under My Payments') from list_cases()`,
    'Ada: case closed Olivia',
    { type: 'question', request: 'Where is my receipt?', answer: 'Under My Payments' },
  ],
  [
    `select decide_about(:olivia, 'warned', '${REASONS}')`,
    'Ada: decided warned Olivia',
    { ground: 'terms', clause: '5', reason: 'Asks for passwords' },
  ],
  [
    `update provider_requests set status = 'rejected'`,
    'Ada: provider request rejected',
    { provider: 'Mubi' },
  ],
  [`update admin_role_requests set status = 'rejected'`, 'Sofia: access request rejected Olivia', {}],
  [
    `update withdrawal_requests set status = 'processing'`,
    'Ada: withdrawal processing Olivia',
    { amount: 25 },
  ],
  [
    `update withdrawal_requests set status = 'completed'`,
    'Anton: withdrawal completed Olivia',
    { before: 'processing' },
  ],
  [
    `select adjust_wallet(:olivia, -5, 'Counted twice')`,
    'Ada: wallet adjusted Olivia',
    { amount: -5, reason: 'Admin adjustment: Counted twice' },
  ],
  [
    `update auth.users set banned_until = now() + interval '1 day' where id = :olivia`,
    'nobody: account banned Olivia',
    {},
  ],
  ['update auth.users set banned_until = null where id = :olivia', 'nobody: account let in again Olivia', {}],
]
const BY: Record<string, Asker> = { Sofia: sofia, Ada: ada, Anton: anton, nobody: statements(db) }

describe('a line is written of', () => {
  test.each(ACTIONS)('%s', async (statement, line, details) => {
    const before = (await lines()).length
    const [who = ''] = line.split(':')
    await BY[who]?.run(statement.replace(':olivia', `'${olivia.id}'`))
    const after = await lines()
    expect(after).toHaveLength(before + 1)
    const said = after[0]
    expect(`${said?.actor_name ?? 'nobody'}: ${said?.action} ${said?.subject_name ?? ''}`).toContain(line)
    expect(said?.details).toMatchObject(details)
    expect(await faults()).toEqual([])
  })

  test('nothing that was refused, or that changes nothing', async () => {
    const before = await lines()
    await refusalOf(ada.sql`select adjust_wallet(${olivia.id}, 1000, 'Too much')`)
    await refusalOf(ada.sql`select assign_user_role(${olivia.id}, 'admin')`)
    await sofia.sql`update app_settings set review_new_plans = review_new_plans`
    expect(await lines()).toEqual(before)
  })

  test('each of ten things done at once, one after the other', async () => {
    const before = (await lines()).length
    const people = await addPeople(db, Array(10).fill('Zoe'))
    const give = ({ id }: Person) => sofia.sql`select assign_user_role(${id}, 'moderator')`
    expect(await race(people.map((person) => () => give(person)))).toEqual({ done: 10 })
    expect(await lines()).toHaveLength(before + 10)
    expect(await faults()).toEqual([])
  })
})

test('super-admins read it, page by page, and nobody else', async () => {
  const all = await lines()
  const first = await single(sofia.sql`select line from list_staff_log(p_limit => 1)`)
  const rest =
    await sofia.sql`select actor_name, action, subject_name, details from list_staff_log(${first}, 100)`
  expect([all[0], ...rest]).toEqual(all)
  const refused = denied('Only a super-admin reads the log of staff')
  for (const person of [ada, olivia]) await expectRefusal(person.sql`select * from list_staff_log()`, refused)
})

test('no line is changed, removed or emptied', async () => {
  for (const text of [
    'update private.staff_log set line = 0',
    'delete from private.staff_log',
    'truncate private.staff_log',
  ]) {
    await expectRefusal(db.query(text), denied('The log of staff is never rewritten'))
    await expectRefusal(sofia.run(text), DENIED)
  }
})

describe('who goes behind it is found out', () => {
  const third = '(select line from private.staff_log order by line offset 2 limit 1)'
  const rewrite = `do $$ declare v private.staff_log; v_hash text := ''; begin
    for v in select * from private.staff_log order by line loop
      v.previous_hash := v_hash; v.details := '{"changed": true}'; v_hash := private.chain_hash(v.previous_hash, v.line, private.staff_log_content(v));
      update private.staff_log set details = v.details, previous_hash = v.previous_hash, hash = v_hash where line = v.line;
    end loop; update private.staff_log_end set hash = v_hash; end $$`
  const CHANGED = 'A line is not what it was when it was sealed'
  const MISSING = 'A line before this one is missing or another one'
  const CUT = 'The chain does not reach its end, or goes on after it'
  const last = '(select max(line) from private.staff_log where actor is not null)'
  test.each([
    ['changes a line', `update private.staff_log set details = '{}' where line = ${third}`, CHANGED],
    ['changes who', `update private.staff_log set actor = null where line = ${last}`, CHANGED],
    ['removes a line', `delete from private.staff_log where line = ${third}`, MISSING],
    ['removes the first', 'delete from private.staff_log where line = 1', MISSING],
    ['cuts off the last', `delete from private.staff_log where line >= ${last}`, CUT],
    ['empties it', 'delete from private.staff_log', CUT],
    ['rewrites all of it', rewrite, 'hash mailed'],
  ])('who %s', async (_what, damage, fault) => {
    await sql`delete from private.staff_log_days`
    await sql`insert into private.staff_log_days select current_date, line, hash from private.staff_log_end`
    expect(await faults()).toEqual([])
    const found = db.transaction(async (tx) => {
      await tx.script(`alter table private.staff_log disable trigger keep; ${damage}`)
      throw await tx.query('select fault from private.check_staff_log()')
    })
    expect(await found.catch((rows: unknown) => rows)).toContainEqual({
      fault: expect.stringContaining(fault),
    })
  })
})

test('the last hash of each day is mailed to each super-admin, once', async () => {
  await sql`delete from private.staff_log_days`
  await sql`delete from private.daily_books`
  await db.transaction(async (tx) => {
    await tx.script(`alter table private.staff_log disable trigger keep; update private.staff_log set at = at - interval '1 day';
      alter table private.staff_log enable trigger keep`)
  })
  const [end] = await sql<{ line: string; hash: string }>`select line, hash from private.staff_log_end`
  await sql`delete from private.outgoing_mail`
  for (let calls = 0; calls < 3; calls += 1) await sql`select private.close_day()`
  const params = { line: Number(end?.line), hash: end?.hash, faults: 0 }
  const mails = sql`select recipient, event, params from private.outgoing_mail`
  expect(await mails).toMatchObject([{ recipient: sofia.email, event: 'staff-log-day', params }])
  const [mail] = await waitingMails(db)
  const [seal] = await sql<{ hash: string }>`select hash from private.ledger_seal_end`
  for (const said of [String(end?.hash), String(seal?.hash), 'The books balance.'])
    expect(mail?.said.sentences).toContainEqual(expect.stringContaining(said))
  expect(await leftInEnglish(db)).toEqual([])
})

describe('among 20,000 lines', () => {
  beforeAll(async () => {
    const crowd = '00000000-0000-4000-8000-000000000000'
    await sql`insert into private.staff_log
      select (select line from private.staff_log_end) + n, now(), null, 'plan approved', 'sub-' || n,
        jsonb_build_object('owner', overlay(${crowd} placing lpad((n % 1000)::text, 12, '0') from 25)), '', ''
      from generate_series(1, 20000) as n`
    await sql`analyze private.staff_log`
  })

  test.each(['select line from list_staff_log(p_person => $1)', 'select get_staff_person($1)'])(
    'those about one person come from an index: %s',
    async (text) => {
      const soFar = `select seq_scan as scans, idx_tup_fetch as rows from pg_stat_xact_user_tables where relname = 'staff_log'`
      const [before, found, after] = await asCaller(db, sofia.caller, [
        { text: soFar },
        { text, values: [olivia.id] },
        { text: soFar },
      ])
      const more = (of: 'scans' | 'rows') => Number(after?.[0]?.[of]) - Number(before?.[0]?.[of])
      expect(JSON.stringify(found)).toContain('"line":')
      expect(more('scans')).toBe(0)
      expect(more('rows')).toBeLessThan(100)
    },
  )
})
