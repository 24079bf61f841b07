// The home page after signing in: each kind of task once, for one person only, and gone once it is answered; the most
// urgent on top; and plans with their next costs, and savings.
import { beforeEach, describe, expect, test } from 'vitest'
import { invitationsIn } from '../invitations.ts'
import { ownDatabase, type Person } from '../people.ts'
import { approve, ask, join, type SharedPlan, sayHowPaid, sayingHowPaid, sharePlan } from '../plans.ts'
import { openTill } from '../till.ts'
import { storeEntry } from '../vault-entries.ts'

const { db, sql } = await ownDatabase({ sheltered: true })
const till = await openTill(db)
const { invited, decline } = invitationsIn(db)

type Line = Record<'kind' | 'id' | 'planId' | 'plan' | 'person' | 'dueAt', string>
interface Home {
  tasks: Line[]
  awaited: Line[]
  plans: { id: string; next: object | null }[]
  saved: { joined: number; shared: number }
  steps: Record<string, unknown> | null
}
const WISH = { kind: 'text', note: 'Cash, please' }
type People = Record<'olivia' | 'marc' | 'zoe', Person>

let people: People
beforeEach(async () => {
  await sql`update private.clock set ahead = '0'`
  await sql`delete from shared_subscriptions`
  await till.work()
  const [olivia, marc, zoe] = await Promise.all(['Olivia', 'Marc', 'Zoe'].map((name) => till.payer(name)))
  people = { olivia, marc, zoe } as People
})

const home = async (person: Person) =>
  (await person.sql<{ home: Home }>`select my_home() as home`)[0]?.home as Home
const ofKind = async (person: Person, kind: string) => {
  const { tasks, awaited } = await home(person)
  return (kind.startsWith('await-') ? awaited : tasks).filter((line) => line.kind === kind)
}
const seatOf = async (person: Person) => (await person.sql<{ id: string }>`select id from my_seats()`)[0]?.id
const paymentOf = async (person: Person) =>
  (await person.sql<{ id: string }>`select id from member_payments order by number desc limit 1`)[0]?.id
const problemOf = async (person: Person) =>
  (await person.sql<{ id: string }>`select id from seat_problems`)[0]?.id
type Step = (all: People, plan: SharedPlan) => Promise<unknown>
type Begin = (all: People) => Promise<SharedPlan>
const after =
  (begin: Begin, ...steps: Step[]): Begin =>
  async (all) => {
    const plan = await begin(all)
    for (const step of steps) await step(all, plan)
    return plan
  }
const shared: Begin = ({ olivia }) => sharePlan(db, olivia)
const untold = after(shared, ({ marc }, plan) => join(db, marc, plan))
const direct = after(untold, ({ olivia }) => olivia.insert('payment_wishes', WISH))
const paidWith = (outcome?: 'failed' | 'needs-action', access = true) =>
  after(
    ({ olivia }) => till.share(olivia),
    ({ marc }, plan) => till.enter(marc, plan, { access }),
    () => till.work(outcome),
  )
const paid = paidWith()
const leave: Step = async ({ marc }) => marc.sql`select leave_seat(${await seatOf(marc)}, true)`
const sayPaid: Step = async ({ marc }) => marc.sql`select say_paid(${await paymentOf(marc)})`
const sayFixed: Step = async ({ olivia, marc }) => olivia.sql`select say_fixed(${await problemOf(marc)})`
const reported = after(
  paid,
  async ({ marc }) => marc.sql`select report_problem(${await seatOf(marc)}, 'password')`,
)
const confirm: Step = async ({ olivia, marc }) => olivia.sql`select confirm_payment(${await paymentOf(marc)})`
const asked = after(shared, ({ zoe }, plan) => ask(db, zoe, plan))
const approveAll: Step = ({ olivia }) =>
  sayingHowPaid(
    olivia,
    () => olivia.sql`select approve_subscription_request(id, subscription_id) from subscription_requests`,
  )
const giveAccess: Step = async ({ olivia, marc }) =>
  olivia.sql`select give_access(${await seatOf(marc)}, 'marc@home')`

/** A task's contents and remaining hours; what creates it, and what answers it. */
const cases: [
  kind: string,
  whose: keyof People,
  says: { hours?: number; [field: string]: unknown },
  begin: Begin,
  answer: Step,
][] = [
  ['answer-request', 'olivia', { person: 'Zoe', hours: 48 }, asked, approveAll],
  ['await-answer', 'zoe', { person: 'Olivia', hours: 48 }, asked, approveAll],
  ['give-access', 'olivia', { person: 'Marc', amount: 5, hours: 48 }, paidWith(undefined, false), giveAccess],
  [
    'await-access',
    'marc',
    { person: 'Olivia', amount: 5.5, hours: 48 },
    paidWith(undefined, false),
    giveAccess,
  ],
  [
    'check-access',
    'marc',
    { person: 'Olivia', hours: 48 },
    paid,
    async ({ marc }) => marc.sql`select confirm_access(${await seatOf(marc)})`,
  ],
  ['pay', 'marc', { person: 'Olivia', amount: 5, hours: 0 }, direct, sayPaid],
  ['confirm-payment', 'olivia', { person: 'Marc', amount: 5, hours: 168 }, after(direct, sayPaid), confirm],
  [
    'await-confirmation',
    'marc',
    { person: 'Olivia', amount: 5, hours: 168 },
    after(direct, sayPaid),
    confirm,
  ],
  [
    'pay-again',
    'marc',
    { person: 'Olivia', amount: 5, hours: 168 },
    after(
      direct,
      sayPaid,
      async ({ olivia, marc }) => olivia.sql`select deny_payment(${await paymentOf(marc)}, 'Nothing here')`,
    ),
    async ({ marc }) => marc.sql`select say_paid(${await paymentOf(marc)}, 'By transfer')`,
  ],
  ['mend-payment', 'marc', { person: 'Olivia', amount: 5.5, hours: 24 }, paidWith('failed'), leave],
  ['confirm-card', 'marc', { person: 'Olivia', amount: 5.5, hours: 24 }, paidWith('needs-action'), leave],
  // A renewal's place is kept longer than a first payment's.
  [
    'mend-payment',
    'marc',
    { person: 'Olivia', amount: 5.5, hours: 120 },
    after(paidWith('failed'), () => sql`update member_payments set number = 2, due_at = now()`),
    leave,
  ],
  ['answer-problem', 'olivia', { person: 'Marc', hours: 24 }, reported, sayFixed],
  [
    'check-fix',
    'marc',
    { person: 'Olivia', hours: 48 },
    after(reported, sayFixed),
    async ({ marc }) => marc.sql`select answer_fix(${await problemOf(marc)}, true)`,
  ],
  [
    'change-password',
    'olivia',
    {},
    after(paid, (_all, plan) => storeEntry(db, plan), leave),
    (_all, plan) => storeEntry(db, plan, 'v1.another'),
  ],
  [
    'answer-terms',
    'marc',
    { person: 'Olivia', amount: 5 },
    after(paid, ({ olivia }, plan) => olivia.sql`select propose_terms(${plan.id}, 'direct')`),
    ({ marc }) => marc.sql`select answer_terms(id, true) from term_proposals where answered_at is null`,
  ],
  [
    'say-how-to-pay',
    'olivia',
    { planId: null, plan: null },
    untold,
    ({ olivia }) => olivia.insert('payment_wishes', WISH),
  ],
  [
    'take-place',
    'zoe',
    { person: 'Olivia', hours: 24 },
    after(
      ({ olivia }) => sharePlan(db, olivia, { places: 2 }),
      ({ olivia }) => sayHowPaid(olivia),
      ({ marc }, plan) => join(db, marc, plan),
      ({ zoe }, plan) => zoe.sql`select join_waiting_list(${plan.id})`,
      leave,
    ),
    ({ zoe }, plan) => ask(db, zoe, plan),
  ],
  [
    'answer-invitation',
    'zoe',
    { person: 'Olivia', hours: 168 },
    after(shared, ({ zoe }, plan) => invited(plan, zoe)),
    // The invitation is declined on the home page itself, not through the mailed link.
    async ({ zoe }) => decline(zoe, (await ofKind(zoe, 'answer-invitation'))[0]?.id ?? ''),
  ],
]

test.each(cases)(
  '%s stands with %s alone, until it is answered',
  async (kind, whose, { hours, ...says }, begin, answer) => {
    const plan = await begin(people)
    const holders: string[] = []
    for (const [name, person] of Object.entries(people))
      holders.push(...(await ofKind(person, kind)).map(() => name))
    expect(holders).toEqual([whose])
    const [task] = await ofKind(people[whose], kind)
    expect(task).toMatchObject({
      person: null,
      amount: null,
      planId: plan.id,
      plan: 'Netflix Premium',
      ...says,
    })
    if (hours === undefined) expect(task?.dueAt).toBeNull()
    else expect((Date.parse(task?.dueAt ?? '') - Date.now()) / 3_600_000).toBeCloseTo(hours, 0)
    await answer(people, plan)
    expect(await ofKind(people[whose], kind)).toEqual([])
  },
)

test('what is lost first comes first, and last what costs nothing', async () => {
  const { olivia, marc, zoe } = people
  // Marc's place may end tomorrow, after Ann's request lapses and before Zoe's does.
  await direct(people)
  await sql`update member_payments set due_at = now() - interval '13 days'`
  const theirs = await sharePlan(db, marc, { catalogueId: 'spotify-premium-family' })
  await join(db, olivia, theirs)
  for (const [person, hours] of [
    [zoe, 47],
    [await till.payer('Ann'), 3],
  ] as const) {
    const id = await ask(db, person, theirs)
    await sql`update subscription_requests set requested_at = now() - make_interval(hours => ${48 - hours}) where id = ${id}`
  }
  const { tasks } = await home(marc)
  expect(tasks.map(({ kind, person }) => [kind, person])).toEqual([
    ['answer-request', 'Ann'],
    ['pay', 'Olivia'],
    ['answer-request', 'Zoe'],
    ['check-access', 'Olivia'],
    ['say-how-to-pay', null],
  ])
})

test('plans stand with the people in them, those with a payment to come first', async () => {
  const plan = await paid(people)
  await people.olivia
    .sql`update user_profiles set avatar_url = '/avatars/avatar-1.png' where user_id = auth.uid()`
  const own = await sharePlan(db, people.marc, { places: 3 })
  const line = { id: plan.id, provider: 'Netflix', plan: 'Netflix Premium' }
  const { id: oliviaId } = people.olivia
  const { id: marcId } = people.marc
  expect((await home(people.marc)).plans).toEqual([
    {
      ...{
        ...line,
        isOwner: false,
        places: null,
        next: { settlement: 'potluck', amount: 5.5, currency: 'EUR', dueAt: expect.any(String) },
      },
      people: [{ id: oliviaId, name: 'Olivia', avatarUrl: '/avatars/avatar-1.png' }],
    },
    { ...line, id: own.id, isOwner: true, people: [], places: 2, next: null },
  ])
  expect((await home(people.olivia)).plans).toEqual([
    {
      ...line,
      isOwner: true,
      people: [{ id: marcId, name: 'Marc', avatarUrl: null }],
      places: 3,
      next: null,
    },
  ])
  const later = await sharePlan(db, people.olivia, { catalogueId: 'spotify-premium-family' })
  await join(db, people.marc, later)
  await sql`update member_payments set due_at = now() + interval '1 day' where subscription_id = ${later.id}`
  expect((await home(people.marc)).plans.map(({ id }) => id)).toEqual([later.id, plan.id, own.id])
})

describe('the next payment', () => {
  const next = async () => (await home(people.marc)).plans.flatMap((plan) => plan.next ?? [])
  test('of a place that is paid is the month after it, and nobody else’s', async () => {
    await paid(people)
    const [period] = await people.marc.sql<{
      ends: string
    }>`select to_json(ends_at) as ends from member_payments`
    expect(await next()).toEqual([
      { settlement: 'potluck', amount: 5.5, currency: 'EUR', dueAt: period?.ends },
    ])
    await people.marc.sql`select report_problem(${await seatOf(people.marc)}, 'password')`
    expect(await next()).toEqual([])
    await people.marc.sql`select drop_problem(${await problemOf(people.marc)})`
    expect(await next()).toHaveLength(1)
    await people.marc.sql`select leave_seat(${await seatOf(people.marc)})`
    expect(await next()).toEqual([])
  })

  test('of one that is paid directly follows the one that is due now', async () => {
    await direct(people)
    expect(await next()).toMatchObject([{ settlement: 'direct', amount: 5 }])
    await till.pass('40 days')
    expect(await ofKind(people.marc, 'pay')).toHaveLength(2)
    expect(await next()).toHaveLength(1)
  })
})

describe('saved this year', () => {
  const saved = async (person: Person) => (await home(person)).saved
  const both = async () => [await saved(people.marc), await saved(people.olivia)]
  const NOTHING = { joined: 0, shared: 0 }
  /** Moves the site's clock to the middle of a year, so that tests which move it by days stay in that year. */
  beforeEach(
    () => sql`update private.clock set ahead = date_trunc('year', now()) + interval '18 months' - now()`,
  )

  test('is what a paid month would have cost alone, less what was paid; for the owner what has become theirs', async () => {
    await paid(people)
    expect(await saved(people.marc)).toEqual({ joined: 14.49, shared: 0 })
    expect(await saved(people.olivia)).toEqual(NOTHING)
    await till.pass('14 days 1 hour')
    const [earned] = await people.olivia.sql`select sum(earned_share)::float8 as shared from member_payments`
    expect(earned?.shared).toBeGreaterThan(2)
    expect(await saved(people.olivia)).toEqual({ joined: 0, ...earned })
    expect(await saved(people.zoe)).toEqual(NOTHING)
  })

  test('of a place that is paid directly has no fee in it, and counts once the owner has the money', async () => {
    const plan = await after(direct, sayPaid)(people)
    expect(await both()).toEqual([NOTHING, NOTHING])
    await confirm(people, plan)
    expect(await both()).toEqual([
      { joined: 14.99, shared: 0 },
      { joined: 0, shared: 5 },
    ])
  })

  test('of a yearly plan is a twelfth', async () => {
    const nintendo = () =>
      sharePlan(db, people.olivia, { catalogueId: 'nintendo-switch-online-family', places: 2 })
    const plan = await after(nintendo, ({ marc }, to) => join(db, marc, to), sayPaid, confirm)(people)
    const [worth] = await sql<{
      saved: number
    }>`select (round(p.total_price / 12, 2) - m.amount)::float8 as saved
      from shared_subscriptions as p join member_payments as m on m.subscription_id = p.id where p.id = ${plan.id}`
    expect((await saved(people.marc)).joined).toBeCloseTo(worth?.saved ?? 0, 2)
  })

  test('leaves out time without access on both sides', async () => {
    await reported(people)
    await till.pass('3 days')
    const [month] = await sql<{
      worked: number
      cost: number
    }>`select (1 - returned_share / share)::float8 as worked,
      (amount - returned_share - returned_fee)::float8 as cost from member_payments where member_id = ${people.marc.id}`
    expect(month?.worked).toBeLessThan(0.1)
    const worth = 19.99 * (month?.worked ?? 0) - (month?.cost ?? 0)
    expect((await saved(people.marc)).joined).toBeCloseTo(Math.max(0, worth), 2)
  })

  test('goes by the catalogue once the plan is gone, and by nothing where it is not sold any more; next year begins anew', async () => {
    const plan = await after(paid, () => till.pass('15 days'), leave)(people)
    await people.olivia.sql`delete from shared_subscriptions where id = ${plan.id}`
    expect(await saved(people.marc)).toEqual({ joined: 14.49, shared: 0 })
    const sell = (id: string) =>
      sql`update private.seats set catalogue_plan_id = ${id} where member_id = ${people.marc.id}`
    await sell('no-longer-sold')
    expect(await saved(people.marc)).toEqual(NOTHING)
    await sell('netflix-premium')
    expect(await saved(people.marc)).toEqual({ joined: 14.49, shared: 0 })
    await till.pass('200 days')
    expect(await saved(people.marc)).toEqual(NOTHING)
  })

  test('goes by the price there was, where a plan has become dearer since', async () => {
    await paid(people)
    await sql`update shared_subscriptions set total_price = 24, member_price = 6`
    expect(await saved(people.marc)).toEqual({ joined: 14.5, shared: 0 })
  })
})

describe('the first steps', () => {
  const steps = async (person: Person) => (await home(person)).steps
  const FRESH = {
    ...{ hasAsked: false, hasCard: true, takesCards: true, planId: null, settlement: null },
    ...{ hasWish: false, hasInvited: false },
  }

  test('of who has just come are none, and everything else is empty', async () => {
    expect(await home(people.zoe)).toEqual({
      ...{
        tasks: [],
        awaited: [],
        plans: [],
        saved: { joined: 0, shared: 0 },
        steps: FRESH,
      },
    })
  })

  test('are counted on both ways, and are over with the first place and the first member', async () => {
    const plan = await sharePlan(db, people.olivia)
    expect(await steps(people.olivia)).toEqual({ ...FRESH, planId: plan.id, settlement: 'direct' })
    const request = await ask(db, people.marc, plan)
    expect(await steps(people.marc)).toEqual({ ...FRESH, hasAsked: true })
    expect(await steps(people.olivia)).toMatchObject({ hasInvited: true })
    await approve(db, plan, request)
    expect([await steps(people.olivia), await steps(people.marc)]).toEqual([null, null])
  })
})
