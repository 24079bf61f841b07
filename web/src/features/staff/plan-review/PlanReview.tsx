import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Stack } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { planName } from '#domain/plan-name.ts'
import { ReasonsDialog } from '#features/account/decisions/ReasonsDialog.tsx'
import { useLive } from '#lib/live.ts'
import { ConfirmDialog } from '#ui/ConfirmDialog.tsx'
import { DataTable } from '#ui/DataTable.tsx'
import { EmptyState } from '#ui/EmptyState.tsx'
import { LoadAlert } from '#ui/LoadAlert.tsx'
import { KeptRows } from '#ui/LoadMore.tsx'
import { Queue, queueRow } from '#ui/Queue.tsx'
import { RowsSkeleton } from '#ui/Skeletons.tsx'
import { useSorting } from '#ui/sorting.tsx'
import { decisionWords, planReviewTexts } from './plan-review.messages.ts'
import { type Review, useReviewPlan } from './plan-review.mutations.ts'
import { planReviewKeys, reviewedPlansQuery } from './plan-review.queries.ts'
import type { ReviewFilter } from './review.ts'
import { REVIEW_KEYS, reviewColumns } from './review-columns.tsx'

interface PlanReviewProps {
  /** The reviewer. */
  userId: string
  filter: ReviewFilter
  /** Shows only this person's plans. */
  owner: string | undefined
}

/** The plans with this status, newest first, with buttons for staff to approve, reject or restore them. */
export function PlanReview({ userId, filter, owner }: PlanReviewProps) {
  const list = useInfiniteQuery(reviewedPlansQuery(filter, owner, useSorting('sort')))
  const [asked, setAsked] = useState<Review | null>(null)
  const review = useReviewPlan(() => setAsked(null))
  // Plans may be added, and other staff may decide, while the list is open.
  useLive('plan-review', [{ table: 'shared_subscriptions' }], { keys: [planReviewKeys.all] })

  if (list.isPending) return <RowsSkeleton rows={6} />
  const plans = list.data
  const words = asked && decisionWords[asked.decision]
  const isAgainst = asked?.decision === 'reject' || asked?.decision === 'hide'
  const close = () => setAsked(null)
  const question = asked && (
    <Trans>
      <b>
        {asked.plan.provider} {planName(asked.plan.name)}
      </b>{' '}
      by <bdi>{asked.plan.createdBy}</bdi>. {words?.explanation}
    </Trans>
  )
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
        <Queue opens={t`Open the page of the owner`} keys={REVIEW_KEYS}>
          <DataTable
            label={t`Subscription plans`}
            sorts="sort"
            columns={reviewColumns({ userId, onDecide: setAsked })}
            rows={plans}
            rowKey={({ id }) => id}
            rowProps={({ provider, name }) => ({
              'aria-label': `${provider} ${planName(name)}`,
              ...queueRow,
            })}
          />
        </Queue>
      )}
      <KeptRows list={list} failed={planReviewTexts.failed}>
        {t`Load more subscriptions`}
      </KeptRows>
      {asked && isAgainst ? (
        <ReasonsDialog
          title={words?.title ?? ''}
          confirmLabel={words?.confirm ?? ''}
          measure={asked.decision === 'reject' ? 'plan-rejected' : 'plan-hidden'}
          subject={`${asked.plan.provider} ${planName(asked.plan.name)}`}
          preset="sharing"
          busy={review.isPending}
          onConfirm={(reasons) => review.mutate({ ...asked, reasons })}
          onClose={close}
        >
          {question}
        </ReasonsDialog>
      ) : (
        <ConfirmDialog
          opened={asked !== null}
          title={words?.title ?? ''}
          confirmLabel={words?.confirm ?? ''}
          cancelLabel={t`Not now`}
          color="herb"
          busy={review.isPending}
          onConfirm={() => asked && review.mutate(asked)}
          onClose={close}
        >
          {question}
        </ConfirmDialog>
      )}
    </Stack>
  )
}
