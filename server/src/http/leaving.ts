// Makes clients close their connections when the server stops, without losing a request that is already on its way.
import type { Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { setImmediate as thisTurn } from 'node:timers/promises'

/**
 * Once the returned function is called, each response says `Connection: close`, so that its connection ends after it.
 * Idle connections stay open, since a client may be sending a request on one, which `server.close()` would reset.
 */
export function announceLeaving(server: Server): () => void {
  // The map has an entry per connection, not per response: adding and removing each response left tables behind that
  // kept responses alive, and their garbage collection stopped the server for milliseconds, many times a second.
  const answering = new Map<Socket, ServerResponse | undefined>()
  let isLeaving = false
  server.on('connection', (socket) => {
    answering.set(socket, undefined)
    socket.once('close', () => answering.delete(socket))
  })
  // Runs before the listener that responds, which may respond immediately.
  server.prependListener('request', ({ socket }, response) => {
    response.shouldKeepAlive &&= !isLeaving
    answering.set(socket, response)
    response.once('close', () => {
      if (answering.get(socket) === response) answering.set(socket, undefined)
    })
  })
  return () => {
    isLeaving = true
    for (const response of answering.values())
      if (response && !response.headersSent) response.shouldKeepAlive = false
  }
}

// Time in ms; a turn of the event loop that takes less had nothing to do.
const QUIET_MS = 0.1
const LONGEST_WAIT_MS = 500

/** Resolves after a turn of the event loop in which nothing arrived, or after half a second on a busy server. */
export async function quietTurn(): Promise<void> {
  const first = performance.now()
  for (let began = first, ended = 0; ended - first < LONGEST_WAIT_MS; began = ended) {
    await thisTurn()
    ended = performance.now()
    if (ended - began < QUIET_MS) return
  }
}
