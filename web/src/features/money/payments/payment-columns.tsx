import { Group, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { dateInWords, fullDay, shortDay } from '#domain/dates.ts'
import { formatMoney } from '#domain/money.ts'
import { type Payment, standingOf } from '#domain/payments.ts'
import type { Column } from '#ui/DataTable.tsx'
import { LoneLink } from '#ui/links.tsx'
import { Money } from '#ui/Money.tsx'
import { PersonAvatar } from '#ui/PersonAvatar.tsx'
import { PersonLink } from '#ui/PersonLink.tsx'
import { PaymentAction, paymentAction } from './PaymentAction.tsx'
import { paymentTexts } from './payments.messages.ts'
import { shortPeriod } from './period-text.ts'
import { StandingBadge } from './StandingBadge.tsx'

interface PaymentColumns {
  /** An owner reads about members and what of it is theirs, a member about plans and what they pay. */
  isOwner: boolean
  /** All of them are of one plan, which the page names. */
  onePlan: boolean
  logoOf: (plan: string) => ReactNode
  /** In ms. */
  now: number
  /** The payments that the reader has said are made, which waits for a connection. */
  said: readonly string[]
}

/** What for, until when, how much, and what became of it. */
export const paymentColumns = ({
  isOwner,
  onePlan,
  logoOf,
  now,
  said,
}: PaymentColumns): Column<Payment>[] => [
  {
    label: isOwner ? 'Member' : 'Plan',
    as: 'title',
    mark: ({ memberName, memberAvatar, planName }) =>
      isOwner ? <PersonAvatar name={memberName} src={memberAvatar} size={40} /> : logoOf(planName),
    brief: ({ memberName, planName }) => (isOwner ? memberName : planName),
    cell: ({ planName, memberId, memberName }) => (
      <div>
        <Text fw={600}>{isOwner ? <PersonLink userId={memberId} name={memberName} /> : planName}</Text>
        {isOwner && !onePlan && (
          <Text size="sm" c="dimmed">
            {planName}
          </Text>
        )}
      </div>
    ),
  },
  { label: 'Period', cell: (payment) => <Line>{shortPeriod(payment) || 'Not begun'}</Line> },
  {
    label: 'Due',
    as: 'detail',
    brief: (payment) => whenText(payment, isOwner, now),
    cell: ({ dueAt }) => <Line>{shortDay(dueAt)}</Line>,
  },
  {
    label: isOwner ? 'Yours' : 'Amount',
    as: 'amount',
    number: true,
    cell: ({ amount, share }) => <Money amount={isOwner ? share : amount} fw={600} />,
  },
  {
    label: 'State',
    as: 'state',
    brief: (payment) => <StandingBadge payment={payment} />,
    cell: (payment) => (
      <Group gap={6} component="span">
        {standingOf(payment, now) === 'waiting' ? (
          <Text span size="sm" c="dimmed">
            {paymentTexts.waiting(isOwner ? 'you' : payment.ownerName)}
          </Text>
        ) : (
          <StandingBadge payment={payment} />
        )}
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
          <Line>{receiptNumber}</Line>
        </LoneLink>
      ),
  },
  {
    label: 'To do',
    as: 'action',
    cell: (payment) => {
      if (payment.status === 'due' && said.includes(payment.id)) return <Line>Waiting for a connection</Line>
      const action = paymentAction(payment, isOwner, now)
      return action && <PaymentAction payment={payment} action={action} now={now} />
    },
  },
]

/** What is not broken in two. */
const Line = ({ children }: { children: string }) => <span style={{ whiteSpace: 'nowrap' }}>{children}</span>

/** The one date that matters about a payment now. */
function whenText({ paidAt, ...payment }: Payment, isOwner: boolean, now: number): string {
  if (paidAt) return fullDay(paidAt)
  const due = dateInWords(payment.dueAt, new Date(now))
  switch (standingOf(payment, now)) {
    case 'waiting':
      // The owner's button beside it says for what.
      return isOwner ? 'Waiting for you' : paymentTexts.waiting(payment.ownerName)
    case 'failed':
      return 'Did not go through'
    case 'due':
    case 'late':
      return `Due ${due}`
    case 'claimed':
      return 'To be confirmed'
    default:
      return fullDay(payment.dueAt)
  }
}
