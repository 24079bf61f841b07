const REVIEW_STATES = ['active', 'pending', 'rejected'] as const
export type ReviewState = (typeof REVIEW_STATES)[number]

export const REVIEW_FILTERS = ['all', ...REVIEW_STATES] as const
export type ReviewFilter = (typeof REVIEW_FILTERS)[number]

export type Decision = 'approve' | 'reject' | 'hide' | 'restore'

const DECISIONS: Record<ReviewState, readonly Decision[]> = {
  active: ['hide'],
  pending: ['approve', 'reject'],
  rejected: ['restore'],
}

/** Returns the decisions that staff can make on a plan in this state. */
export function decisionsOn(state: ReviewState): readonly Decision[] {
  return DECISIONS[state]
}
