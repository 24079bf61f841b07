// Measures browsing among a hundred thousand plans: the web app's own queries over HTTP, by a signed-in stranger who
// may see all of the plans under row-level security.
import WebSocket from 'ws'
import { inFolder } from './cluster.mjs'
import { fillPotluck, signUp, startPotluck } from './contestants/potluck.mjs'
import { median, quantile, timesOf } from './figures.mjs'

// The web app expects a global WebSocket, which Node has only from version 22 on.
globalThis.WebSocket ??= WebSocket

const PLANS = 100_000
const WARM_UP = 10
const TIMES = 100
const EVERYTHING = { category: 'all', search: '', cheapest: false }

/** Returns [{ call, median, p95 }] in ms on PGlite, or on a Postgres cluster if one is given. */
export const measureBrowsing = (parts, cluster, onStep) =>
  inFolder('browse', (folder) => measureIn(folder, parts, cluster, onStep))

async function measureIn(folder, parts, cluster, onStep) {
  const place = { folder, ...(cluster && { databaseUrl: await cluster.create('browse') }) }
  onStep(`sharing ${PLANS.toLocaleString('en-GB')} plans`)
  await fillPotluck(place, (db) => parts.shareManyPlans(db, PLANS), parts)
  const server = await startPotluck(place)
  try {
    const client = await signIn(parts, server)
    const rows = []
    for (const [call, ask] of Object.entries(await callsOf(parts))) {
      onStep(call)
      const taken = await timesOf(ask, { count: TIMES, warmUp: WARM_UP })
      rows.push({ call, median: median(taken), p95: quantile(taken, 0.95) })
    }
    await client.auth.stopAutoRefresh()
    return rows
  } finally {
    await server.stop()
  }
}

/** Returns the browse screen's queries, each with a check of the response. */
async function callsOf({ marketQuery, offerQuery, planCountsQuery, RARE_PROVIDER }) {
  const first = { after: null, count: 0 }
  const page = async (wish, pageParam = first) =>
    marketQuery({ ...EVERYTHING, ...wish }).queryFn({ signal: new AbortController().signal, pageParam })
  const after50 = async (wish) => {
    let next = first
    for (let pages = 0; pages < 50; pages += 1) ({ next } = await page(wish, next))
    return next
  }
  const list = (wish, found, cursor) => async () => expectRows((await page(wish, cursor)).rows, found)
  const createdAt = new Date(Date.now() - (PLANS / 2) * 1000).toISOString()
  const halfWay = { after: { createdAt, id: 'sub-crowd-5', hasRoom: true }, count: 0 }
  const signal = new AbortController().signal
  return {
    newest: list({}, 12),
    cheapest: list({ cheapest: true }, 12),
    'at most a price': list({ most: 3 }, 12),
    'a price below all': list({ most: 0.5 }, 0),
    'a way of paying of nobody': list({ settlement: 'potluck' }, 0),
    'cheapest of a common word': list({ search: 'netflix', cheapest: true }, 12),
    'page of one plan': async () => expectRows([await offerQuery('sub-crowd-5').queryFn({ signal })], 1),
    'page 51': list({}, 12, await after50({})),
    'half way down, about page 4,200': list({}, 12, halfWay),
    'a category': list({ category: 'gaming' }, 12),
    'a provider': list({ provider: 'Netflix' }, 12),
    'a common word': list({ search: 'netflix' }, 12),
    'a common word, page 51': list({ search: 'netflix' }, 12, await after50({ search: 'netflix' })),
    'a single letter': list({ search: 'e' }, 12),
    'a rare word': list({ search: RARE_PROVIDER }, 3),
    'a word without a match': list({ search: 'no such plan' }, 0),
    count_available_plans: async () =>
      expectRows(await planCountsQuery.queryFn({ signal: new AbortController().signal }), 32),
  }
}

function expectRows(rows, count) {
  if (rows.length !== count) throw new Error(`Expected ${count} rows, found ${rows.length}`)
}

async function signIn({ connectSupabase, setConfig }, server) {
  const config = {
    supabaseUrl: server.url,
    supabaseAnonKey: server.apikey,
    outbox: true,
    demo: [],
    logoKey: null,
  }
  const client = await connectSupabase(setConfig({ ...config, operatorName: 'Bench' }))
  const person = { email: 'zoe@bench.example', password: 'Correct-horse-1!' }
  await signUp(server, person)
  const { error } = await client.auth.signInWithPassword(person)
  if (error) throw error
  return client
}
