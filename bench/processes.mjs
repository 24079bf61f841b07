// Starts the measured servers as separate processes, and stops them.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync, readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'

// Processes in separate groups do not receive Ctrl-C, so they are stopped whenever the bench exits.
const running = new Set()
process.on('exit', () => {
  for (const pid of running) signal(pid, 'SIGKILL')
})
for (const name of ['SIGINT', 'SIGTERM']) process.on(name, () => process.exit(1))

/** Returns a free loopback port. */
export async function freePort() {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const { port } = probe.address()
  probe.close()
  await once(probe, 'close')
  return port
}

/**
 * Runs a command, with its output in `log`, until `address` responds with a status below 500. Returns { pid, seconds,
 * stop, kill }; `seconds` is the time from the start of the process to that response.
 */
export async function startServer([command, ...args], { env, cwd, log, address, within = 60 }) {
  const output = openSync(log, 'a')
  const started = performance.now()
  // The server gets a separate process group, because `npm start` consists of three processes.
  const server = spawn(command, args, { cwd, env, stdio: ['ignore', output, output], detached: true })
  closeSync(output)
  let ended = false
  running.add(server.pid)
  const exit = once(server, 'exit').then(() => {
    ended = true
    running.delete(server.pid)
  })
  const stop = async () => {
    if (ended) return
    signal(server.pid, 'SIGTERM')
    if ((await Promise.race([exit, pause(8_000, 'late')])) === 'late') signal(server.pid, 'SIGKILL')
    await exit
  }
  while (!(await answers(address))) {
    if (!ended && performance.now() - started < within * 1000) continue
    await stop()
    throw new Error(
      `"${command} ${args.join(' ')}" did not come up:\n${readFileSync(log, 'utf8').slice(-2_000)}`,
    )
  }
  return {
    pid: server.pid,
    seconds: (performance.now() - started) / 1000,
    stop,
    kill: () => signal(server.pid, 'SIGKILL'),
  }
}

function signal(group, name) {
  try {
    process.kill(-group, name)
  } catch (error) {
    if (error.code !== 'ESRCH') throw error
  }
}

async function answers(address) {
  try {
    const { status, body } = await fetch(address, { signal: AbortSignal.timeout(1_000) })
    await body?.cancel()
    return status < 500
  } catch {
    await pause(20)
    return false
  }
}
