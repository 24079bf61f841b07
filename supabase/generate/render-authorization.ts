// Renders the authorization matrix as a page for people.
import type { Database } from '@potluck/server/db/database.ts'
import { FUNCTIONS, ROLES, TABLES } from '../tests/authorization/cells.ts'
import { functionLines, type Line, tableLines } from '../tests/authorization/lines.ts'
import { exposedObjects } from '../tests/authorization/objects.ts'

/** Returns the contents of docs/authorization.md. */
export async function renderAuthorization(db: Pick<Database, 'query'>): Promise<string> {
  const { relations, functions: known } = await exposedObjects(db)
  const tables = [...TABLES].flatMap(([name, cells]) => {
    const relation = relations.find((one) => one.name === name)
    return relation ? tableLines(relation, cells, []).map((line) => row(name, line)) : []
  })
  const functions = [...FUNCTIONS].flatMap(([name, calls]) => {
    const described = known.find((one) => one.name === name)
    return described ? functionLines(calls, described).map((line) => row(`${name}()`, line)) : []
  })
  const sets = [...TABLES].flatMap(([name, { rows }]) =>
    [...rows].map(([set, condition]) => `| ${name} | ${set} | \`${condition}\` |`),
  )
  return [
    INTRODUCTION,
    tableRow(['what', 'action', ...ROLES]),
    tableRow(['what', 'action', ...ROLES].map(() => '---')),
    ...tables,
    ...functions,
    '',
    '## The named rows',
    '',
    '`:me` is the person who acts, `:plan` the plan in question.',
    '',
    '| table | rows | which |',
    '| --- | --- | --- |',
    ...sets,
    '',
  ].join('\n')
}

const tableRow = (cells: readonly string[]) => `| ${cells.join(' | ')} |`

const row = (name: string, { action, about, answers }: Line) =>
  tableRow([name, about === '' ? action : `${action}: ${about}`, ...answers])

const INTRODUCTION = `# Who may do what

Nine people around one plan: a **visitor** who has not signed in; a **stranger** to the plan; a **requester** whose
request is pending; a **member**; a **former member** who was removed; the **owner**; and three of the site's staff, who
have nothing to do with the plan. Each row is tested as each of them against the database, on PGlite and on Postgres,
by \`supabase/tests/authorization/\`, from whose cells this page is generated. Nothing else is exposed to clients.

- A code is the error the attempt is refused with: 42501 is "not allowed", 23514 a broken rule, 23505 already
  exists, PT404 not found.
- For select, update and delete the cell says which rows are affected: all, none, or those named below. "own, 23514"
  affects their own, and some of the rest is refused with 23514.
- A row that lists columns applies to each of them.
- A call returns yes, true, false, or nothing (no rows).
- Live, each receives the changes of rows that select shows them, and the keys of deleted rows: \`supabase/tests/realtime.test.ts\`.
`
