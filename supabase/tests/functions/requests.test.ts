import { describe, expect, test } from 'vitest'
import {
  type Asker,
  addPeople,
  DENIED,
  denied,
  notFound,
  ownDatabase,
  type Person,
  refusalOf,
  rule,
} from '../people.ts'
import { approve, ask, join, type SharedPlan, setTheTable, sharePlan } from '../plans.ts'

const { db, sql, VISITOR } = await ownDatabase()

const decide = (person: Asker, verb: 'approve' | 'reject', plan: SharedPlan, id: string) =>
  person.run<{ answer: Record<string, unknown> | '' }>(
    `select ${verb}_subscription_request($1, $2) as answer`,
    [id, plan.id],
  )
const status = async (id: string) =>
  (await sql`select status from subscription_requests where id = ${id}`)[0]?.status
const expire = (id: string) =>
  sql`update subscription_requests set requested_at = now() - interval '48 hours' where id = ${id}`
const tableWithRequest = async () => {
  const table = await setTheTable(db)
  return { ...table, request: await ask(db, table.zoe, table.plan, 'May I?') }
}
const _NOT_YOURS = denied("Only the plan's owner decides on a request")

describe('approve_subscription_request', () => {
  test('answers with the new member, who is told', async () => {
    const { olivia, zoe, plan, request } = await tableWithRequest()
    const [row] = await decide(olivia, 'approve', plan, request)
    expect(row?.answer).toMatchObject({
      user_id: zoe.id,
      name: 'Zoe',
      email: zoe.email,
      is_owner: false,
      is_admin: false,
      displayName: 'Zoe',
      avatarUrl: null,
    })
    expect(await status(request)).toBe('approved')
    expect(await zoe.sql`select type, title, message from user_notifications`).toEqual([
      {
        type: 'success',
        title: 'Request Approved',
        message: 'Your request to join Netflix Premium has been approved.',
      },
    ])
    expect(await olivia.sql`select current_members from shared_subscriptions where id = ${plan.id}`).toEqual([
      { current_members: 3 },
    ])
  })

  test('does not let an owner decide on the request for another plan', async () => {
    const { request } = await tableWithRequest()
    const [nina] = await addPeople(db, ['Nina'])
    const own = await sharePlan(db, nina)
    expect(await refusalOf(decide(nina, 'approve', own, request))).toEqual(notFound('Request not found'))
  })

  test('is refused on a full plan, and possible once there is a place', async () => {
    const [olivia, marc, zoe] = await addPeople(db, ['Olivia', 'Marc', 'Zoe'])
    const plan = await sharePlan(db, olivia, { places: 2 })
    const request = await ask(db, zoe, plan)
    await join(db, marc, plan)
    expect(await refusalOf(decide(olivia, 'approve', plan, request))).toEqual(rule('Subscription Full'))
    await marc.sql`delete from subscription_members where user_id = ${marc.id}`
    expect(await decide(olivia, 'approve', plan, request)).toHaveLength(1)
  })

  test('is refused once 48 hours are over', async () => {
    const { olivia, plan, request } = await tableWithRequest()
    await expire(request)
    expect(await refusalOf(decide(olivia, 'approve', plan, request))).toEqual(
      rule('This request has expired'),
    )
  })

  test.each(['approved', 'rejected', 'cancelled'])('is refused when %s', async (over) => {
    const { olivia, plan, request } = await tableWithRequest()
    await sql`update subscription_requests set status = ${over} where id = ${request}`
    for (const verb of ['approve', 'reject'] as const) {
      expect(await refusalOf(decide(olivia, verb, plan, request))).toEqual(
        rule(`This request has already been ${over}`),
      )
    }
  })
})

describe('reject_subscription_request', () => {
  test('adds no member, and the requester is told', async () => {
    const { olivia, zoe, plan, request } = await tableWithRequest()
    await decide(olivia, 'reject', plan, request)
    expect(await status(request)).toBe('rejected')
    expect(await zoe.sql`select title, message from user_notifications`).toEqual([
      { title: 'Request Rejected', message: 'Your request to join Netflix Premium has been rejected.' },
    ])
    expect(await zoe.sql`select 1 from subscription_members where user_id = ${zoe.id}`).toEqual([])
  })
})

describe('get_pending_requests_with_expiry', () => {
  test('gives name, address, message, time and hours left of each request', async () => {
    const { olivia, zoe, plan, request } = await tableWithRequest()
    await sql`update user_profiles set avatar_url = '/avatars/avatar-3.png' where user_id = ${zoe.id}`
    const [row] = await olivia.sql`select * from get_pending_requests_with_expiry(${plan.id})`
    expect(row).toEqual({
      id: request,
      user_id: zoe.id,
      name: 'Zoe',
      email: zoe.email,
      avatar_url: '/avatars/avatar-3.png',
      requested_at: expect.anything(),
      message: 'May I?',
      expires_in_hours: 48,
    })
  })

  const pending = (person: Asker, plan: SharedPlan) =>
    person.sql`select id, expires_in_hours from get_pending_requests_with_expiry(${plan.id})`

  test('lists what is open, with the hours left rounded up', async () => {
    const { olivia, plan, request } = await tableWithRequest()
    expect(await pending(olivia, plan)).toEqual([{ id: request, expires_in_hours: 48 }])
    await sql`update subscription_requests set requested_at = now() - interval '47 hours 30 minutes' where id = ${request}`
    expect(await pending(olivia, plan)).toEqual([{ id: request, expires_in_hours: 1 }])
    await expire(request)
    expect(await pending(olivia, plan)).toEqual([])
  })
})

describe('archived requests', () => {
  test('an owner reads those of the plan, everybody their own, others nothing', async () => {
    const { olivia, marc, zoe, plan, request } = await tableWithRequest()
    const ofPlan = (person: Person) => person.sql`select user_id from fetch_archived_requests(${plan.id})`
    const own = (person: Person, of = person) =>
      person.sql`select id from fetch_user_archived_requests(${of.id})`
    expect(await ofPlan(olivia)).toEqual([{ user_id: marc.id }])
    expect(await own(zoe)).toEqual([])
    await expire(request)
    expect(await ofPlan(olivia)).toHaveLength(2)
    expect(await own(zoe)).toEqual([{ id: request }])
    expect(await ofPlan(marc)).toEqual([])
    expect(await refusalOf(own(marc, zoe))).toEqual(denied('You can only do this for yourself'))
  })
})

describe('checks before asking', () => {
  test('say whether the caller has asked or has a place, and speak of nobody else', async () => {
    const { marc, zoe, plan } = await setTheTable(db)
    const check = async (person: Person, what: string, of = person) =>
      (await person.run(`select check_existing_subscription_${what}($1, $2) as there`, [plan.id, of.id]))[0]
        ?.there
    expect(await check(zoe, 'request')).toBe(false)
    const request = await ask(db, zoe, plan)
    expect(await check(zoe, 'request')).toBe(true)
    await approve(db, plan, request)
    expect(await check(zoe, 'request')).toBe(false)
    expect(await check(zoe, 'membership')).toBe(true)
    expect(await refusalOf(check(zoe, 'membership', marc))).toMatchObject(DENIED)
    expect(await refusalOf(check(zoe, 'request', marc))).toMatchObject(DENIED)
  })

  test('say whether the caller owns the plan', async () => {
    const { olivia, marc, plan } = await setTheTable(db)
    const owns = (person: Asker) => person.sql`select is_subscription_owner(${plan.id}) as owns`
    expect(await owns(olivia)).toEqual([{ owns: true }])
    expect(await owns(marc)).toEqual([{ owns: false }])
    expect(await refusalOf(owns(VISITOR))).toMatchObject(DENIED)
  })
})
