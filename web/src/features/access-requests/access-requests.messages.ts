import { DUPLICATE, PERMISSION_DENIED, RATE_LIMITED, RULE_BROKEN, toAppError } from '#lib/errors.ts'
import { toastError, toastInfo, toastSuccess } from '#ui/toasts.ts'

/** The session ended while the form was open. */
export const SIGNED_OUT = 'signed_out'

export const accessRequestTexts = {
  title: 'Request Admin Access',
  restricted: 'The admin area is restricted to administrators.',
  signedOut: 'You must be logged in to request admin access',
  sentTitle: 'Your request is with us',
  sent: 'Your request for admin access has been submitted. You can expect a reply within 2-3 business days.',
  latestFailed: 'Could not load your last request',
  waiting: 'You have already sent a request. It is waiting for an answer.',
  own: 'Another super-admin decides about your own request.',
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

const SAID_BY_THE_RULES = new Set([RULE_BROKEN, PERMISSION_DENIED, RATE_LIMITED, SIGNED_OUT])
/** How Postgres itself words a refusal. */
const NOT_FOR_PEOPLE = /violates|^permission denied/i

/** The sentence a rule was refused with. Undefined where there is none, or none that is written for people. */
export function sentenceOf(problem: unknown): string | undefined {
  const { code, message } = toAppError(problem)
  if (code === DUPLICATE) return accessRequestTexts.waiting
  if (!SAID_BY_THE_RULES.has(code) || NOT_FOR_PEOPLE.test(message)) return undefined
  return message || undefined
}
