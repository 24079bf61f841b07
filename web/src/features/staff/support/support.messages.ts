import { t } from '@lingui/core/macro'
import { explain, toastSuccess } from '#ui/toasts.ts'

export const supportTexts = {
  ownFailed: t`Your questions could not be loaded`,
} as const

export const supportToasts = {
  sent: () => toastSuccess(t`Sent`, t`We’ll answer here and by email.`),
  failed: (problem: unknown) => explain(problem, ({ message }) => [t`That didn’t work`, message]),
}
