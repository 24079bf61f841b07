import { t } from '@lingui/core/macro'
import { haveWords, inOurWords } from '#features/account/notifications/words.ts'
import { queueKeys } from '#features/staff/queues/queues.queries.ts'
import { camel, type RowOf } from '#lib/camel.ts'
import { useChange } from '#lib/change.ts'
import { query } from '#lib/query.ts'
import { rpc } from '#lib/supabase.ts'
import { explain, toastSuccess } from '#ui/toasts.ts'

const KEY = ['mails']

/** A mail and its delivery state. Times are ISO. The person is null if no account has the e-mail address. */
export type Mail = RowOf<'list_mails', 'personId' | 'personName' | 'event' | 'error'>

/**
 * Mails to e-mail addresses that contain `search`, latest first. If `search` is empty, the mails that were given up and
 * not marked as seen.
 */
export const mailsQuery = (search: string) =>
  query({
    key: [...KEY, search],
    load: async (signal): Promise<Mail[]> => {
      const [rows] = await Promise.all([rpc('list_mails', { p_search: search }, signal), haveWords()])
      return rows
        .map(camel<Mail>)
        .map((mail) => ({ ...mail, title: inOurWords(mail.event, {}).title ?? mail.title }))
    },
  })

const failed = (problem: unknown) => explain(problem, ({ message }) => [t`That didn’t work`, message])

/** Marks the mails that were given up until this time as seen, which removes them from the list. */
export const useMarkMailsSeen = () =>
  useChange({
    run: (until: string) => rpc('mark_failed_mails_seen', { p_until: until }),
    stale: [KEY, queueKeys.all],
    failed,
  })

export const useTryMailNow = () =>
  useChange({ run: (id: string) => rpc('try_mail_now', { p_id: id }), stale: [KEY, queueKeys.all], failed })

/** Sends a test mail to the acting admin. */
export const useSendTestMail = () =>
  useChange({
    run: () => rpc('send_test_mail', {}),
    stale: [KEY],
    done: () =>
      toastSuccess(t`Test email on its way`, t`Search for your address under Emails to see where it is.`),
    failed,
  })
