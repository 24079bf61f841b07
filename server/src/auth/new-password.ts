// Checks signed-in people's requests for a new password. A session may be stolen, so if the project requires it, the
// person must also provide the current password or a newly mailed code, unless they signed in by a mailed link or code
// in the last ten minutes.
import type { Context, Handler } from 'hono'
import type { Transaction } from '#db/database.ts'
import { redeemToken } from '#identity/one-time-tokens.ts'
import { hashPassword, passwordMatches } from '#identity/passwords.ts'
import { requireGoodPassword } from './body.ts'
import { AuthError, invalid } from './errors.ts'
import { requireRaised } from './factors.ts'
import { requireUser, type SignedIn } from './gateway.ts'
import { mailToken } from './letters.ts'
import { limitGuesses, oncePerInterval } from './limits.ts'
import type { AuthParts } from './parts.ts'

/** GET /reauthenticate: mails the code that allows a new password. */
export function reauthenticate(parts: AuthParts): Handler {
  return async (context) => {
    const signedIn = await requireUser(parts, context)
    const { user } = signedIn
    requireRaised(signedIn, 'AAL2 session is required to reauthenticate when MFA is enabled')
    if (!user.email) throw invalid('Reauthentication requires the user to have an email or a phone number')
    if (user.email_confirmed_at === null)
      throw new AuthError(422, 'email_not_confirmed', 'Please verify your email first.')
    await oncePerInterval(parts, 'reauthentication', user.email, (tx) =>
      mailToken(parts, tx, user, { type: 'reauthentication', redirectTo: parts.settings.siteUrl }),
    )
    return context.json({})
  }
}

interface Wish {
  password?: string | null | undefined
  current_password?: string | null | undefined
  nonce: string
}

/**
 * Validates the new password and the proof for changing it. Returns the password's hash, or null if none was requested.
 */
export async function prepareNewPassword(
  parts: AuthParts,
  context: Context,
  signedIn: SignedIn,
  { password, current_password: current, nonce }: Wish,
): Promise<string | null> {
  if (password == null) return null
  const { db, settings } = parts
  const { user } = signedIn
  requireGoodPassword(password, settings.passwordRules)
  const email = user.email ?? ''
  const isSame = await passwordMatches(password, user.encrypted_password)
  if (settings.securePasswordChange && nonce !== '') {
    await limitGuesses(parts, context, { secret: 'code', account: email }, () =>
      db.transaction(async (tx) => {
        await redeemNonce(parts, tx, user.id, { email, code: nonce })
        // This is checked inside the transaction, whose rollback keeps the code usable, and only after the code:
        // without that proof, the refusal would reveal the current password.
        if (isSame) throw samePassword()
      }),
    )
    return hashPassword(password)
  }
  if (current != null) {
    await limitGuesses(parts, context, { secret: 'password', account: email }, async () => {
      if (await passwordMatches(current, user.encrypted_password)) return
      throw new AuthError(400, 'current_password_invalid', 'The current password is not correct.')
    })
  } else if (settings.securePasswordChange) requireFreshMail(signedIn)
  if (isSame) throw samePassword()
  return hashPassword(password)
}

const samePassword = () =>
  new AuthError(422, 'same_password', 'New password should be different from the old password.')

/** How long a sign-in counts as proof, in seconds: a stale session must not set a password. */
const PROOF_SECONDS = 600

/** Accepts a session that a mail has just opened. Otherwise throws 400, which says which proof is needed. */
function requireFreshMail({ user, session }: SignedIn): void {
  const hasPassword = user.encrypted_password !== null
  const oldest = Date.now() / 1000 - PROOF_SECONDS
  // People who sign in only through a provider have no current password, so any fresh sign-in counts as their proof.
  const isShown = session?.amr.some(
    ({ method, timestamp }) => timestamp >= oldest && (method === 'otp' || !hasPassword),
  )
  if (isShown) return
  if (!session?.recent || !hasPassword)
    throw new AuthError(400, 'reauthentication_needed', 'Password update requires reauthentication')
  throw new AuthError(
    400,
    'current_password_required',
    'Current password required when setting new password.',
  )
}

async function redeemNonce(
  { tokens, settings }: AuthParts,
  tx: Transaction,
  userId: string,
  proof: { email: string; code: string },
): Promise<void> {
  const token = await redeemToken(tx, tokens, proof, {
    kinds: ['reauthentication'],
    lifeSeconds: settings.otpExpirySeconds,
  })
  if (token?.user_id !== userId)
    throw new AuthError(422, 'reauthentication_not_valid', 'Nonce has expired or is invalid')
}
