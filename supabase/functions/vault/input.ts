import type { Answer, Arguments, FunctionName } from '../_shared/database.ts'
import type { SiteKey } from './seal.ts'

export interface Call {
  siteKeys: SiteKey[]
  /** Calls a function of the database as the caller. */
  ask: <Name extends FunctionName>(name: Name, body: Arguments<Name>) => Promise<Answer<Name>>
  /** Calls a function of the database with the service role, for functions that only the vault may call. */
  store: <Name extends FunctionName>(name: Name, body: Arguments<Name>) => Promise<Answer<Name>>
  /** The body of the request; undefined if it was not JSON. */
  body: unknown
}

/** Returns the field `name` of the body, or null. The database refuses a value of another type than its argument's. */
export const sentAs = <Value = unknown>(body: unknown, name: string): Value | null =>
  typeof body === 'object' && body !== null
    ? ((body as Record<string, Value | undefined>)[name] ?? null)
    : null

/** Returns the string field `name`, trimmed; empty if the body has no such string. */
export function textOf(body: unknown, name: string): string {
  const value = sentAs(body, name)
  return typeof value === 'string' ? value.trim() : ''
}
