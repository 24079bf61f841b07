import { t } from '@lingui/core/macro'
import { coinsInWords } from '#domain/coins.ts'
import { answerOf } from '#lib/errors.ts'
import { toastError, toastSuccess } from '#ui/toasts.ts'
import type { WithdrawalStatus } from './withdrawals.queries.ts'

export const withdrawalTexts = {
  listFailed: t`Failed to load withdrawals`,
  statisticsFailed: t`Failed to load the statistics`,
  empty: t`No withdrawal requests yet`,
  own: t`Someone else decides on your own withdrawal`,
  completed: t`You completed this, so another admin records its return`,
  filesFailed: t`Failed to load payment files`,
  approved: t`You approved this, so another admin completes it`,
} as const

export const withdrawalToasts = {
  decided: () => toastSuccess(t`Success`, t`Withdrawal request updated successfully`),
  refused: (problem: unknown) => toastError(t`Error`, answerOf(problem, t`Failed to update withdrawal`)),
  returned: () => toastSuccess(t`Success`, t`The coins are back in the wallet`),
  held: () => toastSuccess(t`Payouts held`, t`They are told the reason and the day.`),
  released: () => toastSuccess(t`Payouts released`, t`What waited is on its way.`),
  debtClosed: () => toastSuccess(t`Refund closed`, t`We’ve told both sides.`),
  holdRefused: (problem: unknown) => toastError(t`Nothing changed`, answerOf(problem, t`Please try again.`)),
  fileRefused: (problem: unknown) =>
    toastError(t`Payment file not created`, answerOf(problem, t`Please try again.`)),
  downloadFailed: (file: number, problem: unknown) =>
    toastError(
      t`Payment file ${file} was created but not downloaded`,
      answerOf(problem, t`Please try again.`),
    ),
  leftOut: (payments: { name: string; amount: number }[]) =>
    toastError(
      t`Some withdrawals are missing from the file`,
      t`${payments.map(({ name, amount }) => `${name}, ${coinsInWords(amount)}`).join('; ')}: the bank account can’t be read. Reject the withdrawal and ask for the account again.`,
    ),
  voided: () => toastSuccess(t`Payment file voided`, t`Its withdrawals can go into another file.`),
}

/** The look of a completed withdrawal that the bank returned. */
export const RETURNED = { label: t`Returned`, color: 'beet' }

/** The label and colour of each status. */
export const WITHDRAWAL_STATES: Record<WithdrawalStatus, { label: string; color: string }> = {
  pending: { label: t`Pending`, color: 'honey' },
  processing: { label: t`Processing`, color: 'clay' },
  completed: { label: t`Completed`, color: 'herb' },
  rejected: { label: t({ message: 'Rejected', context: 'a withdrawal' }), color: 'beet' },
}
