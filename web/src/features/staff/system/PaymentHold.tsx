import { t } from '@lingui/core/macro'
import { Alert, Button, Group, Stack, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { fullDate } from '#domain/dates.ts'
import { formatMoney } from '#domain/money.ts'
import { useChange } from '#lib/change.ts'
import { withProof } from '#lib/proof.ts'
import { rpc } from '#lib/supabase.ts'
import { ReasonDialog } from '#ui/ReasonDialog.tsx'
import { explain, toastSuccess } from '#ui/toasts.ts'
import { type MissingBooking, type PaymentHoldState, systemStateQuery } from './system.query.ts'

/** Says that payments are on hold after a restore, and lets an admin end the hold once the books are compared. */
export function PaymentHold({ backedUpAt, restoredAt, isComparing, missing }: PaymentHoldState) {
  const [asking, { open, close }] = useDisclosure()
  const end = useChange({
    run: (reason: string) => withProof(() => rpc('end_payment_hold', { p_reason: reason })),
    stale: [systemStateQuery.queryKey],
    done: close,
    failed: (problem) => explain(problem, ({ message }) => [t`That didn’t work`, message]),
  })
  const [from, until] = [fullDate(backedUpAt), fullDate(restoredAt)]
  return (
    <Alert color="yellow" title={t`Payments are on hold`}>
      <Stack gap="sm" align="flex-start">
        {t`A backup of ${from} was restored on ${until}. The books lack what happened in between, so nothing is charged, refunded or paid out: it could happen twice. Compare the payments at the provider and the payment files of that time with the books first.`}
        {isComparing && (
          <Text size="sm">{t`The provider’s charges and refunds are being compared with the books.`}</Text>
        )}
        {missing.length > 0 && (
          <Stack component="section" aria-label={t`At the provider, but not in the books`} gap="xs" w="100%">
            <Text fw={600}>{t`At the provider, but not in the books`}</Text>
            {missing.map((one) => (
              <MissingRow key={one.reference} missing={one} />
            ))}
          </Stack>
        )}
        <Button variant="default" disabled={isComparing} onClick={open}>
          {t`The books are compared`}
        </Button>
      </Stack>
      {asking && (
        <ReasonDialog
          title={t`End the hold on payments?`}
          label={t`What did you compare?`}
          confirmLabel={t`End the hold`}
          busy={end.isPending}
          onConfirm={(reason) => end.mutate(reason)}
          onClose={close}
        >
          {t`Everything that is due is charged and paid out from now on. The staff log keeps your answer.`}
        </ReasonDialog>
      )}
    </Alert>
  )
}

/** A charge or another movement that the books lack: an admin books it, or notes what it was under the unknown events. */
function MissingRow({ missing }: { missing: MissingBooking }) {
  const { reference, type, amount, plan, period, member } = missing
  const book = useChange({
    run: () => withProof(() => rpc('book_missing_charge', { p_reference: reference })),
    // Also reloaded after a refusal, since another admin may have booked it in the meantime.
    stale: [systemStateQuery.queryKey],
    done: () => toastSuccess(t`Success`, t`It’s looked up at the provider and booked.`),
    failed: (problem) => explain(problem, ({ message }) => [t`That didn’t work`, message]),
  })
  const whose = [plan, period !== null && t`month ${period}`, member].filter(Boolean).join(', ')
  return (
    <Group component="article" aria-label={reference} justify="space-between" gap="sm">
      <div style={{ overflowWrap: 'anywhere', flex: 1, minWidth: 0 }}>
        <Text size="sm" fw={600}>
          {amount === null ? type : formatMoney(amount)}
        </Text>
        <Text size="sm" dir="auto">
          {plan === null
            ? t`Belongs to no payment here. Look it up at the provider, refund it there if nobody owes it, and note that under Disputes, Unknown events.`
            : whose}
        </Text>
        <Text size="sm" c="dimmed">
          {reference}
        </Text>
      </div>
      {plan !== null && (
        <Button
          size="sm"
          variant="default"
          aria-label={t`Book ${reference}`}
          loading={book.isPending}
          onClick={() => book.mutate()}
        >
          {t`Book it`}
        </Button>
      )}
    </Group>
  )
}
