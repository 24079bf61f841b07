import type { Json } from '@potluck/supabase/types'
import * as z from 'zod/mini'
import { given } from './search.ts'

/** The order of a list: a column, by the database's name, and whether the highest comes first. */
export interface Sorting {
  by: string
  desc: boolean
}

/**
 * The search parameter for a list's order: a column, with a minus before it if the highest comes first. Other values
 * are ignored.
 */
export const sortParam = (...columns: string[]) =>
  given(z.enum(columns.flatMap((column) => [column, `-${column}`])))

export const toSorting = (text: string | undefined): Sorting | undefined =>
  text === undefined ? undefined : { by: text.replace(/^-/, ''), desc: text.startsWith('-') }

export const toSortParam = ({ by, desc }: Sorting): string => (desc ? `-${by}` : by)

/** Parameters with which a database function returns a sorted page after the row `after`; `key` is a unique column. */
export const sortedPage = (sorting: Sorting, key: string, after: object | null) => ({
  p_sort: toSortParam(sorting),
  p_after: after && [sorting.by, key].map((column) => cellOf(after, column)),
})

interface Sortable<Wanted> {
  or: (conditions: string) => Wanted
  order: (column: string, options: { ascending: boolean; nullsFirst: boolean }) => Wanted
}

/**
 * Sorts rows, those without a value last, and starts after the row `after`; `key` is a unique column. This way no page
 * repeats or skips a row if rows are added or removed.
 */
export function inOrder<Wanted extends Sortable<Wanted>>(
  wanted: Wanted,
  { by, desc }: Sorting,
  key: string,
  after: object | null,
): Wanted {
  const than = desc ? 'lt' : 'gt'
  const [value, id] = [by, key].map((column) => after && cellOf(after, column))
  const later = `${key}.${than}.${quoted(id)}`
  const behind =
    value === null
      ? `and(${by}.is.null,${later})`
      : `${by}.${than}.${quoted(value)},${by}.is.null,and(${by}.eq.${quoted(value)},${later})`
  const order = { ascending: !desc, nullsFirst: false }
  return (after ? wanted.or(behind) : wanted).order(by, order).order(key, order)
}

const cellOf = (row: object, column: string) => (row as Record<string, Json>)[inCamel(column)] ?? null
const inCamel = (column: string) => column.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())
const quoted = (value: unknown) => `"${String(value).replace(/["\\]/g, '\\$&')}"`
