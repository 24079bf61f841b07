// The errors of the Data API, and the responses to them.
import type { Logger } from 'pino'
import { DatabaseError } from '#db/database.ts'
import { TooManyWaiting } from '#db/turns.ts'
import { Refused } from '#identity/caller.ts'
import { statusOfSqlState } from './sqlstate.ts'

/** PostgREST's own error codes, each with its status. */
const STATUS = {
  PGRST002: 503,
  PGRST100: 400,
  PGRST101: 405,
  PGRST102: 400,
  PGRST103: 416,
  PGRST106: 406,
  PGRST107: 406,
  PGRST108: 400,
  PGRST111: 500,
  PGRST112: 500,
  PGRST116: 406,
  PGRST117: 405,
  PGRST118: 400,
  PGRST119: 400,
  PGRST120: 400,
  PGRST121: 500,
  PGRST122: 400,
  PGRST123: 400,
  PGRST124: 400,
  PGRST125: 404,
  PGRST126: 404,
  PGRST128: 400,
  PGRST200: 400,
  PGRST201: 300,
  PGRST202: 404,
  PGRST203: 300,
  PGRST204: 400,
  PGRST205: 404,
  PGRST301: 401,
  PGRST303: 401,
  PGRSTX00: 500,
} as const

export type RestCode = keyof typeof STATUS

interface Extras {
  details?: unknown
  hint?: string
  /** Overrides the status that belongs to the code. */
  status?: number
  headers?: Record<string, string>
}

/** An error of this server. `message` is sent to the client. */
export class RestError extends Error {
  readonly code: RestCode
  readonly status: number
  readonly details: unknown
  readonly hint: string | null
  readonly headers: Record<string, string>
  constructor(code: RestCode, message: string, { details = null, hint, status, headers = {} }: Extras = {}) {
    super(message)
    this.name = 'RestError'
    this.code = code
    this.status = status ?? STATUS[code]
    this.details = details
    this.hint = hint ?? null
    this.headers = headers
  }
}

/**
 * Returns a Postgres error that this server raises before the statement runs; on hosted Supabase, Postgres raises it.
 */
export const unconditional = (verb: 'UPDATE' | 'DELETE') =>
  new DatabaseError({ code: '21000', message: `${verb} requires a WHERE clause` })

export interface Answer {
  status: number
  headers: Record<string, string>
  body: string | null
}

const JSON_TYPE = { 'Content-Type': 'application/json; charset=utf-8' }

/** Turns any thrown value into a response. Unexpected errors are logged once, and their response has no details. */
export function answerError(error: unknown, { anonymous, log }: { anonymous: boolean; log: Logger }): Answer {
  if (error instanceof RestError) {
    const { status, code, details, hint, message } = error
    return written(status, { code, details, hint, message }, error.headers)
  }
  if (error instanceof Refused) return answerRefused(error)
  if (error instanceof DatabaseError) return answerDatabase(error, anonymous)
  log.error({ err: error }, 'A data request failed')
  return written(500, { code: 'PGRSTX00', details: null, hint: null, message: 'Internal server error' })
}

function answerRefused({ reason, message, expired }: Refused): Answer {
  if (reason === 'no key') {
    return written(401, { message, hint: 'No `apikey` request header or url param was found.' })
  }
  if (reason === 'bad key') {
    return written(401, { message, hint: 'Double check your Supabase `anon` or `service_role` API key.' })
  }
  const challenge = `Bearer error="invalid_token", error_description="${message.replace(/["\\\r\n]/g, "'")}"`
  const code: RestCode = expired ? 'PGRST303' : 'PGRST301'
  return written(401, { code, details: null, hint: null, message }, { 'WWW-Authenticate': challenge })
}

function answerDatabase(error: DatabaseError, anonymous: boolean): Answer {
  if (error.code === 'PGRST') return answerRaised(error)
  const { code, detail: details, hint, message } = error
  const status = statusOfSqlState(code, message, anonymous)
  return written(
    status,
    { code, details, hint, message },
    {
      ...(status === 401 && { 'WWW-Authenticate': 'Bearer' }),
      ...((status === 503 || error instanceof TooManyWaiting) && { 'Retry-After': '1' }),
    },
  )
}

/**
 * Returns the response to `raise sqlstate 'PGRST'`: MESSAGE contains the body, DETAIL the status and headers, all as
 * JSON.
 */
function answerRaised({ message, detail }: DatabaseError): Answer {
  const body = objectOf(message)
  const reply = objectOf(detail)
  const status = Number(reply?.status)
  const headers = headersOf(reply?.headers ?? {})
  const sound = headers && status >= 200 && status <= 599
  if (!sound || typeof body?.code !== 'string' || typeof body.message !== 'string') {
    return written(500, {
      code: 'PGRST121',
      details: 'MESSAGE must hold a code and a message, DETAIL a status and headers',
      hint: null,
      message: 'Could not parse JSON in the "RAISE SQLSTATE \'PGRST\'" error',
    })
  }
  const { code, details = null, hint = null, message: text } = body
  return written(status, { code, details, hint, message: text }, headers)
}

function headersOf(value: unknown): Record<string, string> | undefined {
  try {
    return Object.fromEntries(new Headers(value as Record<string, string>))
  } catch {
    return undefined
  }
}

function objectOf(text: string | null): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text ?? '')
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined
  } catch {
    return undefined
  }
}

function written(status: number, body: unknown, headers: Record<string, string> = {}): Answer {
  return { status, headers: { ...JSON_TYPE, ...headers }, body: JSON.stringify(body) }
}
