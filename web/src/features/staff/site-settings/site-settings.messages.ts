import { answerOf } from '#lib/errors.ts'
import { toastError, toastSuccess } from '#ui/toasts.ts'

export const siteSettingsTexts = {
  loadFailed: 'Failed to load the settings',
  notAllowed: 'Only super-admins can change settings',
} as const

export const siteSettingsToasts = {
  saved: () => toastSuccess('Settings saved'),
  failed: (problem: unknown) =>
    toastError('The settings were not saved', answerOf(problem, 'Please try again.')),
}
