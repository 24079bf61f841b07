import type { SiteKey } from './seal.ts'

/** What a caller sent and may mend; the message is for a person. */
export class BadInput extends Error {}

/** One call of the function. */
export interface Call {
  siteKeys: SiteKey[]
  /** Calls a function of the database as the caller. */
  ask: (name: string, body: Record<string, unknown>) => Promise<unknown>
  /** Calls one that is for this function alone. */
  store: (name: string, body: Record<string, unknown>) => Promise<unknown>
  /** As sent; undefined when it was no JSON. */
  body: unknown
}

/** What a body holds as `name`. */
export const sentAs = (body: unknown, name: string): unknown =>
  typeof body === 'object' && body !== null ? (body as Record<string, unknown>)[name] : undefined

/** The text called `name`, without white space around it. */
export function textOf(body: unknown, name: string): string {
  const value = sentAs(body, name)
  return typeof value === 'string' ? value.trim() : ''
}
