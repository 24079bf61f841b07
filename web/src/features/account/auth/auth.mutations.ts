import { trimEmail } from '#domain/text.ts'
import { language } from '#lib/language.ts'
import { withProof } from '#lib/proof.ts'
import { limiter } from '#lib/rate-limit.ts'
import { supabase } from '#lib/supabase.ts'
import type { SentMail } from './mail-sent.ts'
import { recallTarget } from './post-login.ts'

/**
 * The URL to which a mailed link returns. It contains the target, since the link may open in another tab or browser.
 */
function returnAddress(): string {
  const address = new URL('/auth-redirect', window.location.origin)
  const target = recallTarget()
  if (target !== '/') address.searchParams.set('next', target)
  return address.href
}

/**
 * Signs in with a password. Throws the auth client's error, or AppError PT429 after five wrong passwords in 15 minutes.
 */
export async function signIn(email: string, password: string): Promise<void> {
  const who = trimEmail(email).toLowerCase()
  const takeBack = limiter.take('auth attempt', who)
  const { error } = await supabase().auth.signInWithPassword({ email: trimEmail(email), password })
  if (!error) limiter.forget('auth attempt', who)
  else if (error.code !== 'invalid_credentials') takeBack()
  if (error) throw error
}

/** True if this browser can suggest passkeys in a form field before the person presses a button. */
export const canOfferPasskeys = async () =>
  (await window.PublicKeyCredential.isConditionalMediationAvailable?.()) ?? false

/** Signs in with the passkey the person chooses; the passkey identifies the account. */
export const signInByPasskey = (options: {
  mediation?: CredentialMediationRequirement
  signal?: AbortSignal
}) => must(supabase().auth.signInWithPasskey({ options }))

/** The metadata of a new account. Without a name, the database uses the first part of the e-mail address. */
const about = (name: string) => ({ language, ...(name.trim() && { name: name.trim() }) })

/**
 * Creates an account, whose confirmation link returns to /auth-redirect. Returns false if the site needs no
 * confirmation.
 */
export async function signUp(name: string, email: string, password: string): Promise<boolean> {
  const { data, error } = await supabase().auth.signUp({
    email: trimEmail(email),
    password,
    options: { data: about(name), emailRedirectTo: returnAddress() },
  })
  if (error) throw error
  return data.session === null
}

/** Mails a sign-in link. If the e-mail address has no account, one is created, with `name` if given. */
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

/** Sends the mail again. The answer does not reveal whether the e-mail address has an account. */
export const sendAgain = async ({ email, kind, name }: Pick<SentMail, 'email' | 'kind' | 'name'>) => {
  if (kind === 'link') return sendMagicLink(email, name)
  if (kind === 'recovery') return sendPasswordReset(email)
  return must(
    supabase().auth.resend({ type: 'signup', email, options: { emailRedirectTo: returnAddress() } }),
  )
}

/** Signs in with the code from a mail. */
export const enterMailedCode = async ({ email, kind }: Pick<SentMail, 'email' | 'kind'>, code: string) =>
  must(
    supabase().auth.verifyOtp({
      email,
      token: code.replaceAll(/\s/g, ''),
      type: kind === 'recovery' ? 'recovery' : 'email',
    }),
  )

/** Mails a link to set a new password. The answer does not reveal whether the e-mail address has an account. */
export const sendPasswordReset = async (email: string) =>
  must(
    supabase().auth.resetPasswordForEmail(trimEmail(email), {
      redirectTo: `${window.location.origin}/reset-password`,
    }),
  )

/** Proof that the signed-in person is at the screen: the current password, or a code just mailed. */
type Proof = { current_password: string } | { nonce: string }

/** Sets the signed-in person's password. */
export const setNewPassword = async (password: string, proof?: Proof) =>
  withProof(() => must(supabase().auth.updateUser({ password, ...proof })))

/** Mails the signed-in person a code with which they can prove their identity. */
export const mailCode = async () => must(supabase().auth.reauthenticate())

/** Ends the session on every device. The client's auth events update this tab and the others. */
export const signOut = async () => must(supabase().auth.signOut())

/** Throws the auth client's error, if there is one. */
async function must(asked: Promise<{ error: Error | null }>): Promise<void> {
  const { error } = await asked
  if (error) throw error
}
