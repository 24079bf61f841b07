import { t } from '@lingui/core/macro'
import { Button } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconUserPlus } from '@tabler/icons-react'
import type { Plan } from '#domain/plan.ts'
import { lazyPart } from '#lib/online.ts'
import { Dialog } from '#ui/Dialog.tsx'
import { LazyDialog } from '#ui/LazyDialog.tsx'

const AddGuestForm = lazyPart(async () => (await import('./AddGuestForm.tsx')).AddGuestForm)

/** Lets the owner add people by name alone. Each gets a personal link, which is shown once. */
export function AddGuest({ plan }: { plan: Plan }) {
  const [adding, { open, close }] = useDisclosure()
  if (!plan.isPrivate || plan.settlement !== 'direct') return null
  return (
    <>
      <Button
        variant="default"
        size="sm"
        leftSection={<IconUserPlus size={18} aria-hidden />}
        disabled={plan.currentMembers >= plan.ownerMaxMembers}
        onClick={open}
      >
        {t`Add without account`}
      </Button>
      <LazyDialog opened={adding}>
        {(opened) => (
          <Dialog opened={opened} onClose={close} title={t`Add someone without an account`}>
            <AddGuestForm plan={plan} />
          </Dialog>
        )}
      </LazyDialog>
    </>
  )
}
