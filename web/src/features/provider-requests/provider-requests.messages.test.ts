import { expect, it } from 'vitest'
import { AppError } from '#lib/errors.ts'
import { requestFailure } from './provider-requests.messages.ts'

const INVALID = 'Invalid data format. Please check your inputs and try again.'
const NETWORK = 'Network error. Please check your connection and try again.'
const OTHER = 'Failed to submit provider request. Please try again.'

it.each([
  [
    '23514',
    'new row for relation "provider_requests" violates check constraint "status"',
    INVALID,
    undefined,
  ],
  ['42501', 'new row Violates row-level security policy', INVALID, undefined],
  ['XX000', 'The network is unreachable', NETWORK, undefined],
  ['unknown', 'NetworkError when attempting to fetch resource.', NETWORK, undefined],
  ['offline', 'TypeError: Failed to fetch', NETWORK, undefined],
  ['XX000', 'out of memory', OTHER, undefined],
  ['unknown', '', OTHER, undefined],
  ['23514', 'Please enter a valid URL', OTHER, 'Please enter a valid URL'],
  [
    'PT429',
    'Rate limit exceeded. Please wait 9 seconds.',
    OTHER,
    'Rate limit exceeded. Please wait 9 seconds.',
  ],
])('a failure %s "%s" is told as "%s" (%s)', (code, message, title, reason) => {
  expect(requestFailure(new AppError(code, message))).toEqual({ title, reason })
})
