// A seat that is ended, confirmed, paid and refunded by different people at the same moment: one outcome, and balanced
// books.
import { expect, test } from 'vitest'
import { single } from '../answers.ts'
import { addStaff, ownDatabase } from '../people.ts'
import { race } from '../race.ts'
import { openTill } from '../till.ts'

const { db, sql } = await ownDatabase({ sheltered: true })
const till = await openTill(db)
await sql`update private.rate_limits set attempts = 1000000`

async function table(access: boolean) {
  const [olivia, marc] = [await till.payer('Olivia'), await till.payer('Marc')]
  const plan = await till.share(olivia)
  await till.enter(marc, plan, { access })
  await till.work()
  const seat = await single(sql`select id from private.seats where member_id = ${marc.id}`)
  return { olivia, marc, plan, seat }
}
const ends = ({ olivia, marc, plan, seat }: Awaited<ReturnType<typeof table>>) => [
  () => marc.sql`select leave_seat(${seat}, true)`,
  () => marc.sql`select leave_seat(${seat}, false)`,
  () => olivia.sql`delete from subscription_members where user_id = ${marc.id}`,
  () => olivia.sql`delete from shared_subscriptions where id = ${plan.id}`,
  () => sql`select private.run_due_work()`,
]

/** Expects each action to succeed or to be refused with a clear reason; a deadlock is neither. */
async function expectClear(work: readonly (() => Promise<unknown>)[]) {
  const outcomes = Object.keys(await race(work))
  expect(outcomes.filter((what) => !/^(done|PT404: .+|23514: .+|42501: .+|23503: .+)$/.test(what))).toEqual(
    [],
  )
}

async function expectEveryEnd() {
  await sql`update private.clock set ahead = ahead + '60 days'`
  await till.due()
  await till.work()
  expect(await sql`select id from private.seats where ended_at is null`).toEqual([])
  expect(
    await sql`select * from member_payments where number = 1 and (status not in ('closed', 'given-back')
      or earned_share + returned_share <> share or earned_fee + returned_fee <> fee)`,
  ).toEqual([])
  expect([await till.books(), await till.failures()]).toEqual([[], []])
}

test.each([
  ['before there is access', false],
  ['that works', true],
] as const)('a seat %s is left, removed and cancelled at once', async (_what, access) => {
  for (let round = 0; round < 4; round++) {
    const all = await table(access)
    await expectClear([
      ...ends(all),
      () => all.olivia.sql`select give_access(${all.seat}, 'home')`,
      () => all.marc.sql`select confirm_access(${all.seat})`,
    ])
  }
  await expectEveryEnd()
})

test('a problem is reported, answered, decided and its seat ended at once', async () => {
  const ada = await addStaff(db, 'Ada', 'admin')
  for (let round = 0; round < 4; round++) {
    const all = await table(true)
    const { olivia, marc, seat } = all
    const report = () => marc.sql`select report_problem(${seat}, 'password')`
    const id = await single(report())
    if (round % 2) await olivia.sql`select contest_problem(${id})`
    await expectClear([
      report,
      () => olivia.sql`select say_fixed(${id})`,
      () => marc.sql`select answer_fix(${id}, true)`,
      () => marc.sql`select drop_problem(${id})`,
      () => ada.sql`select decide_problem(${id}, true, 'Seen failing')`,
      () => ada.sql`select decide_problem(${id}, false, 'Seen working')`,
      ...ends(all),
    ])
    expect(
      await sql`select status, decided_by is null or outcome like 'for-%' as decided from seat_problems where id = ${id}`,
    ).toEqual([{ status: 'closed', decided: true }])
  }
  await expectEveryEnd()
})
