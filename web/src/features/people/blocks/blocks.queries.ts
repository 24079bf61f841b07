import { unwrap } from '#lib/errors.ts'
import { query } from '#lib/query.ts'
import { read } from '#lib/supabase.ts'

/** Somebody the signed-in person has blocked. */
export interface BlockedPerson {
  userId: string
  name: string
  avatarUrl: string | null
  /** ISO timestamp. */
  blockedAt: string
}

/** The people the signed-in person has blocked, the latest first. */
export const blockedQuery = query({
  key: ['blocks'],
  staleTime: 60_000,
  load: async (signal): Promise<BlockedPerson[]> => {
    const wanted = read('blocked_people')
      .select(
        'userId:blocked_id, blockedAt:blocked_at, profile:user_profiles!blocked_people_blocked_id_fkey(display_name, avatar_url)',
      )
      .order('blocked_at', { ascending: false })
    return unwrap(await wanted.abortSignal(signal)).map(({ profile, ...blocked }) => ({
      ...blocked,
      name: profile.display_name || 'New member',
      avatarUrl: profile.avatar_url,
    }))
  },
})
