// What each of nine people around one plan may do, in words a test can execute and a reader can check.
//
// A new table or function makes matrix.test.ts fail until it is written down. Two minutes:
// 1. In cells/<noun>.ts copy a neighbour, name the object, and give each attempt its nine answers, in the order of
//    ROLES. Names like :me and :plan stand for ids of scene.ts (its `ids`); :me is who tries.
// 2. `npx vitest run --project supabase supabase/tests/authorization -t <object>` says where the
//    database disagrees. Either the cell or the SQL is wrong: decide which.
// 3. `npm run types` writes docs/authorization.md, also after a change of columns.
//
// Answers. A SQLSTATE: refused with it. For select, update and delete also which rows are reached: 'all', 'none' or
// the name of a set in `rows`; 'own, 23514' reaches the own ones, and at least one row was refused with 23514.
// For insert 'yes'. For a call 'yes', 'true', 'false', or 'nothing' for null and no rows.

export const ROLES = [
  'visitor',
  'stranger',
  'requester',
  'member',
  'former member',
  'owner',
  'moderator',
  'admin',
  'super-admin',
] as const
export type Role = (typeof ROLES)[number]

/** One answer per role, in the order of ROLES: leaving one out does not compile. */
export type Nine = readonly [
  visitor: string,
  stranger: string,
  requester: string,
  member: string,
  formerMember: string,
  owner: string,
  moderator: string,
  admin: string,
  superAdmin: string,
]

/** SQL to try, and what comes of it. */
type Attempt = readonly [sql: string, answers: Nine]

export interface Write {
  /** The columns a client may set; the test tries every other one and expects 42501. */
  columns: readonly string[]
  attempts: Readonly<Record<string, Attempt>>
}

export interface TableCells {
  /** Sets of rows, each a SQL condition. */
  rows?: Readonly<Record<string, string>>
  select: Nine
  /** Columns that nobody selects; the test tries each. */
  hidden?: readonly string[]
  /** What follows `insert into <table>`; NOBODY when no client ever inserts. */
  insert: Write | typeof NOBODY
  /** What follows `update <table> set`, tried on every row by its key. */
  update: Write | typeof NOBODY
  delete: Nine
}

/** Calls of one function by what they are about, each `name(arguments)`. */
export type FunctionCells = Readonly<Record<string, Attempt>>

export interface Cells {
  tables?: Readonly<Record<string, TableCells>>
  functions?: Readonly<Record<string, FunctionCells>>
}

/** A right no client has: refused before any row is looked at. */
export const NOBODY: Nine = ['42501', '42501', '42501', '42501', '42501', '42501', '42501', '42501', '42501']

/** One answer for visitors, and the same for all who have signed in. */
export const visitorsApart = (visitor: string, answer: string): Nine => [
  visitor,
  answer,
  answer,
  answer,
  answer,
  answer,
  answer,
  answer,
  answer,
]

/** The same for all, signed in or not. */
export const everybody = (answer: string): Nine => visitorsApart(answer, answer)

/** The same for all who have signed in, and nothing for visitors. */
export const signedIn = (answer: string): Nine => visitorsApart('42501', answer)

export const isNobody = (write: Write | typeof NOBODY): write is typeof NOBODY => Array.isArray(write)
