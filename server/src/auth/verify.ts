// GET and POST /verify: redeems a mailed link, or a mailed code that was entered.
import type { Handler } from 'hono'
import { z } from 'zod'
import type { Proof } from '#identity/one-time-tokens.ts'
import { readBody, readEmail, text } from './body.ts'
import { codeExpired, invalid } from './errors.ts'
import { describeForRedirect, logFailure, toAuthError } from './failures.ts'
import { limitGuesses } from './limits.ts'
import type { AuthParts } from './parts.ts'
import { issueCode } from './pkce.ts'
import { KINDS_OF_TYPE, redeem, type VerificationType } from './redeem.ts'
import { createRedirects } from './redirects.ts'
import {
  originOf,
  redirectWithSession,
  type SignedIn,
  sendSession,
  signIn,
  withEverywhere,
  withFragment,
  withQuery,
  writeSession,
} from './session-answer.ts'

const body = z.object({ type: text, token: text, token_hash: text, email: text, phone: text })

const ONE_SIDE_CONFIRMED =
  'Confirmation link accepted. Please proceed to confirm link sent to the other email'

/**
 * GET /verify. Redirects even on failure, so that a page can explain it; only a link without a type or token gets 400.
 */
export function verifyLink(parts: AuthParts): Handler {
  const redirectFor = createRedirects(parts.settings)
  return async (context) => {
    // A mail scanner's HEAD request must not use up the link.
    if (context.req.method === 'HEAD') return context.body(null, 405, { Allow: 'GET, POST' })
    const type = context.req.query('type') ?? ''
    const token = context.req.query('token') ?? ''
    if (type === '') throw invalid('Verify requires a verification type')
    if (token === '') throw invalid('Verify requires a token or a token hash')
    const to = redirectFor(context)
    // A client that waits for a code reads all parameters from the query.
    const tell = token.startsWith('pkce_') ? withEverywhere : withFragment
    try {
      const redeemed = await redeem<SignedIn | { code: string }>(
        parts,
        readType(type),
        { token },
        async (tx, userId, challenge) => {
          if (!challenge) return signIn(tx, userId, 'otp', originOf(parts, context))
          return { code: await issueCode(tx, challenge, { userId, method: 'otp', provider: 'email' }) }
        },
      )
      if (redeemed === 'one side confirmed') {
        return context.redirect(tell(to, { message: ONE_SIDE_CONFIRMED }), 303)
      }
      if ('code' in redeemed) return context.redirect(withQuery(to, redeemed), 303)
      const session = await writeSession(parts, redeemed.user, redeemed.session)
      return context.redirect(redirectWithSession(to, session, { type }), 303)
    } catch (error) {
      const failure = toAuthError(error)
      logFailure(parts.log, context, failure)
      return context.redirect(tell(to, describeForRedirect(failure)), 303)
    }
  }
}

const PHONE = /^\+?[1-9]\d{1,14}$/

export function verifyCode(parts: AuthParts): Handler {
  return async (context) => {
    const given = await readBody(context, body)
    const { type, proof } = readProof(given)
    const work = () =>
      redeem(parts, type, proof, (tx, userId) => signIn(tx, userId, 'otp', originOf(parts, context)))
    // Without the limit, six digits could be guessed within an hour.
    const redeemed =
      'token' in proof
        ? await work()
        : await limitGuesses(parts, context, { secret: 'code', account: proof.email }, work)
    if (redeemed === 'one side confirmed') return context.json({ msg: ONE_SIDE_CONFIRMED, code: '200' })
    return sendSession(parts, context, redeemed)
  }
}

function readProof(given: z.infer<typeof body>): { type: VerificationType; proof: Proof } {
  if (given.type === '') throw invalid('Verify requires a verification type')
  if ((given.token === '') === (given.token_hash === '')) {
    throw invalid('Verify requires either a token or a token hash')
  }
  if (given.token_hash !== '') {
    if (given.email !== '' || given.phone !== '') {
      throw invalid('Only the token_hash and type should be provided')
    }
    return { type: readType(given.type), proof: { token: given.token_hash } }
  }
  if ((given.email === '') === (given.phone === '')) {
    throw invalid('Only an email address or phone number should be provided on verify')
  }
  if (given.phone !== '') {
    if (!PHONE.test(given.phone.replaceAll(' ', '')))
      throw invalid('Invalid phone number format (E.164 required)')
    // Phone numbers are not supported, so no code was ever sent to one.
    throw codeExpired()
  }
  return { type: readType(given.type), proof: { email: readEmail(given.email), code: given.token } }
}

function readType(type: string): VerificationType {
  if (!Object.hasOwn(KINDS_OF_TYPE, type)) throw invalid('Invalid email verification type')
  return type as VerificationType
}
