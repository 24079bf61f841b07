// /passkeys: keys on people's devices, in place of passwords.
import type { Context, Handler } from 'hono'
import { z } from 'zod'
import {
  addPasskey,
  countUse,
  credentialIdsOf,
  findPasskey,
  isFull,
  listPasskeys,
  openChallenge,
  type PasskeySummary,
  removePasskey,
  renamePasskey,
  spendChallenge,
} from '#identity/passkeys.ts'
import { findUserById, isBanned } from '#identity/users.ts'
import { requireAccount } from './admin-users.ts'
import { readBody, text } from './body.ts'
import { AuthError, banned, invalid } from './errors.ts'
import { requireRaised } from './factors.ts'
import { forThemselves, isUuid, requireUser, type SignedIn } from './gateway.ts'
import type { AuthParts } from './parts.ts'
import type { RelyingParty } from './relying-party.ts'
import { originOf, sendSession, signIn } from './session-answer.ts'
import { utc } from './user-answer.ts'
import {
  creationAnswer,
  creationOptions,
  readCreation,
  readUse,
  requestAnswer,
  requestOptions,
} from './webauthn.ts'

export type PasskeyParts = AuthParts & { site: RelyingParty }

/** POST /passkeys/registration/options: returns the options with which the browser creates a passkey. */
export function passkeyOptions(parts: PasskeyParts): Handler {
  const { db, site } = parts
  return async (context) => {
    const { user } = await requireManager(parts, context)
    const known = await credentialIdsOf(db, user.id)
    if (isFull(known)) throw tooMany()
    const options = await creationOptions(site, user, known)
    const { challenge } = options
    const { id, expires_at } = await openChallenge(db, { type: 'registration', owner: user.id, challenge })
    return context.json({ challenge_id: id, options, expires_at })
  }
}

/** POST /passkeys/registration/verify: stores the created passkey. */
export function verifyPasskey(parts: PasskeyParts): Handler {
  const { site } = parts
  return async (context) => {
    const signedIn = await requireManager(parts, context)
    const { challenge, credential } = await readAnswer(parts, context, 'registration', signedIn.user.id)
    const answer = creationAnswer.safeParse(credential)
    if (!answer.success) throw unreadable()
    const made = await readCreation(site, challenge, answer.data)
    if (!made) throw untrue()
    const added = await forThemselves(parts, signedIn, (tx) => addPasskey(tx, signedIn.user.id, made))
    if (added === 'too many') throw tooMany()
    if (added === 'exists')
      throw new AuthError(422, 'webauthn_credential_exists', 'This credential is already registered')
    return context.json(write(added))
  }
}

/** POST /passkeys/authentication/options: returns a challenge that any passkey of this site may sign. */
export function passkeySignInOptions({ db, site }: PasskeyParts): Handler {
  return async (context) => {
    const options = await requestOptions(site)
    const { challenge } = options
    const { id, expires_at } = await openChallenge(db, { type: 'authentication', owner: null, challenge })
    return context.json({ challenge_id: id, options, expires_at })
  }
}

/** POST /passkeys/authentication/verify: opens a session for the owner of the passkey that signed the challenge. */
export function passkeySignIn(parts: PasskeyParts): Handler {
  const { db, site } = parts
  return async (context) => {
    const { challenge, credential } = await readAnswer(parts, context, 'authentication', null)
    const answer = requestAnswer.safeParse(credential)
    if (!answer.success) throw unreadable()
    const passkey = await findPasskey(db, answer.data.id)
    const use = passkey && (await readUse(site, challenge, answer.data, passkey))
    const user = use && (await findUserById(db, passkey.user_id))
    if (!user) throw untrue()
    if (user.email !== null && user.email_confirmed_at === null)
      throw new AuthError(403, 'email_not_confirmed', 'Email not confirmed')
    if (isBanned(user)) throw banned(403)
    const signedIn = await db.transaction(async (tx) => {
      if (!(await countUse(tx, passkey, use))) throw untrue()
      return signIn(tx, user.id, 'passkey', originOf(parts, context), 'passkey')
    })
    return sendSession(parts, context, signedIn)
  }
}

/** GET /passkeys */
export function listOwnPasskeys(parts: AuthParts): Handler {
  return async (context) => {
    const { user } = await requireManager(parts, context)
    return context.json((await listPasskeys(parts.db, user.id)).map(write))
  }
}

const LONGEST_NAME = 120
const renameBody = z.object({ friendly_name: text })

/** PATCH /passkeys/{id} */
export function renameOwnPasskey(parts: AuthParts): Handler {
  return async (context) => {
    const { user } = await requireManager(parts, context)
    const id = requireId(context.req.param('id'))
    const { friendly_name: name } = await readBody(context, renameBody)
    if (name === '') throw invalid('friendly_name is required')
    if ([...name].length > LONGEST_NAME)
      throw invalid(`friendly_name must be ${LONGEST_NAME} characters or less`)
    const renamed = await renamePasskey(parts.db, { id, userId: user.id, name })
    if (!renamed) throw unknown()
    return context.json(write(renamed))
  }
}

/** DELETE /passkeys/{id} */
export function removeOwnPasskey(parts: AuthParts): Handler {
  return async (context) => {
    const { user } = await requireManager(parts, context)
    const id = requireId(context.req.param('id'))
    if (!(await removePasskey(parts.db, { id, userId: user.id }))) throw unknown()
    return context.body(null, 204)
  }
}

/** Lists the passkeys of a person, for holders of the service key. */
export function listPasskeysAsAdmin({ db }: AuthParts): Handler {
  return async (context) => {
    const { id } = await requireAccount(db, context.req.param('id'))
    return context.json((await listPasskeys(db, id)).map(write))
  }
}

export function removePasskeyAsAdmin({ db }: AuthParts): Handler {
  return async (context) => {
    const { id: userId } = await requireAccount(db, context.req.param('id'))
    const id = requireId(context.req.param('passkey'))
    if (!(await removePasskey(db, { id, userId }))) throw unknown()
    return context.body(null, 204)
  }
}

/** Returns the signed-in person, who must have used their second factor if they have one. */
async function requireManager(parts: AuthParts, context: Context): Promise<SignedIn> {
  const signedIn = await requireUser(parts, context)
  if (signedIn.user.is_anonymous)
    throw new AuthError(403, 'no_authorization', 'Anonymous user not allowed to perform these actions')
  requireRaised(signedIn, 'AAL2 session is required to manage passkeys when MFA is enabled')
  return signedIn
}

const answerBody = z.object({ challenge_id: text, credential: z.unknown().optional() })

/** Consumes the challenge and returns it with the browser's response. */
async function readAnswer(
  { db }: AuthParts,
  context: Context,
  type: 'registration' | 'authentication',
  owner: string | null,
): Promise<{ challenge: string; credential: unknown }> {
  const { challenge_id: id, credential } = await readBody(context, answerBody)
  if (id === '') throw invalid('challenge_id is required')
  if (credential === undefined || credential === null) throw invalid('credential is required')
  if (!isUuid(id)) throw invalid('challenge_id must be a valid UUID')
  const spent = await spendChallenge(db, { id, type, owner })
  if (!spent) throw new AuthError(400, 'webauthn_challenge_not_found', 'Challenge not found or already used')
  if (spent.expired) throw new AuthError(400, 'webauthn_challenge_expired', 'Challenge has expired')
  return { challenge: spent.challenge, credential }
}

const failed = (message: string) => new AuthError(400, 'webauthn_verification_failed', message)
const unreadable = () => failed('Invalid credential response')
const untrue = () => failed('Credential verification failed')
const tooMany = () => new AuthError(422, 'too_many_passkeys', 'Maximum number of passkeys reached')
const unknown = () => new AuthError(404, 'validation_failed', 'Passkey not found')

function requireId(id = ''): string {
  if (!isUuid(id)) throw unknown()
  return id
}

const write = ({ created_at, last_used_at, ...passkey }: PasskeySummary) => ({
  ...passkey,
  created_at: utc(created_at),
  ...(last_used_at !== undefined && { last_used_at: utc(last_used_at) }),
})
