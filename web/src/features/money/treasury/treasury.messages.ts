import { answerOf } from '#lib/errors.ts'
import { toastError, toastSuccess } from '#ui/toasts.ts'

export const treasuryTexts = {
  walletsFailed: 'Failed to load wallets',
  transactionsFailed: 'Failed to load transactions',
  figuresFailed: 'The figures could not be loaded',
  noWallets: 'No wallets found',
  noTransactions: 'No transactions found',
} as const

export const adjustmentToasts = {
  done: () => toastSuccess('Success', 'Wallet adjusted successfully'),
  refused: (problem: unknown) => toastError('Error', answerOf(problem, 'Failed to adjust wallet')),
  invalid: () => toastError('Invalid Amount', 'Please enter a valid adjustment amount'),
}
