/** Whether the site can be reached. No React here: the landing page, which has none, needs it too. */

interface Watched {
  /** Of the backend, without a slash at its end; none until it is known. */
  supabaseUrl?: string
  supabaseAnonKey?: string
}

let watched: Watched | null = null
/** False from when the site was asked in vain until it answers. */
let answering = true
let partsMissing = false
let asking: Promise<boolean> | undefined

/** Lets {@link siteAnswers} ask this site, until what it returns is called. */
export function watchSite(site: Watched): () => void {
  watched = site
  // A device that is back may have another way to the site.
  const trust = () => {
    answering = true
  }
  window.addEventListener('online', trust)
  return () => {
    window.removeEventListener('online', trust)
    watched = null
    trust()
  }
}

// Pages drawn ahead have no window, and nothing to ask.
export const hasConnection = () => globalThis.window?.navigator.onLine ?? false

/** Whether this device has a connection, and the site answers. */
export const isOnline = () => hasConnection() && answering

/**
 * Asks whether the backend is there, and the site where it was a part of the app that did not come; to be called when
 * something was not answered. One that is away is treated as a lost connection, with the same two events, and asked again
 * every two seconds until it is back. Nothing is asked before the site is watched.
 */
export function siteAnswers(ofParts = false): Promise<boolean> {
  if (!watched) return Promise.resolve(isOnline())
  // What is being asked already may leave the site out.
  if (ofParts && asking && !partsMissing) return asking.then(() => siteAnswers(true))
  partsMissing ||= ofParts
  asking ??= ask(watched).finally(() => {
    asking = undefined
  })
  return asking
}

async function ask({ supabaseUrl, supabaseAnonKey = '' }: Watched): Promise<boolean> {
  const found = await Promise.all([
    // A service worker never answers HEAD in the site's place.
    (!partsMissing && supabaseUrl !== undefined) || answers('/config.json', { method: 'HEAD' }),
    !supabaseUrl || answers(`${supabaseUrl}/auth/v1/health`, { headers: { apikey: supabaseAnonKey } }),
  ])
  const now = !found.includes(false)
  if (now) partsMissing = false
  if (watched && now !== answering) {
    answering = now
    window.dispatchEvent(new Event(now ? 'online' : 'offline'))
  }
  // Not all pages in the same moment, when a site is just starting again.
  if (!now) setTimeout(() => answering || void siteAnswers(), 1500 + 1000 * Math.random())
  return now
}

/** Answers from a proxy in the place of a server that is away count as none. */
const answers = (address: string, init: RequestInit): Promise<boolean> =>
  fetch(address, { ...init, cache: 'no-store', signal: AbortSignal.timeout(3000) }).then(
    ({ status }) => status < 502 || status > 504,
    () => false,
  )
