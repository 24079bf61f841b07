// The log of staff: what goes into it, and that nothing goes out of it unseen.
import { asCaller } from '@potluck/server/db/as-caller.ts'
import { beforeAll, describe, expect, test } from 'vitest'
import { addBankAccount } from '../bank-accounts.ts'
import { moveCoins } from '../coins.ts'
import { addPerson, addStaff, DENIED, denied, ownDatabase, type Person, refusalOf } from '../people.ts'
import { sharePlan } from '../plans.ts'
import { race } from '../race.ts'

const { db, sql } = await ownDatabase()
let sofia: Person
let ada: Person
let anton: Person
let olivia: Person
beforeAll(async () => {
  sofia = await addStaff(db, 'Sofia', 'super-admin')
  ada = await addStaff(db, 'Ada', 'admin')
  anton = await addStaff(db, 'Anton', 'admin')
  olivia = await addPerson(db, 'Olivia')
  await moveCoins(db, olivia, 'earned', 90)
  await addBankAccount(db, olivia)
})
const lines = (limit = 100) =>
  sofia.sql`select actor_name, action, subject_name, details from list_staff_log(p_limit => ${limit})`
const faults = () => sql`select line, fault from private.check_staff_log()`

const PROVIDER = {
  ...{ provider_name: 'Mubi', category: 'Streaming', website_url: 'https://mubi.com' },
  description: 'Hand-picked films, a new one a day.',
  plans_data: '[{"plan_name":"Solo","price":9,"billing_cycle":"monthly","max_members":2}]',
}
const ACTIONS: [string, () => Promise<unknown>, object][] = [
  [
    'a role given',
    () => sofia.sql`select assign_user_role(${olivia.id}, 'moderator')`,
    { actor_name: 'Sofia', action: 'role given', subject_name: 'Olivia', details: { after: 'moderator' } },
  ],
  [
    'a role changed',
    () => sofia.sql`select assign_user_role(${olivia.id}, 'admin')`,
    { actor_name: 'Sofia', action: 'role changed', details: { before: 'moderator', after: 'admin' } },
  ],
  [
    'a role taken',
    () => sofia.sql`select assign_user_role(${olivia.id}, '')`,
    { actor_name: 'Sofia', action: 'role taken', details: { before: 'admin' } },
  ],
  [
    'a role given on the command line',
    () => sql`insert into user_roles (user_id, role) values (${olivia.id}, 'moderator')`,
    { actor_name: null, action: 'role given' },
  ],
  [
    'a role defined',
    () => sofia.sql`insert into system_roles (name, permissions) values ('helper', '{}')`,
    { action: 'role defined', details: { after: { name: 'helper' } } },
  ],
  [
    'a role edited',
    () => sofia.sql`update system_roles set description = 'Helps' where name = 'helper'`,
    { action: 'role edited', details: { before: { description: '' }, after: { description: 'Helps' } } },
  ],
  [
    'settings',
    () => sofia.sql`update app_settings set review_new_plans = true`,
    {
      action: 'settings changed',
      details: { before: { review_new_plans: false }, after: { review_new_plans: true } },
    },
  ],
  [
    'a provider switched off',
    () => ada.sql`insert into closed_providers (provider, reason) values ('Mubi', 'Its terms')`,
    { actor_name: 'Ada', action: 'provider switched off', details: { reason: 'Its terms' } },
  ],
  [
    'a provider switched on',
    () => ada.sql`delete from closed_providers`,
    { actor_name: 'Ada', action: 'provider switched on', details: {} },
  ],
  [
    'a plan approved',
    async () => {
      const plan = await sharePlan(db, olivia)
      await ada.sql`select review_plan(${plan.id}, 'approve')`
    },
    { actor_name: 'Ada', action: 'plan approved', subject_name: 'Netflix Premium' },
  ],
  [
    'a report about a person',
    async () => {
      await olivia.sql`select report_person(${anton.id}, 'Rude')`
      await ada.sql`select close_person_report(id, 'Talked to both') from list_person_reports()`
    },
    {
      actor_name: 'Ada',
      action: 'report closed',
      subject_name: 'Anton',
      details: { finding: 'Talked to both' },
    },
  ],
  [
    'a provider request',
    async () => {
      await olivia.insert('provider_requests', PROVIDER)
      await ada.sql`update provider_requests set status = 'rejected'`
    },
    { actor_name: 'Ada', action: 'provider request rejected', details: { provider: 'Mubi' } },
  ],
  [
    'a request for access',
    async () => {
      await olivia.insert('admin_role_requests', {
        name: 'Olivia',
        email: olivia.email,
        reason: 'I would like to help out.',
      })
      await sofia.sql`update admin_role_requests set status = 'rejected'`
    },
    { actor_name: 'Sofia', action: 'access request rejected', subject_name: 'Olivia' },
  ],
  [
    'a withdrawal processed',
    async () => {
      await olivia.sql`insert into withdrawal_requests (amount) values (25)`
      await ada.sql`update withdrawal_requests set status = 'processing'`
    },
    { actor_name: 'Ada', action: 'withdrawal processing', subject_name: 'Olivia', details: { amount: 25 } },
  ],
  [
    'a withdrawal completed',
    () => anton.sql`update withdrawal_requests set status = 'completed'`,
    { actor_name: 'Anton', action: 'withdrawal completed', details: { before: 'processing' } },
  ],
  [
    'an adjustment',
    () => ada.sql`select adjust_wallet(${olivia.id}, -5, 'Counted twice')`,
    {
      actor_name: 'Ada',
      action: 'wallet adjusted',
      subject_name: 'Olivia',
      details: { amount: -5, reason: 'Admin adjustment: Counted twice' },
    },
  ],
  [
    'an account banned',
    () => sql`update auth.users set banned_until = now() + interval '1 day' where id = ${olivia.id}`,
    { action: 'account banned', subject_name: 'Olivia' },
  ],
  [
    'an account let in again',
    () => sql`update auth.users set banned_until = null where id = ${olivia.id}`,
    { action: 'account let in again', subject_name: 'Olivia' },
  ],
]

describe('a line is written of', () => {
  test.each(ACTIONS)('%s', async (_what, act, line) => {
    const before = (await lines()).length
    await act()
    const after = await lines()
    expect(after).toHaveLength(before + 1)
    expect(after[0]).toMatchObject(line)
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
    const people = await Promise.all(Array.from({ length: 10 }, () => addPerson(db, 'Zoe')))
    const outcome = await race(
      people.map(
        ({ id }) =>
          () =>
            sofia.sql`select assign_user_role(${id}, 'moderator')`,
      ),
    )
    expect(outcome).toEqual({ done: 10 })
    expect(await lines()).toHaveLength(before + 10)
    expect(await faults()).toEqual([])
  })
})

test('super-admins read it, page by page, and nobody else', async () => {
  const all = await lines()
  const [second] = await sofia.sql<{ line: string }>`select line from list_staff_log(p_limit => 1)`
  const rest =
    await sofia.sql`select actor_name, action, subject_name, details from list_staff_log(${second?.line}, 100)`
  expect([all[0], ...rest]).toEqual(all)
  for (const person of [ada, olivia])
    expect(await refusalOf(person.sql`select * from list_staff_log()`)).toEqual(
      denied('Only a super-admin reads the log of staff'),
    )
})

test('no line is changed, removed or emptied', async () => {
  for (const text of [
    'update private.staff_log set line = 0',
    'delete from private.staff_log',
    'truncate private.staff_log',
  ]) {
    expect(await refusalOf(db.query(text))).toEqual(denied('The log of staff is never rewritten'))
    expect(await refusalOf(sofia.run(text))).toMatchObject(DENIED)
  }
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
  const mails = await sql<{
    recipient: string
    html: string
  }>`select recipient, event, params, html from private.outgoing_mail`
  expect(mails).toMatchObject([
    {
      recipient: sofia.email,
      event: 'staff-log-day',
      params: { line: Number(end?.line), hash: end?.hash, faults: 0 },
    },
  ])
  expect(mails[0]?.html).toContain(end?.hash)
  expect(mails[0]?.html).toContain('The books balance.')
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
