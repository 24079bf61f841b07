// GET and PUT /user: the signed-in person's account.
import type { Handler } from 'hono'
import { z } from 'zod'
import type { Transaction } from '#db/database.ts'
import { hashPassword, passwordMatches } from '#identity/passwords.ts'
import { endSessions } from '#identity/sessions.ts'
import { mergeMetadata, replaceEmail, setPassword } from '#identity/user-changes.ts'
import { reloadUser } from '#identity/users.ts'
import { isSmall, pkce, readBody, readEmail, refusePkce, requireGoodPassword, text } from './body.ts'
import { mailEmailChange } from './confirmation.ts'
import { AuthError, invalid } from './errors.ts'
import { requireUser, type SignedIn } from './gateway.ts'
import { oncePerInterval } from './limits.ts'
import type { AuthParts } from './parts.ts'
import { createRedirects } from './redirects.ts'
import { writeUser } from './user-answer.ts'

const body = z.object({
  email: text,
  password: z.string().nullish(),
  current_password: z.string().nullish(),
  nonce: text,
  data: z.record(z.string(), z.unknown()).nullish(),
  ...pkce,
})

const RECENT_SIGN_IN = 24 * 3600 * 1000

export function getUser(parts: AuthParts): Handler {
  return async (context) => context.json(writeUser((await requireUser(parts, context)).user))
}

export function putUser(parts: AuthParts): Handler {
  const { db, settings } = parts
  const redirectFor = createRedirects(settings)
  return async (context) => {
    const { user, session } = await requireUser(parts, context)
    const given = await readBody(context, body)
    refusePkce(given)
    const email = given.email === '' ? user.email : readEmail(given.email)
    if (given.data && !isSmall({ ...user.raw_user_meta_data, ...given.data })) {
      throw invalid('User metadata cannot be larger than 16 KB')
    }
    const passwordHash = await prepareNewPassword(parts, { user, session }, given)
    const newEmail = email !== null && email !== user.email ? email : null

    const change = async (tx: Transaction) => {
      if (passwordHash !== null) {
        await setPassword(tx, user.id, passwordHash)
        await endSessions(tx, user.id, session?.id)
      }
      if (given.data) await mergeMetadata(tx, user.id, 'user', given.data)
      if (newEmail === null) return
      // Whether the new address is somebody's account is for its box to learn, when it is asked to agree.
      if (settings.confirmations)
        await mailEmailChange(parts, tx, user, { newEmail, redirectTo: redirectFor(context) })
      else await replaceEmail(tx, user.id, newEmail)
    }
    if (newEmail === null) await db.transaction(change)
    else await oncePerInterval(parts, 'email_change', user.email ?? newEmail, change)
    return context.json(writeUser(await reloadUser(db, user.id)))
  }
}

async function prepareNewPassword(
  { settings }: AuthParts,
  { user, session }: SignedIn,
  given: z.infer<typeof body>,
): Promise<string | null> {
  const { password, current_password: current } = given
  if (password == null) return null
  requireGoodPassword(password, settings.passwordRules)
  const signedInAt = session ? Date.parse(session.created_at) : 0
  if (settings.securePasswordChange && Date.now() - signedInAt > RECENT_SIGN_IN) {
    throw new AuthError(400, 'reauthentication_needed', 'Password update requires reauthentication')
  }
  if (current != null && !(await passwordMatches(current, user.encrypted_password))) {
    throw new AuthError(
      400,
      'current_password_mismatch',
      'Current password required when setting new password.',
    )
  }
  if (await passwordMatches(password, user.encrypted_password)) {
    throw new AuthError(422, 'same_password', 'New password should be different from the old password.')
  }
  return hashPassword(password)
}
