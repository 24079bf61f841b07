import type { ReactNode } from 'react'
import type { Settlement } from '#domain/plan.ts'
import { CardStep } from '#features/money/cards/CardStep.tsx'
import { BeginAtOnce } from '#features/money/payments/BeginAtOnce.tsx'
import { CostNote } from '#features/money/payments/CostNote.tsx'
import { HomeCountry } from '#features/money/payments/HomeCountry.tsx'

interface PlaceCostProps {
  planId: string
  planName: string
  ownerName: string
  settlement: Settlement
  /** Where to continue asking after an interruption. */
  path: string
  /** What has been filled in so far. */
  draft?: { message: string; coinsFirst: boolean }
  /** Asking gives the place at once. */
  atOnce?: boolean
  /** Coins pay the whole first month. */
  covered?: boolean
  /** The choice to pay from coins, if there is one. */
  coins?: ReactNode
  beginsAtOnce: boolean
  onBeginsAtOnce: (beginsAtOnce: boolean) => void
}

const NOTHING_SAID = { message: '', coinsFirst: false }

/** What a place costs, when it is paid and with which card, what leaving means, and whether it may begin at once. */
export function PlaceCost({ planId, ownerName, settlement, atOnce = false, coins, ...step }: PlaceCostProps) {
  const { planName, path, draft = NOTHING_SAID, covered = false } = step
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
