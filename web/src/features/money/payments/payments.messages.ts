import { plural, t } from '@lingui/core/macro'
import { LIMITS } from '@potluck/supabase/limits'
import { dayInWords, fullDay } from '#domain/dates.ts'
import { formatMoney } from '#domain/money.ts'
import type { Payment } from '#domain/payments.ts'
import { announce } from '#ui/announce.ts'
import { explain, toastInfo, toastSuccess, toastWarning } from '#ui/toasts.ts'

export const paymentTexts = {
  failed: t`Failed to load payments`,
  totalsFailed: t`Totals could not be loaded`,
  seatsFailed: t`Members’ payments could not be loaded`,
  wishesFailed: t`Payment details could not be loaded`,
  quoteFailed: t`The price could not be loaded`,
  termsFailed: t`The terms could not be loaded`,
  daysFailed: t`The calendar could not be loaded`,
  /** The text about the deadline after which an unanswered claim counts as received. */
  countsBy: (day: string) => t`Without an answer by ${{ day: fullDay(day) }} it counts as received.`,
  decidesBy: (day: string) =>
    t`You disagree about this payment. Our team decides by ${{ day: fullDay(day) }}.`,
  reminderFor: ({ planName, amount, currency, dueAt }: Payment) =>
    t`A reminder: ${formatMoney(amount, currency)} for ${planName} is due since ${{ day: fullDay(dueAt) }}. Here is how to pay`,
  reminded: (at: string, now: number) => t`Reminded ${dayInWords(at, new Date(now))}`,
} as const

/** The steps of a direct payment from member to owner, or of a repayment to the member. */
export type PaymentStep =
  | 'say'
  | 'confirm'
  | 'unconfirm'
  | 'deny'
  | 'nudge'
  | 'waive'
  | 'repay'
  | 'deny-repayment'
  | 'dispute'
  | 'end'

export const paymentToasts = {
  /** `name` is the name of the other person in the payment. */
  done: (step: PaymentStep, name: string) => {
    switch (step) {
      case 'say':
      case 'repay':
        return announce(t`${name} confirms it when it arrives.`)
      case 'confirm':
        return announce(t`${name} now has a receipt.`)
      case 'deny':
        return toastSuccess(t`Payment Due Again`, t`${name} sees it now.`)
      case 'unconfirm':
        return toastSuccess(t`Taken back`, t`${name} sees it now.`)
      case 'waive':
        return toastSuccess(t`Payment let go`, t`${name} sees it now.`)
      case 'deny-repayment':
        return toastSuccess(t`Reported as missing`, t`We’ve told ${name}.`)
      case 'dispute':
        return toastSuccess(
          t`Our team decides`,
          t`Within ${plural(LIMITS.paymentDisputeTimeHours / 24, { one: '# day', other: '# days' })}. We’ve told ${name}.`,
        )
      case 'nudge':
        return toastSuccess(t`Reminder Sent`, t`You can remind ${name} again tomorrow.`)
      case 'end':
        return toastSuccess(t`Place Free Again`, t`${name} is no longer on this plan.`)
    }
  },
  waits: (name: string) => toastInfo(t`Waiting for a connection`, t`We’ll tell ${name} once you’re online.`),
  /** The outcome of an "I’ve paid" that had waited for a connection. */
  wentOut: (name: string, became: Payment['status'] | 'said' | 'denied' | 'gone') => {
    if (became === 'said') return paymentToasts.done('say', name)
    // The claim was made on another device, or our first request succeeded and its response was lost.
    if (became === 'claimed' || became === 'disputed') return
    const why =
      became === 'paid' || became === 'closed'
        ? t`${name} already confirmed this payment.`
        : became === 'denied'
          ? t`${name} says the payment hasn’t arrived. Please check it.`
          : t`The payment is no longer open.`
    return toastWarning(t`“I’ve paid” was not sent`, why)
  },
  failed: (problem: unknown) => explain(problem, t`That didn’t work. Please try again.`),
  exportFailed: (problem: unknown) =>
    explain(problem, t`The payments could not be downloaded. Please try again.`),
  countrySaved: () => toastSuccess(t`Country saved`, t`Your next invoices name it.`),
  invoiceFailed: (problem: unknown) =>
    explain(problem, t`The invoice could not be loaded. Please try again.`),
  remindedAll: (reminded: number) =>
    announce(
      plural(reminded, {
        0: 'Everybody was reminded already.',
        one: '# payment reminded of.',
        other: '# payments reminded of.',
      }),
    ),
  proposed: (asked: number) =>
    toastSuccess(
      t`Terms changed`,
      asked === 0
        ? t`They apply to new members.`
        : t`They apply to new members. We’ve asked ${plural(asked, { one: '# current member', other: '# current members' })}.`,
    ),
  answered: (accepted: boolean) =>
    accepted
      ? toastSuccess(t`Thank you`, t`The new terms apply from your next month.`)
      : toastSuccess(t`Old terms kept`, t`Nothing changes. We’ve told the owner.`),
  endsWithPeriod: (endsAt: string) =>
    toastSuccess(t`Place ends`, t`It ends on ${fullDay(endsAt)}. We’ve told the member.`),
  settled: () => toastSuccess(t`Settled`, t`We’ve told the owner.`),
  /** `open` is the remaining debt in EUR. */
  debtPaid: (open: number) =>
    toastSuccess(
      t`Thank you`,
      open > 0 ? t`Please pay the remaining ${formatMoney(open)} by card.` : t`You owe nothing more.`,
    ),
  wishesRemoved: () => toastSuccess(t`Removed`, t`Nobody sees how to pay you any more.`),
  zoneSaved: (zone: string) =>
    toastSuccess(t`Time zone saved`, t`Your paid months now start at midnight in ${zone}.`),
}
