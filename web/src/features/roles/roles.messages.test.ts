import { expect, it } from 'vitest'
import { AppError } from '#lib/errors.ts'
import { toastsOf } from '../../../test/toasts.ts'
import { assignmentToasts, systemRoleToasts } from './roles.messages.ts'

const offline = new AppError('offline', 'fetch failed')
const last = new AppError('23514', 'The last super-admin cannot be removed')
const taken = new AppError('23505', 'duplicate key value violates unique constraint')

it.each([
  [null, 'moderator', 'success: Role Assigned / User has been assigned the moderator role'],
  ['moderator', 'admin', 'success: Role Updated / User has been assigned the admin role'],
  ['admin', 'super-admin', 'success: Role Updated / User has been assigned the super-admin role'],
  ['super-admin', null, 'success: Role Removed / User role has been successfully removed'],
])('a role that was %s and is now %s is told as "%s"', (from, to, told) => {
  expect(toastsOf(() => assignmentToasts.done({ from, to }))).toEqual([told])
})

it.each([
  [null, 'admin', offline, 'error: Error / Failed to assign user role'],
  ['moderator', null, offline, 'error: Error / Failed to remove user role'],
  ['moderator', 'admin', offline, 'error: Update Failed / Failed to update user role'],
  ['super-admin', null, last, 'error: Update Failed / The last super-admin cannot be removed'],
])('a role that stays %s instead of %s after %s is told as "%s"', (from, to, problem, told) => {
  expect(toastsOf(() => assignmentToasts.failed(problem, { from, to }))).toEqual([told])
})

it.each([
  [taken, 'error: Error / There is already a role with this name'],
  [last, 'error: Error / The last super-admin cannot be removed'],
  [offline, 'error: Error / The role could not be saved. Please try again.'],
])('a role not saved because of %s is told as "%s"', (problem, told) => {
  expect(toastsOf(() => systemRoleToasts.refused(problem))).toEqual([told])
})
