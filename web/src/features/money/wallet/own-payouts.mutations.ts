import { t } from '@lingui/core/macro'
import { formatMoney } from '#domain/money.ts'
import { useChange } from '#lib/change.ts'
import { answerOf } from '#lib/errors.ts'
import { callPayments } from '#lib/payments.ts'
import { withProof } from '#lib/proof.ts'
import { rpc } from '#lib/supabase.ts'
import { toastError, toastSuccess } from '#ui/toasts.ts'
import { ownPayoutsKey } from './own-payouts.queries.ts'
import { walletKeys } from './wallet.queries.ts'

const failed = (problem: unknown) =>
  toastError(t`That didn’t work. Please try again.`, answerOf(problem, t`Please try again.`))

/** Leads to a page of the provider: where people say who they are, or what is in their account. */
export const useOpenPayouts = (path: 'payouts' | 'payouts/dashboard') =>
  useChange({
    run: async () => {
      const { url } = await withProof(() => callPayments<{ url: string | null }>(path))
      if (url) window.location.assign(url)
    },
    failed,
  })

/** Asks the provider how the account is, when its owner comes back from there. */
export const useCheckPayouts = () =>
  useChange({
    run: () => callPayments('payouts/check'),
    stale: [ownPayoutsKey, ['payment-provider']],
    failed,
  })

/** Moves all coins that are available to the person's own account. */
export const useMoveCoins = (userId: string) =>
  useChange({
    run: () => rpc('move_coins_to_account', {}),
    stale: [ownPayoutsKey, walletKeys.of(userId)],
    done: (coins) =>
      toastSuccess(t`On their way`, t`${formatMoney(coins)} are on their way to your payout account.`),
    failed,
  })
