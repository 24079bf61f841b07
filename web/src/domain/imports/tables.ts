import { t } from '@lingui/core/macro'
import Papa from 'papaparse'
import { toCsv } from '../csv.ts'
import { type Expense, recurring } from './recurring.ts'
import { currencyOf, daysIn, type ImportedRow, numberIn, rowOf, type Unit, Unreadable } from './row.ts'

function linesOf(text: string): string[][] {
  const { data } = Papa.parse<string[]>(text.replace(/^\u{FEFF}/u, ''), { skipEmptyLines: 'greedy' })
  return data.map((line) => line.map((cell) => cell.trim()))
}

/** What Splitwise calls a payment, where people pay each other back. */
const PAYMENT = /^(payment|zahlung|paiement|pago|pagamento)$/i

/**
 * Reads the CSV of a Splitwise group: day, description, category, cost and currency, then one column a person with what they paid
 * minus their share. Its headers are in the language of whoever exported it.
 */
export function readSplitwise(text: string): ImportedRow[] {
  const [header = [], ...lines] = linesOf(text)
  const names = header.slice(5).filter((name) => name !== '')
  const days = daysIn(lines.map(([day = '']) => day))
  const expenses = lines.flatMap((cells, index): Expense[] => {
    const [, title = '', category = '', cost = '', currency = ''] = cells
    const [date, amount] = [days[index], numberIn(cost)]
    // The last line, which has the balances, has no cost.
    if (!date || amount === null || title === '') return []
    const balances = names.map((name, at) => ({ name, balance: numberIn(cells[at + 5] ?? '') ?? 0 }))
    const inIt = balances.filter(({ balance }) => balance !== 0)
    const [most] = [...inIt].sort((a, b) => b.balance - a.balance)
    const isPaidBack =
      inIt.length === 2 && inIt.every(({ balance }) => Math.abs(balance) === Math.abs(amount))
    return [
      {
        ...{ title, amount, currency: currencyOf(currency), date, payer: most?.name ?? null, repeats: null },
        people: inIt.map(({ name }) => name),
        isRepayment: PAYMENT.test(category) || isPaidBack,
      },
    ]
  })
  if (names.length === 0 || expenses.length === 0)
    throw new Unreadable(
      t`This is not a Splitwise export. In the group on splitwise.com, choose Export as spreadsheet.`,
    )
  return recurring(expenses)
}

const COLUMNS = ['service', 'price', 'currency', 'every', 'renews', 'places', 'invite'] as const

/** An empty table to fill in, with two examples. */
export const template = () =>
  toCsv([
    [...COLUMNS],
    ['Netflix Premium', 19.99, 'EUR', 'month', '2026-12-24', 4, 'ana@example.org; ben@example.org'],
    ['Microsoft 365 Family', 129, 'EUR', 'year', '2027-03-01', 6, ''],
  ])

/** Reads that table, whatever the order of its columns. */
export function readTable(text: string): ImportedRow[] {
  const [header = [], ...lines] = linesOf(text)
  const at = Object.fromEntries(
    COLUMNS.map((name) => [name, header.findIndex((cell) => cell.toLowerCase() === name)]),
  )
  if (at.service === -1) throw new Unreadable(t`The first line must name the columns: ${COLUMNS.join(', ')}`)
  const cell = (line: string[], name: (typeof COLUMNS)[number]) => line[at[name] ?? -1] ?? ''
  const days = daysIn(lines.map((line) => cell(line, 'renews')))
  return lines.map((line, index) => {
    const written = cell(line, 'every') || 'month'
    const [, every, unit] = /^(\d*)\s*(day|week|month|year)(?:s|ly)?$/i.exec(written) ?? []
    if (!unit) throw new Unreadable(t`“${written}” is not read here. Write month, year or 3 months.`)
    return rowOf({
      name: cell(line, 'service'),
      price: numberIn(cell(line, 'price')),
      currency: currencyOf(cell(line, 'currency') || 'EUR'),
      unit: unit.toLowerCase() as Unit,
      every: Number(every || 1),
      date: days[index] ?? null,
      places: numberIn(cell(line, 'places')),
      invite: cell(line, 'invite')
        .split(/[\s;,]+/)
        .filter((address) => address !== ''),
    })
  })
}
