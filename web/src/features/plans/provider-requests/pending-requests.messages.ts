import { plural } from '#domain/plural.ts'
import { reasonOf, refusalOf } from '#lib/errors.ts'
import { cappedCount } from '#ui/CountBadge.tsx'
import { toastError, toastInfo, toastSuccess } from '#ui/toasts.ts'
import type { PendingRequest } from './pending-requests.queries.ts'

export const pendingRequestTexts = {
  title: 'Pending provider requests',
  none: 'No provider requests are waiting',
  failed: 'Failed to load the provider requests',
  own: 'Someone else decides on your own request.',
  waiting: (count: number) =>
    `${cappedCount(count)} ${plural(count, 'provider request is', 'provider requests are')} waiting`,
} as const

export const pendingRequestToasts = {
  arrived: (name: string) => toastInfo('New Provider Request', `A request was submitted for ${name}.`),
  approved: ({ providerName }: PendingRequest) =>
    toastSuccess('Provider Request Approved', `The request for ${providerName} has been approved.`),
  rejected: ({ providerName }: PendingRequest) =>
    toastInfo('Provider Request Rejected', `The request for ${providerName} has been rejected.`),
  refused: (problem: unknown) => toastError('Error', refusalOf(problem) ?? reasonOf(problem)),
}
