// Settings of the auth service: the project's supabase/config.toml, with this installation's overrides.
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { parse } from 'smol-toml'
import { z } from 'zod'
import type { OpenidProvider } from '#config.ts'
import { CHARACTER_RULES, type PasswordRules, SYMBOLS } from '#identity/passwords.ts'
import {
  checkTemplate,
  DEFAULT_TEMPLATES,
  TEMPLATE_NAMES,
  type Template,
  type TemplateName,
} from '#mail/templates.ts'
import {
  externalSection,
  type KnownName,
  PROVIDER_NAMES,
  type ProviderSettings,
  readProviders,
  type SocialClients,
} from './providers/provider.ts'
import { passkeySection, type RelyingParty, readRelyingParty, webauthnSection } from './relying-party.ts'

/** Allows `count` attempts within `seconds`; a `count` of infinity means no limit. */
export interface Allowance {
  count: number
  seconds: number
}

const LIMITED = [
  'mailInterval',
  'failedAttempts',
  'failedAttemptsOfAll',
  'factorCodes',
  'requests',
  'verifications',
  'tokens',
] as const

/**
 * `mailInterval` limits mails of one kind to one address. `failedAttempts` limits wrong passwords and codes per account
 * and client address, and `failedAttemptsOfAll` those per account from all addresses together. The others are per
 * client address: `factorCodes` limits second-factor codes; `requests` limits sign-up, magic link, recovery and resend,
 * each counted separately; `verifications` limits links and codes; `tokens` limits sign-ins and refreshes.
 */
type RateLimits = Record<(typeof LIMITED)[number], Allowance>

export interface AuthSettings {
  /** The destination of redirects if the requested one is not allowed. Like apiUrl, it has no trailing slash. */
  siteUrl: string
  /** The server's public URL; `/auth/v1` is appended to it in links and in the `iss` claim of tokens. */
  apiUrl: string
  additionalRedirectUrls: readonly string[]
  jwtExpirySeconds: number
  signupEnabled: boolean
  /** The SQL function that decides whether an account may be created, quoted; null if every account may. */
  beforeUserCreated: string | null
  emailEnabled: boolean
  /** False if only sign-in providers may create accounts; existing accounts can still use mail and passwords. */
  emailSignsUp: boolean
  confirmations: boolean
  doubleConfirmChanges: boolean
  /**
   * True if changing the password requires the current password, a mailed code, or a session that a mail opened in the
   * last ten minutes.
   */
  securePasswordChange: boolean
  passwordRules: PasswordRules
  /**
   * Second factors: `most` is the maximum per person; `enrol` and `verify` say whether authenticator apps can be added
   * and used.
   */
  factors: { most: number; enrol: boolean; verify: boolean }
  /** The site for which passkeys are created; null if passkeys are not available. */
  passkeys: RelyingParty | null
  rateLimits: RateLimits
  reuseIntervalSeconds: number
  /** True if using a refresh token again ends its session. */
  endReusedSessions: boolean
  otpExpirySeconds: number
  otpLength: number
  providers: Partial<Record<KnownName, ProviderSettings>>
  /** OpenID Connect providers that the operator configured. */
  openidProviders: readonly OpenidProvider[]
  templates: Record<TemplateName, Template>
}

const count = z.number().int().min(0)
const duration = z.string().transform((text, context) => {
  const seconds = parseDuration(text)
  if (seconds === null) context.addIssue(`"${text}" is not a duration such as "60s"`)
  return seconds ?? 0
})
const template = z.object({ subject: z.string().optional(), content_path: z.string().optional() })

const email = z.object({
  // Despite its name, this setting disables everything by e-mail, including sign-in. The Supabase CLI may remove the
  // setting in future, so our config.toml leaves it out.
  enable_signup: z.boolean().default(true),
  double_confirm_changes: z.boolean().default(true),
  enable_confirmations: z.boolean().default(true),
  secure_password_change: z.boolean().default(false),
  max_frequency: duration.default(60),
  otp_length: z.number().int().min(6).max(10).default(6),
  otp_expiry: count.default(3600),
  template: z.record(z.string(), template).default({}),
})
const rateLimit = z.object({
  token_refresh: count.default(150),
  sign_in_sign_ups: count.default(30),
  token_verifications: count.default(30),
})
const mfa = z.object({
  max_enrolled_factors: count.default(10),
  totp: z
    .object({ enroll_enabled: z.boolean().default(false), verify_enabled: z.boolean().default(false) })
    .refine((totp) => totp.verify_enabled || !totp.enroll_enabled, 'enroll_enabled needs verify_enabled')
    .prefault({}),
})
/** The URI of a hook that is a function of the database: `pg-functions://postgres/<schema>/<function>`. */
const POSTGRES_HOOK = /^pg-functions:\/\/postgres\/([a-z_][a-z0-9_]*)\/([a-z_][a-z0-9_]*)$/
const hook = z
  .object({ enabled: z.boolean().default(false), uri: z.string().default('') })
  .refine(({ enabled, uri }) => !enabled || POSTGRES_HOOK.test(uri), 'uri must be a function of the database')

/** The hook's function, quoted for SQL. */
function functionOf({ enabled, uri }: z.infer<typeof hook>): string | null {
  const [, schema, name] = (enabled && POSTGRES_HOOK.exec(uri)) || []
  return schema && name ? `"${schema}"."${name}"` : null
}

const auth = z.object({
  site_url: z.url().default('http://localhost:3000'),
  additional_redirect_urls: z.array(z.string()).default([]),
  jwt_expiry: z.number().int().min(1).default(3600),
  enable_refresh_token_rotation: z.boolean().default(true),
  refresh_token_reuse_interval: count.default(10),
  enable_signup: z.boolean().default(true),
  hook: z.object({ before_user_created: hook.prefault({}) }).prefault({}),
  minimum_password_length: z.number().int().min(1).max(72).default(6),
  password_requirements: z.enum(CHARACTER_RULES).default(''),
  // Read only by this server: hosted Supabase has a fixed list of symbols.
  password_symbols: z.string().min(1).default(SYMBOLS),
  rate_limit: rateLimit.prefault({}),
  email: email.prefault({}),
  mfa: mfa.prefault({}),
  passkey: passkeySection,
  webauthn: webauthnSection,
  external: externalSection,
})
const projectConfig = z.object({ auth: auth.prefault({}) })

const MINUTE = 60
const FIVE_MINUTES = 300
const QUARTER_HOUR = 900

/**
 * Reads the project's settings from `configToml`; `overrides` and the environment's `socialClients` take precedence.
 * Template paths are relative to `projectRoot`, the folder with supabase/. Throws if the file is invalid or a template
 * uses an unknown variable.
 */
export function readAuthSettings(
  configToml: string,
  {
    projectRoot = '.',
    socialClients = {},
    ...overrides
  }: Partial<AuthSettings> & { projectRoot?: string; socialClients?: SocialClients } = {},
): AuthSettings {
  const { auth } = projectConfig.parse(parse(configToml))
  const siteUrl = withoutSlash(overrides.siteUrl ?? auth.site_url)
  return {
    additionalRedirectUrls: auth.additional_redirect_urls,
    jwtExpirySeconds: auth.jwt_expiry,
    signupEnabled: auth.enable_signup,
    beforeUserCreated: functionOf(auth.hook.before_user_created),
    emailEnabled: auth.email.enable_signup,
    emailSignsUp: true,
    confirmations: auth.email.enable_confirmations,
    doubleConfirmChanges: auth.email.double_confirm_changes,
    securePasswordChange: auth.email.secure_password_change,
    passwordRules: {
      minimumLength: auth.minimum_password_length,
      characters: auth.password_requirements,
      symbols: auth.password_symbols,
    },
    factors: {
      most: auth.mfa.max_enrolled_factors,
      enrol: auth.mfa.totp.enroll_enabled,
      verify: auth.mfa.totp.verify_enabled,
    },
    passkeys: auth.passkey.enabled ? readRelyingParty(auth.webauthn, siteUrl) : null,
    rateLimits: {
      mailInterval: { count: 1, seconds: auth.email.max_frequency },
      failedAttempts: { count: 5, seconds: QUARTER_HOUR },
      failedAttemptsOfAll: { count: 50, seconds: QUARTER_HOUR },
      factorCodes: { count: 30, seconds: 2 * MINUTE },
      requests: { count: auth.rate_limit.sign_in_sign_ups, seconds: FIVE_MINUTES },
      verifications: { count: auth.rate_limit.token_verifications, seconds: FIVE_MINUTES },
      tokens: { count: auth.rate_limit.token_refresh, seconds: FIVE_MINUTES },
    },
    reuseIntervalSeconds: auth.refresh_token_reuse_interval,
    endReusedSessions: auth.enable_refresh_token_rotation,
    otpExpirySeconds: auth.email.otp_expiry,
    otpLength: auth.email.otp_length,
    providers: readProviders(auth.external, socialClients),
    openidProviders: [],
    templates: readTemplates(auth.email.template, projectRoot),
    ...overrides,
    siteUrl,
    apiUrl: withoutSlash(overrides.apiUrl ?? siteUrl),
  }
}

/** Settings that have a fixed value on this server; any other value is unsupported. */
const ALWAYS: Record<string, unknown> = {
  'api.enabled': true,
  'api.schemas': ['public'],
  'api.extra_search_path': ['public', 'extensions'],
  'api.max_rows': 1000,
  'realtime.enabled': true,
  'auth.enabled': true,
  'auth.enable_anonymous_sign_ins': false,
  'auth.enable_manual_linking': false,
}
/**
 * Settings that the auth service ignores: those of other services or of the Supabase CLI, and the limit on mails per
 * hour, which is meant for a shared mail server.
 */
const OF_OTHERS =
  /^(project_id|db|functions|edge_runtime|studio|inbucket|analytics|auth\.rate_limit\.email_sent)\b/
const NAMED: Record<string, readonly string[]> = { external: PROVIDER_NAMES, template: TEMPLATE_NAMES }

/**
 * Returns the paths of the project's settings that this server does not support, such as `auth.enable_manual_linking`.
 */
export function unsupportedSettings(configToml: string): string[] {
  return leavesOf(parse(configToml), []).flatMap(([path, value]) => {
    const name = path.join('.')
    const isFine =
      OF_OTHERS.test(name) ||
      (name in ALWAYS ? isDeepStrictEqual(ALWAYS[name], value) : isRead(projectConfig, path))
    return isFine ? [] : [name]
  })
}

const leavesOf = (value: unknown, path: string[]): [path: string[], value: unknown][] =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.entries(value).flatMap(([key, part]) => leavesOf(part, [...path, key]))
    : [[path, value]]

/** True if the schema has a field for the setting. */
function isRead(schema: unknown, [key, ...rest]: string[], names?: readonly string[]): boolean {
  if (key === undefined) return true
  if (schema instanceof z.ZodPrefault || schema instanceof z.ZodDefault)
    return isRead(schema.unwrap(), [key, ...rest], names)
  if (schema instanceof z.ZodRecord) return (names?.includes(key) ?? true) && isRead(schema.valueType, rest)
  return schema instanceof z.ZodObject && key in schema.shape && isRead(schema.shape[key], rest, NAMED[key])
}

/** Rate limits that never refuse, for trusted callers such as tests and benchmarks. */
export const WITHOUT_LIMITS = Object.fromEntries(
  LIMITED.map((name) => [name, { count: Number.POSITIVE_INFINITY, seconds: 0 }]),
) as RateLimits

const withoutSlash = (url: string) => url.replace(/\/+$/, '')

function readTemplates(
  given: Record<string, z.infer<typeof template>>,
  projectRoot: string,
): Record<TemplateName, Template> {
  const templates = { ...DEFAULT_TEMPLATES }
  for (const name of TEMPLATE_NAMES) {
    const { subject, content_path: path } = given[name] ?? {}
    templates[name] = {
      subject: subject ?? templates[name].subject,
      html: path === undefined ? templates[name].html : readFileSync(resolve(projectRoot, path), 'utf8'),
    }
    checkTemplate(name, templates[name])
  }
  return templates
}

const UNIT_SECONDS: Record<string, number> = { h: 3600, m: 60, s: 1, ms: 1e-3, us: 1e-6, µs: 1e-6, ns: 1e-9 }

/** Returns the seconds of a duration such as "60s", "1m30s" or "24h", or null if the text is not a duration. */
export function parseDuration(text: string): number | null {
  if (!/^(\d+(\.\d+)?(h|ms|m|s|us|µs|ns))+$/.test(text)) return text === '0' ? 0 : null
  let seconds = 0
  for (const [, amount = '', unit = ''] of text.matchAll(/([\d.]+)([a-zµ]+)/g)) {
    seconds += Number(amount) * (UNIT_SECONDS[unit] ?? 0)
  }
  return seconds
}
