// `npm run bench:scale`: whether a request costs the same among 1,000, 10,000 and 100,000 plans on Postgres. Printed only.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createServer } from 'vite'
import { ROOT } from '../scripts/install.mjs'
import { findPostgres } from '../scripts/postgres.mjs'
import { startCluster } from './cluster.mjs'
import { environment, startPotluck } from './contestants/potluck.mjs'
import { quantile } from './figures.mjs'
import { openConnections } from './load.mjs'
import { table } from './report.mjs'
import { accessToken } from './tokens.mjs'

const SIZES = [1_000, 10_000, 100_000]
const TIMES = 600
const WARM_UP = 50
const GOAL = 1.3

// The caller owns some of the plans, as people do.
const PERSON = '00000000-0000-4000-8000-000000000001'
const SESSION = '00000000-0000-4000-a000-000000000001'
const OWNER = 'owner_profile:user_profiles!shared_subscriptions_owner_id_fkey(display_name,avatar_url)'
const post = (name, body) => ({ method: 'POST', path: `/rest/v1/rpc/${name}`, body: JSON.stringify(body) })
const get = (path) => ({ method: 'GET', path: `/rest/v1/shared_subscriptions?${path}` })
const CALLS = {
  'one plan by id': (plans, n) => get(`select=*&id=eq.sub-crowd-${(n * 7919) % plans}`),
  'browse page of 20 with owner profile': (_plans, n) =>
    get(
      `select=*,${OWNER}&status=eq.active&owner_id=neq.${PERSON}&order=created_at.desc,id.desc&offset=${(n % 5) * 20}&limit=20`,
    ),
  'rpc market_plans, newest': () => post('market_plans', { p_cheapest: false, p_limit: 12 }),
  'rpc count_available_plans': () => post('count_available_plans', {}),
  'rpc market_plan': (plans, n) => post('market_plan', { p_id: `sub-crowd-${(n * 7919) % plans}` }),
}

export async function measure() {
  const bin = findPostgres()
  if (!bin) throw new Error('There is no Postgres on this machine')
  const vite = await createServer({
    root: ROOT,
    configFile: false,
    logLevel: 'error',
    server: { middlewareMode: true, ws: false, watch: null },
  })
  const parts = await vite.ssrLoadModule('/bench/server-parts.mjs')
  const folder = mkdtempSync(join(tmpdir(), 'potluck-bench-scale-'))
  const cluster = await startCluster(bin)
  const servers = []
  try {
    console.log('Migrating …')
    const base = { folder: join(folder, 'base'), databaseUrl: await cluster.create('base') }
    await (await parts.openDatabase(parts.readConfig(environment(base)))).close()
    for (const plans of SIZES) {
      console.log(`Sharing ${plans.toLocaleString('en-GB')} plans …`)
      const place = {
        folder: join(folder, String(plans)),
        databaseUrl: await cluster.create(`of_${plans}`, 'base'),
      }
      const db = await parts.openDatabase(parts.readConfig(environment(place)))
      await parts.shareManyPlans(db, plans)
      await db.query(
        `insert into auth.sessions (id, user_id, aal, amr) values ('${SESSION}', '${PERSON}', 'aal1', '[]')`,
      )
      await db.query('vacuum analyze')
      await db.close()
      const server = await startPotluck(place)
      servers.push({ plans, ...server, ...openConnections(server.url) })
    }
    report(await inTurns(servers))
  } finally {
    for (const server of servers) {
      await server.close()
      await server.stop()
    }
    await cluster.stop()
    await vite.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** [{ call, p95s }] in ms, for each size; one request at a time, the sizes in turns. */
async function inTurns(servers) {
  const rows = []
  for (const [call, requestOf] of Object.entries(CALLS)) {
    const taken = servers.map(() => [])
    for (let n = 0; n < WARM_UP + TIMES; n += 1)
      for (const [place, server] of servers.entries()) {
        const began = performance.now()
        await server.send(signed(requestOf(server.plans, n + 1), server), 200)
        if (n >= WARM_UP) taken[place].push(performance.now() - began)
      }
    console.log(`${call} …`)
    rows.push({
      call,
      p95s: taken.map((times) => quantile(times, 0.95)),
      medians: taken.map((times) => quantile(times, 0.5)),
    })
  }
  return rows
}

const signed = (request, { apikey, secret }) => ({
  ...request,
  headers: {
    apikey,
    authorization: `Bearer ${accessToken({ id: PERSON, email: 'person1@crowd.example', name: 'Person 1', sessionId: SESSION }, secret)}`,
    ...(request.body && { 'content-type': 'application/json' }),
  },
})

function report(rows) {
  const sizes = SIZES.map((plans) => `${plans.toLocaleString('en-GB')}: median / p95 ms`)
  console.log(
    `\n${table([
      ['call', ...sizes, `p95 of the last under ${GOAL} × the first`],
      ...rows.map(({ call, p95s, medians }) => {
        const times = (p95s.at(-1) ?? 0) / (p95s[0] ?? 1)
        return [
          call,
          ...p95s.map((p95, place) => `${medians[place].toFixed(2)} / ${p95.toFixed(2)}`),
          `${times < GOAL ? 'PASS' : 'MISS'} (${times.toFixed(2)} ×)`,
        ]
      }),
    ])}`,
  )
}
