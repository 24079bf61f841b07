import { t } from '@lingui/core/macro'
import { showAtOnce } from '#lib/cache.ts'
import { useChange } from '#lib/change.ts'
import { rpc } from '#lib/supabase.ts'
import { toastError, toastSuccess } from '#ui/toasts.ts'
import { type UserNotification, withRead } from './notification.ts'
import { notificationKeys } from './notifications.queries.ts'

/** Marks notifications read; null means all. The list changes immediately, and changes back on failure. */
export const useMarkRead = (userId: string) =>
  useChange({
    run: (ids: string[] | null) =>
      rpc('mark_notifications_as_read', { p_user_id: userId, p_notification_ids: ids }),
    stale: [notificationKeys.of(userId)],
    show: (ids, cache) =>
      showAtOnce<UserNotification[]>(cache, notificationKeys.of(userId), (list) => withRead(list, ids)),
    done: (_answer, ids) => ids === null && toastSuccess(t`Notifications marked as read`),
    failed: () => toastError(t`Failed to mark notifications as read`),
  })
