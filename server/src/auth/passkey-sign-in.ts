// /passkeys/authentication: signing in with a passkey, without a word about who one is.
import type { Handler } from 'hono'
import { countUse, findPasskey, openChallenge } from '#identity/passkeys.ts'
import { findUserById, isBanned } from '#identity/users.ts'
import { AuthError, banned } from './errors.ts'
import { type PasskeyParts, readAnswer, unreadable, untrue } from './passkeys.ts'
import { originOf, sendSession, signIn } from './session-answer.ts'
import { readUse, requestAnswer, requestOptions } from './webauthn.ts'

/** POST /passkeys/authentication/options: what any passkey of this site is to sign. */
export function passkeySignInOptions({ db, site }: PasskeyParts): Handler {
  return async (context) => {
    const options = await requestOptions(site)
    const { challenge } = options
    const { id, expires_at } = await openChallenge(db, { type: 'authentication', owner: null, challenge })
    return context.json({ challenge_id: id, options, expires_at })
  }
}

/** POST /passkeys/authentication/verify: a session for whoever signed it. */
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
