// Parses an HTTP request to the Data API: its target, query, body and preferences.
import { RestError } from './errors.ts'
import { liftQuery, SLOT } from './parse/lift.ts'
import { type Payload, parseArguments, parseRows, readBody, refuseDeep } from './parse/payload.ts'
import { capWindow, pageOf, parseWindow, type RowWindow } from './parse/window.ts'
import type { Method, RestRequest } from './prepare.ts'

export interface ReadRequest extends RestRequest {
  window: RowWindow
  /** The path without the prefix, as SQL can read it. */
  path: string
  /** Path and query, safe for a header. */
  address: string
}

const METHODS: readonly string[] = ['GET', 'HEAD', 'POST', 'PATCH', 'DELETE']

/** Parses a request. Checks only its syntax, not the schema. Throws RestError. */
export async function readRequest(
  http: Request,
  { kind, name }: { kind: 'table' | 'routine'; name: string },
  { schemas, maxRows }: { schemas: readonly string[]; maxRows: number },
): Promise<ReadRequest> {
  const { headers } = http
  const method = methodOf(http, kind)
  const parent = kind === 'routine' ? '/rpc/' : '/'
  const reads = method === 'GET' || method === 'HEAD'
  const profile = headers.get(reads ? 'accept-profile' : 'content-profile')
  const queryString = queryOf(http.url)
  const query = liftQuery(queryString, { readArguments: kind === 'routine' && reads })
  for (const { value } of query.parts) refuseDeep(value, 'PGRST100')
  for (const literal of query.literals) refuseDeep(literal ?? '', 'PGRST100')
  const payload = reads || method === 'DELETE' ? undefined : await readPayload(http, kind, query.parts)
  const range = reads ? (headers.get('range') ?? undefined) : undefined
  const window = capWindow(parseWindow({ limit: query.limit, offset: query.offset, range }), maxRows)
  query.literals[SLOT.body] = payload?.json ?? null
  query.literals[SLOT.offset] = String(window.offset)
  return {
    method,
    target: { kind, schema: chooseSchema(profile, schemas), name },
    query,
    prefer: headers.get('prefer') ?? '',
    accept: headers.get('accept') ?? '',
    payload,
    window,
    page: pageOf(window),
    path: `${parent}${name}`,
    address: `${parent}${encodeURIComponent(name)}${queryString === '' ? '' : `?${queryString}`}`,
  }
}

function methodOf({ method }: Request, kind: 'table' | 'routine'): Method {
  if (METHODS.includes(method)) return method as Method
  if (kind === 'routine') throw new RestError('PGRST101', `Cannot use the ${method} method on RPC`)
  throw new RestError('PGRST117', `Unsupported HTTP method: ${method}`)
}

function queryOf(url: string): string {
  const start = url.indexOf('?')
  if (start < 0) return ''
  const end = url.indexOf('#', start)
  return url.slice(start + 1, end < 0 ? undefined : end)
}

async function readPayload(
  http: Request,
  kind: 'table' | 'routine',
  parts: readonly { key: string }[],
): Promise<Payload> {
  const text = await readBody(http)
  if (kind === 'routine') return parseArguments(text)
  return parseRows(text, { anyKeys: parts.some(({ key }) => key === 'columns') })
}

function chooseSchema(profile: string | null, schemas: readonly string[]): string {
  const [first = 'public'] = schemas
  if (profile === null || schemas.includes(profile)) return profile ?? first
  throw new RestError('PGRST106', `Invalid schema: ${profile}`, {
    hint: `Only the following schemas are exposed: ${schemas.join(', ')}`,
  })
}
