// POST /resend: sends the confirmation of a sign-up or address change again. Never reveals whether one was pending.
import type { Handler } from 'hono'
import { z } from 'zod'
import { findUserByEmail, placeholderFor } from '#identity/users.ts'
import { pkce, readBody, readEmail, text } from './body.ts'
import { mailEmailChange } from './confirmation.ts'
import { emailDisabled, invalid, phoneDisabled } from './errors.ts'
import { mailToken } from './letters.ts'
import { oncePerInterval } from './limits.ts'
import type { AuthParts } from './parts.ts'
import { readChallenge } from './pkce.ts'
import { createRedirects } from './redirects.ts'

const body = z.object({ type: text, email: text, phone: text, ...pkce })

export function resend(parts: AuthParts): Handler {
  const { settings } = parts
  const redirectFor = createRedirects(settings)
  return async (context) => {
    const given = await readBody(context, body)
    if (!['signup', 'email_change', 'sms', 'phone_change'].includes(given.type)) {
      throw invalid('Missing one of these types: signup, email_change, sms, phone_change')
    }
    if (given.type === 'signup' && given.email === '')
      throw invalid('Type provided requires an email address')
    if (given.type === 'sms' && given.phone === '') throw invalid('Type provided requires a phone number')
    if (given.phone !== '') {
      if (given.email === '') throw phoneDisabled('Phone logins are disabled')
      throw invalid('Only an email address or phone number should be provided.')
    }
    if (given.email === '') throw invalid('Missing email address or phone number')
    if (!settings.emailEnabled) throw emailDisabled(400, 'logins')
    const email = readEmail(given.email)
    const redirectTo = redirectFor(context)
    const challenge = readChallenge(given)
    // Phone numbers are not supported, so none is waiting for confirmation.
    if (given.type === 'phone_change') return context.json({})

    const kind = given.type === 'signup' ? 'confirmation' : 'email_change'
    await oncePerInterval(parts, kind, email, async (tx) => {
      const user = await findUserByEmail(tx, email)
      const nobody = placeholderFor(email)
      if (kind === 'email_change') {
        const newEmail = user?.email_change
        await mailEmailChange(parts, tx, newEmail ? user : nobody, {
          newEmail: newEmail ?? email,
          redirectTo,
          challenge,
        })
      } else {
        const account = user?.email_confirmed_at === null ? user : nobody
        await mailToken(parts, tx, account, { type: 'signup', redirectTo, challenge })
      }
    })
    return context.json({})
  }
}
