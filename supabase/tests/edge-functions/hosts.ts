// The hosts an Edge Function runs on: our server, and Deno itself if `npm run deno` has installed it.
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { buildChanged } from '../../../scripts/build.mjs'
import { freePort } from '../../../server/test/free-port.ts'
import { type Shelter, serveTest, startTestServer, type TestServer } from '../../../server/test/harness.ts'

const ROOT = join(import.meta.dirname, '../../..')

/** Calls the function without credentials. */
export type Call = (init?: RequestInit & { path?: string }) => Promise<Response>

export interface Host {
  server: TestServer
  call: Call
  /** Starts the same function once more, on the same database, with these secrets. */
  beside(env: Record<string, string>): Promise<{ call: Call; close(): Promise<void> }>
  close(): Promise<void>
}

export const HOSTS = process.env.DENO ? ['our server', 'Deno'] : ['our server']

/** Gives an account an authenticator app; returns the token of a session that started with a passkey instead. */
export async function protect(
  server: TestServer,
  { id, accessToken }: { id: string; accessToken: string },
): Promise<string> {
  await server.db.query(
    `insert into auth.mfa_factors (id, user_id, friendly_name, factor_type, status)
     values (gen_random_uuid(), $1, 'Phone', 'totp', 'verified')`,
    [id],
  )
  return signedInBy(server, accessToken, 'passkey')
}

/** Returns the same person's token after signing in by `method`, `ago` seconds before. */
export async function signedInBy({ tokens }: TestServer, accessToken: string, method: string, ago = 0) {
  const { iat, exp, ...claims } = await tokens.verify(accessToken)
  const amr = [{ method, timestamp: Number(iat) - ago }]
  return tokens.sign({ ...claims, amr }, Number(exp) - Number(iat))
}

export const NEEDS_CODE = {
  code: '42501',
  message: 'Your account asks for the code of your authenticator app as well.',
}

/** Starts a server with the function `name`, whose secrets are `env`. */
export async function openHost(
  host: string,
  name: string,
  env: Record<string, string>,
  shelter?: Shelter,
): Promise<Host> {
  await buildChanged(['supabase'])
  const server = await startTestServer(env, shelter)
  const onServer = (one: TestServer) => callAt(`http://127.0.0.1:${one.config.port}/functions/v1/${name}`)
  if (host === 'our server')
    return {
      server,
      call: onServer(server),
      beside: async (secrets) => {
        const db = { ...server.db, close: async () => undefined }
        const jwtSecret = server.config.jwtSecret ?? ''
        const other = await serveTest(db, server.databaseUrl, { ...secrets, JWT_SECRET: jwtSecret })
        return { call: onServer(other), close: () => other.close() }
      },
      close: () => server.close(),
    }

  const first = await startDeno(server, name, env)
  return {
    server,
    call: first.call,
    beside: (secrets) => startDeno(server, name, secrets),
    close: async () => {
      await first.close()
      await server.close()
    },
  }
}

const callAt =
  (address: string): Call =>
  (init = {}) =>
    fetch(`${address}${init.path ?? ''}`, { method: 'POST', ...init })

async function startDeno(server: TestServer, name: string, env: Record<string, string>) {
  const address = `127.0.0.1:${await freePort()}`
  const folder = join(ROOT, 'supabase/functions', name)
  const config = ['--config', join(folder, 'deno.json')]
  const deno = spawn(
    process.env.DENO ?? 'deno',
    ['run', ...config, '--frozen', '--allow-net', '--allow-env', join(folder, 'index.ts')],
    {
      stdio: 'inherit',
      env: {
        PATH: process.env.PATH,
        HOME: process.env.HOME,
        DENO_SERVE_ADDRESS: `tcp:${address}`,
        SUPABASE_URL: `http://127.0.0.1:${server.config.port}`,
        SUPABASE_SERVICE_ROLE_KEY: server.serviceKey,
        SUPABASE_ANON_KEY: server.anonKey,
        SITE_URL: server.config.siteUrl,
        SHELTERED: server.config.sheltered ? 'on' : '',
        ...env,
      },
    },
  )
  // Ends Deno also if a suite fails before it can close this host.
  process.once('exit', () => deno.kill())
  const call = callAt(`http://${address}/${name}`)
  for (let left = 100; left > 0 && !(await call({ method: 'OPTIONS' }).catch(() => undefined)); left--)
    await pause(100)
  return {
    call,
    close: async () => {
      deno.kill()
    },
  }
}
