// Turns cells into lines: one action, its nine expected answers, and the statements that test it.
import { type Attempt, type Nine, NOBODY, type TableCells, type Write } from './cells.ts'
import type { Relation } from './objects.ts'
import { type Answer, called, columnsTried, done, eachColumn, eachRow, rowsSeen } from './words.ts'

export interface Line {
  action: 'select' | 'insert' | 'update' | 'delete' | 'call'
  /** The statement as shown in the document; empty if the action alone is clear. */
  about: string
  answers: Nine
  statements: string[]
  /** Translates the outcomes of the statements into answers. */
  read: Answer
}

/** A row's primary key. */
export type Key = Record<string, unknown>

/** The lines of a table; `keys` are those of all its rows. */
export function tableLines(relation: Relation, cells: TableCells, keys: readonly Key[]): Line[] {
  const table = `public.${relation.name}`
  const seen = (where = 'true') =>
    `select coalesce(jsonb_agg(k), '[]') from (select ${relation.key.join(', ')} from ${table} where ${where}) as k`
  const every = (statement: (where: string) => string) => keys.map((key) => statement(whereKey(key)))
  return [
    { action: 'select', about: '', answers: cells.select, statements: [seen()], read: rowsSeen },
    ...cells.shows.map(({ columns, answers }): Line => {
      const statements = columns.map((column) => seen(`${column} is not null`))
      return { action: 'select', about: `${columns.join(', ')} of`, answers, statements, read: eachColumn }
    }),
    ...columnsLine('select', cells.hidden, (column) => `select jsonb_agg(${column}) from ${table}`),
    ...writeLines('insert', cells.insert, relation, {
      tries: (sql) => [`insert into ${table} ${sql} returning to_jsonb(1)`],
      column: (column) => `insert into ${table} (${column}) values (default) returning to_jsonb(1)`,
      read: done,
    }),
    ...writeLines('update', cells.update, relation, {
      tries: (sql) => every((where) => reached(`update ${table} set ${sql} where ${where}`)),
      column: (column) => `update ${table} set ${column} = default where false returning to_jsonb(1)`,
      read: eachRow(keys),
    }),
    {
      action: 'delete',
      about: '',
      answers: cells.delete,
      statements: every((where) => reached(`delete from ${table} where ${where}`)),
      read: eachRow(keys),
    },
  ]
}

export function functionLines(
  calls: readonly Attempt[],
  { answersNothing }: { answersNothing: boolean },
): Line[] {
  return calls.map(({ sql, about, answers }) => ({
    action: 'call',
    about,
    answers,
    statements: [
      `select coalesce(jsonb_agg(a), '[]') from public.${/ as a\b/.test(sql) ? sql : `${sql} as a`}`,
    ],
    read: answersNothing ? done : called,
  }))
}

function writeLines(
  action: 'insert' | 'update',
  write: Write,
  relation: Relation,
  how: { tries: (sql: string) => string[]; column: (name: string) => string; read: Answer },
): Line[] {
  if (write.attempts.length === 0) {
    const statements = relation.columns.map(how.column)
    return [{ action, about: '', answers: NOBODY, statements, read: columnsTried }]
  }
  const others = relation.columns.filter((column) => !write.columns.includes(column))
  return [
    ...write.attempts.map(({ sql, about, answers }) => {
      return { action, about, answers, statements: how.tries(sql), read: how.read }
    }),
    ...columnsLine(action, others, how.column),
  ]
}

function columnsLine(
  action: Line['action'],
  columns: readonly string[],
  statement: (column: string) => string,
): Line[] {
  if (columns.length === 0) return []
  const about = columns.join(', ')
  return [{ action, about, answers: NOBODY, statements: columns.map(statement), read: columnsTried }]
}

const reached = (statement: string) =>
  `with reached as (${statement} returning 1) select to_jsonb(count(*)) from reached`

const whereKey = (key: Key) =>
  Object.entries(key)
    .map(([column, value]) => `${column} = '${String(value).replaceAll("'", "''")}'`)
    .join(' and ')
