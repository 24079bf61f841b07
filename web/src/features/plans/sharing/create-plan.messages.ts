import { t } from '@lingui/core/macro'
import {
  ABORTED,
  DUPLICATE,
  OFFLINE,
  PERMISSION_DENIED,
  RULE_BROKEN,
  SESSION_ENDED,
  SESSION_UNKNOWN,
  SIGNED_OUT,
  toAppError,
} from '#lib/errors.ts'

/** The Data API's codes for a token that is expired or invalid, or whose session has ended. */
const TOKEN_REFUSED = new Set(['PGRST301', 'PGRST302', 'PGRST303', SESSION_ENDED])

export interface CreateFailure {
  title: string
  text: string
  /** The next step after the message. */
  next: 'stay' | 'sign-out' | 'existing-plan'
}

/** The message for a failed creation, and the next step. */
export function createFailure(problem: unknown): CreateFailure {
  const { code, message } = toAppError(problem)
  if (code === SIGNED_OUT)
    return {
      title: t`Authentication Required`,
      text: t`Please sign in to create a subscription.`,
      next: 'sign-out',
    }
  if (code === SESSION_UNKNOWN) return { title: t`Authentication Error`, text: message, next: 'stay' }
  if (TOKEN_REFUSED.has(code))
    return {
      title: t`Session Expired`,
      text: t`Your login session has expired. Please sign in again.`,
      next: 'sign-out',
    }
  if (code === DUPLICATE)
    return { title: t`Duplicate Subscription`, text: onePerProvider, next: 'existing-plan' }
  if (code === PERMISSION_DENIED) return { title: t`Permission Error`, text: message, next: 'sign-out' }
  if (code === RULE_BROKEN) return { title: t`Validation Error`, text: message, next: 'stay' }
  if (code === OFFLINE || code === ABORTED)
    return { title: failed, text: t`Check your connection and try again.`, next: 'stay' }
  return { title: failed, text: message || t`An unexpected error occurred.`, next: 'stay' }
}

const failed = t`Error Creating Subscription`

export const onePerProvider = t`Each user can only share one plan per service provider.`
