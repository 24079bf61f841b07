import { t } from '@lingui/core/macro'
import { Button } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useChange } from '#lib/change.ts'
import { saveFile } from '#lib/save-file.ts'
import { paymentToasts } from './payments.messages.ts'
import { loadPayments } from './payments.queries.ts'
import { toPaymentsCsv } from './payments-csv.ts'

/** A button to download all payments of a plan as CSV. */
export function ExportButton({ ownerId, planId }: { ownerId: string; planId: string }) {
  const collect = useChange({
    run: async () => {
      const table = toPaymentsCsv(
        await loadPayments({ owner_id: ownerId, subscription_id: planId }),
        Date.now(),
      )
      saveFile(`payments-${planId}.csv`, 'text/csv;charset=utf-8', table)
    },
    failed: paymentToasts.exportFailed,
  })
  return (
    <Button
      variant="default"
      leftSection={<IconDownload size={18} aria-hidden />}
      loading={collect.isPending}
      onClick={() => collect.mutate()}
    >
      {t`Download as CSV`}
    </Button>
  )
}
