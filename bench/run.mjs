// The whole bench: both backends, then startup and memory. Prints everything and writes it to results.md.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { createServer } from 'vite'
import { ROOT } from '../scripts/install.mjs'
import { findPostgres } from '../scripts/postgres.mjs'
import { load } from '../scripts/run.mjs'
import { measureBackend } from './backends.mjs'
import { measureBrowsing } from './browse.mjs'
import { startCluster } from './cluster.mjs'
import { WORKERS } from './load.mjs'
import { describeMachine } from './machine.mjs'
import { writeReport } from './report.mjs'
import { measureStartup } from './startup.mjs'

const FULL = { rounds: 5, seconds: 3, warmUp: 2 }
/** `promise` is the goal in ms for the p95 among a hundred thousand plans. */
const BACKENDS = [
  { part: 'pglite', name: 'PGlite', promise: 100 },
  { part: 'postgres', name: 'Postgres', promise: 50 },
]
const QUICK = { rounds: 2, seconds: 1, warmUp: 0.5 }

/** `--quick`: short rounds, printed only. `--only pglite|postgres|browse|startup`: only this part, printed only. */
export async function measure(args) {
  const { values } = parseArgs({
    args,
    options: { quick: { type: 'boolean', default: false }, only: { type: 'string' } },
  })
  const wants = (part) =>
    values.only ? values.only === part : !['startup', 'browse'].includes(part) || !values.quick
  const settings = { ...(values.quick ? QUICK : FULL), workers: WORKERS }
  const { messages } = await load('web/build/language/plugin.ts')
  // Vite's server stays open, because the web app imports its client only when it connects.
  const vite = await createServer({
    root: ROOT,
    configFile: false,
    logLevel: 'error',
    plugins: [messages()],
    server: { middlewareMode: true, ws: false, watch: null },
  })
  const parts = {
    ...(await vite.ssrLoadModule('/bench/server-parts.mjs')),
    ...(await vite.ssrLoadModule('/bench/web-parts.mjs')),
  }
  const say = (part) => (step) =>
    console.log(`  ${process.uptime().toFixed(0).padStart(4)} s  ${part}: ${step}`)
  const backends = []
  const browsing = []
  let version
  for (const { part, name, promise } of BACKENDS) {
    if (!(wants(part) || wants('browse')) || (part === 'postgres' && !findPostgres())) continue
    const cluster = part === 'postgres' ? await startCluster() : undefined
    version = cluster?.version
    const onStep = say(name)
    try {
      if (wants(part))
        backends.push({ name, rows: await measureBackend(parts, cluster, { ...settings, onStep }) })
      if (wants('browse'))
        browsing.push({ name, promise, rows: await measureBrowsing(parts, cluster, onStep) })
    } finally {
      await cluster?.stop()
    }
  }
  await vite.close()
  const startup = wants('startup') ? await measureStartup(say('Start')) : undefined
  const report = writeReport({ machine: describeMachine(version), backends, browsing, startup, settings })
  console.log(`\n${report}`)
  if (values.quick || values.only) return
  const file = join(import.meta.dirname, 'results.md')
  writeFileSync(file, `${report}${sectionsOfOthers(readFileSync(file, 'utf8'), report)}`)
}

/** Returns the sections of results.md that other commands wrote, which are those whose heading the new report lacks. */
function sectionsOfOthers(page, report) {
  const [, ...sections] = page.split(/^(?=## )/m)
  const others = sections.filter((section) => !report.includes(section.slice(0, section.indexOf('\n') + 1)))
  return others.map((section) => `\n${section.trimEnd()}\n`).join('')
}
