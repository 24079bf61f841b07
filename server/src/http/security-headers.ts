// What every page and file of ours is allowed to do in a browser.
import type { MiddlewareHandler } from 'hono'

const CONTENT_SECURITY_POLICY = [
  "default-src 'self'",
  "script-src 'self'",
  // Mantine writes its theme variables into style elements.
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: https://img.logo.dev",
  "font-src 'self'",
  "connect-src 'self' ws: wss:",
  "frame-ancestors 'none'",
  "base-uri 'none'",
  "form-action 'self'",
  "object-src 'none'",
].join('; ')

const HEADERS = {
  'Content-Security-Policy': CONTENT_SECURITY_POLICY,
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'strict-origin-when-cross-origin',
  'Permissions-Policy': 'camera=(), microphone=(), geolocation=()',
  'Cross-Origin-Opener-Policy': 'same-origin',
}

export function securityHeaders({ https }: { https: boolean }): MiddlewareHandler {
  return async (context, next) => {
    await next()
    for (const [name, value] of Object.entries(HEADERS)) {
      if (!context.res.headers.has(name)) context.header(name, value)
    }
    if (https) context.header('Strict-Transport-Security', 'max-age=31536000')
  }
}
