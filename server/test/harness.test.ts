import { expect, test } from 'vitest'
import { startTestServer } from './harness.ts'

test('a server is well, and tells the page how to reach it', async () => {
  const server = await startTestServer()
  const health = await fetch(`${server.url}/health`)
  expect(health.status).toBe(200)
  expect(await health.json()).toEqual({ status: 'ok', database: server.db.kind })
  const config = await (await fetch(`${server.url}/config.json`)).json()
  expect(config).toMatchObject({
    supabaseUrl: server.url,
    supabaseAnonKey: server.anonKey,
    outbox: true,
    demo: [],
  })
  await server.close()
})
