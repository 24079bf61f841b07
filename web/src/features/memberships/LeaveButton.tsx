import { Button } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconLogout } from '@tabler/icons-react'
import type { Plan } from '#domain/plan.ts'
import { ConfirmDialog } from '#ui/ConfirmDialog.tsx'
import { useLeavePlan } from './memberships.mutations.ts'

interface LeaveButtonProps {
  plan: Plan
  userId: string
  onLeft: () => void
}

/** Ends the person's own place on a plan, after asking. */
export function LeaveButton({ plan, userId, onLeft }: LeaveButtonProps) {
  const [asking, { open, close }] = useDisclosure()
  const leave = useLeavePlan(plan.id, userId, onLeft)
  return (
    <>
      <Button variant="light" color="beet" leftSection={<IconLogout size={18} />} onClick={open}>
        Leave
      </Button>
      <ConfirmDialog
        opened={asking}
        title="Leave Subscription"
        confirmLabel="Leave plan"
        cancelLabel="Stay"
        busy={leave.isPending}
        onConfirm={() => leave.mutate(undefined, { onSettled: close })}
        onClose={close}
      >
        You lose access to {plan.provider} {plan.name} at once and your place opens up for somebody else.
      </ConfirmDialog>
    </>
  )
}
