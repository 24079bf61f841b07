import { Group, Table, VisuallyHidden } from '@mantine/core'
import { type Column, type DataTableProps, isAction, rowGroups } from './column.ts'
import { DataLines } from './DataLines.tsx'
import classes from './DataTable.module.css'
import { SortHead } from './sorting.tsx'
import { usePhone } from './use-phone.ts'

export type { Column } from './column.ts'

/** A list as a table; on a phone, or with `lines`, as lines with the details behind them. */
export function DataTable<Row>({ lines = false, ...list }: DataTableProps<Row>) {
  const phone = usePhone()
  // The actions column is left out if no row has an action.
  const columns = list.columns.filter(({ as, cell }) => as !== 'action' || list.rows.some(cell))
  return phone || lines ? <DataLines {...list} columns={columns} /> : <Rows {...list} columns={columns} />
}

function Rows<Row>({ label, columns, rows, rowKey, rowProps, heading, sorts }: DataTableProps<Row>) {
  return (
    <Table aria-label={label} className={classes.table} verticalSpacing={6}>
      <Table.Thead>
        <Table.Tr>
          {columns.map((column) => {
            const className = lookOf(column)
            return sorts && column.sort ? (
              <SortHead key={column.label} column={column} param={sorts} className={className} />
            ) : (
              <Table.Th key={column.label} scope="col" className={className}>
                {isAction(column) ? <VisuallyHidden>{column.label}</VisuallyHidden> : column.label}
              </Table.Th>
            )
          })}
        </Table.Tr>
      </Table.Thead>
      {rowGroups({ rows, heading }).map((group) => (
        <Table.Tbody key={group.heading}>
          {group.heading !== null && (
            <Table.Tr>
              <Table.Th scope="rowgroup" colSpan={columns.length} className={classes.heading}>
                {group.heading}
              </Table.Th>
            </Table.Tr>
          )}
          {group.rows.map((row) => (
            <Table.Tr key={rowKey(row)} {...rowProps?.(row)} className={classes.row}>
              {columns.map((column) => {
                const { label: name, mark, cell, belowHeading } = column
                const content = ((heading && belowHeading) || cell)(row)
                return (
                  <Table.Td key={name} className={`${classes.cell} ${lookOf(column) ?? ''}`}>
                    {mark ? (
                      <Group gap="sm" wrap="nowrap">
                        {mark(row)}
                        <div>{content}</div>
                      </Group>
                    ) : (
                      content
                    )}
                  </Table.Td>
                )
              })}
            </Table.Tr>
          ))}
        </Table.Tbody>
      ))}
    </Table>
  )
}

const lookOf = <Row,>(column: Column<Row>) =>
  column.number ? classes.number : isAction(column) ? classes.action : undefined
