import { digitsOf } from '@potluck/supabase/currency'
import { language } from '#lib/language.ts'

type Money = { amount: number; digits: number }
type Cell = string | number | Money | null

/** An amount, written with the decimals of its currency. */
export const sumIn = (currency: string, amount: number | null): Money | null =>
  amount === null ? null : { amount, digits: digitsOf(currency) }
export const euros = (amount: number | null): Money | null => sumIn('EUR', amount)

/** A moment in the time zone of the device, as spreadsheets read it: 2026-11-28 14:05:00. */
export const timeOf = (moment: string): string => new Date(moment).toLocaleString('sv')

/** The start of a cell that a spreadsheet would take for a formula. */
const FORMULA = /^(?:[\s"]*[=+\-@＝＋－＠]|[\t\r\n])/
/**
 * The start of a formula after a separator within a cell: a spreadsheet in another language splits there, even in
 * quotes.
 */
const LATER_FORMULA = /([,;\t\r\n])(?=[\s"]*[=+\-@＝＋－＠])/g

/**
 * A table as CSV for spreadsheets in a language: where the language has decimal commas, semicolons separate cells. Text
 * that people typed stays text, even if it looks like a formula.
 */
export function toCsv(rows: readonly (readonly Cell[])[], of = language): string {
  const hasCommas = (1.5).toLocaleString(of).includes(',')
  const figure = (text: string) => (hasCommas ? text.replace('.', ',') : text)
  const written = (cell: Cell): string => {
    if (cell === null) return ''
    if (typeof cell === 'string') return quoted(cell)
    return figure(typeof cell === 'number' ? String(cell) : cell.amount.toFixed(cell.digits))
  }
  const lines = rows.map((row) => row.map(written).join(hasCommas ? ';' : ','))
  // The byte order mark tells Excel that this is UTF-8.
  return `\u{FEFF}${lines.join('\r\n')}\r\n`
}

function quoted(cell: string): string {
  const text = (FORMULA.test(cell) ? `'${cell}` : cell).replace(LATER_FORMULA, "$1'")
  return /[",;\r\n\t']/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
