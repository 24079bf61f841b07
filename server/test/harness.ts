// A real server in this process with a freshly migrated database, for the suites of every workspace.
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  createClient,
  type SupabaseClient,
  type SupabaseClientOptions,
  type WebSocketLikeConstructor,
} from '@supabase/supabase-js'
import { bcrypt } from 'hash-wasm'
import { type DestinationStream, pino } from 'pino'
import { afterAll, inject } from 'vitest'
import WebSocket from 'ws'
import { type AppLimits, startApp } from '#app.ts'
import { writeSession } from '#auth/session-answer.ts'
import { type Config, readConfig } from '#config.ts'
import type { AppSettings, Database } from '#db/database.ts'
import { appSettings } from '#db/open.ts'
import { openPglite } from '#db/pglite.ts'
import { openPostgres } from '#db/postgres.ts'
import { createUser } from '#identity/new-user.ts'
import { openSession } from '#identity/sessions.ts'
import { createTokens, type Tokens } from '#identity/tokens.ts'
import type { CapturedMail } from '#mail/outbox-routes.ts'
import { urlOf, WITH_PG_CRON } from './cluster.ts'
import { freePort } from './free-port.ts'
import { loadTemplate, TEMPLATE_DATABASE } from './template.ts'

export interface TestServer {
  url: string
  anonKey: string
  serviceKey: string
  config: Config
  tokens: Tokens
  db: Database
  /** The database's URL, for a second server; undefined on PGlite. */
  databaseUrl: string | undefined
  /** The server's log, one line of JSON per entry. */
  logged: string[]
  /** What the server told its operator at the start. */
  notices: readonly string[]
  /** Captured mail, newest first. */
  outbox(): Promise<CapturedMail[]>
  close(): Promise<void>
}

export type TestDatabase = Database & { url: string | undefined }

export interface Shelter {
  /**
   * True if the database records that its server is sheltered. By default this is so for test servers, as for `npm
   * start`, but not for databases without a server.
   */
  sheltered?: boolean
  /** True if SQL can call the project's functions on this server, as in production. */
  callsFunctions?: boolean
}

/** The schema that contains the site's jobs. */
export const CRON = WITH_PG_CRON ? 'project_cron' : 'cron'

/** Opens a migrated, empty database with at most `connections` connections: PGlite, or one in the throwaway cluster. */
export async function openTestDatabase(
  { sheltered = false, connections = 10 }: Shelter & { connections?: number } = {},
  ownUrl = '',
): Promise<TestDatabase> {
  const settings = appSettings({ sheltered, ownUrl })
  const cluster = inject('clusterUrl')
  return cluster
    ? copyOf(cluster, TEMPLATE_DATABASE, settings, connections)
    : { ...(await openPglite({ loadDataDir: await loadTemplate(), settings })), url: undefined }
}

/** The connection that creates databases. All test files of a worker share it; it closes when the cluster stops. */
let admin: Promise<Database> | undefined

async function copyOf(
  cluster: string,
  template: string,
  settings: AppSettings,
  max = 10,
): Promise<TestDatabase> {
  const name = `test_${randomBytes(6).toString('hex')}`
  admin ??= openPostgres(cluster, { max: 1 })
  // Copying the template's files takes a third of the time of a WAL-logged copy.
  await (await admin).query(`create database ${name} template ${template} strategy file_copy`)
  const url = urlOf(cluster, name)
  return { ...(await openPostgres(url, { settings, max })), url }
}

/** Opens an empty, unmigrated database, which closes at the end of the test file. */
export async function emptyDatabase(): Promise<TestDatabase> {
  const cluster = inject('clusterUrl')
  return ofTheFile(
    cluster ? await copyOf(cluster, 'template0', {}) : { ...(await openPglite({})), url: undefined },
  )
}

/** Closes the server or database at the end of the test file. */
function ofTheFile<Opened extends { close(): Promise<void> }>(opened: Opened): Opened {
  afterAll(() => opened.close())
  return opened
}

/** Opens the database of a test file, which closes at its end: `const db = await testDatabase()`. */
export const testDatabase = async (shelter?: Shelter): Promise<TestDatabase> =>
  ofTheFile(await openTestDatabase(shelter))

/** Starts the server of a test file, which closes at its end: `const server = await testServer()`. */
export const testServer = async (env: Record<string, string> = {}, shelter?: Shelter): Promise<TestServer> =>
  ofTheFile(await startTestServer(env, shelter))

/** Starts the server on a free port. `env` overrides the environment. */
export async function startTestServer(
  env: Record<string, string> = {},
  { sheltered = true, callsFunctions = false }: Shelter = {},
): Promise<TestServer> {
  const port = String(await freePort())
  const ownUrl = callsFunctions ? `http://127.0.0.1:${port}` : ''
  // A page sends a dozen requests at the same time, and opening a connection costs Postgres a twentieth of a second.
  const database = await openTestDatabase({ sheltered, connections: 5 }, ownUrl)
  // Tests run the site's jobs explicitly, so that no job runs at other times.
  await database.query(`update ${CRON}.job set active = false`)
  return serveTest(database, database.url, { PORT: port, SITE_URL: `http://127.0.0.1:${port}`, ...env })
}

/** Starts a server on a database that is already open; closing the server closes the database too. */
export async function serveTest(
  db: Database,
  databaseUrl: string | undefined,
  env: Record<string, string> = {},
  limits: AppLimits = {},
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
    JWT_SECRET: randomBytes(32).toString('hex'),
    ...env,
  })
  const logged: string[] = []
  const sink: DestinationStream = { write: (line) => logged.push(line) }
  const app = await startApp(config, db, pino({ level: 'info' }, sink), { graceMs: 0, ...limits })
  return {
    url: app.url,
    anonKey: app.keys.anon,
    serviceKey: app.keys.service,
    config,
    tokens: createTokens(config.jwtSecret ?? ''),
    db,
    databaseUrl,
    logged,
    notices: app.notices,
    outbox: async () => (await fetch(`${app.url}/outbox.json`)).json() as Promise<CapturedMail[]>,
    close: async () => {
      await app.close()
      await db.close()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

export interface TestUser {
  id: string
  email: string
  client: SupabaseClient
  accessToken: string
}

export const PASSWORD = 'Correct-horse-1!'
// Hashes passwords at the lowest cost, since password hashing is tested elsewhere.
const hashes = new Map<string, Promise<string>>()
const hashOf = (password: string) => {
  const known =
    hashes.get(password) ?? bcrypt({ password, salt: randomBytes(16), costFactor: 4, outputType: 'encoded' })
  hashes.set(password, known)
  return known
}

/**
 * Creates a client like the browser's, with its own session or, if `token` is given, with that token and no session.
 */
export function newClient(
  server: Pick<TestServer, 'url' | 'anonKey'>,
  key = server.anonKey,
  token?: string,
  { auth, ...options }: SupabaseClientOptions<'public'> = {},
): SupabaseClient {
  const storageKey = randomBytes(8).toString('hex')
  return createClient(server.url, key, {
    ...(token !== undefined && { accessToken: async () => token }),
    auth: { persistSession: false, autoRefreshToken: false, storageKey, ...auth },
    realtime: { transport: WebSocket as unknown as WebSocketLikeConstructor },
    ...options,
  })
}

/** Creates a confirmed, signed-in account with the auth service's own functions, not over HTTP. */
export async function addAccount(
  { db, tokens, url }: Pick<TestServer, 'db' | 'tokens' | 'url'>,
  email: string,
  {
    password = PASSWORD,
    data = { name: email.replace(/@.*/, '') },
  }: { password?: string; data?: Record<string, unknown> } = {},
) {
  const passwordHash = await hashOf(password)
  const signedIn = await db.transaction(async (tx) => {
    const user = await createUser(tx, { email, passwordHash, userMetadata: data, confirmed: true })
    if (!user) throw new Error(`There is an account of ${email} already`)
    const session = await openSession(tx, user.id, 'password', { userAgent: null, address: '127.0.0.1' })
    return { user, session }
  })
  const settings = { apiUrl: url, jwtExpirySeconds: 3_600 }
  const session = await writeSession({ tokens, settings }, signedIn.user, signedIn.session)
  return { id: signedIn.user.id, email, session, accessToken: session.access_token }
}

/** Creates an account as `addAccount` does, and also returns a client that has the session. */
export async function addUser(
  server: TestServer,
  email: string,
  options: { password?: string } = {},
): Promise<TestUser> {
  const { session, ...user } = await addAccount(server, email, options)
  const client = newClient(server)
  const { error } = await client.auth.setSession(session)
  if (error) throw error
  await client.realtime.setAuth(session.access_token)
  return { ...user, client }
}
