import * as z from 'zod/mini'
import { given } from './search.ts'

/** The order of a list: a column, by the database's name, and whether the highest comes first. */
export interface Sorting {
  by: string
  desc: boolean
}

/** As it stands in an address: the column, after a minus if the highest comes first. */
export const sortParam = given(z.string().check(z.regex(/^-?[a-z_]+$/)))

export const toSorting = (text: string | undefined): Sorting | undefined =>
  text === undefined ? undefined : { by: text.replace(/^-/, ''), desc: text.startsWith('-') }

export const toSortParam = ({ by, desc }: Sorting): string => (desc ? `-${by}` : by)

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
  const [value, id] = [by, key].map((column) => (after as Record<string, unknown> | null)?.[inCamel(column)])
  const later = `${key}.${than}.${quoted(id)}`
  const behind =
    value === null
      ? `and(${by}.is.null,${later})`
      : `${by}.${than}.${quoted(value)},${by}.is.null,and(${by}.eq.${quoted(value)},${later})`
  const order = { ascending: !desc, nullsFirst: false }
  return (after ? wanted.or(behind) : wanted).order(by, order).order(key, order)
}

const inCamel = (column: string) => column.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())
const quoted = (value: unknown) => `"${String(value).replace(/["\\]/g, '\\$&')}"`
