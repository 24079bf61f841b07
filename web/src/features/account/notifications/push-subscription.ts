// Push notifications of this browser, shown while the page is closed.
import { t } from '@lingui/core/macro'
import { config } from '#lib/config.ts'

/** Whether push can be turned on: `ready`, or the reason why not. */
export type Ability = 'ready' | 'denied' | 'home-screen' | 'unsupported'

export function abilityOf(): Ability {
  if ('serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window)
    return Notification.permission === 'denied' ? 'denied' : 'ready'
  // Safari on iPhone and iPad supports push only in apps added to the home screen.
  return /iPhone|iPad/.test(navigator.userAgent) ? 'home-screen' : 'unsupported'
}

/**
 * Asks the person for permission, then subscribes with the browser's push service. Returns null if the person refuses.
 */
export async function subscribe() {
  if ((await Notification.requestPermission()) !== 'granted') return null
  const registration = await navigator.serviceWorker.register('/sw.js')
  await navigator.serviceWorker.ready
  // An earlier subscription may use another server key, so it is ended first.
  await (await registration.pushManager.getSubscription())?.unsubscribe()
  const subscription = await registration.pushManager.subscribe({
    userVisibleOnly: true,
    applicationServerKey: await loadKey(),
  })
  const { endpoint, keys } = subscription.toJSON()
  return { p_endpoint: endpoint ?? '', p_p256dh: keys?.p256dh ?? '', p_auth: keys?.auth ?? '' }
}

/** Ends the subscription that {@link subscribe} created. */
export async function unsubscribe(): Promise<void> {
  const registration = await navigator.serviceWorker?.getRegistration()
  await (await registration?.pushManager.getSubscription())?.unsubscribe()
}

async function loadKey(): Promise<string> {
  const answer = await fetch(`${config().supabaseUrl.replace(/\/+$/, '')}/functions/v1/push`)
  if (!answer.ok) throw new Error(t`Notifications cannot be switched on right now (${answer.status}).`)
  return (await answer.json()).key
}
