// Starts a Postgres cluster from the machine's own binaries, with Postgres's default settings.
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import postgres from 'postgres'
import { findPostgres, otherThanRoot } from '../scripts/postgres.mjs'
import { freePort } from './processes.mjs'

/** Connects to a database, without printing the notices of Postgres. */
export const connect = (url, max = 1) => postgres(url, { max, onnotice: () => undefined })

/** Runs `work` with a temporary folder, which is removed afterwards. */
export async function inFolder(name, work) {
  const folder = mkdtempSync(join(tmpdir(), `potluck-bench-${name}-`))
  try {
    return await work(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Runs `work` with a temporary folder and a throwaway cluster with these settings, both removed afterwards. */
export const onPostgres = (name, work, settings) =>
  inFolder(name, async (folder) => {
    const cluster = await startCluster(undefined, settings)
    try {
      return await work(cluster, folder)
    } finally {
      await cluster.stop()
    }
  })

/**
 * Starts a cluster on loopback: a throwaway one, or one kept in a folder. Returns { pid, version,
 * create(name, template), open(name), drop(name), stop }; `open` creates the database if it does not exist.
 */
export async function startCluster(kept, settings = []) {
  const bin = findPostgres()
  if (!bin) throw new Error('Needs the binaries of a Postgres server (initdb, postgres)')
  const folder = kept ? join(kept, 'cluster') : mkdtempSync(join(tmpdir(), 'potluck-bench-pg-'))
  mkdirSync(folder, { recursive: true })
  const other = otherThanRoot()
  if (other.uid !== undefined) chownSync(folder, other.uid, other.gid)
  const data = join(folder, 'data')
  const options = { ...other, cwd: folder, stdio: 'ignore' }
  if (!existsSync(data))
    execFileSync(join(bin, 'initdb'), ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8'], options)
  const port = await freePort()
  const server = spawn(
    join(bin, 'postgres'),
    [
      ...['-D', data, '-p', String(port), '-k', folder],
      ...['listen_addresses=127.0.0.1', ...settings].flatMap((setting) => ['-c', setting]),
    ],
    options,
  )
  const kill = () => server.kill('SIGQUIT')
  process.on('exit', kill)
  const urlOf = (name) => `postgres://postgres@127.0.0.1:${port}/${name}`
  const admin = connect(urlOf('postgres'))
  const version = await untilReady(admin)
  return {
    pid: server.pid,
    version,
    open: async (name) => {
      const [known] = await admin`select from pg_database where datname = ${name}`
      if (!known) await admin.unsafe(`create database ${name}`)
      return urlOf(name)
    },
    create: async (name, template = 'template1') => {
      await admin.unsafe(`create database ${name} template ${template}`)
      return urlOf(name)
    },
    drop: (name) => admin.unsafe(`drop database if exists ${name} with (force)`),
    stop: async () => {
      await admin.end()
      const ended = once(server, 'exit')
      server.kill('SIGINT')
      await ended
      process.off('exit', kill)
      if (!kept) rmSync(folder, { recursive: true, force: true })
    },
  }
}

async function untilReady(admin) {
  for (let attempt = 0; ; attempt += 1) {
    try {
      const [{ server_version }] = await admin`show server_version`
      return server_version
    } catch (error) {
      if (attempt >= 100) throw error
      await pause(100)
    }
  }
}
