import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Button, Container } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { LateDenial } from '#features/money/payments/LateDenial.tsx'
import { usePaymentsLive } from '#features/money/payments/payments.live.ts'
import { paymentQuery } from '#features/money/payments/payments.queries.ts'
import { Receipt } from '#features/money/payments/Receipt.tsx'
import { SimulationNotice } from '#features/money/payments/SimulationNotice.tsx'
import { isConnectionProblem, reasonOf } from '#lib/errors.ts'
import { useUser } from '#lib/session.ts'
import { EmptyState } from '#ui/EmptyState.tsx'
import { BackLink, LinkButton } from '#ui/links.tsx'
import { PageLoading } from '#ui/Skeletons.tsx'

export const Route = createFileRoute('/_shell/_signed-in/payments/$paymentId')({
  loader: ({ context: { queryClient: cache }, params }) =>
    void cache.prefetchQuery(paymentQuery(params.paymentId)),
  component: PaymentReceipt,
})

/** The receipt of one payment, for payer and receiver. */
function PaymentReceipt() {
  const { id: userId } = useUser()
  const { data: payment, error, refetch } = useQuery(paymentQuery(Route.useParams().paymentId))
  usePaymentsLive(userId)
  if (!payment && !error) return <PageLoading />
  return (
    <Container size="sm" py={{ base: 'md', sm: 'lg' }}>
      {payment?.receiptNumber && <BackLink to="/payments">{t`My Payments`}</BackLink>}
      {payment?.settlement === 'potluck' && <SimulationNotice mb="lg" />}
      {payment && <LateDenial payment={payment} userId={userId} />}
      {payment?.receiptNumber && <Receipt payment={payment} />}
      {payment && !payment.receiptNumber && (
        <EmptyState order={1} title={t`Not paid yet`} action={<ToPayments />}>
          <Trans>You’ll find the receipt here once the payment for {payment.planName} has arrived.</Trans>
        </EmptyState>
      )}
      {!payment && isConnectionProblem(error) && (
        <EmptyState
          order={1}
          title={t`The receipt could not be loaded`}
          action={<Button onClick={() => void refetch()}>{t`Try Again`}</Button>}
        >
          {reasonOf(error)}
        </EmptyState>
      )}
      {!payment && error && !isConnectionProblem(error) && (
        <EmptyState order={1} title={t`Receipt not found`} action={<ToPayments />}>
          {t`It doesn’t exist, or it isn’t yours.`}
        </EmptyState>
      )}
    </Container>
  )
}

function ToPayments() {
  return <LinkButton to="/payments">{t`My Payments`}</LinkButton>
}
