import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { joinRequestKeys } from '#features/joining/join-requests/join-requests.queries.ts'
import { planToasts } from '#features/plans/shared-plans/plans.messages.ts'
import { planKeys } from '#features/plans/shared-plans/plans.queries.ts'

/** Reloads everything in My Subscriptions and shows the result. */
export function useRefresh() {
  const cache = useQueryClient()
  const [busy, setBusy] = useState(false)
  const refresh = async () => {
    setBusy(true)
    try {
      await Promise.all(
        [planKeys.lists, joinRequestKeys.all].map((queryKey) =>
          cache.refetchQueries({ queryKey, type: 'active' }, { throwOnError: true }),
        ),
      )
      planToasts.refreshed()
    } catch {
      planToasts.refreshFailed()
    } finally {
      setBusy(false)
    }
  }
  return { busy, refresh }
}
