// What our pages and files may do in a browser.
import { join } from 'node:path'
import type { MiddlewareHandler } from 'hono'
import { secureHeaders } from 'hono/secure-headers'
import { z } from 'zod'
import { readJson } from '#config.ts'

const origins = z.array(z.url({ protocol: /^https$/ }).transform((address) => new URL(address).origin))

/** External hosts from which the pages of a web build load pictures, listed in its picture-sources.json. */
export const readPictureSources = (webDir: string): string[] =>
  readJson(join(webDir, 'picture-sources.json'), origins, [])

export function securityHeaders(siteUrl: string, pictureSources: readonly string[]): MiddlewareHandler {
  return secureHeaders({
    // A page with a policy of its own keeps it.
    overwrite: false,
    contentSecurityPolicy: {
      defaultSrc: ["'self'"],
      scriptSrc: ["'self'"],
      // Mantine writes its theme variables into style elements.
      styleSrc: ["'self'", "'unsafe-inline'"],
      imgSrc: ["'self'", 'data:', ...pictureSources],
      fontSrc: ["'self'"],
      // Browsers from before 2022 do not count a websocket to the page's own host as 'self'.
      connectSrc: ["'self'", new URL(siteUrl).origin.replace(/^http/, 'ws')],
      frameAncestors: ["'none'"],
      baseUri: ["'none'"],
      formAction: ["'self'"],
      objectSrc: ["'none'"],
    },
    // Other sites may embed our pictures, as previews of shared links do.
    crossOriginResourcePolicy: false,
    strictTransportSecurity: siteUrl.startsWith('https:') && 'max-age=31536000',
    xFrameOptions: 'DENY',
    referrerPolicy: 'strict-origin-when-cross-origin',
    permissionsPolicy: { camera: [], microphone: [], geolocation: [] },
  })
}
