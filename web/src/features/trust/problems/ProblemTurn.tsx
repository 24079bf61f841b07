import { Group, Stack, Text, Title } from '@mantine/core'
import type { Problem } from '#domain/problems.ts'
import { TimeLeft } from '#ui/ExpiryBadge.tsx'
import { SurfaceCard } from '#ui/SurfaceCard.tsx'
import { DecideButtons } from './DecideButtons.tsx'
import { MemberAnswer, TakeBack } from './MemberAnswer.tsx'
import { OwnerAnswer } from './OwnerAnswer.tsx'
import { standingOf, type Viewer } from './problem-words.ts'

/** Whose turn it is, until when, what happens without an answer, and what the reader can answer now. */
export function ProblemTurn({ problem, viewer }: { problem: Problem; viewer: Viewer }) {
  const { title, text } = standingOf(problem, viewer)
  const { turn, dueAt, decision } = problem
  return (
    <SurfaceCard component="section" aria-labelledby="turn-title">
      <Stack gap="md">
        <Group justify="space-between" gap="xs">
          <Title order={2} size="h3" id="turn-title">
            {title}
          </Title>
          {dueAt && <TimeLeft until={dueAt} />}
        </Group>
        <Text>{text}</Text>
        {decision && (
          <div>
            <Text size="sm" c="dimmed">
              Why, in the words of our team
            </Text>
            <Text dir="auto" style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-line' }}>
              {decision}
            </Text>
          </div>
        )}
        {viewer === 'owner' && turn === 'owner' && <OwnerAnswer problem={problem} />}
        {viewer === 'member' && turn === 'member' && <MemberAnswer problem={problem} />}
        {viewer === 'member' && (turn === 'owner' || turn === 'staff') && (
          <TakeBack problem={problem} variant="default" />
        )}
        {viewer === 'staff' && turn === 'staff' && <DecideButtons problem={problem} />}
      </Stack>
    </SurfaceCard>
  )
}
