import { Anchor, Group, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { fullDay } from '#domain/dates.ts'
import { formatMoney } from '#domain/money.ts'
import type { Payment } from '#domain/payments.ts'
import { Money } from '#ui/Money.tsx'
import { PersonLink } from '#ui/PersonLink.tsx'
import { StackCell, StackRow, StackTable } from '#ui/StackTable.tsx'
import { periodText } from './PeriodText.tsx'
import { StandingBadge } from './StandingBadge.tsx'

interface PaymentRowsProps {
  label: string
  payments: readonly Payment[]
  /** Who reads them: a member reads of plans, an owner of members. */
  side: 'member' | 'owner'
}

/** Payments as a table: what for, until when, how much, and what became of it. */
export function PaymentRows({ label, payments, side }: PaymentRowsProps) {
  const about = side === 'member' ? 'Plan' : 'Member'
  return (
    <StackTable
      label={label}
      columns={[
        { label: about },
        { label: 'Period' },
        { label: 'Due' },
        { label: 'Amount', number: true },
        { label: 'State' },
        { label: 'Receipt' },
      ]}
    >
      {payments.map((payment) => (
        <StackRow key={payment.id} label={`${nameOf(payment, side)}, due ${fullDay(payment.dueAt)}`}>
          <StackCell label={about}>
            <div>
              <Text fw={600}>
                {side === 'owner' ? (
                  <PersonLink userId={payment.memberId} name={payment.memberName} />
                ) : (
                  payment.planName
                )}
              </Text>
              {side === 'owner' && (
                <Text size="sm" c="dimmed">
                  {payment.planName}
                </Text>
              )}
            </div>
          </StackCell>
          <StackCell label="Period">{periodText(payment) || 'Not begun'}</StackCell>
          <StackCell label="Due">{fullDay(payment.dueAt)}</StackCell>
          <StackCell label="Amount" number>
            <Money amount={payment.amount} fw={600} />
          </StackCell>
          <StackCell label="State">
            <Group gap={6} component="span">
              <StandingBadge payment={payment} />
              {payment.returned > 0 && (
                <Text span size="sm" c="dimmed">
                  {formatMoney(payment.returned)} back
                </Text>
              )}
            </Group>
          </StackCell>
          <StackCell label="Receipt">
            {payment.receiptNumber && (
              <Anchor
                renderRoot={(root) => (
                  <Link {...root} to="/payments/$paymentId" params={{ paymentId: payment.id }} />
                )}
                mih={44}
                display="inline-flex"
                style={{ alignItems: 'center' }}
              >
                {payment.receiptNumber}
              </Anchor>
            )}
          </StackCell>
        </StackRow>
      ))}
    </StackTable>
  )
}

const nameOf = ({ planName, memberName }: Payment, side: 'member' | 'owner') =>
  side === 'member' ? planName : memberName
