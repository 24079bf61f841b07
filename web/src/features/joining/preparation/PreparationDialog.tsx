import { t } from '@lingui/core/macro'
import { Stack, Text } from '@mantine/core'
import type { Plan } from '#domain/plan.ts'
import { WishForm } from '#features/money/payments/WishForm.tsx'
import { useSaveWish } from '#features/money/payments/wishes.ts'
import { StoreAccessForm } from '#features/trust/access/StoreAccessDialog.tsx'
import { Dialog } from '#ui/Dialog.tsx'

interface PreparationDialogProps {
  plan: Plan
  part: 'payment' | 'access'
  /** True if people will get in before the owner has seen them, so that the owner must give access now. */
  instant: boolean
  opened: boolean
  /** Called once the owner has entered how to pay them. */
  onPaid: () => void
  /** Called once the access is stored, or left for later. */
  onReady: () => void
  onClose: () => void
}

/** Asks an owner how they want to be paid, or for the access that people need to get in. */
export function PreparationDialog(props: PreparationDialogProps) {
  const { plan, part, instant, opened, onPaid, onReady, onClose } = props
  const save = useSaveWish(plan.ownerId, onPaid)
  return (
    <Dialog
      opened={opened}
      onClose={() => save.isPending || onClose()}
      title={part === 'payment' ? t`How do you want to be paid?` : t`How do people get in?`}
    >
      {part === 'payment' ? (
        <Stack gap="md">
          <Text c="dimmed">{t`Only your members see it.`}</Text>
          <WishForm wish={null} busy={save.isPending} onSave={save.mutate} onCancel={onClose} />
        </Stack>
      ) : (
        <StoreAccessForm
          planId={plan.id}
          changes={false}
          onDone={onReady}
          {...(instant ? { onSkip: onClose } : { onSkip: onReady, skip: t`Later` })}
        />
      )}
    </Dialog>
  )
}
