import { t } from '@lingui/core/macro'
import { Stack, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { RatingLine, ReviewList } from '#features/trust/reviews/ReviewList.tsx'
import { standingQuery } from '#features/trust/standing/standing.queries.ts'

/** A person's reviews and their average. */
export default function PersonReviews({ userId, name }: { userId: string; name: string }) {
  const { data: standing } = useQuery(standingQuery(userId))
  return (
    <Stack gap="sm" component="section" aria-label={t`Reviews of ${name}`}>
      <Title order={3}>{t`Reviews`}</Title>
      {standing && <RatingLine rating={standing.rating} reviewers={standing.reviewers} />}
      <ReviewList userId={userId} name={name} />
    </Stack>
  )
}
