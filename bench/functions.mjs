// `npm run bench -- functions`: compares an Edge Function that answers "ok" with a bare route of Hono that does the
// same, in turns, under load from a separate process. `-- seconds=1 rounds=2` is shorter. The results are only printed.
import { execFile } from 'node:child_process'
import { appendFileSync, cpSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { ROOT } from '../scripts/install.mjs'
import { inFolder } from './cluster.mjs'
import { startPotluck } from './contestants/potluck.mjs'
import { median, sayLoad, verdict } from './figures.mjs'
import { freePort, startServer } from './processes.mjs'

const GOAL = 0.5
const CONNECTIONS = [10, 50]
const FUNCTION = `Deno.serve(() => new Response('ok'))`

export const measure = (words = []) =>
  inFolder('functions', async (folder) => {
    const given = (name, usual) =>
      Number(words.find((word) => word.startsWith(`${name}=`))?.slice(name.length + 1) ?? usual)
    const [bare, potluck] = [
      await startBare(folder),
      await startPotluck({ folder, root: makeProject(folder) }),
    ]
    const port = Number(new URL(potluck.url).port)
    try {
      const contestants = [
        { name: 'bare route of Hono', port: bare.port, path: '/ok' },
        { name: 'function without a token', port, path: '/functions/v1/open' },
        {
          ...{ name: 'function with a token', port, path: '/functions/v1/closed' },
          headers: { Authorization: `Bearer ${potluck.apikey}` },
        },
      ]
      for (const connections of CONNECTIONS)
        report(
          connections,
          await takeTurns(contestants, connections, given('rounds', 5), given('seconds', 3)),
        )
      sayLoad()
    } finally {
      await Promise.all([bare.stop(), potluck.stop()])
    }
  })

/** Creates a project with the built server and our migrations, but with functions of the bench in place of ours. */
function makeProject(folder) {
  const project = join(folder, 'project')
  for (const part of ['server/dist', 'server/src', 'server/package.json', 'supabase', 'package.json'])
    cpSync(join(ROOT, part), join(project, part), {
      recursive: true,
      filter: (path) => !/(node_modules|supabase\/(dist|functions|tests|start-checks\.json))$/.test(path),
    })
  mkdirSync(join(project, 'web'))
  for (const part of ['node_modules', 'web/dist']) symlinkSync(join(ROOT, part), join(project, part))
  mkdirSync(join(project, 'supabase/dist'))
  for (const name of ['open', 'closed']) writeFileSync(join(project, `supabase/dist/${name}.js`), FUNCTION)
  appendFileSync(join(project, 'supabase/config.toml'), '\n[functions.open]\nverify_jwt = false\n')
  return project
}

async function startBare(folder) {
  const port = await freePort()
  const script = join(import.meta.dirname, 'contestants/bare-hono.mjs')
  const server = await startServer([process.execPath, script, String(port)], {
    ...{ cwd: folder, env: { PATH: process.env.PATH }, log: join(folder, 'bare.log') },
    address: `http://127.0.0.1:${port}/ok`,
  })
  return { ...server, port }
}

const load = async (settings) => {
  const script = join(import.meta.dirname, 'loader.mjs')
  return JSON.parse((await promisify(execFile)(process.execPath, [script, JSON.stringify(settings)])).stdout)
}

/** Measures the contestants in rounds, each round in a different order. Returns the rounds of each contestant. */
async function takeTurns(contestants, connections, rounds, seconds) {
  const all = contestants.map(({ name }) => ({ name, rounds: [] }))
  for (let round = -1; round < rounds; round += 1) {
    for (const turn of contestants.keys()) {
      const place = (turn + round + 1) % contestants.length
      const { name, ...settings } = contestants[place]
      const result = await load({ ...settings, connections, seconds })
      // The first round only warms up.
      if (round >= 0) all[place].rounds.push(result)
    }
  }
  return all
}

function report(connections, [bare, ...functions]) {
  const middle = ({ rounds }, figure) => median(rounds.map((round) => round[figure]))
  const line = (one) =>
    `${one.name}: ${middle(one, 'perSecond').toFixed(0)}/s, p50 ${middle(one, 'p50').toFixed(2)} ms, p99 ${middle(one, 'p99').toFixed(2)} ms`
  console.log(`${connections} connections`)
  console.log(`  ${line(bare)}`)
  for (const one of functions) {
    const ratios = one.rounds.map(({ perSecond }, round) => perSecond / bare.rounds[round].perSecond)
    const all = ratios.map((ratio) => ratio.toFixed(2)).join(', ')
    console.log(
      `  ${line(one)}; ${verdict(median(ratios) >= GOAL)} ${median(ratios).toFixed(2)} of it (${all}), goal ${GOAL}`,
    )
  }
}
