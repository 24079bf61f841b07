/** A request for a place that is interrupted to save a card, kept by this tab: the provider's page is another site. */
import * as z from 'zod/mini'
import { perTab, readJson, storageKeys, write } from '#lib/storage.ts'

/** In ms: whoever has been away for longer is at something else. */
const FRESH = 30 * 60_000

const askingSchema = z.catch(
  z.nullable(
    z.object({
      /** Where it goes on. */
      path: z.string().check(z.startsWith('/')),
      planName: z.string(),
      message: z.string(),
      coinsFirst: z.boolean(),
      at: z.number(),
    }),
  ),
  null,
)

interface Asking {
  path: string
  planName: string
  message: string
  coinsFirst: boolean
}

export const keepAsking = (asking: Asking): void =>
  write(perTab, storageKeys.requestBeforeCard, JSON.stringify({ ...asking, at: Date.now() }))

export const forgetAsking = (): void => write(perTab, storageKeys.requestBeforeCard, null)

export function readAsking(): Asking | null {
  const kept = readJson(perTab, storageKeys.requestBeforeCard, (json) => askingSchema.parse(json))
  return kept && Date.now() - kept.at < FRESH ? kept : null
}
