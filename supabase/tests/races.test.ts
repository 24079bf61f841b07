// Simultaneous actions of people. On PGlite they take turns; on Postgres they really race.
// Proves NOTIF 11, PLAN 07 11 14, REQ 07 09 11 18, CHAT 07 13, CREATE 12, LIMIT 17 19, VALID 12 13, PAY 20,
// ACCESS 13 14, QUEUE 06
import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { invitationsIn } from './invitations.ts'
import { addPeople, addPerson, ownDatabase, type Person } from './people.ts'
import * as plans from './plans.ts'
import { approve, ask, join, openChat, type SharedPlan, sayHowPaid } from './plans.ts'
import { race, times } from './race.ts'

const { db, sql } = await ownDatabase()
const { accept, decline, invite, invited, withdraw } = invitationsIn(db)

/** Shares a plan whose owner has said how they are paid, so that no approval is refused for missing payment details. */
const sharePlan = async (...plan: Parameters<typeof plans.sharePlan>) => {
  const shared = await plans.sharePlan(...plan)
  await sayHowPaid(shared.owner)
  return shared
}
const setTheTable = async () => {
  const table = await plans.setTheTable(db)
  await sayHowPaid(table.olivia)
  return table
}
const due = () => sql`select private.run_due_work()`
const count = async (sql: string, value: string) =>
  Number((await db.query<{ n: number }>(`select count(*) as n from ${sql}`, [value]))[0]?.n)
/** Checks that each action succeeds, or is refused with a matching message. */
const expectOnly = (outcome: Record<string, number>, refusals: RegExp) =>
  expect(Object.keys(outcome).filter((reason) => reason !== 'done' && !refusals.test(reason))).toEqual([])
/** Checks that the counts of members, kept places and waiting people are correct and within the owner's limit. */
const expectSound = async ({ id }: SharedPlan) => {
  await due()
  const [row] = await sql`select p.owner_max_members - p.current_members - reserved as free,
      p.current_members + reserved <= owner_max_members and kept_places = reserved
        and waiting = (select count(*) from waiting_list where subscription_id = p.id)
        and current_members = (select count(*) from subscription_members where subscription_id = p.id) as sound
    from shared_subscriptions as p, private.reserved_places(p.id) as reserved where p.id = ${id}`
  expect(row?.sound).toBe(true)
  return row?.free
}
/** Checks that nothing is left of a deleted plan. */
const expectGone = async ({ id }: SharedPlan, ...tables: string[]) => {
  for (const table of ['subscription_members', ...tables])
    expect([table, await count(`${table} where subscription_id = $1`, id)]).toEqual([table, 0])
  expect(await count('shared_subscriptions where id = $1', id)).toBe(0)
}
const cancel = (person: Person, request: string) => () =>
  person.sql`update subscription_requests set status = 'cancelled' where id = ${request}`
const reject =
  ({ id, owner }: SharedPlan, request: string) =>
  () =>
    owner.sql`select reject_subscription_request(${request}, ${id})`
const setPlaces =
  ({ id, owner }: SharedPlan, places: number) =>
  () =>
    owner.sql`update shared_subscriptions set owner_max_members = ${places} where id = ${id}`
const close = ({ id, owner }: SharedPlan) => owner.sql`delete from shared_subscriptions where id = ${id}`
const leave = (person: Person) => person.sql`delete from subscription_members where user_id = ${person.id}`
const wait = (person: Person, { id }: SharedPlan) => person.sql`select join_waiting_list(${id})`
const giveUp = (person: Person, { id }: SharedPlan) => person.sql`select leave_waiting_list(${id})`
const question = (person: Person, { id }: SharedPlan) =>
  person.sql`select ask_question(${id}, 'Is it in 4K?')`

describe('approving', () => {
  test('fifty approvals fired at once at three free places: exactly three succeed', async () => {
    const plan = await sharePlan(db, await addPerson(db, 'Olivia'), { places: 4 })
    const people = await addPeople(db, Array<string>(50).fill('Guest'))
    const requests = await Promise.all(people.map((person) => ask(db, person, plan)))
    const outcome = await race(requests.map((request) => () => approve(db, plan, request)))
    expect(outcome.done).toBe(3)
    expectOnly(outcome, /^(23514: Subscription Full|PT429: Rate limit exceeded\. Please wait \d+ seconds\.)$/)
    expect(await expectSound(plan)).toBe(0)
    const approved = `subscription_requests where subscription_id = $1 and status = 'approved'`
    expect(await count(approved, plan.id)).toBe(3)
  })

  test('one request approved and rejected ten times at once, or cancelled: one decision holds', async () => {
    for (const regretted of [false, true]) {
      const { zoe, plan } = await setTheTable()
      const request = await ask(db, zoe, plan)
      const others = regretted ? [cancel(zoe, request)] : times(5, reject(plan, request))
      const outcome = await race([...times(5, () => approve(db, plan, request)), ...others])
      const [row] = await sql`select status from subscription_requests where id = ${request}`
      expect(outcome.done).toBe(1)
      expectOnly(outcome, /^23514: This request has already been/)
      expect(await count('subscription_members where user_id = $1', zoe.id)).toBe(
        row?.status === 'approved' ? 1 : 0,
      )
    }
  })

  test('slot reductions racing approvals never leave more members than places', async () => {
    const plan = await sharePlan(db, await addPerson(db, 'Olivia'), { places: 4 })
    const people = await addPeople(db, ['Nina', 'Omar', 'Paul'])
    const requests = await Promise.all(people.map((person) => ask(db, person, plan)))
    const outcome = await race([
      ...requests.map((request) => () => approve(db, plan, request)),
      ...[3, 2, 4].map((places) => setPlaces(plan, places)),
    ])
    expectOnly(outcome, /^23514: (Subscription Full|Cannot set less than \d members \(already joined\)\.)$/)
    await expectSound(plan)
  })
})

describe('asking', () => {
  test('fifty join requests at once by one person on one plan: one pending row', async () => {
    const { zoe, plan } = await setTheTable()
    const outcome = await race(times(50, () => ask(db, zoe, plan)))
    expect(outcome.done).toBe(1)
    expectOnly(
      outcome,
      /^(23505: Request Already Sent|PT429: Rate limit exceeded\. Please wait \d+ seconds\.)$/,
    )
    expect(await count('subscription_requests where user_id = $1', zoe.id)).toBe(1)
  })

  test('an expiry noticed twenty times at once is told once', async () => {
    const { olivia, zoe, plan } = await setTheTable()
    const request = await ask(db, zoe, plan)
    await sql`update subscription_requests set requested_at = now() - interval '48 hours' where id = ${request}`
    const look = () => olivia.sql`select * from get_pending_requests_with_expiry(${plan.id})`
    const sweep = () => sql`select private.expire_join_requests()`
    const sweepSlowly = () =>
      db.transaction(async (tx) => {
        await tx.query('select from subscription_requests where id = $1 for no key update', [request])
        await tx.query('select pg_sleep(1)')
        await tx.query('select private.expire_join_requests()')
      })
    const meanwhile = [() => ask(db, zoe, plan), ...times(9, look), ...times(9, sweep)]
    const late = meanwhile.map((work) => () => pause(100).then(work))
    expect(await race([sweepSlowly, ...late])).toEqual({ done: 20 })
    expect(await count(`user_notifications where title = 'Request Expired' and user_id = $1`, zoe.id)).toBe(1)
    expect(await count(`subscription_requests where not expired and user_id = $1`, zoe.id)).toBe(1)
  })

  test('a question and a block, or an owner who writes and a request withdrawn, leave no chat open', async () => {
    for (const _round of [1, 2, 3]) {
      const { olivia, zoe, plan } = await setTheTable()
      await race([() => question(zoe, plan), () => olivia.sql`select block_person(${zoe.id})`])
      const table = await setTheTable()
      const request = await ask(db, table.zoe, table.plan)
      await race([() => openChat(db, table.plan, table.zoe), cancel(table.zoe, request)])
      for (const { id } of [zoe, table.zoe])
        expect(await count('conversations where member_id = $1 and not archived', id)).toBe(0)
    }
  })

  test('twenty questions at once: one chat, ten of them, and its owner told once', async () => {
    const { zoe, plan } = await setTheTable()
    expect((await race(times(20, () => question(zoe, plan)))).done).toBe(10)
    expect(await count('conversations where member_id = $1', zoe.id)).toBe(1)
    const asked = `user_notifications where user_id = $1 and event = 'question-asked'`
    expect(await count(asked, plan.owner.id)).toBe(1)
  })
})

test('two creations at once of the same provider by one owner: one plan, with its owner in it', async () => {
  const olivia = await addPerson(db, 'Olivia')
  expect(await race(times(2, () => sharePlan(db, olivia)))).toEqual({
    done: 1,
    '23505: Each user can only share one plan per service provider.': 1,
  })
  expect(await count('subscription_members where user_id = $1 and is_owner', olivia.id)).toBe(1)
})

test('twenty first openings of a chat at once give one conversation', async () => {
  const { marc, plan } = await setTheTable()
  const opened = await Promise.all(times(20, () => openChat(db, plan, marc)).map((open) => open()))
  expect(new Set(opened).size).toBe(1)
  expect(await count('conversations where subscription_id = $1', plan.id)).toBe(1)
  expect(await count('chat_participants where conversation_id = $1', String(opened[0]))).toBe(2)
})

describe('inviting', () => {
  const DOCUMENTED =
    /^(23514: (Subscription Full|The last places are reserved|Cannot set less than|This invitation has)|PT404: )/

  test('and approving at once never promise more places than there are', async () => {
    const plan = await sharePlan(db, await addPerson(db, 'Olivia'), { places: 4 })
    const people = await addPeople(db, Array<string>(6).fill('Guest'))
    const requests = await Promise.all(people.map((person) => ask(db, person, plan)))
    const outcome = await race(
      requests.flatMap((request, number) => [
        () => approve(db, plan, request),
        () => invite(plan, `guest${number}@example.com`),
      ]),
    )
    expectOnly(outcome, DOCUMENTED)
    expect(outcome.done).toBe(3)
    expect(await expectSound(plan)).toBe(0)
  })

  test('one address five times at once invites it once', async () => {
    const { plan } = await setTheTable()
    expect(await race(times(5, () => invite(plan, 'once@example.com')))).toEqual({ done: 5 })
    const open = 'subscription_invitations where subscription_id = $1 and withdrawn_at is null'
    expect(await count(open, plan.id)).toBe(1)
    expect(await count('private.outgoing_mail where recipient = $1', 'once@example.com')).toBe(1)
  })

  test('and closing the slot at once: one of the two', async () => {
    for (const round of [1, 2, 3]) {
      const { plan } = await setTheTable()
      await setPlaces(plan, 3)()
      const outcome = await race([() => invite(plan, `slot${round}@example.com`), setPlaces(plan, 2)])
      expectOnly(outcome, DOCUMENTED)
      expect(outcome.done).toBe(1)
    }
  })

  test('accepted, declined, approved and withdrawn at once: one end, and the mail settled meanwhile', async () => {
    for (const _round of [1, 2, 3]) {
      const { olivia, zoe, plan } = await setTheTable()
      const request = await ask(db, zoe, plan)
      const { id, token } = await invited(plan, zoe)
      await sql`update private.outgoing_mail set attempts = 1 where recipient = ${zoe.email}`
      const outcome = await race([
        ...times(2, () => accept(zoe, token)),
        () => decline(zoe, token),
        () => withdraw(olivia, id),
        () => approve(db, plan, request),
        () =>
          sql`select private.settle_mail(id, 1, null, false) from private.outgoing_mail where recipient = ${zoe.email}`,
      ])
      expectOnly(outcome, /^23514: This (invitation|request) has already been/)
      await expectSound(plan)
      const ends = 'num_nonnulls(accepted_at, declined_at, withdrawn_at) = 1'
      expect(await count(`subscription_invitations where id = $1 and ${ends}`, id)).toBe(1)
    }
  })

  test('and accepting while the plan is cancelled leave nothing behind', async () => {
    for (const round of [1, 2, 3]) {
      const { zoe, plan } = await setTheTable()
      const { token } = await invited(plan, zoe)
      const late = `late${round}@example.com`
      expectOnly(
        await race([() => close(plan), () => accept(zoe, token), () => invite(plan, late)]),
        DOCUMENTED,
      )
      await expectGone(plan, 'subscription_invitations')
      for (const email of [zoe.email, late])
        expect(
          await count(
            "private.outgoing_mail where sent_at is null and event = 'invited' and recipient = $1",
            email,
          ),
        ).toBe(0)
    }
  })
})

test('nobody gets in by the link of a private plan that is being replaced', async () => {
  const [olivia, zoe] = await addPeople(db, ['Olivia', 'Zoe'])
  const plan = await sharePlan(db, olivia)
  await olivia.sql`update shared_subscriptions set is_private = true where id = ${plan.id}`
  for (const _round of [1, 2, 3]) {
    const [old] = await olivia.sql<{ link: string }>`select get_plan_link(${plan.id}) as link`
    const follow = () => zoe.sql`select open_plan_link(${old?.link})`
    await race([follow, () => olivia.sql`select replace_plan_link(${plan.id})`, follow])
    expect(await zoe.sql`select 1 from shared_subscriptions where id = ${plan.id}`).toEqual([])
  }
})

describe('waiting', () => {
  test('an offer taken twice, given up and lapsing has one outcome', async () => {
    for (const round of [0, 2, 4]) {
      const [olivia, marc, anna, ben] = await addPeople(db, ['Olivia', 'Marc', 'Anna', 'Ben'])
      const plan = await sharePlan(db, olivia, { places: 2 })
      await join(db, marc, plan)
      for (const person of [anna, ben]) await wait(person, plan)
      await leave(marc)
      // The offer expires before, during or after the actions.
      await sql`update waiting_list set offered_until = clock_timestamp() + ${`${round * 4} milliseconds`}::interval
        where user_id = ${anna.id}`
      const outcome = await race([
        () => ask(db, anna, plan),
        due,
        () => ask(db, anna, plan),
        () => giveUp(anna, plan),
        due,
      ])
      expectOnly(
        outcome,
        /^(23505: Request Already Sent|23514: The last places are reserved|PT404: You’re not)/,
      )
      await expectSound(plan)
      const asked = await count(`subscription_requests where user_id = $1 and status = 'pending'`, anna.id)
      const [next] =
        await ben.sql`select position, offered_until is not null as offered from my_waiting_lists()`
      // Either Anna has asked in time and the place is kept for her request, or the next person in line is offered the
      // place.
      expect(next).toEqual({ position: 1, offered: asked === 0 })
      expect(await count('waiting_list where user_id = $1', anna.id)).toBe(0)
    }
  })

  test('and saying how one is paid offers a place that becomes free meanwhile once, and waits for nobody', async () => {
    for (let round = 0; round < 5; round++) {
      const plan = await plans.sharePlan(db, await addPerson(db, 'Olivia'), { places: 3 })
      const [marc, nora, first, second] = await addPeople(db, ['Marc', 'Nora', 'Anna', 'Ben'])
      for (const person of [marc, nora]) await join(db, person, plan)
      for (const person of [first, second]) await wait(person, plan)
      const outcome = await race([
        () => sayHowPaid(plan.owner),
        () => leave(marc),
        () => giveUp(second, plan),
        () => wait(second, plan),
        () => sql`select private.offer_places(${plan.id})`,
      ])
      expectOnly(outcome, /^(23505|23514|PT404): /)
      await due()
      expect(await count('waiting_list where user_id = $1 and offered_until > now()', first.id)).toBe(1)
      expect(await count(`user_notifications where title = 'Place Offered' and user_id = $1`, first.id)).toBe(
        1,
      )
      await expectSound(plan)
    }
  })

  test('and leaving, asking, approving, removing, inviting and offering never promise one place twice', async () => {
    for (const round of [1, 2, 3]) {
      const plan = await sharePlan(db, await addPerson(db, 'Olivia'), { places: 3 })
      const [marc, nora, early] = await addPeople(db, ['Marc', 'Nora', 'Early'])
      const others = await addPeople(db, ['Anna', 'Ben', 'Cleo', 'Dora', 'Emil'])
      const request = await ask(db, early, plan)
      for (const person of [marc, nora]) await join(db, person, plan)
      for (const person of others.slice(0, 3)) await wait(person, plan)
      const outcome = await race([
        () => leave(marc),
        () => approve(db, plan, request),
        () => invite(plan, `someone${round}@example.com`),
        ...others.map((person) => () => ask(db, person, plan)),
        () => leave(nora),
        ...others.slice(3).map((person) => () => wait(person, plan)),
        () => giveUp(others[1], plan),
        cancel(early, request),
        due,
        setPlaces(plan, 2),
      ])
      expectOnly(outcome, /^(23514|23505|PT404)/)
      await expectSound(plan)
    }
  })
})

test('a seat that several end at once ends once', async () => {
  const { olivia, marc, plan } = await setTheTable()
  await race([
    () => leave(marc),
    () => olivia.sql`delete from subscription_members where user_id = ${marc.id}`,
    () => close(plan),
    () => marc.sql`select leave_seat(id, true) from my_seats() where ended_at is null`,
  ])
  expect(await sql`select status from private.seats where member_id = ${marc.id}`).toEqual([
    { status: 'ended' },
  ])
  await expectGone(plan)
})

test('the owner cancels while people chat, ask, cancel, leave and are approved: no orphan rows', async () => {
  for (let round = 0; round < 10; round++) {
    const { olivia, marc, plan } = await setTheTable()
    const chat = await openChat(db, plan, marc)
    const [nina, omar, paul, rosa] = await addPeople(db, ['Nina', 'Omar', 'Paul', 'Rosa'])
    const requests = await Promise.all([nina, omar].map((person) => ask(db, person, plan)))
    const regretted = await ask(db, paul, plan)
    const send = (person: Person) => () =>
      person.sql`insert into messages (conversation_id, sender_id, content) values (${chat}, ${person.id}, 'Still there?')`
    const outcome = await race([
      ...requests.map((request) => () => approve(db, plan, request)),
      send(marc),
      send(olivia),
      cancel(paul, regretted),
      () => close(plan),
      send(marc),
      send(olivia),
      () => ask(db, rosa, plan),
      () => question(rosa, plan),
      () => olivia.sql`select * from get_pending_requests_with_expiry(${plan.id})`,
      () => openChat(db, plan, marc),
      () => leave(marc),
    ])
    // 23503 is the error for a row whose plan was deleted while it was written.
    expectOnly(
      outcome,
      /^(PT404: .+|23503: .+|42501: .+|23514: (Subscription Full|This (request|conversation) has .+))$/,
    )
    await expectGone(plan, 'subscription_requests', 'conversations')
    for (const table of ['messages', 'chat_participants'])
      expect(await count(`${table} where conversation_id = $1`, chat)).toBe(0)
  }
})
