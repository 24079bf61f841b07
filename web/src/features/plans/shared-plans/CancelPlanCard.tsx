import { plural, t } from '@lingui/core/macro'
import { Button, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import type { Plan } from '#domain/plan.ts'
import { planName } from '#domain/plan-name.ts'
import { type PlanSeat, unusedMoney } from '#domain/seats.ts'
import { ConfirmDialog } from '#ui/ConfirmDialog.tsx'
import { SectionCard } from '#ui/SectionCard.tsx'
import { useCancelPlan } from './plans.mutations.ts'

interface CancelPlanCardProps {
  plan: Plan
  seats: readonly PlanSeat[]
  onCancelled: () => void
}

/** The card to end a plan for everyone, with a confirmation. */
export function CancelPlanCard({ plan, seats, onCancelled }: CancelPlanCardProps) {
  const { provider, name } = plan
  const [asking, { open, close }] = useDisclosure()
  const cancel = useCancelPlan(plan, onCancelled)
  const others = plan.currentMembers - 1
  return (
    <SectionCard titleId="cancel-title" title={t`Stop sharing`} gap="sm" align="flex-start">
      <Text>{t`Ends the plan for everyone and closes its chats.`}</Text>
      <Button variant="light" color="beet" onClick={open}>
        {t`Cancel Subscription`}
      </Button>
      <ConfirmDialog
        opened={asking}
        title={t`Cancel Subscription`}
        confirmLabel={t`Cancel subscription`}
        cancelLabel={t`Keep sharing`}
        busy={cancel.isPending}
        onConfirm={() => cancel.mutate(undefined, { onError: close })}
        onClose={close}
      >
        {others > 0
          ? t`${provider} ${{ name: planName(name) }} will no longer be shared, and ${plural(others, { one: '# member loses', other: '# members lose' })} access right away.`
          : t`${provider} ${{ name: planName(name) }} will no longer be shared.`}{' '}
        {[...unusedMoney(seats), t`This cannot be undone.`].join(' ')}
      </ConfirmDialog>
    </SectionCard>
  )
}
