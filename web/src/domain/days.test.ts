import { expect, test } from 'vitest'
import { dayIn, daysIn, readingsOfDays, typedDay } from './days.ts'

const today = '2026-11-28'

test.each([
  ...['2026-12-24', '2026/12/24', '20261224', '2026-12-24T00:00:00.000Z', '2026-12-24 10:30', '24.12.2026'],
  ...[
    '24.12.26',
    '24. 12. 2026',
    '24.12.',
    '24.12',
    '24/12',
    '24/12/2026',
    '24-12-2026',
    '24.12.2026, 10:30',
  ],
  ...[
    '24 Dec 2026',
    '24 Dec',
    '24-Dec-26',
    'December 24, 2026',
    'Dec 24th',
    'Thu, 24 Dec 2026',
    '24th of December',
  ],
  ...[
    '24. Dezember 2026',
    'Do., 24. Dez. 2026',
    '24-Dez-26',
    '24. DEZ',
    '24 décembre 2026',
    'le 24 déc.',
    '24 DECEMBRE',
  ],
  ...[
    '24 de diciembre de 2026',
    '24 dic 2026',
    '24 dicembre',
    'il 24 dic. 2026',
    '24\u00a0décembre\u202f2026',
  ],
])('%j is Christmas Eve', (text) => expect(daysIn([text], false, { today })).toEqual([['2026-12-24']]))

test.each([
  ['1er janvier', '2027-01-01'],
  ['1. Jänner', '2027-01-01'],
  ['3. Mrz 27', '2027-03-03'],
  ['4.3.26', '2026-03-04'],
  ['28.11.', today],
  ['27.11.', '2027-11-27'],
])('%j is %s', (text, day) => expect(dayIn(text, 'dmy', { today })).toBe(day))

test.each([
  'Dec 26',
  'Dez 26',
  '12/26',
  '12.26',
  '12/2026',
  'Dec 2026',
  '24',
  '31.2.2026',
  '29.2.',
  '24 jui',
  '24.12.6',
  'soon',
  '',
])('%j is no certain day', (text) => expect(daysIn([text], false, { today })).toEqual([[]]))

test('where day and month could be either, the other days tell, or else both are possible', () => {
  expect(daysIn(['03/04/2026', '03/28/2026'])).toEqual([['2026-03-04'], ['2026-03-28']])
  expect(daysIn(['03/04/2026', '28/03/2026'])).toEqual([['2026-04-03'], ['2026-03-28']])
  expect(daysIn(['03/04/2026', '05/05/2026'])).toEqual([['2026-04-03', '2026-03-04'], ['2026-05-05']])
  expect(daysIn(['03/04/2026', '03.04.2026'])).toEqual([['2026-04-03'], ['2026-04-03']])
  expect(daysIn(['28/03/2026', '03/28/2026', '03/04/2026', '2026-03-04', ' '])).toEqual([
    ['2026-03-28'],
    ['2026-03-28'],
    ['2026-04-03', '2026-03-04'],
    ['2026-03-04'],
    [],
  ])
  expect(daysIn(['03/04/2026'], true)).toEqual([['2026-04-03']])
  expect(daysIn(['04/05'], false, { today })).toEqual([['2027-05-04', '2027-04-05']])
  expect(daysIn(['26-12-24'], false, { today })).toEqual([['2024-12-26', '2026-12-24']])
  expect(readingsOfDays(['9/5/2026', '10/5/2026'])).toEqual([
    ['2026-05-09', '2026-05-10'],
    ['2026-09-05', '2026-10-05'],
  ])
})

test('of what was paid, a day without a year is the last one', () =>
  expect(daysIn(['24.12.'], false, { today, isPast: true })).toEqual([['2025-12-24']]))

test('a typed day is taken if it is certain', () =>
  expect(['3/4/2026', '13/4/2026', '3.4.2026', '2'].map(typedDay)).toEqual([
    null,
    '2026-04-13',
    '2026-04-03',
    null,
  ]))
