import { t } from '@lingui/core/macro'
import { IconBellRinging } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { BadgePopover } from '#ui/BadgePopover.tsx'
import { EmptyState } from '#ui/EmptyState.tsx'
import { PopoverList } from '#ui/PopoverList.tsx'
import { usePendingRequestRow } from './PendingRequestRow.tsx'
import { usePendingRequestsLive } from './pending-requests.live.ts'
import { pendingRequestTexts } from './pending-requests.messages.ts'
import { pendingRequestCountQuery, pendingRequestsQuery } from './pending-requests.queries.ts'

/** The number of pending provider requests, kept current, with a popover to decide them. Admins only. */
export function PendingRequestsBell({ userId }: { userId: string }) {
  const { data: count = 0 } = useQuery(pendingRequestCountQuery)
  usePendingRequestsLive(userId)
  return (
    <BadgePopover
      icon={<IconBellRinging size={22} />}
      label={pendingRequestTexts.title}
      count={count}
      counted={(count) => t`${count} waiting`}
    >
      {() => <PendingRequests userId={userId} />}
    </BadgePopover>
  )
}

function PendingRequests({ userId }: { userId: string }) {
  return (
    <PopoverList
      list={useQuery(pendingRequestsQuery)}
      row={usePendingRequestRow(userId)}
      empty={<EmptyState title={pendingRequestTexts.none} />}
      failed={pendingRequestTexts.failed}
    />
  )
}
