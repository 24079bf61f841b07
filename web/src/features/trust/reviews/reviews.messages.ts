import { plural, t } from '@lingui/core/macro'
import { LIMITS } from '@potluck/supabase/limits'
import { explain, toastSuccess } from '#ui/toasts.ts'

export const reviewTexts = {
  listFailed: t`Reviews could not be loaded`,
  none: t`No reviews yet.`,
  waits: t`Reviews appear once you’ve both written one, or after ${plural(LIMITS.reviewWaitHours / 24, { one: '# day', other: '# days' })}. They can’t be changed.`,
  unanswered: t`You can answer once. Everyone can read it.`,
} as const

export const reviewToasts = {
  written: (name: string) => toastSuccess(t`Thank you`, t`Your review of ${name} is saved.`),
  reported: () => toastSuccess(t`Thank you`, t`Our team will look at it.`),
  failed: (problem: unknown) => explain(problem, ({ message }) => [t`That didn’t work`, message]),
}
