import { useEffect, useEffectEvent } from 'react'

/** The product's browser events (EVT-01..09) and what each carries. */
export interface BrowserEvents {
  requestStatusChanged: { requestId: string; status: string; subscriptionId: string }
  forceSubscriptionsRefresh: undefined
  forceRequestCountsRefresh: undefined
  openAddMemberDialog: { subscriptionId: string }
  openEditSubscriptionDialog: { subscriptionId: string }
  subscriptionUpdated: { subscriptionId: string }
  subscriptionDeleted: { subscriptionId: string }
  subscriptionCreated: { subscriptionId: string }
  subscriptionRequestSent: { subscriptionId: string }
  subscriptionMemberLeft: { subscriptionId: string }
  userProfileUpdated: { userId: string }
}

type Name = keyof BrowserEvents
type Detail<N extends Name> = BrowserEvents[N] extends undefined ? [] : [detail: BrowserEvents[N]]

/** Tells every listener in this tab that something happened. */
export function announce<N extends Name>(name: N, ...[detail]: Detail<N>): void {
  window.dispatchEvent(new CustomEvent(name, { detail }))
}

/** Calls back on each event of that name; returns the way to stop. */
function listen<N extends Name>(name: N, onEvent: (detail: BrowserEvents[N]) => void): () => void {
  const handler = (event: Event) => onEvent((event as CustomEvent<BrowserEvents[N]>).detail)
  window.addEventListener(name, handler)
  return () => window.removeEventListener(name, handler)
}

/** {@link listen} for as long as a component is on screen. */
export function useBrowserEvent<N extends Name>(name: N, onEvent: (detail: BrowserEvents[N]) => void): void {
  const latest = useEffectEvent(onEvent)
  useEffect(() => listen(name, (detail) => latest(detail)), [name])
}
