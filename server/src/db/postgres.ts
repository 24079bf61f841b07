// Any Postgres 15 or newer by address, through a pool of connections.
import postgres from 'postgres'
import { PROJECT } from '../project.ts'
import { type Database, type Row, type Statement, toDatabaseError } from './database.ts'

const BEGIN: Statement = { text: 'begin' }
const BEGIN_READ_ONLY: Statement = { text: 'begin read only' }
const COMMIT: Statement = { text: 'commit' }
const ROLLBACK: Statement = { text: 'rollback' }

const asText = (value: unknown) => String(value)
// A connection keeps what it has prepared. Statements differ by shape, not by value; a server that meets more
// shapes than this is being probed, and sends the rest unprepared.
const MAX_PREPARED = 500
const OID = {
  bool: 16,
  int8: 20,
  int2: 21,
  int4: 23,
  float4: 700,
  float8: 701,
  date: 1082,
  time: 1114,
  json: 114,
}

/** Connects to `url`. `max` is the number of pooled connections; LISTEN takes one more. */
export async function openPostgres(url: string, { max = 10 }: { max?: number } = {}): Promise<Database> {
  const sql = postgres(url, {
    max,
    onnotice: () => undefined,
    // Arrays stay text, as everything that is not parsed below.
    fetch_types: false,
    connection: { TimeZone: 'UTC', application_name: PROJECT.name },
    // Values arrive as text already, and only booleans, numbers and json are worth parsing on the way out.
    types: {
      bool: { to: OID.bool, from: [OID.bool], serialize: asText, parse: (value: string) => value === 't' },
      number: {
        to: 0,
        from: [OID.int2, OID.int4, OID.int8, OID.float4, OID.float8],
        serialize: asText,
        parse: Number,
      },
      json: {
        to: OID.json,
        from: [OID.json, 3802],
        serialize: asText,
        parse: (text: string) => JSON.parse(text),
      },
      date: { to: 1184, from: [OID.date, OID.time, 1184], serialize: asText, parse: asText },
      bytea: { to: 17, from: [17], serialize: asText, parse: asText },
    },
  })
  await sql`select 1`

  const kept = new Set<string>()
  const worthKeeping = (text: string) => {
    if (kept.size < MAX_PREPARED) kept.add(text)
    return kept.has(text)
  }
  const refuse = (error: unknown): never => {
    throw toDatabaseError(error)
  }
  const rowsOf = <R extends Row>(result: Iterable<postgres.Row>) => [...result] as unknown as R[]
  return {
    kind: 'postgres',
    query: async <R extends Row>(text: string, values: readonly (string | null)[] = []) =>
      rowsOf<R>(await sql.unsafe(text, [...values], { prepare: worthKeeping(text) }).catch(refuse)),
    transaction: async (work) =>
      (await sql
        .begin((tx) =>
          work({
            query: async <R extends Row>(text: string, values: readonly (string | null)[] = []) =>
              rowsOf<R>(await tx.unsafe(text, [...values], { prepare: worthKeeping(text) }).catch(refuse)),
            script: async (text) => {
              await tx.unsafe(text).simple().catch(refuse)
            },
          }),
        )
        .catch(refuse)) as Awaited<ReturnType<typeof work>>,
    batch: async (statements, { readOnly, beforeCommit } = {}) => {
      const connection = await sql.reserve().catch(refuse)
      let alive = true
      // Sent together: the connection pipelines them, and the first refusal fails those behind it.
      const send = async (wanted: readonly Statement[]): Promise<Row[][]> => {
        const answers = await Promise.allSettled(
          wanted.map(({ text, values = [] }) =>
            connection.unsafe(text, [...values], { prepare: worthKeeping(text) }).execute(),
          ),
        )
        const refusals = answers.flatMap((answer) => (answer.status === 'rejected' ? [answer.reason] : []))
        alive = refusals.every((reason) => reason instanceof postgres.PostgresError)
        if (refusals.length > 0) throw refusals[0]
        return answers.map((answer) => (answer.status === 'fulfilled' ? rowsOf<Row>(answer.value) : []))
      }
      const begin = readOnly ? BEGIN_READ_ONLY : BEGIN
      // A read has nothing to take back, so it need not wait for what the caller says to its rows.
      const open = !readOnly && beforeCommit !== undefined
      try {
        const results = await send(open ? [begin, ...statements] : [begin, ...statements, COMMIT])
        const rows = results.slice(1, statements.length + 1)
        beforeCommit?.(rows)
        if (open) await send([COMMIT])
        return rows
      } catch (error) {
        if (open && alive) await send([ROLLBACK]).catch(() => undefined)
        return refuse(error)
      } finally {
        // The pool has already forgotten a connection that broke; released, it would come back dead.
        if (alive) connection.release()
      }
    },
    listen: async (channel, hear) => (await sql.listen(channel, hear)).unlisten,
    close: () => sql.end({ timeout: 5 }),
  }
}
