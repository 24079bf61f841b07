import { describe, expect, test } from 'vitest'
import { invitationsIn } from '../invitations.ts'
import { addPerson, ownDatabase, type Person, refusalOf, rule } from '../people.ts'
import { ask, join, type SharedPlan, setTheTable } from '../plans.ts'

const { db, sql } = await ownDatabase()

const age = (request: string, hours: string) =>
  sql`update subscription_requests set requested_at = now() - ${hours}::interval where id = ${request}`
const told = (person: Person) =>
  sql`select type, title, message, subscription_id from user_notifications where user_id = ${person.id}`
const news = ({ id }: SharedPlan) => ({
  type: 'warning',
  title: 'Request Expired',
  message: 'Your request to join Netflix Premium was not answered within 48 hours. You can ask again.',
  subscription_id: id,
})
const expiredRequest = async () => {
  const table = await setTheTable(db)
  const request = await ask(db, table.zoe, table.plan)
  await age(request, '48 hours')
  return { ...table, request }
}

describe('a request nobody answered in time', () => {
  test('is told to its requester once, and stays pending by name', async () => {
    const { olivia, zoe, plan, request } = await expiredRequest()
    await sql`select private.expire_join_requests()`
    await sql`select private.expire_join_requests()`
    expect(await told(zoe)).toEqual([news(plan)])
    expect(await sql`select status, expired from subscription_requests where id = ${request}`).toEqual([
      { status: 'pending', expired: true },
    ])
    expect((await told(olivia)).map(({ title }) => title)).not.toContain('Request Expired')
  })

  test('is not told a moment early, nor when it was answered', async () => {
    const { olivia, zoe, plan } = await setTheTable(db)
    const open = await ask(db, zoe, plan)
    await age(open, '47 hours 59 minutes')
    const nina = await addPerson(db, 'Nina')
    const rejected = await ask(db, nina, plan)
    await olivia.sql`select reject_subscription_request(${rejected}, ${plan.id})`
    await age(rejected, '49 hours')
    await sql`select private.expire_join_requests()`
    expect(await told(zoe)).toEqual([])
    expect((await told(nina)).map(({ title }) => title)).toEqual(['Request Rejected'])
  })

  test('has the time of a gap in which nothing ran as well, and so has an invitation', async () => {
    const { olivia, zoe, plan } = await setTheTable(db)
    const nina = await addPerson(db, 'Nina')
    const [open, over] = [await ask(db, zoe, plan), await ask(db, nina, plan)]
    await age(open, '4 days')
    await age(over, '6 days')
    await olivia.sql`select invite_member(${plan.id}, 'late@potluck.example')`
    const gap = () => sql`update private.clock set beat_at = now() - interval '3 days'`
    const left = async () =>
      (
        await sql`select round(extract(epoch from expires_at - now()) / 86400)::integer as days
        from subscription_invitations where subscription_id = ${plan.id}`
      )[0]?.days
    const expire = (days: string) =>
      sql`update subscription_invitations set expires_at = now() - ${days}::interval where subscription_id = ${plan.id}`
    await expire('1 day')
    await gap()
    await sql`select private.run_due_work()`
    expect(await left()).toBe(2)
    expect(
      await olivia.sql`select id, expires_in_hours from get_pending_requests_with_expiry(${plan.id})`,
    ).toEqual([{ id: open, expires_in_hours: 24 }])
    expect(await told(nina)).toEqual([news(plan)])
    await expire('4 days')
    await age(open, '4 days')
    await gap()
    // Before anything else has run.
    await olivia.sql`select reject_subscription_request(${open}, ${plan.id})`
    expect(await left()).toBe(-4)
  })

  test.each([
    ['a request is withdrawn', 'request', 'cancelled'],
    ['an invitation is accepted', 'accept_invitation', 'accepted'],
    ['an invitation is declined', 'decline_invitation', 'declined'],
    ['an invitation is taken back', 'withdraw_invitation', 'withdrawn'],
  ])('has it also when %s before anybody has noticed the gap', async (_what, how, status) => {
    const { olivia, zoe, plan } = await setTheTable(db)
    const { invited } = invitationsIn(db)
    const request = how === 'request' ? await ask(db, zoe, plan) : ''
    const invitation = how === 'request' ? null : await invited(plan, zoe)
    const decide = async (daysAgo: string) => {
      await sql`update private.clock set beat_at = now() - interval '3 days'`
      if (!invitation) {
        await age(request, `${daysAgo} days`)
        await zoe.sql`update subscription_requests set status = 'cancelled' where id = ${request}`
        return (await sql`select status from subscription_requests where id = ${request}`)[0]
      }
      await sql`update subscription_invitations set expires_at = now() - ${`${Number(daysAgo) - 2} days`}::interval where id = ${invitation.id}`
      const mine = how === 'withdraw_invitation'
      await (mine ? olivia : zoe).run(`select ${how}($1)`, [mine ? invitation.id : invitation.token])
      return (
        await sql`select private.invitation_status(i) as status from subscription_invitations as i where id = ${invitation.id}`
      )[0]
    }
    await expect(decide('6')).rejects.toThrow(/has expired/)
    expect(await decide('4')).toEqual({ status })
    await sql`update private.clock set beat_at = now()`
  })

  test.each([
    ['the owner looks at the requests', 'olivia', 'get_pending_requests_with_expiry($1)', 'plan'],
    ['the owner looks at earlier requests', 'olivia', 'fetch_archived_requests($1)', 'plan'],
    ['its requester looks at earlier requests', 'zoe', 'fetch_user_archived_requests($1)', 'zoe'],
  ] as const)('is told when %s', async (_when, who, call, about) => {
    const table = await expiredRequest()
    await table[who].run(`select * from ${call}`, [table[about].id])
    expect(await told(table.zoe)).toEqual([news(table.plan)])
  })

  test('is told when its requester asks again, which it does not block', async () => {
    const { zoe, plan, request } = await expiredRequest()
    expect(await ask(db, zoe, plan)).not.toBe(request)
    expect(await told(zoe)).toEqual([news(plan)])
  })

  test('is neither cancelled, approved nor rejected any more', async () => {
    const { olivia, zoe, plan, request } = await expiredRequest()
    const over = rule('This request has expired')
    const decide = (verb: string) =>
      olivia.run(`select ${verb}_subscription_request($1, $2)`, [request, plan.id])
    expect(await refusalOf(decide('approve'))).toEqual(over)
    expect(await refusalOf(decide('reject'))).toEqual(over)
    const cancel = `update subscription_requests set status = 'cancelled' where id = $1`
    expect(await refusalOf(zoe.run(cancel, [request]))).toEqual(over)
  })

  test('stands among the earlier requests of the plan and of its requester, told or not', async () => {
    const { olivia, marc, zoe, plan, request } = await expiredRequest()
    const ofPlan = () => olivia.sql`select id, user_id from fetch_archived_requests(${plan.id})`
    const own = () => zoe.sql`select id from fetch_user_archived_requests(${zoe.id})`
    for (const _time of ['untold', 'told']) {
      expect((await ofPlan()).map(({ user_id }) => user_id).sort()).toEqual([marc.id, zoe.id].sort())
      expect(await own()).toEqual([{ id: request }])
    }
  })
})

describe('an owner is spared', () => {
  test('fifty askings and cancellings in a row: three of each are told', async () => {
    const { olivia, zoe, plan } = await setTheTable(db)
    const cycle = async () => {
      const request = await ask(db, zoe, plan)
      await zoe.sql`update subscription_requests set status = 'cancelled' where id = ${request}`
    }
    let cycles = 0
    for (let again = 0; again < 50; again += 1) {
      const outcome = await cycle().then(
        () => 'done',
        (error: { code?: string }) => error.code,
      )
      expect(outcome).toBe(again < 10 ? 'done' : 'PT429')
      if (outcome === 'done') cycles += 1
    }
    expect(cycles).toBe(10)
    await sql`delete from private.rate_limit_usage where user_id = ${zoe.id}`
    await cycle()
    expect(
      await sql`select title, count(*)::int as times from user_notifications
         where user_id = ${olivia.id} and message like 'Zoe%' group by title order by title`,
    ).toEqual([
      { title: 'New Join Request', times: 3 },
      { title: 'Request Cancelled', times: 3 },
    ])
  })

  test('hears again of who has not asked for an hour', async () => {
    const { olivia, zoe, plan } = await setTheTable(db)
    for (let again = 0; again < 4; again += 1) {
      const request = await ask(db, zoe, plan)
      await zoe.sql`update subscription_requests set status = 'cancelled' where id = ${request}`
      await age(request, '61 minutes')
    }
    expect(
      await olivia.sql`select title from user_notifications where message like 'Zoe would like%'`,
    ).toHaveLength(4)
  })
})

test('who waits for an answer is told that the plan was cancelled', async () => {
  const { olivia, zoe, plan } = await setTheTable(db)
  await ask(db, zoe, plan)
  const nina = await addPerson(db, 'Nina')
  await join(db, nina, plan)
  await olivia.sql`delete from shared_subscriptions where id = ${plan.id}`
  expect(await told(zoe)).toEqual([
    {
      type: 'warning',
      title: 'Subscription Cancelled',
      message: 'Netflix Premium has been cancelled by its owner, and your request with it.',
      subscription_id: null,
    },
  ])
  expect((await told(nina)).filter(({ title }) => title === 'Subscription Cancelled')).toHaveLength(1)
})
