import { trimEmail } from '#domain/text.ts'
import { language } from '#lib/language.ts'
import { withProof } from '#lib/proof.ts'
import { limiter } from '#lib/rate-limit.ts'
import { supabase } from '#lib/supabase.ts'
import type { SentMail } from './mail-sent.ts'
import { recallTarget } from './post-login.ts'

/** Where a mailed link returns to. It carries the remembered target, since it may be opened in another tab or browser. */
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

/** Whether this browser can offer passkeys in a field, before anybody asks for one. */
export const canOfferPasskeys = async () =>
  (await window.PublicKeyCredential.isConditionalMediationAvailable?.()) ?? false

/** Signs in with any passkey the person chooses; the account is found by it. */
export const signInByPasskey = (options: {
  mediation?: CredentialMediationRequirement
  signal?: AbortSignal
}) => must(supabase().auth.signInWithPasskey({ options }))

/** What a new account begins with; without a name, the database takes the first part of the address. */
const about = (name: string) => ({ language, ...(name.trim() && { name: name.trim() }) })

/** Creates an account; the confirmation link returns to /auth-redirect. False where the site confirms without a mail. */
export async function signUp(name: string, email: string, password: string): Promise<boolean> {
  const { data, error } = await supabase().auth.signUp({
    email: trimEmail(email),
    password,
    options: { data: about(name), emailRedirectTo: returnAddress() },
  })
  if (error) throw error
  return data.session === null
}

/** Mails a link that signs in, and creates the account, of this name if there is one, where there is none. */
export const sendMagicLink = async (email: string, name = '') =>
  must(
    supabase().auth.signInWithOtp({
      email: trimEmail(email),
      options: {
        shouldCreateUser: true,
        emailRedirectTo: returnAddress(),
        data: about(name),
      },
    }),
  )

/** Sends once more what somebody was told to look for. The answer is the same for an address nobody waits with. */
export const sendAgain = async ({ email, kind, name }: Pick<SentMail, 'email' | 'kind' | 'name'>) => {
  if (kind === 'link') return sendMagicLink(email, name)
  if (kind === 'recovery') return sendPasswordReset(email)
  return must(
    supabase().auth.resend({ type: 'signup', email, options: { emailRedirectTo: returnAddress() } }),
  )
}

/** Signs in with the code of a mail. */
export const enterMailedCode = async ({ email, kind }: Pick<SentMail, 'email' | 'kind'>, code: string) =>
  must(
    supabase().auth.verifyOtp({
      email,
      token: code.replaceAll(/\s/g, ''),
      type: kind === 'recovery' ? 'recovery' : 'email',
    }),
  )

/** Mails a link to set a new password. The answer is the same for an address nobody has. */
export const sendPasswordReset = async (email: string) =>
  must(
    supabase().auth.resetPasswordForEmail(trimEmail(email), {
      redirectTo: `${window.location.origin}/reset-password`,
    }),
  )

/** Proves that the signed-in person is the one at the screen: the present password, or a code from a fresh mail. */
type Proof = { current_password: string } | { nonce: string }

/** Sets the signed-in person's password. */
export const setNewPassword = async (password: string, proof?: Proof) =>
  withProof(() => must(supabase().auth.updateUser({ password, ...proof })))

/** Mails the signed-in person a code that proves who they are. */
export const mailCode = async () => must(supabase().auth.reauthenticate())

/** Ends the session on every device. The auth events do the rest, in this tab and the others. */
export const signOut = async () => must(supabase().auth.signOut())

/** Throws the auth client's own error, if it answers with one. */
async function must(asked: Promise<{ error: Error | null }>): Promise<void> {
  const { error } = await asked
  if (error) throw error
}
