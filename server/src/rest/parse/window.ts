// The requested range of rows: `limit` and `offset`, or a `Range: 0-9` header.
import { RestError } from '../errors.ts'

export interface RowWindow {
  offset: number
  /** Null means no limit. */
  limit: number | null
}

export function parseWindow(asked: {
  limit: string | undefined
  offset: string | undefined
  range: string | undefined
}): RowWindow {
  const fromHeader = parseRange(asked.range)
  const limit = wholeNumber(asked.limit)
  const offset = Math.max(0, wholeNumber(asked.offset) ?? 0)
  if (limit !== null && limit < 0) refuse('Limit should be greater than or equal to zero.')
  const first = Math.max(offset, fromHeader.offset)
  const ends = [
    limit === null ? Number.POSITIVE_INFINITY : offset + limit,
    fromHeader.limit === null ? Number.POSITIVE_INFINITY : fromHeader.offset + fromHeader.limit,
  ]
  const length = Math.max(0, Math.min(...ends) - first)
  return { offset: first, limit: Number.isFinite(length) ? length : null }
}

export function capWindow(window: RowWindow, most: number): RowWindow {
  return { offset: window.offset, limit: Math.min(window.limit ?? most, most) }
}

/** A window as it appears in a statement. */
export interface Page {
  limit: number | null
  /** Null if the offset is in its slot. */
  offset: number | null
}

const NEAR_PAGES = 10

/**
 * Limits are literals in the statement, as are common page offsets: without a known number of rows, Postgres would plan
 * the statement again for each request, which doubles the cost of a small read. Other offsets share one statement,
 * since their number is unbounded.
 */
export function pageOf({ offset, limit }: RowWindow): Page {
  const near = limit !== null && offset % limit === 0 && offset <= limit * NEAR_PAGES
  return { limit, offset: offset === 0 || near ? offset : null }
}

// As in PostgREST, a value that is not a number is ignored.
function wholeNumber(text: string | undefined): number | null {
  return text !== undefined && /^-?\d{1,15}$/.test(text) ? Number(text) : null
}

function parseRange(header: string | undefined): RowWindow {
  const [, first, last] = /^(?:items=)?(\d{1,15})-(\d{0,15})$/.exec(header ?? '') ?? []
  if (first === undefined) return { offset: 0, limit: null }
  if (!last) return { offset: Number(first), limit: null }
  if (Number(last) < Number(first)) {
    refuse('The lower boundary must be lower than or equal to the upper boundary in the Range header.')
  }
  return { offset: Number(first), limit: Number(last) - Number(first) + 1 }
}

function refuse(details: string): never {
  throw new RestError('PGRST103', 'Requested range not satisfiable', { details })
}
