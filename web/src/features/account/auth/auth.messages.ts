import { t } from '@lingui/core/macro'
import type { FormErrors } from '@mantine/form'
import { SHORTEST_EVER } from '#domain/password-strength.ts'
import { toAppError } from '#lib/errors.ts'
import { passkeyProblem } from '#lib/passkeys.ts'
import { toastError, toastInfo, toastSuccess } from '#ui/toasts.ts'
import { authMessage, isRefusal } from './auth-errors.ts'
import { type SocialProvider, socialName } from './social.ts'

export const emailProblem = t`Please enter a valid email address`
export const passwordProblem = t`Password must be at least ${SHORTEST_EVER} characters`

export const sayInvalidEmail = () => toastError(t`Invalid Email`, emailProblem)

/**
 * Shows a toast for an invalid e-mail address or a password that is too short. Other problems are shown only at their
 * field.
 */
export function sayProblem({ email, password }: FormErrors): void {
  if (email) sayInvalidEmail()
  else if (password === passwordProblem) toastError(t`Invalid Password`, passwordProblem)
}

export function saySignInFailed(problem: unknown): void {
  if (!isRefusal(problem)) {
    toastError(t`Sign in failed`, t`An unexpected error occurred`)
    return
  }
  toastError(
    t`Sign in Failed`,
    authMessage(problem, t`Invalid credentials. Please check your email and password.`),
  )
}

export const sayPasskeyFailed = (problem: unknown) =>
  toastError(
    t`Not signed in`,
    passkeyProblem(problem) ?? authMessage(problem, t`We couldn’t use that passkey. Please try again.`),
  )

export const sayMagicLinkFailed = (problem: unknown) =>
  toastError(t`Magic Link Failed`, authMessage(problem, t`Failed to send login link. Please try again.`))

/** The confirmation that a mail was sent, by the mail's purpose. */
export const mailTexts = {
  account: { title: t`Account created`, text: t`Please check your email for the confirmation link.` },
  link: { title: t`Magic Link Sent`, text: t`Please check your email for a login link.` },
  recovery: {
    title: t`Reset link sent`,
    text: t`Please check your email for a link to choose a new password.`,
  },
} as const
export const sayMailedCodeFailed = (problem: unknown) =>
  toastError(t`Not signed in`, authMessage(problem, t`The code could not be checked. Please try again.`))
export const sayMailFailed = (problem: unknown) =>
  toastError(t`Not sent`, authMessage(problem, t`The email could not be sent. Please try again.`))
export const saySignUpFailed = (problem: unknown) =>
  toastError(
    t`Sign up failed`,
    // The only reason to forbid an account (private.before_user_created).
    toAppError(problem).status === 403
      ? t`Only people who were invited can create an account here.`
      : authMessage(problem, t`Failed to create account. Please try again.`),
  )

export const saySignOutFailed = () => toastError(t`Error signing out`, t`An unexpected error occurred.`)

export function saySocialFailed(provider: SocialProvider, problem: unknown): void {
  if (!isRefusal(problem)) {
    toastError(t`Sign-in Error`, t`An unexpected error occurred. Please try again later.`)
    return
  }
  const name = socialName(provider)
  toastError(
    t`${name} Sign-in Failed`,
    refusalBy(name, toAppError(problem).code) ??
      authMessage(problem, t`Could not sign in with ${name}. Please try again.`),
  )
}

/** Explains why an account at the provider `name` cannot be used to sign in, and what the person can do. */
function refusalBy(name: string, code: string): string | undefined {
  switch (code) {
    case 'provider_email_needs_verification':
      return t`${name} doesn’t confirm that your email address is yours. Confirm it there, or ask whoever runs ${name}.`
    case 'provider_account_refused':
      return t`Your account at ${name} can’t be used here. Try another one.`
    case 'provider_unavailable':
      return t`${name} can’t be reached right now. Try again later, or sign in another way.`
  }
}

export const sayAuthenticationFailed = (problem: unknown) =>
  toastError(t`Authentication Failed`, authMessage(problem, t`Failed to complete authentication`))
export const saySignInAgain = () => toastError(t`Authentication Failed`, t`Please sign in again to continue.`)

/** Shown when a link is opened a second time, since the first time has signed the person in. */
export const sayLinkUsed = () => toastInfo(t`You’re signed in`, t`You’ve already used that link.`)

/**
 * A change of e-mail address needs two links: this one has been opened, the other one was mailed to the other address.
 */
export const sayOtherMailbox = () =>
  toastInfo(t`Confirmed here`, t`Now open the link we sent to your other address.`)

export const sayResetFailed = (problem: unknown) =>
  toastError(t`Reset failed`, authMessage(problem, t`The email could not be sent. Please try again.`))
export const sayCodeFailed = (problem: unknown) =>
  toastError(t`No code sent`, authMessage(problem, t`The email could not be sent. Please try again.`))
export const sayPasswordChanged = () =>
  toastSuccess(t`Password changed`, t`Use your new password from now on.`)
/** Says that the password was changed, but that programs still have their tokens and webhooks. */
export const sayProgramsRemain = () =>
  toastError(
    t`Password changed, programs still connected`,
    t`Disconnect them in Account Settings, under “Programs”.`,
  )
export const sayPasswordFailed = (problem: unknown) =>
  toastError(
    t`Password not changed`,
    authMessage(problem, t`Your new password could not be saved. Please try again.`),
  )
