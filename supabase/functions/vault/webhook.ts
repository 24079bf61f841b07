import { Buffer } from 'node:buffer'
import { BadInput } from '../_shared/bad-input.ts'
import { outsideUrl } from '../_shared/outside.ts'
import { dataKeyOf, type StoredKey } from './data-keys.ts'
import { type Call, sentAs, textOf } from './input.ts'
import { type Label, type Owner, open, seal } from './seal.ts'

/** The sealed part of a webhook. Anybody who knows its URL could post to it, so the URL is sealed like the secret. */
export interface SealedWebhook {
  url: string
  /** In the format of the specification: whsec_ and base64. */
  secret: string
}

export const webhookLabel = (id: string, version: number): Label => ({ kind: 'webhook', id, version })

const LONGEST_URL = 1000

interface Place {
  owner: Owner
  key: StoredKey | null
  /** The webhook's current version, if there is one. */
  current: { id: string; version: number; sealed: string } | null
}

/** Creates a webhook from `{ name, url, events }`. Its secret is in the response and can never be read again. */
export async function makeWebhook({
  siteKeys,
  ask,
  store,
  body,
}: Call): Promise<{ id: string; secret: string }> {
  const url = urlIn(textOf(body, 'url'))
  const place = (await ask('prepare_webhook', {})) as Place
  const { key, fresh } = await dataKeyOf(siteKeys, place.key, place.owner)
  const [id, secret] = [crypto.randomUUID(), makeSecret()]
  await store('save_webhook', {
    p_user_id: place.owner.id,
    p_id: id,
    p_version: 1,
    p_sealed: await seal(key, { url: url.href, secret } satisfies SealedWebhook, webhookLabel(id, 1)),
    p_key: fresh,
    p_name: textOf(body, 'name'),
    p_host: url.host,
    p_events: sentAs(body, 'events') ?? [],
  })
  return { id, secret }
}

/** Gives the webhook `{ id }` a new secret. For a while, deliveries are signed with the old secret as well. */
export async function rotateWebhook({ siteKeys, ask, store, body }: Call): Promise<{ secret: string }> {
  const {
    owner,
    key: stored,
    current,
  } = (await ask('prepare_webhook', { p_id: textOf(body, 'id') })) as Place
  if (!current) throw new BadInput('webhook_not_found')
  const { key, fresh } = await dataKeyOf(siteKeys, stored, owner)
  const { url } = await open<SealedWebhook>(key, current.sealed, webhookLabel(current.id, current.version))
  const [secret, version] = [makeSecret(), current.version + 1]
  await store('save_webhook', {
    p_user_id: owner.id,
    p_id: current.id,
    p_version: version,
    p_sealed: await seal(key, { url, secret } satisfies SealedWebhook, webhookLabel(current.id, version)),
    p_key: fresh,
  })
  return { secret }
}

/** Creates a secret of 32 random bytes; the specification asks for 24 to 64. */
const makeSecret = () => `whsec_${Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString('base64')}`

function urlIn(typed: string): URL {
  if (typed.length > LONGEST_URL) throw new BadInput('text_too_long', LONGEST_URL)
  return outsideUrl(typed, Deno.env.get('PRIVATE_HOSTS'))
}
