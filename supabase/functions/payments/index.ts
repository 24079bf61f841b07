// Takes payments. `/payments/tick` works through the queue; scheduled jobs call it, and anybody else may call it too,
// because it takes no parameters. `/payments/webhook` receives events from the provider. All other routes act for the
// person whose token they get.
import { callDatabase as call, Refused } from '../_shared/database.ts'
import { serveAnyOrigin } from '../_shared/serve.ts'
import { configuredProvider } from './configured.ts'
import { personRoutes } from './person.ts'
import type { Provider } from './provider.ts'
import { takeWebhook } from './webhook.ts'
import { workOff } from './work.ts'

serveAnyOrigin((request) => serve(request).catch(toAnswer))

async function serve(request: Request): Promise<Response> {
  const route = new URL(request.url).pathname.replace(/^\/payments/, '')
  if (request.method !== 'POST') return Response.json({ error: 'Call it with POST' }, { status: 405 })
  if (route === '/settings') return checkSettings()
  const { provider, webhookSecret } = configuredProvider()
  if (route === '/tick') return Response.json(await tick(provider))
  if (!provider) return Response.json({ error: 'No payment provider is set up' }, { status: 404 })
  if (route === '/webhook') {
    if (webhookSecret !== undefined) return takeWebhook(request, provider, webhookSecret)
    return Response.json({ error: 'This provider calls nobody' }, { status: 404 })
  }
  const serveRoute = Object.hasOwn(personRoutes, route) && personRoutes[route]
  if (!serveRoute) return Response.json({ error: 'There is nothing here' }, { status: 404 })
  const authorization = request.headers.get('authorization')
  if (authorization === null) return Response.json({ error: 'Sign in first' }, { status: 401 })
  const body = await request.json().catch(() => null)
  if (body === null || typeof body !== 'object')
    return Response.json({ error: 'Send an object of JSON' }, { status: 400 })
  return Response.json(await serveRoute({ provider, authorization, body }))
}

/**
 * Checks the settings before the server listens. If one cannot be used, the response has the first error. If payments
 * with real money are not open yet, it has a notice of what is missing.
 */
async function checkSettings(): Promise<Response> {
  try {
    const { provider } = configuredProvider()
    if (provider?.mode !== 'live') return Response.json({})
    if (await report(provider)) return Response.json({})
    const page = `${Deno.env.get('SITE_URL')}/admin?tab=settings`
    const notice = `Payments with real money start once the imprint and the question about VAT are answered at ${page}`
    return Response.json({ notice })
  } catch (error) {
    return Response.json({ error: error instanceof Error ? error.message : String(error) }, { status: 500 })
  }
}

/** The minimum time between two runs, in ms, however often the function is called. */
const BEAT = 1_000
let latest = 0
let next: Promise<unknown> | undefined

/**
 * Works through the queue immediately, unless the last run began less than BEAT ago. All callers within that time share
 * one run, which begins when BEAT is over.
 */
function tick(provider: Provider | undefined): Promise<unknown> {
  const wait = latest + BEAT - Date.now()
  if (wait <= 0) return work(provider)
  next ??= new Promise((done) => setTimeout(done, wait)).then(() => {
    next = undefined
    return work(provider)
  })
  return next
}

async function work(provider: Provider | undefined): Promise<unknown> {
  latest = Date.now()
  await report(provider)
  return provider ? workOff(provider) : { done: 0, put_off: 0 }
}

/** Reports the provider to the database. Returns whether new plans and places may be paid through it. */
const report = (provider: Provider | undefined) =>
  call('report_payment_provider', {
    p_provider: provider?.name ?? null,
    p_mode: provider?.mode ?? null,
    p_publishable_key: provider?.publishableKey ?? null,
    p_connect: provider?.accounts != null,
    p_methods: provider?.methods ?? [],
    p_creditor: provider?.creditor ?? null,
  })

function toAnswer(error: unknown): Response {
  // The app shows the person the database's reason for a refusal.
  if (error instanceof Refused && error.status < 500)
    return Response.json(error.body, { status: error.status })
  throw error
}
