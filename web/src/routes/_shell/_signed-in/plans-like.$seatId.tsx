import { Container } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { WaitingLine } from '#features/joining/waiting-list/WaitingLine.tsx'
import { useWaitingListsLive } from '#features/joining/waiting-list/waiting-list.live.ts'
import { precedenceTexts } from '#features/joining/waiting-list/waiting-list.messages.ts'
import { type Precedence, precedenceQuery } from '#features/joining/waiting-list/waiting-list.queries.ts'
import { AvailablePlans } from '#features/plans/browse/AvailablePlans.tsx'
import { useBrowseLive } from '#features/plans/browse/browse.live.ts'
import { WizardFailure } from '#features/plans/catalogue/WizardFailure.tsx'
import { useUser } from '#lib/session.ts'
import { EmptyState } from '#ui/EmptyState.tsx'
import { LinkButton } from '#ui/links.tsx'
import { PageTitle } from '#ui/PageTitle.tsx'
import { PageLoading } from '#ui/Skeletons.tsx'
import { AskingCost } from '../-AskingCost.tsx'
import { brandOf } from '../-brand.tsx'
import { Level } from '../-Level.tsx'
import { useStanding } from '../-use-standing.ts'

export const Route = createFileRoute('/_shell/_signed-in/plans-like/$seatId')({
  staticData: { signInNotice: { title: 'Please sign in to see plans like the one you had.' } },
  loader: ({ context: { queryClient: cache, user } }) => void cache.prefetchQuery(precedenceQuery(user.id)),
  component: PlansLike,
})

/** Plans like one that somebody lost through no fault of their own: those with a free place, then those whose waiting list they lead. */
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
        <EmptyState order={1} title={precedenceTexts.over} action={<Browse>Browse Plans</Browse>}>
          The time in which you come first is over, or this is about somebody else’s place.
        </EmptyState>
      )}
      {lost && (
        <>
          <PageTitle title={precedenceTexts.title}>{precedenceTexts.why(lost)}</PageTitle>
          <Plans lost={lost} userId={userId} />
        </>
      )}
    </Container>
  )
}

function Plans({ lost, userId }: { lost: Precedence; userId: string }) {
  const standing = useStanding(userId)
  const { provider, planName, cataloguePlanId, ownerId } = lost
  useBrowseLive()
  useWaitingListsLive(userId)
  return (
    <AvailablePlans
      userId={userId}
      wish={{ category: 'all', provider, search: '', like: { cataloguePlanId, notOf: ownerId } }}
      standing={standing}
      order={2}
      brandOf={brandOf}
      lineOf={(plan, full) => <WaitingLine plan={plan} userId={userId} full={full} />}
      levelOf={({ ownerId: id, ownerName }) => <Level userId={id} name={ownerName} />}
      costOf={(plan, draft, change, atOnce) => (
        <AskingCost userId={userId} plan={plan} draft={draft} change={change} atOnce={atOnce} />
      )}
      empty={
        <EmptyState
          order={2}
          title={`Nobody else shares ${provider} ${planName} right now`}
          action={<Browse>Browse other plans</Browse>}
        >
          Plans that are shared from now on show up here by themselves.
        </EmptyState>
      }
      failure={(problem, retry, busy) => (
        <WizardFailure title={precedenceTexts.failed} problem={problem} busy={busy} onRetry={retry} />
      )}
    />
  )
}

function Browse({ children }: { children: string }) {
  return (
    <LinkButton variant="light" to="/available-subscriptions">
      {children}
    </LinkButton>
  )
}
