import { toAppError } from '#lib/errors.ts'
import { query } from '#lib/query.ts'
import { SECURITY } from '#lib/security.ts'
import { supabase } from '#lib/supabase.ts'

/** The signed-in person's passkeys, the oldest first. */
export const passkeysQuery = query({
  key: [...SECURITY, 'passkeys'],
  load: async () => {
    const { data, error } = await supabase().auth.passkey.list()
    if (error) throw toAppError(error)
    return data
  },
})

export type Passkey = Awaited<ReturnType<NonNullable<typeof passkeysQuery.queryFn>>>[number]
