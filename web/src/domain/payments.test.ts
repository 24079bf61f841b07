import { describe, expect, it } from 'vitest'
import { type Payment, paidHow, standingOf } from './payments.ts'

const now = Date.parse('2026-11-22T12:00:00Z')
const inHours = (hours: number) => new Date(now + hours * 3_600_000).toISOString()

describe('a payment', () => {
  it.each([
    ['due', 72, 0, 'upcoming'],
    ['due', 0, 0, 'due'],
    ['due', -71, 0, 'due'],
    ['due', -72, 0, 'late'],
    ['claimed', -200, 0, 'claimed'],
    ['charging', -1, 0, 'charging'],
    ['needs-action', -1, 0, 'failed'],
    ['failed', -1, 0, 'failed'],
    ['paid', -1, 0, 'paid'],
    ['closed', -1, 0, 'paid'],
    ['closed', -1, 1.5, 'partly-returned'],
    ['given-back', -1, 4.4, 'returned'],
    ['cancelled', -1, 0, 'cancelled'],
  ] as const)(
    'that is %s, due in %d hours, with %d EUR given back, is %s',
    (status, hours, returned, standing) => {
      expect(standingOf({ status, dueAt: inHours(hours), returned }, now)).toBe(standing)
    },
  )

  it.each([
    [{ settlement: 'direct', status: 'paid' }, 'Directly to Olivia'],
    [{ settlement: 'direct', status: 'claimed' }, ''],
    [{ status: 'paid', card: 4.4 }, 'By card'],
    [{ status: 'closed', coins: 4.4 }, 'With coins'],
    [{ status: 'given-back', coins: 1.4, card: 3 }, '3.00 EUR by card, 1.40 EUR with coins'],
    [{ status: 'failed' }, ''],
  ] as const)('%o was paid: %s', (more, how) => {
    const payment = { settlement: 'potluck', coins: 0, card: 0, ownerName: 'Olivia', ...more } as Payment
    expect(paidHow(payment)).toBe(how)
  })
})
