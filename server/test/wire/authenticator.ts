// A software authenticator that can also misbehave, for example sign for other pages or count backwards.
import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto'
import { isoCBOR } from '@simplewebauthn/server/helpers'

const [PRESENT, VERIFIED, ELIGIBLE, BACKED_UP, ATTESTED] = [0x01, 0x04, 0x08, 0x10, 0x40]

/** Ways in which an authenticator can deviate from correct behaviour. */
export interface Twist {
  origin?: string
  site?: string
  type?: string
  /** Flags to leave out. */
  without?: number
  counter?: number
  /** The challenge to sign in place of the given one. */
  challenge?: string
  /** Adds an attestation, which only some sites request. */
  attested?: boolean
}
export const FLAGS = { PRESENT, VERIFIED }

export interface Authenticator {
  id: string
  /** Responds to navigator.credentials.create(). */
  create(options: { challenge: string; user: { id: string } }, twist?: Twist): Created
  /** Responds to navigator.credentials.get(), and increments the counter of an authenticator that counts. */
  get(options: { challenge: string }, twist?: Twist): Used
}

const encode = (value: Uint8Array | string) => Buffer.from(value).toString('base64url')
const sha256 = (value: Uint8Array | string) => createHash('sha256').update(value).digest()

export type Created = ReturnType<typeof created>
export type Used = ReturnType<typeof used>
const created = (id: string, clientDataJSON: string, attestationObject: string) => ({
  id,
  rawId: id,
  type: 'public-key' as const,
  response: { clientDataJSON, attestationObject, transports: ['internal' as const] },
  clientExtensionResults: {},
})
const used = (
  id: string,
  response: Record<'clientDataJSON' | 'authenticatorData' | 'signature' | 'userHandle', string>,
) => ({
  id,
  rawId: id,
  type: 'public-key' as const,
  response,
  clientExtensionResults: {},
  authenticatorAttachment: 'platform' as const,
})

/**
 * Creates an authenticator. With `counting` it counts uses like a security key; synchronised passkeys always report 0.
 */
export function newAuthenticator(
  { site, origin }: { site: string; origin: string },
  { counting = true, aaguid = '00000000-0000-0000-0000-000000000000' } = {},
): Authenticator {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
  const rawId = randomBytes(32)
  const id = encode(rawId)
  let count = 0
  let userHandle = ''

  const clientData = (type: string, asked: string, twist: Twist) =>
    JSON.stringify({
      type: twist.type ?? type,
      challenge: twist.challenge ?? asked,
      origin: twist.origin ?? origin,
      crossOrigin: false,
    })
  const authenticatorData = (flags: number, twist: Twist, more = Buffer.alloc(0)) => {
    const head = Buffer.alloc(5)
    head.writeUInt8((flags | PRESENT | VERIFIED | ELIGIBLE | BACKED_UP) & ~(twist.without ?? 0))
    head.writeUInt32BE(twist.counter ?? count, 1)
    return Buffer.concat([sha256(twist.site ?? site), head, more])
  }

  return {
    id,
    create({ challenge, user }, twist = {}) {
      userHandle = user.id
      const key = isoCBOR.encode(
        new Map<number, number | Uint8Array>([
          [1, 2],
          [3, -7],
          [-1, 1],
          [-2, Uint8Array.from(Buffer.from(x, 'base64url'))],
          [-3, Uint8Array.from(Buffer.from(y, 'base64url'))],
        ]),
      )
      const length = Buffer.alloc(2)
      length.writeUInt16BE(rawId.length)
      const make = Buffer.from(aaguid.replaceAll('-', ''), 'hex')
      const authData = authenticatorData(ATTESTED, twist, Buffer.concat([make, length, rawId, key]))
      const json = clientData('webauthn.create', challenge, twist)
      const sig = Uint8Array.from(sign('sha256', Buffer.concat([authData, sha256(json)]), privateKey))
      const statement: [string, number | Uint8Array][] = twist.attested
        ? [
            ['alg', -7],
            ['sig', sig],
          ]
        : []
      const object = isoCBOR.encode(
        new Map<string, string | Uint8Array | Map<string, number | Uint8Array>>([
          ['fmt', twist.attested ? 'packed' : 'none'],
          ['attStmt', new Map(statement)],
          ['authData', Uint8Array.from(authData)],
        ]),
      )
      return created(id, encode(json), encode(object))
    },
    get({ challenge }, twist = {}) {
      if (counting) count += 1
      const data = authenticatorData(0, twist)
      const json = clientData('webauthn.get', challenge, twist)
      return used(id, {
        clientDataJSON: encode(json),
        authenticatorData: encode(data),
        signature: encode(sign('sha256', Buffer.concat([data, sha256(json)]), privateKey)),
        userHandle,
      })
    },
  }
}
