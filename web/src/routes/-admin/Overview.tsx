import { t } from '@lingui/core/macro'
import { Anchor, SimpleGrid, Skeleton, Stack } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { Suspense } from 'react'
import { adminFiguresQuery } from '#features/staff/dashboard/admin-figures.queries.ts'
import { HeadlineCards } from '#features/staff/dashboard/HeadlineCards.tsx'
import type { Step } from '#features/staff/dashboard/site-series.queries.ts'
import { UserOverviewCard } from '#features/staff/dashboard/UserOverviewCard.tsx'
import type { May } from '#features/staff/roles/use-role.ts'
import { lazyPart } from '#lib/online.ts'
import { Loaded } from '#ui/Loaded.tsx'
import { LinkButton } from '#ui/links.tsx'
import { RowsSkeleton } from '#ui/Skeletons.tsx'
import { QuickActionCards } from './QuickActionCards.tsx'
import { WaitingQueues } from './WaitingQueues.tsx'

const SiteSeries = lazyPart(async () => (await import('#features/staff/dashboard/SiteSeries.tsx')).SiteSeries)

interface OverviewProps {
  userId: string
  may: May
  /** The length of the periods in the charts. */
  step: Step
  onStep: (step: Step) => void
}

/** The first tab of the dashboard: the cases that wait, then figures, quick actions and, once asked for, charts. */
export function Overview({ userId, may, step, onStep }: OverviewProps) {
  const figures = useQuery(adminFiguresQuery(userId))
  const { routesByPath } = useRouter()
  const [trends, { toggle }] = useDisclosure(step === 'week')
  return (
    <Stack gap="md">
      <WaitingQueues userId={userId} />
      <Loaded
        of={figures}
        pending={
          <SimpleGrid cols={{ base: 1, xs: may('users.edit') ? 2 : 1 }} spacing="md" aria-busy>
            <Skeleton h={128} />
            {may('users.edit') && <Skeleton h={128} />}
          </SimpleGrid>
        }
        failed={t`The figures could not be loaded`}
      >
        {(all) => <HeadlineCards {...all} />}
      </Loaded>
      <QuickActionCards may={may} />
      {figures.data && (
        <UserOverviewCard
          users={figures.data.users}
          action={
            '/admin/users' in routesByPath && (
              <LinkButton variant="default" to="/admin/users">
                {t`View all users`}
              </LinkButton>
            )
          }
        />
      )}
      <Anchor component="button" type="button" mih={44} ta="start" aria-expanded={trends} onClick={toggle}>
        {trends ? t`Hide trends` : t`Show trends`}
      </Anchor>
      {trends && (
        <Suspense fallback={<RowsSkeleton rows={5} />}>
          <SiteSeries userId={userId} step={step} onStep={onStep} />
        </Suspense>
      )}
    </Stack>
  )
}
