// Sends deliveries to people's webhooks (docs/webhooks.md). Anybody may call this function, because it takes no
// parameters and sends only due deliveries; the database calls it when one is due. It responds immediately and then
// continues, because the database's other calls wait for the response, and a receiver may be slow. With
// `Prefer: wait`, it responds when all deliveries are sent, with the results.
import { callDatabase } from '../_shared/database.ts'
import { LIMITS } from '../_shared/limits.ts'
import { notSetUp } from '../_shared/serve.ts'
import { readSiteKeys, type SiteKey } from '../vault/seal.ts'
import { type DueDelivery, deliver } from './deliver.ts'

/** The time in ms after which no further deliveries are leased. Hosted functions are stopped after 150 s. */
const LONGEST = 60_000

/** A runtime that stops functions after their response must be told of work that continues. */
const { EdgeRuntime } = globalThis as { EdgeRuntime?: { waitUntil(work: Promise<unknown>): unknown } }

Deno.serve(async (request) => {
  if (request.method !== 'POST') return Response.json({ error: 'Call it with POST' }, { status: 405 })
  const vaultKey = Deno.env.get('VAULT_KEY')
  if (!vaultKey) return notSetUp('VAULT_KEY')
  const work = sendDue(await readSiteKeys(vaultKey))
  if (request.headers.get('prefer') === 'wait') return Response.json(await work)
  EdgeRuntime?.waitUntil(work)
  return Response.json({}, { status: 202 })
})

async function sendDue(siteKeys: SiteKey[]): Promise<{ delivered: number; failed: number }> {
  const until = Date.now() + LONGEST
  const counts = { delivered: 0, failed: 0 }
  const sending = new Set<Promise<void>>()
  const send = async (delivery: DueDelivery) => {
    const outcome = await deliver(delivery, siteKeys)
    counts[outcome.error === null ? 'delivered' : 'failed'] += 1
    await callDatabase('settle_delivery', {
      p_id: delivery.id,
      p_attempt: delivery.attempt,
      p_status: outcome.status,
      p_error: outcome.error,
      p_answer: outcome.answer,
      p_ms: outcome.ms,
      p_retry_after: outcome.retryAfter,
    })
  }
  for (;;) {
    const free = Date.now() < until ? LIMITS.deliveriesAtOnce - sending.size : 0
    const due: DueDelivery[] = free > 0 ? await callDatabase('lease_due_deliveries', { p_limit: free }) : []
    for (const one of due) {
      const sent = send(one).finally(() => sending.delete(sent))
      sending.add(sent)
    }
    if (sending.size === 0) return counts
    // Each finished delivery makes room for the next, so that one slow receiver delays no others.
    await Promise.race(sending)
  }
}
