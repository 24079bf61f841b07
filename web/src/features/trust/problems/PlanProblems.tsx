import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { List, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { fullDay } from '#domain/dates.ts'
import { isOpen } from '#domain/open-problem.ts'
import { PROBLEM_TITLES, type Problem } from '#domain/problems.ts'
import { TimeLeft } from '#ui/ExpiryBadge.tsx'
import { useMainButton } from '#ui/leads.ts'
import { LinkButton, LoneLink } from '#ui/links.tsx'
import { PersonLink } from '#ui/PersonLink.tsx'
import { SectionCard } from '#ui/SectionCard.tsx'
import { summarizeProblem, viewerOf } from './problem-words.ts'
import { planProblemsQuery } from './problems.queries.ts'

/** A plan's closed problems to which the person was a party; renders nothing if there are none. */
export function PastProblems({ planId, userId }: { planId: string; userId: string }) {
  const { data: problems } = useQuery(planProblemsQuery(planId, userId))
  const past = problems?.filter((problem) => !isOpen(problem)) ?? []
  if (past.length === 0) return null
  return (
    <SectionCard titleId="past-problems-title" title={t`Earlier problems`} gap="xs">
      <List listStyleType="none" spacing={4}>
        {past.map(({ id, reason, memberId, memberName, reportedAt }) => (
          <List.Item key={id}>
            <LoneLink to="/problems/$problemId" params={{ problemId: id }}>
              {PROBLEM_TITLES[reason]}
              {memberId !== userId && `, ${memberName}`}, {fullDay(reportedAt)}
            </LoneLink>
          </List.Item>
        ))}
      </List>
    </SectionCard>
  )
}

/** A short notice of an open problem: the side to answer, the deadline, and a link. */
export function ProblemNotice({ problem, userId }: { problem: Problem; userId: string }) {
  const viewer = viewerOf(problem, userId)
  const { title, text } = summarizeProblem(problem, viewer)
  const mine = problem.turn === viewer
  const main = useMainButton()
  return (
    <SectionCard
      titleId={`problem-${problem.id}`}
      title={PROBLEM_TITLES[problem.reason]}
      aside={problem.dueAt && <TimeLeft until={problem.dueAt} />}
      gap="sm"
    >
      <Text style={{ overflowWrap: 'anywhere' }}>
        {viewer === 'owner' && (
          <>
            <Trans>
              Reported by <PersonLink userId={problem.memberId} name={problem.memberName} />.
            </Trans>{' '}
          </>
        )}
        {title}. {text}
      </Text>
      <LinkButton
        variant={mine ? main : 'default'}
        w="fit-content"
        to="/problems/$problemId"
        params={{ problemId: problem.id }}
      >
        {mine ? t`Answer` : t`See the problem`}
      </LinkButton>
    </SectionCard>
  )
}
