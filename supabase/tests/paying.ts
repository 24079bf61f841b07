// Marc's place in Olivia's plan, which is paid through the site; new people and a new plan for each test.
import { afterAll, afterEach, beforeEach, expect } from 'vitest'
import { single } from './answers.ts'
import { calling, ownDatabase, type Person } from './people.ts'
import type { SharedPlan } from './plans.ts'
import { openTill } from './till.ts'

export async function setThePayingTable() {
  const { db, sql } = await ownDatabase({ sheltered: true })
  const till = await openTill(db)
  let olivia!: Person
  let marc!: Person
  let plan!: SharedPlan
  beforeEach(async () => {
    olivia = await till.payer('Olivia')
    marc = await till.payer('Marc')
    plan = await till.share(olivia)
  })
  // After each test all places are cancelled: then nothing may be held. The books are checked before that; a check
  // covers all that has happened in the file, so the books after a test are checked with the next one, or at the end.
  afterEach(async () => {
    expect(await till.books()).toEqual([])
    await sql`delete from shared_subscriptions`
    await till.work()
    expect(await till.held('held_share', 'held_fee', 'refunds_due')).toBe(0)
    expect(await till.failures()).toEqual([])
  })
  afterAll(async () => expect(await till.books()).toEqual([]))
  const periods = () =>
    marc.sql<{ id: string; status: string; number: number }>`select id, number, status from member_payments
      where member_id = ${marc.id} order by number`
  return {
    db,
    sql,
    till,
    /** The people and the plan of the current test. */
    who: () => ({ olivia, marc, plan }),
    seat: async () => (await marc.sql`select status, end_reason from my_seats()`)[0],
    seatId: () => single(marc.sql`select id from my_seats()`),
    periods,
    last: async () => (await periods()).at(-1) ?? { id: '', status: '', number: 0 },
    told: async (person: Person, event: string) =>
      (await person.sql`select id from user_notifications where event = ${event}`).length,
    mayGetIn: () =>
      single<boolean>(
        calling(db, { ...marc.caller, role: 'project_owner' }).sql`select private.may_get_in(${plan.id})`,
      ),
    enterAndPay: async () => {
      await till.enter(marc, plan)
      await till.work()
    },
    /** Returns the time until just after the end of the current period. */
    toBoundary: (plus = '1 minute') =>
      single(sql`select (max(ends_at) - private.now() + ${plus}::interval)::text
        from member_payments where member_id = ${marc.id}`),
    /** Returns the total of all payments, and its parts, in EUR. */
    sums: async () =>
      (
        await sql`select sum(coins + card)::float8 as paid, sum(earned_share)::float8 as earned, sum(earned_fee)::float8 as fee,
          sum(returned_share + returned_fee)::float8 as back from member_payments where member_id = ${marc.id}`
      )[0],
  }
}
