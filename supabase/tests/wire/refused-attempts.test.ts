// Refused attempts count too, or guessing would be free: every rate-limited request, sent so
// that it has no effect.
// Proves LIMIT 20
import { expect, test } from 'vitest'
import { addUser, testServer } from '../../../server/test/harness.ts'

const server = await testServer()

const limited = await server.db.query<{ action: string; attempts: number; request: string }>(
  'select action, attempts, request from private.rate_limits, unnest(requests) as request order by action, request',
)
const NOTHING = '00000000-0000-4000-8000-000000000000'

test.each(limited)('$action: $request', async ({ action, attempts, request }) => {
  const [method = '', path = ''] = request.split(' ')
  const name = path.replace(/^\/(rpc\/)?/, '')
  const person = await addUser(server, `${action}.${method}.${name}@potluck.example`.replaceAll(' ', '-'))
  const [takes] = await server.db.query<{ args: string[] }>(
    "select to_json(coalesce(proargnames[1:pronargs], '{}')) as args from pg_proc where proname = $1 and pronamespace = $2::regnamespace",
    [name, 'public'],
  )
  const body = takes ? Object.fromEntries(takes.args.map((arg) => [arg, null])) : {}
  const filter = name === 'shared_subscriptions' ? `id=eq.sub-none` : `subscription_id=eq.${NOTHING}`
  const send = async () => {
    const answer = await fetch(`${server.url}/rest/v1${path}${method === 'POST' ? '' : `?${filter}`}`, {
      method,
      headers: {
        apikey: server.anonKey,
        Authorization: `Bearer ${person.accessToken}`,
        'Content-Type': 'application/json',
      },
      ...(method !== 'DELETE' && {
        body: JSON.stringify(method === 'PATCH' ? { next_payment: null } : body),
      }),
    })
    return { status: answer.status, text: await answer.text() }
  }
  const first = await send()
  // The request is refused for its own reason; an update that matches no row is not refused.
  expect(first.status).not.toBe(429)
  if (method === 'POST') expect(JSON.parse(first.text)).toHaveProperty('code')
  const counted = await server.db.query(
    `update private.rate_limit_usage set used_at = used_at || array_fill(now(), array[$2::int])
     where user_id = $1 and action = $3 and cardinality(used_at) = 1 returning 1`,
    [person.id, String(attempts - 1), action],
  )
  expect(counted).toHaveLength(1)
  expect(await send()).toMatchObject({
    status: 429,
    text: expect.stringMatching(/"PT429".*Rate limit exceeded\. Please wait \d+ seconds\./),
  })
})

test('one that comes in with several rows counts each of them once', async () => {
  const zoe = await addUser(server, 'zoe@potluck.example')
  const rows = Array.from({ length: 4 }, () => ({ catalogue_plan_id: 'none' }))
  const used = async () =>
    server.db.query('select cardinality(used_at) as used from private.rate_limit_usage where user_id = $1', [
      zoe.id,
    ])
  await zoe.client.rpc('declare_seller', { p_is_trader: false }).throwOnError()
  await zoe.client.rpc('confirm_age').throwOnError()
  await zoe.client.from('shared_subscriptions').insert(rows)
  expect(await used()).toEqual([{ used: 1 }])
  const plan = (catalogue_plan_id: string) => ({
    catalogue_plan_id,
    owner_max_members: 2,
    next_payment: '2027-01-01',
  })
  const [netflix, spotify] = [plan('netflix-premium'), plan('spotify-premium-family')]
  await zoe.client.from('shared_subscriptions').insert([netflix, spotify]).throwOnError()
  expect(await used()).toEqual([{ used: 3 }])
})
