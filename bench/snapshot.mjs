// `npm run bench:snapshot`: visitors' pages of 20 plans from one server process on Postgres, shared (GET) and each read by itself
// (POST), while plans change all the time; and how long after a change somebody still received what was before. Printed only.
import { setTimeout as pause } from 'node:timers/promises'
import { Pool } from 'undici'
import { load } from '../scripts/run.mjs'
import { connect, onPostgres } from './cluster.mjs'
import { fillPotluck, startPotluck } from './contestants/potluck.mjs'
import { median, sayLoad, verdict } from './figures.mjs'
import { drive, WORKERS } from './load.mjs'
import { createMeter } from './processes-cost.mjs'
import { table } from './report.mjs'

const PLANS = 5_000
const ROUNDS = 5
const SECONDS = 4
/** ms between two changes. */
const EVERY = 150
const GOAL = { perSecond: 5_000, age: 2_000 }
const ARGUMENTS = { p_limit: 20 }

const shared = () => ({ method: 'GET', path: `/rest/v1/rpc/market_plans?${new URLSearchParams(ARGUMENTS)}` })
const each = () => ({
  ...{ method: 'POST', path: '/rest/v1/rpc/market_plans', body: JSON.stringify(ARGUMENTS) },
  headers: { 'content-type': 'application/json' },
})

export const measure = () =>
  onPostgres('snapshot', async (cluster, folder) => {
    const parts = await load('bench/server-parts.mjs')
    const databaseUrl = await cluster.create('snapshot')
    const place = { folder, databaseUrl, settings: { TRUST_PROXY: 'on' } }
    console.log(`Sharing ${PLANS.toLocaleString('en-GB')} plans …`)
    await fillPotluck(place, (db) => parts.shareManyPlans(db, PLANS), parts)
    const server = await startPotluck(place)
    const pool = new Pool(server.url, { connections: WORKERS, pipelining: 1 })
    const changes = await startChanges(databaseUrl)
    try {
      const rounds = []
      for (let round = 0; round < ROUNDS; round += 1) {
        const found = {
          shared: await readers({ server, pool, changes, request: shared() }),
          known: await readers({ server, pool, changes, request: shared(), remembers: true }),
          each: await readers({ server, pool, changes, request: each() }),
        }
        const [many, few] = [found.shared.perSecond, found.each.perSecond]
        console.log(
          `  round ${round + 1}: ${many.toFixed(0)} a second shared, ${few.toFixed(0)} each by itself`,
        )
        rounds.push(found)
      }
      report(rounds, changes.count())
    } finally {
      await changes.stop()
      await pool.close()
      await server.stop()
    }
  })

/** Changes the newest plan, and nine others, all the time. The day of its next payment is the number of the change. */
async function startChanges(databaseUrl) {
  const sql = connect(databaseUrl)
  await sql`set session_replication_role = replica`
  const plans = (
    await sql`select id from public.shared_subscriptions where has_room and status = 'active' order by created_at desc, id desc limit 10`
  ).map(({ id }) => id)
  // From before the change was sent, in ms: an answer never looks younger than it is.
  const times = []
  const change = async () => {
    const before = performance.now()
    await sql`update public.shared_subscriptions set next_payment = date '2030-01-01' + ${times.length}::integer where id = any (${plans})`
    times.push(before)
  }
  await change()
  let going = true
  const writing = (async () => {
    while (going) {
      await pause(EVERY)
      await change()
    }
  })()
  const day = Date.UTC(2030, 0, 1) / 86_400_000
  return {
    count: () => times.length,
    /** The number of the change that a page shows. */
    shownBy: (body) => Date.parse(/"nextPayment": ?"([\d-]+)"/.exec(body)[1]) / 86_400_000 - day,
    /** How long, in ms, it has been out of date; 0 if it is current. */
    ageOf: (number, at) => (times.length > number + 1 ? at - times[number + 1] : 0),
    stop: async () => {
      going = false
      await writing
      await sql.end()
    },
  }
}

/** Ten visitors with addresses of their own. Those who remember ask whether what they have still holds, as browsers do. */
async function readers({ server, pool, changes, request, remembers = false }) {
  const had = Array.from({ length: WORKERS }, () => undefined)
  const headersOf = Array.from({ length: WORKERS }, (_, worker) => ({
    ...{ apikey: server.apikey, 'x-forwarded-for': `10.${worker}.0.1` },
    ...request.headers,
  }))
  let [unchanged, oldest, bytes] = [0, 0, 0]
  const meter = createMeter([server.pid])
  meter.start()
  const figures = await drive(
    async (_n, worker) => {
      const known = remembers ? had[worker] : undefined
      const headers = known ? { ...headersOf[worker], 'if-none-match': known.etag } : headersOf[worker]
      const answer = await pool.request({ ...request, headers })
      const at = performance.now()
      const body = await answer.body.text()
      if (answer.statusCode === 304) unchanged += 1
      else if (answer.statusCode === 200) {
        had[worker] = { etag: answer.headers.etag, shown: changes.shownBy(body) }
        bytes = body.length
      } else throw new Error(`Answered ${answer.statusCode}: ${body}`)
      oldest = Math.max(oldest, changes.ageOf(had[worker].shown, at))
    },
    { seconds: SECONDS },
  )
  const perCore = figures.perSecond / meter.stop().servers.cores
  return { ...figures, perCore, unchanged: unchanged / figures.next, oldest, bytes }
}

function report(rounds, changes) {
  const names = { shared: 'shared', known: 'shared, and asked with its ETag', each: 'each by itself (POST)' }
  const rows = Object.entries(names).map(([kind, name]) => {
    const of = (figure) => rounds.map((round) => round[kind][figure])
    return [
      ...[name, median(of('perSecond')).toFixed(0), median(of('perCore')).toFixed(0)],
      ...[median(of('p50')).toFixed(2), median(of('p99')).toFixed(2)],
      ...[`${(median(of('unchanged')) * 100).toFixed(1)} %`, `${Math.max(...of('oldest')).toFixed(0)} ms`],
    ]
  })
  const heads = [
    'visitors’ pages',
    'a second',
    'per second of the server’s processor',
    'p50 ms',
    'p99 ms',
    '304',
    'greatest age',
  ]
  console.log(
    `\nPages of ${(rounds[0].shared.bytes / 1_000).toFixed(1)} kB, ${changes} changes, ${ROUNDS} rounds:`,
  )
  console.log(table([heads, ...rows]))
  const rate = median(rounds.map((round) => round.shared.perSecond))
  const age = Math.max(...rounds.flatMap(({ shared, known }) => [shared.oldest, known.oldest]))
  const times = median(rounds.map((round) => round.shared.perSecond / round.each.perSecond))
  console.log(
    `\n${verdict(rate >= GOAL.perSecond)} ${rate.toFixed(0)} a second (goal ${GOAL.perSecond}), ${times.toFixed(1)} times as many`,
  )
  console.log(`${verdict(age <= GOAL.age)} never older than ${age.toFixed(0)} ms (goal ${GOAL.age})`)
  sayLoad()
}
