// Times `npm start` on a fresh clone and once more after that, and measures the idle server's memory.
import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { ROOT } from '../scripts/install.mjs'
import { inFolder } from './cluster.mjs'
import { freePort, startServer } from './processes.mjs'

const REST_SECONDS = 10

/**
 * Returns { cold, warm (seconds to the first response of /health), stages (the parts that the cold start reports, which
 * overlap: [title, time]), memory (MB of RSS, undefined outside Linux) }.
 */
export const measureStartup = (onStep) =>
  inFolder('clone', async (folder) => {
    const clone = join(folder, 'potluck')
    const home = join(folder, 'home')
    mkdirSync(home)
    execFileSync('git', ['clone', '--quiet', '--no-hardlinks', ROOT, clone])
    const start = async (command) => {
      const port = await freePort()
      return startServer(command, {
        cwd: clone,
        env: { PATH: process.env.PATH, HOME: home, PORT: String(port) },
        log: join(folder, 'start.log'),
        address: `http://127.0.0.1:${port}/health`,
        within: 900,
      })
    }
    onStep('cold npm start on a bare clone')
    const cold = await start(['npm', 'start'])
    await cold.stop()
    const said = readFileSync(join(folder, 'start.log'), 'utf8')
    const stages = [...said.matchAll(/^(.+) … ([\d.]+ s)$/gm)].map(([, title, took]) => [title, took])
    onStep('warm npm start')
    const warm = await start(['npm', 'start'])
    await warm.stop()
    onStep('memory at rest')
    const server = await start([process.execPath, 'scripts/start.mjs'])
    await pause(REST_SECONDS * 1000)
    const memory = residentMegabytes(server.pid)
    await server.stop()
    return { cold: cold.seconds, stages, warm: warm.seconds, memory }
  })

function residentMegabytes(pid) {
  if (process.platform !== 'linux') return undefined
  const [, kilobytes] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  return Number(kilobytes) / 1024
}
