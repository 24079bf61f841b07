import { Stack } from '@mantine/core'
import type { ReactNode } from 'react'
import { SectionCard } from '#ui/SectionCard.tsx'
import { FactsTable } from './FactsTable.tsx'

interface StandingCardProps {
  userId: string
  /** What others say about them. */
  children: ReactNode
}

/** The signed-in person's own standing, as others see it. */
export function StandingCard({ userId, children }: StandingCardProps) {
  return (
    <SectionCard titleId="standing-title" title="Your standing">
      <Stack gap="lg">
        <FactsTable userId={userId} self />
        {children}
      </Stack>
    </SectionCard>
  )
}
