// Staff review of plans: their view, their decisions, and data they have no access to.
// Proves NOTIF 11, ROLE 11 13, CREATE 17, ADMIN 32-35

import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { REASONS } from '../cases.ts'
import {
  type Asker,
  addPerson,
  addStaff,
  DENIED,
  denied,
  notFound,
  ownDatabase,
  type Person,
  refusalOf,
  rule,
} from '../people.ts'
import { ask, found, join, type SharedPlan, setTheTable, sharePlan } from '../plans.ts'
import { storeLogin } from '../vault-entries.ts'

const { db, sql } = await ownDatabase()
let mona: Person
let olivia: Person
let zoe: Person
beforeAll(async () => {
  mona = await addStaff(db, 'Mona', 'moderator')
})
beforeEach(async () => {
  olivia = await addPerson(db, 'Olivia')
  zoe = await addPerson(db, 'Zoe')
})

/** Shares a plan and sets its status. */
async function planThatIs(status: string, owner = olivia, catalogueId = 'netflix-premium') {
  const plan = await sharePlan(db, owner, { catalogueId })
  await sql`update shared_subscriptions set status = ${status} where id = ${plan.id}`
  return plan
}
const review = async (person: Asker, { id }: SharedPlan, decision: string) =>
  (await person.sql`select review_plan(${id}, ${decision}, ${REASONS}) as status`)[0]?.status
const statusOf = async ({ id }: SharedPlan) =>
  (await sql`select status from shared_subscriptions where id = ${id}`)[0]?.status
const list = (person: Asker, args = '') =>
  person.run<{ id: string; status: string }>(`select * from list_plans_for_review(${args})`)
const idsOf = async (args: string) => (await list(mona, args)).map(({ id }) => id)

describe('the list of plans', () => {
  test('tells of every plan what it is, what it costs, whose it is, since when and with how many', async () => {
    const { olivia: owner, marc, plan } = await setTheTable(db)
    await sql`update user_profiles set display_name = 'Liv' where user_id = ${owner.id}`
    await join(db, await addPerson(db, 'Nina'), plan)
    const found = (await list(mona)).find(({ id }) => id === plan.id)
    expect(found).toEqual({
      ...{ id: plan.id, name: 'Premium', provider: 'Netflix', category: 'streaming', status: 'active' },
      ...{ price: '19.99', billing_cycle: 'monthly', owner_id: owner.id, created_by: 'Liv' },
      ...{ created_at: expect.anything(), members_count: 3 },
    })
    await marc.sql`delete from subscription_members where user_id = ${marc.id}`
    expect((await list(mona)).find(({ id }) => id === plan.id)).toMatchObject({ members_count: 2 })
  })

  test('holds all plans, or those that are active, pending or rejected', async () => {
    const active = await planThatIs('active', olivia, 'netflix-premium')
    const pending = await planThatIs('pending', olivia, 'deezer-family')
    const rejected = await planThatIs('rejected', olivia, 'spotify-premium-family')
    expect(await idsOf("'pending'")).toEqual([pending.id])
    expect(await idsOf("'rejected'")).toEqual([rejected.id])
    expect((await idsOf("'active'"))[0]).toBe(active.id)
    expect((await list(mona, "'active'")).every(({ status }) => status === 'active')).toBe(true)
    expect((await idsOf("'all'")).slice(0, 3)).toEqual([rejected.id, pending.id, active.id])
    expect(await idsOf('')).toEqual(await idsOf("'all'"))
    expect(await idsOf("'anything else'")).toEqual([])
    expect(await idsOf('null')).toEqual([])
    await sql`update shared_subscriptions set status = 'active' where status <> 'active'`
  })

  test('comes newest first, page after page without a gap or a repetition', async () => {
    for (const catalogueId of ['netflix-premium', 'deezer-family', 'spotify-premium-family'])
      for (const status of ['active', 'pending', 'rejected'])
        await planThatIs(status, await addPerson(db, 'Nina'), catalogueId)
    // All plans have one of only two times, so that ids have to break ties.
    await sql`update shared_subscriptions set created_at = date_trunc('hour', created_at)`
    await sql`update shared_subscriptions set created_at = created_at - interval '1 hour' where status = 'pending'`
    const everything = await sql<{
      id: string
    }>`select id from shared_subscriptions order by created_at desc, id desc`
    const seen: string[] = []
    let last = { created_at: 'infinity', id: '' }
    for (;;) {
      const page = await mona.sql<
        typeof last
      >`select id, created_at::text from list_plans_for_review('all', ${last.created_at}, ${last.id}, 4)`
      expect(page.length).toBeLessThanOrEqual(4)
      seen.push(...page.map(({ id }) => id))
      last = page.at(-1) ?? last
      if (page.length < 4) break
    }
    expect(everything.length).toBeGreaterThan(9)
    expect(seen).toEqual(everything.map(({ id }) => id))
  })

  test('reads a page from the index, however many plans there are', async () => {
    await sql`set enable_seqscan = off`
    const page = await sql`explain select * from shared_subscriptions where status = 'pending'
      and (created_at, id) < ('infinity', '') order by created_at desc, id desc limit 20`
    await sql`reset enable_seqscan`
    expect(JSON.stringify(page)).toMatch(/^(?!.*Sort).*Index Scan.*shared_subscriptions_newest_idx/)
  })
})

describe('a review', () => {
  test('approval makes a plan that waits visible to all, countable and open to requests', async () => {
    const plan = await planThatIs('pending')
    const found = async () => {
      const [counts] = await zoe.sql`select coalesce(sum(plans), 0)::int as n from count_available_plans()`
      const seen = await zoe.sql`select from shared_subscriptions where id = ${plan.id}`
      return [seen.length, Number(counts?.n)]
    }
    const [, others = 0] = await found()
    expect(await found()).toEqual([0, others])
    expect(await review(mona, plan, 'approve')).toBe('active')
    expect(await found()).toEqual([1, others + 1])
    await join(db, zoe, plan)
  })

  test.each(['pending', 'rejected'])('a plan that is %s is neither found nor joined', async (status) => {
    const plan = await planThatIs(status)
    expect(await zoe.sql`select id from shared_subscriptions where id = ${plan.id}`).toEqual([])
    expect((await found(zoe, 'p_full => true, p_limit => 100')).has(plan.id)).toBe(false)
    const gone = notFound('Subscription not found')
    expect(await refusalOf(ask(db, zoe, plan))).toEqual(gone)
    // Staff can see the plan, but can join it only under the same rules as others.
    expect(await refusalOf(ask(db, mona, plan))).toEqual(gone)
    expect(await refusalOf(olivia.sql`select invite_member(${plan.id}, 'ivy@potluck.example')`)).toEqual(
      rule('This plan takes no new members right now'),
    )
    expect(await olivia.sql`select status from shared_subscriptions where id = ${plan.id}`).toEqual([
      { status },
    ])
  })

  test('does nothing but these three steps', async () => {
    for (const [status, ...decisions] of [
      ['active', 'approve', 'reject', 'restore'],
      ['pending', 'restore'],
      ['rejected', 'approve', 'reject'],
    ] as const) {
      const plan = await planThatIs(status, await addPerson(db, 'Nina'))
      for (const decision of decisions)
        expect(await refusalOf(review(mona, plan, decision))).toEqual(rule(`This plan is already ${status}`))
      expect(await statusOf(plan)).toBe(status)
    }
    const plan = await planThatIs('pending')
    const NO_DECISION = rule('A review approves, rejects or restores')
    for (const decision of ['active', ''])
      expect(await refusalOf(review(mona, plan, decision))).toEqual(NO_DECISION)
    expect(await refusalOf(review(mona, { ...plan, id: 'sub-0' }, 'approve'))).toEqual(
      notFound('Subscription not found'),
    )
    expect(await statusOf(plan)).toBe('pending')
  })

  test('is refused to everybody who is not staff, and to the owner among staff', async () => {
    const plan = await planThatIs('pending')
    for (const decision of ['approve', 'reject', 'restore']) {
      for (const person of [olivia, zoe])
        expect(await refusalOf(review(person, plan, decision))).toEqual(denied('Only staff can review plans'))
    }
    const own = await planThatIs('pending', mona)
    for (const decision of ['approve', 'reject', 'restore'])
      expect(await refusalOf(review(mona, own, decision))).toEqual(
        denied('Someone else reviews your own plan'),
      )
    expect([await statusOf(plan), await statusOf(own)]).toEqual(['pending', 'pending'])
  })

  test('tells the owner, once for each decision, and nobody else', async () => {
    const told = ({ id }: Person) =>
      sql`select type, title, message, subscription_id from user_notifications where user_id = ${id} order by created_at`
    const plan = await planThatIs('pending')
    await review(mona, plan, 'reject')
    await review(mona, plan, 'restore')
    await refusalOf(review(mona, plan, 'approve'))
    const [rejected, approved] = await told(olivia)
    expect(rejected).toEqual({
      ...{ type: 'warning', title: 'Plan Rejected', subscription_id: plan.id },
      message:
        'Netflix Premium was not approved, so no one can find or join it. “Asks for passwords” Section 5 of our terms does not allow that. It holds on the whole site until it is taken back.',
    })
    expect(approved).toEqual({
      ...{ type: 'success', title: 'Plan Approved', subscription_id: plan.id },
      message: 'Everyone can now see Netflix Premium.',
    })
    expect(await told(olivia)).toHaveLength(2)
    expect(await told(mona)).toEqual([])
    expect(await told(zoe)).toEqual([])
  })

  test('opens nothing of the plan to who reviewed it', async () => {
    const plan = await planThatIs('pending')
    await review(mona, plan, 'approve')
    await join(db, zoe, plan)
    await storeLogin(db, { ...plan, owner: olivia })
    for (const attempt of [
      'select from subscription_members where subscription_id = $1',
      'select where open_vault_login($1) is not null',
      'update shared_subscriptions set next_payment = current_date where id = $1 returning id',
      'delete from shared_subscriptions where id = $1 returning id',
    ])
      expect(await mona.run(attempt, [plan.id]), attempt).toEqual([])
    expect(
      await refusalOf(mona.sql`update shared_subscriptions set status = 'rejected' where id = ${plan.id}`),
    ).toMatchObject(DENIED)
  })
})
