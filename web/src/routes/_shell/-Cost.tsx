import type { ReactNode } from 'react'
import type { Settlement } from '#domain/plan.ts'
import { CardStep } from '#features/money/cards/CardStep.tsx'
import { CostNote } from '#features/money/payments/CostNote.tsx'

interface CostProps {
  planId: string
  planName: string
  ownerName: string
  settlement: Settlement
  /** The page at which to resume the request after an interruption. */
  path: string
  /** The form's values so far. */
  draft?: { message: string; coinsFirst: boolean }
  /** The request takes the place at once. */
  atOnce?: boolean
  /** Coins cover the whole first month. */
  covered?: boolean
  /** The choice to pay by coins, if available. */
  coins?: ReactNode
}

const NOTHING_SAID = { message: '', coinsFirst: false }

/** The cost of a place, when it is due, the card charged, and the terms of leaving. */
export function Cost({ planId, ownerName, settlement, atOnce = false, coins, ...step }: CostProps) {
  const { planName, path, draft = NOTHING_SAID, covered = false } = step
  return (
    <>
      <CostNote planId={planId} ownerName={ownerName} atOnce={atOnce} />
      {coins}
      {settlement === 'potluck' && <CardStep {...{ path, planName, draft, covered }} />}
    </>
  )
}
