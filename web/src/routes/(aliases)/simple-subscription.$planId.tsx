import { createFileRoute, redirect } from '@tanstack/react-router'

export const Route = createFileRoute('/(aliases)/simple-subscription/$planId')({
  beforeLoad: ({ params }) => {
    throw redirect({ href: `/subscription/${encodeURIComponent(params.planId)}`, replace: true })
  },
})
