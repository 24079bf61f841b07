import type { FormErrors } from '@mantine/form'
import { SHORTEST_EVER } from '#domain/password-strength.ts'
import { passkeyProblem } from '#lib/passkeys.ts'
import { toastError, toastInfo, toastSuccess } from '#ui/toasts.ts'
import { authMessage, isRefusal } from './auth-errors.ts'
import { type SocialProvider, socialNames } from './social.ts'

// The sentences people read when signing in works or fails.

export const emailProblem = 'Please enter a valid email address'
export const nameProblem = 'Please enter your first name'

export const passwordProblem = `Password must be at least ${SHORTEST_EVER} characters`

export const sayInvalidEmail = () => toastError('Invalid Email', emailProblem)

/** Says what a form lacks, if that has a title of its own. */
export function sayProblem({ email, password }: FormErrors): void {
  if (email) sayInvalidEmail()
  else if (password === passwordProblem) toastError('Invalid Password', passwordProblem)
}

export function saySignInFailed(problem: unknown): void {
  if (!isRefusal(problem)) {
    toastError('Sign in failed', 'An unexpected error occurred')
    return
  }
  toastError(
    'Sign in Failed',
    authMessage(problem, 'Invalid credentials. Please check your email and password.'),
  )
}

export const sayPasskeyFailed = (problem: unknown) =>
  toastError(
    'Not signed in',
    passkeyProblem(problem) ?? authMessage(problem, 'We couldn’t use that passkey. Please try again.'),
  )

export const sayMagicLinkFailed = (problem: unknown) =>
  toastError('Magic Link Failed', authMessage(problem, 'Failed to send login link. Please try again.'))

/** What is said of a mail by what it leads into. */
export const mailTexts = {
  account: { title: 'Account created', text: 'Please check your email for the confirmation link.' },
  link: { title: 'Magic Link Sent', text: 'Please check your email for a login link.' },
} as const
export const sayMailFailed = (problem: unknown) =>
  toastError('Not sent', authMessage(problem, 'The email could not be sent. Please try again.'))
export const saySignUpFailed = (problem: unknown) =>
  toastError('Sign up failed', authMessage(problem, 'Failed to create account. Please try again.'))

export const saySignOutFailed = () => toastError('Error signing out', 'An unexpected error occurred.')

export function saySocialFailed(provider: SocialProvider, problem: unknown): void {
  if (!isRefusal(problem)) {
    toastError('Sign-in Error', 'An unexpected error occurred. Please try again later.')
    return
  }
  const name = socialNames[provider]
  toastError(
    `${name} Sign-in Failed`,
    authMessage(problem, `Could not sign in with ${name}. Please try again.`),
  )
}

export const sayAuthenticationFailed = (problem: unknown) =>
  toastError('Authentication Failed', authMessage(problem, 'Failed to complete authentication'))
export const saySignInAgain = () => toastError('Authentication Failed', 'Please sign in again to continue.')

/** For a link that was opened twice: the first time did its work. */
export const sayLinkUsed = () => toastInfo('You’re signed in', 'You’ve already used that link.')

export const sayResetFailed = (problem: unknown) =>
  toastError('Reset failed', authMessage(problem, 'The email could not be sent. Please try again.'))
export const sayCodeFailed = (problem: unknown) =>
  toastError('No code sent', authMessage(problem, 'The email could not be sent. Please try again.'))
export const sayPasswordChanged = () => toastSuccess('Password changed', 'Use your new password from now on.')
export const sayPasswordFailed = (problem: unknown) =>
  toastError(
    'Password not changed',
    authMessage(problem, 'Your new password could not be saved. Please try again.'),
  )
