// A separate Postgres that is restarted in use, and whose backends are all killed.
import { afterAll, describe, expect, test, vi } from 'vitest'
import { openPostgres } from '#db/postgres.ts'
import { findPostgres } from '../../scripts/postgres.mjs'
import { startCluster } from './cluster.ts'
import { eventually } from './eventually.ts'
import { addRealtimeTables, clientOf, JWT_SECRET, newPerson } from './fixtures/realtime.ts'
import { serveTest } from './harness.ts'
import { migrateTemplate } from './template.ts'

const CLIENTS = 24
const BACK_WITHIN_MS = 30_000

describe('a database that goes away and comes back', async () => {
  const cluster = await startCluster(findPostgres() ?? '')
  const db = await openPostgres(cluster.url)
  await migrateTemplate(db)
  const server = await serveTest(db, cluster.url, { JWT_SECRET })
  await addRealtimeTables(server)
  afterAll(async () => {
    await server.close()
    await cluster.stop()
  })
  const olivia = newPerson()
  const write = async (title: string) => {
    const { status, headers } = await fetch(`${server.url}/rest/v1/notes`, {
      method: 'POST',
      headers: { apikey: server.serviceKey, 'Content-Type': 'application/json' },
      body: JSON.stringify({ owner_id: olivia.id, title }),
      signal: AbortSignal.timeout(20_000),
    })
    if (status === 503) expect(headers.get('retry-after')).toBe('1')
    return status
  }

  const killAll = async () => {
    const admin = await openPostgres(cluster.url, { max: 1 })
    await admin.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where backend_type = 'client backend' and pid <> pg_backend_pid()`,
    )
    await admin.close()
  }

  test('serves everybody again within seconds, keeps what it acknowledged, and hears changes again', async () => {
    const client = await clientOf(server, olivia)
    const heard: unknown[] = []
    const joined = vi.fn()
    client
      .channel('notes')
      .on('postgres_changes', { event: 'INSERT', schema: 'public', table: 'notes' }, (change) =>
        heard.push(change.new.title),
      )
      .subscribe((status) => status === 'SUBSCRIBED' && joined())
    await eventually(() => expect(joined).toHaveBeenCalledTimes(1))

    // The Data API sees the fixture's tables a moment after realtime does.
    await eventually(async () => expect(await write('first')).toBe(201))
    const acknowledged: string[] = []
    let isOver = false
    const lastAnswers = new Map<number, number>()
    const clients = Array.from({ length: CLIENTS }, async (_, person) => {
      for (let turn = 0; !isOver; turn += 1) {
        const title = `${person}/${turn}`
        const status = await write(title)
        expect([201, 503]).toContain(status)
        if (status === 201) {
          acknowledged.push(title)
          lastAnswers.set(person, Date.now())
        }
      }
    })
    const everybodyWorks = Promise.all(clients)
    const somebodyStopped = everybodyWorks.then(() => expect(isOver).toBe(true))
    somebodyStopped.catch(() => undefined)
    for (const disturb of [cluster.restart, killAll, cluster.restart, cluster.restart]) {
      await disturb()
      const since = Date.now()
      const everybody = () => [...lastAnswers.values()].filter((at) => at > since).length
      const allServed = eventually(() => expect(everybody()).toBe(CLIENTS), { timeout: BACK_WITHIN_MS })
      await Promise.race([allServed, somebodyStopped])
      expect((await fetch(`${server.url}/ready`)).status).toBe(200)
    }
    isOver = true
    await everybodyWorks

    const kept = await db.query<{ title: string }>('select title from notes')
    const titles = new Set(kept.map(({ title }) => title))
    expect(acknowledged.filter((title) => !titles.has(title))).toEqual([])
    expect(acknowledged.length).toBeGreaterThan(CLIENTS)

    // Clients rejoin, since they may have missed changes, and then receive changes again.
    await eventually(() => expect(joined.mock.calls.length).toBeGreaterThan(1))
    await eventually(
      async () => {
        await write('heard again')
        expect(heard).toContain('heard again')
      },
      { timeout: 15_000, interval: 500 },
    )
    await client.removeAllChannels()
  })

  /** Runs `work` while another connection holds a lock that `work` needs. */
  const whileHeld = async <T>(hold: string, work: () => Promise<T>): Promise<T> => {
    const other = await openPostgres(cluster.url, { max: 1 })
    const answer = await other.transaction(async (tx) => {
      await tx.query(hold)
      return work()
    })
    await other.close()
    return answer
  }

  test('a request that finds every connection taken is refused in time, and readiness says so', async () => {
    const headers = { apikey: server.serviceKey }
    const ask = (path: string, init: RequestInit = {}) => fetch(`${server.url}${path}`, { headers, ...init })
    const say = { messages: [{ topic: 'room', event: 'hello', payload: {}, private: true }] }
    const all = () =>
      Promise.all([
        ask('/rest/v1/notes?limit=1'),
        ask('/ready'),
        ask('/realtime/v1/api/broadcast', { method: 'POST', body: JSON.stringify(say) }),
      ])
    const waits: Promise<unknown>[] = []
    const answers = await whileHeld('select pg_advisory_xact_lock(1)', () => {
      for (let n = 0; n < 10; n += 1) waits.push(db.query('select pg_advisory_xact_lock_shared(1) is null'))
      return all()
    })
    for (const { status, headers } of answers)
      expect([status, headers.get('retry-after')]).toEqual([503, '1'])
    await Promise.all(waits)
    expect((await all()).map(({ status }) => status)).toEqual([200, 200, 202])
  })

  test('a database that does not answer costs each request its own time, and the next ones none', async () => {
    const ask = async () => {
      const begun = performance.now()
      const answer = await fetch(`${server.url}/rest/v1/notes?select=id`, {
        headers: { apikey: server.anonKey },
      })
      const { code } = (await answer.json()) as { code?: string }
      const said = [answer.status, code, answer.headers.get('retry-after')].join(' ')
      return { said, took: performance.now() - begun }
    }
    const crowd = () => Promise.all(Array.from({ length: 60 }, ask))
    const answers = await whileHeld('lock table notes in access exclusive mode', async () => [
      ...(await crowd()),
      ...(await crowd()),
    ])
    // Requests that have reached the database time out there, as with PostgREST; requests still in the queue get a 503,
    // after which clients retry.
    expect([...new Set(answers.map(({ said }) => said))].sort()).toEqual(['500 57014 ', '503 53300 1'])
    // A request waits at most five seconds in the queue, and a visitor's statement runs for at most three.
    expect(Math.max(...answers.map(({ took }) => took))).toBeLessThan(10_000)
    expect([(await ask()).said, db.connections?.().waiting]).toEqual(['200  ', 0])
  })
})
