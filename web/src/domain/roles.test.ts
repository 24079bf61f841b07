import { expect, it } from 'vitest'
import { isAdmin, isStaff, satisfies } from './roles.ts'

it.each([
  ['super-admin', true],
  ['admin', true],
  ['moderator', false],
  ['editor', false],
  [null, false],
])('ROLE-02 counts %s as admin: %s', (role, verdict) => {
  expect(isAdmin(role)).toBe(verdict)
})

it.each([
  ['super-admin', true],
  ['admin', true],
  ['moderator', true],
  ['editor', false],
  [null, false],
])('NAV-06 lets %s see the administration entry: %s', (role, verdict) => {
  expect(isStaff(role)).toBe(verdict)
})

it.each([
  ['super-admin', 'moderator', true],
  ['super-admin', 'anything', true],
  ['admin', 'moderator', false],
  ['admin', 'admin', true],
  [null, 'admin', false],
])('ROLE-03 says whether %s satisfies %s: %s', (role, wanted, verdict) => {
  expect(satisfies(role, wanted)).toBe(verdict)
})

it.each([
  [null, true],
  ['moderator', false],
  ['super-admin', false],
])('ROLE-04 says whether %s has no role: %s', (role, verdict) => {
  expect(satisfies(role, null)).toBe(verdict)
})
