import { LIMITS } from '@potluck/supabase/limits'
import { isConnectionProblem, NOT_FOUND, reasonOf, toAppError } from '#lib/errors.ts'

const WORDS: Record<string, string> = {
  email: 'Email address changed',
  password: 'Password changed',
  'factor-added': 'Authenticator app added',
  'factor-removed': 'Authenticator app removed',
  'passkey-added': 'Passkey added',
  'passkey-removed': 'Passkey removed',
  'recovery-codes': 'Recovery codes changed',
  'bank-account': 'Bank account changed',
}

/** What changed, in words. */
export const changeInWords = (kind: string) => WORDS[kind] ?? 'Account changed'

const DONE: Record<string, string> = {
  email: 'Your account has its old email again.',
  password: 'The new password no longer works.',
  'factor-added': 'The authenticator app is removed.',
  'factor-removed': 'We can’t restore what was removed, but whoever did it is locked out.',
  'passkey-added': 'The passkey is removed.',
  'passkey-removed': 'We can’t restore what was removed, but whoever did it is locked out.',
  'recovery-codes': 'Those codes no longer work.',
}

/** What undoing a change has done. */
export const undoneInWords = (kind: string) => DONE[kind] ?? 'Your account is as it was before.'

/** Why a change could not be undone: what to do now, and whether trying again may help. */
export function undoProblem(problem: unknown): { title: string; text: string; again: boolean } {
  const { code, message } = toAppError(problem)
  if (code === NOT_FOUND)
    return {
      title: 'This link doesn’t work',
      text: 'It may be incomplete. Open it from the email again.',
      again: false,
    }
  if (code === 'PT409')
    return {
      title: 'This was already undone',
      text: 'Choose a new password to get back in.',
      again: false,
    }
  if (code === 'PT410')
    return {
      title: 'This link has expired',
      text: `It worked for ${LIMITS.undoLifetimeHours} hours. To lock someone out, choose a new password.`,
      again: false,
    }
  return {
    title: 'That didn’t work',
    text: isConnectionProblem(problem) || !message ? reasonOf(problem) : message,
    again: true,
  }
}
