import { Stack } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { ConfirmDialog } from '#ui/ConfirmDialog.tsx'
import { EmptyState } from '#ui/EmptyState.tsx'
import { LoadAlert } from '#ui/LoadAlert.tsx'
import { KeptRows } from '#ui/LoadMore.tsx'
import { Queue } from '#ui/Queue.tsx'
import { RowsSkeleton } from '#ui/Skeletons.tsx'
import { StackTable } from '#ui/StackTable.tsx'
import { usePlanReviewLive } from './plan-review.live.ts'
import { decisionWords, planReviewTexts } from './plan-review.messages.ts'
import { useReviewPlan } from './plan-review.mutations.ts'
import { type ReviewedPlan, reviewedPlansQuery } from './plan-review.queries.ts'
import { REVIEW_COLUMNS, REVIEW_KEYS, ReviewedPlanRow } from './ReviewedPlanRow.tsx'
import type { Decision, ReviewFilter } from './review.ts'

interface PlanReviewProps {
  /** Who reviews. */
  userId: string
  filter: ReviewFilter
  /** Whose plans alone. */
  owner: string | undefined
  logoOf: (provider: string) => ReactNode
}

/** The plans with this status, newest first, and what staff decides about them. */
export function PlanReview({ userId, filter, owner, logoOf }: PlanReviewProps) {
  const list = useInfiniteQuery(reviewedPlansQuery(filter, owner))
  const [asked, setAsked] = useState<{ plan: ReviewedPlan; decision: Decision } | null>(null)
  const review = useReviewPlan(() => setAsked(null))
  usePlanReviewLive()

  if (list.isPending) return <RowsSkeleton rows={6} />
  const plans = list.data
  const words = asked && decisionWords[asked.decision]
  return (
    <Stack gap="md">
      {list.error && !list.isFetchNextPageError && (
        <LoadAlert title={planReviewTexts.failed} problem={list.error} onRetry={() => void list.refetch()} />
      )}
      {plans?.length === 0 && (
        <div role="status">
          <EmptyState title={planReviewTexts.empty} order={2} />
        </div>
      )}
      {plans && plans.length > 0 && (
        <Queue opens="Open the page of the owner" keys={REVIEW_KEYS}>
          <StackTable label="Subscription plans" columns={REVIEW_COLUMNS}>
            {plans.map((plan) => (
              <ReviewedPlanRow
                key={plan.id}
                plan={plan}
                logo={logoOf(plan.provider)}
                own={plan.ownerId === userId}
                onDecide={(decision) => setAsked({ plan, decision })}
              />
            ))}
          </StackTable>
        </Queue>
      )}
      <KeptRows list={list} failed={planReviewTexts.failed}>
        Load more subscriptions
      </KeptRows>
      <ConfirmDialog
        opened={asked !== null}
        title={words?.title ?? ''}
        confirmLabel={words?.confirm ?? ''}
        cancelLabel="Not now"
        color={asked?.decision === 'reject' ? 'beet' : 'herb'}
        busy={review.isPending}
        onConfirm={() => asked && review.mutate(asked)}
        onClose={() => setAsked(null)}
      >
        {asked && (
          <>
            <b>
              {asked.plan.provider} {asked.plan.name}
            </b>{' '}
            by <bdi>{asked.plan.createdBy}</bdi>. {words?.explanation}
          </>
        )}
      </ConfirmDialog>
    </Stack>
  )
}
