// Limits on one person's use of realtime, beyond which requests are refused or the socket dropped.
import type { Rate } from './rate.ts'

export interface Limits {
  /** Largest frame a client may send, in bytes; larger ones close the socket with 1009. Broadcasts over HTTP obey it too. */
  frameBytes: number
  /** A socket with more unread bytes than this is dropped: its client reconnects and reloads. */
  bufferedBytes: number
  /** The limit for all sockets together: the slowest is dropped. */
  backlogBytes: number
  /** Rates of frames per socket, and of joins among them. A client that reconnects joins all its channels at once. */
  frames: Rate
  joins: Rate
  /** Queued frames per socket. */
  pendingFrames: number
  /** Open sockets of this server, per address (for IPv6 per network), and per person. */
  sockets: number
  socketsPerAddress: number
  socketsPerPerson: number
  /** The share of sockets available to strangers, who have not joined with a person's token. */
  strangersShare: number
  channelsPerSocket: number
  bindingsPerSocket: number
  /** A socket silent for this long is closed. Clients send heartbeats every 25 to 30 s, throttled tabs once a minute. */
  silentMs: number
  /** How often silent sockets are searched for. */
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
