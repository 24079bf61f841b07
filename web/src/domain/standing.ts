import { t } from '@lingui/core/macro'

/** The levels of standing, lowest first. The database decides the requirements. */
export const LEVELS = ['new', 'proven', 'trusted'] as const
export type Level = (typeof LEVELS)[number]

export const LEVEL_NAMES: Record<Level, string> = { new: t`New`, proven: t`Proven`, trusted: t`Trusted` }

/** Returns "Instant", with the lowest level of standing that gets a place instantly unless every level does. */
export const instantText = (from: Level): string =>
  from === 'new' ? t`Instant` : t`Instant for ${LEVEL_NAMES[from]}`
