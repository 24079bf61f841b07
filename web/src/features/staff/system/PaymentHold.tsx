import { t } from '@lingui/core/macro'
import { Alert, Button, Stack } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { fullDate } from '#domain/dates.ts'
import { useChange } from '#lib/change.ts'
import { withProof } from '#lib/proof.ts'
import { rpc } from '#lib/supabase.ts'
import { ReasonDialog } from '#ui/ReasonDialog.tsx'
import { explain } from '#ui/toasts.ts'
import { type SystemState, systemStateQuery } from './system.query.ts'

/** Says that payments are on hold after a restore, and lets an admin end the hold once the books are compared. */
export function PaymentHold({ backedUpAt, restoredAt }: NonNullable<SystemState['hold']>) {
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
        <Button variant="default" onClick={open}>
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
