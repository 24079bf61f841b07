// What waits for whom after signing in: each kind once, for nobody else, and gone once it is answered; and what sharing costs
// next, has saved, and might save.
import { beforeEach, describe, expect, test } from 'vitest'
import { invitationsIn } from '../invitations.ts'
import { ownDatabase, type Person } from '../people.ts'
import { approve, ask, join, type SharedPlan, sharePlan } from '../plans.ts'
import { openTill } from '../till.ts'
import { storeEntry } from '../vault-entries.ts'

const { db, sql } = await ownDatabase({ sheltered: true })
const till = await openTill(db)
const { invited, decline } = invitationsIn(db)

interface Home {
  tasks: {
    kind: string
    id: string
    planId: string
    plan: string
    person: string
    amount: number
    dueAt: string
  }[]
  payments: {
    planId: string
    plan: string
    person: string
    settlement: string
    amount: number
    dueAt: string
  }[]
  saved: { joined: number; shared: number }
  suggestion: Record<string, unknown> | null
  steps: Record<string, unknown> | null
}
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
const hours = (until: string | undefined) => (Date.parse(until ?? '') - Date.now()) / 3_600_000
const seatOf = async (person: Person) => (await person.sql<{ id: string }>`select id from my_seats()`)[0]?.id
const paymentOf = async (person: Person) =>
  (await person.sql<{ id: string }>`select id from member_payments order by number desc limit 1`)[0]?.id
const problemOf = async (person: Person) =>
  (await person.sql<{ id: string }>`select id from seat_problems`)[0]?.id
const direct = async ({ olivia, marc }: People) => {
  const plan = await sharePlan(db, olivia)
  await join(db, marc, plan)
  return plan
}
const paid = async ({ olivia, marc }: People, access = true, outcome?: 'failed' | 'needs-action') => {
  const plan = await till.share(olivia)
  await till.enter(marc, plan, { access })
  await till.work(outcome)
  return plan
}
const reported = async (all: People) => {
  const plan = await paid(all)
  await all.marc.sql`select report_problem(${await seatOf(all.marc)}, 'password')`
  return plan
}
const sayPaid = async ({ marc }: People) => marc.sql`select say_paid(${await paymentOf(marc)})`
const leave = async ({ marc }: People) => marc.sql`select leave_seat(${await seatOf(marc)}, true)`

interface Case {
  kind: string
  whose: keyof People
  /** Brings it about. */
  begin: (all: People) => Promise<SharedPlan>
  /** What stands in it, and how many hours are left. */
  says: { person?: string | null; amount?: number; hours?: number }
  answer: (all: People, plan: SharedPlan) => Promise<unknown>
}

const cases: Case[] = [
  {
    kind: 'answer-request',
    whose: 'olivia',
    begin: async ({ olivia, zoe }) => {
      const plan = await sharePlan(db, olivia)
      await ask(db, zoe, plan)
      return plan
    },
    says: { person: 'Zoe', hours: 48 },
    answer: async ({ olivia }, plan) =>
      approve(
        db,
        plan,
        (await olivia.sql<{ id: string }>`select id from subscription_requests`)[0]?.id ?? '',
      ),
  },
  {
    kind: 'give-access',
    whose: 'olivia',
    begin: (all) => paid(all, false),
    says: { person: 'Marc', hours: 48 },
    answer: async ({ olivia, marc }) => olivia.sql`select give_access(${await seatOf(marc)}, 'marc@home')`,
  },
  {
    kind: 'check-access',
    whose: 'marc',
    begin: (all) => paid(all),
    says: { person: 'Olivia', hours: 48 },
    answer: async ({ marc }) => marc.sql`select confirm_access(${await seatOf(marc)})`,
  },
  {
    kind: 'pay',
    whose: 'marc',
    begin: direct,
    says: { person: 'Olivia', amount: 5, hours: 0 },
    answer: sayPaid,
  },
  {
    kind: 'confirm-payment',
    whose: 'olivia',
    begin: async (all) => {
      const plan = await direct(all)
      await sayPaid(all)
      return plan
    },
    says: { person: 'Marc', amount: 5 },
    answer: async ({ olivia, marc }) => olivia.sql`select confirm_payment(${await paymentOf(marc)})`,
  },
  {
    kind: 'pay-again',
    whose: 'marc',
    begin: async (all) => {
      const plan = await direct(all)
      await sayPaid(all)
      await all.olivia.sql`select deny_payment(${await paymentOf(all.marc)}, 'Nothing here')`
      return plan
    },
    says: { person: 'Olivia', amount: 5, hours: 0 },
    answer: sayPaid,
  },
  {
    kind: 'mend-payment',
    whose: 'marc',
    begin: (all) => paid(all, true, 'failed'),
    says: { person: 'Olivia', amount: 5.5, hours: 24 },
    answer: leave,
  },
  {
    kind: 'confirm-card',
    whose: 'marc',
    begin: (all) => paid(all, true, 'needs-action'),
    says: { person: 'Olivia', amount: 5.5, hours: 24 },
    answer: leave,
  },
  {
    kind: 'answer-problem',
    whose: 'olivia',
    begin: reported,
    says: { person: 'Marc', hours: 24 },
    answer: async ({ olivia, marc }) => olivia.sql`select say_fixed(${await problemOf(marc)})`,
  },
  {
    kind: 'check-fix',
    whose: 'marc',
    begin: async (all) => {
      const plan = await reported(all)
      await all.olivia.sql`select say_fixed(${await problemOf(all.marc)})`
      return plan
    },
    says: { person: 'Olivia', hours: 48 },
    answer: async ({ marc }) => marc.sql`select answer_fix(${await problemOf(marc)}, true)`,
  },
  {
    kind: 'change-password',
    whose: 'olivia',
    begin: async (all) => {
      const plan = await paid(all)
      await storeEntry(db, plan)
      await leave(all)
      return plan
    },
    says: { person: null },
    answer: (_all, plan) => storeEntry(db, plan, 'v1.another'),
  },
  {
    kind: 'answer-terms',
    whose: 'marc',
    begin: async (all) => {
      const plan = await paid(all)
      await all.olivia.sql`select propose_terms(${plan.id}, 'direct')`
      return plan
    },
    says: { person: 'Olivia', amount: 5 },
    answer: async ({ marc }) =>
      marc.sql`select answer_terms(id, true) from term_proposals where answered_at is null`,
  },
  {
    kind: 'say-how-to-pay',
    whose: 'olivia',
    begin: direct,
    says: { person: null },
    answer: ({ olivia }) => olivia.insert('payment_wishes', { kind: 'text', note: 'Cash, please' }),
  },
  {
    kind: 'take-place',
    whose: 'zoe',
    begin: async (all) => {
      const plan = await sharePlan(db, all.olivia, { places: 2 })
      await join(db, all.marc, plan)
      await all.zoe.sql`select join_waiting_list(${plan.id})`
      await leave(all)
      return plan
    },
    says: { person: null, hours: 24 },
    answer: ({ zoe }, plan) => ask(db, zoe, plan),
  },
  {
    kind: 'answer-invitation',
    whose: 'zoe',
    begin: async ({ olivia, zoe }) => {
      const plan = await sharePlan(db, olivia)
      await invited(plan, zoe)
      return plan
    },
    says: { person: 'Olivia', hours: 168 },
    // Where it is asked: no mail has to be looked for.
    answer: async ({ zoe }) => {
      const [task] = (await home(zoe)).tasks.filter(({ kind }) => kind === 'answer-invitation')
      await decline(zoe, task?.id ?? '')
    },
  },
]

test.each(cases)('$kind stands with $whose alone, until it is answered', async (one) => {
  const plan = await one.begin(people)
  const ofKind = async (person: Person) => (await home(person)).tasks.filter(({ kind }) => kind === one.kind)
  const holders: string[] = []
  for (const [name, person] of Object.entries(people))
    if ((await ofKind(person)).length > 0) holders.push(name)
  expect(holders).toEqual([one.whose])
  const [task, ...more] = await ofKind(people[one.whose])
  expect(more).toEqual([])
  expect(task).toMatchObject({ person: null, amount: null, ...omitHours(one.says) })
  if (one.kind !== 'say-how-to-pay') expect(task).toMatchObject({ planId: plan.id, plan: 'Netflix Premium' })
  if (one.says.hours === undefined) expect(task?.dueAt).toBeNull()
  else expect(hours(task?.dueAt)).toBeCloseTo(one.says.hours, 0)
  await one.answer(people, plan)
  expect(await ofKind(people[one.whose])).toEqual([])
})

const omitHours = ({ hours: _hours, ...says }: Case['says']) => says

test('the least time left comes first, and what has no end last', async () => {
  const plan = await sharePlan(db, people.olivia)
  await join(db, people.marc, plan)
  await ask(db, people.zoe, plan)
  const late = await ask(db, await till.payer('Nina'), plan)
  await sql`update subscription_requests set requested_at = now() - interval '40 hours' where id = ${late}`
  const { tasks } = await home(people.olivia)
  expect(tasks.map(({ kind, person }) => [kind, person])).toEqual([
    ['answer-request', 'Nina'],
    ['answer-request', 'Zoe'],
    ['say-how-to-pay', null],
  ])
})

describe('the next payment', () => {
  const next = async () => (await home(people.marc)).payments
  test('of a place that is paid is the month after it, and nobody else’s', async () => {
    const plan = await paid(people)
    const [period] = await people.marc.sql<{
      ends: string
    }>`select to_json(ends_at) as ends from member_payments`
    expect(await next()).toEqual([
      {
        ...{ planId: plan.id, plan: 'Netflix Premium', person: 'Olivia', settlement: 'potluck', amount: 5.5 },
        dueAt: period?.ends,
      },
    ])
    expect((await home(people.olivia)).payments).toEqual([])
    await people.marc.sql`select report_problem(${await seatOf(people.marc)}, 'password')`
    expect(await next()).toEqual([])
    await people.marc.sql`select withdraw_problem(${await problemOf(people.marc)})`
    expect(await next()).toHaveLength(1)
    await people.marc.sql`select leave_seat(${await seatOf(people.marc)})`
    expect(await next()).toEqual([])
  })

  test('of one that is paid directly follows the one that is due now', async () => {
    await direct(people)
    expect(await next()).toMatchObject([{ settlement: 'direct', amount: 5 }])
    await till.pass('40 days')
    expect((await home(people.marc)).tasks.filter(({ kind }) => kind === 'pay')).toHaveLength(2)
    expect(await next()).toHaveLength(1)
  })
})

describe('saved this year', () => {
  const saved = async (person: Person) => (await home(person)).saved
  const NOTHING = { joined: 0, shared: 0 }
  /** To the middle of a year, so that a day more or less stays in it. */
  beforeEach(
    () => sql`update private.clock set ahead = date_trunc('year', now()) + interval '18 months' - now()`,
  )

  test('is nothing before anything was paid', async () => {
    await direct(people)
    expect(await saved(people.marc)).toEqual(NOTHING)
    expect(await saved(people.olivia)).toEqual(NOTHING)
  })

  test('is what a paid month would have cost alone, less what was paid; for the owner what has become theirs', async () => {
    await paid(people)
    expect(await saved(people.marc)).toEqual({ joined: 14.49, shared: 0 })
    expect(await saved(people.olivia)).toEqual(NOTHING)
    await till.pass('14 days 1 hour')
    const [earned] = await sql<{
      sum: string
    }>`select sum(earned_share) from member_payments where owner_id = ${people.olivia.id}`
    expect(Number(earned?.sum)).toBeGreaterThan(2)
    expect(await saved(people.olivia)).toEqual({ joined: 0, shared: Number(earned?.sum) })
    expect(await saved(people.zoe)).toEqual(NOTHING)
  })

  test('of a place that is paid directly has no fee in it, and counts once the owner has the money', async () => {
    await direct(people)
    await sayPaid(people)
    expect(await saved(people.marc)).toEqual(NOTHING)
    await people.olivia.sql`select confirm_payment(${await paymentOf(people.marc)})`
    expect(await saved(people.marc)).toEqual({ joined: 14.99, shared: 0 })
    expect(await saved(people.olivia)).toEqual({ joined: 0, shared: 5 })
  })

  test('of a yearly plan is a twelfth', async () => {
    const [yearly] = await sql<{ id: string }>`select plan ->> 'id' as id from private.catalogue() as c,
      jsonb_array_elements(c) as provider, jsonb_array_elements(provider -> 'plans') as plan
      where plan ->> 'cycle' = 'yearly' and (plan ->> 'maxMembers')::integer > 2 order by 1 limit 1`
    const plan = await sharePlan(db, people.olivia, { catalogueId: yearly?.id ?? '', places: 2 })
    await join(db, people.marc, plan)
    await sayPaid(people)
    await people.olivia.sql`select confirm_payment(${await paymentOf(people.marc)})`
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
    const plan = await paid(people)
    await leave(people)
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

describe('the suggestion', () => {
  const suggested = async (person: Person) => (await home(person)).suggestion

  test('to an owner is to share the link of the plan with the most free places', async () => {
    await sharePlan(db, people.olivia, { places: 2 })
    const plan = await sharePlan(db, people.olivia, { catalogueId: 'spotify-premium-family', places: 6 })
    expect(await suggested(people.olivia)).toEqual({
      ...{
        kind: 'free-places',
        planId: plan.id,
        plan: 'Spotify Premium Family',
        isPrivate: false,
        places: 5,
      },
    })
    await people.olivia.sql`select invite_member(${plan.id}, 'nina@potluck.example')`
    expect(await suggested(people.olivia)).toMatchObject({ places: 4 })
  })

  test('to a member is the cheapest plan of a category they know, of another provider, with a place, of somebody they would meet', async () => {
    const streaming = async (owner: Person, catalogueId: string, cost: number) => {
      const plan = await sharePlan(db, owner, { catalogueId, places: 2 })
      await sql`alter table shared_subscriptions disable trigger user`
      await sql`update shared_subscriptions set member_price = ${cost} where id = ${plan.id}`
      await sql`alter table shared_subscriptions enable trigger user`
      return plan
    }
    await direct(people)
    await streaming(people.zoe, 'netflix-premium', 1)
    await streaming(people.zoe, 'spotify-premium-family', 1)
    expect(await suggested(people.marc)).toBeNull()
    const nina = await till.payer('Nina')
    const dear = await streaming(people.zoe, 'disney-plus-premium', 4)
    const cheap = await streaming(nina, 'disney-plus-premium', 3)
    expect(await suggested(people.marc)).toMatchObject({
      ...{ kind: 'cheapest', planId: cheap.id, cost: 3, category: 'streaming', alone: expect.any(Number) },
    })
    expect(await suggested(await till.payer('Ann'))).toBeNull()
    await nina.sql`select block_person(${people.marc.id})`
    expect(await suggested(people.marc)).toMatchObject({ planId: dear.id })
    await ask(db, people.marc, dear)
    expect(await suggested(people.marc)).toBeNull()
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
      ...{ tasks: [], payments: [], saved: { joined: 0, shared: 0 }, suggestion: null, steps: FRESH },
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
