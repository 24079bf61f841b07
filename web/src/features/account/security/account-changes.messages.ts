import { t } from '@lingui/core/macro'
import { LIMITS } from '@potluck/supabase/limits'
import { isConnectionProblem, NOT_FOUND, reasonOf, toAppError } from '#lib/errors.ts'

const WORDS: Record<string, string> = {
  email: t`Email address changed`,
  password: t`Password changed`,
  'factor-added': t`Authenticator app added`,
  'factor-removed': t`Authenticator app removed`,
  'passkey-added': t`Passkey added`,
  'passkey-removed': t`Passkey removed`,
  'recovery-codes': t`Recovery codes changed`,
  'bank-account': t`Bank account changed`,
  'token-added': t`Token for programs added`,
  'sign-in-added': t`Another sign-in added`,
  'webhook-added': t`Webhook added`,
  'webhook-secret': t`Secret of a webhook replaced`,
}

/** The description of a change. */
export const changeInWords = (kind: string) => WORDS[kind] ?? t`Account changed`

const DONE: Record<string, string> = {
  email: t`Your account has its old email again.`,
  password: t`The new password no longer works.`,
  'factor-added': t`The authenticator app is removed.`,
  'factor-removed': t`We can’t restore what was removed, but whoever did it is locked out.`,
  'passkey-added': t`The passkey is removed.`,
  'passkey-removed': t`We can’t restore what was removed, but whoever did it is locked out.`,
  'recovery-codes': t`Those codes no longer work.`,
  'token-added': t`The token is removed.`,
  'sign-in-added': t`That sign-in is removed.`,
  'webhook-added': t`The webhook is removed.`,
  'webhook-secret': t`The webhook is removed.`,
}

/** The result of undoing a change. */
export const undoneInWords = (kind: string) => DONE[kind] ?? t`Your account is as it was before.`

/** Returns why a change could not be undone, what the person can do now, and whether trying again may help. */
export function undoProblem(problem: unknown): { title: string; text: string; again: boolean } {
  const { code, message } = toAppError(problem)
  if (code === NOT_FOUND)
    return {
      title: t`This link doesn’t work`,
      text: t`It may be incomplete. Open it from the email again.`,
      again: false,
    }
  if (code === 'PT409')
    return {
      title: t`This was already undone`,
      text: t`Choose a new password to get back in.`,
      again: false,
    }
  if (code === 'PT410')
    return {
      title: t`This link has expired`,
      text: t`It worked for ${LIMITS.undoLifetimeHours} hours. To lock someone out, choose a new password.`,
      again: false,
    }
  return {
    title: t`That didn’t work`,
    text: isConnectionProblem(problem) || !message ? reasonOf(problem) : message,
    again: true,
  }
}
