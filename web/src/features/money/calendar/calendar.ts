import { t } from '@lingui/core/macro'
import { useChange } from '#lib/change.ts'
import { config } from '#lib/config.ts'
import { answerOf } from '#lib/errors.ts'
import { query } from '#lib/query.ts'
import { rpc } from '#lib/supabase.ts'
import { toastError, toastSuccess } from '#ui/toasts.ts'

/** When the signed-in person's calendar got its address, as an ISO timestamp; null without one. */
export const calendarQuery = query({
  key: ['calendar'],
  load: (signal): Promise<string | null> => rpc('get_calendar', {}, signal),
})

/** The address calendar programs read. */
export const addressOf = (token: string) =>
  `${config().supabaseUrl.replace(/\/+$/, '')}/functions/v1/calendar/${token}.ics`

const stale = [calendarQuery.queryKey]
const failed = (problem: unknown) =>
  toastError(t`Your calendar was not changed`, answerOf(problem, t`Please try again.`))

/** Makes or replaces the address; gives the secret in it, which is shown only this once. */
export const useMakeCalendar = () => useChange({ run: () => rpc('make_calendar', {}), stale, failed })

export const useEndCalendar = () =>
  useChange({
    run: () => rpc('end_calendar', {}),
    stale,
    done: () => toastSuccess(t`Calendar turned off`, t`Its link no longer works.`),
    failed,
  })
