import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Badge, Button, Group, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { fullDate, fullDay } from '#domain/dates.ts'
import { formatMoney } from '#domain/money.ts'
import { ProviderLogo } from '#features/plans/providers/ProviderLogo.tsx'
import { useChange } from '#lib/change.ts'
import { answerOf } from '#lib/errors.ts'
import { rpc } from '#lib/supabase.ts'
import { type Column, DataTable } from '#ui/DataTable.tsx'
import { Dialog } from '#ui/Dialog.tsx'
import { Loaded } from '#ui/Loaded.tsx'
import { Money } from '#ui/Money.tsx'
import { PersonLink } from '#ui/PersonLink.tsx'
import { RowsSkeleton } from '#ui/Skeletons.tsx'
import { toastError, toastSuccess } from '#ui/toasts.ts'
import { useFocusReturn } from '#ui/use-focus-return.ts'
import { disputeKeys, type FraudWarning, fraudWarningsQuery } from './disputes.queries.ts'

/**
 * Lists payments that a bank considers fraudulent and may soon take back. An admin decides whether to refund or leave
 * each.
 */
export function FraudWarnings() {
  const warnings = useQuery(fraudWarningsQuery)
  const [asked, setAsked] = useState<FraudWarning | null>(null)
  return (
    <>
      <Loaded of={warnings} pending={<RowsSkeleton rows={2} />} failed={t`Failed to load the fraud warnings`}>
        {(rows) => (
          <DataTable
            label={t`Fraud warnings`}
            columns={warningColumns(setAsked)}
            rows={rows}
            rowKey={({ id }) => id}
            rowProps={({ planName, memberName }) => ({ 'aria-label': `${planName}, ${memberName}` })}
          />
        )}
      </Loaded>
      {asked && <DecisionDialog warning={asked} onClose={() => setAsked(null)} />}
    </>
  )
}

function DecisionDialog({ warning, onClose }: { warning: FraudWarning; onClose: () => void }) {
  const decide = useDecide(warning, onClose)
  useFocusReturn()
  return (
    <Dialog
      opened
      onClose={() => decide.isPending || onClose()}
      title={t`Refund the payment of ${warning.memberName}?`}
    >
      <Stack gap="sm">
        <Text>
          <Trans>
            <strong>Refund:</strong> what the card paid, up to {formatMoney(warning.charged)}, goes back to
            it, and the place of {warning.memberName} ends right away. What’s still held goes first, then what
            was sent to the payout account of {warning.ownerName}; the guarantee account covers the rest.
          </Trans>
        </Text>
        <Text>
          <Trans>
            <strong>Leave it:</strong> nothing is refunded. If the bank disputes the payment, it appears under
            Chargebacks.
          </Trans>
        </Text>
        <Group justify="flex-end" gap="sm" mt="sm">
          <Button variant="default" disabled={decide.isPending} onClick={() => decide.mutate(false)}>
            {t`Leave it`}
          </Button>
          <Button color="beet" loading={decide.isPending} onClick={() => decide.mutate(true)}>
            {t`Refund`}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  )
}

const warningColumns = (onAsk: (warning: FraudWarning) => void): Column<FraudWarning>[] => [
  {
    label: t`Warned`,
    as: 'detail',
    brief: ({ warnedAt, memberName }) => `${memberName} · ${fullDay(warnedAt)}`,
    cell: ({ warnedAt }) => fullDate(warnedAt),
  },
  {
    label: t`Payment`,
    as: 'title',
    mark: ({ planName }) => <ProviderLogo provider={planName} size="line" />,
    brief: ({ planName }) => planName,
    cell: ({ planName, memberId, memberName, ownerId, ownerName, fraudType }) => (
      <div style={{ overflowWrap: 'anywhere' }}>
        <Text fw={600} dir="auto">
          {planName}
        </Text>
        <Text size="sm" component="div">
          <Trans>
            <PersonLink staff userId={memberId} name={memberName} /> paid{' '}
            <PersonLink staff userId={ownerId} name={ownerName} />
          </Trans>
        </Text>
        <Text size="sm" c="dimmed">
          <Trans>The bank says: {fraudType.replaceAll('_', ' ')}</Trans>
        </Text>
      </div>
    ),
  },
  {
    label: t`Charged`,
    as: 'amount',
    number: true,
    cell: ({ charged }) => <Money amount={charged} fw={600} />,
  },
  {
    label: t`State`,
    as: 'state',
    cell: (warning) => {
      const [label, color] = warningBadge(warning)
      return (
        <Badge variant="light" color={color} tt="none">
          {label}
        </Badge>
      )
    },
  },
  {
    label: t`To do`,
    as: 'action',
    cell: (warning) =>
      isOpen(warning) && (
        <Button
          size="sm"
          variant="default"
          aria-label={t`Decide about the warning of ${warning.memberName}`}
          onClick={() => onAsk(warning)}
        >
          {t`Decide`}
        </Button>
      ),
  },
]

const isOpen = ({ decidedAt, actionable }: FraudWarning) => decidedAt === null && actionable

function warningBadge(warning: FraudWarning): [label: string, color: string] {
  if (isOpen(warning)) return [t`To decide`, 'beet']
  if (warning.refunded !== null) return [t`Refunded ${formatMoney(warning.refunded)}`, 'herb']
  return warning.decidedAt === null ? [t`Disputed or refunded`, 'gray'] : [t`Left as it is`, 'gray']
}

const useDecide = ({ id }: FraudWarning, onDone: () => void) =>
  useChange({
    run: (refunds: boolean) => rpc('decide_fraud_warning', { p_id: id, p_refunds: refunds }),
    // Also reloaded after a refusal, since another admin may have decided about the warning in the meantime.
    stale: [disputeKeys.warnings, disputeKeys.all],
    done: (refunded) => {
      if (refunded > 0) toastSuccess(t`Refunded`, t`${formatMoney(refunded)} are on their way to the card.`)
      else toastSuccess(t`Left as it is`, t`It’s also in the staff log.`)
      onDone()
    },
    failed: (problem) => toastError(t`Error`, answerOf(problem, t`Nothing was changed`)),
  })
