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
import { RETURNED, WITHDRAWAL_STATES, withdrawalTexts } from './withdrawals.messages.ts'
import type { StaffWithdrawal } from './withdrawals.queries.ts'

export type WithdrawalStep = 'process' | 'reject' | 'return'

export const WITHDRAWAL_HOTKEYS = [
  { key: 'a', does: t`Approve, or complete` },
  { key: 'r', does: t`Reject` },
  { key: 'b', does: t`Returned by the bank` },
]

/** True if a payment file can include the withdrawal. */
export const isForFile = ({ status, hasAccount, payoutFileId }: StaffWithdrawal) =>
  status === 'processing' && hasAccount && payoutFileId === null

interface StepsProps {
  /** The signed-in admin, who cannot decide about their own withdrawal. */
  userId: string
  /** True if another admin has to take the second step. */
  takesTwo: boolean
  onStep: (withdrawal: StaffWithdrawal, step: WithdrawalStep) => void
}

interface WithdrawalColumnsProps extends StepsProps {
  /** The ids of withdrawals chosen for the next payment file. */
  chosen: ReadonlySet<string>
  onChoose: (id: string, chosen: boolean) => void
}

export const withdrawalColumns = ({
  chosen,
  onChoose,
  ...steps
}: WithdrawalColumnsProps): Column<StaffWithdrawal>[] => [
  {
    label: t`By file`,
    as: 'action',
    cell: (withdrawal) =>
      isForFile(withdrawal) &&
      withdrawal.userId !== steps.userId && (
        <Checkbox
          label={
            <Trans>
              By file<VisuallyHidden>: the withdrawal of {withdrawal.displayName}</VisuallyHidden>
            </Trans>
          }
          checked={chosen.has(withdrawal.id)}
          onChange={(event) => onChoose(withdrawal.id, event.currentTarget.checked)}
        />
      ),
  },
  {
    label: t`Requested by`,
    sort: 'display_name',
    as: 'title',
    mark: ({ displayName, avatarUrl }) => <PersonAvatar name={displayName} src={avatarUrl} size={40} />,
    brief: ({ displayName }) => displayName,
    cell: (withdrawal) => (
      <div>
        <Text fw={600}>
          <PersonLink
            staff
            userId={withdrawal.userId}
            name={withdrawal.displayName}
            pressed={pressedBy('o')}
          />
        </Text>
        {withdrawal.fullName && (
          <Text size="sm" c="dimmed">
            <bdi>{withdrawal.fullName}</bdi>
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
      const { label, color } = returnedAt ? RETURNED : WITHDRAWAL_STATES[status]
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
  { label: t`Details`, cell: (withdrawal) => <Details {...withdrawal} /> },
  { label: t`Actions`, as: 'actions', cell: (withdrawal) => <Steps withdrawal={withdrawal} {...steps} /> },
]

function Details({ status, processedAt, completedAt, ...withdrawal }: StaffWithdrawal) {
  return (
    <Text component="div" size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
      {processedAt && (
        <div>
          <Step
            what={status === 'rejected' ? status : 'approved'}
            at={processedAt}
            userId={withdrawal.processedBy}
            name={withdrawal.processedByName}
          />
        </div>
      )}
      {completedAt && (
        <div>
          <Step
            what="completed"
            at={completedAt}
            userId={withdrawal.completedBy}
            name={withdrawal.completedByName}
          />
        </div>
      )}
      {withdrawal.stripeTransferId && (
        <div>
          <Trans>Transfer {withdrawal.stripeTransferId}</Trans>
        </div>
      )}
      {withdrawal.bankAccountLast4 && (
        <div>
          <Trans>Account ending in {withdrawal.bankAccountLast4}</Trans>
        </div>
      )}
      {withdrawal.payoutFileId !== null && (
        <div>
          <Trans>Payment file {withdrawal.payoutFileId}</Trans>
        </div>
      )}
      {withdrawal.returnedAt && (
        <div>
          <Trans>
            Returned <RelativeDate date={withdrawal.returnedAt} size="sm" />: {withdrawal.returnReason}
          </Trans>
        </div>
      )}
      {withdrawal.rejectionReason && (
        <div>
          <Trans>Reason: {withdrawal.rejectionReason}</Trans>
        </div>
      )}
      {!processedAt && t`Waiting for a decision`}
    </Text>
  )
}

interface StepProps {
  what: 'approved' | 'rejected' | 'completed'
  at: string
  /** Null if the server took the step. */
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

function Steps({ withdrawal, userId, takesTwo, onStep }: StepsProps & { withdrawal: StaffWithdrawal }) {
  const { status, displayName: name } = withdrawal
  const own = withdrawal.userId === userId
  if (status === 'completed' && !withdrawal.returnedAt && !own)
    return takesTwo && withdrawal.completedBy === userId ? (
      <Hint>{withdrawalTexts.completed}</Hint>
    ) : (
      <Button
        size="sm"
        variant="default"
        aria-label={t`Returned: the withdrawal of ${name}`}
        {...pressedBy('b')}
        onClick={() => onStep(withdrawal, 'return')}
      >
        {t`Returned`}
      </Button>
    )
  if (status !== 'pending' && status !== 'processing') return null
  if (own) return <Hint>{withdrawalTexts.own}</Hint>
  const approved = takesTwo && status === 'processing' && withdrawal.processedBy === userId
  const isNew = status === 'pending'
  return (
    <Stack gap="xs">
      <Group gap="xs" wrap="nowrap">
        {/* A withdrawal in a payment file cannot be rejected until the file is voided. */}
        {withdrawal.payoutFileId === null && (
          <Button
            size="sm"
            variant="default"
            aria-label={t`Reject withdrawal of ${name}`}
            {...pressedBy('r')}
            onClick={() => onStep(withdrawal, 'reject')}
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
            onClick={() => onStep(withdrawal, 'process')}
          >
            {isNew ? t`Approve` : t`Complete`}
          </Button>
        )}
      </Group>
      {approved && <Hint>{withdrawalTexts.approved}</Hint>}
    </Stack>
  )
}

/** Explains why another admin has to take the step. */
function Hint({ children }: { children: ReactNode }) {
  return (
    <Text size="sm" c="dimmed" maw={{ sm: 200 }} ta="start">
      {children}
    </Text>
  )
}
