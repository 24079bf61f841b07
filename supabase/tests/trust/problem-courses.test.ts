// Every course of a problem, with each side silent at each step, and with both ways of paying: each course ends, and
// the payment goes to the owner or the member, to the cent. Staff are needed only if the two contradict each other.
// Proves ACCESS 07-09 11 12 16
import { afterAll, expect, test } from 'vitest'
import { single } from '../answers.ts'
import { addStaff, ownDatabase } from '../people.ts'
import { join, sharePlan } from '../plans.ts'
import { openTill } from '../till.ts'

const { db, sql } = await ownDatabase({ sheltered: true })
const till = await openTill(db)
await sql`update private.rate_limits set attempts = 1000000`
const ada = await addStaff(db, 'Ada', 'admin')
const [olivia, marc] = [await till.payer('Olivia'), await till.payer('Marc')]
await olivia.sql`insert into payment_wishes (kind, note) values ('text', 'Cash')`
const PLANS = {
  potluck: await till.share(olivia),
  direct: await sharePlan(db, olivia, { catalogueId: 'spotify-premium-family' }),
}

type Turn = 'owner' | 'member' | 'staff'
/** The action; then the side that must act next and how often the member has said no, or the final outcome. */
type Move = [
  by: (problem: string) => Promise<unknown>,
  next: string | ((no: number) => [turn: Turn, no: number]),
]
const ANYWHERE: Record<string, Move> = {
  withdraws: [(id) => marc.sql`select drop_problem(${id})`, 'withdrawn'],
  removes: [() => olivia.sql`delete from subscription_members where user_id = ${marc.id}`, 'owner-ended'],
}
const decide = (forMember: boolean) => (id: string) =>
  ada.sql`select decide_problem(${id}, ${forMember}, 'Seen it')`
const MOVES: Record<Turn, Record<string, Move>> = {
  owner: {
    ...ANYWHERE,
    'says fixed': [(id) => olivia.sql`select say_fixed(${id})`, (no) => ['member', no]],
    'says it works': [
      (id) => olivia.sql`select contest_problem(${id}, 'It works here')`,
      (no) => ['staff', no],
    ],
    'keeps silent': [() => till.pass('24 hours'), 'owner-silent'],
  },
  member: {
    ...ANYWHERE,
    'says yes': [(id) => marc.sql`select answer_fix(${id}, true)`, 'fixed'],
    'says no': [
      (id) => marc.sql`select answer_fix(${id}, false, 'Still locked')`,
      (no) => [no === 0 ? 'owner' : 'staff', no + 1],
    ],
    'keeps silent': [() => till.pass('48 hours'), 'fixed'],
  },
  staff: {
    ...ANYWHERE,
    'decides for the owner': [decide(false), 'for-owner'],
    'decides for the member': [decide(true), 'for-member'],
    'keeps silent': [() => till.pass('7 days'), 'staff-silent'],
  },
}

type Course = { steps: [Turn, string][]; outcome: string }
function courses(turn: Turn, no: number): Course[] {
  return Object.entries(MOVES[turn]).flatMap(([name, [, next]]) => {
    const rest = typeof next === 'string' ? [{ steps: [], outcome: next }] : courses(...next(no))
    return rest.map(({ steps, outcome }): Course => ({ steps: [[turn, name], ...steps], outcome }))
  })
}
const ALL = courses('owner', 0)
/** The shortest course to each outcome. */
const SHORT = [...new Set(ALL.map(({ outcome }) => outcome))].map((outcome) =>
  ALL.filter((one) => one.outcome === outcome).reduce((a, b) => (b.steps.length < a.steps.length ? b : a)),
)
// A member who has left cannot be removed.
const ofThoseWhoLeft = (courses: Course[]) => courses.filter(({ outcome }) => outcome !== 'owner-ended')
/** The side at fault, by outcome; no side is at fault in the other outcomes. */
const FAULT: Record<string, string> = {
  'owner-silent': 'owner',
  'owner-ended': 'owner',
  'for-member': 'owner',
  'for-owner': 'member',
}
const BACK_FROM_THE_REPORT = ['owner-silent', 'owner-ended', 'for-member', 'staff-silent']
const ENDS_THE_SEAT: Record<string, string> = { 'owner-ended': 'removed' }

afterAll(async () => {
  expect(await till.books()).toEqual([])
  expect(await till.held('held_share', 'held_fee', 'refunds_due')).toBe(0)
  expect(await till.failures()).toEqual([])
})

const openSeat = async (settlement: keyof typeof PLANS) => {
  if (settlement === 'potluck') await till.enter(marc, PLANS.potluck)
  else await join(db, marc, PLANS.direct)
  await till.work()
  const seat = await single(marc.sql`select id from my_seats() where ended_at is null`)
  // Refunds by withdrawal are tested in contract-withdrawal.test.ts.
  await sql`update private.seats set withdrawable_until = opened_at where id = ${seat} and withdrawable_until is not null`
  if (settlement === 'direct')
    await olivia.sql`select confirm_payment(id) from member_payments where seat_id = ${seat}`
  return seat
}
const problemOf = async (seat: string) =>
  (
    await sql<{ id: string; status: string; outcome: string; lost: number; fault: string | null }>`
    select p.id, p.status, p.outcome, p.fault, extract(epoch from least(p.lost_until, m.ends_at) - p.reported_at)::float8
      / extract(epoch from m.ends_at - m.starts_at)::float8 as lost
    from seat_problems as p join member_payments as m on m.id = p.payment_id where p.seat_id = ${seat}`
  )[0]

test.each([
  ['potluck', false, ALL],
  ['direct', false, SHORT],
  ['potluck', true, ofThoseWhoLeft(SHORT)],
  ['direct', true, ofThoseWhoLeft(SHORT)],
] as const)('%s, the member gone meanwhile: %s', async (settlement, left, all) => {
  for (const { steps, outcome } of all) {
    const seat = await openSeat(settlement)
    await till.pass('3 days 7 hours')
    await marc.sql`select report_problem(${seat}, 'sign-in')`
    if (left) await marc.sql`select leave_seat(${seat}, true)`
    const problem = await problemOf(seat)
    for (const [turn, move] of steps) {
      await till.pass('5 hours')
      expect(await problemOf(seat), `${move} of ${steps.join(' ')}`).toMatchObject({ status: turn })
      await MOVES[turn][move]?.[0](problem?.id ?? '')
    }
    const course = `${settlement}: ${steps.join(' ')}`
    const closed = await problemOf(seat)
    expect(closed, course).toMatchObject({ status: 'closed', outcome, fault: FAULT[outcome] ?? null })
    const reason = await single<string | null>(sql`select end_reason from private.seats where id = ${seat}`)
    const endsWith = BACK_FROM_THE_REPORT.includes(outcome) ? (ENDS_THE_SEAT[outcome] ?? 'problem') : null
    expect(reason, course).toBe(left ? 'left' : endsWith)
    if (!reason) {
      await marc.sql`select leave_seat(${seat}, false)`
      await till.pass('40 days')
    }
    await till.work()
    const [sums] = await sql<Record<'share' | 'back' | 'fee' | 'owed', number>>`
      select share::float8 as share, returned_share::float8 as back, returned_fee::float8 as fee, owed_back::float8 as owed,
      (coins + card - earned_share - earned_fee - returned_share - returned_fee)::float8 as rest,
      share = earned_share + returned_share and fee = earned_fee + returned_fee as whole
      from member_payments where seat_id = ${seat} and number = 1`
    const lost = (of = 0) => Math.round(100 * of * (closed?.lost ?? 0)) / 100
    const back = settlement === 'potluck' ? sums?.back : sums?.owed
    expect(back, course).toBeCloseTo(lost(sums?.share), 2)
    if (BACK_FROM_THE_REPORT.includes(outcome)) expect(back, course).toBeGreaterThan(0)
    if (settlement === 'potluck') {
      expect(sums, course).toMatchObject({ share: 5, rest: 0, whole: true })
      expect(sums?.fee, course).toBeCloseTo(lost(0.5), 2)
    }
    expect(await till.books()).toEqual([])
  }
})
