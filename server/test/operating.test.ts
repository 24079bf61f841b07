// A running server as operators see it, and how it stops.
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { pino } from 'pino'
import { afterAll, describe, expect, test } from 'vitest'
import { startApp } from '#app.ts'
import dashboard from '../../deploy/dashboard.json' with { type: 'json' }
import { eventually } from './eventually.ts'
import { freePort } from './free-port.ts'
import { CRON, openTestDatabase, serveTest, testServer } from './harness.ts'

const server = await testServer()
await server.db.transaction((tx) =>
  tx.script(`
    create function public.session_name() returns text language sql as $$ select current_setting('application_name') $$;
    notify pgrst, 'reload schema'`),
)
const ask = (path: string, headers: Record<string, string> = {}, to = server) =>
  fetch(to.url + path, { headers: { apikey: to.anonKey, ...headers } })

describe('the id of a request', () => {
  test('is in its answer and in the name of its session, and no client chooses it', async () => {
    await eventually(async () => expect((await ask('/rest/v1/rpc/session_name')).status).toBe(200))
    const answer = await ask('/rest/v1/rpc/session_name', { 'x-request-id': 'forged' })
    const id = answer.headers.get('x-request-id')
    expect(id).toMatch(/^[0-9a-f-]{36}$/)
    expect(await answer.json()).toBe(`potluck ${id}`)
    const [session] = await server.db.query(`select current_setting('application_name') as name`)
    expect(session?.name).not.toContain(id)
  })

  test('is the proxy’s behind one, if it is fit to be logged, and stands beside what went wrong', async () => {
    const behind = await serveTest(await openTestDatabase(), undefined, { TRUST_PROXY: 'on' })
    afterAll(() => behind.close())
    const idFor = async (given: string) =>
      (await ask('/rest/v1/', { 'x-request-id': given }, behind)).headers.get('x-request-id')
    expect(await idFor('of-the.proxy:1')).toBe('of-the.proxy:1')
    for (const unfit of ['a b', 'x'.repeat(49), '{"level":50}']) expect(await idFor(unfit)).not.toBe(unfit)
    await behind.db.transaction((tx) => tx.script('alter table auth.users rename to lost'))
    const failed = await fetch(`${behind.url}/auth/v1/token?grant_type=password`, {
      method: 'POST',
      headers: { apikey: behind.anonKey, 'x-request-id': 'lost-1', 'content-type': 'application/json' },
      body: JSON.stringify({ email: 'ana@potluck.example', password: 'wrong' }),
    })
    expect(failed.status).toBe(500)
    expect(behind.logged.filter((line) => line.includes('"request":"lost-1"'))).toHaveLength(1)
  })
})

describe('metrics', () => {
  test('count each request by service, method and status', async () => {
    await ask('/rest/v1/no_such_table')
    await server.db.query(
      `update ${CRON}.job set active = true, schedule = '1 second' where jobname = 'seal-transfers'`,
    )
    const text = await eventually(async () => {
      const told = await (await ask('/metrics')).text()
      expect(told).toMatch(
        /^http_request_duration_seconds_count\{service="rest",method="GET",status="404"\} [1-9]/m,
      )
      expect(told).toMatch(/^jobs_total\{job="\d+",outcome="succeeded"\} [1-9]/m)
      expect(told).toMatch(/^job_last_success_timestamp_seconds\{job="seal-transfers"\} \d/m)
      return told
    })
    if (server.db.kind === 'postgres') expect(text).toMatch(/^database_connections\{state="idle"\} \d+$/m)
    // All names in expressions, without the functions of Prometheus.
    const namesIn = (expressions: readonly string[]) =>
      expressions.flatMap((expression) => expression.match(/\b[a-z]+_\w+\b(?!\()/g) ?? [])
    const drawn = namesIn(dashboard.panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)))
    const alerts = await readFile(resolve(import.meta.dirname, '../../deploy/alerts.yaml'), 'utf8')
    const watched = namesIn(alerts.match(/(?<=expr: )(>-\n( {10}.*\n)+|.*)/g) ?? [])
    const told = new Set(text.match(/(?<=^(# TYPE )?)[a-z]\w+/gm))
    expect([...drawn, ...watched].filter((name) => !told.has(name))).toEqual([])
    expect(drawn).toContain('http_request_duration_seconds_bucket')
    expect(watched).toEqual(expect.arrayContaining(['queue_oldest_seconds', 'project_metrics_up']))
    expect(text).toMatch(/^process_resident_memory_bytes \d+$/m)
  })

  test('need the token, and without one exist only on a sheltered server', async () => {
    const token = 'of-the-monitor-0123'
    const open = { OUTBOX: 'off', SMTP_URL: 'smtp://127.0.0.1:1', NODE_ENV: 'production' }
    for (const [env, statuses] of [
      [{ METRICS_TOKEN: token }, [401, 401, 200]],
      [open, [404, 404, 404]],
    ] as const) {
      const other = await serveTest({ ...server.db, close: async () => undefined }, server.databaseUrl, env)
      afterAll(() => other.close())
      const headers = [{}, { authorization: `Bearer ${token}x` }, { authorization: `Bearer ${token}` }]
      const answers = await Promise.all(headers.map((one) => fetch(`${other.url}/metrics`, { headers: one })))
      expect(answers.map(({ status }) => status)).toEqual(statuses)
    }
  })
})

describe('a server that stops', async () => {
  const functionsDir = await mkdtemp(join(tmpdir(), 'potluck-functions-'))
  afterAll(() => rm(functionsDir, { recursive: true }))
  // This function calls the Data API after the server has stopped accepting connections.
  const source = `Deno.serve(async ({ url }) => {
    const ask = (path) => fetch(path, { headers: { apikey: Deno.env.get('SUPABASE_ANON_KEY') } })
    while (await ask(new URL(url).searchParams.get('outside')).then((answer) => answer.text()).then(() => true, () => false));
    return new Response(String((await ask(Deno.env.get('SUPABASE_URL') + '/rest/v1/rpc/session_name')).status))
  })`
  await writeFile(join(functionsDir, 'late.js'), source)
  const start = async () => {
    const port = await freePort()
    const config = { ...server.config, functionsDir, port, siteUrl: `http://127.0.0.1:${port}` }
    const app = await startApp(config, server.db, pino({ level: 'silent' }), { graceMs: 300 })
    const head = `Host: 127.0.0.1\r\napikey: ${app.keys.anon}\r\n`
    /** Opens a raw connection. Records everything received on it, and how it ends. */
    const dial = () => {
      const line = { said: '', ended: '', send: (text: string) => socket.write(text) }
      const socket = connect(port, '127.0.0.1')
      socket.on('data', (chunk) => (line.said += chunk.toString()))
      socket.on('error', ({ message }) => (line.ended = message)).on('end', () => (line.ended ||= 'politely'))
      return line
    }
    return { app, head, dial, url: config.siteUrl }
  }

  test('answers what it is sent meanwhile on connections it has, which end with it, and leaves none in between', async () => {
    const { app, head, dial } = await start()
    const json = 'Content-Type: application/json\r\nContent-Length: 2\r\n'
    const post = `POST /rest/v1/rpc/session_name HTTP/1.1\r\n${head}${json}\r\n`
    const lines = Array.from({ length: 3 }, dial)
    for (const { send } of lines) send(`GET /health HTTP/1.1\r\n${head}\r\n`)
    await eventually(() =>
      expect(lines.map(({ said }) => said)).toEqual(Array(3).fill(expect.stringContaining('"ok"'))),
    )
    expect(lines.some(({ said }) => /Connection: close/i.test(said))).toBe(false)
    for (const line of lines) line.said = ''
    const [kept, idle, half] = lines as [(typeof lines)[0], (typeof lines)[0], (typeof lines)[0]]
    half.send(`${post}{`)
    const closed = app.close()
    const late = dial()
    for (const { send } of [kept, late]) send(`${post}{}`)
    await eventually(() => expect(idle.ended).toBe('politely'))
    half.send('}')
    await closed
    await eventually(() => expect(half.ended).toBe('politely'))
    for (const { said, ended } of [kept, late, half]) {
      expect(said.match(/^HTTP\/1.1 .*$|^Connection: .*$|"potluck .*"/gim)).toEqual([
        ...['HTTP/1.1 200 OK', 'Connection: close', expect.stringMatching(/^"potluck [0-9a-f-]{36}"$/)],
      ])
      expect(ended).toBe('politely')
    }
    expect(idle.said).toBe('')
  })

  test('is sent nothing more, and serves its functions to the end', async () => {
    const { app, url } = await start()
    const get = (path: string) =>
      fetch(url + path, { headers: { apikey: app.keys.anon, authorization: `Bearer ${app.keys.anon}` } })
    expect((await get('/ready')).status).toBe(200)
    const asked = get(`/functions/v1/late?outside=${url}/health`)
    const closed = app.close()
    const ready = await get('/ready')
    expect([ready.status, await ready.json()]).toMatchObject([503, { status: 'stopping' }])
    const late = await asked
    expect([late.status, await late.text()]).toEqual([200, '200'])
    await closed
    await expect(get('/health')).rejects.toThrow()
  })
})
