import { currentSession } from '#lib/session.ts'
import { sayWelcome } from './auth.messages.ts'

let welcomed = false

/** One welcome for the first sign-in of a page session (AUTH-28). */
export function welcomeOnce(): void {
  const session = currentSession()
  if (welcomed || session.status !== 'signed-in') return
  welcomed = true
  sayWelcome(session.user.name)
}
