/** A staff role's name, or null for no role. Other names than the three are possible. */
export type Role = string | null

/** The roles the database goes by. One of another name allows nothing. */
export const BUILT_IN_ROLES = ['moderator', 'admin', 'super-admin'] as const

export const isBuiltIn = (role: string) => BUILT_IN_ROLES.some((name) => name === role)

export const isSuperAdmin = (role: Role) => role === 'super-admin'
export const isAdmin = (role: Role) => role === 'admin' || isSuperAdmin(role)

/** Who may enter the administration area. */
export const isStaff = (role: Role) => isAdmin(role) || role === 'moderator'

/** A super-admin passes every check but the one for having no role. */
export function satisfies(role: Role, wanted: Role): boolean {
  if (wanted === null) return role === null
  return role === wanted || role === 'super-admin'
}
