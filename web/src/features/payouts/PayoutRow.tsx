import { Badge, Button, Group, Text } from '@mantine/core'
import { Money } from '#ui/Money.tsx'
import { PersonAvatar } from '#ui/PersonAvatar.tsx'
import { RelativeDate } from '#ui/RelativeDate.tsx'
import { StackCell, StackRow } from '#ui/StackTable.tsx'
import { payoutTexts } from './payouts.messages.ts'
import type { Payout } from './payouts.queries.ts'
import { PAYOUT_STATES } from './states.ts'

export type PayoutStep = 'process' | 'reject'

export const PAYOUT_COLUMNS = [
  { label: 'Requested by' },
  { label: 'Amount', number: true },
  { label: 'Status' },
  { label: 'Requested' },
  { label: 'Details' },
  { label: 'Actions' },
]

interface PayoutRowProps {
  payout: Payout
  /** The own withdrawal of whoever looks, about which somebody else decides. */
  own: boolean
  onStep: (step: PayoutStep) => void
}

/** One withdrawal with the steps it can take next. */
export function PayoutRow({ payout, own, onStep }: PayoutRowProps) {
  const { displayName: name, fullName, status, rejectionReason: reason } = payout
  const state = PAYOUT_STATES[status]
  return (
    <StackRow>
      <StackCell>
        <Group gap="sm" wrap="nowrap" ta="start">
          <PersonAvatar name={name} src={payout.avatarUrl} />
          <div>
            <Text fw={600} component="bdi">
              {name}
            </Text>
            {fullName && (
              <Text size="sm" c="dimmed">
                <bdi>{fullName}</bdi>
              </Text>
            )}
          </div>
        </Group>
      </StackCell>
      <StackCell label="Amount" number>
        <Money amount={payout.amount} fw={600} />
      </StackCell>
      <StackCell label="Status">
        <Badge variant="light" color={state.color} tt="none">
          {state.label}
        </Badge>
      </StackCell>
      <StackCell label="Requested">
        <RelativeDate date={payout.requestedAt} size="sm" />
      </StackCell>
      <StackCell label="Details">
        <Text component="div" size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
          {payout.processedAt && (
            <div>
              {status === 'rejected' ? 'Rejected ' : 'Approved '}
              <RelativeDate date={payout.processedAt} size="sm" />
            </div>
          )}
          {payout.completedAt && (
            <div>
              Completed <RelativeDate date={payout.completedAt} size="sm" />
            </div>
          )}
          {payout.transferId && <div>Transfer {payout.transferId}</div>}
          {payout.bankAccountLast4 && <div>Account ending in {payout.bankAccountLast4}</div>}
          {reason && <div>Reason: {reason}</div>}
          {!payout.processedAt && 'Waits for a decision'}
        </Text>
      </StackCell>
      <StackCell>
        {(status === 'pending' || status === 'processing') &&
          (own ? (
            <Text size="sm" c="dimmed" maw={{ sm: 200 }} ta="start">
              {payoutTexts.own}
            </Text>
          ) : (
            <Group gap="xs" wrap="nowrap">
              {status === 'pending' && (
                <Button
                  size="sm"
                  variant="default"
                  aria-label={`Reject withdrawal of ${name}`}
                  onClick={() => onStep('reject')}
                >
                  Reject
                </Button>
              )}
              <Button
                size="sm"
                color="herb"
                aria-label={`${status === 'pending' ? 'Approve' : 'Complete'} withdrawal of ${name}`}
                onClick={() => onStep('process')}
              >
                {status === 'pending' ? 'Approve' : 'Complete'}
              </Button>
            </Group>
          ))}
      </StackCell>
    </StackRow>
  )
}
