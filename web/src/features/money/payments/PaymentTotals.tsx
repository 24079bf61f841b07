import { t } from '@lingui/core/macro'
import { Skeleton, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Loaded } from '#ui/Loaded.tsx'
import { Money } from '#ui/Money.tsx'
import classes from './PaymentTotals.module.css'
import { paymentTexts } from './payments.messages.ts'
import { type PaymentSums, paymentTotalsQuery, type Whose } from './payments.queries.ts'

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
      {(all) => (
        <>
          {withMoney(all).map((sums) => (
            <dl key={sums.currency} className={classes.totals}>
              {onePlan && <Total label={t`Received so far`} amount={sums.paid} of={sums} />}
              <Total label={isOwner ? t`Due to you` : t`To pay now`} amount={sums.due} of={sums} />
              {sums.claimed > 0 && (
                <Total
                  label={t({ message: 'Sent', context: 'state of a payment' })}
                  amount={sums.claimed}
                  of={sums}
                />
              )}
              {!onePlan && (
                <Total label={isOwner ? t`Received so far` : t`Paid so far`} amount={sums.paid} of={sums} />
              )}
            </dl>
          ))}
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

/** The rows that have money, or that of EUR if none has. */
function withMoney(all: readonly PaymentSums[]): readonly PaymentSums[] {
  const some = all.filter(({ due, claimed, paid }) => due > 0 || claimed > 0 || paid > 0)
  return some.length > 0 ? some : all.slice(0, 1)
}

const Total = ({ label, amount, of }: { label: string; amount: number; of: PaymentSums }) => (
  <div>
    <dt>{label}</dt>
    <dd>
      <Money amount={amount} currency={of.currency} />
    </dd>
  </div>
)
