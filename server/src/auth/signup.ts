// POST /signup: an account by e-mail address and password.
import type { Handler } from 'hono'
import { z } from 'zod'
import type { NewUser } from '#identity/new-user.ts'
import { hashPassword } from '#identity/passwords.ts'
import { openSession } from '#identity/sessions.ts'
import { confirmEmail } from '#identity/user-changes.ts'
import { findUserByEmail, reloadUser } from '#identity/users.ts'
import { metadata, pkce, readBody, readEmail, refusePkce, requireGoodPassword, text } from './body.ts'
import { mailConfirmation, signUpUser } from './confirmation.ts'
import { AuthError, emailDisabled, invalid, phoneDisabled, signupDisabled } from './errors.ts'
import { oncePerInterval } from './limits.ts'
import type { AuthParts } from './parts.ts'
import { createRedirects } from './redirects.ts'
import { originOf, sendSession } from './session-answer.ts'
import { writeNobody, writeUser } from './user-answer.ts'

const body = z.object({ email: text, phone: text, password: text, data: metadata, ...pkce })

export function signup(parts: AuthParts): Handler {
  const { db, settings } = parts
  const redirectFor = createRedirects(settings)
  return async (context) => {
    if (!settings.signupEnabled) throw signupDisabled()
    const given = await readBody(context, body)
    const person = await readPerson(parts, given)

    if (settings.confirmations) {
      const redirectTo = redirectFor(context)
      const user = await oncePerInterval(parts, 'confirmation', person.email, () =>
        mailConfirmation(parts, person, { redirectTo, password: given.password }),
      )
      return context.json(user ? writeUser(user) : writeNobody(person.email, person.userMetadata))
    }

    const signedIn = await db.transaction(async (tx) => {
      const user = (await signUpUser(tx, person)) ?? (await findUserByEmail(tx, person.email))
      if (!user || user.email_confirmed_at !== null) {
        throw new AuthError(422, 'user_already_exists', 'User already registered')
      }
      await confirmEmail(tx, user.id)
      const session = await openSession(tx, user.id, 'password', originOf(parts, context))
      return { user: await reloadUser(tx, user.id), session }
    })
    return sendSession(parts, context, signedIn)
  }
}

async function readPerson({ settings }: AuthParts, given: z.infer<typeof body>): Promise<NewUser> {
  if (given.email === '' && given.phone === '') {
    throw new AuthError(422, 'anonymous_provider_disabled', 'Anonymous sign-ins are disabled')
  }
  if (given.password === '') throw invalid('Signup requires a valid password')
  requireGoodPassword(given.password, settings.passwordRules)
  if (given.phone !== '') throw phoneDisabled('Phone signups are disabled')
  refusePkce(given)
  if (!settings.emailEnabled) throw emailDisabled(400, 'signups')
  const email = readEmail(given.email)
  return { email, passwordHash: await hashPassword(given.password), userMetadata: given.data }
}
