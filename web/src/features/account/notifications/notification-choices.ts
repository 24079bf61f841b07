import type { topics } from '@potluck/supabase/events'
import { showAtOnce } from '#lib/cache.ts'
import { camel, type RowOf } from '#lib/camel.ts'
import { useChange } from '#lib/change.ts'
import { query } from '#lib/query.ts'
import { rpc } from '#lib/supabase.ts'
import { choiceToasts } from './notification-choices.messages.ts'

export type Topic = (typeof topics)[number]
export type Choice = RowOf<'get_notification_choices', never, { topic: Topic }>
export type Channel = 'mail' | 'push'

/** The signed-in person's notification choices, one row per topic. */
export const notificationChoicesQuery = query({
  key: ['notification-choices'],
  load: async (signal) => (await rpc('get_notification_choices', {}, signal)).map(camel<Choice>),
})

/** Turns one topic on or off for one channel. The checkbox changes immediately, and changes back on failure. */
export const useChoose = () =>
  useChange({
    run: ({ topic, channel, wanted }: { topic: Topic; channel: Channel; wanted: boolean }) =>
      rpc('choose_notifications', { p_topic: topic, p_channel: channel, p_wanted: wanted }),
    stale: [notificationChoicesQuery.queryKey],
    show: ({ topic, channel, wanted }, cache) =>
      showAtOnce<Choice[]>(cache, notificationChoicesQuery.queryKey, (shown) =>
        shown.map((one) => (one.topic === topic ? { ...one, [channel]: wanted } : one)),
      ),
    failed: choiceToasts.failed,
  })

/** Stops or restarts all mail with the token from a mail; needs no sign-in. Fails with PT404 for an unknown token. */
export const useMailLink = (token: string) =>
  useChange({
    run: async (wanted: boolean) => {
      await rpc('set_mail_preference_by_link', { p_token: token, p_notifications: wanted })
      return wanted
    },
    stale: [notificationChoicesQuery.queryKey],
    // No toast, since the screen shows the error.
    failed: () => undefined,
  })
