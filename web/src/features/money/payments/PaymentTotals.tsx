import { t } from '@lingui/core/macro'
import { Skeleton, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Loaded } from '#ui/Loaded.tsx'
import { Money } from '#ui/Money.tsx'
import classes from './PaymentTotals.module.css'
import { paymentTexts } from './payments.messages.ts'
import { paymentTotalsQuery, type Whose } from './payments.queries.ts'

/** The amount to pay or to receive now, in large type, beside the amounts awaiting confirmation and paid so far. */
export function PaymentTotals({ whose }: { whose: Whose }) {
  const isOwner = 'owner_id' in whose
  return (
    <Loaded
      of={useQuery(paymentTotalsQuery(whose))}
      pending={<Skeleton h={96} />}
      failed={paymentTexts.totalsFailed}
    >
      {({ due, claimed, paid }) => (
        <>
          <dl className={classes.totals}>
            <div>
              <dt>{isOwner ? t`Due to you` : t`To pay now`}</dt>
              <dd>
                <Money amount={due} />
              </dd>
            </div>
            {claimed > 0 && (
              <div>
                <dt>{t({ message: 'Sent', context: 'state of a payment' })}</dt>
                <dd>
                  <Money amount={claimed} />
                </dd>
              </div>
            )}
            <div>
              <dt>{isOwner ? t`Received so far` : t`Paid so far`}</dt>
              <dd>
                <Money amount={paid} />
              </dd>
            </div>
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
