type Money = { euros: number }
type Cell = string | number | Money | null

/** An amount, which has two decimals. */
export const euros = (amount: number | null): Money | null => (amount === null ? null : { euros: amount })

/** What a spreadsheet would mistake for a formula. */
const FORMULA = /^[\s]*[=+\-@＝＋－＠]|^[\t\r\n]/

/** A table as spreadsheets read it. What people typed stays text, whatever it begins with. */
export function toCsv(rows: readonly (readonly Cell[])[]): string {
  const lines = rows.map((row) => row.map(toCell).join(','))
  // The byte order mark tells Excel that this is UTF-8.
  return `\u{FEFF}${lines.join('\r\n')}\r\n`
}

function toCell(cell: Cell): string {
  if (cell === null) return ''
  if (typeof cell === 'number') return String(cell)
  if (typeof cell === 'object') return cell.euros.toFixed(2)
  const text = FORMULA.test(cell) ? `'${cell}` : cell
  return /[",\r\n\t']/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
