import { createFileRoute } from '@tanstack/react-router'
import * as z from 'zod/mini'
import { PlanReview } from '#features/plan-review/PlanReview.tsx'
import { reviewedPlansQuery } from '#features/plan-review/plan-review.queries.ts'
import { REVIEW_FILTERS } from '#features/plan-review/review.ts'
import { StatusFilter } from '#features/plan-review/StatusFilter.tsx'
import { PageTitle } from '#ui/PageTitle.tsx'
import { brandOf } from '../../../-brand.tsx'

export const Route = createFileRoute('/_shell/_signed-in/_staff/admin/subscriptions')({
  validateSearch: z.object({ status: z.catch(z.optional(z.enum(REVIEW_FILTERS)), undefined) }),
  loaderDeps: ({ search: { status = 'all' } }) => ({ status }),
  loader: ({ context: { queryClient: cache }, deps: { status } }) => {
    void cache.prefetchInfiniteQuery(reviewedPlansQuery(status))
  },
  component: Subscriptions,
})

function Subscriptions() {
  const { status = 'all' } = Route.useSearch()
  const { user } = Route.useRouteContext()
  const navigate = Route.useNavigate()
  return (
    <>
      <PageTitle title="Subscription Plans">
        Every plan people share, and those that wait for review.
      </PageTitle>
      <StatusFilter
        value={status}
        onChange={(chosen) =>
          void navigate({ search: { status: chosen === 'all' ? undefined : chosen }, replace: true })
        }
      />
      <PlanReview
        key={status}
        userId={user.id}
        filter={status}
        logoOf={(provider) => brandOf(provider).logo}
      />
    </>
  )
}
