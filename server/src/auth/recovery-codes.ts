// /factors/recovery-codes: codes for people who have lost their authenticator.
import { randomUUID } from 'node:crypto'
import type { Handler } from 'hono'
import { z } from 'zod'
import type { Queryable } from '#db/database.ts'
import {
  type Factor,
  raiseSession,
  removeFactor,
  spendRecoveryCode,
  writeRecoveryCodes,
} from '#identity/factors.ts'
import { reloadUser, type User } from '#identity/users.ts'
import { readBody, text } from './body.ts'
import { AuthError, invalid } from './errors.ts'
import { requireRaised, requireRoomFor, soleFactor, wrongCode } from './factors.ts'
import { forThemselves, requireUser } from './gateway.ts'
import { limitGuesses } from './limits.ts'
import type { AuthParts } from './parts.ts'
import { sendSession } from './session-answer.ts'

const type = 'recovery_code'

/** Responds with the number of the person's codes, and the number that are still unused. */
export function countRecoveryCodes(parts: AuthParts): Handler {
  return async (context) => {
    const { user } = await requireUser(parts, context)
    const { id } = requireCodes(user)
    const [row] = await parts.db.query<{ total: number; remaining: number }>(
      `select count(*)::int as total, (count(*) filter (where consumed_at is null))::int as remaining
       from auth.mfa_recovery_codes where factor_id = $1`,
      [id],
    )
    return context.json({ id, type, ...row })
  }
}

const generateBody = z.object({ friendly_name: text })

export function generateRecoveryCodes(parts: AuthParts): Handler {
  const { tokens, settings } = parts
  return async (context) => {
    const signedIn = await requireUser(parts, context)
    const given = (await context.req.raw.clone().text()) === '' ? null : await readBody(context, generateBody)
    const name = given?.friendly_name || 'Recovery codes'
    requireRaised(signedIn, 'AAL2 required to generate recovery codes')
    const id = randomUUID()
    const codes = await forThemselves(parts, signedIn, async (tx, user) => {
      if (codesOf(user))
        throw new AuthError(
          422,
          'mfa_verified_factor_exists',
          'Recovery codes exist already, regenerate them',
        )
      if (!user.factors.some(({ status }) => status === 'verified')) throw soleFactor()
      requireRoomFor(user, settings.factors.most, name)
      await tx.query(
        `insert into auth.mfa_factors (id, user_id, friendly_name, factor_type, status)
         values ($1, $2, $3, 'recovery_code', 'verified')`,
        [id, user.id, name],
      )
      return writeRecoveryCodes(tx, tokens, id)
    })
    return context.json({ id, type, friendly_name: name, total: codes.length, codes })
  }
}

export function regenerateRecoveryCodes(parts: AuthParts): Handler {
  const { tokens } = parts
  return async (context) => {
    const signedIn = await requireUser(parts, context)
    const { id, friendly_name } = requireCodes(signedIn.user)
    requireRaised(signedIn, 'AAL2 required to regenerate recovery codes')
    const codes = await forThemselves(parts, signedIn, (tx) => writeRecoveryCodes(tx, tokens, id))
    return context.json({ id, type, friendly_name, total: codes.length, codes })
  }
}

const verifyBody = z.object({ code: text })

/** Consumes a valid code and raises the session, as a code from an authenticator app does. */
export function verifyRecoveryCode(parts: AuthParts): Handler {
  const { db, tokens } = parts
  return async (context) => {
    const { user, session } = await requireUser(parts, context)
    const { code } = await readBody(context, verifyBody)
    if (code === '') throw invalid('Code needs to be non-empty')
    if (!session) throw invalid('The token is of no session')
    const factor = codesOf(user)
    const raised = await limitGuesses(
      parts,
      context,
      { secret: 'factor', account: factor?.id ?? user.id },
      () =>
        db.transaction(async (tx) => {
          if (!factor || !(await spendRecoveryCode(tx, tokens, factor.id, code)))
            throw wrongCode('Invalid recovery code entered')
          const next = await raiseSession(tx, session.id, factor)
          return { user: await reloadUser(tx, user.id), session: next }
        }),
    )
    return sendSession(parts, context, raised)
  }
}

export function removeRecoveryCodes(parts: AuthParts): Handler {
  return async (context) => {
    const signedIn = await requireUser(parts, context)
    const factor = requireCodes(signedIn.user)
    requireRaised(signedIn, 'AAL2 required to delete recovery codes')
    await parts.db.transaction((tx: Queryable) => removeFactor(tx, factor))
    return context.json({ id: factor.id })
  }
}

const codesOf = ({ factors }: User): Factor | undefined =>
  factors.find(({ factor_type }) => factor_type === 'recovery_code')

function requireCodes(user: User): Factor {
  const factor = codesOf(user)
  if (factor) return factor
  throw new AuthError(404, 'mfa_factor_not_found', 'The user has not enrolled recovery codes')
}
