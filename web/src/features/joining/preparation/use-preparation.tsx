import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import type { Plan } from '#domain/plan.ts'
import { wishQuery } from '#features/money/payments/wishes.ts'
import { vaultEntryQuery } from '#features/trust/access/vault.queries.ts'
import { lazyPart } from '#lib/online.ts'
import { LazyDialog } from '#ui/LazyDialog.tsx'

const PreparationDialog = lazyPart(async () => (await import('./PreparationDialog.tsx')).PreparationDialog)

interface Preparation {
  /** Runs this once the owner has said what is missing; at once if nothing is. */
  prepare: (next: () => void) => void
  dialog: ReactNode
}

/**
 * Asks the owner of a plan what its first member needs: how to pay the owner, without which the database gives no place
 * away, and how to get in, which may follow later unless the plan is `instant`.
 */
export function usePreparation(plan: Plan, { instant = false } = {}): Preparation {
  const wish = useQuery({ ...wishQuery(plan.ownerId), enabled: plan.settlement === 'direct' })
  const entry = useQuery(vaultEntryQuery(plan.id))
  const [next, setNext] = useState<{ run: () => void } | null>(null)
  const [part, setPart] = useState<'payment' | 'access'>('payment')
  // What is still loading is not asked for; the database refuses what it needs.
  const asksPayment = wish.data === null
  const asksAccess = entry.data === null && (instant || plan.currentMembers === 1)
  const onReady = () => {
    setNext(null)
    next?.run()
  }
  return {
    prepare: (run) => {
      if (!asksPayment && !asksAccess) return run()
      setPart(asksPayment ? 'payment' : 'access')
      setNext({ run })
    },
    dialog: (
      <LazyDialog opened={next !== null}>
        {(opened) => (
          <PreparationDialog
            plan={plan}
            part={part}
            instant={instant}
            opened={opened}
            onPaid={() => (asksAccess ? setPart('access') : onReady())}
            onReady={onReady}
            onClose={() => setNext(null)}
          />
        )}
      </LazyDialog>
    ),
  }
}
