import type { ReactNode } from 'react'
import type { Settlement } from '#domain/plan.ts'
import { CardStep } from '#features/money/cards/CardStep.tsx'
import { EMPTY_DRAFT, type RequestDraft } from '#features/money/cards/request-before-card.ts'
import { BeginAtOnce } from '#features/money/payments/BeginAtOnce.tsx'
import { CostNote } from '#features/money/payments/CostNote.tsx'
import { HomeCountry } from '#features/money/payments/HomeCountry.tsx'

interface PlaceCostProps {
  planId: string
  planName: string
  ownerName: string
  settlement: Settlement
  /** The page at which to resume the request after an interruption. */
  path: string
  /** The form's values so far. */
  draft?: RequestDraft
  /** The request takes the place at once. */
  atOnce?: boolean
  /** Coins cover the whole first month. */
  covered?: boolean
  /** The choice to pay by coins, if available. */
  coins?: ReactNode
  beginsAtOnce: boolean
  onBeginsAtOnce: (beginsAtOnce: boolean) => void
}

/** The cost of a place, when and with which card it is paid, what leaving means, and the consent to begin at once. */
export function PlaceCost({ planId, ownerName, settlement, atOnce = false, coins, ...step }: PlaceCostProps) {
  const { planName, path, draft = EMPTY_DRAFT, covered = false } = step
  return (
    <>
      <CostNote planId={planId} ownerName={ownerName} atOnce={atOnce} />
      {coins}
      {settlement === 'potluck' && (
        <>
          <CardStep {...{ path, planName, draft, covered }} />
          <HomeCountry required />
          <BeginAtOnce checked={step.beginsAtOnce} onChange={step.onBeginsAtOnce} />
        </>
      )}
    </>
  )
}
