import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { OwnSeat } from '#domain/seats.ts'
import { rpc } from '#lib/supabase.ts'
import { paymentToasts } from './payments.messages.ts'
import { seatKeys } from './seats.queries.ts'

/** Has payments for a place taken from the person's coins first, or from the card alone. */
export function useCoinsFirst({ id }: OwnSeat) {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: (coinsFirst: boolean) => rpc('use_coins_first', { p_seat_id: id, p_coins_first: coinsFirst }),
    onError: paymentToasts.failed,
    onSettled: () => cache.invalidateQueries({ queryKey: seatKeys.all }),
  })
}

/** The owner has settled with the member what they owed for time without access. */
export function useSettleOwed(seatId: string) {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: () => rpc('settle_owed', { p_seat_id: seatId }),
    onSuccess: paymentToasts.settled,
    onError: paymentToasts.failed,
    onSettled: () => cache.invalidateQueries({ queryKey: seatKeys.all }),
  })
}

/** Takes back having left a plan at the end of the period. */
export function useStay({ id, planName }: OwnSeat) {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: () => rpc('stay', { p_seat_id: id }),
    onSuccess: () => paymentToasts.stayed(planName),
    onError: paymentToasts.failed,
    onSettled: () => cache.invalidateQueries({ queryKey: seatKeys.all }),
  })
}
