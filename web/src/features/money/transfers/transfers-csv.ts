import { euros, toCsv } from '#domain/csv.ts'
import { ACCOUNT_KINDS, nameOf, TRANSFER_KINDS } from '#domain/transfer-kinds.ts'
import type { Transfer } from './transfers.queries.ts'

/** Transfers as spreadsheets read them; times as ISO timestamps. */
export const toTransfersCsv = (transfers: readonly Transfer[]): string =>
  toCsv([
    ['Number', 'Time', 'Kind', 'Amount EUR', 'From', 'To', 'Person', 'Plan', 'For', 'Moved by'],
    ...transfers.map((one) => [
      one.id,
      one.createdAt,
      nameOf(TRANSFER_KINDS, one.kind),
      euros(one.amount),
      nameOf(ACCOUNT_KINDS, one.fromKind),
      nameOf(ACCOUNT_KINDS, one.toKind),
      one.personName,
      one.planName ?? one.subscriptionId,
      one.description,
      one.movedBy,
    ]),
  ])
