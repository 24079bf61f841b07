// Encrypts secrets for the database, which never sees the plain text, and decrypts them for people whom the database
// allows to see them. SQL functions that return secrets are called with the caller's token: they check the person and
// their proof of identity, record the opening, and return the ciphertext. Secrets are stored with the service role, for
// the person whom such a function has named, so that only secrets encrypted here can be stored.
import { BadInput } from '../_shared/bad-input.ts'
import { callDatabase, Refused } from '../_shared/database.ts'
import { notSetUp, serveAnyOrigin } from '../_shared/serve.ts'
import { saveBankAccount } from './bank-account.ts'
import { check, rotate } from './data-keys.ts'
import type { Call } from './input.ts'
import { writePayoutFile } from './payout-file.ts'
import { openPlaceAccess, openPlanEntry, openPlanLogin, savePlanEntry, savePlanLogin } from './plan-entry.ts'
import { BadKey, DecryptionFailed, readSiteKeys } from './seal.ts'
import { saveTaxDetails, showTaxDetails } from './tax-details.ts'
import { writeTaxReport } from './tax-report.ts'
import { makeWebhook, rotateWebhook } from './webhook.ts'

const SERVICES = {
  'bank-account': saveBankAccount,
  'payout-file': writePayoutFile,
  'save-plan-entry': savePlanEntry,
  'open-plan-entry': openPlanEntry,
  'save-plan-login': savePlanLogin,
  'open-plan-login': openPlanLogin,
  'open-place-access': openPlaceAccess,
  'save-tax-details': saveTaxDetails,
  'show-tax-details': showTaxDetails,
  'tax-report': writeTaxReport,
  'make-webhook': makeWebhook,
  'rotate-webhook': rotateWebhook,
  rotate,
  check,
} as const
const isService = (name: string | undefined): name is keyof typeof SERVICES =>
  name !== undefined && Object.hasOwn(SERVICES, name)

const HEADERS = { 'Cache-Control': 'no-store' }

serveAnyOrigin(async (request) => {
  const service = new URL(request.url).pathname.split('/').at(-1)
  if (!isService(service)) return failure(404, 'PT404', 'There is nothing here')
  if (request.method !== 'POST') return failure(405, 'PT405', 'Call it with POST')
  const vaultKey = Deno.env.get('VAULT_KEY')
  if (!vaultKey) return notSetUp('VAULT_KEY')
  try {
    const siteKeys = await readSiteKeys(vaultKey)
    const authorization = request.headers.get('Authorization') ?? ''
    const ask: Call['ask'] = (name, given) => callDatabase(name, given, authorization)
    const body: unknown = await request.json().catch(() => undefined)
    const serve = () => SERVICES[service]({ siteKeys, ask, store: callDatabase, body })
    // Try again if the site's key was changed, or another version was stored, during the first attempt.
    const answer = await serve().catch((error) => (isOvertaken(error) ? serve() : Promise.reject(error)))
    return Response.json(answer, { headers: HEADERS })
  } catch (error) {
    if (error instanceof Refused || error instanceof BadInput) return error.answer(HEADERS)
    if (error instanceof DecryptionFailed) return failure(422, 'PT422', error.message)
    if (error instanceof BadKey && (service === 'check' || service === 'rotate'))
      return failure(500, 'XX000', error.message)
    throw error
  }
})

const isOvertaken = (error: unknown) => error instanceof Refused && error.status === 409

const failure = (status: number, code: string, message: string) =>
  Response.json({ code, message, details: null, hint: null }, { status, headers: HEADERS })
