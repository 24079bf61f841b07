// The end of a seat meets other things that happen to it: nobody waits in a circle, and the books balance.
import { expect, test } from 'vitest'
import { addPerson, ownDatabase } from '../people.ts'
import { ask } from '../plans.ts'
import { race } from '../race.ts'
import { openTill } from '../till.ts'

const { db, sql } = await ownDatabase({ sheltered: true })
const till = await openTill(db)

test.each([
  ['leaves', 'select leave_seat(id, true) from my_seats() where ended_at is null'],
  ['is taken off the plan by a tab of theirs', 'delete from subscription_members where user_id = auth.uid()'],
])(
  'a charge that ends the seat, due work, other terms and a cancellation meet a member who %s',
  async (_how, leave) => {
    const rounds = db.kind === 'postgres' ? 12 : 2
    for (let round = 0; round < rounds; round++) {
      const olivia = await till.payer('Olivia')
      const plan = await till.share(olivia)
      const members = await Promise.all(['Marc', 'Nina', 'Omar'].map((name) => till.payer(name)))
      // Each has been let go for not paying lately, so that the next refusal ends the seat.
      for (const days of ['0 days', '2 days']) {
        for (const member of members) await till.enter(member, plan)
        if (days === '0 days') {
          await till.work('failed')
          await till.pass('25 hours')
        }
      }
      await sql`select take_payment_jobs('simulated', 100)`
      const open = await sql<{ id: string }>`select id from member_payments
        where subscription_id = ${plan.id} and status = 'charging' order by member_id`
      expect(open).toHaveLength(3)
      for (const { id } of open) await sql`select record_intent(${id}, ${`pi ${id}`})`
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
      // Who was told that the plan is being cancelled has gone with it.
      await till.due()
      await till.work()
      const living =
        await sql`select id from private.seats where subscription_id = ${plan.id} and ended_at is null`
      expect(living).toEqual([])
      expect(await till.books()).toEqual([])
      expect(await till.failures()).toEqual([])
    }
    expect(await till.held('held_share', 'held_fee', 'refunds_due')).toBe(0)
  },
  240_000,
)

test('the first to look at the clock after a gap meet members who leave, an owner who answers and an open offer', async () => {
  const rounds = db.kind === 'postgres' ? 10 : 2
  for (let round = 0; round < rounds; round++) {
    const olivia = await till.payer('Olivia')
    const plan = await till.share(olivia, 'netflix-premium', 3)
    const members = await Promise.all(['Marc', 'Nina'].map((name) => till.payer(name)))
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
    expect(await till.books()).toEqual([])
    expect(await till.failures()).toEqual([])
  }
})
