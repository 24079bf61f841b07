import * as z from 'zod/mini'
import { useChange } from '#lib/change.ts'
import { unwrap } from '#lib/errors.ts'
import { withProof } from '#lib/proof.ts'
import { currentSession } from '#lib/session.ts'
import { rpc, supabase } from '#lib/supabase.ts'
import { callVault } from '#lib/vault.ts'
import { notAuthenticated, notValid, walletToasts } from './wallet.messages.ts'
import { walletKeys } from './wallet.queries.ts'

const verdict = z.looseObject({ valid: z.boolean() })

/** Requests a withdrawal of coins (1 coin is 1 EUR). The database validates the amount again. */
export const useRequestWithdrawal = (userId: string, onRequested: () => void) =>
  useChange({
    run: async (amount: number) => {
      if (currentSession().status !== 'signed-in') throw notAuthenticated()
      const { valid, ...refusal } = verdict.parse(
        await rpc('validate_withdrawal_request', { p_user_id: userId, p_amount: amount }),
      )
      if (!valid) throw notValid(refusal)
      unwrap(await supabase().from('withdrawal_requests').insert({ user_id: userId, amount }))
    },
    // Also reloaded after a refusal, since the balance on screen may be out of date.
    stale: [walletKeys.of(userId)],
    done: (_stored, amount) => {
      walletToasts.requested(amount)
      onRequested()
    },
    failed: walletToasts.requestFailed,
  })

/** Saves the bank account for withdrawals. The IBAN is sent only to the Edge Function that encrypts it. */
export const useSaveBankAccount = (userId: string, onSaved: () => void) =>
  useChange({
    run: (account: { iban: string; holder: string }) => withProof(() => callVault('bank-account', account)),
    // Reloaded before the dialog closes, so that the wallet shows the new account immediately.
    fresh: [walletKeys.bankAccountOf(userId)],
    done: () => {
      walletToasts.accountSaved()
      onSaved()
    },
    failed: walletToasts.accountFailed,
  })
