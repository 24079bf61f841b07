import { isMonth } from '../days.ts'
import { type ImportedRow, type ImportedRule, rowOf, type Unit } from './row.ts'

/** One entry of a group that splits its expenses. */
export interface Expense {
  title: string
  /** Negative for a refund; null if it is ambiguous. */
  amount: number | null
  currency: string
  /** YYYY-MM-DD */
  date: string
  payer: string | null
  people: string[]
  rule: ImportedRule
  parts: number[]
  /** The interval that the group has set, if any. */
  repeats: Unit | null
  isRepayment: boolean
}

/** A title without dates and numbers: "Netflix März 2026" and "netflix 04/26" have the same theme. */
const themeOf = (title: string) =>
  title
    .toLowerCase()
    .split(/[\s,()–-]+/)
    .filter((word) => word !== '' && !/^[\d./]+$/.test(word) && !isMonth(word))
    .join(' ') || title.toLowerCase()

/**
 * A group's expenses as rows: recurring ones, recognised by title and dates, become one row each; others stay single.
 */
export function recurring(expenses: readonly Expense[], group: string): ImportedRow[] {
  const themes = new Map<string, Expense[]>()
  for (const expense of expenses) {
    const isRepayment = expense.isRepayment || (expense.amount !== null && expense.amount <= 0)
    const theme = isRepayment ? '' : `${themeOf(expense.title)}\n${expense.currency}`
    themes.set(theme, [...(themes.get(theme) ?? []), { ...expense, isRepayment }])
  }
  return [...themes.values()].map((same) => {
    const [last, previous] = [...same].sort((a, b) => a.date.localeCompare(b.date)).reverse()
    if (!last) throw new Error('A theme has an expense')
    const set = same.find(({ repeats }) => repeats !== null)?.repeats
    return rowOf({
      ...{ name: last.title, price: last.amount, currency: last.currency, date: last.date },
      ...{ payer: last.payer, people: last.people, places: last.people.length, entries: same.length },
      ...{ rule: last.rule, parts: last.parts, group },
      ...(last.isRepayment
        ? { kind: 'repayment' }
        : set
          ? { unit: set }
          : rhythm(
              same.map(({ date }) => date),
              previous?.amount === last.amount,
            )),
    })
  })
}

const DAY = 86_400_000

/**
 * Returns the interval between expenses on these days, judged by the median gap. The guess is steady if no gap differs
 * much from it, and the price is that of the last time.
 */
function rhythm(
  dates: readonly string[],
  isSamePrice: boolean,
): Pick<ImportedRow, 'unit' | 'every' | 'unsteady'> {
  const times = [...new Set(dates)].map((date) => Date.parse(date)).sort((a, b) => a - b)
  const pauses = times.slice(1).map((time, index) => (time - (times[index] ?? time)) / DAY)
  const usual = pauses.sort((a, b) => a - b)[Math.floor(pauses.length / 2)]
  if (usual === undefined) return { unit: null, every: 1, unsteady: false }
  const unsteady = !isSamePrice || pauses.some((pause) => Math.abs(pause - usual) > 6)
  if (usual > 340 && usual < 390) return { unit: 'year', every: 1, unsteady }
  const months = Math.max(1, Math.round(usual / 30.4))
  if (Math.abs(usual - months * 30.4) <= 5) return { unit: 'month', every: months, unsteady }
  const weeks = Math.max(1, Math.round(usual / 7))
  return usual < 6
    ? { unit: 'day', every: Math.max(1, Math.round(usual)), unsteady }
    : { unit: 'week', every: weeks, unsteady }
}
