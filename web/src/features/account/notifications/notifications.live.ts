import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { putInto } from '#lib/cache.ts'
import { useLive } from '#lib/live.ts'
import { toastsAreOn } from '#lib/storage.ts'
import { toast } from '#ui/toasts.ts'
import { leadsTo, type Notification, toNotification } from './notification.ts'
import { notificationKeys } from './notifications.queries.ts'

/** Toasts at once: after a long sleep there may be many, and the bell has them all. */
const MOST_TOLD = 3

/**
 * New notifications arrive on top; a changed one reloads the list. Anything new in `list` gets a toast, so that nothing is
 * missed while the connection is made, and nothing is told twice.
 */
export function useLiveNotifications(userId: string, list: Notification[] | undefined): void {
  const cache = useQueryClient()
  const queryKey = notificationKeys.of(userId)
  const filter = `user_id=eq.${userId}`
  const known = useRef({ ids: new Set<string>(), listed: false })
  useEffect(() => {
    if (!list) return
    const news = meet(known.current, list)
    if (known.current.listed) tell(news)
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
        tell(meet(known.current, [arrived]))
        return false
      },
    },
  )
}

/** Which of these are unread and new. From now on all of them are known. */
function meet({ ids }: { ids: Set<string> }, list: Notification[]): Notification[] {
  const news = list.filter(({ id }) => !ids.has(id))
  for (const { id } of news) ids.add(id)
  // Somebody who has just accepted an invitation knows.
  return news.filter(({ read, moment }) => !read && moment !== 'joined')
}

function tell(news: Notification[]): void {
  // The bell has them.
  if (!toastsAreOn()) return
  for (const one of news.slice(0, MOST_TOLD).reverse()) toast(one.kind, one.title, one.message, leadsTo(one))
}
