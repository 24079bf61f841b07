import { useMutation, useQueryClient } from '@tanstack/react-query'
import { unwrap } from '#lib/errors.ts'
import { supabase } from '#lib/supabase.ts'
import { payoutToasts } from './payouts.messages.ts'
import { payoutKeys } from './payouts.queries.ts'

/** What an admin decides about a withdrawal. Empty texts leave what was noted earlier. */
export type PayoutDecision =
  | { to: 'processing' | 'completed'; transferId: string; bankAccountLast4: string }
  | { to: 'rejected'; reason: string }

/** Takes a withdrawal one step on. The database dates it and, on completion, moves the coins. */
export function useDecidePayout(onDone: () => void) {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: async ({ id, decision }: { id: string; decision: PayoutDecision }) => {
      const change = supabase().from('withdrawal_requests').update(toRow(decision)).eq('id', id)
      unwrap(await change.select('id').single())
    },
    onSuccess: () => {
      payoutToasts.decided()
      onDone()
    },
    onError: payoutToasts.refused,
    // Refused or not, somebody else may have decided meanwhile.
    onSettled: () => cache.invalidateQueries({ queryKey: payoutKeys.all }),
  })
}

function toRow(decision: PayoutDecision) {
  const now = new Date().toISOString()
  if (decision.to === 'rejected')
    return { status: decision.to, processed_at: now, rejection_reason: decision.reason.trim() }
  const { to: status, transferId, bankAccountLast4 } = decision
  return {
    status,
    ...(status === 'processing' ? { processed_at: now } : { completed_at: now }),
    ...(transferId.trim() && { stripe_transfer_id: transferId.trim() }),
    ...(bankAccountLast4.trim() && { bank_account_last4: bankAccountLast4.trim() }),
  }
}
