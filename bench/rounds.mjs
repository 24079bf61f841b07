// Runs all contestants on every call in turns, so that other load on the machine affects all alike.
import { CALLS, requestsOf } from './calls.mjs'
import { median } from './figures.mjs'
import { drive, openConnections } from './load.mjs'

/**
 * `contestants`: name -> { url, apikey, secret } or { run }. Returns a row per call: { call, ours, peer, raw }, each
 * with the medians over the rounds of { perSecond, p50, p99 }.
 */
export async function runRounds(contestants, { rounds, seconds, warmUp, onStep }) {
  const rows = []
  for (const [index, call] of CALLS.entries()) {
    const runners = await Promise.all(
      Object.entries(contestants).map(async ([name, contestant]) => ({
        name,
        results: [],
        ...(contestant.run
          ? { run: (time, from) => contestant.run(index, time, from), close: async () => undefined }
          : await overHttp(contestant, call)),
      })),
    )
    for (const runner of runners) runner.next = (await runner.run(warmUp, 0)).next
    for (let round = 0; round < rounds; round += 1) {
      for (let turn = 0; turn < runners.length; turn += 1) {
        const runner = runners[(round + turn) % runners.length]
        const result = await runner.run(seconds, runner.next)
        runner.next = result.next
        runner.results.push(result)
      }
      onStep(`${call.name}: round ${round + 1} of ${rounds}`)
    }
    for (const runner of runners) await runner.close()
    const medians = runners.map(({ name, results }) => [name, medianOf(results)])
    rows.push({ call: call.name, ...Object.fromEntries(medians) })
  }
  return rows
}

async function overHttp(contestant, call) {
  const connections = openConnections(contestant.url)
  const requests = requestsOf(call, contestant)
  const first = await connections.send(requests[0], call.status)
  if (!call.check(JSON.parse(first)))
    throw new Error(`${contestant.url} answered "${call.name}" with ${first}`)
  return {
    run: (seconds, from) =>
      drive((n) => connections.send(requests[n % requests.length], call.status), { seconds, from }),
    close: connections.close,
  }
}

function medianOf(results) {
  const of = (key) => median(results.map((result) => result[key]))
  return { perSecond: of('perSecond'), p50: of('p50'), p99: of('p99') }
}
