// Calls that people's own programs may make with a token, and calls that no token allows.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { single } from '../answers.ts'
import {
  calling,
  denied,
  notFound,
  type Person,
  refusalOf,
  rule,
  signedInWith,
  statements,
} from '../people.ts'
import { ask, openChat, setTheTable, sharePlan } from '../plans.ts'
import { openTill } from '../till.ts'
import { storeEntry } from '../vault-entries.ts'
import { HOSTS, type Host, openHost } from './hosts.ts'

const ALL = ['chat', 'drafts', 'read money', 'read plans', 'write plans']

describe.each(HOSTS)('the function api in %s', (name) => {
  let host: Host
  let table: Awaited<ReturnType<typeof setTheTable>>
  beforeAll(async () => {
    host = await openHost(name, 'api', { OUTBOX: 'off', SMTP_URL: 'smtp://127.0.0.1:9' }, { sheltered: true })
    table = await setTheTable(host.server.db)
  })
  afterAll(() => host.close())
  const server = () => statements(host.server.db).sql
  const make = (person: Person, scopes = ALL, days = 1) =>
    single<string>(
      person.sql`select make_api_token('Script', ${`{${scopes.map((one) => `"${one}"`).join()}}`}, ${days})`,
    )
  const call = (token: string, request: string, body?: object, headers: Record<string, string> = {}) => {
    const [method = '', path = ''] = request.split(' ')
    return host.call({
      ...{
        method,
        path,
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...headers },
      },
      ...(body && { body: JSON.stringify(body) }),
    })
  }
  const answer = async (...asked: Parameters<typeof call>) => {
    const response = await call(...asked)
    const body: unknown = await response.json().catch(() => null)
    return { status: response.status, body }
  }

  test('a token acts as its person within its scopes, and its last use is seen', async () => {
    const { olivia, marc, plan } = table
    const token = await make(olivia)
    expect(await answer(token, 'GET /shared_subscriptions?select=id,provider')).toEqual({
      status: 200,
      body: [{ id: plan.id, provider: 'Netflix' }],
    })
    const counted = await call(token, 'GET /subscription_members?select=user_id', undefined, {
      prefer: 'count=exact',
    })
    expect(counted.headers.get('content-range')).toBe('0-1/2')
    const chat = await answer(token, 'POST /rpc/find_or_create_conversation', {
      p_subscription_id: plan.id,
      p_owner_id: olivia.id,
      p_member_id: marc.id,
    })
    const written = { conversation_id: chat.body, content: 'Sent by a script' }
    expect((await call(token, 'POST /messages', written)).status).toBe(201)
    expect(await marc.sql`select content from messages where content like 'Sent by%'`).toHaveLength(1)
    expect((await answer(await make(marc), 'GET /rpc/my_seats')).body).toHaveLength(1)
    const [kept] =
      await olivia.sql`select name, to_jsonb(scopes) as scopes, last_used_at > now() - interval '2 minutes' as used from my_api_tokens()`
    expect(kept).toEqual({ name: 'Script', scopes: ALL, used: true })
    const stored = await server()`select to_json(t)::text as row from private.api_tokens as t`
    expect(JSON.stringify(stored)).not.toContain(token)
  })

  test('every call of a scope is there, and none of another scope, of tables beside, or of what has no scope', async () => {
    const { olivia } = table
    const calls = await server()<{
      request: string
      scope: string
    }>`select request, scope from private.api_calls`
    const tokens = Object.fromEntries(
      await Promise.all(ALL.map(async (one) => [one, await make(olivia, [one])] as const)),
    )
    for (const { request, scope } of calls) {
      const enough = calls.flatMap((one) => (one.request === request ? one.scope : [])).sort()
      const other = tokens[enough.includes('chat') ? 'read plans' : 'chat'] ?? ''
      expect([request, await answer(other, request)]).toEqual([
        request,
        { status: 403, body: expect.objectContaining(denied(`This token may not: ${enough.join(', ')}`)) },
      ])
      const own = await answer(tokens[scope] ?? '', request, request.startsWith('GET') ? undefined : {})
      // With its scope, a call without arguments is refused only for the missing arguments.
      expect([request, own.status, own.body]).toEqual([
        request,
        expect.any(Number),
        own.status < 300
          ? expect.anything()
          : expect.objectContaining({ code: expect.stringMatching(/^(PGRST202|2....|22P02|PT404|42501)$/) }),
      ])
      expect(own.status).not.toBe(401)
    }
    const token = await make(olivia)
    for (const request of ['GET /user_profiles', 'POST /rpc/make_api_token', 'GET /user_roles', 'GET /'])
      expect(await answer(token, request)).toEqual({
        status: 404,
        body: expect.objectContaining(notFound('Tokens cannot call this')),
      })
    for (const query of [
      'select=id,subscription_members(*)',
      'select=...owner(x)',
      'order=owner(x)',
      'subscription_members.user_id=eq.1',
      // PostgREST accepts semicolons as separators as well.
      'id=eq.x;select=id,subscription_members(*)',
    ])
      expect((await answer(token, `GET /shared_subscriptions?${query}`)).status).toBe(400)
  })

  test('a ticket is good for its request alone, for seconds, and the token by itself opens nothing', async () => {
    const { olivia } = table
    const token = await make(olivia)
    const base = `http://127.0.0.1:${host.server.config.port}/rest/v1`
    const { anonKey } = host.server
    const direct = (path: string, headers: Record<string, string>) =>
      fetch(`${base}${path}`, { headers: { apikey: anonKey, ...headers } }).then(({ status }) => status)
    const ticket = await single<string>(
      server()`select private.admit_api_token(private.hash_of(${token}), 'GET /messages')`,
    )
    expect(await direct('/messages', { 'x-potluck-ticket': ticket })).toBe(200)
    expect(await direct('/conversations', { 'x-potluck-ticket': ticket })).toBe(401)
    expect(await direct('/messages', { 'x-potluck-ticket': token })).toBe(401)
    expect(await direct('/messages', { authorization: `Bearer ${token}` })).toBe(401)
    await server()`update private.api_tickets set made_at = made_at - interval '31 seconds'`
    const late = await fetch(`${base}/messages`, { headers: { apikey: anonKey, 'x-potluck-ticket': ticket } })
    expect([late.status, await late.json()]).toEqual([
      401,
      expect.objectContaining({ message: 'This ticket is unknown or has expired' }),
    ])
    expect(await refusalOf(olivia.sql`select admit_api_token(${token}, 'GET /messages')`)).toMatchObject({
      code: '42501',
    })
  })

  test('it ends with its days, when removed, with its account, and after too many calls in a minute', async () => {
    const { olivia, zoe } = table
    const [token, other] = [await make(zoe), await make(zoe)]
    const works = async (one = token) => (await call(one, 'GET /messages?limit=1')).status
    expect([await works(), await works('pot_guessed')]).toEqual([200, 401])
    expect(await answer(`pot_${'0'.repeat(64)}`, 'GET /messages')).toEqual({
      status: 401,
      body: expect.objectContaining({ message: 'This token is unknown or has expired' }),
    })
    await server()`update auth.users set banned_until = now() + interval '1 day' where id = ${zoe.id}`
    expect(await works()).toBe(401)
    await server()`update auth.users set banned_until = null where id = ${zoe.id}`
    const [{ id } = { id: '' }] = await zoe.sql<{
      id: string
    }>`select id from my_api_tokens() order by made_at limit 1`
    expect(await refusalOf(olivia.sql`select end_api_token(${id})`)).toEqual(notFound('Token not found'))
    await zoe.sql`select end_api_token(${id})`
    expect([await works(), await works(other)]).toEqual([401, 200])
    await server()`update private.api_tokens set expires_at = now()`
    expect(await works(other)).toBe(401)
    const busy = await make(zoe)
    await server()`update private.rate_limit_usage set used_at = array_fill(now(), array[120]) where user_id = ${zoe.id} and action = 'token call'`
    expect(await works(busy)).toBe(429)
  })

  test('it is made with a proof of who asks, for 1 to 365 days, within known scopes', async () => {
    const { olivia } = table
    const unproven = signedInWith(host.server.db, olivia, ['totp'], 3600)
    expect(await refusalOf(unproven.sql`select make_api_token('Late', '{chat}', 1)`)).toEqual({
      code: 'PT403',
      message: 'Confirm it’s you.',
    })
    for (const days of [0, 366])
      expect(await refusalOf(make(olivia, ALL, days))).toEqual(rule('A token lasts between 1 and 365 days'))
    for (const scopes of [['everything'], []])
      expect(await refusalOf(make(olivia, scopes))).toMatchObject({ code: '23514' })
    while ((await olivia.sql`select from my_api_tokens()`).length < 20) await make(olivia)
    expect(await refusalOf(make(olivia))).toEqual(rule('You have 20 tokens. Remove one first.'))
    await server()`update private.rate_limit_usage set used_at = array_fill(now(), array[30]) where user_id = ${olivia.id} and action = 'new token'`
    expect(await refusalOf(make(olivia))).toMatchObject({ code: 'PT429' })
  })

  test('one for drafts reads chats and leaves drafts, and no call of its scope sends anything', async () => {
    const { olivia, marc, plan } = await setTheTable(host.server.db)
    const chat = await openChat(host.server.db, plan, marc)
    const token = await make(olivia, ['drafts'])
    const left = { p_conversation_id: chat, p_text: 'Sure' }
    expect([
      (await answer(token, `GET /messages?conversation_id=eq.${chat}`)).status,
      (await answer(token, 'POST /rpc/draft_message', left)).status,
    ]).toEqual([200, 204])
    for (const request of [
      'POST /messages',
      'POST /rpc/announce_to_members',
      'POST /rpc/mark_conversation_read',
    ])
      expect(await answer(token, request, { conversation_id: chat, content: 'Sure' })).toEqual({
        status: 403,
        body: expect.objectContaining(denied('This token may not: chat')),
      })
  })

  test('it neither shares a plan whose members are charged nor lets more of them in at once', async () => {
    const till = await openTill(host.server.db)
    const owner = await till.payer('Paul')
    const plan = await till.share(owner)
    const token = await make(owner)
    const moves = { status: 403, body: expect.objectContaining({ code: 'PT403' }) }
    const change = (body: object) => answer(token, `PATCH /shared_subscriptions?id=eq.${plan.id}`, body)
    expect(await change({ instant_from: 'new' })).toEqual(moves)
    await storeEntry(host.server.db, plan)
    await owner.sql`update shared_subscriptions set instant_from = 'trusted', owner_max_members = 2, is_private = true where id = ${plan.id}`
    for (const more of [{ instant_from: 'new' }, { owner_max_members: 3 }, { is_private: false }])
      expect(await change(more)).toEqual(moves)
    expect((await change({ is_private: true, owner_max_members: 2 })).status).toBe(204)
    expect((await change({ instant_from: null, owner_max_members: 3 })).status).toBe(204)
    const [row] =
      await server()`select to_jsonb(p) - '{id,code,owner,created_at,has_room,monthly_cost}'::text[] as plan
      from shared_subscriptions as p where id = ${plan.id}`
    await owner.sql`delete from shared_subscriptions where id = ${plan.id}`
    const share = (settlement: string) =>
      answer(token, 'POST /shared_subscriptions', { ...(row?.plan as object), settlement })
    expect(await share('potluck')).toEqual(moves)
    expect((await share('direct')).status).toBe(201)
  })

  test('it lets nobody in who would be charged for it', async () => {
    const till = await openTill(host.server.db)
    const [paul, mia] = [await till.payer('Paul'), await till.payer('Mia')]
    const plan = await till.share(paul)
    const moves = expect.objectContaining({
      code: 'PT403',
      message: 'Tokens cannot move money. Do this in the app.',
    })
    // A member admitted later would be charged without having agreed in the app.
    const asked = await answer(await make(mia), 'POST /subscription_requests', { subscription_id: plan.id })
    expect(asked).toEqual({ status: 403, body: moves })
    const request = await ask(host.server.db, mia, plan)
    const token = await make(paul)
    const approve = { p_request_id: request, p_subscription_id: plan.id }
    expect(await answer(token, 'POST /rpc/approve_subscription_request', approve)).toEqual({
      status: 403,
      body: moves,
    })
    // A program may not ask for a direct place either if the place later becomes one with charges.
    const direct = await sharePlan(host.server.db, await till.payer('Tom'))
    expect(
      (await call(await make(mia), 'POST /subscription_requests', { subscription_id: direct.id })).status,
    ).toBe(201)
    const [early = { id: '' }] = await mia.sql<{
      id: string
    }>`select id from subscription_requests where subscription_id = ${direct.id}`
    await direct.owner.sql`select propose_terms(${direct.id}, 'potluck')`
    expect(
      await refusalOf(direct.owner.sql`select approve_subscription_request(${early.id}, ${direct.id})`),
    ).toEqual(rule('This request has already been rejected'))
    const asToken = calling(host.server.db, {
      role: 'project_owner',
      claims: JSON.stringify({ sub: paul.id, role: 'authenticated', token_id: 'x' }),
    })
    expect(
      await refusalOf(
        asToken.sql`select private.transfer_all(array[(null, 1, 2, 1, 'x', null, null, null)::private.move])`,
      ),
    ).toMatchObject({ code: 'PT403' })
    expect(await refusalOf(asToken.sql`select private.transfer('x', 1, 2, 1, 'x')`)).toMatchObject({
      code: 'PT403',
    })
  })
})
