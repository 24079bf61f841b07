import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Alert, Button, Group, Stack, Switch, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Suspense } from 'react'
import { fullDay } from '#domain/dates.ts'
import { type OwnSeat, ownerSuspended } from '#domain/seats.ts'
import { RowsSkeleton } from '#ui/Skeletons.tsx'
import { SurfaceCard } from '#ui/SurfaceCard.tsx'
import { OwnerDebt } from './lazy-cards.ts'
import { useCoinsFirst, useStay } from './payments.mutations.ts'
import { owedQuery } from './payments.queries.ts'
import { SeatBadge } from './SeatBadge.tsx'
import { SimulationNotice } from './SimulationNotice.tsx'

interface OwnSeatCardProps {
  seat: OwnSeat
  userId: string
  /** True if one of the place's payments is open. */
  owes: boolean
}

/** A member's own place: its state, and a button to undo leaving while that is possible; often nothing if paid directly. */
export function OwnSeatCard({ seat, userId, owes }: OwnSeatCardProps) {
  const stay = useStay(seat)
  const useCoins = useCoinsFirst(seat)
  const { data: owed = [] } = useQuery(owedQuery(userId))
  const debts = owed.filter(({ seatId }) => seatId === seat.id)
  const { settlement, ownerName, endsAt, mayStay } = seat
  const suspended = ownerSuspended(seat)
  // The payment of a direct place is said above.
  if (settlement === 'direct' && !suspended && !endsAt && debts.length === 0 && !mayStay) return null
  return (
    <SurfaceCard component="section" aria-labelledby="seat-title">
      <Stack gap="sm">
        <Group justify="space-between" gap="xs">
          <Title order={2} size="h3" id="seat-title">
            {t`Your place`}
          </Title>
          <SeatBadge seat={seat} owes={owes} />
        </Group>
        {settlement === 'potluck' && (
          <>
            <Text>{t`You pay through Potluck.`}</Text>
            <SimulationNotice />
          </>
        )}
        {suspended && (
          <Alert color="honey" title={t`${ownerName} is suspended`}>
            {suspended}
          </Alert>
        )}
        {endsAt && (
          <Text>
            <Trans>Your place ends on {fullDay(endsAt)}.</Trans>
          </Text>
        )}
        {debts.length > 0 && (
          <Suspense fallback={<RowsSkeleton rows={1} />}>
            <OwnerDebt debts={debts} />
          </Suspense>
        )}
        {settlement === 'potluck' && (
          <Switch
            label={t`Use my coins first`}
            description={t`Your card pays the rest.`}
            checked={useCoins.isPending ? useCoins.variables : seat.coinsFirst}
            onChange={({ currentTarget }) => useCoins.mutate(currentTarget.checked)}
          />
        )}
        {mayStay && (
          <Button variant="default" w="fit-content" loading={stay.isPending} onClick={() => stay.mutate()}>
            {t`Keep my place`}
          </Button>
        )}
      </Stack>
    </SurfaceCard>
  )
}
