import { Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import { HeadingRow } from '#ui/HeadingRow.tsx'
import { SurfaceCard } from '#ui/SurfaceCard.tsx'

interface SectionProps {
  title: string
  /** A link to the whole list. */
  action?: ReactNode
  /** Shown if the list is empty. */
  none?: string | false
  children?: ReactNode
}

/** One section of staff's page about a person. */
export function Section({ title, action, none = false, children }: SectionProps) {
  return (
    <SurfaceCard component="section" aria-label={title}>
      <HeadingRow mb="sm" aside={action}>
        <Title order={2} size="h3">
          {title}
        </Title>
      </HeadingRow>
      {none === false ? children : <Text c="dimmed">{none}</Text>}
    </SurfaceCard>
  )
}
