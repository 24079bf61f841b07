import { expect, test } from 'vitest'
import { testServer } from '../harness.ts'

const server = await testServer()

test('pages of other origins may read every kind of answer, and may ask beforehand', async () => {
  const answers: [string, RequestInit][] = [
    ['/rest/v1/service_provider_data?select=id', {}],
    ['/rest/v1/service_provider_data?select=id', { method: 'HEAD' }],
    ['/rest/v1/nothing', {}],
    ['/rest/v1/rpc/is_subscription_owner', { method: 'POST', body: '{bad' }],
    ['/auth/v1/settings', {}],
    ['/auth/v1/user', {}],
    ['/auth/v1/token?grant_type=password', { method: 'POST', body: '{}' }],
    ['/auth/v1/nothing', {}],
    ['/realtime/v1/api/broadcast', { method: 'POST', body: '{}' }],
  ]
  for (const [path, init] of answers) {
    const answer = await fetch(`${server.url}${path}`, {
      ...init,
      headers: { apikey: server.anonKey, origin: 'https://elsewhere.example' },
    })

    expect(
      answer.headers.get('access-control-allow-origin'),
      `${init.method ?? 'GET'} ${path} ${answer.status}`,
    ).toBe('*')
    expect(answer.headers.get('access-control-expose-headers')).toContain('Content-Range')
  }
  const preflight = await fetch(`${server.url}/rest/v1/messages`, {
    method: 'OPTIONS',
    headers: {
      origin: 'https://elsewhere.example',
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'apikey,prefer,x-anything',
    },
  })
  expect(preflight.status).toBe(204)
  expect(preflight.headers.get('access-control-allow-headers')).toContain('x-anything')
})
