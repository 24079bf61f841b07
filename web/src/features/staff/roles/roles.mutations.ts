import type { QueryKey } from '@tanstack/react-query'
import type { Role } from '#domain/roles.ts'
import { useChange } from '#lib/change.ts'
import { AppError, unwrap } from '#lib/errors.ts'
import { rpc, supabase } from '#lib/supabase.ts'
import { assignmentToasts, systemRoleToasts } from './roles.messages.ts'
import { roleKeys, type SystemRole } from './roles.queries.ts'

interface Assignment {
  userId: string
  from: Role
  to: Role
}

/**
 * Assigns or removes a person's role. For super-admins. The mutation is pending until the queries that show the role
 * are reloaded.
 */
export const useAssignRole = (stale: QueryKey) =>
  useChange({
    run: ({ userId, to }: Assignment) => rpc('assign_user_role', { p_user_id: userId, p_role: to ?? '' }),
    stale: [roleKeys.all, stale],
    done: (_done, change) => assignmentToasts.done(change),
    failed: assignmentToasts.failed,
  })

/** A role to save; without an id, a new one. */
export interface RoleDraft extends Pick<SystemRole, 'name' | 'description' | 'permissions' | 'builtIn'> {
  id?: string
}

/** Creates or updates a role. For super-admins. */
export const useSaveSystemRole = (onSaved: () => void) =>
  useChange({
    run: async ({ id, builtIn: _fixed, ...role }: RoleDraft) => {
      const roles = supabase().from('system_roles')
      const saved = id === undefined ? roles.insert(role) : roles.update(role).eq('id', id)
      // Row-level security hides a role that may not be changed, so the database reports no error.
      if (unwrap(await saved.select('id')).length === 0) throw new AppError('not_saved', '')
    },
    fresh: [roleKeys.system],
    done: (_done, { id }) => {
      if (id === undefined) systemRoleToasts.created()
      else systemRoleToasts.updated()
      onSaved()
    },
    failed: systemRoleToasts.refused,
  })
