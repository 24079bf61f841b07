import { t } from '@lingui/core/macro'
import { reasonOf, refusalOf } from '#lib/errors.ts'
import { toastError, toastSuccess } from '#ui/toasts.ts'

export const profileTexts = {
  loadTitle: t`Could not load profile information`,
  loadFailed: t`Failed to load profile data. Please try again later.`,
  endFailed: t`Account details could not be loaded`,
  socialPicture: t`Your picture comes from your sign-in service.`,
} as const

export const profileToasts = {
  saved: () => toastSuccess(t`Profile updated successfully`),
  saveFailed: (problem: unknown) => toastError(t`Failed to update profile`, why(problem)),
  exportFailed: (problem: unknown) => toastError(t`Your data could not be downloaded`, why(problem)),
  deleted: () => toastSuccess(t`Account deleted`, t`Thank you for sharing with us.`),
  deleteFailed: (problem: unknown) => toastError(t`Account not deleted`, why(problem)),
}

/** The database's refusal, which says what to do, or else the reason why the request failed. */
const why = (problem: unknown) => refusalOf(problem) ?? reasonOf(problem)
