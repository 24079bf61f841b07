// Security headers that restrict what our pages and files can do in a browser.
import { join } from 'node:path'
import type { MiddlewareHandler } from 'hono'
import { secureHeaders } from 'hono/secure-headers'
import { z } from 'zod'
import { readJson } from '#config.ts'

const origins = z.array(z.url({ protocol: /^https$/ }).transform((address) => new URL(address).origin))

/** Returns the external hosts from which the pages of a web build load pictures, listed in its picture-sources.json. */
export const readPictureSources = (webDir: string): string[] =>
  readJson(join(webDir, 'picture-sources.json'), origins, [])

const pageSources = z.object({
  /** The path without a language prefix. */
  path: z.string(),
  /** The server's environment variable without which the page does nothing. */
  with: z.string(),
  scripts: origins,
  frames: origins,
  connections: origins,
  pictures: origins,
})
export type PageSources = z.infer<typeof pageSources>

/** Returns the pages that load content from other sites, with these sites, from a web build's page-sources.json. */
export const readPageSources = (
  webDir: string,
  environment: Record<string, string | undefined>,
): PageSources[] =>
  readJson(join(webDir, 'page-sources.json'), z.array(pageSources), []).filter(
    (page) => environment[page.with],
  )

/** Sets the headers. Scripts, frames and connections of other sites are allowed only on the pages that need them. */
export function securityHeaders(
  siteUrl: string,
  pictureSources: readonly string[],
  pages: readonly PageSources[] = [],
): MiddlewareHandler {
  const usual = headersWith(siteUrl, pictureSources)
  const special = pages.map((page) => ({
    address: new RegExp(`^(/[^/]+)?${page.path}/?$`),
    headers: headersWith(siteUrl, pictureSources, page),
  }))
  return (context, next) => {
    const page = special.find(({ address }) => address.test(context.req.path))
    return (page?.headers ?? usual)(context, next)
  }
}

function headersWith(
  siteUrl: string,
  pictureSources: readonly string[],
  page?: PageSources,
): MiddlewareHandler {
  return secureHeaders({
    // A handler's own content security policy is kept.
    overwrite: false,
    contentSecurityPolicy: {
      defaultSrc: ["'self'"],
      scriptSrc: ["'self'", ...(page?.scripts ?? [])],
      // Mantine writes its theme variables into style elements.
      styleSrc: ["'self'", "'unsafe-inline'"],
      imgSrc: ["'self'", 'data:', ...pictureSources, ...(page?.pictures ?? [])],
      fontSrc: ["'self'"],
      // Browsers from before 2022 do not count a websocket to the page's own host as 'self'.
      connectSrc: ["'self'", new URL(siteUrl).origin.replace(/^http/, 'ws'), ...(page?.connections ?? [])],
      ...(page && { frameSrc: page.frames }),
      frameAncestors: ["'none'"],
      baseUri: ["'none'"],
      formAction: ["'self'"],
      objectSrc: ["'none'"],
    },
    // A frame of this page may open a window, which has to report back to it.
    ...(page && { crossOriginOpenerPolicy: 'same-origin-allow-popups' }),
    // Other sites may embed our pictures, as previews of shared links do.
    crossOriginResourcePolicy: false,
    strictTransportSecurity: siteUrl.startsWith('https:') && 'max-age=31536000',
    xFrameOptions: 'DENY',
    referrerPolicy: 'strict-origin-when-cross-origin',
    permissionsPolicy: { camera: [], microphone: [], geolocation: [] },
  })
}
