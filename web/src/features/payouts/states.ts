import type { PayoutStatus } from './payouts.queries.ts'

/** What a status is called, and its colour. */
export const PAYOUT_STATES: Record<PayoutStatus, { label: string; color: string }> = {
  pending: { label: 'Pending', color: 'honey' },
  processing: { label: 'Processing', color: 'clay' },
  completed: { label: 'Completed', color: 'herb' },
  rejected: { label: 'Rejected', color: 'beet' },
}
