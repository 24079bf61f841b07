import { useNavigate } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import type { RequestDraft } from '#features/money/cards/request-before-card.ts'
import type { Offer } from '#features/plans/browse/market.queries.ts'
import { RequestDialog } from './RequestDialog.tsx'
import { RequestSentDialog } from './RequestSentDialog.tsx'
import { useRequestToJoin } from './request-to-join.mutation.ts'

interface RequestToJoinProps {
  userId: string
  /** An interrupted request to resume. */
  interrupted?: { plan: Offer; draft: RequestDraft } | null
  /** Receives a function that opens the dialog for a plan. */
  children: (ask: (plan: Offer) => void) => ReactNode
}

/**
 * Lets a person request a place: shows the request dialog, then the confirmation or, after an instant join, the plan.
 */
export function RequestToJoin({ userId, interrupted, children }: RequestToJoinProps) {
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
        userId={userId}
        initial={interrupted?.draft ?? null}
        busy={request.isPending}
        onSend={(draft) => asking && request.mutate({ plan: asking, ...draft })}
        onClose={() => setAsking(null)}
      />
      <RequestSentDialog plan={sent} onClose={() => setSent(null)} />
    </>
  )
}
