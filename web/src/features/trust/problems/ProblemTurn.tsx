import { Text } from '@mantine/core'
import type { Problem } from '#domain/problems.ts'
import { TimeLeft } from '#ui/ExpiryBadge.tsx'
import { SectionCard } from '#ui/SectionCard.tsx'
import { DecideButtons } from './DecideButtons.tsx'
import { MemberAnswer, TakeBack } from './MemberAnswer.tsx'
import { OwnerAnswer } from './OwnerAnswer.tsx'
import { standingOf, type Viewer } from './problem-words.ts'

/** Whose turn it is, until when, what happens without an answer, and what the reader can answer now. */
export function ProblemTurn({ problem, viewer }: { problem: Problem; viewer: Viewer }) {
  const { title, text } = standingOf(problem, viewer)
  const { turn, dueAt, decision } = problem
  return (
    <SectionCard titleId="turn-title" title={title} size="h3" aside={dueAt && <TimeLeft until={dueAt} />}>
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
    </SectionCard>
  )
}
