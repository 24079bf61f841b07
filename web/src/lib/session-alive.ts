import { useEffect, useState } from 'react'
import { useOnline } from './online.ts'
import { useSession } from './session.ts'

/** As long as a timer can be set for, in ms. */
const LONGEST = 2 ** 31 - 1

/**
 * Is somebody signed in whose session has not run out? A session that could not be refreshed ends without an event, so
 * this follows the clock too. Without a connection none can be refreshed, and each lasts.
 */
export function useSessionAlive(): boolean {
  const state = useSession()
  const online = useOnline()
  const endsAt = state.status === 'signed-in' ? (state.session.expires_at ?? Infinity) * 1000 : 0
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    const left = Math.min(Math.max(0, endsAt - Date.now()), LONGEST)
    const timer = setTimeout(() => setNow(Date.now()), left)
    return () => clearTimeout(timer)
  }, [endsAt])
  return now < endsAt || (!online && state.status === 'signed-in')
}
