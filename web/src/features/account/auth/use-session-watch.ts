import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { useEffect } from 'react'
import { howFarAhead } from '#lib/connect.ts'
import { currentSession, isLeft, onSession, type SessionState, showsSecondFactor } from '#lib/session.ts'
import { forgetPlans, local, storageKeys, write } from '#lib/storage.ts'
import { sayClockIsOff, saySessionExpired, welcomeOnce } from './session.messages.ts'

/** In seconds. A session that ends this close to its expiry counts as expired, not as signed out. */
const NEAR_EXPIRY = 90

/**
 * Reacts to sign-in and sign-out, in this tab or another: clears the previous person's data, runs the route guards
 * again, shows a welcome, and says when a session expired or was ended elsewhere.
 */
export function useSessionWatch(): void {
  const cache = useQueryClient()
  const router = useRouter()
  useEffect(() => {
    let before: SessionState = currentSession()
    noteDevice(before)
    return onSession((event, now) => {
      const previous = before
      before = now
      const changed = personIn(previous) !== personIn(now)
      noteDevice(now)
      if (previous.status === 'signed-in' && changed) {
        cache.clear()
        write(local, storageKeys.placeSecret, null)
      }
      const ended = event === 'SESSION_ENDED' || (event === 'SIGNED_OUT' && ranOut(previous))
      if (now.status === 'signed-out' || (previous.status === 'signed-in' && changed)) forgetPlans(ended)
      const wasLeft =
        previous.status === 'signed-in' && now.status === 'signed-out' && isLeft(previous.session)
      // The guards would remember the page that the person left from, and ask for a new sign-in.
      if (wasLeft) void router.navigate({ to: '/' })
      else if (previous.status !== 'loading' && changed) void router.invalidate()
      // The server refuses requests made before the second factor, so they are repeated.
      if (event === 'MFA_CHALLENGE_VERIFIED' && !changed && hadOneFactor(previous)) void askAnew(cache)
      const arrives = event === 'SIGNED_IN' || event === 'MFA_CHALLENGE_VERIFIED'
      if (arrives && previous.status === 'signed-out' && now.status === 'signed-in') {
        welcomeOnce(now.user)
        sayClockIsOff(howFarAhead())
      }
      if (ended) saySessionExpired()
    })
  }, [cache, router])
}

function noteDevice({ status }: SessionState): void {
  if (status === 'signed-in') write(local, storageKeys.knownDevice, 'yes')
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
