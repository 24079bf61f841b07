import * as z from 'zod/mini'
import { isSignInScreen, postLoginTarget } from '#domain/post-login-target.ts'
import { config } from '#lib/config.ts'
import { AppError } from '#lib/errors.ts'
import { perTab, read, storageKeys, write } from '#lib/storage.ts'
import { supabase } from '#lib/supabase.ts'

export const socialProviders = ['google', 'facebook', 'twitter'] as const
export type SocialProvider = (typeof socialProviders)[number]

export const socialNames: Record<SocialProvider, string> = {
  google: 'Google',
  facebook: 'Facebook',
  twitter: 'Twitter',
}

/** Where a sign-in starts: the page, and the redirect parameter in its address as it came. */
interface Start {
  pathname: string
  wanted?: string | undefined
}

/**
 * Where a sign-in ends that leaves through a provider: on sign-in and sign-up, Google returns to /auth-redirect
 * and the others to the redirect parameter or /dashboard; from any other page it is that parameter or /home
 *.
 */
export function returnPath(provider: SocialProvider, { pathname, wanted }: Start, origin: string): string {
  const fallback = isSignInScreen(pathname) ? '/dashboard' : '/home'
  if (provider === 'google' && isSignInScreen(pathname)) return '/auth-redirect'
  return wanted === undefined ? fallback : postLoginTarget(wanted, origin)
}

/** Leaves for the provider's own sign-in page. Rejects when this deployment is not set up for it. */
export async function signInWith(provider: SocialProvider, start: Start): Promise<void> {
  await refuseUnlessEnabled(provider)
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

const settingsSchema = z.object({ external: z.record(z.string(), z.boolean()) })
const refusalSchema = z.object({ msg: z.catch(z.string(), ''), error_code: z.catch(z.string(), '') })

/** Leaving would show the service's refusal as raw text in place of the page, so it is asked for before. */
async function refuseUnlessEnabled(provider: SocialProvider): Promise<void> {
  const { supabaseUrl, supabaseAnonKey } = config()
  const ask = (path: string) =>
    fetch(`${supabaseUrl}/auth/v1${path}`, { headers: { apikey: supabaseAnonKey }, redirect: 'manual' })
  const settings = await ask('/settings')
  if (!settings.ok)
    throw new AppError('settings', 'The sign-in settings could not be loaded.', { status: settings.status })
  if (settingsSchema.parse(await settings.json()).external[provider]) return
  const { msg, error_code } = refusalSchema.parse(await (await ask(`/authorize?provider=${provider}`)).json())
  throw new AppError(error_code, msg)
}
