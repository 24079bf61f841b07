import { useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { useEffectEvent, useLayoutEffect, useRef } from 'react'
import { putInto } from '#lib/cache.ts'
import { useLive } from '#lib/live.ts'
import { toastsAreOn } from '#lib/storage.ts'
import { toast } from '#ui/toasts.ts'
import { leadsTo, toNotification, type UserNotification } from './notification.ts'
import { notificationKeys } from './notifications.queries.ts'

/**
 * The maximum number of toasts shown together. Many notifications may arrive after a device has slept for long; the
 * bell lists them all.
 */
const MOST_TOLD = 3

/** News of a step that the person has just taken themselves, whose page shows it as a banner. */
const OWN_STEPS: ReadonlySet<UserNotification['moment']> = new Set(['joined', 'let-in'])

/**
 * Keeps the list current: a new notification is added on top, a changed one reloads the list. Toasts are shown for new
 * entries of `list`, not for live events, so that none is missed while connecting and none is shown twice.
 */
export function useLiveNotifications(userId: string, list: UserNotification[] | undefined): void {
  const cache = useQueryClient()
  const router = useRouter()
  const queryKey = notificationKeys.of(userId)
  const filter = `user_id=eq.${userId}`
  const known = useRef({ ids: new Set<string>(), listed: false })
  // A plan's page itself asks for the access of a member who has paid.
  const tellNews = (news: UserNotification[]) =>
    tell(
      news.filter(
        ({ isAccessDue, planId }) =>
          !(isAccessDue && planId && router.state.location.pathname.includes(planId)),
      ),
    )
  const show = useEffectEvent(tellNews)
  // A layout effect runs before the effects of `MomentCard`, which must not show news that was just shown as a toast.
  useLayoutEffect(() => {
    if (!list) return
    const news = meet(known.current, list)
    if (known.current.listed) show(news)
    known.current.listed = true
  }, [list])
  useLive(
    'user-notifications',
    [
      { table: 'user_notifications', event: 'INSERT', filter },
      { table: 'user_notifications', event: 'UPDATE', filter },
    ],
    {
      keys: [queryKey],
      soon: 0,
      use: ({ eventType, new: row }) => {
        if (eventType !== 'INSERT') return false
        const arrived = toNotification(row)
        putInto(cache, queryKey, arrived, () => true)
        if (cache.getQueryData(queryKey)) return 'put'
        tellNews(meet(known.current, [arrived]))
        return false
      },
    },
  )
}

/** Returns the unread entries that have not been seen before, and records all of them as seen. */
function meet({ ids }: { ids: Set<string> }, list: UserNotification[]): UserNotification[] {
  const news = list.filter(({ id }) => !ids.has(id))
  for (const { id } of news) ids.add(id)
  return news.filter(({ read, moment }) => !read && !OWN_STEPS.has(moment))
}

function tell(news: UserNotification[]): void {
  if (!toastsAreOn()) return
  for (const one of news.slice(0, MOST_TOLD).reverse()) toast(one.kind, one.title, one.message, leadsTo(one))
}
