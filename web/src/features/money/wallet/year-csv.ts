import { t } from '@lingui/core/macro'
import { euros, timeOf, toCsv } from '#domain/csv.ts'
import { nameOf, TRANSFER_KINDS } from '#domain/transfer-kinds.ts'
import type { Account, Year } from './year.queries.ts'

/** Where the money of a statement was. */
export const ACCOUNTS: Record<Account, string> = {
  card: t`Card`,
  wallet: t`Wallet`,
  connected: t`Account at Stripe`,
  direct: t`Paid directly`,
}

/** Names a movement; a part that was the site's fee, or counts as received by silence, is named apart. */
export const kindOf = ({ kind, part }: Pick<Year['rows'][number], 'kind' | 'part'>) => {
  const name = nameOf(TRANSFER_KINDS, kind)
  if (part === 'unanswered') return t`${name} (not answered)`
  return part === 'fee' ? t`${name} (fee)` : name
}

/** A year as spreadsheets read it. */
export const toYearCsv = ({ year, accounts, rows }: Year): string => {
  const balances = (of: 'opening' | 'closing', label: string) =>
    accounts.flatMap(({ account, [of]: balance }) =>
      balance === null ? [] : [[null, ACCOUNTS[account], label, null, euros(balance)]],
    )
  return toCsv([
    [t`Time`, t`Account`, t`What`, t`For`, t`Amount EUR`],
    ...balances('opening', t`Balance before ${year}`),
    ...rows.map((row) => [timeOf(row.at), ACCOUNTS[row.account], kindOf(row), row.about, euros(row.amount)]),
    ...balances('closing', t`Balance at the end of ${year}`),
  ])
}
