import { query } from '#lib/query.ts'
import { rpc } from '#lib/supabase.ts'

export const precedenceKeys = { of: (userId: string) => ['precedence', userId] } as const

/** A place somebody lost through no fault of their own, which puts them first in the waiting lists of plans like it. */
export interface Precedence {
  seatId: string
  planId: string
  cataloguePlanId: string
  provider: string
  name: string
  ownerId: string
  /** ISO timestamp. */
  until: string
}

/** Where a person comes first, the newest first; nothing for most people at most times. */
export const precedenceQuery = (userId: string) =>
  query({
    key: precedenceKeys.of(userId),
    seen: true,
    load: async (signal): Promise<Precedence[]> => {
      const rows = await rpc('my_precedence', {}, signal)
      return rows.map((row) => ({
        seatId: row.seat_id,
        planId: row.subscription_id,
        cataloguePlanId: row.catalogue_plan_id,
        provider: row.provider,
        name: row.plan_name,
        ownerId: row.owner_id,
        until: row.until,
      }))
    },
  })
