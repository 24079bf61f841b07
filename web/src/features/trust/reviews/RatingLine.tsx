import { Group, Text } from '@mantine/core'
import { counted } from '#domain/plural.ts'
import { Stars } from './ReviewList.tsx'

/** The average rating. Each reviewer counts once, by their latest review. */
export function RatingLine({ rating, reviewers }: { rating: number | null; reviewers: number }) {
  if (rating === null) return null
  return (
    <Group gap="xs">
      <Stars rating={rating} />
      <Text size="sm" c="dimmed">
        {rating.toFixed(1)} of 5, from {counted(reviewers, 'person', 'people')}
      </Text>
    </Group>
  )
}
