import { Stack, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { SurfaceCard } from '#ui/SurfaceCard.tsx'
import { OwedBack } from './OwedBack.tsx'
import { owedSeatsQuery } from './seats.queries.ts'

/** What owners owe a person for time without access, also for places that have ended; nothing if nothing is owed. */
export function OwedList({ userId }: { userId: string }) {
  const { data: seats = [] } = useQuery(owedSeatsQuery(userId))
  return seats.map((seat) => (
    <SurfaceCard key={seat.id} component="section" aria-labelledby={`owed-${seat.id}`} mb="lg">
      <Stack gap="xs">
        <Title order={2} size="h4" id={`owed-${seat.id}`}>
          <Text span inherit dir="auto">
            {seat.planName}
          </Text>
        </Title>
        <OwedBack seat={seat} />
      </Stack>
    </SurfaceCard>
  ))
}
