import * as z from 'zod/mini'
import { inOurWords } from './words.ts'

const rowSchema = z.object({
  id: z.string(),
  type: z.catch(z.enum(['success', 'warning', 'error', 'info']), 'info'),
  title: z.string(),
  message: z.string(),
  read: z.boolean(),
  created_at: z.string(),
  subscription_id: z.nullish(z.string()),
  event: z.nullish(z.string()),
  params: z.catch(
    z.looseObject({
      problem: z.nullish(z.string()),
      owner: z.nullish(z.string()),
      member: z.nullish(z.string()),
      seat: z.nullish(z.string()),
      id: z.nullish(z.string()),
      payment: z.nullish(z.string()),
    }),
    {},
  ),
})

export interface UserNotification {
  id: string
  kind: 'success' | 'warning' | 'error' | 'info'
  title: string
  message: string
  read: boolean
  /** ISO timestamp. */
  createdAt: string
  planId: string | null
  problemId: string | null
  /** The id of the lost seat, which puts the reader first in other waiting lists. */
  lostSeatId: string | null
  /** The notification is about one payment. */
  isAboutPayment: boolean
  /** The notification is about a person's place. Such a notification has a plan only while the reader may open it. */
  isAboutPlace: boolean
  /** The page about the notification's subject, if the page does not depend on a plan. */
  page: string | null
  /** The kind of good news; null if the notification is not good news. */
  moment: Moment | null
  /** The name of the member the notification is about; null if it is not about a member. */
  member: string | null
  /** The notification is about a plan that the person is in or is offered. */
  isAboutOwnPlan: boolean
}

/** The kinds of good news. All are about a plan, except for the first coins, which are about a person. */
const MOMENTS = [
  'request-approved',
  'let-in',
  'joined',
  'member-let-in',
  'invitation-accepted',
  'first-month',
  'member-first-month',
  'first-coins',
] as const
export type Moment = (typeof MOMENTS)[number]

/** Unread good news, newest first: about the given plan, and first coins always. */
export const unreadMoments = (list: readonly UserNotification[], planId?: string): UserNotification[] =>
  list.filter(
    ({ read, moment, planId: about }) =>
      !read && moment && (moment === 'first-coins' || (about !== null && about === planId)),
  )

const PAGES: Record<string, string> = {
  'support-answered': '/help',
  'support-asked': '/admin/support',
  'payout-by-one-admin': '/admin?tab=settings',
  'payout-by-two-admins': '/admin?tab=settings',
  'problem-to-decide': '/admin/problems',
  'payment-to-decide': '/admin/problems',
  'payment-left-unpaid': '/payments',
  'payment-waived': '/payments',
  'payment-back-claimed': '/payments',
  'owner-owes-you': '/payments',
  'payment-member-left-unpaid': '/payments?tab=received',
  'payment-back-denied': '/payments?tab=received',
  'payment-debt-unkept': '/payments?tab=received',
  'you-owe-member': '/payments?tab=received',
  'tax-details-wanted': '/account-settings/money',
  'webhook-stopped': '/account-settings/programs',
  'payment-disputed': '/admin/disputes',
  'payment-dispute-due': '/admin/disputes',
  'payment-answer-refused': '/admin/disputes',
  'payment-fraud-warned': '/admin/disputes',
  'payment-mandate-ended': '/cards',
  'payment-debt': '/payments',
  'payment-debt-paid': '/payments',
  'payment-debt-opened': '/admin/disputes',
  'payment-withdrawals-many': '/admin/disputes',
  'payment-returned': '/admin/disputes',
  'payment-returned-twice': '/admin/disputes',
  'payment-jobs-fail': '/admin/disputes',
  'payment-returned-by-hand': '/admin/disputes',
  'payment-books-differ': '/admin/disputes',
}

/** The page for an event, if the page does not depend on a plan; otherwise null. */
function pageOf(event: string | null | undefined, { id }: { id?: string | null | undefined }): string | null {
  if ((event === 'payment-disputes-often' || event === 'payout-account-missing') && id)
    return `/admin/people/${encodeURIComponent(id)}`
  return PAGES[event ?? ''] ?? null
}

/** Parses a stored row, whether queried or received live. */
export function toNotification(row: unknown): UserNotification {
  const { type, created_at, subscription_id, event, params, ...told } = rowSchema.parse(row)
  return {
    ...told,
    ...inOurWords(event, params),
    kind: type,
    createdAt: created_at,
    planId: subscription_id ?? null,
    problemId: params.problem ?? null,
    lostSeatId: (event === 'comes-first' && params.seat) || null,
    isAboutPayment: Boolean(params.payment),
    isAboutPlace: Boolean(params.owner && params.member),
    page: pageOf(event, params),
    moment: MOMENTS.find((moment) => moment === event) ?? null,
    member: params.member ?? null,
    isAboutOwnPlan: aboutOwnPlans.has(event),
  }
}

export const unreadCount = (list: readonly UserNotification[]) => list.filter(({ read }) => !read).length

/** Returns the list with the given notifications marked read; null means all. */
export function withRead(
  list: readonly UserNotification[],
  ids: readonly string[] | null,
): UserNotification[] {
  return list.map((one) => (ids === null || ids.includes(one.id) ? { ...one, read: true } : one))
}

/**
 * Events about a plan the person is in or is offered. Other events, such as a refusal, are about plans they may not
 * open.
 */
const aboutOwnPlans = new Set<string | null | undefined>([
  'request-made',
  'request-cancelled',
  'request-expiring',
  'request-approved',
  'let-in',
  'joined',
  'member-let-in',
  'member-left',
  'invitation-accepted',
  'invitation-declined',
  'place-offered',
  'plan-found',
])

/** The page a notification opens, if any. */
export function leadsTo(notification: UserNotification): string | null {
  const { planId, problemId, lostSeatId, isAboutOwnPlan, isAboutPlace, isAboutPayment, page } = notification
  if (page) return page
  if (lostSeatId) return `/plans-like/${encodeURIComponent(lostSeatId)}`
  if (problemId) return `/problems/${encodeURIComponent(problemId)}`
  // Without a plan id, the plan is gone or the reader has left it.
  if (planId === null && isAboutPayment) return '/payments'
  if (planId === null || !(isAboutPlace || isAboutOwnPlan)) return null
  return `/subscription/${encodeURIComponent(planId)}`
}
