import { t } from '@lingui/core/macro'
import { Rating, Text, Textarea } from '@mantine/core'
import { LIMITS } from '@potluck/supabase/limits'
import { useState } from 'react'
import { ActionForm } from '#ui/ActionForm.tsx'
import { Dialog } from '#ui/Dialog.tsx'
import { reviewTexts } from './reviews.messages.ts'
import { useWriteReview } from './reviews.mutations.ts'
import type { ReviewToWrite } from './reviews.queries.ts'

interface ReviewDialogProps {
  wanted: ReviewToWrite
  opened: boolean
  onClose: () => void
}

/** The dialog to write a review of a person: one to five stars and a few words. */
export default function ReviewDialog({ wanted, opened, onClose }: ReviewDialogProps) {
  const [rating, setRating] = useState(0)
  const [text, setText] = useState('')
  const write = useWriteReview(wanted, onClose)
  const close = () => write.isPending || onClose()
  return (
    <Dialog opened={opened} onClose={close} title={t`Review ${wanted.personName}`}>
      <ActionForm
        action={t`Send review`}
        busy={write.isPending}
        disabled={rating === 0}
        onSubmit={() => write.mutate({ rating, text })}
        cancelLabel={t`Not now`}
        onCancel={close}
      >
        <Text c="dimmed">
          {wanted.plan}. {reviewTexts.waits}
        </Text>
        <Rating
          value={rating}
          onChange={setRating}
          size="xl"
          color="honey"
          getSymbolLabel={(value) => t`${value} of 5`}
          aria-label={t`How was it?`}
        />
        <Textarea
          label={t`Anything others should know? (optional)`}
          description={t`${text.length} of ${LIMITS.longestReview} characters`}
          inputWrapperOrder={['label', 'input', 'description']}
          rows={4}
          maxLength={LIMITS.longestReview}
          value={text}
          onChange={({ currentTarget }) => setText(currentTarget.value)}
        />
      </ActionForm>
    </Dialog>
  )
}
