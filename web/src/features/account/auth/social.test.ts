// Proves AUTH 04 12 13

import { PROVIDER_NAMES } from '@potluck/server/auth/providers/provider.ts'
import { expect, test } from 'vitest'
import { offered, returnPath, type SocialProvider, socialProviders } from './social.ts'

test('every provider that the server knows has a button', () => {
  expect(socialProviders).toEqual(expect.arrayContaining([...PROVIDER_NAMES]))
})

test.each([
  [{ email: true, github: true, google: false }, []],
  [{ google: true, facebook: true, twitter: true, x: false }, ['google', 'facebook', 'twitter']],
  [{ twitter: true, x: true }, ['x']],
])('of the settings %o the buttons %o show', (external, providers) =>
  expect(offered(external)).toEqual(providers),
)

const ends = (provider: SocialProvider, pathname: string) =>
  [undefined, '/create?step=2', 'https://evil.example/', 'javascript:alert(1)'].map((wanted) =>
    returnPath(provider, { pathname, wanted }, 'https://potluck.example'),
  )

test.each(['/signin', '/sign-in', '/signup', '/sign-up', '/SignIn/'])(
  'from %s Google returns to /auth-redirect, the others to the redirect parameter or /dashboard',
  (pathname) => {
    expect(new Set(ends('google', pathname))).toEqual(new Set(['/auth-redirect']))
    for (const provider of ['facebook', 'twitter'] as const)
      expect(ends(provider, pathname)).toEqual(['/dashboard', '/create?step=2', '/', '/'])
  },
)

test.each(['google', 'facebook', 'twitter'] as const)(
  'from any other page %s returns to the redirect parameter or /home',
  (provider) => {
    for (const pathname of ['/reset-password', '/', '/subscription/sub-1'])
      expect(ends(provider, pathname)).toEqual(['/home', '/create?step=2', '/', '/'])
  },
)
