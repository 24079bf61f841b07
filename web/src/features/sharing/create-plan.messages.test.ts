import { describe, expect, it } from 'vitest'
import { AppError, SIGNED_OUT } from '#lib/errors.ts'
import { createFailure, SESSION_UNKNOWN } from './create-plan.messages.ts'

describe('a creation that failed', () => {
  it.each([
    [SIGNED_OUT, 'Authentication Required', 'sign-out'],
    ['PGRST301', 'Session Expired', 'sign-out'],
    ['PGRST302', 'Session Expired', 'sign-out'],
    ['PGRST303', 'Session Expired', 'sign-out'],
    ['PT401', 'Session Expired', 'sign-out'],
    [SESSION_UNKNOWN, 'Authentication Error', 'stay'],
  ])('with code %s is titled "%s" and leads to: %s', (code, title, next) => {
    expect(createFailure(new AppError(code, 'A reason.'))).toMatchObject({ title, next })
  })

  it('that meets a plan of the same provider leads to that one', () => {
    expect(createFailure(new AppError('23505', 'A reason.'))).toMatchObject({
      title: 'Duplicate Subscription',
      next: 'existing-plan',
    })
  })

  it.each([
    ['42501', 'Permission Error', 'sign-out'],
    ['23514', 'Validation Error', 'stay'],
    ['XX000', 'Error Creating Subscription', 'stay'],
    ['offline', 'Error Creating Subscription', 'stay'],
    ['aborted', 'Error Creating Subscription', 'stay'],
    ['unknown', 'Error Creating Subscription', 'stay'],
  ])('with code %s is titled "%s" and leads to: %s', (code, title, next) => {
    expect(createFailure(new AppError(code, 'A reason.'))).toMatchObject({ title, next })
  })

  it('says that a provider is shared once only, and repeats what a broken rule says', () => {
    expect(createFailure(new AppError('23505', 'duplicate key')).text).toBe(
      'Each user can only share one plan per service provider.',
    )
    expect(createFailure(new AppError('23514', 'Renewal date cannot be in the past.')).text).toBe(
      'Renewal date cannot be in the past.',
    )
  })
})
