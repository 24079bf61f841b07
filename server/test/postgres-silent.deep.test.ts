// A network that silently drops all packets, while both sides believe that they are connected.
import { connect, createServer, type Socket } from 'node:net'
import { afterAll, beforeAll, expect, inject, test, vi } from 'vitest'
import { asCaller } from '#db/as-caller.ts'
import { openPostgres } from '#db/postgres.ts'
import { eventually } from './eventually.ts'

const SPEAK_MS = 3_000
const url = new URL(inject('clusterUrl') ?? '')
const lines = new Set<Socket>()
const network = createServer((near) => {
  const far = connect(Number(url.port), url.hostname)
  near.pipe(far).pipe(near)
  for (const end of [near, far]) {
    lines.add(end)
    end.on('error', () => undefined).on('close', () => [near, far].map((other) => other.destroy()))
  }
})
/** Keeps the connections open, but stops all data on them. */
const swallow = () => {
  for (const end of lines) end.unpipe().pause()
}
const open = () => {
  const { port } = network.address() as { port: number }
  return openPostgres(Object.assign(new URL(url), { port }).href, { max: 1, speakMs: SPEAK_MS })
}

beforeAll(() => new Promise<void>((done) => void network.listen(0, '127.0.0.1', done)))
afterAll(() => {
  for (const end of lines) end.destroy()
  network.close()
})

test('a connection that leads nowhere is given up, and its place is free again', async () => {
  const db = await open()
  const ask = () => asCaller(db, { role: 'anon', claims: '{}' }, [{ text: 'select 1 as one' }])
  expect(await ask()).toEqual([[{ one: 1 }]])
  swallow()
  await expect(ask()).rejects.toMatchObject({ code: '08006' })
  expect(await ask()).toEqual([[{ one: 1 }]])
  // Interactive requests set a timeout; a statement without a timeout may take as long as it needs.
  const hasty = { silentMs: 100 }
  const slow = 'select pg_sleep(4) is null as slept'
  await expect(db.query(slow, [], hasty)).rejects.toMatchObject({ code: '08006' })
  await expect(db.transaction((tx) => tx.query(slow), hasty)).rejects.toMatchObject({ code: '08006' })
  expect(await db.query(slow)).toEqual([{ slept: false }])
  await db.close()
})

test('listeners are told what they may have missed, and receive changes again', async () => {
  const db = await open()
  const direct = await openPostgres(url.href, { max: 1 })
  const heard: string[] = []
  const missed = vi.fn()
  await db.listen('silent', (payload) => heard.push(payload), missed)
  const say = (word: string) => direct.query(`select pg_notify('silent', $1)`, [word])
  await say('before')
  await eventually(() => expect(heard).toEqual(['before']))
  swallow()
  await say('lost')
  await eventually(() => expect(missed).toHaveBeenCalled())
  await say('after')
  await eventually(() => expect(heard).toEqual(['before', 'after']))
  await Promise.all([db.close(), direct.close()])
})
