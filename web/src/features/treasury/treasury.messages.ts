import { isConnectionProblem, reasonOf, toAppError } from '#lib/errors.ts'
import { toastError, toastSuccess } from '#ui/toasts.ts'

export const treasuryTexts = {
  walletsFailed: 'Failed to load wallets',
  transactionsFailed: 'Failed to load transactions',
  figuresFailed: 'Failed to load the figures',
  noWallets: 'No wallets found',
  noTransactions: 'No transactions found',
  belowZero: 'The balance cannot go below zero',
} as const

export const adjustmentToasts = {
  done: () => toastSuccess('Success', 'Wallet adjusted successfully'),
  refused: (problem: unknown) => toastError('Error', adjustmentFailure(problem)),
  invalid: () => toastError('Invalid Amount', 'Please enter a valid adjustment amount'),
}

/** Why an adjustment was not made, in the words of whoever refused it. */
export function adjustmentFailure(problem: unknown): string {
  if (isConnectionProblem(problem)) return reasonOf(problem)
  return toAppError(problem).message || 'Failed to adjust wallet'
}
