// Encrypts a notification for its device, and sends it to the push service of the device's browser.
import { Buffer } from 'node:buffer'
import { createECDH } from 'node:crypto'
import webPush from 'web-push'
import { languages } from '../_shared/words/languages.ts'
import { named } from '../_shared/words/plan-names.ts'
import { render } from '../_shared/words/render.ts'

/** A row of `lease_due_pushes()`. */
export interface DuePush {
  /** Identifies the subject. A notification replaces an earlier one about the same subject. */
  about: string
  session_id: string
  attempt: number
  endpoint: string
  p256dh: string
  auth: string
  title: string
  message: string
  /** The page that the notification opens. */
  path: string
  /** The event, for texts in the reader's language; `title` and `message` are in English. */
  event: string | null
  params: Record<string, unknown>
  language: string | null
  time_zone: string
}

export interface Sender {
  publicKey: string
  privateKey: string
  /** An https or mailto URL. */
  subject: string
}

export interface Failure {
  message: string
  /** `gone`: the device no longer exists. `final`: retrying is pointless. */
  outcome: 'again' | 'final' | 'gone'
}

interface Sealed {
  headers: Record<string, string>
  body: Uint8Array<ArrayBuffer>
}

/** How long a push service keeps a push, in seconds. A device that is off for longer never shows the push. */
const KEPT = 24 * 60 * 60
const SECOND = 1000

/** Derives VAPID's key pair from the private key, 32 random bytes in base64. Returns an error if that is invalid. */
export function readKeys(secret = ''): Pick<Sender, 'publicKey' | 'privateKey'> | Error {
  const bytes = Buffer.from(secret, 'base64')
  if (bytes.length !== 32)
    return new Error(
      'VAPID_PRIVATE_KEY must hold 32 random bytes in base64, such as `openssl rand -base64 32` prints',
    )
  const pair = createECDH('prime256v1')
  pair.setPrivateKey(bytes)
  return { publicKey: pair.getPublicKey('base64url'), privateKey: bytes.toString('base64url') }
}

/** Sends a push; returns the failure if it fails. In tests, the push is sent to the URL `insteadAt`. */
export async function send(push: DuePush, sender: Sender, insteadAt?: string): Promise<Failure | undefined> {
  const sealed = seal(push, sender)
  if ('outcome' in sealed) return sealed
  const { pathname, search } = new URL(push.endpoint)
  try {
    const answer = await fetch(insteadAt ? new URL(`${pathname}${search}`, insteadAt) : push.endpoint, {
      method: 'POST',
      ...sealed,
      // The push may go only to the URL that the database gives, so redirects are not followed.
      redirect: 'manual',
      signal: AbortSignal.timeout(10 * SECOND),
    })
    const said = (await answer.text()).slice(0, 200)
    return answer.ok ? undefined : { message: `${answer.status} ${said}`, outcome: outcomeOf(answer.status) }
  } catch (error) {
    return { message: String(error), outcome: 'again' }
  }
}

/** Returns the push as a signed request, encrypted for its device. Fails if the device's key is invalid. */
function seal(push: DuePush, sender: Sender): Sealed | Failure {
  const { endpoint, p256dh, auth, about: id, path } = push
  // A test notification is shown even if the page is open.
  const isTest = id === push.session_id
  try {
    const { headers, body } = webPush.generateRequestDetails(
      { endpoint, keys: { p256dh, auth } },
      JSON.stringify({ id, ...inWords(push), path, isTest }),
      // A topic has at most 32 characters. While a device is off, a push service keeps only the last push of a topic.
      { TTL: KEPT, vapidDetails: sender, topic: id.replaceAll('-', '') },
    )
    const { 'Content-Length': _counted, ...others } = headers as Record<string, string | number>
    const written = Object.entries(others).map(([name, value]) => [name, String(value)])
    return { headers: Object.fromEntries(written), body: new Uint8Array(body) }
  } catch (error) {
    return { message: String(error), outcome: 'final' }
  }
}

/** Returns the texts in the reader's language if they are translated, otherwise in English. */
function inWords({ title, message, event, params, language, time_zone: zone }: DuePush) {
  const words = languages[language ?? '']?.events[event ?? '']
  const say = (part: 'title' | 'message', otherwise: string) =>
    (language &&
      words?.[part] &&
      render(words[part], named(params, language), { language, zone })?.slice(0, 300)) ||
    otherwise
  return { title: say('title', title), message: say('message', message) }
}

const outcomeOf = (status: number): Failure['outcome'] =>
  [404, 410].includes(status) ? 'gone' : [400, 413].includes(status) ? 'final' : 'again'
