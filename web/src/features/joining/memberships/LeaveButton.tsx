import { t } from '@lingui/core/macro'
import { Button } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconLogout } from '@tabler/icons-react'
import type { OwnSeat } from '#domain/seats.ts'
import { lazyPart } from '#lib/online.ts'
import { LazyDialog } from '#ui/LazyDialog.tsx'

const LeaveDialog = lazyPart(async () => (await import('./LeaveDialog.tsx')).LeaveDialog)

export interface LeaveButtonProps {
  planId: string
  /** Provider and plan. */
  planName: string
  ownerName: string
  userId: string
  /** The person's place; undefined while it is not known. */
  seat: OwnSeat | undefined
  /** The end of the current period (ISO); null if the person can only leave now. */
  until: string | null
  /** The button leaves at once by withdrawing from the contract. */
  withdraws?: boolean
  onLeft: () => void
}

/** A button that opens the dialog for leaving a plan. */
export function LeaveButton(props: LeaveButtonProps) {
  const [asking, { open, close }] = useDisclosure()
  return (
    <>
      {props.withdraws ? (
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
