import { answerOf } from '#lib/errors.ts'
import { toastError, toastSuccess } from '#ui/toasts.ts'

export const payoutTexts = {
  listFailed: 'Failed to load withdrawals',
  statisticsFailed: 'Failed to load the statistics',
  empty: 'No withdrawal requests yet',
  own: 'Someone else decides about your own withdrawal',
  approved: 'Another admin completes what you approved',
} as const

export const payoutToasts = {
  decided: () => toastSuccess('Success', 'Withdrawal request updated successfully'),
  refused: (problem: unknown) => toastError('Error', answerOf(problem, 'Failed to update withdrawal')),
}
