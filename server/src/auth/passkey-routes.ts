// Routes of the passkey endpoints.
import type { Hono, MiddlewareHandler } from 'hono'
import type { Allowance } from './auth-settings.ts'
import { AuthError } from './errors.ts'
import type { AuthParts } from './parts.ts'
import {
  listOwnPasskeys,
  listPasskeysAsAdmin,
  passkeyOptions,
  passkeySignIn,
  passkeySignInOptions,
  removeOwnPasskey,
  removePasskeyAsAdmin,
  renameOwnPasskey,
  verifyPasskey,
} from './passkeys.ts'

/** Adds the passkey routes; if the site cannot use passkeys, all of them respond with 404. */
export function addPasskeyRoutes(
  routes: Hono,
  parts: AuthParts,
  limit: (name: string, allowance?: Allowance) => MiddlewareHandler,
): void {
  const { passkeys: site, rateLimits } = parts.settings
  if (!site) {
    for (const path of ['/passkeys/*', '/admin/users/:id/passkeys/*']) routes.all(path, refuse)
    return
  }
  const own = { ...parts, site }
  const { verifications } = rateLimits
  routes.post('/passkeys/registration/options', limit('passkey-options'), passkeyOptions(own))
  routes.post('/passkeys/registration/verify', limit('passkey', verifications), verifyPasskey(own))
  routes.post('/passkeys/authentication/options', limit('passkey-sign-in-options'), passkeySignInOptions(own))
  routes.post('/passkeys/authentication/verify', limit('passkey-sign-in', verifications), passkeySignIn(own))
  routes.get('/passkeys', listOwnPasskeys(parts))
  routes.patch('/passkeys/:id', renameOwnPasskey(parts))
  routes.delete('/passkeys/:id', removeOwnPasskey(parts))
  routes.get('/admin/users/:id/passkeys', listPasskeysAsAdmin(parts))
  routes.delete('/admin/users/:id/passkeys/:passkey', removePasskeyAsAdmin(parts))
}

function refuse(): never {
  throw new AuthError(404, 'passkey_disabled', 'Passkeys are disabled')
}
