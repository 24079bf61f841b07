import { createFileRoute, Outlet, redirect } from '@tanstack/react-router'
import { askSession } from '#lib/session.ts'
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
  component: Outlet,
})
