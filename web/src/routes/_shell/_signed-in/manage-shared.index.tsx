import { createFileRoute, redirect } from '@tanstack/react-router'
import { ownedPlansQuery } from '#features/plans/shared-plans/plans.queries.ts'

/** Without a plan in the address: the only one there is, or the list to choose from. */
export const Route = createFileRoute('/_shell/_signed-in/manage-shared/')({
  loader: async ({ context: { queryClient: cache, user } }) => {
    const [plan, ...others] = await cache.fetchQuery(ownedPlansQuery(user.id))
    throw plan && others.length === 0
      ? redirect({ to: '/manage-shared/$planId', params: { planId: plan.id }, replace: true })
      : redirect({ to: '/my-subscriptions', search: { tab: 'shared' }, replace: true })
  },
})
