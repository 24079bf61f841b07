// `npm run bench:sign-in`: how much twenty sign-ins a second slow everybody else. Printed only.
import { setTimeout as pause } from 'node:timers/promises'
import { inFolder } from './cluster.mjs'
import { signUp, startPotluck } from './contestants/potluck.mjs'
import { median, quantile, timed, verdict } from './figures.mjs'

const READS_PER_SECOND = 20
const SIGN_INS_PER_SECOND = 20
const ROUNDS = 5
const SECONDS = 6
const PERSON = { email: 'bench@potluck.example', password: 'Bench-of-1-person!' }
const READ = '/rest/v1/service_provider_data?select=*&limit=1'

const p95 = (times) => quantile(times, 0.95)
const list = (values) => values.map((value) => value.toFixed(1)).join(', ')

export const measure = () =>
  inFolder('sign-in', async (folder) => {
    const server = await startPotluck({ folder })
    try {
      await signUp(server, PERSON)
      await report(server)
    } finally {
      await server.stop()
    }
  })

async function report({ url, apikey }) {
  const headers = { apikey, 'content-type': 'application/json' }
  const body = JSON.stringify(PERSON)
  const signIn = () => ask(`${url}/auth/v1/token?grant_type=password`, { method: 'POST', headers, body })
  const read = () => ask(url + READ, { headers })
  await paced(2, [read, READS_PER_SECOND], [signIn, SIGN_INS_PER_SECOND])

  const idle = []
  const busy = []
  const signIns = []
  for (let round = 0; round < ROUNDS; round++) {
    const [alone = []] = await paced(SECONDS, [read, READS_PER_SECOND])
    const [beside = [], entered = []] = await paced(
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
    `${verdict(loud < 2 * quiet)} (${(loud / quiet).toFixed(2)} times the idle value, promised: under 2)`,
  )
}

async function ask(address, init) {
  const answer = await fetch(address, init)
  const text = await answer.text()
  if (!answer.ok) throw new Error(`${address} answered ${answer.status}: ${text}`)
}

/** Starts each call at this rate, whether or not earlier ones have been answered; returns their times in ms. */
function paced(seconds, ...calls) {
  return Promise.all(
    calls.map(async ([call, perSecond], place) => {
      // Calls of different kinds start at different offsets, as strangers do.
      await pause((place * 500) / perSecond)
      const started = performance.now()
      return Promise.all(
        Array.from({ length: seconds * perSecond }, async (_, number) => {
          await pause(Math.max(0, started + (number * 1000) / perSecond - performance.now()))
          return timed(call)
        }),
      )
    }),
  )
}
