import { ActionIcon, Button, Stack, Tabs, Title, Tooltip } from '@mantine/core'
import { IconPlus, IconRefresh, IconSearch } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { createFileRoute, Link } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { z } from 'zod'
import { AwaitingRequests } from '#features/join-requests/AwaitingRequests.tsx'
import { useAwaitingRequestsLive, usePendingCountsLive } from '#features/join-requests/join-requests.live.ts'
import { joinRequestToasts } from '#features/join-requests/join-requests.messages.ts'
import {
  awaitingRequestsQuery,
  joinRequestKeys,
  pendingCountsQuery,
} from '#features/join-requests/join-requests.queries.ts'
import { JoinedPlans } from '#features/plans/JoinedPlans.tsx'
import { useMyPlansLive } from '#features/plans/plans.live.ts'
import { planToasts } from '#features/plans/plans.messages.ts'
import { joinedPlansQuery, ownedPlansQuery, planKeys } from '#features/plans/plans.queries.ts'
import { SharedPlans } from '#features/plans/SharedPlans.tsx'
import { useUser } from '#lib/session.ts'
import { CountBadge } from '#ui/CountBadge.tsx'
import { PageTitle } from '#ui/PageTitle.tsx'
import { usePhone } from '#ui/use-phone.ts'
import { brandOf } from '../-brand.tsx'

/** The bell links to "requests"; the counts it is about stand on the shared plans (MYSUB-06). */
const searchSchema = z.object({
  tab: z.enum(['shared', 'subscribed', 'requests']).optional().catch(undefined),
})

export const Route = createFileRoute('/_shell/_signed-in/my-subscriptions')({
  validateSearch: searchSchema,
  loader: ({ context: { queryClient: cache, user } }) => {
    void cache.prefetchQuery(ownedPlansQuery(user.id))
    void cache.prefetchQuery(joinedPlansQuery(user.id))
    void cache.prefetchQuery(awaitingRequestsQuery(user.id))
    void cache.prefetchQuery(pendingCountsQuery(user.id))
  },
  component: MySubscriptions,
})

function MySubscriptions() {
  const { id: userId, email } = useUser()
  const { tab } = Route.useSearch()
  const navigate = Route.useNavigate()
  const phone = usePhone()
  const owned = useQuery(ownedPlansQuery(userId))
  const joined = useQuery(joinedPlansQuery(userId))
  const awaiting = useQuery(awaitingRequestsQuery(userId))
  const pending = useQuery(pendingCountsQuery(userId))
  useMyPlansLive(userId)
  useAwaitingRequestsLive(userId)
  usePendingCountsLive(userId)

  const countsFailed = pending.error !== null
  useEffect(() => {
    if (countsFailed) joinRequestToasts.countsFailed()
  }, [countsFailed])

  const side = tab === 'subscribed' ? 'subscribed' : 'shared'
  return (
    <>
      <PageTitle title="My Subscriptions" actions={<RefreshButton />}>
        Manage your subscriptions for {email}
      </PageTitle>
      <Tabs
        value={side}
        onChange={(value) => navigate({ search: { tab: value === 'subscribed' ? value : 'shared' } })}
      >
        <Tabs.List grow={phone} mb="lg">
          <Tabs.Tab value="shared" mih={44} rightSection={<TabCount count={owned.data?.length} />}>
            {phone ? 'My Shared' : 'My Shared Plans'}
          </Tabs.Tab>
          <Tabs.Tab
            value="subscribed"
            mih={44}
            rightSection={
              <TabCount count={joined.data && awaiting.data && joined.data.length + awaiting.data.length} />
            }
          >
            {phone ? 'Subscribed' : 'My Subscribed Plans'}
          </Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="shared">
          <Stack gap="lg">
            <Button
              component={Link}
              to="/create"
              leftSection={<IconPlus size={18} />}
              style={{ alignSelf: 'flex-start' }}
            >
              Create New Plan
            </Button>
            <SharedPlans userId={userId} brandOf={brandOf} pending={pending.data ?? {}} />
          </Stack>
        </Tabs.Panel>
        <Tabs.Panel value="subscribed">
          <Stack gap="lg">
            <Button
              component={Link}
              to="/available-subscriptions"
              leftSection={<IconSearch size={18} />}
              style={{ alignSelf: 'flex-start' }}
            >
              Browse Plans
            </Button>
            <Title order={2}>Plans You're Awaiting to Join</Title>
            <AwaitingRequests userId={userId} brandOf={brandOf} />
            <Title order={2}>Plans You've Joined</Title>
            <JoinedPlans userId={userId} brandOf={brandOf} />
          </Stack>
        </Tabs.Panel>
      </Tabs>
    </>
  )
}

function TabCount({ count }: { count: number | undefined }) {
  return count === undefined ? null : <CountBadge count={count} showZero variant="light" color="gray" />
}

function RefreshButton() {
  const cache = useQueryClient()
  const [busy, setBusy] = useState(false)
  const refresh = async () => {
    setBusy(true)
    try {
      await Promise.all([
        cache.refetchQueries({ queryKey: planKeys.lists }, { throwOnError: true }),
        cache.refetchQueries({ queryKey: joinRequestKeys.all, type: 'active' }, { throwOnError: true }),
      ])
      planToasts.refreshed()
    } catch {
      planToasts.refreshFailed()
    } finally {
      setBusy(false)
    }
  }
  return (
    <Tooltip label="Refresh">
      <ActionIcon
        variant="default"
        aria-label="Refresh subscriptions"
        loading={busy}
        onClick={() => void refresh()}
      >
        <IconRefresh size={20} />
      </ActionIcon>
    </Tooltip>
  )
}
