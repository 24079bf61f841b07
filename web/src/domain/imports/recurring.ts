import { isMonth } from '../days.ts'
import { type ImportedRow, rowOf, type Unit } from './row.ts'

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
export function recurring(expenses: readonly Expense[]): ImportedRow[] {
  const themes = new Map<string, Expense[]>()
  for (const expense of expenses) {
    const isRepayment = expense.isRepayment || (expense.amount !== null && expense.amount <= 0)
    const theme = isRepayment ? '' : `${themeOf(expense.title)}\n${expense.currency}`
    themes.set(theme, [...(themes.get(theme) ?? []), { ...expense, isRepayment }])
  }
  return [...themes.values()].map((same) => {
    const [first, ...later] = [...same].sort((a, b) => a.date.localeCompare(b.date))
    const last = later.at(-1) ?? first
    if (!last) throw new Error('A theme has an expense')
    const set = same.find(({ repeats }) => repeats !== null)?.repeats
    return rowOf({
      ...{ name: last.title, price: last.amount, currency: last.currency, date: last.date },
      ...{ payer: last.payer, people: last.people, places: last.people.length, entries: same.length },
      ...(last.isRepayment
        ? { kind: 'repayment' }
        : set
          ? { unit: set }
          : rhythm(same.map(({ date }) => date))),
    })
  })
}

const DAY = 86_400_000

/** Returns the interval between expenses on these days, judged by the median gap. */
function rhythm(dates: readonly string[]): Pick<ImportedRow, 'unit' | 'every'> {
  const times = [...new Set(dates)].map((date) => Date.parse(date)).sort((a, b) => a - b)
  const pauses = times.slice(1).map((time, index) => (time - (times[index] ?? time)) / DAY)
  const usual = pauses.sort((a, b) => a - b)[Math.floor(pauses.length / 2)]
  if (usual === undefined) return { unit: null, every: 1 }
  if (usual > 340 && usual < 390) return { unit: 'year', every: 1 }
  const months = Math.max(1, Math.round(usual / 30.4))
  if (Math.abs(usual - months * 30.4) <= 5) return { unit: 'month', every: months }
  const weeks = Math.max(1, Math.round(usual / 7))
  return usual < 6 ? { unit: 'day', every: Math.max(1, Math.round(usual)) } : { unit: 'week', every: weeks }
}
