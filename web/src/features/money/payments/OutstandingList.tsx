import { Stack, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Suspense } from 'react'
import { RowsSkeleton } from '#ui/Skeletons.tsx'
import { SurfaceCard } from '#ui/SurfaceCard.tsx'
import { OwnerDebt, PayOwnerCard } from './lazy-cards.ts'
import { afterEndQuery, owedQuery } from './payments.queries.ts'

/** Owners' debts to a member, and the member's open payments for ended places; renders nothing if there are none. */
export function OutstandingList({ userId }: { userId: string }) {
  const { data: owed = [] } = useQuery(owedQuery(userId))
  const { data: afterEnd = [] } = useQuery(afterEndQuery(userId))
  const seatIds = [...new Set(owed.map(({ seatId }) => seatId))]
  if (seatIds.length + afterEnd.length === 0) return null
  return (
    <Stack gap="lg" mb="lg">
      {seatIds.map((seatId) => {
        const debts = owed.filter((debt) => debt.seatId === seatId)
        return (
          <SurfaceCard key={seatId} component="section" aria-labelledby={`owed-${seatId}`}>
            <Stack gap="xs">
              <Title order={2} size="h4" id={`owed-${seatId}`}>
                <Text span inherit dir="auto">
                  {debts[0]?.planName}
                </Text>
              </Title>
              <Suspense fallback={<RowsSkeleton rows={1} />}>
                <OwnerDebt debts={debts} />
              </Suspense>
            </Stack>
          </SurfaceCard>
        )
      })}
      {afterEnd.map((payment) => (
        <Suspense key={payment.id} fallback={<RowsSkeleton rows={2} />}>
          <PayOwnerCard payment={payment} ended />
        </Suspense>
      ))}
    </Stack>
  )
}
