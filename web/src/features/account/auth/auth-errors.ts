import { t } from '@lingui/core/macro'
import { AppError, isRetryable, toAppError } from '#lib/errors.ts'

/** The kinds of sign-in errors that get different messages. */
export type AuthErrorKind =
  | 'session-missing'
  | 'invalid-credentials'
  | 'weak-password'
  | 'invalid-token'
  | 'retryable'
  | 'error-in-url'
  | 'other'

const kindsByName: Record<string, AuthErrorKind> = {
  AuthSessionMissingError: 'session-missing',
  AuthInvalidCredentialsError: 'invalid-credentials',
  AuthWeakPasswordError: 'weak-password',
  AuthInvalidTokenResponseError: 'invalid-token',
  AuthInvalidJwtError: 'invalid-token',
  AuthRetryableFetchError: 'retryable',
  AuthImplicitGrantRedirectError: 'error-in-url',
  AuthPKCEGrantCodeExchangeError: 'error-in-url',
}

const kindsByCode: Record<string, AuthErrorKind> = {
  session_not_found: 'session-missing',
  session_expired: 'session-missing',
  invalid_credentials: 'invalid-credentials',
  weak_password: 'weak-password',
  bad_jwt: 'invalid-token',
  refresh_token_not_found: 'invalid-token',
  refresh_token_already_used: 'invalid-token',
}

/** Classifies an error of the auth client. */
export function authErrorKind(problem: unknown): AuthErrorKind {
  const name = problem instanceof Error ? kindsByName[problem.name] : undefined
  if (name) return name
  if (isRetryable(problem)) return 'retryable'
  return kindsByCode[toAppError(problem).code] ?? 'other'
}

/**
 * Returns the server's message, or `fallback` if there is none, for example because the service is down or out of
 * reach.
 */
export function authMessage(problem: unknown, fallback: string): string {
  const { code, message } = toAppError(problem)
  if (code === 'disk_full')
    return t`This site cannot save anything at the moment, so nobody can sign in. Please try again later.`
  if (authErrorKind(problem) === 'retryable') return fallback
  return code === 'user_banned'
    ? t`Your account is suspended. Our email says why, and how to reach us.`
    : message || fallback
}

/** Checks the error's name, since the client's own check would load the whole client. */
const isAuthError = (problem: unknown) => problem instanceof Error && /^Auth\w*Error$/.test(problem.name)

/** True if the service refused the request; false if the request did not reach it. */
export function isRefusal(problem: unknown): boolean {
  return (isAuthError(problem) || problem instanceof AppError) && authErrorKind(problem) !== 'retryable'
}
