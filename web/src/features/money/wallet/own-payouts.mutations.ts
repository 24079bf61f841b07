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

/** Opens a page of the provider: identification (`payouts`) or the account's dashboard. */
export const useOpenPayouts = (path: 'payouts' | 'payouts/dashboard') =>
  useChange({
    run: async () => {
      const { url } = await withProof(() => callPayments<{ url: string | null }>(path))
      if (url) window.location.assign(url)
    },
    failed,
  })

/** Reloads the account's state from the provider, after the owner has returned from the provider's pages. */
export const useCheckPayouts = () =>
  useChange({
    run: () => callPayments('payouts/check'),
    stale: [ownPayoutsKey, ['payment-provider']],
    failed,
  })

/** Moves all available coins to the person's account at the provider. */
export const useMoveCoins = (userId: string) =>
  useChange({
    run: () => rpc('move_coins_to_account', {}),
    stale: [ownPayoutsKey, walletKeys.of(userId)],
    done: (coins) =>
      toastSuccess(t`On their way`, t`${formatMoney(coins)} are on their way to your payout account.`),
    failed,
  })
