import { t } from '@lingui/core/macro'
import { Skeleton, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Loaded } from '#ui/Loaded.tsx'
import { Money } from '#ui/Money.tsx'
import classes from './PaymentTotals.module.css'
import { paymentTexts } from './payments.messages.ts'
import { paymentTotalsQuery, type Whose } from './payments.queries.ts'

/**
 * The amount to pay or to receive now, in large type, beside the amounts awaiting confirmation and paid so far. For one
 * plan, the amount received so far comes first.
 */
export function PaymentTotals({ whose }: { whose: Whose }) {
  const isOwner = 'owner_id' in whose
  const onePlan = 'subscription_id' in whose
  return (
    <Loaded
      of={useQuery(paymentTotalsQuery(whose))}
      pending={<Skeleton h={96} />}
      failed={paymentTexts.totalsFailed}
    >
      {({ due, claimed, paid }) => (
        <>
          <dl className={classes.totals}>
            {onePlan && <Total label={t`Received so far`} amount={paid} />}
            <Total label={isOwner ? t`Due to you` : t`To pay now`} amount={due} />
            {claimed > 0 && (
              <Total label={t({ message: 'Sent', context: 'state of a payment' })} amount={claimed} />
            )}
            {!onePlan && <Total label={isOwner ? t`Received so far` : t`Paid so far`} amount={paid} />}
          </dl>
          {isOwner && (
            <Text size="sm" c="dimmed" mb="md">
              {t`Payments through Potluck count as you earn them.`}
            </Text>
          )}
        </>
      )}
    </Loaded>
  )
}

const Total = ({ label, amount }: { label: string; amount: number }) => (
  <div>
    <dt>{label}</dt>
    <dd>
      <Money amount={amount} />
    </dd>
  </div>
)
