import { useChange } from '#lib/change.ts'
import { rpc } from '#lib/supabase.ts'
import { adjustmentToasts } from './treasury.messages.ts'
import { treasuryKeys } from './treasury.queries.ts'

interface Adjustment {
  userId: string
  /** Coins to add; negative to take. */
  amount: number
  reason: string
}

/** Adds to a wallet or takes from it; balance and transaction change together. */
export const useAdjustWallet = (onDone: () => void) =>
  useChange({
    run: ({ userId, amount, reason }: Adjustment) =>
      rpc('adjust_wallet', { p_user_id: userId, p_amount: amount, p_reason: reason.trim() }),
    // Refused or not, the balance on screen may be old.
    stale: [treasuryKeys.all],
    done: () => {
      adjustmentToasts.done()
      onDone()
    },
    failed: adjustmentToasts.refused,
  })
