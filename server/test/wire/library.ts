// A server with the fixture library, and requests to it by several people.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'vitest'
import { eventually } from '../eventually.ts'
import { type TestServer, testServer } from '../harness.ts'

export type Person = 'olivia' | 'marc' | 'anon' | 'service'

export const IDS = {
  olivia: '0aaaaaaa-0000-4000-8000-000000000001',
  marc: '0bbbbbbb-0000-4000-8000-000000000002',
}

export interface Library extends TestServer {
  /** Returns the bearer token that a person's browser would send. */
  tokenOf(person: Person): Promise<string>
  /** Sends a raw request below /rest/v1, as Olivia by default. */
  ask(path: string, options?: AskOptions): Promise<Reply>
  /**
   * Sends a request in the notation of the test cases: `POST /lib_books?select=id`, with headers such as `Accept: a;
   * Prefer: b`.
   */
  asWritten(request: string, headers?: string, body?: string): Promise<Reply>
}

export interface AskOptions {
  as?: Person
  method?: string
  headers?: Record<string, string>
  body?: unknown
}

export interface Reply {
  status: number
  headers: Headers
  text: string
  json: unknown
}

/** Adds the fixture library to the given server, or to a new one that closes at the end of the test file. */
export async function openLibrary(ofTheFile?: TestServer): Promise<Library> {
  const server = ofTheFile ?? (await testServer())
  const script = await readFile(join(import.meta.dirname, '../fixtures/library.sql'), 'utf8')
  await server.db.transaction((tx) => tx.script(script))
  const tokenOf = async (person: Person) => {
    if (person === 'anon') return server.anonKey
    if (person === 'service') return server.serviceKey
    return server.tokens.sign({ sub: IDS[person], role: 'authenticated', aud: 'authenticated' }, 3_600)
  }
  const ask: Library['ask'] = async (path, { as = 'olivia', method = 'GET', headers = {}, body } = {}) => {
    const response = await fetch(`${server.url}/rest/v1${path}`, {
      method,
      headers: {
        apikey: server.anonKey,
        Authorization: `Bearer ${await tokenOf(as)}`,
        ...(body !== undefined && { 'Content-Type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
    const text = await response.text()
    return { status: response.status, headers: response.headers, text, json: text && parsed(text) }
  }
  const asWritten: Library['asWritten'] = (request, headers = '', body) => {
    const [, method = '', path = ''] = /^([A-Z]+) (.*)/.exec(request) ?? []
    const named = headers.split('; ').filter(Boolean)
    return ask(path, {
      method,
      headers: Object.fromEntries(named.map((one) => one.split(': '))),
      ...(method !== 'GET' && body && { body }),
    })
  }
  // Postgres's notification of the new schema arrives soon after the script has ended.
  await eventually(async () => expect((await ask('/lib_books?limit=0')).status).toBe(200))
  return { ...server, tokenOf, ask, asWritten }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
