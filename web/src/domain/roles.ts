import { t } from '@lingui/core/macro'

/** A staff role's name, or null for no role. There may be others than the three built-in ones. */
export type Role = string | null

/** What a role can allow, by the names that the database checks (private.may). */
export type Permission =
  | 'users.view'
  | 'users.edit'
  | 'subscriptions.view'
  | 'subscriptions.approve'
  | 'subscriptions.delete'
  | 'roles.manage'
  | 'settings.edit'

/** The roles that come with the site; others can be defined. */
export const BUILT_IN_ROLES = ['moderator', 'admin', 'super-admin'] as const

const NAMES: Record<string, string> = {
  moderator: t`Moderator`,
  admin: t`Admin`,
  'super-admin': t`Super-admin`,
}

/** What people call a role. */
export const roleName = (role: string): string => NAMES[role] ?? role

export const isBuiltIn = (role: string) => BUILT_IN_ROLES.some((name) => name === role)

/** A super-admin passes every check except the one for having no role. */
export function satisfies(role: Role, wanted: Role): boolean {
  if (wanted === null) return role === null
  return role === wanted || role === 'super-admin'
}
