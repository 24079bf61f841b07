// The whole bench: both backends, then start and memory; prints everything and keeps it in results.md.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { ROOT } from '../scripts/install.mjs'
import { findPostgres } from '../scripts/postgres.mjs'
import { measureBackend } from './backends.mjs'
import { measureBrowsing } from './browse.mjs'
import { startCluster } from './cluster.mjs'
import { WORKERS } from './load.mjs'
import { describeMachine } from './machine.mjs'
import { writeReport } from './report.mjs'
import { measureStartup } from './startup.mjs'

const FULL = { rounds: 5, seconds: 3, warmUp: 2 }
const QUICK = { rounds: 2, seconds: 1, warmUp: 0.5 }

/** `--quick`: short rounds, printed only. `--only pglite|postgres|browse|startup`: that part, printed only. */
export async function runBench(args) {
  const { values } = parseArgs({
    args,
    options: { quick: { type: 'boolean', default: false }, only: { type: 'string' } },
  })
  const wants = (part) =>
    values.only ? values.only === part : !['startup', 'browse'].includes(part) || !values.quick
  const settings = { ...(values.quick ? QUICK : FULL), workers: WORKERS }
  const { runnerImport } = await import('vite')
  const { module: parts } = await runnerImport(join(import.meta.dirname, 'server-parts.mjs'), {
    root: ROOT,
    configFile: false,
    logLevel: 'error',
  })
  const say = (part) => (step) =>
    console.log(`  ${process.uptime().toFixed(0).padStart(4)} s  ${part}: ${step}`)
  const backends = []
  if (wants('pglite')) {
    const rows = await measureBackend(parts, undefined, { ...settings, onStep: say('PGlite') })
    backends.push({ name: 'PGlite', rows })
  }
  const browsing = []
  if (wants('browse'))
    browsing.push({
      name: 'PGlite',
      promise: 100,
      rows: await measureBrowsing(parts, undefined, say('PGlite')),
    })
  const bin = findPostgres()
  let version
  if ((wants('postgres') || wants('browse')) && bin) {
    const cluster = await startCluster(bin)
    version = cluster.version
    try {
      if (wants('postgres')) {
        const rows = await measureBackend(parts, cluster, { ...settings, onStep: say('Postgres') })
        backends.push({ name: 'Postgres', rows })
      }
      if (wants('browse'))
        browsing.push({
          name: 'Postgres',
          promise: 50,
          rows: await measureBrowsing(parts, cluster, say('Postgres')),
        })
    } finally {
      await cluster.stop()
    }
  }
  const startup = wants('startup') ? await measureStartup(say('Start')) : undefined
  const report = writeReport({ machine: describeMachine(version), backends, browsing, startup, settings })
  console.log(`\n${report}`)
  if (values.quick || values.only) return
  const file = join(import.meta.dirname, 'results.md')
  writeFileSync(file, `${report}${sectionsOfOthers(readFileSync(file, 'utf8'), report)}`)
}

/** What other commands wrote into the page, by their headings. */
function sectionsOfOthers(page, report) {
  const [, ...sections] = page.split(/^(?=## )/m)
  const others = sections.filter((section) => !report.includes(section.slice(0, section.indexOf('\n') + 1)))
  return others.map((section) => `\n${section.trimEnd()}\n`).join('')
}
