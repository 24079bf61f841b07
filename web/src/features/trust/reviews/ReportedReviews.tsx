import { Button, Group, Stack, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { EmptyState } from '#ui/EmptyState.tsx'
import { LoadAlert } from '#ui/LoadAlert.tsx'
import { PersonLink } from '#ui/PersonLink.tsx'
import { pressedBy, Queue, queueRow } from '#ui/Queue.tsx'
import { ReasonDialog } from '#ui/ReasonDialog.tsx'
import { RelativeDate } from '#ui/RelativeDate.tsx'
import { RowsSkeleton } from '#ui/Skeletons.tsx'
import { SurfaceCard } from '#ui/SurfaceCard.tsx'
import classes from './ReviewList.module.css'
import { Stars } from './ReviewList.tsx'
import { reviewTexts } from './reviews.messages.ts'
import { useDecideReview } from './reviews.mutations.ts'
import { type ReportedReview, reportedReviewsQuery } from './reviews.queries.ts'

/** What people have reported, for staff to hide or to leave. */
export function ReportedReviews() {
  const { data: reviews, error, refetch } = useQuery(reportedReviewsQuery)
  if (!reviews && error)
    return <LoadAlert title={reviewTexts.listFailed} problem={error} onRetry={() => void refetch()} />
  if (!reviews) return <RowsSkeleton rows={3} />
  if (reviews.length === 0)
    return (
      <EmptyState order={2} title="No review waits for you">
        All is calm.
      </EmptyState>
    )
  return (
    // Leaving one asks nothing more, so no key does it.
    <Queue keys={[{ key: 'h', does: 'Hide with a reason' }]}>
      <Stack gap="md">
        {reviews.map((review) => (
          <Reported key={review.id} review={review} />
        ))}
      </Stack>
    </Queue>
  )
}

function Reported({ review }: { review: ReportedReview }) {
  const [hiding, { open, close }] = useDisclosure()
  const decide = useDecideReview(review.id, close)
  const { author_name: author, subject_name: subject } = review
  return (
    <SurfaceCard component="article" aria-label={`${author} about ${subject}`} {...queueRow}>
      <Stack gap="sm">
        <Group gap="xs">
          <Stars rating={review.rating} />
          <Text fw={600}>
            <PersonLink staff userId={review.author_id} name={author} /> about{' '}
            <PersonLink staff userId={review.subject_id} name={subject} />
          </Text>
          <Text size="sm" c="dimmed">
            {review.plan}
          </Text>
        </Group>
        {review.body && <Text className={classes.words}>{review.body}</Text>}
        {review.answer && (
          <Text className={`${classes.answer} ${classes.words}`}>
            {subject}: {review.answer}
          </Text>
        )}
        <Text size="sm" className={classes.words}>
          Reported by{' '}
          {review.reporter_id ? (
            <PersonLink staff userId={review.reporter_id} name={review.reporter_name} />
          ) : (
            'somebody who has left'
          )}{' '}
          <RelativeDate date={review.reported_at} />: {review.reason}
        </Text>
        <Group gap="sm">
          <Button color="beet" variant="light" {...pressedBy('h')} onClick={open}>
            Hide with a reason
          </Button>
          <Button variant="default" loading={decide.isPending && !hiding} onClick={() => decide.mutate(null)}>
            Leave it
          </Button>
        </Group>
      </Stack>
      {hiding && (
        <ReasonDialog
          title={`Hide the review of ${subject}?`}
          label="Reason"
          confirmLabel="Hide review"
          busy={decide.isPending}
          onConfirm={(reason) => decide.mutate(reason)}
          onClose={close}
        >
          {author} reads the reason, and it stands in the log of staff.
        </ReasonDialog>
      )}
    </SurfaceCard>
  )
}
