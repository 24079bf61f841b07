// The site's figures for staff: current values compared with the previous month, and the history since the start.
// Proves ADMIN 04 08 09 14
import { beforeEach, describe, expect, test } from 'vitest'
import {
  addPeople,
  addPerson,
  addStaff,
  denied,
  ownDatabase,
  type Person,
  refusalOf,
  rule,
} from '../people.ts'
import { sharePlan } from '../plans.ts'
import { openTill } from '../till.ts'

const months = (ago: number) =>
  `date_trunc('month', private.now() at time zone 'utc') at time zone 'utc' - interval '${ago} months'`
/** The first moment of this month, and the last of the previous one, in UTC. */
const THIS_MONTH = months(0)
const LAST_MONTH = `${THIS_MONTH} - interval '1 second'`

describe('now', async () => {
  const { db, sql } = await ownDatabase()
  const [mo, ada] = [await addStaff(db, 'Mo', 'moderator'), await addStaff(db, 'Ada', 'admin')]
  let before: Record<string, unknown>
  let olivia: Person
  beforeEach(async () => {
    olivia = await addPerson(db, 'Olivia')
    before = await figures()
  })

  const figures = async (person = ada) => {
    const [row] = await person.sql<Record<string, unknown>>`select * from get_admin_dashboard()`
    return row ?? {}
  }
  /** Returns the figures that have changed since the test began. */
  async function change() {
    const changed = Object.entries(await figures()).map(
      ([name, now]) => [name, Math.round(100 * (Number(now) - Number(before[name]))) / 100] as const,
    )
    return Object.fromEntries(changed.filter(([, by]) => by !== 0))
  }
  /** Creates a plan that was shared at a given moment, as only the server can. */
  const planOf = ({ id }: Person, moment: string) =>
    db.query(
      `insert into shared_subscriptions (id, owner_id, catalogue_plan_id, owner_max_members, next_payment, created_at)
       values ('sub-' || $1, $1::uuid, 'netflix-premium', 4, current_date + 30, ${moment})`,
      [id],
    )

  test('plans are active from when they are reviewed to when they, or their owner’s account, are gone', async () => {
    const { id } = await sharePlan(db, olivia)
    const become = (status: string) =>
      sql`update shared_subscriptions set status = ${status} where id = ${id}`
    expect(await change()).toEqual({ active_plans: 1 })
    for (const status of ['pending', 'rejected']) {
      await become(status)
      expect(await change()).toEqual({})
    }
    await become('active')
    await sql`update shared_subscriptions set description = 'Another' where id = ${id}`
    expect(await change()).toEqual({ active_plans: 1 })
    await olivia.sql`delete from shared_subscriptions where id = ${id}`
    expect(await change()).toEqual({})
    await sharePlan(db, olivia)
    await sql`delete from auth.users where id = ${olivia.id}`
    expect(await change()).toEqual({ users: -1 })
  })

  test('plans are compared with how many there were when the month began', async () => {
    const marc = await addPerson(db, 'Marc')
    await planOf(olivia, LAST_MONTH)
    expect(await change()).toMatchObject({ active_plans: 1, active_plans_before: 1 })
    await planOf(marc, THIS_MONTH)
    expect(await change()).toMatchObject({ active_plans: 2, active_plans_before: 1 })
    // A deleted plan still counts for the past.
    await sql`delete from shared_subscriptions where owner_id = ${olivia.id}`
    expect(await change()).toMatchObject({ active_plans: 1, active_plans_before: 1 })
  })

  test('revenue is the fees that have been earned, those of before this month apart, and not for moderators', async () => {
    const earn = (key: string) =>
      sql`select private.transfer(${key}, private.ledger_account('outside'), private.ledger_account('fees'), 0.5, 'fee')`
    await earn('one')
    expect(await change()).toEqual({ revenue: 0.5 })
    await db.transaction((tx) =>
      tx.script(`alter table private.ledger_entries disable trigger keep;
        update private.ledger_entries set created_at = ${LAST_MONTH};
        alter table private.ledger_entries enable trigger keep`),
    )
    await earn('two')
    expect(await change()).toEqual({ revenue: 1, revenue_before: 0.5 })
    expect(await figures(mo)).toEqual({ ...(await figures()), revenue: null, revenue_before: null })
  })

  test('people are all accounts, those of before this month apart, and active who signed in within 30 days', async () => {
    const [marc, zoe] = await addPeople(db, ['Marc', 'Zoe'])
    const since = ({ id }: Person, moment: string) =>
      db.query(`update auth.users set created_at = ${moment} where id = $1`, [id])
    await since(marc, THIS_MONTH)
    expect(await change()).toEqual({ users: 2 })
    await since(zoe, LAST_MONTH)
    expect(await change()).toEqual({ users: 2, users_before: 1 })
    await sql`update auth.users set deleted_at = now() where id = ${zoe.id}`
    expect(await change()).toEqual({ users: 1 })
    for (const [ago, active] of [
      ['29 days 23 hours', { active_users: 1 }],
      ['30 days 1 hour', {}],
    ] as const) {
      await sql`update auth.users set last_sign_in_at = now() - ${ago}::interval where id = ${marc.id}`
      expect(await change()).toEqual({ users: 1, ...active })
    }
  })

  test.each([
    ['moderator', {}],
    ['admin', { admins: 1 }],
    ['super-admin', { admins: 1 }],
  ])('admins are not or also who is %s', async (role, changed) => {
    await sql`insert into user_roles (user_id, role) values (${olivia.id}, ${role})`
    expect(await change()).toEqual(changed)
  })
})

describe('since it began', async () => {
  const { db, sql } = await ownDatabase({ sheltered: true })
  const till = await openTill(db)
  const [ada, mona] = [await addStaff(db, 'Ada', 'admin'), await addStaff(db, 'Mona', 'moderator')]
  const series = (step: string, reader = ada) =>
    reader.sql<Record<string, string | null>>`
      select starts_on::text, people, plans, places, paid, fees from site_series(${step})`
  const numbers = ({ starts_on, ...rest }: Record<string, string | null>) =>
    Object.values(rest).map((value) => value && Number(value))

  test('each period has its own people and money, and the plans and places there were at its end', async () => {
    // Before other people have signed up, the history has only the current period.
    expect((await series('month')).map(numbers)).toEqual([[2, 0, 0, 0, 0]])
    expect(await series('month')).toMatchObject(
      await sql`select date_trunc('month', now() at time zone 'utc')::date::text as starts_on`,
    )
    const [olivia, gone] = await addPeople(db, ['Olivia', 'Gone'])
    const mia = await till.payer('Mia')
    for (const [{ id }, since] of [
      [olivia, months(2)],
      [mia, LAST_MONTH],
      [gone, `${months(1)}, deleted_at = now()`],
    ] as const)
      await db.query(`update auth.users set created_at = ${since} where id = $1`, [id])
    const plan = await till.share(olivia)
    await db.query(`update private.active_plan_changes set at = ${months(1)}`)
    await till.enter(mia, plan)
    await till.work()
    expect((await series('month')).map(numbers)).toEqual([
      [1, 0, 0, 0, 0],
      [1, 1, 0, 0, 0],
      [2, 1, 1, 5.5, 0],
    ])
    await db.query(
      `update private.seats set admitted_at = ${months(2)}, ended_at = ${months(1)} + interval '1 day', end_reason = 'left'`,
    )
    expect((await series('month')).map(({ places }) => Number(places))).toEqual([1, 0, 0])
    await db.query(`update private.seats set admitted_at = ${months(0)}, ended_at = null, end_reason = null`)
    await till.pass('8 days')
    const fees = await till.held('fees')
    expect(fees).toBeGreaterThan(0)
    expect((await series('month')).reduce((sum, row) => sum + Number(row.fees), 0)).toBe(fees)
  })

  test('it is twelve periods long at most, of seven days or a month', async () => {
    await db.query(`update auth.users set created_at = ${months(30)} where id = $1`, [ada.id])
    for (const [step, least, most] of [
      ['week', 7, 7],
      ['month', 28, 31],
    ] as const) {
      const starts = (await series(step)).map(({ starts_on }) => Date.parse(starts_on ?? '') / 86_400_000)
      const lengths = starts.slice(1).map((start, place) => start - (starts[place] ?? 0))
      expect(lengths).toHaveLength(11)
      expect(lengths.filter((days) => days < least || days > most)).toEqual([])
    }
  })

  test('it is for staff, and its money for admins', async () => {
    const money = (await series('month', mona)).flatMap(({ paid, fees }) => [paid, fees])
    expect(new Set(money)).toEqual(new Set([null]))
    expect(await refusalOf(series('month', await addPerson(db, 'Zoe')))).toEqual(
      denied('Only staff sees the figures of the site'),
    )
    expect(await refusalOf(series('year'))).toEqual(rule('Figures go by the week or by the month'))
  })
})
