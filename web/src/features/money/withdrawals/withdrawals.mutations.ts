import * as z from 'zod/mini'
import type { Reasons } from '#features/account/decisions/decisions.ts'
import { useChange } from '#lib/change.ts'
import { unwrap } from '#lib/errors.ts'
import { withProof } from '#lib/proof.ts'
import { saveFile } from '#lib/save-file.ts'
import { rpc, supabase } from '#lib/supabase.ts'
import { callVault } from '#lib/vault.ts'
import { withdrawalToasts } from './withdrawals.messages.ts'
import { staffWithdrawalKeys } from './withdrawals.queries.ts'

/** An admin's decision about a withdrawal. Empty texts keep the values recorded earlier. */
export type WithdrawalDecision =
  | { to: 'processing' | 'completed'; transferId: string; bankAccountLast4: string }
  | { to: 'rejected'; reason: string }

// Also reloaded after a refusal, since another admin may have acted in the meantime.
const stale = [staffWithdrawalKeys.all]

/** Moves a withdrawal to its next status. The database records the time and, on completion, moves the coins. */
export const useDecideWithdrawal = (onDone: () => void) =>
  useChange({
    run: async ({ id, decision }: { id: string; decision: WithdrawalDecision }) => {
      const change = supabase().from('withdrawal_requests').update(toRow(decision)).eq('id', id)
      unwrap(await change.select('id').single())
    },
    stale,
    done: () => {
      withdrawalToasts.decided()
      onDone()
    },
    failed: withdrawalToasts.refused,
  })

function toRow(decision: WithdrawalDecision) {
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

/** Records that the bank returned a completed withdrawal. */
export const useReturnWithdrawal = (onDone: () => void) =>
  useChange({
    run: ({ id, reason }: { id: string; reason: string }) =>
      rpc('return_withdrawal', { p_withdrawal_id: id, p_reason: reason }),
    stale,
    done: () => {
      withdrawalToasts.returned()
      onDone()
    },
    failed: withdrawalToasts.refused,
  })

/** Holds a person's payouts until the end of a day, in this browser's time zone. */
export const useHoldPayouts = (personId: string, onDone: () => void) =>
  useChange({
    run: ({ reasons, until }: { reasons: Reasons; until: string }) =>
      rpc('hold_payouts', {
        p_person_id: personId,
        p_until: new Date(`${until}T23:59:59`).toISOString(),
        p_reasons: { ...reasons },
      }),
    stale: [staffWithdrawalKeys.all, ['staff-person', personId]],
    done: () => {
      withdrawalToasts.held()
      onDone()
    },
    failed: withdrawalToasts.holdRefused,
  })

/** Ends a hold on payouts early. */
export const useReleasePayouts = (personId: string) =>
  useChange({
    run: () => rpc('release_payouts', { p_person_id: personId }),
    stale: [staffWithdrawalKeys.all, ['staff-person', personId]],
    done: withdrawalToasts.released,
    failed: withdrawalToasts.holdRefused,
  })

/** Closes an owner's debt to a member who paid directly, with a reason that both can read. */
export const useCloseDebt = (personId: string, onDone: () => void) =>
  useChange({
    run: ({ paymentId, reason }: { paymentId: string; reason: string }) =>
      rpc('close_debt', { p_payment_id: paymentId, p_reason: reason }),
    stale: [['staff-person', personId]],
    done: () => {
      withdrawalToasts.debtClosed()
      onDone()
    },
    failed: withdrawalToasts.holdRefused,
  })

/** Sets the country that decides the VAT on a person's fees. */
export const useDecideCountry = (personId: string) =>
  useChange({
    run: (country: string) => rpc('decide_country', { p_person_id: personId, p_country: country }),
    stale: [['staff-person', personId]],
    failed: withdrawalToasts.holdRefused,
  })

/** Puts withdrawals into one payment file and downloads it. */
export const useMakePayoutFile = (onDone: () => void) =>
  useChange({
    run: async (ids: string[]) => {
      const file = await rpc('create_payout_file', { p_withdrawals: ids })
      onDone()
      await download(file)
    },
    stale,
    failed: withdrawalToasts.fileRefused,
  })

/** Downloads a payment file. Its contents are the same each time. */
export const useDownloadPayoutFile = () =>
  useChange({ run: download, stale, failed: withdrawalToasts.fileRefused })

/** Voids a payment file as a whole. */
export const useVoidPayoutFile = (onDone: () => void) =>
  useChange({
    run: ({ id, reason }: { id: number; reason: string }) =>
      rpc('void_payout_file', { p_file_id: id, p_reason: reason }),
    stale,
    done: () => {
      withdrawalToasts.voided()
      onDone()
    },
    failed: withdrawalToasts.refused,
  })

const written = z.object({
  name: z.string(),
  xml: z.string(),
  leftOut: z.array(z.object({ name: z.string(), amount: z.coerce.number() })),
})

/**
 * Downloads a payment file, after a proof of identity, since it contains account numbers. If this fails, the file still
 * exists and is in the list.
 */
async function download(file: number): Promise<void> {
  try {
    const { name, xml, leftOut } = written.parse(await withProof(() => callVault('payout-file', { file })))
    saveFile(name, 'application/xml', xml)
    if (leftOut.length > 0) withdrawalToasts.leftOut(leftOut)
  } catch (problem) {
    withdrawalToasts.downloadFailed(file, problem)
  }
}
