import { dayInWords, fullDay } from '#domain/dates.ts'
import type { Payment } from '#domain/payments.ts'
import { counted } from '#domain/plural.ts'
import { explain, toastInfo, toastSuccess, toastWarning } from '#ui/toasts.ts'

export const paymentTexts = {
  failed: 'Failed to load payments',
  totalsFailed: 'Totals could not be loaded',
  seatsFailed: 'Members’ payments could not be loaded',
  wishesFailed: 'Payment details could not be loaded',
  quoteFailed: 'The price could not be loaded',
  termsFailed: 'The terms could not be loaded',
  daysFailed: 'The calendar could not be loaded',
  /** Of a payment that nobody can make yet. */
  waiting: (owner: string) => `Waiting for ${owner}’s payment details`,
  reminded: (at: string, now: number) => `Reminded ${dayInWords(at, new Date(now))}`,
} as const

/** What can be said about a payment from a member directly to the owner. */
export type PaymentStep = 'say' | 'confirm' | 'deny' | 'nudge' | 'end'

export const paymentToasts = {
  /** `name` is the other side's. */
  done: (step: PaymentStep, name: string) => {
    switch (step) {
      case 'say':
        return toastSuccess('Thank you', `${name} confirms it when it arrives.`)
      case 'confirm':
        return toastSuccess('Payment Received', `${name} now has a receipt.`)
      case 'deny':
        return toastSuccess('Payment Due Again', `We’ve told ${name}.`)
      case 'nudge':
        return toastSuccess('Reminder Sent', `You can remind ${name} again tomorrow.`)
      case 'end':
        return toastSuccess('Place Free Again', `${name} is no longer on this plan.`)
    }
  },
  waits: (name: string) => toastInfo('Waiting for a connection', `We’ll tell ${name} once you’re online.`),
  /** What became of an "I’ve paid" that had to wait. */
  wentOut: (name: string, became: Payment['status'] | 'said' | 'denied' | 'gone') => {
    if (became === 'said') return paymentToasts.done('say', name)
    // Said on another device, or the answer was lost.
    if (became === 'claimed') return
    const why =
      became === 'paid' || became === 'closed'
        ? `${name} already confirmed this payment.`
        : became === 'denied'
          ? `${name} says the payment hasn’t arrived. Please check it.`
          : 'The payment is no longer open.'
    return toastWarning('“I’ve paid” was not sent', why)
  },
  failed: (problem: unknown) => explain(problem, 'That didn’t work. Please try again.'),
  exportFailed: (problem: unknown) =>
    explain(problem, 'The payments could not be downloaded. Please try again.'),
  proposed: (asked: number) =>
    toastSuccess(
      'Terms changed',
      asked === 0
        ? 'They apply to new members.'
        : `They apply to new members. We’ve asked ${counted(asked, 'current member')}.`,
    ),
  answered: (accepted: boolean) =>
    accepted
      ? toastSuccess('Thank you', 'The new terms apply from your next month.')
      : toastSuccess('Old terms kept', 'Nothing changes. We’ve told the owner.'),
  endsWithPeriod: (endsAt: string) =>
    toastSuccess('Place ends', `It ends on ${fullDay(endsAt)}. We’ve told the member.`),
  settled: () => toastSuccess('Settled', 'We’ve told the owner.'),
  stayed: (plan: string) => toastSuccess('Place Kept', `You keep your place in ${plan}.`),
  wishesSaved: () => toastSuccess('Saved', 'Members who pay you directly see this now.'),
  wishesRemoved: () => toastSuccess('Removed', 'Members no longer see how to pay you.'),
  zoneSaved: (zone: string) =>
    toastSuccess('Time zone saved', `Your paid months now start at midnight in ${zone}.`),
}
