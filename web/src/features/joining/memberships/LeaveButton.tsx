import { t } from '@lingui/core/macro'
import { Button } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconLogout } from '@tabler/icons-react'
import type { Plan } from '#domain/plan.ts'
import type { OwnSeat } from '#domain/seats.ts'
import { lazyPart } from '#lib/online.ts'
import { LazyDialog } from '#ui/LazyDialog.tsx'

const LeaveDialog = lazyPart(async () => (await import('./LeaveDialog.tsx')).LeaveDialog)

export interface LeaveButtonProps {
  plan: Plan
  userId: string
  /** The person's place; undefined while it is not known. */
  seat: OwnSeat | undefined
  /** When its current period ends; null if they can only leave now. */
  until: string | null
  onLeft: () => void
}

/** Asks whether the person wants to leave a plan, and when. */
export function LeaveButton(props: LeaveButtonProps) {
  const [asking, { open, close }] = useDisclosure()
  return (
    <>
      <Button variant="light" color="beet" leftSection={<IconLogout size={18} />} onClick={open}>
        {t({ message: 'Leave', context: 'a plan' })}
      </Button>
      <LazyDialog opened={asking}>
        {(opened) => <LeaveDialog {...props} opened={opened} close={close} />}
      </LazyDialog>
    </>
  )
}
