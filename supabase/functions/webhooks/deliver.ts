// Signs one delivery according to the Standard Webhooks specification, and sends it.
import { Webhook } from 'standardwebhooks'
import { fetchOutside } from '../_shared/outside.ts'
import { openStoredKey, type StoredKey } from '../vault/data-keys.ts'
import { open, type SiteKey } from '../vault/seal.ts'
import { type SealedWebhook, webhookLabel } from '../vault/webhook.ts'

/** A row of `lease_due_deliveries()`. */
export interface DueDelivery {
  id: string
  attempt: number
  payload: { type: string; timestamp: string; data: object }
  webhook_id: string
  owner_id: string
  version: number
  sealed: string
  /** The previous version; null unless its secret is still used for signing. */
  old_sealed: string | null
  key: StoredKey
}

export interface Outcome {
  status: number | null
  /** Null if the delivery was accepted. */
  error: string | null
  answer: string | null
  ms: number
  /** The time that the receiver asks us to wait, in seconds. */
  retryAfter: number | null
}

const TIMEOUT_MS = 15_000
const MAX_BYTES = 1024

export async function deliver(delivery: DueDelivery, siteKeys: SiteKey[]): Promise<Outcome> {
  const began = Date.now()
  const outcome = (rest: Partial<Outcome>): Outcome => ({
    ...{ status: null, error: null, answer: null, retryAfter: null, ms: Date.now() - began },
    ...rest,
  })
  try {
    const [now, before] = await secretsOf(delivery, siteKeys)
    const { type, timestamp, data } = delivery.payload
    const body = JSON.stringify({ type, timestamp, data })
    const at = new Date(began)
    const signatures = [now, before].flatMap((one) =>
      one ? [new Webhook(one.secret).sign(delivery.id, at, body)] : [],
    )
    const {
      status,
      headers,
      body: said,
    } = await fetchOutside(now.url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'user-agent': 'Potluck-Webhooks/1',
        'webhook-id': delivery.id,
        'webhook-timestamp': String(Math.floor(began / 1000)),
        'webhook-signature': signatures.join(' '),
      },
      body,
      timeoutMs: TIMEOUT_MS,
      maxBytes: MAX_BYTES,
    })
    const isAccepted = status >= 200 && status < 300
    return outcome({
      status,
      error: isAccepted ? null : `Answered ${status}`,
      // Postgres cannot store null characters.
      answer: withoutSecrets(new TextDecoder().decode(said).replaceAll('\0', ''), now.url),
      retryAfter: secondsIn(headers['retry-after']),
    })
  } catch (error) {
    return outcome({ error: error instanceof Error ? error.message : String(error) })
  }
}

async function secretsOf({ key, ...delivery }: DueDelivery, siteKeys: SiteKey[]) {
  const opens = await openStoredKey(siteKeys, key, { kind: 'person', id: delivery.owner_id })
  const { webhook_id: id, version, sealed, old_sealed: old } = delivery
  return Promise.all([
    open<SealedWebhook>(opens, sealed, webhookLabel(id, version)),
    old === null ? null : open<SealedWebhook>(opens, old, webhookLabel(id, version - 1)),
  ])
}

/**
 * Removes secrets from a receiver's answer, which is stored unencrypted: receivers like ntfy repeat the secret part of
 * the URL.
 */
function withoutSecrets(said: string, address: string): string {
  const { pathname, search } = new URL(address)
  const parts = [...pathname.split('/'), ...search.slice(1).split(/[&=]/)]
  return parts
    .flatMap((part) => [part, decoded(part)])
    .filter((part) => part.length >= 8)
    .sort((one, other) => other.length - one.length)
    .reduce((text, part) => text.replaceAll(part, '…'), said)
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

/** Parses the header Retry-After, which is a number of seconds or a date. */
function secondsIn(header: string | undefined): number | null {
  if (!header) return null
  const seconds = /^\d{1,9}$/.test(header) ? Number(header) : (Date.parse(header) - Date.now()) / 1000
  return Number.isFinite(seconds) ? Math.max(0, Math.min(86_400, Math.ceil(seconds))) : null
}
