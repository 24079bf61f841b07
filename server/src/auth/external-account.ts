// Chooses the account for a sign-in through a provider: the person's own, the one with their address, or a new one.
import type { Transaction } from '#db/database.ts'
import {
  addIdentity,
  dropEmailIdentity,
  type ExternalIdentity,
  findIdentityOwner,
  listProviders,
  lockIdentity,
  updateIdentity,
} from '#identity/identities.ts'
import { endSessions } from '#identity/sessions.ts'
import { confirmEmail, mergeMetadata, replaceUserMetadata, setPassword } from '#identity/user-changes.ts'
import { findUserByEmail, findUserById, isBanned, reloadUser, type User } from '#identity/users.ts'
import { emailToLookUp } from './body.ts'
import { refusalByHook, signUpUser } from './confirmation.ts'
import { AuthError, banned, signupDisabled, unexpected } from './errors.ts'
import type { AuthParts } from './parts.ts'
import type { Profile, ProviderName } from './providers/provider.ts'

/**
 * Returns the account to sign in to. An address is trusted only if the provider has verified it; otherwise a stranger
 * could get into any account by claiming its address. Throws AuthError.
 */
export async function findOrCreateAccount(
  tx: Transaction,
  { settings }: AuthParts,
  provider: ProviderName,
  profile: Profile,
): Promise<User> {
  const email = emailToLookUp(profile.email)
  if (email === null) {
    throw unexpected('Error getting user email from external provider', new Error('No address was given'))
  }
  const identity = { provider, providerId: profile.subject, data: describe(profile, email) }
  await lockIdentity(tx, identity)
  const owner = await findIdentityOwner(tx, identity)
  if (owner !== undefined) return welcomeBack(tx, owner, identity)
  if (!profile.emailVerified) {
    throw new AuthError(
      403,
      'provider_email_needs_verification',
      `Unverified email with ${provider}. Verify the email with ${provider} in order to sign in`,
    )
  }
  const known = await findUserByEmail(tx, email)
  if (known) return link(tx, known, identity)
  if (!settings.signupEnabled) throw signupDisabled()
  const person = { email, passwordHash: null, userMetadata: identity.data, identity, confirmed: true }
  const refusal = await refusalByHook({ settings }, tx, person)
  if (refusal) throw refusal
  const created = await signUpUser(tx, person)
  if (created) return created
  const sooner = await findUserByEmail(tx, email)
  if (!sooner) throw unexpected('Database error saving new user', new Error('The address is taken by nobody'))
  return link(tx, sooner, identity)
}

async function welcomeBack(tx: Transaction, userId: string, identity: ExternalIdentity): Promise<User> {
  const user = await findUserById(tx, userId)
  if (!user || isBanned(user)) throw banned(403)
  await updateIdentity(tx, identity)
  await mergeMetadata(tx, userId, 'user', identity.data)
  return reloadUser(tx, userId)
}

async function link(tx: Transaction, user: User, identity: ExternalIdentity): Promise<User> {
  if (isBanned(user)) throw banned(403)
  if (user.email_confirmed_at === null) {
    // The creator of this account never proved that the address is theirs, so all of its credentials are removed.
    await setPassword(tx, user.id, null)
    await dropEmailIdentity(tx, user.id)
    await endSessions(tx, user.id)
    await replaceUserMetadata(tx, user.id, identity.data)
  } else {
    await mergeMetadata(tx, user.id, 'user', identity.data)
  }
  await addIdentity(tx, user.id, identity)
  await confirmEmail(tx, user.id)
  await listProviders(tx, user.id)
  return reloadUser(tx, user.id)
}

/** Returns the profile under both the older and the newer field names of Supabase Auth. */
function describe(profile: Profile, email: string): Record<string, unknown> {
  const { issuer, subject, emailVerified, name, picture, userName } = profile
  return {
    iss: issuer,
    sub: subject,
    provider_id: subject,
    email,
    email_verified: emailVerified,
    phone_verified: false,
    ...(name !== '' && { name, full_name: name }),
    ...(picture !== '' && { picture, avatar_url: picture }),
    ...(userName !== '' && { user_name: userName, preferred_username: userName }),
  }
}
