// Proves REP 02
import { expect, test } from 'vitest'
import { type Facts, factsInWords, type Levels, nextLevel } from './facts.ts'

const LEVELS: Levels = {
  levels: [
    {
      ...({ level: 'proven', days_here: 30, hours_given: 2880, paid_on_time: 4 } as const),
      ...{ most_paid_late: 1, most_problems: 1, most_unkept_debts: 0, most_answer_hours: 24 },
    },
    {
      ...({ level: 'trusted', days_here: 180, hours_given: 8760, paid_on_time: 12 } as const),
      ...{ most_paid_late: 0, most_problems: 0, most_unkept_debts: 0, most_answer_hours: 12 },
    },
  ],
  ...{ pairDays: 90, memoryDays: 180, graceDays: 3 },
}
const NOTHING: Facts = {
  ...({ level: 'new', daysHere: 0, hoursGiven: 0, paidOnTime: 0, paidLate: 0, problems: 0 } as const),
  ...{ unkeptDebts: 0, answers: 0, answerMinutes: null, rating: null, reviewers: 0 },
}
const inWords = (facts: Partial<Facts>) =>
  factsInWords({ ...NOTHING, ...facts }, LEVELS).map(({ value, needs }) => [
    value,
    ...needs.map(({ text, met }) => `${met ? '+' : '-'} ${text}`),
  ])

test('each fact is told with its value and what each level takes', () => {
  expect(factsInWords(NOTHING, LEVELS).map(({ label }) => label)).toEqual([
    'Time here',
    'Working access given',
    'Payments on time',
    'Payments more than 3 days late',
    'Problems caused',
    'Refunds not paid to members',
    'Typical time to answer requests',
  ])
  expect(inWords({})).toEqual([
    ['0 days', '- 30 days', '- 180 days'],
    ['0 hours', '- 120 days', '- 1 year'],
    ['0', '- or 4', '- or 12'],
    ['None', '+ At most 1', '+ None'],
    ['None', '+ At most 1', '+ None'],
    ['None', '+ None', '+ None'],
    ['No requests yet', '+ At most 24 hours', '+ At most 12 hours'],
  ])
  expect(
    inWords({
      daysHere: 30,
      hoursGiven: 49,
      paidOnTime: 4,
      paidLate: 1,
      problems: 2,
      unkeptDebts: 1,
      answerMinutes: 13 * 60,
    }),
  ).toEqual([
    ['30 days', '+ 30 days', '- 180 days'],
    ['2 days', '+ 120 days', '- 1 year'],
    ['4', '+ or 4', '- or 12'],
    ['1', '+ At most 1', '- None'],
    ['2', '- At most 1', '- None'],
    ['1', '- None', '- None'],
    ['13 hours', '+ At most 24 hours', '- At most 12 hours'],
  ])
  expect(inWords({ answerMinutes: 59 })[6]?.[0]).toBe('59 minutes')
})

test('the next level is the one above, until there is none', () => {
  expect((['new', 'proven', 'trusted'] as const).map((level) => nextLevel(level, LEVELS))).toEqual([
    'proven',
    'trusted',
    null,
  ])
})
