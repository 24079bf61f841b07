/** A person's possible actions on a plan, computed for display. The database checks each action again. */
import type { Plan } from '#domain/plan.ts'
import { isFull, type Places } from '#domain/slots.ts'

export type JoinState = 'signed-out' | 'owner' | 'member' | 'requested' | 'full' | 'closed' | 'open'

/** The reader's relation to plans: their memberships and requests, by plan id. */
export interface PlanRelations {
  /** Null once the session has ended. */
  userId: string | null
  joined: ReadonlySet<string>
  requested: ReadonlySet<string>
  /** The number of pending requests by plan, for plans the reader owns. */
  waiting: Readonly<Record<string, number>>
  /** The names of the providers whose plans take no new members. */
  closed: ReadonlySet<string>
}

/** The relations of a person who has neither joined nor requested a plan. */
export const unrelated = (userId: string): PlanRelations => ({
  userId,
  joined: new Set(),
  requested: new Set(),
  waiting: {},
  closed: new Set(),
})

/** True if this person may join the waiting list, or be offered a place from it. */
export const mayWait = (...known: Parameters<typeof joinState>): boolean =>
  ['full', 'open'].includes(joinState(...known))

/**
 * Returns what a person can do with a plan. Being its owner, a member or a requester takes precedence over a full plan.
 */
export function joinState(
  plan: Pick<Plan, 'id' | 'provider' | 'ownerId'> & Places,
  { userId, joined, requested, closed }: PlanRelations,
): JoinState {
  if (userId === null) return 'signed-out'
  if (plan.ownerId === userId) return 'owner'
  if (joined.has(plan.id)) return 'member'
  if (requested.has(plan.id)) return 'requested'
  if (closed.has(plan.provider)) return 'closed'
  return isFull(plan) ? 'full' : 'open'
}
