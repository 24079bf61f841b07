import { Trans } from '@lingui/react/macro'
import { Group, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { lastContractWithdrawalDay, type OwnSeat } from '#domain/seats.ts'
import { SurfaceCard } from '#ui/SurfaceCard.tsx'
import { ownSeatsQuery } from './seats.queries.ts'

/** The places whose contract can still be withdrawn from, each with a button; renders nothing without any. */
export function ContractWithdrawalList({
  userId,
  leave,
}: {
  userId: string
  leave: (seat: OwnSeat) => ReactNode
}) {
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
            {leave(seat)}
          </Group>
        </SurfaceCard>
      ),
  )
}
