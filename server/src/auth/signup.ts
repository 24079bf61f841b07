import type { Handler } from 'hono'
import { z } from 'zod'
import type { NewUser } from '#identity/new-user.ts'
import { hashPassword, passwordMatches } from '#identity/passwords.ts'
import { confirmEmail } from '#identity/user-changes.ts'
import { findUserByEmail, placeholderFor, reloadUser } from '#identity/users.ts'
import { metadata, pkce, readBody, readEmail, requireGoodPassword, text } from './body.ts'
import { findOrSignUp, refusalByHook, signUpUser } from './confirmation.ts'
import { AuthError, emailDisabled, invalid, phoneDisabled, signupDisabled } from './errors.ts'
import { mailToken } from './letters.ts'
import { oncePerInterval } from './limits.ts'
import type { AuthParts } from './parts.ts'
import { readChallenge } from './pkce.ts'
import { createRedirects } from './redirects.ts'
import { originOf, sendSession, signIn } from './session-answer.ts'
import { writeUser } from './user-answer.ts'

const body = z.object({ email: text, phone: text, password: text, data: metadata, ...pkce })

export function signup(parts: AuthParts): Handler {
  const { db, settings } = parts
  const redirectFor = createRedirects(settings)
  return async (context) => {
    if (!settings.signupEnabled) throw signupDisabled()
    const given = await readBody(context, body)
    const person = await readPerson(parts, given)
    const challenge = readChallenge(given)
    const refusal = await refusalByHook(parts, db, person)
    if (refusal) throw refusal

    if (settings.confirmations) {
      const redirectTo = redirectFor(context)
      const found = await findUserByEmail(db, person.email)
      // The password was chosen when the account was created, so only a person who knows it can be the same person.
      const knowsPassword = await passwordMatches(given.password, found?.encrypted_password)
      const answer = await oncePerInterval(parts, 'confirmation', person.email, async (tx) => {
        const { user, isNew, standIn } = await findOrSignUp(tx, person, found)
        const isWaiting = user.email_confirmed_at === null
        await mailToken(parts, tx, isWaiting ? user : placeholderFor(person.email), {
          type: 'signup',
          redirectTo,
          challenge,
          dropsPassword: !isNew && !knowsPassword,
        })
        const now = await reloadUser(tx, user.id)
        return writeUser((!isWaiting && standIn) || now)
      })
      return context.json(answer)
    }

    const signedIn = await db.transaction(async (tx) => {
      const user = (await signUpUser(tx, person)) ?? (await findUserByEmail(tx, person.email))
      if (!user || user.email_confirmed_at !== null) {
        throw new AuthError(422, 'user_already_exists', 'User already registered')
      }
      await confirmEmail(tx, user.id)
      return signIn(tx, user.id, 'password', originOf(parts, context))
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
  if (given.phone !== '') {
    if (given.email !== '')
      throw invalid('Only an email address or phone number should be provided on signup.')
    throw phoneDisabled('Phone signups are disabled')
  }
  if (!settings.emailEnabled || !settings.emailSignsUp) throw emailDisabled(400, 'signups')
  const email = readEmail(given.email)
  return { email, passwordHash: await hashPassword(given.password), userMetadata: given.data }
}
