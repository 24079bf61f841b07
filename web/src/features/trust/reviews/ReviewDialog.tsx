import { Button, Group, Rating, Stack, Text, Textarea } from '@mantine/core'
import { LIMITS } from '@potluck/supabase/limits'
import { useState } from 'react'
import { Dialog } from '#ui/Dialog.tsx'
import { reviewTexts } from './reviews.messages.ts'
import { useWriteReview } from './reviews.mutations.ts'
import type { ReviewToWrite } from './reviews.queries.ts'

/** As many characters as the database keeps. */

interface ReviewDialogProps {
  wanted: ReviewToWrite
  opened: boolean
  onClose: () => void
}

/** Reviews somebody: one to five stars, and a few words. */
export default function ReviewDialog({ wanted, opened, onClose }: ReviewDialogProps) {
  const [rating, setRating] = useState(0)
  const [text, setText] = useState('')
  const write = useWriteReview(wanted, onClose)
  const close = () => write.isPending || onClose()
  return (
    <Dialog opened={opened} onClose={close} title={`Review ${wanted.personName}`}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          write.mutate({ rating, text })
        }}
      >
        <Stack gap="md">
          <Text c="dimmed">
            {wanted.plan}. {reviewTexts.waits}
          </Text>
          <Rating
            value={rating}
            onChange={setRating}
            size="xl"
            color="honey"
            getSymbolLabel={(value) => `${value} of 5`}
            aria-label="How was it?"
          />
          <Textarea
            label="What should others know? (optional)"
            description={`${text.length} of ${LIMITS.longestReview} characters`}
            inputWrapperOrder={['label', 'input', 'description']}
            rows={4}
            maxLength={LIMITS.longestReview}
            value={text}
            onChange={({ currentTarget }) => setText(currentTarget.value)}
          />
          <Group justify="flex-end" gap="sm">
            <Button variant="default" onClick={close} disabled={write.isPending}>
              Not now
            </Button>
            <Button type="submit" loading={write.isPending} disabled={rating === 0}>
              Send review
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  )
}
