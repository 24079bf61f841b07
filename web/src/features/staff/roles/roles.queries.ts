import type { Role } from '#domain/roles.ts'
import { unwrap } from '#lib/errors.ts'
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
  /** The site asks staff for a second factor, and this session shows none: the role opens nothing. */
  isShut: boolean
}
type Known = { state: { data?: OwnRole | undefined } }
export const NO_ROLE: OwnRole = { role: null, permissions: [], isShut: false }

/** A person's own role and what it allows. Fails when it could not be asked: use-role.ts says what that means. */
export const roleQuery = (userId: string) =>
  query({
    key: roleKeys.of(userId),
    // Whoever has just set up what was missing is let in at once.
    staleTime: ({ state }: Known) => (state.data?.isShut ? 0 : 5 * 60_000),
    // Nothing tells staff that what is asked of them has changed.
    refetchInterval: ({ state }: Known) => (state.data?.role ? 60_000 : false),
    load: async (signal): Promise<OwnRole> => {
      const asked = read('user_roles').select('role, allows:system_roles(permissions)').eq('user_id', userId)
      const held = unwrap(await asked.abortSignal(signal).maybeSingle())
      if (!held) return NO_ROLE
      const isShut = await rpc('role_is_shut', {}, signal)
      return { role: held.role, permissions: isShut ? [] : held.allows.permissions, isShut }
    },
  })

/** One of the rights a role can have, such as "users.view". */
export interface Permission {
  id: string
  name: string
  description: string
}

/** A role with the names of its permissions and how many people have it. */
export interface SystemRole {
  id: string
  name: string
  description: string
  usersCount: number
  permissions: string[]
}

/** All roles, the built-in ones first, and all permissions there are. For whoever edits people or manages roles. */
export const systemRolesQuery = query({
  key: roleKeys.system,
  load: async (signal): Promise<{ roles: SystemRole[]; permissions: Permission[] }> => {
    const all = read('system_permissions').select('id, name, description').order('id').abortSignal(signal)
    const [roles, permissions] = await Promise.all([rpc('list_system_roles', {}, signal), all])
    return {
      roles: roles.map(({ users_count, ...role }) => ({ ...role, usersCount: users_count })),
      permissions: unwrap(permissions),
    }
  },
})
