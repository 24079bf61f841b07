// Own plans in other currencies: every amount has its currency and the decimals of that, and nothing is added across.
//
// | where                          | with EUR, GBP and JPY                                  |
// |--------------------------------|--------------------------------------------------------|
// | notices, mails, webhooks       | the amount in its currency; EUR as before              |
// | totals, statement              | a row for each, side by side                           |
// | home, calendar and its feed    | the currency beside each amount                        |
// | bank statements                | an entry pays only in its own currency                 |
// | what is owed back              | in whole units of the currency                         |
// | through the site               | EUR alone                                              |
import { expect, test } from 'vitest'
import { digitsOf } from '../../functions/_shared/currency.ts'
import { render } from '../../functions/_shared/words/render.ts'
import { columnOf, single } from '../answers.ts'
import { addPerson, ownDatabase } from '../people.ts'
import { ask, sayHowPaid } from '../plans.ts'

const { db, sql } = await ownDatabase()

const PLANS = [
  { currency: 'EUR', price: '10.00', share: '5.00', text: '€5.00' },
  { currency: 'GBP', price: '9.00', share: '4.50', text: 'GBP\u00a04.50' },
  { currency: 'JPY', price: '667', share: '333.00', text: 'JPY\u00a0333' },
]
/** Olivia shares a plan in each currency, for two people and for a year, and Marc is in all of them. */
async function setTheTable() {
  const [olivia, marc] = [await addPerson(db, 'Olivia'), await addPerson(db, 'Marc')]
  await sayHowPaid(olivia)
  const plans = []
  for (const { currency, price } of PLANS) {
    const id = await single(olivia.sql`insert into shared_subscriptions
      (provider, name, total_price, currency, cycle_months, max_members, next_payment)
      values (${currency}, 'Family', ${price}, ${currency}, 12, 2, (now() at time zone 'utc')::date) returning id`)
    await marc.sql`select open_plan_link(${await single(olivia.sql`select get_plan_link(${id})`)})`
    const request = await ask(db, marc, { id, owner: olivia })
    await olivia.sql`select approve_subscription_request(${request}, ${id})`
    plans.push({ id, currency })
  }
  return { olivia, marc, plans }
}

test('totals, tasks, days and the calendar say each amount in its currency', async () => {
  const { olivia, marc } = await setTheTable()
  const each = PLANS.map(({ currency, share }) => ({ currency, due: Number(share) }))
  for (const [person, asOwner] of [
    [marc, false],
    [olivia, true],
  ] as const) {
    const rows =
      await person.sql`select currency, due::float8 as due, paid::float8 as paid from payment_totals(${asOwner})`
    expect(rows).toEqual(each.map((row) => ({ ...row, paid: 0 })))
  }
  // Who has no payments has a row of zero euros.
  expect(
    await (await addPerson(db, 'Zoe')).sql`select currency, due::float8 as due from payment_totals()`,
  ).toEqual([{ currency: 'EUR', due: 0 }])
  const { tasks, plans } = await single<{
    tasks: Record<string, unknown>[]
    plans: { next: { currency: string } | null }[]
  }>(marc.sql`select my_home()`)
  const sums = tasks
    .filter(({ kind }) => kind === 'pay')
    .map(({ amount, currency }) => ({ currency, due: amount }))
  expect(sums).toEqual(expect.arrayContaining(each))
  expect(plans.map(({ next }) => next?.currency).sort()).toEqual(['EUR', 'GBP', 'JPY'])
  const days =
    await marc.sql`select currency, amount::float8 as due from my_payment_days() where due_at <= now()`
  expect(days).toEqual(expect.arrayContaining(each))
  const feed = await columnOf(
    sql`select summary from private.calendar_days(${marc.id}) where summary like '%is due for%' order by summary`,
  )
  expect(feed).toEqual(PLANS.map(({ text, currency }) => `${text} is due for ${currency} Family`).sort())
})

test('a notice and its mail say the amount in its currency, in English and in other languages', async () => {
  const { olivia, marc } = await setTheTable()
  for (const id of await columnOf(marc.sql`select id from member_payments`))
    await marc.sql`select say_paid(${id})`
  const notices = await olivia.sql<{ message: string; params: Record<string, unknown> }>`
    select message, params from user_notifications where event = 'member-says-paid'`
  for (const { currency, text } of PLANS) {
    const notice = notices.find(({ message }) => message.includes(`${currency} Family`))
    expect(notice?.message).toContain(text)
    expect(notice?.params.currency).toBe(currency === 'EUR' ? undefined : currency)
  }
  const say = (language: string, params: object) => render([['amount']], { ...params }, { language })
  expect(say('en', { amount: 4.5, currency: 'GBP' })).toBe('GBP\u00a04.50')
  expect(say('en', { amount: 333, currency: 'JPY' })).toBe('JPY\u00a0333')
  expect(say('en', { amount: 4.5 })).toBe('€4.50')
  expect(say('de', { amount: 333, currency: 'JPY' })).toBe('333\u00a0¥')
  expect(say('de', { amount: 1500.5, currency: 'HUF' })).toBe('1.500,50\u00a0HUF')
})

test('the year has a sum for each currency', async () => {
  const { olivia, marc } = await setTheTable()
  for (const id of await columnOf(marc.sql`select id from member_payments`)) {
    await marc.sql`select say_paid(${id})`
    await olivia.sql`select confirm_payment(${id})`
  }
  const year = new Date().getUTCFullYear()
  const statement = await single<Record<'accounts' | 'sums' | 'rows', object[]>>(
    olivia.sql`select yearly_statement(${year})`,
  )
  expect(statement.accounts).toEqual(
    PLANS.map(({ currency, share }) => ({
      account: 'direct',
      currency,
      opening: null,
      closing: null,
      moved: Number(share),
    })),
  )
  expect(statement.sums).toEqual(
    PLANS.map(({ currency, share }) => ({
      account: 'direct',
      currency,
      kind: 'earning',
      part: null,
      amount: Number(share),
    })),
  )
  expect(statement.rows).toHaveLength(3)
})

test('an entry of a bank statement pays only in its own currency', async () => {
  const { olivia, marc } = await setTheTable()
  const payments = await marc.sql<{
    currency: string
    reference: string
  }>`select currency, reference from member_payments`
  const reference = (currency: string) =>
    payments.find((payment) => payment.currency === currency)?.reference ?? ''
  const entry = (key: string, amount: number, currency: string, text: string) => ({
    ...{ key, amount, currency, text, kind: null, name: 'Somebody', ref: key, payment: null },
    booked: new Date().toISOString().slice(0, 10),
  })
  const fates = async (...entries: object[]) =>
    Object.fromEntries(
      (
        await olivia.run<{ key: string; fate: string }>('select key, fate from propose_direct_payments($1)', [
          JSON.stringify(entries),
        ])
      ).map(({ key, fate }) => [key, fate]),
    )
  expect(
    await fates(
      entry('yen', 333, 'JPY', reference('JPY')),
      entry('pounds-as-euros', 4.5, 'EUR', reference('GBP')),
      entry('dollars', 5, 'USD', 'for the plan'),
      entry('euros-without-reference', 4.5, 'EUR', 'for the plan'),
    ),
  ).toEqual({
    yen: 'pays',
    'pounds-as-euros': 'amount',
    dollars: 'currency',
    'euros-without-reference': 'nothing',
  })
})

test('what is owed back has no fractions of a yen', async () => {
  const { olivia, marc, plans } = await setTheTable()
  const yen = plans.find(({ currency }) => currency === 'JPY')?.id
  const payment = await single(marc.sql`select id from member_payments where subscription_id = ${yen}`)
  await marc.sql`select say_paid(${payment})`
  await olivia.sql`select confirm_payment(${payment})`
  await sql`update private.clock set ahead = ahead + '100 days'`
  await olivia.sql`delete from subscription_members where subscription_id = ${yen} and user_id = ${marc.id}`
  const owed = Number(
    await single(marc.sql`select owed_back from member_payments where subscription_id = ${yen}`),
  )
  expect(owed).toBeGreaterThan(200)
  expect(Number.isInteger(owed)).toBe(true)
})

test('the browser and the database know the same decimals', async () => {
  const codes = await sql<{ code: string; digits: number }>`
    select code, private.currency_digits(code) as digits
    from unnest(private.whole_currencies() || private.cent_currencies()) as code`
  expect(codes.length).toBeGreaterThan(140)
  for (const { code, digits } of codes) expect(digitsOf(code), code).toBe(digits)
  expect(
    await columnOf(
      sql`select private.currency_digits(code) from unnest('{KWD,BHD,UYW,XYZ}'::text[]) as code`,
    ),
  ).toEqual([null, null, null, null])
})
