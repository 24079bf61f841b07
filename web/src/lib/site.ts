/** Whether the site can be reached. Without React, because the landing page, which has none, uses it too. */

interface Watched {
  /** The backend's URL, without a slash at the end; undefined until it is known. */
  supabaseUrl?: string
  supabaseAnonKey?: string
}

let watched: Watched | null = null
/** False once a request to the site has failed, until one succeeds. */
let answering = true
let partsMissing = false
let asking: Promise<boolean> | undefined

/** Lets siteAnswers() send requests to this site, until the returned function is called. */
export function watchSite(site: Watched): () => void {
  watched = site
  // A device that has a connection again may have another way to the site.
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

// Prerendering has no window.
export const hasConnection = () => globalThis.window?.navigator.onLine ?? false

/** True if this device has a connection and the site responds. */
export const isOnline = () => hasConnection() && answering

/**
 * Checks whether the backend responds, and with `ofParts` also the site itself; to be called after a request without
 * response or when a part of the app failed to load. A server that does not respond is treated as a lost connection:
 * the events `offline` and `online` are sent, and it is checked about every two seconds until it responds. Before
 * {@link watchSite} nothing is checked.
 */
export function siteAnswers(ofParts = false): Promise<boolean> {
  if (!watched) return Promise.resolve(isOnline())
  // A check that is already running may have started before the parts were wanted: another follows it.
  if (ofParts && asking && !partsMissing) return asking.then(() => siteAnswers(true))
  partsMissing ||= ofParts
  asking ??= ask(watched).finally(() => {
    asking = undefined
  })
  return asking
}

async function ask({ supabaseUrl, supabaseAnonKey = '' }: Watched): Promise<boolean> {
  const found = await Promise.all([
    // The service worker never answers HEAD requests itself.
    (!partsMissing && supabaseUrl !== undefined) || answers('/config.json', { method: 'HEAD' }),
    !supabaseUrl || answers(`${supabaseUrl}/auth/v1/health`, { headers: { apikey: supabaseAnonKey } }),
  ])
  const now = !found.includes(false)
  if (now) partsMissing = false
  if (watched && now !== answering) {
    answering = now
    window.dispatchEvent(new Event(now ? 'online' : 'offline'))
  }
  // The random delay spreads the requests of all open pages when a site is just starting again.
  if (!now) setTimeout(() => answering || void siteAnswers(), 1500 + 1000 * Math.random())
  return now
}

/** True if a server responds. A gateway's 502 to 504 means that the server behind it is unavailable. */
const answers = (address: string, init: RequestInit): Promise<boolean> =>
  fetch(address, { ...init, cache: 'no-store', signal: AbortSignal.timeout(3000) }).then(
    ({ status }) => status < 502 || status > 504,
    () => false,
  )
