// Accounts with an authenticator app, for the test files about second factors.
import type { SupabaseClient } from '@supabase/supabase-js'
import { decodeJwt } from 'jose'
import { TOTP } from 'otpauth'
import type { AuthTarget } from './auth-service.ts'

export const ON = { most: 10, enrol: true, verify: true }
const STEP = 30_000
/**
 * Returns the code of a time step, counted from the present one. The server accepts the codes of the steps beside its
 * present one, so the code of this step or the next one stays valid for at least 30 seconds.
 */
export const codeOf = (secret: string, steps = 0) =>
  new TOTP({ secret }).generate({ timestamp: Date.now() + steps * STEP })
/** Signs in again with the password, and returns the client. */
export const signedIn = async (target: AuthTarget, email: string): Promise<SupabaseClient> =>
  target.clientOf(await target.signIn(email))
export const tokenOf = async (client: SupabaseClient) =>
  (await client.auth.getSession()).data.session?.access_token ?? ''
interface Claims {
  aal: string
  amr: { method: string }[]
  session_id: string
}
export const claimsOf = (token: string) => decodeJwt<Claims>(token)
export async function begin(client: SupabaseClient, friendlyName = 'Phone') {
  const { data, error } = await client.auth.mfa.enroll({ factorType: 'totp', friendlyName })
  if (error) throw error
  return { id: data.id, ...data.totp }
}
/**
 * Creates a person with an authenticator app, in a session that has used it. The code of the present step is used up.
 */
export async function protect(target: AuthTarget, email: string) {
  const client = await target.clientOf(await target.enrol(email))
  const factor = await begin(client)
  const { error } = await client.auth.mfa.challengeAndVerify({
    factorId: factor.id,
    code: codeOf(factor.secret),
  })
  if (error) throw error
  return { client, factor, email }
}
export async function answer(client: SupabaseClient, factorId: string, code: string) {
  const { error } = await client.auth.mfa.challengeAndVerify({ factorId, code })
  return error ? [error.status, error.code] : 'raised'
}
