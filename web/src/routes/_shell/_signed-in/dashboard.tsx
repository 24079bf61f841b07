import { createFileRoute, redirect } from '@tanstack/react-router'

export const Route = createFileRoute('/_shell/_signed-in/dashboard')({
  beforeLoad: () => {
    throw redirect({ href: '/my-subscriptions', replace: true })
  },
})
