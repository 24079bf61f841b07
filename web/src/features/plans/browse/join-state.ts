/** What a person may do about a plan in the list. The database decides; this only says so beforehand. */
import type { Plan } from '#domain/plan.ts'
import { isFull } from '#domain/slots.ts'

export type JoinState = 'signed-out' | 'owner' | 'member' | 'requested' | 'full' | 'closed' | 'open'

/** What is known about the reader's own plans and requests, by plan id. */
export interface Standing {
  /** Null once the session has ended. */
  userId: string | null
  joined: ReadonlySet<string>
  requested: ReadonlySet<string>
  /** Requests waiting for an answer on plans the reader owns. */
  waiting: Readonly<Record<string, number>>
  /** Providers that are switched off, by name. */
  closed: Readonly<Record<string, string>>
}

/** Is there a waiting list for this person, or an offer from it? */
export const mayWait = (...known: Parameters<typeof joinState>): boolean =>
  ['full', 'open'].includes(joinState(...known))

/** What a person is to the plan comes before how full it is. */
export function joinState(
  plan: Pick<Plan, 'id' | 'provider' | 'ownerId' | 'currentMembers' | 'ownerMaxMembers'>,
  { userId, joined, requested, closed }: Standing,
): JoinState {
  if (userId === null) return 'signed-out'
  if (plan.ownerId === userId) return 'owner'
  if (joined.has(plan.id)) return 'member'
  if (requested.has(plan.id)) return 'requested'
  if (plan.provider in closed) return 'closed'
  return isFull(plan) ? 'full' : 'open'
}
