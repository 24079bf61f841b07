// Proves ADMIN 12 13
import { expect, it } from 'vitest'
import { quickActions } from './quick-actions.ts'

it('is full access where the role allows all that is behind it', () => {
  const limited = (...allowed: string[]) =>
    quickActions((permission) => allowed.includes(permission)).flatMap(({ title, limited: part }) =>
      part ? [title] : [],
    )
  expect(limited('users.view', 'roles.manage', 'subscriptions.approve')).toEqual([])
  expect(limited('users.view', 'subscriptions.approve')).toEqual(['User Management'])
  expect(limited()).toEqual(['User Management', 'Subscription Moderation'])
})
