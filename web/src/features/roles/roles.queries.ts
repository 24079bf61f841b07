import { queryOptions } from '@tanstack/react-query'
import type { Role } from '#domain/roles.ts'
import { unwrap } from '#lib/errors.ts'
import { supabase } from '#lib/supabase.ts'

const roleKeys = { of: (userId: string) => ['roles', userId] } as const

/** A person's own role. Fails when it could not be asked: use-role.ts says what that means. */
export const roleQuery = (userId: string) =>
  queryOptions({
    queryKey: roleKeys.of(userId),
    staleTime: 5 * 60_000,
    queryFn: async ({ signal }): Promise<Role> => {
      const asked = supabase().from('user_roles').select('role').eq('user_id', userId).abortSignal(signal)
      return unwrap(await asked.maybeSingle())?.role ?? null
    },
  })
