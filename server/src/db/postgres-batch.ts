// Sends several statements in one message. Postgres runs them as one transaction, which ends with the Sync after the
// last statement; the first error skips the rest. `pg` itself syncs, describes and builds a result for each statement,
// which costs more than a small read.
import pg from 'pg'
import type { Row, Statement } from './database.ts'

interface Field {
  name: string
  parse: (text: string) => unknown
}

const { builtins: OID } = pg.types
const parseJson = (text: string): unknown => JSON.parse(text)
// Only booleans, numbers and JSON are worth parsing; values of every other type stay Postgres text.
const PARSERS = new Map<number, (text: string) => unknown>([
  [OID.BOOL, (text) => text === 't'],
  ...[OID.INT2, OID.INT4, OID.INT8, OID.FLOAT4, OID.FLOAT8].map((oid) => [oid, Number] as const),
  [OID.JSON, parseJson],
  [OID.JSONB, parseJson],
])

/**
 * A statement, named if it should stay prepared. A name must always stand for the same SQL, because a statement that is
 * already prepared under it is not parsed again.
 */
interface Named extends Statement {
  name: string | undefined
}

// The columns of the statements that are certainly prepared, for each connection.
const described = new WeakMap<pg.Connection, Map<string, Field[]>>()

/** A custom query for `pg`. Calls `settle` with the rows of every statement, or with the error. */
class Batch implements pg.Submittable {
  readonly #statements: readonly Named[]
  readonly #settle: (error: unknown, results: Row[][]) => void
  readonly #results: Row[][]
  #known = new Map<string, Field[]>()
  #at = 0
  #fields: Field[] | undefined

  constructor(statements: readonly Named[], settle: (error: unknown, results: Row[][]) => void) {
    this.#statements = statements
    this.#settle = settle
    this.#results = statements.map(() => [])
  }

  submit(connection: pg.Connection): void {
    this.#known = described.get(connection) ?? this.#known
    described.set(connection, this.#known)
    const fresh = new Set<string | undefined>()
    connection.stream.cork()
    for (const { name = '', text, values = [] } of this.#statements) {
      const isKnown = this.#known.has(name)
      if (!isKnown && !fresh.has(name)) {
        // After an error it is unknown which statements were prepared. Closing one that does not exist is no error.
        if (name) connection.close({ type: 'S', name }, true)
        connection.parse({ name, text, types: [] }, true)
        if (name) fresh.add(name)
      }
      connection.bind({ statement: name, values: [...values] }, true)
      if (!isKnown) connection.describe({ type: 'P', name: '' }, true)
      connection.execute({}, true)
    }
    connection.sync()
    connection.stream.uncork()
  }

  handleRowDescription({ fields }: { fields: { name: string; dataTypeID: number }[] }): void {
    this.#fields = fields.map(({ name, dataTypeID }) => ({ name, parse: PARSERS.get(dataTypeID) ?? String }))
  }

  handleDataRow({ fields: values }: { fields: (string | null)[] }): void {
    const fields = this.#fields ?? this.#known.get(this.#statements[this.#at]?.name ?? '') ?? []
    const row: Row = {}
    for (const [index, { name, parse }] of fields.entries()) {
      const value = values[index] ?? null
      row[name] = value === null ? null : parse(value)
    }
    this.#results[this.#at]?.push(row)
  }

  handleCommandComplete(): void {
    const name = this.#statements[this.#at]?.name
    if (name !== undefined && !this.#known.has(name)) this.#known.set(name, this.#fields ?? [])
    this.#fields = undefined
    this.#at += 1
  }

  handleEmptyQuery(): void {
    this.handleCommandComplete()
  }

  handleError(error: unknown): void {
    this.#settle(error, [])
  }

  handleReadyForQuery(): void {
    this.#settle(undefined, this.#results)
  }
}

/** Runs the statements in one transaction, unless the session is already in one. Returns rows per statement. */
export const runBatch = (client: pg.ClientBase, statements: readonly Named[]): Promise<Row[][]> =>
  new Promise((resolve, reject) => {
    client.query(new Batch(statements, (error, results) => (error ? reject(error) : resolve(results))))
  })
