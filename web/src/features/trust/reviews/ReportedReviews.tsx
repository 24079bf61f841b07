import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Button, Group, Stack, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { EmptyState } from '#ui/EmptyState.tsx'
import { Loaded } from '#ui/Loaded.tsx'
import { PersonLink } from '#ui/PersonLink.tsx'
import { pressedBy, Queue, queueRow } from '#ui/Queue.tsx'
import { ReasonDialog } from '#ui/ReasonDialog.tsx'
import { RelativeDate } from '#ui/RelativeDate.tsx'
import { SurfaceCard } from '#ui/SurfaceCard.tsx'
import classes from './ReviewList.module.css'
import { Stars } from './ReviewList.tsx'
import { reviewTexts } from './reviews.messages.ts'
import { useDecideReview } from './reviews.mutations.ts'
import { type ReportedReview, reportedReviewsQuery } from './reviews.queries.ts'

/** Reported reviews, for staff to hide or keep. */
export function ReportedReviews() {
  return (
    <Loaded
      of={useQuery(reportedReviewsQuery)}
      failed={reviewTexts.listFailed}
      empty={
        <EmptyState order={2} title={t`No reviews to look at`}>
          {t`You’re all caught up.`}
        </EmptyState>
      }
    >
      {(reviews) => (
        // Keeping a review has no shortcut, since it asks for no confirmation.
        <Queue keys={[{ key: 'h', does: t`Hide with a reason` }]}>
          <Stack gap="md">
            {reviews.map((review) => (
              <Reported key={review.id} review={review} />
            ))}
          </Stack>
        </Queue>
      )}
    </Loaded>
  )
}

function Reported({ review }: { review: ReportedReview }) {
  const [hiding, { open, close }] = useDisclosure()
  const decide = useDecideReview(review.id, close)
  const { authorName: author, subjectName: subject, reason } = review
  const when = <RelativeDate date={review.reportedAt} />
  return (
    <SurfaceCard component="article" aria-label={t`${author} about ${subject}`} {...queueRow}>
      <Stack gap="sm">
        <Group gap="xs">
          <Stars rating={review.rating} />
          <Text fw={600}>
            <Trans>
              <PersonLink staff userId={review.authorId} name={author} /> about{' '}
              <PersonLink staff userId={review.subjectId} name={subject} />
            </Trans>
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
          {review.reporterId ? (
            <Trans>
              Reported by <PersonLink staff userId={review.reporterId} name={review.reporterName} /> {when}:{' '}
              {reason}
            </Trans>
          ) : (
            <Trans>
              Reported by someone who has left {when}: {reason}
            </Trans>
          )}
        </Text>
        <Group gap="sm">
          <Button color="beet" variant="light" {...pressedBy('h')} onClick={open}>
            {t`Hide with a reason`}
          </Button>
          <Button variant="default" loading={decide.isPending && !hiding} onClick={() => decide.mutate(null)}>
            {t`Leave it`}
          </Button>
        </Group>
      </Stack>
      {hiding && (
        <ReasonDialog
          title={t`Hide the review of ${subject}?`}
          label={t`Reason`}
          confirmLabel={t`Hide review`}
          busy={decide.isPending}
          onConfirm={(reason) => decide.mutate(reason)}
          onClose={close}
        >
          <Trans>{author} sees the reason. It goes into the staff log.</Trans>
        </ReasonDialog>
      )}
    </SurfaceCard>
  )
}
