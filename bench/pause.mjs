// `npm run bench:pause`: Postgres is stopped for 30 s (SIGSTOP: its connections stay open, nothing answers) while every service is
// called; whatever needs the database has to answer 503 with Retry-After in time, and to work again at once. Printed only.
import { execFileSync } from 'node:child_process'
import { setTimeout as pause } from 'node:timers/promises'
import { onPostgres } from './cluster.mjs'
import { signUp, startPotluck } from './contestants/potluck.mjs'
import { sayLoad, verdict } from './figures.mjs'

const PAUSE_MS = 30_000
// What may be in the database for ten seconds, after five in the queue and five for a connection.
const LONGEST_MS = 20_500
/** Answered without the database, or without what it would add; everything else, as before only what is in memory and what is asked last. */
const STILL = new Set(['front page', 'plans page', 'page of a plan', 'health', 'config'])

export const measure = () => onPostgres('pause', report)

async function report(cluster, folder) {
  const server = await startPotluck({ folder, databaseUrl: await cluster.create('potluck') })
  try {
    const calls = await callsOf(server)
    const before = await statuses(calls)
    const stopped = await whilePaused(cluster.pid, calls)
    await pause(2_000)
    const after = await statuses(calls)
    for (const [name, seen] of Object.entries(stopped)) {
      const answers = Object.entries(seen)
      const longest = Math.max(...answers.map(([, found]) => found.longest))
      const refused = answers.filter(([what]) => what.startsWith('503 retry-after=1 '))
      const asBefore = answers.filter(([what]) => what.startsWith(`${before[name]} `))
      const holds =
        (STILL.has(name)
          ? answers.every(([what]) => /^(200|404) /.test(what))
          : refused.length > 0 && refused.length + asBefore.length === answers.length) &&
        longest < LONGEST_MS &&
        before[name] === after[name]
      console.log(
        `${verdict(holds)} ${name}: ${before[name]} before, ${after[name]} after, longest ${longest} ms`,
      )
      for (const [what, { times, longest }] of answers)
        console.log(`  ${times} times ${what} (${longest} ms)`)
    }
    const lines = `cut -c1-200 ${folder}/server.log | sed 's/"time":[0-9]*//; s/"request":"[^"]*"//' | sort | uniq -c | sort -rn | head -20`
    console.log(execFileSync('sh', ['-c', lines], { encoding: 'utf8' }))
  } finally {
    await server.stop()
  }
  sayLoad()
}

async function callsOf(server) {
  const person = { email: 'ana@potluck.example', password: 'Correct-horse-1!', data: { name: 'Ana' } }
  await signUp(server, person)
  const visitor = { apikey: server.apikey, 'content-type': 'application/json' }
  const post = (path, body, headers) => () =>
    fetch(server.url + path, { method: 'POST', headers, body: JSON.stringify(body) })
  const get =
    (path, headers = visitor) =>
    () =>
      fetch(server.url + path, { headers })
  const login = post('/auth/v1/token?grant_type=password', person, visitor)
  const { access_token, refresh_token } = await (await login()).json()
  const me = { ...visitor, authorization: `Bearer ${access_token}` }
  const asked = { p_name: 'pause', p_scopes: ['read plans'], p_days: 1 }
  const token = await (await post('/rest/v1/rpc/make_api_token', asked, me)()).json()
  const program = { authorization: `Bearer ${token}` }
  const message = { topic: 'x', event: 'y', payload: {}, private: true }
  return {
    'data, visitor': get('/rest/v1/service_provider_data?limit=1'),
    'data, person': get('/rest/v1/service_provider_data?limit=1', me),
    'rpc, person': post('/rest/v1/rpc/count_available_plans', {}, me),
    'sign-in': login,
    account: get('/auth/v1/user', me),
    refresh: post('/auth/v1/token?grant_type=refresh_token', { refresh_token }, visitor),
    function: post('/functions/v1/documents/statement', { year: 2026, language: 'en' }, me),
    'function, program': get('/functions/v1/api/service_provider_data?limit=1', program),
    broadcast: post('/realtime/v1/api/broadcast', { messages: [message] }, me),
    ready: get('/ready'),
    'front page': get('/'),
    'plans page': get('/plans'),
    'page of a plan': get('/plans/00000000-0000-4000-8000-000000000000'),
    health: get('/health'),
    config: get('/config.json'),
  }
}

async function statuses(calls) {
  const found = {}
  for (const [name, call] of Object.entries(calls)) found[name] = (await call()).status
  return found
}

async function whilePaused(postmaster, calls) {
  const children = execFileSync('pgrep', ['-P', String(postmaster)], { encoding: 'utf8' })
  const pids = [postmaster, ...children.split('\n').filter(Boolean).map(Number)]
  const seen = {}
  const until = performance.now() + PAUSE_MS
  for (const pid of pids) process.kill(pid, 'SIGSTOP')
  const resume = pause(PAUSE_MS).then(() => {
    for (const pid of pids) process.kill(pid, 'SIGCONT')
  })
  const workers = Object.entries(calls).map(async ([name, call]) => {
    while (performance.now() < until) {
      const begun = performance.now()
      const what = await call().then(
        async (answer) =>
          `${answer.status} retry-after=${answer.headers.get('retry-after')} ${answer.ok ? '' : (await answer.text()).replace(/,"error_id.*/s, '').slice(0, 160)}`,
        (error) => String(error.cause ?? error),
      )
      seen[name] ??= {}
      seen[name][what] ??= { times: 0, longest: 0 }
      const found = seen[name][what]
      found.times += 1
      found.longest = Math.max(found.longest, Math.round(performance.now() - begun))
      await pause(200)
    }
  })
  await Promise.all([...workers, resume])
  return seen
}
