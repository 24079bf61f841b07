import { t } from '@lingui/core/macro'
import { camel, type RowOf } from '#lib/camel.ts'
import { useChange } from '#lib/change.ts'
import { reasonOf, refusalOf, toAppError } from '#lib/errors.ts'
import { query } from '#lib/query.ts'
import { SECURITY } from '#lib/security.ts'
import { rpc, supabase } from '#lib/supabase.ts'
import { toastError, toastSuccess } from '#ui/toasts.ts'

/** A session of the signed-in person. Times are ISO. */
export type SignedInDevice = RowOf<'my_sessions', 'ip'>

/** The signed-in person's sessions, the last used first. */
export const sessionsQuery = query({
  key: [...SECURITY, 'sessions'],
  load: async (signal) => (await rpc('my_sessions', {}, signal)).map(camel<SignedInDevice>),
})

interface Ending {
  /** The session to end; null for all but this one. */
  id: string | null
  /** Also ends API tokens, webhooks and the calendar's address. */
  programs?: boolean
}

export const useEndSessions = () =>
  useChange({
    run: async ({ id, programs }: Ending) => {
      if (programs) await rpc('disconnect_programs', {})
      if (id !== null) return rpc('end_session', { p_session_id: id })
      const { error } = await supabase().auth.signOut({ scope: 'others' })
      if (error) throw toAppError(error)
    },
    stale: [SECURITY],
    done: (_ended, { id }) =>
      id === null
        ? toastSuccess(t`Signed out everywhere else`, t`Only this device is signed in.`)
        : toastSuccess(t`Signed out there`, t`That device needs to sign in again.`),
    failed: (problem) => toastError(t`Device not signed out`, refusalOf(problem) ?? reasonOf(problem)),
  })
