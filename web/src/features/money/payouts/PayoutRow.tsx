import { Badge, Button, Checkbox, Group, Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { Money } from '#ui/Money.tsx'
import { PersonAvatar } from '#ui/PersonAvatar.tsx'
import { PersonLink } from '#ui/PersonLink.tsx'
import { pressedBy, queueRow } from '#ui/Queue.tsx'
import { RelativeDate } from '#ui/RelativeDate.tsx'
import { StackCell, StackRow } from '#ui/StackTable.tsx'
import { PAYOUT_STATES, payoutTexts, RETURNED } from './payouts.messages.ts'
import type { Payout } from './payouts.queries.ts'

export type PayoutStep = 'process' | 'reject' | 'return'

export const PAYOUT_COLUMNS = [
  { label: 'Requested by' },
  { label: 'Amount', number: true },
  { label: 'Status' },
  { label: 'Requested' },
  { label: 'Details' },
  { label: 'Actions' },
]

export const PAYOUT_KEYS = [
  { key: 'a', does: 'Approve, or complete' },
  { key: 'r', does: 'Reject' },
  { key: 'b', does: 'Sent back by the bank' },
]

interface PayoutRowProps {
  payout: Payout
  /** Whoever looks, and leaves to others the own withdrawal and what was approved by the same hand. */
  userId: string
  onStep: (step: PayoutStep) => void
  chosen: boolean
  onChoose: (chosen: boolean) => void
}

/** A payment file can pay it. */
export const isForFile = ({ status, hasAccount, fileId }: Payout) =>
  status === 'processing' && hasAccount && fileId === null

/** One withdrawal with the steps it can take next. */
export function PayoutRow({ payout, userId, onStep, chosen, onChoose }: PayoutRowProps) {
  const { displayName: name, fullName, status, rejectionReason: reason, processedAt, completedAt } = payout
  const own = payout.userId === userId
  const approved = status === 'processing' && payout.processedBy?.userId === userId
  const state = payout.returnedAt ? RETURNED : PAYOUT_STATES[status]
  const mayReturn = status === 'completed' && !payout.returnedAt && !own
  return (
    <StackRow {...queueRow}>
      <StackCell>
        <Group gap="sm" wrap="nowrap" ta="start">
          {isForFile(payout) && !own && (
            <Checkbox
              aria-label={`Pay the withdrawal of ${name} by file`}
              checked={chosen}
              onChange={(event) => onChoose(event.currentTarget.checked)}
            />
          )}
          <PersonAvatar name={name} src={payout.avatarUrl} />
          <div>
            <Text fw={600}>
              <PersonLink staff userId={payout.userId} name={name} pressed={pressedBy('o')} />
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
          {processedAt && (
            <div>
              {status === 'rejected' && !completedAt ? 'Rejected' : 'Approved'}{' '}
              <RelativeDate date={processedAt} size="sm" />
              {payout.processedBy && <By {...payout.processedBy} />}
            </div>
          )}
          {completedAt && (
            <div>
              {status === 'rejected' ? 'Rejected' : 'Completed'} <RelativeDate date={completedAt} size="sm" />
              {payout.completedBy && <By {...payout.completedBy} />}
            </div>
          )}
          {payout.transferId && <div>Transfer {payout.transferId}</div>}
          {payout.bankAccountLast4 && <div>Account ending in {payout.bankAccountLast4}</div>}
          {payout.fileId !== null && <div>Payment file {payout.fileId}</div>}
          {payout.returnedAt && (
            <div>
              Returned <RelativeDate date={payout.returnedAt} size="sm" />: {payout.returnReason}
            </div>
          )}
          {reason && <div>Reason: {reason}</div>}
          {!processedAt && 'Waits for a decision'}
        </Text>
      </StackCell>
      <StackCell>
        {mayReturn &&
          (payout.completedBy?.userId === userId ? (
            <Hint>{payoutTexts.completed}</Hint>
          ) : (
            <Button
              size="sm"
              variant="default"
              aria-label={`Returned: the withdrawal of ${name}`}
              {...pressedBy('b')}
              onClick={() => onStep('return')}
            >
              Returned
            </Button>
          ))}
        {(status === 'pending' || status === 'processing') &&
          (own ? (
            <Hint>{payoutTexts.own}</Hint>
          ) : (
            <Stack gap="xs">
              <Group gap="xs" wrap="nowrap">
                {/* A file that is on its way to the bank is voided first. */}
                {payout.fileId === null && (
                  <Button
                    size="sm"
                    variant="default"
                    aria-label={`Reject withdrawal of ${name}`}
                    {...pressedBy('r')}
                    onClick={() => onStep('reject')}
                  >
                    Reject
                  </Button>
                )}
                {!approved && (
                  <Button
                    size="sm"
                    color="herb"
                    aria-label={`${status === 'pending' ? 'Approve' : 'Complete'} withdrawal of ${name}`}
                    {...pressedBy('a')}
                    onClick={() => onStep('process')}
                  >
                    {status === 'pending' ? 'Approve' : 'Complete'}
                  </Button>
                )}
              </Group>
              {approved && <Hint>{payoutTexts.approved}</Hint>}
            </Stack>
          ))}
      </StackCell>
    </StackRow>
  )
}

function By({ userId, name }: { userId: string; name: string }) {
  return (
    <>
      {' '}
      by <PersonLink staff userId={userId} name={name} />
    </>
  )
}

/** Why a step is somebody else's. */
function Hint({ children }: { children: ReactNode }) {
  return (
    <Text size="sm" c="dimmed" maw={{ sm: 200 }} ta="start">
      {children}
    </Text>
  )
}
