import { Anchor, Stack, Text } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { fullDate } from '#domain/dates.ts'
import { EmptyState } from '#ui/EmptyState.tsx'
import { LoadAlert } from '#ui/LoadAlert.tsx'
import { KeptRows } from '#ui/LoadMore.tsx'
import { PersonLink } from '#ui/PersonLink.tsx'
import { RowsSkeleton } from '#ui/Skeletons.tsx'
import { StackCell, StackRow, StackTable } from '#ui/StackTable.tsx'
import { reasonText, standingOf } from './problem-words.ts'
import { closedProblemsQuery } from './problems.queries.ts'

const FAILED = 'Failed to load the closed problems'
const COLUMNS = [{ label: 'Closed' }, { label: 'Problem' }, { label: 'Outcome' }]

/** What came of problems, the latest first. */
export function ClosedProblems({ person }: { person: string | undefined }) {
  const problems = useInfiniteQuery(closedProblemsQuery(person))
  if (problems.isPending) return <RowsSkeleton rows={2} />
  if (!problems.data)
    return <LoadAlert title={FAILED} problem={problems.error} onRetry={() => void problems.refetch()} />
  if (problems.data.length === 0)
    return person ? (
      <EmptyState order={3} title="No closed problems found">
        None with a place they have or give.
      </EmptyState>
    ) : (
      <EmptyState title="Nothing closed yet">What is over stands here with what came of it.</EmptyState>
    )
  return (
    <>
      <StackTable label="Closed problems" columns={COLUMNS}>
        {problems.data.map((problem) => (
          <StackRow key={problem.id} label={`${problem.planName}, ${problem.memberName}`}>
            <StackCell label="Closed">{problem.closedAt && fullDate(problem.closedAt)}</StackCell>
            <StackCell label="Problem">
              <div style={{ overflowWrap: 'anywhere' }}>
                <Anchor
                  renderRoot={(root) => (
                    <Link {...root} to="/problems/$problemId" params={{ problemId: problem.id }} />
                  )}
                  fw={600}
                >
                  {problem.planName}: {reasonText(problem.reason)}
                </Anchor>
                <Text size="sm" c="dimmed">
                  <PersonLink staff userId={problem.memberId} name={problem.memberName} /> to{' '}
                  <PersonLink staff userId={problem.ownerId} name={problem.ownerName} />
                </Text>
              </div>
            </StackCell>
            <StackCell label="Outcome">
              <Stack gap={2} maw={{ sm: 340 }} style={{ overflowWrap: 'anywhere' }}>
                <Text size="sm">{standingOf(problem, 'staff').text}</Text>
                {problem.decision && (
                  <Text size="sm" c="dimmed" dir="auto">
                    {problem.decision}
                  </Text>
                )}
              </Stack>
            </StackCell>
          </StackRow>
        ))}
      </StackTable>
      <KeptRows list={problems} failed={FAILED}>
        Load more problems
      </KeptRows>
    </>
  )
}
