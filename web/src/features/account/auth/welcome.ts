import type { User } from '#lib/session.ts'
import { type Client, supabase } from '#lib/supabase.ts'
import { sayWelcome } from './session.messages.ts'

/** Whose page has welcomed somebody: each page has one client. */
let welcomed: Client | undefined

/** One welcome for the first sign-in of a page session. */
export function welcomeOnce(user: User | null): void {
  if (!user || welcomed === supabase()) return
  welcomed = supabase()
  sayWelcome(user.name)
}
