import { notifications } from '@mantine/notifications'
import { afterEach, expect, it, vi } from 'vitest'
import { AppError } from '#lib/errors.ts'
import { toastsOf } from '../../../test/toasts.ts'
import { membershipToasts } from './memberships.messages.ts'

afterEach(() => {
  vi.restoreAllMocks()
  notifications.clean()
})

it('tells of a bad connection at most once in 60 seconds', () => {
  const shown = vi.spyOn(notifications, 'show')
  const start = Date.parse('2026-11-21T12:00:00Z')
  membershipToasts.connectionIssue(start)
  expect(shown).toHaveBeenCalledExactlyOnceWith(
    expect.objectContaining({
      title: 'Connection Issue',
      message: 'Some subscription details may not be up to date. Please refresh if needed.',
    }),
  )
  membershipToasts.connectionIssue(start + 59_999)
  expect(shown).toHaveBeenCalledTimes(1)
  membershipToasts.connectionIssue(start + 60_000)
  expect(shown).toHaveBeenCalledTimes(2)
})

const offline = new AppError('offline', 'fetch failed')

it.each([
  ['signed_out', '', 'error: You must be logged in to remove members'],
  ['42501', 'no', 'error: Permission Denied / Only the subscription owner can remove members'],
  ['PT429', 'Please wait 9 seconds.', 'warning: Too Many Requests / Please wait 9 seconds.'],
  [
    'offline',
    'fetch failed',
    'error: Failed to remove member. Please try again. / Could not remove Marc: no answer from the server',
  ],
  ['XX000', 'the disk is full', 'error: Failed to remove member: the disk is full'],
  ['XX000', '', 'error: Failed to remove member: Marc'],
])('a removal that failed with %s "%s" is told as: %s', (code, message, toast) => {
  expect(toastsOf(() => membershipToasts.removeFailed(new AppError(code, message), 'Marc'))).toEqual([toast])
})

it.each([
  [new AppError('P0001', 'Your last payment is open'), 'Your last payment is open'],
  [new AppError('P0001', ''), 'Failed to leave subscription'],
  [offline, 'Failed to leave subscription'],
])('leaving that failed with %o says "%s"', (problem, text) => {
  expect(toastsOf(() => membershipToasts.leaveFailed(problem))).toEqual([`error: ${text}`])
})
