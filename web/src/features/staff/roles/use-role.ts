import { useQuery } from '@tanstack/react-query'
import { type Permission, type Role, satisfies } from '#domain/roles.ts'
import { NO_ROLE, roleQuery } from './roles.queries.ts'

interface Held {
  role: Role
  /** A role that allows anything opens the administration, also where it first says what is missing. */
  isStaff: boolean
  /** It opens nothing until the person shows a second factor. */
  isShut: boolean
  may: May
  /** Whether the person passes a check for this role, or with null for having none. */
  satisfies: (wanted: Role) => boolean
}

export type May = (permission: Permission) => boolean

/**
 * What a person's role allows, as private.may() decides in the database. No role while it is being asked for the first
 * time, and none when asking failed, whatever was known before.
 */
export function useRole(userId: string): Held {
  const { data = NO_ROLE, isError } = useQuery(roleQuery(userId))
  const { role, permissions, isShut } = isError ? NO_ROLE : data
  return {
    role,
    isStaff: isShut || permissions.length > 0,
    isShut,
    may: (permission) => permissions.includes(permission),
    satisfies: (wanted) => satisfies(role, wanted),
  }
}
