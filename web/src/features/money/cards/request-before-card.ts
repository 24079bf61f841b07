/**
 * Stores a join request that was interrupted to save a card. It is stored for this tab, since the provider's page is on
 * another site.
 */
import * as z from 'zod/mini'
import { perTab, readJson, storageKeys, write } from '#lib/storage.ts'

/** In ms. After this time, the interrupted request is ignored. */
const FRESH = 30 * 60_000

/** The values of the request form, and their initial values; stored while the person saves a card. */
const draftSchema = z.object({
  message: z._default(z.string(), ''),
  /** True to pay with coins first and charge the card only for the rest; for plans paid through the site. */
  coinsFirst: z._default(z.boolean(), false),
})
export type RequestDraft = z.infer<typeof draftSchema>
export const EMPTY_DRAFT: RequestDraft = draftSchema.parse({})

const requestSchema = z.extend(draftSchema, {
  /** The page to return to. */
  path: z.string().check(z.startsWith('/')),
  planName: z.string(),
  at: z.number(),
})
const keptSchema = z.catch(z.nullable(requestSchema), null)
type InterruptedRequest = Omit<z.infer<typeof requestSchema>, 'at'>

export const keepRequest = (request: InterruptedRequest): void =>
  write(perTab, storageKeys.requestBeforeCard, JSON.stringify({ ...request, at: Date.now() }))

export const forgetRequest = (): void => write(perTab, storageKeys.requestBeforeCard, null)

export function readRequest(): InterruptedRequest | null {
  const kept = readJson(perTab, storageKeys.requestBeforeCard, (json) => keptSchema.parse(json))
  return kept && Date.now() - kept.at < FRESH ? kept : null
}
