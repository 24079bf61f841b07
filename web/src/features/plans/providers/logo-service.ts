/** The logo service: one picture per domain, size and format, asked for with a publishable key. */

/** Logos that did not load in this visit; the browser itself caches those that did. */
const failed = new Set<string>()

/** Address of a logo for a square of `side` px, at twice the pixels for sharp screens; null when none can be asked for. */
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
