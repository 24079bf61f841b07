// A release is killed at moments spread over its upgrade of a site, twice on each copy: everything that the earlier release
// acknowledged is there, and the books balance. `KILLS=20 npx vitest run supabase/tests/kills/upgrade`
import { execFile, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import { openPostgres } from '@potluck/server/db/postgres.ts'
import { PROJECT } from '@potluck/server/project.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeArchive } from '../../../scripts/archive.mjs'
import { findPostgres } from '../../../scripts/postgres.mjs'
import { startCluster, urlOf } from '../../../server/test/cluster.ts'
import { eventually } from '../../../server/test/eventually.ts'
import { freePort } from '../../../server/test/free-port.ts'
import { end, launch } from '../../../server/test/process.ts'

const KILLS = Number(process.env.KILLS ?? 4)
const PAIRS = Math.ceil(KILLS / 2)
const NEWCOMERS = 8
const work = await mkdtemp(join(tmpdir(), 'potluck-upgrade-'))
const released = join(work, `potluck-${PROJECT.version}`)
const coming = join(work, 'potluck-coming')

/** The migrations of the coming release: a table, a column with values for rows that exist, a job and a function. */
const MIGRATIONS = {
  '99990101000000_tables': `
    create table private.trial (id uuid primary key references public.messages (id) on delete cascade);
    insert into private.trial select id from public.messages;
    alter table public.conversations add column trial text not null default 'new';
    update public.conversations set trial = 'old';`,
  '99990102000000_functions': `
    select cron.schedule('trial', '0 3 * * *', 'select 1');
    create or replace function private.longest_message() returns integer language sql immutable return 1200;`,
}
const LONG = 'a'.repeat(1100)

beforeAll(async () => {
  const archive = await makeArchive(work)
  await promisify(execFile)('tar', ['-xzf', archive, '-C', work])
  await cp(released, coming, { recursive: true })
  const manifest = JSON.parse(await readFile(join(coming, 'package.json'), 'utf8'))
  const text = JSON.stringify({ ...manifest, version: `${PROJECT.version}1` })
  await writeFile(join(coming, 'package.json'), text)
  for (const [name, sql] of Object.entries(MIGRATIONS))
    await writeFile(join(coming, `supabase/migrations/${name}.sql`), sql)
  // check-books compares the database with the release's schemas.
  const chat = join(coming, 'supabase/schemas/people/chat.sql')
  const schema = await readFile(chat, 'utf8')
  await writeFile(chat, schema.replace('immutable return 1000;', 'immutable return 1200;'))
}, 900_000)
afterAll(() => rm(work, { recursive: true }))

type Environment = Record<string, string>
interface Newcomer {
  refreshToken: string
  request: string
  messages: string[]
}
interface Answer {
  id: string
  access_token: string
  refresh_token: string
}

/** Calls a server; throws if it refuses or is killed. */
async function call<Body>(url: string, path: string, body?: object, token?: string): Promise<Body> {
  const { supabaseAnonKey: apikey } = await (await fetch(`${url}/config.json`)).json()
  const answer = await fetch(url + path, {
    ...(body && { method: 'POST', body: JSON.stringify(body) }),
    headers: {
      apikey,
      authorization: `Bearer ${token ?? apikey}`,
      'content-type': 'application/json',
      prefer: 'return=representation',
    },
  })
  const text = await answer.text()
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${text}`)
  return JSON.parse(text)
}

/** A person signs up, writes to the plan's owner, and asks for a place. */
async function signUp(url: string, email: string, plan: string): Promise<Newcomer> {
  await call(url, '/auth/v1/otp', { email, create_user: true, data: { name: 'Noah' } })
  const token_hash = await eventually(async () => {
    const mails = await call<{ to: string; text: string }[]>(url, '/outbox.json')
    const [, hash] = /token_hash=(\w+)/.exec(mails.find(({ to }) => to === email)?.text ?? '') ?? []
    if (!hash) throw new Error(`No mail to ${email}`)
    return hash
  })
  const session = await call<Answer>(url, '/auth/v1/verify', { type: 'email', token_hash })
  const token = session.access_token
  const question = { p_subscription_id: plan, p_text: 'May I?' }
  const conversation_id = await call<string>(url, '/rest/v1/rpc/ask_question', question, token)
  const message = { conversation_id, content: 'Hello' }
  const written = await call<Answer[]>(url, '/rest/v1/messages', [message, message], token)
  const row = { subscription_id: plan, message: 'Please' }
  const [request] = await call<Answer[]>(url, '/rest/v1/subscription_requests', row, token)
  return {
    refreshToken: session.refresh_token,
    request: request?.id ?? '',
    messages: written.map(({ id }) => id),
  }
}

/** Checks with the people's own sessions that their rows are there, and that the coming release's function is. */
async function expectAll(url: string, newcomers: readonly Newcomer[]): Promise<void> {
  for (const { refreshToken, request, messages } of newcomers) {
    const refresh = '/auth/v1/token?grant_type=refresh_token'
    const { access_token: token } = await call<Answer>(url, refresh, { refresh_token: refreshToken })
    const read = (table: string, columns: string) =>
      call<Record<string, string>[]>(url, `/rest/v1/${table}?select=${columns}`, undefined, token)
    expect(await read('subscription_requests', 'id')).toEqual([{ id: request }])
    const kept = (await read('messages', 'id')).map(({ id }) => id)
    expect(kept).toEqual(expect.arrayContaining(messages))
    const [conversation] = await read('conversations', 'id,trial')
    expect(conversation?.trial).toBe('old')
    const long = { conversation_id: conversation?.id, content: LONG }
    expect(await call(url, '/rest/v1/messages', long, token)).toHaveLength(1)
  }
}

/** Starts the coming release and kills it after so many milliseconds. */
async function startAndKill(env: Environment, after: number): Promise<void> {
  const server = spawn(process.execPath, [join(coming, 'potluck.mjs')], { env })
  let said = ''
  server.stdout.on('data', (chunk) => {
    said += chunk
  })
  server.stderr.on('data', (chunk) => {
    said += chunk
  })
  const exit = once(server, 'exit')
  await Promise.race([pause(after), exit])
  server.kill('SIGKILL')
  await exit
  expect(server.signalCode, said).toBe('SIGKILL')
}

/** Runs an operator's command of a release; returns what it has printed. */
const operate = async (release: string, env: Environment, ...args: string[]) =>
  (await promisify(execFile)(process.execPath, [join(release, 'potluck.mjs'), ...args], { env })).stdout

/** Creates a site with the demo data. `copyOf` copies it while no server runs on it. */
async function createSite(engine: string) {
  const at = async (name: string): Promise<Environment> => ({
    ...common,
    PORT: String(await freePort()),
    DATA_DIR: join(work, `${engine}-${name}`),
  })
  const common = {
    ...{ OUTBOX: 'on', RATE_LIMITS: 'off', JWT_SECRET: randomBytes(32).toString('hex') },
    VAULT_KEY: randomBytes(32).toString('base64'),
    VAPID_PRIVATE_KEY: randomBytes(32).toString('base64'),
  }
  const first = await at('first')
  await end(await launch(first, { main: join(released, 'potluck.mjs') }), 'SIGTERM')
  if (engine === 'PGlite') {
    const copyOf = async (name: string) => {
      const env = await at(name)
      await cp(join(work, `${engine}-first`), join(work, `${engine}-${name}`), { recursive: true })
      return env
    }
    return { first, copyOf, stop: async () => undefined }
  }
  const cluster = await startCluster(findPostgres() ?? '')
  const admin = await openPostgres(cluster.url, { max: 1 })
  await admin.query('create database first')
  await operate(released, first, 'move', urlOf(cluster.url, 'first'))
  const copyOf = async (name: string) => {
    // The connections of a killed server end a moment later.
    await eventually(() => admin.query(`create database ${name} template first`))
    return { ...(await at(name)), DATABASE_URL: urlOf(cluster.url, name) }
  }
  const stop = async () => {
    await admin.close()
    await cluster.stop()
  }
  return { first: { ...first, DATABASE_URL: urlOf(cluster.url, 'first') }, copyOf, stop }
}

const urlAt = ({ PORT }: Environment) => `http://localhost:${PORT}`

/** Lets people join until the released server is killed; returns those whose every step was acknowledged. */
async function fill(env: Environment): Promise<Newcomer[]> {
  const server = await launch(env, { main: join(released, 'potluck.mjs') })
  const url = urlAt(env)
  const olivia = { email: 'olivia@potluck.example', password: 'Potluck-demo-1!' }
  const owner = await call<Answer & { user: Answer }>(url, '/auth/v1/token?grant_type=password', olivia)
  const own = `owner_id=eq.${owner.user.id}&catalogue_plan_id=eq.nintendo-switch-online-family`
  const plans = `/rest/v1/shared_subscriptions?select=id&${own}`
  const [plan] = await call<Answer[]>(url, plans, undefined, owner.access_token)
  const signUpNext = (number: number) => signUp(url, `noah${number}@potluck.example`, plan?.id ?? '')
  const newcomers: Newcomer[] = []
  for (let number = 0; number < NEWCOMERS; number += 1) newcomers.push(await signUpNext(number))
  const interrupted = signUpNext(NEWCOMERS).catch(() => undefined)
  await pause(200)
  await end(server, 'SIGKILL')
  const last = await interrupted
  return last ? [...newcomers, last] : newcomers
}

/** Starts the coming release, which finishes the upgrade, and kills it after `look`. */
async function upgraded<T>(env: Environment, look: (url: string) => Promise<T>): Promise<T> {
  const server = await launch(env, { main: join(coming, 'potluck.mjs') })
  try {
    return await look(urlAt(env))
  } finally {
    await end(server, 'SIGKILL')
  }
}

test.each(['PGlite', ...(findPostgres() ? ['Postgres'] : [])])(
  `an upgrade on %s that is killed ${KILLS} times loses nothing`,
  { timeout: (KILLS + 4) * 120_000 },
  async (engine) => {
    const { first, copyOf, stop } = await createSite(engine)
    try {
      const newcomers = await fill(first)
      const whole = await copyOf('whole')
      const started = performance.now()
      const took = await upgraded(whole, async () => performance.now() - started)
      for (let pair = 0; pair < PAIRS; pair += 1) {
        const env = await copyOf(`pair${pair}`)
        for (const moment of [pair, KILLS - 1 - pair])
          await startAndKill(env, ((moment + 0.5) / KILLS) * took)
        await upgraded(env, (url) => expectAll(url, newcomers))
        const books = await operate(coming, env, 'admin', 'check-books')
        expect(books).toContain('The books balance')
      }
    } finally {
      await stop()
    }
  },
)
