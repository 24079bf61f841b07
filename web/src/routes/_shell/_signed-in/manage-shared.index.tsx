import { createFileRoute, redirect } from '@tanstack/react-router'
import { ownedPlansQuery } from '#features/plans/shared-plans/plans.queries.ts'

/** The path without a plan's id: redirects to the person's only plan, or to the list. */
export const Route = createFileRoute('/_shell/_signed-in/manage-shared/')({
  loader: async ({ context: { queryClient: cache, user } }) => {
    const [plan, ...others] = await cache.fetchQuery(ownedPlansQuery(user.id))
    throw plan && others.length === 0
      ? redirect({ to: '/manage-shared/$planId', params: { planId: plan.id }, replace: true })
      : redirect({ to: '/my-subscriptions', search: { tab: 'shared' }, replace: true })
  },
})
