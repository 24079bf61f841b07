// Calls of the Data API by people's own programs. SQL decides which calls a token may make (private.admit_api_token)
// and returns a ticket; this file adds the ticket to the call.
import { callDatabase, onBehalfOf } from './database.ts'

/** Returns the token's hash in hexadecimal, as the database stores it. */
export async function hashOf(token: string): Promise<string> {
  const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(token))
  return Array.from(new Uint8Array(hash), (byte) => byte.toString(16).padStart(2, '0')).join('')
}

/** Returns the key of the fair share that all programs of one person have together (see `onBehalfOf`). */
export const programsOf = (userId: string) => `programs:${userId}`

/**
 * Sends one request, such as `GET /messages?limit=1`, as the token's person. Throws `Refused` if the token may not make
 * it. The lookup of the token counts towards the fair share of the IP address `address`, which slows down guessing of
 * tokens; the request itself counts towards the share of the person's programs.
 */
export async function callAsToken(
  token: string,
  method: string,
  path: string,
  address: string,
  body: BodyInit | null = null,
  asked: HeadersInit = { 'content-type': 'application/json' },
): Promise<Response> {
  const ticket = await callDatabase(
    'admit_api_token',
    { p_token_hash: await hashOf(token), p_request: `${method} ${path.split('?')[0]}` },
    undefined,
    onBehalfOf(address),
  )
  const headers = new Headers(asked)
  headers.set('apikey', Deno.env.get('SUPABASE_ANON_KEY') ?? '')
  headers.set('x-potluck-ticket', ticket)
  const turns = onBehalfOf(programsOf(ticket.split(':')[0] ?? ''))
  for (const [name, value] of Object.entries(turns)) headers.set(name, value)
  return fetch(`${Deno.env.get('SUPABASE_URL')}/rest/v1${path}`, { method, headers, body })
}
