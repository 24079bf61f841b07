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
    let timer: ReturnType<typeof setTimeout>
    // A timer can go off before the clock is there: it may be early by a millisecond, or the clock set back meanwhile.
    const wait = () => {
      const left = endsAt - Date.now()
      if (left > 0) timer = setTimeout(wait, Math.min(left, LONGEST))
      else setNow(Date.now())
    }
    wait()
    return () => clearTimeout(timer)
  }, [endsAt])
  return now < endsAt || (!online && state.status === 'signed-in')
}
