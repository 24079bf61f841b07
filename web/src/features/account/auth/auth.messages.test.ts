// The kinds of sign-in errors, and the message for each.
// Proves AUTH 22, ERR 01-04 06-09
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
import { expect, test } from 'vitest'
import { toastsOf } from '../../../../test/toasts.ts'
import {
  sayAuthenticationFailed,
  sayMagicLinkFailed,
  saySignInFailed,
  saySignOutFailed,
  saySignUpFailed,
  saySocialFailed,
} from './auth.messages.ts'
import { authErrorKind, authMessage } from './auth-errors.ts'
import { saySessionExpired } from './session.messages.ts'
import { socialProviders } from './social.ts'

const refused = (message: string, code = 'some_code') => new AuthApiError(message, 400, code)
const away = new AuthRetryableFetchError('{}', 503)
const thrown = new TypeError('x is not a function')

test.each([
  [new AuthSessionMissingError(), 'session-missing'],
  [refused('Session gone', 'session_not_found'), 'session-missing'],
  [new AuthInvalidCredentialsError('no'), 'invalid-credentials'],
  [refused('Invalid login credentials', 'invalid_credentials'), 'invalid-credentials'],
  [new AuthWeakPasswordError('weak', 422, ['length']), 'weak-password'],
  [new AuthInvalidTokenResponseError(), 'invalid-token'],
  [refused('Already Used', 'refresh_token_already_used'), 'invalid-token'],
  [new AuthApiError('invalid JWT', 403, 'bad_jwt'), 'invalid-token'],
  [away, 'retryable'],
  [new AuthError('Bad gateway', 502), 'retryable'],
  [new AuthError('Unavailable', 503), 'retryable'],
  [new AuthError('Gateway timeout', 504), 'retryable'],
  [new TypeError('Failed to fetch'), 'retryable'],
  [new AuthImplicitGrantRedirectError('Email link is invalid or has expired'), 'error-in-url'],
  [refused('Email not confirmed', 'email_not_confirmed'), 'other'],
])('%s is told apart as %s', (problem, kind) => expect(authErrorKind(problem)).toBe(kind))

test.each([
  [refused('Email not confirmed'), 'Email not confirmed'],
  [refused(''), 'ours'],
  [
    new AuthApiError('The disk of this site is full', 507, 'disk_full'),
    'This site cannot save anything at the moment, so nobody can sign in. Please try again later.',
  ],
  [away, 'ours'],
  [new AuthRetryableFetchError('fetch failed', 0), 'ours'],
])('of %s is shown what the server said, and our own sentence when it said nothing: %s', (problem, shown) =>
  expect(authMessage(problem, 'ours')).toBe(shown),
)

const google = (problem: unknown) => saySocialFailed('google', problem)
const UNEXPECTED = 'Sign in failed / An unexpected error occurred'
const ON_THE_WAY = 'Sign-in Error / An unexpected error occurred. Please try again later.'

test.each<[string, (problem: unknown) => void, unknown, string]>([
  ['a sign-in', saySignInFailed, refused('Invalid login'), 'Sign in Failed / Invalid login'],
  [
    ...(['a sign-in', saySignInFailed, refused('')] as const),
    'Sign in Failed / Invalid credentials. Please check your email and password.',
  ],
  ['a sign-in', saySignInFailed, away, UNEXPECTED],
  ['a sign-in', saySignInFailed, thrown, UNEXPECTED],
  ['a link', sayMagicLinkFailed, refused('Not allowed'), 'Magic Link Failed / Not allowed'],
  ['a link', sayMagicLinkFailed, away, 'Magic Link Failed / Failed to send login link. Please try again.'],
  ['an account', saySignUpFailed, refused('Too short.'), 'Sign up failed / Too short.'],
  ['an account', saySignUpFailed, away, 'Sign up failed / Failed to create account. Please try again.'],
  ['a provider', google, refused('Denied'), 'Google Sign-in Failed / Denied'],
  ...socialProviders.map((provider, place) => {
    const name = ['Google', 'Facebook', 'Twitter', 'Twitter'][place]
    const told = `${name} Sign-in Failed / Could not sign in with ${name}. Please try again.`
    const tell = (problem: unknown) => saySocialFailed(provider, problem)
    return [provider, tell, refused(''), told] as [string, typeof tell, unknown, string]
  }),
  [
    ...(['a provider', google, refused('Unverified', 'provider_email_needs_verification')] as const),
    'Google Sign-in Failed / Google doesn’t confirm that your email address is yours. Confirm it there, or ask whoever runs Google.',
  ],
  ['a provider', google, away, ON_THE_WAY],
  ['a provider', google, thrown, ON_THE_WAY],
  ['a return', sayAuthenticationFailed, refused('Expired'), 'Authentication Failed / Expired'],
  [
    ...(['a return', sayAuthenticationFailed, away] as const),
    'Authentication Failed / Failed to complete authentication',
  ],
  ['a sign-out', saySignOutFailed, thrown, 'Error signing out / An unexpected error occurred.'],
])('%s that failed (%s, %s) is told as "%s"', (_what, tell, problem, told) =>
  expect(toastsOf(() => tell(problem))).toEqual([`error: ${told}`]),
)

test('a session that ran out is told', () =>
  expect(toastsOf(saySessionExpired)).toEqual([
    expect.stringMatching(/: Session expired \/ Your login session has expired\. Please sign in again\.$/),
  ]))
