import { useMutation, useQueryClient } from '@tanstack/react-query'
import { rpc } from '#lib/supabase.ts'
import { adjustmentToasts } from './treasury.messages.ts'
import { treasuryKeys } from './treasury.queries.ts'

interface Adjustment {
  userId: string
  /** Coins to add, or with a minus to take. */
  amount: number
  reason: string
}

/** Adds to a wallet or takes from it; balance and transaction change together. */
export function useAdjustWallet(onDone: () => void) {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: ({ userId, amount, reason }: Adjustment) =>
      rpc('adjust_wallet', { p_user_id: userId, p_amount: amount, p_reason: reason.trim() }),
    onSuccess: () => {
      adjustmentToasts.done()
      onDone()
    },
    onError: adjustmentToasts.refused,
    // Refused or not, the balance on screen may be old.
    onSettled: () => cache.invalidateQueries({ queryKey: treasuryKeys.all }),
  })
}
