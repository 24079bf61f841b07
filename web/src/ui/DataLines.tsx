import { UnstyledButton } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconChevronRight } from '@tabler/icons-react'
import { Fragment, type Key, type MouseEvent, useState } from 'react'
import { type Column, type DataTableProps, isAction, rowGroups } from './column.ts'
import classes from './DataLines.module.css'
import { Dialog } from './Dialog.tsx'
import { SortSelect } from './sorting.tsx'

type Lines<Row> = Omit<DataTableProps<Row>, 'lines'>

/** A list as lines. Each line is a button that opens all details of its row. */
export function DataLines<Row>({
  label,
  columns,
  rows,
  rowKey,
  rowProps,
  heading,
  sorts,
  short,
}: Lines<Row>) {
  const [opened, { open, close }] = useDisclosure()
  const [chosen, setChosen] = useState<Key>()
  // The details follow changes of their row, and close for good when the row is removed.
  const row = rows.find((one) => rowKey(one) === chosen)
  if (opened && row === undefined) close()
  const show = (key: Key) => {
    setChosen(key)
    open()
  }
  const shown = heading
    ? columns.map((column) => (column.belowHeading ? { ...column, brief: column.belowHeading } : column))
    : columns
  return (
    <>
      {sorts && <SortSelect columns={columns} param={sorts} />}
      {rowGroups({ rows, heading }).map((group) => (
        <div key={group.heading}>
          {group.heading !== null && <div className={classes.heading}>{group.heading}</div>}
          <ul
            aria-label={group.heading === null ? label : `${label}, ${group.heading}`}
            className={classes.lines}
            data-short={short || undefined}
          >
            {group.rows.map((one) => (
              <li key={rowKey(one)} {...rowProps?.(one)} className={classes.line}>
                <Line columns={shown} row={one} onOpen={() => show(rowKey(one))} />
              </li>
            ))}
          </ul>
        </div>
      ))}
      <Dialog
        opened={opened}
        onClose={close}
        title={row === undefined ? '' : briefly(columns, 'title', row)}
        sheet
        // A link to another page, or a control that filters the list, also closes the details.
        onClick={({ target }: MouseEvent) =>
          target instanceof Element && target.closest('a:not([target]), [data-narrows]') && close()
        }
      >
        {row !== undefined && <Details columns={columns} row={row} />}
      </Dialog>
    </>
  )
}

interface LineProps<Row> extends Pick<Lines<Row>, 'columns'> {
  row: Row
}

function Line<Row>({ columns, row, onOpen }: LineProps<Row> & { onOpen: () => void }) {
  const mark = columns.find((column) => column.mark)?.mark?.(row)
  const action = briefly(columns, 'action', row)
  const details = columns
    .filter(({ as }) => as === 'detail')
    .map((column) => ({ label: column.label, content: brief(column, row) }))
  const state = !action && briefly(columns, 'state', row)
  return (
    <>
      <UnstyledButton className={classes.open} aria-haspopup="dialog" onClick={onOpen}>
        {mark && <span className={classes.mark}>{mark}</span>}
        <span className={classes.words}>
          <span className={classes.title}>{briefly(columns, 'title', row)}</span>
          <span className={classes.detail}>
            {details
              .filter(({ content }) => content)
              .map(({ label, content }, at) => (
                <Fragment key={label}>
                  {at > 0 && ' · '}
                  {content}
                </Fragment>
              ))}
          </span>
        </span>
        <span className={classes.end}>
          <span className={classes.amount}>{briefly(columns, 'amount', row)}</span>
          {state && <span className={classes.state}>{state}</span>}
        </span>
        {!action && <IconChevronRight size={16} className={classes.more} aria-hidden />}
      </UnstyledButton>
      {action && <div className={classes.action}>{action}</div>}
    </>
  )
}

function Details<Row>({ columns, row }: LineProps<Row>) {
  const filled = columns
    .map((column) => ({ ...column, content: column.cell(row) }))
    .filter(({ content }) => content || content === 0)
  return (
    <>
      <dl className={classes.details}>
        {filled
          .filter((column) => !isAction(column))
          .map(({ label, content }) => (
            <div key={label}>
              <dt>{label}</dt>
              <dd>{content}</dd>
            </div>
          ))}
      </dl>
      {filled.filter(isAction).map(({ label, content }) => (
        <div key={label} className={classes.actions}>
          {content}
        </div>
      ))}
    </>
  )
}

const brief = <Row,>(column: Column<Row>, row: Row) => (column.brief ?? column.cell)(row)

const briefly = <Row,>(columns: readonly Column<Row>[], as: Column<Row>['as'], row: Row) => {
  const column = columns.find((one) => one.as === as)
  return column && brief(column, row)
}
