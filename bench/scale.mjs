// `npm run bench -- scale`: measures whether a request costs the same among 1,000, 10,000 and 100,000 plans on
// Postgres, or among the numbers given (`-- 1000 1000000`). The results are only printed.
import { join } from 'node:path'
import { load } from '../scripts/run.mjs'
import { onPostgres } from './cluster.mjs'
import { fillPotluck, startPotluck } from './contestants/potluck.mjs'
import { median, quantile, timed, verdict } from './figures.mjs'
import { openConnections } from './load.mjs'
import { table } from './report.mjs'
import { personId, sessionId, toRequest } from './requests.mjs'

const SIZES = [1_000, 10_000, 100_000]
const TIMES = 600
const WARM_UP = 50
const GOAL = 1.3

// The caller owns some of the plans, as people on a site do.
const PERSON = personId(1)
const OWNER = 'owner_profile:user_profiles!shared_subscriptions_owner_id_fkey(display_name,avatar_url)'
const post = (name, body) => ({ method: 'POST', path: `/rest/v1/rpc/${name}`, body })
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

export const measure = (words = []) =>
  onPostgres('scale', (cluster, folder) =>
    compareSizes(cluster, folder, words.length > 0 ? words.map(Number) : SIZES),
  )

async function compareSizes(cluster, folder, plansOf) {
  const parts = await load('bench/server-parts.mjs')
  const servers = []
  try {
    console.log('Migrating …')
    await fillPotluck({ folder, databaseUrl: await cluster.create('base') }, undefined, parts)
    for (const plans of plansOf) {
      console.log(`Sharing ${plans.toLocaleString('en-GB')} plans …`)
      const place = {
        folder: join(folder, String(plans)),
        databaseUrl: await cluster.create(`of_${plans}`, 'base'),
      }
      const fill = async (db) => {
        await parts.shareManyPlans(db, plans)
        await db.query(
          `insert into auth.sessions (id, user_id, aal, amr) values ('${sessionId(1)}', '${PERSON}', 'aal1', '[]')`,
        )
        await db.query('vacuum analyze')
      }
      await fillPotluck(place, fill, parts)
      const server = await startPotluck(place)
      servers.push({ plans, ...server, ...openConnections(server.url) })
    }
    report(await inTurns(servers), plansOf)
  } finally {
    for (const server of servers) {
      await server.close()
      await server.stop()
    }
  }
}

/**
 * Returns [{ call, p95s, medians }] in ms, with a value for each size. Requests are sent one at a time, to each size in
 * turn.
 */
async function inTurns(servers) {
  const rows = []
  for (const [call, requestOf] of Object.entries(CALLS)) {
    const taken = servers.map(() => [])
    for (let n = 0; n < WARM_UP + TIMES; n += 1)
      for (const [place, server] of servers.entries()) {
        const request = { person: 1, domain: 'crowd.example', ...requestOf(server.plans, n + 1) }
        const time = await timed(() => server.send(toRequest(request, server), 200))
        if (n >= WARM_UP) taken[place].push(time)
      }
    console.log(`${call} …`)
    rows.push({ call, p95s: taken.map((times) => quantile(times, 0.95)), medians: taken.map(median) })
  }
  return rows
}

function report(rows, plansOf) {
  const sizes = plansOf.map((plans) => `${plans.toLocaleString('en-GB')}: median / p95 ms`)
  console.log(
    `\n${table([
      ['call', ...sizes, `p95 of the last under ${GOAL} × the first`],
      ...rows.map(({ call, p95s, medians }) => {
        const times = (p95s.at(-1) ?? 0) / (p95s[0] ?? 1)
        return [
          call,
          ...p95s.map((p95, place) => `${medians[place].toFixed(2)} / ${p95.toFixed(2)}`),
          `${verdict(times < GOAL)} (${times.toFixed(2)} ×)`,
        ]
      }),
    ])}`,
  )
}
