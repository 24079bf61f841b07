import { describe, expect, test } from 'vitest'
import { memberStep, ownerStep } from './next-step.ts'
import type { Payment } from './payments.ts'
import type { Problem } from './problems.ts'
import type { OwnSeat, PlanSeat } from './seats.ts'

const NOW = Date.parse('2026-11-22T12:00:00Z')
const inHours = (hours: number) => new Date(NOW + hours * 3_600_000).toISOString()

const problem = (turn: Problem['turn'], dueIn = 10) =>
  ({ id: `${turn} ${dueIn}`, turn, dueAt: inHours(dueIn) }) as Problem
const works = { admittedAt: inHours(-9), accessGivenAt: inHours(-8), accessWorks: true, accessDueAt: null }

describe('the owner', () => {
  type Facts = Parameters<typeof ownerStep>[0]
  const claimed = { status: 'claimed' } as Payment
  const seat = (seat: Partial<PlanSeat>) => ({ settlement: 'potluck', ...works, ...seat }) as PlanSeat
  const waiting = (dueIn: number | null) =>
    seat({ accessGivenAt: null, accessWorks: false, accessDueAt: dueIn === null ? null : inHours(dueIn) })
  const start = (share: boolean, access: boolean, pay: boolean) => ({
    kind: 'start' as const,
    steps: [
      { kind: 'share' as const, done: share },
      { kind: 'access' as const, done: access },
      { kind: 'pay' as const, done: pay },
    ],
  })
  const paid = { status: 'active', settlement: 'potluck', cycle: 'monthly', waiting: 0 } as const
  const full = { ...paid, currentMembers: 4, ownerMaxMembers: 4 }
  const nothing: Facts = {
    plan: full,
    requests: [{ requestedAt: inHours(-48) }],
    seats: [seat({})],
    problems: [problem('member'), problem('staff'), problem('closed')],
    payments: [{ status: 'due' } as Payment],
    passwordDue: null,
    found: true,
    hasEntry: true,
    saysHowPaid: true,
    strandedCoins: 19.99,
  }
  /** Each step with the facts that cause only it, in order of priority. */
  const all: [Partial<Facts>, NonNullable<ReturnType<typeof ownerStep>>][] = [
    [{ requests: [-48, -47].map((hours) => ({ requestedAt: inHours(hours) })) }, { kind: 'requests' }],
    [{ seats: [seat({}), waiting(null), waiting(30), waiting(5)] }, { kind: 'access', seat: waiting(5) }],
    [
      { problems: [problem('owner', 9), problem('owner', 2)] },
      { kind: 'problem', problem: problem('owner', 2) },
    ],
    [{ payments: [claimed] }, { kind: 'confirm', payment: claimed }],
    [{ passwordDue: inHours(-1) }, { kind: 'password' }],
    [{ seats: [seat({ settlement: 'direct' })], saysHowPaid: false }, start(true, true, false)],
    [{ strandedCoins: 20 }, { kind: 'paid-out', coins: 20 }],
    [{ plan: { ...full, currentMembers: 2 } }, { kind: 'share', places: 2 }],
  ]

  test.each(all.map(([facts, step]) => [step.kind, facts, step] as const))('%s', (_kind, facts, step) => {
    expect(ownerStep({ ...nothing, ...facts }, NOW)).toEqual(step)
  })

  test('does one thing after the other, and then nothing', () => {
    const [seats, direct] = [all[1]?.[0].seats ?? [], all[5]?.[0].seats ?? []]
    let facts: Facts = {
      ...nothing,
      ...Object.assign({}, ...all.map(([one]) => one)),
      seats: [...seats, ...direct],
    }
    const done: Partial<Facts>[] = [
      { requests: [] },
      { seats: direct },
      { problems: [] },
      { payments: [] },
      { passwordDue: null },
      { saysHowPaid: true },
      { strandedCoins: 0 },
      { plan: full },
    ]
    for (const [n, now] of done.entries()) {
      expect(ownerStep(facts, NOW)?.kind).toBe(all[n]?.[1].kind)
      facts = { ...facts, ...now }
    }
    expect(ownerStep(facts, NOW)).toBeNull()
  })

  test.each([
    ['is in review', { status: 'pending' }],
    ['has people waiting', { waiting: 1 }],
  ] as const)('shares no link of a plan that %s', (_what, plan) => {
    expect(ownerStep({ ...nothing, plan: { ...full, currentMembers: 1, ...plan } }, NOW)).toBeNull()
  })

  test('of a new plan has three things to do, in any order, until all are done', () => {
    const plan = { ...full, currentMembers: 1 }
    const fresh = { ...nothing, plan, seats: [], found: false, hasEntry: false }
    const step = (facts: Partial<Facts>) => ownerStep({ ...fresh, ...facts }, NOW)
    const direct = { plan: { ...plan, settlement: 'direct' as const }, saysHowPaid: false }
    expect(step(direct)).toEqual(start(false, false, false))
    expect(step({ ...direct, saysHowPaid: true })).toEqual(start(false, false, true))
    expect(step({})).toEqual(start(false, false, true))
    expect(step({ hasEntry: true })).toEqual(start(false, true, true))
    expect(step({ seats: [seat({})], found: true })).toEqual({ kind: 'share', places: 3 })
    for (const known of [{ found: true }, { plan: { ...plan, waiting: 1 } }, { plan: full }])
      expect(step(known)).toEqual(start(true, false, true))
    expect(step({ plan: { ...plan, status: 'rejected' } })).toBeNull()
  })
})

describe('a member', () => {
  type Facts = Parameters<typeof memberStep>[0]
  const seat = (seat: Partial<OwnSeat>) =>
    ({ settlement: 'potluck', problemId: null, ...works, ...seat }) as OwnSeat
  const payment = (status: Payment['status']) => ({ id: status, status, payable: true }) as Payment
  const nothing: Facts = {
    seat: seat({}),
    open: [payment('claimed'), payment('charging')],
    entry: { opened: true },
    problems: [problem('owner'), problem('staff'), problem('closed')],
    isAsked: false,
  }
  const check = seat({ accessWorks: false })
  const pay = (status: Payment['status']) => ({ kind: 'pay' as const, payment: payment(status) })

  test.each([
    ['pays what is due', { open: [payment('claimed'), payment('due')] }, pay('due')],
    ['confirms a payment', { open: [payment('needs-action')] }, pay('needs-action')],
    ['mends a payment', { open: [payment('failed')], seat: check }, pay('failed')],
    ['opens the access', { entry: { opened: false }, seat: check }, { kind: 'open' }],
    ['says whether it works', { seat: check, problems: [problem('member')] }, { kind: 'confirm' }],
    ['says so of an invitation', { seat: check, entry: null }, { kind: 'confirm' }],
    [
      'answers a problem before anything about access',
      { seat: { ...check, problemId: 'x' }, entry: { opened: false }, problems: [problem('member')] },
      { kind: 'problem', problem: problem('member') },
    ],
    ['waits for access', { seat: seat({ accessGivenAt: null, accessWorks: false }), entry: null }, null],
    ['who pays directly has nothing to confirm', { seat: { ...check, settlement: 'direct' as const } }, null],
    ['waits for the owner to say how', { open: [{ ...payment('due'), payable: false }] }, null],
    ['answers proposed terms', { isAsked: true }, { kind: 'terms' }],
    ['pays before answering terms', { isAsked: true, open: [payment('due')] }, pay('due')],
    ['has nothing to do', {}, null],
    ['has nothing to do while the place is not known', { seat: undefined, entry: { opened: false } }, null],
  ])('%s', (_what, facts: Partial<Facts>, step) => {
    expect(memberStep({ ...nothing, ...facts })).toEqual(step)
  })
})
