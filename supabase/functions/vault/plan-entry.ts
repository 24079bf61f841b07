import { BadInput } from '../_shared/bad-input.ts'
import { LIMITS } from '../_shared/limits.ts'
import { dataKeyOf, openStoredKey, type StoredKey } from './data-keys.ts'
import { type Call, sentAs, textOf } from './input.ts'
import { DecryptionFailed, type Label, type Owner, open, type Sealed, type SiteKey, seal } from './seal.ts'

/**
 * The content of one sealed version: a plan's access data, without the parts that the owner has not entered; or its
 * account login, which is empty after the owner has removed it.
 */
interface Entry {
  login?: string
  password?: string
  link?: string
  note?: string
}

interface SealedEntry {
  version: number
  sealed: Sealed
}

type Part = 'access' | 'login'

interface Place {
  author: string
  version: number
  key: StoredKey | null
  current: SealedEntry | null
}

/** The seal has the requested plan as its owner, so the sealed data of another plan cannot be opened in its place. */
const ownerOf = (plan: string): Owner => ({ kind: 'plan', id: plan })
const labelOf = (plan: string, version: number, part: Part = 'access'): Label => ({
  kind: part === 'login' ? 'plan-login' : 'plan',
  id: plan,
  version,
})

/**
 * Stores a plan's access data, `{ plan, password, link, note, keep }`, as its next version. With `keep`, empty fields
 * are copied from the previous version.
 */
export async function savePlanEntry({ siteKeys, ask, store, body }: Call): Promise<unknown> {
  const plan = textOf(body, 'plan')
  const fresh: Entry = { ...passwordIn(body), ...linkIn(body), ...noteIn(body) }
  if (Object.keys(fresh).length === 0) throw new BadInput('access_missing')
  const place = (await ask('prepare_vault_entry', { p_subscription_id: plan })) as Place
  const { current, version } = place
  const { key, fresh: newKey } = await dataKeyOf(siteKeys, place.key, ownerOf(plan))
  const before =
    current && sentAs(body, 'keep') === true
      ? await open<Entry>(key, current.sealed, labelOf(plan, current.version))
      : {}
  return store('save_vault_entry', {
    p_author_id: place.author,
    p_subscription_id: plan,
    p_version: version,
    p_sealed: await seal(key, { ...before, ...fresh }, labelOf(plan, version)),
    p_key: newKey,
  })
}

/** Stores a plan's account login, `{ plan, login }`, as its next version. An empty login removes it. */
export async function savePlanLogin({ siteKeys, ask, store, body }: Call): Promise<{ login: string | null }> {
  const plan = textOf(body, 'plan')
  const login = textOf(body, 'login')
  if (login.length > LIMITS.longestLoginName) throw new BadInput('text_too_long', LIMITS.longestLoginName)
  if (/\p{C}/u.test(login)) throw new BadInput('character_invisible')
  const place = (await ask('prepare_vault_entry', { p_subscription_id: plan, p_part: 'login' })) as Place
  const { key, fresh } = await dataKeyOf(siteKeys, place.key, ownerOf(plan))
  await store('save_vault_entry', {
    p_author_id: place.author,
    p_subscription_id: plan,
    p_version: place.version,
    p_sealed: await seal(key, { login }, labelOf(plan, place.version, 'login')),
    p_key: fresh,
    p_part: 'login',
  })
  return { login: login || null }
}

/** Returns the account login of a plan, `{ plan }`; null if there is none that the caller may see. */
export async function openPlanLogin({ siteKeys, ask, body }: Call): Promise<{ login: string | null }> {
  const plan = textOf(body, 'plan')
  const found = (await ask('open_vault_login', { p_subscription_id: plan })) as StoredEntry | null
  return { login: (found && (await openEntry(siteKeys, plan, { ...found, part: 'login' })).login) || null }
}

/** Opens a plan's access data, `{ plan, version }`; the default is the newest version. An older one may be a login. */
export async function openPlanEntry({ siteKeys, ask, body }: Call): Promise<Entry & { version: number }> {
  const plan = textOf(body, 'plan')
  const found = (await ask('open_vault_entry', {
    p_subscription_id: plan,
    p_version: sentAs<number>(body, 'version'),
  })) as StoredEntry
  return { version: found.version, ...(await openEntry(siteKeys, plan, found)) }
}

interface PlaceEntry {
  plan: string
  access: StoredEntry
  login: StoredEntry | null
}

/**
 * Opens a plan's access data and login for a guest, `{ secret, pin }`: the secret of the link to the place, and the PIN
 * that the owner has told. With a wrong PIN, returns the number of tries that are `left`.
 */
export async function openPlaceAccess({ siteKeys, ask, body }: Call): Promise<Entry | { left: number }> {
  const found = (await ask('open_place_access', {
    p_secret: textOf(body, 'secret'),
    p_pin: textOf(body, 'pin'),
  })) as PlaceEntry | { left: number }
  if ('left' in found) return found
  const { plan, access, login } = found
  return {
    ...(login && (await openEntry(siteKeys, plan, login))),
    ...(await openEntry(siteKeys, plan, access)),
  }
}

type StoredEntry = SealedEntry & { part: Part; key: StoredKey | null }

async function openEntry(siteKeys: SiteKey[], plan: string, { version, part, sealed, key }: StoredEntry) {
  if (!key) throw new DecryptionFailed()
  const dataKey = await openStoredKey(siteKeys, key, ownerOf(plan))
  return open<Entry>(dataKey, sealed, labelOf(plan, version, part))
}

/** Reads the password, which is stored as typed, because trailing white space may be part of it. */
function passwordIn(body: unknown): Entry {
  const typed = sentAs(body, 'password')
  if (typeof typed !== 'string' || typed.trim() === '') return {}
  if (typed.length > LIMITS.longestPassword) throw new BadInput('text_too_long', LIMITS.longestPassword)
  if (/\p{Cc}/u.test(typed)) throw new BadInput('character_invisible')
  return { password: typed }
}

/** Reads the link, which must lead where it appears to: it has the protocol https, and no user name before the host. */
function linkIn(body: unknown): Entry {
  const typed = textOf(body, 'link')
  if (typed === '') return {}
  if (typed.length > LIMITS.longestAccessLink) throw new BadInput('text_too_long', LIMITS.longestAccessLink)
  const url = URL.canParse(typed) ? new URL(typed) : undefined
  // Letters outside ASCII may look like ASCII letters, directly or in punycode. Invisible characters can reverse text.
  if (
    !url ||
    !/^https:\/\/[^/?#@]+\.[a-z]+(:\d+)?[/?#]/.test(url.href) ||
    /(^|\.)xn--/.test(url.hostname) ||
    /\p{C}/u.test(typed)
  )
    throw new BadInput('access_link_invalid')
  return { link: url.href }
}

function noteIn(body: unknown): Entry {
  const note = textOf(body, 'note')
  if (note.length > LIMITS.longestAccessNote) throw new BadInput('text_too_long', LIMITS.longestAccessNote)
  return note === '' ? {} : { note }
}
