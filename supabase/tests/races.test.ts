// What happens when people do things at the same moment. On PGlite they take turns; on Postgres they really race.

import { describe, expect, test } from 'vitest'
import { addPeople, addPerson, ownDatabase, type Person } from './people.ts'
import { approve, ask, openChat, setTheTable, sharePlan } from './plans.ts'
import { race, times } from './race.ts'

const { db, sql } = await ownDatabase()

const count = async (sql: string, value: string) =>
  Number((await db.query<{ n: number }>(`select count(*) as n from ${sql}`, [value]))[0]?.n)

/** Done, or a documented refusal; 23503 is what a row gets whose plan went while it was written. */
const CLEAR =
  /^(done|PT404: .+|23503: .+|42501: .+|23514: (Subscription Full|This (request|conversation) has .+))$/

describe('approving', () => {
  test('fifty approvals fired at once at three free places: exactly three succeed', async () => {
    const olivia = await addPerson(db, 'Olivia')
    const plan = await sharePlan(db, olivia, { places: 4 })
    const people = await addPeople(db, Array<string>(50).fill('Guest'))
    const requests = await Promise.all(people.map((person) => ask(db, person, plan)))
    const { done, ...refused } = await race(requests.map((request) => () => approve(db, plan, request)))
    expect(done).toBe(3)
    expect(Object.values(refused).reduce((sum, many) => sum + many, 0)).toBe(47)
    for (const reason of Object.keys(refused))
      expect(reason).toMatch(
        /^(23514: Subscription Full|PT429: Rate limit exceeded\. Please wait \d+ seconds\.)$/,
      )
    expect(
      await sql`select current_members, (select count(*)::int from subscription_members where subscription_id = p.id) as rows,
           (select count(*)::int from subscription_requests where subscription_id = p.id and status = 'approved') as approved
         from shared_subscriptions as p where id = ${plan.id}`,
    ).toEqual([{ current_members: 4, rows: 4, approved: 3 }])
  })

  test('one request approved and rejected ten times at once: one decision holds', async () => {
    const { olivia, zoe, plan } = await setTheTable(db)
    const request = await ask(db, zoe, plan)
    const reject = () => olivia.sql`select reject_subscription_request(${request}, ${plan.id})`
    const outcome = await race([...times(5, () => approve(db, plan, request)), ...times(5, reject)])
    expect(outcome.done).toBe(1)
    const decided = await sql<{
      status: string
    }>`select status from subscription_requests where id = ${request}`
    const seats = await count('subscription_members where user_id = $1', zoe.id)
    expect([decided[0]?.status, seats]).toEqual(
      decided[0]?.status === 'approved' ? ['approved', 1] : ['rejected', 0],
    )
  })

  test('slot reductions racing approvals never leave members above owner_max_members', async () => {
    const olivia = await addPerson(db, 'Olivia')
    const plan = await sharePlan(db, olivia, { places: 4 })
    const people = await addPeople(db, ['Nina', 'Omar', 'Paul'])
    const requests = await Promise.all(people.map((person) => ask(db, person, plan)))
    const shrink = (places: number) => () =>
      olivia.sql`update shared_subscriptions set owner_max_members = ${places} where id = ${plan.id}`
    const outcome = await race([
      ...requests.map((request) => () => approve(db, plan, request)),
      shrink(3),
      shrink(2),
      shrink(4),
    ])
    for (const reason of Object.keys(outcome))
      expect(reason).toMatch(
        /^(done|23514: (Subscription Full|Cannot set less than \d members \(already joined\)\.))$/,
      )
    expect(
      await count(
        `shared_subscriptions as p where id = $1 and current_members <= owner_max_members
         and current_members = (select count(*) from subscription_members where subscription_id = p.id)`,
        plan.id,
      ),
    ).toBe(1)
  })

  test('fewer places and one more member at once: never more members than places', async () => {
    const { olivia, zoe, plan } = await setTheTable(db)
    const request = await ask(db, zoe, plan)
    const outcome = await race([
      () => olivia.sql`update shared_subscriptions set owner_max_members = 2 where id = ${plan.id}`,
      () => approve(db, plan, request),
    ])
    expect(outcome.done).toBe(1)
    expect(
      await count('shared_subscriptions where id = $1 and current_members <= owner_max_members', plan.id),
    ).toBe(1)
  })
})

describe('asking', () => {
  test('fifty join requests at once by one person on one plan: one pending row', async () => {
    const { zoe, plan } = await setTheTable(db)
    const { done, ...refused } = await race(times(50, () => ask(db, zoe, plan)))
    expect(done).toBe(1)
    for (const reason of Object.keys(refused))
      expect(reason).toMatch(
        /^(23505: Request Already Sent|PT429: Rate limit exceeded\. Please wait \d+ seconds\.)$/,
      )
    expect(await count(`subscription_requests where status = 'pending' and user_id = $1`, zoe.id)).toBe(1)
    expect(await count('subscription_requests where user_id = $1', zoe.id)).toBe(1)
  })

  test('an expiry noticed twenty times at once is told once', async () => {
    const { olivia, zoe, plan } = await setTheTable(db)
    const request = await ask(db, zoe, plan)
    await sql`update subscription_requests set requested_at = now() - interval '48 hours' where id = ${request}`
    const look = () => olivia.sql`select * from get_pending_requests_with_expiry(${plan.id})`
    const sweep = () => sql`select private.expire_join_requests()`
    expect(await race([...times(9, look), ...times(10, sweep), () => ask(db, zoe, plan)])).toEqual({
      done: 20,
    })
    expect(await count(`user_notifications where title = 'Request Expired' and user_id = $1`, zoe.id)).toBe(1)
    expect(await count(`subscription_requests where not expired and user_id = $1`, zoe.id)).toBe(1)
  })

  test('cancelling and approving at once: cancelled without a place, or approved with one', async () => {
    const { zoe, plan } = await setTheTable(db)
    const request = await ask(db, zoe, plan)
    const cancel = () => zoe.sql`update subscription_requests set status = 'cancelled' where id = ${request}`
    expect((await race([cancel, () => approve(db, plan, request)])).done).toBe(1)
    const [row] = await sql`select status from subscription_requests where id = ${request}`
    expect(await count('subscription_members where user_id = $1', zoe.id)).toBe(
      row?.status === 'approved' ? 1 : 0,
    )
  })

  test('thirty requests to as many plans at once: ten get through', async () => {
    const zoe = await addPerson(db, 'Zoe')
    const owners = await addPeople(db, Array<string>(30).fill('Olivia'))
    const plans = await Promise.all(owners.map((owner) => sharePlan(db, owner)))
    expect((await race(plans.map((plan) => () => ask(db, zoe, plan)))).done).toBe(10)
  })
})

describe('sharing', () => {
  test('two creations at once of the same provider by one owner: one plan, with its owner in it', async () => {
    const olivia = await addPerson(db, 'Olivia')
    const outcome = await race(times(2, () => sharePlan(db, olivia)))
    expect(outcome).toEqual({
      done: 1,
      '23505: Each user can only share one plan per service provider.': 1,
    })
    expect(await count('subscription_members where user_id = $1 and is_owner', olivia.id)).toBe(1)
  })
})

describe('chatting', () => {
  test('twenty first openings at once give one conversation', async () => {
    const { marc, plan } = await setTheTable(db)
    const opened = await Promise.all(times(20, () => openChat(db, plan, marc)).map((open) => open()))
    expect(new Set(opened).size).toBe(1)
    expect(await count('conversations where subscription_id = $1', plan.id)).toBe(1)
    expect(await count('chat_participants where conversation_id = $1', String(opened[0]))).toBe(2)
  })
})

describe('asking before deciding', () => {
  const open = (person: Person) => count('conversations where member_id = $1 and not archived', person.id)

  test('a question and a block at once leave no chat open', async () => {
    for (const _round of [1, 2, 3]) {
      const { olivia, zoe, plan } = await setTheTable(db)
      await race([
        () => zoe.sql`select ask_question(${plan.id}, 'Is it in 4K?')`,
        () => olivia.sql`select block_person(${zoe.id})`,
      ])
      expect(await open(zoe)).toBe(0)
    }
  })

  test('nor does an owner who writes while the request is withdrawn', async () => {
    for (const _round of [1, 2, 3]) {
      const { zoe, plan } = await setTheTable(db)
      const request = await ask(db, zoe, plan)
      await race([
        () => openChat(db, plan, zoe),
        () => zoe.sql`update subscription_requests set status = 'cancelled' where id = ${request}`,
      ])
      expect(await open(zoe)).toBe(0)
    }
  })

  test('twenty questions at once: one chat, ten of them, and its owner told once', async () => {
    const { zoe, plan } = await setTheTable(db)
    const outcome = await race(times(20, () => zoe.sql`select ask_question(${plan.id}, 'Is it in 4K?')`))
    expect(outcome.done).toBe(10)
    expect(await count('conversations where member_id = $1', zoe.id)).toBe(1)
    expect(
      await count(`user_notifications where user_id = $1 and event = 'question-asked'`, plan.owner.id),
    ).toBe(1)
  })
})

describe('cancelling a plan', () => {
  test('the owner deletes it while people chat, ask, cancel, leave and are approved: no orphan rows', async () => {
    for (const _round of [1, 2, 3]) {
      const { olivia, marc, plan } = await setTheTable(db)
      const conversation = await openChat(db, plan, marc)
      const [nina, omar, paul, rosa] = await addPeople(db, ['Nina', 'Omar', 'Paul', 'Rosa'])
      const requests = await Promise.all([nina, omar].map((person) => ask(db, person, plan)))
      const regretted = await ask(db, paul, plan)
      const send = (person: Person) => () =>
        person.sql`insert into messages (conversation_id, sender_id, content) values (${conversation}, ${person.id}, ${'Still there?'})`
      const outcome = await race([
        ...requests.map((request) => () => approve(db, plan, request)),
        send(marc),
        send(olivia),
        () => paul.sql`update subscription_requests set status = 'cancelled' where id = ${regretted}`,
        () => olivia.sql`delete from shared_subscriptions where id = ${plan.id}`,
        send(marc),
        send(olivia),
        () => ask(db, rosa, plan),
        () => rosa.sql`select ask_question(${plan.id}, 'Is it in 4K?')`,
        () => olivia.sql`select * from get_pending_requests_with_expiry(${plan.id})`,
        () => openChat(db, plan, marc),
        () => marc.sql`delete from subscription_members where user_id = ${marc.id}`,
      ])
      for (const reason of Object.keys(outcome)) expect(reason).toMatch(CLEAR)
      expect(await count('shared_subscriptions where id = $1', plan.id)).toBe(0)
      for (const table of [
        'subscription_members',
        'subscription_requests',
        'subscription_logins',
        'conversations',
      ])
        expect(await count(`${table} where subscription_id = $1`, plan.id)).toBe(0)
      for (const table of ['messages', 'chat_participants'])
        expect(await count(`${table} where conversation_id = $1`, conversation)).toBe(0)
    }
  })
})
