import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Group, Stack, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { fullDate } from '#domain/dates.ts'
import { aimOf, type Problem } from '#domain/problems.ts'
import { EmptyState } from '#ui/EmptyState.tsx'
import { TimeLeft } from '#ui/ExpiryBadge.tsx'
import { Loaded } from '#ui/Loaded.tsx'
import { LinkAnchor } from '#ui/links.tsx'
import { pressedBy, Queue, queueRow } from '#ui/Queue.tsx'
import { SurfaceCard } from '#ui/SurfaceCard.tsx'
import { DECIDE_KEYS, DecideButtons } from './DecideButtons.tsx'
import { ProblemFacts } from './ProblemFacts.tsx'
import { ProblemTimeline } from './ProblemTimeline.tsx'
import { waitingProblemsQuery } from './problems.queries.ts'

/** The problems that wait for staff's decision, each with its timeline, oldest first. */
export function WaitingProblems() {
  return (
    <Loaded
      of={useQuery(waitingProblemsQuery)}
      failed={t`Failed to load the problems`}
      empty={<EmptyState title={t`No problems to decide`}>{t`You’re all caught up.`}</EmptyState>}
    >
      {(problems) => (
        <Queue opens={t`Open the problem`} keys={DECIDE_KEYS}>
          <Stack gap="md">
            {problems.map((problem) => (
              <Case key={problem.id} problem={problem} />
            ))}
          </Stack>
        </Queue>
      )}
    </Loaded>
  )
}

function Case({ problem }: { problem: Problem }) {
  const { id, planName, dueAt } = problem
  const aim = dueAt && aimOf(dueAt)
  return (
    <SurfaceCard component="article" aria-labelledby={`case-${id}`} {...queueRow}>
      <Stack gap="md">
        <Group justify="space-between" gap="xs">
          <Title order={3} id={`case-${id}`} dir="auto">
            <LinkAnchor
              inherit
              fw="inherit"
              c="inherit"
              underline="hover"
              {...pressedBy('o')}
              to="/problems/$problemId"
              params={{ problemId: id }}
            >
              {planName}
            </LinkAnchor>
          </Title>
          {aim && <TimeLeft until={aim} />}
        </Group>
        <ProblemFacts problem={problem} />
        <ProblemTimeline problemId={id} />
        {aim && (
          <Text size="sm" c="dimmed">
            <Trans>To be decided by {fullDate(aim)}.</Trans>
          </Text>
        )}
        <DecideButtons problem={problem} />
      </Stack>
    </SurfaceCard>
  )
}
