// What every page and file of ours is allowed to do in a browser.
import type { MiddlewareHandler } from 'hono'

interface PageRules {
  /** Where people reach the site. */
  siteUrl: string
  /** From where pictures may come, beside the site itself and the logo service. */
  pictureSources: readonly string[]
}

const HEADERS = {
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'strict-origin-when-cross-origin',
  'Permissions-Policy': 'camera=(), microphone=(), geolocation=()',
  'Cross-Origin-Opener-Policy': 'same-origin',
}

export function securityHeaders(rules: PageRules): MiddlewareHandler {
  const headers = Object.entries({
    ...HEADERS,
    'Content-Security-Policy': writePolicy(rules),
    ...(rules.siteUrl.startsWith('https:') && { 'Strict-Transport-Security': 'max-age=31536000' }),
  })
  return async (context, next) => {
    await next()
    for (const [name, value] of headers) {
      if (!context.res.headers.has(name)) context.header(name, value)
    }
  }
}

function writePolicy({ siteUrl, pictureSources }: PageRules): string {
  return [
    "default-src 'self'",
    "script-src 'self'",
    // Mantine writes its theme variables into style elements.
    "style-src 'self' 'unsafe-inline'",
    ['img-src', "'self'", 'data:', 'https://img.logo.dev', ...pictureSources].join(' '),
    "font-src 'self'",
    // Browsers from before 2022 do not count a websocket to the page's own host as 'self'.
    `connect-src 'self' ${new URL(siteUrl).origin.replace(/^http/, 'ws')}`,
    "frame-ancestors 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "object-src 'none'",
  ].join('; ')
}
