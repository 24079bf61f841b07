// Runs a prepared statement as the caller, in the one transaction the request has.
import { asCaller, type Caller } from '#db/as-caller.ts'
import type { Database, Row } from '#db/database.ts'
import type { Answer } from './errors.ts'
import type { Prepared } from './prepare.ts'
import type { ReadRequest } from './request.ts'
import { respond } from './respond.ts'
import type { ResultRow } from './sql/statement.ts'

export interface Run {
  caller: Caller
  request: ReadRequest
  prepared: Prepared
  /** The headers of the request as a JSON object, for SQL to read. */
  headers: string
}

/** The answer; throws what Postgres or the answer itself refuses, and then nothing is written. */
export async function run(db: Database, { caller, request, prepared, headers }: Run): Promise<Answer> {
  const { literals } = request.query
  const values = prepared.parameters.map((parameter) =>
    typeof parameter === 'number' ? (literals[parameter] ?? null) : parameter,
  )
  let answer: Answer | undefined
  const conclude = ([rows]: Row[][]): Answer => {
    answer = respond(prepared, rows?.[0] as unknown as ResultRow, request)
    return answer
  }
  const results = await asCaller(db, caller, [{ text: prepared.text, values }], {
    readOnly: prepared.readOnly,
    request: { method: request.method, path: request.path, headers },
    // An answer that cannot be given takes back what was written; where nothing was, the commit need not wait.
    ...(!prepared.readOnly && { beforeCommit: conclude }),
  })
  return answer ?? conclude(results)
}
