import { euros, toCsv } from '#domain/csv.ts'
import { nameOf, TRANSFER_KINDS } from '#domain/transfer-kinds.ts'
import type { Statement } from './statement.queries.ts'

/** A statement as spreadsheets read it; times as ISO timestamps. */
export const toStatementCsv = ({ opening, closing, movements }: Statement): string =>
  toCsv([
    ['Time', 'What', 'For', 'By', 'Amount EUR', 'Balance EUR'],
    [null, 'Opening balance', null, null, null, euros(opening)],
    ...movements.map(({ at, kind, description, by, amount, balance }) => [
      at,
      nameOf(TRANSFER_KINDS, kind),
      description,
      by,
      euros(amount),
      euros(balance),
    ]),
    [null, 'Closing balance', null, null, null, euros(closing)],
  ])
