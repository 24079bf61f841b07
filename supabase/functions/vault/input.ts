import type { SiteKey } from './seal.ts'

export interface Call {
  siteKeys: SiteKey[]
  /** Calls a function of the database as the caller. */
  ask: (name: string, body: Record<string, unknown>) => Promise<unknown>
  /** Calls a function of the database with the service role, for functions that only the vault may call. */
  store: (name: string, body: Record<string, unknown>) => Promise<unknown>
  /** The body of the request; undefined if it was not JSON. */
  body: unknown
}

/** Returns the field `name` of the body. */
export const sentAs = (body: unknown, name: string): unknown =>
  typeof body === 'object' && body !== null ? (body as Record<string, unknown>)[name] : undefined

/** Returns the string field `name`, trimmed; empty if the body has no such string. */
export function textOf(body: unknown, name: string): string {
  const value = sentAs(body, name)
  return typeof value === 'string' ? value.trim() : ''
}
