import { createFileRoute, Outlet, redirect } from '@tanstack/react-router'
import { askSession } from '#lib/session.ts'

/** The sign-in guard (AUTH-32): no session leads to sign-in with the way back; a session that could not be read throws. */
export const Route = createFileRoute('/_shell/_signed-in')({
  beforeLoad: async ({ location }) => {
    const user = await askSession()
    if (!user) throw redirect({ to: '/signin', search: { redirect: location.href } })
    return { user }
  },
  component: Outlet,
})
