import { query } from '#lib/query.ts'
import { rpc } from '#lib/supabase.ts'

export const waitingListKeys = {
  all: ['waiting-lists'],
  of: (userId: string) => ['waiting-lists', userId],
} as const

/** A full plan that a person waits for. */
export interface WaitingPlace {
  planId: string
  provider: string
  name: string
  /** 1 is next. */
  position: number
  /** ISO timestamp until which a free place is kept for them; null while there is none. */
  offeredUntil: string | null
}

/** Where a person waits, longest first. */
export const waitingListsQuery = (userId: string) =>
  query({
    key: waitingListKeys.of(userId),
    seen: true,
    load: async (signal): Promise<WaitingPlace[]> => {
      const rows = await rpc('my_waiting_lists', {}, signal)
      return rows.map(
        ({ subscription_id: planId, offered_until: offeredUntil, provider, name, position }) => ({
          planId,
          provider,
          name,
          position,
          offeredUntil,
        }),
      )
    },
  })
