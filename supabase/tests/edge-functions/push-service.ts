// A push service, and a browser that subscribed with it. It decrypts messages according to RFC 8291 with its own code,
// and accepts only those signed with the key of the subscription (RFC 8292).
import { createDecipheriv, createECDH, createPublicKey, hkdfSync, randomBytes, verify } from 'node:crypto'
import { createServer, type IncomingMessage } from 'node:http'
import { listen } from '../../../server/test/free-port.ts'

const ORIGIN = 'https://updates.push.services.mozilla.com'

export interface PushService {
  url: string
  /** The notifications that each device showed; `device` is the end of its endpoint. */
  shown: { device: string; payload: unknown }[]
  /** The response to messages for a device, in place of accepting them. */
  answers: Record<string, number>
  /** The site's public key. */
  key: string
  close(): Promise<void>
}

export function newBrowser(device: string) {
  const pair = createECDH('prime256v1')
  pair.generateKeys()
  const auth = randomBytes(16)
  return {
    device,
    endpoint: `${ORIGIN}/wpush/v2/${device}`,
    pair,
    p256dh: pair.getPublicKey('base64url'),
    auth,
  }
}
export type Browser = ReturnType<typeof newBrowser>

export async function openPushService(browsers: readonly Browser[]): Promise<PushService> {
  const server = createServer(async (request, response) => {
    const device = request.url?.split('/').at(-1) ?? ''
    const browser = browsers.find((one) => one.device === device)
    const body = Buffer.concat(await request.toArray())
    const status = service.answers[device]
    if (status !== undefined) return response.writeHead(status, { Location: '/elsewhere' }).end('No')
    if (!browser) return response.writeHead(404).end()
    try {
      checkSignature(request, service.key)
      service.shown.push({ device, payload: JSON.parse(open(body, browser)) })
      response.writeHead(201).end()
    } catch (error) {
      response.writeHead(403).end(String(error))
    }
  })
  const service: PushService = {
    url: await listen(server),
    shown: [],
    answers: {},
    key: '',
    close: () => new Promise((done) => server.close(() => done())),
  }
  return service
}

function checkSignature({ headers }: IncomingMessage, key: string): void {
  const [, token = '', signer = ''] = /^vapid t=(\S+), k=(\S+)$/.exec(headers.authorization ?? '') ?? []
  const [head = '', claims = '', signature = ''] = token.split('.')
  const point = Buffer.from(signer, 'base64url')
  const [x = '', y = ''] = [point.subarray(1, 33), point.subarray(33)].map((half) =>
    half.toString('base64url'),
  )
  const publicKey = createPublicKey({ format: 'jwk', key: { kty: 'EC', crv: 'P-256', x, y } })
  const signed = Buffer.from(signature, 'base64url')
  const said = JSON.parse(Buffer.from(claims, 'base64url').toString())
  const inTime = said.exp > Date.now() / 1000 && said.exp < Date.now() / 1000 + 24 * 60 * 60
  if (signer !== key) throw new Error('signed with another key')
  if (
    !verify('sha256', Buffer.from(`${head}.${claims}`), { key: publicKey, dsaEncoding: 'ieee-p1363' }, signed)
  )
    throw new Error('not signed with it')
  if (said.aud !== ORIGIN || !inTime || !/^(mailto|https):/.test(said.sub))
    throw new Error(`claims ${claims}`)
  if (headers['content-encoding'] !== 'aes128gcm' || !(Number(headers.ttl) > 0)) throw new Error('headers')
}

function open(body: Buffer, { pair, auth }: Browser): string {
  const [salt, length] = [body.subarray(0, 16), body[20] ?? 0]
  const [from, sealed] = [body.subarray(21, 21 + length), body.subarray(21 + length)]
  const derive = (secret: Uint8Array, by: Uint8Array, info: Uint8Array, bytes: number) =>
    Buffer.from(hkdfSync('sha256', secret, by, info, bytes))
  const about = Buffer.concat([Buffer.from('WebPush: info\0'), pair.getPublicKey(), from])
  const shared = derive(pair.computeSecret(from), auth, about, 32)
  const key = derive(shared, salt, Buffer.from('Content-Encoding: aes128gcm\0'), 16)
  const nonce = derive(shared, salt, Buffer.from('Content-Encoding: nonce\0'), 12)
  const cipher = createDecipheriv('aes-128-gcm', key, nonce).setAuthTag(sealed.subarray(-16))
  const opened = Buffer.concat([cipher.update(sealed.subarray(0, -16)), cipher.final()])
  // The last record ends in the byte 2, then padding.
  return opened.subarray(0, opened.lastIndexOf(2)).toString()
}
