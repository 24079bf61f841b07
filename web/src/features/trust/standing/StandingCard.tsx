import { Stack, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import { SurfaceCard } from '#ui/SurfaceCard.tsx'
import { FactsTable } from './FactsTable.tsx'

interface StandingCardProps {
  userId: string
  /** What others say about them. */
  children: ReactNode
}

/** The signed-in person's own standing, as others see it. */
export function StandingCard({ userId, children }: StandingCardProps) {
  return (
    <SurfaceCard component="section" aria-labelledby="standing-title">
      <Title order={2} id="standing-title" mb="md">
        Your standing
      </Title>
      <Stack gap="lg">
        <FactsTable userId={userId} self />
        {children}
      </Stack>
    </SurfaceCard>
  )
}
