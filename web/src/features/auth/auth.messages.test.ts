import { notifications } from '@mantine/notifications'
import { AuthApiError, AuthRetryableFetchError } from '@supabase/supabase-js'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import {
  sayAuthenticationFailed,
  sayMagicLinkFailed,
  saySignInFailed,
  saySignOutFailed,
  saySignUpFailed,
  saySocialFailed,
} from './auth.messages.ts'
import { saySessionExpired } from './session.messages.ts'
import { socialNames, socialProviders } from './social.ts'

let said: unknown[]
beforeEach(() => {
  said = []
  vi.spyOn(notifications, 'show').mockImplementation(({ title, message }) => {
    said.push(`${title} / ${message}`)
    return ''
  })
})

const refused = (message: string) => new AuthApiError(message, 400, 'some_code')
const away = new AuthRetryableFetchError('{}', 503)
const thrown = new TypeError('x is not a function')

describe('what people read when signing in fails', () => {
  it('the words of the server, our own when it has none, and others when something was thrown', () => {
    saySignInFailed(refused('Invalid login credentials'))
    saySignInFailed(refused(''))
    saySignInFailed(away)
    saySignInFailed(thrown)
    expect(said).toEqual([
      'Sign in Failed / Invalid login credentials',
      'Sign in Failed / Invalid credentials. Please check your email and password.',
      'Sign in failed / An unexpected error occurred',
      'Sign in failed / An unexpected error occurred',
    ])
  })

  it('a link that was not mailed and an account that was not made', () => {
    sayMagicLinkFailed(refused('Signups not allowed for otp'))
    sayMagicLinkFailed(away)
    saySignUpFailed(refused('Password should be at least 8 characters.'))
    saySignUpFailed(away)
    expect(said).toEqual([
      'Magic Link Failed / Signups not allowed for otp',
      'Magic Link Failed / Failed to send login link. Please try again.',
      'Sign up failed / Password should be at least 8 characters.',
      'Sign up failed / Failed to create account. Please try again.',
    ])
  })

  it('a provider that refused, and an error on the way to it', () => {
    for (const provider of socialProviders) {
      const name = socialNames[provider]
      said = []
      saySocialFailed(provider, refused('The user denied the request'))
      saySocialFailed(provider, refused(''))
      saySocialFailed(provider, away)
      saySocialFailed(provider, thrown)
      expect(said).toEqual([
        `${name} Sign-in Failed / The user denied the request`,
        `${name} Sign-in Failed / Could not sign in with ${name}. Please try again.`,
        'Sign-in Error / An unexpected error occurred. Please try again later.',
        'Sign-in Error / An unexpected error occurred. Please try again later.',
      ])
    }
    expect(Object.values(socialNames)).toEqual(['Google', 'Facebook', 'Twitter', 'Twitter'])
  })

  it('a return that failed, a sign-out that failed, a session that ran out', () => {
    sayAuthenticationFailed(refused('Email link is invalid or has expired'))
    sayAuthenticationFailed(away)
    saySignOutFailed()
    saySessionExpired()
    expect(said).toEqual([
      'Authentication Failed / Email link is invalid or has expired',
      'Authentication Failed / Failed to complete authentication',
      'Error signing out / An unexpected error occurred.',
      'Session expired / Your login session has expired. Please sign in again.',
    ])
  })
})
