import { useMutation, useQueryClient } from '@tanstack/react-query'
import { showAtOnce } from '#lib/cache.ts'
import { rpc } from '#lib/supabase.ts'
import { toastError, toastSuccess } from '#ui/toasts.ts'
import { type Notification, withRead } from './notification.ts'
import { notificationKeys } from './notifications.queries.ts'

/** Marks some notifications read, or all of them with null. Shown at once, taken back when it fails. */
export function useMarkRead(userId: string) {
  const cache = useQueryClient()
  const queryKey = notificationKeys.of(userId)
  return useMutation({
    mutationFn: (ids: string[] | null) =>
      rpc('mark_notifications_as_read', { p_user_id: userId, p_notification_ids: ids }),
    onMutate: (ids) => showAtOnce<Notification[]>(cache, queryKey, (list) => withRead(list, ids)),
    onSuccess: (_answer, ids) => {
      if (ids === null) toastSuccess('Notifications marked as read')
    },
    onError: (_problem, _ids, takeBack) => {
      takeBack?.()
      toastError('Failed to mark notifications as read')
    },
    onSettled: () => cache.invalidateQueries({ queryKey }),
  })
}
