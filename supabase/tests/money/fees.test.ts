// The convenience fee: what staff decide applies to plans shared from then on, and changes the price of no other.
// Proves WALLET 08
import { afterEach, beforeAll, expect, test } from 'vitest'
import { placePrice } from '../../functions/_shared/fee.ts'
import { invitationsIn } from '../invitations.ts'
import { setThePayingTable } from '../paying.ts'
import { addStaff, DENIED, denied, type Person, refusalOf, rule, visitor } from '../people.ts'
import { type SharedPlan, sharePlan } from '../plans.ts'

const { db, sql, till, who, periods, enterAndPay, toBoundary, sums } = await setThePayingTable()
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

const set = (person: Pick<Person, 'sql'>, rate: string | null) =>
  person.sql`update app_settings set fee_rate = ${rate}::numeric returning fee_rate::float8 as rate`
/** Returns a plan's price everywhere it is shown before joining. */
async function prices(plan: SharedPlan, stranger: Person) {
  const [read] = await stranger.sql`select (quote_plan(${plan.id}) ->> 'sum')::float8 as sum,
    (market_plan(${plan.id}) ->> 'monthlyCost')::float8 as card, (market_plan(${plan.id}) ->> 'feeRate')::float8 as rate`
  const { invite, mailTo } = invitationsIn(db)
  const address = `friend-of-${plan.id}@potluck.example`
  await invite(plan, address)
  const { said, token } = await mailTo(address)
  const [invited] = await visitor(db).sql`select fee_rate::float8 as rate from get_invitation(${token})`
  return {
    ...read,
    mailed: /Your share is €([\d.]+)/.exec(said?.sentences[1] ?? '')?.[1],
    invited: invited?.rate,
  }
}

test('the price of a place is the same in database and web, for every share and rate', async () => {
  const known = await sql`select private.place_price('potluck', share, rate)::float8 as price
    from (values (3.33, 0.1), (4.95, 0.1), (5, 0.075), (33.4, 0.125), (5, 0)) as one (share, rate)`
  // 4.95 and its fee make 5.445: half a cent rounds up.
  expect(known.map(({ price }) => price)).toEqual([3.66, 5.45, 5.38, 37.58, 5])
  const all = await sql<{ settlement: 'direct' | 'potluck'; share: number; rate: number; price: number }>`
    select settlement, cents / 100.0::float8 as share, step * private.fee_rate_step()::float8 as rate,
      private.place_price(settlement, cents / 100.0, step * private.fee_rate_step())::float8 as price
    from unnest('{direct,potluck}'::text[]) as settlement, generate_series(0, 40) as step, generate_series(0, 20000, 37) as cents`
  expect(all.length).toBeGreaterThan(40_000)
  expect(all.filter((one) => placePrice(one.settlement, one.share, one.rate) !== one.price)).toEqual([])
})

test('a fee outside the range, or between its steps, is refused, whoever sends it', async () => {
  for (const rate of ['-0.005', '0.205', '0.1004', 'NaN', 'Infinity', null])
    for (const sender of [sofia, { sql }])
      expect(await refusalOf(set(sender, rate))).toEqual(
        rule('The fee is from 0 to 20 percent, in steps of 0.5'),
      )
  expect(await sql`select fee_rate::float8 as rate from app_settings`).toEqual([{ rate: 0.1 }])
})

test('whoever may edit the settings changes it, which the log of staff says, and everybody reads it', async () => {
  for (const [person, rate] of [
    [edith, 0.2],
    [edith, 0],
    [sofia, 0.075],
  ] as const)
    expect(await set(person, String(rate))).toEqual([{ rate }])
  for (const nobody of [ada, who().olivia]) expect(await set(nobody, '0.05')).toEqual([])
  expect(await refusalOf(set(visitor(db), '0.05'))).toMatchObject(DENIED)
  for (const one of [visitor(db), who().olivia, ada])
    expect(await one.sql`select fee_rate()::float8 as rate`).toEqual([{ rate: 0.075 }])
  const log = await sofia.sql`select actor_name, (details -> 'before' ->> 'fee_rate')::float8 as before,
    (details -> 'after' ->> 'fee_rate')::float8 as after from list_staff_log(p_limit => 3)`
  expect(log.map((row) => Object.values(row))).toEqual([
    ['Sofia', 0, 0.075],
    ['Edith', 0.2, 0],
    ['Edith', 0.1, 0.2],
  ])
})

test('a plan takes the fee in force, which nobody sends and nothing changes', async () => {
  const { olivia, marc, plan } = who()
  await set(sofia, '0.05')
  const share = (rate: string) =>
    marc.sql`insert into shared_subscriptions (catalogue_plan_id, owner_max_members, next_payment, fee_rate)
      values ('netflix-premium', 4, current_date + 30, ${rate}) returning fee_rate::float8 as rate`
  expect(await refusalOf(share('0.1'))).toEqual(
    rule('The fee is now 5 percent. Please check what members pay.'),
  )
  expect(await share('0.05')).toEqual([{ rate: 0.05 }])
  const change = `update shared_subscriptions set fee_rate = 0 where id = '${plan.id}'`
  expect(await refusalOf(olivia.run(change))).toMatchObject(DENIED)
  expect(await refusalOf(db.query(change))).toEqual(denied('A plan keeps the fee it was shared with'))
})

test('an old plan costs its members what it did, to the cent, and a new one what is decided', async () => {
  const { marc, plan: old } = who()
  const [nina, omar] = [await till.payer('Nina'), await till.payer('Omar')]
  await enterAndPay()
  await set(sofia, '0.075')
  const young = await till.share(omar)
  expect(await prices(old, nina)).toEqual({ sum: 5.5, card: 5.5, rate: 0.1, mailed: '5.50', invited: 0.1 })
  // 5.00 and 7.5 percent are 5.375: half a cent rounds up.
  const dearer = { sum: 5.38, card: 5.38, rate: 0.075, mailed: '5.38', invited: 0.075 }
  expect(await prices(young, nina)).toEqual(dearer)

  for (const one of [old, young]) await till.enter(nina, one)
  await till.work()
  const before = await till.held('fees')
  // Next come the renewals of Marc's place and of both of Nina's places.
  await till.pass(await toBoundary('-1 hour'))
  for (const [{ sql }, costs] of [
    [marc, ['5.50']],
    [nina, ['5.38', '5.50']],
  ] as const) {
    const wanted = await sql`select distinct plan -> 'next' ->> 'amount' as amount
      from jsonb_array_elements(my_home() -> 'plans') as plan where plan -> 'next' <> 'null' order by 1`
    const announced = await sql`select distinct (params ->> 'amount') as amount
      from user_notifications where event = 'renewal-coming' order by 1`
    for (const amounts of [wanted, announced]) expect(amounts.map(({ amount }) => amount)).toEqual(costs)
  }
  await till.pass('2 hours')
  await till.pass('1 hour')
  const paid =
    await sql`select case m.subscription_id when ${old.id} then 'old' else 'new' end as plan, u.display_name,
      m.number, m.share::text as share, m.fee::text as fee, m.coins + m.card as paid
    from member_payments as m join user_profiles as u on u.user_id = m.member_id order by 1, 2, m.number`
  expect(paid.map((row) => Object.values(row))).toEqual(
    [
      ['new', 'Nina', '0.38', '5.38'],
      ['old', 'Marc', '0.50', '5.50'],
      ['old', 'Nina', '0.50', '5.50'],
    ].flatMap(([plan, name, fee, sum]) => [1, 2].map((number) => [plan, name, number, '5.00', fee, sum])),
  )
  // The first months have been earned by their owners, and their fees by the site.
  await till.pass('1 day')
  const [fees] = await sql<{ closed: number; early: number }>`
    select sum(fee) filter (where status = 'closed')::float8 as closed,
      coalesce(sum(earned_fee) filter (where status <> 'closed'), 0)::float8 as early from member_payments`
  expect(fees?.closed).toBe(1.38)
  expect((await till.held('fees')) - before).toBeCloseTo(1.38 + (fees?.early ?? 0), 2)
  expect(await till.coins(omar)).toBe(5)
})

test('other terms of an old plan are at its fee, monthly and yearly', async () => {
  const { marc } = who()
  const [omar, nina] = [await till.payer('Omar'), await till.payer('Nina')]
  const plan = await sharePlan(db, omar)
  const year = await till.share(omar, 'dropbox-family-annual')
  const instalments = () => nina.sql`select quote_plan(${year.id}) ->> 'instalments' as all`
  const atFirst = await instalments()
  await till.enter(marc, plan)
  await set(sofia, '0')
  await omar.sql`select propose_terms(${plan.id}, 'potluck')`
  await marc.sql`select answer_terms(id, true, true) from term_proposals where answered_at is null`
  await till.pass('32 days')
  await till.work()
  expect(
    await marc.sql`select fee::text as fee, amount::text as amount from member_payments order by number limit 2`,
  ).toEqual([
    { fee: '0.00', amount: '5.00' },
    { fee: '0.50', amount: '5.50' },
  ])
  expect(await instalments()).toEqual(atFirst)
})

test('without a fee a member pays the share, and the site earns nothing', async () => {
  await set(sofia, '0')
  const omar = await till.payer('Omar')
  const before = await till.held('fees')
  await till.enter(who().marc, await till.share(omar))
  await till.work()
  expect(await periods()).toMatchObject([{ status: 'paid' }])
  await till.pass(await toBoundary())
  await till.pass('1 day')
  expect(await sums()).toMatchObject({ paid: 10, fee: 0, back: 0 })
  expect(await till.coins(omar)).toBe(5)
  expect(await till.held('fees')).toBe(before)
})
