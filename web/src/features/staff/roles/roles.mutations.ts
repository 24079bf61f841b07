import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { Role } from '#domain/roles.ts'
import { AppError, unwrap } from '#lib/errors.ts'
import { rpc, supabase } from '#lib/supabase.ts'
import { assignmentToasts, systemRoleToasts } from './roles.messages.ts'
import { roleKeys, type SystemRole } from './roles.queries.ts'

interface Assignment {
  userId: string
  from: Role
  to: Role
}

/** Gives somebody a role or takes it away; for super-admins. Busy until what shows the role is current. */
export function useAssignRole(onSettled: () => Promise<unknown>) {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: ({ userId, to }: Assignment) =>
      rpc('assign_user_role', { p_user_id: userId, p_role: to ?? '' }),
    onSuccess: (_done, change) => assignmentToasts.done(change),
    onError: assignmentToasts.failed,
    onSettled: () => Promise.all([cache.invalidateQueries({ queryKey: roleKeys.all }), onSettled()]),
  })
}

/** A role as it is written: without an id it is a new one. */
export interface RoleDraft extends Pick<SystemRole, 'name' | 'description' | 'permissions'> {
  id?: string
}

/** Creates a role or changes one; for super-admins. */
export function useSaveSystemRole(onSaved: () => void) {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: async ({ id, ...role }: RoleDraft) => {
      const roles = supabase().from('system_roles')
      const saved = id === undefined ? roles.insert(role) : roles.update(role).eq('id', id)
      // What one may not change is not there to be changed, which is no error to the database.
      if (unwrap(await saved.select('id')).length === 0) throw new AppError('not_saved', '')
    },
    onSuccess: async (_done, { id }) => {
      await cache.invalidateQueries({ queryKey: roleKeys.system })
      if (id === undefined) systemRoleToasts.created()
      else systemRoleToasts.updated()
      onSaved()
    },
    onError: systemRoleToasts.refused,
  })
}
