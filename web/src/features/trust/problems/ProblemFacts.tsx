import { Trans } from '@lingui/react/macro'
import { Stack, Text } from '@mantine/core'
import { fullDate } from '#domain/dates.ts'
import { PROBLEM_TITLES, type Problem } from '#domain/problems.ts'
import { PersonLink } from '#ui/PersonLink.tsx'

/** The report with its author and time, for staff. */
export function ProblemFacts({ problem }: { problem: Problem }) {
  const { reason, note, memberId, memberName, ownerId, ownerName, reportedAt } = problem
  return (
    <Stack gap={4} style={{ overflowWrap: 'anywhere' }}>
      <Text fw={600}>{PROBLEM_TITLES[reason]}</Text>
      {note && (
        <Text dir="auto" style={{ whiteSpace: 'pre-line' }}>
          {note}
        </Text>
      )}
      <Text size="sm" c="dimmed">
        <Trans>
          <PersonLink staff userId={memberId} name={memberName} /> to{' '}
          <PersonLink staff userId={ownerId} name={ownerName} />, {fullDate(reportedAt)}
        </Trans>
      </Text>
    </Stack>
  )
}
