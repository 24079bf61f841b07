// The backend's client for people who sign in. Kept apart from supabase.ts, which the landing page loads for visitors.
import type { Database } from '@potluck/supabase/types'
import * as z from 'zod/mini'
import { type Config, config } from './config.ts'
import { SESSION_ENDED, toAppError } from './errors.ts'
import { type AppClient, fetchNotingLoss, setClient } from './supabase.ts'

let onEnded: (token: string) => void = () => undefined

/** In ms; the wait before reconnecting grows with each try. */
const realtime = {
  heartbeatIntervalMs: 30_000,
  timeout: 10_000,
  reconnectAfterMs: (tries: number) => [1000, 2000, 5000][tries - 1] ?? 10_000,
}

/**
 * Connects the app to its backend, with the implicit flow and the session in local storage. Loads the client only now,
 * so that visitors do not wait for it; rejects if it cannot be loaded.
 */
export async function connectSupabase({ supabaseUrl, supabaseAnonKey }: Config): Promise<AppClient> {
  const { createClient } = await import('@supabase/supabase-js')
  aside = undefined
  const client = createClient<Database>(supabaseUrl, supabaseAnonKey, {
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
  setClient(client)
  return client
}

let aside: AppClient | undefined

/** A second client with its own session, for signing in again without touching the first. */
export async function supabaseAside(): Promise<AppClient> {
  const { createClient } = await import('@supabase/supabase-js')
  const { supabaseUrl, supabaseAnonKey } = config()
  aside ??= createClient<Database>(supabaseUrl, supabaseAnonKey, {
    auth: { persistSession: false, autoRefreshToken: false, detectSessionInUrl: false, storageKey: 'aside' },
  })
  return aside
}

/** Sets the function that is called with the token whenever the Data API answers that its session has ended. */
export function whenSessionEnds(tell: (token: string) => void): void {
  onEnded = tell
}

/** How far this device's clock is ahead of the server's, in ms, measured when the last session was issued. */
let clockAhead = 0
export const howFarAhead = () => clockAhead

const givenSchema = z.object({ expires_in: z.number(), expires_at: z.number() })

/**
 * Rewrites the expiry of a session in an auth response from the server's clock to this device's clock. The client and
 * the app compare the expiry with the device's clock; a device an hour ahead would take a new session for expired.
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
