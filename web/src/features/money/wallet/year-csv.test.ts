import { expect, test } from 'vitest'
import { kindOf } from './year-csv.ts'

test.each([
  [null, 'Payment'],
  ['fee', 'Payment (fee)'],
  ['unanswered', 'Payment (not answered)'],
] as const)('what is %s of a payment is called %s', (part, name) =>
  expect(kindOf({ kind: 'payment', part })).toBe(name),
)
