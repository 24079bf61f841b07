import { t } from '@lingui/core/macro'

/** The levels of standing, the lowest first. The database decides what each needs. */
export const LEVELS = ['new', 'proven', 'trusted'] as const
export type Level = (typeof LEVELS)[number]

export const LEVEL_NAMES: Record<Level, string> = { new: t`New`, proven: t`Proven`, trusted: t`Trusted` }

/** "Instant", with the lowest level that it applies to, unless that is everybody. */
export const instantText = (from: Level): string =>
  from === 'new' ? t`Instant` : t`Instant for ${LEVEL_NAMES[from]}`
