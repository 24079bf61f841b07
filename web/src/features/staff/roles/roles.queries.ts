import type { Role } from '#domain/roles.ts'
import { camel, type RowOf, type TableRow } from '#lib/camel.ts'
import { toAppError, unwrap } from '#lib/errors.ts'
import { query } from '#lib/query.ts'
import { read, rpc } from '#lib/supabase.ts'

export const roleKeys = {
  all: ['roles'],
  system: ['roles', 'system'],
  of: (userId: string) => ['roles', userId],
} as const

interface OwnRole {
  role: Role
  permissions: readonly string[]
  /** True if the site requires a second factor of staff and this session lacks it, so that the role allows nothing. */
  isShut: boolean
}
type Cached = { state: { data?: OwnRole | undefined } }
export const NO_ROLE: OwnRole = { role: null, permissions: [], isShut: false }

/** A person's own role and its permissions. use-role.ts decides what a failure means. */
export const roleQuery = (userId: string) =>
  query({
    key: roleKeys.of(userId),
    // The role is loaded again each time while a second factor is missing, so that a person who has just set it up gets
    // in immediately.
    staleTime: ({ state }: Cached) => (state.data?.isShut ? 0 : 5 * 60_000),
    // No event is sent when the site starts to require a second factor.
    refetchInterval: ({ state }: Cached) => (state.data?.role ? 60_000 : false),
    load: async (signal): Promise<OwnRole> => {
      const asked = read('user_roles').select('role, allows:system_roles(permissions)').eq('user_id', userId)
      const held = unwrap(await asked.abortSignal(signal).maybeSingle())
      if (!held) return NO_ROLE
      const isShut = await rpc('role_is_shut', {}, signal)
      return { role: held.role, permissions: isShut ? [] : held.allows.permissions, isShut }
    },
  })

/**
 * True for the refusal of a session that has not used the account's second factor. A person who is still signed in has
 * just added that factor: the load was sent before, and is repeated once this tab has the raised session.
 */
export const isBehindFactor = (problem: unknown) => toAppError(problem).refusal === 'second_factor_required'

/** A permission of a role, such as "users.view". */
export type Permission = Pick<TableRow<'system_permissions'>, 'id' | 'name' | 'description'>

/** A role with its permissions' names and the number of people who have it. */
export type SystemRole = RowOf<'list_system_roles'>

/** All roles, built-in ones first, and all permissions. For staff who edit people or manage roles. */
export const systemRolesQuery = query({
  key: roleKeys.system,
  load: async (signal): Promise<{ roles: SystemRole[]; permissions: Permission[] }> => {
    const all = read('system_permissions').select('id, name, description').order('id').abortSignal(signal)
    const [roles, permissions] = await Promise.all([rpc('list_system_roles', {}, signal), all])
    return { roles: roles.map(camel<SystemRole>), permissions: unwrap(permissions) }
  },
})
