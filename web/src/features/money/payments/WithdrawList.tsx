import { Trans } from '@lingui/react/macro'
import { Group, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { lastDayToWithdraw } from '#domain/seats.ts'
import { SurfaceCard } from '#ui/SurfaceCard.tsx'
import { ownSeatsQuery } from './seats.queries.ts'
import { WithdrawButton } from './WithdrawButton.tsx'

/** The places whose contract a person can still withdraw from; nothing if there are none. */
export function WithdrawList({ userId }: { userId: string }) {
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
                : you can withdraw from the contract up to and including {lastDayToWithdraw(seat)}.
              </Trans>
            </Text>
            <WithdrawButton seat={seat} />
          </Group>
        </SurfaceCard>
      ),
  )
}
