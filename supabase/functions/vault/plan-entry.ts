import { dataKeyOf, openStoredKey, type StoredKey } from './data-keys.ts'
import { BadInput, type Call, sentAs, textOf } from './input.ts'
import { DecryptionFailed, type Label, type Owner, open, type Sealed, seal } from './seal.ts'

/** The sealed access data of a plan; missing parts are left out. */
interface Entry {
  password?: string
  link?: string
  note?: string
}

interface SealedEntry {
  version: number
  sealed: Sealed
}

const LONGEST = { password: 200, link: 500, note: 500 } as const

/** Everything is opened for the requested plan, whatever owner the database reports. */
const ownerOf = (plan: string): Owner => ({ kind: 'plan', id: plan })
const labelOf = (plan: string, version: number): Label => ({ kind: 'plan', id: plan, version })

/**
 * Stores a plan's access data as its next version: `{ plan, password, link, note, keep }`. With `keep`, empty fields are copied
 * from the previous version.
 */
export async function savePlanEntry({ siteKeys, ask, store, body }: Call): Promise<unknown> {
  const plan = textOf(body, 'plan')
  const fresh: Entry = { ...passwordIn(body), ...linkIn(body), ...noteIn(body) }
  if (Object.keys(fresh).length === 0) throw new BadInput('Enter a password, a link or a note')
  const place = (await ask('prepare_vault_entry', { p_subscription_id: plan })) as {
    author: string
    version: number
    key: StoredKey | null
    current: SealedEntry | null
  }
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

/** Opens a plan's access data: `{ plan, version }`, the newest if no version is given. */
export async function openPlanEntry({ siteKeys, ask, body }: Call): Promise<Entry & { version: number }> {
  const plan = textOf(body, 'plan')
  const { version, sealed, key } = (await ask('open_vault_entry', {
    p_subscription_id: plan,
    p_version: sentAs(body, 'version') ?? null,
  })) as SealedEntry & { key: StoredKey | null }
  if (!key) throw new DecryptionFailed()
  const dataKey = await openStoredKey(siteKeys, key, ownerOf(plan))
  return { version, ...(await open<Entry>(dataKey, sealed, labelOf(plan, version))) }
}

/** A password is stored as typed: trailing white space may be part of it. */
function passwordIn(body: unknown): Entry {
  const typed = sentAs(body, 'password')
  if (typeof typed !== 'string' || typed.trim() === '') return {}
  if (typed.length > LONGEST.password)
    throw new BadInput(`A password can be at most ${LONGEST.password} characters`)
  if (/\p{Cc}/u.test(typed)) throw new BadInput('The password holds a character that cannot be typed')
  return { password: typed }
}

/** The link must lead where it appears to: no other protocol, and no user name before the host. */
function linkIn(body: unknown): Entry {
  const typed = textOf(body, 'link')
  if (typed === '') return {}
  if (typed.length > LONGEST.link) throw new BadInput(`A link can be at most ${LONGEST.link} characters`)
  const url = URL.canParse(typed) ? new URL(typed) : undefined
  // Other letters look alike, as they are or in punycode; invisible ones turn text around.
  if (
    !url ||
    !/^https:\/\/[^/?#@]+\.[a-z]+(:\d+)?[/?#]/.test(url.href) ||
    /(^|\.)xn--/.test(url.hostname) ||
    /\p{C}/u.test(typed)
  )
    throw new BadInput('Enter the whole link, beginning with https://')
  return { link: url.href }
}

function noteIn(body: unknown): Entry {
  const note = textOf(body, 'note')
  if (note.length > LONGEST.note) throw new BadInput(`A note can be at most ${LONGEST.note} characters`)
  return note === '' ? {} : { note }
}
