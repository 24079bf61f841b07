import { t } from '@lingui/core/macro'
import { Button } from '@mantine/core'
import { formatMoney } from '#domain/money.ts'
import { isReminded, mayTakeBack, type Payment, paymentStateOf } from '#domain/payments.ts'
import { LinkButton } from '#ui/links.tsx'
import { PaymentDetailsPrompt } from './PaymentDetailsPrompt.tsx'
import { usePaymentStep } from './payments.mutations.ts'
import { ReminderSent } from './ReminderSent.tsx'
import { UndoReceipt } from './UndoReceipt.tsx'

type Action = 'pay' | 'confirm-card' | 'received' | 'take-back' | 'remind' | 'reminded' | 'say-how'

/** The action that a payment list offers the owner or member; other actions are on the plan's page. `now` in ms. */
export function paymentAction(payment: Payment, isOwner: boolean, now: number): Action | null {
  const { status, settlement } = payment
  const state = paymentStateOf(payment, now)
  if (isOwner) {
    if (settlement === 'potluck') return null
    if (state === 'claimed') return 'received'
    if (mayTakeBack(payment, now)) return 'take-back'
    if (state === 'waiting') return 'say-how'
    if (state !== 'late') return null
    return isReminded(payment, now) ? 'reminded' : 'remind'
  }
  if (status === 'needs-action') return 'confirm-card'
  return ['due', 'denied', 'late', 'failed'].includes(state) ? 'pay' : null
}

interface PaymentActionProps {
  payment: Payment
  action: Action
  now: number
  /** True for the page's main button. */
  isMain?: boolean
}

/** The button for a payment's action. */
export function PaymentAction({ payment, action, now, isMain = false }: PaymentActionProps) {
  const tell = usePaymentStep()
  const { id: paymentId, planId, planName, settlement, amount, currency, memberName } = payment
  if (action === 'say-how') return <PaymentDetailsPrompt ownerId={payment.ownerId} />
  if (action === 'reminded') return <ReminderSent payment={payment} now={now} />
  if (action === 'take-back') return <UndoReceipt payment={payment} />
  if (action === 'received' || action === 'remind')
    return (
      <Button
        size="sm"
        px="sm"
        variant={action === 'received' ? 'light' : 'default'}
        aria-label={
          action === 'received'
            ? t`Received ${formatMoney(amount, currency)} from ${memberName}`
            : t`Remind ${memberName}`
        }
        loading={tell.isPending}
        onClick={() => tell.mutate({ payment, step: action === 'received' ? 'confirm' : 'nudge' })}
      >
        {action === 'received' ? t`Received` : t`Remind`}
      </Button>
    )
  const looks = {
    size: 'sm',
    variant: isMain ? 'filled' : 'light',
    'aria-label': t`Pay ${formatMoney(amount, currency)} for ${planName}`,
  } as const
  // A direct payment needs the owner's payment details, which are on the plan's page.
  if (settlement === 'direct')
    return (
      <LinkButton to="/manage-subscribed/$planId" params={{ planId }} {...looks}>
        {t`Pay`}
      </LinkButton>
    )
  return (
    <LinkButton
      to="/pay/$paymentId"
      params={{ paymentId }}
      search={{}}
      {...looks}
      {...(action === 'confirm-card' && { 'aria-label': t`Confirm the payment for ${planName}` })}
    >
      {action === 'confirm-card' ? t`Confirm` : t`Pay`}
    </LinkButton>
  )
}
