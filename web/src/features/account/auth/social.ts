import { queryOptions } from '@tanstack/react-query'
import { isSignInScreen, postLoginTarget } from '#domain/post-login-target.ts'
import { authSettingsQuery } from '#lib/auth-settings.ts'
import { config } from '#lib/config.ts'
import { perTab, read, storageKeys, write } from '#lib/storage.ts'
import { supabase } from '#lib/supabase.ts'

/** Twitter has two entries: `twitter` is OAuth 1.0a on hosted Supabase, `x` is OAuth 2.0. */
export const socialProviders = ['google', 'facebook', 'twitter', 'x'] as const
export type KnownProvider = (typeof socialProviders)[number]
/** Or one of the operator's own choice, by OpenID Connect. */
export type SocialProvider = KnownProvider | `custom:${string}`

const names: Record<KnownProvider, string> = {
  google: 'Google',
  facebook: 'Facebook',
  twitter: 'Twitter',
  x: 'Twitter',
}

const isKnown = (provider: string): provider is KnownProvider => provider in names

/** What people call it; a provider that is gone is called as the auth service does. */
export const socialName = (provider: SocialProvider): string =>
  isKnown(provider)
    ? names[provider]
    : (config().signInWith.find(({ id }) => id === provider)?.name ?? provider)

/** Where a sign-in starts: the page, and the unchecked redirect parameter of its address. */
interface Start {
  pathname: string
  wanted?: string | undefined
}

/**
 * Where a sign-in through a provider returns to: from sign-in and sign-up, Google to /auth-redirect and the others to the
 * redirect parameter or /dashboard; from any other page, all of them to that parameter or /home.
 */
export function returnPath(provider: SocialProvider, { pathname, wanted }: Start, origin: string): string {
  const fallback = isSignInScreen(pathname) ? '/dashboard' : '/home'
  if (provider === 'google' && isSignInScreen(pathname)) return '/auth-redirect'
  return wanted === undefined ? fallback : postLoginTarget(wanted, origin)
}

/** Leaves for the provider's own sign-in page. */
export async function signInWith(provider: SocialProvider, start: Start): Promise<void> {
  const { origin } = window.location
  write(perTab, storageKeys.socialSignIn, provider)
  const { error } = await supabase().auth.signInWithOAuth({
    provider,
    options: {
      redirectTo: origin + returnPath(provider, start, origin),
      ...(provider === 'google' && {
        queryParams: { access_type: 'offline', prompt: 'consent', timestamp: String(Date.now()) },
      }),
    },
  })
  if (error) throw error
}

/** The provider this tab left for, handed out once; null when it left for none. */
export function takeSocialSignIn(): SocialProvider | null {
  const left = read(perTab, storageKeys.socialSignIn)
  write(perTab, storageKeys.socialSignIn, null)
  return (
    [...socialProviders, ...config().signInWith.map(({ id }) => id)].find((each) => each === left) ?? null
  )
}

/** The providers that this deployment is registered with. */
export const socialProvidersQuery = queryOptions({
  ...authSettingsQuery,
  select: ({ external }) => offered(external),
})

/** Those that are switched on; one button for Twitter, the newer way where both are. */
export function offered(external: Readonly<Record<string, boolean>>): KnownProvider[] {
  return socialProviders.filter((provider) => external[provider] && !(provider === 'twitter' && external.x))
}
