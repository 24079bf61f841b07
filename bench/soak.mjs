// `npm run bench -- soak`: for two hours, 1,000 people of the town send realistic requests about 200 plans to one server
// on Postgres, half as many as it can answer, while 500 of them listen; every place in these plans is renewed once. Once
// a minute, the load rests for two seconds: what the sockets heard is compared with what was written, some sockets
// reconnect, and the memory, connections and locks are looked at. `-- minutes=5 sockets=100` is shorter. The results are
// only printed.
import { readdirSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { connect, startCluster } from './cluster.mjs'
import { startPotluck } from './contestants/potluck.mjs'
import { median, sayLoad, verdict } from './figures.mjs'
import { openPeople, quantiles } from './mix.mjs'
import { createMix } from './mix-calls.mjs'
import { freePort } from './processes.mjs'
import { createMeter } from './processes-cost.mjs'
import { joinAll, memoryOf } from './realtime.mjs'
import { openConversation } from './realtime-clients.mjs'
import { fillTown, keptFolder, planId } from './town.mjs'

const DEFAULTS = { minutes: 120, sockets: 500 }
const PEOPLE = 1_000
const PLANS = 200
const APPROVED = 0.005
const WARM_UP = 20
const COMING_BACK = 10
const REST_MS = 2_000
/** The most that memory may grow from a tenth of the time to its end. */
const MOST_GROWTH = 1.1
const SETTLE_SECONDS = 30
const STUCK_SECONDS = 5

const below = (count) => Math.floor(Math.random() * count)
/** The first plans of every second person, which are those that the listening people talk about. */
const PLANS_TALKED_ABOUT = Array.from({ length: PLANS }, (_, n) => n * 20 + 1)

export async function measure(words = []) {
  const { minutes, sockets } = {
    ...DEFAULTS,
    ...Object.fromEntries(words.map((word) => word.split('=')).map(([name, value]) => [name, Number(value)])),
  }
  const folder = keptFolder('postgres')
  const cluster = await startCluster(folder)
  let server
  try {
    await fillTown({ folder, databaseUrl: await cluster.open('town') }, say)
    say('copying the town')
    await cluster.drop('soak')
    const databaseUrl = await cluster.create('soak', 'town')
    const sql = connect(databaseUrl)
    const inspector = await freePort()
    const settings = {
      REALTIME_SOCKETS_PER_ADDRESS: '10000',
      NODE_OPTIONS: `--inspect=127.0.0.1:${inspector}`,
    }
    server = { ...(await startPotluck({ folder, databaseUrl, settings })), inspector }
    // The town has never closed a day: its server checks the whole books first, which takes minutes.
    say('closing the day')
    await sql`select private.close_day()`
    await report({ server, sql, postgresPid: cluster.pid, minutes, sockets })
    await sql.end()
  } finally {
    await server?.stop()
    await cluster.drop('soak')
    await cluster.stop()
  }
}

const say = (step) => console.log(`${step} …`)

async function report({ server, sql, postgresPid, minutes, sockets }) {
  const listening = await openSockets(server, sockets)
  const people = openPeople([server], watched(listening))
  say('measuring what it can answer')
  await people.ask(WARM_UP)
  const { perSecond: most } = await people.ask(WARM_UP)
  await listening.settle()
  await sql.unsafe(`update private.seats set next_at = now() + random() * interval '${minutes} minutes'
    where subscription_id in (${PLANS_TALKED_ABOUT.map((n) => `'${planId(n)}'`).join(', ')})`)

  const perSecond = most / 2
  say(`${perSecond.toFixed(0)} requests a second for ${minutes} minutes, half of ${most.toFixed(0)}`)
  const meter = createMeter([server.pid], postgresPid)
  const looks = []
  const times = []
  const refused = new Map()
  let early
  for (let minute = 1; minute <= minutes; minute += 1) {
    meter.start()
    const result = await people.ask(60 - REST_MS / 1000, perSecond)
    const cost = meter.stop()
    times.push(...Object.values(result.times).flat())
    for (const [what, count] of result.refused) refused.set(what, (refused.get(what) ?? 0) + count)
    await listening.settle()
    const held = await lookAt(sql, server)
    looks.push({ ...cost, ...held })
    const { p50, p99 } = result
    console.log(
      `${minute} min: ${result.perSecond.toFixed(0)}/s, p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms; server ${cost.servers.megabytes.toFixed(0)} MB, ` +
        `${cost.servers.cores.toFixed(2)} cores, ${held.files} files, ${held.threads} threads; Postgres ${cost.postgres.cores.toFixed(2)} cores, ` +
        `${held.connections} connections, ${held.locks} locks; ${held.changes} changes kept; sockets ${listening.say()}`,
    )
    await listening.comeBack()
    if (minute === Math.max(1, Math.floor(minutes / 10))) early = await memoryOf(server)
  }
  await people.close()
  await pause(SETTLE_SECONDS * 1000)
  const late = await memoryOf(server)
  const last = await lookAt(sql, server)
  listening.close()
  conclude({ times, refused, looks, early, late, last, heard: listening.counts })
}

function conclude({ times, refused, looks, early, late, last, heard }) {
  const { p50, p95, p99 } = quantiles(times)
  const failed = [...refused].filter(([what]) => !what.startsWith('4')).reduce((sum, [, n]) => sum + n, 0)
  const quarter = Math.max(1, Math.floor(looks.length / 4))
  const of = (name, part) => median(part.map((look) => look[name]))
  const [first, end] = [looks.slice(0, quarter), looks.slice(-quarter)]
  const megabytes = (part) => median(part.map(({ servers }) => servers.megabytes)).toFixed(0)
  const most = (name) => Math.max(...looks.map((look) => look[name]))
  const rows = [
    [
      failed === 0,
      'requests',
      `${times.length}, p50 ${p50.toFixed(1)} ms, p95 ${p95.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms from when they were due; ${failed} failed`,
    ],
    [
      late.held < early.held * MOST_GROWTH,
      'memory after a garbage collection',
      `${(early.held / 1024).toFixed(0)} MB after a tenth of the time, ${(late.held / 1024).toFixed(0)} MB at the end; before it, ${megabytes(first)} MB in the first quarter and ${megabytes(end)} MB in the last`,
    ],
    [
      of('connections', end) <= of('connections', first) && of('files', end) <= of('files', first) + 5,
      'connections and files',
      `${of('connections', first)} connections to Postgres in the first quarter, ${of('connections', end)} in the last, ${most('connections')} at most; ${of('files', first)} and ${of('files', end)} open files`,
    ],
    [
      most('stuck') === 0 && of('locks', end) <= of('locks', first),
      'locks',
      `${of('locks', first)} locks at rest in the first quarter, ${of('locks', end)} in the last; at most ${most('stuck')} transactions that wait for a lock or their client for ${STUCK_SECONDS} s`,
    ],
    [
      heard.missed + heard.extra + heard.failed === 0,
      'sockets',
      `${heard.due} messages due, ${heard.missed} missed, ${heard.extra} too many; ${heard.back} reconnected, ${heard.failed} channels failed`,
    ],
    [last.renewed > 0, 'renewals', `${last.renewed} places renewed`],
  ]
  console.log()
  for (const [holds, what, figure] of rows) console.log(`${verdict(holds)} ${what}: ${figure}`)
  for (const [what, count] of refused) console.log(`     ${count} times ${what}`)
  sayLoad()
}

/** Returns the mix of these people and plans, whose acknowledged messages the sockets must hear. */
function watched(listening) {
  const mix = createMix({
    anyPerson: () => below(PEOPLE) + 1,
    anyPlan: () => PLANS_TALKED_ABOUT[below(PLANS)],
    approved: APPROVED,
  })
  const isMessage = ({ method, path }) => method === 'POST' && path.startsWith('/rest/v1/messages')
  const listened = (make) => () => {
    const call = make()
    return isMessage(call) ? { ...call, done: ([row]) => listening.expect(row) } : call
  }
  return mix.map(({ group, calls }) => ({
    group,
    calls: calls.map(([weight, make]) => [weight, listened(make)]),
  }))
}

/** Opens the sockets of the first people, and counts what they are due and what they hear. */
async function openSockets(server, sockets) {
  const people = Array.from({ length: sockets }, (_, n) => n + 1)
  const counts = { due: 0, missed: 0, extra: 0, back: 0, failed: 0 }
  const [expected, heard] = [[], new Map()]
  const onChange = (_, { table, record }) => {
    if (table === 'messages') heard.set(record.id, (heard.get(record.id) ?? 0) + 1)
  }
  say(`${sockets} people connect`)
  const clients = await joinAll(server, people, { onChange })
  const readers = (conversation) =>
    people.filter((person) => openConversation(person) === conversation).length
  return {
    counts,
    say: () => `due ${counts.due}, missed ${counts.missed}, extra ${counts.extra}`,
    expect: ({ id, conversation_id }) => expected.push({ id, due: readers(conversation_id) }),
    /** Waits until everything that was written is heard, and counts. */
    settle: async () => {
      await pause(REST_MS)
      for (const { id, due } of expected.splice(0)) {
        const times = heard.get(id) ?? 0
        counts.due += due
        counts.missed += Math.max(0, due - times)
        counts.extra += Math.max(0, times - due)
      }
      heard.clear()
      counts.failed = [...clients.values()].filter(({ failed, isClosed }) => failed || isClosed).length
    },
    comeBack: async () => {
      const chosen = people.toSorted(() => Math.random() - 0.5).slice(0, COMING_BACK)
      for (const person of chosen) clients.get(person).leave()
      for (const [person, client] of await joinAll(server, chosen, { onChange })) clients.set(person, client)
      counts.back += chosen.length
    },
    close: () => {
      for (const client of clients.values()) client.leave()
    },
  }
}

/** Returns what the server and Postgres hold at the moment. */
async function lookAt(sql, { pid }) {
  const [row] = await sql`
    with others as (
      select * from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()
    )
    select (select count(*)::int from others where backend_type = 'client backend') as connections,
      (select count(*)::int from others where (state like 'idle in transaction%' or wait_event_type = 'Lock')
        and clock_timestamp() > greatest(state_change, query_start) + make_interval(secs => ${STUCK_SECONDS})) as stuck,
      (select count(*)::int from pg_locks where pid <> pg_backend_pid()) as locks,
      (select count(*)::int from realtime.changes) as changes,
      (select count(*)::int from public.member_payments where number = 6) as renewed`
  return {
    ...row,
    files: readdirSync(`/proc/${pid}/fd`).length,
    threads: readdirSync(`/proc/${pid}/task`).length,
  }
}
