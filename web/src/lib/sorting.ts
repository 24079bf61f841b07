import type { Json } from '@potluck/supabase/types'
import * as z from 'zod/mini'
import { given } from './search.ts'

/** The order of a list: a column, by the database's name, and whether the highest comes first. */
export interface Sorting {
  by: string
  desc: boolean
}

/** As it stands in an address: one of these columns, after a minus if the highest comes first; any other is ignored. */
export const sortParam = (...columns: string[]) =>
  given(z.enum(columns.flatMap((column) => [column, `-${column}`])))

export const toSorting = (text: string | undefined): Sorting | undefined =>
  text === undefined ? undefined : { by: text.replace(/^-/, ''), desc: text.startsWith('-') }

export const toSortParam = ({ by, desc }: Sorting): string => (desc ? `-${by}` : by)

/** Asks a database function for its page in order, behind the row `after`, by the unique column `key`. */
export const sortedPage = (sorting: Sorting, key: string, after: object | null) => ({
  p_sort: toSortParam(sorting),
  p_after: after && [sorting.by, key].map((column) => cellOf(after, column)),
})

interface Sortable<Wanted> {
  or: (conditions: string) => Wanted
  order: (column: string, options: { ascending: boolean; nullsFirst: boolean }) => Wanted
}

/**
 * Puts rows in order, those without a value last, and begins behind the row `after`, by the unique column `key`: so no page
 * repeats or skips a row if others come or go.
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
