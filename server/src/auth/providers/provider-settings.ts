// Which providers people may sign in with: [auth.external.*] of config.toml, and the environment's client ids.
import { z } from 'zod'
import { PROVIDER_NAMES, type ProviderName, type ProviderSettings } from './provider.ts'

/** Registrations given by the environment; each turns its provider on. */
export type SocialClients = Partial<Record<ProviderName, { clientId: string; secret: string }>>

const external = z.object({
  enabled: z.boolean().default(false),
  client_id: z.string().default(''),
  secret: z.string().default(''),
  url: z.string().optional(),
  redirect_uri: z.string().optional(),
})
export const externalSection = z.record(z.string(), external).default({})

/** Throws for a provider that is enabled and has nothing to register with. */
export function readProviders(
  sections: z.infer<typeof externalSection>,
  clients: SocialClients,
): Partial<Record<ProviderName, ProviderSettings>> {
  const providers: Partial<Record<ProviderName, ProviderSettings>> = {}
  for (const name of PROVIDER_NAMES) {
    const section = sections[name] ?? (name === 'twitter' ? sections.x : undefined)
    const client = clients[name] ?? (section?.enabled ? readClient(name, section) : undefined)
    if (!client) continue
    providers[name] = {
      ...client,
      url: section?.url || undefined,
      redirectUri: section?.redirect_uri || undefined,
    }
  }
  return providers
}

function readClient(name: ProviderName, { client_id: clientId, secret }: z.infer<typeof external>) {
  for (const value of [clientId, secret]) {
    if (value !== '' && !/^env\(.*\)$/.test(value)) continue
    const variable = name.toUpperCase()
    throw new Error(
      `[auth.external.${name}] is enabled: set ${variable}_CLIENT_ID and ${variable}_CLIENT_SECRET.`,
    )
  }
  return { clientId, secret }
}
