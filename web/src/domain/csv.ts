import { ENGLISH, language } from '#lib/language.ts'

type Money = { euros: number }
type Cell = string | number | Money | null

/** An amount, which has two decimals. */
export const euros = (amount: number | null): Money | null => (amount === null ? null : { euros: amount })

/** A moment in the time zone of the device, as spreadsheets read it: 2026-11-28 14:05:00. */
export const timeOf = (moment: string): string => new Date(moment).toLocaleString('sv')

/** What a spreadsheet would mistake for a formula at the start of a cell. */
const FORMULA = /^(?:[\s"]*[=+\-@＝＋－＠]|[\t\r\n])/
/** The same after a sign that another language's spreadsheet takes for the end of a cell, in quotes or not. */
const LATER_FORMULA = /([,;\t\r\n])(?=[\s"]*[=+\-@＝＋－＠])/g

/**
 * A table as spreadsheets of a language read it: where people have decimal commas, semicolons separate cells. What people typed stays
 * text, whatever it begins with.
 */
export function toCsv(rows: readonly (readonly Cell[])[], of = language): string {
  const hasCommas = of !== ENGLISH
  const figure = (text: string) => (hasCommas ? text.replace('.', ',') : text)
  const written = (cell: Cell): string => {
    if (cell === null) return ''
    if (typeof cell === 'string') return quoted(cell)
    return figure(typeof cell === 'number' ? String(cell) : cell.euros.toFixed(2))
  }
  const lines = rows.map((row) => row.map(written).join(hasCommas ? ';' : ','))
  // The byte order mark tells Excel that this is UTF-8.
  return `\u{FEFF}${lines.join('\r\n')}\r\n`
}

function quoted(cell: string): string {
  const text = (FORMULA.test(cell) ? `'${cell}` : cell).replace(LATER_FORMULA, "$1'")
  return /[",;\r\n\t']/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
