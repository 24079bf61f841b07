// `npm run bench -- realtime`: 2,000 people of the town each have a socket with the web app's bindings, while 200
// changes a second are made for half a minute, on Postgres. Compares what each person receives with what row-level
// security grants; some people reconnect in the meantime, and at the end one stops reading. `-- sockets=500 rate=50
// seconds=10` measures less. The results are only printed.
import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { connect, startCluster } from './cluster.mjs'
import { startPotluck } from './contestants/potluck.mjs'
import { quantile, sayLoad, verdict } from './figures.mjs'
import { freePort } from './processes.mjs'
import { createMeter } from './processes-cost.mjs'
import { expectedOf, keyOf, overhear, writeChanges } from './realtime-changes.mjs'
import { Client, openConversation, WebSocket } from './realtime-clients.mjs'
import { personId, toRequest } from './requests.mjs'
import { fillTown, keptFolder } from './town.mjs'

const DEFAULTS = { sockets: 2_000, rate: 200, seconds: 30 }
const GOAL_MS = 150
const GOAL_KILOBYTES = 25
const JOINING_AT_ONCE = 25
const COMING_BACK = 0.1
// 8,000 messages of 1,000 characters are more than the operating system's buffers and the four megabytes that the
// server buffers for a reader can hold.
const BURST = 8_000
const LONGEST = 1_000
const SCREEN = 30
// The longest wait in seconds for thousands of messages to one person.
const MOST_WAITED = 60

export async function measure(words = []) {
  const wish = {
    ...DEFAULTS,
    ...Object.fromEntries(words.map((word) => word.split('=')).map(([name, value]) => [name, Number(value)])),
  }
  const folder = keptFolder('postgres')
  const cluster = await startCluster(folder)
  let server
  const sql = connect(await cluster.open('town'), 6)
  try {
    const place = { folder, databaseUrl: await cluster.open('town') }
    await fillTown(place, say)
    const inspector = await freePort()
    const settings = {
      REALTIME_SOCKETS_PER_ADDRESS: '10000',
      NODE_OPTIONS: `--inspect=127.0.0.1:${inspector}`,
    }
    server = { ...(await startPotluck({ ...place, settings })), inspector }
    await report(server, sql, cluster.pid, wish)
  } finally {
    await sql.end()
    await server?.stop()
    await cluster.stop()
  }
}

const say = (step) => console.log(`${step} …`)
/**
 * Returns the memory in KB, after garbage collection and before, of a server whose inspector listens at the port
 * `inspector`.
 */
export async function memoryOf(server) {
  const meter = createMeter([server.pid])
  const look = () => {
    meter.start()
    return meter.stop().servers.megabytes * 1024
  }
  await pause(3_000)
  const before = look()
  await collectGarbage(server)
  await pause(1_000)
  return { before, held: look() }
}

/** Collects the server's garbage through the inspector, the only way to request it from outside the process. */
async function collectGarbage({ inspector }) {
  const [{ webSocketDebuggerUrl }] = await (await fetch(`http://127.0.0.1:${inspector}/json/list`)).json()
  const ws = new WebSocket(webSocketDebuggerUrl)
  await once(ws, 'open')
  ws.send('{"id":1,"method":"HeapProfiler.collectGarbage"}')
  await once(ws, 'message')
  ws.close()
}

async function report(server, sql, postgresPid, { sockets, rate, seconds }) {
  const people = Array.from({ length: sockets }, (_, n) => n + 1)
  // The connections of these people break: the first of every tenth pair, whose neighbour keeps reading the same
  // conversation.
  const back = people.filter((person) => person % Math.round(2 / COMING_BACK) === 1)
  const told = new Map(people.map((person) => [person, []]))
  const screens = new Map(people.map((person) => [person, new Set()]))
  const latencies = []
  const onChange = (person, change) => {
    latencies.push(Date.now() - Date.parse(change.commit_timestamp))
    told.get(person)?.push(keyOf(change))
    if (change.table === 'messages') screens.get(person)?.add(change.record.id)
  }

  say('how much memory the server takes with nobody there')
  const empty = await memoryOf(server)
  say(`${sockets} people connect, with five channels each`)
  const joining = performance.now()
  const clients = await joinAll(server, people, { onChange })
  const joined = (performance.now() - joining) / 1000
  say('how much it takes with them')
  const full = await memoryOf(server)
  const each = (full.held - empty.held) / sockets
  const { heard, stop } = await overhear(sql)

  say(`${rate} changes a second for ${seconds} s`)
  const meter = createMeter([server.pid], postgresPid)
  meter.start()
  const breaking = breakOff(server, clients, back, { onChange, screens, within: seconds })
  const written = await writeChanges(sql, sockets, { seconds, perSecond: rate })
  const cost = meter.stop()
  await settled(() => latencies.length)
  await breaking
  await settled(() => latencies.length)
  const measured = [...latencies]
  await stop()

  say('comparing with what row-level security grants')
  const expected = await expectedOf(sql, people, heard)
  const faults = compare(expected, told, new Set(back))
  const missing = await missingOnScreen(sql, back, screens)
  const failed = [...clients.values()].filter((client) => client.failed || client.isClosed)

  say('one person does not read')
  const slow = await overwhelm(sql, clients.get(people.length - 1), clients.get(people.length), screens)
  for (const client of clients.values()) client.leave()

  const deliveries = [...expected.values()].reduce((sum, keys) => sum + keys.size, 0)
  const [p50, p95, p99] = [0.5, 0.95, 0.99].map((share) => quantile(measured, share))
  console.log(
    `\n${sockets} sockets joined five channels each in ${joined.toFixed(1)} s; ${written.toFixed(0)} writes a second made ${heard.length} changes`,
  )
  console.log(
    `Server ${cost.servers.cores.toFixed(2)} cores, Postgres ${cost.postgres.cores.toFixed(2)} cores`,
  )
  const rows = [
    [
      faults.missed + faults.extra === 0 && failed.length === 0,
      'who was told',
      `${deliveries} deliveries due, ${faults.missed} missed, ${faults.extra} too many, ${failed.length} channels failed`,
      'exactly what row-level security grants',
    ],
    [
      p95 < GOAL_MS,
      'commit to client',
      `p50 ${p50} ms, p95 ${p95} ms, p99 ${p99} ms, longest ${Math.max(...measured)} ms`,
      `p95 under ${GOAL_MS} ms`,
    ],
    [
      each < GOAL_KILOBYTES,
      'memory of a client',
      `${each.toFixed(1)} KB, and ${((full.before - empty.before) / sockets).toFixed(1)} KB before V8 has collected`,
      `under ${GOAL_KILOBYTES} KB`,
    ],
    [
      missing === 0,
      'who came back',
      `${back.length} people, ${missing} messages missing on their screens`,
      'none',
    ],
    [
      slow.isDropped && slow.othersMissed === 0,
      'a slow reader',
      `${slow.isDropped ? 'dropped' : 'kept'} after ${BURST} messages unread; its neighbour missed ${slow.othersMissed}`,
      'dropped, nobody else notices',
    ],
  ]
  for (const [holds, what, figure, goal] of rows)
    console.log(`${verdict(holds)} ${what}: ${figure}; goal ${goal}`)
  for (const example of faults.examples) console.log(`     ${example}`)
  sayLoad()
}

export async function joinAll(server, people, options) {
  const clients = new Map()
  const waiting = [...people]
  await Promise.all(
    Array.from({ length: JOINING_AT_ONCE }, async () => {
      for (let person = waiting.shift(); person !== undefined; person = waiting.shift()) {
        const client = new Client(server, person, options)
        clients.set(person, client)
        await client.join()
      }
    }),
  )
  return clients
}

/**
 * Breaks the connections of `people`, spread over the time. Each person reconnects a second later and loads their
 * screen's data.
 */
async function breakOff(server, clients, people, { onChange, screens, within }) {
  const load = async (person) => {
    const path = `/rest/v1/messages?select=id&conversation_id=eq.${openConversation(person)}&order=created_at.desc,id.desc&limit=${SCREEN}`
    const request = toRequest({ person, method: 'GET', path }, server)
    const answer = await fetch(server.url + request.path, { headers: request.headers })
    if (!answer.ok) throw new Error(`${path} answered ${answer.status}`)
    for (const { id } of await answer.json()) screens.get(person).add(id)
  }
  await Promise.all(
    people.map(async (person, n) => {
      await pause(((n + 1) * within * 700) / people.length)
      clients.get(person).leave()
      await pause(1_000)
      const loads = []
      const onJoined = (_, channel) => {
        if (channel === 'messages') loads.push(load(person))
      }
      const client = new Client(server, person, { onChange, onJoined })
      clients.set(person, client)
      await client.join()
      await Promise.all(loads)
    }),
  )
}

/** Waits until no events have arrived for a while. */
async function settled(told) {
  for (let before = -1; before !== told(); ) {
    before = told()
    await pause(2_000)
  }
}

/**
 * Compares what people received with what was due. People who were disconnected may have missed changes, but a
 * change must reach no other person and reach its person only once.
 */
function compare(expected, told, away) {
  const faults = { missed: 0, extra: 0, examples: [] }
  for (const [person, due] of expected) {
    const heard = told.get(person)
    const missed = away.has(person) ? [] : [...due].filter((key) => !heard.includes(key))
    const extra = heard.filter((key, place) => !due.has(key) || heard.indexOf(key) !== place)
    faults.missed += missed.length
    faults.extra += extra.length
    if (faults.examples.length < 5 && missed.length + extra.length > 0)
      faults.examples.push(
        `person ${person} missed ${missed[0] ?? 'nothing'}, had too much of ${extra[0] ?? 'nothing'}`,
      )
  }
  return faults
}

async function missingOnScreen(sql, people, screens) {
  let missing = 0
  for (const person of people) {
    const rows = await sql`select id from public.messages where conversation_id = ${openConversation(person)}
      order by created_at desc, id desc limit ${SCREEN}`
    missing += rows.filter(({ id }) => !screens.get(person).has(id)).length
  }
  return missing
}

/** Makes one of two neighbours stop reading while thousands of long messages arrive. */
async function overwhelm(sql, slow, neighbour, screens) {
  slow.ws.pause()
  const rows = await sql`insert into public.messages (conversation_id, sender_id, content)
    select ${openConversation(slow.person)}, ${personId(slow.person)}, repeat('ä', ${LONGEST}) from generate_series(1, ${BURST}) returning id`
  const shown = screens.get(neighbour.person)
  const missing = () => rows.filter(({ id }) => !shown.has(id)).length
  for (let waited = 0; missing() > 0 && waited < MOST_WAITED; waited += 1) await pause(1_000)
  slow.ws.resume()
  const isDropped = (await Promise.race([slow.closed.then(() => true), pause(10_000, false)])) === true
  await sql`delete from public.messages where id in ${sql(rows.map(({ id }) => id))}`
  return { isDropped, othersMissed: missing() }
}
