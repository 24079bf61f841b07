import type { Payment } from '#domain/payments.ts'
import { useChange } from '#lib/change.ts'
import { rpc } from '#lib/supabase.ts'
import { type PaymentStep, paymentToasts } from './payments.messages.ts'
import { paymentKeys } from './payments.queries.ts'
import { seatKeys } from './seats.queries.ts'

interface Step {
  payment: Payment
  step: PaymentStep
  /** For the member, when the payment has not arrived. */
  note?: string
}

/** What member and owner say about a payment between them. */
export const usePaymentStep = (onDone?: () => void) =>
  useChange({
    run: async ({ payment: { id, seatId }, step, note = '' }: Step) => {
      if (step === 'say') await rpc('say_paid', { p_payment_id: id })
      else if (step === 'confirm') await rpc('confirm_payment', { p_payment_id: id })
      else if (step === 'deny') await rpc('deny_payment', { p_payment_id: id, p_note: note.trim() })
      else if (step === 'nudge') await rpc('nudge_payment', { p_payment_id: id })
      else await rpc('end_late_seat', { p_seat_id: seatId })
    },
    stale: [paymentKeys.all, seatKeys.all],
    done: (_told, { payment, step }) => {
      paymentToasts.done(step, payment)
      onDone?.()
    },
    failed: paymentToasts.failed,
  })
