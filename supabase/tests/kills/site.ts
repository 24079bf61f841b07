// A site on a database that outlives its servers: people use it while something is killed, and afterwards the books, the
// provider and every acknowledged answer have to agree.
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { readConfig } from '@potluck/server/config.ts'
import type { Database } from '@potluck/server/db/database.ts'
import { openDatabase } from '@potluck/server/db/open.ts'
import { openPglite } from '@potluck/server/db/pglite.ts'
import { openPostgres } from '@potluck/server/db/postgres.ts'
import { expect, inject } from 'vitest'
import { buildChanged } from '../../../scripts/build.mjs'
import { findPostgres } from '../../../scripts/postgres.mjs'
import { startCluster } from '../../../server/test/cluster.ts'
import { eventually } from '../../../server/test/eventually.ts'
import { freePort } from '../../../server/test/free-port.ts'
import { serveTest } from '../../../server/test/harness.ts'
import type { StripeDouble } from '../edge-functions/stripe-double.ts'
import { expectAgreement } from '../model/audit.ts'
import { type Asker, statements } from '../people.ts'
import { type Ask, act, fill, tellDispute, type World } from './world.ts'

const AT_ONCE = 4
export const WEBHOOKS = 'whsec_of_a_test'

/** Lets people use the site until the returned function `end` is called. */
export function live(world: World, stripe: StripeDouble, urls: readonly string[], random: () => number) {
  let [isOver, answers] = [false, 0]
  const ask: Ask = async (path, { headers, ...init } = {}) => {
    const url = urls[Math.floor(random() * urls.length)]
    const answer = await fetch(`${url}${path}`, {
      ...{ method: 'POST', signal: AbortSignal.timeout(10_000), ...init },
      headers: { 'Content-Type': 'application/json', apikey: world.key, ...headers },
    }).catch(() => undefined)
    if (answer) answers += 1
    // While the site is away, a refusal is immediate.
    if (!answer || answer.status === 503) await pause(50)
    return answer
  }
  const people = Array.from({ length: AT_ONCE }, async () => {
    while (!isOver) await act(world, stripe, ask, random)
  })
  return {
    /** Waits until money has moved and more than `count` requests have been answered. */
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

export const endOthers = (sql: Asker['sql']) => sql`
  select pg_terminate_backend(pid) from pg_stat_activity
  where backend_type = 'client backend' and pid <> pg_backend_pid() and datname = current_database()`

export const chargesOf = ({ things }: StripeDouble) =>
  [...things.values()].filter(({ id, status }) => id.startsWith('pi_') && status === 'succeeded')

type Booked = { id: string; cents: number; cost?: number }
const sorted = (rows: readonly Booked[]) =>
  rows.map(({ id, cents, cost = 0 }) => `${id}: ${cents}, ${cost}`).sort()

/** Checks owners' accounts: each transfer and each reversal was made once, and balances are as in the books. */
async function expectAllSent(sql: Asker['sql'], { connect }: StripeDouble) {
  const made = [...connect.transfers.values()].map(({ metadata, amount: cents }) => ({
    ...{ id: String(metadata.transfer_id), cents },
  }))
  const sent = await sql<Booked>`select id, (amount * 100)::integer as cents from private.account_transfers`
  expect(sorted(made)).toEqual(sorted(sent))
  const back = connect.reversals.map(({ metadata, amount: cents }) => ({
    id: String(metadata?.reversal_id),
    cents,
  }))
  const taken = await sql<Booked>`select id, (amount * 100)::integer as cents from private.account_reversals`
  expect(sorted(back)).toEqual(sorted(taken))
  const balances = await sql<Booked>`select reference as id, (balance * 100)::integer as cents
    from private.ledger_accounts join private.connected_accounts on user_id = owner where kind = 'connected' and balance <> 0`
  const there = [...connect.balances].flatMap(([id, cents]) => (cents ? [{ id, cents }] : []))
  expect(sorted(there)).toEqual(sorted(balances))
}

async function expectAllDone(sql: Asker['sql'], url: string, world: World, stripe: StripeDouble) {
  for (const [id, dispute] of stripe.things)
    if (id.startsWith('dp_')) await tellDispute(stripe, (path, init) => fetch(`${url}${path}`, init), dispute)
  const isDone = async () => {
    await sql`update private.payment_jobs set next_attempt_at = now()`
    await fetch(`${url}/functions/v1/payments/tick`, { method: 'POST' })
    for (let done = 1; done > 0; )
      done = (await sql<{ n: number }>`select private.run_due_work() as n`)[0]?.n ?? 0
    expect(await sql`select kind, last_error from private.payment_jobs`).toEqual([])
  }
  await eventually(isDone, { interval: 100 })
  await expectAgreement(sql)

  // The provider's records must show that each payment was charged once, each refund made once, and all of it booked.
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
  await expectAllSent(sql, stripe)

  // Every action that the server has acknowledged to a person is in the database.
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

/**
 * Opens a site with its own database, which outlives its server: a folder of PGlite, a cluster of its own, or the database
 * at DATABASE_URL in `more`.
 */
export async function openSite(
  stripeUrl: string,
  more: { DATABASE_URL?: string; [name: string]: string } = {},
) {
  await buildChanged(['server', 'supabase'])
  const cluster =
    more.DATABASE_URL !== undefined
      ? { url: more.DATABASE_URL, stop: async () => undefined }
      : inject('clusterUrl')
        ? await startCluster(findPostgres() ?? '')
        : undefined
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
      STRIPE_API_URL: stripeUrl,
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
      STRIPE_CONNECT: 'on',
    },
    ...(cluster && { DATABASE_URL: cluster.url }),
    ...more,
  }
  /**
   * Opens the database: on PGlite only while no server runs, because its folder takes one process; Postgres may be
   * recovering.
   */
  const open = () =>
    cluster ? eventually(() => openPostgres(cluster.url)) : openPglite({ dataDir: join(dataDir, 'pglite') })
  const look = async <T>(work: (sql: Asker['sql'], db: Database) => Promise<T>): Promise<T> => {
    const db = await open()
    try {
      return await work(statements(db).sql, db)
    } finally {
      await db.close()
    }
  }
  const close = async () => {
    await cluster?.stop()
    await rm(dataDir, { recursive: true })
  }
  /** Migrates the database, and fills it. */
  const begin = async (plans: number, random: () => number, stripe: StripeDouble) => {
    const db = await openDatabase(readConfig(env))
    const world = await fill(db, secret, plans, random, stripe)
    await db.close()
    return world
  }
  const finish = async (world: World, stripe: StripeDouble) => {
    const last = await open()
    const served = await serveTest(last, cluster?.url, env)
    await expectAllDone(statements(last).sql, served.url, world, stripe)
    await served.close()
  }
  return { cluster, env, url, look, begin, finish, close }
}

/** Gives access to members who have paid, then lets some days pass during which no work is done. */
export async function letTimePass(sql: Asker['sql'], hours: number, access = true) {
  if (access)
    await sql`with given as (update private.seats set access_given_at = private.now()
      where admitted_at is not null and access_given_at is null and ended_at is null returning id)
      select id from given`
  await sql`select private.begin_periods(id) from private.seats where access_given_at is not null and anchor is null and ended_at is null`
  await sql`update private.clock set ahead = ahead + gap, beat_at = beat_at - gap
    from (select ${hours} * interval '1 hour' as gap) as away
    where not exists (select from private.seats where next_at <= private.now())`
}

const freshKey = () => randomBytes(32).toString('base64')
