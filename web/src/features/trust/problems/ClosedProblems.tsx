import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Stack, Text } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { fullDate, fullDay } from '#domain/dates.ts'
import { PROBLEM_TITLES, type Problem } from '#domain/problems.ts'
import { type Column, DataTable } from '#ui/DataTable.tsx'
import { EmptyState } from '#ui/EmptyState.tsx'
import { Loaded } from '#ui/Loaded.tsx'
import { KeptRows } from '#ui/LoadMore.tsx'
import { LinkAnchor } from '#ui/links.tsx'
import { PersonLink } from '#ui/PersonLink.tsx'
import { useSorting } from '#ui/sorting.tsx'
import { summarizeProblem } from './problem-words.ts'
import { closedProblemsQuery } from './problems.queries.ts'

const FAILED = t`Failed to load the closed problems`
const COLUMNS: Column<Problem>[] = [
  {
    label: t`Closed`,
    sort: 'closed_at',
    as: 'detail',
    brief: ({ closedAt }) => closedAt && fullDay(closedAt),
    cell: ({ closedAt }) => closedAt && fullDate(closedAt),
  },
  {
    label: t`Problem`,
    sort: 'plan_name',
    as: 'title',
    brief: ({ planName, reason }) => `${planName}: ${PROBLEM_TITLES[reason]}`,
    cell: ({ id, planName, reason, memberId, memberName, ownerId, ownerName }) => (
      <div style={{ overflowWrap: 'anywhere' }}>
        <LinkAnchor to="/problems/$problemId" params={{ problemId: id }} fw={600}>
          {planName}: {PROBLEM_TITLES[reason]}
        </LinkAnchor>
        <Text size="sm" c="dimmed">
          <Trans>
            <PersonLink staff userId={memberId} name={memberName} /> to{' '}
            <PersonLink staff userId={ownerId} name={ownerName} />
          </Trans>
        </Text>
      </div>
    ),
  },
  {
    label: t`Outcome`,
    as: 'detail',
    brief: (problem) => summarizeProblem(problem, 'staff').text,
    cell: (problem) => (
      <Stack gap={2} maw={{ sm: 340 }} style={{ overflowWrap: 'anywhere' }}>
        <Text size="sm">{summarizeProblem(problem, 'staff').text}</Text>
        {problem.decision && (
          <Text size="sm" c="dimmed" dir="auto">
            {problem.decision}
          </Text>
        )}
      </Stack>
    ),
  },
]

/** Closed problems with their outcome, latest first. */
export function ClosedProblems({ person }: { person: string | undefined }) {
  const problems = useInfiniteQuery(closedProblemsQuery(person, useSorting('sort')))
  return (
    <Loaded
      of={problems}
      rows={2}
      failed={FAILED}
      empty={
        person ? (
          <EmptyState order={3} title={t`No closed problems found`}>
            {t`They have none.`}
          </EmptyState>
        ) : (
          <EmptyState
            title={t`Nothing closed yet`}
          >{t`Closed problems and their outcome appear here.`}</EmptyState>
        )
      }
    >
      {(closed) => (
        <>
          <DataTable
            label={t`Closed problems`}
            sorts="sort"
            columns={COLUMNS}
            rows={closed}
            rowKey={({ id }) => id}
            rowProps={({ planName, memberName }) => ({ 'aria-label': `${planName}, ${memberName}` })}
          />
          <KeptRows list={problems} failed={FAILED}>
            {t`Load more problems`}
          </KeptRows>
        </>
      )}
    </Loaded>
  )
}
