import { expect, it } from 'vitest'
import { AppError } from '#lib/errors.ts'
import { decisionFailure } from './payouts.messages.ts'

it.each([
  [
    new AppError('23514', 'A completed withdrawal cannot become completed'),
    'A completed withdrawal cannot become completed',
  ],
  [new AppError('XX000', ''), 'Failed to update withdrawal'],
  [
    new AppError('offline', 'TypeError: Failed to fetch'),
    'The connection seems to be down. Check it, then try again.',
  ],
])('a decision that fails with %s is told as "%s"', (problem, told) => {
  expect(decisionFailure(problem)).toBe(told)
})
