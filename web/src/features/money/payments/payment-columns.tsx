import { Group, Text } from '@mantine/core'
import { fullDay } from '#domain/dates.ts'
import { formatMoney } from '#domain/money.ts'
import type { Payment } from '#domain/payments.ts'
import type { Column } from '#ui/DataTable.tsx'
import { LoneLink } from '#ui/links.tsx'
import { Money } from '#ui/Money.tsx'
import { PersonLink } from '#ui/PersonLink.tsx'
import { periodText } from './period-text.ts'
import { StandingBadge } from './StandingBadge.tsx'

/** What for, until when, how much, and what became of it. A member reads about plans, an owner about members. */
export const paymentColumns = (isOwner: boolean): Column<Payment>[] => [
  {
    label: isOwner ? 'Member' : 'Plan',
    cell: ({ planName, memberId, memberName }) => (
      <div>
        <Text fw={600}>{isOwner ? <PersonLink userId={memberId} name={memberName} /> : planName}</Text>
        {isOwner && (
          <Text size="sm" c="dimmed">
            {planName}
          </Text>
        )}
      </div>
    ),
  },
  { label: 'Period', cell: (payment) => periodText(payment) || 'Not begun' },
  { label: 'Due', cell: ({ dueAt }) => fullDay(dueAt) },
  { label: 'Amount', number: true, cell: ({ amount }) => <Money amount={amount} fw={600} /> },
  {
    label: 'State',
    cell: (payment) => (
      <Group gap={6} component="span">
        <StandingBadge payment={payment} />
        {payment.returned > 0 && (
          <Text span size="sm" c="dimmed">
            {formatMoney(payment.returned)} back
          </Text>
        )}
      </Group>
    ),
  },
  {
    label: 'Receipt',
    cell: ({ id: paymentId, receiptNumber }) =>
      receiptNumber && (
        <LoneLink to="/payments/$paymentId" params={{ paymentId }}>
          {receiptNumber}
        </LoneLink>
      ),
  },
]
