import { t } from '@lingui/core/macro'
import { reasonOf, refusalOf } from '#lib/errors.ts'
import { toastError, toastInfo, toastSuccess } from '#ui/toasts.ts'
import type { PendingRequest } from './pending-requests.queries.ts'

export const pendingRequestTexts = {
  title: t`Pending provider requests`,
  none: t`No provider requests are waiting`,
  failed: t`Failed to load the provider requests`,
  own: t`Someone else decides on your own request.`,
} as const

export const pendingRequestToasts = {
  arrived: (name: string) => toastInfo(t`New Provider Request`, t`A request was submitted for ${name}.`),
  approved: ({ providerName }: PendingRequest) =>
    toastSuccess(t`Provider Request Approved`, t`The request for ${providerName} has been approved.`),
  rejected: ({ providerName }: PendingRequest) =>
    toastInfo(t`Provider Request Rejected`, t`The request for ${providerName} has been rejected.`),
  refused: (problem: unknown) => toastError(t`Error`, refusalOf(problem) ?? reasonOf(problem)),
}
