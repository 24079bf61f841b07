import { Button, SimpleGrid, Skeleton, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link, useRouter } from '@tanstack/react-router'
import { adminFiguresQuery } from '#features/admin-dashboard/admin-figures.queries.ts'
import { HeadlineCards } from '#features/admin-dashboard/HeadlineCards.tsx'
import { UserOverviewCard } from '#features/admin-dashboard/UserOverviewCard.tsx'
import type { May } from '#features/roles/use-role.ts'
import { LoadAlert } from '#ui/LoadAlert.tsx'
import { QuickActionCards } from './QuickActionCards.tsx'

/** The first tab of the dashboard: the figures, and where to go from there. */
export function Overview({ userId, may }: { userId: string; may: May }) {
  const { data: figures, error, refetch } = useQuery(adminFiguresQuery(userId))
  const { routesByPath } = useRouter()
  return (
    <Stack gap="md">
      {figures && <HeadlineCards {...figures} />}
      {!figures && !error && (
        <SimpleGrid cols={{ base: 1, xs: may('users.edit') ? 2 : 1 }} spacing="md" aria-busy>
          <Skeleton h={128} />
          {may('users.edit') && <Skeleton h={128} />}
        </SimpleGrid>
      )}
      {!figures && error && (
        <LoadAlert title="The figures could not be loaded" problem={error} onRetry={() => void refetch()} />
      )}
      <QuickActionCards may={may} />
      {figures && (
        <UserOverviewCard
          users={figures.users}
          action={
            '/admin/users' in routesByPath && (
              <Button variant="default" renderRoot={(root) => <Link {...root} to="/admin/users" />}>
                View all users
              </Button>
            )
          }
        />
      )}
    </Stack>
  )
}
