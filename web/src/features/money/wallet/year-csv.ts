import { t } from '@lingui/core/macro'
import { sumIn, timeOf, toCsv } from '#domain/csv.ts'
import { nameOf, TRANSFER_KINDS } from '#domain/transfer-kinds.ts'
import type { Account, Year } from './year.queries.ts'

/** Labels of the accounts in a yearly statement. */
export const ACCOUNTS: Record<Account, string> = {
  card: t`Card`,
  wallet: t`Wallet`,
  connected: t`Account at Stripe`,
  direct: t`Paid directly`,
}

/**
 * Returns the label of a movement. The site's fee, and a payment that counts as received without an answer, have their
 * own labels.
 */
export const kindOf = ({ kind, part }: Pick<Year['rows'][number], 'kind' | 'part'>) => {
  const name = nameOf(TRANSFER_KINDS, kind)
  if (part === 'unanswered') return t`${name} (not answered)`
  return part === 'fee' ? t`${name} (fee)` : name
}

/** Each currency has a column of its own, so that a sum of a column adds no different money. */
export const toYearCsv = ({ year, accounts, rows }: Year): string => {
  const currencies = [...new Set(['EUR', ...accounts.map(({ currency }) => currency)])]
  const sums = (currency: string, amount: number) =>
    currencies.map((one) => (one === currency ? sumIn(currency, amount) : null))
  const balances = (of: 'opening' | 'closing', label: string) =>
    accounts.flatMap(({ account, currency, [of]: balance }) =>
      balance === null ? [] : [[null, ACCOUNTS[account], label, null, ...sums(currency, balance)]],
    )
  return toCsv([
    [t`Time`, t`Account`, t`What`, t`For`, ...currencies.map((currency) => t`Amount ${currency}`)],
    ...balances('opening', t`Balance before ${year}`),
    ...rows.map((row) => [
      timeOf(row.at),
      ACCOUNTS[row.account],
      kindOf(row),
      row.about,
      ...sums(row.currency, row.amount),
    ]),
    ...balances('closing', t`Balance at the end of ${year}`),
  ])
}
