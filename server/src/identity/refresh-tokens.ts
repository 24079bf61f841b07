// Refresh tokens are computed, not stored: session, number, and a seal that needs the project's secret. That way
// a client which asks twice can be given the very same token again, though the database holds none.
import { timingSafeEqual } from 'node:crypto'
import type { Tokens } from './tokens.ts'

const SESSION_BYTES = 16
const COUNTER_BYTES = 4
const SEAL_BYTES = 16
const TOKEN = /^[A-Za-z0-9_-]{48}$/

export interface RefreshTicket {
  sessionId: string
  counter: number
}

export function writeRefreshToken(tokens: Tokens, ticket: RefreshTicket): string {
  const body = Buffer.alloc(SESSION_BYTES + COUNTER_BYTES)
  body.write(ticket.sessionId.replaceAll('-', ''), 'hex')
  body.writeUInt32BE(ticket.counter, SESSION_BYTES)
  return Buffer.concat([body, seal(tokens, body)]).toString('base64url')
}

/** What the token names, or null when this server never issued it. */
export function readRefreshToken(tokens: Tokens, token: string): RefreshTicket | null {
  if (!TOKEN.test(token)) return null
  const bytes = Buffer.from(token, 'base64url')
  const body = bytes.subarray(0, SESSION_BYTES + COUNTER_BYTES)
  if (!timingSafeEqual(bytes.subarray(body.length), seal(tokens, body))) return null
  const hex = body.toString('hex', 0, SESSION_BYTES)
  return {
    sessionId: hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5'),
    counter: body.readUInt32BE(SESSION_BYTES),
  }
}

const seal = (tokens: Tokens, body: Buffer) =>
  tokens.digest('refresh-token', body.toString('hex')).subarray(0, SEAL_BYTES)
