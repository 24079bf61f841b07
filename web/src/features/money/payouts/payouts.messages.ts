import { coinsInWords } from '#domain/coins.ts'
import { answerOf } from '#lib/errors.ts'
import { toastError, toastSuccess } from '#ui/toasts.ts'
import type { PayoutStatus } from './payouts.queries.ts'

export const payoutTexts = {
  listFailed: 'Failed to load withdrawals',
  statisticsFailed: 'Failed to load the statistics',
  empty: 'No withdrawal requests yet',
  own: 'Someone else decides about your own withdrawal',
  completed: 'Another admin notes the return of what you completed',
  filesFailed: 'Failed to load payment files',
  filesEmpty: 'No payment files yet',
  approved: 'Another admin completes what you approved',
} as const

export const payoutToasts = {
  decided: () => toastSuccess('Success', 'Withdrawal request updated successfully'),
  refused: (problem: unknown) => toastError('Error', answerOf(problem, 'Failed to update withdrawal')),
  returned: () => toastSuccess('Success', 'The coins are back in the wallet'),
  fileRefused: (problem: unknown) => toastError('No payment file', answerOf(problem, 'Please try again.')),
  downloadFailed: (file: number, problem: unknown) =>
    toastError(`Payment file ${file} is made, but not downloaded`, answerOf(problem, 'Please try again.')),
  leftOut: (payments: { name: string; amount: number }[]) =>
    toastError(
      'Not everyone is in the payment file',
      `${payments.map(({ name, amount }) => `${name}, ${coinsInWords(amount)}`).join('; ')}: the bank account does not open. Reject the withdrawal and ask for the account again.`,
    ),
  voided: () => toastSuccess('The payment file is void', 'Its withdrawals can go into another one.'),
}

/** Completed, and sent back by the bank. */
export const RETURNED = { label: 'Returned', color: 'beet' }

/** What a status is called, and its colour. */
export const PAYOUT_STATES: Record<PayoutStatus, { label: string; color: string }> = {
  pending: { label: 'Pending', color: 'honey' },
  processing: { label: 'Processing', color: 'clay' },
  completed: { label: 'Completed', color: 'herb' },
  rejected: { label: 'Rejected', color: 'beet' },
}
