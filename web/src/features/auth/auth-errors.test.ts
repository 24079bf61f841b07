import {
  AuthApiError,
  AuthError,
  AuthImplicitGrantRedirectError,
  AuthInvalidCredentialsError,
  AuthInvalidTokenResponseError,
  AuthRetryableFetchError,
  AuthSessionMissingError,
  AuthWeakPasswordError,
} from '@supabase/supabase-js'
import { expect, it } from 'vitest'
import { authErrorKind, authMessage } from './auth-errors.ts'

it.each([
  [new AuthSessionMissingError(), 'session-missing'],
  [new AuthApiError('Session gone', 400, 'session_not_found'), 'session-missing'],
  [new AuthInvalidCredentialsError('no'), 'invalid-credentials'],
  [new AuthApiError('Invalid login credentials', 400, 'invalid_credentials'), 'invalid-credentials'],
  [new AuthWeakPasswordError('weak', 422, ['length']), 'weak-password'],
  [new AuthInvalidTokenResponseError(), 'invalid-token'],
  [new AuthApiError('Already Used', 400, 'refresh_token_already_used'), 'invalid-token'],
  [new AuthRetryableFetchError('{}', 503), 'retryable'],
  [new AuthError('Bad gateway', 502), 'retryable'],
  [new AuthError('Unavailable', 503), 'retryable'],
  [new AuthError('Gateway timeout', 504), 'retryable'],
  [new AuthApiError('invalid JWT', 403, 'bad_jwt'), 'invalid-token'],
  [new TypeError('Failed to fetch'), 'retryable'],
  [new AuthImplicitGrantRedirectError('Email link is invalid or has expired'), 'error-in-url'],
  [new AuthApiError('Email not confirmed', 400, 'email_not_confirmed'), 'other'],
])('tells %s apart as %s', (problem, kind) => {
  expect(authErrorKind(problem)).toBe(kind)
})

it('shows what the server said, and our own sentence when it said nothing', () => {
  expect(authMessage(new AuthApiError('Email not confirmed', 400, 'email_not_confirmed'), 'ours')).toBe(
    'Email not confirmed',
  )
  expect(authMessage(new AuthApiError('', 400, 'invalid_credentials'), 'ours')).toBe('ours')
  expect(authMessage(new AuthRetryableFetchError('{}', 503), 'ours')).toBe('ours')
  expect(authMessage(new AuthRetryableFetchError('fetch failed', 0), 'ours')).toBe('ours')
})
