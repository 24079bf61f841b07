// `npm run bench -- mix`: a town of 10,000 people sends realistic requests, on PGlite, on Postgres, and on two servers
// over one Postgres; then it does so again while one person runs fifty slow searches at the same time. `-- pglite`, `--
// postgres` or `-- two` measures only that engine; `-- fill` only fills the databases, which are kept. The results are
// only printed.
import { setTimeout as pause } from 'node:timers/promises'
import { Pool } from 'undici'
import { findPostgres } from '../scripts/postgres.mjs'
import { startCluster } from './cluster.mjs'
import { startPotluck } from './contestants/potluck.mjs'
import { median, quantile, sayLoad, verdict } from './figures.mjs'
import { createMix, slowSearch } from './mix-calls.mjs'
import { createMeter } from './processes-cost.mjs'
import { toRequest } from './requests.mjs'
import { fillTown, keptFolder } from './town.mjs'

const WORKERS = 16
const WARM_UP = 5
const SECONDS = 20
const ROUNDS = 3
const ROUND_SECONDS = 6
const HEAVY = 50
const HEAVY_PERSON = 4_711
const GOAL = 2

const ENGINES = {
  pglite: { title: 'PGlite', servers: 1 },
  postgres: { title: 'Postgres', servers: 1 },
  two: { title: 'two servers', servers: 2 },
}

export async function measure(words = []) {
  const wanted = Object.keys(ENGINES).filter((name) => words.includes(name))
  const bin = findPostgres()
  const rows = []
  for (const name of wanted.length > 0 ? wanted : Object.keys(ENGINES)) {
    if (name !== 'pglite' && !bin) console.log(`No Postgres on this machine: ${ENGINES[name].title} left out`)
    else rows.push(await onEngine(name, words.includes('fill')))
  }
  if (!words.includes('fill')) report(rows)
}

async function onEngine(name, onlyFill) {
  const { title, servers: count } = ENGINES[name]
  const say = (step) => console.log(`${title}: ${step} …`)
  const folder = keptFolder(name === 'pglite' ? 'pglite' : 'postgres')
  const cluster = name === 'pglite' ? undefined : await startCluster(folder)
  const servers = []
  try {
    const place = { folder, ...(cluster && { databaseUrl: await cluster.open('town') }) }
    await fillTown(place, say)
    if (onlyFill) return
    for (let server = 0; server < count; server += 1) servers.push(await startPotluck(place))
    return {
      title,
      ...(await drive(
        servers,
        createMeter(
          servers.map(({ pid }) => pid),
          cluster?.pid,
        ),
        say,
      )),
    }
  } finally {
    for (const server of servers) await server.stop()
    await cluster?.stop()
  }
}

async function drive(servers, meter, say) {
  const people = openPeople(servers)
  const heavy = openHeavy(servers)
  say('warming up')
  await people.ask(WARM_UP)
  say(`${SECONDS} s of the mix`)
  meter.start()
  const mixed = await people.ask(SECONDS)
  const cost = meter.stop()
  const [alone, beside] = [[], []]
  const slow = []
  for (let round = 1; round <= ROUNDS; round += 1) {
    say(`round ${round} of ${ROUNDS}: without and with ${HEAVY} slow searches at once`)
    alone.push((await people.ask(ROUND_SECONDS)).atTheDatabase)
    const over = heavy.start()
    beside.push((await people.ask(ROUND_SECONDS)).atTheDatabase)
    slow.push(await over())
  }
  await people.close()
  await heavy.close()
  return { mixed, cost, alone: median(alone), beside: median(beside), slow: slow.flat() }
}

/**
 * Simulates all people with a few workers. Each worker waits for a response before its next request, which it sends as
 * another person, and alternates between servers. `ask` sends as many requests as they can, or `perSecond` requests a
 * second, whose times then count from the moment they were due.
 */
export function openPeople(servers, mix = createMix()) {
  const calls = mix.flatMap(({ group, calls }) => calls.map(([weight, make]) => ({ group, weight, make })))
  // A weight is in percent and may contain a half, so each percent becomes two tickets.
  const tickets = calls.flatMap((call) => Array.from({ length: call.weight * 2 }, () => call))
  const pick = () => tickets[Math.floor(Math.random() * tickets.length)]
  const pools = servers.map(({ url }) => new Pool(url, { connections: WORKERS, pipelining: 1 }))
  const ask = async (seconds, perSecond = Number.POSITIVE_INFINITY) => {
    const times = Object.fromEntries(mix.map(({ group }) => [group, []]))
    const refused = new Map()
    const started = performance.now()
    let next = 0
    await Promise.all(
      Array.from({ length: WORKERS }, async () => {
        while (performance.now() - started < seconds * 1000) {
          const n = next++
          const due = started + (n * 1000) / perSecond
          const early = due - performance.now()
          if (early > 0) await pause(early)
          const { group, make } = pick()
          const call = make()
          const server = n % servers.length
          const before = Number.isFinite(perSecond) ? due : performance.now()
          const answer = await pools[server].request(toRequest(call, servers[server]))
          const text = await answer.body.text()
          times[group].push(performance.now() - before)
          if (answer.statusCode < 300) call.done?.(text === '' ? null : JSON.parse(text))
          else {
            const what = `${answer.statusCode} ${call.path.split('?')[0]} ${text.slice(0, 120)}`
            refused.set(what, (refused.get(what) ?? 0) + 1)
          }
        }
      }),
    )
    const all = Object.values(times).flat()
    const elapsed = (performance.now() - started) / 1000
    // Sign-ins are left out, since nearly all of their time is password hashing, whatever the database does.
    const { 'sign-in': _, ...atTheDatabase } = times
    return {
      ...{ perSecond: all.length / elapsed, ...quantiles(all), times, refused },
      atTheDatabase: quantile(Object.values(atTheDatabase).flat(), 0.95),
    }
  }
  return { ask, close: () => Promise.all(pools.map((pool) => pool.close())) }
}

/** Simulates one person who always has this many slow searches running, on all servers together. */
function openHeavy(servers) {
  const pools = servers.map(({ url }) => new Pool(url, { connections: HEAVY, pipelining: 1 }))
  const start = () => {
    let asking = true
    const times = []
    const all = Array.from({ length: HEAVY }, async (_, n) => {
      const server = n % servers.length
      while (asking) {
        const before = performance.now()
        const answer = await pools[server].request(toRequest(slowSearch(HEAVY_PERSON), servers[server]))
        await answer.body.dump()
        times.push({ took: performance.now() - before, status: answer.statusCode })
        // Clients that are told to retry later wait a second.
        if (answer.statusCode >= 400) await new Promise((done) => setTimeout(done, 1000))
      }
    })
    return async () => {
      asking = false
      await Promise.all(all)
      return times
    }
  }
  return { start, close: () => Promise.all(pools.map((pool) => pool.close())) }
}

export const quantiles = (times) => ({
  p50: quantile(times, 0.5),
  p95: quantile(times, 0.95),
  p99: quantile(times, 0.99),
})
const ms = (value) => (value === undefined ? '-' : value.toFixed(1))

function report(rows) {
  const table = (titles, lines) => {
    const cells = [titles, ...lines].map((line) => line.map(String))
    const widths = titles.map((_, column) => Math.max(...cells.map((line) => line[column].length)))
    for (const line of cells) console.log(line.map((cell, column) => cell.padEnd(widths[column])).join('  '))
    console.log()
  }
  console.log(`\n${WORKERS} people at a time, each waiting for the answer; ${SECONDS} s; times in ms\n`)
  table(
    [
      '',
      'requests/s',
      'p50',
      'p95',
      'p99',
      'servers MB',
      'Postgres MB',
      'servers cores',
      'Postgres cores',
      'refused',
    ],
    rows.map(({ title, mixed, cost }) => [
      title,
      mixed.perSecond.toFixed(0),
      ...[ms(mixed.p50), ms(mixed.p95), ms(mixed.p99)],
      ...[cost.servers.megabytes.toFixed(0), cost.postgres?.megabytes.toFixed(0) ?? '-'],
      ...[cost.servers.cores.toFixed(2), cost.postgres?.cores.toFixed(2) ?? '-'],
      [...mixed.refused.values()].reduce((sum, count) => sum + count, 0),
    ]),
  )
  table(
    ['p50 / p95 / p99', ...rows.map(({ title }) => title)],
    Object.keys(rows[0].mixed.times).map((group) => [
      group,
      ...rows.map(({ mixed: { times } }) => {
        const { p50, p95, p99 } = quantiles(times[group])
        return `${ms(p50)} / ${ms(p95)} / ${ms(p99)}`
      }),
    ]),
  )
  for (const { title, alone, beside, slow } of rows) {
    const ratio = beside / alone
    const served = slow.filter(({ status }) => status < 300)
    console.log(
      `${verdict(ratio <= GOAL)} ${title}: p95 of the others, but for signing in, ${ms(alone)} ms, ${ms(beside)} ms beside ${HEAVY} slow searches at once: ` +
        `${ratio.toFixed(2)} times, goal at most ${GOAL}; ${served.length} searches answered, ${slow.length - served.length} refused`,
    )
  }
  for (const { title, mixed } of rows)
    for (const [what, count] of mixed.refused) console.log(`${title}: ${count} times ${what}`)
  sayLoad()
}
