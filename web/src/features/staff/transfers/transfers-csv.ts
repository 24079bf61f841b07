import { t } from '@lingui/core/macro'
import { euros, timeOf, toCsv } from '#domain/csv.ts'
import { ACCOUNT_KINDS, nameOf, TRANSFER_KINDS } from '#domain/transfer-kinds.ts'
import type { Transfer } from './transfers.queries.ts'

export const toTransfersCsv = (transfers: readonly Transfer[]): string =>
  toCsv([
    [
      t`Number`,
      t`Time`,
      t`Kind`,
      t`Amount EUR`,
      t({ message: 'From', context: 'account' }),
      t({ message: 'To', context: 'account' }),
      t`Person`,
      t`Plan`,
      t`For`,
      t`Moved by`,
    ],
    ...transfers.map((one) => [
      one.id,
      timeOf(one.createdAt),
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
