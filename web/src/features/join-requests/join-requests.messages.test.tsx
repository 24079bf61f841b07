import { expect, it } from 'vitest'
import { AppError } from '#lib/errors.ts'
import { toastsOf } from '../../../test/toasts.ts'
import { joinRequestToasts } from './join-requests.messages.ts'

const tooMany = new AppError('PT429', 'Rate limit exceeded. Please wait 2 seconds.')
const broken = new AppError('XX000', 'The database is tired.')

it.each([
  [
    'an approval that failed',
    () => joinRequestToasts.approveFailed(broken),
    'error: Failed to approve request / The database is tired.',
  ],
  [
    'a rejection that failed',
    () => joinRequestToasts.rejectFailed(broken),
    'error: Failed to reject request / The database is tired.',
  ],
  [
    'an answer too many',
    () => joinRequestToasts.rejectFailed(tooMany),
    `warning: Too Many Requests / ${tooMany.message}`,
  ],
  [
    'a list that failed',
    () => joinRequestToasts.listFailed(broken),
    'error: Error Loading Requests / Failed to fetch pending requests',
  ],
  [
    'a list asked for too often',
    () => joinRequestToasts.listFailed(tooMany),
    `warning: Too Many Requests / ${tooMany.message}`,
  ],
  ['a list given up', () => joinRequestToasts.listFailed(new AppError('aborted', '')), undefined],
  [
    'a refresh too early',
    () => joinRequestToasts.tooEarly(3),
    'warning: Please wait 3 seconds before refreshing.',
  ],
])('%s is told as it should', (_what, tell, expected) => {
  expect(toastsOf(tell)).toEqual(expected ? [expected] : [])
})

it.each([
  [null, true],
  ['true', true],
  ['false', false],
])('counts that failed are told with the flag at %s: %s', (flag, told) => {
  if (flag) window.localStorage.setItem('pending-requests-notifications-enabled', flag)
  expect(toastsOf(joinRequestToasts.countsFailed)).toEqual(
    told ? ['error: Error / Failed to fetch pending requests'] : [],
  )
})
