// grant_type=password. An unknown address and a wrong password are the same answer after the same work.
import type { Context } from 'hono'
import { z } from 'zod'
import { findWeakness } from '#identity/password-rules.ts'
import { passwordMatches } from '#identity/passwords.ts'
import { openSession } from '#identity/sessions.ts'
import { findUserByEmail, isBanned, reloadUser } from '#identity/users.ts'
import { readBody, text } from './body.ts'
import { emailToLookUp } from './email.ts'
import { AuthError, banned, emailDisabled, invalid, phoneDisabled, wrongCredentials } from './errors.ts'
import { countAttempt, giveBack } from './limits.ts'
import type { AuthParts } from './parts.ts'
import { originOf, sendSession } from './session-answer.ts'

const body = z.object({ email: text, phone: text, password: text })

export async function grantByPassword(parts: AuthParts, context: Context): Promise<Response> {
  const { db, settings } = parts
  const given = await readBody(context, body)
  if (given.phone !== '') throw phoneDisabled('Phone logins are disabled')
  if (given.email === '') throw invalid('missing email or phone')
  if (!settings.emailEnabled) throw emailDisabled(422, 'logins')
  const email = emailToLookUp(given.email)
  if (email === null) throw wrongCredentials()

  const attempts = `password:${email}`
  await countAttempt(parts, attempts)
  const found = await findUserByEmail(db, email)
  const matches = await passwordMatches(given.password, found?.encrypted_password)
  if (!found || !matches) throw wrongCredentials()
  await giveBack(db, attempts)
  if (isBanned(found)) throw banned(400)
  if (found.email_confirmed_at === null)
    throw new AuthError(400, 'email_not_confirmed', 'Email not confirmed')

  const signedIn = await db.transaction(async (tx) => {
    const session = await openSession(tx, found.id, 'password', originOf(parts, context))
    return { user: await reloadUser(tx, found.id), session }
  })
  const weakness = findWeakness(given.password, settings.passwordRules)
  return sendSession(parts, context, signedIn, weakness ? { weak_password: weakness } : {})
}
