import { Anchor, List, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { Money } from '#ui/Money.tsx'
import { RelativeDate } from '#ui/RelativeDate.tsx'
import type { NextPayment } from './home.queries.ts'
import classes from './Line.module.css'
import { Line } from './Line.tsx'

/** As many as a glance takes in; the rest is later. */
const MOST = 4

/** What a person's places cost next, soonest first. */
export function NextPayments({ payments }: { payments: readonly NextPayment[] }) {
  return (
    <>
      <List listStyleType="none" className={classes.list}>
        {payments.slice(0, MOST).map(({ planId, plan, person, settlement, amount, dueAt }) => (
          <Line
            key={planId}
            title={
              <Anchor
                inherit
                c="inherit"
                dir="auto"
                renderRoot={(root) => <Link {...root} to="/manage-subscribed/$planId" params={{ planId }} />}
              >
                {plan}
              </Anchor>
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
