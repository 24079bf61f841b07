// Invoices of the fee: their sums equal the ledger's after any events of a payment, and an invoice never changes.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import { columnOf, single } from '../answers.ts'
import { switchInvoicesOn } from '../invoices.ts'
import { setThePayingTable } from '../paying.ts'
import { addStaff, DENIED, denied, notFound, type Person, refusalOf, rule, statements } from '../people.ts'

const { db, sql, till, who, periods, enterAndPay, toBoundary } = await setThePayingTable()
const { run } = statements(db)
let sofia: Person
beforeAll(async () => {
  sofia = await addStaff(db, 'Sofia', 'super-admin')
})
const invoices = (person?: Person) =>
  run(
    `select number, corrects is not null as back, gross::float8 as gross, vat::float8 as vat, category, vat_rate::float8 as rate,
      buyer_country as country, evidence ->> 'declared' as declared from fee_invoices where buyer_id = coalesce($1, buyer_id)
      order by issued_at, number`,
    [person?.id ?? null],
  )
const year = () => single(sql`select to_char(private.now() at time zone 'utc', 'YYYY')`)

test('nothing is made before all is known about the seller, then all since the switch was turned on', async () => {
  const { marc } = who()
  await enterAndPay()
  await sofia.sql`update vat_settings set mode = 'oss'`
  await till.pass(await toBoundary())
  await till.due()
  expect([await invoices(), await till.books()]).toEqual([[], []])
  const asked = () => single(marc.sql`select my_country()`)
  await sql`update vat_settings set mode = 'small'`
  expect(await asked()).toMatchObject({ asked: false })
  await sql`update vat_settings set mode = 'oss'`
  expect(await asked()).toEqual({ country: null, asked: true, pays: true })
  await marc.sql`select set_country('FR')`
  expect(await asked()).toMatchObject({ country: 'FR' })
  await switchInvoicesOn(sofia)
  await till.due()
  const of = { vat: 0.08, category: 'S', rate: 0.2, country: 'FR', declared: 'FR' }
  expect(await invoices()).toEqual([{ number: `INV-${await year()}-000001`, back: false, gross: 0.5, ...of }])
})

test.each([
  ['small', 'FR', 'E', 0, 0],
  ['home', 'FR', 'S', 0.19, 0.08],
  ['oss', 'HU', 'S', 0.27, 0.11],
  ['oss', 'MC', 'S', 0.2, 0.08],
  ['oss', 'US', 'O', 0, 0],
  ['oss', null, 'S', 0.19, 0.08],
] as const)('the fee is taxed %s for somebody in %s', async (mode, country, category, rate, vat) => {
  const { marc } = who()
  await switchInvoicesOn(sofia, mode)
  if (country) await marc.sql`select set_country(${country})`
  await enterAndPay()
  await till.due()
  const of = { category, rate, vat, country: country ?? 'DE' }
  expect(await invoices(marc)).toMatchObject([{ gross: 0.5, back: false, ...of }])
  // A refund has the VAT of its payment, even after later changes of the settings.
  await sql`update vat_settings set mode = 'off'`
  await marc.sql`select set_country('SE')`
  await sql`delete from shared_subscriptions`
  await till.due()
  expect(await invoices(marc)).toMatchObject([{ back: false }, { gross: 0.5, back: true, ...of }])
})

test('what was paid while invoices were on has its invoice, with the buyer of then and numbers of its own, whatever comes before', async () => {
  const { marc, plan } = who()
  await switchInvoicesOn(sofia, 'home')
  await sql`update vat_settings set prefix = 'X'`
  await sql`update user_profiles set full_name = 'Marc Martin' where user_id = ${marc.id}`
  await marc.sql`select set_country('FR')`
  await enterAndPay()
  await sql`update vat_settings set mode = 'off'`
  const zoe = await till.payer('Zoe')
  await till.enter(zoe, plan)
  await till.work()
  await sql`delete from shared_subscriptions`
  await marc.sql`select delete_own_account(true)`
  await till.due()
  await sql`update vat_settings set prefix = 'XC'`
  await switchInvoicesOn(sofia)
  const leo = await till.payer('Leo')
  await till.enter(leo, await till.share(who().olivia))
  await till.work()
  await till.due()
  const y = await year()
  expect(
    await sql`select number, buyer_name, buyer_country as country, vat_rate::float8 as rate from fee_invoices
      where number like 'X%' order by issued_at, number`,
  ).toEqual([
    { number: `X${y}-000001`, buyer_name: 'Marc Martin', country: 'FR', rate: 0.19 },
    { number: `X${y}C-000001`, buyer_name: 'Marc Martin', country: 'FR', rate: 0.19 },
    { number: `XC${y}-000001`, buyer_name: 'Leo', country: 'DE', rate: 0.19 },
  ])
  expect(await sql`select * from private.closed_buyers`).toEqual([])
})

test('a fee that the guarantee account gives back is on a credit note too', async () => {
  const { marc } = who()
  await switchInvoicesOn(sofia)
  await enterAndPay()
  await till.pass('10 days')
  await sql`select record_fraud_warning('issfr', intent, 'misc', true) from private.charges
    where payment_id in (select id from member_payments where member_id = ${marc.id})`
  await sofia.sql`select decide_fraud_warning('issfr', true)`
  await till.work()
  await till.due()
  expect(await invoices(marc)).toMatchObject([
    { back: false, gross: 0.5, vat: 0.08 },
    { back: true, gross: 0.5, vat: 0.08 },
  ])
})

const COUNTRIES = ['AT', 'HU', 'FI', 'US', 'LU']
const seats = () => single<number>(sql`select count(*)::int from private.seats where ended_at is null`)
async function enter(amount: number) {
  const guest = await till.payer('Guest')
  await guest.sql`select set_country(${COUNTRIES[amount % COUNTRIES.length]})`
  if ((await seats()) < 3) await till.enter(guest, who().plan)
}
const end = (payment: string, reason: string) =>
  sql`select private.end_seat(seat_id, ${reason}, null) from member_payments where id = ${payment}`
const dispute = (payment: string, status: string) =>
  sql`select record_dispute(${`dp ${payment}`}, intent, 5.5, ${status}, 'fraudulent', null)
    from private.charges where payment_id = ${payment}`
/** Events of a place that is paid for; the number is an amount or a duration. */
const EVENTS: Record<string, (payment: string, amount: number) => Promise<unknown>> = {
  enter: (_payment, amount) => enter(amount),
  'enter again': (_payment, amount) => enter(amount),
  'fail to pay': async (_payment, amount) => {
    await enter(amount)
    await till.work('failed')
  },
  pass: (_payment, amount) => till.pass(`${1 + amount * 4} days`),
  remove: (payment) => end(payment, 'removed'),
  leave: (payment) => end(payment, 'left'),
  dispute: (payment) => dispute(payment, 'needs_response'),
  'win a dispute': async () =>
    dispute(await single(sql`select payment_id from payment_disputes where status <> 'won' limit 1`), 'won'),
  'refund by hand': (payment, amount) =>
    sql`select record_refund(null, ${`re ${amount} ${payment}`}, 'succeeded', null, intent, ${((amount + 1) / 10).toFixed(2)})
      from private.charges where payment_id = ${payment}`,
}

test('whatever happens, invoices less credit notes are the fees in the ledger, and numbers have no gap', async () => {
  await switchInvoicesOn(sofia)
  const invoiced = async () =>
    Number(
      await single(sql`select sum(case when corrects is null then gross else -gross end) from fee_invoices`),
    )
  const fees = () => till.held('held_fee', 'fees')
  const before = (await invoiced()) - (await fees())
  const event = fc.tuple(fc.constantFrom(...Object.keys(EVENTS)), fc.nat(9))
  const [events = []] = fc.sample(fc.array(event, { minLength: 40, maxLength: 40 }), { numRuns: 1, seed: 1 })
  for (const [name, amount] of events) {
    const payment = await single(
      sql`select id from member_payments where status = 'paid' order by created_at desc offset ${amount % 2} limit 1`,
    )
    await EVENTS[name]?.(payment, amount)
    await till.work()
    await till.due()
    expect((await invoiced()) - (await fees()), name).toBeCloseTo(before, 2)
    expect(await till.books(), name).toEqual([])
  }
  expect(await columnOf(sql`select distinct corrects is null from fee_invoices`)).toHaveLength(2)
  // Winning a dispute charges the fee again.
  expect(
    await columnOf(
      sql`select payment_id from fee_invoices where corrects is null group by 1 having count(*) > 1`,
    ),
  ).not.toEqual([])
})

test('VAT rounds as EN 16931 allows, and that of parts is that of the whole', async () => {
  const odd =
    await sql`select gross, rate from generate_series(0.01, 9, 0.01) as gross, (select distinct rate from private.vat_rates) as r
    where abs(private.vat_in(gross, rate) - round((gross - private.vat_in(gross, rate)) * rate, 2)) > 0.01
      or private.vat_in(gross, rate) < private.vat_in(gross - 0.01, rate) or private.vat_in(gross, rate) < 0`
  expect(odd).toEqual([])
  expect(await single(sql`select count(*)::int from private.vat_rates`)).toBe(27)
})

test('a mail leads to an invoice only where there is one', async () => {
  const { marc, plan } = who()
  await sql`update vat_settings set mode = 'off'`
  await enterAndPay()
  await switchInvoicesOn(sofia)
  const zoe = await till.payer('Zoe')
  await till.enter(zoe, plan)
  await till.work()
  await till.due()
  await sql`delete from shared_subscriptions`
  const led = ({ id }: Person) =>
    columnOf(sql`select event from private.outgoing_mail where reader_id = ${id} and path like '/payments/%'`)
  expect(await led(marc)).toEqual([])
  expect(await led(zoe)).toContain('money-given-back')
})

test('an invoice is its buyer’s, and nothing changes it', async () => {
  const { marc, olivia } = who()
  await switchInvoicesOn(sofia)
  await enterAndPay()
  await till.due()
  const id = await single(sql`select id from fee_invoices where buyer_id = ${marc.id}`)
  for (const one of [marc, sofia])
    expect(await single(one.sql`select invoice(${id}) ->> 'plan_name'`)).toBe('Netflix Premium')
  expect(await refusalOf(olivia.sql`select invoice(${id})`)).toEqual(notFound('Invoice not found'))
  for (const change of [
    'update fee_invoices set gross = 9',
    'delete from fee_invoices',
    'truncate fee_invoices cascade',
  ]) {
    expect(await refusalOf(run(change))).toEqual(denied('The ledger is never rewritten'))
    expect(await refusalOf(sofia.run(change))).toMatchObject(DENIED)
  }
  expect(await refusalOf(sofia.sql`update operator set country = 'US'`)).toEqual(
    rule('Invoices need a seller in the EU'),
  )
  for (const country of ['Germany', 'ZZ', 'EU'])
    expect(await refusalOf(marc.sql`select set_country(${country})`)).toEqual(rule('Please choose a country'))
  const form = await readFile(join(import.meta.dirname, '../../../web/src/domain/countries.ts'), 'utf8')
  expect(/'(AD [A-Z ]+)'/.exec(form)?.[1]).toBe(
    await single(sql`select array_to_string(private.countries(), ' ')`),
  )
  expect(await periods()).toHaveLength(1)
})

test.each([
  ['CH', 'DE', 'DE', 0.19],
  ['FR', 'DE', 'FR', 0.2],
  ['DE', 'CH', 'DE', 0.19],
] as const)(
  'somebody who says %s and pays from %s is taxed as in %s until staff decide, who are asked once',
  async (declared, card, country, rate) => {
    const { marc } = who()
    const asked = () =>
      columnOf(
        sofia.sql`select message from user_notifications where event = 'tax-country-differs' order by created_at`,
      )
    const before = (await asked()).length
    await switchInvoicesOn(sofia, 'oss')
    await marc.sql`select set_country(${declared})`
    await sql`update payment_methods set country = ${card} where user_id = ${marc.id}`
    await enterAndPay()
    await till.due()
    expect(await invoices(marc)).toMatchObject([{ country, rate, declared }])
    await till.pass(await toBoundary())
    expect((await asked()).slice(before)).toEqual([
      `Marc says they live in ${declared}, but pays from ${card}. Say on their page which one decides the VAT.`,
    ])
    const decide = (by: Person, chosen: string) => by.sql`select decide_country(${marc.id}, ${chosen})`
    expect(await refusalOf(decide(sofia, 'IT'))).toEqual(rule('Please choose one of the two countries'))
    expect(await refusalOf(sofia.sql`select decide_country(${sofia.id}, 'DE')`)).toEqual(
      denied('Someone else decides about your own country'),
    )
    const other = country === card ? declared : card
    await decide(sofia, other)
    await till.pass(await toBoundary())
    await till.due()
    expect((await invoices(marc)).at(-1)).toMatchObject({ country: other })
    expect((await asked()).length).toBe(before + 1)
  },
)
