import { Table } from '@mantine/core'
import type { ReactNode } from 'react'
import classes from './StackTable.module.css'

interface Column {
  label: string
  /** Amounts stand right, one under the other. */
  number?: boolean
}

interface StackTableProps {
  /** What the table is about, for people who cannot see where it stands. */
  label: string
  columns: readonly Column[]
  children: ReactNode
}

/** A table which on a phone becomes a stack of rows that name their cells. */
export function StackTable({ label, columns, children }: StackTableProps) {
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
      <Table.Tbody>{children}</Table.Tbody>
    </Table>
  )
}

interface StackRowProps {
  label?: string
  tabIndex?: number
  children: ReactNode
}

/** A row of a {@link StackTable}. */
export function StackRow({ label, children, ...row }: StackRowProps) {
  return (
    <Table.Tr {...row} className={classes.row} aria-label={label}>
      {children}
    </Table.Tr>
  )
}

/** A cell of a {@link StackRow}; the label is its column's, shown beside it on a phone. */
export function StackCell({
  label,
  number = false,
  children,
}: {
  label?: string
  number?: boolean
  children?: ReactNode
}) {
  return (
    <Table.Td data-label={label} className={`${classes.cell} ${number ? classes.number : ''}`}>
      {children}
    </Table.Td>
  )
}
