// How much one person may ask of realtime before being refused or dropped.
import type { Rate } from './rate.ts'

export interface Limits {
  /** Largest frame a client may send, in bytes; larger ones close the socket with 1009. Broadcasts over HTTP obey it too. */
  frameBytes: number
  /** A socket that leaves more than this unread is dropped: its client reconnects and reads anew. */
  bufferedBytes: number
  /** The same of all sockets together: the slowest of them is dropped. */
  backlogBytes: number
  /** Frames of one socket, and joins among them. A client that comes back joins all its channels at once. */
  frames: Rate
  joins: Rate
  /** Frames of one socket waiting for their turn. */
  pendingFrames: number
  /** Open sockets of this server; of one address, or network of IPv6; and of one person. */
  sockets: number
  socketsPerAddress: number
  socketsPerPerson: number
  /** How much of the sockets may be of strangers, who have not joined with a person's token. */
  strangersShare: number
  channelsPerSocket: number
  bindingsPerSocket: number
  /** A socket silent for this long is gone. Clients beat every 25 to 30 s, throttled tabs once a minute. */
  silentMs: number
  /** How often silent sockets are looked for. */
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
