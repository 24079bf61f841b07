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

/** Adds coins to a wallet or takes some; balance and transaction are written together. */
export const useAdjustWallet = (onDone: () => void) =>
  useChange({
    run: ({ userId, amount, reason }: Adjustment) =>
      rpc('adjust_wallet', { p_user_id: userId, p_amount: amount, p_reason: reason.trim() }),
    // Also reloaded after a refusal, since the balance on screen may be out of date.
    stale: [treasuryKeys.all],
    done: () => {
      adjustmentToasts.done()
      onDone()
    },
    failed: adjustmentToasts.refused,
  })
