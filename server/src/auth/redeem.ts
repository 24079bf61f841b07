// Redeems a mailed link or code, which proves that the person owns the address and signs them in.
import type { Transaction } from '#db/database.ts'
import { type Proof, type RedeemedToken, redeemToken, type TokenKind } from '#identity/one-time-tokens.ts'
import { confirmEmail, replaceEmail, setPassword } from '#identity/user-changes.ts'
import { findUserById, isBanned, type User } from '#identity/users.ts'
import { banned, codeExpired, linkExpired } from './errors.ts'
import { endMailIntervals } from './limits.ts'
import type { AuthParts } from './parts.ts'
import { type Challenge, readChallenge } from './pkce.ts'

export const KINDS_OF_TYPE = {
  signup: ['signup'],
  invite: ['invite'],
  magiclink: ['magiclink'],
  recovery: ['recovery'],
  email: ['signup', 'magiclink'],
  email_change: ['email_change_current', 'email_change_new'],
} as const satisfies Record<string, readonly TokenKind[]>

export type VerificationType = keyof typeof KINDS_OF_TYPE

export type Redeemed<T> = T | 'one side confirmed'

/**
 * Called once the proof is accepted. `challenge` is the PKCE challenge from the request for the mail, or null if the
 * client does not want a code.
 */
type Arrive<T> = (tx: Transaction, userId: string, challenge: Challenge | null) => Promise<T>

/**
 * Redeems the proof, which is valid once, and runs `arrive`. Throws 403 otp_expired, 403 user_banned, or a
 * DatabaseError if a new address is taken.
 */
export async function redeem<T>(
  { db, tokens, settings }: AuthParts,
  type: VerificationType,
  proof: Proof,
  arrive: Arrive<T>,
): Promise<Redeemed<T>> {
  const { outcome, email } = await db.transaction(async (tx) => {
    const token = await redeemToken(tx, tokens, proof, {
      kinds: KINDS_OF_TYPE[type],
      lifeSeconds: settings.otpExpirySeconds,
    })
    const user = token && (await findUserById(tx, token.user_id))
    if (!user) throw 'token' in proof ? linkExpired() : codeExpired()
    if (isBanned(user)) throw banned(403)
    if (!(await applyToken(tx, token, user))) return { outcome: 'one side confirmed' as const, email: null }
    return { outcome: await arrive(tx, user.id, challengeOf(token)), email: user.email }
  })
  if (email) await endMailIntervals(db, email)
  return outcome
}

/** Applies the token. Returns false if an e-mail change still waits for the other address to confirm. */
async function applyToken(tx: Transaction, token: RedeemedToken, user: User): Promise<boolean> {
  if (token.kind === 'email_change_current' || token.kind === 'email_change_new') {
    // The row lock serializes two simultaneous clicks.
    const [held] = await tx.query<{ email_change: string | null }>(
      'select email_change from auth.users where id = $1 for update',
      [user.id],
    )
    const waiting = await tx.query(
      `select 1 from auth.one_time_tokens
       where user_id = $1 and kind in ('email_change_current', 'email_change_new')`,
      [user.id],
    )
    if (waiting.length > 0) return false
    // The change was cancelled after the token was looked up.
    if (!held?.email_change) throw linkExpired()
    await replaceEmail(tx, user.id, held.email_change)
    return true
  }
  // A password set before the address was proven may be a stranger's, so it is removed. After a recovery, the person
  // sets a new one anyway.
  if (user.email_confirmed_at === null && (token.drops_password || token.kind === 'recovery')) {
    await setPassword(tx, user.id, null)
  }
  await confirmEmail(tx, user.id)
  return true
}

const challengeOf = ({ code_challenge, code_challenge_method }: RedeemedToken): Challenge | null =>
  readChallenge({
    code_challenge: code_challenge ?? undefined,
    code_challenge_method: code_challenge_method ?? undefined,
  })
