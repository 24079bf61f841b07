// A throwaway Postgres cluster from the machine's own binaries.
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, existsSync, mkdtempSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { openPostgres } from '#db/postgres.ts'
import { otherThanRoot } from '../../scripts/postgres.mjs'
import { freePort } from './free-port.ts'

export interface Cluster {
  url: string
  /** Stops Postgres as an operator would to restart it, and starts it again with the same folder and port. */
  restart: () => Promise<void>
  /** Ends Postgres without a checkpoint, as a crash does, and starts it again. */
  crash: () => Promise<void>
  /** Stops Postgres until `restart`. */
  pause: () => Promise<void>
  /** Stops Postgres and removes its folder. */
  stop: () => Promise<void>
}

/**
 * True if the test databases have pg_cron (scripts/platforms.mjs), so that the site's jobs must coexist with pg_cron's.
 */
export const WITH_PG_CRON = process.env.TEST_PG_CRON !== undefined

/** Starts a cluster on a free loopback port, with the settings `more` in addition. */
export const startCluster = (bin: string, more: string[] = []): Promise<Cluster> =>
  serveFolder(
    bin,
    ['wal_level=minimal', 'max_wal_senders=0', ...more],
    // Without a Unicode locale, `lower` would leave "Ö" as it is.
    ['initdb', '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C.UTF-8', '--no-sync'],
  )

/** Settings of a cluster that has standbys. */
export const WITH_STANDBYS = ['wal_level=replica', 'max_wal_senders=4']

/** Starts a streaming standby of the cluster at `url`. */
export const startStandby = (bin: string, url: string): Promise<Cluster> =>
  serveFolder(bin, [], ['pg_basebackup', '-d', url, '-R', '-c', 'fast', '-X', 'stream', '--no-sync'])

async function serveFolder(bin: string, more: string[], [program = '', ...fill]: string[]): Promise<Cluster> {
  const folder = mkdtempSync(join(roomiest(), 'potluck-pg-'))
  const asOther = otherThanRoot()
  if (asOther.uid !== undefined) chownSync(folder, asOther.uid, asOther.gid)
  const data = join(folder, 'data')
  const options = { ...asOther, cwd: folder, stdio: 'ignore' as const }
  execFileSync(join(bin, program), [...fill, '-D', data], options)
  const port = await freePort()
  // Test data need not survive a crash of the machine.
  const settings = [
    ...['fsync=off', 'full_page_writes=off'],
    'max_connections=300',
    'autovacuum=off',
    // No query here runs long enough to earn back its compilation.
    'jit=off',
    `unix_socket_directories=${folder}`,
    'listen_addresses=127.0.0.1',
    ...(WITH_PG_CRON ? ['shared_preload_libraries=pg_cron'] : []),
    ...more,
  ]
  const start = () =>
    spawn(
      join(bin, 'postgres'),
      ['-D', data, '-p', String(port), ...settings.flatMap((setting) => ['-c', setting])],
      options,
    )
  let server = start()
  const end = async (signal: NodeJS.Signals = 'SIGINT') => {
    const ended = once(server, 'exit')
    server.kill(signal)
    await ended
  }
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`
  const startAgain = async () => {
    server = start()
    await untilReady(url)
  }
  await untilReady(url)
  return {
    url,
    restart: async () => {
      if (server.exitCode === null) await end()
      await startAgain()
    },
    crash: async () => {
      await end('SIGQUIT')
      await startAgain()
    },
    pause: () => end(),
    stop: async () => {
      await end()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** Returns the URL of another database of the cluster. */
export const urlOf = (cluster: string, database: string) =>
  Object.assign(new URL(cluster), { pathname: `/${database}` }).href

/** Returns a folder in memory if there is enough space: each test file's database is written once and hardly read. */
function roomiest(): string {
  const memory = '/dev/shm'
  if (!existsSync(memory)) return tmpdir()
  const { bavail, bsize } = statfsSync(memory)
  return bavail * bsize > 8e9 ? memory : tmpdir()
}

async function untilReady(url: string): Promise<void> {
  for (let attempt = 0; ; attempt += 1) {
    try {
      const db = await openPostgres(url, { max: 1, isReplica: true })
      await db.close()
      return
    } catch (error) {
      if (attempt >= 100) throw error
      await pause(100)
    }
  }
}
