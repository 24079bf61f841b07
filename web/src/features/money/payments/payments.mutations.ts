import type { Payment } from '#domain/payments.ts'
import type { Plan, Settlement } from '#domain/plan.ts'
import type { OwnSeat } from '#domain/seats.ts'
import type { Division } from '#domain/shares.ts'
import { withAge } from '#lib/age.ts'
import { useChange } from '#lib/change.ts'
import { rpc } from '#lib/supabase.ts'
import { paymentToasts } from './payments.messages.ts'
import { paymentKeys } from './payments.queries.ts'
import { claimPayment } from './queued-claims.ts'
import { seatKeys } from './seats.queries.ts'

type Of<Fields extends keyof Payment> = { payment: Pick<Payment, Fields> }
type Step =
  /** `how`: how and when the payer paid, for staff. */
  | ({ step: 'say'; how?: string } & Of<'id' | 'memberId' | 'ownerName' | 'note' | 'status'>)
  | ({ step: 'repay'; how?: string } & Of<'id' | 'memberName'>)
  | ({ step: 'confirm' | 'unconfirm' | 'nudge' | 'waive' } & Of<'id' | 'memberName'>)
  /** `note` is for the other side or, if `late` is set (the payment already counts as received), for staff. */
  | ({ step: 'deny'; note: string; late?: boolean } & Of<'id' | 'memberName'>)
  | ({ step: 'deny-repayment'; note: string; late?: boolean } & Of<'id' | 'ownerName'>)
  | ({ step: 'end' } & Of<'seatId' | 'memberName'>)

/** Runs a step of a direct payment or repayment. */
export const usePaymentStep = (onDone?: () => void) =>
  useChange({
    run: async (told: Step) => {
      if (told.step === 'end') return rpc('end_late_seat', { p_seat_id: told.payment.seatId })
      if (told.step === 'say') return claimPayment(told.payment, told.how ?? null)
      const about = { p_payment_id: told.payment.id }
      if (told.step === 'confirm') return rpc('confirm_payment', about)
      if (told.step === 'deny') return rpc('deny_payment', { ...about, p_note: told.note.trim() })
      if (told.step === 'deny-repayment') return rpc('deny_repayment', { ...about, p_note: told.note.trim() })
      if (told.step === 'repay') return rpc('say_repaid', { ...about, ...(told.how && { p_note: told.how }) })
      if (told.step === 'unconfirm') return rpc('unconfirm_payment', about)
      if (told.step === 'waive') return rpc('waive_payment', about)
      return rpc('nudge_payment', about)
    },
    stale: [paymentKeys.all, seatKeys.all],
    done: (waits, told) => {
      if (told.step === 'say' && waits) {
        paymentToasts.waits(told.payment.ownerName)
        onDone?.()
        return
      }
      const isToOwner = told.step === 'say' || told.step === 'deny-repayment'
      const name = isToOwner ? told.payment.ownerName : told.payment.memberName
      const isDispute = ('how' in told && told.how) || ('late' in told && told.late)
      paymentToasts.done(isDispute ? 'dispute' : told.step, name)
      onDone?.()
    },
    failed: paymentToasts.failed,
  })

const stale = [seatKeys.all]

/** Sets whether payments for a place use coins first or only the card. */
export const useCoinsFirst = ({ id }: OwnSeat) =>
  useChange({
    run: (coinsFirst: boolean) => rpc('use_coins_first', { p_seat_id: id, p_coins_first: coinsFirst }),
    stale,
    failed: paymentToasts.failed,
  })

/** Records that the owner has repaid the member for time without access. */
export const useSettleOwed = (seatId: string, ownerId: string) =>
  useChange({
    run: () => rpc('settle_owed', { p_seat_id: seatId, p_owner_id: ownerId }),
    stale,
    done: paymentToasts.settled,
    failed: paymentToasts.failed,
  })

/** Cancels the member's planned departure at the end of the period. */
export const useStay = ({ id }: OwnSeat) =>
  useChange({
    run: () => rpc('cancel_departure', { p_seat_id: id }),
    stale,
    failed: paymentToasts.failed,
  })

/** Pays a debt to the site with coins, as far as the balance allows. */
export const usePayDebt = (userId: string) =>
  useChange({
    run: (id: string) => rpc('pay_debt_with_coins', { p_debt_id: id }),
    stale: [paymentKeys.debts(userId), ['wallet', userId]],
    done: paymentToasts.debtPaid,
    failed: paymentToasts.failed,
  })

/** Changes the terms for new members and asks each current member to agree. The plan on screen updates live. */
export const useProposeTerms = ({ id }: Plan, onDone: () => void) =>
  useChange({
    run: (settlement: Settlement) =>
      withAge(() => rpc('propose_terms', { p_subscription_id: id, p_settlement: settlement })),
    stale,
    done: (asked) => {
      paymentToasts.proposed(asked)
      onDone()
    },
    failed: paymentToasts.failed,
  })

/** Reminds a guest of a payment: by mail, or with a link for the owner to pass on, whose secret is the answer. */
export const useRemindGuest = () =>
  useChange({
    run: (payment: Payment) => rpc('remind_guest', { p_payment_id: payment.id }),
    stale,
    done: (secret, { memberName }) => secret ?? paymentToasts.done('nudge', memberName),
    failed: paymentToasts.failed,
  })

/** Reminds everybody in a plan of what is due. The answers have the secrets of links for guests, to pass on. */
export const useRemindAll = (planId: string) =>
  useChange({
    run: () => rpc('remind_all', { p_subscription_id: planId }),
    stale,
    done: (reminded) => paymentToasts.remindedAll(reminded.length),
    failed: paymentToasts.failed,
  })

/** Changes what an own plan costs, and how its members divide that. */
export const useProposeShares = ({ id }: Plan, onDone: () => void) =>
  useChange({
    run: ({ price, rule, parts }: Division) =>
      rpc('propose_shares', { p_subscription_id: id, p_price: price, p_rule: rule, p_parts: parts }),
    stale,
    done: (asked) => {
      paymentToasts.proposed(asked)
      onDone()
    },
    failed: paymentToasts.failed,
  })

/** Accepts or declines proposed terms. */
export const useAnswerTerms = () =>
  useChange({
    /**
     * `beginsAtOnce` is true if the person asks for the place to begin immediately, required if it is paid through the
     * site.
     */
    run: ({ id, accept, beginsAtOnce }: { id: string; accept: boolean; beginsAtOnce: boolean }) =>
      withAge(() =>
        rpc('answer_terms', { p_proposal_id: id, p_accept: accept, p_begin_at_once: beginsAtOnce }),
      ),
    stale,
    done: (_answered, { accept }) => paymentToasts.answered(accept),
    failed: paymentToasts.failed,
  })

/** Ends a member's place with its current period. Calls `onSettled` on success and on failure. */
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
