// POST /recover: mails a link for setting a new password. The response is the same whether or not the address has an
// account.
import type { Handler } from 'hono'
import { z } from 'zod'
import { findUserByEmail, placeholderFor } from '#identity/users.ts'
import { pkce, readBody, readEmail, text } from './body.ts'
import { invalid } from './errors.ts'
import { mailToken } from './letters.ts'
import { oncePerInterval } from './limits.ts'
import type { AuthParts } from './parts.ts'
import { readChallenge } from './pkce.ts'
import { createRedirects } from './redirects.ts'

const body = z.object({ email: text, ...pkce })

export function recover(parts: AuthParts): Handler {
  const redirectFor = createRedirects(parts.settings)
  return async (context) => {
    const given = await readBody(context, body)
    if (given.email === '') throw invalid('Password recovery requires an email')
    const challenge = readChallenge(given)
    const email = readEmail(given.email)
    await oncePerInterval(parts, 'recovery', email, async (tx) => {
      const account = (await findUserByEmail(tx, email)) ?? placeholderFor(email)
      await mailToken(parts, tx, account, {
        type: 'recovery',
        redirectTo: redirectFor(context),
        challenge,
      })
    })
    return context.json({})
  }
}
