// The schema of this release, read from the release's own files. The check of the books runs the functions in these
// files and compares the database with the files, so that no function stored in the database affects the result.
import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { Transaction } from '@potluck/server/db/database.ts'
import { OWNER_ROLE } from '@potluck/server/db/migrate.ts'
import { readSchemas } from '../generate/schemas.ts'
import { COMPARISON } from './comparison.ts'

// Two folders up both from here and from `server/dist` of a release's archive.
const ROOT = resolve(import.meta.dirname, '../..')

export interface Fault extends Record<string, unknown> {
  fault: string
  subject: string
  expected: string | null
  found: string | null
}

interface Release {
  /** `create function` statements of `private`, by name. Each function comes after the functions that it calls. */
  functions: Map<string, string>
  /** `create table` statements, by table. */
  tables: Map<string, string>
  /** `create trigger` statements, by table. */
  triggers: Map<string, string[]>
  /** The bodies of the functions with which the server records changes, by name. */
  capturing: Record<string, string>
}

let release: Promise<Release> | undefined
const releaseOnce = () => {
  release ??= readRelease()
  return release
}

async function readRelease(): Promise<Release> {
  const functions = new Map<string, string>()
  const tables = new Map<string, string>()
  const triggers = new Map<string, string[]>()
  for (const { sql } of await readSchemas(join(ROOT, 'supabase/schemas')))
    for (const statement of statementsOf(sql)) {
      const [, kind, name = ''] = /^create (function|table) (\w+\.\w+)/.exec(statement) ?? []
      const [, table] = /^create trigger [^']*?\son (\w+\.\w+)/.exec(statement) ?? []
      if (kind === 'function' && name.startsWith('private.')) functions.set(name, statement)
      if (kind === 'table') tables.set(name, statement)
      if (table) triggers.set(table, [...(triggers.get(table) ?? []), statement])
    }
  return { functions: inOrder(functions), tables, triggers, capturing: await readCapturing() }
}

async function readCapturing(): Promise<Release['capturing']> {
  const sql = await readFile(join(ROOT, 'server/src/platform/30_realtime.sql'), 'utf8')
  return Object.fromEntries(
    ['capture_change', 'only'].map((name) => [
      name,
      sql.split(`function realtime.${name}(`)[1]?.split('$$')[1] ?? '',
    ]),
  )
}

// Matches a comment, a quoted text, a quoted name, a dollar-quoted body, the end of a statement, or anything else.
const TOKEN = /--.*\n?|'(?:[^']|'')*'|"[^"]*"|(\$\w*\$)[\s\S]*?\1|;|[^-'"$;]+|[-$]/g

/** Returns the statements of a script, without the comments between them. */
function statementsOf(sql: string): string[] {
  const statements: string[] = []
  let statement = ''
  for (const [token] of sql.matchAll(TOKEN)) {
    if (token === ';') {
      statements.push(statement.trim())
      statement = ''
    } else if (!token.startsWith('--') || statement.trim() !== '') statement += token
  }
  return statements
}

const CALL = /\bprivate\.\w+(?=\()/g

/** Sorts functions so that each comes after those it calls, which must exist already if its body is an expression. */
function inOrder(functions: Map<string, string>): Map<string, string> {
  const ordered = new Map<string, string>()
  const add = (name: string, path: readonly string[]) => {
    const statement = functions.get(name)
    if (ordered.has(name) || path.includes(name) || statement === undefined) return
    for (const [called] of statement.matchAll(CALL)) add(called, [...path, name])
    ordered.set(name, statement)
  }
  for (const name of functions.keys()) add(name, [])
  return ordered
}

/** Empties the search path. With a manipulated one, the owner's functions could come before those of Postgres. */
const PATH = `set local search_path = ''`

const REFERENCE = /\breferences \w+\.\w+ \([\w, ]+\)(?: on delete (?:cascade|restrict|set null))?/g

/**
 * Creates the functions of the release in a new schema, and returns the schema's name. The functions call each other,
 * never the functions with the same names in the database. The caller must roll the transaction back.
 */
export async function installRelease(tx: Transaction): Promise<string> {
  const { functions, tables, triggers } = await releaseOnce()
  const schema = `release_${randomBytes(6).toString('hex')}`
  const moved = (statement: string) =>
    `${statement.replaceAll(CALL, (call) => (functions.has(call) ? call.replace('private', schema) : call))};`
  await tx.script(`${PATH}; create schema ${schema} authorization ${OWNER_ROLE}; set local role ${OWNER_ROLE};
    set local check_function_bodies = off; ${[...functions.values()].map(moved).join('\n')}`)
  // Copy the tables that have guards, without their foreign keys, because those would lock the site's tables.
  const guarded = await tx.query<{ relation: string }>(
    `select distinct relation from ${schema}.book_guards()`,
  )
  for (const { relation } of guarded) {
    const copy = `${schema}.${relation.replace(/^\w+\./, '')}`
    const of = (statement: string) => moved(statement.replace(relation, copy))
    const table = (tables.get(relation) ?? '').replaceAll(REFERENCE, '')
    await tx.script([table, ...(triggers.get(relation) ?? [])].map(of).join('\n'))
  }
  return schema
}

/**
 * Returns the faults of the books, which the checks installed in this schema find, and the differences between the
 * database and the release.
 */
export async function faultsInBooks(tx: Transaction, schema: string, hash?: string): Promise<Fault[]> {
  await tx.script(PATH)
  const faults = await tx.query<Fault>(`select * from ${schema}.check_books($1)`, [hash ?? null])
  const { capturing } = await releaseOnce()
  return [...faults, ...(await tx.query<Fault>(COMPARISON, [schema, JSON.stringify(capturing)]))]
}
