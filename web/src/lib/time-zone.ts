import { useEffect } from 'react'
import { RULE_BROKEN, toAppError } from './errors.ts'
import { local, read, storageKeys, write } from './storage.ts'
import { rpc } from './supabase.ts'

const browserZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone

/** Stores the device's time zone for a person who has none set, for mails, notifications and the calendar feed. */
export function useOwnTimeZone(userId: string): void {
  useEffect(() => {
    // After a failure, such as without a connection, the next page tries again.
    tellTimeZone(userId).catch(() => undefined)
  }, [userId])
}

/**
 * Sends a person's time zone to the database once, before any paid month starts at a time that depends on it. A zone
 * that is already set is not changed.
 */
export async function tellTimeZone(userId: string): Promise<void> {
  if (read(local, storageKeys.timeZoneToldBy) === userId) return
  if ((await rpc('my_time_zone', {})) === null)
    await rpc('set_time_zone', { p_zone: browserZone() }).catch((problem: unknown) => {
      // A zone unknown to the database leaves UTC, which the person can change in the settings.
      if (toAppError(problem).code !== RULE_BROKEN) throw problem
    })
  write(local, storageKeys.timeZoneToldBy, userId)
}
