// Encrypts and decrypts secrets. A sealed secret is bound to its label (kind, id, version) by its additional
// authenticated data, and to its owner by the data key. Each owner has one data key, which is stored encrypted with the
// site's key.
import { Buffer } from 'node:buffer'

/** A text with the format version, the nonce and the ciphertext. */
export type Sealed = string

/** The owner of the secrets that a data key encrypts. */
export interface Owner {
  kind: 'person' | 'plan'
  id: string
}

/** Identifies a secret. A text that was sealed with one label cannot be opened with another. */
export interface Label {
  kind: 'bank-account' | 'plan' | 'plan-login' | 'tax-details' | 'webhook'
  id: string
  version: number
}

/** One of the site's keys, named by a part of its hash. */
export interface SiteKey {
  name: string
  key: CryptoKey
}

/** Thrown if the stored text was not sealed by this site with this label and key. */
export class DecryptionFailed extends Error {
  constructor(what = 'It') {
    super(`${what} does not open: it was changed, or sealed for another place or with another key`)
  }
}

/** Thrown if VAULT_KEY is invalid. */
export class BadKey extends Error {}

const FORM = 'v1'
const NONCE_BYTES = 12
const KEY_BYTES = 32
const AES = 'AES-GCM'

/** Parses VAULT_KEY: one key, or several keys separated by commas while the site changes to the first one. */
export async function readSiteKeys(text: string | undefined): Promise<SiteKey[]> {
  const keys = (text ?? '').split(',').map((part) => fromBase64(part.trim()))
  if (keys.some((bytes) => bytes?.length !== KEY_BYTES))
    throw new BadKey(
      'VAULT_KEY must hold 32 random bytes in base64, such as `openssl rand -base64 32` prints',
    )
  return Promise.all(
    keys.map(async (bytes) => {
      const key = bytes as Uint8Array<ArrayBuffer>
      const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', key))
      return { name: toBase64(hash.slice(0, 9)), key: await importKey(key) }
    }),
  )
}

/** Creates a data key for this owner. `wrapped` is the key encrypted with the site's key. */
export async function makeDataKey(site: SiteKey, owner: Owner): Promise<{ key: CryptoKey; wrapped: Sealed }> {
  const bytes = crypto.getRandomValues(new Uint8Array(KEY_BYTES))
  return { key: await importKey(bytes), wrapped: await encrypt(site.key, bytes, ofOwner(owner)) }
}

export async function openDataKey(site: SiteKey, wrapped: Sealed, owner: Owner): Promise<CryptoKey> {
  return importKey(await decrypt(site.key, wrapped, ofOwner(owner)))
}

/** Re-encrypts a data key with another key of the site. */
export async function rewrapDataKey(
  from: SiteKey,
  to: SiteKey,
  wrapped: Sealed,
  owner: Owner,
): Promise<Sealed> {
  return encrypt(to.key, await decrypt(from.key, wrapped, ofOwner(owner)), ofOwner(owner))
}

export async function seal(key: CryptoKey, secret: unknown, label: Label): Promise<Sealed> {
  return encrypt(key, new TextEncoder().encode(JSON.stringify(secret)), ofLabel(label))
}

export async function open<Secret>(key: CryptoKey, sealed: Sealed, label: Label): Promise<Secret> {
  return JSON.parse(new TextDecoder().decode(await decrypt(key, sealed, ofLabel(label))))
}

const ofOwner = ({ kind, id }: Owner) => JSON.stringify(['data key', kind, id])
const ofLabel = ({ kind, id, version }: Label) => JSON.stringify([kind, id, version])

const importKey = (bytes: Uint8Array<ArrayBuffer>) =>
  crypto.subtle.importKey('raw', bytes, AES, false, ['encrypt', 'decrypt'])

async function encrypt(key: CryptoKey, plain: Uint8Array<ArrayBuffer>, bound: string): Promise<Sealed> {
  const iv = crypto.getRandomValues(new Uint8Array(NONCE_BYTES))
  const additionalData = new TextEncoder().encode(bound)
  const sealed = await crypto.subtle.encrypt({ name: AES, iv, additionalData }, key, plain)
  return [FORM, toBase64(iv), toBase64(new Uint8Array(sealed))].join('.')
}

async function decrypt(key: CryptoKey, sealed: Sealed, bound: string): Promise<Uint8Array<ArrayBuffer>> {
  const [form, nonce = '', text = ''] = sealed.split('.')
  const [iv, bytes] = [fromBase64(nonce), fromBase64(text)]
  if (form !== FORM || iv?.length !== NONCE_BYTES || !bytes) throw new DecryptionFailed()
  const additionalData = new TextEncoder().encode(bound)
  return crypto.subtle.decrypt({ name: AES, iv, additionalData }, key, bytes).then(
    (plain) => new Uint8Array(plain),
    () => {
      throw new DecryptionFailed()
    },
  )
}

const toBase64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64url')

/** Decodes a text in either base64 alphabet, padded or not; returns undefined for any other text. */
const fromBase64 = (text: string): Uint8Array<ArrayBuffer> | undefined =>
  /^[\w+/-]+={0,2}$/.test(text) ? Uint8Array.from(Buffer.from(text, 'base64')) : undefined
