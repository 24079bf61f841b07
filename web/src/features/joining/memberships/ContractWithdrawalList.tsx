import { Trans } from '@lingui/react/macro'
import { Group, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { lastContractWithdrawalDay, periodEnd } from '#domain/seats.ts'
import { ownSeatsQuery } from '#features/money/payments/seats.queries.ts'
import { forgetPlan } from '#features/plans/shared-plans/plan-memory.ts'
import { SurfaceCard } from '#ui/SurfaceCard.tsx'
import { LeaveButton } from './LeaveButton.tsx'

/**
 * The places whose contract the person can still withdraw from, each with a button; renders nothing if there are none.
 */
export function ContractWithdrawalList({ userId }: { userId: string }) {
  const { data: seats = [] } = useQuery(ownSeatsQuery(userId))
  return seats.map(
    (seat) =>
      seat.withdrawUntil && (
        <SurfaceCard key={seat.id} mb="lg" p={{ base: 'sm', sm: 'lg' }}>
          <Group justify="space-between" gap="sm">
            <Text flex="1 1 220px" style={{ overflowWrap: 'anywhere' }}>
              <Trans>
                <Text span fw={600} dir="auto">
                  {seat.planName}
                </Text>
                : you can withdraw from the contract up to and including {lastContractWithdrawalDay(seat)}.
              </Trans>
            </Text>
            <LeaveButton
              withdrawsFromContract
              planId={seat.planId}
              planName={seat.planName}
              ownerName={seat.ownerName}
              userId={userId}
              seat={seat}
              until={periodEnd(seat, [], Date.now())}
              onLeft={() => forgetPlan(seat.planId)}
            />
          </Group>
        </SurfaceCard>
      ),
  )
}
