// `npm run bench -- restart`: restarts two servers behind nginx (deploy/nginx.conf) in turn under load, and then one
// without a proxy; counts failed requests and lost or doubled writes. `-- rounds=6` restarts each more often. The
// results are only printed.
import { execFileSync, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { Pool } from 'undici'
import { ROOT } from '../scripts/install.mjs'
import { connect, onPostgres } from './cluster.mjs'
import { environment } from './contestants/potluck.mjs'
import { sayLoad, verdict } from './figures.mjs'
import { freePort, startServer } from './processes.mjs'
import { WebSocket } from './realtime-clients.mjs'

const WORKERS = 16
const SOCKETS = 10
const PATH = '/rest/v1/bench_writes'
const TABLE = `
  create table public.bench_writes (n bigint generated always as identity primary key, id uuid not null);
  alter table public.bench_writes enable row level security;
  create policy everybody on public.bench_writes using (true) with check (true);
  grant select, insert on public.bench_writes to anon;
  alter publication supabase_realtime add table public.bench_writes;
  notify pgrst, 'reload schema'`

export async function measure(words = []) {
  const rounds = Number(words.find((word) => word.startsWith('rounds='))?.slice(7) ?? 3)
  try {
    execFileSync('nginx', ['-v'], { stdio: 'ignore' })
  } catch {
    throw new Error('Needs nginx: apt-get install nginx-light')
  }
  await onPostgres('restart', async (cluster, folder) => {
    const databaseUrl = await cluster.create('potluck')
    const servers = [await openServer(folder, databaseUrl), await openServer(folder, databaseUrl)]
    const sql = connect(databaseUrl)
    await sql.unsafe(TABLE)
    const nginx = await startNginx(folder, servers)
    try {
      const restarts = servers.flatMap((server) => Array.from({ length: rounds }, () => server))
      await drive(`${restarts.length} restarts behind nginx`, {
        ...nginx,
        sql,
        apikey: servers[0].apikey,
        restarts,
      })
      const [{ url, apikey }] = servers
      await drive('3 restarts without a proxy', { url, sql, apikey, restarts: Array(3).fill(servers[0]) })
    } finally {
      await nginx.stop()
      await sql.end()
      for (const server of servers) await server.stop()
    }
  })
  sayLoad()
}

async function openServer(root, databaseUrl) {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const folder = join(root, String(port))
  mkdirSync(folder)
  const settings = { TRUST_PROXY: 'on' }
  const start = () =>
    startServer([process.execPath, join(ROOT, 'server/dist/main.js')], {
      cwd: folder,
      env: { PATH: process.env.PATH, ...environment({ folder, databaseUrl, port, settings }) },
      log: join(folder, 'server.log'),
      address: `${url}/ready`,
    })
  let running = await start()
  const { supabaseAnonKey: apikey } = await (await fetch(`${url}/config.json`)).json()
  const restart = async () => {
    await running.stop()
    running = await start()
  }
  return { port, url, apikey, restart, stop: () => running.stop() }
}

/** Starts nginx with deploy/nginx.conf, a certificate of its own, and these servers. */
async function startNginx(root, servers) {
  const folder = join(root, 'nginx')
  mkdirSync(folder)
  const [key, certificate] = [join(folder, 'site.key'), join(folder, 'site.crt')]
  const about = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost', '-days', '1']
  execFileSync(
    'openssl',
    ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-keyout', key, '-out', certificate, ...about],
    {
      stdio: 'ignore',
    },
  )
  const [plain, tls] = [await freePort(), await freePort()]
  const changes = [
    ['listen 80;', `listen 127.0.0.1:${plain};`],
    ['listen 443 ssl', `listen 127.0.0.1:${tls} ssl`],
    ['127.0.0.1:3000', `127.0.0.1:${servers[0].port}`],
    ['127.0.0.1:3001', `127.0.0.1:${servers[1].port}`],
    ['/etc/ssl/example.org.crt', certificate],
    ['/etc/ssl/example.org.key', key],
    ['server_name example.org;', 'server_name localhost;'],
  ]
  const site = changes.reduce(
    (text, [from, to]) => {
      if (!text.includes(from)) throw new Error(`deploy/nginx.conf has no "${from}"`)
      return text.replaceAll(from, to)
    },
    readFileSync(join(ROOT, 'deploy/nginx.conf'), 'utf8'),
  )
  writeFileSync(join(folder, 'site.conf'), site)
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (one) => `${one}_temp_path ${folder}/${one};`,
  )
  writeFileSync(
    join(folder, 'nginx.conf'),
    `${process.getuid?.() === 0 ? 'user root;' : ''} daemon off; pid ${folder}/pid; error_log ${folder}/error.log;
    events {} http { access_log off; ${temporary.join(' ')} include ${folder}/site.conf; }`,
  )
  const nginx = spawn('nginx', ['-c', join(folder, 'nginx.conf'), '-e', join(folder, 'error.log')], {
    stdio: 'inherit',
  })
  const kill = () => nginx.kill('SIGTERM')
  process.on('exit', kill)
  await pause(500)
  if (nginx.exitCode !== null) throw new Error('nginx did not start')
  return {
    url: `https://localhost:${tls}`,
    ca: readFileSync(certificate),
    stop: async () => {
      process.off('exit', kill)
      const ended = once(nginx, 'exit')
      nginx.kill('SIGQUIT')
      await ended
    },
  }
}

async function drive(title, { url, ca, sql, apikey, restarts }) {
  const pool = new Pool(url, { connections: WORKERS, pipelining: 1, connect: { ca } })
  const headers = { apikey, 'content-type': 'application/json' }
  const seen = new Map()
  const acknowledged = []
  const sent = new Set()
  let [asking, requests, longest] = [true, 0, 0]
  const failed = (what) => seen.set(what, (seen.get(what) ?? 0) + 1)
  const ask = async (worker) => {
    const id = randomUUID()
    const call =
      worker % 2 === 0
        ? { method: 'GET', path: `${PATH}?limit=1` }
        : { method: 'POST', path: PATH, body: `{"id":"${id}"}` }
    const before = performance.now()
    requests += 1
    if (call.body) sent.add(id)
    try {
      const { statusCode, body } = await pool.request({ ...call, headers })
      const text = await body.text()
      if (statusCode >= 300) failed(`${call.method} ${statusCode} ${text.slice(0, 80)}`)
      else if (call.body) acknowledged.push(id)
    } catch (error) {
      // Without a proxy, a client has to wait until the server is back. The connection was refused, so nothing was
      // sent.
      if (error.code !== 'ECONNREFUSED') return failed(`${call.method} ${error.code}`)
      requests -= 1
      await pause(50)
    }
    longest = Math.max(longest, performance.now() - before)
  }
  const listeners = Array.from({ length: SOCKETS }, () => listen({ url, ca, sql, apikey }))
  await Promise.all(listeners.map(({ joined }) => joined))
  const workers = Array.from({ length: WORKERS }, async (_, worker) => {
    while (asking) await ask(worker)
  })
  await pause(1_000)
  for (const server of restarts) {
    await server.restart()
    await pause(1_000)
  }
  asking = false
  await Promise.all(workers)
  // Waits until the last announcements have arrived.
  const count = () => listeners.reduce((total, { heard }) => total + heard.size, 0)
  for (let before = -1; before < count(); await pause(2_000)) before = count()
  const stored = await sql`select id, count(*)::int as times from bench_writes group by id`
  const times = new Map(stored.map(({ id, times }) => [id, times]))
  const lost = acknowledged.filter((id) => !times.has(id)).length
  const doubled = [...sent].filter((id) => times.get(id) > 1).length
  const missed = listeners.map(({ heard }) => acknowledged.filter((id) => !heard.has(id)).length)
  const sum = (all) => all.reduce((total, one) => total + one, 0)
  for (const { leave } of listeners) leave()
  await pool.close()
  const errors = sum([...seen.values()])
  console.log(
    `${verdict(errors + lost + doubled + sum(missed) === 0)} ${title}: ${requests} requests (${sent.size} POSTs), ${errors} failed, ` +
      `${lost} POSTs acknowledged and lost, ${doubled} doubled; longest wait ${longest.toFixed(0)} ms; ${SOCKETS} sockets ` +
      `reconnected ${sum(listeners.map(({ count }) => count() - 1))} times, ${sum(missed)} messages missed`,
  )
  for (const [what, count] of seen) console.log(`  ${count} times ${what}`)
}

/** Opens a socket as a client does: it reconnects, and reads what it may have missed once it has joined again. */
function listen({ url, ca, sql, apikey }) {
  const heard = new Set()
  let [joins, isOver, socket] = [0, false]
  const joined = new Promise((done) => {
    const open = () => {
      socket = new WebSocket(
        `${url.replace('http', 'ws')}/realtime/v1/websocket?apikey=${apikey}&vsn=2.0.0`,
        { ca },
      )
      let ref = 0
      const send = (topic, event, payload) => {
        ref += 1
        socket.send(JSON.stringify([String(ref), String(ref), topic, event, payload]))
      }
      const join = () => send('realtime:writes', 'phx_join', { config: { postgres_changes } })
      const postgres_changes = [{ event: 'INSERT', schema: 'public', table: 'bench_writes' }]
      const beat = setInterval(() => send('phoenix', 'heartbeat', {}), 25_000)
      socket.on('open', join)
      socket.on('message', async (data) => {
        const [, , , event, payload] = JSON.parse(data.toString())
        if (event === 'postgres_changes') heard.add(payload.data.record.id)
        // When a server starts, it reloads the schema and then tells clients to join again.
        if (event === 'phx_error') join()
        if (event !== 'system' || payload.status !== 'ok') return
        joins += 1
        for (const { id } of await sql`select id from bench_writes`) heard.add(id)
        done()
      })
      socket.on('error', () => undefined)
      socket.on('close', () => {
        clearInterval(beat)
        if (!isOver) setTimeout(open, 100)
      })
    }
    open()
  })
  const leave = () => {
    isOver = true
    socket.terminate()
  }
  return { heard, joined, count: () => joins, leave }
}
