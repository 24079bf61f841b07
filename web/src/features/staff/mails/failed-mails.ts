import { t } from '@lingui/core/macro'
import { haveWords, inOurWords } from '#features/account/notifications/words.ts'
import { queueKeys } from '#features/staff/queues/queues.queries.ts'
import { camel, type RowOf } from '#lib/camel.ts'
import { useChange } from '#lib/change.ts'
import { query } from '#lib/query.ts'
import { rpc } from '#lib/supabase.ts'
import { explain } from '#ui/toasts.ts'

const KEY = ['failed-mails']

/** A mail that was given up. Times are ISO. The person is null if no account has the address. */
export type FailedMail = RowOf<'list_failed_mails', 'personId' | 'personName' | 'event' | 'error'>

/** Mails that were given up and not yet marked as seen, latest first. */
export const failedMailsQuery = query({
  key: KEY,
  load: async (signal): Promise<FailedMail[]> => {
    const [rows] = await Promise.all([rpc('list_failed_mails', {}, signal), haveWords()])
    return rows
      .map(camel<FailedMail>)
      .map((mail) => ({ ...mail, title: inOurWords(mail.event, {}).title ?? mail.title }))
  },
})

/** Marks the mails that were given up until this time as seen, which removes them from the list. */
export const useMarkMailsSeen = () =>
  useChange({
    run: (until: string) => rpc('mark_failed_mails_seen', { p_until: until }),
    stale: [KEY, queueKeys.all],
    failed: (problem) => explain(problem, ({ message }) => [t`That didn’t work`, message]),
  })
