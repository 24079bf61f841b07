import { queryOptions } from '@tanstack/react-query'
import { z } from 'zod'
import { postLoginTarget } from '#domain/post-login-target.ts'
import { config } from '#lib/config.ts'
import { AppError } from '#lib/errors.ts'
import { supabase } from '#lib/supabase.ts'

export const socialProviders = ['google', 'facebook', 'twitter'] as const
export type SocialProvider = (typeof socialProviders)[number]

export const socialNames: Record<SocialProvider, string> = {
  google: 'Google',
  facebook: 'Facebook',
  twitter: 'Twitter',
}

const settingsSchema = z.object({ external: z.record(z.string(), z.boolean()) })

/** Which social providers this deployment is set up for. */
export const enabledProvidersQuery = queryOptions({
  queryKey: ['auth', 'enabled-providers'],
  staleTime: Number.POSITIVE_INFINITY,
  queryFn: async ({ signal }): Promise<SocialProvider[]> => {
    const { supabaseUrl, supabaseAnonKey } = config()
    const answer = await fetch(`${supabaseUrl}/auth/v1/settings`, {
      headers: { apikey: supabaseAnonKey },
      signal,
    })
    if (!answer.ok)
      throw new AppError('settings', 'The sign-in settings could not be loaded.', { status: answer.status })
    const { external } = settingsSchema.parse(await answer.json())
    return socialProviders.filter((provider) => external[provider] === true)
  },
})

/** Leaves for the provider's own sign-in page (API-05). `wanted` is where Facebook and Twitter come back to (AUTH-13). */
export async function signInWith(provider: SocialProvider, wanted?: string): Promise<void> {
  const { origin } = window.location
  const options =
    provider === 'google'
      ? {
          redirectTo: `${origin}/auth-redirect`,
          queryParams: { access_type: 'offline', prompt: 'consent', timestamp: String(Date.now()) },
        }
      : { redirectTo: `${origin}${wanted === undefined ? '/dashboard' : postLoginTarget(wanted, origin)}` }
  const { error } = await supabase().auth.signInWithOAuth({ provider, options })
  if (error) throw error
}
