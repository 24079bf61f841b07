// `npm run bench:vault`: how long it takes to open a vault entry while others read without pause: through the
// Edge Function, with a fresh proof, each opening logged. Its owner and a member take turns. Printed only.
import { setTimeout as pause } from 'node:timers/promises'
import { findPostgres } from '../scripts/postgres.mjs'
import { inFolder, onPostgres } from './cluster.mjs'
import { fillPotluck, signUp, startPotluck } from './contestants/potluck.mjs'
import { quantile, sayLoad, verdict } from './figures.mjs'

const READERS = 4
const OPENINGS = 400
const PAUSE = 20
const GOAL = 150
const READ = '/rest/v1/service_provider_data?select=*&limit=1'
const PASSWORD = 'Bench-of-2-people!'

export async function measure() {
  await inFolder('vault', (folder) => report('PGlite', { folder }))
  if (findPostgres())
    await onPostgres('vault', async (cluster, folder) =>
      report('Postgres', { folder, databaseUrl: await cluster.create('vault') }),
    )
  sayLoad()
}

async function report(name, place) {
  // Every opening still counts; only the number allowed an hour is out of the way.
  await fillPotluck(place, (db) =>
    db.query(`update private.rate_limits set attempts = 1000000 where action = 'vault opening'`),
  )
  const server = await startPotluck(place)
  try {
    const [owner, member] = [await arrive(server, 'olivia'), await arrive(server, 'marc')]
    const plan = await share(owner, member)
    const alone = await open(plan, [owner, member])
    const readers = startReaders(server)
    const beside = await open(plan, [owner, member])
    const reads = await readers.stop()
    const [quiet, middle, p95] = [quantile(alone, 0.95), quantile(beside, 0.5), quantile(beside, 0.95)]
    console.log(
      `${verdict(p95 < GOAL)} ${name}: p95 ${p95.toFixed(1)} ms beside ${reads.toFixed(0)} reads a second (median ${middle.toFixed(1)}), ${quiet.toFixed(1)} ms alone, promised under ${GOAL}`,
    )
  } finally {
    await server.stop()
  }
}

/** Every opening is still counted; only the limit per hour is raised. */
async function arrive(server, name) {
  const person = { email: `${name}@bench.example`, password: PASSWORD }
  await signUp(server, person)
  const ask = async (path, body, headers = {}) => {
    const answer = await fetch(server.url + path, {
      method: 'POST',
      headers: { apikey: server.apikey, 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    })
    const text = await answer.text()
    if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${text}`)
    return text === '' ? null : JSON.parse(text)
  }
  const { access_token, user } = await ask('/auth/v1/token?grant_type=password', person)
  const headers = { Authorization: `Bearer ${access_token}`, Prefer: 'return=representation' }
  return { id: user.id, ask: (path, body) => ask(path, body, headers) }
}

/** A plan of one person in which the other has a place, with a vault entry. */
async function share(owner, member) {
  const [{ id: plan }] = await owner.ask('/rest/v1/shared_subscriptions?select=id', {
    ...{ owner_id: owner.id, catalogue_plan_id: 'spotify-premium-family', owner_max_members: 6 },
    next_payment: new Date(Date.now() + 20 * 86_400_000).toISOString().slice(0, 10),
  })
  const [{ id: request }] = await member.ask('/rest/v1/subscription_requests?select=id', {
    subscription_id: plan,
  })
  await owner.ask('/rest/v1/rpc/approve_subscription_request', {
    p_request_id: request,
    p_subscription_id: plan,
  })
  await owner.ask('/functions/v1/vault/save-plan-entry', {
    plan,
    password: PASSWORD,
    note: 'The third profile',
  })
  return plan
}

/** How long each opening took, in ms. */
async function open(plan, people) {
  const times = []
  for (let n = 0; n < OPENINGS + 20; n += 1) {
    const before = performance.now()
    const { password } = await people[n % people.length].ask('/functions/v1/vault/open-plan-entry', { plan })
    if (n >= 20) times.push(performance.now() - before)
    if (password !== PASSWORD) throw new Error('Something else was opened')
    await pause(PAUSE)
  }
  return times
}

function startReaders({ url, apikey }) {
  const started = performance.now()
  let [reads, reading] = [0, true]
  const all = Array.from({ length: READERS }, async () => {
    for (; reading; reads += 1) {
      const answer = await fetch(url + READ, { headers: { apikey } })
      await answer.arrayBuffer()
      if (!answer.ok) throw new Error(`${READ} answered ${answer.status}`)
    }
  })
  return {
    stop: async () => {
      reading = false
      await Promise.all(all)
      return (reads * 1000) / (performance.now() - started)
    },
  }
}
