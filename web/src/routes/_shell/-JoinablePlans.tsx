import type { ReactNode } from 'react'
import { isFull } from '#domain/slots.ts'
import { JoinButton } from '#features/joining/join-requests/JoinButton.tsx'
import { mayWait, unrelated } from '#features/joining/join-requests/join-state.ts'
import { RequestToJoin } from '#features/joining/join-requests/RequestToJoin.tsx'
import { usePlanRelations } from '#features/joining/join-requests/use-plan-relations.ts'
import { WaitingLine } from '#features/joining/waiting-list/WaitingLine.tsx'
import { useWaitingListsLive } from '#features/joining/waiting-list/waiting-list.live.ts'
import { useBrowseLive } from '#features/plans/browse/browse.live.ts'
import type { Offer } from '#features/plans/browse/market.queries.ts'
import { Leads } from '#ui/leads.ts'

interface JoinablePlansProps {
  userId: string
  /** Renders the plans, given a function for each plan's action. */
  children: (actionOf: (offer: Offer) => ReactNode) => ReactNode
}

/** Shows plans to a signed-in person: kept up to date, each with a button to join. */
export default function JoinablePlans({ userId, children }: JoinablePlansProps) {
  // Until the person's relations to the plans have loaded, a button may offer too much; the database then refuses.
  const relations = usePlanRelations(userId) ?? unrelated(userId)
  useBrowseLive()
  useWaitingListsLive(userId)
  return (
    <RequestToJoin userId={userId}>
      {(ask) =>
        children((offer) => (
          <>
            <Leads value={false}>
              <JoinButton plan={offer} relations={relations} onRequest={() => ask(offer)} />
            </Leads>
            {mayWait(offer, relations) && <WaitingLine plan={offer} userId={userId} full={isFull(offer)} />}
          </>
        ))
      }
    </RequestToJoin>
  )
}
