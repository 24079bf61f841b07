// /factors: authenticator apps as second factors.

import type { Context, Handler } from 'hono'
import { TOTP } from 'otpauth'
import { renderSVG } from 'uqr'
import { z } from 'zod'
import type { Queryable } from '#db/database.ts'
import {
  addAuthenticator,
  type Factor,
  findFactor,
  raiseSession,
  removeFactor,
  spendStep,
  stepOf,
} from '#identity/factors.ts'
import type { User } from '#identity/users.ts'
import { reloadUser } from '#identity/users.ts'
import { readBody, text } from './body.ts'
import { AuthError, invalid } from './errors.ts'
import { forThemselves, isUuid, requireUser, type SignedIn } from './gateway.ts'
import { limitGuesses } from './limits.ts'
import type { AuthParts } from './parts.ts'
import { sendSession } from './session-answer.ts'

const CHALLENGE_SECONDS = 300

const enrolBody = z.object({ friendly_name: text, factor_type: text, issuer: text })

/**
 * POST /factors: returns a secret for an authenticator app. The factor takes effect once a code from the app is
 * verified.
 */
export function enrol(parts: AuthParts): Handler {
  const { tokens, settings } = parts
  return async (context) => {
    const signedIn = await requireUser(parts, context)
    const { user } = signedIn
    const { friendly_name: name, factor_type: type, issuer } = await readBody(context, enrolBody)
    if (!['totp', 'phone', 'webauthn'].includes(type))
      throw invalid('factor_type needs to be totp, phone, or webauthn')
    if (type !== 'totp' || !settings.factors.enrol) throw notEnabled('enroll', type)
    requireRaised(signedIn, 'AAL2 required to enroll a new factor')
    const { id, secret } = await forThemselves(parts, signedIn, (tx, now) => {
      requireRoomFor(now, settings.factors.most, name)
      return addAuthenticator(tx, tokens, { userId: user.id, name })
    })
    const uri = new TOTP({
      issuer: issuer || new URL(settings.siteUrl).host,
      label: user.email ?? '',
      secret,
    }).toString()
    // The colours are names because auth-js puts the picture into a URL, where # would start a fragment. Cameras need
    // the border to find the code, also on a dark page.
    const colours = { whiteColor: 'white', blackColor: 'black' }
    const qrCode = renderSVG(uri, { ecc: 'H', pixelSize: 3, border: 4, ...colours })
    return context.json({ id, type, friendly_name: name, totp: { qr_code: qrCode, secret, uri } })
  }
}

/** POST /factors/{id}/challenge: opens a challenge that is valid for five minutes. */
export function challenge(parts: AuthParts): Handler {
  const { db, settings, clientAddress } = parts
  return async (context) => {
    if (!settings.factors.verify) throw notEnabled('verify', 'totp')
    const factor = await requireFactor(parts, context, await requireUser(parts, context))
    const row = await db.transaction(async (tx) => {
      await tx.query('update auth.mfa_factors set last_challenged_at = clock_timestamp() where id = $1', [
        factor.id,
      ])
      const [created] = await tx.query<{ id: string; expires_at: number }>(
        `insert into auth.mfa_challenges (factor_id, ip_address) values ($1, $2)
         returning id, floor(extract(epoch from created_at))::float8 + $3::float8 as expires_at`,
        [factor.id, clientAddress(context), String(CHALLENGE_SECONDS)],
      )
      return created
    })
    return context.json({ id: row?.id, type: factor.factor_type, expires_at: row?.expires_at })
  }
}

const verifyBody = z.object({ challenge_id: text, code: text })

/** POST /factors/{id}/verify: a valid code from the app raises the session to aal2. */
export function verifyFactor(parts: AuthParts): Handler {
  const { db, tokens, settings, clientAddress } = parts
  return async (context) => {
    if (!settings.factors.verify) throw notEnabled('verify', 'totp')
    const signedIn = await requireUser(parts, context)
    const { session } = signedIn
    const factor = await requireFactor(parts, context, signedIn)
    if (factor.factor_type !== 'totp') throw noFactor()
    const given = await readBody(context, verifyBody)
    if (given.code === '') throw invalid('Code needs to be non-empty')
    if (!session) throw invalid('The token is of no session')
    await requireChallenge(db, factor, { id: given.challenge_id, address: clientAddress(context) })
    const raised = await limitGuesses(parts, context, { secret: 'factor', account: factor.id }, () =>
      db.transaction(async (tx) => {
        const step = stepOf(tokens, factor, given.code)
        if (step === null || !(await spendStep(tx, factor, step)))
          throw wrongCode('Invalid TOTP code entered')
        await tx.query('update auth.mfa_challenges set verified_at = now() where id = $1', [
          given.challenge_id,
        ])
        const next = await raiseSession(tx, session.id, factor)
        return { user: await reloadUser(tx, factor.user_id), session: next }
      }),
    )
    return sendSession(parts, context, raised)
  }
}

/** DELETE /factors/{id} */
export function unenrol(parts: AuthParts): Handler {
  return async (context) => {
    const signedIn = await requireUser(parts, context)
    const factor = await requireFactor(parts, context, signedIn)
    if (factor.factor_type === 'recovery_code')
      throw new AuthError(
        422,
        'validation_failed',
        'Recovery codes cannot be unenrolled with this endpoint, use DELETE /factors/recovery-codes',
      )
    if (factor.status === 'verified' && signedIn.session?.aal !== 'aal2')
      throw new AuthError(422, 'insufficient_aal', 'AAL2 required to unenroll verified factor')
    if (factor.status === 'verified' && isLastBeforeCodes(signedIn.user, factor)) throw soleFactor()
    await parts.db.transaction((tx) => removeFactor(tx, factor))
    return context.json({ id: factor.id })
  }
}

/** Throws if the person has a second factor and this session has not used it. */
export function requireRaised({ user, session }: SignedIn, message: string, status: 401 | 403 = 403): void {
  const isProtected = user.factors.some((factor) => factor.status === 'verified')
  if (isProtected && session?.aal !== 'aal2') throw new AuthError(status, 'insufficient_aal', message)
}

/** Throws if the person already has `most` factors, or a factor of this name; an empty name never conflicts. */
export function requireRoomFor({ factors }: User, most: number, name: string): void {
  if (factors.some((factor) => factor.friendly_name === name)) {
    const message = `A factor with the friendly name "${name}" for this user already exists`
    throw new AuthError(422, 'mfa_factor_name_conflict', message)
  }
  if (factors.length >= most) {
    const message = 'Maximum number of verified factors reached, unenroll to continue'
    throw new AuthError(422, 'too_many_enrolled_mfa_factors', message)
  }
}

const isLastBeforeCodes = ({ factors }: User, leaving: Factor): boolean =>
  factors.some((factor) => factor.factor_type === 'recovery_code') &&
  !factors.some(
    ({ id, factor_type: type, status }) => id !== leaving.id && type === 'totp' && status === 'verified',
  )

async function requireFactor({ db }: AuthParts, context: Context, { user }: SignedIn): Promise<Factor> {
  const id = context.req.param('id') ?? ''
  if (!isUuid(id)) throw new AuthError(404, 'validation_failed', 'factor_id must be an UUID')
  const factor = await findFactor(db, user.id, id)
  if (!factor) throw noFactor()
  return factor
}

async function requireChallenge(
  db: Queryable,
  factor: Factor,
  { id, address }: { id: string; address: string },
): Promise<void> {
  const unknown = 'MFA factor with the provided challenge ID not found'
  const [row] = isUuid(id)
    ? await db.query<{ ip_address: string; over: boolean; used: boolean }>(
        `select ip_address, verified_at is not null as used,
           created_at not between now() - make_interval(secs => $3::float8) and now() as over
         from auth.mfa_challenges where id = $1 and factor_id = $2`,
        [id, factor.id, String(CHALLENGE_SECONDS)],
      )
    : []
  if (!row) throw new AuthError(422, 'mfa_factor_not_found', unknown)
  if (row.used || row.ip_address !== address)
    throw new AuthError(422, 'mfa_ip_address_mismatch', 'Challenge and verify IP addresses mismatch.')
  if (!row.over) return
  await db.query('delete from auth.mfa_challenges where id = $1', [id])
  const message = `MFA challenge ${id} has expired, verify against another challenge or create a new challenge.`
  throw new AuthError(422, 'mfa_challenge_expired', message)
}

const noFactor = () => new AuthError(404, 'mfa_factor_not_found', 'Factor not found')
export const wrongCode = (message: string) => new AuthError(422, 'mfa_verification_failed', message)
export const soleFactor = () =>
  new AuthError(
    422,
    'mfa_recovery_codes_sole_factor',
    'Recovery codes need another verified factor beside them',
  )

function notEnabled(what: 'enroll' | 'verify', type: string): AuthError {
  const name = { totp: 'TOTP', phone: 'Phone', webauthn: 'WebAuthn' }[type] ?? type
  const kind = type === 'webauthn' ? 'webauthn' : type
  return new AuthError(
    422,
    `mfa_${kind as 'totp' | 'phone' | 'webauthn'}_${what}_not_enabled`,
    `MFA ${what === 'enroll' ? 'enroll' : 'verification'} is disabled for ${name}`,
  )
}
