import { t } from '@lingui/core/macro'
import { Container } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { precedenceTexts } from '#features/joining/waiting-list/waiting-list.messages.ts'
import { type Precedence, precedenceQuery } from '#features/joining/waiting-list/waiting-list.queries.ts'
import { SimilarPlans } from '#features/plans/browse/SimilarPlans.tsx'
import { WizardFailure } from '#features/plans/catalogue/WizardFailure.tsx'
import { useUser } from '#lib/session.ts'
import { EmptyState } from '#ui/EmptyState.tsx'
import { LinkButton } from '#ui/links.tsx'
import { PageTitle } from '#ui/PageTitle.tsx'
import { PageLoading } from '#ui/Skeletons.tsx'
import { FoundPlans } from '../-FoundPlans.tsx'

export const Route = createFileRoute('/_shell/_signed-in/plans-like/$seatId')({
  staticData: { signInNotice: { title: t`Please sign in to see plans like the one you had.` } },
  loader: ({ context: { queryClient: cache, user } }) => void cache.prefetchQuery(precedenceQuery(user.id)),
  component: PlansLike,
})

/**
 * Plans like one that the person lost through no fault of theirs: first plans with a free place, then full plans in
 * whose waiting lists the person is first.
 */
function PlansLike() {
  const { id: userId } = useUser()
  const { seatId } = Route.useParams()
  const { data, error, isFetching, refetch } = useQuery(precedenceQuery(userId))
  const lost = data?.find((place) => place.seatId === seatId)
  if (!data && !error) return <PageLoading />
  return (
    <Container py={{ base: 'md', sm: 'lg' }}>
      {!data && (
        <WizardFailure
          title={precedenceTexts.failed}
          problem={error}
          busy={isFetching}
          onRetry={() => void refetch()}
        />
      )}
      {data && !lost && (
        <>
          <EmptyState
            order={1}
            title={precedenceTexts.over}
            action={<LinkButton to="/plans">{t`See all plans`}</LinkButton>}
          >
            {t`A lost place puts you first only for a time, and only until you have a new one.`}
          </EmptyState>
          <SimilarPlans />
        </>
      )}
      {lost && (
        <>
          <PageTitle title={precedenceTexts.title}>
            {precedenceTexts.why(lost)}{' '}
            {t`Each is ${lost.provider} ${lost.planName}, shared by another owner.`}
          </PageTitle>
          <Plans lost={lost} />
        </>
      )}
    </Container>
  )
}

function Plans({ lost: { seatId, provider, planName } }: { lost: Precedence }) {
  return (
    <FoundPlans
      filter={{ search: '', category: 'all', like: seatId, cheapest: false }}
      empty={
        <EmptyState
          order={2}
          title={t`No one else shares ${provider} ${planName} right now`}
          action={
            <LinkButton variant="light" to="/available-subscriptions">
              {t`Browse other plans`}
            </LinkButton>
          }
        >
          {t`New plans appear here automatically.`}
        </EmptyState>
      }
    />
  )
}
