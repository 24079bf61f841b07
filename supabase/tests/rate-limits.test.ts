// How often a person may do something. Tests age the records instead of waiting a minute. That every rate-limited
// request counts, refused or not, is tested in wire/refused-attempts.test.ts.
// Proves ERR 31, LIMIT 17-20
import { describe, expect, test } from 'vitest'
import { addPerson, ownDatabase, type Person, refusalOf } from './people.ts'
import { ask, join, openChat, sayingHowPaid, setTheTable, sharePlan } from './plans.ts'

const { db, sql } = await ownDatabase()

const letPass = (person: Person, action: string, seconds: number) =>
  sql`update private.rate_limit_usage
     set used_at = (select array_agg(t - make_interval(secs => ${seconds}::int) order by t) from unnest(used_at) as t)
     where user_id = ${person.id} and action = ${action}`
const spent = async ({ id }: Person, action: string) =>
  (
    await sql<{ used: number }>`
      select cardinality(used_at) as used from private.rate_limit_usage where user_id = ${id} and action = ${action}`
  )[0]?.used ?? 0
const look = (person: Person, plan: { id: string }) =>
  person.sql`select id from get_pending_requests_with_expiry(${plan.id})`

test('each allowance is so many attempts in so many seconds', async () => {
  expect(
    await sql`select window_seconds as seconds, string_agg(action || ' ' || attempts, ', ' order by action) as allowed
      from private.rate_limits group by 1 order by 1`,
  ).toEqual([
    {
      seconds: 60,
      allowed:
        'approval 20, chat message 30, join request 10, owner action 50, plan alert 20, plan creation 3, rejection 20, token call 120, view requests 30, waiting list 20',
    },
    { seconds: 600, allowed: 'push test 5, webhook 30' },
    {
      seconds: 3600,
      allowed:
        'announcement 5, bank account 5, guest address 20, import reading 10, imported guest 300, invitation 10, new guest 60, new token 30, payment 20, person report 10, plan import 20, provider request 5, push device 10, question 10, saved card 10, support request 5, tax details 10, test mail 10, vault opening 10, vault version 20',
    },
  ])
})

test('whoever has used one up waits for as long as they are told to, and may go on a minute after the first', async () => {
  const { olivia, zoe, plan } = await setTheTable(db)
  const request = await ask(db, zoe, plan)
  const started = Date.now()
  const secondsToWait = async () => {
    const { code, message } = await refusalOf(look(olivia, plan))
    expect(code).toBe('PT429')
    return Number(/^Rate limit exceeded\. Please wait (\d+) seconds\.$/.exec(message)?.[1])
  }
  for (let looked = 0; looked < 30; looked += 1) expect(await look(olivia, plan)).toEqual([{ id: request }])
  const wait = await secondsToWait()
  expect(wait).toBeLessThanOrEqual(60)
  expect(wait).toBeGreaterThanOrEqual(60 - Math.ceil((Date.now() - started) / 1000))
  await letPass(olivia, 'view requests', 50)
  const rest = await secondsToWait()
  expect(rest).toBeGreaterThan(0)
  expect(rest).toBeLessThanOrEqual(wait - 50)
  // Others have their own allowance.
  const nina = await addPerson(db, 'Nina')
  expect(await look(nina, await sharePlan(db, nina))).toEqual([])
  await letPass(olivia, 'view requests', rest)
  expect(await look(olivia, plan)).toEqual([{ id: request }])
})

test('a clock that was set back keeps nobody waiting', async () => {
  const { olivia, plan } = await setTheTable(db)
  for (let looked = 0; looked < 30; looked += 1) await look(olivia, plan)
  expect((await refusalOf(look(olivia, plan))).code).toBe('PT429')
  await letPass(olivia, 'view requests', -365 * 24 * 3600)
  await look(olivia, plan)
})

describe('an allowance is used up by one for each', () => {
  test('plan that is shared, request that is sent, message, approval and rejection', async () => {
    const { olivia, marc, zoe, plan } = await setTheTable(db)
    const nina = await addPerson(db, 'Nina')
    expect([await spent(olivia, 'plan creation'), await spent(marc, 'join request')]).toEqual([1, 1])
    const conversation = await openChat(db, plan, marc)
    const send = 'insert into messages (conversation_id, content) select $1, t from unnest($2::text[]) as t'
    await marc.run(send, [conversation, '{Hi,there}'])
    const [first, second] = [await ask(db, zoe, plan), await ask(db, nina, plan)]
    await sayingHowPaid(olivia, () => olivia.sql`select approve_subscription_request(${first}, ${plan.id})`)
    await olivia.sql`select reject_subscription_request(${second}, ${plan.id})`
    const decided = [await spent(olivia, 'approval'), await spent(olivia, 'rejection')]
    expect([await spent(marc, 'chat message'), ...decided]).toEqual([2, 2, 1])
  })

  test('thing an owner does, and is refused with the last of them', async () => {
    const { olivia, marc, plan } = await setTheTable(db)
    const actions = [
      `update shared_subscriptions set owner_max_members = 3 where id = '${plan.id}'`,
      `update shared_subscriptions set next_payment = current_date + 40 where id = '${plan.id}'`,
      `delete from subscription_members where user_id = '${marc.id}'`,
    ]
    for (const action of actions) await olivia.run(action)
    await join(db, marc, plan)
    // Deleting a plan counts as one owner action; removing its members in the process does not count as well.
    await olivia.sql`delete from shared_subscriptions where id = ${plan.id}`
    expect(await spent(olivia, 'owner action')).toBe(actions.length + 1)
    const other = await sharePlan(db, olivia)
    const guest = await addPerson(db, 'Guest')
    await join(db, guest, other)
    await sql`update private.rate_limit_usage set used_at = array_fill(now(), array[50])
      where user_id = ${olivia.id} and action = 'owner action'`
    expect(
      await refusalOf(olivia.sql`delete from subscription_members where user_id = ${guest.id}`),
    ).toMatchObject({ code: 'PT429' })
  })
})
