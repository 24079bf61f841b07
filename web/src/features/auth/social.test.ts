import { describe, expect, it } from 'vitest'
import { offered, returnPath } from './social.ts'

it.each([
  [{}, []],
  [{ email: true, github: true, google: false }, []],
  [{ google: true, facebook: true, twitter: true, x: false }, ['google', 'facebook', 'twitter']],
  [{ twitter: true, x: true }, ['x']],
  [{ facebook: true, x: true }, ['facebook', 'x']],
])('of the settings %o the buttons %o show', (external, providers) => {
  expect(offered(external)).toEqual(providers)
})

const origin = 'https://potluck.example'

describe('where a sign-in through a provider ends', () => {
  it.each(['/signin', '/sign-in', '/signup', '/sign-up', '/SignIn/'])(
    'from %s Google returns to /auth-redirect, the others to the redirect parameter or /dashboard',
    (pathname) => {
      expect(returnPath('google', { pathname }, origin)).toBe('/auth-redirect')
      expect(returnPath('google', { pathname, wanted: '/create' }, origin)).toBe('/auth-redirect')
      for (const provider of ['facebook', 'twitter'] as const) {
        expect(returnPath(provider, { pathname }, origin)).toBe('/dashboard')
        expect(returnPath(provider, { pathname, wanted: '/create?step=2' }, origin)).toBe('/create?step=2')
        expect(returnPath(provider, { pathname, wanted: 'https://evil.example/' }, origin)).toBe('/')
        expect(returnPath(provider, { pathname, wanted: '//evil.example' }, origin)).toBe('/')
      }
    },
  )

  it.each(['google', 'facebook', 'twitter'] as const)(
    'from any other page %s lands on /home unless a target was asked for',
    (provider) => {
      for (const pathname of ['/reset-password', '/', '/subscription/sub-1'])
        expect(returnPath(provider, { pathname }, origin)).toBe('/home')
      expect(returnPath(provider, { pathname: '/reset-password', wanted: '/create' }, origin)).toBe('/create')
      expect(
        returnPath(provider, { pathname: '/reset-password', wanted: 'javascript:alert(1)' }, origin),
      ).toBe('/')
    },
  )
})
