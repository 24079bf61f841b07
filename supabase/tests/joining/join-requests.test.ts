// Asking for a place: the people who may, the owner's decisions, and requests that are not answered in time.
// Proves NOTIF 11, ROLE 10 12 13, PLAN 11, REQ 06-11 15 18-20 24, DATA 07, API 26 27 41-46, ERR 33, LIMIT
// 17, CLOCK 04
import { beforeEach, describe, expect, test } from 'vitest'
import { invitationsIn } from '../invitations.ts'
import {
  type Asker,
  addPeople,
  addPerson,
  DENIED,
  denied,
  notFound,
  ownDatabase,
  type Person,
  refusalOf,
  rule,
  taken,
} from '../people.ts'
import { approve, ask, join, type SharedPlan, sayingHowPaid, setTheTable, sharePlan } from '../plans.ts'

const { db, sql, VISITOR } = await ownDatabase()
const { invited } = invitationsIn(db)

let olivia: Person
let marc: Person
let zoe: Person
let plan: SharedPlan
beforeEach(async () => {
  ;({ olivia, marc, zoe, plan } = await setTheTable(db))
})

const insert = (person: Asker, row: Record<string, string | null>) =>
  person.insert('subscription_requests', { subscription_id: plan.id, ...row })
const statusOf = async (id: string) =>
  (await sql`select status from subscription_requests where id = ${id}`)[0]?.status
const setStatus = (person: Asker, id: string, status: string) =>
  person.sql`update subscription_requests set status = ${status} where id = ${id} returning status`
const decide = (person: Asker, verb: string, id: string, of = plan) =>
  person.run<{ answer: unknown }>(`select ${verb}_subscription_request($1, $2) as answer`, [id, of.id])
const age = (id: string, time: string) =>
  sql`update subscription_requests set requested_at = now() - ${time}::interval where id = ${id}`
const expire = () => sql`select private.expire_join_requests()`
const told = (person: Person) =>
  person.sql`select type, title, message, subscription_id from user_notifications`
const titles = async (person: Person) => (await told(person)).map(({ title }) => title)
const NOT_YOURS = denied("Only the plan's owner can answer requests")
const EXPIRED = rule('This request has expired')

describe('asking for a place', () => {
  test('is pending, in the name of who is signed in, and the owner is told', async () => {
    const sent = { user_id: zoe.id, name: 'The Queen', email: 'queen@example.com', message: ' May I? ' }
    expect(await insert(zoe, { ...sent, status: 'pending' })).toMatchObject({
      ...{ id: expect.any(String), subscription_id: plan.id, user_id: zoe.id, name: 'Zoe', email: zoe.email },
      ...{ message: 'May I?', requested_at: expect.anything(), status: 'pending' },
    })
    expect((await told(olivia)).filter(({ message }) => String(message).startsWith('Zoe'))).toMatchObject([
      { type: 'info', title: 'New Join Request', message: 'Zoe would like to join Netflix Premium.' },
    ])
    await insert(await addPerson(db, 'Nina'), { message: 'x'.repeat(500) })
  })

  test.each<[string, () => Person, object, object]>([
    ['a visitor', () => ({ ...zoe, ...VISITOR }), {}, DENIED],
    ['the owner', () => olivia, {}, rule('Owners cannot request their own plan')],
    ['a member', () => marc, {}, taken('Already a Member')],
    ['who names no plan', () => zoe, { subscription_id: null }, rule('Subscription ID is required')],
    ['who names none there is', () => zoe, { subscription_id: 'sub-0' }, notFound('Subscription not found')],
    [
      'who asks for another',
      () => zoe,
      { user_id: crypto.randomUUID() },
      denied('You can only ask for yourself'),
    ],
    [
      'who writes a letter too many',
      () => zoe,
      { message: 'x'.repeat(501) },
      rule('The message can be at most 500 characters long'),
    ],
    ['who writes a NUL', () => zoe, { message: '\0' }, { code: '22021' }],
  ])('is refused to %s', async (_who, who, row, refusal) => {
    expect(await refusalOf(insert(who(), { ...row }))).toMatchObject(refusal)
  })

  test('is possible again after 48 hours, not before, and at once after an end', async () => {
    const first = await ask(db, zoe, plan)
    await age(first, '47 hours 59 minutes')
    expect(await refusalOf(ask(db, zoe, plan))).toEqual(taken('Request Already Sent'))
    await age(first, '48 hours')
    let last = await ask(db, zoe, plan)
    expect(last).not.toBe(first)
    for (const status of ['rejected', 'cancelled']) {
      await sql`update subscription_requests set status = ${status} where id = ${last}`
      last = await ask(db, zoe, plan)
    }
  })
})

describe('a request', () => {
  test('is cancelled by its requester, and the owner is told', async () => {
    expect(await setStatus(zoe, await ask(db, zoe, plan), 'cancelled')).toEqual([{ status: 'cancelled' }])
    expect(await told(olivia)).toContainEqual({
      ...{ type: 'info', title: 'Request Cancelled', subscription_id: plan.id },
      message: 'Zoe no longer wants to join Netflix Premium.',
    })
  })

  test('is decided by the owner of its plan alone, not by writing its status', async () => {
    const id = await ask(db, zoe, plan)
    for (const status of ['approved', 'rejected'])
      expect(await refusalOf(setStatus(zoe, id, status))).toEqual(NOT_YOURS)
    expect(await setStatus(olivia, id, 'approved')).toEqual([])
    expect(await setStatus(marc, id, 'cancelled')).toEqual([])
    const nina = await addPerson(db, 'Nina')
    const own = await sharePlan(db, nina)
    for (const verb of ['approve', 'reject']) {
      expect(await refusalOf(decide(nina, verb, id))).toEqual(NOT_YOURS)
      expect(await refusalOf(decide(nina, verb, id, own))).toEqual(notFound('Request not found'))
    }
    expect(await statusOf(id)).toBe('pending')
  })

  test.each(['approved', 'rejected', 'cancelled'])('that is %s stays so, whoever tries', async (over) => {
    const id = await ask(db, zoe, plan)
    await sql`update subscription_requests set status = ${over} where id = ${id}`
    const others = ['pending', 'approved', 'rejected', 'cancelled'].filter((state) => state !== over)
    for (const attempt of [
      ...others.map((next) => () => setStatus(zoe, id, next)),
      ...others.map((next) => () => sql`update subscription_requests set status = ${next} where id = ${id}`),
      ...['approve', 'reject'].map((verb) => () => decide(olivia, verb, id)),
    ])
      expect(await refusalOf(attempt())).toEqual(rule(`This request has already been ${over}`))
    expect(await statusOf(id)).toBe(over)
  })

  test('has no other state', async () => {
    const id = await ask(db, zoe, plan)
    const other = sql`update subscription_requests set status = 'expired' where id = ${id}`
    expect(await refusalOf(other)).toMatchObject({ code: '23514' })
  })
})

describe('the owner', () => {
  test('approves, which answers with the new member, who is told', async () => {
    const request = await ask(db, zoe, plan)
    const [row] = await sayingHowPaid(olivia, () => decide(olivia, 'approve', request))
    expect(row?.answer).toMatchObject({
      ...{ id: expect.any(String), user_id: zoe.id, name: 'Zoe', email: zoe.email, is_owner: false },
      ...{ is_admin: false, displayName: 'Zoe', avatarUrl: null },
    })
    expect(await statusOf(request)).toBe('approved')
    expect(await told(zoe)).toMatchObject([
      {
        ...{ type: 'success', title: 'Request Approved' },
        message: 'Your request to join Netflix Premium has been approved.',
      },
    ])
    expect(await sql`select current_members from shared_subscriptions where id = ${plan.id}`).toEqual([
      { current_members: 3 },
    ])
  })

  test('rejects, which adds no member, and the requester is told', async () => {
    const request = await ask(db, zoe, plan)
    await decide(olivia, 'reject', request)
    expect(await statusOf(request)).toBe('rejected')
    expect(await told(zoe)).toMatchObject([
      { title: 'Request Rejected', message: 'Your request to join Netflix Premium has been rejected.' },
    ])
    expect(await sql`select 1 from subscription_members where user_id = ${zoe.id}`).toEqual([])
  })

  test('approves nobody on a full plan, until there is a place', async () => {
    const request = await ask(db, zoe, plan)
    await olivia.sql`update shared_subscriptions set owner_max_members = 2 where id = ${plan.id}`
    const approves = () => sayingHowPaid(olivia, () => decide(olivia, 'approve', request))
    expect(await refusalOf(approves())).toEqual(rule('Subscription Full'))
    await marc.sql`delete from subscription_members where user_id = ${marc.id}`
    expect(await approves()).toHaveLength(1)
  })

  test('and nobody else reads what is open, with the hours left rounded up', async () => {
    const request = await ask(db, zoe, plan, 'May I?')
    await sql`update user_profiles set avatar_url = '/avatars/avatar-3.png' where user_id = ${zoe.id}`
    const pending = (person: Asker) => person.sql`select * from get_pending_requests_with_expiry(${plan.id})`
    expect(await pending(olivia)).toEqual([
      {
        ...{
          id: request,
          user_id: zoe.id,
          name: 'Zoe',
          email: zoe.email,
          avatar_url: '/avatars/avatar-3.png',
        },
        ...{ requested_at: expect.anything(), message: 'May I?', expires_in_hours: 48 },
      },
    ])
    await age(request, '47 hours 30 minutes')
    expect(await pending(olivia)).toMatchObject([{ id: request, expires_in_hours: 1 }])
    await age(request, '48 hours')
    expect(await pending(olivia)).toEqual([])
    expect(await refusalOf(pending(marc))).toEqual(denied("Only the plan's owner can see its requests"))
  })

  test('is not told more than three times an hour that the same person asks, or no longer asks', async () => {
    const cycle = async () => {
      const request = await ask(db, zoe, plan)
      await setStatus(zoe, request, 'cancelled')
    }
    const ofZoe = async () => {
      const all =
        await olivia.sql`select title from user_notifications where message like 'Zoe%' order by title`
      return all.map(({ title }) => title)
    }
    const [asks, cancels] = ['New Join Request', 'Request Cancelled']
    for (const _time of [1, 2, 3, 4]) await cycle()
    expect(await ofZoe()).toEqual([asks, asks, asks, cancels, cancels, cancels])
    await sql`update subscription_requests set requested_at = now() - interval '61 minutes' where user_id = ${zoe.id}`
    await cycle()
    expect(await ofZoe()).toEqual([asks, asks, asks, asks, cancels, cancels, cancels, cancels])
  })
})

describe('before asking', () => {
  test('everybody learns whether they have asked, have a place or own the plan, and nothing of others', async () => {
    const check = async (person: Person, what: string, of = person) =>
      (await person.run(`select check_existing_subscription_${what}($1, $2) as there`, [plan.id, of.id]))[0]
        ?.there
    const both = async () => [await check(zoe, 'request'), await check(zoe, 'membership')]
    expect(await both()).toEqual([false, false])
    const request = await ask(db, zoe, plan)
    expect(await both()).toEqual([true, false])
    await approve(db, plan, request)
    expect(await both()).toEqual([false, true])
    for (const what of ['request', 'membership'])
      expect(await refusalOf(check(zoe, what, marc))).toEqual(denied('You can only do this for yourself'))
    const owns = (person: Asker) => person.sql`select is_subscription_owner(${plan.id}) as owns`
    expect([await owns(olivia), await owns(marc)]).toEqual([[{ owns: true }], [{ owns: false }]])
  })
})

describe('a request nobody answered in time', () => {
  const expiredRequest = async () => {
    const request = await ask(db, zoe, plan)
    await age(request, '48 hours')
    return request
  }
  const news = () => ({
    ...{ type: 'warning', title: 'Request Expired', subscription_id: plan.id },
    message: 'The owner of Netflix Premium didn’t answer within 48 hours. You can ask again.',
  })

  test('is told to its requester once, and stays pending by name', async () => {
    const request = await expiredRequest()
    for (const _time of ['untold', 'told']) await expire()
    expect(await told(zoe)).toEqual([news()])
    expect(await sql`select status, expired from subscription_requests where id = ${request}`).toEqual([
      { status: 'pending', expired: true },
    ])
    expect(await titles(olivia)).not.toContain('Request Expired')
  })

  test('is not told a moment early, nor when it was answered', async () => {
    await age(await ask(db, zoe, plan), '47 hours 59 minutes')
    const nina = await addPerson(db, 'Nina')
    const rejected = await ask(db, nina, plan)
    await decide(olivia, 'reject', rejected)
    await age(rejected, '49 hours')
    await expire()
    expect(await told(zoe)).toEqual([])
    expect(await titles(nina)).toEqual(['Request Rejected'])
  })

  test.each<[string, () => Promise<unknown>]>([
    [
      'the owner looks at the requests',
      () => olivia.sql`select get_pending_requests_with_expiry(${plan.id})`,
    ],
    ['the owner looks at earlier requests', () => olivia.sql`select fetch_archived_requests(${plan.id})`],
    ['its requester looks at theirs', () => zoe.sql`select fetch_user_archived_requests(${zoe.id})`],
    ['its requester asks again', () => ask(db, zoe, plan)],
  ])('is told when %s', async (_when, look) => {
    await expiredRequest()
    await look()
    expect(await told(zoe)).toEqual([news()])
  })

  test('is neither cancelled, approved nor rejected any more', async () => {
    const request = await expiredRequest()
    for (const verb of ['approve', 'reject'])
      expect(await refusalOf(decide(olivia, verb, request))).toEqual(EXPIRED)
    expect(await refusalOf(setStatus(zoe, request, 'cancelled'))).toEqual(EXPIRED)
  })

  test('stands among the earlier requests of the plan and of its requester, told or not', async () => {
    const ofPlan = async (person: Person) =>
      (await person.sql`select user_id from fetch_archived_requests(${plan.id})`)
        .map(({ user_id }) => user_id)
        .sort()
    const own = (person: Person, of = person) =>
      person.sql`select id from fetch_user_archived_requests(${of.id})`
    const request = await ask(db, zoe, plan)
    expect([await ofPlan(olivia), await own(zoe)]).toEqual([[marc.id], []])
    await age(request, '48 hours')
    for (const _time of ['untold', 'told'])
      expect([await ofPlan(olivia), await own(zoe)]).toEqual([[marc.id, zoe.id].sort(), [{ id: request }]])
    expect(await ofPlan(marc)).toEqual([])
    expect(await refusalOf(own(marc, zoe))).toEqual(denied('You can only do this for yourself'))
  })
})

test('nobody is let in or invited whose payments would have nowhere to go, and access may follow', async () => {
  const FIRST = rule('First say how you are paid, in Account Settings')
  const request = await ask(db, zoe, plan)
  const give = () => olivia.sql`select approve_subscription_request(${request}, ${plan.id})`
  const invite = () => olivia.sql`select invite_member(${plan.id}, 'late@potluck.example')`
  expect([await refusalOf(give()), await refusalOf(invite())]).toEqual([FIRST, FIRST])
  expect(await olivia.sql`select status from subscription_requests where id = ${request}`).toEqual([
    { status: 'pending' },
  ])
  await sayingHowPaid(olivia, async () => {
    await give()
    await invite()
  })
  // A place that was given stays; its payment waits once the owner has deleted the payment details.
  expect(await zoe.sql`select status from member_payments`).toEqual([{ status: 'due' }])
})

describe('after a gap in which nothing ran', () => {
  const gap = () => sql`update private.clock set beat_at = now() - interval '3 days'`

  test('a request and an invitation have as much time as before', async () => {
    const nina = await addPerson(db, 'Nina')
    const [open, over] = [await ask(db, zoe, plan), await ask(db, nina, plan)]
    await age(open, '4 days')
    await age(over, '6 days')
    await sayingHowPaid(olivia, () => olivia.sql`select invite_member(${plan.id}, 'late@potluck.example')`)
    const left = async () =>
      (
        await sql`select round(extract(epoch from expires_at - now()) / 86400)::integer as days
        from subscription_invitations where subscription_id = ${plan.id}`
      )[0]?.days
    const lapse = (days: string) =>
      sql`update subscription_invitations set expires_at = now() - ${days}::interval where subscription_id = ${plan.id}`
    await lapse('1 day')
    await gap()
    await sql`select private.run_due_work()`
    expect(await left()).toBe(2)
    expect(
      await olivia.sql`select id, expires_in_hours from get_pending_requests_with_expiry(${plan.id})`,
    ).toEqual([{ id: open, expires_in_hours: 24 }])
    expect(await titles(nina)).toEqual(['Request Expired'])
    await lapse('4 days')
    await age(open, '4 days')
    await gap()
    // The owner decides before any due work has run.
    await decide(olivia, 'reject', open)
    expect(await left()).toBe(-4)
  })

  test.each([
    ['a request is withdrawn', 'cancelled', null],
    ['an invitation is accepted', 'accepted', 'accept_invitation'],
    ['an invitation is declined', 'declined', 'decline_invitation'],
    ['an invitation is taken back', 'withdrawn', 'revoke_invitation'],
  ])('they have it also when %s before anybody has noticed', async (_what, status, call) => {
    const request = call ? '' : await ask(db, zoe, plan)
    const invitation = call ? await invited(plan, zoe) : { id: '', token: '' }
    const answer = async (daysAgo: number) => {
      await gap()
      if (!call) {
        await age(request, `${daysAgo} days`)
        await setStatus(zoe, request, 'cancelled')
        return statusOf(request)
      }
      await sql`update subscription_invitations set expires_at = now() - ${`${daysAgo - 2} days`}::interval
        where id = ${invitation.id}`
      const [who, which] = status === 'withdrawn' ? [olivia, invitation.id] : [zoe, invitation.token]
      await who.run(`select ${call}($1)`, [which])
      const [row] = await sql`select private.invitation_status(i) as status
        from subscription_invitations as i where id = ${invitation.id}`
      return row?.status
    }
    await expect(answer(6)).rejects.toThrow(/has expired/)
    expect(await answer(4)).toBe(status)
    await sql`update private.clock set beat_at = now()`
  })
})

test('who waits for an answer is told that the plan was cancelled', async () => {
  await ask(db, zoe, plan)
  const [nina] = await addPeople(db, ['Nina'])
  await join(db, nina, plan)
  await olivia.sql`delete from shared_subscriptions where id = ${plan.id}`
  expect(await told(zoe)).toEqual([
    {
      ...{ type: 'warning', title: 'Subscription Cancelled', subscription_id: null },
      message: 'The owner cancelled Netflix Premium, and your request with it.',
    },
  ])
  expect((await titles(nina)).filter((title) => title === 'Subscription Cancelled')).toHaveLength(1)
})
