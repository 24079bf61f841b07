import type { ButtonProps } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { Duty } from '#domain/pay-button.ts'
import type { Settlement } from '#domain/plan.ts'
import { CardStep } from '#features/money/cards/CardStep.tsx'
import { EMPTY_DRAFT, type RequestDraft } from '#features/money/cards/request-before-card.ts'
import { Agreement } from '#features/money/payments/Agreement.tsx'
import { HomeCountry } from '#features/money/payments/HomeCountry.tsx'
import { paymentTexts } from '#features/money/payments/payments.messages.ts'
import { quoteQuery } from '#features/money/payments/seats.queries.ts'
import { Loaded } from '#ui/Loaded.tsx'
import { RowsSkeleton } from '#ui/Skeletons.tsx'

interface PlaceOfferProps {
  planId: string
  planName: string
  ownerName: string
  settlement: Settlement
  /** The page on which to resume the request after an interruption. */
  path: string
  /** The form's values so far. */
  draft?: RequestDraft
  duty: Duty
  /** True if coins cover the whole first month. */
  covered?: boolean
  /** The choice to pay by coins, if available. */
  coins?: ReactNode
  /** Further fields, before the agreement. */
  children?: ReactNode
  beginsAtOnce: boolean
  onBeginsAtOnce: (beginsAtOnce: boolean) => void
  button: ButtonProps
}

/**
 * The fields of a form that takes or requests a place: the way to pay, further fields, and the agreement with its
 * button.
 */
export function PlaceOffer({
  planId,
  planName,
  ownerName,
  settlement,
  duty,
  children,
  ...step
}: PlaceOfferProps) {
  const { path, draft = EMPTY_DRAFT, covered = false, beginsAtOnce, onBeginsAtOnce } = step
  const isPaidHere = settlement === 'potluck'
  const quote = useQuery(quoteQuery(planId))
  return (
    <>
      {step.coins}
      {isPaidHere && (
        <>
          <CardStep {...{ path, planName, draft, covered }} />
          <HomeCountry required />
        </>
      )}
      {children}
      <Loaded of={quote} pending={<RowsSkeleton rows={3} />} failed={paymentTexts.quoteFailed}>
        {(cost) => (
          <Agreement
            {...{ duty, planName, ownerName }}
            quote={cost}
            wish={
              isPaidHere || cost.seller?.isTrader ? { checked: beginsAtOnce, onChange: onBeginsAtOnce } : null
            }
            button={step.button}
          />
        )}
      </Loaded>
    </>
  )
}
