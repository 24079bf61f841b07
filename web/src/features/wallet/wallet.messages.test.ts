import { expect, it } from 'vitest'
import { AppError } from '#lib/errors.ts'
import { notAuthenticated, notValid, withdrawalFailure } from './wallet.messages.ts'

it.each([
  [notValid('Minimum withdrawal amount is 20 coins'), 'Minimum withdrawal amount is 20 coins'],
  [notValid(null), 'Validation failed'],
  [notValid(''), 'Validation failed'],
  [notValid({}), 'Validation failed'],
  [notAuthenticated(), 'User not authenticated'],
  [new AppError('42501', 'permission denied', { status: 401 }), 'User not authenticated'],
  [new AppError('PGRST301', 'JWT expired', { status: 401 }), 'User not authenticated'],
  [new AppError('offline', 'Failed to fetch'), 'Failed to process withdrawal'],
  [new AppError('XX000', 'out of memory', { status: 500 }), 'Failed to process withdrawal'],
])('a withdrawal that fails with %s is told as "%s"', (problem, told) => {
  expect(withdrawalFailure(problem)).toBe(told)
})
