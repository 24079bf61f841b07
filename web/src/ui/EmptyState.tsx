import { Stack, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import { Mascot, type Mood } from './Mascot.tsx'
import { usePageName } from './PageTitle.tsx'

interface EmptyStateProps {
  title: string
  children?: ReactNode
  /** The button or link for the next step. */
  action?: ReactNode
  mood?: Mood
  /** With 1, the empty state is the whole page, often a dead end, and names the browser tab. */
  order?: 1 | 2 | 3
}

/** An empty list or page: the mascot, a sentence, and the next step. */
export function EmptyState({
  title,
  children,
  action,
  order = 3,
  mood = order === 1 ? 'puzzled' : 'calm',
}: EmptyStateProps) {
  usePageName(order === 1 ? title : null)
  return (
    <Stack align="center" gap="sm" py="xl" px="md" ta="center">
      <Mascot mood={mood} size={112} />
      <Title order={order} maw={440}>
        {title}
      </Title>
      {children && (
        <Text c="dimmed" maw={440}>
          {children}
        </Text>
      )}
      {action && <div style={{ marginTop: 8 }}>{action}</div>}
    </Stack>
  )
}
