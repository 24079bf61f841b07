import { LIMITS } from '@potluck/supabase/limits'
import { counted } from '#domain/plural.ts'
import { explain, toastSuccess } from '#ui/toasts.ts'

export const reviewTexts = {
  listFailed: 'Reviews could not be loaded',
  none: 'No reviews yet.',
  waits: `Reviews appear once you’ve both written one, or after ${counted(LIMITS.reviewWaitHours / 24, 'day')}. They can’t be changed.`,
  unanswered: 'You can answer once. Everyone can read it.',
} as const

export const reviewToasts = {
  written: (name: string) => toastSuccess('Thank you', `Your review of ${name} is saved.`),
  answered: () => toastSuccess('Answer added', 'Everyone can read it.'),
  reported: () => toastSuccess('Thank you', 'Our team will look at it.'),
  decided: (hidden: boolean) => toastSuccess(hidden ? 'Review hidden' : 'Review left as it is'),
  failed: (problem: unknown) => explain(problem, ({ message }) => ['That didn’t work', message]),
}
