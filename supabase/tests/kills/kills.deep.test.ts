// The server (on PGlite) or a backend (on Postgres) is killed at random moments: the books balance at all times, no
// charge or transfer is made twice, and nothing is lost. The server is also killed at each moment of a transfer to an
// owner's account, and of its reversal. `KILLS=20 KILL_SEED=1 npx vitest run supabase/tests/kills`
// Proves PAY 08, CLOCK 01
import { createServer } from 'node:http'
import { expect, test } from 'vitest'
import { randomFrom } from '../../../scripts/random.mjs'
import { eventually } from '../../../server/test/eventually.ts'
import { listen } from '../../../server/test/free-port.ts'
import { end, launch } from '../../../server/test/process.ts'
import { openStripeDouble } from '../edge-functions/stripe-double.ts'
import { expectAgreement } from '../model/audit.ts'
import { type Asker, signedInWith } from '../people.ts'
import { chargesOf, endOthers, letTimePass, live, openSite, WEBHOOKS } from './site.ts'

const KILLS = Number(process.env.KILLS ?? 2)
const SEED = Number(process.env.KILL_SEED ?? 20261122)
/** The server is killed once money has moved and a random number of requests, at most this many, has been answered. */
const MOST = 60

async function someBackend(sql: Asker['sql']): Promise<number> {
  const [backend] = await sql<{ pid: number }>`select pid from pg_stat_activity
    where backend_type = 'client backend' and pid <> pg_backend_pid() order by state = 'active' desc, random() limit 1`
  return Number(backend?.pid)
}

test(`killed ${KILLS} times, with seed ${SEED}`, { timeout: (KILLS + 2) * 120_000 }, async () => {
  const random = randomFrom(SEED)
  const stripe = await openStripeDouble(WEBHOOKS)
  const { cluster, env, url, look, begin, finish, close } = await openSite(stripe.url)
  let server: Awaited<ReturnType<typeof launch>> | undefined
  try {
    const world = await begin(KILLS + 2, random, stripe)
    for (let kill = 0; kill < KILLS; kill += 1) {
      server ??= await launch(env)
      world.key ||= (await (await fetch(`${url}/config.json`)).json()).supabaseAnonKey
      const people = live(world, stripe, [url], random)
      await people.answered(Math.floor(random() * MOST))
      if (cluster) process.kill(await look(someBackend), 'SIGKILL')
      else await end(server, 'SIGKILL')
      if (!cluster) server = undefined
      await people.end()
      // Stops the server and ends its connections to Postgres, so that nothing is half-done while time passes.
      server?.kill('SIGSTOP')
      await look(async (sql) => {
        if (cluster) await eventually(() => expect(endOthers(sql)).resolves.toEqual([]))
        await expectAgreement(sql)
        // The leases of killed workers have expired; once everything due is done, nothing runs for some days.
        await sql`update private.payment_jobs set next_attempt_at = now()`
        await letTimePass(sql, Math.ceil(random() * 480), random() < 0.7)
      })
      server?.kill('SIGCONT')
    }
    if (server) await end(server, 'SIGKILL')
    await finish(world, stripe)
  } finally {
    if (server) await end(server, 'SIGKILL')
    stripe.close()
    await close()
  }
})

type Moment = 'before it was asked' | 'before it answered' | 'before the answer was booked'

/** Forwards requests to the provider. A server that sends a request to the armed path is killed at the armed moment. */
async function openGate(provider: string) {
  let armed: { path: string; moment: Moment; server: Awaited<ReturnType<typeof launch>> } | undefined
  const gate = createServer(async (request, response) => {
    const body = Buffer.concat(await request.toArray())
    const now = request.method === 'POST' && request.url?.endsWith(armed?.path ?? ' ') ? armed : undefined
    if (now) armed = undefined
    const { moment, server } = now ?? {}
    if (server && moment === 'before it was asked') return end(server, 'SIGKILL')
    const { host: _host, connection: _connection, 'content-length': _length, ...headers } = request.headers
    const answer = await fetch(`${provider}${request.url}`, {
      ...{ method: request.method ?? 'GET', headers: headers as Record<string, string> },
      ...(body.length > 0 && { body }),
    })
    const said = await answer.text()
    if (server && moment === 'before it answered') return end(server, 'SIGKILL')
    // The server has received the answer, but never reads it.
    server?.kill('SIGSTOP')
    response.writeHead(answer.status, { 'content-type': 'application/json' }).end(said, () => {
      if (server) void end(server, 'SIGKILL')
    })
    return undefined
  })
  return {
    url: await listen(gate),
    arm: (now: NonNullable<typeof armed>) => {
      armed = now
    },
    close: () => {
      gate.close()
      gate.closeAllConnections()
    },
  }
}

test('killed at each moment of a transfer, and of what takes it back', { timeout: 600_000 }, async () => {
  const stripe = await openStripeDouble(WEBHOOKS)
  const gate = await openGate(stripe.url)
  const site = await openSite(gate.url)
  let server: Awaited<ReturnType<typeof launch>> | undefined
  try {
    const world = await site.begin(2, () => 0.5, stripe)
    const tick = () =>
      fetch(`${site.url}/functions/v1/payments/tick`, { method: 'POST' }).catch(() => undefined)
    // Everybody has a place and has paid.
    await site.look(async (_sql, db) => {
      for (const { owner, request, plan } of world.places)
        await signedInWith(db, owner, ['password'])
          .sql`select approve_subscription_request(${request}, ${plan})`
    })
    const work = async () => {
      await site.look((sql) => sql`update private.payment_jobs set next_attempt_at = now()`)
      server = await launch(site.env)
      await tick()
      await end(server, 'SIGKILL')
    }
    const due = async (sql: Asker['sql']) => {
      for (let done = 1; done > 0; )
        done = (await sql<{ n: number }>`select private.run_due_work() as n`)[0]?.n ?? 0
    }
    await work()
    expect(chargesOf(stripe).length).toBe(world.places.length)
    for (const path of ['/transfers', '/reversals'])
      for (const moment of [
        'before it was asked',
        'before it answered',
        'before the answer was booked',
      ] as const) {
        if (path === '/reversals') await work()
        await site.look(async (sql) => {
          await due(sql)
          await letTimePass(sql, 24 * 8)
          await due(sql)
          await sql`update private.payment_jobs set next_attempt_at = now()`
          if (path === '/reversals')
            await sql`select record_dispute('dp_' || c.payment_id, c.intent, c.received, 'needs_response', 'fraudulent', null)
              from private.charges as c join private.account_transfers as t on t.payment_id = c.payment_id and t.status = 'sent'
              where not exists (select from payment_disputes where payment_id = c.payment_id) limit 1`
          expect(
            await sql`select id from private.payment_jobs where kind = ${path.slice(1, -1)}`,
          ).not.toEqual([])
        })
        server = await launch(site.env)
        gate.arm({ path, moment, server })
        await tick()
        await eventually(() => expect(server?.signalCode).toBe('SIGKILL'))
        await site.look(expectAgreement)
      }
    await site.finish(world, stripe)
    expect(stripe.connect.reversals.length).toBeGreaterThanOrEqual(3)
  } finally {
    if (server) await end(server, 'SIGKILL')
    gate.close()
    stripe.close()
    await site.close()
  }
})
