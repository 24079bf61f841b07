// GET and PUT /user: the signed-in person's account.
import type { Handler } from 'hono'
import { z } from 'zod'
import type { Transaction } from '#db/database.ts'
import { endSessions, holdSession } from '#identity/sessions.ts'
import { mergeMetadata, replaceEmail, setPassword } from '#identity/user-changes.ts'
import { reloadUser } from '#identity/users.ts'
import { isSmall, pkce, readBody, readEmail, text } from './body.ts'
import { mailEmailChange } from './confirmation.ts'
import { invalid, noSession, phoneDisabled } from './errors.ts'
import { requireRaised } from './factors.ts'
import { requireUser } from './gateway.ts'
import { oncePerInterval } from './limits.ts'
import { prepareNewPassword } from './new-password.ts'
import type { AuthParts } from './parts.ts'
import { readChallenge } from './pkce.ts'
import { createRedirects } from './redirects.ts'
import { writeUser } from './user-answer.ts'

const body = z.object({
  email: text,
  phone: text,
  password: z.string().nullish(),
  current_password: z.string().nullish(),
  nonce: text,
  data: z.record(z.string(), z.unknown()).nullish(),
  ...pkce,
})

export function getUser(parts: AuthParts): Handler {
  return async (context) => context.json(writeUser((await requireUser(parts, context)).user))
}

export function putUser(parts: AuthParts): Handler {
  const { db, settings } = parts
  const redirectFor = createRedirects(settings)
  return async (context) => {
    const signedIn = await requireUser(parts, context)
    const { user, session } = signedIn
    const given = await readBody(context, body)
    if (given.phone !== '') throw phoneDisabled('Unsupported phone provider')
    const challenge = readChallenge(given)
    const email = given.email === '' ? user.email : readEmail(given.email)
    if (given.data && !isSmall({ ...user.raw_user_meta_data, ...given.data })) {
      throw invalid('User metadata cannot be larger than 16 KB')
    }
    const what =
      given.password != null || (email !== null && email !== user.email) ? 'email or password' : 'user'
    requireRaised(signedIn, `AAL2 session is required to update ${what} when MFA is enabled.`, 401)
    const passwordHash = await prepareNewPassword(parts, context, signedIn, given)
    const newEmail = email !== null && email !== user.email ? email : null

    const change = async (tx: Transaction) => {
      if (session && !(await holdSession(tx, session.id, user.id))) throw noSession()
      if (passwordHash !== null) {
        await setPassword(tx, user.id, passwordHash)
        await endSessions(tx, user.id, session?.id)
      }
      if (given.data) await mergeMetadata(tx, user.id, 'user', given.data)
      if (newEmail === null) return
      // If the new address already has an account, only its owner may learn of that, from the mail that asks for
      // confirmation.
      if (settings.confirmations)
        await mailEmailChange(parts, tx, user, {
          newEmail,
          redirectTo: redirectFor(context),
          challenge,
        })
      else await replaceEmail(tx, user.id, newEmail)
    }
    if (newEmail === null) await db.transaction(change)
    else await oncePerInterval(parts, 'email_change', user.email ?? newEmail, change)
    return context.json(writeUser(await reloadUser(db, user.id)))
  }
}
