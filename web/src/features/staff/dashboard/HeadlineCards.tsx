import { SimpleGrid, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { formatMoney } from '#domain/money.ts'
import { SurfaceCard } from '#ui/SurfaceCard.tsx'
import type { AdminFigures } from './admin-figures.queries.ts'
import { Change } from './Change.tsx'

/** How the site is doing, at a glance. */
export function HeadlineCards({ activePlans, revenue }: AdminFigures) {
  return (
    <SimpleGrid cols={{ base: 1, xs: revenue ? 2 : 1 }} spacing="md">
      <Headline title="Active Subscriptions" change={activePlans.change}>
        {activePlans.value.toLocaleString('en')}
      </Headline>
      {revenue && (
        <Headline title="Total Revenue" change={revenue.change}>
          {formatMoney(revenue.value)}
        </Headline>
      )}
    </SimpleGrid>
  )
}

interface HeadlineProps {
  title: string
  change: number | null
  children: ReactNode
}

function Headline({ title, change, children }: HeadlineProps) {
  return (
    <SurfaceCard component="section" aria-label={title}>
      <Text c="dimmed" fw={550}>
        {title}
      </Text>
      <Text fz={32} fw={700} lh={1.25} style={{ fontVariantNumeric: 'tabular-nums' }}>
        {children}
      </Text>
      {change !== null && (
        <Text size="sm" c="dimmed">
          <Change percent={change} /> since the month began
        </Text>
      )}
    </SurfaceCard>
  )
}
