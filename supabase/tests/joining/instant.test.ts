// Instant plans: people admitted instantly, people who must wait for the owner's answer, and that no place is given to
// two people.
// Proves QUEUE 03 04
import { beforeEach, describe, expect, test } from 'vitest'
import { moveCoins } from '../coins.ts'
import { invitationsIn } from '../invitations.ts'
import { paidMonths } from '../paid-months.ts'
import { addPerson, denied, ownDatabase, type Person, refusalOf, rule, taken } from '../people.ts'
import { approve, found, type SharedPlan, sharePlan } from '../plans.ts'
import { openTill } from '../till.ts'
import { storeEntry } from '../vault-entries.ts'

const { db, sql } = await ownDatabase({ sheltered: true })
const till = await openTill(db)
const { prove } = paidMonths(db)
const { invite } = invitationsIn(db)

let olivia: Person
let marc: Person
let plan: SharedPlan
const change = (from: string | null, { id, owner } = plan) =>
  owner.sql`update shared_subscriptions set instant_from = ${from} where id = ${id}`
const letIn = async (from: string | null, of = plan) => {
  await storeEntry(db, of)
  return change(from, of)
}
beforeEach(async () => {
  olivia = await till.payer('Olivia')
  marc = await till.payer('Marc')
  plan = await till.share(olivia)
  await letIn('new')
})

/** Asks for a place; returns the request's status immediately afterwards. */
const asks = async (person: Person, { id } = plan, coinsFirst = false) =>
  (
    await person.sql<{
      status: string
    }>`insert into subscription_requests (subscription_id, coins_first, begins_at_once_at)
      values (${id}, ${coinsFirst}, now()) returning status`
  )[0]?.status
/** Returns the information that is shown before a request. */
const reads = async (person: Person, { id } = plan, coinsFirst = false) =>
  (await person.sql`select check_instant(${id}, ${coinsFirst}) as told`)[0]?.told
const seats = (person: Person) => person.sql`select status, settlement from my_seats() where ended_at is null`
const told = async (person: Person) =>
  (await person.sql<{ title: string }>`select title from user_notifications order by created_at, title`).map(
    ({ title }) => title,
  )

describe('somebody who may', () => {
  test('is in as soon as they ask, charged once, and nobody is told of a wish to join', async () => {
    expect(await reads(marc)).toEqual({ level: 'new', refusal: null })
    expect(await asks(marc)).toBe('approved')
    expect(await seats(marc)).toEqual([{ status: 'paying', settlement: 'potluck' }])
    expect(await told(olivia)).toEqual(['New Member'])
    expect(await told(marc)).toEqual(['You Are In'])
    expect(
      await sql`select event from private.outgoing_mail where recipient in (${olivia.email}, ${marc.email})`,
    ).toEqual([{ event: 'contract-made' }])
    expect(await refusalOf(asks(marc))).toEqual(taken('Already a Member'))
    expect(await till.work()).toBe(1)
    expect(await marc.sql`select status, amount from member_payments`).toMatchObject([{ status: 'paid' }])
    expect(await till.books()).toEqual([])
  })

  test('pays from coins that are enough, without a card, and only where they say so', async () => {
    const carla = await addPerson(db, 'Carla')
    await moveCoins(db, carla, 'earned', 5.49)
    expect(await reads(carla, plan, true)).toEqual({ level: 'new', refusal: 'card' })
    await moveCoins(db, carla, 'earned', 0.01)
    expect(await reads(carla)).toEqual({ level: 'new', refusal: 'card' })
    expect(await asks(carla, plan, true)).toBe('approved')
    await till.work('failed')
    expect(await carla.sql`select status from member_payments`).toEqual([{ status: 'paid' }])
    expect(await till.coins(carla)).toBe(0)
  })

  test('takes the place offered from the waiting list, or kept by an invitation, at once', async () => {
    const small = await till.share(await till.payer('Omar'), 'netflix-premium', 2)
    const nina = await till.payer('Nina')
    await letIn('new', small)
    expect(await asks(marc, small)).toBe('approved')
    await till.work()
    await nina.sql`select join_waiting_list(${small.id})`
    await marc.sql`select leave_seat(id, true) from my_seats()`
    expect(await refusalOf(asks(await till.payer('Paul'), small))).toEqual(
      rule('The last places are reserved'),
    )
    expect(await asks(nina, small)).toBe('approved')
    expect(
      await sql`select current_members, kept_places, waiting from shared_subscriptions where id = ${small.id}`,
    ).toEqual([{ current_members: 2, kept_places: 0, waiting: 0 }])

    const ivy = await till.payer('Ivy')
    await sql`update shared_subscriptions set owner_max_members = 2 where id = ${plan.id}`
    await invite(plan, ivy.email)
    expect(await refusalOf(asks(await till.payer('Rosa')))).toEqual(rule('The last places are reserved'))
    expect(await asks(ivy)).toBe('approved')
    expect(await sql`select kept_places from shared_subscriptions where id = ${plan.id}`).toEqual([
      { kept_places: 0 },
    ])
  })
})

describe('somebody who may not', () => {
  test('for want of standing waits for the owner, as on any plan', async () => {
    await letIn('proven')
    expect(await reads(marc)).toEqual({ level: 'new', refusal: 'level' })
    expect(await asks(marc)).toBe('pending')
    expect(await seats(marc)).toEqual([])
    expect(await told(olivia)).toEqual(['New Join Request'])
    const ann = await till.payer('Ann')
    await prove(ann)
    expect(await reads(ann)).toEqual({ level: 'proven', refusal: null })
    expect(await asks(ann)).toBe('approved')
    await letIn('trusted')
    const ben = await till.payer('Ben')
    await prove(ben)
    expect(await reads(ben)).toEqual({ level: 'proven', refusal: 'level' })
    const [request] = await marc.sql<{ id: string }>`select id from subscription_requests`
    await approve(db, plan, request?.id ?? '')
    expect(await seats(marc)).toHaveLength(1)
  })

  test.each([
    ['a card', 'delete from payment_methods where user_id = $1', 'card'],
    [
      'a card that has not expired',
      'update payment_methods set exp_year = 2026, exp_month = 10 where user_id = $1',
      'card',
    ],
    [
      'a card that is charged before an expired one',
      `insert into payment_methods (user_id, provider, reference, brand, last4, exp_month, exp_year)
        values ($1, 'simulated', gen_random_uuid(), 'visa', '0341', 1, 2020)`,
      'card',
    ],
    ['anybody who takes payments', 'delete from private.payment_provider where $1::uuid is not null', 'card'],
    ...['unpaid', 'disputed'].map((end) => [
      `a place that did not end ${end} of late`,
      `insert into private.seats (subscription_id, catalogue_plan_id, provider, plan_name, owner_id, member_id,
        settlement, billing_cycle, share, fee_rate, begins_at_once_at, withdrawable_until, ended_at, end_reason)
        select id, 'netflix-premium', 'Netflix', 'Premium', owner_id, $1, 'potluck', 'monthly', 5, 0.1, private.now(), private.now(), private.now(), '${end}'
        from shared_subscriptions limit 1`,
      'unpaid',
    ]),
  ])('for want of %s neither', async (_what, spoil, refusal) => {
    await db.query(spoil, [marc.id])
    expect(await reads(marc)).toEqual({ level: 'new', refusal })
    expect(await asks(marc)).toBe('pending')
    expect(await seats(marc)).toEqual([])
    await sql`select report_payment_provider('simulated', 'test', null)`
  })

  test('while a payment of theirs is open or has failed; the place is then kept once, and free after a day', async () => {
    const other = await till.share(await till.payer('Omar'))
    await letIn('new', other)
    expect(await asks(marc)).toBe('approved')
    expect(await reads(marc, other)).toEqual({ level: 'new', refusal: 'open-payment' })
    expect(await asks(marc, other)).toBe('pending')
    await marc.sql`update subscription_requests set status = 'cancelled' where subscription_id = ${other.id}`
    await till.work('failed')
    expect(await reads(marc, other)).toEqual({ level: 'new', refusal: 'open-payment' })
    await till.pass('25 hours', 'failed')
    expect(await seats(marc)).toEqual([])
    expect(await reads(marc, other)).toEqual({ level: 'new', refusal: 'unpaid' })
    await sql`update private.clock set ahead = '0'`
    expect(await till.books()).toEqual([])
  })

  test('says so oneself: a request that claims to be approved is refused', async () => {
    await letIn('trusted')
    const claim = (column: string, value: string) =>
      refusalOf(marc.insert('subscription_requests', { subscription_id: plan.id, [column]: value }))
    expect(await claim('status', 'approved')).toEqual(denied("Only the plan's owner can answer requests"))
    expect(await claim('instant', 'true')).toMatchObject({ code: '42501' })
  })
})

describe('the owner', () => {
  test('lets in at once only on a plan that is paid through the site, and from a level there is', async () => {
    const direct = await sharePlan(db, marc)
    expect(await refusalOf(letIn('new', direct))).toMatchObject({ code: '23514' })
    expect(await refusalOf(letIn('known'))).toMatchObject({ code: '23514' })
    expect(
      await marc.sql`update shared_subscriptions set instant_from = null where id = ${plan.id} returning id`,
    ).toEqual([])
  })

  test('first adds how people get in, so never on a plan that is new', async () => {
    const FIRST = rule('First add how people get in, on the plan’s page')
    const nina = await till.payer('Nina')
    expect(
      await refusalOf(nina.sql`insert into shared_subscriptions
        (catalogue_plan_id, owner_max_members, next_payment, settlement, instant_from)
        values ('netflix-premium', 4, current_date + 30, 'potluck', 'trusted')`),
    ).toEqual(FIRST)
    const hers = await till.share(nina)
    expect(await refusalOf(change('trusted', hers))).toEqual(FIRST)
    await letIn('trusted', hers)
    await change('new', hers)
  })

  test('ends it by other terms: who is paid directly answers each request', async () => {
    await olivia.sql`select propose_terms(${plan.id}, 'direct')`
    expect(await sql`select instant_from from shared_subscriptions where id = ${plan.id}`).toEqual([
      { instant_from: null },
    ])
    expect(await reads(marc)).toEqual({ level: 'new', refusal: 'approval' })
    expect(await asks(marc)).toBe('pending')
  })
})

test('such plans are found by themselves', async () => {
  const seen = async (instant: boolean) => [
    ...(await found(marc, `p_instant => ${instant}, p_full => true, p_limit => 100`)).keys(),
  ]
  const other = await till.share(await till.payer('Omar'))
  expect(await seen(true)).toContain(plan.id)
  expect(await seen(true)).not.toContain(other.id)
  expect(await seen(false)).toEqual(expect.arrayContaining([plan.id, other.id]))
})
