import { t } from '@lingui/core/macro'

/** The levels of standing, lowest first. The database decides the requirements. */
export const LEVELS = ['new', 'proven', 'trusted'] as const
export type Level = (typeof LEVELS)[number]

export const LEVEL_NAMES: Record<Level, string> = { new: t`New`, proven: t`Proven`, trusted: t`Trusted` }

/**
 * Returns "Instant" if people of every level get a place instantly, otherwise "Instant for" and the lowest level that
 * does.
 */
export const instantText = (from: Level): string =>
  from === 'new' ? t`Instant` : t`Instant for ${LEVEL_NAMES[from]}`
