// Starts the built server as a separate process, which a test may kill and restart.
import { randomBytes } from 'node:crypto'
import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openPostgres } from '@potluck/server/db/postgres.ts'
import { startCluster, WITH_PG_CRON } from '@potluck/server/test/cluster.ts'
import { freePort } from '@potluck/server/test/free-port.ts'
import { openMailbox } from '@potluck/server/test/mailbox.ts'
import { end, launch } from '@potluck/server/test/process.ts'
import { findPostgres } from '../scripts/postgres.mjs'
import { startNginx } from './nginx.ts'

/**
 * The environment variables that name the prepared folders, by the value of `DEMO`. Servers start on copies of them.
 */
const PREPARED = { off: 'POTLUCK_MIGRATED', on: 'POTLUCK_DEMO' } as const

interface CapturedMail {
  to: string
  subject: string
  text: string
}

export interface Potluck {
  url: string
  /** The public key, sent with every client call. */
  key: string
  /** Kills the server process, as a power failure would. */
  kill(): Promise<void>
  /** Restarts the server on the same data and at the same URL. */
  restart(): Promise<void>
  /** Captured mail, newest first. */
  outbox(): Promise<CapturedMail[]>
  close(): Promise<void>
}

/**
 * Runs before the tests, on PGlite: prepares the folders that servers start on copies of. Returns the cleanup function.
 */
export default async function prepare(): Promise<(() => Promise<void>) | undefined> {
  if (process.env.TEST_ON === 'postgres') return
  const folders: string[] = []
  for (const DEMO of ['off', 'on'] as const) {
    const folder = await newFolder()
    if (folders[0]) await cp(folders[0], folder, { recursive: true })
    folders.push(folder)
    await end(await launch({ DATA_DIR: folder, PORT: String(await freePort()), DEMO }), 'SIGTERM')
    process.env[PREPARED[DEMO]] = folder
  }
  return async () => {
    for (const folder of folders) await rm(folder, { recursive: true })
  }
}

/** Starts Potluck with its own data: on PGlite, or on a throwaway Postgres with `TEST_ON=postgres`. */
export async function startPotluck(
  env: Record<string, string> & { DEMO?: 'on' | 'off' } = {},
  host: '127.0.0.1' | 'localhost' = '127.0.0.1',
): Promise<Potluck> {
  const dataDir = await newFolder()
  const prepared = process.env[PREPARED[env.DEMO ?? 'off']]
  if (prepared) await cp(prepared, dataDir, { recursive: true })
  const port = await freePort()
  const own = `http://${host}:${port}`
  const bin = process.env.TEST_ON === 'postgres' ? findPostgres() : undefined
  const cluster = bin ? await startCluster(bin) : undefined
  if (cluster && WITH_PG_CRON) await query(cluster.url, 'create extension pg_cron')
  // Behind nginx everything is as in production: the server does not count as sheltered, and mail is really sent.
  const nginx = process.env.TEST_NGINX ? await startNginx(process.env.TEST_NGINX, port) : undefined
  const mailbox = nginx && (await openMailbox())
  const url = nginx?.url ?? own
  const environment = {
    PORT: String(port),
    SITE_URL: url,
    DATA_DIR: dataDir,
    DEMO: 'off',
    ...(mailbox ? { NODE_ENV: 'production', TRUST_PROXY: 'on', SMTP_URL: mailbox.url } : { OUTBOX: 'on' }),
    ...(cluster && { DATABASE_URL: cluster.url, VAULT_KEY: freshKey(), VAPID_PRIVATE_KEY: freshKey() }),
    ...env,
  }
  let server = await launch(environment)
  const { supabaseAnonKey: key } = await (await fetch(`${own}/config.json`)).json()
  return {
    url,
    key,
    kill: () => end(server, 'SIGKILL'),
    restart: async () => {
      server = await launch(environment)
    },
    outbox: async () =>
      mailbox
        ? mailbox.received.map(readMail).reverse()
        : ((await (await fetch(`${own}/outbox.json`)).json()) as CapturedMail[]),
    close: async () => {
      await end(server, 'SIGTERM')
      mailbox?.server.close()
      await nginx?.stop()
      await cluster?.stop()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

const newFolder = () => mkdtemp(join(tmpdir(), 'potluck-e2e-'))

async function query(url: string, sql: string): Promise<void> {
  const db = await openPostgres(url, { max: 1 })
  await db.query(sql)
  await db.close()
}

/** Parses a mail as sent, with a quoted-printable body. */
function readMail(sent: string): CapturedMail {
  const header = (name: string) => new RegExp(`^${name}: (.*)\\r$`, 'm').exec(sent)?.[1] ?? ''
  const text = sent.replaceAll('=\r\n', '').replaceAll('=3D', '=')
  return { to: header('To'), subject: header('Subject'), text }
}

const freshKey = () => randomBytes(32).toString('base64')
