import * as z from 'zod/mini'

// The content security policy forbids eval, which zod would otherwise use for speed.
z.config({ jitless: true })

const configSchema = z.object({
  supabaseUrl: z.url(),
  supabaseAnonKey: z.string().check(z.minLength(1)),
  outbox: z.boolean(),
  demo: z.array(z.object({ email: z.string(), password: z.string() })),
  logoKey: z.nullable(z.string()),
  /** Who runs the site; its host while nobody has said. */
  operatorName: z._default(z.string().check(z.minLength(1)), () => window.location.host),
  /** Whether people can report plans and others to staff. */
  takesReports: z._default(z.boolean(), true),
  /** The operator's pages on social networks. */
  socialLinks: z.optional(z.array(z.url())),
  /**
   * Sign-in providers that the operator chose and the auth service does not list: their name there, and their label.
   */
  signInWith: z._default(
    z.array(
      z.object({ id: z.custom<`custom:${string}`>((id) => /^custom:/.test(String(id))), name: z.string() }),
    ),
    [],
  ),
  /** False if people can sign in only with a provider in `signInWith` or a passkey. */
  signInByMail: z._default(z.boolean(), true),
  version: z.optional(z.string()),
})

/** This deployment's backend and features; the same build runs in every deployment. */
export type Config = z.infer<typeof configSchema>

let loaded: Config | undefined

/** Loads the configuration, which names the site's backend. Rejects when it is missing or malformed. */
export async function loadConfig(address = '/config.json'): Promise<Config> {
  const response = await fetch(address, { headers: { accept: 'application/json' } })
  if (!response.ok) throw new Error(`The site's configuration could not be loaded (${response.status}).`)
  return setConfig(configSchema.parse(await response.json()))
}

export function setConfig(config: Config): Config {
  loaded = config
  return config
}

/** The loaded configuration. Throws before {@link loadConfig} has resolved, which is a bug in the start order. */
export function config(): Config {
  if (!loaded) throw new Error('The configuration was read before it was loaded.')
  return loaded
}
