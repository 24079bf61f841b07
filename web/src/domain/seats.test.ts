import { describe, expect, it } from 'vitest'
import { isPatienceOver, periodEnd, unusedMoney } from './seats.ts'

const now = Date.parse('2026-11-22T12:00:00Z')
const [october, november, december] = ['2026-10-30T23:00:00Z', '2026-11-29T23:00:00Z', '2026-12-29T23:00:00Z']

describe('a place', () => {
  it.each([
    ['paid for this month', november, [], november],
    ['paid for this month and the next', november, [{ endsAt: december }], november],
    ['not paid for this month', october, [{ endsAt: november }], november],
    ['not begun', null, [{ endsAt: null }], null],
    ['over', october, [{ endsAt: october }], null],
  ] as const)('that is %s ends where the period does that it is in', (_what, paidUntil, open, end) => {
    expect(periodEnd({ paidUntil }, open, now)).toBe(end)
  })

  it.each([
    ['goes back', [{ settlement: 'potluck', status: 'active' }], [/goes back to them by itself\.$/]],
    ['is owed', [{ settlement: 'direct', status: 'late' }], [/you owe them\.$/]],
    [
      'goes back or is owed',
      [
        { settlement: 'direct', status: 'active' },
        { settlement: 'potluck', status: 'ending' },
      ],
      [/goes back/, /you owe/],
    ],
    ['is nobody’s matter', [{ settlement: 'direct', status: 'ended' }], []],
  ] as const)('that its owner ends: what is paid for later %s', (_what, seats, sentences) => {
    expect(unusedMoney(seats)).toEqual(sentences.map((sentence) => expect.stringMatching(sentence)))
  })

  it('can be ended for a payment that has been missing for 14 days', () => {
    expect(isPatienceOver('2026-11-08T12:00:01Z', now)).toBe(false)
    expect(isPatienceOver('2026-11-08T12:00:00Z', now)).toBe(true)
  })
})
