import { t } from '@lingui/core/macro'
import { unwrap } from '#lib/errors.ts'
import { query } from '#lib/query.ts'
import { read } from '#lib/supabase.ts'

/** A person blocked by the signed-in person. */
export interface BlockedPerson {
  userId: string
  name: string
  /** ISO timestamp. */
  blockedAt: string
}

/** The people the signed-in person has blocked, latest first. */
export const blockedQuery = query({
  key: ['blocks'],
  staleTime: 60_000,
  load: async (signal): Promise<BlockedPerson[]> => {
    const wanted = read('blocked_people')
      .select('userId:blocked_id, blockedAt:blocked_at, name')
      .order('blocked_at', { ascending: false })
    return unwrap(await wanted.abortSignal(signal)).map(({ name, ...blocked }) => ({
      ...blocked,
      name: name || t`Someone`,
    }))
  },
})
