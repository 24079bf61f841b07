import { t } from '@lingui/core/macro'
import { Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Suspense } from 'react'
import { formatMoney } from '#domain/money.ts'
import { claimOf, isOwedBack, type Payment } from '#domain/payments.ts'
import { SectionCard } from '#ui/SectionCard.tsx'
import { RowsSkeleton } from '#ui/Skeletons.tsx'
import { SurfaceCard } from '#ui/SurfaceCard.tsx'
import { ConfirmPayment, RepayDebt } from './lazy-cards.ts'
import { paymentTexts } from './payments.messages.ts'
import { unsettledQuery } from './payments.queries.ts'
import { UnpaidPayment } from './UnpaidPayment.tsx'

/**
 * An owner's unsettled direct payments, including those for ended places and plans; renders nothing if there are none.
 */
export function UnsettledList({ userId }: { userId: string }) {
  const { data = [] } = useQuery(unsettledQuery(userId))
  const payments = data.filter((payment) => payment.status !== 'paid' || isOwedBack(payment))
  if (payments.length === 0) return null
  return (
    <Stack gap="lg" mb="lg">
      {payments.map((payment) =>
        isOwedBack(payment) ? (
          <SurfaceCard key={payment.id} component="section" aria-label={t`Owed to ${payment.memberName}`}>
            <Suspense fallback={<RowsSkeleton rows={2} />}>
              <RepayDebt debt={payment} />
            </Suspense>
          </SurfaceCard>
        ) : payment.status === 'claimed' ? (
          <Suspense key={payment.id} fallback={<RowsSkeleton rows={2} />}>
            <ConfirmPayment payment={payment} named />
          </Suspense>
        ) : (
          <Open key={payment.id} payment={payment} />
        ),
      )}
    </Stack>
  )
}

function Open({ payment }: { payment: Payment }) {
  const { id, status, amount, currency, memberName, planName, leftUnpaidAt } = payment
  const answerBy = claimOf(payment, 'payment')?.answerBy
  const sum = formatMoney(amount, currency)
  return (
    <SectionCard
      titleId={`unsettled-${id}`}
      title={
        status === 'disputed'
          ? t`${sum} from ${memberName}`
          : leftUnpaidAt
            ? t`${memberName} left ${sum} unpaid`
            : t`${memberName} owes you ${sum}`
      }
      gap="sm"
    >
      <Text c="dimmed">
        {planName}.{' '}
        {status === 'disputed' && answerBy
          ? paymentTexts.decidesBy(answerBy)
          : leftUnpaidAt
            ? t`They see how to pay you.`
            : t`From before you handed the plan over.`}
      </Text>
      <UnpaidPayment payment={payment} />
    </SectionCard>
  )
}
