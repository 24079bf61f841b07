import { useMutation, useQueryClient } from '@tanstack/react-query'
import * as z from 'zod/mini'
import { unwrap } from '#lib/errors.ts'
import { withProof } from '#lib/proof.ts'
import { saveFile } from '#lib/save-file.ts'
import { rpc, supabase } from '#lib/supabase.ts'
import { callVault } from '#lib/vault.ts'
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

/** Notes that the bank sent a completed withdrawal back. */
export function useReturnPayout(onDone: () => void) {
  return usePayoutChange(
    ({ id, reason }: { id: string; reason: string }) =>
      rpc('return_withdrawal', { p_withdrawal_id: id, p_reason: reason }),
    () => {
      payoutToasts.returned()
      onDone()
    },
    payoutToasts.refused,
  )
}

/** Puts withdrawals into one payment file and downloads it. */
export function useMakePayoutFile(onDone: () => void) {
  return usePayoutChange(
    async (ids: string[]) => {
      const file = await rpc('create_payout_file', { p_withdrawals: ids })
      onDone()
      await download(file)
    },
    () => undefined,
    payoutToasts.fileRefused,
  )
}

/** Downloads a payment file, which is the same each time. */
export const useDownloadPayoutFile = () =>
  usePayoutChange(download, () => undefined, payoutToasts.fileRefused)

/** Voids a payment file whole. */
export function useVoidPayoutFile(onDone: () => void) {
  return usePayoutChange(
    ({ id, reason }: { id: number; reason: string }) =>
      rpc('void_payout_file', { p_file_id: id, p_reason: reason }),
    () => {
      payoutToasts.voided()
      onDone()
    },
    payoutToasts.refused,
  )
}

const written = z.object({ name: z.string(), xml: z.string() })

/**
 * What it says of accounts is opened for whoever has just shown that it is them. Whatever becomes of that, the file is made
 * and stands in the list.
 */
async function download(file: number): Promise<void> {
  try {
    const { name, xml } = written.parse(await withProof(() => callVault('payout-file', { file })))
    saveFile(name, 'application/xml', xml)
  } catch (problem) {
    payoutToasts.downloadFailed(file, problem)
  }
}

/** Done or refused, the lists may say something old. */
function usePayoutChange<What>(
  mutationFn: (what: What) => Promise<unknown>,
  onSuccess: () => void,
  onError: (problem: unknown) => void,
) {
  const cache = useQueryClient()
  return useMutation({
    mutationFn,
    onSuccess,
    onError,
    onSettled: () => cache.invalidateQueries({ queryKey: payoutKeys.all }),
  })
}
