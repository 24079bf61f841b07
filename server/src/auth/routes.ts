// The routes of the auth API under /auth/v1, and the middleware that they share.
import { type Context, Hono } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { methodNotAllowed } from 'hono/method-not-allowed'
import { generateLink, invite } from './admin-links.ts'
import {
  createUserAsAdmin,
  deleteFactorAsAdmin,
  deleteUserAsAdmin,
  getUserAsAdmin,
  listFactorsAsAdmin,
  listUsers,
  updateUserAsAdmin,
} from './admin-users.ts'
import { authorize } from './authorize.ts'
import { callback } from './callback.ts'
import { AuthError, bodyTooLarge, type ErrorCode } from './errors.ts'
import { challenge, enrol, unenrol, verifyFactor } from './factors.ts'
import { answerFailure, createFailureHandler } from './failures.ts'
import { requireKey, requireService } from './gateway.ts'
import { limitPerClient } from './limits.ts'
import { logout } from './logout.ts'
import { reauthenticate } from './new-password.ts'
import { otp } from './otp.ts'
import type { AuthParts } from './parts.ts'
import { addPasskeyRoutes } from './passkey-routes.ts'
import { createProviders } from './providers/providers.ts'
import { recover } from './recover.ts'
import {
  countRecoveryCodes,
  generateRecoveryCodes,
  regenerateRecoveryCodes,
  removeRecoveryCodes,
  verifyRecoveryCode,
} from './recovery-codes.ts'
import { resend } from './resend.ts'
import { settings } from './settings.ts'
import { signup } from './signup.ts'
import { token } from './token.ts'
import { getUser, putUser } from './user.ts'
import { verifyCode, verifyLink } from './verify.ts'

const LARGEST_BODY = 1024 * 1024

// Clients use this to detect an auth service and its version.
const ABOUT = {
  version: 'v2.196.0',
  name: 'GoTrue',
  description: 'GoTrue is a user registration and authentication API',
}

/** Features that this server lacks. It responds as hosted Supabase does when the feature is disabled. */
const SWITCHED_OFF: [path: string, code: ErrorCode, message: string][] = [
  ['/sso', 'saml_provider_disabled', 'SAML 2.0 is disabled'],
  ['/user/identities/*', 'manual_linking_disabled', 'Manual linking is disabled'],
  ['/oauth/*', 'feature_disabled', 'OAuth server is disabled'],
  ['/admin/oauth/*', 'feature_disabled', 'OAuth server is disabled'],
]

export function authRoutes(parts: AuthParts): Hono {
  const { requests, verifications, tokens, factorCodes } = parts.settings.rateLimits
  const limit = (name: string, allowance = requests) => limitPerClient(parts, name, allowance)
  const findProvider = createProviders(parts.settings)
  const routes = new Hono()
  routes.onError(createFailureHandler(parts.log))
  routes.use(methodNotAllowed({ app: routes, onMethodNotAllowed: refuseMethod }))
  routes.use(async (context, next) => {
    await next()
    if (!context.res.headers.has('Cache-Control')) context.header('Cache-Control', 'no-store')
  })
  routes.use(
    bodyLimit({
      maxSize: LARGEST_BODY,
      onError: () => {
        throw bodyTooLarge(LARGEST_BODY)
      },
    }),
  )

  // Browsers and mail programs open these links without a key.
  routes.get('/verify', limit('verify', verifications), verifyLink(parts))
  routes.get('/authorize', limit('authorize', tokens), authorize(parts, findProvider))
  routes.on(['GET', 'POST'], '/callback', callback(parts, findProvider))
  // There is no public key to list, because tokens are signed with a shared secret.
  routes.get('/.well-known/jwks.json', (context) =>
    context.json({ keys: [] }, 200, { 'Cache-Control': 'public, max-age=600' }),
  )

  routes.use(requireKey(parts))
  routes.get('/health', (context) => context.json(ABOUT))
  routes.get('/settings', settings(parts))
  routes.post('/signup', limit('signup'), signup(parts))
  routes.post('/token', limit('token', tokens), token(parts))
  routes.post('/otp', limit('otp'), otp(parts))
  routes.post('/recover', limit('recover'), recover(parts))
  routes.post('/resend', limit('resend'), resend(parts))
  routes.post('/verify', limit('verify', verifications), verifyCode(parts))
  routes.get('/user', getUser(parts))
  routes.put('/user', limit('user'), putUser(parts))
  routes.get('/factors/recovery-codes', countRecoveryCodes(parts))
  // Changing the codes is limited, because the project may send the person a mail about each change.
  routes.post('/factors/recovery-codes', limit('recovery-codes'), generateRecoveryCodes(parts))
  routes.delete('/factors/recovery-codes', limit('recovery-codes'), removeRecoveryCodes(parts))
  routes.post('/factors/recovery-codes/verify', limit('factor', factorCodes), verifyRecoveryCode(parts))
  routes.post('/factors/recovery-codes/regenerate', limit('recovery-codes'), regenerateRecoveryCodes(parts))
  routes.post('/factors', enrol(parts))
  routes.post('/factors/:id/challenge', limit('challenge', factorCodes), challenge(parts))
  routes.post('/factors/:id/verify', limit('factor', factorCodes), verifyFactor(parts))
  routes.delete('/factors/:id', unenrol(parts))
  routes.get('/reauthenticate', limit('reauthenticate'), reauthenticate(parts))
  routes.post('/logout', logout(parts))

  routes.use('/admin/*', requireService(parts))
  routes.post('/invite', requireService(parts), invite(parts))
  routes.post('/admin/generate_link', generateLink(parts))
  routes.get('/admin/users', listUsers(parts))
  routes.post('/admin/users', createUserAsAdmin(parts))
  routes.get('/admin/users/:id', getUserAsAdmin(parts))
  routes.put('/admin/users/:id', updateUserAsAdmin(parts))
  routes.delete('/admin/users/:id', deleteUserAsAdmin(parts))
  routes.get('/admin/users/:id/factors', listFactorsAsAdmin(parts))
  routes.delete('/admin/users/:id/factors/:factor', deleteFactorAsAdmin(parts))
  for (const [path, ...refusal] of SWITCHED_OFF)
    routes.all(path, (context) => answerFailure(context, new AuthError(404, ...refusal)))
  addPasskeyRoutes(routes, parts, limit)
  routes.all('*', (context) => answerFailure(context, new AuthError(404, 'unknown', 'Not found')))
  return routes
}

function refuseMethod(context: Context, allowed: string[]): Response {
  context.header('Allow', allowed.join(', '))
  return answerFailure(context, new AuthError(405, 'unknown', 'Method not allowed'))
}
