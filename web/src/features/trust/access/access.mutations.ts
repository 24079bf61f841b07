import { t } from '@lingui/core/macro'
import { seatKeys } from '#features/money/payments/seats.queries.ts'
import { showAtOnce } from '#lib/cache.ts'
import { useChange } from '#lib/change.ts'
import { rpc } from '#lib/supabase.ts'
import { callVault } from '#lib/vault.ts'
import { announce } from '#ui/announce.ts'
import { explain } from '#ui/toasts.ts'
import { vaultToasts } from './vault.messages.ts'
import { vaultKeys } from './vault.queries.ts'

const always = {
  stale: [seatKeys.all],
  failed: (problem: unknown) => explain(problem, t`That didn’t work. Please try again.`),
}

/** Records that the owner has sent the provider's invitation to the member's e-mail address. */
export const useInvitationSent = (seat: { id: string; memberName: string }, onDone: () => void) =>
  useChange({
    ...always,
    run: (address: string) => rpc('give_access', { p_seat_id: seat.id, p_address: address.trim() }),
    done: () => {
      announce(t`We’ve asked ${seat.memberName} whether it works.`)
      onDone()
    },
  })

/** Records the member's "It works". */
export const useConfirmAccess = (seatId: string) =>
  useChange({
    ...always,
    run: () => rpc('confirm_access', { p_seat_id: seatId }),
  })

/** Saves the plan's login name; an empty one removes it. Updates the screen immediately. */
export const useSaveLogin = (planId: string) =>
  useChange({
    run: (login: string) => callVault('save-plan-login', { plan: planId, login }),
    stale: [vaultKeys.ofPlan(planId)],
    show: (login, cache) => showAtOnce<string | null>(cache, vaultKeys.login(planId), () => login || null),
    done: (_saved, login) => (login ? vaultToasts.loginSaved() : vaultToasts.loginCleared()),
    failed: vaultToasts.loginFailed,
  })
