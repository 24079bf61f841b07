import type { User } from '#lib/session.ts'
import { sayWelcome } from './session.messages.ts'

let welcomed = false

/** One welcome for the first sign-in of a page session. */
export function welcomeOnce(user: User | null): void {
  if (welcomed || !user) return
  welcomed = true
  sayWelcome(user.name)
}
