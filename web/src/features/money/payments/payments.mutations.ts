import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { Payment } from '#domain/payments.ts'
import { rpc } from '#lib/supabase.ts'
import { type PaymentStep, paymentToasts } from './payments.messages.ts'
import { paymentKeys } from './payments.queries.ts'
import { seatKeys } from './seats.queries.ts'

interface Step {
  payment: Payment
  step: PaymentStep
  /** To the member, where the payment has not arrived. */
  note?: string
}

/** What member and owner say about a payment from the one to the other. */
export function usePaymentStep(onDone?: () => void) {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: async ({ payment: { id, seatId }, step, note = '' }: Step) => {
      if (step === 'say') await rpc('say_paid', { p_payment_id: id })
      else if (step === 'confirm') await rpc('confirm_payment', { p_payment_id: id })
      else if (step === 'deny') await rpc('deny_payment', { p_payment_id: id, p_note: note.trim() })
      else if (step === 'nudge') await rpc('nudge_payment', { p_payment_id: id })
      else await rpc('end_late_seat', { p_seat_id: seatId })
    },
    onSuccess: (_done, { payment, step }) => {
      paymentToasts.done(step, payment)
      onDone?.()
    },
    onError: (problem) => paymentToasts.failed(problem),
    onSettled: () =>
      Promise.all([
        cache.invalidateQueries({ queryKey: paymentKeys.all }),
        cache.invalidateQueries({ queryKey: seatKeys.all }),
      ]),
  })
}
