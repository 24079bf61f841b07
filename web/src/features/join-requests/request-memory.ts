/** Requests this browser has dealt with, so that a late answer of the backend does not show or count them again. */
import * as z from 'zod/mini'
import { local, read, storageKeys, write } from '#lib/storage.ts'

const MOST_KEPT = 200
const idsSchema = z.array(z.string())

/** Cancelled requests stay hidden. */
export const rememberCancelled = (id: string) => remember(storageKeys.cancelledRequests, id)
export const isCancelledHere = (id: string) => recall(storageKeys.cancelledRequests).includes(id)

/** Answered requests are not counted again. */
export const rememberProcessed = (id: string) => remember(storageKeys.processedGlobalRequests, id)
export const isProcessedHere = (id: string) => recall(storageKeys.processedGlobalRequests).includes(id)

function recall(key: string): string[] {
  const kept = read(local, key)
  if (!kept) return []
  try {
    return z.catch(idsSchema, []).parse(JSON.parse(kept))
  } catch {
    return []
  }
}

function remember(key: string, id: string): void {
  const others = recall(key).filter((known) => known !== id)
  write(local, key, JSON.stringify([...others, id].slice(-MOST_KEPT)))
}
