// Decides which redirect URLs a mailed link may use. The tokens of the new session are appended to that URL, so an
// untrusted destination would receive them.
import { isIP } from 'node:net'
import type { Context } from 'hono'
import picomatch from 'picomatch'
import type { AuthSettings } from './auth-settings.ts'

/** Returns the requested URL if it is allowed, otherwise the site's own. */
export type ChooseRedirect = (context: Context) => string

// Supabase's wildcards stop at dots, but picomatch's do not: `https://*.example.com` must match one label only.
const WILDCARDS: Record<string, string> = { '**': '[\\s\\S]*', '*': '[^./]*', '?': '[^./]' }

const MATCHING = {
  dot: true,
  regex: true,
  nonegate: true,
  noextglob: true,
  nobrace: true,
  fastpaths: false,
  strictSlashes: true,
}

export function createRedirects(
  settings: Pick<AuthSettings, 'siteUrl' | 'additionalRedirectUrls'>,
): ChooseRedirect {
  const isAllowed = createAllowList(settings)
  return ({ req }) => {
    const wanted = req.header('redirect_to') || req.query('redirect_to') || req.header('referer') || ''
    return isAllowed(wanted) ? wanted : settings.siteUrl
  }
}

export function createAllowList(
  settings: Pick<AuthSettings, 'siteUrl' | 'additionalRedirectUrls'>,
): (wanted: string) => boolean {
  const site = new URL(settings.siteUrl)
  const listed = settings.additionalRedirectUrls.map((glob) =>
    picomatch(
      glob.replace(/\*\*|\*|\?/g, (wildcard) => WILDCARDS[wildcard] ?? wildcard),
      MATCHING,
    ),
  )
  return (wanted) => {
    const url = parseUnambiguous(wanted)
    if (!url) return false
    if (isSameSite(url, site)) return true
    const address = url.hostname.replace(/^\[|\]$/g, '')
    if (isIP(address) > 0) return isLoopbackAddress(address) && /^https?:$/.test(url.protocol)
    return listed.some((matches) => matches(wanted.replace(/#.*$/s, '')))
  }
}

/**
 * Parses the URL. Returns null if it may not lead where it seems to: it has a user name, backslashes, an IP address in
 * decimal or hexadecimal, or a script scheme.
 */
function parseUnambiguous(wanted: string): URL | null {
  // A URL contains no white space or control characters; parsing would drop them silently.
  if (!/^[\x21-\x7e\u00a0-\uffff]+$/.test(wanted) || !URL.canParse(wanted)) return null
  const url = new URL(wanted)
  if (/^(javascript|data|vbscript|blob|file):$/.test(url.protocol)) return null
  const start = `${url.protocol}//${url.hostname}`
  const looksLikeIt = wanted.toLowerCase().startsWith(start) && /^($|[/?#:])/.test(wanted.slice(start.length))
  return looksLikeIt ? url : null
}

const isSameSite = (url: URL, site: URL) =>
  url.protocol === site.protocol &&
  url.hostname === site.hostname &&
  (url.port === site.port || site.hostname === 'localhost' || isLoopbackAddress(site.hostname))

const isLoopbackAddress = (host: string) =>
  host === '::1' || host === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(host)
