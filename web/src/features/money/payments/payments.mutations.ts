import type { Payment } from '#domain/payments.ts'
import type { Plan, Settlement } from '#domain/plan.ts'
import type { OwnSeat } from '#domain/seats.ts'
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

const stale = [seatKeys.all]

/** Sets whether payments for a place use the person's coins first, or only the card. */
export const useCoinsFirst = ({ id }: OwnSeat) =>
  useChange({
    run: (coinsFirst: boolean) => rpc('use_coins_first', { p_seat_id: id, p_coins_first: coinsFirst }),
    stale,
    failed: paymentToasts.failed,
  })

/** Notes that the owner has paid the member back for time without access. */
export const useSettleOwed = (seatId: string) =>
  useChange({
    run: () => rpc('settle_owed', { p_seat_id: seatId }),
    stale,
    done: paymentToasts.settled,
    failed: paymentToasts.failed,
  })

/** Withdraws a member's notice to leave at the end of the period. */
export const useStay = ({ id, planName }: OwnSeat) =>
  useChange({
    run: () => rpc('stay', { p_seat_id: id }),
    stale,
    done: () => paymentToasts.stayed(planName),
    failed: paymentToasts.failed,
  })

/** Changes the terms for new members, and asks each present one. The plan itself is kept current live. */
export const useProposeTerms = ({ id }: Plan, onDone: () => void) =>
  useChange({
    run: (settlement: Settlement) =>
      rpc('propose_terms', { p_subscription_id: id, p_settlement: settlement }),
    stale,
    done: (asked) => {
      paymentToasts.proposed(asked)
      onDone()
    },
    failed: paymentToasts.failed,
  })

/** A member's answer to proposed terms. */
export const useAnswerTerms = () =>
  useChange({
    run: ({ id, accept }: { id: string; accept: boolean }) =>
      rpc('answer_terms', { p_proposal_id: id, p_accept: accept }),
    stale,
    done: (_answered, { accept }) => paymentToasts.answered(accept),
    failed: paymentToasts.failed,
  })

/** Ends a member's place with its current period; calls `onSettled` whether that works or not. */
export const useEndWithPeriod = (onSettled: () => void) =>
  useChange({
    run: (seatId: string) => rpc('end_seat_with_period', { p_seat_id: seatId }),
    stale,
    done: (endsAt) => {
      paymentToasts.endsWithPeriod(endsAt)
      onSettled()
    },
    failed: (problem) => {
      paymentToasts.failed(problem)
      onSettled()
    },
  })
