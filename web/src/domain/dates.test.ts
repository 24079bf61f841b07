import { expect, it } from 'vitest'
import { dateInWords, fullDate, fullDay } from './dates.ts'

const now = new Date('2026-11-20T10:00:00')

it.each([
  ['2026-12-02', 'in 12 days'],
  ['2026-11-20', 'today'],
  ['2026-11-21', 'tomorrow'],
  ['2026-11-19', 'yesterday'],
  ['2027-11-20', 'next year'],
  ['2027-03-20', 'in 4 months'],
])('says the day %s as "%s"', (date, said) => {
  expect(dateInWords(date, now)).toBe(said)
})

it.each([
  [new Date(now.getTime() - 20_000), 'just now'],
  [new Date(now.getTime() - 5 * 60_000), '5 minutes ago'],
  [new Date(now.getTime() + 3 * 3_600_000), 'in 3 hours'],
  [new Date(now.getTime() - 30 * 3_600_000), 'yesterday'],
])('says the moment %s as "%s"', (moment, said) => {
  expect(dateInWords(moment.toISOString(), now)).toBe(said)
})

it('writes a calendar day out without a time', () => {
  expect(fullDate('2026-11-20')).toBe('20 November 2026')
})

it('writes the day of a moment out', () => {
  expect(fullDay(new Date('2026-11-20T23:59:59').toISOString())).toBe('20 November 2026')
})
