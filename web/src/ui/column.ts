import type { Key, ReactNode } from 'react'

/** The search parameter that holds the order of a list; a page may have two lists. */
export type SortParam = 'sort' | 'eventSort' | 'fileSort'

export interface Column<Row> {
  /** Heads the column, and names the cell in the details of a line. */
  label: string
  /** Amounts are right-aligned, so that their digits line up. */
  number?: boolean
  cell: (row: Row) => ReactNode
  /**
   * Where a line shows it; the details behind a line have all columns. An "action" is one small button or null, and the line
   * then leaves out the state. "actions" have room in the details alone.
   */
  as?: 'title' | 'detail' | 'amount' | 'state' | 'action' | 'actions'
  /** What the line says instead of the cell: words alone, as the whole line is one button. */
  brief?: (row: Row) => ReactNode
  /** The database's name of what it sorts by, if the list can be sorted by it. */
  sort?: string
  /** A picture before the title. */
  mark?: (row: Row) => ReactNode
}

export interface DataTableProps<Row> {
  /** What the table is about, for people who cannot see where it stands. */
  label: string
  columns: readonly Column<Row>[]
  rows: readonly Row[]
  rowKey: (row: Row) => Key
  /** Further attributes of a row, such as a name of its own or that keys move to it. */
  rowProps?: (row: Row) => { 'aria-label'?: string | undefined; tabIndex?: number }
  /** The search parameter that holds the order of a list which people can sort. */
  sorts?: SortParam
  /** Lines in all widths, for a list in a narrow place. */
  lines?: boolean
}

export const isAction = <Row>({ as }: Column<Row>) => as === 'action' || as === 'actions'
