import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { Dialog } from '#ui/Dialog.tsx'
import { Loaded } from '#ui/Loaded.tsx'
import { paymentTexts } from './payments.messages.ts'
import { WishForm } from './WishForm.tsx'
import { useSaveWish, wishQuery } from './wishes.ts'

interface WishDialogProps {
  userId: string
  opened: boolean
  onClose: () => void
  onSaved?: () => void
}

/** Asks for payment details: those of an owner whom members pay, or of a member to whom an owner owes money. */
export function WishDialog({ userId, opened, onClose, onSaved }: WishDialogProps) {
  const save = useSaveWish(userId, () => {
    onClose()
    onSaved?.()
  })
  return (
    <Dialog opened={opened} onClose={() => save.isPending || onClose()} title={t`How you are paid`}>
      <Loaded of={useQuery(wishQuery(userId))} failed={paymentTexts.wishesFailed}>
        {(wish) => <WishForm wish={wish} busy={save.isPending} onSave={save.mutate} onCancel={onClose} />}
      </Loaded>
    </Dialog>
  )
}
