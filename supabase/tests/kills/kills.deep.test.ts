// On PGlite the server is killed in the middle of everything, on Postgres a backend: the books balance at all times,
// and in the end nobody was charged twice and nothing is lost. `KILLS=20 KILL_SEED=1 npx vitest run supabase/tests/kills`
// Proves PAY 08, CLOCK 01
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readConfig } from '@potluck/server/config.ts'
import { openDatabase } from '@potluck/server/db/open.ts'
import { openPglite } from '@potluck/server/db/pglite.ts'
import { openPostgres } from '@potluck/server/db/postgres.ts'
import { expect, inject, test } from 'vitest'
import { buildChanged } from '../../../scripts/build.mjs'
import { findPostgres } from '../../../scripts/postgres.mjs'
import { randomFrom } from '../../../scripts/random.mjs'
import { startCluster } from '../../../server/test/cluster.ts'
import { eventually } from '../../../server/test/eventually.ts'
import { freePort } from '../../../server/test/free-port.ts'
import { serveTest } from '../../../server/test/harness.ts'
import { end, launch } from '../../../server/test/process.ts'
import { openStripeDouble, type StripeDouble } from '../edge-functions/stripe-double.ts'
import { expectAgreement } from '../model/audit.ts'
import { type Asker, statements } from '../people.ts'
import { type Ask, act, fill, type World } from './world.ts'

const KILLS = Number(process.env.KILLS ?? 2)
const SEED = Number(process.env.KILL_SEED ?? 20261122)
const AT_ONCE = 4
const WEBHOOKS = 'whsec_of_a_test'
/** It is killed once money has moved and at most this many answers have been given. */
const MOST = 60
/** People using the site until the returned function is called. */
function live(world: World, stripe: StripeDouble, url: string, random: () => number) {
  let [isOver, answers] = [false, 0]
  const ask: Ask = async (path, { headers, ...init } = {}) => {
    const answer = await fetch(`${url}${path}`, {
      ...{ method: 'POST', signal: AbortSignal.timeout(10_000), ...init },
      headers: { 'Content-Type': 'application/json', apikey: world.key, ...headers },
    }).catch(() => undefined)
    if (answer) answers += 1
    return answer
  }
  const people = Array.from({ length: AT_ONCE }, async () => {
    while (!isOver) await act(world, stripe, ask, random)
  })
  return {
    /** Money has moved by then, and this many answers have been given. */
    answered: (count: number) =>
      eventually(() => {
        expect(chargesOf(stripe)).not.toEqual([])
        expect(answers).toBeGreaterThan(count)
      }),
    end: async () => {
      isOver = true
      await Promise.all(people)
    },
  }
}

async function someBackend(sql: Asker['sql']): Promise<number> {
  const [backend] = await sql<{ pid: number }>`select pid from pg_stat_activity
    where backend_type = 'client backend' and pid <> pg_backend_pid() order by state = 'active' desc, random() limit 1`
  return Number(backend?.pid)
}

const endOthers = (sql: Asker['sql']) => sql`
  select pg_terminate_backend(pid) from pg_stat_activity
  where backend_type = 'client backend' and pid <> pg_backend_pid() and datname = current_database()`

const chargesOf = ({ things }: StripeDouble) =>
  [...things.values()].filter(({ id, status }) => id.startsWith('pi_') && status === 'succeeded')

type Booked = { id: string; cents: number; cost?: number }
const sorted = (rows: readonly Booked[]) =>
  rows.map(({ id, cents, cost = 0 }) => `${id}: ${cents}, ${cost}`).sort()

async function expectAllDone(sql: Asker['sql'], url: string, world: World, stripe: StripeDouble) {
  const isDone = async () => {
    await sql`update private.payment_jobs set next_attempt_at = now()`
    await fetch(`${url}/functions/v1/payments/tick`, { method: 'POST' })
    for (let done = 1; done > 0; )
      done = (await sql<{ n: number }>`select private.run_due_work() as n`)[0]?.n ?? 0
    expect(await sql`select kind, last_error from private.payment_jobs`).toEqual([])
  }
  await eventually(isDone, { interval: 100 })
  await expectAgreement(sql)

  // The provider's records: each payment charged once, each refund made once, and all of it in our books.
  const charged = chargesOf(stripe).map(({ metadata, amount_received: cents }) => ({
    ...{ id: String(metadata?.payment_id), cents: Number(cents), cost: 31 },
  }))
  const known = await sql<Booked>`select payment_id as id, (received * 100)::integer as cents,
      (select (amount * 100)::integer from private.ledger_transfers where key = 'cost:' || intent) as cost
    from private.charges where status = 'succeeded'`
  expect(sorted(known)).toEqual(sorted(charged))
  const refunded = [...stripe.things.values()].flatMap(({ id, metadata, amount }) =>
    id.startsWith('re_') ? [{ id: String(metadata?.refund_id), cents: Number(amount) }] : [],
  )
  const refunds =
    await sql<Booked>`select id, (amount * 100)::integer as cents from private.refunds where status = 'succeeded'`
  expect(sorted(refunded)).toEqual(sorted(refunds))

  // Everything acknowledged to people is done.
  const ids = async (rows: Promise<{ id?: unknown }[]>) => (await rows).map(({ id }) => id)
  const seats = sql`select subscription_id || member_id as id from private.seats`
  const approved = world.approved.map(({ plan, member }) => plan + member.id)
  expect(await ids(seats)).toEqual(expect.arrayContaining(approved))
  const paid = sql`select id from member_payments where status in ('paid', 'closed', 'given-back')`
  expect(await ids(paid)).toEqual(expect.arrayContaining(world.paid))

  // Time-based work happened once: no month left out, each renewal announced, everybody who can pay has paid.
  for (const wrong of [
    sql`select seat_id from member_payments group by 1 having max(number) <> count(*)`,
    sql`select p.id from member_payments as p join member_payments as next
      on next.seat_id = p.seat_id and next.number = p.number + 1 where p.announced_at is null`,
    sql`select told, announced
      from (select user_id, count(*) as told from user_notifications where event = 'renewal-coming' group by 1) as n
      full join (select member_id as user_id, count(*) as announced from member_payments where announced_at is not null group by 1) as p
      using (user_id) where told is distinct from announced`,
    sql`select s.id, s.status, p.number, p.status as payment from private.seats as s
      join payment_methods as m on m.user_id = s.member_id and m.reference like 'pm_works%'
      join lateral (select * from member_payments where seat_id = s.id order by number desc limit 1) as p on true
      where s.end_reason = 'unpaid' or (s.ended_at is null and (p.status <> 'paid' or p.ends_at <= private.now()))`,
  ])
    expect(await wrong).toEqual([])
}

test(`killed ${KILLS} times, with seed ${SEED}`, { timeout: (KILLS + 2) * 120_000 }, async () => {
  await buildChanged(['server', 'supabase'])
  const random = randomFrom(SEED)
  const stripe = await openStripeDouble(WEBHOOKS)
  const cluster = inject('clusterUrl') ? await startCluster(findPostgres() ?? '') : undefined
  const dataDir = await mkdtemp(join(tmpdir(), 'potluck-kills-'))
  const port = await freePort()
  const secret = randomBytes(32).toString('hex')
  const url = `http://127.0.0.1:${port}`
  const env = {
    ...{
      PORT: String(port),
      SITE_URL: url,
      DATA_DIR: dataDir,
      JWT_SECRET: secret,
      STRIPE_API_URL: stripe.url,
    },
    ...{
      DEMO: 'off',
      OUTBOX: 'on',
      RATE_LIMITS: 'off',
      VAULT_KEY: freshKey(),
      VAPID_PRIVATE_KEY: freshKey(),
    },
    ...{
      STRIPE_SECRET_KEY: 'sk_test_1',
      STRIPE_PUBLISHABLE_KEY: 'pk_test_1',
      STRIPE_WEBHOOK_SECRET: WEBHOOKS,
    },
    ...(cluster && { DATABASE_URL: cluster.url }),
  }
  /** On PGlite only while no server runs, as its folder takes one process; Postgres may be recovering. */
  const open = () =>
    cluster ? eventually(() => openPostgres(cluster.url)) : openPglite({ dataDir: join(dataDir, 'pglite') })
  const look = async <T>(work: (sql: Asker['sql']) => Promise<T>): Promise<T> => {
    const db = await open()
    try {
      return await work(statements(db).sql)
    } finally {
      await db.close()
    }
  }
  let server: Awaited<ReturnType<typeof launch>> | undefined
  try {
    const db = await openDatabase(readConfig(env))
    const world = await fill(db, secret, KILLS + 2, random, stripe)
    await db.close()
    for (let kill = 0; kill < KILLS; kill += 1) {
      server ??= await launch(env)
      world.key ||= (await (await fetch(`${url}/config.json`)).json()).supabaseAnonKey
      const people = live(world, stripe, url, random)
      await people.answered(Math.floor(random() * MOST))
      if (cluster) process.kill(await look(someBackend), 'SIGKILL')
      else await end(server, 'SIGKILL')
      if (!cluster) server = undefined
      await people.end()
      // Its other connections to Postgres end too, so that nothing is half-done while time passes.
      server?.kill('SIGSTOP')
      await look(async (sql) => {
        if (cluster) await eventually(() => expect(endOthers(sql)).resolves.toEqual([]))
        await expectAgreement(sql)
        // Leases of killed workers have expired; and once everything due is done, nothing runs for some days.
        await sql`update private.payment_jobs set next_attempt_at = now()`
        await sql`update private.clock set ahead = ahead + gap, beat_at = beat_at - gap
          from (select ${Math.ceil(random() * 480)} * interval '1 hour' as gap) as away
          where not exists (select from private.seats where next_at <= private.now())`
      })
      server?.kill('SIGCONT')
    }
    if (server) await end(server, 'SIGKILL')
    const last = await open()
    const served = await serveTest(last, cluster?.url, env)
    await expectAllDone(statements(last).sql, served.url, world, stripe)
    await served.close()
  } finally {
    if (server) await end(server, 'SIGKILL')
    await cluster?.stop()
    stripe.close()
    await rm(dataDir, { recursive: true })
  }
})

const freshKey = () => randomBytes(32).toString('base64')
