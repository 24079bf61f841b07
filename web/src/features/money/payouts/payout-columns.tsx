import { Badge, Button, Checkbox, Group, Stack, Text, VisuallyHidden } from '@mantine/core'
import type { ReactNode } from 'react'
import type { Column } from '#ui/DataTable.tsx'
import { Money } from '#ui/Money.tsx'
import { PersonAvatar } from '#ui/PersonAvatar.tsx'
import { PersonLink } from '#ui/PersonLink.tsx'
import { pressedBy } from '#ui/Queue.tsx'
import { RelativeDate } from '#ui/RelativeDate.tsx'
import { PAYOUT_STATES, payoutTexts, RETURNED } from './payouts.messages.ts'
import type { Payout } from './payouts.queries.ts'

export type PayoutStep = 'process' | 'reject' | 'return'

export const PAYOUT_KEYS = [
  { key: 'a', does: 'Approve, or complete' },
  { key: 'r', does: 'Reject' },
  { key: 'b', does: 'Returned by the bank' },
]

/** Whether a payment file can pay it. */
export const isForFile = ({ status, hasAccount, payoutFileId }: Payout) =>
  status === 'processing' && hasAccount && payoutFileId === null

interface StepsProps {
  /** The admin, who neither decides about their own withdrawal nor takes the second step after their first. */
  userId: string
  onStep: (payout: Payout, step: PayoutStep) => void
}

interface PayoutColumns extends StepsProps {
  /** The ids of what the next payment file is to pay. */
  chosen: ReadonlySet<string>
  onChoose: (id: string, chosen: boolean) => void
}

export const payoutColumns = ({ chosen, onChoose, ...steps }: PayoutColumns): Column<Payout>[] => [
  {
    label: 'By file',
    as: 'action',
    cell: (payout) =>
      isForFile(payout) &&
      payout.userId !== steps.userId && (
        <Checkbox
          label={
            <>
              By file<VisuallyHidden>: the withdrawal of {payout.displayName}</VisuallyHidden>
            </>
          }
          checked={chosen.has(payout.id)}
          onChange={(event) => onChoose(payout.id, event.currentTarget.checked)}
        />
      ),
  },
  {
    label: 'Requested by',
    sort: 'display_name',
    as: 'title',
    mark: ({ displayName, avatarUrl }) => <PersonAvatar name={displayName} src={avatarUrl} size={40} />,
    brief: ({ displayName }) => displayName,
    cell: (payout) => (
      <div>
        <Text fw={600}>
          <PersonLink staff userId={payout.userId} name={payout.displayName} pressed={pressedBy('o')} />
        </Text>
        {payout.fullName && (
          <Text size="sm" c="dimmed">
            <bdi>{payout.fullName}</bdi>
          </Text>
        )}
      </div>
    ),
  },
  {
    label: 'Amount',
    sort: 'amount',
    as: 'amount',
    number: true,
    cell: ({ amount }) => <Money amount={amount} fw={600} />,
  },
  {
    label: 'Status',
    sort: 'status',
    as: 'state',
    cell: ({ status, returnedAt }) => {
      const { label, color } = returnedAt ? RETURNED : PAYOUT_STATES[status]
      return (
        <Badge variant="light" color={color} tt="none">
          {label}
        </Badge>
      )
    },
  },
  {
    label: 'Requested',
    sort: 'requested_at',
    as: 'detail',
    cell: ({ requestedAt }) => <RelativeDate date={requestedAt} size="sm" />,
  },
  { label: 'Details', cell: (payout) => <Details {...payout} /> },
  { label: 'Actions', as: 'actions', cell: (payout) => <Steps payout={payout} {...steps} /> },
]

function Details({ status, processedAt, completedAt, ...payout }: Payout) {
  return (
    <Text component="div" size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
      {processedAt && (
        <div>
          {status === 'rejected' ? 'Rejected' : 'Approved'} <RelativeDate date={processedAt} size="sm" />
          <By userId={payout.processedBy} name={payout.processedByName} />
        </div>
      )}
      {completedAt && (
        <div>
          Completed <RelativeDate date={completedAt} size="sm" />
          <By userId={payout.completedBy} name={payout.completedByName} />
        </div>
      )}
      {payout.stripeTransferId && <div>Transfer {payout.stripeTransferId}</div>}
      {payout.bankAccountLast4 && <div>Account ending in {payout.bankAccountLast4}</div>}
      {payout.payoutFileId !== null && <div>Payment file {payout.payoutFileId}</div>}
      {payout.returnedAt && (
        <div>
          Returned <RelativeDate date={payout.returnedAt} size="sm" />: {payout.returnReason}
        </div>
      )}
      {payout.rejectionReason && <div>Reason: {payout.rejectionReason}</div>}
      {!processedAt && 'Waiting for a decision'}
    </Text>
  )
}

/** Nothing where the server did it. */
function By({ userId, name }: { userId: string | null; name: string | null }) {
  if (userId === null) return null
  return (
    <>
      {' '}
      by <PersonLink staff userId={userId} name={name ?? 'Unknown'} />
    </>
  )
}

function Steps({ payout, userId, onStep }: StepsProps & { payout: Payout }) {
  const { status, displayName: name } = payout
  const own = payout.userId === userId
  if (status === 'completed' && !payout.returnedAt && !own)
    return payout.completedBy === userId ? (
      <Hint>{payoutTexts.completed}</Hint>
    ) : (
      <Button
        size="sm"
        variant="default"
        aria-label={`Returned: the withdrawal of ${name}`}
        {...pressedBy('b')}
        onClick={() => onStep(payout, 'return')}
      >
        Returned
      </Button>
    )
  if (status !== 'pending' && status !== 'processing') return null
  if (own) return <Hint>{payoutTexts.own}</Hint>
  const approved = status === 'processing' && payout.processedBy === userId
  const step = status === 'pending' ? 'Approve' : 'Complete'
  return (
    <Stack gap="xs">
      <Group gap="xs" wrap="nowrap">
        {/* A file that is on its way to the bank is voided first. */}
        {payout.payoutFileId === null && (
          <Button
            size="sm"
            variant="default"
            aria-label={`Reject withdrawal of ${name}`}
            {...pressedBy('r')}
            onClick={() => onStep(payout, 'reject')}
          >
            Reject
          </Button>
        )}
        {!approved && (
          <Button
            size="sm"
            color="herb"
            aria-label={`${step} withdrawal of ${name}`}
            {...pressedBy('a')}
            onClick={() => onStep(payout, 'process')}
          >
            {step}
          </Button>
        )}
      </Group>
      {approved && <Hint>{payoutTexts.approved}</Hint>}
    </Stack>
  )
}

/** Why somebody else has to take this step. */
function Hint({ children }: { children: ReactNode }) {
  return (
    <Text size="sm" c="dimmed" maw={{ sm: 200 }} ta="start">
      {children}
    </Text>
  )
}
