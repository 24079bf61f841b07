import { describe, expect, it } from 'vitest'
import { dayOf, defaultRenewalDate, renewalDateProblem } from './renewal.ts'

describe('the default renewal date', () => {
  it.each([
    ['monthly', '2026-11-21', '2026-12-21'],
    ['monthly', '2026-12-05', '2027-01-05'],
    ['monthly', '2027-01-31', '2027-02-28'],
    ['yearly', '2026-11-21', '2027-11-21'],
    ['yearly', '2028-02-29', '2029-02-28'],
  ] as const)('is one %s cycle after %s: %s', (cycle, today, date) => {
    expect(defaultRenewalDate(cycle, today)).toBe(date)
  })
})

it('a plan that is paid for years at once renews after them', () => {
  expect(defaultRenewalDate('yearly', '2026-11-21', 2)).toBe('2028-11-21')
  expect(defaultRenewalDate('yearly', '2028-02-29', 3)).toBe('2031-02-28')
})

describe('a renewal date', () => {
  it('must be given', () => {
    expect(renewalDateProblem(null, '2026-11-21')).toBe('Please enter next renewal date.')
  })

  it('is not one when it is more than ten years away', () => {
    expect(renewalDateProblem('2036-11-21', '2026-11-21')).toBeNull()
    expect(renewalDateProblem('2036-11-22', '2026-11-21')).toBe('Please enter next renewal date.')
  })

  it('must not be before today, and may be today', () => {
    expect(renewalDateProblem('2026-11-20', '2026-11-21')).toBe('Renewal date cannot be in the past.')
    expect(renewalDateProblem('2026-11-21', '2026-11-21')).toBeNull()
  })
})

it('a day is the one on the calendar where the person is', () => {
  expect(dayOf(new Date(2026, 0, 9, 23, 59))).toBe('2026-01-09')
})
