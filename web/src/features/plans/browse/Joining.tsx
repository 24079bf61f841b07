import { useNavigate } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import type { Brand } from '#ui/SurfaceCard.tsx'
import { type Draft, useRequestToJoin } from './browse.mutations.ts'
import type { AvailablePlan } from './browse.queries.ts'
import { RequestDialog } from './RequestDialog.tsx'
import { RequestSentDialog } from './RequestSentDialog.tsx'

/** `atOnce`: asking takes the place, which is charged then. */
export type CostOf = (
  plan: AvailablePlan,
  draft: Draft,
  change: (part: Partial<Draft>) => void,
  atOnce: boolean,
) => ReactNode

interface JoiningProps {
  userId: string
  brandOf: (provider: string) => Brand
  /** What a place comes to, when it is paid, and what leaving means. */
  costOf: CostOf
  /** How far the owner of a plan can be relied on. */
  levelOf: (plan: AvailablePlan) => ReactNode
  /** A request that something came in between, to go on with. */
  interrupted?: { plan: AvailablePlan; draft: Draft } | null
  /** Whatever has a plan to ask for. */
  children: (ask: (plan: AvailablePlan) => void) => ReactNode
}

/** The way to a place: the dialog that asks for it, then the one that says the request is on its way, or the plan itself. */
export function Joining({ userId, brandOf, costOf, levelOf, interrupted, children }: JoiningProps) {
  const [asking, setAsking] = useState(interrupted?.plan ?? null)
  const [sent, setSent] = useState<AvailablePlan | null>(null)
  const navigate = useNavigate()
  const request = useRequestToJoin(userId, {
    onSent: (plan) => {
      setAsking(null)
      setSent(plan)
    },
    onLetIn: ({ id }) => {
      setAsking(null)
      void navigate({ to: '/manage-subscribed/$planId', params: { planId: id } })
    },
    onRefused: () => setAsking(null),
  })
  return (
    <>
      {children(setAsking)}
      <RequestDialog
        plan={asking}
        brand={asking ? brandOf(asking.provider) : undefined}
        level={asking && levelOf(asking)}
        cost={(...said) => asking && costOf(asking, ...said)}
        said={interrupted?.draft ?? null}
        busy={request.isPending}
        onSend={(draft) => asking && request.mutate({ plan: asking, ...draft })}
        onClose={() => setAsking(null)}
      />
      <RequestSentDialog plan={sent} onClose={() => setSent(null)} />
    </>
  )
}
