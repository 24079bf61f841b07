import { seatKeys } from '#features/money/payments/seats.queries.ts'
import { useChange } from '#lib/change.ts'
import { rpc } from '#lib/supabase.ts'
import { explain, toastSuccess } from '#ui/toasts.ts'

const always = {
  stale: [seatKeys.all],
  failed: (problem: unknown) => explain(problem, 'That did not work. Please try again.'),
}

/** "Invitation sent": to this address. */
export const useInvitationSent = (seat: { id: string; memberName: string }, onDone: () => void) =>
  useChange({
    ...always,
    run: (address: string) => rpc('give_access', { p_seat_id: seat.id, p_address: address.trim() }),
    done: () => {
      toastSuccess('Thank you', `${seat.memberName} is told, and asked whether it works.`)
      onDone()
    },
  })

/** "It works": the member can get in. */
export const useConfirmAccess = (seatId: string) =>
  useChange({
    ...always,
    run: () => rpc('confirm_access', { p_seat_id: seatId }),
    done: () => toastSuccess('Enjoy it', 'If something goes wrong later, say so on this page.'),
  })
