// The convenience fee: what staff decide holds for the plans that are shared from then on, and moves the price of no other.
import { afterEach, beforeAll, expect, test } from 'vitest'
import { invitationsIn } from '../invitations.ts'
import { setThePayingTable } from '../paying.ts'
import { addStaff, DENIED, denied, type Person, refusalOf, rule, visitor } from '../people.ts'
import type { SharedPlan } from '../plans.ts'

const { db, sql, till, who, periods, enterAndPay, toBoundary, sums } = await setThePayingTable()
const RANGE = rule('The fee is from 0 to 20 percent, in steps of 0.5')
let sofia: Person
let edith: Person
let ada: Person
beforeAll(async () => {
  await sql`insert into system_roles (name, permissions) values ('editor', '{settings.edit}')`
  sofia = await addStaff(db, 'Sofia', 'super-admin')
  edith = await addStaff(db, 'Edith', 'editor')
  ada = await addStaff(db, 'Ada', 'admin')
})
afterEach(async () => {
  await sql`update app_settings set fee_rate = private.first_fee_rate()`
})

const set = (person: Person, rate: string) =>
  person.sql`update app_settings set fee_rate = ${rate}::numeric returning fee_rate::float8 as rate`
const fees = () => till.held('fees')
/** What a plan costs wherever somebody reads it before they are in. */
async function prices(plan: SharedPlan, stranger: Person) {
  const [read] = await stranger.sql<{ sum: number; card: number; rate: number }>`
    select (quote_plan(${plan.id}) ->> 'sum')::float8 as sum,
      (market_plan(${plan.id}) ->> 'monthlyCost')::float8 as card, (market_plan(${plan.id}) ->> 'feeRate')::float8 as rate`
  const { invite, mailTo } = invitationsIn(db)
  const address = `friend-of-${plan.id}@potluck.example`
  await invite(plan, address)
  const { html, token } = await mailTo(address)
  const [invited] = await visitor(db).sql<{
    rate: number
  }>`select fee_rate::float8 as rate from get_invitation(${token})`
  return { ...read, mailed: /Your share is €([\d.]+)/.exec(html ?? '')?.[1], invited: invited?.rate }
}

test('a fee outside the range, or between its steps, is refused, whoever sends it', async () => {
  for (const rate of ['-0.005', '0.205', '0.1004', 'NaN', 'Infinity']) {
    expect(await refusalOf(set(sofia, rate))).toEqual(RANGE)
    expect(await refusalOf(sql`update app_settings set fee_rate = ${rate}::numeric`)).toEqual(RANGE)
  }
  expect(await refusalOf(sofia.sql`update app_settings set fee_rate = null`)).toEqual(RANGE)
  expect(await sql`select fee_rate::float8 as rate from app_settings`).toEqual([{ rate: 0.1 }])
})

test('whoever may edit the settings changes it, which the log of staff says, and everybody reads it', async () => {
  expect(await set(edith, '0.2')).toEqual([{ rate: 0.2 }])
  expect(await set(edith, '0')).toEqual([{ rate: 0 }])
  expect(await set(sofia, '0.075')).toEqual([{ rate: 0.075 }])
  for (const one of [ada, who().olivia]) expect(await set(one, '0.05')).toEqual([])
  expect(await refusalOf(visitor(db).sql`update app_settings set fee_rate = 0.05`)).toMatchObject(DENIED)
  for (const one of [visitor(db), who().olivia, ada])
    expect(await one.sql`select fee_rate()::float8 as rate`).toEqual([{ rate: 0.075 }])
  expect(
    await sofia.sql`select actor_name, (details -> 'before' ->> 'fee_rate')::float8 as before,
      (details -> 'after' ->> 'fee_rate')::float8 as after from list_staff_log(p_limit => 3)`,
  ).toEqual([
    { actor_name: 'Sofia', before: 0, after: 0.075 },
    { actor_name: 'Edith', before: 0.2, after: 0 },
    { actor_name: 'Edith', before: 0.1, after: 0.2 },
  ])
})

test('a plan takes the fee in force, which nobody sends and nothing changes', async () => {
  const { olivia, marc, plan } = who()
  await set(sofia, '0.05')
  const share = (rate: string) =>
    marc.sql`insert into shared_subscriptions (catalogue_plan_id, owner_max_members, next_payment, fee_rate)
      values ('netflix-premium', 4, current_date + 30, ${rate}) returning fee_rate::float8 as rate`
  expect(await refusalOf(share('0.1'))).toEqual(
    rule('The fee is 5 percent now. Please look at what members pay once more.'),
  )
  expect(await share('0.05')).toEqual([{ rate: 0.05 }])
  const change = `update shared_subscriptions set fee_rate = 0 where id = '${plan.id}'`
  expect(await refusalOf(olivia.run(change))).toMatchObject(DENIED)
  expect(await refusalOf(db.query(change))).toEqual(denied('A plan keeps the fee it was shared with'))
})

test('an old plan costs its members what it did, to the cent, and a new one what is decided', async () => {
  const { olivia, marc, plan: old } = who()
  const [nina, omar] = [await till.payer('Nina'), await till.payer('Omar')]
  await enterAndPay()
  await set(sofia, '0.075')
  const young = await till.share(omar)
  expect(await prices(old, nina)).toEqual({ sum: 5.5, card: 5.5, rate: 0.1, mailed: '5.50', invited: 0.1 })
  // 5.00 and 7.5 percent are 5.375: half a cent rounds up.
  expect(await prices(young, nina)).toEqual({
    ...{ sum: 5.38, card: 5.38, rate: 0.075, mailed: '5.38', invited: 0.075 },
  })

  for (const one of [old, young]) await till.enter(nina, one)
  await till.work()
  const before = await fees()
  // The renewals of Marc's place and of both of Nina's.
  await till.pass(await toBoundary('-1 hour'))
  for (const [one, costs] of [
    [marc, ['5.50']],
    [nina, ['5.38', '5.50']],
  ] as const) {
    const wanted = one.sql<{
      amount: string
    }>`select distinct next ->> 'amount' as amount from jsonb_array_elements(my_home() -> 'payments') as next order by 1`
    expect((await wanted).map(({ amount }) => amount)).toEqual(costs)
    const announced = one.sql<{ amount: string }>`select distinct (params ->> 'amount') as amount
      from user_notifications where event = 'renewal-coming' order by 1`
    expect((await announced).map(({ amount }) => amount)).toEqual(costs)
  }
  await till.pass('2 hours')
  await till.pass('1 hour')
  const paid =
    await sql`select p.name, m.number, m.share::text as share, m.fee::text as fee, m.coins + m.card as paid
    from member_payments as m join user_profiles as u on u.user_id = m.member_id
    cross join lateral (select case m.subscription_id when ${old.id} then 'old' else 'new' end || ' ' || u.display_name as name) as p
    order by p.name, m.number`
  const period = (name: string, number: number, fee: string, sum: string) => ({
    ...{ name, number, share: '5.00', fee, paid: sum },
  })
  expect(paid).toEqual([
    ...[period('new Nina', 1, '0.38', '5.38'), period('new Nina', 2, '0.38', '5.38')],
    ...[period('old Marc', 1, '0.50', '5.50'), period('old Marc', 2, '0.50', '5.50')],
    ...[period('old Nina', 1, '0.50', '5.50'), period('old Nina', 2, '0.50', '5.50')],
  ])
  // The first months have gone to their owners, and their fees to the site.
  await till.pass('1 day')
  const closed = await sql<{
    fee: number
  }>`select sum(fee)::float8 as fee from member_payments where status = 'closed'`
  expect(closed).toEqual([{ fee: 1.38 }])
  const early = await sql<{
    fee: number
  }>`select coalesce(sum(earned_fee), 0)::float8 as fee from member_payments
    where status <> 'closed'`
  expect((await fees()) - before).toBeCloseTo(1.38 + (early[0]?.fee ?? 0), 2)
  expect(await till.coins(omar)).toBe(5)
  expect(await till.books()).toEqual([])
  expect(olivia.id).not.toBe(omar.id)
})

test('other terms of an old plan are at its fee, monthly and yearly', async () => {
  const { marc } = who()
  const [omar, nina] = [await till.payer('Omar'), await till.payer('Nina')]
  const [direct] = await omar.sql<{ id: string }>`insert into shared_subscriptions
    (catalogue_plan_id, owner_max_members, next_payment) values ('netflix-premium', 4, current_date + 30) returning id`
  const plan = { id: direct?.id ?? '', owner: omar }
  const year = await till.share(omar, 'dropbox-family-annual')
  const instalments = async () =>
    (await nina.sql<{ all: string }>`select quote_plan(${year.id}) ->> 'instalments' as all`)[0]?.all
  const atFirst = await instalments()
  await till.enter(marc, plan)
  await set(sofia, '0')
  await omar.sql`select propose_terms(${plan.id}, 'potluck')`
  await marc.sql`select answer_terms(id, true) from term_proposals where answered_at is null`
  await till.pass('32 days')
  await till.work()
  expect(
    (
      await marc.sql`select fee::text as fee, amount::text as amount from member_payments order by number`
    ).slice(0, 2),
  ).toEqual([
    { fee: '0.00', amount: '5.00' },
    { fee: '0.50', amount: '5.50' },
  ])
  expect(await instalments()).toBe(atFirst)
})

test('without a fee a member pays the share, and the site earns nothing', async () => {
  await set(sofia, '0')
  const { marc } = who()
  const [omar] = [await till.payer('Omar')]
  const free = await till.share(omar)
  const before = await fees()
  await till.enter(marc, free)
  await till.work()
  expect(await periods()).toMatchObject([{ status: 'paid' }])
  await till.pass(await toBoundary())
  await till.pass('1 day')
  expect(await sums()).toMatchObject({ paid: 10, fee: 0, back: 0 })
  expect(await till.coins(omar)).toBe(5)
  expect(await fees()).toBe(before)
})
