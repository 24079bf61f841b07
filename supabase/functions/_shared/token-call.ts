// Calls of the Data API by people's own programs. SQL decides what a token may call (private.admit_api_token); this adds the
// ticket it gives.
import { callDatabase, onBehalfOf } from './database.ts'

/** As the database stores it, in hexadecimal. */
export async function hashOf(token: string): Promise<string> {
  const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(token))
  return Array.from(new Uint8Array(hash), (byte) => byte.toString(16).padStart(2, '0')).join('')
}

/** Who takes turns for all programs of a person. */
export const programsOf = (userId: string) => `programs:${userId}`

/**
 * Sends one request, such as `GET /messages?limit=1`, as the token's person. Throws `Refused` if the token may not. Whoever guesses
 * tokens takes turns with others at their `address`; the programs of one person take turns together (`programsOf`).
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
  const turns = onBehalfOf(programsOf(ticket.split(':')[0]))
  for (const [name, value] of Object.entries(turns)) headers.set(name, value)
  return fetch(`${Deno.env.get('SUPABASE_URL')}/rest/v1${path}`, { method, headers, body })
}
