import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect, useEffectEvent, useRef, useState } from 'react'
import { isEarlier } from '#lib/loaded-at.ts'
import { type Celebrated, Celebration } from '#ui/Celebration.tsx'
import { LinkButton } from '#ui/links.tsx'
import { isToasted } from '#ui/toasts.ts'
import { type Moment, type UserNotification, unreadMoments } from './notification.ts'
import { useMarkRead } from './notifications.mutations.ts'
import { notificationsQuery } from './notifications.queries.ts'

interface MomentCardProps {
  userId: string
  /** The plan whose page the card is on, if any. */
  planId?: string
  /** True if the person has done everything that a new place asks of them, so that news about it is no longer shown. */
  isDone?: boolean
  /** True if the page asks its owner for a new member's access, which says already that the member is in. */
  isAccessDue?: boolean
  /** Good news caused by the person's own action just now. */
  own?: { moment: Celebrated; onClose: () => void } | null
}

/**
 * Shows unread good news and thereby marks it read on every device. News that is on screen as a toast waits for the
 * next visit, so that it is not shown twice.
 */
export default function MomentCard({
  userId,
  planId,
  isDone = false,
  isAccessDue = false,
  own,
}: MomentCardProps) {
  const { data = [], dataUpdatedAt } = useQuery(notificationsQuery(userId))
  const [shown, setShown] = useState<UserNotification | null>(null)
  const { mutate } = useMarkRead(userId)
  // News of an earlier visit may have been read since.
  const unread = isEarlier(dataUpdatedAt) ? [] : unreadMoments(data, planId)
  const met = useRef(new Set<string>())
  const show = useEffectEvent(() => {
    const news = unread.filter(({ id, title, message }) => !met.current.has(id) && !isToasted(title, message))
    for (const { id } of unread) met.current.add(id)
    if (!news[0]) return
    setShown(news[0])
    mutate(news.map(({ id }) => id))
  })
  const latest = unread[0]?.id
  useEffect(() => {
    // Without a connection the news could not be marked read, and would be shown again.
    if (latest && navigator.onLine) show()
  }, [latest])
  if (own) return <Celebration of={own.moment} onClose={own.onClose} />
  const close = () => setShown(null)
  const isOver = (isDone && isPlace(shown?.moment)) || (isAccessDue && isMember(shown?.moment))
  return <Celebration of={shown && !isOver ? celebrated(shown, planId, close) : null} onClose={close} />
}

/** True if the news is that the person has a place. */
const isPlace = (moment: Moment | null | undefined) =>
  moment === 'request-approved' || moment === 'let-in' || moment === 'joined'

/** True if the news is that the owner has a new member. */
const isMember = (moment: Moment | null | undefined) =>
  moment === 'member-let-in' || moment === 'invitation-accepted'

/** Turns a notification into a celebration. `close` hides it once its link is followed. */
function celebrated(
  { moment, message, member }: UserNotification,
  planId: string | undefined,
  close: () => void,
): Celebrated {
  const key = moment ?? 'joined'
  const isIn = member ? t`${member} is in` : t`Someone is in`
  const title: Record<Moment, string> = {
    'request-approved': t`You are in`,
    'let-in': t`You are in`,
    joined: t`You are in`,
    'member-let-in': isIn,
    'invitation-accepted': isIn,
    'first-month': t`Your first month is complete`,
    'member-first-month': member ? t`A whole month with ${member}` : t`A whole month with a member`,
    'first-coins': t`Your first coins`,
  }
  return { title: title[key], text: message, action: wayOn(key, planId, close) }
}

function wayOn(moment: Moment, planId: string | undefined, close: () => void): ReactNode {
  switch (moment) {
    case 'request-approved':
    case 'let-in':
    case 'joined':
      return <PartLink to="access-title" onFollow={close}>{t`See how to get in`}</PartLink>
    case 'member-let-in':
    case 'invitation-accepted':
      return <PartLink to="members-title" onFollow={close}>{t`See your members`}</PartLink>
    case 'member-first-month':
      return (
        planId && (
          <LinkButton variant="default" to="/manage-shared/$planId/payments" params={{ planId }}>
            {t`See payments`}
          </LinkButton>
        )
      )
    case 'first-month':
      return (
        <LinkButton variant="default" to="/my-savings">
          {t`See your savings`}
        </LinkButton>
      )
    case 'first-coins':
      return (
        <LinkButton variant="default" to="/my-savings">
          {t`See your wallet`}
        </LinkButton>
      )
  }
}

interface PartLinkProps {
  to: string
  onFollow: () => void
  children: string
}

/** A link to a section of the current page. */
const PartLink = ({ to, onFollow, children }: PartLinkProps) => (
  <LinkButton variant="default" to="." search={{}} hash={to} replace onClick={onFollow}>
    {children}
  </LinkButton>
)
