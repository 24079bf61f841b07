import { DUPLICATE, refusalOf, toAppError } from '#lib/errors.ts'
import { toastError, toastInfo, toastSuccess } from '#ui/toasts.ts'

export const accessRequestTexts = {
  title: 'Request Admin Access',
  restricted: 'The admin area is restricted to administrators.',
  signedOut: 'You must be logged in to request admin access',
  sentTitle: 'Request received',
  sent: 'Your request for admin access has been submitted. You can expect a reply within 2-3 business days.',
  latestFailed: 'Could not load your last request',
  waiting: 'You’ve already sent a request. We’ll be in touch.',
  own: 'Another super-admin decides on your own request.',
  none: 'No admin access requests found',
  listFailed: 'Could not load admin requests',
} as const

export const decisionToasts = {
  approved: (name: string) => toastSuccess('Request Approved', `${name} has been granted admin access.`),
  rejected: (name: string) => toastInfo('Request Rejected', `${name}'s request has been rejected.`),
  approveFailed: (problem: unknown) =>
    toastError('Error', sentenceOf(problem) ?? 'Failed to approve request'),
  rejectFailed: (problem: unknown) => toastError('Error', sentenceOf(problem) ?? 'Failed to reject request'),
  listFailed: () => toastError('Error', accessRequestTexts.listFailed),
}

export const accessRequestToasts = {
  sent: () => toastSuccess('Request Submitted', 'Your admin access request has been sent for review.'),
  refused: (problem: unknown) =>
    toastError(
      'Submission Failed',
      sentenceOf(problem) ?? 'Failed to submit your request. Please try again.',
    ),
}

/** Why a request or a decision was refused, if the database says so. */
const sentenceOf = (problem: unknown) =>
  toAppError(problem).code === DUPLICATE ? accessRequestTexts.waiting : refusalOf(problem)
