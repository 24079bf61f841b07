import { t } from '@lingui/core/macro'
import * as z from 'zod/mini'
import { config } from './config.ts'
import { AppError } from './errors.ts'
import { query } from './query.ts'

const settingsSchema = z.object({
  external: z.record(z.string(), z.boolean()),
  // Older auth services leave this out.
  passkeys_enabled: z._default(z.boolean(), false),
})

/** The ways of signing in that this deployment offers. */
export const authSettingsQuery = query({
  key: ['auth-settings'],
  staleTime: Number.POSITIVE_INFINITY,
  load: async (signal) => {
    const { supabaseUrl, supabaseAnonKey } = config()
    const settings = await fetch(`${supabaseUrl}/auth/v1/settings`, {
      headers: { apikey: supabaseAnonKey },
      signal,
    })
    if (!settings.ok)
      throw new AppError('settings', t`The sign-in settings could not be loaded.`, {
        status: settings.status,
      })
    return settingsSchema.parse(await settings.json())
  },
})
