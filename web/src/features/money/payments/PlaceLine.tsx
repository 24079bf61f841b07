import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { linkOptions } from '@tanstack/react-router'
import { formatMoney } from '#domain/money.ts'
import { isToPay, leadingPayment, placeLine } from '#domain/payment-words.ts'
import { LinkButton } from '#ui/links.tsx'
import { useNow } from '#ui/use-now.ts'
import { ownOpenPaymentsQuery } from './payments.queries.ts'
import { useQueuedClaims } from './queued-claims.ts'
import { ownSeatsQuery } from './seats.queries.ts'

interface PlaceLineProps {
  userId: string
  planId: string
  /**
   * Whether a button leads to the payment: to a card payment alone on the plan's page, which has a card for a direct
   * payment.
   */
  pay?: 'any' | 'by-card' | 'none'
}

/** The payment state of a member's place in one line, worded the same on every page: "Due today €5.00", and "Pay". */
export function PlaceLine({ userId, planId, pay = 'any' }: PlaceLineProps) {
  const seat = useQuery(ownSeatsQuery(userId)).data?.find((one) => one.planId === planId)
  const open = useQuery(ownOpenPaymentsQuery(userId)).data
  const waits = useQueuedClaims()
  const now = useNow()
  if (!seat || !open) return '…'
  const payment = leadingPayment(open.filter(({ seatId }) => seatId === seat.id))
  if (payment && isToPay(payment) && waits.includes(payment.id))
    return t`“I’ve paid” is sent once you’re online`
  const line = placeLine(seat, payment, now)
  if (pay === 'none' || !payment || !isToPay(payment) || seat.pausedUntil) return line
  const { id, amount, currency, planName, status, settlement } = payment
  // A direct payment needs the owner's payment details, which are on the plan's page.
  const link =
    settlement === 'direct'
      ? linkOptions({ to: '/manage-subscribed/$planId', params: { planId }, hash: `pay-${id}` })
      : linkOptions({ to: '/pay/$paymentId', params: { paymentId: id }, search: {} })
  const words = status === 'needs-action' ? t`Confirm` : t`Pay`
  const name = `${words}: ${formatMoney(amount, currency)}, ${planName}`
  if (pay === 'by-card' && settlement === 'direct') return line
  return (
    <>
      {line}{' '}
      <LinkButton size="sm" aria-label={name} {...link}>
        {words}
      </LinkButton>
    </>
  )
}
