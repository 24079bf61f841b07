import { query } from '#lib/query.ts'
import { SECURITY } from '#lib/security.ts'
import { rpc } from '#lib/supabase.ts'

/** Where the signed-in person is signed in, the device used last first. */
export const sessionsQuery = query({
  key: [...SECURITY, 'sessions'],
  load: (signal) => rpc('my_sessions', {}, signal),
})

export type SignedInDevice = Awaited<ReturnType<NonNullable<typeof sessionsQuery.queryFn>>>[number]
