/** The logo service: one picture per domain, size and format, requested with a publishable key. */

/** Logos that failed to load during this visit; the browser caches the others. */
const failed = new Set<string>()

/** The URL of a logo for a square of `side` px, in double resolution for sharp screens; null without key or domain. */
export function logoUrl(
  key: string | null,
  domain: string,
  side: number,
  format: 'webp' | 'png' = 'webp',
): string | null {
  if (!key || !domain) return null
  const query = new URLSearchParams({ token: key, size: String(side * 2), format })
  return `https://img.logo.dev/${domain}?${query}`
}

export function logoFailed(address: string): boolean {
  return failed.has(address)
}

export function rememberFailedLogo(address: string): void {
  failed.add(address)
}
