import { isConnectionProblem, reasonOf, toAppError } from '#lib/errors.ts'
import { toastError, toastSuccess } from '#ui/toasts.ts'

export const payoutTexts = {
  listFailed: 'Failed to load withdrawals',
  statisticsFailed: 'Failed to load the statistics',
  empty: 'No withdrawal requests yet',
  own: 'Someone else decides about your own withdrawal',
} as const

export const payoutToasts = {
  decided: () => toastSuccess('Success', 'Withdrawal request updated successfully'),
  refused: (problem: unknown) => toastError('Error', decisionFailure(problem)),
}

/** Why a decision was not taken, in the words of whoever refused it. */
export function decisionFailure(problem: unknown): string {
  if (isConnectionProblem(problem)) return reasonOf(problem)
  return toAppError(problem).message || 'Failed to update withdrawal'
}
