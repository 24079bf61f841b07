import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
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
  { key: 'a', does: t`Approve, or complete` },
  { key: 'r', does: t`Reject` },
  { key: 'b', does: t`Returned by the bank` },
]

/** True if a payment file can include the withdrawal. */
export const isForFile = ({ status, hasAccount, payoutFileId }: Payout) =>
  status === 'processing' && hasAccount && payoutFileId === null

interface StepsProps {
  /** The admin at the screen, who cannot decide about their own withdrawal. */
  userId: string
  /** True if another admin has to take the second step. */
  takesTwo: boolean
  onStep: (payout: Payout, step: PayoutStep) => void
}

interface PayoutColumns extends StepsProps {
  /** The ids of withdrawals chosen for the next payment file. */
  chosen: ReadonlySet<string>
  onChoose: (id: string, chosen: boolean) => void
}

export const payoutColumns = ({ chosen, onChoose, ...steps }: PayoutColumns): Column<Payout>[] => [
  {
    label: t`By file`,
    as: 'action',
    cell: (payout) =>
      isForFile(payout) &&
      payout.userId !== steps.userId && (
        <Checkbox
          label={
            <Trans>
              By file<VisuallyHidden>: the withdrawal of {payout.displayName}</VisuallyHidden>
            </Trans>
          }
          checked={chosen.has(payout.id)}
          onChange={(event) => onChoose(payout.id, event.currentTarget.checked)}
        />
      ),
  },
  {
    label: t`Requested by`,
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
    label: t`Amount`,
    sort: 'amount',
    as: 'amount',
    number: true,
    cell: ({ amount }) => <Money amount={amount} fw={600} />,
  },
  {
    label: t`Status`,
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
    label: t`Requested`,
    sort: 'requested_at',
    as: 'detail',
    cell: ({ requestedAt }) => <RelativeDate date={requestedAt} size="sm" />,
  },
  { label: t`Details`, cell: (payout) => <Details {...payout} /> },
  { label: t`Actions`, as: 'actions', cell: (payout) => <Steps payout={payout} {...steps} /> },
]

function Details({ status, processedAt, completedAt, ...payout }: Payout) {
  return (
    <Text component="div" size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
      {processedAt && (
        <div>
          <Step
            what={status === 'rejected' ? status : 'approved'}
            at={processedAt}
            userId={payout.processedBy}
            name={payout.processedByName}
          />
        </div>
      )}
      {completedAt && (
        <div>
          <Step what="completed" at={completedAt} userId={payout.completedBy} name={payout.completedByName} />
        </div>
      )}
      {payout.stripeTransferId && (
        <div>
          <Trans>Transfer {payout.stripeTransferId}</Trans>
        </div>
      )}
      {payout.bankAccountLast4 && (
        <div>
          <Trans>Account ending in {payout.bankAccountLast4}</Trans>
        </div>
      )}
      {payout.payoutFileId !== null && (
        <div>
          <Trans>Payment file {payout.payoutFileId}</Trans>
        </div>
      )}
      {payout.returnedAt && (
        <div>
          <Trans>
            Returned <RelativeDate date={payout.returnedAt} size="sm" />: {payout.returnReason}
          </Trans>
        </div>
      )}
      {payout.rejectionReason && (
        <div>
          <Trans>Reason: {payout.rejectionReason}</Trans>
        </div>
      )}
      {!processedAt && t`Waiting for a decision`}
    </Text>
  )
}

interface StepProps {
  what: 'approved' | 'rejected' | 'completed'
  at: string
  /** Null for the server. */
  userId: string | null
  name: string | null
}

function Step({ what, at, userId, name }: StepProps) {
  const when = <RelativeDate date={at} size="sm" />
  const who = userId !== null && <PersonLink staff userId={userId} name={name ?? t`Unknown`} />
  const words = {
    approved: who ? (
      <Trans>
        Approved {when} by {who}
      </Trans>
    ) : (
      <Trans>Approved {when}</Trans>
    ),
    rejected: who ? (
      <Trans>
        Rejected {when} by {who}
      </Trans>
    ) : (
      <Trans>Rejected {when}</Trans>
    ),
    completed: who ? (
      <Trans>
        Completed {when} by {who}
      </Trans>
    ) : (
      <Trans>Completed {when}</Trans>
    ),
  }
  return words[what]
}

function Steps({ payout, userId, takesTwo, onStep }: StepsProps & { payout: Payout }) {
  const { status, displayName: name } = payout
  const own = payout.userId === userId
  if (status === 'completed' && !payout.returnedAt && !own)
    return takesTwo && payout.completedBy === userId ? (
      <Hint>{payoutTexts.completed}</Hint>
    ) : (
      <Button
        size="sm"
        variant="default"
        aria-label={t`Returned: the withdrawal of ${name}`}
        {...pressedBy('b')}
        onClick={() => onStep(payout, 'return')}
      >
        {t`Returned`}
      </Button>
    )
  if (status !== 'pending' && status !== 'processing') return null
  if (own) return <Hint>{payoutTexts.own}</Hint>
  const approved = takesTwo && status === 'processing' && payout.processedBy === userId
  const isNew = status === 'pending'
  return (
    <Stack gap="xs">
      <Group gap="xs" wrap="nowrap">
        {/* A withdrawal in a payment file cannot be rejected until the file is voided. */}
        {payout.payoutFileId === null && (
          <Button
            size="sm"
            variant="default"
            aria-label={t`Reject withdrawal of ${name}`}
            {...pressedBy('r')}
            onClick={() => onStep(payout, 'reject')}
          >
            {t`Reject`}
          </Button>
        )}
        {!approved && (
          <Button
            size="sm"
            color="herb"
            aria-label={isNew ? t`Approve withdrawal of ${name}` : t`Complete withdrawal of ${name}`}
            {...pressedBy('a')}
            onClick={() => onStep(payout, 'process')}
          >
            {isNew ? t`Approve` : t`Complete`}
          </Button>
        )}
      </Group>
      {approved && <Hint>{payoutTexts.approved}</Hint>}
    </Stack>
  )
}

/** A hint why another admin has to take the step. */
function Hint({ children }: { children: ReactNode }) {
  return (
    <Text size="sm" c="dimmed" maw={{ sm: 200 }} ta="start">
      {children}
    </Text>
  )
}
