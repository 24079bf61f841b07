/** The levels of standing, the lowest first. What each takes is for the database to say. */
export const LEVELS = ['new', 'proven', 'trusted'] as const
export type Level = (typeof LEVELS)[number]

export const LEVEL_NAMES: Record<Level, string> = { new: 'New', proven: 'Proven', trusted: 'Trusted' }

/** "Instant", and from which level of standing on where that is not everybody's. */
export const instantText = (from: Level): string =>
  from === 'new' ? 'Instant' : `Instant from ${LEVEL_NAMES[from]} on`
