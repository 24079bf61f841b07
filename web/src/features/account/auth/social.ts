import { queryOptions } from '@tanstack/react-query'
import { isSignInScreen, postLoginTarget } from '#domain/post-login-target.ts'
import { authSettingsQuery } from '#lib/auth-settings.ts'
import { config } from '#lib/config.ts'
import { perTab, read, storageKeys, write } from '#lib/storage.ts'
import { supabase } from '#lib/supabase.ts'

/** Twitter has two entries: `twitter` is OAuth 1.0a on hosted Supabase, `x` is OAuth 2.0. */
export const socialProviders = ['google', 'facebook', 'twitter', 'x'] as const
export type KnownProvider = (typeof socialProviders)[number]
/** `custom:…` is an OpenID Connect provider chosen by the operator. */
export type SocialProvider = KnownProvider | `custom:${string}`

const names: Record<KnownProvider, string> = {
  google: 'Google',
  facebook: 'Facebook',
  twitter: 'Twitter',
  x: 'Twitter',
}

const isKnown = (provider: string): provider is KnownProvider => provider in names

/** The provider's display name. For a provider that is no longer configured, the auth service's own name. */
export const socialName = (provider: SocialProvider): string =>
  isKnown(provider)
    ? names[provider]
    : (config().signInWith.find(({ id }) => id === provider)?.name ?? provider)

/** The page on which a sign-in starts, and the `redirect` parameter of its URL, not validated. */
interface Start {
  pathname: string
  wanted?: string | undefined
}

/**
 * The path a provider returns to. From sign-in and sign-up, Google returns to /auth-redirect, other providers to
 * `wanted` or /dashboard. From any other page, all providers return to `wanted` or /home.
 */
export function returnPath(provider: SocialProvider, { pathname, wanted }: Start, origin: string): string {
  const fallback = isSignInScreen(pathname) ? '/dashboard' : '/home'
  if (provider === 'google' && isSignInScreen(pathname)) return '/auth-redirect'
  return wanted === undefined ? fallback : postLoginTarget(wanted, origin)
}

/** Navigates to the provider's sign-in page. */
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

/** Returns the provider to which this tab went to sign in, and forgets it; null if there is none. */
export function takeSocialSignIn(): SocialProvider | null {
  const left = read(perTab, storageKeys.socialSignIn)
  write(perTab, storageKeys.socialSignIn, null)
  return (
    [...socialProviders, ...config().signInWith.map(({ id }) => id)].find((each) => each === left) ?? null
  )
}

/** The providers enabled in this deployment. */
export const socialProvidersQuery = queryOptions({
  ...authSettingsQuery,
  select: ({ external }) => offered(external),
})

/** Returns the enabled providers; if both Twitter entries are enabled, only the newer one. */
export function offered(external: Readonly<Record<string, boolean>>): KnownProvider[] {
  return socialProviders.filter((provider) => external[provider] && !(provider === 'twitter' && external.x))
}
