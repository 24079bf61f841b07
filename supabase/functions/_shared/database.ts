// Calls functions of the database from an Edge Function.
import type { Database, Json } from '../../database.types.ts'

type Functions = Database['public']['Functions']
export type FunctionName = keyof Functions & string

/** Whatever the caller expects: the generated types do not describe JSON. */
type AnyJson = Awaited<ReturnType<Response['json']>>
type Value<Generated> = Json extends Generated ? AnyJson : Generated

type Given<Value> = Json extends Value ? unknown : Value extends (infer Item)[] ? readonly Item[] : Value
/** The arguments of a function. Any may be null, which the generated types do not show. */
export type Arguments<Name extends FunctionName> = [Functions[Name]['Args']] extends [never]
  ? Record<string, never>
  : { [Key in keyof Functions[Name]['Args']]: Given<Functions[Name]['Args'][Key]> | null }

type Row<Generated> = { [Column in keyof Generated]: Value<Generated[Column]> }
/** What a function returns. Any column may be null, too. */
export type Answer<Name extends FunctionName> = Functions[Name]['Returns'] extends (infer One extends
  object)[]
  ? Row<One>[]
  : Value<Functions[Name]['Returns']>

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
export async function callDatabase<Name extends FunctionName>(
  name: Name,
  body: Arguments<Name>,
  authorization?: string,
  headers: Record<string, string> = {},
): Promise<Answer<Name>> {
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
  return (answer.status === 204 ? undefined : await answer.json()) as Answer<Name>
}
