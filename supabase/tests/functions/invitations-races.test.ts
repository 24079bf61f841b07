// Invitations and everything else about places, at the same moment. On PGlite they take turns; on Postgres they race.

import { expect, test } from 'vitest'
import { invitationsIn } from '../invitations.ts'
import { addPeople, addPerson, ownDatabase } from '../people.ts'
import { approve, ask, type SharedPlan, setTheTable, sharePlan } from '../plans.ts'
import { race } from '../race.ts'

const { db, sql } = await ownDatabase()
const { accept, decline, invite, invited, withdraw } = invitationsIn(db)

const DOCUMENTED =
  /^(done|23514: (Subscription Full|Every open place is kept|Cannot set less than|This invitation has)|PT404: )/
const expectDocumented = (outcome: Record<string, number>) => {
  for (const reason of Object.keys(outcome)) expect(reason).toMatch(DOCUMENTED)
}
/** Members and kept places beside what the owner opened. */
const placesOf = async (plan: SharedPlan) => {
  const [row] = await sql<{
    taken: number
    open: number
    counted: number
  }>`select current_members + private.reserved_places(id) as taken, owner_max_members as open,
       (select count(*) from subscription_members as m where m.subscription_id = p.id)
         - current_members as counted from shared_subscriptions as p where id = ${plan.id}`
  return row
}

test('invitations and approvals at once never promise more places than there are', async () => {
  const olivia = await addPerson(db, 'Olivia')
  const plan = await sharePlan(db, olivia, { places: 4 })
  const people = await addPeople(db, Array<string>(6).fill('Guest'))
  const requests = await Promise.all(people.map((person) => ask(db, person, plan)))
  const outcome = await race(
    requests.flatMap((request, number) => [
      () => approve(db, plan, request),
      () => invite(plan, `guest${number}@example.com`),
    ]),
  )
  expectDocumented(outcome)
  expect(outcome.done).toBe(3)
  expect(await placesOf(plan)).toEqual({ taken: 4, open: 4, counted: 0 })
})

test('one address invited five times at once is invited once', async () => {
  const { plan } = await setTheTable(db)
  const outcome = await race(Array(5).fill(() => invite(plan, 'once@example.com')))
  expect(outcome).toEqual({ done: 5 })
  const open = `select 1 from subscription_invitations where subscription_id = $1 and withdrawn_at is null`
  expect(await db.query(open, [plan.id])).toHaveLength(1)
  const mails = `select 1 from private.outgoing_mail where recipient = 'once@example.com'`
  expect(await db.query(mails)).toHaveLength(1)
})

test('an invitation and closing its slot at once: one of the two', async () => {
  for (let round = 0; round < 3; round += 1) {
    const { olivia, plan } = await setTheTable(db)
    await olivia.sql`update shared_subscriptions set owner_max_members = 3 where id = ${plan.id}`
    const close = 'update shared_subscriptions set owner_max_members = 2 where id = $1'
    const outcome = await race([
      () => invite(plan, `slot${round}@example.com`),
      () => olivia.run(close, [plan.id]),
    ])
    expectDocumented(outcome)
    expect(outcome.done).toBe(1)
  }
})

test('accepted, declined, approved and withdrawn at once: one end, and the mail settled meanwhile', async () => {
  for (let round = 0; round < 3; round += 1) {
    const { olivia, zoe, plan } = await setTheTable(db)
    const request = await ask(db, zoe, plan)
    const { id, token } = await invited(plan, zoe)
    await sql`update private.outgoing_mail set attempts = 1 where recipient = ${zoe.email}`
    const outcome = await race([
      () => accept(zoe, token),
      () => accept(zoe, token),
      () => decline(zoe, token),
      () => withdraw(olivia, id),
      () => approve(db, plan, request),
      () =>
        sql`select private.settle_mail(id, 1, null, false) from private.outgoing_mail where recipient = ${zoe.email}`,
    ])
    for (const reason of Object.keys(outcome))
      expect(reason).toMatch(/^(done|23514: This (invitation|request) has already been)/)
    expect(await placesOf(plan)).toMatchObject({ counted: 0 })
    const [ends] =
      await sql`select num_nonnulls(accepted_at, declined_at, withdrawn_at) as n from subscription_invitations where id = ${id}`
    expect(ends).toEqual({ n: 1 })
  }
})

test('the plan is cancelled while people are invited and accept: nothing stays behind', async () => {
  for (let round = 0; round < 3; round += 1) {
    const { olivia, zoe, plan } = await setTheTable(db)
    const { token } = await invited(plan, zoe)
    const outcome = await race([
      () => olivia.sql`delete from shared_subscriptions where id = ${plan.id}`,
      () => accept(zoe, token),
      () => invite(plan, `late${round}@example.com`),
    ])
    expectDocumented(outcome)
    for (const table of ['subscription_invitations', 'subscription_members'])
      expect(await db.query(`select 1 from ${table} where subscription_id = $1`, [plan.id])).toEqual([])
    const mails = `select 1 from private.outgoing_mail where sent_at is null and recipient = any($1::text[])`
    expect(await db.query(mails, [`{${zoe.email},late${round}@example.com}`])).toEqual([])
  }
})
