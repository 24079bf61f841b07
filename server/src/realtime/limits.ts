// How much one person may ask of realtime before being refused or dropped.
export interface Limits {
  /** Largest frame a client may send, in bytes; larger ones close the socket with 1009. */
  frameBytes: number
  /** A socket that leaves more than this unread is dropped: its client reconnects and reads anew. */
  bufferedBytes: number
  /** Frames of one socket waiting for their turn. */
  pendingFrames: number
  /** Open sockets of this server. */
  sockets: number
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
  pendingFrames: 256,
  sockets: 10_000,
  channelsPerSocket: 100,
  bindingsPerSocket: 300,
  silentMs: 90_000,
  sweepMs: 15_000,
}
