// `npm run bench:insert`: what each part of an insert of a message costs on Postgres, in microseconds, and what it buys. The inserts
// go one at a time, in turns over connections that differ in what Postgres tells of them, as the server sends them: its
// recorded statements, by its own batch. Then ten at a time, without one part each, for what that part costs in throughput. Printed only.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { ROOT } from '../scripts/install.mjs'
import { load } from '../scripts/run.mjs'
import { CALLS, requestsOf } from './calls.mjs'
import { connect, onPostgres } from './cluster.mjs'
import { fillPotluck, startPotluck } from './contestants/potluck.mjs'
import { recordStatements } from './contestants/raw.mjs'
import { median, sayLoad, timed } from './figures.mjs'
import { drive, openConnections, WORKERS } from './load.mjs'

const COUNT = 400
const WARM_UP = 60
const ROUNDS = 3
const SECONDS = 1
const CALL = CALLS.findIndex(({ name }) => name === 'insert of a message')
const DATA = readFileSync(join(import.meta.dirname, 'data.sql'), 'utf8')
// The server sends one more, which fails if SQL has said something of the answer.
const STEPS = ['begin', 'preamble', 'pre-request', 'insert', 'guard']
const pg = createRequire(join(ROOT, 'server/package.json'))('pg')

/** What each trigger buys, so that a new one is described before it is measured. */
const TRIGGERS = {
  fill: 'refuses strangers, closed chats, blocked and banned people, empty and long texts, and more than 30 a minute; sets sender and time',
  mark_unread: 'the reader’s unread mark (was set already: no row changes)',
  push: 'another push to the reader’s devices ten minutes later, while the chat is unread',
  queue_webhooks: 'the reader’s webhook hears of it',
  use_draft: 'a draft left by a program is gone once it is sent',
  _realtime_capture: 'open chats show it without a reload',
  messages_conversation_id_fkey: 'no message without a conversation, even while one is deleted',
}

const AUTO_EXPLAIN = {
  session_preload_libraries: 'auto_explain',
  ...{
    'auto_explain.log_min_duration': 0,
    'auto_explain.log_analyze': 'on',
    'auto_explain.log_timing': 'on',
  },
  ...{
    'auto_explain.log_triggers': 'on',
    'auto_explain.log_format': 'json',
    'auto_explain.log_level': 'notice',
  },
}
const TELLING = { log_min_duration_statement: 0, client_min_messages: 'log' }

export const measure = () =>
  onPostgres('insert', async (cluster, folder) => {
    const place = { folder: join(folder, 'potluck'), databaseUrl: await cluster.create('insert') }
    const parts = await load('bench/server-parts.mjs')
    const fill = async (db) => {
      await db.transaction((tx) => tx.script(DATA))
      await db.query('vacuum analyze')
    }
    await fillPotluck(place, fill, parts)
    const inserts = JSON.parse(readFileSync(await recordStatements(parts, place), 'utf8'))[CALL]
    const open = (settings) => openWay(place.databaseUrl, settings, parts.runBatch)
    const server = await startPotluck(place)
    try {
      printParts(await measureParts(open, inserts, server, place))
      console.log('')
      await printThroughput(open, inserts, place)
    } finally {
      await server.stop()
    }
    sayLoad()
  })

/** A connection with these settings; `send` runs an insert with its commit in a second message, or in one as the server does, and tells how long it took, in ms. */
async function openWay(connectionString, settings, runBatch) {
  const options = Object.entries({ TimeZone: 'UTC', ...settings }).map(
    ([name, value]) => `-c ${name}=${value}`,
  )
  const client = new pg.Client({ connectionString, options: options.join(' ') })
  await client.connect()
  let notices = []
  client.on('notice', (notice) => notices.push(notice))
  return {
    send: async ({ statements }, { role, atOnce } = {}) => {
      notices = []
      const [preamble, ...rest] = statements
      const values = role ? [...preamble.values.slice(0, -1), role] : preamble.values
      const named = [{ text: 'begin' }, { ...preamble, values }, ...rest].map((one, n) => ({
        ...one,
        name: STEPS[n],
      }))
      const commit = { text: 'commit', name: 'commit' }
      if (atOnce) return { wall: await timed(() => runBatch(client, [...named, commit])), commit: 0, notices }
      const work = await timed(() => runBatch(client, named))
      const commitTime = await timed(() => runBatch(client, [commit]))
      return { wall: work + commitTime, commit: commitTime, notices }
    },
    close: () => client.end(),
  }
}

/** The medians of all parts, in µs. */
async function measureParts(open, inserts, server, { databaseUrl }) {
  const ways = {
    plain: await open({}),
    unflushed: await open({ synchronous_commit: 'off', ...TELLING }),
    told: await open(TELLING),
    // By itself, because a change of the role has Postgres plan the statement again.
    unpoliced: await open(TELLING),
    explained: await open(AUTO_EXPLAIN),
    nested: await open({ ...AUTO_EXPLAIN, 'auto_explain.log_nested_statements': 'on' }),
  }
  const sql = connect(databaseUrl)
  const connections = openConnections(server.url)
  const requests = requestsOf(CALLS[CALL], server)
  const found = new Map()
  const note = (name, ms) => found.set(name, [...(found.get(name) ?? []), ms * 1000])
  for (let turn = 0; turn < WARM_UP + COUNT; turn += 1) {
    const insert = inserts[turn % inserts.length]
    const noted = turn < WARM_UP ? () => undefined : note
    const { wall, commit } = await ways.plain.send(insert)
    noted('wall', wall)
    noted('wall of the commit', commit)
    noted('http', await timed(() => connections.send(requests[turn % requests.length], CALLS[CALL].status)))
    noteTold(await ways.told.send(insert), noted)
    noteTold(await ways.unpoliced.send(insert, { role: 'postgres' }), (name, ms) =>
      noted(`${name}, no policies`, ms),
    )
    noteTold(await ways.unflushed.send(insert), (name, ms) => noted(`${name}, unflushed`, ms))
    notePlans(await ways.explained.send(insert), noted)
    notePlans(await ways.nested.send(insert), (name, ms) => noted(`nested ${name}`, ms))
    const { conversation_id } = JSON.parse(requests[turn % requests.length].body)
    await sql`update public.chat_participants set has_unread = false where conversation_id = ${conversation_id}`
    notePlans(await ways.explained.send(insert), (name, ms) => noted(`unread ${name}`, ms))
  }
  await Promise.all([...Object.values(ways).map((way) => way.close()), connections.close(), sql.end()])
  return new Map([...found].map(([name, times]) => [name, median(times)]))
}

/** How long Postgres says each statement took; binding values and planning count with it. */
function noteTold({ notices }, note) {
  const times = {}
  for (const { message } of notices) {
    const [, ms, name] = /^duration: ([\d.]+) ms {2}(?:parse|bind|execute) ([\w-]+)/.exec(message) ?? []
    if (name) times[name] = (times[name] ?? 0) + Number(ms)
  }
  for (const [name, ms] of Object.entries(times)) note(name, ms)
}

/** The triggers of the insert, and the statements that functions ran, by the function. */
function notePlans({ notices }, note) {
  const times = {}
  const add = (name, ms) => {
    times[name] = (times[name] ?? 0) + ms
  }
  for (const { message, where = '' } of notices) {
    const [, duration, plan] = /^duration: ([\d.]+) ms {2}plan:\n(.*)$/s.exec(message) ?? []
    if (!plan) continue
    const { 'Query Text': text, Triggers: triggers = [] } = JSON.parse(plan)
    const [, within] = /^PL\/pgSQL function ([\w.]+)\(/m.exec(where) ?? []
    if (within) add(`in ${within}: ${text.replaceAll(/\s+/g, ' ').trim()}`, Number(duration))
    else for (const one of triggers) add(`trigger ${one['Constraint Name'] ?? one['Trigger Name']}`, one.Time)
  }
  for (const [name, ms] of Object.entries(times)) note(name, ms)
}

function printParts(of) {
  const triggers = [...of.keys()].filter((name) => name.startsWith('trigger ')).map((name) => name.slice(8))
  const unknown = triggers.filter((name) => !(name in TRIGGERS))
  if (unknown.length > 0) throw new Error(`Say in bench/insert.mjs what this buys: ${unknown.join(', ')}`)
  const sum = (names) => names.reduce((total, name) => total + of.get(name), 0)
  const spent = sum(triggers.map((name) => `trigger ${name}`))
  const policies = of.get('insert') - of.get('insert, no policies')
  const inside = sum([...STEPS, 'commit'])
  const rows = [
    [
      '`begin`, and the preamble',
      sum(['begin', 'preamble']),
      'role, claims, search path and time limit hold for this request alone',
    ],
    [
      'pre-request `private.check_request`',
      of.get('pre-request'),
      'ended sessions, banned accounts and a missing second factor are refused; refused attempts count as well',
    ],
    [
      'the statement itself',
      of.get('insert') - policies - spent,
      'the row, two indexes, four CHECKs, the row as JSON in the answer',
    ],
    ['row-level security', policies, 'only the two sides write and read, whatever the triggers do'],
    ...triggers.map((name) => [`trigger \`${name}\``, of.get(`trigger ${name}`), TRIGGERS[name]]),
    [
      'whether SQL has said something of the answer',
      of.get('guard'),
      'if it has, all is undone and judged before its commit',
    ],
    [
      '`commit`',
      of.get('commit'),
      `an acknowledged message survives a power failure (${of.get('commit, unflushed').toFixed(0)} with \`synchronous_commit = off\`)`,
    ],
    [
      'driver, socket, two round trips',
      of.get('wall') - inside,
      'two, to tell what the commit takes; the server sends all in one message',
    ],
    [
      'HTTP and the server',
      of.get('http') - of.get('wall'),
      'token, request and answer checked and formatted, limits, log',
    ],
    ['all of it, as a client sees it', of.get('http'), ''],
  ]
  console.log('| part | µs | what it buys |\n|---|---|---|')
  for (const [part, time, buys] of rows) console.log(`| ${part} | ${time.toFixed(0)} | ${buys} |`)
  console.log(
    `\nThe first message of a chat that had been read: mark_unread ${of.get('unread trigger mark_unread').toFixed(0)} µs.`,
  )
  console.log(`The commit as the driver sees it: ${of.get('wall of the commit').toFixed(0)} µs.`)
  console.log('\nWithin functions, while auto_explain tells of each statement, which is slower:\n')
  for (const name of triggers)
    console.log(`${of.get(`nested trigger ${name}`).toFixed(0).padStart(6)} µs  trigger ${name}`)
  for (const [name, time] of of)
    if (name.startsWith('nested in ')) console.log(`${time.toFixed(0).padStart(6)} µs  ${name.slice(7, 220)}`)
}

/** Inserts a second from ten connections, in turns: all of it, and without one part each. */
async function printThroughput(open, inserts, { databaseUrl }) {
  const sql = connect(databaseUrl)
  const realtime = (does) => () => sql.unsafe(`alter table public.messages ${does} trigger _realtime_capture`)
  const ways = [
    { name: 'in one message with its commit, as the server sends it', how: { atOnce: true } },
    { name: 'with the commit in a message of its own' },
    { name: 'without waiting for the flush', settings: { synchronous_commit: 'off' } },
    { name: 'without the realtime trigger', before: realtime('disable'), after: realtime('enable') },
    { name: 'without row-level security', how: { role: 'postgres' } },
    { name: 'without any trigger or foreign key', settings: { session_replication_role: 'replica' } },
  ]
  for (const way of ways) {
    way.found = []
    way.connections = await Promise.all(Array.from({ length: WORKERS }, () => open(way.settings)))
  }
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const { found, connections, how, before, after } of ways) {
      await before?.()
      const work = (n, worker) => connections[worker].send(inserts[n % inserts.length], how)
      await drive(work, { seconds: 0.3 })
      found.push((await drive(work, { seconds: SECONDS })).perSecond)
      await after?.()
    }
  }
  console.log(`| ${WORKERS} at a time | inserts/s |\n|---|---|`)
  for (const { name, found, connections } of ways) {
    console.log(`| ${name} | ${median(found).toFixed(0)} |`)
    await Promise.all(connections.map((one) => one.close()))
  }
  await sql.end()
}
