// Turns a statement's row into a response: status, headers, and the body as Postgres wrote it.
import { type Answer, RestError } from './errors.ts'
import type { RowWindow } from './parse/window.ts'
import type { Method, Prepared } from './prepare.ts'
import type { ResultRow } from './sql/statement.ts'

export interface Asked {
  method: Method
  window: RowWindow
  /** Path and query without the prefix. */
  address: string
}

/** Builds the response. Throws the errors that roll back a write: PGRST116, PGRST124 and invalid response settings. */
export function respond(prepared: Prepared, row: ResultRow, asked: Asked): Answer {
  refuseWrongCount(prepared, row)
  const { status, range } = place(prepared, row, asked.window)
  const headers: Record<string, string> = { 'Content-Range': range }
  const hasBody = prepared.body !== 'none'
  if (hasBody) headers['Content-Type'] = prepared.media.contentType
  if (asked.method === 'GET' || asked.method === 'HEAD') headers['Content-Location'] = asked.address
  if (prepared.applied !== '') headers['Preference-Applied'] = prepared.applied
  if (row.location) headers.Location = asked.address.replace(/\?.*/, '') + addressOf(row.location)
  if (row.headers !== null) Object.assign(headers, readHeaders(row.headers))
  return {
    status: row.status === null ? status : readStatus(row.status),
    headers,
    body: hasBody && asked.method !== 'HEAD' ? (row.body ?? 'null') : null,
  }
}

function refuseWrongCount({ media, prefer, action }: Prepared, { rows }: ResultRow): void {
  if (media.singular && rows !== 1) {
    throw new RestError('PGRST116', 'Cannot coerce the result to a single JSON object', {
      details: `The result contains ${rows} rows`,
    })
  }
  const most = prefer.handling === 'strict' && action !== 'insert' ? prefer.maxAffected : undefined
  if (most !== undefined && action !== 'read' && rows > most) {
    throw new RestError('PGRST124', 'Query result exceeds max-affected preference constraint', {
      details: `The query affects ${rows} rows`,
    })
  }
}

function place(prepared: Prepared, row: ResultRow, window: RowWindow): { status: number; range: string } {
  const { action, body, prefer } = prepared
  if (action === 'read' || action === 'call') {
    return placePage(row, prepared.paged ? window.offset : 0, action === 'call' && body === 'none')
  }
  const total = prefer.count === undefined ? '*' : row.rows
  const touched = action === 'update' && row.rows > 0 ? `0-${row.rows - 1}` : '*'
  const range = `${touched}/${total}`
  if (action !== 'insert') return { status: body === 'none' ? 204 : 200, range }
  const nothingNew = prepared.merges && row.rows <= Number(row.merged ?? 0)
  return { status: nothingNew ? 200 : 201, range }
}

function placePage(
  { rows, total }: ResultRow,
  offset: number,
  silent: boolean,
): { status: number; range: string } {
  const shown = rows > 0 ? `${offset}-${offset + rows - 1}` : '*'
  if (total === undefined || total === null) return { status: silent ? 204 : 200, range: `${shown}/*` }
  if (offset > total) {
    throw new RestError('PGRST103', 'Requested range not satisfiable', {
      details: `An offset of ${offset} was requested, but there are only ${total} rows.`,
      headers: { 'Content-Range': `*/${total}` },
    })
  }
  return { status: silent ? 204 : rows < total ? 206 : 200, range: `${shown}/${total}` }
}

function addressOf(key: string): string {
  const columns = Object.entries(JSON.parse(key) as Record<string, string | null>)
  const filters = columns.map(
    ([name, value]) =>
      `${encodeURIComponent(name)}=${value === null ? 'is.null' : `eq.${encodeURIComponent(value)}`}`,
  )
  return `?${filters.join('&')}`
}

/** Parses the setting response.headers: `[{"Cache-Control": "no-store"}, …]`. */
function readHeaders(text: string): Record<string, string> {
  const read: Record<string, string> = {}
  try {
    for (const item of JSON.parse(text) as object[]) {
      const [entry, second] = Object.entries(item)
      if (!entry || second || typeof entry[1] !== 'string') throw new TypeError('not one name and text')
      read[new Headers([entry]).keys().next().value as string] = entry[1]
    }
    return read
  } catch {
    throw new RestError(
      'PGRST111',
      'response.headers guc must be a JSON array composed of objects with a single key and a string value',
    )
  }
}

function readStatus(text: string): number {
  const status = /^\d{3}$/.test(text) ? Number(text) : 0
  if (status >= 200 && status <= 599) return status
  throw new RestError('PGRST112', 'response.status guc must be a valid status code')
}
