import { Stack, Text } from '@mantine/core'
import { fullDate } from '#domain/dates.ts'
import type { Problem } from '#domain/problems.ts'
import { reasonText } from './problem-words.ts'

/** What was reported, by whom, when. */
export function ProblemFacts({ problem }: { problem: Problem }) {
  const { reason, note, memberName, ownerName, reportedAt } = problem
  return (
    <Stack gap={4} style={{ overflowWrap: 'anywhere' }}>
      <Text fw={600}>{reasonText(reason)}</Text>
      {note && (
        <Text dir="auto" style={{ whiteSpace: 'pre-line' }}>
          {note}
        </Text>
      )}
      <Text size="sm" c="dimmed">
        <bdi>{memberName}</bdi> to <bdi>{ownerName}</bdi>, {fullDate(reportedAt)}
      </Text>
    </Stack>
  )
}
