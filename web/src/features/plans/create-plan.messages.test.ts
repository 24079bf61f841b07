import { describe, expect, it } from 'vitest'
import { AppError } from '#lib/errors.ts'
import { createFailure, SESSION_UNKNOWN, SIGNED_OUT } from './create-plan.messages.ts'

describe('a creation that failed', () => {
  it.each([
    ['ERR-40', SIGNED_OUT, 'Authentication Required', 'sign-in'],
    ['ERR-40', 'PGRST303', 'Session Expired', 'sign-out'],
    ['ERR-40', SESSION_UNKNOWN, 'Authentication Error', 'stay'],
    ['ERR-41', '23505', 'Duplicate Subscription', 'existing-plan'],
    ['ERR-42', '42501', 'Permission Error', 'sign-out'],
    ['ERR-42', '23514', 'Validation Error', 'stay'],
    ['ERR-42', 'XX000', 'Error Creating Subscription', 'stay'],
    ['ERR-42', 'offline', 'Error Creating Subscription', 'stay'],
    ['ERR-31', 'PT429', 'Too Many Requests', 'stay'],
  ])('%s with code %s is titled "%s" and leads to: %s', (_id, code, title, next) => {
    expect(createFailure(new AppError(code, 'A reason.'))).toMatchObject({ title, next })
  })

  it('VALID-12 says that a provider is shared once only, and repeats what a broken rule says', () => {
    expect(createFailure(new AppError('23505', 'duplicate key')).text).toBe(
      'Each user can only share one plan per service provider.',
    )
    expect(createFailure(new AppError('23514', 'Renewal date cannot be in the past.')).text).toBe(
      'Renewal date cannot be in the past.',
    )
  })
})
