import { t } from '@lingui/core/macro'
import { ActionIcon, Indicator } from '@mantine/core'
import { IconUserPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { NotificationBell } from '#features/account/notifications/NotificationBell.tsx'
import { useOwnLanguage } from '#features/account/profiles/own-language.ts'
import { homeKeys } from '#features/home/overview/home.queries.ts'
import { usePendingCountsLive } from '#features/joining/join-requests/join-requests.live.ts'
import { pendingCountsQuery } from '#features/joining/join-requests/join-requests.queries.ts'
import { useSendQueuedClaims } from '#features/money/payments/queued-claims.ts'
import { ChatInbox } from '#features/people/chat/ChatInbox.tsx'
import { useRoleLive } from '#features/staff/roles/roles.live.ts'
import type { User } from '#lib/session.ts'
import { useOwnTimeZone } from '#lib/time-zone.ts'
import { cappedCount } from '#ui/CountBadge.tsx'
import { AvatarMenu } from './AvatarMenu.tsx'
import { useLastSight } from './last-sight.ts'
import classes from './Shell.module.css'

/** The top bar's tools for a signed-in person; visitors never load them. */
export function SignedInTools({ user }: { user: User }) {
  useSendQueuedClaims(user.id, homeKeys.all)
  useOwnLanguage(user.id)
  useOwnTimeZone(user.id)
  useRoleLive(user.id)
  useLastSight()
  return (
    <>
      <RequestBell userId={user.id} />
      <ChatInbox userId={user.id} />
      <NotificationBell key={user.id} userId={user.id} />
      <div className={classes.wide}>
        <AvatarMenu user={user} />
      </div>
    </>
  )
}

/** A bell with the number of people who wait for an answer to their join request; links to the requests. */
function RequestBell({ userId }: { userId: string }) {
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
