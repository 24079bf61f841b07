import * as z from 'zod/mini'
import { postLoginTarget } from '#domain/post-login-target.ts'
import { perTab, read, storageKeys, write } from '#lib/storage.ts'

/** What the sign-in address may carry. Anything else in it is ignored. */
export const signInSearch = z.object({
  redirect: z.catch(z.optional(z.string()), undefined),
  from: z.catch(z.optional(z.string()), undefined),
  success: z.catch(z.optional(z.coerce.boolean()), undefined),
})

/** Remembers where a person was going before they had to sign in: the first target that is given, if any. */
export function rememberTarget(...wanted: unknown[]): void {
  const first = wanted.find((target) => target !== undefined && target !== null)
  if (first === undefined) return
  write(perTab, storageKeys.redirectAfterLogin, postLoginTarget(first, window.location.origin))
}

/** Remembers where the sign-in page was on its way to, if its link to signing up was followed before the app had loaded. */
export function rememberReferrer(): void {
  // The build draws the page without a document.
  const referrer = globalThis.document?.referrer
  if (!referrer || read(perTab, storageKeys.redirectAfterLogin) !== null) return
  const { origin, searchParams } = new URL(referrer)
  if (origin === window.location.origin)
    rememberTarget(searchParams.get('redirect'), searchParams.get('from'))
}

/** The remembered target, handed out once; / when there is none. */
export function takeTarget(): string {
  const target = recallTarget()
  forgetTarget()
  return target
}

/** The remembered target, which stays remembered; / when there is none. */
export function recallTarget(): string {
  const wanted = read(perTab, storageKeys.redirectAfterLogin)
  return wanted === null ? '/' : postLoginTarget(wanted, window.location.origin)
}

export function forgetTarget(): void {
  write(perTab, storageKeys.redirectAfterLogin, null)
  write(perTab, storageKeys.emailForLogin, null)
  write(perTab, storageKeys.mailSent, null)
}

/** Remembers the address a link was sent to, for the forms that ask for one. */
export function rememberEmail(email: string): void {
  write(perTab, storageKeys.emailForLogin, email)
}

/** The remembered address; empty when there is none. */
export function recallEmail(): string {
  return read(perTab, storageKeys.emailForLogin) ?? ''
}
