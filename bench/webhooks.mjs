// `npm run bench:webhooks`: what 10,000 webhook deliveries an hour cost everybody else: the mix of the town on Postgres, in turns without
// them and beside them, and how long each took to arrive. A tenth of the receivers answer only after ten seconds. `-- seconds=6`
// makes the rounds shorter. Printed only.
import { once } from 'node:events'
import { createServer } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { connect, startCluster } from './cluster.mjs'
import { startPotluck } from './contestants/potluck.mjs'
import { median, quantile, sayLoad, verdict } from './figures.mjs'
import { openPeople } from './mix.mjs'
import { personId, toRequest } from './requests.mjs'
import { fillTown, keptFolder } from './town.mjs'

const AN_HOUR = 10_000
const OWNERS = 100
/** Of so many receivers, one. */
const SLOW_OF = 10
const SLOW_MS = 10_000
const ROUNDS = 5
const SECONDS = 20
const GOAL = 1.1

export async function measure(words = []) {
  const seconds = Number(words.find((word) => word.startsWith('seconds='))?.slice(8) ?? SECONDS)
  const folder = keptFolder('postgres')
  const cluster = await startCluster(folder)
  const receiver = await openReceiver()
  const place = {
    folder,
    databaseUrl: await cluster.open('town'),
    settings: { PRIVATE_HOSTS: receiver.host },
  }
  await fillTown(place, (step) => console.log(`${step} …`))
  const server = await startPotluck(place)
  const sql = connect(place.databaseUrl)
  try {
    await sql`delete from private.webhooks`
    for (let owner = 1; owner <= OWNERS; owner += 1) await addWebhook(server, receiver, owner)
    // As the server's own sessions have it, so that the function is called at once.
    await sql`select set_config('app.settings.project_url', ${server.url}, false)`
    const people = openPeople([server])
    await people.ask(seconds)
    const [alone, beside] = [[], []]
    for (let round = 1; round <= ROUNDS; round += 1) {
      console.log(`round ${round} of ${ROUNDS} …`)
      alone.push((await people.ask(seconds)).atTheDatabase)
      const events = startEvents(sql)
      beside.push((await people.ask(seconds)).atTheDatabase)
      await events.stop()
      await pause(1000)
    }
    await people.close()
    await report({ sql, receiver, alone, beside, seconds })
  } finally {
    await sql`delete from private.webhooks`
    await sql.end()
    await server.stop()
    receiver.close()
    await cluster.stop()
  }
}

/** Notes how long each delivery took from its event; those to /slow are answered late. */
async function openReceiver() {
  const times = []
  const receiver = createServer(async (call, answer) => {
    const { type, timestamp } = JSON.parse(Buffer.concat(await call.toArray()).toString())
    if (call.url === '/slow') await pause(SLOW_MS)
    else if (type === 'request') times.push(Date.now() - Date.parse(timestamp))
    answer.end()
  }).listen(0, '127.0.0.1')
  await once(receiver, 'listening')
  const close = () => {
    receiver.closeAllConnections()
    receiver.close()
  }
  return { host: `127.0.0.1:${receiver.address().port}`, times, close }
}

async function addWebhook(server, { host }, owner) {
  const url = `http://${host}/${owner % SLOW_OF === 0 ? 'slow' : 'quick'}`
  const body = { name: 'Bench', url, events: ['request'] }
  const { path, ...call } = toRequest(
    { person: owner, method: 'POST', path: '/functions/v1/vault/make-webhook', body },
    server,
  )
  const answer = await fetch(server.url + path, call)
  if (!answer.ok) throw new Error(`A webhook was answered ${answer.status}: ${await answer.text()}`)
}

/** Tells the owners in turn, as often as makes that many in an hour. */
function startEvents(sql) {
  let telling = true
  const all = (async () => {
    const began = Date.now()
    for (let n = 0; telling; n += 1) {
      const owner = personId((n % OWNERS) + 1)
      await sql`select private.notify(${owner}, 'info', 'Bench', 'Bench', null, 'request-made', '{"plan": "Netflix Premium"}')`
      await pause(Math.max(0, began + ((n + 1) * 3_600_000) / AN_HOUR - Date.now()))
    }
  })()
  return {
    stop: () => {
      telling = false
      return all
    },
  }
}

async function report({ sql, receiver, alone, beside, seconds }) {
  const [{ made, failed, waiting }] =
    await sql`select count(*)::integer as made, count(failed_at)::integer as failed,
    count(*) filter (where delivered_at is null and failed_at is null and attempts = 0)::integer as waiting from private.webhook_deliveries`
  const ratio = median(beside) / median(alone)
  const listed = (times) => times.map((time) => time.toFixed(0)).join(', ')
  const [p50, p95] = [quantile(receiver.times, 0.5), quantile(receiver.times, 0.95)]
  console.log(`
${verdict(ratio <= GOAL)} p95 of the others, but for signing in: ${median(alone).toFixed(1)} ms, ${median(beside).toFixed(1)} ms beside ${AN_HOUR} deliveries an hour:
${ratio.toFixed(2)} times, goal at most ${GOAL} (rounds of ${seconds} s: ${listed(alone)} and ${listed(beside)} ms)
${made} deliveries: ${receiver.times.length} at quick receivers ${p50.toFixed(0)} ms after the event, p95 ${p95.toFixed(0)} ms; ${failed} failed, ${waiting} not tried yet`)
  sayLoad()
}
