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
  email: 'Your account has the address it had before.',
  password: 'The new password opens nothing any more.',
  'factor-added': 'The authenticator app is off your account again.',
  'factor-removed': 'What was removed cannot come back, but whoever removed it is shut out.',
  'passkey-added': 'The passkey is off your account again.',
  'passkey-removed': 'What was removed cannot come back, but whoever removed it is shut out.',
  'recovery-codes': 'Those codes open nothing any more.',
}

/** What undoing a change has done. */
export const undoneInWords = (kind: string) => DONE[kind] ?? 'It is as it was before.'

/** Why a change could not be undone: what to do now, and whether trying again may help. */
export function undoProblem(problem: unknown): { title: string; text: string; again: boolean } {
  const { code, message } = toAppError(problem)
  if (code === NOT_FOUND)
    return {
      title: 'This link is not known',
      text: 'It may be incomplete. Open it from the email once more, with all that stands in it.',
      again: false,
    }
  if (code === 'PT409')
    return {
      title: 'This has been undone already',
      text: 'Every device was signed out then. Choose a new password to get back in.',
      again: false,
    }
  if (code === 'PT410')
    return {
      title: 'This link is too old',
      text: `It worked for ${LIMITS.undoLifetimeHours} hours. If someone else is in your account, choose a new password: that shuts them out.`,
      again: false,
    }
  return {
    title: 'That didn’t work',
    text: isConnectionProblem(problem) || !message ? reasonOf(problem) : message,
    again: true,
  }
}
