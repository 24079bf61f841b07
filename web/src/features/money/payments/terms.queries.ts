import { camel, type TableRow } from '#lib/camel.ts'
import { unwrap } from '#lib/errors.ts'
import { query } from '#lib/query.ts'
import { read } from '#lib/supabase.ts'
import { seatKeys } from './seats.queries.ts'

type Stored = Pick<TableRow<'term_proposals'>, 'id' | 'seatId' | 'settlement' | 'proposedAt' | 'accepted'>

/** Terms a member has been asked to accept; `accepted` is null until they answer. */
export interface Proposal extends Stored {
  /** In EUR for one billing cycle, without the fee. */
  memberPrice: number
}

/** The proposals for places in a plan, latest first: all for the owner, their own for a member. */
export const proposalsQuery = (planId: string) =>
  query({
    key: seatKeys.proposals(planId),
    load: async (signal): Promise<Proposal[]> => {
      const wanted = read('term_proposals')
        .select('id, seat_id, settlement, share, proposed_at, accepted')
        .eq('subscription_id', planId)
      const rows = unwrap(await wanted.order('proposed_at', { ascending: false }).abortSignal(signal))
      return rows.map(({ share: memberPrice, ...row }) => ({
        ...camel<Stored>(row),
        memberPrice,
      }))
    },
  })
