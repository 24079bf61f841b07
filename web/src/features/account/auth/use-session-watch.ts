import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { useEffect } from 'react'
import { currentSession, onSession, type SessionState, showsSecondFactor } from '#lib/session.ts'
import { saySessionExpired } from './session.messages.ts'
import { welcomeOnce } from './welcome.ts'

/** A session this close to its end was lost, not signed out of, in seconds. */
const NEAR_EXPIRY = 90

/**
 * Reacts to people coming and going, in this tab or another: forgets what the one before could see, asks
 * the guards again, welcomes, and says so when a session ran out or was ended elsewhere.
 */
export function useSessionWatch(): void {
  const cache = useQueryClient()
  const router = useRouter()
  useEffect(() => {
    let before: SessionState = currentSession()
    return onSession((event, now) => {
      const previous = before
      before = now
      const changed = personIn(previous) !== personIn(now)
      if (previous.status === 'signed-in' && changed) cache.clear()
      if (previous.status !== 'loading' && changed) void router.invalidate()
      // What was asked with one factor alone is refused from now on, where it has not been answered yet.
      if (event === 'MFA_CHALLENGE_VERIFIED' && !changed && hadOneFactor(previous)) void askAnew(cache)
      const arrives = event === 'SIGNED_IN' || event === 'MFA_CHALLENGE_VERIFIED'
      if (arrives && previous.status === 'signed-out' && now.status === 'signed-in') welcomeOnce(now.user)
      if (event === 'SESSION_ENDED' || (event === 'SIGNED_OUT' && ranOut(previous))) saySessionExpired()
    })
  }, [cache, router])
}

const hadOneFactor = (state: SessionState) =>
  state.status === 'signed-in' && !showsSecondFactor(state.session.access_token)

async function askAnew(cache: QueryClient): Promise<void> {
  await cache.cancelQueries()
  await cache.invalidateQueries()
}

const personIn = (state: SessionState) => (state.status === 'signed-in' ? state.user.id : null)

function ranOut(state: SessionState): boolean {
  if (state.status !== 'signed-in') return false
  const { expires_at } = state.session
  return expires_at !== undefined && expires_at - NEAR_EXPIRY <= Date.now() / 1000
}
