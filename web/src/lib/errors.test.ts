// Proves ERR 48 50
import { describe, expect, it } from 'vitest'
import { AppError, answerOf, refusalOf } from './errors.ts'

describe('a refusal is told in the words of the rule, and anything else is not', () => {
  it.each([
    ['23514', 'This request has already been approved', true],
    ['42501', 'Someone else decides on your own request', true],
    ['PT429', 'Rate limit exceeded. Please wait 9 seconds.', true],
    ['PT404', 'Subscription not found', true],
    ['23505', 'Already a Member', true],
    ['signed_out', 'You must be logged in to request admin access', true],
    ['23505', 'duplicate key value violates unique constraint "admin_role_requests_one_pending_key"', false],
    ['42501', 'permission denied for table admin_role_requests', false],
    ['42501', 'new row violates row-level security policy', false],
    ['XX000', 'out of memory', false],
    ['offline', 'fetch failed', false],
    ['23514', '', false],
  ])('%s "%s": %s', (code, message, told) => {
    expect(refusalOf(new AppError(code, message))).toBe(told ? message : undefined)
  })
})

it.each([
  ['23514', 'The balance cannot go below zero', 'The balance cannot go below zero'],
  ['XX000', '', 'Failed to adjust wallet'],
  ['offline', 'Failed to fetch', 'You seem to be offline. Check your connection and try again.'],
])('what fails with %s "%s" is answered by "%s"', (code, message, told) => {
  expect(answerOf(new AppError(code, message), 'Failed to adjust wallet')).toBe(told)
})
