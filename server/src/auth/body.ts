// Reads request bodies as Supabase Auth does: JSON regardless of content type, null treated as absent. Also validates
// e-mail addresses and passwords.
import type { Context } from 'hono'
import { z } from 'zod'
import { findWeakness, LONGEST_PASSWORD, type PasswordRules } from '#identity/passwords.ts'
import { badJson, invalid, weakPassword } from './errors.ts'

/** A text field; if it is absent or null, it is read as ''. */
export const text = z
  .string()
  .nullish()
  .transform((value) => value ?? '')
export const flag = (unset: boolean) =>
  z
    .boolean()
    .nullish()
    .transform((value) => value ?? unset)
/** Metadata is part of every token, so it must be small: at most 16 KB of JSON. */
export const isSmall = (value: Record<string, unknown>) => JSON.stringify(value).length <= 16_384
export const metadata = z
  .record(z.string(), z.unknown())
  .refine(isSmall, 'is larger than 16 KB')
  .nullish()
  .transform((value) => value ?? {})
/** PKCE fields of a request, sent by clients that want the link to return a code instead of tokens. */
export const pkce = { code_challenge: text, code_challenge_method: text }

const DEEPEST = 50

/** Returns the body, validated against the schema. Throws 400 bad_json. */
export async function readBody<S extends z.ZodType>(context: Context, schema: S): Promise<z.infer<S>> {
  const parsed = schema.safeParse(parseJson(await context.req.text()))
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  throw badJson([issue?.path.join('.'), issue?.message].filter(Boolean).join(': '))
}

function parseJson(json: string): unknown {
  let value: unknown
  try {
    value = JSON.parse(json)
  } catch {
    throw badJson(json === '' ? 'the body is empty' : 'it is not valid JSON')
  }
  // Postgres and JSON.stringify both fail on very deep nesting, each at its own depth.
  if (nestsDeeperThan(DEEPEST, value)) throw badJson(`it nests deeper than ${DEEPEST} levels`)
  return value
}

const nestsDeeperThan = (levels: number, value: unknown): boolean =>
  typeof value === 'object' &&
  value !== null &&
  (levels === 0 || Object.values(value).some((inner) => nestsDeeperThan(levels - 1, inner)))

// The HTML standard's definition of an e-mail address, as in Supabase Auth.
const ADDRESS = z.regexes.html5Email
const LONGEST = 255

/** Returns the address in lower case. Throws 400 validation_failed if it is not an e-mail address. */
export function readEmail(given: string): string {
  if (given === '') throw invalid('An email address is required')
  if (given.length > LONGEST) throw invalid('An email address is too long')
  // Checked before lower-casing, which maps some non-ASCII letters to ASCII.
  if (!ADDRESS.test(given)) throw invalid('Unable to validate email address: invalid format')
  return given.toLowerCase()
}

/** Returns the address in lower case for looking up an account, or null if no account can have this address. */
export const emailToLookUp = (given: string): string | null =>
  given.length <= LONGEST && ADDRESS.test(given) ? given.toLowerCase() : null

/** Throws 400 if the password is longer than bcrypt can hash. */
export function requireStorablePassword(password: string): void {
  if (Buffer.byteLength(password) > LONGEST_PASSWORD) {
    throw invalid(`Password cannot be longer than ${LONGEST_PASSWORD} characters`)
  }
}

/** Throws 400 if the password is too long to store, or 422 weak_password with the reasons. */
export function requireGoodPassword(password: string, rules: PasswordRules): void {
  requireStorablePassword(password)
  const weakness = findWeakness(password, rules)
  if (weakness) throw weakPassword(weakness)
}
