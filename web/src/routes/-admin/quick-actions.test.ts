import { expect, it } from 'vitest'
import { quickActions } from './quick-actions.ts'

const limitedFor = (title: string) =>
  ['super-admin', 'admin', 'moderator', 'editor', null].map(
    (role) => quickActions(role).find((action) => action.title === title)?.limited,
  )

it('is full access to users for super-admins only', () => {
  expect(limitedFor('User Management')).toEqual([false, true, true, true, true])
})

it('is full access to moderation for the three staff roles', () => {
  expect(limitedFor('Subscription Moderation')).toEqual([false, false, false, true, true])
})
