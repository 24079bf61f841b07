import { describe, expect, it } from 'vitest'
import { AppError } from '#lib/errors.ts'
import { sentenceOf } from './access-requests.messages.ts'

describe('a refusal is told in the words of the rule, and anything else is not', () => {
  it.each([
    ['23514', 'Failed to assign admin role', 'Failed to assign admin role'],
    ['23514', 'This request has already been approved', 'This request has already been approved'],
    ['42501', 'Someone else decides about your own request', 'Someone else decides about your own request'],
    ['PT429', 'Rate limit exceeded. Please wait 9 seconds.', 'Rate limit exceeded. Please wait 9 seconds.'],
    [
      'signed_out',
      'You must be logged in to request admin access',
      'You must be logged in to request admin access',
    ],
    [
      '23505',
      'duplicate key value violates unique constraint "admin_role_requests_one_pending_key"',
      'You have already sent a request. It is waiting for an answer.',
    ],
    ['42501', 'permission denied for table admin_role_requests', undefined],
    ['42501', 'new row violates row-level security policy', undefined],
    ['23514', 'new row for relation "admin_role_requests" violates check constraint', undefined],
    ['XX000', 'out of memory', undefined],
    ['offline', 'fetch failed', undefined],
    ['23514', '', undefined],
  ])('%s "%s": %s', (code, message, told) => {
    expect(sentenceOf(new AppError(code, message))).toBe(told)
  })
})
