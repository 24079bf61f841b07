import type { ReactNode } from 'react'
import { isFull } from '#domain/slots.ts'
import { WaitingLine } from '#features/joining/waiting-list/WaitingLine.tsx'
import { useWaitingListsLive } from '#features/joining/waiting-list/waiting-list.live.ts'
import { useBrowseLive } from '#features/plans/browse/browse.live.ts'
import { JoinButton } from '#features/plans/browse/JoinButton.tsx'
import { mayWait } from '#features/plans/browse/join-state.ts'
import type { Offer } from '#features/plans/browse/market.queries.ts'
import { Asking } from './-Asking.tsx'
import { useStanding } from './-use-standing.ts'

interface JoinablePlansProps {
  userId: string
  /** Draws the plans, each with what this person can do about it. */
  children: (actionOf: (offer: Offer) => ReactNode) => ReactNode
}

/** Plans as a signed-in person finds them: live, and each with a way to a place in it. */
export default function JoinablePlans({ userId, children }: JoinablePlansProps) {
  const standing = useStanding(userId)
  useBrowseLive()
  useWaitingListsLive(userId)
  return (
    <Asking userId={userId}>
      {(ask) =>
        children((offer) => (
          <>
            <JoinButton plan={offer} standing={standing} onRequest={() => ask(offer)} />
            {standing && mayWait(offer, standing) && (
              <WaitingLine plan={offer} userId={userId} full={isFull(offer)} />
            )}
          </>
        ))
      }
    </Asking>
  )
}
