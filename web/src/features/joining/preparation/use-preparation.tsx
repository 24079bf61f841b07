import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import type { Plan } from '#domain/plan.ts'
import { wishQuery } from '#features/money/payments/wishes.ts'
import { vaultEntryQuery } from '#features/trust/access/vault.queries.ts'
import { lazyPart } from '#lib/online.ts'
import { LazyDialog } from '#ui/LazyDialog.tsx'

const PreparationDialog = lazyPart(async () => (await import('./PreparationDialog.tsx')).PreparationDialog)

interface Preparation {
  /** Calls `next` once the owner has entered the missing details, or immediately if none are missing. */
  prepare: (next: () => void) => Promise<void>
  dialog: ReactNode
}

/**
 * Asks a plan's owner for what the first member needs: payment details, without which the database grants no place, and
 * access, which may follow later unless the plan is `instant`.
 */
export function usePreparation(plan: Plan, { instant = false } = {}): Preparation {
  const cache = useQueryClient()
  const [next, setNext] = useState<{ run: () => void; asksAccess: boolean } | null>(null)
  const [part, setPart] = useState<'payment' | 'access'>('payment')
  const onReady = () => {
    setNext(null)
    next?.run()
  }
  return {
    prepare: async (run) => {
      const [asksPayment, asksAccess] = await Promise.all([
        plan.settlement === 'direct' && isMissing(cache.fetchQuery(wishQuery(plan.ownerId))),
        (instant || plan.currentMembers === 1) && isMissing(cache.fetchQuery(vaultEntryQuery(plan.id))),
      ])
      if (!asksPayment && !asksAccess) return run()
      setPart(asksPayment ? 'payment' : 'access')
      setNext({ run, asksAccess })
    },
    dialog: (
      <LazyDialog opened={next !== null}>
        {(opened) => (
          <PreparationDialog
            plan={plan}
            part={part}
            instant={instant}
            opened={opened}
            onPaid={() => (next?.asksAccess ? setPart('access') : onReady())}
            onReady={onReady}
            onClose={() => setNext(null)}
          />
        )}
      </LazyDialog>
    ),
  }
}

/**
 * Details that cannot be loaded count as present, so they are not asked for; the database refuses a step that needs
 * them.
 */
const isMissing = (loaded: Promise<unknown>) =>
  loaded.then(
    (found) => found === null,
    () => false,
  )
