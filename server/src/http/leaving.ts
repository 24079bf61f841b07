// Makes clients let go of their connections, without losing a request that is on one of them.
import type { Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { setImmediate as thisTurn } from 'node:timers/promises'

/**
 * From the returned call on, each response says `Connection: close`, so its connection ends with it. Idle connections
 * stay open, since a client may just be sending on one: `server.close()` would reset it.
 */
export function announceLeaving(server: Server): () => void {
  // By connection, because adding and removing each response leaves tables behind that keep responses alive: collecting
  // those stopped the server for milliseconds, many times a second.
  const answering = new Map<Socket, ServerResponse | undefined>()
  let isLeaving = false
  server.on('connection', (socket) => {
    answering.set(socket, undefined)
    socket.once('close', () => answering.delete(socket))
  })
  // Before the listener that answers, which may do so at once.
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

// In milliseconds. A turn of the event loop as short as this has found nothing to do.
const QUIET_MS = 0.1
const LONGEST_WAIT_MS = 500

/** Resolves at the end of a turn in which nothing had arrived; on a server without any, half a second later. */
export async function quietTurn(): Promise<void> {
  const first = performance.now()
  for (let began = first, ended = 0; ended - first < LONGEST_WAIT_MS; began = ended) {
    await thisTurn()
    ended = performance.now()
    if (ended - began < QUIET_MS) return
  }
}
