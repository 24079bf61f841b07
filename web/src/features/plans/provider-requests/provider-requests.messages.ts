import { t } from '@lingui/core/macro'
import { OFFLINE, RATE_LIMITED, RULE_BROKEN, toAppError } from '#lib/errors.ts'
import { toastError, toastSuccess } from '#ui/toasts.ts'

export const providerRequestTexts = {
  title: t`User Provider Requests`,
  review: t`Review takes 3-5 business days.`,
  failed: t`Failed to load your provider requests`,
  empty: t`You haven't requested any providers yet.`,
} as const

/** The title and, if known, the reason of a failed request, in the words that docs/acceptance.md (ERR) prescribes. */
export function requestFailure(problem: unknown): { title: string; reason: string | undefined } {
  const { code, message } = toAppError(problem)
  // Only the messages of these two codes are written for people.
  const reason = code === RULE_BROKEN || code === RATE_LIMITED ? message : undefined
  if (/violates/i.test(message))
    return { title: t`Invalid data format. Please check your inputs and try again.`, reason: undefined }
  if (code === OFFLINE || /network/i.test(message))
    return { title: t`Network error. Please check your connection and try again.`, reason: undefined }
  return { title: t`Failed to submit provider request. Please try again.`, reason }
}

export const providerRequestToasts = {
  sent: () => toastSuccess(t`Provider request submitted successfully!`, providerRequestTexts.review),
  refused: (problem: unknown) => {
    const { title, reason } = requestFailure(problem)
    toastError(title, reason)
  },
}
