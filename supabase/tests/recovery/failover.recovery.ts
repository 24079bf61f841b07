// The machine with the primary fails, in six ways, while two servers are in use: people pay, write, listen and ask for mail.
// FAILOVERS=20 npm run recovery -- failover
//
// | what happens to the primary | what could go wrong |
// |---|---|
// | Postgres is killed; everything is killed | an acknowledged write is lost; a server stays at 503 |
// | everything freezes, and goes on half a minute later | it believes that it is still the primary |
// | the network is cut; only the other machines are cut off | both sides accept writes; the old side wins once the network is back |
// | Patroni moves the primary | a connection stays at the old one |
import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { randomFrom } from '../../../scripts/random.mjs'
import { eventually } from '../../../server/test/eventually.ts'
import { freePort } from '../../../server/test/free-port.ts'
import { openMailbox } from '../../../server/test/mailbox.ts'
import { end, launch } from '../../../server/test/process.ts'
import { openMachines, PASSWORD } from '../../../server/test/recovery/machines.ts'
import { openStripeDouble } from '../edge-functions/stripe-double.ts'
import { chargesOf, endOthers, letTimePass, live, openSite, WEBHOOKS } from '../kills/site.ts'
import { expectAgreement } from '../model/audit.ts'
import { openChats } from './chats.ts'
import { askForMail } from './mails.ts'

const FAILOVERS = Number(process.env.FAILOVERS ?? 20)
const SEED = Number(process.env.KILL_SEED ?? 20261130)
/** In 20 failovers, five each are kills, freezes, cuts and planned switches. */
const KINDS = ['crash', 'freeze', 'cut', 'switch', 'lose', 'freeze', 'part', 'switch'] as const
type Kind = (typeof KINDS)[number]
const AWAY_MS = 8_000
/** Connections of a server: DATABASE_POOL and one that listens. */
const CONNECTIONS = 11

type Machines = Awaited<ReturnType<typeof openMachines>>
type Chats = Awaited<ReturnType<typeof openChats>>

/** Ends what `kind` began. */
function heal(machines: Machines, kind: Kind, name: Parameters<Machines['cut']>[0]) {
  if (kind === 'lose') machines.power(name)
  if (kind === 'freeze') machines.thaw(name)
  if (kind === 'cut') machines.connect(name)
  if (kind === 'part') machines.part(name, 'del')
}

/** Lets the primary fail; returns for how long no write was acknowledged, and how the writes went. */
async function failOver(machines: Machines, chats: Chats, servers: number, kind: Kind) {
  const from = await machines.primary()
  const answers = chats.nextRound()
  await pause(1_500)
  const struck = performance.now()
  await machines[kind](from)
  await eventually(async () => expect(await machines.primary()).not.toBe(from), { interval: 50 })
  const taken = performance.now()
  await eventually(
    () => {
      const later = answers().filter(({ sentAt }) => sentAt > taken)
      for (let server = 0; server < servers; server += 1) {
        const last = later.filter((answer) => answer.server === server).slice(-5)
        expect(last.map(({ isOk }) => isOk)).toEqual(Array(5).fill(true))
      }
    },
    { interval: 50 },
  )
  const to = await machines.primary()
  await pause(AWAY_MS)
  heal(machines, kind, from)
  const healed = performance.now()
  await machines.healthy()
  const safe = (performance.now() - healed) / 1000
  // The former primary must not have taken over again.
  expect(await machines.primary()).toBe(to)
  const times = answers()
    .filter(({ isOk }) => isOk)
    .map(({ at }) => at)
    .sort((a, b) => a - b)
  const gaps = times.map((at, n) => (at > struck ? at - (times[n - 1] ?? at) : 0))
  const failed = new Map<string, number>()
  for (const { isOk, said } of answers()) if (!isOk) failed.set(said, (failed.get(said) ?? 0) + 1)
  const longest = Math.max(...answers().map(({ sentAt, at }) => at - sentAt))
  return {
    ...{ kind, seconds: Math.max(...gaps) / 1000, longest: longest / 1000, safe, written: times.length },
    failed: [...failed].map(([said, times]) => `${times} times ${said}`).join(', ') || 'none',
  }
}

const say = (line: string) => process.stdout.write(`${line}\n`)
const sorted = (all: number[]) => all.sort((a, b) => a - b).map((seconds) => seconds.toFixed(1))

test(`${FAILOVERS} failovers, with seed ${SEED}`, { timeout: (FAILOVERS + 3) * 240_000 }, async () => {
  const random = randomFrom(SEED)
  const [machines, stripe, mailbox] = [
    await openMachines(),
    await openStripeDouble(WEBHOOKS),
    await openMailbox(),
  ]
  const running: Awaited<ReturnType<typeof launch>>[] = []
  const stopServers = () => Promise.all(running.map((server) => end(server, 'SIGKILL')))
  let site: Awaited<ReturnType<typeof openSite>> | undefined
  try {
    // The role and the database are created as in docs/operate.md.
    await machines.onMachine(await machines.primary(), async (db) => {
      await db.query(`create role potluck login password '${PASSWORD}' createrole`)
      await db.query('create database potluck owner potluck')
    })
    const balanced = [
      await machines.balance('potluck', 'potluck'),
      await machines.balance('potluck', 'potluck'),
    ]
    const [first] = balanced
    site = await openSite(stripe.url, {
      ...{ DATABASE_URL: first?.url ?? '', SMTP_URL: mailbox.url, OUTBOX: 'off', LOG_LEVEL: 'error' },
    })
    const { env, look, begin, finish } = site
    const world = await begin(FAILOVERS + 2, random, stripe)
    const talkers = world.places.splice(-3)
    const urls: string[] = []
    for (const { url, readUrl } of balanced) {
      const port = String(await freePort())
      running.push(await launch({ ...env, PORT: port, DATABASE_URL: url, DATABASE_READ_URL: readUrl }))
      urls.push(`http://127.0.0.1:${port}`)
    }
    world.key = (await (await fetch(`${urls[0]}/config.json`)).json()).supabaseAnonKey
    const chats = await openChats(talkers, urls, world.key)
    const mails = askForMail(urls, world.key)
    const outcomes: Awaited<ReturnType<typeof failOver>>[] = []

    for (let n = 0; n < FAILOVERS; n += 1) {
      const people = live(world, stripe, urls, random)
      await people.answered(20)
      const outcome = await failOver(machines, chats, urls.length, KINDS[n % KINDS.length] ?? 'crash')
      outcomes.push(outcome)
      say(
        `${n + 1}. ${outcome.kind}: ${outcome.seconds.toFixed(1)} s until writes went on; ${outcome.written} acknowledged, ` +
          `failed: ${outcome.failed}; longest request ${outcome.longest.toFixed(1)} s; whole again ${outcome.safe.toFixed(1)} s after its return`,
      )
      // A server answers each request within ten seconds, plus five of waiting for a connection.
      expect(outcome.longest).toBeLessThan(20)
      await eventually(() => expect(chats.heard().missed).toBe(0))
      await people.end()

      // Both servers hold no more connections than they may, and visitors' reads have found a standby again.
      const [used] = await machines.onMachine(await machines.primary(), (db) =>
        db.query<{ count: number }>(`select count(*) from pg_stat_activity where usename = 'potluck'`),
      )
      expect(used?.count).toBeLessThanOrEqual(running.length * CONNECTIONS)
      await eventually(async () => expect(await machines.readers('potluck')).toBeGreaterThan(0))

      const goOn = await chats.rest()
      // Stops the servers, so that nothing is half-done while time passes.
      for (const server of running) server.kill('SIGSTOP')
      await look(async (sql) => {
        await eventually(() => expect(endOthers(sql)).resolves.toEqual([]))
        await expectAgreement(sql)
        await sql`update private.payment_jobs set next_attempt_at = now()`
        await letTimePass(sql, Math.ceil(random() * 480), random() < 0.7)
      })
      for (const server of running) server.kill('SIGCONT')
      goOn()
    }

    await chats.end()
    await mails.end()
    await eventually(() => expect(chats.heard().missed).toBe(0))
    const { joins, listeners } = chats.heard()
    await look(async (sql) => {
      // A mail that was being sent when its server lost the database is sent again once its lease has ended.
      await sql`update private.outgoing_mail set next_attempt_at = now() where sent_at is null`
      const stored = (
        await sql<{ content: string }>`select content from messages where message_type = 'user'`
      ).map(({ content }) => content.replace(/^\d+: /, ''))
      const there = new Set(stored)
      expect(chats.acknowledged.filter(({ id }) => !there.has(id))).toEqual([])
      expect(stored.length).toBe(there.size)
    })
    const delivered = await eventually(() => mails.delivered(mailbox), { interval: 500, timeout: 120_000 })
    await chats.leave()
    await stopServers()
    await finish(world, stripe)

    for (const kind of new Set(KINDS)) {
      const seconds = outcomes.filter((outcome) => outcome.kind === kind).map((outcome) => outcome.seconds)
      if (seconds.length > 0) say(`${kind}: ${sorted(seconds).join(', ')} s until writes went on`)
    }
    say(
      `${chats.sent.size} messages sent, ${chats.acknowledged.length} acknowledged, 0 lost, 0 doubled; ${listeners} sockets joined ` +
        `${joins} times, 0 missed; ${world.approved.length} approvals and ${world.paid.length} payments acknowledged, 0 lost; ` +
        `${chargesOf(stripe).length} charges and ${stripe.connect.transfers.size} transfers at the provider, each once; ` +
        `${delivered.asked} mails asked for, 0 lost, ${delivered.doubled} sent twice; whole again after ` +
        `${Math.max(...outcomes.map(({ safe }) => safe)).toFixed(1)} s at most`,
    )
  } finally {
    await stopServers()
    stripe.close()
    mailbox.server.close()
    await site?.close()
    machines.close()
  }
})
