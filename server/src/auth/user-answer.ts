// Writes the user object in the form that clients expect.
import type { Factor } from '#identity/factors.ts'
import type { Identity, User } from '#identity/users.ts'

export type UserAnswer = Record<string, unknown>

/** Returns the account as JSON. Fields that are null are left out. */
export function writeUser(user: User): UserAnswer {
  return withoutEmpty({
    id: user.id,
    aud: user.aud ?? '',
    role: user.role ?? '',
    email: user.email ?? '',
    email_confirmed_at: utc(user.email_confirmed_at),
    invited_at: utc(user.invited_at),
    phone: '',
    confirmation_sent_at: utc(user.confirmation_sent_at),
    confirmed_at: utc(user.email_confirmed_at),
    recovery_sent_at: utc(user.recovery_sent_at),
    reauthentication_sent_at: utc(user.reauthentication_sent_at),
    new_email: user.email_change || null,
    email_change_sent_at: utc(user.email_change_sent_at),
    last_sign_in_at: utc(user.last_sign_in_at),
    app_metadata: user.raw_app_meta_data,
    user_metadata: user.raw_user_meta_data,
    identities: user.identities.map(writeIdentity),
    factors: user.factors.length === 0 ? null : user.factors.map(writeFactor),
    created_at: utc(user.created_at),
    updated_at: utc(user.updated_at),
    banned_until: utc(user.banned_until),
    deleted_at: utc(user.deleted_at),
    is_anonymous: user.is_anonymous,
  })
}

const writeIdentity = (identity: Identity) =>
  withoutEmpty({
    identity_id: identity.id,
    id: identity.provider_id,
    user_id: identity.user_id,
    identity_data: identity.identity_data,
    provider: identity.provider,
    last_sign_in_at: utc(identity.last_sign_in_at),
    created_at: utc(identity.created_at),
    updated_at: utc(identity.updated_at),
    email: identity.email,
  })

/** Returns a factor as JSON, without its secret. */
export const writeFactor = ({ secret: _, last_used_step: __, user_id: ___, ...factor }: Factor) => ({
  ...factor,
  phone: '',
  last_challenged_at: utc(factor.last_challenged_at),
  created_at: utc(factor.created_at),
  updated_at: utc(factor.updated_at),
})

export const utc = (time: string | null) => time?.replace(/\+00:00$/, 'Z') ?? null

const withoutEmpty = (fields: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null))
