import { t } from '@lingui/core/macro'
import { Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { listOf } from '#domain/lists.ts'
import { formatMoney } from '#domain/money.ts'
import { Figure, Figures } from '#ui/Figures.tsx'
import { Loaded } from '#ui/Loaded.tsx'
import { LinkAnchor } from '#ui/links.tsx'
import { paymentTexts } from './payments.messages.ts'
import { type PaymentSums, paymentTotalsQuery } from './payments.queries.ts'

/** The amounts that a person has to pay and is to receive now, each linked to its payments. */
export function OwedAndDue({ userId }: { userId: string }) {
  const paid = useQuery(paymentTotalsQuery({ member_id: userId }))
  const got = useQuery(paymentTotalsQuery({ owner_id: userId }))
  return (
    <Loaded of={paid} pending={<Skeleton h={112} />} failed={paymentTexts.totalsFailed}>
      {(out) => (
        <Loaded of={got} pending={<Skeleton h={112} />} failed={paymentTexts.totalsFailed}>
          {(into) => (
            <Figures columns={2}>
              <Figure
                label={t`To pay now`}
                figure={
                  <LinkAnchor
                    to="/payments"
                    search={{}}
                    inherit
                    {...(isNothing(out) && { c: 'inherit' })}
                    aria-label={t`My Payments: ${dueIn(out)} to pay now`}
                  >
                    {dueIn(out)}
                  </LinkAnchor>
                }
              >
                {sentIn(out)}
              </Figure>
              <Figure
                label={t`Due to you`}
                figure={
                  <LinkAnchor
                    to="/payments"
                    search={{ tab: 'received' }}
                    inherit
                    {...(isNothing(into) && { c: 'inherit' })}
                    aria-label={t`My Payments: ${dueIn(into)} due to you`}
                  >
                    {dueIn(into)}
                  </LinkAnchor>
                }
              >
                {sentIn(into)}
              </Figure>
            </Figures>
          )}
        </Loaded>
      )}
    </Loaded>
  )
}

const isNothing = (all: readonly PaymentSums[]) => all.every(({ due }) => due === 0)

/** The amounts due in each currency, or zero euros. */
const dueIn = (all: readonly PaymentSums[]) =>
  isNothing(all)
    ? formatMoney(0)
    : listOf(all.filter(({ due }) => due > 0).map(({ due, currency }) => formatMoney(due, currency)))

function sentIn(all: readonly PaymentSums[]) {
  const sent = all.filter(({ claimed }) => claimed > 0)
  if (sent.length === 0) return false
  return t`${{ sums: listOf(sent.map(({ claimed, currency }) => formatMoney(claimed, currency))) }} sent`
}
