import { Anchor, Stack, Text } from '@mantine/core'
import type { Plan } from '#domain/plan.ts'

/** What the owner of an own plan wants its members to know, and the provider's website; nothing for other plans. */
export function OwnPlanNote({ plan: { note, website } }: { plan: Pick<Plan, 'note' | 'website'> }) {
  if (!note && !website) return null
  return (
    <Stack gap={4} mt="md" style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-line' }}>
      {note && <Text size="sm">{note}</Text>}
      {website && (
        <Anchor href={website} target="_blank" rel="noreferrer" size="sm">
          {new URL(website).host}
        </Anchor>
      )}
    </Stack>
  )
}
