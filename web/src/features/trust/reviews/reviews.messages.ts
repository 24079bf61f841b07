import { LIMITS } from '@potluck/supabase/limits'
import { counted } from '#domain/plural.ts'
import { explain, toastSuccess } from '#ui/toasts.ts'

export const reviewTexts = {
  listFailed: 'Reviews could not be loaded',
  none: 'Nobody has written a review yet.',
  waits: `What you write is shown once both of you have written, or after ${counted(LIMITS.reviewWaitHours / 24, 'day')}. It stays as it is.`,
  unanswered: 'You can answer once, for everyone to read.',
} as const

export const reviewToasts = {
  written: (name: string) => toastSuccess('Thank you', `Your review of ${name} is kept.`),
  answered: () => toastSuccess('Answer added', 'Everyone who reads the review reads it too.'),
  reported: () => toastSuccess('Thank you', 'Staff looks at it.'),
  decided: (hidden: boolean) => toastSuccess(hidden ? 'Review hidden' : 'Review left as it is'),
  failed: (problem: unknown) => explain(problem, ({ message }) => ['That did not work', message]),
}
