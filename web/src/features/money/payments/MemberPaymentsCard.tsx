import { t } from '@lingui/core/macro'
import { List, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { isOwedBack, mayTakeBack } from '#domain/payments.ts'
import type { Plan } from '#domain/plan.ts'
import { HeadingRow } from '#ui/HeadingRow.tsx'
import { LoadAlert } from '#ui/LoadAlert.tsx'
import { LoneLink } from '#ui/links.tsx'
import { RowsSkeleton } from '#ui/Skeletons.tsx'
import { SurfaceCard } from '#ui/SurfaceCard.tsx'
import { useNow } from '#ui/use-now.ts'
import { paymentTexts } from './payments.messages.ts'
import { openPaymentsQuery, unsettledQuery } from './payments.queries.ts'
import { SeatRow } from './SeatRow.tsx'
import { SeatTerms } from './SeatTerms.tsx'
import { planSeatsQuery } from './seats.queries.ts'

/** The payments of each member, with the owner's actions. */
export function MemberPaymentsCard({ plan }: { plan: Plan }) {
  const planId = plan.id
  const seats = useQuery(planSeatsQuery(planId))
  const open = useQuery(openPaymentsQuery(planId))
  const { data: unsettled = [] } = useQuery(unsettledQuery(plan.ownerId))
  const now = useNow()
  const problem = seats.error ?? open.error
  const known = seats.data && open.data
  if (!known && problem) {
    const retry = () => void Promise.all([seats.refetch(), open.refetch()])
    return <LoadAlert title={paymentTexts.seatsFailed} problem={problem} onRetry={retry} />
  }
  return (
    <SurfaceCard component="section" aria-labelledby="payments-title">
      <HeadingRow
        mb="md"
        aside={
          <LoneLink to="/manage-shared/$planId/payments" params={{ planId }}>
            {t`All payments`}
          </LoneLink>
        }
      >
        <Title order={2} size="h3" id="payments-title">
          {t`Payments`}
        </Title>
      </HeadingRow>
      {seats.data?.length === 0 ? (
        <Text c="dimmed">{t`Payments appear here once someone joins.`}</Text>
      ) : known ? (
        <List listStyleType="none" spacing="md" styles={{ itemWrapper: { display: 'block' } }}>
          {seats.data?.map((seat) => (
            <List.Item key={seat.id}>
              <SeatRow
                seat={seat}
                open={open.data?.filter(({ seatId }) => seatId === seat.id) ?? []}
                debts={unsettled.filter((payment) => payment.seatId === seat.id && isOwedBack(payment))}
                received={unsettled.filter(
                  (payment) => payment.seatId === seat.id && mayTakeBack(payment, now),
                )}
                terms={seat.status !== 'ended' && <SeatTerms seat={seat} plan={plan} />}
              />
            </List.Item>
          ))}
        </List>
      ) : (
        <RowsSkeleton rows={2} />
      )}
    </SurfaceCard>
  )
}
