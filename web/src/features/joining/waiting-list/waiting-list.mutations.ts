import { useMutation, useQueryClient } from '@tanstack/react-query'
import { showAtOnce } from '#lib/cache.ts'
import { withinLimit } from '#lib/rate-limit.ts'
import { rpc } from '#lib/supabase.ts'
import { waitingListToasts } from './waiting-list.messages.ts'
import { type WaitingPlace, waitingListKeys } from './waiting-list.queries.ts'

type Waited = Pick<WaitingPlace, 'planId' | 'provider' | 'name'>

export function useJoinWaitingList(userId: string) {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: ({ planId }: Waited) =>
      withinLimit('waiting list', () => rpc('join_waiting_list', { p_subscription_id: planId })),
    onSuccess: (position, { provider, name }) => waitingListToasts.joined(`${provider} ${name}`, position),
    onError: waitingListToasts.joinFailed,
    onSettled: () => cache.invalidateQueries({ queryKey: waitingListKeys.of(userId) }),
  })
}

/** Gives up a place in line, and what is offered with it. */
export function useLeaveWaitingList(userId: string) {
  const cache = useQueryClient()
  const queryKey = waitingListKeys.of(userId)
  return useMutation({
    mutationFn: ({ planId }: Waited) => rpc('leave_waiting_list', { p_subscription_id: planId }),
    onMutate: ({ planId }) =>
      showAtOnce<WaitingPlace[]>(cache, queryKey, (shown) => shown.filter((one) => one.planId !== planId)),
    onSuccess: (_left, { provider, name }) => waitingListToasts.left(`${provider} ${name}`),
    onError: (problem, _waited, takeBack) => {
      takeBack?.()
      waitingListToasts.leaveFailed(problem)
    },
    onSettled: () => cache.invalidateQueries({ queryKey }),
  })
}
