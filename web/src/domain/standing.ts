/** The levels of standing, the lowest first. The database decides what each needs. */
export const LEVELS = ['new', 'proven', 'trusted'] as const
export type Level = (typeof LEVELS)[number]

export const LEVEL_NAMES: Record<Level, string> = { new: 'New', proven: 'Proven', trusted: 'Trusted' }

/** "Instant", with the lowest level that it applies to, unless that is everybody. */
export const instantText = (from: Level): string =>
  from === 'new' ? 'Instant' : `Instant for ${LEVEL_NAMES[from]}`
