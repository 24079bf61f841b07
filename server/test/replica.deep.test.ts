// A primary and a streaming replica of it: which of the two answers, and when.
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { openPostgres } from '#db/postgres.ts'
import { openReplica } from '#db/replica.ts'
import { findPostgres, otherThanRoot } from '../../scripts/postgres.mjs'
import { startCluster } from './cluster.ts'
import { eventually } from './eventually.ts'
import { freePort } from './free-port.ts'

test('visitors read from the replica, unless it lags, is gone, or is no replica', {
  timeout: 60_000,
}, async () => {
  const bin = findPostgres() ?? ''
  const cluster = await startCluster(bin, ['wal_level=replica', 'max_wal_senders=4'])
  const folder = mkdtempSync(join(tmpdir(), 'potluck-replica-'))
  const as = otherThanRoot()
  if (as.uid !== undefined) chownSync(folder, as.uid, as.gid)
  const options = { ...as, cwd: folder, stdio: 'ignore' as const }
  const data = join(folder, 'data')
  execFileSync(
    join(bin, 'pg_basebackup'),
    ['-d', cluster.url, '-D', data, '-R', '-c', 'fast', '-X', 'stream'],
    options,
  )
  const port = await freePort()
  const start = () =>
    spawn(
      join(bin, 'postgres'),
      [
        '-D',
        data,
        '-p',
        `${port}`,
        '-k',
        folder,
        '-c',
        'listen_addresses=127.0.0.1',
        '-c',
        'max_connections=300',
      ],
      options,
    )
  let standby = start()
  const url = Object.assign(new URL(cluster.url), { port }).href
  const db = await openPostgres(cluster.url)
  const log = pino({ enabled: false })
  const reads = openReplica({ db, url, log })
  const elsewhere = openReplica({ db, url: cluster.url, log })
  const whose = async (from = reads) =>
    (await from.batch([{ text: 'select pg_is_in_recovery() as replica' }]))[0]
  const within = { timeout: 10_000 }

  await eventually(async () => expect(await whose()).toEqual([{ replica: true }]), within)
  expect(await whose(elsewhere)).toEqual([{ replica: false }])
  // What only the primary can do, it does.
  expect(await reads.batch([{ text: 'create table added as select 1 as one' }])).toEqual([[]])

  const direct = await openPostgres(url, { max: 1 })
  await direct.query('select pg_wal_replay_pause()')
  await db.query('insert into added values (2)')
  await eventually(async () => expect(await whose()).toEqual([{ replica: false }]), within)
  await direct.query('select pg_wal_replay_resume()')
  await eventually(async () => expect(await whose()).toEqual([{ replica: true }]), within)
  await direct.close()

  const ended = once(standby, 'exit')
  standby.kill('SIGINT')
  await ended
  expect(await whose()).toEqual([{ replica: false }])
  standby = start()
  await eventually(async () => expect(await whose()).toEqual([{ replica: true }]), within)

  await Promise.all([reads.close(), elsewhere.close()])
  await db.close()
  const over = once(standby, 'exit')
  standby.kill('SIGINT')
  await over
  await cluster.stop()
  rmSync(folder, { recursive: true, force: true })
})
