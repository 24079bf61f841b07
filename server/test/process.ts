// Starts the built server as a separate process, which a test may kill without warning, as a power failure would.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { resolve } from 'node:path'

const MAIN = resolve(import.meta.dirname, '../dist/main.js')

/** Starts the server, by default the built one, and waits until it serves. */
export async function launch(
  env: Record<string, string>,
  { main = MAIN, cwd }: { main?: string; cwd?: string } = {},
): Promise<ChildProcess> {
  const server = spawn(process.execPath, [main], { env, cwd, stdio: ['ignore', 'pipe', 'pipe'] })
  let said = ''
  await new Promise<void>((ready, fail) => {
    const hear = (chunk: Buffer) => {
      said += chunk.toString()
      if (said.includes('is ready at')) ready()
    }
    server.stdout.on('data', hear)
    server.stderr.on('data', hear)
    server.once('exit', (code) => fail(new Error(`The server ended with ${code}: ${said}`)))
  })
  return server
}

export async function end(server: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return
  const gone = once(server, 'exit')
  server.kill(signal)
  await gone
}
