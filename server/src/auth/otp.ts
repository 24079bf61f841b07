// POST /otp and the older POST /magiclink: sign-in and sign-up by a link in a mail. Never reveals whether an account
// exists, even if an unknown address gets no mail.
import type { Context, Handler } from 'hono'
import { z } from 'zod'
import { findUserByEmail, placeholderFor } from '#identity/users.ts'
import { flag, metadata, pkce, readBody, readEmail, text } from './body.ts'
import { findOrSignUp } from './confirmation.ts'
import { AuthError, emailDisabled, invalid, phoneDisabled } from './errors.ts'
import { mailToken } from './letters.ts'
import { oncePerInterval } from './limits.ts'
import type { AuthParts } from './parts.ts'
import { type Challenge, readChallenge } from './pkce.ts'
import { createRedirects } from './redirects.ts'

const otpBody = z.object({ email: text, phone: text, data: metadata, create_user: flag(true), ...pkce })
const magicLinkBody = z.object({ email: text, data: metadata, ...pkce })

interface Wish {
  email: string
  data: Record<string, unknown>
  createUser: boolean
  challenge: Challenge | null
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
    return mailLink(context, { ...given, createUser: given.create_user, challenge: readChallenge(given) })
  }
}

export function magiclink(parts: AuthParts): Handler {
  const mailLink = createLinkMailer(parts)
  return async (context) => {
    const given = await readBody(context, magicLinkBody)
    if (given.email === '') {
      throw new AuthError(422, 'validation_failed', 'Password recovery requires an email')
    }
    return mailLink(context, { ...given, createUser: true, challenge: readChallenge(given) })
  }
}

function createLinkMailer(parts: AuthParts) {
  const { settings } = parts
  const redirectFor = createRedirects(settings)
  return async (context: Context, wish: Wish): Promise<Response> => {
    if (!settings.emailEnabled) throw emailDisabled(422, 'logins')
    const email = readEmail(wish.email)
    const redirectTo = redirectFor(context)
    const signsUp = wish.createUser && settings.signupEnabled && settings.emailSignsUp
    // Without confirmations every account counts as confirmed from the start.
    const confirmed = !settings.confirmations
    const person = { email, passwordHash: null, userMetadata: wish.data, confirmed }
    await oncePerInterval(parts, 'magic_link', email, async (tx) => {
      const found = await findUserByEmail(tx, email)
      const user = signsUp ? (await findOrSignUp(tx, person, found)).user : found
      const isProven = confirmed || user?.email_confirmed_at !== null
      await mailToken(parts, tx, user ?? placeholderFor(email), {
        type: isProven ? 'magiclink' : 'signup',
        redirectTo,
        challenge: wish.challenge,
        dropsPassword: !isProven,
      })
    })
    return context.json({})
  }
}
