import { t } from '@lingui/core/macro'
import { isConnectionProblem, reasonOf, toAppError } from './errors.ts'

export const knowsPasskeys = () => 'PublicKeyCredential' in window && 'credentials' in window.navigator

const KNOWN_HERE = t`This device already has a passkey for your account.`
const TOO_SLOW = t`That took too long. Please try again.`
const NOT_KNOWN = t`We don’t know this passkey. It may have been removed.`
const WRONG_ADDRESS = t`Passkeys don’t work at this address.`

const BY_CODE: Record<string, string> = {
  ERROR_AUTHENTICATOR_PREVIOUSLY_REGISTERED: KNOWN_HERE,
  webauthn_credential_exists: KNOWN_HERE,
  ERROR_INVALID_DOMAIN: WRONG_ADDRESS,
  ERROR_INVALID_RP_ID: WRONG_ADDRESS,
  webauthn_challenge_expired: TOO_SLOW,
  webauthn_challenge_not_found: TOO_SLOW,
  webauthn_verification_failed: NOT_KNOWN,
  too_many_passkeys: t`You’ve reached the maximum number of passkeys. Remove one first.`,
  passkey_disabled: t`Passkeys are turned off on this site.`,
  over_request_rate_limit: t`Too many attempts. Please wait a few minutes.`,
}

const BY_NAME: Record<string, string> = {
  // Browsers do not say which of the two reasons applies.
  NotAllowedError: t`No passkey was chosen, or it took too long.`,
  InvalidStateError: KNOWN_HERE,
}

/** The reason why a passkey did not work, in words; undefined for problems that are not about passkeys. */
export function passkeyProblem(problem: unknown): string | undefined {
  if (isConnectionProblem(problem)) return reasonOf(problem)
  return (
    BY_CODE[toAppError(problem).code] ??
    namesIn(problem)
      .map((name) => BY_NAME[name])
      .find(Boolean)
  )
}

/** The error names of a problem and its causes, since the client wraps the browser's own error. */
function namesIn(problem: unknown): string[] {
  if (typeof problem !== 'object' || problem === null) return []
  const { name, cause } = problem as { name?: unknown; cause?: unknown }
  return [String(name), ...namesIn(cause)]
}
