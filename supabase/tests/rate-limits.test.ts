// How often a person may do something. A minute passes by ageing what is on record, so nothing here waits.

import { describe, expect, test } from 'vitest'
import { addPeople, addPerson, ownDatabase, type Person, refusalOf } from './people.ts'
import { ask, join, openChat, type SharedPlan, setTheTable, sharePlan } from './plans.ts'

const { db, sql } = await ownDatabase()

const letPass = (person: Person, action: string, seconds: number) =>
  sql`update private.rate_limit_usage
     set used_at = (select array_agg(t - make_interval(secs => ${seconds}::int) order by t) from unnest(used_at) as t)
     where user_id = ${person.id} and action = ${action}`

/** Does it `allowed` times; then it has to wait for as long as it is told to, and may go on a minute after the first. */
async function isAllowed(person: Person, action: string, allowed: number, work: () => Promise<unknown>) {
  const started = Date.now()
  for (let attempt = 0; attempt < allowed; attempt += 1) await work()
  const tooMuch = await refusalOf(work())
  expect(tooMuch.code).toBe('PT429')
  const wait = Number(/^Rate limit exceeded\. Please wait (\d+) seconds\.$/.exec(tooMuch.message)?.[1])
  expect(wait).toBeLessThanOrEqual(60)
  expect(wait).toBeGreaterThanOrEqual(60 - Math.ceil((Date.now() - started) / 1000))
  await letPass(person, action, 50)
  const later = await refusalOf(work())
  const rest = Number(/Please wait (\d+) seconds/.exec(later.message)?.[1])
  expect(rest).toBeGreaterThan(0)
  expect(rest).toBeLessThanOrEqual(wait - 50)
  await letPass(person, action, rest)
  await work()
}

test('a clock that was set back keeps nobody waiting', async () => {
  const olivia = await addPerson(db, 'Olivia')
  const attempt = () => olivia.run("select private.spend_attempt('plan creation')")
  await sql`grant execute on function private.spend_attempt(text) to authenticated`
  for (let times = 0; times < 3; times += 1) await attempt()
  expect((await refusalOf(attempt())).code).toBe('PT429')
  await letPass(olivia, 'plan creation', -365 * 24 * 3600)
  await attempt()
  await sql`revoke execute on function private.spend_attempt(text) from authenticated`
})

const empty = (plan: SharedPlan) =>
  sql`delete from subscription_members where subscription_id = ${plan.id} and not is_owner`
const cancelAll = (person: Person) =>
  sql`update subscription_requests set status = 'cancelled' where user_id = ${person.id} and status = 'pending'`

describe('in a minute a person may', () => {
  test('create three plans', async () => {
    const olivia = await addPerson(db, 'Olivia')
    await isAllowed(olivia, 'plan creation', 3, async () => {
      await sharePlan(db, olivia)
      await sql`delete from shared_subscriptions where owner_id = ${olivia.id}`
    })
  })

  test('ask to join ten times', async () => {
    const { zoe, plan } = await setTheTable(db)
    await isAllowed(zoe, 'join request', 10, async () => {
      await ask(db, zoe, plan)
      await cancelAll(zoe)
    })
  })

  test('send thirty chat messages', async () => {
    const { marc, plan } = await setTheTable(db)
    const conversation = await openChat(db, plan, marc)
    const send = 'insert into messages (conversation_id, sender_id, content) values ($1, $2, $3)'
    await isAllowed(marc, 'chat message', 30, () => marc.run(send, [conversation, marc.id, 'Hi']))
  })

  test.each(['approval', 'rejection'])('decide twenty times: %s', async (action) => {
    const olivia = await addPerson(db, 'Olivia')
    const plan = await sharePlan(db, olivia)
    const guests = await addPeople(db, Array<string>(21).fill('Guest'))
    const requests = await Promise.all(guests.map((guest) => ask(db, guest, plan)))
    const verb = action === 'approval' ? 'approve' : 'reject'
    await isAllowed(olivia, action, 20, async () => {
      await olivia.run(`select ${verb}_subscription_request($1, $2)`, [requests.at(-1) ?? '', plan.id])
      requests.pop()
      await empty(plan)
    })
  })

  test('do fifty things as an owner, slots and removals together', async () => {
    const { olivia, marc, plan } = await setTheTable(db)
    let done = 0
    await isAllowed(olivia, 'owner action', 50, async () => {
      if (done === 0) await olivia.sql`delete from subscription_members where user_id = ${marc.id}`
      else
        await olivia.sql`update shared_subscriptions set owner_max_members = ${4 - (done % 2)} where id = ${plan.id}`
      done += 1
    })
  })

  test('look at requests thirty times', async () => {
    const { olivia, zoe, plan } = await setTheTable(db)
    const request = await ask(db, zoe, plan)
    const look = async () =>
      expect(await olivia.sql`select id from get_pending_requests_with_expiry(${plan.id})`).toEqual([
        { id: request },
      ])
    await isAllowed(olivia, 'view requests', 30, look)
  })
})

describe('an allowance', () => {
  test("is each person's own", async () => {
    const { olivia, plan } = await setTheTable(db)
    const nina = await addPerson(db, 'Nina')
    const other = await sharePlan(db, nina)
    const look = (person: Person, at: SharedPlan) =>
      person.sql`select id from get_pending_requests_with_expiry(${at.id})`
    for (let looked = 0; looked < 30; looked += 1) await look(olivia, plan)
    expect(await refusalOf(look(olivia, plan))).toMatchObject({ code: 'PT429' })
    expect(await look(nina, other)).toEqual([])
  })

  test('of an owner is used up by one for each thing done', async () => {
    const { olivia, marc, plan } = await setTheTable(db)
    const login = `insert into subscription_logins (subscription_id, login_name) values ('${plan.id}', 'a')`
    const actions = [
      `update shared_subscriptions set owner_max_members = 3 where id = '${plan.id}'`,
      `update shared_subscriptions set next_payment = current_date + 40 where id = '${plan.id}'`,
      login,
      `update subscription_logins set login_name = 'b' where subscription_id = '${plan.id}'`,
      `delete from subscription_logins where subscription_id = '${plan.id}'`,
      `delete from subscription_members where user_id = '${marc.id}'`,
      login,
    ]
    for (const action of actions) await olivia.run(action)
    await join(db, marc, plan)
    // The login and the member that go with a plan were not taken away one by one.
    await olivia.sql`delete from shared_subscriptions where id = ${plan.id}`
    expect(
      await sql`select cardinality(used_at) as used from private.rate_limit_usage where user_id = ${olivia.id} and action = 'owner action'`,
    ).toEqual([{ used: actions.length + 1 }])
  })
})
