import { t } from '@lingui/core/macro'
import { euros, toCsv } from '#domain/csv.ts'
import { camel, type TableRow } from '#lib/camel.ts'
import { unwrap } from '#lib/errors.ts'
import { read } from '#lib/supabase.ts'

type FeeInvoice = TableRow<'fee_invoices'>

const MOST_ROWS = 500

/** All invoices and credit notes (negative) as CSV, oldest first, for bookkeeping and the OSS return. */
export async function loadInvoicesCsv(): Promise<string> {
  const rows: FeeInvoice[] = []
  for (;;) {
    const wanted = read('fee_invoices').select('*').order('issued_at').order('id')
    const page = unwrap(await wanted.range(rows.length, rows.length + MOST_ROWS - 1)).map(camel<FeeInvoice>)
    rows.push(...page)
    if (page.length < MOST_ROWS) break
  }
  const numbers = new Map(rows.map(({ id, number }) => [id, number]))
  return toCsv([
    [
      t`Number`,
      t`Corrects`,
      t`Made`,
      t`Paid on`,
      t`Buyer`,
      t`Country`,
      t`Country the buyer named`,
      t`Country of the card`,
      t`VAT percent`,
      t`Net EUR`,
      t`VAT EUR`,
      t`Total EUR`,
    ],
    ...rows.map((one) => {
      const sign = one.corrects === null ? 1 : -1
      const { declared, card } = one.evidence as Record<'declared' | 'card', string | null>
      return [
        one.number,
        one.corrects && (numbers.get(one.corrects) ?? null),
        one.issuedAt,
        one.paidAt,
        one.buyerName,
        one.buyerCountry,
        declared,
        card,
        one.category === 'S' ? String(one.vatRate * 100) : one.category,
        ...[one.net, one.vat, one.gross].map((amount) => euros(sign * amount)),
      ]
    }),
  ])
}
