import { answerOf } from '#lib/errors.ts'
import { toastError, toastSuccess } from '#ui/toasts.ts'

export const calendarToasts = {
  ended: () => toastSuccess('Calendar switched off', 'Its address shows nothing any more.'),
  failed: (problem: unknown) =>
    toastError('Your calendar was not changed', answerOf(problem, 'Please try again.')),
}
