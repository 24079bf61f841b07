import { useChange } from '#lib/change.ts'
import { answerOf } from '#lib/errors.ts'
import { rpc } from '#lib/supabase.ts'
import { toastError, toastSuccess } from '#ui/toasts.ts'
import { calendarQuery } from './calendar.queries.ts'

const stale = [calendarQuery.queryKey]
const failed = (problem: unknown) =>
  toastError('Your calendar was not changed', answerOf(problem, 'Please try again.'))

/** Makes or replaces the address; gives the secret in it, which is shown only this once. */
export const useMakeCalendar = () => useChange({ run: () => rpc('make_calendar', {}), stale, failed })

export const useEndCalendar = () =>
  useChange({
    run: () => rpc('end_calendar', {}),
    stale,
    done: () => toastSuccess('Calendar switched off', 'Its address shows nothing any more.'),
    failed,
  })
