import { t } from '@lingui/core/macro'
import { answerOf } from '#lib/errors.ts'
import { toastError, toastSuccess } from '#ui/toasts.ts'

export const treasuryTexts = {
  walletsFailed: t`Failed to load wallets`,
  transactionsFailed: t`Failed to load transactions`,
  figuresFailed: t`The figures could not be loaded`,
  noWallets: t`No wallets found`,
  noTransactions: t`No transactions found`,
} as const

export const adjustmentToasts = {
  done: () => toastSuccess(t`Success`, t`Wallet adjusted successfully`),
  refused: (problem: unknown) => toastError(t`Error`, answerOf(problem, t`Failed to adjust wallet`)),
  invalid: () => toastError(t`Invalid Amount`, t`Please enter a valid adjustment amount`),
}
