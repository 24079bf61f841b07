// Parses request bodies. Postgres parses the JSON itself, so only its form and keys are checked here.
import { type RestCode, RestError } from '../errors.ts'

export interface Payload {
  /** The body as it arrived, which is sent to Postgres. */
  json: string
  /** The keys of the body's objects. */
  keys: string[]
  rows: number
}

export const MOST_BODY_BYTES = 1_048_576

const badBody = (message: string) => new RestError('PGRST102', message)

/** Parses rows to write: an object, or an array of objects, which must have the same keys unless `anyKeys`. */
export function parseRows(text: string, { anyKeys }: { anyKeys: boolean }): Payload {
  const value = parseJson(text)
  if (!Array.isArray(value)) return { json: `[${text}]`, keys: keysOf(value), rows: 1 }
  const [first] = value
  const keys = first === undefined ? [] : keysOf(first)
  for (const row of value) {
    if (typeof row !== 'object' || row === null) throw badBody('All object keys must match')
    const own = keysOf(row)
    if (!anyKeys && !(own.length === keys.length && keys.every((key) => Object.hasOwn(row, key)))) {
      throw badBody('All object keys must match')
    }
  }
  return { json: text, keys, rows: value.length }
}

/** Parses the arguments of a function. An empty body means no arguments; of an array, only the first object is used. */
export function parseArguments(text: string): Payload {
  if (text === '') return { json: '{}', keys: [], rows: 1 }
  const whole = parseJson(text)
  const value: unknown = Array.isArray(whole) ? whole[0] : whole
  const named = typeof value === 'object' && value !== null && !Array.isArray(value)
  return { json: text, keys: named ? Object.keys(value) : [], rows: 1 }
}

function keysOf(value: unknown): string[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw badBody('Empty or invalid json')
  }
  return Object.keys(value)
}

const DEEPEST = 500
const TOKEN = /"(?:[^"\\]|\\.)*(?:"|$)|[[{]|[\]}]/gs

/** Refuses deeply nested JSON: Postgres parses it recursively and runs out of stack at a few thousand levels. */
export function refuseDeep(text: string, code: RestCode): void {
  if (text.length <= DEEPEST) return
  let depth = 0
  for (const [token] of text.matchAll(TOKEN)) {
    if (token === '[' || token === '{') depth += 1
    else if (token === ']' || token === '}') depth -= 1
    if (depth > DEEPEST) throw new RestError(code, `The json nests deeper than ${DEEPEST} levels`)
  }
}

function parseJson(text: string): unknown {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw badBody('Empty or invalid json')
  }
  refuseDeep(text, 'PGRST102')
  return value
}

/** Reads a body of at most MOST_BODY_BYTES; refuses a longer one with 413 without buffering it. */
export async function readBody(request: Request): Promise<string> {
  const type = request.headers.get('content-type')
  if (type && !/^application\/(?:[\w.-]+\+)?json\b/i.test(type)) {
    throw new RestError('PGRST102', `Content-Type not acceptable: ${type}`, { status: 415 })
  }
  const length = request.headers.get('content-length')
  if (length !== null && Number(length) > MOST_BODY_BYTES) throw tooLarge()
  if (length !== null) return request.text()
  if (!request.body) return ''
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of request.body as unknown as AsyncIterable<Uint8Array>) {
    size += chunk.byteLength
    if (size > MOST_BODY_BYTES) throw tooLarge()
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

const tooLarge = () =>
  new RestError('PGRST102', 'Request body too large', {
    details: `A body may have at most ${MOST_BODY_BYTES} bytes.`,
    status: 413,
  })
