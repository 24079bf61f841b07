// Reads request bodies the way Supabase Auth does: JSON whatever the content type says, null like absent.
import type { Context } from 'hono'
import { z } from 'zod'
import { badJson, invalid } from './errors.ts'

/** Absent, null and '' mean the same. */
export const text = z
  .string()
  .nullish()
  .transform((value) => value ?? '')
export const flag = (unset: boolean) =>
  z
    .boolean()
    .nullish()
    .transform((value) => value ?? unset)
/** Metadata travels in every token, so it has to stay small: 16 KB of JSON. */
export const isSmall = (value: Record<string, unknown>) => JSON.stringify(value).length <= 16_384
export const metadata = z
  .record(z.string(), z.unknown())
  .refine(isSmall, 'is larger than 16 KB')
  .nullish()
  .transform((value) => value ?? {})
/** Sent by clients that want a code in place of tokens in the link. */
export const pkce = { code_challenge: text }

const DEEPEST = 50

/** The body in the schema's shape; throws 400 bad_json. */
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
  // Postgres and JSON.stringify both give up on bottomless nesting, at depths of their own.
  if (nestsDeeperThan(DEEPEST, value)) throw badJson(`it nests deeper than ${DEEPEST} levels`)
  return value
}

const nestsDeeperThan = (levels: number, value: unknown): boolean =>
  typeof value === 'object' &&
  value !== null &&
  (levels === 0 || Object.values(value).some((inner) => nestsDeeperThan(levels - 1, inner)))

/** Links of this server carry tokens in the fragment; a client that waits for a code would wait forever. */
export function refusePkce({ code_challenge }: { code_challenge: string }): void {
  if (code_challenge !== '') throw invalid('The PKCE flow is not available here, use the implicit flow')
}
