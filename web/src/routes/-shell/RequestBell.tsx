import { t } from '@lingui/core/macro'
import { ActionIcon, Indicator } from '@mantine/core'
import { IconUserPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { usePendingCountsLive } from '#features/joining/join-requests/join-requests.live.ts'
import { pendingCountsQuery } from '#features/joining/join-requests/join-requests.queries.ts'
import { cappedCount } from '#ui/CountBadge.tsx'

/** The number of join requests to answer, as a link to them. */
export function RequestBell({ userId }: { userId: string }) {
  const { data: counts = {} } = useQuery(pendingCountsQuery(userId))
  usePendingCountsLive(userId)
  const waiting = Object.values(counts).reduce((sum, count) => sum + count, 0)
  const label = waiting === 0 ? t`Join requests` : t`Join requests, ${waiting} pending`
  return (
    <Indicator label={cappedCount(waiting)} size={18} offset={8} color="clay" disabled={waiting === 0}>
      <ActionIcon
        aria-label={label}
        renderRoot={(props) => <Link to="/my-subscriptions" search={{ tab: 'requests' }} {...props} />}
      >
        <IconUserPlus size={22} />
      </ActionIcon>
    </Indicator>
  )
}
