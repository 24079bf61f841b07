// Reads a person's subscriptions and currencies from a Wallos server on the internet, at /import/wallos, and passes the
// two answers on to the person's browser. Nothing is stored, least of all the API key. Wallos servers on home networks
// are deliberately not reachable: people save their answers as files and choose those files instead.
import { BadInput } from '../_shared/bad-input.ts'
import { callDatabase, Refused } from '../_shared/database.ts'
import { fetchOutside } from '../_shared/outside.ts'
import { serveAnyOrigin } from '../_shared/serve.ts'

const HEADERS = { 'Cache-Control': 'no-store' }
/** With a longer address, the regular expressions below could take minutes. */
const LONGEST_ADDRESS = 1000
const ANSWERS = ['api/subscriptions/get_subscriptions.php', 'api/currencies/get_currencies.php']

serveAnyOrigin(async (request) => {
  if (new URL(request.url).pathname !== '/import/wallos') return refuse(404, 'PT404', 'There is nothing here')
  if (request.method !== 'POST') return refuse(405, 'PT405', 'Call it with POST')
  try {
    const { address, key } = ((await request.json().catch(() => null)) ?? {}) as Record<string, unknown>
    // Refuses callers who are not signed in or who call too often.
    await callDatabase('begin_import', {}, request.headers.get('Authorization') ?? '')
    if (
      typeof address !== 'string' ||
      address.length > LONGEST_ADDRESS ||
      typeof key !== 'string' ||
      key === ''
    )
      throw new BadInput('wallos_missing')
    // Remove a query or fragment, because the path that is added below would become part of it.
    const base = address.replace(/[?#].*$/s, '').replace(/\/*(index\.php)?$/, '/')
    const answers = await Promise.all(ANSWERS.map((path) => ask(`${base}${path}`, key)))
    return Response.json(answers, { headers: HEADERS })
  } catch (error) {
    if (error instanceof Refused || error instanceof BadInput) return error.answer(HEADERS)
    return refuse(
      502,
      'PT502',
      `Wallos did not answer: ${error instanceof Error ? error.message : String(error)}`,
    )
  }
})

/** Sends a request to a Wallos server. The API key is sent in the body, because servers write URLs into logs. */
async function ask(address: string, key: string): Promise<string> {
  const { status, body, isCut } = await fetchOutside(address, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' },
    body: new URLSearchParams({ api_key: key }).toString(),
    timeoutMs: 15_000,
    maxBytes: 2_000_000,
  })
  if (status !== 200) throw new Error(`it says ${status}`)
  if (isCut) throw new Error('it says more than 2 MB')
  return new TextDecoder().decode(body)
}

const refuse = (status: number, code: string, message: string) =>
  Response.json({ code, message }, { status, headers: HEADERS })
