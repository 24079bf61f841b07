import * as z from 'zod/mini'

const rowSchema = z.object({
  id: z.string(),
  type: z.catch(z.enum(['success', 'warning', 'error', 'info']), 'info'),
  title: z.string(),
  message: z.string(),
  read: z.boolean(),
  created_at: z.string(),
  subscription_id: z.nullish(z.string()),
})

export interface Notification {
  id: string
  kind: 'success' | 'warning' | 'error' | 'info'
  title: string
  message: string
  read: boolean
  /** ISO timestamp. */
  createdAt: string
  planId: string | null
}

/** Reads a stored row, whether it was queried or pushed. */
export function toNotification(row: unknown): Notification {
  const { id, type, title, message, read, created_at, subscription_id } = rowSchema.parse(row)
  return { id, kind: type, title, message, read, createdAt: created_at, planId: subscription_id ?? null }
}

export const unreadCount = (list: readonly Notification[]) => list.filter(({ read }) => !read).length

/** The list with some of it read; null means all of it. */
export function withRead(list: readonly Notification[], ids: readonly string[] | null): Notification[] {
  return list.map((one) => (ids === null || ids.includes(one.id) ? { ...one, read: true } : one))
}

/** What a person is told about a plan they are in, or offered. The rest, a refusal for instance, is about one they may not open. */
const aboutOwnPlans = new Set([
  'New Join Request',
  'Request Cancelled',
  'Request Expiring Soon',
  'Request Approved',
  'Member Left',
  'Invitation Accepted',
  'Invitation Declined',
  'Place Offered',
])

export const leadsToPlan = ({ planId, title }: Notification) => planId !== null && aboutOwnPlans.has(title)
