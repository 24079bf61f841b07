import { t } from '@lingui/core/macro'
import type { User } from '#lib/session.ts'
import { type Client, supabase } from '#lib/supabase.ts'
import { toastError, toastInfo } from '#ui/toasts.ts'

// What any page may say about the session. The forms' sentences stay out of here, since few pages need them.

/** In minutes: a clock that is less wrong than that misleads nobody. */
const CLOCK_MINUTES = 5

/** Says how wrong the clock of this device is, if it matters: deadlines and times are shown by it. */
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

/** The client of the page that has welcomed somebody: each page has one. */
let welcomed: Client | undefined

/** Welcomes the first person to sign in on this page, once. */
export function welcomeOnce(user: User | null): void {
  if (!user || welcomed === supabase()) return
  welcomed = supabase()
  const { name } = user
  toastInfo(name ? t`Welcome, ${name}` : t`Welcome`, t`Good to see you at the table.`)
}
