import { useMutation, useQueryClient } from '@tanstack/react-query'
import { showAtOnce } from '#lib/cache.ts'
import { rpc } from '#lib/supabase.ts'
import { choiceToasts } from './notification-choices.messages.ts'
import { type Choice, notificationChoicesQuery } from './notification-choices.queries.ts'

export type Channel = 'mail' | 'push'

/** Turns one topic on or off in one place; the tick moves at once and comes back if that fails. */
export function useChoose() {
  const cache = useQueryClient()
  const { queryKey } = notificationChoicesQuery
  return useMutation({
    mutationFn: ({ topic, channel, wanted }: { topic: string; channel: Channel; wanted: boolean }) =>
      rpc('choose_notifications', { p_topic: topic, p_channel: channel, p_wanted: wanted }),
    onMutate: ({ topic, channel, wanted }) =>
      showAtOnce<Choice[]>(cache, queryKey, (shown) =>
        shown.map((one) => (one.topic === topic ? { ...one, [channel]: wanted } : one)),
      ),
    onError: (problem, _choice, takeBack) => {
      takeBack?.()
      choiceToasts.failed(problem)
    },
    onSettled: () => cache.invalidateQueries({ queryKey }),
  })
}

/** Ends or begins all mail by the link of one, for whoever holds it. Fails with PT404 for a link that was sent to nobody. */
export function useMailLink(token: string) {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: async (wanted: boolean) => {
      await rpc('set_mail_preference_by_link', { p_token: token, p_notifications: wanted })
      return wanted
    },
    onSettled: () => cache.invalidateQueries({ queryKey: notificationChoicesQuery.queryKey }),
  })
}
