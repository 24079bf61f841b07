// Days, months and remaining time.
// Proves REQ 11-14, VALID 09
import { expect, test } from 'vitest'
import { dateInWords, fullDate, fullDay } from './dates.ts'
import { expiryText, hoursLeft, urgency } from './expiry.ts'
import { boundsOf, monthInWords, monthOf, shiftMonth } from './months.ts'
import { dayOf, defaultRenewalDate, renewalDateProblem } from './renewal.ts'

const now = new Date('2026-11-20T10:00:00')
const moment = (seconds: number) => new Date(now.getTime() + seconds * 1000).toISOString()

test.each([
  ['2026-12-02', 'in 12 days'],
  ['2026-11-20', 'today'],
  ['2026-11-21', 'tomorrow'],
  ['2026-11-19', 'yesterday'],
  ['2027-11-20', 'next year'],
  ['2027-03-20', 'in 4 months'],
  [moment(-20), 'just now'],
  [moment(-5 * 60), '5 minutes ago'],
  [moment(3 * 3600), 'in 3 hours'],
  [moment(-30 * 3600), 'yesterday'],
])('%s reads "%s"', (date, said) => expect(dateInWords(date, now)).toBe(said))

test('a day, and the day of a moment, are written out without a time', () => {
  expect(fullDate('2026-11-20')).toBe('20 November 2026')
  expect(fullDay(new Date('2026-11-20T23:59:59').toISOString())).toBe('20 November 2026')
})

test('a day is the one on the calendar where the person is', () =>
  expect(dayOf(new Date(2026, 0, 9, 23, 59))).toBe('2026-01-09'))

test.each([
  ['2026-11', 1, '2026-12'],
  ['2026-12', 1, '2027-01'],
  ['2026-03', -13, '2025-02'],
])('%s and %s months is %s', (month, by, then) => expect(shiftMonth(month, by)).toBe(then))

test('a month begins and ends where the reader’s own do', () => {
  const { from, until } = boundsOf('2028-02')
  expect([from, until]).toEqual([new Date(2028, 1, 1), new Date(2028, 2, 1)])
  expect([from, new Date(until.getTime() - 1)].map(monthOf)).toEqual(['2028-02', '2028-02'])
  expect(monthInWords('2028-02')).toBe('February 2028')
})

test.each([
  ['monthly', '2026-12-05', undefined, '2027-01-05'],
  ['monthly', '2027-01-31', undefined, '2027-02-28'],
  ['yearly', '2026-11-21', undefined, '2027-11-21'],
  ['yearly', '2028-02-29', undefined, '2029-02-28'],
  ['yearly', '2026-11-21', 2, '2028-11-21'],
  ['yearly', '2028-02-29', 3, '2031-02-28'],
] as const)('a %s plan of %s, paid for %s years at once, renews on %s', (cycle, today, years, date) =>
  expect(defaultRenewalDate(cycle, today, years)).toBe(date),
)

test.each([
  [null, 'Please enter next renewal date.'],
  ['2026-11-20', 'Renewal date cannot be in the past.'],
  ['2026-11-21', null],
  ['2036-11-21', null],
  ['2036-11-22', 'Please enter next renewal date.'],
])('on 2026-11-21 the renewal date %s is refused with: %s', (date, problem) =>
  expect(renewalDateProblem(date, '2026-11-21')).toBe(problem),
)

test.each([
  [0, 48],
  [0.5, 48],
  [1, 47],
  [47.5, 1],
  [48, 0],
  [50, -2],
])('%d hours after asking, %i hours are left', (passed, left) =>
  expect(hoursLeft(now.toISOString(), now.getTime() + passed * 3_600_000)).toBe(left),
)

test.each([
  [13, 'calm', '13h remaining'],
  [12, 'soon', 'Expiring soon: 12h left'],
  [7, 'soon', 'Expiring soon: 7h left'],
  [6, 'urgent', 'Expiring in 6h'],
])('%i hours left are %s, and read for the owner: %s', (hours, how, text) =>
  expect([urgency(hours), expiryText(hours, 'owner'), expiryText(hours, 'requester')]).toEqual([
    how,
    text,
    `Expiring soon: ${hours}h left`,
  ]),
)
