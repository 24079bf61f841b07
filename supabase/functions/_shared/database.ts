// Calls functions of the database from an Edge Function.

/** Thrown if the database answers with an error, whose message is meant for clients. */
export class Refused extends Error {
  readonly status: number
  readonly body: unknown
  constructor(name: string, status: number, body: unknown) {
    super(`${name} answered ${status}: ${JSON.stringify(body)}`)
    this.status = status
    this.body = body
  }
  /** Returns the same error as a response to the function's caller. */
  answer(headers: Record<string, string> = {}): Response {
    const later = this.status === 503 && { 'Retry-After': '1' }
    return Response.json(this.body, { status: this.status, headers: { ...headers, ...later } })
  }
}

/**
 * Returns headers with which our server counts a call towards the fair share of `whom`: a person's IP address or other
 * proven identity.
 */
export const onBehalfOf = (whom: string): Record<string, string> => {
  const key = Deno.env.get('ON_BEHALF_KEY')
  return key === undefined ? {} : { 'x-on-behalf-of': `${key} ${whom}` }
}

/** Returns the IP address from which a request to a function came; empty for a Unix socket. */
export const addressOf = (remote: { hostname: string } | { path: string }): string =>
  'hostname' in remote ? remote.hostname : ''

/** Calls a database function with the service key or, with the `authorization` header of a request, as its caller. */
export async function callDatabase(
  name: string,
  body: Record<string, unknown>,
  authorization?: string,
  headers: Record<string, string> = {},
) {
  const key =
    Deno.env.get(authorization === undefined ? 'SUPABASE_SERVICE_ROLE_KEY' : 'SUPABASE_ANON_KEY') ?? ''
  const answer = await fetch(`${Deno.env.get('SUPABASE_URL')}/rest/v1/rpc/${name}`, {
    method: 'POST',
    headers: {
      apikey: key,
      'Content-Type': 'application/json',
      ...headers,
      ...(authorization !== undefined && { Authorization: authorization }),
    },
    body: JSON.stringify(body),
  })
  if (!answer.ok) throw new Refused(name, answer.status, await answer.json().catch(() => null))
  return answer.status === 204 ? undefined : answer.json()
}
