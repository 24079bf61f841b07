// Accounts with an authenticator app, for the suites about second factors.
import type { SupabaseClient } from '@supabase/supabase-js'
import { TOTP } from 'otpauth'
import { PASSWORD } from '../harness.ts'
import { type AuthTarget, clientOf, enrol } from './auth-service.ts'

export const ON = { most: 10, enrol: true, verify: true }
export const codeOf = (secret: string, steps = 0) =>
  new TOTP({ secret }).generate({ timestamp: Date.now() + steps * 30_000 })
export async function signedIn(target: AuthTarget, email: string): Promise<SupabaseClient> {
  const client = clientOf(target)
  const { error } = await client.auth.signInWithPassword({ email, password: PASSWORD })
  if (error) throw error
  return client
}
export const tokenOf = async (client: SupabaseClient) =>
  (await client.auth.getSession()).data.session?.access_token ?? ''
export const claimsOf = (token: string) =>
  JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString())
export async function begin(client: SupabaseClient, friendlyName = 'Phone') {
  const { data, error } = await client.auth.mfa.enroll({ factorType: 'totp', friendlyName })
  if (error) throw error
  return { id: data.id, ...data.totp }
}
/** Somebody with an authenticator app, in a session raised by it. The code of the step before is spent. */
export async function protect(target: AuthTarget, email: string) {
  await enrol(target, email)
  const client = await signedIn(target, email)
  const factor = await begin(client)
  const { error } = await client.auth.mfa.challengeAndVerify({
    factorId: factor.id,
    code: codeOf(factor.secret, -1),
  })
  if (error) throw error
  return { client, factor, email }
}
export async function answer(client: SupabaseClient, factorId: string, code: string) {
  const { error } = await client.auth.mfa.challengeAndVerify({ factorId, code })
  return error ? [error.status, error.code] : 'raised'
}
