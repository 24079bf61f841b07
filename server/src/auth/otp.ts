// POST /otp and the older POST /magiclink: signing in, or up, by a link in a mail.
import type { Context, Handler } from 'hono'
import { z } from 'zod'
import { findUserByEmail, type User } from '#identity/users.ts'
import { flag, metadata, pkce, readBody, readEmail, refusePkce, text } from './body.ts'
import { mailConfirmation, signUpUser } from './confirmation.ts'
import { AuthError, emailDisabled, invalid, phoneDisabled, signupDisabled } from './errors.ts'
import { mailSignInLink } from './letters.ts'
import { oncePerInterval } from './limits.ts'
import type { AuthParts } from './parts.ts'
import { createRedirects } from './redirects.ts'

const otpBody = z.object({ email: text, phone: text, data: metadata, create_user: flag(true), ...pkce })
const magicLinkBody = z.object({ email: text, data: metadata, ...pkce })

interface Wish {
  email: string
  data: Record<string, unknown>
  createUser: boolean
}

export function otp(parts: AuthParts): Handler {
  const mailLink = createLinkMailer(parts)
  return async (context) => {
    const given = await readBody(context, otpBody)
    if (given.email === '' && given.phone === '') throw invalid('One of email or phone must be set')
    if (given.email !== '' && given.phone !== '') {
      throw invalid('Only an email address or phone number should be provided')
    }
    if (given.phone !== '') throw phoneDisabled('Unsupported phone provider')
    refusePkce(given)
    return mailLink(context, { ...given, createUser: given.create_user })
  }
}

export function magiclink(parts: AuthParts): Handler {
  const mailLink = createLinkMailer(parts)
  return async (context) => {
    const given = await readBody(context, magicLinkBody)
    if (given.email === '') {
      throw new AuthError(422, 'validation_failed', 'Password recovery requires an email')
    }
    refusePkce(given)
    return mailLink(context, { ...given, createUser: true })
  }
}

function createLinkMailer(parts: AuthParts) {
  const { db, settings } = parts
  const redirectFor = createRedirects(settings)
  return async (context: Context, wish: Wish): Promise<Response> => {
    if (!settings.emailEnabled) throw emailDisabled(422, 'logins')
    const email = readEmail(wish.email)
    const redirectTo = redirectFor(context)
    const found = await findUserByEmail(db, email)
    if (!found && !wish.createUser) {
      throw new AuthError(422, 'otp_disabled', 'Signups not allowed for otp')
    }
    if (!found && !settings.signupEnabled) throw signupDisabled()

    const person = { email, passwordHash: null, userMetadata: wish.data }
    if (found?.email_confirmed_at == null && settings.confirmations) {
      await oncePerInterval(parts, 'confirmation', email, () =>
        mailConfirmation(parts, person, { redirectTo, dropsPassword: true }),
      )
    } else {
      await oncePerInterval(parts, 'recovery', email, async () => {
        const user = found ?? (await signUpAtOnce(parts, person))
        if (user) await mailSignInLink(parts, user, { type: 'magiclink', redirectTo })
      })
    }
    return context.json({})
  }
}

/** Without confirmations every account counts as confirmed from the start. */
const signUpAtOnce = (
  { db }: AuthParts,
  person: Parameters<typeof signUpUser>[1],
): Promise<User | undefined> =>
  db.transaction(
    async (tx) =>
      (await signUpUser(tx, { ...person, confirmed: true })) ?? (await findUserByEmail(tx, person.email)),
  )
