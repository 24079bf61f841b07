import { t } from '@lingui/core/macro'
import { DUPLICATE, refusalOf, toAppError } from '#lib/errors.ts'
import { toastError, toastInfo, toastSuccess } from '#ui/toasts.ts'

export const roleRequestTexts = {
  title: t`Request Admin Access`,
  restricted: t`The admin area is restricted to administrators.`,
  signedOut: t`You must be logged in to request admin access`,
  sentTitle: t`Request received`,
  sent: t`Your request for admin access has been submitted. You can expect a reply within 2-3 business days.`,
  latestFailed: t`Could not load your last request`,
  waiting: t`You’ve already sent a request. We’ll be in touch.`,
  own: t`Another super-admin decides on your own request.`,
  none: t`No admin access requests found`,
  listFailed: t`Could not load admin requests`,
} as const

export const decisionToasts = {
  approved: (name: string) => toastSuccess(t`Request Approved`, t`${name} has been granted admin access.`),
  rejected: (name: string) => toastInfo(t`Request Rejected`, t`${name}'s request has been rejected.`),
  approveFailed: (problem: unknown) =>
    toastError(t`Error`, sentenceOf(problem) ?? t`Failed to approve request`),
  rejectFailed: (problem: unknown) =>
    toastError(t`Error`, sentenceOf(problem) ?? t`Failed to reject request`),
  listFailed: () => toastError(t`Error`, roleRequestTexts.listFailed),
}

export const roleRequestToasts = {
  sent: () => toastSuccess(t`Request Submitted`, t`Your admin access request has been sent for review.`),
  refused: (problem: unknown) =>
    toastError(
      t`Submission Failed`,
      sentenceOf(problem) ?? t`Failed to submit your request. Please try again.`,
    ),
}

/** The database's reason for refusing a request or a decision, if it gives one. */
const sentenceOf = (problem: unknown) =>
  toAppError(problem).code === DUPLICATE ? roleRequestTexts.waiting : refusalOf(problem)
