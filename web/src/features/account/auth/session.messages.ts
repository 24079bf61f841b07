import { t } from '@lingui/core/macro'
import type { User } from '#lib/session.ts'
import { type AppClient, supabase } from '#lib/supabase.ts'
import { toastError, toastInfo } from '#ui/toasts.ts'

// Messages about the session that any page can show. The messages of forms are in other files, since few pages load
// them.

/** In minutes; smaller errors of the device's clock are not mentioned. */
const CLOCK_MINUTES = 5

/** Warns if this device's clock is several minutes wrong, since the times and deadlines on screen depend on it. */
export function sayClockIsOff(aheadMs: number): void {
  const ahead = Math.round(aheadMs / 60_000)
  if (Math.abs(ahead) < CLOCK_MINUTES) return
  const minutes = Math.abs(ahead)
  toastInfo(
    t`Check the clock of this device`,
    ahead > 0
      ? t`It is ${{ minutes }} minutes fast, so times and deadlines look wrong here.`
      : t`It is ${{ minutes }} minutes slow, so times and deadlines look wrong here.`,
  )
}

export const saySessionExpired = () =>
  toastError(t`Session expired`, t`Your login session has expired. Please sign in again.`)

/**
 * The client at the time of the welcome message. Each page load creates one client, so a new client means a new page
 * load.
 */
let welcomed: AppClient | undefined

/** Welcomes the first person who signs in after a page load, once. */
export function welcomeOnce(user: User | null): void {
  if (!user || welcomed === supabase()) return
  welcomed = supabase()
  const { name } = user
  toastInfo(name ? t`Welcome, ${name}` : t`Welcome`)
}
