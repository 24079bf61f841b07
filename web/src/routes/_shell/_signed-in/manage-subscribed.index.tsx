import { createFileRoute, redirect } from '@tanstack/react-router'
import { joinedPlansQuery } from '#features/plans/shared-plans/plans.queries.ts'

/** The path without a plan's id: redirects to the person's only plan, or to the list. */
export const Route = createFileRoute('/_shell/_signed-in/manage-subscribed/')({
  loader: async ({ context: { queryClient: cache, user } }) => {
    const [joined, ...others] = await cache.fetchQuery(joinedPlansQuery(user.id))
    throw joined && others.length === 0
      ? redirect({ to: '/manage-subscribed/$planId', params: { planId: joined.plan.id }, replace: true })
      : redirect({ to: '/my-subscriptions', search: { tab: 'subscribed' }, replace: true })
  },
})
