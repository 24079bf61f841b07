import { trimEmail } from '#domain/text.ts'
import { withProof } from '#lib/proof.ts'
import { limiter } from '#lib/rate-limit.ts'
import { supabase } from '#lib/supabase.ts'
import { recallTarget } from './post-login.ts'

/** Where a mailed link returns to. It carries the remembered target, as it may be opened in another tab or browser. */
function returnAddress(): string {
  const address = new URL('/auth-redirect', window.location.origin)
  const target = recallTarget()
  if (target !== '/') address.searchParams.set('next', target)
  return address.href
}

/**
 * Signs in with a password. Throws the auth client's own error, or an AppError PT429 after five wrong ones in a quarter
 * of an hour.
 */
export async function signIn(email: string, password: string): Promise<void> {
  const who = trimEmail(email).toLowerCase()
  const takeBack = limiter.take('auth attempt', who)
  const { error } = await supabase().auth.signInWithPassword({ email: trimEmail(email), password })
  if (!error) limiter.forget('auth attempt', who)
  else if (error.code !== 'invalid_credentials') takeBack()
  if (error) throw error
}

/** Can this browser offer passkeys in a field, before anybody asks for one? */
export const canOfferPasskeys = async () =>
  (await window.PublicKeyCredential.isConditionalMediationAvailable?.()) ?? false

/** Signs in with whatever passkey is chosen; its account is known by it. */
export async function signInByPasskey(options: {
  mediation?: CredentialMediationRequirement
  signal?: AbortSignal
}): Promise<void> {
  const { error } = await supabase().auth.signInWithPasskey({ options })
  if (error) throw error
}

/** Creates an account; the confirmation link returns to /auth-redirect. */
export async function signUp(name: string, email: string, password: string): Promise<void> {
  const { error } = await supabase().auth.signUp({
    email: trimEmail(email),
    password,
    options: { data: { name: name.trim() }, emailRedirectTo: returnAddress() },
  })
  if (error) throw error
}

/** Mails a link that signs in, and creates the account where there is none. */
export async function sendMagicLink(email: string): Promise<void> {
  const { error } = await supabase().auth.signInWithOtp({
    email: trimEmail(email),
    options: { shouldCreateUser: true, emailRedirectTo: returnAddress() },
  })
  if (error) throw error
}

/** Mails a link to set a new password. The answer is the same for an address nobody has. */
export async function sendPasswordReset(email: string): Promise<void> {
  const { error } = await supabase().auth.resetPasswordForEmail(trimEmail(email), {
    redirectTo: `${window.location.origin}/reset-password`,
  })
  if (error) throw error
}

/** What shows that whoever is signed in is the person: the present password, or a code from a fresh mail. */
type Proof = { current_password: string } | { nonce: string }

/** Sets the signed-in person's password. */
export async function setNewPassword(password: string, proof?: Proof): Promise<void> {
  await withProof(async () => {
    const { error } = await supabase().auth.updateUser({ password, ...proof })
    if (error) throw error
  })
}

/** Mails the signed-in person a code that proves who they are. */
export async function mailCode(): Promise<void> {
  const { error } = await supabase().auth.reauthenticate()
  if (error) throw error
}

/** Ends the session on every device. The auth events do the rest, in this tab and the others. */
export async function signOut(): Promise<void> {
  const { error } = await supabase().auth.signOut()
  if (error) throw error
}
