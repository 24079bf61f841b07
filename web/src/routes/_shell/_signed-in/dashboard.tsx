import { createFileRoute, redirect } from '@tanstack/react-router'

/** NAV-14 */
export const Route = createFileRoute('/_shell/_signed-in/dashboard')({
  beforeLoad: () => {
    throw redirect({ href: '/my-subscriptions', replace: true })
  },
})
