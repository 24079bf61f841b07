import { t } from '@lingui/core/macro'
import type { User } from '#lib/session.ts'
import { type Client, supabase } from '#lib/supabase.ts'
import { toastError, toastInfo } from '#ui/toasts.ts'

// What any page may say about the session. The forms' sentences stay out of here, since few pages need them.

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
