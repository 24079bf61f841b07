// Proves DATA 23, ERR 16 30-32
import { expect, it, vi } from 'vitest'
import { joinRequestToasts } from '#features/joining/join-requests/join-requests.messages.ts'
import { toastsOf } from '../../test/toasts.ts'
import { local, perTab, read, storageKeys, write } from './storage.ts'

it('keeps what it keeps under the names that are agreed on', () => {
  expect(storageKeys).toMatchObject({
    redirectAfterLogin: 'redirectAfterLogin',
    devAuthActive: 'dev_auth_active',
    cancelledRequests: 'cancelled-requests',
    processedGlobalRequests: 'processed-global-requests',
    notificationsEnabled: 'notifications-enabled',
    pendingRequestsNotificationsEnabled: 'pending-requests-notifications-enabled',
  })
})

it('keeps a value for the tab or for the browser, and forgets it', () => {
  write(local, 'colour', 'clay')
  expect(window.localStorage.getItem('colour')).toBe('clay')
  expect(read(local, 'colour')).toBe('clay')
  expect(read(perTab, 'colour')).toBeNull()
  write(perTab, 'colour', 'herb')
  expect(window.sessionStorage.getItem('colour')).toBe('herb')
  write(local, 'colour', null)
  expect(window.localStorage.getItem('colour')).toBeNull()
})

it('remembers nothing, and breaks nothing, where storage is switched off', () => {
  const off = vi.fn(() => {
    throw new DOMException('denied', 'SecurityError')
  })
  expect(read(off, 'colour')).toBeNull()
  expect(() => write(off, 'colour', 'clay')).not.toThrow()
  expect(off).toHaveBeenCalledTimes(2)
})

it.each([
  [null, ['error: Error / Failed to fetch pending requests']],
  ['true', ['error: Error / Failed to fetch pending requests']],
  ['false', []],
])('counts of requests that failed are told with their flag at %s: %j', (flag, told) => {
  write(local, storageKeys.pendingRequestsNotificationsEnabled, flag)
  expect(toastsOf(joinRequestToasts.countsFailed)).toEqual(told)
})
