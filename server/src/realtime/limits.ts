// Limits of realtime. Beyond them, requests are refused or sockets dropped.
import type { Rate } from './rate.ts'

export interface Limits {
  /**
   * The largest frame from a client in bytes; a larger one closes the socket with 1009. Also applies to broadcasts over
   * HTTP.
   */
  frameBytes: number
  /**
   * The maximum number of unread bytes of a socket. Beyond that it is dropped, and its client reconnects and reloads.
   */
  bufferedBytes: number
  /** The maximum number of unread bytes of all sockets together. Beyond that, the slowest reader is dropped. */
  backlogBytes: number
  /**
   * The rates of frames and of joins per socket. A client that reconnects sends the joins of all its channels together.
   */
  frames: Rate
  joins: Rate
  pendingFrames: number
  /** The maximum number of open sockets: of this server, per address (for IPv6 per network), and per person. */
  sockets: number
  socketsPerAddress: number
  socketsPerPerson: number
  /** The share of sockets for strangers, who have not joined with a person's token. */
  strangersShare: number
  channelsPerSocket: number
  bindingsPerSocket: number
  /**
   * Silence in ms after which a socket is closed. Clients send heartbeats every 25 to 30 s, throttled tabs once a
   * minute.
   */
  silentMs: number
  /** The interval in ms between searches for silent sockets. */
  sweepMs: number
}

export const LIMITS: Limits = {
  frameBytes: 256 * 1024,
  bufferedBytes: 4 * 1024 * 1024,
  backlogBytes: 256 * 1024 * 1024,
  frames: { burst: 500, perSecond: 50 },
  joins: { burst: 200, perSecond: 10 },
  pendingFrames: 256,
  sockets: 10_000,
  socketsPerAddress: 500,
  socketsPerPerson: 50,
  strangersShare: 0.5,
  channelsPerSocket: 100,
  bindingsPerSocket: 300,
  silentMs: 90_000,
  sweepMs: 15_000,
}
