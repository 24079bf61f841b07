import { Group, List, Stack, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { fullDay } from '#domain/dates.ts'
import { isOpen, type Problem } from '#domain/problems.ts'
import { TimeLeft } from '#ui/ExpiryBadge.tsx'
import { LinkButton, LoneLink } from '#ui/links.tsx'
import { PersonLink } from '#ui/PersonLink.tsx'
import { SurfaceCard } from '#ui/SurfaceCard.tsx'
import { reasonText, standingOf, viewerOf } from './problem-words.ts'
import { planProblemsQuery } from './problems.queries.ts'

interface PlanProblemsProps {
  planId: string
  userId: string
}

/** A plan's closed problems, for a person who was a party to them; renders nothing if there are none. */
export function PastProblems({ planId, userId }: PlanProblemsProps) {
  const { data: problems } = useQuery(planProblemsQuery(planId, userId))
  const past = problems?.filter((problem) => !isOpen(problem)) ?? []
  if (past.length === 0) return null
  return (
    <SurfaceCard component="section" aria-labelledby="past-problems-title">
      <Title order={2} size="h3" id="past-problems-title" mb="xs">
        Earlier problems
      </Title>
      <List listStyleType="none" spacing={4}>
        {past.map(({ id, reason, memberId, memberName, reportedAt }) => (
          <List.Item key={id}>
            <LoneLink to="/problems/$problemId" params={{ problemId: id }}>
              {reasonText(reason)}
              {memberId !== userId && `, ${memberName}`}, {fullDay(reportedAt)}
            </LoneLink>
          </List.Item>
        ))}
      </List>
    </SurfaceCard>
  )
}

/** An open problem: whose turn it is, until when, and a link to it. */
export function ProblemNotice({ problem, userId }: { problem: Problem; userId: string }) {
  const viewer = viewerOf(problem, userId)
  const { title, text } = standingOf(problem, viewer)
  const mine = problem.turn === viewer
  return (
    <SurfaceCard component="section" aria-labelledby={`problem-${problem.id}`}>
      <Stack gap="sm">
        <Group justify="space-between" gap="xs">
          <Title order={2} size="h3" id={`problem-${problem.id}`}>
            {reasonText(problem.reason)}
          </Title>
          {problem.dueAt && <TimeLeft until={problem.dueAt} />}
        </Group>
        <Text style={{ overflowWrap: 'anywhere' }}>
          {viewer === 'owner' && (
            <>
              Reported by <PersonLink userId={problem.memberId} name={problem.memberName} />.{' '}
            </>
          )}
          {title}. {text}
        </Text>
        <LinkButton
          variant={mine ? 'filled' : 'default'}
          w="fit-content"
          to="/problems/$problemId"
          params={{ problemId: problem.id }}
        >
          {mine ? 'Answer' : 'See the problem'}
        </LinkButton>
      </Stack>
    </SurfaceCard>
  )
}
