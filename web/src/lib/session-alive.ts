import { useEffect, useState } from 'react'
import { useOnline } from './online.ts'
import { useSession } from './session.ts'

/** The longest delay of a browser's timer, in ms. */
const LONGEST = 2 ** 31 - 1

/**
 * True if the page has a session that has not expired. A session that cannot be refreshed ends without an event, so its
 * expiry is timed too. Without a connection no session can be refreshed, so none counts as expired.
 */
export function useSessionAlive(): boolean {
  const state = useSession()
  const online = useOnline()
  const endsAt = state.status === 'signed-in' ? (state.session.expires_at ?? Infinity) * 1000 : 0
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>
    // A timer may fire a millisecond early, or the clock may have been set back.
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
