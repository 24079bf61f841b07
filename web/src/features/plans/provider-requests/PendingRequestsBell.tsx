import { t } from '@lingui/core/macro'
import { Box, Title } from '@mantine/core'
import { IconBellRinging } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { BadgePopover } from '#ui/BadgePopover.tsx'
import { EmptyState } from '#ui/EmptyState.tsx'
import { PopoverList } from '#ui/PopoverList.tsx'
import { PendingRequestRow } from './PendingRequestRow.tsx'
import { usePendingRequestsLive } from './pending-requests.live.ts'
import { pendingRequestTexts } from './pending-requests.messages.ts'
import { useDecideProviderRequest } from './pending-requests.mutations.ts'
import { pendingRequestCountQuery, pendingRequestsQuery } from './pending-requests.queries.ts'

/** Live number of pending provider requests, with a popover to decide them. Admins only. */
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
  const requests = useQuery(pendingRequestsQuery)
  const { mutate, isPending, variables } = useDecideProviderRequest()
  return (
    <>
      <Box px="md" py="sm">
        <Title order={2} size="h4">
          {pendingRequestTexts.title}
        </Title>
      </Box>
      <PopoverList
        list={requests}
        row={(request) => (
          <PendingRequestRow
            key={request.id}
            request={request}
            onDecide={request.userId === userId ? undefined : (verdict) => mutate({ request, verdict })}
            deciding={isPending && variables.request.id === request.id ? variables.verdict : undefined}
            disabled={isPending}
          />
        )}
        empty={<EmptyState title={pendingRequestTexts.none} />}
        failed={pendingRequestTexts.failed}
      />
    </>
  )
}
