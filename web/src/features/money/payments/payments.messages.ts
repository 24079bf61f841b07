import { dayInWords, fullDay } from '#domain/dates.ts'
import type { Payment } from '#domain/payments.ts'
import { counted } from '#domain/plural.ts'
import { explain, toastInfo, toastSuccess, toastWarning } from '#ui/toasts.ts'

export const paymentTexts = {
  failed: 'Failed to load payments',
  totalsFailed: 'Failed to load what it comes to',
  daysFailed: 'Failed to load what is due when',
  seatsFailed: 'Failed to load what members pay',
  wishesFailed: 'Failed to load how to pay',
  quoteFailed: 'Failed to load what it costs',
  termsFailed: 'Failed to load what terms are possible',
  /** Of a payment that nobody can make yet. */
  waiting: (owner: string) => `Waiting for ${owner} to say how`,
  reminded: (at: string, now: number) => `Reminded ${dayInWords(at, new Date(now))}`,
} as const

/** What can be said about a payment from a member directly to the owner. */
export type PaymentStep = 'say' | 'confirm' | 'deny' | 'nudge' | 'end'

export const paymentToasts = {
  /** `name` is the other side's. */
  done: (step: PaymentStep, name: string) => {
    switch (step) {
      case 'say':
        return toastSuccess('Thank you', `${name} is told, and confirms when it has arrived.`)
      case 'confirm':
        return toastSuccess('Payment Received', `${name} has a receipt now.`)
      case 'deny':
        return toastSuccess('Payment open again', `${name} reads what you wrote.`)
      case 'nudge':
        return toastSuccess('Reminder Sent', `You can remind ${name} again tomorrow.`)
      case 'end':
        return toastSuccess('Place Free Again', `${name} is no longer on this plan.`)
    }
  },
  waits: (name: string) => toastInfo('Waits for a connection', `${name} is told as soon as you are online.`),
  /** What became of an "I’ve paid" that had to wait. */
  wentOut: (name: string, became: Payment['status'] | 'said' | 'denied' | 'gone') => {
    if (became === 'said') return paymentToasts.done('say', name)
    // Said on another device, or the answer was lost.
    if (became === 'claimed') return
    const why =
      became === 'paid' || became === 'closed'
        ? `${name} has confirmed the payment already.`
        : became === 'denied'
          ? `${name} has written meanwhile that it has not arrived. Look at the payment again.`
          : 'The payment is no longer open.'
    return toastWarning('“I’ve paid” was not sent', why)
  },
  failed: (problem: unknown) => explain(problem, 'That did not work. Please try again.'),
  exportFailed: (problem: unknown) =>
    explain(problem, 'The payments could not be collected. Please try again.'),
  proposed: (asked: number) =>
    toastSuccess(
      'Terms changed',
      asked === 0
        ? 'They hold for whoever joins from now on.'
        : `They hold for whoever joins from now on, and ${counted(asked, 'member')} ${asked === 1 ? 'is' : 'are'} asked.`,
    ),
  answered: (accepted: boolean) =>
    accepted
      ? toastSuccess('Thank you', 'The new terms hold from your next month on.')
      : toastSuccess('Old terms kept', 'Nothing changes for you. The owner is told.'),
  endsWithPeriod: (endsAt: string) =>
    toastSuccess('Place ends', `It ends on ${fullDay(endsAt)}. The member is told.`),
  settled: () => toastSuccess('Settled', 'The owner is told.'),
  stayed: (plan: string) => toastSuccess('You stay', `Your place in ${plan} goes on.`),
  wishesSaved: () => toastSuccess('Saved', 'Members who pay you directly see this now.'),
  wishesRemoved: () => toastSuccess('Removed', 'Members no longer see how to pay you.'),
  zoneSaved: (zone: string) =>
    toastSuccess('Time zone saved', `Months you pay for begin at midnight in ${zone}.`),
}
