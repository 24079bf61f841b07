// POST /otp: signs people in, or up, by a mailed link. Never reveals whether an account exists, even if an unknown
// address gets no mail.
import type { Handler } from 'hono'
import { z } from 'zod'
import { findUserByEmail, placeholderFor } from '#identity/users.ts'
import { flag, metadata, pkce, readBody, readEmail, text } from './body.ts'
import { findOrSignUp, refusalByHook } from './confirmation.ts'
import { emailDisabled, invalid, phoneDisabled } from './errors.ts'
import { mailToken } from './letters.ts'
import { oncePerInterval } from './limits.ts'
import type { AuthParts } from './parts.ts'
import { readChallenge } from './pkce.ts'
import { createRedirects } from './redirects.ts'

const otpBody = z.object({ email: text, phone: text, data: metadata, create_user: flag(true), ...pkce })

export function otp(parts: AuthParts): Handler {
  const { settings } = parts
  const redirectFor = createRedirects(settings)
  return async (context) => {
    const given = await readBody(context, otpBody)
    if (given.email === '' && given.phone === '') throw invalid('One of email or phone must be set')
    if (given.email !== '' && given.phone !== '') {
      throw invalid('Only an email address or phone number should be provided')
    }
    if (given.phone !== '') throw phoneDisabled('Unsupported phone provider')
    const challenge = readChallenge(given)
    if (!settings.emailEnabled) throw emailDisabled(422, 'logins')
    const email = readEmail(given.email)
    const redirectTo = redirectFor(context)
    // Without confirmations every account counts as confirmed from the start.
    const confirmed = !settings.confirmations
    const person = { email, passwordHash: null, userMetadata: given.data, confirmed }
    const signsUp =
      given.create_user &&
      settings.signupEnabled &&
      settings.emailSignsUp &&
      !(await refusalByHook(parts, parts.db, person))
    await oncePerInterval(parts, 'magic_link', email, async (tx) => {
      const found = await findUserByEmail(tx, email)
      const user = signsUp ? (await findOrSignUp(tx, person, found)).user : found
      const isProven = confirmed || user?.email_confirmed_at !== null
      await mailToken(parts, tx, user ?? placeholderFor(email), {
        type: isProven ? 'magiclink' : 'signup',
        redirectTo,
        challenge,
        dropsPassword: !isProven,
      })
    })
    return context.json({})
  }
}
