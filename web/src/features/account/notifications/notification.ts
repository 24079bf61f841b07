import * as z from 'zod/mini'
import { guestHash } from '#domain/place-link.ts'
import { ABOUT_OWN_PLANS, MOMENTS, PAGES } from './event-pages.ts'
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
      given: z.nullish(z.union([z.string(), z.boolean()])),
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
  /** The id of the seat of a guest whom the owner should look at; null if there is none. */
  guestSeatId: string | null
  /** True if the notification is about one payment. */
  isAboutPayment: boolean
  /** True if the notification is about a person's place. It has a plan only while the reader may open that plan. */
  isAboutPlace: boolean
  /** The page about the notification's subject, if the page does not depend on a plan. */
  page: string | null
  /** The kind of good news; null if the notification is not good news. */
  moment: Moment | null
  /** The name of the member the notification is about; null if it is not about a member. */
  member: string | null
  /** True if the notification is about a plan that the person is in or is offered. */
  isAboutOwnPlan: boolean
  /** True if the notification asks an owner for a new member’s access. */
  isAccessDue: boolean
}

export type Moment = (typeof MOMENTS)[number]

/** Returns unread good news, newest first: news about the given plan, and always the first coins. */
export const unreadMoments = (list: readonly UserNotification[], planId?: string): UserNotification[] =>
  list.filter(
    ({ read, moment, planId: about }) =>
      !read && moment && (moment === 'first-coins' || (about !== null && about === planId)),
  )

/** The page for an event, if the page does not depend on a plan; otherwise null. */
function pageOf(event: string | null | undefined, { id }: { id?: string | null | undefined }): string | null {
  const page = PAGES[event ?? '']
  if (!page || (page.includes('{id}') && !id)) return null
  return page.replace('{id}', encodeURIComponent(id ?? ''))
}

/** Events about a guest that their owner answers in the guest's dialog on the plan's page. */
const GUEST_EVENTS = ['guest-note', 'pin-used-up']

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
    guestSeatId: (GUEST_EVENTS.includes(event ?? '') && params.seat) || null,
    isAboutPayment: Boolean(params.payment),
    isAboutPlace: Boolean(params.owner && params.member),
    page: pageOf(event, params),
    moment: MOMENTS.find((moment) => moment === event) ?? null,
    member: params.member ?? null,
    isAccessDue: (event === 'member-paid' || event === 'member-debited') && String(params.given) !== 'true',
    isAboutOwnPlan: ABOUT_OWN_PLANS.includes(event ?? ''),
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

/** The page a notification opens, if any. */
export function leadsTo(notification: UserNotification): string | null {
  const { planId, problemId, lostSeatId, guestSeatId, page } = notification
  const { isAboutOwnPlan, isAboutPlace, isAboutPayment } = notification
  if (page) return page
  if (lostSeatId) return `/plans-like/${encodeURIComponent(lostSeatId)}`
  if (problemId) return `/problems/${encodeURIComponent(problemId)}`
  // Without a plan id, the plan is gone or the reader has left it.
  if (planId === null && isAboutPayment) return '/payments'
  if (planId === null || !(isAboutPlace || isAboutOwnPlan)) return null
  const place = `/subscription/${encodeURIComponent(planId)}`
  return guestSeatId ? `${place}#${guestHash(guestSeatId)}` : place
}
