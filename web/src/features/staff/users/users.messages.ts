import { t } from '@lingui/core/macro'
import { toastError } from '#ui/toasts.ts'

export const userTexts = {
  title: t`User Management`,
  failed: t`Could not load users`,
  none: t`No users found`,
  noMatch: t`No users found matching your search`,
} as const

export const userToasts = {
  listFailed: () => toastError(t`Error`, userTexts.failed),
}
