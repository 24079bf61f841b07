import { expect, it } from 'vitest'
import { AppError } from '#lib/errors.ts'
import { adjustmentFailure } from './treasury.messages.ts'

it.each([
  [new AppError('23514', 'The balance cannot go below zero'), 'The balance cannot go below zero'],
  [new AppError('XX000', ''), 'Failed to adjust wallet'],
  [
    new AppError('offline', 'TypeError: Failed to fetch'),
    'The connection seems to be down. Check it, then try again.',
  ],
])('an adjustment that fails with %s is told as "%s"', (problem, told) => {
  expect(adjustmentFailure(problem)).toBe(told)
})
