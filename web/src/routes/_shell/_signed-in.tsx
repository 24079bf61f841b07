import { createFileRoute, Outlet, redirect } from '@tanstack/react-router'
import { askSession, useSession } from '#lib/session.ts'
import { toastWarning } from '#ui/toasts.ts'

/**
 * The sign-in guard. Without a session, redirects to sign-in, which returns here. Throws if the session cannot be read.
 */
export const Route = createFileRoute('/_shell/_signed-in')({
  beforeLoad: async ({ location, matches, preload }) => {
    const user = await askSession()
    if (user) return { user }
    const notice = matches.at(-1)?.staticData.signInNotice
    if (notice && !preload) toastWarning(notice.title, notice.text)
    throw redirect({ to: '/signin', search: { redirect: location.href } })
  },
  component: SignedIn,
})

/** Removes the screens with the session: they would load everything again as a visitor, until the guard has run. */
function SignedIn() {
  return useSession().status === 'signed-in' && <Outlet />
}
