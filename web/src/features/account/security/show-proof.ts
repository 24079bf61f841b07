import type { AuthError, Session } from '@supabase/supabase-js'
import { AppError, NOT_FOUND, toAppError } from '#lib/errors.ts'
import { currentSession, currentSessionId } from '#lib/session.ts'
import { type Client, rpc, supabase, supabaseAside } from '#lib/supabase.ts'
import { toastWarning } from '#ui/toasts.ts'

type Auth = Client['auth']
type Answer = Promise<{ data: { session: Session | null } | null; error: AuthError | Error | null }>

/** Each fails with an AppError, and leaves the session as it was. */
export const showPasskey = () => signInAnew((auth) => auth.signInWithPasskey())

export const showPassword = (password: string) =>
  signInAnew((auth) => auth.signInWithPassword({ email: ownEmail(), password }))

export const showMailedCode = (code: string) =>
  signInAnew((auth) => auth.verifyOtp({ email: ownEmail(), token: code.trim(), type: 'email' }))

/** Mails the code for {@link showMailedCode}. */
export async function mailProofCode(): Promise<void> {
  const { auth } = await supabaseAside()
  const { error } = await auth.signInWithOtp({ email: ownEmail(), options: { shouldCreateUser: false } })
  if (error) throw toAppError(error)
}

/** A code of the authenticator app, or one that stands in for it. They differ in length. */
export async function showCode(text: string): Promise<void> {
  const code = text.replace(/\s/g, '')
  const { mfa } = supabase().auth
  if (code.length > 8) return must(mfa.recoveryCodes.verify({ code }))
  const { data, error } = await mfa.listFactors()
  const [app] = data?.totp ?? []
  if (error) throw toAppError(error)
  if (!app) throw new AppError('no_app', 'There is no authenticator app on your account any more.')
  return must(mfa.challengeAndVerify({ factorId: app.id, code }))
}

async function must(answer: Promise<{ error: Error | null }>): Promise<void> {
  const { error } = await answer
  if (error) throw toAppError(error)
}

function ownEmail(): string {
  const state = currentSession()
  return state.status === 'signed-in' ? state.user.email : ''
}

/** Opens a session beside the one in use; if it is the same person's, it takes the place of that one, which ends. */
async function signInAnew(signIn: (auth: Auth) => Answer): Promise<void> {
  const own = currentSession()
  const before = currentSessionId()
  const { auth } = await supabaseAside()
  const { data, error } = await signIn(auth)
  if (error) throw toAppError(error)
  const session = data?.session
  if (own.status !== 'signed-in' || session?.user.id !== own.user.id) {
    await auth.signOut({ scope: 'local' })
    throw new AppError('other_person', 'That passkey belongs to another account. Use one of yours.')
  }
  const { access_token, refresh_token } = session
  await must(supabase().auth.setSession({ access_token, refresh_token }))
  await rpc('end_session', { p_session_id: before }).catch((problem: unknown) => {
    // Whatever else keeps it open: it is on the list of sessions, and what it was replaced for has been shown.
    if (toAppError(problem).code === NOT_FOUND) return
    toastWarning(
      'Your former sign-in is still open',
      'You can end it under Sessions in your security settings.',
    )
  })
}
