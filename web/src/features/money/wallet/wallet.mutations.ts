import { useMutation, useQueryClient } from '@tanstack/react-query'
import * as z from 'zod/mini'
import { unwrap } from '#lib/errors.ts'
import { withProof } from '#lib/proof.ts'
import { currentSession } from '#lib/session.ts'
import { rpc, supabase } from '#lib/supabase.ts'
import { callVault } from '#lib/vault.ts'
import { notAuthenticated, notValid, walletToasts } from './wallet.messages.ts'
import { walletKeys } from './wallet.queries.ts'

const verdict = z.object({ valid: z.boolean(), error: z.nullish(z.string()) })

/** Asks for coins, of which 1 is 1 EUR, to be paid out. The database has the last word on the amount. */
export function useRequestWithdrawal(userId: string, onRequested: () => void) {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: async (amount: number) => {
      if (currentSession().status !== 'signed-in') throw notAuthenticated()
      const { valid, error } = verdict.parse(
        await rpc('validate_withdrawal_request', { p_user_id: userId, p_amount: amount }),
      )
      if (!valid) throw notValid(error)
      unwrap(await supabase().from('withdrawal_requests').insert({ user_id: userId, amount }))
    },
    onSuccess: (_stored, amount) => {
      walletToasts.requested(amount)
      onRequested()
    },
    onError: walletToasts.requestFailed,
    // Refused or not, the balance on screen may be old. Not awaited, so that another try need not wait for it.
    onSettled: () => void cache.invalidateQueries({ queryKey: walletKeys.of(userId) }),
  })
}

/** Saves the account that withdrawals go to. The IBAN goes only to the Edge Function that encrypts it. */
export function useSaveBankAccount(userId: string, onSaved: () => void) {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: (account: { iban: string; holder: string }) =>
      withProof(() => callVault('bank-account', account)),
    // Awaited, so that the wallet already shows the new account when the dialog closes.
    onSuccess: async () => {
      await cache.invalidateQueries({ queryKey: walletKeys.bankAccountOf(userId) })
      walletToasts.accountSaved()
      onSaved()
    },
    onError: walletToasts.accountFailed,
  })
}
