/** What the app keeps in this browser, by the names the specification gives. */
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
  // Read by public/start.js too.
  language: 'language',
  languageToldBy: 'language-told-by',
  socialSignIn: 'socialSignIn',
  requestBeforeCard: 'request-before-card',
  saidPaid: 'said-paid',
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

/** Stores a value, or removes it if null. A browser that refuses storage simply remembers nothing. */
export function write(storage: () => Storage, key: string, value: string | null): void {
  try {
    if (value === null) storage().removeItem(key)
    else storage().setItem(key, value)
  } catch {
    return
  }
}

/** The keys of this form that are in use. */
export function keysLike(storage: () => Storage, form: RegExp): string[] {
  try {
    return Object.keys(storage()).filter((key) => form.test(key))
  } catch {
    return []
  }
}

/** Of a plan, of a request for a place, and of a payment for one. */
const ABOUT_PLANS =
  /^(subscription-.+|cancelled-requests|processed-global-requests|request-before-card|said-paid)$/

/** Forgets the plans of whoever was signed in; with `stays`, not what they said that still has to go out once they are back. */
export function forgetPlans(stays: boolean): void {
  for (const storage of [local, perTab])
    for (const key of keysLike(storage, ABOUT_PLANS))
      if (!stays || key !== storageKeys.saidPaid) write(storage, key, null)
}

/** Toasts show only while the flag is "true", its first value, also in a browser that stores nothing. */
export const toastsAreOn = () => (read(local, storageKeys.notificationsEnabled) ?? 'true') === 'true'

export const local = () => window.localStorage
export const perTab = () => window.sessionStorage
