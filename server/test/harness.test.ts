import { expect, test } from 'vitest'
import manifest from '../../package.json' with { type: 'json' }
import { testServer } from './harness.ts'

const server = await testServer()

test('a server is well, and tells the page how to reach it', async () => {
  const health = await fetch(`${server.url}/health`)
  expect(health.status).toBe(200)
  expect(await health.json()).toEqual({
    status: 'ok',
    version: manifest.version,
    database: server.db.kind,
  })
  const config = await (await fetch(`${server.url}/config.json`)).json()
  expect(config).toMatchObject({
    supabaseUrl: server.url,
    supabaseAnonKey: server.anonKey,
    outbox: true,
    demo: [],
    version: manifest.version,
  })
})

test('an address no service knows is not answered with a page', async () => {
  for (const path of ['/realtime/v1/websocket', '/storage/v1/object/x', '/graphql/v1/x']) {
    const answer = await fetch(`${server.url}${path}?apikey=${server.anonKey}`)
    expect(answer.status, path).toBe(404)
    expect(answer.headers.get('content-type')).toContain('json')
  }
  const script = await fetch(`${server.url}/assets/gone.js`, { headers: { accept: '*/*' } })
  expect(script.status).toBe(404)
})
