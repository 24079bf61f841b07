import { LIMITS } from '@potluck/supabase/limits'
import type { Database } from '@potluck/supabase/types'
import type { SupabaseClient } from '@supabase/supabase-js'
import { config } from './config.ts'
import { AppError, isRetryable, toAppError, unwrap } from './errors.ts'
import { siteAnswers } from './site.ts'

export type AppClient = SupabaseClient<Database>
type Functions = Database['public']['Functions']
type Tables = Database['public']['Tables']
/** Any argument of a function may be null, which the generated types do not show. */
type Nullable<Args> = [Args] extends [never]
  ? Record<string, never>
  : { [Name in keyof Args]: Args[Name] | null }

let current: AppClient | undefined

/** Sets the app's client. Until then, everything is read as a visitor, without a client. */
export function setClient(client: AppClient): void {
  current = client
}

/** fetch that checks whether the site responds after a request without response. */
export const fetchNotingLoss: typeof fetch = async (input, init) => {
  try {
    const answer = await fetch(input, init)
    if (isRetryable(answer)) void siteAnswers()
    return answer
  } catch (problem) {
    if (isRetryable(problem)) void siteAnswers()
    throw problem
  }
}

/** The connected client. Throws before {@link setClient}, which is a bug in the start order. */
export function supabase(): AppClient {
  if (!current) throw new Error('The backend was used before it was connected.')
  return current
}

/**
 * A table to read from, without the client's own retries: the query cache already retries, and the client would try
 * three times for each of the cache's tries.
 */
export function read<Name extends keyof Tables & string>(table: Name) {
  const rows = supabase().from<Name, Tables[Name]>(table)
  rows.retry = false
  return rows
}

/**
 * Reads a table or calls a function as a visitor, without the client. `query` contains the Data API's query parameters.
 * Returns the parsed body; throws an AppError with the server's own code. Shared responses for visitors may be two
 * seconds old, which is too old for following live changes; the app does that with the client.
 */
export async function readPublic(
  table: (typeof LIMITS.sharedReads)[number],
  query: Record<string, string>,
  signal?: AbortSignal,
): Promise<unknown> {
  const init = current ? ({ cache: 'no-store' } as const) : {}
  return fetchAsVisitor(`${table}?${new URLSearchParams(query)}`, init, signal)
}

async function fetchAsVisitor(address: string, init: RequestInit, signal?: AbortSignal): Promise<unknown> {
  const { supabaseUrl, supabaseAnonKey: apikey } = config()
  const headers = { apikey, ...(init.body && { 'content-type': 'application/json' }) }
  const answer = await fetchNotingLoss(`${supabaseUrl}/rest/v1/${address}`, {
    ...init,
    headers,
    ...(signal && { signal }),
  })
  const { status } = answer
  // A proxy in front of the server may respond with a page instead of JSON.
  const body: unknown = await answer.json().catch(() => ({ message: answer.statusText }))
  if (answer.ok) return body
  const { code, message } = toAppError(body)
  throw new AppError(code, message, { status, cause: body })
}

/** A function's arguments as query parameters; undefined if a value would be read as a filter (`in.x`). */
function asQuery(args: Record<string, unknown>): Record<string, string> | undefined {
  const given = Object.entries(args).flatMap(([key, value]) => (value == null ? [] : [[key, String(value)]]))
  if (given.some(([, value]) => /^[a-z]+[.(]/i.test(value ?? ''))) return undefined
  return Object.fromEntries(given)
}

/**
 * Calls a database function and returns its result; throws an AppError with the function's own code and message.
 * Without the client, calls it as a visitor.
 */
export async function rpc<Name extends keyof Functions & string>(
  name: Name,
  args: Nullable<Functions[Name]['Args']>,
  signal?: AbortSignal,
): Promise<Functions[Name]['Returns']> {
  if (!current) {
    // Uses GET, so that visitors can share the response.
    const shared = LIMITS.sharedReads.find((read) => read === `rpc/${name}`)
    const query = shared && asQuery(args)
    if (query) return readPublic(shared, query, signal) as never
    return fetchAsVisitor(`rpc/${name}`, { method: 'POST', body: JSON.stringify(args) }, signal) as never
  }
  const call = current.rpc(name, args as Functions[Name]['Args'])
  return unwrap(await (signal ? call.abortSignal(signal) : call))
}
