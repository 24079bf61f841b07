import { t } from '@lingui/core/macro'
import { Button } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { lazyPart } from '#lib/online.ts'
import { LazyDialog } from '#ui/LazyDialog.tsx'

const WishDialog = lazyPart(async () => (await import('./WishDialog.tsx')).WishDialog)

/** A button for an owner to add payment details, shown beside a payment that cannot be made without them. */
export function PaymentDetailsPrompt({ ownerId }: { ownerId: string }) {
  const [asking, { open, close }] = useDisclosure()
  return (
    <>
      <Button
        size="sm"
        px="sm"
        variant="default"
        aria-label={t`Add payment details for members`}
        onClick={open}
      >
        {t`Add payment details`}
      </Button>
      <LazyDialog opened={asking}>
        {(opened) => <WishDialog userId={ownerId} opened={opened} onClose={close} />}
      </LazyDialog>
    </>
  )
}
