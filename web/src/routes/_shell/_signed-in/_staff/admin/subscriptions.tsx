import { t } from '@lingui/core/macro'
import { Group } from '@mantine/core'
import { createFileRoute } from '@tanstack/react-router'
import * as z from 'zod/mini'
import { PlanReview } from '#features/staff/plan-review/PlanReview.tsx'
import { reviewedPlansQuery } from '#features/staff/plan-review/plan-review.queries.ts'
import { REVIEW_FILTERS, type ReviewFilter } from '#features/staff/plan-review/review.ts'
import { StatusFilter } from '#features/staff/plan-review/StatusFilter.tsx'
import { PersonFilter } from '#features/staff/users/PersonFilter.tsx'
import { given, keptRows } from '#lib/search.ts'
import { sortParam, toSorting } from '#lib/sorting.ts'
import { PageTitle } from '#ui/PageTitle.tsx'

export const Route = createFileRoute('/_shell/_signed-in/_staff/admin/subscriptions')({
  validateSearch: z.object({
    status: given(z.enum(REVIEW_FILTERS)),
    person: given(z.guid()),
    rows: keptRows,
    sort: sortParam('provider', 'price', 'created_by', 'created_at', 'members_count', 'status'),
  }),
  loaderDeps: ({ search: { status = 'all', person, sort } }) => ({ status, person, sort }),
  loader: ({ context: { queryClient: cache }, deps: { status, person, sort } }) => {
    void cache.prefetchInfiniteQuery(reviewedPlansQuery(status, person, toSorting(sort)))
  },
  component: Subscriptions,
})

function Subscriptions() {
  const { status = 'all', person } = Route.useSearch()
  const { user } = Route.useRouteContext()
  const navigate = Route.useNavigate()
  const narrow = (change: { status?: ReviewFilter | undefined; person?: string | undefined }) =>
    void navigate({ search: (now) => ({ ...now, ...change, rows: undefined }), resetScroll: false })
  return (
    <>
      <PageTitle
        title={t`Subscription Plans`}
      >{t`All shared plans, including those waiting for review.`}</PageTitle>
      <Group gap="sm" mb="lg" align="flex-end">
        <StatusFilter
          value={status}
          onChange={(chosen) => narrow({ status: chosen === 'all' ? undefined : chosen })}
        />
        <PersonFilter person={person} onChange={(chosen) => narrow({ person: chosen })} />
      </Group>
      <PlanReview key={`${status} ${person}`} userId={user.id} filter={status} owner={person} />
    </>
  )
}
