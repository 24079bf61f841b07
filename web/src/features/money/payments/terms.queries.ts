import type { Settlement } from '#domain/plan.ts'
import { unwrap } from '#lib/errors.ts'
import { query } from '#lib/query.ts'
import { read } from '#lib/supabase.ts'
import { seatKeys } from './seats.queries.ts'

/** Terms that a member has been asked to agree to. */
export interface Proposal {
  id: string
  seatId: string
  settlement: Settlement
  /** In EUR for one billing cycle, the fee not included. */
  memberPrice: number
  /** ISO timestamp. */
  proposedAt: string
  /** Null while there is no answer. */
  accepted: boolean | null
}

/** What has been proposed about places in a plan, latest first: all of it to its owner, what they were asked to a member. */
export const proposalsQuery = (planId: string) =>
  query({
    key: seatKeys.proposals(planId),
    load: async (signal): Promise<Proposal[]> => {
      const wanted = read('term_proposals')
        .select('id, seat_id, settlement, share, proposed_at, accepted')
        .eq('subscription_id', planId)
      const rows = unwrap(await wanted.order('proposed_at', { ascending: false }).abortSignal(signal))
      return rows.map(({ id, seat_id, settlement, share, proposed_at, accepted }) => ({
        id,
        seatId: seat_id,
        settlement,
        memberPrice: share,
        proposedAt: proposed_at,
        accepted,
      }))
    },
  })
