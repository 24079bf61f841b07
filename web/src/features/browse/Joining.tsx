import { type ReactNode, useState } from 'react'
import type { Brand } from '#ui/SurfaceCard.tsx'
import { useRequestToJoin } from './browse.mutations.ts'
import type { AvailablePlan } from './browse.queries.ts'
import { RequestDialog } from './RequestDialog.tsx'
import { RequestSentDialog } from './RequestSentDialog.tsx'

interface JoiningProps {
  userId: string
  brandOf: (provider: string) => Brand
  /** What a place comes to, when it is paid, and what leaving means. */
  costOf: (plan: AvailablePlan, message: string) => ReactNode
  /** A request that something came in between, to go on with. */
  interrupted?: { plan: AvailablePlan; message: string } | null
  /** Whatever has a plan to ask for. */
  children: (ask: (plan: AvailablePlan) => void) => ReactNode
}

/** The way to a place: the dialog that asks for it, then the one that says the request is on its way. */
export function Joining({ userId, brandOf, costOf, interrupted, children }: JoiningProps) {
  const [asking, setAsking] = useState(interrupted?.plan ?? null)
  const [sent, setSent] = useState<AvailablePlan | null>(null)
  const request = useRequestToJoin(userId, {
    onSent: (plan) => {
      setAsking(null)
      setSent(plan)
    },
    onRefused: () => setAsking(null),
  })
  return (
    <>
      {children(setAsking)}
      <RequestDialog
        plan={asking}
        brand={asking ? brandOf(asking.provider) : undefined}
        cost={(message) => asking && costOf(asking, message)}
        written={interrupted?.message ?? ''}
        busy={request.isPending}
        onSend={(message) => asking && request.mutate({ plan: asking, message })}
        onClose={() => setAsking(null)}
      />
      <RequestSentDialog plan={sent} onClose={() => setSent(null)} />
    </>
  )
}
