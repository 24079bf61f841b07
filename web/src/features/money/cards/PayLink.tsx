import { t } from '@lingui/core/macro'
import { Stack, Text } from '@mantine/core'
import { formatMoney } from '#domain/money.ts'
import type { Payment } from '#domain/payments.ts'
import { SimulationNotice } from '#features/money/payments/SimulationNotice.tsx'
import { LinkButton } from '#ui/links.tsx'
import { SurfaceCard } from '#ui/SurfaceCard.tsx'
import { debitTakesDays } from './card-words.ts'

/** An open payment through the site, with a link to complete it. */
export function PayLink({ payment }: { payment: Payment }) {
  const { id, amount, status } = payment
  return (
    <SurfaceCard>
      <Stack gap="md" align="flex-start">
        <SimulationNotice />
        <Text>
          {status === 'needs-action' && t`Confirm your payment of ${formatMoney(amount)}.`}
          {status === 'failed' && t`Your payment of ${formatMoney(amount)} failed.`}
          {status === 'processing' && `${t`Your bank is debiting ${formatMoney(amount)}.`} ${debitTakesDays}`}
          {['due', 'charging'].includes(status) && t`We’re charging ${formatMoney(amount)}.`}
        </Text>
        {status !== 'processing' && (
          <LinkButton to="/pay/$paymentId" params={{ paymentId: id }} search={{}}>
            {status === 'needs-action' ? t`Confirm payment` : t`Pay with a card`}
          </LinkButton>
        )}
      </Stack>
    </SurfaceCard>
  )
}
