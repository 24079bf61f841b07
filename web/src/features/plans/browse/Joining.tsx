import { useNavigate } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import type { Brand } from '#ui/SurfaceCard.tsx'
import { type Draft, useRequestToJoin } from './browse.mutations.ts'
import type { Offer } from './market.queries.ts'
import { RequestDialog } from './RequestDialog.tsx'
import { RequestSentDialog } from './RequestSentDialog.tsx'

/** Renders the cost of a place. `atOnce`: the request takes the place and is charged immediately. */
type CostOf = (
  plan: Offer,
  draft: Draft,
  change: (part: Partial<Draft>) => void,
  atOnce: boolean,
) => ReactNode

interface JoiningProps {
  userId: string
  brandOf: (provider: string) => Brand
  /** The cost of a place, when it is due, and the terms of leaving. */
  costOf: CostOf
  /** The standing of a plan's owner. */
  levelOf: (plan: Offer) => ReactNode
  /** An interrupted request to resume. */
  interrupted?: { plan: Offer; draft: Omit<Draft, 'beginsAtOnce'> } | null
  /** Receives a function that opens the dialog for a plan. */
  children: (ask: (plan: Offer) => void) => ReactNode
}

/** The flow of joining: the request dialog, then the confirmation, or the plan if the place was taken at once. */
export function Joining({ userId, brandOf, costOf, levelOf, interrupted, children }: JoiningProps) {
  const [asking, setAsking] = useState(interrupted?.plan ?? null)
  const [sent, setSent] = useState<Offer | null>(null)
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
        cost={(...entered) => asking && costOf(asking, ...entered)}
        initial={interrupted?.draft ?? null}
        busy={request.isPending}
        onSend={(draft) => asking && request.mutate({ plan: asking, ...draft })}
        onClose={() => setAsking(null)}
      />
      <RequestSentDialog plan={sent} onClose={() => setSent(null)} />
    </>
  )
}
