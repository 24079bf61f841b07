import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { withProof } from '#lib/proof.ts'
import { callVault } from '#lib/vault.ts'
import { vaultToasts } from './vault.messages.ts'
import { vaultKeys } from './vault.queries.ts'

/** What lets somebody in; missing parts are left out. */
export interface Secret {
  version: number
  password?: string
  link?: string
  note?: string
}

/** How long a secret stays on screen, in ms. */
const SHOWN_FOR = 30_000

/**
 * Opens a version of a plan's entry, by default the newest. The component alone holds the secret, no cache does, and it is
 * dropped after a while, with the component, and when the page is left.
 */
export function useOpening(planId: string) {
  const cache = useQueryClient()
  const [shown, setShown] = useState<{ secret: Secret; until: number } | null>(null)
  const [now, setNow] = useState(0)
  const [working, setWorking] = useState(false)

  useEffect(() => {
    if (!shown) return
    const drop = () => setShown(null)
    const tick = () => {
      setNow(Date.now())
      if (Date.now() >= shown.until) drop()
    }
    const clock = setInterval(tick, 250)
    // A page restored by the back button still has its state.
    window.addEventListener('pagehide', drop)
    document.addEventListener('visibilitychange', tick)
    return () => {
      clearInterval(clock)
      window.removeEventListener('pagehide', drop)
      document.removeEventListener('visibilitychange', tick)
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
      // By hand: useChange would keep the secret in memory.
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
