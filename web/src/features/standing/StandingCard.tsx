import { Title } from '@mantine/core'
import { SurfaceCard } from '#ui/SurfaceCard.tsx'
import { FactsTable } from './FactsTable.tsx'

/** One's own standing, as others see it. */
export function StandingCard({ userId }: { userId: string }) {
  return (
    <SurfaceCard component="section" aria-labelledby="standing-title">
      <Title order={2} id="standing-title" mb="md">
        Your standing
      </Title>
      <FactsTable userId={userId} self />
    </SurfaceCard>
  )
}
