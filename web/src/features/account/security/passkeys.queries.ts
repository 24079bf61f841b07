import { query } from '#lib/query.ts'
import { SECURITY } from '#lib/security.ts'
import { supabase } from '#lib/supabase.ts'
import { answered } from './auth-answer.ts'

/** The signed-in person's passkeys, oldest first. */
export const passkeysQuery = query({
  key: [...SECURITY, 'passkeys'],
  load: () => answered(supabase().auth.passkey.list()),
})

export type Passkey = Awaited<ReturnType<NonNullable<typeof passkeysQuery.queryFn>>>[number]
