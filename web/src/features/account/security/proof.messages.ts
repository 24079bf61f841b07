import { isConnectionProblem, reasonOf, toAppError } from '#lib/errors.ts'
import { passkeyProblem } from '#lib/passkeys.ts'
import type { ProofMethod } from '#lib/proof.ts'

export const proofTexts: Record<ProofMethod, { label: string; other: string; hint: string }> = {
  passkey: {
    label: 'Passkey',
    other: 'Use a passkey',
    hint: 'Your device asks for your fingerprint, face or PIN.',
  },
  totp: {
    label: 'Code from your authenticator app',
    other: 'Use my authenticator app',
    hint: 'Or enter a recovery code.',
  },
  password: { label: 'Password', other: 'Use my password', hint: 'The password you sign in with.' },
  email: {
    label: 'Code from the email',
    other: 'Email me a code',
    hint: 'We’ll email you a code.',
  },
}

const WRONG: Record<string, string> = {
  invalid_credentials: 'That’s not your password',
  mfa_verification_failed: 'This code is wrong, expired or already used',
  otp_expired: 'This code is wrong or expired',
}

/** Why a proof was not accepted, in words. */
export function proofProblem(problem: unknown): string {
  const { code, message } = toAppError(problem)
  if (isConnectionProblem(problem)) return reasonOf(problem)
  return WRONG[code] ?? passkeyProblem(problem) ?? (message || 'That didn’t work. Please try again.')
}
