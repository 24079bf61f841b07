import { t } from '@lingui/core/macro'

/** The name of a staff role, or null. Besides the built-in ones, a site may define others. */
export type Role = string | null

/** Permissions of roles, by the names that the database checks (private.may). */
export type Permission =
  | 'users.view'
  | 'users.edit'
  | 'subscriptions.view'
  | 'subscriptions.approve'
  | 'subscriptions.delete'
  | 'roles.manage'
  | 'settings.edit'

const NAMES: Record<string, string> = {
  moderator: t`Moderator`,
  admin: t`Admin`,
  'super-admin': t`Super-admin`,
}

/** The roles that come with the site; others can be defined. */
export const BUILT_IN_ROLES = Object.keys(NAMES)

export const roleName = (role: string): string => NAMES[role] ?? role

/** True if a role passes a check. A super-admin passes every check except the one for people without a role. */
export function satisfies(role: Role, wanted: Role): boolean {
  if (wanted === null) return role === null
  return role === wanted || role === 'super-admin'
}
