import { t } from '@lingui/core/macro'
import { answerOf } from '#lib/errors.ts'
import { toastError, toastSuccess } from '#ui/toasts.ts'

export const siteSettingsTexts = {
  loadFailed: t`Failed to load the settings`,
  notAllowed: t`Only super-admins can change settings`,
} as const

export const siteSettingsToasts = {
  saved: () => toastSuccess(t`Settings saved`),
  invoicesFailed: (problem: unknown) =>
    toastError(t`The invoices could not be loaded`, answerOf(problem, t`Please try again.`)),
  failed: (problem: unknown) =>
    toastError(t`The settings were not saved`, answerOf(problem, t`Please try again.`)),
}
