import * as z from 'zod/mini'
import { postLoginTarget } from '#domain/post-login-target.ts'
import { perTab, read, storageKeys, write } from '#lib/storage.ts'

/** The search parameters of the sign-in page's URL. Others are ignored. */
export const signInSearch = z.object({
  redirect: z.catch(z.optional(z.string()), undefined),
  from: z.catch(z.optional(z.string()), undefined),
  success: z.catch(z.optional(z.coerce.boolean()), undefined),
})

/** Remembers the page to open after sign-in: the first of the given targets, if any. */
export function rememberTarget(...wanted: unknown[]): void {
  const first = wanted.find((target) => target !== undefined && target !== null)
  if (first === undefined) return
  write(perTab, storageKeys.redirectAfterLogin, postLoginTarget(first, window.location.origin))
}

/**
 * If the sign-up link on the sign-in page was followed before the app had loaded, takes the target from the URL of the
 * sign-in page, which is the referrer.
 */
export function rememberReferrer(): void {
  // There is no document when the build prerenders the page.
  const referrer = globalThis.document?.referrer
  if (!referrer || read(perTab, storageKeys.redirectAfterLogin) !== null) return
  const { origin, searchParams } = new URL(referrer)
  if (origin === window.location.origin)
    rememberTarget(searchParams.get('redirect'), searchParams.get('from'))
}

/** Returns the remembered target and forgets it; `/` if there is none. */
export function takeTarget(): string {
  const target = recallTarget()
  forgetTarget()
  return target
}

/** Returns the remembered target without forgetting it; `/` if there is none. */
export function recallTarget(): string {
  const wanted = read(perTab, storageKeys.redirectAfterLogin)
  return wanted === null ? '/' : postLoginTarget(wanted, window.location.origin)
}

export function forgetTarget(): void {
  write(perTab, storageKeys.redirectAfterLogin, null)
  write(perTab, storageKeys.emailForLogin, null)
  write(perTab, storageKeys.mailSent, null)
}

/** Remembers the e-mail address a link was sent to, to fill in forms. */
export function rememberEmail(email: string): void {
  write(perTab, storageKeys.emailForLogin, email)
}

/** The remembered e-mail address; empty if there is none. */
export function recallEmail(): string {
  return read(perTab, storageKeys.emailForLogin) ?? ''
}
