// Sends HTTP requests with every byte of the URL unchanged, as no client library would.
import { Agent, request } from 'node:http'
import { afterAll } from 'vitest'
import { HANGS_MS } from './fuzz.ts'

const agent = new Agent({ keepAlive: true })
afterAll(() => agent.destroy())

export interface Asked {
  method: string
  address: string
  headers: Record<string, string>
  body: string | undefined
}

export interface Answered {
  status: number
  type: string
  text: string
}

/** Returns the response; rejects if there is none. */
export function askBare(url: string, { method, address, headers, body }: Asked): Promise<Answered> {
  return new Promise((done, fail) => {
    const { hostname, port } = new URL(url)
    const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) }
    const options = { hostname, port, agent, method, path: address, headers: { ...headers, ...length } }
    const asking = request({ ...options, timeout: HANGS_MS }, (answer) => {
      const chunks: Buffer[] = []
      answer.on('data', (chunk: Buffer) => chunks.push(chunk))
      answer.on('end', () =>
        done({
          status: answer.statusCode ?? 0,
          type: answer.headers['content-type'] ?? '',
          text: Buffer.concat(chunks).toString(),
        }),
      )
    })
    asking.on('timeout', () => asking.destroy(new Error('There was no answer')))
    asking.on('error', fail)
    asking.end(body)
  })
}
