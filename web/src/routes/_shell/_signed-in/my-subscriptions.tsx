import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { ActionIcon, Container, Group, Stack, Tabs, Title, Tooltip } from '@mantine/core'
import { IconPlus, IconRefresh, IconSearch } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { lazy, Suspense, useEffect, useState } from 'react'
import * as z from 'zod/mini'
import { AwaitingRequests } from '#features/joining/join-requests/AwaitingRequests.tsx'
import {
  useAwaitingRequestsLive,
  usePendingCountsLive,
} from '#features/joining/join-requests/join-requests.live.ts'
import { joinRequestToasts } from '#features/joining/join-requests/join-requests.messages.ts'
import {
  awaitingRequestsQuery,
  joinRequestKeys,
  pendingCountsQuery,
} from '#features/joining/join-requests/join-requests.queries.ts'
import { useOpenRequests } from '#features/joining/join-requests/use-open-requests.ts'
import { PrecedenceNotice } from '#features/joining/waiting-list/PrecedenceNotice.tsx'
import { WaitingLists } from '#features/joining/waiting-list/WaitingLists.tsx'
import { useWaitingListsLive } from '#features/joining/waiting-list/waiting-list.live.ts'
import { waitingListsQuery } from '#features/joining/waiting-list/waiting-list.queries.ts'
import { usePaymentsLive } from '#features/money/payments/payments.live.ts'
import { ownOpenPaymentsQuery } from '#features/money/payments/payments.queries.ts'
import { ownSeatsQuery } from '#features/money/payments/seats.queries.ts'
import { unreadCounts, unreadQuery } from '#features/people/chat/chat.queries.ts'
import { useMyPlansLive } from '#features/plans/shared-plans/plans.live.ts'
import { planToasts } from '#features/plans/shared-plans/plans.messages.ts'
import { joinedPlansQuery, ownedPlansQuery, planKeys } from '#features/plans/shared-plans/plans.queries.ts'
import { usePasswordsDueLive } from '#features/trust/access/vault.live.ts'
import { lazyPart, onceOnline } from '#lib/online.ts'
import { given } from '#lib/search.ts'
import { useUser } from '#lib/session.ts'
import { CountBadge } from '#ui/CountBadge.tsx'
import { LinkButton } from '#ui/links.tsx'
import { PageTitle } from '#ui/PageTitle.tsx'
import { PullToRefresh } from '#ui/PullToRefresh.tsx'
import { usePhone } from '#ui/use-phone.ts'
import { JoinedPlans, SharedPlans } from './-MyPlans.tsx'

const ReviewsToWrite = lazyPart(
  async () => (await import('#features/trust/reviews/ReviewsToWrite.tsx')).ReviewsToWrite,
)
const AfterCreating = lazy(() => onceOnline(() => import('../-plan/AfterCreating.tsx')))

/** The bell links to the tab "requests", which shows the shared plans with their numbers of requests. */
const searchSchema = z.object({
  tab: given(z.enum(['shared', 'subscribed', 'requests'])),
  /** The plan that was just created. */
  created: given(z.string()),
})

export const Route = createFileRoute('/_shell/_signed-in/my-subscriptions')({
  staticData: { keepsSight: true, signInNotice: { title: t`Please sign in to view your subscriptions.` } },
  validateSearch: searchSchema,
  loader: ({ context: { queryClient: cache, user } }) => {
    void cache.prefetchQuery(ownedPlansQuery(user.id))
    void cache.prefetchQuery(joinedPlansQuery(user.id))
    void cache.prefetchQuery(awaitingRequestsQuery(user.id))
    void cache.prefetchQuery(pendingCountsQuery(user.id))
    void cache.prefetchQuery(waitingListsQuery(user.id))
    void cache.prefetchQuery(unreadQuery(user.id))
    void cache.prefetchQuery(ownSeatsQuery(user.id))
    void cache.prefetchQuery(ownOpenPaymentsQuery(user.id))
  },
  component: MySubscriptions,
})

function MySubscriptions() {
  const { id: userId, email } = useUser()
  const { tab, created } = Route.useSearch()
  const navigate = Route.useNavigate()
  const phone = usePhone()
  const owned = useQuery(ownedPlansQuery(userId))
  const joined = useQuery(joinedPlansQuery(userId))
  const { open: awaiting } = useOpenRequests(userId)
  const pending = useQuery(pendingCountsQuery(userId))
  const unread = unreadCounts(useQuery(unreadQuery(userId)).data)
  const { busy, refresh } = useRefresh()
  useMyPlansLive(userId)
  usePaymentsLive(userId)
  useAwaitingRequestsLive(userId)
  usePendingCountsLive(userId)
  useWaitingListsLive(userId)
  usePasswordsDueLive(userId)

  const countsFailed = pending.error !== null
  useEffect(() => {
    if (countsFailed) joinRequestToasts.countsFailed()
  }, [countsFailed])

  const refreshButton = (
    <Tooltip label={t`Refresh`}>
      <ActionIcon
        variant="subtle"
        color="gray"
        aria-label={t`Refresh subscriptions`}
        loading={busy}
        onClick={() => void refresh()}
      >
        <IconRefresh size={20} />
      </ActionIcon>
    </Tooltip>
  )
  const show = (side: string | null) =>
    void navigate({ search: { tab: side === 'subscribed' ? side : 'shared' } })
  const subscribed = joined.data && awaiting && joined.data.length + awaiting.length
  return (
    <PullToRefresh onRefresh={refresh}>
      <Container py={{ base: 'md', sm: 'lg' }}>
        <PageTitle title={t`My Subscriptions`}>
          <Trans>Manage your subscriptions for {email}</Trans>
        </PageTitle>
        <Tabs
          value={tab === 'subscribed' ? tab : 'shared'}
          onChange={show}
          keepMounted={false}
          {...(phone ? { styles: { tab: { justifyContent: 'center' }, tabLabel: { flex: 'none' } } } : {})}
        >
          <Tabs.List grow={phone} mb="lg">
            <Tabs.Tab value="shared" rightSection={<TabCount count={owned.data?.length} />}>
              {phone ? t`My Shared` : t`My Shared Plans`}
            </Tabs.Tab>
            <Tabs.Tab value="subscribed" rightSection={<TabCount count={subscribed} />}>
              {phone ? t`Subscribed` : t`My Subscribed Plans`}
            </Tabs.Tab>
          </Tabs.List>
          <Tabs.Panel value="shared">
            <Stack gap="lg">
              <Suspense>{created && <AfterCreating planId={created} userId={userId} />}</Suspense>
              <Group justify="space-between">
                <LinkButton
                  to="/create"
                  // An empty list has the main button.
                  variant={created || owned.data?.length === 0 ? 'default' : 'filled'}
                  leftSection={<IconPlus size={18} />}
                >
                  {t`Create New Plan`}
                </LinkButton>
                {refreshButton}
              </Group>
              <SharedPlans {...{ userId, unread }} pending={pending.data ?? {}} />
              <Suspense>
                <ReviewsToWrite asOwner />
              </Suspense>
            </Stack>
          </Tabs.Panel>
          <Tabs.Panel value="subscribed">
            <Stack gap="lg">
              <Group justify="space-between">
                <LinkButton
                  to="/available-subscriptions"
                  variant="default"
                  leftSection={<IconSearch size={18} />}
                >
                  {t`Browse Plans`}
                </LinkButton>
                {refreshButton}
              </Group>
              <PrecedenceNotice userId={userId} />
              <Title order={2}>{t`Plans You're Awaiting to Join`}</Title>
              <AwaitingRequests userId={userId} />
              <WaitingLists userId={userId} />
              <Title order={2}>{t`Plans You've Joined`}</Title>
              <JoinedPlans {...{ userId, unread }} />
              <Suspense>
                <ReviewsToWrite asOwner={false} />
              </Suspense>
            </Stack>
          </Tabs.Panel>
        </Tabs>
      </Container>
    </PullToRefresh>
  )
}

function TabCount({ count }: { count: number | undefined }) {
  return count === undefined ? null : <CountBadge count={count} showZero variant="light" color="gray" />
}

/** Reloads everything in My Subscriptions and shows the result. */
function useRefresh() {
  const cache = useQueryClient()
  const [busy, setBusy] = useState(false)
  const refresh = async () => {
    setBusy(true)
    try {
      await Promise.all(
        [planKeys.lists, joinRequestKeys.all].map((queryKey) =>
          cache.refetchQueries({ queryKey, type: 'active' }, { throwOnError: true }),
        ),
      )
      planToasts.refreshed()
    } catch {
      planToasts.refreshFailed()
    } finally {
      setBusy(false)
    }
  }
  return { busy, refresh }
}
