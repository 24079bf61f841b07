import { t } from '@lingui/core/macro'
import { explain, toastSuccess } from '#ui/toasts.ts'

export const supportTexts = {
  listFailed: t`The questions could not be loaded`,
  ownFailed: t`Your questions could not be loaded`,
} as const

export const supportToasts = {
  sent: () => toastSuccess(t`Sent`, t`We’ll answer here and by email.`),
  answered: (name: string | null) =>
    toastSuccess(
      t`Answered`,
      name ? t`We’ve told ${name} in the app and by email.` : t`The person has left.`,
    ),
  failed: (problem: unknown) => explain(problem, ({ message }) => [t`That didn’t work`, message]),
}
