// PocketBase: its program from PATH, from $POCKETBASE, or where Debian's package puts it, with its own SQLite.
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { freePort, startServer } from '../processes.mjs'

const ADMIN = { identity: 'admin@bench.test', password: 'Bench-of-PocketBase-1!' }
/** Of Debian's package `pocketbase`, which is in sid and needs no newer libc than bookworm has. */
const DEBIAN = '/usr/bin/base'

/** The program; undefined if there is none. */
export function findPocketbase() {
  const onPath = (process.env.PATH ?? '').split(delimiter).map((folder) => join(folder, 'pocketbase'))
  return [process.env.POCKETBASE, ...onPath, DEBIAN].find((file) => file && existsSync(file))
}

/** Starts it on a new folder, its log of requests switched off as in its own benchmarks. Returns { url, pid, stop, ask }. */
export async function startPocketbase(program, folder) {
  mkdirSync(folder, { recursive: true })
  const data = join(folder, 'data')
  execFileSync(program, ['superuser', 'upsert', ADMIN.identity, ADMIN.password, '--dir', data])
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const server = await startServer([program, 'serve', '--http', `127.0.0.1:${port}`, '--dir', data], {
    cwd: folder,
    env: { PATH: process.env.PATH, HOME: folder },
    log: join(folder, 'server.log'),
    address: `${url}/api/health`,
  })
  const call = async (method, path, body, authorization) => {
    const answer = await fetch(`${url}/api/${path}`, {
      method,
      headers: { 'content-type': 'application/json', ...(authorization && { authorization }) },
      body: JSON.stringify(body),
    })
    if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status}: ${await answer.text()}`)
    return answer.json()
  }
  const { token } = await call('POST', 'collections/_superusers/auth-with-password', ADMIN)
  const ask = (method, path, body) => call(method, path, body, token)
  await ask('PATCH', 'settings', { logs: { maxDays: 0 } })
  return {
    ...server,
    url,
    ask,
    signIn: (person) => call('POST', 'collections/users/auth-with-password', person),
  }
}
