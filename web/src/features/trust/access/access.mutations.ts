import { useMutation, useQueryClient } from '@tanstack/react-query'
import { seatKeys } from '#features/money/payments/seats.queries.ts'
import { rpc } from '#lib/supabase.ts'
import { explain, toastSuccess } from '#ui/toasts.ts'

const failed = (problem: unknown) => explain(problem, 'That did not work. Please try again.')

/** "Invitation sent": to this address. */
export function useInvitationSent(seat: { id: string; memberName: string }, onDone: () => void) {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: (address: string) => rpc('give_access', { p_seat_id: seat.id, p_address: address.trim() }),
    onSuccess: () => {
      toastSuccess('Thank you', `${seat.memberName} is told, and asked whether it works.`)
      onDone()
    },
    onError: failed,
    onSettled: () => cache.invalidateQueries({ queryKey: seatKeys.all }),
  })
}

/** "It works": the member can get in. */
export function useConfirmAccess(seatId: string) {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: () => rpc('confirm_access', { p_seat_id: seatId }),
    onSuccess: () => toastSuccess('Enjoy it', 'If something goes wrong later, say so on this page.'),
    onError: failed,
    onSettled: () => cache.invalidateQueries({ queryKey: seatKeys.all }),
  })
}
