// Staff say whose supply a payment is before real money moves. Tests the VAT that would be due on whole payments, and
// the threshold for sales abroad.
import { afterEach, beforeAll, expect, test } from 'vitest'
import { single } from '../answers.ts'
import { nameOperator, switchInvoicesOn } from '../invoices.ts'
import { setThePayingTable } from '../paying.ts'
import { addPerson, addStaff, type Person, refusalOf, rule } from '../people.ts'
import { sharePlan } from '../plans.ts'

const { db, sql, till, who, enterAndPay, toBoundary, last } = await setThePayingTable()
let sofia: Person
beforeAll(async () => {
  sofia = await addStaff(db, 'Sofia', 'super-admin')
})
afterEach(async () => {
  await setMode('test')
})
const setMode = (mode: string) => sql`update private.payment_provider set mode = ${mode}`
const answer = (supply: string | null) => sofia.sql`update app_settings set payment_supply = ${supply}`
const CLOSED = rule('Payments through this site have not started yet')

test.each([
  ['test', null, false, true],
  ['test', 'whole', false, true],
  ['live', null, true, false],
  ['live', 'whole', true, false],
  ['live', 'fee', false, false],
  ['live', 'fee', true, true],
] as const)(
  'in %s mode with the answer %s and an imprint (%s), new plans and places through the site: %s',
  async (mode, supply, isNamed, open) => {
    await sql`update operator set email = null`
    if (isNamed) await nameOperator(sofia)
    const { plan } = who()
    const [owner, mia] = [await addPerson(db, 'Nina'), await till.payer('Mia')]
    await setMode(mode)
    await answer(supply)
    expect(await single(mia.sql`select payment_provider() -> 'isOpen'`)).toBe(open)
    const [shared, entered] = [() => till.share(owner, 'disney-plus-premium'), () => till.enter(mia, plan)]
    if (open) await Promise.all([shared(), entered()])
    else expect([await refusalOf(shared()), await refusalOf(entered())]).toEqual([CLOSED, CLOSED])
    // Directly paid plans can be shared without that answer.
    await sharePlan(db, await addPerson(db, 'Omar'))
  },
)

test('the figure is the VAT of whole payments, less what went back, by the country of each member', async () => {
  const { marc } = who()
  const [month] = (await single<{ months: Record<string, unknown>[] }>(sofia.sql`select supply_figures()`))
    .months
  expect(month).toMatchObject({ gross: 0, vat: 0, unknown: 0 })
  await enterAndPay()
  const figures = async () =>
    (await single<{ months: object[] }>(sofia.sql`select supply_figures()`)).months[0]
  expect(await figures()).toMatchObject({ gross: 5.5, vat: 0, unknown: 5.5 })
  await marc.sql`select set_country('HU')`
  expect(await figures()).toMatchObject({ gross: 5.5, vat: 1.17, unknown: 0 })
  await sql`delete from shared_subscriptions`
  await till.work()
  expect(await figures()).toMatchObject({ gross: 0, vat: 0, unknown: 0 })
})

test('existing places go on while live payments are closed, and the log has who answered what', async () => {
  await enterAndPay()
  await setMode('live')
  await answer('whole')
  await till.pass(await toBoundary())
  expect(await last()).toMatchObject({ number: 2, status: 'paid' })
  expect(
    await sql`select actor, details -> 'after' ->> 'payment_supply' as answer from private.staff_log order by line desc limit 1`,
  ).toEqual([{ actor: sofia.id, answer: 'whole' }])
})

test('sales abroad are told at 80 and at 100 percent, once a year each, to staff who edit settings', async () => {
  const { marc, plan } = who()
  await sql`create or replace function private.sales_abroad_limit() returns numeric language sql immutable return 1`
  await switchInvoicesOn(sofia, 'home')
  const told = () =>
    sql`select params ->> 'percent' as percent from user_notifications where event = 'tax-threshold' order by created_at`
  const abroad = () => single<number | null>(sofia.sql`select (supply_figures() ->> 'abroad')::float8`)
  const sell = async (member: Person, country: string) => {
    await member.sql`select set_country(${country})`
    await till.enter(member, plan)
    await till.work()
    await till.due()
    for (let day = 0; day < 2; day++) await sql`select private.watch_sales_abroad()`
  }
  await sell(marc, 'FR')
  expect([await abroad(), await told()]).toEqual([0.42, []])
  await sell(await till.payer('Mia'), 'DE')
  expect([await abroad(), await told()]).toEqual([0.42, []])
  await sell(await till.payer('Ada'), 'AT')
  expect([await abroad(), await told()]).toEqual([0.84, [{ percent: '80' }]])
  await sql`update vat_settings set mode = 'oss'`
  expect(await abroad()).toBeNull()
  await sql`update vat_settings set mode = 'home'`
  await sql`create or replace function private.sales_abroad_limit() returns numeric language sql immutable return 0.8`
  await sql`select private.watch_sales_abroad()`
  expect(await told()).toEqual([{ percent: '80' }, { percent: '100' }])
})
