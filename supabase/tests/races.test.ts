// What happens when people do things at the same moment. On PGlite they take turns; on Postgres they really race.

import { describe, expect, test } from 'vitest'
import { testDatabase } from '../../server/test/harness.ts'
import { addPeople, addPerson, type Person, statements } from './people.ts'
import { approve, ask, openChat, setTheTable, sharePlan } from './plans.ts'

const db = await testDatabase()
const { sql } = statements(db)

/** Starts all at once; counts the successes and the refusals by code and message. */
async function race(work: readonly (() => Promise<unknown>)[]): Promise<Record<string, number>> {
  const outcomes = await Promise.allSettled(work.map((start) => start()))
  const counts: Record<string, number> = {}
  for (const outcome of outcomes) {
    const key = outcome.status === 'fulfilled' ? 'done' : `${outcome.reason.code}: ${outcome.reason.message}`
    counts[key] = (counts[key] ?? 0) + 1
  }
  return counts
}
const times = (count: number, work: () => Promise<unknown>) => Array.from({ length: count }, () => work)
const count = async (sql: string, value: string) =>
  Number((await db.query<{ n: number }>(`select count(*) as n from ${sql}`, [value]))[0]?.n)

/** Done, or a documented refusal; 23503 is what a row gets whose plan went while it was written. */
const CLEAR =
  /^(done|PT404: .+|23503: .+|42501: .+|23514: (Subscription Full|This (request|conversation) has .+))$/

describe('approving', () => {
  test('fifteen approvals fired at once at three free places: three succeed, the others find it full', async () => {
    const olivia = await addPerson(db, 'Olivia')
    const plan = await sharePlan(db, olivia, { places: 4 })
    const people = await addPeople(db, Array<string>(15).fill('Guest'))
    const requests = await Promise.all(people.map((person) => ask(db, person, plan)))
    expect(await race(requests.map((request) => () => approve(db, plan, request)))).toEqual({
      done: 3,
      '23514: Subscription Full': 12,
    })
    expect(await sql`select current_members from shared_subscriptions where id = ${plan.id}`).toEqual([
      { current_members: 4 },
    ])
    expect(await count('subscription_members where subscription_id = $1', plan.id)).toBe(4)
    expect(
      await count(`subscription_requests where subscription_id = $1 and status = 'approved'`, plan.id),
    ).toBe(3)
  })

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

describe('money and staff', () => {
  test('ten withdrawals of 20 from 50 coins at once: two are taken', async () => {
    const olivia = await addPerson(db, 'Olivia')
    await sql`select private.move_coins(${olivia.id}, 'earned', 50, 'A start')`
    const withdraw = () => olivia.sql`insert into withdrawal_requests (amount) values (20)`
    expect((await race(times(10, withdraw))).done).toBe(2)
  })

  test('a payment recorded ten times at once credits once', async () => {
    const { olivia, marc, plan } = await setTheTable(db)
    const pay = () => sql`select record_member_payment(${plan.id}, ${marc.id}, '2026-11-01')`
    expect((await race(times(10, pay))).done).toBe(1)
    expect(await olivia.sql`select coin_balance from user_wallets`).toEqual([{ coin_balance: '5.00' }])
  })

  test('two admins who complete the same withdrawal ten times at once pay it once', async () => {
    const [olivia, ada, anton] = (await addPeople(db, ['Olivia', 'Ada', 'Anton'])) as [Person, Person, Person]
    for (const { id } of [ada, anton])
      await sql`insert into user_roles (user_id, role) values (${id}, 'admin')`
    await sql`select private.move_coins(${olivia.id}, 'earned', 100, 'A start')`
    await olivia.sql`insert into withdrawal_requests (amount) values (30)`
    const decide = (who: Person, status: string) => () =>
      who.run(`update withdrawal_requests set status = '${status}' where user_id = $1`, [olivia.id])
    await decide(ada, 'processing')()
    const complete = [...times(5, decide(ada, 'completed')), ...times(5, decide(anton, 'completed'))]
    expect(await race(complete)).toEqual({
      done: 1,
      '23514: A completed withdrawal cannot become completed': 9,
    })
    expect(await olivia.sql`select coin_balance, total_withdrawn from user_wallets`).toEqual([
      { coin_balance: '70.00', total_withdrawn: '30.00' },
    ])
    expect(
      await olivia.sql`select amount from coin_transactions where transaction_type = 'withdrawn'`,
    ).toEqual([{ amount: '30.00' }])
  })

  test('a wallet of 50 from which ten adjustments take 20 at once gives twice', async () => {
    const [olivia, ada] = (await addPeople(db, ['Olivia', 'Ada'])) as [Person, Person]
    await sql`insert into user_roles (user_id, role) values (${ada.id}, 'admin')`
    await sql`select private.move_coins(${olivia.id}, 'earned', 50, 'A start')`
    const take = () => ada.sql`select adjust_wallet(${olivia.id}, -20, 'Paid twice')`
    expect(await race(times(10, take))).toEqual({
      done: 2,
      '23514: The balance cannot go below zero': 8,
    })
    expect(await olivia.sql`select coin_balance from user_wallets`).toEqual([{ coin_balance: '10.00' }])
    expect(
      await count(`coin_transactions where transaction_type = 'spent' and user_id = $1`, olivia.id),
    ).toBe(2)
  })

  test('two super-admins who remove each other at once: one stays', async () => {
    const [sofia, selma] = (await addPeople(db, ['Sofia', 'Selma'])) as [Person, Person]
    for (const { id } of [sofia, selma]) {
      await sql`insert into user_roles (user_id, role) values (${id}, 'super-admin')`
    }
    const remove = (who: Person, whom: Person) => () => who.sql`select assign_user_role(${whom.id}, '')`
    await race([remove(sofia, selma), remove(selma, sofia)])
    expect(await count('user_roles where role = $1', 'super-admin')).toBe(1)
  })
})

describe('cancelling a plan', () => {
  test('the owner deletes it while people chat, ask, cancel, leave and are approved: no orphan rows', async () => {
    for (const _round of [1, 2, 3]) {
      const { olivia, marc, plan } = await setTheTable(db)
      const conversation = await openChat(db, plan, marc)
      const [nina, omar, paul, rosa] = (await addPeople(db, ['Nina', 'Omar', 'Paul', 'Rosa'])) as [
        Person,
        Person,
        Person,
        Person,
      ]
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

test('of ten decisions about one plan at the same moment one holds, and its owner hears of that one', async () => {
  const olivia = await addPerson(db, 'Olivia')
  const plan = await sharePlan(db, olivia)
  await sql`update shared_subscriptions set status = 'pending' where id = ${plan.id}`
  const staff = await addPeople(db, Array<string>(10).fill('Mona'))
  for (const { id } of staff) await sql`insert into user_roles (user_id, role) values (${id}, 'moderator')`
  const outcome = await race(
    staff.map(
      (person, place) => () =>
        person.sql`select review_plan(${plan.id}, ${place % 2 === 0 ? 'approve' : 'reject'})`,
    ),
  )
  const [after] = await sql<{ status: string }>`select status from shared_subscriptions where id = ${plan.id}`
  expect(outcome).toEqual({ done: 1, [`23514: This plan is already ${after?.status}`]: 9 })
  expect(['active', 'rejected']).toContain(after?.status)
  expect(await count('user_notifications where user_id = $1', olivia.id)).toBe(1)
})
