import { Button, Group, List, Rating, Stack, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useSession } from '#lib/session.ts'
import { LoadAlert } from '#ui/LoadAlert.tsx'
import { PersonLink } from '#ui/PersonLink.tsx'
import { ReasonDialog } from '#ui/ReasonDialog.tsx'
import { RelativeDate } from '#ui/RelativeDate.tsx'
import { RowsSkeleton } from '#ui/Skeletons.tsx'
import classes from './ReviewList.module.css'
import { reviewTexts } from './reviews.messages.ts'
import { useAnswerReview, useReportReview } from './reviews.mutations.ts'
import { type Review, reviewsQuery } from './reviews.queries.ts'

/** What people who shared a plan with somebody say of them. */
export function ReviewList({ userId, name }: { userId: string; name: string }) {
  const session = useSession()
  const readerId = session.status === 'signed-in' ? session.user.id : null
  const wanted = reviewsQuery(userId, readerId)
  const { data: reviews, error, refetch } = useQuery({ ...wanted, enabled: session.status !== 'loading' })
  if (!reviews && error)
    return <LoadAlert title={reviewTexts.listFailed} problem={error} onRetry={() => void refetch()} />
  if (!reviews) return <RowsSkeleton rows={2} />
  if (reviews.length === 0) return <Text c="dimmed">{reviewTexts.none}</Text>
  return (
    <List listStyleType="none" spacing="md" styles={{ itemWrapper: { display: 'block' } }}>
      {reviews.map((review) => (
        <List.Item key={review.id}>
          <ReviewEntry review={review} about={name} />
        </List.Item>
      ))}
    </List>
  )
}

function ReviewEntry({ review, about }: { review: Review; about: string }) {
  const [answering, answer] = useDisclosure()
  const [reporting, report] = useDisclosure()
  const sendAnswer = useAnswerReview(review.id, answer.close)
  const sendReport = useReportReview(review.id, report.close)
  return (
    <Stack gap={6} component="article" aria-label={`Review by ${review.author_name}`}>
      <Group gap="xs">
        <Stars rating={review.rating} />
        <Text size="sm" c="dimmed">
          <PersonLink userId={review.author_id} name={review.author_name} />,{' '}
          {review.plan && `${review.plan}, `}
          <RelativeDate date={review.written_at} />
        </Text>
      </Group>
      {review.body && <Text className={classes.words}>{review.body}</Text>}
      {review.answer && (
        <div className={classes.answer}>
          <Text size="sm" c="dimmed">
            {about} answers
          </Text>
          <Text className={classes.words}>{review.answer}</Text>
        </div>
      )}
      <Group gap="xs">
        {review.may_answer && (
          <Button size="sm" variant="light" onClick={answer.open}>
            Answer
          </Button>
        )}
        {review.may_report && (
          <Button
            size="sm"
            variant="subtle"
            color="gray"
            onClick={report.open}
            aria-label={`Report the review by ${review.author_name}`}
          >
            Report
          </Button>
        )}
      </Group>
      {answering && (
        <ReasonDialog
          title="Answer this review"
          label="Your answer"
          confirmLabel="Add answer"
          color="clay"
          busy={sendAnswer.isPending}
          onConfirm={(text) => sendAnswer.mutate(text)}
          onClose={answer.close}
        >
          {reviewTexts.unanswered}
        </ReasonDialog>
      )}
      {reporting && (
        <ReasonDialog
          title="Report this review"
          label="What is wrong with it?"
          confirmLabel="Report"
          busy={sendReport.isPending}
          onConfirm={(reason) => sendReport.mutate(reason)}
          onClose={report.close}
        >
          Staff looks at it and may hide it. They read what you write here.
        </ReasonDialog>
      )}
    </Stack>
  )
}

/** Stars, which also say how many they are. */
export function Stars({ rating }: { rating: number }) {
  return (
    <Group gap={6} wrap="nowrap" role="img" aria-label={`${rating} of 5`}>
      <Rating value={rating} fractions={2} readOnly color="honey" aria-hidden />
    </Group>
  )
}
