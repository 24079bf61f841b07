import { List, Text } from '@mantine/core'
import { LinkAnchor } from '#ui/links.tsx'
import { Money } from '#ui/Money.tsx'
import { RelativeDate } from '#ui/RelativeDate.tsx'
import type { NextPayment } from './home.queries.ts'
import classes from './Line.module.css'
import { Line } from './TaskList.tsx'

/** More than this do not fit in a glance. */
const MOST = 4

/** The next payments for a person's places, soonest first. */
export function NextPayments({ payments }: { payments: readonly NextPayment[] }) {
  return (
    <>
      <List listStyleType="none" className={classes.list}>
        {payments.slice(0, MOST).map(({ planId, plan, person, settlement, amount, dueAt }) => (
          <Line
            key={planId}
            title={
              <LinkAnchor inherit c="inherit" dir="auto" to="/manage-subscribed/$planId" params={{ planId }}>
                {plan}
              </LinkAnchor>
            }
            time={
              <Text size="sm" c="dimmed">
                <RelativeDate date={dueAt} />,{' '}
                {settlement === 'direct' ? `to ${person ?? 'the owner'}` : 'by itself'}
              </Text>
            }
          >
            <Money amount={amount} fw={600} />
          </Line>
        ))}
      </List>
      {payments.length > MOST && (
        <Text size="sm" c="dimmed" mt="xs">
          and {payments.length - MOST} more after that
        </Text>
      )}
    </>
  )
}
