import { t } from '@lingui/core/macro'
import Papa from 'papaparse'
import { language } from '#lib/language.ts'
import { amountIn, amountsIn, decimalSignOf } from '../amounts.ts'
import { toCsv } from '../csv.ts'
import { daysIn, readingsOfDays } from '../days.ts'
import { intervalIn } from './interval.ts'
import { type Expense, recurring } from './recurring.ts'
import { currencyOf, type ImportedRow, type ImportedRule, rowOf, Unreadable, uniqueNames } from './row.ts'
import { PAYMENT } from './words.ts'

/**
 * The lines of a table. Semicolons indicate a language with decimal commas, in which the day comes before the month.
 */
interface Table {
  lines: string[][]
  hasSemicolons: boolean
}

/** The first line in which a spreadsheet may name its separator. */
const SEPARATOR = /^"?sep=(.|\t)"?[\r\n]+/i

function tableOf(text: string): Table {
  const plain = text.replace(/^\u{FEFF}/u, '')
  const [first = '', separator = ''] = SEPARATOR.exec(plain) ?? []
  const { data, meta } = Papa.parse<string[]>(plain.slice(first.length), {
    skipEmptyLines: 'greedy',
    delimiter: separator,
  })
  return { lines: unfolded(data, meta.delimiter), hasSemicolons: meta.delimiter === ';' }
}

/**
 * Splits lines at commas. A spreadsheet program that expects semicolons opens a table with commas as a single column;
 * lines that people then add have separate cells already, and are left as they are.
 */
function unfolded(lines: string[][], delimiter: string): string[][] {
  const isWhole = ([first = '']: string[]) => delimiter !== ',' && first.split(',').length > 3
  const trimmed = (line: string[]) => line.map((cell) => cell.trim())
  const [header = []] = lines
  if (!isWhole(header)) return lines.map(trimmed)
  return lines.map((line) => {
    if (!isWhole(line)) return trimmed(line)
    const last = line.findLastIndex((cell) => cell !== '')
    const { data } = Papa.parse<string[]>(line.slice(0, last + 1).join(delimiter), { delimiter: ',' })
    return trimmed(data[0] ?? [])
  })
}

/**
 * Reads the CSV of a Splitwise group: day, description, category, cost and currency, then one column per person with
 * the amount they paid minus their share. Headers are in the language of the person who exported it. Splitwise documents
 * no format; this one is what files exported until 2026 look like, and what other readers of them expect. It says nothing
 * of a person who paid exactly their share.
 */
export function readSplitwise(text: string): ImportedRow[] {
  const { lines, hasSemicolons } = tableOf(text)
  const [header = [], ...entries] = lines
  const columns = header.map((name, at) => ({ name, at })).filter(({ name, at }) => at > 4 && name !== '')
  const labels = uniqueNames(columns.map(({ name }) => name))
  const people = columns.map(({ at }, index) => ({ name: labels[index] ?? '', at }))
  const figures = entries.flatMap((cells) => cells.slice(3).filter((cell) => /\d/.test(cell)))
  const sign = decimalSignOf(figures)
  const read = (days: readonly (string | null)[]) =>
    entries.flatMap((cells, index): Expense[] => {
      const [, title = '', category = '', cost = '', currency = ''] = cells
      const date = days[index]
      // The last line, with the balances, has no cost.
      if (!date || amountsIn(cost).length === 0 || title === '') return []
      const amount = amountIn(cost, sign)
      const inIt = people
        .map(({ name, at }) => ({ name, balance: amountsIn(cells[at] ?? '', sign)[0] ?? 0 }))
        .filter(({ balance }) => balance !== 0)
      // The payer has paid more than their share. If there is no such person, or several, the payer is unknown.
      const [payer = null, ...others] = inIt.filter(({ balance }) => balance > 0)
      const isPaidBack =
        inIt.length === 2 && inIt.every(({ balance }) => Math.abs(balance) === Math.abs(amount ?? 0))
      return [
        {
          ...{ title, amount, currency: currencyOf(currency), date, repeats: null },
          payer: others.length > 0 ? null : (payer?.name ?? null),
          ...sharesIn(inIt, others.length > 0 ? null : payer, amount),
          isRepayment: PAYMENT.test(category) || isPaidBack,
        },
      ]
    })
  const days = entries.map(([day = '']) => day)
  const readings = readingsOfDays(days, sign === ',' || hasSemicolons, { isPast: true }).map(read)
  if (people.length === 0 || readings.every((expenses) => expenses.length === 0))
    throw new Unreadable(
      t`This is not a Splitwise export. In the group on splitwise.com, choose Export as spreadsheet.`,
    )
  return likeliest(readings.map((expenses) => recurring(expenses, '')))
}

/** Who shares an expense that one person paid, and what each owes: the payer's share is the rest. */
function sharesIn(
  inIt: readonly { name: string; balance: number }[],
  payer: { name: string; balance: number } | null,
  amount: number | null,
): Pick<Expense, 'people' | 'rule' | 'parts'> {
  const cents = (sum: number) => Math.round(sum * 100)
  const isWhole = Math.abs(cents(inIt.reduce((sum, { balance }) => sum + balance, 0))) <= 1
  if (payer === null || amount === null || !isWhole || cents(amount) < cents(payer.balance))
    return { people: inIt.map(({ name }) => name), rule: 'unclear', parts: [] }
  const shares = inIt
    .map((one) => ({ ...one, share: cents(one === payer ? amount - one.balance : -one.balance) }))
    .filter(({ share }) => share > 0)
  const each = shares.map(({ share }) => share)
  const rule: ImportedRule = Math.max(...each) - Math.min(...each) <= 1 ? 'equal' : 'amount'
  return {
    ...{ people: shares.map(({ name }) => name), rule },
    parts: rule === 'equal' ? [] : each.map((share) => share / 100),
  }
}

/**
 * Chooses the likeliest of several readings of a file's days: the one with the most monthly and yearly rows. As this is
 * a guess, a row with an uncertain day keeps the possible days, so that the person can be asked.
 */
function likeliest(readings: readonly ImportedRow[][]): ImportedRow[] {
  const [first = [], ...others] = readings
  if (others.length === 0) return first
  const regular = (rows: readonly ImportedRow[]) =>
    rows.filter(({ unit, entries }) => entries > 1 && (unit === 'month' || unit === 'year')).length
  const most = Math.max(...readings.map(regular))
  const best = readings.filter((rows) => regular(rows) === most)
  return (best[0] ?? []).map((row, index) => {
    const isCertain = readings.every(
      (rows) => rows[index]?.date === row.date && rows[index]?.unit === row.unit,
    )
    return isCertain ? row : { ...row, dates: [...new Set(best.flatMap((rows) => rows[index]?.date ?? []))] }
  })
}

const COLUMNS = [
  ...(['service', 'price', 'currency', 'every', 'renews', 'places', 'people', 'shares'] as const),
  ...(['invite', 'website', 'note'] as const),
]

/** A table to fill in, with two example rows, as CSV. */
export const template = (of = language) =>
  toCsv(
    [
      [...COLUMNS],
      [
        ...['Netflix Premium', 19.99, 'EUR', 'month', '2026-12-24', 4, '', ''],
        ...['ana@example.org; ben@example.org', '', ''],
      ],
      ['Internet', 30, 'EUR', 'month', '2026-12-15', '', 'Ben; Mum', '10; 5', '', '', ''],
    ],
    of,
  )

/** Reads a table made from the template; columns may be in any order. */
export function readTable(text: string): ImportedRow[] {
  const { lines: all, hasSemicolons } = tableOf(text)
  const [header = [], ...lines] = all
  const at = Object.fromEntries(
    COLUMNS.map((name) => [name, header.findIndex((cell) => cell.toLowerCase() === name)]),
  )
  if (at.service === -1) throw new Unreadable(t`The first line must name the columns: ${COLUMNS.join(', ')}`)
  const cell = (line: string[], name: (typeof COLUMNS)[number]) => line[at[name] ?? -1] ?? ''
  const sign = decimalSignOf(lines.map((line) => cell(line, 'price')))
  const days = daysIn(
    lines.map((line) => cell(line, 'renews')),
    sign === ',' || hasSemicolons,
  )
  return lines.map((line, index) => {
    const written = cell(line, 'every') || 'month'
    const interval = intervalIn(written)
    if (!interval) throw new Unreadable(t`“${written}” is not read here. Write month, year or 3 months.`)
    const dates = days[index] ?? []
    return rowOf({
      name: cell(line, 'service'),
      price: amountIn(cell(line, 'price'), sign),
      currency: currencyOf(cell(line, 'currency') || 'EUR'),
      ...interval,
      ...{ date: dates[0] ?? null, dates },
      places: amountIn(cell(line, 'places')),
      ...peopleIn(cell(line, 'people'), cell(line, 'shares'), invitedIn(cell(line, 'invite')), sign),
      ...{ website: cell(line, 'website'), note: cell(line, 'note') },
    })
  })
}

/** One name or share of several in a cell. */
const partsOf = (cell: string) => cell.split(/[;\n]/).filter((part) => part.trim() !== '')

/** The people of a line, who are others than the person, with a share for each or none. */
function peopleIn(
  names: string,
  shares: string,
  { invite, people: mentioned }: ReturnType<typeof invitedIn>,
  sign: ReturnType<typeof decimalSignOf>,
): Pick<ImportedRow, 'invite' | 'people' | 'rule' | 'parts'> {
  const people = uniqueNames([...partsOf(names).map((name) => name.trim()), ...mentioned])
  const each = partsOf(shares)
  if (each.length === 0) return { invite, people, rule: 'equal', parts: [] }
  const parts = each.flatMap((part) => amountIn(part.replace('%', ''), sign) ?? [])
  const percents = each.filter((part) => part.includes('%')).length
  const isClear = parts.length === people.length && (percents === 0 || percents === each.length)
  return {
    ...{ invite, people, parts: isClear ? parts : [] },
    rule: isClear ? (percents > 0 ? 'percent' : 'amount') : 'unclear',
  }
}

/** "Ana B <ana@example.org>", as mail programs copy addresses; the name may be in quotes, and may then have a comma. */
const NAMED = /(?:"[^"]*"\s*|[^<>;,\n"]*)<\s*(?:mailto:)?([^\s<>;,]+@[^\s<>;,]+)\s*>/gi
const ADDRESS = /[^\s<>;,"()]+@[^\s<>;,"()]+\.[^\s<>;,"()]*[^\s<>;,"().]/g

/**
 * Finds the email addresses in a cell. Names without one become `people`, and the screen asks for their email
 * addresses.
 */
function invitedIn(cell: string): Pick<ImportedRow, 'invite' | 'people'> {
  const invite: string[] = []
  const take = (address: string) => {
    if (!invite.some((other) => other.toLowerCase() === address.toLowerCase())) invite.push(address)
    return ''
  }
  const rest = cell.replace(NAMED, (_all, address: string) => take(address))
  const people = rest.split(/[;,\n]/).flatMap((part) => {
    const addresses = part.replace(/\bmailto:/gi, '').match(ADDRESS) ?? []
    addresses.forEach(take)
    return addresses.length === 0 && part.trim() !== '' ? [part.trim()] : []
  })
  return { invite, people }
}
