// A server behind PgBouncer: it works in session mode, and refuses to start in the other modes. `npm run recovery -- pooler`
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { openPostgres } from '#db/postgres.ts'
import { buildChanged } from '../../../scripts/build.mjs'
import { findPostgres, otherThanRoot } from '../../../scripts/postgres.mjs'
import { startCluster, urlOf } from '../cluster.ts'
import { eventually } from '../eventually.ts'
import { freePort } from '../free-port.ts'
import { newClient, PASSWORD } from '../harness.ts'
import { end, launch } from '../process.ts'

await buildChanged(['server', 'supabase'])
const cluster = await startCluster(findPostgres() ?? '')
const folder = mkdtempSync(join(tmpdir(), 'potluck-pooler-'))
chmodSync(folder, 0o755)
const ended: (() => Promise<unknown>)[] = []
afterAll(async () => {
  for (const end of ended.reverse()) await end()
  await cluster.stop()
  rmSync(folder, { recursive: true, force: true })
})

/** Starts PgBouncer with its defaults in this mode; returns the URL of a new database behind it. */
async function pooled(mode: string, more: string[] = []): Promise<string> {
  const database = `behind_${mode}_${more.length}`
  const admin = await openPostgres(cluster.url, { max: 1 })
  await admin.query(`create database ${database}`)
  await admin.close()
  const port = await freePort()
  const file = join(folder, `${database}.ini`)
  const { port: behind } = new URL(cluster.url)
  writeFileSync(
    file,
    [
      '[databases]',
      `* = user=postgres host=127.0.0.1 port=${behind}`,
      '[pgbouncer]',
      ...[`listen_port = ${port}`, 'listen_addr = 127.0.0.1', 'unix_socket_dir ='],
      ...['auth_type = any', `pool_mode = ${mode}`, ...more],
      '',
    ].join('\n'),
  )
  const bouncer = spawn('pgbouncer', [file], { ...otherThanRoot(), cwd: folder, stdio: 'ignore' })
  ended.push(async () => {
    const gone = once(bouncer, 'exit')
    bouncer.kill('SIGKILL')
    await gone
  })
  const url = urlOf(`postgres://postgres@127.0.0.1:${port}/`, database)
  await eventually(async () => (await openPostgres(url, { max: 1 })).close())
  return url
}

async function start(databaseUrl: string) {
  const port = String(await freePort())
  const url = `http://127.0.0.1:${port}`
  const key = 'A'.repeat(43)
  const server = await launch({
    ...{ PORT: port, SITE_URL: url, DATABASE_URL: databaseUrl, DATA_DIR: join(folder, port) },
    ...{ OUTBOX: 'on', JWT_SECRET: 'a'.repeat(32), VAULT_KEY: key, VAPID_PRIVATE_KEY: 'B'.repeat(43) },
  })
  return { url, server }
}

test('in session mode people sign up, get mail at once and hear of changes', async () => {
  const database = await pooled('session')
  const { url, server } = await start(database)
  const { supabaseAnonKey: anonKey } = (await (await fetch(`${url}/config.json`)).json()) as {
    supabaseAnonKey: string
  }
  const client = newClient({ url, anonKey })
  const person = { email: 'ana@example.org', password: PASSWORD }
  expect((await client.auth.signUp(person)).error).toBeNull()
  const db = await openPostgres(database, { max: 1 })
  // The queue is read every 30 seconds, unless the server hears that a mail is due.
  const mails = () => db.query('select from platform.captured_mail')
  await eventually(async () => expect(await mails()).not.toEqual([]), { timeout: 15_000 })

  await db.query('update auth.users set email_confirmed_at = now()')
  const { data } = await client.auth.signInWithPassword(person)
  await client.realtime.setAuth(data.session?.access_token ?? '')
  const heard: unknown[] = []
  await new Promise<void>((ready) =>
    client
      .channel('notifications')
      .on('postgres_changes', { event: 'INSERT', schema: 'public', table: 'user_notifications' }, (change) =>
        heard.push(change),
      )
      .on('system', {}, ({ status }) => status === 'ok' && ready())
      .subscribe(),
  )
  await db.query(
    `insert into user_notifications (user_id, type, title, message) values ($1, 'info', 'A', 'test')`,
    [data.user?.id ?? ''],
  )
  await eventually(() => expect(heard).not.toEqual([]))
  await db.close()
  await client.removeAllChannels()
  await end(server, 'SIGTERM')
})

test.for([
  ['transaction', []],
  ['transaction', ['default_pool_size = 1']],
  ['transaction', ['server_round_robin = 1', 'min_pool_size = 5']],
  ['statement', []],
] as const)('in %s mode with %j the server says that it needs sessions of its own', async ([mode, more]) => {
  await expect(start(await pooled(mode, [...more]))).rejects.toThrow(
    /DATABASE_URL leads to a pooler that shares its sessions \(pool_mode transaction or statement\)/,
  )
})
