import type { Settlement } from '#domain/plan.ts'
import { CardStep } from '#features/cards/CardStep.tsx'
import { CostNote } from '#features/payments/CostNote.tsx'

interface CostProps {
  planId: string
  planName: string
  ownerName: string
  settlement: Settlement
  /** Where asking for the place goes on after an interruption. */
  path: string
  message?: string
}

/** What a place comes to, when it is paid and with which card, and what leaving means. */
export function Cost({ planId, planName, ownerName, settlement, path, message = '' }: CostProps) {
  return (
    <>
      <CostNote planId={planId} ownerName={ownerName} />
      {settlement === 'potluck' && <CardStep path={path} planName={planName} message={message} />}
    </>
  )
}
