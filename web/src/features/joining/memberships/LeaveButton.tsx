import { t } from '@lingui/core/macro'
import { Button } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconLogout } from '@tabler/icons-react'
import { lazyPart } from '#lib/online.ts'
import { LazyDialog } from '#ui/LazyDialog.tsx'
import type { LeaveDialogProps } from './LeaveDialog.tsx'

const LeaveDialog = lazyPart(async () => (await import('./LeaveDialog.tsx')).LeaveDialog)

/** The button to leave a plan; opens {@link LeaveDialog}. */
export function LeaveButton(props: Omit<LeaveDialogProps, 'opened' | 'close'>) {
  const [asking, { open, close }] = useDisclosure()
  return (
    <>
      {props.withdrawsFromContract ? (
        <Button variant="default" onClick={open} aria-label={t`Withdraw from contract: ${props.planName}`}>
          {t`Withdraw from contract`}
        </Button>
      ) : (
        <Button variant="light" color="beet" leftSection={<IconLogout size={18} />} onClick={open}>
          {t({ message: 'Leave', context: 'a plan' })}
        </Button>
      )}
      <LazyDialog opened={asking}>
        {(opened) => <LeaveDialog {...props} opened={opened} close={close} />}
      </LazyDialog>
    </>
  )
}
