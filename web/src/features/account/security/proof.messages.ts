import { isConnectionProblem, reasonOf, toAppError } from '#lib/errors.ts'
import { passkeyProblem } from '#lib/passkeys.ts'
import type { ProofMethod } from '#lib/proof.ts'

export const proofTexts: Record<ProofMethod, { label: string; other: string; hint: string }> = {
  passkey: {
    label: 'Passkey',
    other: 'Use a passkey',
    hint: 'Your device asks for your finger, your face or its code.',
  },
  totp: {
    label: 'Code of your authenticator app',
    other: 'Use my authenticator app',
    hint: 'A recovery code does as well.',
  },
  password: { label: 'Password', other: 'Use my password', hint: 'The one you sign in with.' },
  email: {
    label: 'Code from the email',
    other: 'Mail me a code',
    hint: 'We mail you a code to enter here.',
  },
}

const WRONG: Record<string, string> = {
  invalid_credentials: 'That is not your password',
  mfa_verification_failed: 'This code is wrong, too old, or used already',
  otp_expired: 'This code is wrong or too old',
}

/** Why a proof was not accepted, in words. */
export function proofProblem(problem: unknown): string {
  const { code, message } = toAppError(problem)
  if (isConnectionProblem(problem)) return reasonOf(problem)
  return WRONG[code] ?? passkeyProblem(problem) ?? (message || 'That didn’t work. Please try again.')
}
