// Seals secrets for the database, which never sees one, and opens them for whom the database lets. It asks as the caller: SQL
// checks who that is and what they have shown of themselves, writes down what is opened, and answers with ciphertext. It stores
// as itself, for whom SQL has named: nothing gets in that was not sealed here.
import { callDatabase, Refused } from '../_shared/database.ts'
import { saveBankAccount } from './bank-account.ts'
import { rotate } from './data-keys.ts'
import { BadInput } from './input.ts'
import { writePayoutFile } from './payout-file.ts'
import { openPlanEntry, savePlanEntry } from './plan-entry.ts'
import { DoesNotOpen, readSiteKeys } from './seal.ts'

const SERVICES = {
  'bank-account': saveBankAccount,
  'payout-file': writePayoutFile,
  'save-plan-entry': savePlanEntry,
  'open-plan-entry': openPlanEntry,
  rotate,
} as const
const isService = (name: string | undefined): name is keyof typeof SERVICES =>
  name !== undefined && Object.hasOwn(SERVICES, name)

/** A browser on another origin than the functions asks first; none keeps an answer. */
const HEADERS = {
  'Cache-Control': 'no-store',
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Allow-Headers': 'authorization, x-client-info, apikey, content-type',
}

Deno.serve(async (request) => {
  if (request.method === 'OPTIONS') return new Response(null, { headers: HEADERS })
  const service = new URL(request.url).pathname.split('/').at(-1)
  if (!isService(service)) return failure(404, 'PT404', 'There is nothing here')
  if (request.method !== 'POST') return failure(405, 'PT405', 'Call it with POST')
  try {
    const siteKeys = await readSiteKeys(Deno.env.get('VAULT_KEY'))
    const authorization = request.headers.get('Authorization') ?? ''
    const ask = (name: string, body: Record<string, unknown>) => callDatabase(name, body, authorization)
    const body: unknown = await request.json().catch(() => undefined)
    const serve = () => SERVICES[service]({ siteKeys, ask, store: callDatabase, body })
    // The site's key was changed, or something else was stored, between the questions of the first try.
    const answer = await serve().catch((error) => (isOvertaken(error) ? serve() : Promise.reject(error)))
    return Response.json(answer, { headers: HEADERS })
  } catch (error) {
    if (error instanceof Refused) return Response.json(error.body, { status: error.status, headers: HEADERS })
    if (error instanceof BadInput) return failure(400, '23514', error.message)
    if (error instanceof DoesNotOpen) return failure(422, 'PT422', error.message)
    throw error
  }
})

const isOvertaken = (error: unknown) => error instanceof Refused && error.status === 409

const failure = (status: number, code: string, message: string) =>
  Response.json({ code, message, details: null, hint: null }, { status, headers: HEADERS })
