import { vi } from 'vitest'

/** Makes the screen as narrow as a phone's, until the end of the test. */
export function holdPhone(): void {
  const wide = window.matchMedia
  vi.spyOn(window, 'matchMedia').mockImplementation((query) =>
    Object.assign(wide(query), { matches: query.includes('max-width') }),
  )
}
