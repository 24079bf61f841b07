import { t } from '@lingui/core/macro'
import { Button, Container, Group, Stack, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { PROBLEM_TITLES, type Problem } from '#domain/problems.ts'
import { PrecedenceNotice } from '#features/joining/waiting-list/PrecedenceNotice.tsx'
import { ProviderLogo } from '#features/plans/providers/ProviderLogo.tsx'
import { HouseholdRule } from '#features/trust/problems/HouseholdRule.tsx'
import { ProblemFacts } from '#features/trust/problems/ProblemFacts.tsx'
import { ProblemTimeline } from '#features/trust/problems/ProblemTimeline.tsx'
import { ProblemTurn } from '#features/trust/problems/ProblemTurn.tsx'
import { viewerOf } from '#features/trust/problems/problem-words.ts'
import { useProblemsLive } from '#features/trust/problems/problems.live.ts'
import { problemQuery, timelineQuery } from '#features/trust/problems/problems.queries.ts'
import { isConnectionProblem, reasonOf } from '#lib/errors.ts'
import { useUser } from '#lib/session.ts'
import { EmptyState } from '#ui/EmptyState.tsx'
import { Loaded } from '#ui/Loaded.tsx'
import { BackLink } from '#ui/links.tsx'
import { PageTitle } from '#ui/PageTitle.tsx'
import { Sections } from '#ui/Sections.tsx'
import { PageLoading } from '#ui/Skeletons.tsx'
import { SurfaceCard } from '#ui/SurfaceCard.tsx'

export const Route = createFileRoute('/_shell/_signed-in/problems/$problemId')({
  staticData: { signInNotice: { title: t`Please sign in to see this problem.` } },
  loader: ({ context: { queryClient: cache }, params }) => {
    void cache.prefetchQuery(problemQuery(params.problemId))
    void cache.prefetchQuery(timelineQuery(params.problemId))
  },
  component: ProblemPage,
})

/** A problem with a place, for member, owner and staff: who must act next, and the timeline. */
function ProblemPage() {
  const { id: userId } = useUser()
  const { problemId } = Route.useParams()
  useProblemsLive({ problemId })
  return (
    <Loaded
      of={useQuery(problemQuery(problemId))}
      pending={<PageLoading />}
      failed={(error, retry) => (
        <Container size="sm" py={{ base: 'md', sm: 'lg' }}>
          {isConnectionProblem(error) ? (
            <EmptyState
              order={1}
              title={t`The problem could not be loaded`}
              action={<Button onClick={retry}>{t`Try Again`}</Button>}
            >
              {reasonOf(error)}
            </EmptyState>
          ) : (
            <EmptyState order={1} title={t`Problem not found`}>
              {t`It doesn’t exist, or it isn’t yours.`}
            </EmptyState>
          )}
        </Container>
      )}
    >
      {(problem) => <ProblemView problem={problem} userId={userId} />}
    </Loaded>
  )
}

function ProblemView({ problem, userId }: { problem: Problem; userId: string }) {
  const viewer = viewerOf(problem, userId)
  return (
    <Container size="sm" py={{ base: 'md', sm: 'lg' }}>
      {viewer === 'staff' ? (
        <BackLink to="/admin/problems">{t`All problems`}</BackLink>
      ) : (
        <BackLink to="/subscription/$planId" params={{ planId: problem.planId }}>
          {t`See the plan`}
        </BackLink>
      )}
      <Group wrap="nowrap" align="flex-start" gap="md">
        <ProviderLogo provider={problem.planName} size="line" />
        <PageTitle title={problem.planName}>{PROBLEM_TITLES[problem.reason]}</PageTitle>
      </Group>
      <Stack gap="md">
        <ProblemTurn problem={problem} viewer={viewer} />
        {viewer === 'member' && problem.turn === 'closed' && (
          <PrecedenceNotice planId={problem.planId} userId={userId} />
        )}
        <Sections>
          {problem.reason === 'household' && <HouseholdRule planName={problem.planName} />}
          {viewer === 'staff' && (
            <SurfaceCard component="section" aria-labelledby="facts-title">
              <Title order={2} size="h3" id="facts-title" mb="xs">
                {t`Report`}
              </Title>
              <ProblemFacts problem={problem} />
            </SurfaceCard>
          )}
          <SurfaceCard component="section" aria-labelledby="timeline-title">
            <Title order={2} size="h3" id="timeline-title" mb="md">
              {t`What happened`}
            </Title>
            <ProblemTimeline problemId={problem.id} />
          </SurfaceCard>
        </Sections>
      </Stack>
    </Container>
  )
}
