import { t } from '@lingui/core/macro'
import { isConnectionProblem, reasonOf, toAppError } from '#lib/errors.ts'
import { passkeyProblem } from '#lib/passkeys.ts'
import type { ProofMethod } from '#lib/proof.ts'

export const proofTexts: Record<ProofMethod, { label: string; other: string; hint: string }> = {
  passkey: {
    label: t`Passkey`,
    other: t`Use a passkey`,
    hint: t`Your device asks for your fingerprint, face or PIN.`,
  },
  totp: {
    label: t`Code from your authenticator app`,
    other: t`Use my authenticator app`,
    hint: t`Or enter a recovery code.`,
  },
  password: { label: t`Password`, other: t`Use my password`, hint: t`The password you sign in with.` },
  email: {
    label: t`Code from the email`,
    other: t`Email me a code`,
    hint: t`We’ll email you a code.`,
  },
}

const WRONG: Record<string, string> = {
  invalid_credentials: t`That’s not your password`,
  mfa_verification_failed: t`This code is wrong, expired or already used`,
  otp_expired: t`This code is wrong or expired`,
}

/** Returns why a proof of identity was not accepted. */
export function proofProblem(problem: unknown): string {
  const { code, message } = toAppError(problem)
  if (isConnectionProblem(problem)) return reasonOf(problem)
  return WRONG[code] ?? passkeyProblem(problem) ?? (message || t`That didn’t work. Please try again.`)
}
