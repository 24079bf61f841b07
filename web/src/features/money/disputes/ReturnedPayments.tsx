import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Button, Group, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { fullDate } from '#domain/dates.ts'
import { formatMoney } from '#domain/money.ts'
import { useChange } from '#lib/change.ts'
import { answerOf } from '#lib/errors.ts'
import { rpc } from '#lib/supabase.ts'
import { Loaded } from '#ui/Loaded.tsx'
import { PersonLink } from '#ui/PersonLink.tsx'
import { RowsSkeleton } from '#ui/Skeletons.tsx'
import { toastError, toastSuccess } from '#ui/toasts.ts'
import { disputeKeys, type ReturnedPayment, returnedPaymentsQuery } from './disputes.queries.ts'

/** Payments refunded in full at the provider. Staff decide whether the place ends or continues. */
export function ReturnedPayments() {
  return (
    <Loaded
      of={useQuery(returnedPaymentsQuery)}
      pending={<RowsSkeleton rows={1} />}
      failed={t`Failed to load the refunds`}
    >
      {(rows) => (
        <Stack gap="md">
          {rows.map((payment) => (
            <ReturnedRow key={payment.paymentId} payment={payment} />
          ))}
        </Stack>
      )}
    </Loaded>
  )
}

function ReturnedRow({ payment }: { payment: ReturnedPayment }) {
  const { paymentId, planName, amount, ownerId, ownerName, memberId, memberName, dueAt } = payment
  const decide = useChange({
    run: (isGoodwill: boolean) =>
      rpc('decide_returned_payment', { p_payment_id: paymentId, p_goodwill: isGoodwill }),
    stale: [disputeKeys.returned],
    done: () => toastSuccess(t`Success`, t`Both have been told.`),
    failed: (problem) => toastError(t`Error`, answerOf(problem, t`Please try again.`)),
  })
  const busy = (isGoodwill: boolean) => decide.isPending && decide.variables === isGoodwill
  return (
    <Group component="article" aria-label={`${planName}, ${memberName}`} justify="space-between" gap="sm">
      <div style={{ overflowWrap: 'anywhere', flex: 1, minWidth: 0 }}>
        <Text fw={600} dir="auto">
          {planName}, {formatMoney(amount)}
        </Text>
        <Text size="sm" component="div">
          <Trans>
            <PersonLink staff userId={memberId} name={memberName} /> paid{' '}
            <PersonLink staff userId={ownerId} name={ownerName} />
          </Trans>
        </Text>
        <Text size="sm" c="dimmed">
          <Trans>The place ends on {fullDate(dueAt)} without a decision.</Trans>
        </Text>
      </div>
      <Group gap="xs">
        <Button
          size="sm"
          variant="default"
          color="beet"
          loading={busy(false)}
          onClick={() => decide.mutate(false)}
        >
          {t`End place`}
        </Button>
        <Button size="sm" variant="default" loading={busy(true)} onClick={() => decide.mutate(true)}>
          {t`Goodwill`}
        </Button>
      </Group>
    </Group>
  )
}
