import { t } from '@lingui/core/macro'
import { Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { formatMoney } from '#domain/money.ts'
import { Figure, Figures } from '#ui/Figures.tsx'
import { Loaded } from '#ui/Loaded.tsx'
import { LinkAnchor } from '#ui/links.tsx'
import { paymentTexts } from './payments.messages.ts'
import { paymentTotalsQuery } from './payments.queries.ts'

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
                    {...(out.due === 0 && { c: 'inherit' })}
                    aria-label={t`My Payments: ${formatMoney(out.due)} to pay now`}
                  >
                    {formatMoney(out.due)}
                  </LinkAnchor>
                }
              >
                {out.claimed > 0 && t`${formatMoney(out.claimed)} sent`}
              </Figure>
              <Figure
                label={t`Due to you`}
                figure={
                  <LinkAnchor
                    to="/payments"
                    search={{ tab: 'received' }}
                    inherit
                    {...(into.due === 0 && { c: 'inherit' })}
                    aria-label={t`My Payments: ${formatMoney(into.due)} due to you`}
                  >
                    {formatMoney(into.due)}
                  </LinkAnchor>
                }
              >
                {into.claimed > 0 && t`${formatMoney(into.claimed)} sent`}
              </Figure>
            </Figures>
          )}
        </Loaded>
      )}
    </Loaded>
  )
}
