// Visitors share the answers of the marketplace for two seconds; people who are signed in do not get them.
import { expect, test } from 'vitest'
import { eventually } from '../../../server/test/eventually.ts'
import { addUser, testServer } from '../../../server/test/harness.ts'
import { LIMITS } from '../../functions/_shared/limits.ts'
import { share } from './site.ts'

const server = await testServer()
const ask = async (headers: Record<string, string> = {}, path = 'rpc/market_plans') => {
  const answer = await fetch(`${server.url}/rest/v1/${path}`, {
    headers: { apikey: server.anonKey, ...headers },
  })
  const text = await answer.text()
  return { status: answer.status, etag: answer.headers.get('etag') ?? '', text, headers: answer.headers }
}

test('a plan shows up and is gone within two seconds, and a signed-in person reads their own rows', async () => {
  const olivia = await addUser(server, 'olivia@potluck.example')
  const marc = await addUser(server, 'marc@potluck.example')
  await ask()
  const id = await share(olivia)
  await eventually(async () => expect((await ask()).text).toContain(id), { timeout: 2_000 })
  const kept = await ask()
  expect(kept.headers.get('cache-control')).toContain('s-maxage=2')
  expect(await ask({ 'if-none-match': kept.etag })).toMatchObject({ status: 304, text: '' })

  await marc.client.rpc('block_person', { p_person_id: olivia.id }).throwOnError()
  const signedIn = await ask({ authorization: `Bearer ${marc.accessToken}`, 'if-none-match': kept.etag })
  expect(signedIn).toMatchObject({ status: 200, text: '[]', etag: '' })
  expect(signedIn.headers.get('cache-control')).toBeNull()
  // A request with a ticket is answered as a person's own, even if a shared answer is cached.
  expect((await ask({ 'x-potluck-ticket': 'guessed' })).status).toBeGreaterThanOrEqual(400)
  expect((await ask()).text).toContain(id)

  await olivia.client.from('shared_subscriptions').update({ is_private: true }).eq('id', id).throwOnError()
  await eventually(async () => expect((await ask()).text).not.toContain(id), { timeout: 2_000 })
  expect((await ask()).etag).not.toBe(kept.etag)
})

/** The parameters with which this test calls each shared read. */
const ASKED: Record<(typeof LIMITS.sharedReads)[number], string> = {
  'rpc/market_plans': '',
  'rpc/market_plan': '?p_id=none',
  'rpc/count_available_plans': '',
  'rpc/plan_of_code': '?p_code=none',
  'rpc/get_person': '?p_person_id=00000000-0000-4000-8000-000000000000',
  'rpc/reviews_of': '?p_person_id=00000000-0000-4000-8000-000000000000',
  'rpc/fee_rate': '',
  'rpc/public_books': '',
  service_provider_data: '?select=data',
}
test.each(LIMITS.sharedReads)('visitors share %s', async (path) => {
  const { status, headers } = await ask({}, `${path}${ASKED[path]}`)
  expect([status, headers.get('cache-control')]).toEqual([200, expect.stringContaining('s-maxage=2')])
})

test('nothing else is shared', async () => {
  for (const path of ['rpc/site_paths', 'shared_subscriptions?select=id', 'rpc/get_invitation?p_token=x'])
    expect((await ask({}, path)).headers.get('cache-control') ?? '').not.toContain('public')
})
