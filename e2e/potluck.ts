// The built server as a process of its own, which a test may kill and start again.
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { startCluster } from '@potluck/server/test/cluster.ts'
import { freePort } from '@potluck/server/test/free-port.ts'
import { findPostgres } from '../scripts/postgres.mjs'

const MAIN = resolve(import.meta.dirname, '../server/dist/main.js')

interface CapturedMail {
  to: string
  subject: string
  text: string
}

export interface Potluck {
  url: string
  /** Ends the process as a power cut would. */
  kill(): Promise<void>
  /** Starts it again on the same data and the same address. */
  restart(): Promise<void>
  /** Captured mail, newest first. */
  outbox(): Promise<CapturedMail[]>
  close(): Promise<void>
}

/** Starts Potluck on an empty database: PGlite, or a throwaway Postgres when the run is `TEST_ON=postgres`. */
export async function startPotluck(env: Record<string, string> = {}): Promise<Potluck> {
  const dataDir = await mkdtemp(join(tmpdir(), 'potluck-e2e-'))
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const bin = process.env.TEST_ON === 'postgres' ? findPostgres() : undefined
  const cluster = bin ? await startCluster(bin) : undefined
  const environment = {
    PATH: process.env.PATH ?? '',
    PORT: String(port),
    SITE_URL: url,
    DATA_DIR: dataDir,
    DEMO: 'off',
    OUTBOX: 'on',
    ...(cluster && { DATABASE_URL: cluster.url }),
    ...env,
  }
  let server = await launch(environment)
  return {
    url,
    kill: () => end(server, 'SIGKILL'),
    restart: async () => {
      server = await launch(environment)
    },
    outbox: async () => (await (await fetch(`${url}/outbox.json`)).json()) as CapturedMail[],
    close: async () => {
      await end(server, 'SIGTERM')
      await cluster?.stop()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

async function launch(env: Record<string, string>): Promise<ChildProcess> {
  const server = spawn(process.execPath, [MAIN], { env, stdio: ['ignore', 'pipe', 'pipe'] })
  let said = ''
  await new Promise<void>((ready, fail) => {
    const hear = (chunk: Buffer) => {
      said += chunk.toString()
      if (said.includes('is ready at')) ready()
    }
    server.stdout.on('data', hear)
    server.stderr.on('data', hear)
    server.once('exit', (code) => fail(new Error(`The server ended with ${code}: ${said}`)))
  })
  return server
}

async function end(server: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return
  const gone = new Promise((done) => server.once('exit', done))
  server.kill(signal)
  await gone
}
