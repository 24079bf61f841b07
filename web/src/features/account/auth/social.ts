import { queryOptions } from '@tanstack/react-query'
import { isSignInScreen, postLoginTarget } from '#domain/post-login-target.ts'
import { authSettingsQuery } from '#lib/auth-settings.ts'
import { perTab, read, storageKeys, write } from '#lib/storage.ts'
import { supabase } from '#lib/supabase.ts'

/** Twitter has two entries: `twitter` is OAuth 1.0a on hosted Supabase, `x` is OAuth 2.0. */
export const socialProviders = ['google', 'facebook', 'twitter', 'x'] as const
export type SocialProvider = (typeof socialProviders)[number]

export const socialNames: Record<SocialProvider, string> = {
  google: 'Google',
  facebook: 'Facebook',
  twitter: 'Twitter',
  x: 'Twitter',
}

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
  return socialProviders.find((provider) => provider === left) ?? null
}

/** The providers that this deployment is registered with. */
export const socialProvidersQuery = queryOptions({
  ...authSettingsQuery,
  select: ({ external }) => offered(external),
})

/** Those that are switched on; one button for Twitter, the newer way where both are. */
export function offered(external: Readonly<Record<string, boolean>>): SocialProvider[] {
  return socialProviders.filter((provider) => external[provider] && !(provider === 'twitter' && external.x))
}
