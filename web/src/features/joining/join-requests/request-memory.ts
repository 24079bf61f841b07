/**
 * Remembers requests handled in this browser, so that a late response of the backend does not show or count them again.
 */
import * as z from 'zod/mini'
import { local, readJson, storageKeys, write } from '#lib/storage.ts'

const MOST_KEPT = 200
const idsSchema = z.catch(z.array(z.string()), [])

/** Remembers a cancelled request so that it stays hidden. */
export const rememberCancelled = (id: string) => remember(storageKeys.cancelledRequests, id)
export const isCancelledHere = (id: string) => recall(storageKeys.cancelledRequests).includes(id)

/** Remembers an answered request so that it is not counted again. */
export const rememberProcessed = (id: string) => remember(storageKeys.processedGlobalRequests, id)
export const isProcessedHere = (id: string) => recall(storageKeys.processedGlobalRequests).includes(id)

const recall = (key: string) => readJson(local, key, (kept) => idsSchema.parse(kept))

function remember(key: string, id: string): void {
  const others = recall(key).filter((known) => known !== id)
  write(local, key, JSON.stringify([...others, id].slice(-MOST_KEPT)))
}
