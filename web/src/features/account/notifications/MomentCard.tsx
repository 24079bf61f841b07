import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useEffect, useEffectEvent, useState } from 'react'
import { type Celebrated, Celebration } from '#ui/Celebration.tsx'
import { type Moment, type Notification, unreadMoments } from './notification.ts'
import { useMarkRead } from './notifications.mutations.ts'
import { notificationsQuery } from './notifications.queries.ts'

interface MomentCardProps {
  userId: string
  /** The plan whose page this is, if it is one. */
  planId?: string
  /** Good news that the person has just brought about themselves. */
  own?: { moment: Celebrated; onClose: () => void } | null
}

/** Good news not read yet. Showing it marks it read, on every other device too. */
export default function MomentCard({ userId, planId, own }: MomentCardProps) {
  const { data = [] } = useQuery(notificationsQuery(userId))
  const [shown, setShown] = useState<Notification | null>(null)
  const { mutate } = useMarkRead(userId)
  const unread = unreadMoments(data, planId)
  const show = useEffectEvent(() => {
    setShown(unread[0] ?? null)
    mutate(unread.map(({ id }) => id))
  })
  const latest = unread[0]?.id
  useEffect(() => {
    // Without a connection it could not be marked read, and would be shown again.
    if (latest && navigator.onLine) show()
  }, [latest])
  if (own) return <Celebration of={own.moment} onClose={own.onClose} />
  return <Celebration of={shown && celebrated(shown, planId)} onClose={() => setShown(null)} />
}

function celebrated({ moment, message, member }: Notification, planId: string | undefined): Celebrated {
  const title: Record<Moment, string> = {
    'request-approved': 'You are in',
    'let-in': 'You are in',
    joined: 'You are in',
    'member-let-in': `${member ?? 'Somebody'} is in`,
    'invitation-accepted': `${member ?? 'Somebody'} is in`,
    'first-month': 'Your first month is complete',
    'member-first-month': `A whole month with ${member ?? 'a member'}`,
    'first-coins': 'Your first coins',
  }
  const key = moment ?? 'joined'
  return { title: title[key], text: message, action: wayOn(key, planId) }
}

function wayOn(moment: Moment, planId: string | undefined): ReactNode {
  switch (moment) {
    case 'request-approved':
    case 'let-in':
    case 'joined':
      return (
        <Button renderRoot={(root) => <Link {...root} to="." hash="access-title" replace />}>
          See how to get in
        </Button>
      )
    case 'member-let-in':
    case 'invitation-accepted':
      return (
        <Button renderRoot={(root) => <Link {...root} to="." hash="members-title" replace />}>
          See your members
        </Button>
      )
    case 'member-first-month':
      return (
        planId && (
          <Button
            renderRoot={(root) => <Link {...root} to="/manage-shared/$planId/payments" params={{ planId }} />}
          >
            See the payments
          </Button>
        )
      )
    case 'first-month':
    case 'first-coins':
      return (
        <Button renderRoot={(root) => <Link {...root} to="/my-savings" />}>
          {moment === 'first-coins' ? 'See your wallet' : 'See what you save'}
        </Button>
      )
  }
}
