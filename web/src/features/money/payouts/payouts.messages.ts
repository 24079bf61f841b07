import { coinsInWords } from '#domain/coins.ts'
import { answerOf } from '#lib/errors.ts'
import { toastError, toastSuccess } from '#ui/toasts.ts'
import type { PayoutStatus } from './payouts.queries.ts'

export const payoutTexts = {
  listFailed: 'Failed to load withdrawals',
  statisticsFailed: 'Failed to load the statistics',
  empty: 'No withdrawal requests yet',
  own: 'Someone else decides on your own withdrawal',
  completed: 'You completed this, so another admin records its return',
  filesFailed: 'Failed to load payment files',
  filesEmpty: 'No payment files yet',
  approved: 'You approved this, so another admin completes it',
} as const

export const payoutToasts = {
  decided: () => toastSuccess('Success', 'Withdrawal request updated successfully'),
  refused: (problem: unknown) => toastError('Error', answerOf(problem, 'Failed to update withdrawal')),
  returned: () => toastSuccess('Success', 'The coins are back in the wallet'),
  fileRefused: (problem: unknown) =>
    toastError('Payment file not created', answerOf(problem, 'Please try again.')),
  downloadFailed: (file: number, problem: unknown) =>
    toastError(`Payment file ${file} was created but not downloaded`, answerOf(problem, 'Please try again.')),
  leftOut: (payments: { name: string; amount: number }[]) =>
    toastError(
      'Some withdrawals are missing from the file',
      `${payments.map(({ name, amount }) => `${name}, ${coinsInWords(amount)}`).join('; ')}: the bank account can’t be read. Reject the withdrawal and ask for the account again.`,
    ),
  voided: () => toastSuccess('Payment file voided', 'Its withdrawals can go into another file.'),
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
