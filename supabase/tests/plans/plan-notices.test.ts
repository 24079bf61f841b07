// News from the provider that an owner passes on: a new price or a pause, each with a day.
//
// | who                             | does                                  | result                                             |
// |---------------------------------|---------------------------------------|----------------------------------------------------|
// | owner                           | announces a price or a pause          | members and guests are told, and see it            |
// | owner                           | announces it again                    | one notice of a kind; the earlier one is kept      |
// | owner who cries wolf            | announces it a sixth time in an hour  | refused; a notice changes no payment               |
// | owner who posts a link          | writes it in the text                 | no notification or mail has the text               |
// | owner                           | ends it                               | everybody is told; twice is refused                |
// | the silent owner                | lets the day pass                     | it stays 30 days, then is over without a job       |
// | owner                           | ends it after its day                 | nobody is told: the provider has done it           |
// | suspended owner                 | has a notice                          | nobody sees it, until the suspension ends          |
// | owner who cancels the plan      | has a notice                          | it is gone                                         |
// | owner                           | exports                               | the notices are in it                              |
// | member, former member, stranger | announces or ends one                 | refused                                            |
// | member who joins later          | opens the plan                        | sees it                                            |
// | member apart from the owner     | opens the plan                        | sees kind, day and price without the text          |
// | former member, stranger         | opens the plan                        | refused                                            |
// | guest who was removed           | opens the link                        | sees no notice                                     |
import { beforeEach, describe, expect, test } from 'vitest'
import { columnOf, expectRefusal, notFound, rule, single } from '../answers.ts'
import { ownDatabase, type Person } from '../people.ts'
import { join, type SharedPlan, sayHowPaid, setTheTable } from '../plans.ts'

const { db, sql, VISITOR } = await ownDatabase()

let olivia: Person
let marc: Person
let zoe: Person
let plan: SharedPlan
beforeEach(async () => {
  await sql`update private.clock set ahead = '0'`
  ;({ olivia, marc, zoe, plan } = await setTheTable(db))
})

const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)
const price = (cost: string | null = '19.99', day = inDays(30), note: string | null = null, as = olivia) =>
  single(as.sql`select make_plan_notice(${plan.id}, 'price', ${day}, ${cost}, ${note})`)
const pause = (day = inDays(14), note: string | null = null, as = olivia, id = plan.id) =>
  single(as.sql`select make_plan_notice(${id}, 'pause', ${day}, null, ${note})`)
const end = (id: string, as = olivia) => as.sql`select end_plan_notice(${id})`
const seen = (as: Person) => as.sql`select kind, day::text, price, note from plan_notices(${plan.id})`
const news = (who: string) =>
  columnOf(sql`select message from user_notifications where user_id = ${who}
    and event in ('price-announced', 'pause-announced', 'notice-withdrawn') order by created_at`)

describe('a notice', () => {
  test('tells every member, stays for 30 days after its day, and changes nothing that anybody pays', async () => {
    await pause(inDays(14), ' The card was declined. ')
    await price('19.99', inDays(14))
    const shown = [
      { kind: 'pause', day: inDays(14), price: null, note: 'The card was declined.' },
      { kind: 'price', day: inDays(14), price: '19.99', note: null },
    ]
    expect(await seen(marc)).toEqual(shown)
    const [paused, costs] = await news(marc.id)
    expect(paused).toMatch(
      /^Olivia says that the provider will pause Netflix Premium on \d+ \w+ 20\d\d\. If you lose/,
    )
    expect(costs).toMatch(
      /^Olivia says that Netflix Premium will cost €19\.99 every month from \d+ \w+ 20\d\d\. Your/,
    )
    expect(await news(olivia.id)).toEqual([])
    expect(await single(marc.sql`select share from my_seats()`)).toBe('5.00')
    await join(db, zoe, plan)
    expect(await seen(zoe)).toEqual(shown)
    expect(await news(zoe.id)).toEqual([])
    await sql`update private.clock set ahead = '44 days'`
    expect(await seen(marc)).toEqual(shown)
    const [told, id] = [
      await news(marc.id),
      await single(olivia.sql`select id from plan_notices(${plan.id}) limit 1`),
    ]
    await end(id)
    expect([await seen(marc), await news(marc.id)]).toEqual([shown.slice(1), told])
    await sql`update private.clock set ahead = '45 days 1 hour'`
    expect(await seen(olivia)).toEqual([])
  })

  test('says for how many months a new price is', async () => {
    await sql`update private.seats set billing_cycle = 'yearly' where subscription_id = ${plan.id}`
    await price()
    expect(await news(marc.id)).toEqual([expect.stringContaining('will cost €19.99 every 12 months from')])
  })

  test('replaces an earlier one of its kind, and is ended once, by its owner alone', async () => {
    const first = await pause()
    const second = await pause(inDays(20))
    expect(await seen(olivia)).toMatchObject([{ day: inDays(20) }])
    for (const [id, as] of [
      [first, olivia],
      [second, marc],
      [second, zoe],
      [crypto.randomUUID(), olivia],
    ] as const)
      await expectRefusal(end(id, as), notFound('This notice is over'))
    await end(second)
    await expectRefusal(end(second), notFound('This notice is over'))
    expect(await seen(marc)).toEqual([])
    expect((await news(marc.id)).at(-1)).toBe('Olivia says that Netflix Premium goes on without a pause.')
    await end(await price())
    expect((await news(marc.id)).at(-1)).toBe('Olivia says that the price of Netflix Premium stays the same.')
    const { plan_notices: kept } = await single<{ plan_notices: object[] }>(
      olivia.sql`select export_own_data()`,
    )
    expect(kept).toHaveLength(3)
  })

  test('takes a kind, a day within a year, a price in the plan’s currency, and a short text', async () => {
    const KIND = rule('Please choose what the provider does')
    for (const kind of ['gone', null])
      await expectRefusal(olivia.sql`select make_plan_notice(${plan.id}, ${kind}, ${inDays(3)})`, KIND)
    const DAY = rule('Please choose a day from today on, at most 12 months away')
    for (const day of [inDays(-1), inDays(367)]) await expectRefusal(pause(day), DAY)
    await expectRefusal(olivia.sql`select make_plan_notice(${plan.id}, 'pause', null)`, DAY)
    for (const cost of ['0', '1.005', '-3', null]) await expectRefusal(price(cost), { code: '23514' })
    await expectRefusal(pause(inDays(3), 'x'.repeat(281)), { code: '23514' })
    await pause(inDays(0), `${'x'.repeat(280)} `)
    await price('19.99', inDays(364), '  ')
    expect(await columnOf(marc.sql`select note from plan_notices(${plan.id}) where kind = 'price'`)).toEqual([
      null,
    ])
  })

  test('cannot be used to flood members, or to send them anything by mail', async () => {
    await pause(inDays(3), 'Pay at https://evil.example now')
    await sql`update private.clock set ahead = '1 hour'`
    expect(await sql`select from user_notifications where (message, params)::text like '%evil%'`).toEqual([])
    expect(await sql`select from private.outgoing_mail where outgoing_mail::text like '%evil%'`).toEqual([])
    for (const _time of [2, 3, 4, 5]) await pause()
    await expectRefusal(pause(), { code: 'PT429' })
  })
})

describe('nobody else', () => {
  test('announces anything, and only the plan’s people are told', async () => {
    for (const as of [marc, zoe]) {
      await expectRefusal(pause(inDays(3), null, as), { code: '42501' })
      await expectRefusal(price('1', inDays(3), null, as), { code: '42501' })
    }
    await pause()
    await expectRefusal(seen(zoe), notFound('Subscription not found'))
    await marc.sql`delete from subscription_members where user_id = ${marc.id}`
    await expectRefusal(seen(marc), notFound('Subscription not found'))
  })

  test('reads the text of an owner they are apart from, or any notice of a suspended one', async () => {
    await pause(inDays(3), 'Sorry')
    await marc.sql`select block_person(${olivia.id})`
    expect(await seen(marc)).toMatchObject([{ kind: 'pause', note: null }])
    await marc.sql`select unblock_person(${olivia.id})`
    expect(await seen(marc)).toMatchObject([{ note: 'Sorry' }])
    await sql`update auth.users set banned_until = 'infinity' where id = ${olivia.id}`
    expect(await seen(marc)).toEqual([])
    await sql`update auth.users set banned_until = null where id = ${olivia.id}`
    expect(await seen(marc)).toMatchObject([{ note: 'Sorry' }])
  })
})

test('a guest reads it on their page, in the plan’s currency, until their place ends; it goes with the plan', async () => {
  await sayHowPaid(olivia)
  const own = await single(olivia.sql`insert into shared_subscriptions
    (provider, name, total_price, currency, cycle_months, max_members, next_payment)
    values ('Kagi', 'Family', 1200, 'JPY', 3, 3, current_date) returning id`)
  const link = await single(olivia.sql`select add_guest(${own}, 'Mum')`)
  const place = () => single<{ notices: object[]; since: string }>(VISITOR.sql`select my_place(${link})`)
  expect((await place()).notices).toEqual([])
  await expectRefusal(
    olivia.sql`select make_plan_notice(${own}, 'price', ${inDays(9)}, 1500.5)`,
    rule('Please enter a price up to 100000000, with 0 decimals at most.'),
  )
  await olivia.sql`select make_plan_notice(${own}, 'price', ${inDays(9)}, 1500)`
  await pause(inDays(3), 'Sorry', olivia, own)
  const { notices, since } = await place()
  expect(notices).toEqual([
    { kind: 'pause', day: inDays(3), price: null, note: 'Sorry' },
    { kind: 'price', day: inDays(9), price: 1500, note: null },
  ])
  expect(Date.parse(since)).toBeGreaterThan(Date.now() - 60_000)
  const mum = await single(olivia.sql`select person_id from plan_guests(${own})`)
  expect((await news(mum))[0]).toContain('Kagi Family will cost JPY\u00a01500 every 3 months from')
  await olivia.sql`delete from subscription_members where user_id = ${mum}`
  expect((await place()).notices).toEqual([])
  await olivia.sql`delete from shared_subscriptions where id = ${own}`
  expect(await sql`select from private.plan_notices where subscription_id = ${own}`).toEqual([])
})
