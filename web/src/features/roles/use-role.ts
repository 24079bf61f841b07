import { useQuery } from '@tanstack/react-query'
import { isAdmin, isStaff, type Role, satisfies } from '#domain/roles.ts'
import { roleQuery } from './roles.queries.ts'

interface Permissions {
  role: Role
  isStaff: boolean
  isAdmin: boolean
  /** Whether the person passes a check for this role, or with null for having none. */
  satisfies: (wanted: Role) => boolean
}

/**
 * What a person's role allows, as private.is_staff() and its kin decide in the database. No role while it is being
 * asked for the first time, and none when asking failed, whatever was known before.
 */
export function useRole(userId: string): Permissions {
  const { data = null, isError } = useQuery(roleQuery(userId))
  const role = isError ? null : data
  return {
    role,
    isStaff: isStaff(role),
    isAdmin: isAdmin(role),
    satisfies: (wanted) => satisfies(role, wanted),
  }
}
