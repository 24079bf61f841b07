// A seat that everybody ends, answers for, pays for or has paid back at the same moment: one outcome, and books that balance.
import { expect, test } from 'vitest'
import { addStaff, ownDatabase, type Person } from '../people.ts'
import { race } from '../race.ts'
import { openTill } from '../till.ts'

const { db, sql } = await ownDatabase({ sheltered: true })
const till = await openTill(db)
await sql`update private.rate_limits set attempts = 1000000`

/** Done, or a clear refusal; what the database ends to resolve a circle is none. */
const CLEAR = /^(done|PT404: .+|23514: .+|42501: .+|23503: .+)$/

async function table(access: boolean) {
  const [olivia, marc] = [await till.payer('Olivia'), await till.payer('Marc')]
  const plan = await till.share(olivia)
  await till.enter(marc, plan, { access })
  await till.work()
  const [seat] = await sql<{ id: string }>`select id from private.seats where member_id = ${marc.id}`
  return { olivia, marc, plan, seat: seat?.id ?? '' }
}
const ends = ({ olivia, marc, plan, seat }: Awaited<ReturnType<typeof table>>) => [
  () => marc.sql`select leave_seat(${seat}, true)`,
  () => marc.sql`select leave_seat(${seat}, false)`,
  () => olivia.sql`delete from subscription_members where user_id = ${marc.id}`,
  () => olivia.sql`delete from shared_subscriptions where id = ${plan.id}`,
  () => sql`select private.run_due_work()`,
]

async function expectOneEnd(seat: string, marc: Person) {
  await sql`update private.clock set ahead = ahead + '60 days'`
  await till.due()
  await till.work()
  expect(await sql`select ended_at is not null as ended from private.seats where id = ${seat}`).toEqual([
    { ended: true },
  ])
  expect(
    await sql`select status, earned_share + returned_share = share and earned_fee + returned_fee = fee as whole
      from member_payments where member_id = ${marc.id} and number = 1`,
  ).toEqual([{ status: expect.stringMatching(/closed|given-back/), whole: true }])
  expect(await till.books()).toEqual([])
  expect(await till.failures()).toEqual([])
}

test.each([
  ['before there is access', false],
  ['that works', true],
] as const)('a seat %s is left, removed and cancelled at once', async (_what, access) => {
  for (let round = 0; round < 6; round++) {
    const all = await table(access)
    const outcome = await race([
      ...ends(all),
      () => all.olivia.sql`select give_access(${all.seat}, 'home')`,
      () => all.marc.sql`select confirm_access(${all.seat})`,
    ])
    expect(Object.keys(outcome).filter((what) => !CLEAR.test(what))).toEqual([])
    await expectOneEnd(all.seat, all.marc)
  }
})

test('a problem is reported, answered, decided and its seat ended at once', async () => {
  const ada = await addStaff(db, 'Ada', 'admin')
  for (let round = 0; round < 8; round++) {
    const all = await table(true)
    const { olivia, marc, seat } = all
    const report = () => marc.sql<{ id: string }>`select report_problem(${seat}, 'password') as id`
    const [{ id } = { id: '' }] = await report()
    if (round % 2) await olivia.sql`select contest_problem(${id})`
    const outcome = await race([
      report,
      () => olivia.sql`select say_fixed(${id})`,
      () => marc.sql`select answer_fix(${id}, true)`,
      () => marc.sql`select withdraw_problem(${id})`,
      () => ada.sql`select decide_problem(${id}, true, 'Seen failing')`,
      () => ada.sql`select decide_problem(${id}, false, 'Seen working')`,
      ...ends(all),
    ])
    expect(Object.keys(outcome).filter((what) => !CLEAR.test(what))).toEqual([])
    expect(
      await sql`select count(*)::int as n from seat_problems where id = ${id} and status = 'closed'
      and (decided_by is null or outcome like 'for-%')`,
    ).toEqual([{ n: 1 }])
    await expectOneEnd(seat, marc)
  }
})
