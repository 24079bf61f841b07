/** Keys of the app's data in this browser, named as in the specification. */
export const storageKeys = {
  redirectAfterLogin: 'redirectAfterLogin',
  emailForLogin: 'emailForLogin',
  mailSent: 'mail-sent',
  notificationsEnabled: 'notifications-enabled',
  pendingRequestsNotificationsEnabled: 'pending-requests-notifications-enabled',
  cancelledRequests: 'cancelled-requests',
  processedGlobalRequests: 'processed-global-requests',
  celebratedMilestones: 'celebrated-milestones',
  timeZoneToldBy: 'time-zone-told-by',
  // Read by public/start.js too, as is `language`.
  knownDevice: 'known-device',
  language: 'language',
  languageToldBy: 'language-told-by',
  socialSignIn: 'socialSignIn',
  requestBeforeCard: 'request-before-card',
  saidPaid: 'said-paid',
  placeSecret: 'place-secret',
  queueShortcuts: 'queue-shortcuts',
  devAuthActive: 'dev_auth_active',
} as const

/** Reads a value; null if it is absent or storage is switched off. */
export function read(storage: () => Storage, key: string): string | null {
  try {
    return storage().getItem(key)
  } catch {
    return null
  }
}

/** Reads JSON. `parse` gets undefined if there is nothing to read, and must not throw. */
export function readJson<T>(storage: () => Storage, key: string, parse: (kept: unknown) => T): T {
  try {
    return parse(JSON.parse(read(storage, key) ?? 'null') ?? undefined)
  } catch {
    return parse(undefined)
  }
}

/** Stores a value, or removes it if null. In a browser that refuses storage, nothing is stored. */
export function write(storage: () => Storage, key: string, value: string | null): void {
  try {
    if (value === null) storage().removeItem(key)
    else storage().setItem(key, value)
  } catch {
    return
  }
}

export function keysLike(storage: () => Storage, form: RegExp): string[] {
  try {
    return Object.keys(storage()).filter((key) => form.test(key))
  } catch {
    return []
  }
}

/** The key of the page that a person saw last at this address; start.js reads it. */
export const lastSightKey = (path: string, search: string) => `last-sight:${path}${search}`

/** Keys of data about plans, requests for places and payments. */
const ABOUT_PLANS =
  /^(last-sight:.+|subscription-.+|cancelled-requests|processed-global-requests|request-before-card|said-paid)$/

/**
 * Deletes the data about plans of a person who has signed out. With `stays`, keeps the claims that are to be sent when
 * the person returns.
 */
export function forgetPlans(stays: boolean): void {
  for (const storage of [local, perTab])
    for (const key of keysLike(storage, ABOUT_PLANS))
      if (!stays || key !== storageKeys.saidPaid) write(storage, key, null)
}

/** True unless the person has switched toasts off; also true in a browser that refuses storage. */
export const toastsAreOn = () => (read(local, storageKeys.notificationsEnabled) ?? 'true') === 'true'

export const local = () => window.localStorage
export const perTab = () => window.sessionStorage

/** True if somebody has signed in with this browser before. */
export const isKnownDevice = () => read(local, storageKeys.knownDevice) !== null
