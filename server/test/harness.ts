// A real server in process over a freshly migrated database, for the suites of every workspace.
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClient, type SupabaseClient, type WebSocketLikeConstructor } from '@supabase/supabase-js'
import { type DestinationStream, pino } from 'pino'
import { inject } from 'vitest'
import WebSocket from 'ws'
import { startApp } from '#app.ts'
import { type Config, readConfig } from '#config.ts'
import type { Database } from '#db/database.ts'
import { openPglite } from '#db/pglite.ts'
import { openPostgres } from '#db/postgres.ts'
import { freePort } from './free-port.ts'
import { loadTemplate, TEMPLATE_DATABASE } from './template.ts'

export interface CapturedMail {
  to: string
  subject: string
  text: string
  html: string
  created_at: string
}

export interface TestServer {
  url: string
  anonKey: string
  serviceKey: string
  config: Config
  db: Database
  /** Where the database lives, for a second server beside this one; undefined on PGlite. */
  databaseUrl: string | undefined
  /** What the server logged, a line of JSON each. */
  logged: string[]
  /** Captured mail, newest first. */
  outbox(): Promise<CapturedMail[]>
  close(): Promise<void>
}

/** A migrated, empty database of its own: PGlite, or one of the throwaway cluster in the Postgres run. */
export async function openTestDatabase(): Promise<Database & { url: string | undefined }> {
  const cluster = inject('clusterUrl')
  if (!cluster) {
    const db = await openPglite({ loadDataDir: await loadTemplate() })
    return { ...db, url: undefined }
  }
  const name = `test_${randomBytes(6).toString('hex')}`
  const admin = await openPostgres(cluster, { max: 1 })
  await admin.query(`create database ${name} template ${TEMPLATE_DATABASE}`)
  await admin.close()
  const url = Object.assign(new URL(cluster), { pathname: `/${name}` }).href
  return { ...(await openPostgres(url)), url }
}

/** Boots the server on a free port. `env` overrides the environment a person would set. */
export async function startTestServer(env: Record<string, string> = {}): Promise<TestServer> {
  const database = await openTestDatabase()
  return serveTest(database, database.url, env)
}

/** Boots a server over a database that is already open; closing the server closes it too. */
export async function serveTest(
  db: Database,
  databaseUrl: string | undefined,
  env: Record<string, string> = {},
): Promise<TestServer> {
  const dataDir = await mkdtemp(join(tmpdir(), 'potluck-test-'))
  const port = await freePort()
  const config = readConfig({
    PORT: String(port),
    SITE_URL: `http://127.0.0.1:${port}`,
    DATA_DIR: dataDir,
    DEMO: 'off',
    OUTBOX: 'on',
    RATE_LIMITS: 'off',
    ...env,
  })
  const logged: string[] = []
  const sink: DestinationStream = { write: (line) => logged.push(line) }
  const app = await startApp(config, db, pino({ level: 'info' }, sink))
  return {
    url: app.url,
    anonKey: app.keys.anon,
    serviceKey: app.keys.service,
    config,
    db,
    databaseUrl,
    logged,
    outbox: async () => (await fetch(`${app.url}/outbox.json`)).json() as Promise<CapturedMail[]>,
    close: async () => {
      await app.close()
      await db.close()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

export interface SignedUpUser {
  id: string
  email: string
  client: SupabaseClient
  accessToken: string
}

/** A client as the browser has it, but keeping its session to itself. */
export function newClient(server: TestServer, key = server.anonKey): SupabaseClient {
  return createClient(server.url, key, {
    auth: { persistSession: false, autoRefreshToken: false, storageKey: randomBytes(8).toString('hex') },
    realtime: { transport: WebSocket as unknown as WebSocketLikeConstructor },
  })
}

/** Signs up, confirms through the captured mail and signs in, all over the wire. */
export async function signUpUser(
  server: TestServer,
  email: string,
  { password = 'Correct-horse-1!' }: { password?: string } = {},
): Promise<SignedUpUser> {
  const client = newClient(server)
  const signUp = await client.auth.signUp({ email, password })
  if (signUp.error) throw signUp.error
  const mail = (await server.outbox()).find(({ to }) => to === email)
  const link = /https?:\/\/[^\s"<>]*\/auth\/v1\/verify[^\s"<>]*/.exec(mail?.text ?? '')?.[0]
  if (!link) throw new Error(`No confirmation link was mailed to ${email}`)
  await fetch(link, { redirect: 'manual' })
  const { data, error } = await client.auth.signInWithPassword({ email, password })
  if (error) throw error
  await client.realtime.setAuth(data.session.access_token)
  return { id: data.user.id, email, client, accessToken: data.session.access_token }
}
