// Maps Postgres errors to HTTP statuses.

const BY_CODE: Record<string, number> = {
  '23503': 409,
  '23505': 409,
  '25006': 405,
  '42883': 404,
  '42P01': 404,
  '42P17': 500,
  '53400': 500,
  // Postgres is shutting down, has crashed, or has not started yet.
  '57P01': 503,
  '57P02': 503,
  '57P03': 503,
  P0001: 400,
}

const BY_CLASS: Record<string, number> = {
  '08': 503,
  '09': 500,
  '0L': 403,
  '0P': 403,
  '21': 500,
  '25': 500,
  '28': 403,
  '2D': 500,
  '38': 500,
  '39': 500,
  '3B': 500,
  '40': 500,
  '53': 503,
  '54': 500,
  '55': 500,
  '57': 500,
  '58': 500,
  F0: 500,
  HV: 500,
  P0: 500,
  XX: 500,
}

/** Returns the HTTP status of a Postgres error. If `anonymous`, the role is anon, which gets 401 instead of 403. */
export function statusOfSqlState(code: string, message: string, anonymous: boolean): number {
  if (code === '42501') return anonymous ? 401 : 403
  if (code === '21000' && message.endsWith('requires a WHERE clause')) return 400
  if (code === '22023' && /^role ".*" does not exist$/.test(message)) return 401
  if (code.startsWith('PT')) return customStatus(code.slice(2))
  return BY_CODE[code] ?? BY_CLASS[code.slice(0, 2)] ?? 400
}

/** Returns the status in `raise sqlstate 'PT404'`. */
function customStatus(digits: string): number {
  const status = Number(digits)
  return status >= 200 && status <= 599 ? status : 500
}
