// Reads the environment once; other code gets its part of the Config as an argument.
import { existsSync, readFileSync } from 'node:fs'
import { isIP, isIPv6 } from 'node:net'
import { join, resolve } from 'node:path'
import { z } from 'zod'
import { PROVIDER_NAMES, type SocialClients } from './auth/providers/provider.ts'
import { PROJECT } from './project.ts'
import { LIMITS } from './realtime/limits.ts'
import { StartRefusal } from './start-refusal.ts'

const ROOT = resolve(import.meta.dirname, '../..')
const READY = resolve(ROOT, 'ready-database.gz')

const onOff = z.enum(['on', 'off']).transform((word) => word === 'on')
const url = (protocol: RegExp) => z.url({ protocol })

const count = z.coerce.number().int().min(1)

const environment = z.object({
  PORT: z.coerce.number().int().min(0).max(65_535).default(3000),
  HOST: z.string().min(1).default('127.0.0.1'),
  SITE_URL: url(/^https?$/).optional(),
  DATA_DIR: z.string().min(1).default(resolve(ROOT, '.data')),
  DATABASE_URL: url(/^postgres(ql)?$/).optional(),
  DATABASE_READ_URL: url(/^postgres(ql)?$/).optional(),
  DATABASE_POOL: z.coerce.number().int().min(1).max(200).default(10),
  SMTP_URL: url(/^smtps?$/).optional(),
  MAIL_FROM: z.string().min(3).default(`${PROJECT.displayName} <no-reply@localhost>`),
  JWT_SECRET: z.string().min(32, 'needs at least 32 characters').optional(),
  DEMO: onOff.optional(),
  OUTBOX: onOff.optional(),
  RATE_LIMITS: onOff.default(true),
  TRUST_PROXY: onOff.default(false),
  REALTIME_SOCKETS: count.default(LIMITS.sockets),
  REALTIME_SOCKETS_PER_ADDRESS: count.default(LIMITS.socketsPerAddress),
  REALTIME_SOCKETS_PER_PERSON: count.default(LIMITS.socketsPerPerson),
  OPENID_ONLY: onOff.default(false),
  LOGO_KEY: z.string().min(1).optional(),
  METRICS_TOKEN: z.string().min(16, 'needs at least 16 characters').optional(),
  SOCIAL_LINKS: z
    .string()
    .default('')
    .transform((list) => list.split(/[\s,]+/).filter(Boolean))
    .pipe(z.array(url(/^https$/))),
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('warn'),
  NODE_ENV: z.string().default('development'),
})

/** A request as text: its method and its path below /functions/v1/. */
const startCheck = z.templateLiteral([z.enum(['GET', 'POST']), ' ', z.string()])

/** The settings from the environment, with the values derived from them. */
export type Config = ReturnType<typeof readConfig>

/** Thrown if the environment does not allow a safe start; the message says which variable to set. */
export class ConfigError extends StartRefusal {}

/**
 * Validates the environment. Throws ConfigError, which names each invalid variable or says why a start would be unsafe.
 */
export function readConfig(
  env: Record<string, string | undefined>,
  purpose: 'serve' | 'administer' = 'serve',
) {
  // An empty variable counts as unset.
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''))
  const parsed = environment.safeParse(given)
  if (!parsed.success) {
    const wrong = parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`)
    throw new ConfigError(`The environment cannot be used. ${wrong.join('; ')}`)
  }
  const e = parsed.data
  const siteUrl = (e.SITE_URL ?? `http://localhost:${e.PORT}`).replace(/\/+$/, '')
  const exposed = !isLoopback(e.HOST) || !isLoopback(new URL(siteUrl).hostname)
  const ownHost = /^(0\.0\.0\.0|::)$/.test(e.HOST) ? 'localhost' : e.HOST
  const embedded = e.DATABASE_URL === undefined
  const production = e.NODE_ENV === 'production'
  const sheltered = embedded && !exposed && !production
  const config = {
    port: e.PORT,
    host: e.HOST,
    siteUrl,
    /**
     * The server's URL on this machine. The site's public URL may not resolve here, or may lead through a proxy and
     * back.
     */
    ownUrl: `http://${isIPv6(ownHost) ? `[${ownHost}]` : ownHost}:${e.PORT}`,
    dataDir: resolve(e.DATA_DIR),
    databaseUrl: e.DATABASE_URL,
    /** A read replica of the database, for visitors' reads. */
    databaseReadUrl: e.DATABASE_READ_URL,
    databasePool: e.DATABASE_POOL,
    smtpUrl: e.SMTP_URL,
    mailFrom: e.MAIL_FROM,
    jwtSecret: e.JWT_SECRET,
    /** True if demo accounts with public passwords are loaded into an empty database. */
    demo: e.DEMO ?? sheltered,
    /** True if mail is captured and shown at /outbox instead of being sent. */
    outbox: e.OUTBOX ?? (sheltered && e.SMTP_URL === undefined),
    rateLimits: e.RATE_LIMITS,
    trustProxy: e.TRUST_PROXY,
    /** The maximum number of open sockets: in total, per client address and per person. */
    realtimeLimits: {
      sockets: e.REALTIME_SOCKETS,
      socketsPerAddress: e.REALTIME_SOCKETS_PER_ADDRESS,
      socketsPerPerson: e.REALTIME_SOCKETS_PER_PERSON,
    },
    /** Registrations with the built-in sign-in providers. */
    socialClients: readSocialClients(given),
    /** Providers chosen by the operator, by OpenID Connect. */
    openidProviders: readOpenidProviders(given),
    /** True if only these providers can create accounts, and only they and passkeys are offered for sign-in. */
    openidOnly: e.OPENID_ONLY,
    logoKey: e.LOGO_KEY ?? null,
    /** The operator's pages on social networks. */
    socialLinks: e.SOCIAL_LINKS,
    /** The token that a monitor sends to read /metrics. */
    metricsToken: e.METRICS_TOKEN,
    logLevel: e.LOG_LEVEL,
    /** True if other machines can reach the server. */
    exposed,
    /** True if only this machine can reach the server: embedded database, loopback address, and not in production. */
    sheltered,
    supabaseDir: resolve(ROOT, 'supabase'),
    platformDir: resolve(ROOT, 'server/src/platform'),
    webDir: resolve(ROOT, 'web/dist'),
    /** The ready-made database that a release's archive contains; a clone of the repository has none. */
    readyDatabase: embedded && existsSync(READY) ? READY : undefined,
    /** Folder of the built Edge Functions. */
    functionsDir: resolve(ROOT, 'supabase/dist'),
    /**
     * Secrets of functions that this server generates: those in the project's `generated-secrets.json` that are not
     * set.
     */
    generated: readJson(join(ROOT, 'supabase/generated-secrets.json'), z.array(z.string()), []).filter(
      (name) => given[name] === undefined,
    ),
    /** Requests to functions that must succeed before the server listens, from the project's `start-checks.json`. */
    startChecks: readJson(join(ROOT, 'supabase/start-checks.json'), z.array(startCheck), []),
    /** The environment's variables, for `env(NAME)` in the project's config.toml. */
    environment: given,
  }
  // A command that only administers the database needs neither keys nor mail.
  if (purpose === 'serve') {
    requireCompleteGroups(config.supabaseDir, given)
    if (config.openidOnly && config.openidProviders.length === 0)
      throw new ConfigError('OPENID_ONLY=on needs an OpenID provider beside it, or nobody could sign in.')
    refuseUnsafe(config, { embedded, production })
  }
  return config
}

/** Reads the <PROVIDER>_CLIENT_ID and <PROVIDER>_CLIENT_SECRET variables of the known providers. */
function readSocialClients(given: Record<string, string | undefined>): SocialClients {
  const clients: SocialClients = {}
  for (const provider of PROVIDER_NAMES) {
    const name = provider.toUpperCase()
    const { [`${name}_CLIENT_ID`]: clientId, [`${name}_CLIENT_SECRET`]: secret } = given
    if (clientId === undefined && secret === undefined) continue
    if (clientId === undefined || secret === undefined) {
      throw new ConfigError(`${name}_CLIENT_ID and ${name}_CLIENT_SECRET go together: set both or neither.`)
    }
    clients[provider] = { clientId, secret }
  }
  return clients
}

const openidProvider = z.strictObject({
  ISSUER: url(/^https?$/).refine(
    (issuer) => issuer.startsWith('https:') || isLoopback(new URL(issuer).hostname),
    'has to be an https address',
  ),
  CLIENT_ID: z.string(),
  CLIENT_SECRET: z.string(),
  NAME: z.string().trim().min(1).max(40),
  TRUST_EMAIL: onOff.default(false),
  DOMAIN: z.string().toLowerCase().optional(),
})

export interface OpenidProvider {
  /** The id that Supabase's clients use: `custom:` and the <ID> of the OPENID_<ID>_… variables. */
  id: `custom:${string}`
  /** The provider's name on the sign-in button. */
  name: string
  issuer: string
  clientId: string
  secret: string
  /** Treats every address from the issuer as verified, even if the issuer says otherwise. */
  trustsEmail: boolean
  /** The Google Workspace domain to which people must belong. */
  domain: string | undefined
}

/** Reads the OPENID_<ID>_… variables; ids follow hosted Supabase's rules. */
function readOpenidProviders(given: Record<string, string | undefined>): OpenidProvider[] {
  const found: Record<string, Record<string, string | undefined>> = {}
  for (const [variable, value] of Object.entries(given)) {
    const [, id = '', field = ''] =
      /^OPENID_([A-Z0-9]+(?:_[A-Z0-9]+)*?)_(ISSUER|NAME|DOMAIN|CLIENT_ID|CLIENT_SECRET|TRUST_EMAIL)$/.exec(
        variable,
      ) ?? []
    if (id) found[id] = { ...found[id], [field]: value }
    else if (/^OPENID_(?!ONLY$)/.test(variable))
      throw new ConfigError(`${variable} is not a setting of an OpenID provider; see docs/operate.md.`)
  }
  return Object.entries(found)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([id, fields]) => {
      const parsed = openidProvider.safeParse(fields)
      if (!parsed.success) {
        const wrong = parsed.error.issues.map(
          ({ path, message }) => `OPENID_${id}_${path.join('.')}: ${message}`,
        )
        throw new ConfigError(`The OpenID provider ${id} cannot be used. ${wrong.join('; ')}`)
      }
      const { ISSUER, CLIENT_ID, CLIENT_SECRET, NAME, TRUST_EMAIL, DOMAIN } = parsed.data
      return {
        id: `custom:${id.toLowerCase().replaceAll('_', '-')}`,
        ...{ name: NAME, issuer: ISSUER, clientId: CLIENT_ID, secret: CLIENT_SECRET },
        ...{ trustsEmail: TRUST_EMAIL, domain: DOMAIN },
      }
    })
}

/** Reads a JSON file; returns `otherwise` if it does not exist. */
export const readJson = <S extends z.ZodType>(file: string, schema: S, otherwise: z.infer<S>): z.infer<S> =>
  existsSync(file) ? schema.parse(JSON.parse(readFileSync(file, 'utf8'))) : otherwise

/** Returns the text of the project's config.toml, or '' if there is none. */
export function readToml({ supabaseDir }: Pick<Config, 'supabaseDir'>): string {
  const file = join(supabaseDir, 'config.toml')
  return existsSync(file) ? readFileSync(file, 'utf8') : ''
}

/** Throws if only some of the function variables that the project's `secrets-together.json` lists together are set. */
function requireCompleteGroups(supabaseDir: string, environment: Record<string, string | undefined>): void {
  for (const names of readJson(
    join(supabaseDir, 'secrets-together.json'),
    z.array(z.array(z.string())),
    [],
  )) {
    const missing = names.filter((name) => !environment[name])
    if (missing.length > 0 && missing.length < names.length)
      throw new ConfigError(
        `${names.join(', ')} go together: set all of them or none. Missing: ${missing.join(', ')}.`,
      )
  }
}

function refuseUnsafe(
  config: Config,
  { embedded, production }: { embedded: boolean; production: boolean },
): void {
  if (config.demo && config.exposed) {
    throw new ConfigError(
      'DEMO=on brings accounts with public passwords; it cannot be used with a HOST or SITE_URL that others reach. Set DEMO=off.',
    )
  }
  if (config.demo && !embedded) {
    throw new ConfigError('DEMO=on works only with the embedded database. Unset DEMO or DATABASE_URL.')
  }
  if (embedded && config.databaseReadUrl !== undefined) {
    throw new ConfigError('DATABASE_READ_URL is a replica of the database at DATABASE_URL: set that too.')
  }
  if (!embedded && config.generated.length > 0) {
    throw new ConfigError(
      `Servers on one database must agree on ${config.generated.join(' and ')}. Set what \`openssl rand -base64 32\` prints, on each of them.`,
    )
  }
  if (config.outbox && (config.exposed || production)) {
    throw new ConfigError(
      'OUTBOX=on shows everyone every sign-in link; it works only on loopback outside production. Set SMTP_URL instead.',
    )
  }
  if (config.outbox && config.smtpUrl !== undefined) {
    throw new ConfigError(
      'OUTBOX=on and SMTP_URL exclude each other: mail is either captured or sent. Unset one of them.',
    )
  }
  if (!config.outbox && config.smtpUrl === undefined) {
    throw new ConfigError(
      'Mail has nowhere to go, so nobody could sign up. Set SMTP_URL (or, on a development machine, OUTBOX=on).',
    )
  }
}

/** True for host names and addresses that only this machine can reach. */
export function isLoopback(host: string): boolean {
  const name = host.replace(/^\[|\]$/g, '').toLowerCase()
  if (name === 'localhost' || name.endsWith('.localhost') || name === '::1') return true
  return isIP(name) === 4 && name.startsWith('127.')
}

const demoAccount = z.object({ email: z.string(), password: z.string() })
export type DemoAccount = z.infer<typeof demoAccount>

/** Returns the demo accounts of the project's `demo-accounts.json`; none if the demo is off. */
export const readDemoAccounts = ({ demo, supabaseDir }: Config): DemoAccount[] =>
  demo ? readJson(join(supabaseDir, 'demo-accounts.json'), z.array(demoAccount), []) : []
