import { Badge } from '@mantine/core'
import { IconBolt } from '@tabler/icons-react'
import { instantText, type Level } from '#domain/standing.ts'

/** Marks a plan that gives places instantly; renders nothing for other plans. */
export function InstantBadge({ from }: { from: Level | null }) {
  if (!from) return null
  return (
    <Badge
      variant="light"
      color="honey"
      tt="none"
      my={4}
      style={{ alignSelf: 'flex-start' }}
      leftSection={<IconBolt size={14} aria-hidden />}
    >
      {instantText(from)}
    </Badge>
  )
}
