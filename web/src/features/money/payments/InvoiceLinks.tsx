import { t } from '@lingui/core/macro'
import { Anchor } from '@mantine/core'
import type { Payment } from '#domain/payments.ts'
import { useChange } from '#lib/change.ts'
import { callDocuments } from '#lib/documents.ts'
import { saveFile } from '#lib/save-file.ts'
import { paymentToasts } from './payments.messages.ts'

type Invoices = Payment['invoices']

/** Links to download invoices and credit notes as PDF. */
export function InvoiceLinks({ invoices }: { invoices: Invoices }) {
  const load = useChange({
    run: async ({ id, number }: Invoices[number]) =>
      saveFile(
        `${number.replaceAll('/', '-')}.pdf`,
        'application/pdf',
        await callDocuments('invoice', { id }),
      ),
    failed: paymentToasts.invoiceFailed,
  })
  return invoices.map((invoice) => (
    <Anchor
      key={invoice.id}
      component="button"
      type="button"
      size="sm"
      disabled={load.isPending}
      style={{ whiteSpace: 'nowrap' }}
      onClick={() => load.mutate(invoice)}
    >
      {invoice.corrects === null ? t`Invoice ${invoice.number}` : t`Credit note ${invoice.number}`}
    </Anchor>
  ))
}
