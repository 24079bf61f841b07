import type { Database } from '@potluck/supabase/types'
import type { SupabaseClient } from '@supabase/supabase-js'
import * as z from 'zod/mini'
import { type Config, config } from './config.ts'
import { AppError, isRetryable, SESSION_ENDED, toAppError, unwrap } from './errors.ts'
import { siteAnswers } from './site.ts'

export type Client = SupabaseClient<Database>
type Functions = Database['public']['Functions']
type Tables = Database['public']['Tables']
/** Any argument of a function may be null, which the generated types do not show. */
type Nullable<Args> = [Args] extends [never]
  ? Record<string, never>
  : { [Name in keyof Args]: Args[Name] | null }

let current: Client | undefined
let onEnded: (token: string) => void = () => undefined

/** All in ms; reconnecting waits longer with each try. */
const realtime = {
  heartbeatIntervalMs: 30_000,
  timeout: 10_000,
  reconnectAfterMs: (tries: number) => [1000, 2000, 5000][tries - 1] ?? 10_000,
}

/**
 * Connects the app to its backend. Implicit flow, session in local storage. Loads the client only now, so that a visitor
 * who only reads never waits for it; rejects if it cannot be loaded.
 */
export async function connectSupabase({ supabaseUrl, supabaseAnonKey }: Config): Promise<Client> {
  const { createClient } = await import('@supabase/supabase-js')
  aside = undefined
  current = createClient<Database>(supabaseUrl, supabaseAnonKey, {
    auth: {
      flowType: 'implicit',
      persistSession: true,
      autoRefreshToken: true,
      detectSessionInUrl: true,
      experimental: { recoveryCodes: true },
    },
    global: { fetch: fetchNoting },
    realtime,
  })
  return current
}

let aside: Client | undefined

/** A second client with a session of its own, to sign in again without touching the first. */
export async function supabaseAside(): Promise<Client> {
  const { createClient } = await import('@supabase/supabase-js')
  const { supabaseUrl, supabaseAnonKey } = config()
  aside ??= createClient<Database>(supabaseUrl, supabaseAnonKey, {
    auth: { persistSession: false, autoRefreshToken: false, detectSessionInUrl: false, storageKey: 'aside' },
  })
  return aside
}

/** Calls back with the token whenever the Data API answers that its session has ended. */
export function whenSessionEnds(tell: (token: string) => void): void {
  onEnded = tell
}

/** In ms: how far the clock of this device is ahead of the server's, as of the last session given out. */
let clockAhead = 0
export const howFarAhead = () => clockAhead

const givenSchema = z.object({ expires_in: z.number(), expires_at: z.number() })

/**
 * A session that the auth service gives out ends by the clock of the server. The client and the app compare its end with the
 * clock of this device, so it is told by that: a device whose clock is an hour ahead would take it for over.
 */
async function toldByThisClock(answer: Response): Promise<Response> {
  const body: unknown = await answer
    .clone()
    .json()
    .catch(() => null)
  const { data } = givenSchema.safeParse(body)
  if (!data) return answer
  const now = Math.round(Date.now() / 1000)
  clockAhead = (now - (data.expires_at - data.expires_in)) * 1000
  const { status, headers } = answer
  return new Response(JSON.stringify({ ...(body as object), expires_at: now + data.expires_in }), {
    status,
    headers,
  })
}

const fetchNoting: typeof fetch = async (input, init) => {
  const answered = await fetchNotingLoss(input, init)
  const isFromAuth = answered.ok && String(input instanceof Request ? input.url : input).includes('/auth/v1/')
  const answer = isFromAuth ? await toldByThisClock(answered) : answered
  if (answer.status === 401) {
    const problem: unknown = await answer
      .clone()
      .json()
      .catch(() => null)
    const token = new Headers(init?.headers).get('authorization') ?? ''
    if (toAppError(problem).code === SESSION_ENDED) onEnded(token.replace(/^Bearer /i, ''))
  }
  return answer
}

/** Asks whether the site is still there when a request was not answered. */
const fetchNotingLoss: typeof fetch = async (input, init) => {
  try {
    const answer = await fetch(input, init)
    if (isRetryable(answer)) void siteAnswers()
    return answer
  } catch (problem) {
    if (isRetryable(problem)) void siteAnswers()
    throw problem
  }
}

/** The connected client. Throws before {@link connectSupabase}, which is a bug in the start order. */
export function supabase(): Client {
  if (!current) throw new Error('The backend was used before it was connected.')
  return current
}

/**
 * A table to read from, without the client's own retries: the query cache decides about those, and three tries each would
 * multiply.
 */
export function read<Name extends keyof Tables & string>(table: Name) {
  const rows = supabase().from<Name, Tables[Name]>(table)
  rows.retry = false
  return rows
}

/**
 * Reads a table or calls a function as a visitor, without the client. `query` is that of the Data API. Returns the raw
 * answer; throws an AppError with the server's own code. What visitors share may be two seconds old, which is too old for
 * whoever follows changes, as the app does once there is a client.
 */
export async function readPublic(
  table: (keyof Tables & string) | `rpc/${keyof Functions & string}`,
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
  // A proxy between us and the server may answer in its own words.
  const body: unknown = await answer.json().catch(() => ({ message: answer.statusText }))
  if (answer.ok) return body
  const { code, message } = toAppError(body)
  throw new AppError(code, message, { status, cause: body })
}

/** Functions that tell every visitor the same. */
const ALIKE = new Set<string>([
  ...(['market_plans', 'market_plan', 'count_available_plans'] as const),
  ...(['plan_of_code', 'get_person', 'reviews_of'] as const),
] satisfies (keyof Functions)[])

/** Its arguments as an address has them; undefined if one would read as a filter (`in.x`), or the function changes something. */
function asQuery(name: string, args: Record<string, unknown>): Record<string, string> | undefined {
  if (!ALIKE.has(name)) return undefined
  const given = Object.entries(args).flatMap(([key, value]) => (value == null ? [] : [[key, String(value)]]))
  if (given.some(([, value]) => /^[a-z]+[.(]/i.test(value ?? ''))) return undefined
  return Object.fromEntries(given)
}

/**
 * Calls a database function and returns its result; throws an AppError with the function's own code and message. Works
 * without the client too, as a visitor.
 */
export async function rpc<Name extends keyof Functions & string>(
  name: Name,
  args: Nullable<Functions[Name]['Args']>,
  signal?: AbortSignal,
): Promise<Functions[Name]['Returns']> {
  if (!current) {
    const query = asQuery(name, args)
    if (query) return readPublic(`rpc/${name}`, query, signal) as never
    return fetchAsVisitor(`rpc/${name}`, { method: 'POST', body: JSON.stringify(args) }, signal) as never
  }
  const call = current.rpc(name, args as Functions[Name]['Args'])
  return unwrap(await (signal ? call.abortSignal(signal) : call))
}
