import { t } from '@lingui/core/macro'
import { explain, toastSuccess } from '#ui/toasts.ts'

export const blockTexts = {
  what: t`You can’t message, invite or find each other, and open requests between you end. They are not told.`,
  goesOn: t`Places you already have with each other stay.`,
} as const

export const blockToasts = {
  blocked: (name: string) =>
    toastSuccess(t`${name} is blocked`, t`You can unblock them in Account Settings.`),
  unblocked: (name: string) => toastSuccess(t`${name} is no longer blocked`),
  failed: (problem: unknown) => explain(problem, ({ message }) => [t`That didn’t work`, message]),
}
