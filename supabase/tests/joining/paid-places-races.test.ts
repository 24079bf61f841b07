// Places paid through the site come and go while other things happen to them: no deadlocks, no place
// given twice, and the books balance.
// Proves QUEUE 03 04
import { expect, test } from 'vitest'
import { addPerson, ownDatabase, type Person } from '../people.ts'
import { approve, ask, type SharedPlan } from '../plans.ts'
import { race } from '../race.ts'
import { openTill } from '../till.ts'

const { db, sql } = await ownDatabase({ sheltered: true })
const till = await openTill(db)
const rounds = db.kind === 'postgres' ? 4 : 2

const payers = (...names: string[]) => Promise.all(names.map((name) => till.payer(name)))
const instantPlan = async (places?: number) => {
  const plan = await till.share(await till.payer('Omar'), 'netflix-premium', places)
  await letIn(plan)
  return plan
}
// The server itself turns on instant joining, because an owner first has to store access data.
const letIn = ({ id }: SharedPlan) =>
  sql`update shared_subscriptions set instant_from = 'new' where id = ${id}`
const asks = (person: Person, { id }: SharedPlan) =>
  person.sql`insert into subscription_requests (subscription_id, begins_at_once_at) values (${id}, now())`
const expectBalance = async () => expect([await till.books(), await till.failures()]).toEqual([[], []])

test.each([
  ['leaves', 'select leave_seat(id, true) from my_seats() where ended_at is null'],
  ['is taken off the plan by a tab of theirs', 'delete from subscription_members where user_id = auth.uid()'],
])(
  'a charge that ends the seat, due work, other terms and a cancellation meet a member who %s',
  async (_how, leave) => {
    const held = () => till.held('held_share', 'held_fee', 'refunds_due')
    const before = await held()
    for (let round = 0; round < rounds; round++) {
      const olivia = await till.payer('Olivia')
      const plan = await till.share(olivia)
      const members = await payers('Marc', 'Nina', 'Omar')
      // Each recently lost a place for not paying, so that the next failure ends the seat.
      for (const days of ['0 days', '2 days']) {
        for (const member of members) await till.enter(member, plan)
        if (days === '0 days') {
          await till.work('failed')
          await till.pass('25 hours')
        }
      }
      await sql`select lease_payment_jobs('simulated', 100)`
      const open = await sql<{ id: string }>`select id from member_payments
        where subscription_id = ${plan.id} and status = 'charging' order by member_id`
      expect(open).toHaveLength(3)
      for (const { id } of open)
        await sql`select record_intents(jsonb_build_object(${id}::text, ${`pi ${id}`}::text))`
      const outcome = await race([
        ...members.map((member) => () => member.run(leave)),
        ...open.map(
          ({ id }, place) =>
            () =>
              till.report(id, place === 0 ? 'succeeded' : 'failed', 5.5),
        ),
        () => olivia.sql`select propose_terms(${plan.id}, 'direct')`,
        till.due,
        ...(round % 2 ? [() => olivia.sql`delete from shared_subscriptions where id = ${plan.id}`] : []),
      ])
      for (const reason of Object.keys(outcome)) expect(reason).toMatch(/^(done|PT404: .+)$/)
      // Members who were notified of the cancellation have left together with the plan.
      await till.due()
      await till.work()
      const living =
        await sql`select id from private.seats where subscription_id = ${plan.id} and ended_at is null`
      expect(living).toEqual([])
      await expectBalance()
    }
    expect(await held()).toBe(before)
  },
  240_000,
)

test('two owners who are in each other’s plans close their accounts, with a member who leaves and due work: whole, or not at all', async () => {
  const held = () => till.held('held_share', 'held_fee', 'refunds_due')
  const before = await held()
  for (let round = 0; round < rounds * 2; round++) {
    const olivia = await till.payer('Olivia')
    const omar = await till.payer('Omar')
    const marc = await till.payer('Marc')
    const [hers, his] = [await till.share(olivia), await till.share(omar)]
    for (const person of [marc, omar]) await till.enter(person, hers)
    for (const person of [marc, olivia]) await till.enter(person, his)
    await till.work()
    await till.pass('8 days')
    const close = (person: Person) => async () => {
      const gone =
        await sql`select from private.user_profiles where user_id = ${person.id} and deleted_at is not null`
      if (gone.length === 0) await person.sql`select delete_own_account(true)`
    }
    const outcome = await race([
      ...[close(olivia), close(omar), till.due],
      () => marc.sql`select leave_seat(id, true) from my_seats()`,
    ])
    for (const reason of Object.keys(outcome)) expect(reason).toMatch(/^(done|PT404: .+)$/)
    // A refused transaction is reported a moment before Postgres releases its locks, so this waits for the locks.
    await sql`select from shared_subscriptions where id in (${hers.id}, ${his.id}) for update`
    for (const person of [olivia, omar]) await close(person)()
    await till.work()
    expect(
      await sql`select from private.seats where ended_at is null and subscription_id in (${hers.id}, ${his.id})`,
    ).toEqual([])
    await expectBalance()
  }
  expect(await held()).toBe(before)
})

test('the first to look at the clock after a gap meet members who leave, an owner who answers and an open offer', async () => {
  for (let round = 0; round < rounds; round++) {
    const olivia = await till.payer('Olivia')
    const plan = await till.share(olivia, 'netflix-premium', 3)
    const members = await payers('Marc', 'Nina')
    for (const member of members) await till.enter(member, plan)
    await till.work()
    const anna = await addPerson(db, 'Anna')
    await anna.sql`select join_waiting_list(${plan.id})`
    await olivia.sql`update shared_subscriptions set owner_max_members = 4 where id = ${plan.id}`
    const asks = round % 2 === 1
    const request = asks ? await ask(db, anna, plan) : ''
    const offered = () =>
      sql`select 1 from waiting_list where subscription_id = ${plan.id} and offered_until > now() + interval '24 hours'`
    await sql`update private.clock set beat_at = now() - interval '5 hours'`
    const outcome = await race([
      ...members.map((member) => () => member.run('select leave_seat(id, true) from my_seats()')),
      ...(asks ? [() => olivia.sql`select reject_subscription_request(${request}, ${plan.id})`] : []),
      till.due,
      till.due,
    ])
    expect(outcome).toEqual({ done: members.length + (asks ? 3 : 2) })
    expect(await offered()).toHaveLength(asks ? 0 : 1)
    await expectBalance()
  }
})

test('fifty people after one instant place: one gets it, and one payment is charged', async () => {
  const small = await instantPlan(2)
  const people = await payers(...Array<string>(50).fill('Guest'))
  expect(await race(people.map((person) => () => asks(person, small)))).toEqual({
    done: 1,
    '23514: Subscription Full': 49,
  })
  expect(await till.work()).toBe(1)
  expect(
    await sql`select current_members, (select count(*)::int from subscription_members where subscription_id = p.id) as members,
      (select count(*)::int from private.seats where subscription_id = p.id) as seats,
      (select count(*)::int from member_payments where subscription_id = p.id and status = 'paid') as paid,
      (select count(*)::int from private.charges as c join member_payments as m on m.id = c.payment_id
        where m.subscription_id = p.id and c.received = m.amount) as charged
    from shared_subscriptions as p where id = ${small.id}`,
  ).toEqual([{ current_members: 2, members: 2, seats: 1, paid: 1, charged: 1 }])
  await expectBalance()
})

test('one person after ten instant places has one of them to pay', async () => {
  const marc = await till.payer('Marc')
  const plans = await Promise.all(Array.from({ length: 10 }, () => instantPlan()))
  expect(await race(plans.map((one) => () => asks(marc, one)))).toEqual({ done: 10 })
  expect(
    await marc.sql`select status, count(*)::int as n from subscription_requests group by status order by status`,
  ).toEqual([
    { status: 'approved', n: 1 },
    { status: 'pending', n: 9 },
  ])
})

test('asking meets an approval, a block, other terms, a smaller plan and its cancellation: never more members than places', async () => {
  for (let round = 0; round < rounds; round++) {
    const owner = await till.payer('Omar')
    const small = await till.share(owner, 'netflix-premium', 3)
    const [waits, late, blocked] = [
      await till.payer('Rita'),
      await till.payer('Lea'),
      await till.payer('Ben'),
    ]
    const others = await payers('Nina', 'Paul', 'Rosa')
    const request = await ask(db, waits, small)
    const late48 = await ask(db, late, small)
    await sql`update subscription_requests set requested_at = now() - interval '48 hours' where id = ${late48}`
    await letIn(small)
    const outcome = await race([
      ...[blocked, ...others].map((person) => () => asks(person, small)),
      () => approve(db, small, request),
      () => owner.sql`select reject_subscription_request(${late48}, ${small.id})`,
      () => owner.sql`select block_person(${blocked.id})`,
      () => owner.sql`update shared_subscriptions set owner_max_members = 2 where id = ${small.id}`,
      () => owner.sql`select propose_terms(${small.id}, 'direct')`,
      till.due,
      ...(round % 2 ? [() => owner.sql`delete from shared_subscriptions where id = ${small.id}`] : []),
    ])
    for (const reason of Object.keys(outcome))
      expect(reason).toMatch(/^(done|PT404: .+|23514: .+|23503: .+)$/)
    expect(
      await sql`select id from shared_subscriptions as p where id = ${small.id} and (current_members > owner_max_members
        or current_members <> (select count(*) from subscription_members where subscription_id = p.id))`,
    ).toEqual([])
    expect(
      await sql`select r.id from subscription_requests as r where r.subscription_id = ${small.id} and r.instant
        and not exists (select from private.seats as s where s.subscription_id = r.subscription_id and s.member_id = r.user_id)`,
    ).toEqual([])
    await till.work()
    await expectBalance()
  }
})
