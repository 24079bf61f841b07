import { useQuery } from '@tanstack/react-query'
import { type Permission, type Role, satisfies } from '#domain/roles.ts'
import { isBehindFactor, NO_ROLE, roleQuery } from './roles.queries.ts'

interface Held {
  role: Role
  /** True if the role allows anything, even if the administration first asks for a second factor. */
  isStaff: boolean
  /** True if the role allows nothing until the person shows a second factor. */
  isShut: boolean
  may: May
  /** True if the person passes a check for this role; null means no role. */
  satisfies: (wanted: Role) => boolean
}

export type May = (permission: Permission) => boolean

/**
 * A person's role and permissions, by the same rules as private.may() in the database. Returns no role while the role
 * first loads and after a failure to load it, even if the role was known before. A load that the second factor has just
 * overtaken is no failure.
 */
export function useRole(userId: string): Held {
  const { data = NO_ROLE, error } = useQuery(roleQuery(userId))
  const { role, permissions, isShut } = error && !isBehindFactor(error) ? NO_ROLE : data
  return {
    role,
    isStaff: isShut || permissions.length > 0,
    isShut,
    may: (permission) => permissions.includes(permission),
    satisfies: (wanted) => satisfies(role, wanted),
  }
}
