// Proves REP 02
import { expect, test } from 'vitest'
import { type Facts, factsInWords, factsSentence, type Levels, nextLevel, progressTo } from './facts.ts'

const LEVELS = {
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
} satisfies Levels
const NOTHING: Facts = {
  ...({ level: 'new', daysHere: 0, hoursGiven: 0, paidOnTime: 0, paidLate: 0, problems: 0 } as const),
  ...{ unkeptDebts: 0, answers: 0, answerMinutes: null, rating: null, reviewers: 0 },
}
const factsFor = (facts: Facts) => LEVELS.levels.map((need) => factsInWords(facts, need, LEVELS.graceDays))
const inWords = (facts: Partial<Facts>) => {
  const [proven = [], trusted = []] = factsFor({ ...NOTHING, ...facts })
  return proven.map(({ value, need }, n) => [
    value,
    ...[need, trusted[n]?.need].map((one) => `${one?.met ? '+' : '-'} ${one?.text}`),
  ])
}

test('each fact is told with its value and what each level takes', () => {
  expect(factsFor(NOTHING)[0]?.map(({ label }) => label)).toEqual([
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

test('one sentence says the facts there are', () => {
  expect(factsSentence(NOTHING)).toBe('0 days here.')
  const facts = { daysHere: 40, hoursGiven: 72, paidOnTime: 1, problems: 2, answerMinutes: 540 }
  expect(factsSentence({ ...NOTHING, ...facts })).toBe(
    '40 days here, working access for 3 days over all plans, 1 payment on time, 2 problems caused, answers requests in 9 hours.',
  )
  expect(factsSentence({ ...NOTHING, paidLate: 1, unkeptDebts: 1 })).toBe(
    '0 days here, 1 payment late, 1 refund not paid to a member.',
  )
})

test('the bar grows with time and with use, and a limit that is exceeded holds it back', () => {
  const progress = (facts: Partial<Facts>) =>
    LEVELS.levels.slice(0, 1).map((proven) => progressTo({ ...NOTHING, ...facts }, proven))[0]
  expect(progress({})).toBe(0)
  expect(progress({ daysHere: 15 })).toBe(0.25)
  expect(progress({ daysHere: 60, hoursGiven: 720, paidOnTime: 3 })).toBe(0.875)
  expect(progress({ daysHere: 60, paidOnTime: 9 })).toBe(1)
  expect(progress({ daysHere: 60, paidOnTime: 9, paidLate: 2, answerMinutes: 3000 })).toBe(0.5)
})

test('the next level is the one above, until there is none', () => {
  expect((['new', 'proven', 'trusted'] as const).map((level) => nextLevel(level, LEVELS)?.level)).toEqual([
    'proven',
    'trusted',
    undefined,
  ])
})
