// Runs our built server in a separate process.
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from '../../scripts/install.mjs'
import { load } from '../../scripts/run.mjs'
import { freePort, startServer } from '../processes.mjs'

const SECRET = 'a-secret-of-the-bench-and-of-nothing-else-0123456789'

/** Returns the environment of our server for a data folder, or for the database at `databaseUrl`. */
export function environment({ folder, databaseUrl, demo = false, port = 3000, settings = {} }) {
  return {
    PORT: String(port),
    SITE_URL: `http://127.0.0.1:${port}`,
    DATA_DIR: folder,
    ...(databaseUrl && {
      DATABASE_URL: databaseUrl,
      VAULT_KEY: 'A'.repeat(43),
      VAPID_PRIVATE_KEY: 'B'.repeat(43),
    }),
    JWT_SECRET: SECRET,
    RATE_LIMITS: 'off',
    DEMO: demo ? 'on' : 'off',
    OUTBOX: 'on',
    ...settings,
  }
}

/**
 * Migrates a database with the server's own code and fills it. `parts` are the parts of the project, if already loaded.
 */
export async function fillPotluck(place, work = async () => undefined, parts = undefined) {
  mkdirSync(place.folder, { recursive: true })
  const { openDatabase, readConfig } = parts ?? (await load('bench/server-parts.mjs'))
  const db = await openDatabase(readConfig(environment(place)))
  await work(db)
  await db.close()
}

/** Serves a database, filled or new, with the server built in `root`. Returns { url, apikey, secret, pid, stop, kill }. */
export async function startPotluck(place) {
  mkdirSync(place.folder, { recursive: true })
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const server = await startServer([process.execPath, join(place.root ?? ROOT, 'server/dist/main.js')], {
    cwd: place.folder,
    env: { PATH: process.env.PATH, ...environment({ ...place, port }) },
    log: join(place.folder, 'server.log'),
    address: `${url}/health`,
  })
  const { supabaseAnonKey } = await (await fetch(`${url}/config.json`)).json()
  return { ...server, url, apikey: supabaseAnonKey, secret: SECRET }
}

/** Creates an account with a password, and confirms it with the link in the mail. */
export async function signUp({ url, apikey }, person) {
  const headers = { apikey, 'content-type': 'application/json' }
  const body = JSON.stringify(person)
  const answer = await fetch(`${url}/auth/v1/signup`, { method: 'POST', headers, body })
  if (!answer.ok) throw new Error(`The sign-up answered ${answer.status}: ${await answer.text()}`)
  const [mail] = await (await fetch(`${url}/outbox.json`)).json()
  const carried = new URLSearchParams(/\/auth-redirect#(\S+)/.exec(mail.text)[1])
  const verified = await fetch(`${url}/auth/v1/verify`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ type: carried.get('type'), token_hash: carried.get('token_hash') }),
  })
  if (!verified.ok) throw new Error(`The link answered ${verified.status}: ${await verified.text()}`)
}
