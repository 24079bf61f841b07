import { trimEmail } from '#domain/email.ts'
import { supabase } from '#lib/supabase.ts'

const returnAddress = () => `${window.location.origin}/auth-redirect`

/** Signs in with a password. Throws the auth client's own error. */
export async function signIn(email: string, password: string): Promise<void> {
  const { error } = await supabase().auth.signInWithPassword({ email: trimEmail(email), password })
  if (error) throw error
}

/** Creates an account; the confirmation link returns to /auth-redirect (API-02, AUTH-20). */
export async function signUp(email: string, password: string): Promise<void> {
  const { error } = await supabase().auth.signUp({
    email: trimEmail(email),
    password,
    options: { data: {}, emailRedirectTo: returnAddress() },
  })
  if (error) throw error
}

/** Mails a link that signs in, and creates the account where there is none (API-03, AUTH-07). */
export async function sendMagicLink(email: string): Promise<void> {
  const { error } = await supabase().auth.signInWithOtp({
    email: trimEmail(email),
    options: { shouldCreateUser: true, emailRedirectTo: returnAddress() },
  })
  if (error) throw error
}

/** Mails a link to set a new password. The answer is the same for an address nobody has (AUTH-33). */
export async function sendPasswordReset(email: string): Promise<void> {
  const { error } = await supabase().auth.resetPasswordForEmail(trimEmail(email), {
    redirectTo: `${window.location.origin}/reset-password`,
  })
  if (error) throw error
}

/** Sets the signed-in person's password (AUTH-33). */
export async function setNewPassword(password: string): Promise<void> {
  const { error } = await supabase().auth.updateUser({ password })
  if (error) throw error
}

/** Ends the session on every device (API-04). The auth events do the rest, in this tab and the others. */
export async function signOut(): Promise<void> {
  const { error } = await supabase().auth.signOut()
  if (error) throw error
}
