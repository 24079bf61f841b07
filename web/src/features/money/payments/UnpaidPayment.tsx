import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Button, Group } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { formatMoney } from '#domain/money.ts'
import type { Payment } from '#domain/payments.ts'
import { ConfirmDialog } from '#ui/ConfirmDialog.tsx'
import { usePaymentStep } from './payments.mutations.ts'

/** The owner's buttons for a disputed or unpaid payment: mark it as received or, if it was left unpaid, waive it. */
export function UnpaidPayment({ payment }: { payment: Payment }) {
  const [waiving, waive] = useDisclosure()
  const tell = usePaymentStep()
  const busy = (step: string) => tell.isPending && tell.variables.step === step
  const { memberName, amount, currency, leftUnpaidAt, handedOverAt } = payment
  return (
    <Group gap="xs">
      <Button
        size="sm"
        loading={busy('confirm')}
        disabled={tell.isPending}
        onClick={() => tell.mutate({ payment, step: 'confirm' })}
      >
        {t`Received`}
      </Button>
      {(leftUnpaidAt || handedOverAt) && (
        <Button size="sm" variant="default" disabled={tell.isPending} onClick={waive.open}>
          {t`Let it go`}
        </Button>
      )}
      <ConfirmDialog
        opened={waiving}
        title={t`Let ${formatMoney(amount, currency)} go?`}
        confirmLabel={t`Let it go`}
        busy={busy('waive')}
        onConfirm={() => tell.mutate({ payment, step: 'waive' }, { onSettled: waive.close })}
        onClose={waive.close}
      >
        {leftUnpaidAt ? (
          <Trans>
            {memberName} owes you nothing then, and can join your plans again. This cannot be undone.
          </Trans>
        ) : (
          <Trans>{memberName} owes you nothing then. This cannot be undone.</Trans>
        )}
      </ConfirmDialog>
    </Group>
  )
}
