import { useEffect, useEffectEvent } from 'react'

/** The product's browser events and their details. */
export interface BrowserEvents {
  /** `at`: when the change happened, in ms since the epoch. */
  requestStatusChanged: {
    requestId: string
    status: 'approved' | 'rejected' | 'cancelled'
    subscriptionId: string
    at: number
  }
  forceSubscriptionsRefresh: null
  forceRequestCountsRefresh: null
  /** Without an id, these two events mean the plan on screen. */
  openAddMemberDialog: { subscriptionId: string } | undefined
  openEditSubscriptionDialog: { subscriptionId: string } | undefined
  subscriptionUpdated: { subscriptionId: string }
  subscriptionDeleted: { subscriptionId: string }
  subscriptionCreated: { subscriptionId: string }
  subscriptionRequestSent: { subscriptionId: string }
  subscriptionMemberLeft: { subscriptionId: string }
  userProfileUpdated: { userId: string }
}

type Name = keyof BrowserEvents
type Detail<N extends Name> = BrowserEvents[N] extends null
  ? []
  : undefined extends BrowserEvents[N]
    ? [detail?: BrowserEvents[N]]
    : [detail: BrowserEvents[N]]

/** In ms. A status event older than STALE_AFTER is ignored, and one repeated within SAME_WITHIN is a duplicate. */
const STALE_AFTER = 30_000
const SAME_WITHIN = 10_000

/** Notifies every listener in this tab. */
export function announce<N extends Name>(name: N, ...[detail]: Detail<N>): void {
  window.dispatchEvent(new CustomEvent(name, { detail }))
}

/** {@link announce} for several events, in this order. */
export function announceAll(news: Partial<BrowserEvents>): void {
  for (const [name, detail] of Object.entries(news)) window.dispatchEvent(new CustomEvent(name, { detail }))
}

/**
 * Calls back on each event with this name, except stale and repeated status events. Returns a function that stops
 * listening.
 */
export function listen<N extends Name>(name: N, onEvent: (detail: BrowserEvents[N]) => void): () => void {
  const isNews = name === 'requestStatusChanged' ? newsFilter() : () => true
  const handler = (event: Event) => {
    // The browser reports a missing detail as null.
    const detail = (event as CustomEvent<BrowserEvents[N]>).detail ?? undefined
    if (isNews(detail)) onEvent(detail as BrowserEvents[N])
  }
  window.addEventListener(name, handler)
  return () => window.removeEventListener(name, handler)
}

/** {@link listen} for as long as a component is on screen. */
export function useBrowserEvent<N extends Name>(name: N, onEvent: (detail: BrowserEvents[N]) => void): void {
  const latest = useEffectEvent(onEvent)
  useEffect(() => listen(name, (detail) => latest(detail)), [name])
}

/** Decides whether a listener gets a status event: the same event may arrive in several ways. */
function newsFilter(): (detail: unknown) => boolean {
  const heard = new Map<string, number>()
  return (detail) => {
    const { at = Date.now(), ...news } = (detail ?? {}) as Partial<BrowserEvents['requestStatusChanged']>
    const now = Date.now()
    for (const [known, since] of heard) if (now - since >= SAME_WITHIN) heard.delete(known)
    const key = `${news.requestId} ${news.status} ${news.subscriptionId}`
    if (now - at > STALE_AFTER || heard.has(key)) return false
    heard.set(key, now)
    return true
  }
}
