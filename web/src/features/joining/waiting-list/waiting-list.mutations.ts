import { planName } from '#domain/plan-name.ts'
import { showAtOnce } from '#lib/cache.ts'
import { useChange } from '#lib/change.ts'
import { withinLimit } from '#lib/rate-limit.ts'
import { rpc } from '#lib/supabase.ts'
import { waitingListToasts } from './waiting-list.messages.ts'
import { type WaitingPlace, waitingListKeys } from './waiting-list.queries.ts'

type Waited = Pick<WaitingPlace, 'subscriptionId' | 'provider' | 'name'>

export const useJoinWaitingList = (userId: string) =>
  useChange({
    run: ({ subscriptionId }: Waited) =>
      withinLimit('waiting list', () => rpc('join_waiting_list', { p_subscription_id: subscriptionId })),
    stale: [waitingListKeys.of(userId)],
    done: (position, { provider, name }) =>
      waitingListToasts.joined(`${provider} ${planName(name)}`, position),
    failed: waitingListToasts.joinFailed,
  })

/** Leaves a waiting list, which also gives up an offered place. */
export const useLeaveWaitingList = (userId: string) =>
  useChange({
    run: ({ subscriptionId }: Waited) => rpc('leave_waiting_list', { p_subscription_id: subscriptionId }),
    stale: [waitingListKeys.of(userId)],
    show: (left, cache) =>
      showAtOnce<WaitingPlace[]>(cache, waitingListKeys.of(userId), (shown) =>
        shown.filter(({ subscriptionId }) => subscriptionId !== left.subscriptionId),
      ),
    failed: waitingListToasts.leaveFailed,
  })
