import { RULE_BROKEN, toAppError } from './errors.ts'
import { local, read, storageKeys, write } from './storage.ts'
import { rpc } from './supabase.ts'

/** Where the days of this browser begin. */
const browserZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone

/**
 * Tells the database once where a person's days begin, before months they pay for begin there. Whoever has said so
 * already, here or elsewhere, is left alone.
 */
export async function tellTimeZone(userId: string): Promise<void> {
  if (read(local, storageKeys.timeZoneToldBy) === userId) return
  if ((await rpc('my_time_zone', {})) === null)
    await rpc('set_time_zone', { p_zone: browserZone() }).catch((problem: unknown) => {
      // A zone the database does not know leaves UTC, which the settings show and change.
      if (toAppError(problem).code !== RULE_BROKEN) throw problem
    })
  write(local, storageKeys.timeZoneToldBy, userId)
}
