// How the site went, week by week and month by month.
import { beforeAll, expect, test } from 'vitest'
import { addPerson, addStaff, denied, ownDatabase, type Person, refusalOf, rule } from '../people.ts'
import { openTill } from '../till.ts'

const { db, sql } = await ownDatabase({ sheltered: true })
const till = await openTill(db)
let ada: Person
let mona: Person
interface Row extends Record<string, unknown> {
  starts_on: string
  people: string
  plans: string
  places: string
  paid: string | null
  fees: string | null
}
const series = (step: string, reader = ada) =>
  reader.sql<Row>`select starts_on::text, people, plans, places, paid, fees from site_series(${step})`
const numbers = (row: Row | undefined) =>
  row &&
  [row.people, row.plans, row.places, row.paid, row.fees].map((value) =>
    value === null ? null : Number(value),
  )
const months = (ago: number) =>
  `date_trunc('month', private.now() at time zone 'utc') at time zone 'utc' - interval '${ago} months'`

beforeAll(async () => {
  ada = await addStaff(db, 'Ada', 'admin')
  mona = await addStaff(db, 'Mona', 'moderator')
})

test('it begins with the first account, and is of now', async () => {
  expect((await series('month')).map(numbers)).toEqual([[2, 0, 0, 0, 0]])
  expect(await sql`select date_trunc('month', now() at time zone 'utc')::date::text as starts_on`).toEqual([
    { starts_on: (await series('month'))[0]?.starts_on },
  ])
})

test('each period has its own people and money, and the plans and places there were at its end', async () => {
  const olivia = await addPerson(db, 'Olivia')
  const mia = await till.payer('Mia')
  const gone = await addPerson(db, 'Gone')
  await db.query(`update auth.users set created_at = ${months(2)} where id = $1`, [olivia.id])
  await db.query(`update auth.users set created_at = ${months(0)} - interval '1 second' where id = $1`, [
    mia.id,
  ])
  await db.query(`update auth.users set created_at = ${months(1)}, deleted_at = now() where id = $1`, [
    gone.id,
  ])
  const plan = await till.share(olivia)
  await db.query(`update private.active_plan_changes set at = ${months(1)}`)
  await till.enter(mia, plan)
  await till.work()
  const found = await series('month')
  expect(found.map(numbers)).toEqual([
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
  const [fees] = await sql<{
    balance: string
  }>`select balance from private.ledger_accounts where kind = 'fees'`
  const total = (await series('month')).reduce((sum, row) => sum + Number(row.fees), 0)
  expect([Number(fees?.balance) > 0, total]).toEqual([true, Number(fees?.balance)])
})

test('it is twelve periods long at most, of seven days or a month', async () => {
  await db.query(`update auth.users set created_at = ${months(30)} where id = $1`, [ada.id])
  for (const [step, days] of [
    ['week', 7],
    ['month', 28],
  ] as const) {
    const starts = (await series(step)).map(({ starts_on }) => Date.parse(starts_on) / 86_400_000)
    expect(starts).toHaveLength(12)
    for (const [place, start] of starts.entries())
      if (place > 0) expect(start - (starts[place - 1] ?? 0)).toBeGreaterThanOrEqual(days)
  }
})

test('it is for staff, and its money for admins', async () => {
  expect((await series('month', mona)).every(({ paid, fees }) => paid === null && fees === null)).toBe(true)
  expect(await refusalOf(series('month', await addPerson(db, 'Zoe')))).toEqual(
    denied('Only staff sees the figures of the site'),
  )
  expect(await refusalOf(series('year'))).toEqual(rule('Figures go by the week or by the month'))
})
