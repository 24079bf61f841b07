import { Button } from '@mantine/core'
import { formatMoney } from '#domain/money.ts'
import { type Payment, standingOf } from '#domain/payments.ts'
import { LinkButton } from '#ui/links.tsx'
import { usePaymentStep } from './payments.mutations.ts'

type Action = 'pay' | 'confirm-card' | 'received' | 'remind'

/** What one side can do about a payment in a list; the rest is on its plan's page. `now` in ms. */
export function paymentAction(payment: Payment, isOwner: boolean, now: number): Action | null {
  const { status, settlement } = payment
  const standing = standingOf(payment, now)
  if (isOwner) {
    if (settlement === 'potluck') return null
    if (standing === 'claimed') return 'received'
    return standing === 'late' ? 'remind' : null
  }
  if (status === 'needs-action') return 'confirm-card'
  return standing === 'due' || standing === 'late' || standing === 'failed' ? 'pay' : null
}

/** The button for it. */
export function PaymentAction({ payment, action }: { payment: Payment; action: Action }) {
  const tell = usePaymentStep()
  const { id: paymentId, planId, planName, settlement, amount, memberName } = payment
  if (action === 'received' || action === 'remind')
    return (
      <Button
        size="sm"
        px="sm"
        variant={action === 'received' ? 'filled' : 'default'}
        aria-label={
          action === 'received'
            ? `Received ${formatMoney(amount)} from ${memberName}`
            : `Remind ${memberName}`
        }
        loading={tell.isPending}
        onClick={() => tell.mutate({ payment, step: action === 'received' ? 'confirm' : 'nudge' })}
      >
        {action === 'received' ? 'Received' : 'Remind'}
      </Button>
    )
  const looks = { size: 'sm', px: 'sm', 'aria-label': `Pay ${formatMoney(amount)} for ${planName}` } as const
  // A direct payment needs the owner's account, which is on the plan's page.
  if (settlement === 'direct')
    return (
      <LinkButton to="/manage-subscribed/$planId" params={{ planId }} {...looks}>
        Pay
      </LinkButton>
    )
  return (
    <LinkButton
      to="/pay/$paymentId"
      params={{ paymentId }}
      search={{}}
      {...looks}
      {...(action === 'confirm-card' && { 'aria-label': `Confirm the payment for ${planName}` })}
    >
      {action === 'confirm-card' ? 'Confirm' : 'Pay'}
    </LinkButton>
  )
}
