import { useQuery } from '@tanstack/react-query'
import { type Permission, type Role, satisfies } from '#domain/roles.ts'
import { NO_ROLE, roleQuery } from './roles.queries.ts'

interface Held {
  role: Role
  /** A role that allows anything opens the administration, even if that first asks for a second factor. */
  isStaff: boolean
  /** The role opens nothing until the person shows a second factor. */
  isShut: boolean
  may: May
  /** Whether the person passes a check for this role; null stands for having none. */
  satisfies: (wanted: Role) => boolean
}

export type May = (permission: Permission) => boolean

/**
 * What a person's role allows, as private.may() decides in the database. Nobody has a role while it first loads, nor
 * after loading it failed, whatever was known before.
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
