import { createFileRoute, redirect } from '@tanstack/react-router'

/** NAV-16 */
export const Route = createFileRoute('/(aliases)/simple-subscription/$planId')({
  beforeLoad: ({ params }) => {
    throw redirect({ href: `/subscription/${encodeURIComponent(params.planId)}`, replace: true })
  },
})
