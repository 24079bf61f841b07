// What each of nine people around one plan may do, in a form that a test can execute and a reader can check.
//
// A new table or function makes matrix.test.ts fail until it has cells. That takes two minutes:
// 1. In cells/<noun>.ts copy a neighbour, name the object, and say who gets which answer. Names like :me and :plan
//    stand for ids of scene.ts (its `ids`); :me is the person who tries.
// 2. `npx vitest run --project='database on Postgres' supabase/tests/authorization -t <object>` shows where the
//    database disagrees. Either the cell or the SQL is wrong: decide which.
// 3. `npm run types` writes docs/authorization.md, also after a change of columns.
//
// A line about a function is `call | about | who`. A call may continue with `as a where …`, to look at the result.
// Below `table <name>`, each of these lines may appear once or more:
//   rows <name> | <condition>              a set of rows
//   select | who
//   hidden <columns>                       that nobody may select; the test tries each
//   shows <columns> | who                  the rows in which they are not null; the test looks at each column
//   insert of <columns>                    that a client may set; the test tries every other one and expects 42501
//   insert <rest of the statement> | about | who    `update` likewise, tried on every row by its key
//   delete | who
// Anything without a line is forbidden to everybody: it is refused before any row is read.
//
// Who: `member, owner: yes; staff: PT404`. People not named are refused with 42501, and the last entry wins.
//
// Answers. A SQLSTATE: refused with it. For select, update and delete also which rows are affected: 'all', 'none' or
// the name of a set in `rows`; 'own, 23514' affects the own ones, and at least one row was refused with 23514.
// For insert 'yes'. For a call 'yes', 'true', 'false', or 'nothing' for null and no rows.
import { money } from './cells/money.ts'
import { people } from './cells/people.ts'
import { plans } from './cells/plans.ts'
import { staff } from './cells/staff.ts'

export const ROLES = [
  ...(['visitor', 'stranger', 'requester', 'member', 'former member', 'owner'] as const),
  ...(['moderator', 'admin', 'super-admin'] as const),
]
export type Role = (typeof ROLES)[number]

const GROUPS: Readonly<Record<string, readonly Role[]>> = {
  everybody: ROLES,
  'signed in': ROLES.slice(1),
  staff: ROLES.slice(6),
  admins: ROLES.slice(7),
  ...Object.fromEntries(ROLES.map((role) => [role, [role]])),
}

/** One answer per role, in the order of ROLES. */
export type Nine = readonly string[]
/** A right that no client has. */
export const NOBODY: Nine = ROLES.map(() => '42501')

/** SQL to try, its description, and the expected outcome. */
export interface Attempt {
  sql: string
  about: string
  answers: Nine
}

export interface Write {
  columns: string[]
  attempts: Attempt[]
}

export interface TableCells {
  rows: Map<string, string>
  select: Nine
  shows: { columns: string[]; answers: Nine }[]
  hidden: string[]
  insert: Write
  update: Write
  delete: Nine
}

/** Every object by its name, in the order of the cells. */
export const TABLES = new Map<string, TableCells>()
export const FUNCTIONS = new Map<string, Attempt[]>()

function nine(who: string): Nine {
  if (who === 'nobody') return NOBODY
  const answers = [...NOBODY]
  for (const part of who.split('; ')) {
    const [, named = '', answer = ''] = /^([^:]+): (.+)$/.exec(part) ?? []
    for (const name of named.split(', ')) {
      if (!GROUPS[name]) throw new Error(`Nobody is called ${name || part}`)
      for (const role of GROUPS[name]) answers[ROLES.indexOf(role)] = answer
    }
  }
  return answers
}

function attempt([sql = '', about = '', who = '']: string[]): Attempt {
  return { sql, about, answers: nine(who) }
}

function readTableLine(table: TableCells, line: string): void {
  const [, word = '', rest = ''] = /^(\w+) (.+)$/.exec(line) ?? []
  const parts = rest.split(' | ')
  const columns = rest.replace(/^of /, '').split(', ')
  if (word === 'rows') table.rows.set(parts[0] ?? '', parts[1] ?? '')
  else if (word === 'select' || word === 'delete') table[word] = nine(rest.replace('| ', ''))
  else if (word === 'hidden') table.hidden.push(...columns)
  else if (word === 'shows')
    table.shows.push({ columns: (parts[0] ?? '').split(', '), answers: nine(parts[1] ?? '') })
  else if (word !== 'insert' && word !== 'update') throw new Error(`Nothing is called ${word || line}`)
  else if (rest.startsWith('of ')) table[word].columns.push(...columns)
  else table[word].attempts.push(attempt(parts))
}

let table: TableCells | undefined
for (const line of [plans, people, money, staff]
  .join('')
  .replace(/\n {4,}/g, ' ')
  .split('\n')) {
  if (line === '' || line.startsWith('#')) continue
  const name = /^table (\w+)$/.exec(line)?.[1]
  if (name) {
    const [insert, update] = [0, 1].map((): Write => ({ columns: [], attempts: [] })) as [Write, Write]
    table = { rows: new Map(), select: NOBODY, shows: [], hidden: [], insert, update, delete: NOBODY }
    TABLES.set(name, table)
  } else if (line.startsWith('  ') && table) readTableLine(table, line.trim())
  else {
    const called = line.slice(0, line.indexOf('('))
    FUNCTIONS.set(called, [...(FUNCTIONS.get(called) ?? []), attempt(line.split(' | '))])
  }
}
