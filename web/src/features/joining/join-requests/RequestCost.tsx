import { useQuery } from '@tanstack/react-query'
import { paidFromCoins } from '#domain/coins.ts'
import { quoteQuery } from '#features/money/payments/seats.queries.ts'
import { CoinsStep } from '#features/money/wallet/CoinsStep.tsx'
import { useCoins } from '#features/money/wallet/use-coins.ts'
import type { Offer } from '#features/plans/browse/market.queries.ts'
import { RuleCard } from '#features/plans/catalogue/RuleCard.tsx'
import { PlaceCost } from './PlaceCost.tsx'
import type { Draft } from './request-to-join.mutation.ts'

interface RequestCostProps {
  userId: string
  plan: Offer
  draft: Draft
  change: (part: Partial<Draft>) => void
  atOnce: boolean
}

/** The cost of a place for the person who asks for it, and the choice to pay it from their coins. */
export function RequestCost({ userId, plan, draft, change, atOnce }: RequestCostProps) {
  const { coins } = useCoins(userId)
  const { data: quote } = useQuery(quoteQuery(plan.id))
  const available = coins?.available ?? 0
  const paid = quote?.settlement === 'potluck' ? paidFromCoins(quote.sum, available) : 0
  return (
    <>
      <PlaceCost
        planId={plan.id}
        planName={`${plan.provider} ${plan.name}`}
        ownerName={plan.ownerName}
        settlement={plan.settlement}
        path={`/plans/${encodeURIComponent(plan.id)}`}
        draft={draft}
        atOnce={atOnce}
        beginsAtOnce={draft.beginsAtOnce}
        onBeginsAtOnce={(beginsAtOnce) => change({ beginsAtOnce })}
        covered={draft.coinsFirst && paid > 0 && paid === quote?.sum}
        coins={
          quote &&
          paid > 0 && (
            <CoinsStep
              available={available}
              paid={paid}
              sum={quote.sum}
              checked={draft.coinsFirst}
              onChange={(coinsFirst) => change({ coinsFirst })}
            />
          )
        }
      />
      <RuleCard provider={plan.provider} plan={plan.name} />
    </>
  )
}
