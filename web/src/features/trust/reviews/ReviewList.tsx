import { t } from '@lingui/core/macro'
import { Plural, Trans } from '@lingui/react/macro'
import { Button, Group, List, Rating, Stack, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { ReportButton } from '#features/account/reports/ReportButton.tsx'
import { useSession } from '#lib/session.ts'
import { Loaded } from '#ui/Loaded.tsx'
import { PersonLink } from '#ui/PersonLink.tsx'
import { ReasonDialog } from '#ui/ReasonDialog.tsx'
import { RelativeDate } from '#ui/RelativeDate.tsx'
import classes from './ReviewList.module.css'
import { reviewTexts } from './reviews.messages.ts'
import { useAnswerReview } from './reviews.mutations.ts'
import { type Review, reviewsQuery } from './reviews.queries.ts'

/** The reviews of a person by people who shared a plan with them. */
export function ReviewList({ userId, name }: { userId: string; name: string }) {
  const session = useSession()
  const readerId = session.status === 'signed-in' ? session.user.id : null
  const wanted = reviewsQuery(userId, readerId)
  const reviews = useQuery({ ...wanted, enabled: session.status !== 'loading' })
  return (
    <Loaded
      of={reviews}
      rows={2}
      failed={reviewTexts.listFailed}
      empty={<Text c="dimmed">{reviewTexts.none}</Text>}
    >
      {(all) => (
        <List listStyleType="none" spacing="md" styles={{ itemWrapper: { display: 'block' } }}>
          {all.map((review) => (
            <List.Item key={review.id}>
              <ReviewEntry review={review} about={name} />
            </List.Item>
          ))}
        </List>
      )}
    </Loaded>
  )
}

function ReviewEntry({ review, about }: { review: Review; about: string }) {
  const [answering, answer] = useDisclosure()
  const sendAnswer = useAnswerReview(review.id, answer.close)
  return (
    <Stack gap={6} component="article" aria-label={t`Review by ${review.authorName}`}>
      <Group gap="xs">
        <Stars rating={review.rating} />
        <Text size="sm" c="dimmed">
          <PersonLink userId={review.authorId} name={review.authorName} />,{' '}
          {review.plan && `${review.plan}, `}
          <RelativeDate date={review.writtenAt} />
        </Text>
      </Group>
      {review.body && <Text className={classes.words}>{review.body}</Text>}
      {review.answer && (
        <div className={classes.answer}>
          <Text size="sm" c="dimmed">
            <Trans>{about} answers</Trans>
          </Text>
          <Text className={classes.words}>{review.answer}</Text>
        </div>
      )}
      <Group gap="xs">
        {review.mayAnswer && (
          <Button size="sm" variant="light" onClick={answer.open}>
            {t`Answer`}
          </Button>
        )}
        {review.mayReport && (
          <ReportButton
            kind="review"
            subject={review.id}
            title={t`Report this review`}
            label={t`Report the review by ${review.authorName}`}
          >
            {t({ message: 'Report', context: 'button' })}
          </ReportButton>
        )}
      </Group>
      {answering && (
        <ReasonDialog
          title={t`Answer this review`}
          label={t`Your answer`}
          confirmLabel={t`Add answer`}
          color="clay"
          busy={sendAnswer.isPending}
          onConfirm={(text) => sendAnswer.mutate(text)}
          onClose={answer.close}
        >
          {reviewTexts.unanswered}
        </ReasonDialog>
      )}
    </Stack>
  )
}

/** Stars, labelled with their number. */
export function Stars({ rating }: { rating: number }) {
  return (
    <Group gap={6} wrap="nowrap" role="img" aria-label={t`${rating} of 5`}>
      <Rating value={rating} fractions={2} readOnly color="honey" aria-hidden />
    </Group>
  )
}

/** The average rating. Each reviewer counts once, by their latest review. */
export function RatingLine({ rating, reviewers }: { rating: number | null; reviewers: number }) {
  if (rating === null) return null
  return (
    <Group gap="xs">
      <Stars rating={rating} />
      <Text size="sm" c="dimmed">
        <Trans>
          {rating.toFixed(1)} of 5, from <Plural value={reviewers} one="# person" other="# people" />
        </Trans>
      </Text>
    </Group>
  )
}
