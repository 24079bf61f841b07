import { callDatabase } from '../_shared/database.ts'
import type { Call } from './input.ts'
import {
  BadKey,
  DecryptionFailed,
  makeDataKey,
  type Owner,
  openDataKey,
  rewrapDataKey,
  type SiteKey,
} from './seal.ts'

/** A data key as the database stores it. */
export interface StoredKey {
  wrapped: string
  /** The name of the site's key with which this data key is sealed. */
  siteKey: string
}

const named = (siteKeys: SiteKey[], name: string) => siteKeys.find((one) => one.name === name)

export async function openStoredKey(
  siteKeys: SiteKey[],
  stored: StoredKey,
  owner: Owner,
): Promise<CryptoKey> {
  const site = named(siteKeys, stored.siteKey)
  if (!site) throw new DecryptionFailed()
  return openDataKey(site, stored.wrapped, owner)
}

/** Returns an owner's data key. If none is stored, creates one; `fresh` is the new key, encrypted for storage. */
export async function dataKeyOf(
  siteKeys: SiteKey[],
  stored: StoredKey | null,
  owner: Owner,
): Promise<{ key: CryptoKey; fresh: StoredKey | null }> {
  if (stored) return { key: await openStoredKey(siteKeys, stored, owner), fresh: null }
  // On a new site, the first key of VAULT_KEY becomes the site's key. After that, only a rotation changes it.
  const name = await callDatabase('begin_vault', { p_site_key: siteKeys[0]?.name ?? null })
  const site = named(siteKeys, String(name))
  if (!site) throw new Error('VAULT_KEY lacks the key that the database names as the present one')
  const { key, wrapped } = await makeDataKey(site, owner)
  return { key, fresh: { wrapped, siteKey: site.name } }
}

/** Re-encrypts a data key. An unreadable one is returned unchanged, so that the rotation of the others continues. */
const rewrapIfReadable: typeof rewrapDataKey = (from, to, wrapped, owner) =>
  rewrapDataKey(from, to, wrapped, owner).catch((error) => {
    if (error instanceof DecryptionFailed) return wrapped
    throw error
  })

/**
 * Throws BadKey if secrets are sealed with a key that VAULT_KEY lacks. Only the service role may call this; the server
 * does so at its start.
 */
export async function check({ siteKeys, ask }: Call): Promise<object> {
  const missing = (await ask('missing_vault_keys', { p_site_keys: siteKeys.map(({ name }) => name) })) as {
    name: string
    count: number
  }[]
  const [first] = missing
  if (first)
    throw new BadKey(
      `VAULT_KEY lacks the key ${first.name}, with which ${first.count} data keys in the database are sealed: it is the key of another site, or was changed without a rotation`,
    )
  return {}
}

const AT_ONCE = 500

/**
 * Makes the first key of VAULT_KEY the site's key: new data keys are encrypted with it from now on, and existing ones
 * are re-encrypted. Secrets that are encrypted with a data key do not change. Only the service role may call this, as
 * the database checks.
 */
export async function rotate(call: Call): Promise<{ siteKey: string; rewrapped: number }> {
  const { siteKeys, ask } = call
  const [to] = siteKeys
  if (!to) throw new Error('VAULT_KEY holds no key')
  // Check this before anything changes, because without the earlier keys, no data key could be re-encrypted.
  await check(call)
  let count = 0
  for (;;) {
    const old = (await ask('rotate_vault_keys', { p_site_key: to.name, p_limit: AT_ONCE })) as (StoredKey & {
      id: string
      owner: Owner
    })[]
    if (old.length === 0) return { siteKey: to.name, rewrapped: count }
    const keys = await Promise.all(
      old.map(async ({ id, owner, wrapped, siteKey }) => {
        const from = named(siteKeys, siteKey)
        if (!from) throw new BadKey(`VAULT_KEY lacks the key ${siteKey}, with which secrets are sealed`)
        return { id, from: wrapped, wrapped: await rewrapIfReadable(from, to, wrapped, owner) }
      }),
    )
    await ask('rewrap_vault_keys', { p_site_key: to.name, p_keys: keys })
    count += keys.length
  }
}
