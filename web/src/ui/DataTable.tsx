import { Table } from '@mantine/core'
import type { Key, ReactNode } from 'react'
import classes from './DataTable.module.css'

export interface Column<Row> {
  /** Heads the column, and on a phone names the cell. */
  label: string
  /** Amounts are right-aligned, so that their digits line up. */
  number?: boolean
  /** The cell speaks for itself on a phone. */
  unnamed?: boolean
  cell: (row: Row) => ReactNode
}

interface DataTableProps<Row> {
  /** What the table is about, for people who cannot see where it stands. */
  label: string
  columns: readonly Column<Row>[]
  rows: readonly Row[]
  rowKey: (row: Row) => Key
  /** Further attributes of a row, such as a name of its own or that keys move to it. */
  rowProps?: (row: Row) => { 'aria-label'?: string | undefined; tabIndex?: number }
}

/** A table which on a phone becomes a stack of rows that name their cells. */
export function DataTable<Row>({ label, columns, rows, rowKey, rowProps }: DataTableProps<Row>) {
  return (
    <Table aria-label={label} className={classes.table} verticalSpacing={6}>
      <Table.Thead>
        <Table.Tr>
          {columns.map((column) => (
            <Table.Th key={column.label} scope="col" className={column.number ? classes.number : undefined}>
              {column.label}
            </Table.Th>
          ))}
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {rows.map((row) => (
          <Table.Tr key={rowKey(row)} {...rowProps?.(row)} className={classes.row}>
            {columns.map((column) => (
              <Table.Td
                key={column.label}
                data-label={column.unnamed ? undefined : column.label}
                className={`${classes.cell} ${column.number ? classes.number : ''}`}
              >
                {column.cell(row)}
              </Table.Td>
            ))}
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  )
}
