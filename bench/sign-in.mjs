// `node bench/sign-in.mjs`: what twenty sign-ins a second cost everybody else. Needs a build; installs nothing.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { ROOT } from '../scripts/install.mjs'
import { freePort, startServer } from './processes.mjs'

const READS_PER_SECOND = 20
const SIGN_INS_PER_SECOND = 20
const ROUNDS = 5
const SECONDS = 6
const PERSON = { email: 'bench@potluck.example', password: 'Bench-of-1-person!' }
const READ = '/rest/v1/service_provider_data?select=*&limit=1'

const folder = mkdtempSync(join(tmpdir(), 'potluck-bench-sign-in-'))
const port = await freePort()
const url = `http://127.0.0.1:${port}`
const server = await startServer([process.execPath, 'server/dist/main.js'], {
  cwd: ROOT,
  env: {
    PATH: process.env.PATH,
    PORT: String(port),
    SITE_URL: url,
    DATA_DIR: join(folder, 'data'),
    RATE_LIMITS: 'off',
    DEMO: 'off',
    OUTBOX: 'on',
  },
  log: join(folder, 'server.log'),
  address: `${url}/health`,
  within: 120,
})
try {
  const { supabaseAnonKey } = await (await fetch(`${url}/config.json`)).json()
  const headers = { apikey: supabaseAnonKey, 'content-type': 'application/json' }
  const post = (path) => ask(path, { method: 'POST', headers, body: JSON.stringify(PERSON) })
  const signIn = () => post('/auth/v1/token?grant_type=password')
  const read = () => ask(READ, { headers })
  await post('/auth/v1/signup')
  const [mail] = await (await fetch(`${url}/outbox.json`)).json()
  await fetch(/http\S+verify\S+/.exec(mail.text)[0], { redirect: 'manual' })
  await measure(2, [read, READS_PER_SECOND], [signIn, SIGN_INS_PER_SECOND])

  const idle = []
  const busy = []
  const signIns = []
  for (let round = 0; round < ROUNDS; round++) {
    const [alone = []] = await measure(SECONDS, [read, READS_PER_SECOND])
    const [beside = [], entered = []] = await measure(
      SECONDS,
      [read, READS_PER_SECOND],
      [signIn, SIGN_INS_PER_SECOND],
    )
    idle.push(p95(alone))
    busy.push(p95(beside))
    signIns.push(p95(entered))
  }
  const [quiet, loud] = [median(idle), median(busy)]
  console.log(
    `p95 of a read: ${quiet.toFixed(1)} ms idle, ${loud.toFixed(1)} ms beside ${SIGN_INS_PER_SECOND} sign-ins/s`,
  )
  console.log(
    `p95 of a sign-in: ${median(signIns).toFixed(1)} ms; rounds idle ${list(idle)}, busy ${list(busy)}`,
  )
  console.log(
    `${loud < 2 * quiet ? 'PASS' : 'MISS'} (${(loud / quiet).toFixed(2)} times the idle value, promised: under 2)`,
  )
} finally {
  await server.stop()
  rmSync(folder, { recursive: true, force: true })
}

async function ask(path, init) {
  const answer = await fetch(url + path, init)
  const text = await answer.text()
  if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${text}`)
}

/** Starts each call so often a second, whether or not the ones before have been answered; gives their times in ms. */
function measure(seconds, ...calls) {
  return Promise.all(
    calls.map(async ([call, perSecond], place) => {
      // Calls of different kinds start between each other, as strangers do.
      await pause((place * 500) / perSecond)
      const started = performance.now()
      return Promise.all(
        Array.from({ length: seconds * perSecond }, async (_, number) => {
          await pause(Math.max(0, started + (number * 1000) / perSecond - performance.now()))
          const before = performance.now()
          await call()
          return performance.now() - before
        }),
      )
    }),
  )
}

function p95(times) {
  return times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.95)] ?? Number.NaN
}

function median(values) {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN
}

function list(values) {
  return values.map((value) => value.toFixed(1)).join(', ')
}
