import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { withProof } from '#lib/proof.ts'
import { callVault } from '#lib/vault.ts'
import { vaultToasts } from './vault.messages.ts'
import { vaultKeys } from './vault.queries.ts'

/** What gets somebody in; what there is none of is left out. */
export interface Secret {
  version: number
  password?: string
  link?: string
  note?: string
}

/** How long it is on screen, in ms. */
const SHOWN_FOR = 30_000

/**
 * Opens a version of a plan's entry, the newest unless one is named. It is held by the component alone, in no cache, and let
 * go after a while, with the component, and with the page.
 */
export function useOpening(planId: string) {
  const cache = useQueryClient()
  const [shown, setShown] = useState<{ secret: Secret; until: number } | null>(null)
  const [now, setNow] = useState(0)
  const [working, setWorking] = useState(false)

  useEffect(() => {
    if (!shown) return
    const letGo = () => setShown(null)
    const look = () => {
      setNow(Date.now())
      if (Date.now() >= shown.until) letGo()
    }
    const clock = setInterval(look, 250)
    // A page that one comes back to is as it was left.
    window.addEventListener('pagehide', letGo)
    document.addEventListener('visibilitychange', look)
    return () => {
      clearInterval(clock)
      window.removeEventListener('pagehide', letGo)
      document.removeEventListener('visibilitychange', look)
    }
  }, [shown])

  const open = async (version?: number) => {
    setWorking(true)
    try {
      const secret = (await withProof(() =>
        callVault('open-plan-entry', { plan: planId, version }),
      )) as Secret
      setNow(Date.now())
      setShown({ secret, until: Date.now() + SHOWN_FOR })
      void cache.invalidateQueries({ queryKey: vaultKeys.ofPlan(planId) })
    } catch (problem) {
      vaultToasts.openFailed(problem)
    }
    setWorking(false)
  }
  return {
    secret: shown?.secret ?? null,
    secondsLeft: shown ? Math.max(0, Math.ceil((shown.until - now) / 1000)) : 0,
    working,
    open,
    hide: () => setShown(null),
  }
}
