import type { Key, ReactNode } from 'react'

/** The search parameter that holds the order of a list; a page may have two lists. */
export type SortParam = 'sort' | 'eventSort' | 'fileSort'

export interface Column<Row> {
  /** The column's heading, and the cell's name in the details of a line. */
  label: string
  /** Right-aligns amounts, so that their digits line up. */
  number?: boolean
  cell: (row: Row) => ReactNode
  /**
   * The cell's position in a line; the details behind a line contain all columns. An "action" is one small button or
   * null, and replaces the state in the line. "actions" are shown only in the details.
   */
  as?: 'title' | 'detail' | 'amount' | 'state' | 'action' | 'actions'
  /** A replacement for the cell in a line: only text, since the whole line is one button. */
  brief?: (row: Row) => ReactNode
  /** A replacement for the cell and its brief form below a {@link DataTableProps.heading} that says a part of it. */
  belowHeading?: (row: Row) => ReactNode
  /** The database's name of the sort column, if the list can be sorted by this one. */
  sort?: string
  /** A picture before the title. */
  mark?: (row: Row) => ReactNode
}

export interface DataTableProps<Row> {
  /** The table's accessible name. */
  label: string
  columns: readonly Column<Row>[]
  rows: readonly Row[]
  rowKey: (row: Row) => Key
  /** Further attributes of a row, such as a name, or a tabIndex for keys that move the focus to it. */
  rowProps?: (row: Row) => { 'aria-label'?: string | undefined; tabIndex?: number }
  /** The heading above a row, such as its day, which it shares with the rows around it that have the same. */
  heading?: ((row: Row) => string) | undefined
  /** The search parameter for the order of a list that can be sorted. */
  sorts?: SortParam
  /** Shows lines at all widths, for a list in a narrow container. */
  lines?: boolean
  /** Cuts the details of a line off at its end instead of wrapping them; the dialog behind it has them in full. */
  short?: boolean
}

export const isAction = <Row>({ as }: Column<Row>) => as === 'action' || as === 'actions'

interface RowGroup<Row> {
  /** Null for a list without headings. */
  heading: string | null
  rows: Row[]
}

/** Groups the rows that follow each other under the same heading. */
export function rowGroups<Row>({
  rows,
  heading,
}: Pick<DataTableProps<Row>, 'rows' | 'heading'>): RowGroup<Row>[] {
  const groups: RowGroup<Row>[] = []
  for (const row of rows) {
    const own = heading?.(row) ?? null
    const last = groups.at(-1)
    if (last?.heading === own) last.rows.push(row)
    else groups.push({ heading: own, rows: [row] })
  }
  return groups
}
