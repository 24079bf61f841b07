import { queryOptions } from '@tanstack/react-query'
import { isStaff, type Role } from '#domain/roles.ts'
import { unwrap } from '#lib/errors.ts'
import { supabase } from '#lib/supabase.ts'

const roleKeys = { of: (userId: string) => ['roles', userId] } as const

/** A person's own role. A look-up that fails means no role, whoever asks (ROLE-05). */
const roleQuery = (userId: string) =>
  queryOptions({
    queryKey: roleKeys.of(userId),
    staleTime: 5 * 60_000,
    queryFn: async ({ signal }): Promise<Role> => {
      const asked = supabase().from('user_roles').select('role').eq('user_id', userId).abortSignal(signal)
      return unwrap(await asked.maybeSingle())?.role ?? null
    },
  })

/** Whether the administration area is open to this person (NAV-06). */
export const isStaffQuery = (userId: string) => queryOptions({ ...roleQuery(userId), select: isStaff })
