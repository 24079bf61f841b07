import { t } from '@lingui/core/macro'
import { useChange } from '#lib/change.ts'
import { config } from '#lib/config.ts'
import { answerOf } from '#lib/errors.ts'
import { query } from '#lib/query.ts'
import { rpc } from '#lib/supabase.ts'
import { toastError, toastSuccess } from '#ui/toasts.ts'

/** The time the signed-in person's calendar got its address, as an ISO timestamp; null if it has none. */
export const calendarQuery = query({
  key: ['calendar'],
  load: (signal): Promise<string | null> => rpc('get_calendar', {}, signal),
})

/** The address for calendar programs. */
export const addressOf = (token: string) =>
  `${config().supabaseUrl.replace(/\/+$/, '')}/functions/v1/calendar/${token}.ics`

const stale = [calendarQuery.queryKey]
const failed = (problem: unknown) =>
  toastError(t`Your calendar was not changed`, answerOf(problem, t`Please try again.`))

/** Creates or replaces the address. Returns its secret, which cannot be read again. */
export const useMakeCalendar = () => useChange({ run: () => rpc('make_calendar', {}), stale, failed })

export const useEndCalendar = () =>
  useChange({
    run: () => rpc('end_calendar', {}),
    stale,
    done: () => toastSuccess(t`Calendar turned off`, t`Its link no longer works.`),
    failed,
  })
