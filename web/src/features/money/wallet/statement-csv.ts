import { t } from '@lingui/core/macro'
import { euros, timeOf, toCsv } from '#domain/csv.ts'
import { nameOf, TRANSFER_KINDS } from '#domain/transfer-kinds.ts'
import type { Statement } from './statement.queries.ts'

/** A monthly statement as CSV. */
export const toStatementCsv = ({ opening, closing, movements }: Statement): string =>
  toCsv([
    [t`Time`, t`What`, t`For`, t`By`, t`Amount EUR`, t`Balance EUR`],
    [null, t`Opening balance`, null, null, null, euros(opening)],
    ...movements.map(({ at, kind, description, by, amount, balance }) => [
      timeOf(at),
      nameOf(TRANSFER_KINDS, kind),
      description,
      by,
      euros(amount),
      euros(balance),
    ]),
    [null, t`Closing balance`, null, null, null, euros(closing)],
  ])
