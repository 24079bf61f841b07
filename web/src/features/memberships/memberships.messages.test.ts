import { notifications } from '@mantine/notifications'
import { afterEach, expect, it, vi } from 'vitest'
import { membershipToasts } from './memberships.messages.ts'

afterEach(() => notifications.clean())

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
