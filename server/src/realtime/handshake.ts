// Decides whether an HTTP upgrade becomes a socket. Refusals are HTTP responses.
import { type IncomingMessage, STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import { clientAddress, networkOf } from '#http/client-address.ts'
import { type Identify, Refused } from '#identity/caller.ts'
import { type Credentials, JoinRefused, toCredentials } from './credentials.ts'
import type { Version } from './frames.ts'

const PATH = '/realtime/v1/websocket'

export interface Admission {
  version: Version
  key: Credentials
  /** The network that per-client limits count by. */
  network: string
}

/** Thrown if the handshake is refused; `status` is the HTTP status. */
export class HandshakeRefused extends Error {
  readonly status: number
  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

/** Parses `/realtime/v1/websocket?apikey=…&vsn=…`. Throws HandshakeRefused. */
export async function admit(
  request: IncomingMessage,
  { identify, trustProxy }: { identify: Identify; trustProxy: boolean },
): Promise<Admission> {
  const asked = [request.url ?? '/', 'http://localhost'] as const
  const url = URL.canParse(...asked) ? new URL(...asked) : undefined
  if (url?.pathname !== PATH) throw new HandshakeRefused(404, 'Not Found')
  const version = url.searchParams.get('vsn') ?? '1.0.0'
  if (version !== '1.0.0' && version !== '2.0.0') {
    throw new HandshakeRefused(403, `Serializer version ${version} is not supported`)
  }
  const network = networkOf(clientAddress(trustProxy, request))
  return { version, key: await readKey(url, request, identify), network }
}

async function readKey(url: URL, request: IncomingMessage, identify: Identify): Promise<Credentials> {
  const headers = new Headers()
  for (const name of ['apikey', 'authorization']) {
    const value = request.headers[name]
    if (typeof value === 'string') headers.set(name, value)
  }
  try {
    const { token, parsed } = await identify(new Request(url, { headers }))
    return toCredentials(token, parsed)
  } catch (error) {
    if (error instanceof Refused)
      throw new HandshakeRefused(error.reason === 'bad token' ? 403 : 401, error.message)
    if (error instanceof JoinRefused) throw new HandshakeRefused(403, error.message)
    throw error
  }
}

/** Responds to the upgrade with a status and `{"error": …}`, and closes the connection. */
export function refuse(socket: Duplex, { status, message }: { status: number; message: string }): void {
  const body = JSON.stringify({ error: message })
  socket.end(
    [
      `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`,
      'Content-Type: application/json',
      `Content-Length: ${Buffer.byteLength(body)}`,
      'Connection: close',
      '',
      body,
    ].join('\r\n'),
  )
}
