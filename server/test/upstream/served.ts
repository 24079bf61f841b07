// Starts this server with a suite's own schema and settings, behind a gateway that accepts the keys of the Supabase
// CLI.
import { once } from 'node:events'
import { createServer, type IncomingMessage, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join, resolve } from 'node:path'
import { decodeJwt } from 'jose'
import { pino } from 'pino'
import { startApp } from '#app.ts'
import { readConfig } from '#config.ts'
import { type Migration, migrate, readMigrations } from '#db/migrate.ts'
import { openPostgres } from '#db/postgres.ts'
import { urlOf } from '../cluster.ts'
import { freePort } from '../free-port.ts'

const PLATFORM = resolve(import.meta.dirname, '../../src/platform')

interface Project {
  cluster: string
  database: string
  /** The folder with config.toml, if there is one. */
  settings: string
  migrations?: Migration[]
  seed?: string
  secret: string
  /** The path that the gateway forwards requests to, for clients of a single service. */
  path?: string
}

export interface Served {
  port: number
  /** True if a request arrived between the times `from` and `until`, in ms. */
  wasAsked: (from: number, until: number) => boolean
  close: () => Promise<void>
}

export async function serve({ cluster, database, settings, secret, ...project }: Project): Promise<Served> {
  const admin = await openPostgres(cluster, { max: 1 })
  await admin.query(`create database ${database}`)
  await admin.close()
  const db = await openPostgres(urlOf(cluster, database))
  await migrate(db, {
    platform: await readMigrations(PLATFORM),
    migrations: project.migrations ?? [],
    repeatable: project.seed === undefined ? [] : [project.seed],
    exposeNewTables: true,
  })
  const port = await freePort()
  const config = readConfig({
    ...{ PORT: String(port), SITE_URL: `http://127.0.0.1:${port}`, DATA_DIR: join(settings, 'data') },
    ...{ DEMO: 'off', OUTBOX: 'on', RATE_LIMITS: 'off', JWT_SECRET: secret },
    ...{ GOOGLE_CLIENT_ID: 'upstream', GOOGLE_CLIENT_SECRET: 'upstream' },
  })
  const own = { ...config, supabaseDir: settings, functionsDir: join(settings, 'functions') }
  const app = await startApp(own, db, pino({ level: 'silent' }))
  const asked: number[] = []
  const onward = ({ method, url = '/', headers }: IncomingMessage) => {
    asked.push(Date.now())
    const address = new URL(`${project.path ?? ''}${url}`, `http://127.0.0.1:${port}`)
    const given = headers.apikey?.toString() ?? address.searchParams.get('apikey')
    const apikey = roleOf(given) === 'service_role' ? app.keys.service : app.keys.anon
    if (address.searchParams.has('apikey')) address.searchParams.set('apikey', apikey)
    return request(address, { method, headers: { ...headers, apikey } })
  }
  const gateway = createServer((incoming, outgoing) => {
    const asking = onward(incoming)
    asking.on('response', (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.statusMessage, answer.headers)
      answer.pipe(outgoing)
    })
    asking.on('error', (error) => outgoing.destroy(error))
    incoming.pipe(asking)
  })
  gateway.on('upgrade', (incoming, socket) => {
    const asking = onward(incoming)
    asking.on('upgrade', ({ rawHeaders }, other) => {
      const lines = rawHeaders.map((text, at) => (at % 2 === 0 ? `${text}: ` : `${text}\r\n`))
      socket.write(`HTTP/1.1 101 Switching Protocols\r\n${lines.join('')}\r\n`)
      socket.on('error', () => other.destroy()).pipe(other)
      other.on('error', () => socket.destroy()).pipe(socket)
    })
    asking.on('response', () => socket.destroy())
    asking.on('error', () => socket.destroy())
    asking.end()
  })
  await once(gateway.listen(0, '127.0.0.1'), 'listening')
  return {
    port: (gateway.address() as AddressInfo).port,
    wasAsked: (from, until) => asked.some((moment) => moment >= from && moment <= until),
    close: async () => {
      gateway.close()
      gateway.closeAllConnections()
      await app.close()
      await db.close()
    },
  }
}

function roleOf(key: string | null | undefined): unknown {
  try {
    return decodeJwt(key ?? '').role
  } catch {
    return undefined
  }
}
