import { describe, expect, it } from 'vitest'
import { AppError } from '#lib/errors.ts'
import { joinFailure } from './browse.messages.ts'

describe('a request that was refused', () => {
  it.each([
    ['23514', 'Subscription Full', 'Subscription Full', true],
    ['23514', 'Every open place is kept for somebody', 'Subscription Full', true],
    ['23505', 'Request Already Sent', 'Request Already Sent', true],
    ['23505', 'duplicate key value', 'Request Already Sent', true],
    ['23505', 'Already a Member', 'Already a Member', true],
    ['PT404', 'Subscription not found', 'Request Failed', true],
    ['42501', 'You can only ask for yourself', 'Request Failed', false],
    ['offline', 'fetch failed', 'Request failed', false],
  ])('code %s and "%s" is titled "%s"; final: %s', (code, message, title, final) => {
    expect(joinFailure(new AppError(code, message))).toMatchObject({ title, final })
  })

  it('says that the details are gone, or that something unexpected happened', () => {
    expect(joinFailure(new AppError('PT404', '')).text).toBe("Couldn't fetch subscription details")
    expect(joinFailure(new AppError('offline', '')).text).toBe('An unexpected error occurred')
  })
})
