import { t } from '@lingui/core/macro'
import { DUPLICATE, OFFLINE, toAppError, UNKNOWN } from '#lib/errors.ts'
import { explain, toastSuccess, toastWarning } from '#ui/toasts.ts'

/** The database's codes for a plan that is gone or hidden from this person. */
const PLAN_GONE = new Set(['PT404', '23503'])

export interface JoinFailure {
  title: string
  text: string
  /** True if trying again cannot succeed, so that the form closes. */
  final: boolean
}

/** Returns why a request to join failed. */
export function joinFailure(problem: unknown): JoinFailure {
  const { code, message, refusal } = toAppError(problem)
  if (refusal === 'plan_full')
    return { title: message, text: t`Someone else took the last place.`, final: true }
  if (refusal === 'places_reserved') return { title: t`Subscription Full`, text: `${message}.`, final: true }
  if (refusal === 'already_member')
    return { title: message, text: t`Find this plan in My Subscriptions.`, final: true }
  if (code === DUPLICATE)
    return { title: t`Request Already Sent`, text: t`The owner already has your request.`, final: true }
  if (PLAN_GONE.has(code))
    return { title: t`Request Failed`, text: t`Couldn't fetch subscription details`, final: true }
  if (code === OFFLINE || code === UNKNOWN)
    return { title: t`Request failed`, text: t`An unexpected error occurred`, final: false }
  return { title: t`Request Failed`, text: message, final: false }
}

export const requestToasts = {
  sent: () => toastSuccess(t`Request Sent`),
  failed: (problem: unknown, { title, text, final }: JoinFailure) =>
    final ? toastWarning(title, text) : explain(problem, () => [title, text]),
}
