import { t } from '@lingui/core/macro'
import type { Session } from '@supabase/supabase-js'
import { supabaseAside } from '#lib/connect.ts'
import { AppError, NOT_FOUND, toAppError } from '#lib/errors.ts'
import { currentSession, currentSessionId } from '#lib/session.ts'
import { type AppClient, rpc, supabase } from '#lib/supabase.ts'
import { toastWarning } from '#ui/toasts.ts'
import { answered } from './auth-answer.ts'

type Auth = AppClient['auth']
type Answer = Promise<{ data: { session: Session | null }; error: null } | { data: unknown; error: Error }>

/**
 * Proves identity with a passkey. On failure, this and the functions below throw an AppError and keep the current
 * session.
 */
export const showPasskey = () => signInAnew((auth) => auth.signInWithPasskey())

export const showPassword = (password: string) =>
  signInAnew((auth) => auth.signInWithPassword({ email: ownEmail(), password }))

export const showMailedCode = (code: string) =>
  signInAnew((auth) => auth.verifyOtp({ email: ownEmail(), token: code.trim(), type: 'email' }))

/** Mails the code for {@link showMailedCode}. */
export async function mailProofCode(): Promise<void> {
  const { auth } = await supabaseAside()
  await answered(auth.signInWithOtp({ email: ownEmail(), options: { shouldCreateUser: false } }))
}

/** Proves identity with a code from the authenticator app, or with a recovery code, which is longer. */
export async function showCode(text: string): Promise<unknown> {
  const code = text.replace(/\s/g, '')
  const { mfa } = supabase().auth
  if (code.length > 8) return answered(mfa.recoveryCodes.verify({ code }))
  const { totp } = await answered(mfa.listFactors())
  const [app] = totp
  if (!app) throw new AppError('no_app', t`Your account no longer has an authenticator app.`)
  return answered(mfa.challengeAndVerify({ factorId: app.id, code }))
}

function ownEmail(): string {
  const state = currentSession()
  return state.status === 'signed-in' ? state.user.email : ''
}

/**
 * Signs in again in a second session. If that session belongs to the same person, it replaces the current one, which is
 * ended.
 */
async function signInAnew(signIn: (auth: Auth) => Answer): Promise<void> {
  const own = currentSession()
  const before = currentSessionId()
  const { auth } = await supabaseAside()
  const { session } = await answered(signIn(auth))
  if (own.status !== 'signed-in' || session?.user.id !== own.user.id) {
    await auth.signOut({ scope: 'local' })
    throw new AppError('other_person', t`That passkey belongs to another account. Use one of yours.`)
  }
  const { access_token, refresh_token } = session
  await answered(supabase().auth.setSession({ access_token, refresh_token }))
  await rpc('end_session', { p_session_id: before }).catch((problem: unknown) => {
    // Failing to end the old session is no error: the proof was given, and the person can end that session in the list
    // of sessions.
    if (toAppError(problem).code === NOT_FOUND) return
    toastWarning(t`Your old sign-in is still active`, t`You can end it in Account Settings, under Security.`)
  })
}
